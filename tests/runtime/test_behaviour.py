"""Small programs do on the runtime what they were measured to do on torch 2.13: values, strides and
offsets, version counters, refusals, and what a refused call leaves behind.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime as nt

DATA = Path(__file__).parents[1] / "data"
sys.path.append(str(DATA))

from read_torch_behaviour import run  # noqa: E402

ROWS = [
    json.loads(line)
    for line in (DATA / "behaviour_torch.jsonl").read_text(encoding="utf-8").splitlines()
]

_SHARED = "what several writes to one element leave is not defined"
_COUNTER = "a copy over the same memory counts its writes with it, another copy begins at 0"
_WRAPPED = "torch reads an index beyond the end from the start again"
_CUT = "fractions in a list are no indices; torch cuts them off"
_TURNED = "import copy; x = torch.arange(6.).reshape(2, 3).t()"
OTHERWISE = {
    f"{_TURNED}; y = copy.copy(x); y[0, 0] = 9; r = [x, y]": _COUNTER,
    f"{_TURNED}; y = copy.deepcopy(x); y[0, 0] = 9; r = [x, y]": _COUNTER,
    "import copy; x = torch.arange(6.)[2:5]; y = copy.deepcopy(x); "
    "r = y, y.untyped_storage().nbytes()": _COUNTER,
    "import pickle; x = torch.arange(6.)[2:5]; y = pickle.loads(pickle.dumps(x)); r = y": _COUNTER,
    "import copy; x = torch.ones(2, requires_grad=True); "
    "y = copy.copy(x).requires_grad_(False); r = x.requires_grad, y.requires_grad": _COUNTER,
    "r = torch.quantile(torch.arange(6.).reshape(2,3), torch.tensor([0.25, 0.5]), dim=1)": (
        "the result lies in row-major order"
    ),
    "x = torch.arange(6.); y = x[:4]; x.set_(y, 1, (2,), (2,)); r = x": (
        "torch counts a write of the source, too"
    ),
    "x = torch.arange(4.).reshape(2, 2); "
    "r = torch.take_along_dim(x, torch.tensor([[2], [0]]), 1)": (_WRAPPED),
    "x = torch.tensor(5.); r = x.index_put((torch.tensor(True),), torch.tensor(1.))": (
        "a truth value picks as it does in a subscript"
    ),
    "x = torch.ones(2); r = x[[0.5]]": _CUT,
    "x = torch.ones(2); x[[0.5]] = 1.": _CUT,
    "x = torch.zeros(2); r = torch.take_along_dim(x, torch.tensor([5]), 0)": _WRAPPED,
    "x = torch.arange(4.); x[torch.tensor([0, 1, 0, 1], dtype=torch.uint8)] = 9.; r = x": (
        "a mask of bytes takes a number as it takes a tensor"
    ),
    "x = torch.arange(4.).reshape(2, 2); r = x[[0, 1], [1.5, 0]]": _CUT,
    "r = torch.ones(2, dtype=torch.uint8) + 300": "torch wraps what the dtype does not hold",
    "torch.tensor(['a'])": "text in a list is of a wrong type, as text alone is",
    "x = torch.zeros(3); torch.add(torch.ones(3), 1, out=5)": "a number is no destination",
    "x = torch.arange(6.).reshape(2,3); x[[0, 5]] = 1.": "torch leaves x half-written",
    "x = torch.zeros(1, 3).expand(2, 3); r = torch.sum(torch.ones(1, 2, 3), 0, out=x)": _SHARED,
    "x = torch.arange(6.).reshape(2, 3); r = torch.sum(x, 0, out=x[0])": _SHARED,
}
"""Programs that do something else here, and why."""

WORDS = 0.84
"""The least part of refusals that are told in torch's words."""


def close(wanted: Any, got: Any) -> bool:
    """Whether two encoded outcomes agree, floats up to rounding."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return wanted.keys() == got.keys() and all(close(wanted[k], got[k]) for k in wanted)
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(map(close, wanted, got))
    if isinstance(wanted, float) and isinstance(got, float):
        return math.isclose(wanted, got, rel_tol=1e-5, abs_tol=1e-6)
    return type(wanted) is type(got) and bool(wanted == got)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["program"])
def test_a_program_does_what_it_did(row: dict[str, Any]) -> None:
    got = run(row["program"], nt)
    wanted = {key: row[key] for key in ("r", "error", "versions", "x") if key in row}
    said = got.pop("text", None)
    told = f"\n{row['program']}\n  want {wanted} {row.get('text')}\n  got  {got} {said}"
    assert close(wanted, got) != (row["program"] in OTHERWISE), told


def test_what_a_refused_assignment_leaves() -> None:
    """Torch had written the first element by then."""
    x = nt.arange(6.0).reshape(2, 3)
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 0 with size 2"):
        x[[0, 5]] = 1.0
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x._version == 0


def test_refusals_are_told_in_torchs_words() -> None:
    refused = [row for row in ROWS if "error" in row]
    same = [row for row in refused if run(row["program"], nt).get("text") == row["text"]]
    assert len(same) >= WORDS * len(refused), len(same) / len(refused)
