"""Sizes that a step or a window rounds, and windows that are no one size."""

from __future__ import annotations

from namecheck.analysis import analyze


def shown(program: str) -> dict[str, str]:
    """The dims shown beside each target."""
    head = "import torch\nimport jax.numpy as jnp\nfrom torch import nn\n"
    analysis = analyze("program.py", (head + program).encode(), thorough=True)
    assert not analysis.findings
    return {shape.target: shape.dims_text for shape in analysis.shapes if shape.kind == "assign"}


def test_a_step_takes_the_rest_too() -> None:
    texts = shown("""
def thinned(x, step):
    b, n, c = x.shape
    y = x[:, ::step]
    z = x.view(b, n, c)[:, :, 0::step]
    w = jnp.zeros((n, c))[::step]
    return y
""")
    assert texts["y"] == "[b, ceil_div(n, step), c]"
    assert texts["z"] == "[b, n, ceil_div(c, step)]"
    assert texts["w"] == "[ceil_div(n, step), c]"


def test_a_division_that_is_written_divides() -> None:
    texts = shown("""
def split(x, heads):
    b, n, c = x.shape
    y = x.view(b, n, heads, c // heads)
    z = y[:, :, ::heads]
    return y
""")
    assert texts["y"] == "[b, n, heads, c/heads]"
    assert texts["z"] == "[b, n, 1, c/heads]"


def test_a_thinned_map_fits_its_rounded_size() -> None:
    shown("""
def thinned(x, stride):
    b, side, side, c = x.shape
    small = x[:, ::stride, ::stride]
    rest = (side + stride - 1) // stride
    down = side // stride
    y = small.view(b, rest * rest, c)
    return small.reshape(b, down * down, c) + y
""")


WINDOW = """
class Conv(nn.Module):
    def __init__(self, channels: int, kernel_size, stride=1):
        super().__init__()
        {before}
        self.conv = nn.Conv2d(channels, channels, kernel_size, padding={padding})

    def forward(self, x):
        b, c, h, w = x.shape
        y = self.conv(x)
        return y
"""


def test_a_window_with_elements_is_no_one_size() -> None:
    padding = "(kernel_size[0] // 2, kernel_size[1] // 2)"
    unpacked = "high, wide = kernel_size"
    for program in (
        WINDOW.format(before="pass", padding=padding),
        WINDOW.format(before=unpacked, padding="(high // 2, wide // 2)"),
    ):
        assert shown(program)["y"] == "[b, channels, y.2, y.3]"
    whole = WINDOW.format(before="pass", padding=0)
    assert shown(whole)["y"] == "[b, channels, h + 1 - kernel_size, w + 1 - kernel_size]"
