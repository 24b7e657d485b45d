"""Calls give on the runtime what they gave on torch 2.13 (`data/values_torch.jsonl`): dtype, sizes
and elements, and what became of the operands.  Each runs with operands in row-major order, and with
operands that lie otherwise.
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
"""Ops without values (`op`), ops of whose elements only the sizes are compared (`|op|`), and calls
that give something else on purpose (`op:digest`).
"""
ROWS = [
    json.loads(line)
    for line in (DATA / "values_torch.jsonl").read_text(encoding="utf-8").splitlines()
]

TOLERANCE = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-9}
"""How far an element may be off, as a part of it and of the largest of its result."""
TOLERANCE |= {"complex64": TOLERANCE["float32"], "complex128": TOLERANCE["float64"]}


def turned(array: Any) -> Any:
    """A tensor of the same elements, whose dims lie in the opposite order and with gaps."""
    room = np.zeros(array.shape[::-1], array.dtype).repeat(2, -1) if array.ndim else array
    view = room[..., ::2].T if array.ndim else room
    view[...] = array
    return nt.from_numpy(view)


PLAIN = Decoder(lambda array: nt.from_numpy(array.copy()), lambda name: getattr(nt, name))
TURNED = Decoder(turned, PLAIN.dtype)


def differs(expected: Any, found: Any, absolute: bool = False) -> str:
    """In what a result is not the one that was written down; empty if in nothing.

    `absolute`: only the sizes of elements are compared.
    """
    if "seq" in expected:
        if not isinstance(found, tuple | list) or len(found) != len(expected["seq"]):
            return f"{len(expected['seq'])} results, not {found!r}"
        told = (differs(e, f, absolute) for e, f in zip(expected["seq"], found, strict=True))
        return next((one for one in told if one), "")
    if "p" in expected:
        own = list(found) if isinstance(found, tuple) else found
        if isinstance(own, nt.Tensor):
            return f"{expected['p']!r}, not {own!r}"
        same = own == expected["p"] or own is expected["p"] or str(own) == str(expected["p"])
        return "" if same else f"{expected['p']!r}, not {own!r}"
    if not isinstance(found, nt.Tensor):
        return f"a tensor, not {found!r}"
    array = found.numpy()
    if list(array.shape) != expected["s"]:
        return f"sizes {expected['s']}, not {list(array.shape)}"
    of = expected.get("d", "float32")
    if array.dtype.name != of:
        return f"{of}, not {array.dtype.name}"
    elements = wanted(expected), sampled(array)
    return off(*map(np.abs, elements)) if absolute else off(*elements)


def off(expected: Any, found: Any) -> str:
    """How elements differ by more than rounding."""
    if np.array_equal(expected, found, equal_nan=expected.dtype.kind in "fc"):
        return ""
    tolerance = TOLERANCE.get(expected.dtype.name)
    if tolerance is not None:
        with np.errstate(all="ignore"):
            sizes = np.abs(expected[np.isfinite(expected)])
            room = tolerance * sizes.max(initial=0)
            if np.allclose(found, expected, tolerance, room, equal_nan=True):
                return ""
    return f"\n  torch {expected.tolist()}\n  ours  {found.tolist()}"


def check(row: dict[str, Any], decoder: Decoder) -> str:
    """In what a call differs from what was measured; empty if in nothing."""
    try:
        result = decoder.call(row, nt)
    except Exception as error:  # a refusal of what torch computes is a difference, too
        op = REGISTRY[row["op"]].op
        if decoder is TURNED and (op.memory is Memory.VIEW or op.name in view_ops.VIEWS):
            return ""  # whether there is a view may depend on where the elements lie
        return f"{type(error).__name__}: {error}"
    told = differs(row["r"], result, f"|{REGISTRY[row['op']].op.name}|" in OTHERWISE)
    if told:
        return told
    for place, tensor in enumerate(decoder.made):
        expected = row.get("after", {}).get(str(place))
        if expected is not None and (told := differs(expected, tensor)):
            return f"operand {place} afterwards: {told}"
    return ""


def spelled(row: dict[str, Any]) -> str:
    """A row as a person looks it up."""
    return json.dumps({key: row[key] for key in ("id", "args", "kw") if key in row})


BY_OP: dict[str, list[dict[str, Any]]] = {}
for _row in ROWS:
    BY_OP.setdefault(REGISTRY[_row["op"]].op.name, []).append(_row)


@pytest.mark.parametrize("op", sorted(BY_OP))
def test_values(op: str) -> None:
    failures = []
    for row in BY_OP[op]:
        told = check(row, PLAIN) or check(row, TURNED)
        if bool(told) != (row["id"] in OTHERWISE):
            failures.append(f"{spelled(row)}: {told or 'is listed, and gives what torch gives'}")
    assert not failures, "\n".join(failures)


def test_every_kernel_has_values() -> None:
    """Of ops of torch: those of NumPy alone have NumPy's, see test_values."""
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
    known = {row["id"] for row in ROWS} | listed | {f"|{op}|" for op in BY_OP}
    known |= {e for e, reason in OTHERWISE.items() if reason.startswith("nobody has set")}
    assert not OTHERWISE.keys() - known, "listed, and nothing of that name was measured"
