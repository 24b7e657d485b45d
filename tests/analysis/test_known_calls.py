"""What is known of transformers' own bookkeeping is not evaluated; configs build modules once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from namecheck.analysis import analyze, functions
from namecheck.checking import program_of

BASE = """
from torch import nn


class PreTrainedModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = None
"""

MODEL = """
from torch import nn

from .{module} import PreTrainedModel


class Model(PreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.layer = nn.Linear(2 * config.width, config.width)

    def forward(self, x):
        return self.layer(x.view(-1, self.config.width))
"""

HEADS = """
from torch import nn


class Part(nn.Module):
    def __init__(self, config: {first}):
        super().__init__()
        self.layer = nn.Linear(config.width, config.width)

    def forward(self, x):
        return self.layer(x)


class One(nn.Module):
    def __init__(self, config: {first}):
        super().__init__()
        self.part = Part(config)

    def forward(self, x):
        b, t, c = x.shape
        return self.part(x)


class Other(nn.Module):
    def __init__(self, config: {second}):
        super().__init__()
        self.part = Part(config)

    def forward(self, x):
        b, t, c = x.shape
        return self.part(x)
"""


def _codes(folder: Path, module: str) -> list[str]:
    (folder / "__init__.py").write_text("")
    (folder / f"{module}.py").write_text(BASE)
    path = folder / "model.py"
    path.write_text(MODEL.format(module=module))
    program = program_of([str(path)], [str(path)])
    found = analyze(str(path), path.read_bytes(), program=program).findings
    return [finding.code for finding in found]


def test_a_model_keeps_its_config(tmp_path: Path) -> None:
    assert _codes(tmp_path, "modeling_utils") == ["NC208"]


def test_a_class_of_the_same_name_is_evaluated(tmp_path: Path) -> None:
    assert _codes(tmp_path, "models") == []


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("first", "second", "times"),
    [("SmallConfig", "SmallConfig", 1), ("SmallConfig", "LargeConfig", 2)],
)
def test_modules_of_one_config_are_evaluated_once(
    first: str, second: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[str] = []
    run_frame = functions.run_frame

    def counted(ev: Any, frame: Any, function: Any, node: Any) -> Any:
        if frame.depth and function.name == "forward":
            evaluated.append(function.owner.name)
        return run_frame(ev, frame, function, node)

    monkeypatch.setattr(functions, "run_frame", counted)
    analyze("heads.py", HEADS.format(first=first, second=second).encode())
    assert evaluated == times * ["Part"]
