"""What a worker keeps from one file to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from invoking import invoke
from namecheck.analysis.python.imports import Program
from namecheck.running import workers

LAYERS = """
from torch import nn

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(8, 3)

    def forward(self, x):
        return self.project(x)
"""
USE = """
import torch
from layers import Head

y = Head()(torch.zeros(2, {width}))
"""


def test_modules_are_forgotten_once_they_are_many(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "layers.py").write_text(LAYERS)
    for number, width in enumerate((8, 9, 8, 7)):
        (here / f"use_{number}.py").write_text(USE.format(width=width))
    check = ("check", "--isolated", "--jobs", "1", "--output-format", "concise", ".")
    forgotten: list[int] = []
    forget = Program.forget

    def count(program: Program) -> None:
        forgotten.append(len(program.modules))
        forget(program)

    monkeypatch.setattr(Program, "forget", count)
    kept = invoke(*check).output
    assert not forgotten
    monkeypatch.setattr(workers, "MOST_LOADED", len(LAYERS) - 1)
    assert invoke(*check).output == kept
    assert forgotten.count(1) == 3, "once for each file that imports the module, but the last"
    assert "NC208" in kept
