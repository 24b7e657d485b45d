"""Values that a program changes after it has made them: lists, dicts, layers, tensors in place.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from namecheck.analysis import analyze_text

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
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    program = dedent(PROGRAMS[name]).lstrip("\n")
    expected = [
        (number, mark[1])
        for number, line in enumerate(program.splitlines(), 1)
        if (mark := re.search(r"# (NC\d{3})$", line))
    ]
    findings = analyze_text("a.py", program).findings
    assert [(finding.span.line, finding.code) for finding in findings] == expected
