"""Modules of rules that are imported at the first request for one of their paths.

Each test uses a fresh interpreter: this one has imported them already.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from test_imports import COMMAND, ENVIRONMENT, answer, loaded_after

SEEN = """
import sys
from namecheck_runtime import lazy_rules
from namecheck_runtime.declare import OPS, REGISTRY
from namecheck_runtime.layers import LAYERS
import namecheck_runtime.rules
def conv():
    return "namecheck_runtime.rules.nn.conv" in sys.modules
"""


def test_every_name_begins_with_a_prefix_of_its_module() -> None:
    program = f"""{SEEN}
def names():
    return {{path for declared in (REGISTRY, LAYERS, OPS) for path in dict.keys(declared)}}
groups = dict(lazy_rules._LATER)
first = before = names()
for beginnings in groups:
    lazy_rules._import([beginnings])
    read = tuple(
        one for known, modules in groups.items() if {{*modules}} & {{*sys.modules}} for one in known
    )
    for path in names() - before:
        if not path.rpartition(".")[2].startswith(read):
            print(path)
    before = names()
print(len(groups) > 10, len(before) > len(first) > 1_000, lazy_rules._LATER == {{}})
"""
    assert answer(program) == ["True", "True", "True"]


@pytest.mark.parametrize(
    "question",
    [
        "'torch.conv1d' in REGISTRY",
        "REGISTRY['torch.nn.functional.conv2d'].op.rules",
        "REGISTRY.get('Tensor.conv_tbc') is not None",
        "LAYERS['torch.nn.Conv2d'].constructor",
        "'torch.nn.modules.conv.Conv3d' in LAYERS",
        "'torch.nn.functional.conv1d' in OPS",
        "'torch.nn.Conv1d' in list(LAYERS)",
        "'torch.nn.Conv1d' in dict(LAYERS)",
        "'torch.nn.Conv1d' in {**LAYERS}",
        "'torch.nn.Conv1d' in LAYERS.keys()",
        "any(layer.name == 'torch.nn.Conv1d' for layer in LAYERS.values())",
        "any(path == 'torch.conv1d' for path, _ in REGISTRY.items())",
        "len(LAYERS) > 300",
    ],
)
def test_a_request_imports_the_module(question: str) -> None:
    assert answer(f"{SEEN}print(conv(), bool({question}), conv())") == ["False", "True", "True"]


def test_a_request_for_an_unknown_path_imports_nothing() -> None:
    program = f"""{SEEN}
print("torch.nn.Convolution" in LAYERS, LAYERS.get("torch.nn.Convolution", 3), conv())
print(REGISTRY.get("torch.nothing"), None in REGISTRY)
try:
    REGISTRY["torch.nothing"]
except KeyError as fault:
    print(fault.args == ("torch.nothing",))
"""
    assert answer(program) == ["False", "3", "True", "None", "False", "True"]


MODEL = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        {layer}

    def forward(self):
        return self.second(self.first(torch.zeros(2, 3, 8, 3)))
"""


def test_a_file_loads_only_the_families_that_it_uses(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    families = {f"namecheck_runtime.rules.nn.{family}" for family in ("conv", "pool", "loss")}
    file.write_text(MODEL.format(layer="self.second = nn.Linear(4, 8)"))
    assert not loaded_after(COMMAND.format(arguments=f"'check', {str(file)!r}")) & families
    file.write_text(MODEL.format(layer="self.second = nn.Conv2d(5, 8, 1)"))
    done = subprocess.run(
        [sys.executable, "-m", "namecheck", "check", "--output-format=concise", file],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "NC208" in done.stdout


def test_a_request_in_a_deep_recursion_does_not_leave_a_half_imported_module() -> None:
    program = f"""{SEEN}
def ask(calls, path):
    return ask(calls - 1, path) if calls else path in LAYERS
outcomes = []
# one module imports two others, which import a fourth
for path in ("torch.nn.CTCLoss", "torch.nn.Transformer", "torch.nn.Conv2d"):
    for calls in reversed(range(sys.getrecursionlimit())):
        try:
            found = ask(calls, path)
        except RecursionError:
            found = None
        if not outcomes or outcomes[-1] != found:
            outcomes.append(found)
print(*outcomes, len(LAYERS) > 300)
"""
    assert answer(program) == ["None", "True"] * 3 + ["True"]
