"""Tests that are held in variables or made twice: what one of them says holds for the other.

A line ends in the code that is reported there.
"""

from __future__ import annotations

import pytest
from snippets import check_marks

PROGRAMS = {
    "a variable holds the test": """
        import torch

        def negated(x):
            b, t, n, h = x.shape
            several = t != 1
            if several:
                raise ValueError
            return x.reshape([b, n, h])

        def combined(x, flag):
            b, t, n, h = x.shape
            single = t == 1
            usable = single and flag
            if not usable:
                return x
            return x.reshape([b, n, h])

        def unpacked(x):
            b, t, n, h = x.shape
            single, wide = t == 1, n > 2
            assert single
            return x.reshape([b, n, h])

        def in_an_expression(x):
            b, t, n, h = x.shape
            if not (single := t == 1):
                return x
            return x.reshape([b, n, h])

        def of_shapes(x):
            single = x.shape[1] == 1
            b, t, n, h = x.shape
            assert single
            return x.reshape([b, n, h])

        def of_ranks(x):
            flat = x.ndim == 2
            if not flat:
                return x
            return x.transpose(1, 2)  # NC301

        def the_other_way(x):
            b, t, n, h = x.shape
            for k in range(t):
                print(k)
            single = t == 1
            if single:
                return x
            return x.reshape([b, n, h])  # NC211

        def of_none(x, mask=None):
            b, t, n, h = x.shape
            given = mask is not None
            if given:
                x = x * mask.view(b, t, 1, 1)
            if not given:
                mask = torch.ones(b, t)
            return x, mask
        """,
    "the names in it have other values now": """
        def later(x):
            b, t, n, h = x.shape
            single = t == 1
            t = x.shape[2]
            assert single
            return x.reshape([b, n, h])

        def longer(x):
            b, t, n, h = x.shape
            steps = [1]
            fits = t == len(steps)
            steps.append(2)
            assert fits
            return x.reshape([b, 2, n, h])
        """,
    "an attribute or an outer function holds the test": """
        class Cell:
            def f(self, x):
                b, t, n, h = x.shape
                self.single = t == 1
                if not self.single:
                    return x
                return x.reshape([b, n, h])

            def g(self, x):
                b, t, n, h = x.shape
                single = x.size(1) == 1

                def inner(y):
                    assert single
                    return y.reshape([b, n, h])

                return inner(x)
        """,
    "a function makes the test": """
        def is_single(x):
            return x.shape[1] == 1

        def asserted(x):
            b, t, n, h = x.shape
            assert is_single(x)
            return x.reshape([b, n, h])

        def held(x):
            b, t, n, h = x.shape
            single = is_single(x)
            assert single
            return x.reshape([b, n, h])

        class Cell:
            def is_one(self, t):
                return t == 1

            def f(self, x):
                b, t, n, h = x.shape
                if not self.is_one(t):
                    return x
                return x.reshape([b, n, h])

            def g(self, x):
                b, t, n, h = x.shape
                for k in range(t):
                    print(k)
                if self.is_one(t):
                    return x
                return x.reshape([b, n, h])  # NC211
        """,
    "a bound that leaves one size": """
        def more(x):
            b, t, n, h = x.shape
            if t > 1:
                return x
            return x.reshape([b, n, h])

        def less(x):
            b, t, n, h = x.shape
            several = not t < 2
            if several:
                return x
            return x.reshape([b, n, h])

        def two(x):
            b, t, n, h = x.shape
            for k in range(t):
                print(k)
            if t > 2:
                return x
            return x.reshape([b, n, h])  # NC211
        """,
    "a test chooses the layer and the call": """
        import torch
        from torch import nn

        class Kept(nn.Module):
            def __init__(self, n, factor):
                super().__init__()
                self.factor = factor
                if factor == 4:
                    self.a = nn.Linear(n, n // 2)
                    self.b = nn.Linear(n // 2, 1)
                elif factor == 8:
                    self.b = nn.Linear(n, n)

            def forward(self, x):
                if self.factor == 8:
                    return self.b(x)
                return self.b(self.a(x))

        class Replaced(nn.Module):
            def __init__(self, dim, residual=False):
                super().__init__()
                self.use_residual = residual
                self.out = nn.Linear(2 * dim, dim)
                if residual:
                    self.out = nn.Linear(dim, dim)
                self.inp = nn.Linear(dim, dim)

            def forward(self, x):
                h = self.inp(x)
                if self.use_residual:
                    return self.out(h)
                return self.out(torch.cat([h, h], dim=-1))

        class Chosen(nn.Module):
            def __init__(self, dim, cfg):
                super().__init__()
                self.cfg = cfg
                self.out = nn.Linear(2 * dim, dim) if cfg.mode == "cat" else nn.Linear(dim, dim)
                self.inp = nn.Linear(dim, dim)

            def forward(self, x):
                h = self.inp(x)
                if self.cfg.mode == "cat":
                    h = torch.cat([h, h], dim=-1)
                    for _ in range(2):
                        h = torch.cat([self.out(h), h[..., :4]], dim=-1)
                    return h
                return self.out(h)

        class Called(nn.Module):
            def __init__(self, dim, both):
                super().__init__()
                self.inp = nn.Linear(dim, dim)
                self.both = both
                if both:
                    self.out = nn.Linear(2 * dim, dim)
                else:
                    self.out = nn.Linear(dim, dim)

            def twice(self, h):
                return self.out(torch.cat([h, h], dim=-1))

            def forward(self, x):
                h = self.inp(x)
                if self.both:
                    return self.twice(h)
                return self.out(h)

        class Matched(nn.Module):
            def __init__(self, dim, mode):
                super().__init__()
                self.inp = nn.Linear(dim, dim)
                self.mode = mode
                match mode:
                    case "cat":
                        self.out = nn.Linear(2 * dim, dim)
                    case _:
                        self.out = nn.Linear(dim, dim)

            def forward(self, x):
                h = self.inp(x)
                match self.mode:
                    case "cat":
                        return self.out(torch.cat([h, h], dim=-1))
                    case _:
                        return self.out(h)
        """,
    "the layer of the other choice is called": """
        import torch
        from torch import nn

        class Swapped(nn.Module):
            def __init__(self, dim, both):
                super().__init__()
                self.inp = nn.Linear(dim, dim)
                self.both = both
                if both:
                    self.out = nn.Linear(2 * dim, dim)
                else:
                    self.out = nn.Linear(dim, dim)

            def forward(self, x):
                h = self.inp(x)
                if self.both:
                    return self.out(h)  # NC208
                return self.out(torch.cat([h, h], dim=-1))  # NC208

        class Named(nn.Module):
            def __init__(self, dim, mode):
                super().__init__()
                self.inp = nn.Linear(dim, dim)
                if mode == "cat":
                    self.out = nn.Linear(2 * dim, dim)
                elif mode == "add":
                    self.out = nn.Linear(dim, dim)
                else:
                    raise ValueError
                self.mode = mode

            def forward(self, x):
                h = self.inp(x)
                if self.mode == "add":
                    return self.out(torch.cat([h, h], dim=-1))  # NC208
                return self.out(torch.cat([h, h], dim=-1))
        """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    check_marks(PROGRAMS[name])
