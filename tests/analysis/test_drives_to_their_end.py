"""Concrete programs that are followed to their end: what used to lose the thread on the way.

Each program has right tests and wrong ones. A line ends in the code that is reported there.
"""

from __future__ import annotations

from textwrap import dedent

import pytest
from snippets import HEAD, check_marks

SIDES = {
    "the rest of a body is the other side": """
        class Block(nn.Module):
            def __init__(self, inner):
                super().__init__()
                self.first, self.second = nn.Linear(3, 4), nn.Linear(inner, 3)

            def forward(self, x):
                if unknown():
                    with torch.no_grad():
                        y = self.second(self.first(x))  # NC208
                    return y
                y = self.first(x)
                return self.second(y)

        def test_right():
            return Block(4)(torch.ones(2, 3))

        def test_wrong():
            return Block(5)(torch.ones(2, 3))
        """,
    "the side that goes on may be the first": """
        def mixed(x, w):
            if not unknown():
                y = x.mT
            else:
                return x @ w
            y = y.mT
            return y @ w  # NC203

        def test_right():
            return mixed(torch.ones(2, 3), torch.ones(3, 5))

        def test_wrong():
            return mixed(torch.ones(2, 3), torch.ones(4, 5))
        """,
    "a side that returns is right": """
        def first(x, w):
            if unknown():
                return x @ w.mT
            return x @ w

        def second(x, w):
            if unknown():
                return x @ w
            if unknown():
                return x
            return x @ w

        def raising(x, w):
            if unknown():
                return x @ w.mT
            raise ValueError

        def test_right():
            x, w = torch.ones(2, 3), torch.ones(4, 3)
            return first(x, w), second(x, w), raising(x, w)
        """,
    "nothing but an error behind a side": """
        def only(x, w):
            if unknown():
                return x @ w  # NC203
            raise ValueError

        def test_wrong():
            return only(torch.ones(2, 3), torch.ones(4, 3))
        """,
    "both choices of a ternary": """
        def chosen(x, w):
            return x @ w if unknown() else torch.matmul(x, w)  # NC203

        def perhaps(x, w):
            y = x @ w if unknown() else x @ w.mT
            return y

        def test_right():
            x = torch.ones(2, 3)
            return chosen(x, torch.ones(3, 4)), perhaps(x, torch.ones(4, 3))

        def test_wrong():
            return chosen(torch.ones(2, 3), torch.ones(4, 3))
        """,
    "everything that an expression may be": """
        class Norm(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.norm = nn.LayerNorm(width) if unknown() else nn.RMSNorm(width)
                self.lin = nn.Linear(width, 5) if unknown() else nn.Identity()

            def forward(self, x):
                return self.lin(self.norm(x))  # NC208

        def apply(x):
            layer = nn.Linear(4, 4) if unknown() else nn.Linear(3, 4)
            function = (lambda y: y @ torch.ones(3, 3)) if unknown() else (lambda y: y.mT)
            return layer(x), function(x)

        def test_right():
            return Norm(4)(torch.ones(2, 4)), apply(torch.ones(2, 3)), apply(torch.ones(2, 4))

        def test_wrong():
            return Norm(3)(torch.ones(2, 4))
        """,
}

STAND_INS = {
    "a class of the project instead of one of a library": """
        VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])
        if VERSION >= (2, 4):
            RMSNorm = nn.RMSNorm
        else:
            class RMSNorm(nn.Module):
                def __init__(self, width):
                    super().__init__()
                    self.weight = nn.Parameter(torch.ones(width))

                def forward(self, x):
                    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True)) * self.weight

        class Block(nn.Module):
            def __init__(self, width, inner):
                super().__init__()
                self.norm, self.lin = RMSNorm(width), nn.Linear(inner, 2)

            def forward(self, x):
                return self.lin(self.norm(x))  # NC208

        def test_right():
            return Block(4, 4)(torch.ones(3, 4))

        def test_wrong():
            return Block(4, 5)(torch.ones(3, 4))
        """,
    "two functions of one name": """
        if unknown():
            def product(a, b):
                return a @ b  # NC203
        else:
            def product(a, b):
                return torch.matmul(a, b)

        def test_right():
            return product(torch.ones(2, 3), torch.ones(3, 4)) @ torch.ones(4, 2)

        def test_wrong():
            return product(torch.ones(2, 3), torch.ones(4, 4))
        """,
    "tensors are no modules": """
        class Book(nn.Module):
            def forward(self):
                return torch.ones(5, 7)

        def centres(book):
            return book() if isinstance(book, Book) else book

        def test_right():
            return torch.ones(2, 5) @ centres(Book()), torch.ones(2, 4) @ centres(torch.ones(4, 3))

        def test_wrong():
            return torch.ones(2, 5) @ centres(torch.ones(4, 3))  # NC203
        """,
}

