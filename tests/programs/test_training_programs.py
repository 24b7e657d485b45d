"""Programs of PyTorch train here as they do there: step by step, with one import changed.

`data/training_torch.jsonl` has the losses and accuracies that PyTorch showed with the same draws.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

HERE: Final = Path(__file__).parent
FIRST, *LINES = (HERE.parent / "data/training_torch.jsonl").read_text("utf-8").splitlines()
SEEDS: Final = json.loads(FIRST)["seeds"]
MEASURED: Final[dict[str, Any]] = {facts["program"]: facts for facts in map(json.loads, LINES)}


def trained(*arguments: object) -> list[dict[str, Any]]:
    """What `train.py` shows for each program of a command line."""
    command = [sys.executable, "-m", "namecheck_runtime.as_torch", HERE / "train.py", *arguments]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def farthest(losses: list[float], wanted: list[float]) -> float:
    """The largest relative difference of two curves of losses."""
    return max(abs(a - b) / abs(b) for a, b in zip(losses, wanted, strict=True))


def test_every_program_was_measured() -> None:
    assert list(MEASURED) == sorted(path.stem for path in (HERE / "training").glob("*_*.py"))
    assert all(len(facts["losses"]) == 200 for facts in MEASURED.values())


def test_the_first_steps_lose_what_they_lose_under_pytorch() -> None:
    for facts in trained(*MEASURED, "--steps", 20):
        wanted = MEASURED[facts["program"]]["losses"]
        assert farthest(facts["losses"], wanted[:20]) < 1e-6, facts["program"]
        # The curves are those of programs that learn, and a step too far is seen.
        assert farthest(facts["losses"], wanted[1:21]) > 1e-3


@pytest.mark.slow
def test_all_steps_and_the_accuracy_are_those_of_pytorch() -> None:
    for facts in trained(*MEASURED):
        wanted = MEASURED[facts["program"]]
        assert farthest(facts["losses"], wanted["losses"]) < 1e-6, facts["program"]
        assert facts["accuracy"] == wanted["accuracy"]


@pytest.mark.deep
@pytest.mark.parametrize("turn", range(len(SEEDS)))
def test_float32_is_as_accurate_as_under_pytorch(turn: int) -> None:
    for facts in trained(*MEASURED, "--dtype", "float32", "--seed", SEEDS[turn]):
        wanted = MEASURED[facts["program"]]["float32 accuracies"][turn]
        assert abs(facts["accuracy"] - wanted) < 0.01, facts["program"]
