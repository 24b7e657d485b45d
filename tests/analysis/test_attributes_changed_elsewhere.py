"""Attributes that other code assigns than the constructor that ran.

Methods of any class of the hierarchy may assign them, functions outside, `setattr`, `apply`. A line
ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

PROGRAMS = {
    "a method of a class between the two replaces a layer": """
        class Base:
            def __init__(self):
                self.loss = nn.SmoothL1Loss()

        class Agent(Base):
            def start(self, weighted):
                if weighted:
                    self.loss = nn.SmoothL1Loss(reduction="none")

        class Double(Agent):
            def step(self, q, y):
                return self.loss(q, y).mean(dim=1)

        class Same(Base):
            def start(self):
                self.loss = nn.SmoothL1Loss()

            def step(self, q, y):
                return self.loss(q, y).mean(dim=1)  # NC301
        """,
    "a later method builds the same layer, wraps it or drops it": """
        class Head(nn.Module):
            def __init__(self, classes):
                super().__init__()
                self.head = nn.Linear(64, 10) if classes else nn.Identity()
                self.body = nn.Linear(32, 64)
                self.tail = nn.Linear(8, 8)

            def reset_classifier(self, classes):
                self.head = nn.Linear(64, 10) if classes else nn.Identity()

            def free(self):
                self.body = None

            def freeze(self):
                self.body = torch.compile(self.body)
                self.tail = self.tail.to("cuda")

            def forward(self, x, y):
                z = self.body(x) + torch.zeros(32)  # NC201
                return z, self.tail(y) + torch.zeros(9)  # NC201
        """,
    "code outside the class assigns": """
        class Agent:
            def __init__(self):
                self.n = 3
                self.same = 3
                self.loss = nn.MSELoss()
                self.out = nn.Linear(4, 4)
                self.table = torch.zeros(2, 3)

            def sizes(self):
                return torch.zeros(self.n) + torch.zeros(4)

            def same_sizes(self):
                return torch.zeros(self.same) + torch.zeros(4)  # NC201

            def step(self, q, y):
                return self.loss(q, y).mean(dim=1)

            def project(self, x):
                return self.out(x) + torch.zeros(9)

            def read(self):
                a, b, c = self.table.shape
                return a

        def train(agent, other):
            agent.n = 4
            agent.same = 3
            agent.loss = nn.MSELoss(reduction="none")
            agent.out.weight = nn.Parameter(torch.zeros(9, 4))
            agent.table.unsqueeze_(0)
        """,
    "an object that is changed is not another one": """
        class Loss(nn.Module):
            def __init__(self, reduction="mean"):
                super().__init__()
                self.reduction = reduction

            def forward(self, x):
                return F.mse_loss(x, x, reduction=self.reduction)

        def use():
            one, other = Loss(), Loss()
            x = torch.zeros(4, 1)
            first = one(x).mean(1)  # NC301
            one.reduction = "none"
            return one(x).item(), other(x).item()  # NC212

        def again():
            loss = Loss()
            return loss(torch.zeros(4, 1)).item()
        """,
    "a subclass has another value": """
        class Base(nn.Module):
            width = 3
            height = 3

            def __init__(self):
                super().__init__()
                self.depth = 2

            def forward(self, x):
                return torch.zeros(self.width) + torch.zeros(7) + torch.zeros(self.depth, 7)

            def wrong(self, x):
                return torch.zeros(self.height) + torch.zeros(7)  # NC201

        class Wide(Base):
            width = 7

            def __init__(self):
                super().__init__()
                self.depth = 5

            def more(self):
                return torch.zeros(self.depth, 2) + torch.zeros(5, 2)
        """,
    "attributes are set by names that are not known": """
        class Options:
            def __init__(self):
                self.k = 3

            def read(self, **options):
                for name, value in options.items():
                    setattr(self, name, value)

            def kernel(self):
                return torch.zeros(self.k) * torch.zeros(5)

        class State:
            def __init__(self):
                self.k = 3

            def load(self, state):
                self.__dict__.update(state)

            def kernel(self):
                return torch.zeros(self.k) * torch.zeros(5)

        class Restored:
            def __init__(self):
                self.k = 3

            def __setstate__(self, state):
                self.__dict__.update(state)

            def kernel(self):
                return torch.zeros(self.k) * torch.zeros(5)  # NC201
        """,
    "a module gets another vocabulary": """
        class Embeddings(nn.Module):
            def __init__(self, words, places, dim, classes):
                super().__init__()
                self.words = nn.Embedding(words, dim)
                self.places = nn.Embedding(places, dim)
                self.kinds = nn.Embedding(3, 1)
                self.norm = nn.LayerNorm(2 * dim)
                self.head = nn.Linear(dim, classes)

            def forward(self, ids):
                b, t = ids.shape
                x = self.words(ids) + self.places.weight[:t]
                return self.norm(x)  # NC208

            def right(self, ids):
                x = self.words(ids) + self.kinds(ids)
                return self.norm(torch.cat([x, x], -1))

            def rows(self, ids):
                return self.words(ids) @ self.words.weight.T + torch.zeros(40)

            def kind(self, ids):
                return self.kinds(ids) + self.words(ids)

            def project(self, x):
                return self.head(x) @ torch.zeros(7, 2)

        def resize(model, rows, new):
            old = model.embeddings.places.weight.clone()
            model.embeddings.words = new
            model.embeddings.places = nn.Embedding(rows, model.config.dim)
            model.embeddings.places.weight = nn.Parameter(old[:rows])
            model.embeddings.kinds = nn.Embedding(2, model.config.dim)
            model.embeddings.head = nn.Linear(3, 7)

        class Table:
            def __init__(self, dim):
                self.words = nn.Embedding(8, dim)
                self.norm = nn.LayerNorm(2 * dim)

            def read(self, ids):
                return self.norm(self.words(ids))

        def fill(table, new):
            table.words = new
        """,
    "modules are replaced by names that are not known": """
        class Adapter(nn.Module):
            def __init__(self):
                super().__init__()
                self.proj = nn.Linear(8, 8)
                self.n = 3

            def forward(self, x):
                return self.proj(x) + torch.zeros(16)

            def sizes(self):
                return torch.zeros(self.n) + torch.zeros(4)  # NC201

        def swap(net):
            for name, child in net.named_children():
                if isinstance(child, nn.Linear):
                    setattr(net, name, nn.Linear(8, 16))
            return net

        def use():
            return swap(Adapter())(torch.zeros(2, 8))
        """,
    "a function is applied to all modules": """
        class Loss(nn.Module):
            def __init__(self):
                super().__init__()
                self.reduction = "mean"
                self.n = 3

            def forward(self, x):
                return F.mse_loss(x, x, reduction=self.reduction)

            def sizes(self):
                return torch.zeros(self.n) + torch.zeros(4)  # NC201

        def single(module):
            if hasattr(module, "reduction"):
                module.reduction = "none"

        def use(x):
            loss = Loss()
            loss.apply(single)
            return loss(x.view(-1, 2)).mean(1)
        """,
    "code that is not known gets an object and a name": """
        class Schedule:
            def __init__(self):
                self.t = torch.zeros(10)
                self.s = torch.zeros(10)

            def at(self):
                return self.t + torch.zeros(20)  # NC201

            def other(self):
                return self.s + torch.zeros(20)

        def use(monkeypatch):
            schedule = Schedule()
            monkeypatch.setattr(schedule, "s", torch.zeros(20))
            return schedule.other()

        def sized(n):
            schedule = Schedule()
            schedule.s = torch.zeros(n)
            return schedule
        """,
    "a decorator sets an attribute of the class": """
        def wide(cls):
            cls.width = 5
            return cls

        @wide
        class Model:
            width = 3
            height = 3

            def widths(self):
                return torch.zeros(self.width) + torch.zeros(5)

            def heights(self):
                return torch.zeros(self.height) + torch.zeros(5)  # NC201
        """,
    "a module works as it was built, another object need not": """
        class Module(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = nn.Linear(3, 4)
                self.loss = nn.MSELoss()

            def widen(self):
                self.net = nn.Linear(5, 4)
                self.loss = nn.MSELoss(reduction="none")

            def forward(self, x, y):
                z = self.net(torch.zeros(2, 5))  # NC208
                return self.loss(x, y).mean(1)

        class Pipeline:
            def __init__(self):
                self.net = nn.Linear(3, 4)

            def build(self):
                self.net = nn.Linear(5, 4)

            def run(self):
                return self.net(torch.zeros(2, 5))
        """,
    "a tensor gets other dims in a later method": """
        class Bank(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("keys", torch.zeros(4, 8))
                self.values = torch.zeros(3, 4)
                self.scale = torch.zeros(3, 4)

            def start(self, n):
                self.keys.resize_(n, 2, 8)
                self.values.data = torch.zeros(n, 8)
                self.scale.data = self.scale.data / 2

            def read(self):
                n, k, c = self.keys.shape
                return self.values + torch.zeros(1, 8)

            def scaled(self):
                return self.scale + torch.zeros(1, 8)  # NC201
        """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_an_attribute_is_known_if_all_assignments_agree(program: str) -> None:
    check_marks(HEAD + dedent(program))
