"""Small programs behave on the runtime as measured on torch 2.13: values, strides and offsets,
version counters, refusals, and the state after a refused call.
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

_SHARED = "the result of several writes to one element is undefined"
_COUNTER = "a copy over the same memory shares its counter of writes, any other copy begins at 0"
_WRAPPED = "torch wraps an index beyond the end around to the start"
_CUT = "fractions in a list are not indices; torch truncates them"
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
        "the result is in row-major order"
    ),
    "x = torch.arange(6.); y = x[:4]; x.set_(y, 1, (2,), (2,)); r = x": (
        "torch counts a write of the source, too"
    ),
    "x = torch.arange(4.).reshape(2, 2); "
    "r = torch.take_along_dim(x, torch.tensor([[2], [0]]), 1)": (_WRAPPED),
    "x = torch.tensor(5.); r = x.index_put((torch.tensor(True),), torch.tensor(1.))": (
        "a bool selects as it does in a subscript"
    ),
    "x = torch.ones(2); r = x[[0.5]]": _CUT,
    "x = torch.ones(2); x[[0.5]] = 1.": _CUT,
    "x = torch.zeros(2); r = torch.take_along_dim(x, torch.tensor([5]), 0)": _WRAPPED,
    "x = torch.arange(4.); x[torch.tensor([0, 1, 0, 1], dtype=torch.uint8)] = 9.; r = x": (
        "a mask of bytes accepts a number as it accepts a tensor"
    ),
    "x = torch.arange(4.).reshape(2, 2); r = x[[0, 1], [1.5, 0]]": _CUT,
    "r = torch.ones(2, dtype=torch.uint8) + 300": "torch wraps a number that the dtype cannot hold",
    "torch.tensor(['a'])": "text in a list has a wrong type, like text alone",
    "x = torch.zeros(3); torch.add(torch.ones(3), 1, out=5)": "a number is not a destination",
    "x = torch.arange(6.).reshape(2,3); x[[0, 5]] = 1.": "torch leaves x half-written",
    "x = torch.zeros(1, 3).expand(2, 3); r = torch.sum(torch.ones(1, 2, 3), 0, out=x)": _SHARED,
    "x = torch.arange(6.).reshape(2, 3); r = torch.sum(x, 0, out=x[0])": _SHARED,
}
"""Programs that behave differently here, and the reasons."""

WORDS = 0.84
"""The least share of refusals that have torch's words."""


def close(expected: Any, got: Any) -> bool:
    """Whether two encoded outcomes agree, floats up to rounding."""
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(close(expected[k], got[k]) for k in expected)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(close, expected, got))
    if isinstance(expected, float) and isinstance(got, float):
        return math.isclose(expected, got, rel_tol=1e-5, abs_tol=1e-6)
    return type(expected) is type(got) and bool(expected == got)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["program"])
def test_a_program_behaves_as_measured(row: dict[str, Any]) -> None:
    got = run(row["program"], nt)
    expected = {key: row[key] for key in ("r", "error", "versions", "x") if key in row}
    text = got.pop("text", None)
    report = f"\n{row['program']}\n  want {expected} {row.get('text')}\n  got  {got} {text}"
    assert close(expected, got) != (row["program"] in OTHERWISE), report


def test_a_refused_assignment_leaves_the_tensor_unchanged() -> None:
    """Torch has written the first element by then."""
    x = nt.arange(6.0).reshape(2, 3)
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 0 with size 2"):
        x[[0, 5]] = 1.0
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x._version == 0


def test_most_refusals_have_torchs_words() -> None:
    refused = [row for row in ROWS if "error" in row]
    same = [row for row in refused if run(row["program"], nt).get("text") == row["text"]]
    assert len(same) >= WORDS * len(refused), len(same) / len(refused)
