"""Known helpers of transformers are not evaluated, and a config builds its modules once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from namecheck.analysis import analyze, open_program
from namecheck.analysis.python import functions
from namecheck.running.examination import program_of

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
    findings = analyze(str(path), path.read_bytes(), program=program).findings
    return [finding.code for finding in findings]


def test_a_model_keeps_its_config(tmp_path: Path) -> None:
    assert _codes(tmp_path, "modeling_utils") == ["NC208"]


def test_a_class_of_the_same_name_is_evaluated(tmp_path: Path) -> None:
    assert _codes(tmp_path, "models") == []


ATTENTION = """
class AttentionInterface(dict):
    def get_interface(self, name, default):
        return super().get(name, default)


ALL_ATTENTION_FUNCTIONS: AttentionInterface = AttentionInterface()
"""

PIECES = """
from pieces import run


def apply_chunking_to_forward(forward_fn, chunk_size, chunk_dim, *input_tensors):
    return run(forward_fn, chunk_size, chunk_dim, input_tensors)
"""

BLOCK = """
from torch import nn

from .{attention} import ALL_ATTENTION_FUNCTIONS
from .{pieces} import apply_chunking_to_forward


def eager(module, query, key):
    return (query * key).transpose(1, 2)


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.up = nn.Linear(config.width, config.wide)
        self.last = nn.Linear(config.width, config.width)

    def feed(self, x):
        return self.up(x)

    def forward(self, x):
        b, h, t, c = x.shape
        attend = ALL_ATTENTION_FUNCTIONS.get_interface(self.config.name, eager)
        y = attend(self, x, x).transpose(1, 2).reshape(b, t, h * c)
        return y, self.last(apply_chunking_to_forward(self.feed, 2, 1, x))
"""


@pytest.mark.parametrize(
    ("attention", "pieces", "codes"),
    [
        ("modeling_utils", "pytorch_utils", ["NC205", "NC208"]),
        ("modeling_utils", "utils", ["NC205"]),
        ("attention", "pytorch_utils", ["NC208"]),
    ],
)
def test_functions_that_call_others(
    attention: str, pieces: str, codes: list[str], tmp_path: Path
) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / f"{attention}.py").write_text(ATTENTION)
    (tmp_path / f"{pieces}.py").write_text(PIECES)
    path = tmp_path / "block.py"
    path.write_text(BLOCK.format(attention=attention, pieces=pieces))
    program = program_of([str(path)], [str(path)])
    findings = analyze(str(path), path.read_bytes(), program=program).findings
    assert [finding.code for finding in findings] == codes


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
    program = open_program()
    program.drives = False  # they build the classes once more
    text = HEADS.format(first=first, second=second)
    analyze("heads.py", text.encode(), program=program)
    assert evaluated == times * ["Part"]
