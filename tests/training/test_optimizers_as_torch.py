"""Optimizers and schedulers compute what PyTorch's compute, and refuse what they refuse.

`optimizer_calls.py` has the texts, `data/optimizers_torch.jsonl` what PyTorch showed for them.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final

import pytest

import namecheck_runtime as nt
from optimizer_calls import OPTIMIZERS, REFUSED, SCHEDULERS, refusal, scheduled, trained

DATA: Final = Path(__file__).parents[1] / "data/optimizers_torch.jsonl"
MEASURED: Final[dict[str, Any]] = {
    facts.pop("call"): facts
    for facts in map(json.loads, DATA.read_text(encoding="utf-8").splitlines()[1:])
}


def differences(mine: Any, theirs: Any, path: str = "") -> list[str]:
    """The places where two nested facts differ, numbers by more than one in a million."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        pairs = [(key, mine.get(key), theirs.get(key)) for key in mine.keys() | theirs.keys()]
    elif isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = list(zip(range(len(mine)), mine, theirs, strict=True))
    elif isinstance(mine, float) and isinstance(theirs, (int, float)):
        same = math.isclose(mine, theirs, rel_tol=1e-6, abs_tol=1e-12)
        return [] if same else [f"{path}: {mine} instead of {theirs}"]
    else:
        return [] if mine == theirs else [f"{path}: {mine!r} instead of {theirs!r}"]
    return [line for key, a, b in pairs for line in differences(a, b, f"{path}.{key}")]


def test_all_texts_were_measured() -> None:
    assert list(MEASURED) == [*OPTIMIZERS, *SCHEDULERS, *REFUSED]


@pytest.mark.parametrize("text", OPTIMIZERS)
def test_an_optimizer_computes_what_pytorch_does(text: str) -> None:
    mine = json.loads(json.dumps(trained(text, nt)))
    assert differences(mine, MEASURED[text]) == []


@pytest.mark.parametrize("text", SCHEDULERS)
def test_a_scheduler_computes_what_pytorch_does(text: str) -> None:
    assert differences(scheduled(text, nt), MEASURED[text]["rates"]) == []


@pytest.mark.parametrize("text", REFUSED)
def test_what_pytorch_refuses_is_refused_with_its_sentence(text: str) -> None:
    mine, theirs = refusal(text, nt), MEASURED[text]["refusal"]
    assert mine.replace("namecheck_runtime.optim", "torch.optim") == theirs


def test_a_difference_is_seen() -> None:
    assert differences({"a": [[2], [1.0, 2.0]]}, {"a": [[2], [1.0, 2.00001]]})
    assert not differences({"a": [1.0]}, {"a": [1.0 + 1e-9]})