FIELDS = """
    from dataclasses import asdict, astuple, dataclass, field, fields
    from typing import ClassVar

    @dataclass
    class Part:
        width: int = 5
        sizes: list = field(default_factory=lambda: [2, 3])

    @dataclass
    class Config:
        kind: ClassVar[str] = "plain"
        dim: int = 4
        part: Part = field(default_factory=Part)

        @classmethod
        def by_names(cls, given):
            known = {one.name for one in fields(cls)}
            return cls(**{key: value for key, value in given.items() if key in known})

        @classmethod
        def by_table(cls, given):
            return cls(**{key: given[key] for key in cls.__dataclass_fields__ if key in given})

        @classmethod
        def one_by_one(cls, given):
            made = cls()
            for one in fields(made):
                if one.init and one.name in given:
                    setattr(made, one.name, given[one.name])
            return made

    def test_names():
        right = torch.ones(2, 7) @ torch.ones(Config.by_names({"dim": 7, "other": 3}).dim, 3)
        return torch.ones(2, 4) @ torch.ones(Config.by_names({"dim": 7}).dim, 3)  # NC203

    def test_table():
        right = torch.ones(2, 7) @ torch.ones(Config.by_table({"dim": 7, "other": 3}).dim, 3)
        return torch.ones(2, 4) @ torch.ones(Config.by_table({"dim": 7}).dim, 3)  # NC203

    def test_one_by_one():
        right = torch.ones(2, 7) @ torch.ones(Config.one_by_one({"dim": 7}).dim, 3)
        return torch.ones(2, 4) @ torch.ones(Config.one_by_one({"dim": 7}).dim, 3)  # NC203

    def test_dict():
        config = Config(dim=7, part=Part(sizes=[5, 6]))
        table = asdict(config)
        table["part"]["width"] = 9
        right = torch.ones(2, 5) @ torch.ones(config.part.width, 3)
        also = torch.ones(2, 6) @ torch.ones(table["part"]["sizes"][1], 3)
        return torch.ones(2, 5) @ torch.ones(table["part"]["width"], 3)  # NC203

    def test_tuple():
        dim, (width, sizes) = astuple(Config())
        right = torch.ones(2, 5) @ torch.ones(width, 3)
        return torch.ones(2, 5) @ torch.ones(dim, 3)  # NC203

    def test_count():
        right = torch.ones(2, 2) @ torch.ones(len(fields(Config)), 3)
        return torch.ones(2, 3) @ torch.ones(len(fields(Config)), 3)  # NC203
    """

NAMES = {
    "attributes by their names": """
        class Stack(nn.Module):
            def __init__(self, name, inner):
                super().__init__()
                self.names = ["{}-{}".format(name, index) for index in range(2)]
                self.__setattr__(self.names[0], nn.Linear(3, 4))
                self.__setattr__(self.names[1], nn.Linear(inner, 5))

            def forward(self, x):
                for name in self.names:
                    x = self.__getattr__(name)(x)  # NC208
                return x

        def test_right():
            return Stack("part", 4)(torch.ones(2, 3))

        def test_wrong():
            return Stack("part", 3)(torch.ones(2, 3))
        """,
    "an ordered dict that is filled": """
        from collections import OrderedDict

        def stack(inner):
            layers = OrderedDict()
            layers["first"] = nn.Linear(3, 4)
            layers["second"] = nn.Linear(inner, 5)
            return nn.Sequential(layers)

        def test_right():
            return stack(4)(torch.ones(2, 3))

        def test_wrong():
            return stack(3)(torch.ones(2, 3))  # NC208
        """,
    "texts with numbers and words": """
        SIZES = {"a1": 3, "b2": 4}

        def test_format():
            right = torch.ones(2, 3) @ torch.ones(SIZES["{}{}".format("a", 1)], 3)
            named = torch.ones(2, 4) @ torch.ones(SIZES["{word}{0}".format(2, word="b")], 3)
            unsure = torch.ones(2, 9) @ torch.ones(SIZES["{:>2}".format("a1")], 3)
            return torch.ones(2, 3) @ torch.ones(SIZES["{1}{0}".format(2, "b")], 3)  # NC203
        """,
    "a function with a gradient of its own": """
        class Spike(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, w):
                ctx.save_for_backward(x)
                ctx.size = 3
                return (x @ w > 0).float(), x  # NC203

            @staticmethod
            def backward(ctx, first, second):
                return first, None

        class Total(torch.autograd.Function):
            @staticmethod
            def forward(x):
                return x.sum(1)

            @staticmethod
            def setup_context(ctx, inputs, output):
                pass

        spike = Spike.apply

        def test_right():
            y, x = spike(torch.ones(2, 3), torch.ones(3, 4))
            return Total.apply(x) @ torch.ones(2)

        def test_inside():
            return Spike.apply(torch.ones(2, 3), torch.ones(4, 4))

        def test_behind():
            return Total.apply(torch.ones(2, 3)) @ torch.ones(3)  # NC203
        """,
    "generators of random numbers": """
        def drawn(seed):
            rng = np.random.default_rng(seed)
            x = rng.standard_normal((3, 4)) * 2
            right = x @ rng.integers(0, 4, size=(4, 6))
            rows = rng.choice(np.ones((4, 5)), 3) @ np.ones((5, 2))
            return x @ rng.normal(size=(5, 6))  # NC203

        def old(seed):
            rng = np.random.RandomState(seed)
            return rng.randn(3, 4) @ rng.uniform(0, 1, (5, 4))  # NC203
        """,
}

