"""A letter of a pattern, and an operand that has its size only since a caller gave it.

In `layer(x, edges=x)` the edges have the `h` of `b, h, w, d = x.shape`, but the function that reads
both does not say so. A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, read

PROGRAMS = {
    "heads in front, a height in the map": """
        from einops import repeat
        from einops.layers.torch import Rearrange

        class Axial(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.to_bias = nn.Sequential(nn.Linear(dim, heads), Rearrange("b i j h -> b h i j"))

            def forward(self, x, edges, rows=True):
                b, h, w, d = x.shape
                size, pattern = (h, "(b h) w d") if rows else (w, "(b w) h d")
                x = rearrange(x, "b h w d -> (b h) w d")
                bias = self.to_bias(edges)
                bias = repeat(bias, "b h i j -> (b x) h i j", x=size)
                return x, bias

        class Block(nn.Module):
            def __init__(self, dim, heads):
                super().__init__()
                self.att = Axial(dim, heads)

            def forward(self, x):
                return self.att(x, edges=x)
    """,
    "einsum, in a function": """
        def pair_bias(x, pair, to_heads):
            b, h, w, d = x.shape
            bias = torch.einsum("b i j d, d h -> b h i j", pair, to_heads)
            return torch.einsum("b h i j, b i j d -> b h i d", bias, pair)

        def use(x, to_heads):
            return pair_bias(x, x, to_heads)
    """,
    "a method, called in a loop": """
        class Layer(nn.Module):
            def __init__(self, dim, count):
                super().__init__()
                self.proj = nn.Linear(dim, count)

            def bias(self, z):
                return rearrange(self.proj(z), "b i j t -> b t i j")

            def forward(self, q, z):
                b, t, n, c = q.shape
                q = rearrange(q, "b t n c -> b n t c")
                bias = self.bias(z)
                return rearrange(bias, "b t i j -> (b t) i j")

        class Net(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.layers = nn.ModuleList([Layer(dim, 4) for _ in range(3)])

            def forward(self, x):
                for layer in self.layers:
                    x = x + layer(x, x).mean()
                return x
    """,
    "what the function itself computes from the value": """
        class Wrong(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.qkv = nn.Linear(dim, dim)

            def forward(self, x, other):
                b, h, w, d = x.shape
                y = self.qkv(x)
                return rearrange(y, "b w h d -> b (w h) d")  # <- NC304

        class Use(nn.Module):
            def __init__(self, dim):
                super().__init__()
                self.wrong = Wrong(dim)

            def forward(self, x):
                return self.wrong(x, x)
    """,
}


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    analysis, marks = read(PROGRAMS[name])
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks
