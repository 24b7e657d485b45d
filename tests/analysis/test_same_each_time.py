"""A report is the same each time, whatever order Python's sets have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
from torch import nn


class Encoder(nn.Module):
    def embed(self, states):
        states = states.stack(dim=1)
        batch, channels, length, width = states.shape
        return states.permute(0, 2, 1, 3).reshape(batch, length, channels * width)

    def forward(self, first, second):
        one = self.embed(first)
        other = self.embed(second)
        return one, other
"""


def test_dims_are_shown_in_the_same_order(tmp_path: Path) -> None:
    (tmp_path / "encoder.py").write_text(PROGRAM)
    shown = {
        subprocess.run(
            [sys.executable, "-P", "-m", "namecheck", "show", "encoder.py"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(6)
    }
    (text,) = shown
    assert "channels'*width'" in text