ROUNDS = {
    "many rounds that do the same": """
        def refine(x, w):
            for _ in range(60):
                for _ in range(60):
                    for _ in range(60):
                        x = torch.tanh(x @ w)
            return x

        def test_right():
            return refine(torch.ones(2, 3), torch.ones(3, 3)) @ torch.ones(3, 4)

        def test_wrong():
            return refine(torch.ones(2, 3), torch.ones(3, 3)) @ torch.ones(4, 4)  # NC203
        """,
    "rounds that differ": """
        def grown(x):
            for _ in range(5):
                x = torch.cat([x, x[:, :1]], dim=1)
            return x

        def counted(x):
            steps = []
            for index in range(7):
                steps.append(x)
            return torch.stack(steps), index

        def test_right():
            rows, last = counted(torch.ones(2, 3))
            x = grown(torch.ones(2, 3)) @ torch.ones(8, 3)
            return x, rows.view(7, 6), rows[..., 0].view(last + 1, 2)

        def test_wrong():
            return grown(torch.ones(2, 3)) @ torch.ones(5, 3)  # NC203

        def test_also_wrong():
            rows, last = counted(torch.ones(2, 3))
            return rows.view(last, 6)  # NC204
        """,
    "rounds that change something elsewhere": """
        class Counter:
            def __init__(self):
                self.size = 3

            def step(self):
                self.size += 1
                return torch.ones(2, self.size)

        def test_objects():
            counter, held = Counter(), []
            for _ in range(4):
                x = counter.step()
                held.append(x)
            right = torch.ones(len(held), 2) @ x
            return x @ torch.ones(4, 2)  # NC203

        def test_iterators():
            rows = iter([torch.ones(2, size) for size in (3, 3, 3, 6)])
            for _ in range(4):
                x = next(rows)
            return x @ torch.ones(6, 3)

        def test_in_place():
            rows = [torch.ones(2, 3), torch.ones(2, 3), torch.ones(2, 3), torch.ones(2, 3)]
            for row in rows:
                row.unsqueeze_(0)
            return rows[3].view(2, 3, 1).reshape(1, 2, 3), rows[3].squeeze(0) @ torch.ones(3, 3)

        def test_enclosing():
            size = 3

            def grow():
                nonlocal size
                size += 1

            for _ in range(4):
                grow()
            return torch.ones(2, size) @ torch.ones(7, 2)
        """,
    "a drive that is cut off keeps what is certain": """
        def product(x):
            return x @ torch.ones(5, 5)  # NC203

        def long(count):
            for i in range(60):
                for j in range(60):
                    for k in range(60):
                        count = (count * 3 + i + j * k) % 7
            return count

        def test_before():
            product(torch.ones(2, 3))
            long(3)
            product(torch.ones(2, 5))

        def test_perhaps():
            for size in range(4, 6):
                if unknown():
                    product(torch.ones(2, size))
                long(3)
        """,
}


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in SIDES.items()])
def test_a_mistake_on_every_side_is_told(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in STAND_INS.items()])
def test_what_stands_in_for_something_else(program: str) -> None:
    check_marks(HEAD + dedent(program))


def test_fields_of_dataclasses() -> None:
    check_marks(HEAD + dedent(FIELDS))


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in NAMES.items()])
def test_names_and_functions_that_are_made(program: str) -> None:
    check_marks(HEAD + dedent(program))


@pytest.mark.parametrize("program", [pytest.param(p, id=n) for n, p in ROUNDS.items()])
def test_rounds_of_drives(program: str) -> None:
    check_marks(HEAD + dedent(program))
