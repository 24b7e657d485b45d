"""Calls give on the runtime the results of torch 2.13 (`data/values_torch.jsonl`): dtype, sizes and
elements, and the operands afterwards.  Each runs with operands in row-major order, and with
operands in another order.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from listed import read_listed
from namecheck_runtime.declare import OPS, REGISTRY, Memory
from namecheck_runtime.tensors.kernels import kernel_of
from namecheck_runtime.tensors.views import view_ops
from value_calls import Decoder, sampled, wanted

DATA = Path(__file__).parents[1] / "data"
OTHERWISE = read_listed(DATA / "values_otherwise.txt")
"""Ops without values (`op`), ops whose elements are compared by absolute value (`|op|`), and calls
with a deliberately different result (`op:digest`).
"""
ROWS = [
    json.loads(line)
    for line in (DATA / "values_torch.jsonl").read_text(encoding="utf-8").splitlines()
]

TOLERANCE = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-9}
"""The allowed error of an element, relative to it and to the largest element of the result."""
TOLERANCE |= {"complex64": TOLERANCE["float32"], "complex128": TOLERANCE["float64"]}


def turned(array: Any) -> Any:
    """A tensor of the same elements, with the dims in reverse order in memory, and with gaps."""
    room = np.zeros(array.shape[::-1], array.dtype).repeat(2, -1) if array.ndim else array
    view = room[..., ::2].T if array.ndim else room
    view[...] = array
    return nt.from_numpy(view)


PLAIN = Decoder(lambda array: nt.from_numpy(array.copy()), lambda name: getattr(nt, name))
TURNED = Decoder(turned, PLAIN.dtype)


def differs(expected: Any, result: Any, absolute: bool = False) -> str:
    """The difference of a result from the recorded one; empty if there is none.

    `absolute`: only the absolute values of elements are compared.
    """
    if "seq" in expected:
        if not isinstance(result, tuple | list) or len(result) != len(expected["seq"]):
            return f"{len(expected['seq'])} results, not {result!r}"
        reports = (differs(e, f, absolute) for e, f in zip(expected["seq"], result, strict=True))
        return next((report for report in reports if report), "")
    if "p" in expected:
        values = list(result) if isinstance(result, tuple) else result
        if isinstance(values, nt.Tensor):
            return f"{expected['p']!r}, not {values!r}"
        same = (
            values == expected["p"] or values is expected["p"] or str(values) == str(expected["p"])
        )
        return "" if same else f"{expected['p']!r}, not {values!r}"
    if not isinstance(result, nt.Tensor):
        return f"a tensor, not {result!r}"
    array = result.numpy()
    if list(array.shape) != expected["s"]:
        return f"sizes {expected['s']}, not {list(array.shape)}"
    dtype = expected.get("d", "float32")
    if array.dtype.name != dtype:
        return f"{dtype}, not {array.dtype.name}"
    elements = wanted(expected), sampled(array)
    return off(*map(np.abs, elements)) if absolute else off(*elements)


def off(expected: Any, elements: Any) -> str:
    """The difference of elements beyond rounding; empty if there is none."""
    if np.array_equal(expected, elements, equal_nan=expected.dtype.kind in "fc"):
        return ""
    tolerance = TOLERANCE.get(expected.dtype.name)
    if tolerance is not None:
        with np.errstate(all="ignore"):
            sizes = np.abs(expected[np.isfinite(expected)])
            room = tolerance * sizes.max(initial=0)
            if np.allclose(elements, expected, tolerance, room, equal_nan=True):
                return ""
    return f"\n  torch {expected.tolist()}\n  ours  {elements.tolist()}"


def check(row: dict[str, Any], decoder: Decoder) -> str:
    """The difference of a call from the measured one; empty if there is none."""
    try:
        result = decoder.call(row, nt)
    except Exception as error:  # a refusal of a call that torch computes is a difference, too
        op = REGISTRY[row["op"]].op
        if decoder is TURNED and (op.memory is Memory.VIEW or op.name in view_ops.VIEWS):
            return ""  # whether a view exists may depend on the order in memory
        return f"{type(error).__name__}: {error}"
    difference = differs(row["r"], result, f"|{REGISTRY[row['op']].op.name}|" in OTHERWISE)
    if difference:
        return difference
    for place, tensor in enumerate(decoder.made):
        expected = row.get("after", {}).get(str(place))
        if expected is not None and (difference := differs(expected, tensor)):
            return f"operand {place} afterwards: {difference}"
    return ""


def spelled(row: dict[str, Any]) -> str:
    """A row in a form that can be searched for."""
    return json.dumps({key: row[key] for key in ("id", "args", "kw") if key in row})


BY_OP: dict[str, list[dict[str, Any]]] = {}
for _row in ROWS:
    BY_OP.setdefault(REGISTRY[_row["op"]].op.name, []).append(_row)


@pytest.mark.parametrize("op", sorted(BY_OP))
def test_values(op: str) -> None:
    failures = []
    for row in BY_OP[op]:
        difference = check(row, PLAIN) or check(row, TURNED)
        if bool(difference) != (row["id"] in OTHERWISE):
            failures.append(
                f"{spelled(row)}: {difference or 'is listed, and gives what torch gives'}"
            )
    assert not failures, "\n".join(failures)


def test_every_kernel_has_values() -> None:
    """Every kernel of an op of torch; for ops of NumPy alone see test_values."""
    computed = {
        op.name
        for op in OPS.values()
        if kernel_of(op) is not None
        and any(p.startswith(("torch.", "Tensor.")) for p in op.spellings)
    }
    assert len(computed) > 500
    listed = {entry for entry in OTHERWISE if entry in OPS}
    unmeasured = computed - BY_OP.keys() - listed
    assert not unmeasured, "no call in values_calls.jsonl, nor a reason in values_otherwise.txt"
    assert not listed & BY_OP.keys(), "listed as without values, and measured"
    assert not listed - computed, "listed, and not computed"
    entries = {row["id"] for row in ROWS} | listed | {f"|{op}|" for op in BY_OP}
    entries |= {e for e, reason in OTHERWISE.items() if reason.startswith("uninitialised")}
    assert not OTHERWISE.keys() - entries, "listed, and nothing of that name was measured"
