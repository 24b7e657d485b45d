"""Two dims that the program states to be equal, here or in a module that it has called before.

A line ends in the code that is reported there (`snippets`).
"""

from __future__ import annotations

import pytest
from snippets import HEAD, dims, read

MODULES = """
from einops import einsum, repeat
from einops.layers.torch import Rearrange
from utils import default


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim)
        self.to_k = nn.Linear(dim, dim)

    def forward(self, x, bias, context=None):
        context = default(context, x)
        q, k = self.to_q(x), self.to_k(context)
        q, k = map(lambda t: rearrange(t, "b n (h d) -> b h n d", h=self.heads), (q, k))
        return torch.einsum("b h i d, b h j d -> b h i j", q, k) + bias{mark}


class Axial(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.to_bias = nn.Sequential(nn.Linear(dim, heads), Rearrange("b i j h -> b h i j"))
        self.attn = Attention(dim, heads)

    def forward(self, x, edges):
        b, h, w, d = x.shape
        y = rearrange(x, "b h w d -> (b h) w d")
        bias = repeat(self.to_bias(edges), "b k i j -> (b r) k i j", r=h)
        return self.attn(y, bias)


class Mix(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        {stated}
        return self.proj(x)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.mix = Mix(dim)
        self.att = Axial(dim, heads)

    def forward(self, x):
        {mixed}
        return self.att(x, edges=x)
"""

ASSERTED = "assert x.shape[1] == x.shape[2]"
MARK = "  # <- NC202"

CASES = {
    "the argument": (ASSERTED, "y = self.mix(x)", ""),
    "what is added to the result": (ASSERTED, "x = self.mix(x) + x", ""),
    "the result": (ASSERTED, "x = self.mix(x)", ""),
    "a guard": (
        "if x.size(1) != x.size(2):\n            raise ValueError",
        "x = x + self.mix(x)",
        "",
    ),
    "in the caller": ("pass", f"{ASSERTED}\n        x = self.mix(x) + x", ""),
    "two calls": (ASSERTED, "x = self.mix(x) + x\n        x = self.mix(x) + x", ""),
    "variables": (
        "rows, cols = x.shape[1], x.shape[2]\n        assert rows == cols",
        "x = self.mix(x) + x",
        "",
    ),
    "nothing stated": ("pass", "x = self.mix(x) + x", MARK),
    "other dims stated": (
        "assert x.shape[0] == x.shape[1]",
        "x = self.mix(x) + x",
        MARK,
    ),
    "a test that decides nothing": (
        "print(x.shape[1] == x.shape[2])",
        "x = self.mix(x) + x",
        MARK,
    ),
}


@pytest.mark.parametrize("name", list(CASES))
def test_only_the_marked_lines_are_reported(name: str) -> None:
    stated, mixed, mark = CASES[name]
    program = MODULES.replace("{stated}", stated).replace("{mixed}", mixed)
    analysis, marks = read(program.replace("{mark}", mark))
    above = HEAD.count("\n")
    assert [(f.span.line - above, f.code) for f in analysis.findings] == marks


def test_sizes_that_were_read_stay_when_the_rank_is_learned() -> None:
    found = dims("""
        def kept(x, layer: nn.Linear):
            assert x.shape[1] == x.shape[2]
            y = nn.Linear(3, 4)(x)
            b, h, w, d = x.shape
            return y
    """)
    assert found["x"] == "[b, h, h, 3]"
