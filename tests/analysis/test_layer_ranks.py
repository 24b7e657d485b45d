"""The rank of a layer's input: it depends on the layer's options, and on no other file."""

from __future__ import annotations

from textwrap import dedent

from namecheck.analysis import analyze_text

UPSAMPLED = """
    from torch import Tensor, nn

    class Up(nn.Module):
        def __init__(self):
            super().__init__()
            self.up = nn.Upsample(scale_factor={factor})
            self.conv = nn.{conv}(3, 4, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.conv(self.up(x))
    """


def test_no_file_decides_about_the_next_one() -> None:
    planes = dedent(UPSAMPLED.format(factor="(2, 2)", conv="Conv2d"))
    lines = dedent(UPSAMPLED.format(factor="2", conv="Conv1d"))
    wrong = dedent(UPSAMPLED.format(factor="(2, 2)", conv="Conv1d"))
    for _ in range(2):
        assert not analyze_text("planes.py", planes).findings
        assert not analyze_text("lines.py", lines).findings
        assert [f.code for f in analyze_text("wrong.py", wrong).findings] == ["NC303"]
