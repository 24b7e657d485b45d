"""Values that a program changes after it has made them: lists, dicts, layers, tensors in place.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "an element is deleted": """
        import torch

        def first(axis):
            sizes = [2, 3, 4]
            del sizes[0]
            return torch.zeros(2, 3) + torch.zeros(sizes)  # NC201

        def last():
            sizes = [2, 3, 4]
            del sizes[-1]
            return torch.zeros(3, 2) + torch.zeros(sizes[::-1])

        def some(axis):
            sizes = [2, 3, 4]
            del sizes[axis]
            return torch.zeros(2, 3) + torch.zeros(sizes)

        def several():
            sizes = [2, 3, 4]
            del sizes[0:2]
            return torch.zeros(4) + torch.zeros(sizes)

        def of_both():
            x, sizes = 1, [5, 6]
            del x, sizes[1]
            return torch.zeros(6) + torch.zeros(sizes)  # NC201
        """,
    "an entry of a dict is deleted or added": """
        import torch

        def deleted():
            sizes = {"a": 2, "b": 3}
            del sizes["a"]
            return [torch.zeros(3) + torch.zeros(size) for size in sizes.values()]

        def added():
            sizes = {"a": 2}
            sizes |= {"a": 4}
            return torch.zeros(4) + torch.zeros(sizes["a"])
        """,
    "an attribute is deleted": """
        import torch

        class Cell:
            def __init__(self):
                self.w = torch.zeros(3)

            def f(self):
                del self.w
                return self.w + torch.zeros(4)
        """,
    "a list that a function of NumPy gives": """
        import numpy as np

        def widened():
            parts = np.split(np.zeros((2, 6)), 2, axis=1)
            for k in range(len(parts)):
                parts[k] = parts[k][..., None]
            return np.concatenate(parts, axis=-1).transpose(0, 2, 1)

        def shortened():
            axes = np.meshgrid(np.zeros(3), np.zeros(4))
            del axes[0]
            return np.concatenate(axes, axis=-1).transpose(1, 0)
        """,
    "JAX makes a new array": """
        import jax.numpy as jnp

        def f(x):
            origins = jnp.zeros(3)
            origins += jnp.ones((5, 3))
            origins -= jnp.ones(4)  # NC201
            return origins

        class Cell:
            def __init__(self):
                self.state = jnp.zeros(3)

            def f(self):
                self.state *= jnp.ones((5, 3))
                return self.state
        """,
    "NumPy writes to the array": """
        import numpy as np

        def f():
            origins = np.zeros(3)
            origins += np.ones((5, 3))  # NC106
        """,
    "a parameter of a layer is replaced": """
        import torch
        from torch import nn

        class Wider(nn.Module):
            def __init__(self, n, s):
                super().__init__()
                self.emb = nn.Embedding(64, n)
                self.emb.weight = nn.Parameter(torch.zeros(64, n * s))

            def forward(self, x):
                B, T = x.shape
                return self.emb(x) + torch.zeros(B, T, 5)

        class Given(nn.Module):
            def __init__(self, n, w):
                super().__init__()
                self.out = nn.Linear(n, 3 * n)
                self.out.weight = nn.Parameter(w)

            def forward(self, x):
                return self.out(self.out(x))

        class Tied(nn.Module):
            def __init__(self, vocab, dim):
                super().__init__()
                self.emb = nn.Embedding(vocab, dim)
                self.out = nn.Linear(dim, vocab, bias=False)
                self.out.weight = self.emb.weight

            def forward(self, x):
                return self.out(self.out(self.emb(x)))  # NC208

        class Frozen(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.out = nn.Linear(n, 3 * n)
                self.out.bias = None
                self.out.weight.requires_grad = False

            def forward(self, x):
                return self.out(self.out(x))  # NC208

        def in_a_list():
            layers = nn.ModuleList([nn.Linear(4, 8)])
            layers[0].weight = nn.Parameter(torch.zeros(8, 5))
            return layers[0](torch.zeros(2, 5))
        """,
    "a tensor takes another shape in place": """
        import torch

        def emptied(x, fm):
            x1, x2 = torch.chunk(x, chunks=2, dim=1)
            y1 = x1 + fm(x2)
            y = torch.cat((y1, x2), dim=1)
            y1.set_()
            return y

        def resized(x, y):
            z = torch.cat((x, y), dim=1)
            x.resize_(3)
            return z

        def known():
            x = torch.zeros(2, 3)
            z = x.sum(1)
            x.t_()
            w = x + torch.zeros(3, 2)
            x.resize_(6)
            return w, z, x.sum(1)  # NC301
        """,
    "a value of either library": """
        import numpy as np
        import torch

        def unknown(canvas, h: int, w: int):
            image = load(canvas).reshape(h, w, 3)
            return image[::-1]

        def unpacked(x):
            B, T, C = x.shape
            y = x.reshape(B, T, 2, C // 2)
            return y[:, :, ::-1]

        def annotated(x: torch.Tensor):
            y = x.reshape(2, 3)
            return y[::-1]  # NC212

        def shown(x):
            y = x.unsqueeze(0).reshape(2, 3)
            return y[::-1]  # NC212
        """,
    "numbers that are elements": """
        import numpy as np
        import torch

        def f(x):
            steps = np.arange(3)
            a = torch.roll(torch.zeros(4, 6), steps[0], 1)
            b = torch.roll(torch.zeros(4, 6), (1, 2), 1)  # NC212
            return a, b

        class Shifted:
            def __init__(self, shift):
                self.shift = shift

            def f(self, x):
                B, H, W, C = x.shape
                return torch.roll(x, self.shift, (1, 2))
        """,
    "a device is no operand": """
        import torch

        def f(x):
            mask = torch.isnan(x)
            n, t, d = mask.shape
            places = torch.where(~mask, torch.arange(d, device=mask.device), 0)
            return [row[torch.arange(t)[:, None], i] for row, i in zip(x, places)]
        """,
    "a list that is handed on": """
        import random
        import torch

        def by_keyword(g):
            sizes = [2, 3]
            g(out=sizes)
            return torch.zeros(6, 3) + torch.zeros(sizes)

        def inside_another(g):
            sizes = [2, 3]
            g([sizes], *[sizes])
            g({"sizes": sizes})
            return torch.zeros(6, 3) + torch.zeros(sizes)

        def unknown_arguments(g, more):
            sizes = [2, 3]
            g(*more, sizes=sizes)
            return torch.zeros(6, 3) + torch.zeros(sizes)

        def by_a_closure(run):
            sizes = [2, 3]

            def grow():
                sizes.append(4)

            run(grow)
            return torch.zeros(2, 3, 4) + torch.zeros(sizes)

        def shuffled():
            sizes = [2, 3]
            random.shuffle(sizes)
            return torch.zeros(3, 2) + torch.zeros(sizes)

        def read(run):
            sizes = [2, 3]

            def show():
                return len(sizes)

            run(show)
            return torch.zeros(2, 3, 4) + torch.zeros(sizes)  # NC201
        """,
    "a copy is changed, or what was copied": """
        import copy
        import torch

        class Plan:
            def __init__(self):
                self.n = 4
                self.sizes = [2, 3]

        def of_lists():
            rows = [[2], [3]]
            deep = copy.deepcopy(rows)
            flat = copy.copy(rows)
            deep[0].append(5)
            flat[1].append(7)
            a = torch.zeros(2) + torch.zeros(rows[0])
            b = torch.zeros(2, 5) + torch.zeros(deep[0])
            c = torch.zeros(3, 7) + torch.zeros(rows[1])
            return a, b, c, torch.zeros(3) + torch.zeros(rows[0])  # NC201

        def of_dicts():
            table = {"a": [2]}
            deep = copy.deepcopy(table)
            deep["a"].append(3)
            return torch.zeros(2) + torch.zeros(table["a"])

        def of_objects():
            plan = Plan()
            deep, flat = copy.deepcopy(plan), copy.copy(plan)
            deep.n = 5
            flat.sizes.append(9)
            a = torch.zeros(5) + torch.zeros(deep.n)
            b = torch.zeros(2, 3, 9) + torch.zeros(plan.sizes)
            c = torch.zeros(2, 3) + torch.zeros(deep.sizes)
            return a, b, c, torch.zeros(3) + torch.zeros(plan.n)  # NC201
        """,
    "a method changes what an attribute holds": """
        import torch

        class Held:
            shared = [2, 3]

            def __init__(self):
                self.sizes = [2, 3]
                self.table = {"a": 2}
                self.first = [2, 3]
                self.fewer = [2, 3]
                self.other = [2, 3]
                self.same = [2, 3]

            def change(self, n):
                self.sizes.append(n)
                self.table["a"] = n
                self.first[0] = n
                del self.fewer[0]
                other = self.other
                for row in [other]:
                    other[:] = [n, n]
                Held.shared.append(n)

            def f(self):
                a = torch.zeros(2, 3, 4) + torch.zeros(self.sizes)
                b = torch.zeros(5) + torch.zeros(self.table["a"])
                c = torch.zeros(6, 3) + torch.zeros(self.first)
                d = torch.zeros(3) + torch.zeros(self.fewer)
                e = torch.zeros(9, 9) + torch.zeros(self.other)
                g = torch.zeros(2, 3, 4) + torch.zeros(self.shared)
                return a, b, c, d, e, g, torch.zeros(4) + torch.zeros(self.same)  # NC201

        class Made(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self._build_layers()

            def _build_layers(self):
                self.layers = torch.nn.ModuleList()
                self.layers.append(torch.nn.Linear(4, 4))

            def forward(self, x):
                return self.layers[0](x) + torch.zeros(8)  # NC201

        class Base:
            def __init__(self):
                self.sizes = [2, 3]

            def f(self):
                return torch.zeros(4) + torch.zeros(self.sizes)

        class Derived(Base):
            def grow(self):
                self.sizes.append(4)

        class Built:
            def __init__(self):
                self.sizes = [2]
                self._fill()

            def _fill(self):
                self.sizes.append(3)

            def f(self):
                return torch.zeros(2, 4) + torch.zeros(self.sizes)  # NC201
        """,
    "a function changes what a module holds": """
        import torch

        SIZES = [2, 3]
        FIXED = [2, 3]
        CONFIG = {"width": 5}
        KNOWN = {}

        def change(n):
            SIZES.append(n)
            CONFIG["width"] = n

        def register(function):
            KNOWN[function.__name__] = function
            return function

        @register
        def five():
            return torch.zeros(5)

        def use():
            a = torch.zeros(2, 3, 4) + torch.zeros(SIZES)
            b = torch.zeros(7) + torch.zeros(CONFIG["width"])
            return a, b, torch.zeros(4) + torch.zeros(FIXED)  # NC201
        """,
    "attributes are set by name": """
        import torch
        from torch import nn

        class Named:
            def __init__(self, **settings):
                self.n = 4
                setattr(self, "m", 5)
                for name, value in settings.items():
                    setattr(self, name, value)

            def f(self):
                return torch.zeros(5) + torch.zeros(self.n), torch.zeros(6) + torch.zeros(self.m)

        class Updated:
            def __init__(self, **settings):
                self.n = 4
                self.__dict__.update(settings)

            def f(self):
                return torch.zeros(5) + torch.zeros(self.n)

        class Constant:
            def __init__(self):
                setattr(self, "n", 5)

            def f(self):
                return torch.zeros(5) + torch.zeros(self.n)

            def g(self):
                return torch.zeros(4) + torch.zeros(self.n)  # NC201

        class Layers(nn.Module):
            def __init__(self, count):
                super().__init__()
                self.n = 4
                for k in range(count):
                    setattr(self, f"layer{k}", nn.Linear(4, 4))

            def f(self):
                return torch.zeros(5) + torch.zeros(self.n)  # NC201
        """,
    "fields are set after the others": """
        import torch
        from dataclasses import dataclass, field

        @dataclass
        class Config:
            width: int = 4
            hidden: int = None
            sizes: list = field(default_factory=lambda: [2, 3])

            def __post_init__(self):
                if self.hidden is None:
                    self.hidden = 2 * self.width
                self.width = self.width + 1
                self.sizes.append(4)

        def of_defaults():
            config = Config()
            a = torch.zeros(5) + torch.zeros(config.width)
            b = torch.zeros(2, 3, 4) + torch.zeros(config.sizes)
            return a, b, torch.zeros(8) + torch.zeros(config.hidden)

        def given():
            config = Config(width=7)
            return torch.zeros(8) + torch.zeros(config.width)

        def wrong():
            return torch.zeros(4) + torch.zeros(Config().width)  # NC201

        def taken(config: Config):
            return torch.zeros(5) + torch.zeros(config.width)

        @dataclass(frozen=True)
        class Frozen:
            width: int = 4

            def __post_init__(self):
                object.__setattr__(self, "width", 9)

        def of_frozen():
            return torch.zeros(9) + torch.zeros(Frozen().width)

        @dataclass
        class Loaded:
            width: int = 4

            def __post_init__(self):
                for name, value in load().items():
                    setattr(self, name, value)

        def of_loaded():
            return torch.zeros(9) + torch.zeros(Loaded().width)
        """,
    "a layer gets other parameters": """
        import torch
        from torch import nn

        class Elements(nn.Module):
            def __init__(self):
                super().__init__()
                self.out = nn.Linear(4, 4)
                self.out.weight.data = torch.zeros(8, 4)
                self.out.bias.data = torch.zeros(8)
                self.p = nn.Parameter(torch.zeros(4))
                self.p.data = torch.zeros(8)

            def forward(self, x):
                return self.out(x) + torch.zeros(8) + self.p

        class Row(nn.Module):
            def __init__(self):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
                self.net[0].weight = nn.Parameter(torch.zeros(8, 4))
                self.net[0].bias = None

            def forward(self, x):
                return self.net(x) + torch.zeros(8)

        class OtherName(nn.Module):
            def __init__(self):
                super().__init__()
                out = nn.Linear(4, 4)
                self.out = out
                widen(out)

            def forward(self, x):
                return self.out(x) + torch.zeros(8)

        def widen(layer):
            layer.weight = nn.Parameter(torch.zeros(8, 4))
            setattr(layer, "bias", nn.Parameter(torch.zeros(8)))

        class Later(nn.Module):
            def __init__(self):
                super().__init__()
                self.out = nn.Linear(4, 4)
                self.same = nn.Linear(4, 4)
                self.tied = nn.Linear(4, 4)

            def widen(self):
                self.out.weight = nn.Parameter(torch.cat([self.out.weight, torch.zeros(4, 4)]))

            def tie(self):
                self.tied.weight = self.same.weight

            def forward(self, x):
                y = self.out(x) + torch.zeros(8)
                return y, self.tied(x) + torch.zeros(8)  # NC201

        class Filled(nn.Module):
            def __init__(self, table):
                super().__init__()
                self.out = nn.Linear(4, 4)
                self.out.weight.data.copy_(table)
                with torch.no_grad():
                    self.out.weight[:] = 0

            def forward(self, x):
                return self.out(x) + torch.zeros(8)  # NC201
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
