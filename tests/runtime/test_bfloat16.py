"""Calls in bfloat16 give the results and gradients of torch 2.15 (`data/bfloat16_torch.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from listed import read_listed
from namecheck_runtime import rules  # noqa: F401  (fills the registry)
from namecheck_runtime.declare import REGISTRY
from value_calls import Decoder, sampled

ml_dtypes = pytest.importorskip("ml_dtypes")

DATA = Path(__file__).parents[1] / "data"
ROWS = [
    json.loads(line)
    for line in (DATA / "bfloat16_torch.jsonl").read_text(encoding="utf-8").splitlines()
]
OTHERWISE = read_listed(DATA / "bfloat16_otherwise.txt")
"""Calls whose result differs (`op:digest`), or whose gradient does (`op:digest:g`)."""


def ulps(expected: Any, elements: Any, smallest: float = 0) -> float:
    """The largest difference of two vectors in units of the last place of bfloat16.

    Infinite where one is not finite and the other is not the same.  Elements below `smallest` of
    the largest one count as that: sums that cancel have the error of what was added.
    """
    expected, elements = (np.asarray(part, np.float64) for part in (expected, elements))
    finite = np.isfinite(expected) & np.isfinite(elements)
    if not np.array_equal(expected[~finite], elements[~finite], equal_nan=True):
        return np.inf
    expected, elements = expected[finite], elements[finite]
    floor = smallest * np.abs(expected).max(initial=0)
    _, exponents = np.frexp(np.maximum(np.maximum(np.abs(expected), np.abs(elements)), floor))
    spacing = np.ldexp(1.0, np.maximum(exponents, -125) - 8)
    return float(np.max(np.abs(expected - elements) / spacing, initial=0))


def differs(expected: Any, result: Any, allowed: float = 1, smallest: float = 0) -> str:
    """The difference of a result from the recorded one; empty if there is none."""
    if "seq" in expected:
        if not isinstance(result, tuple | list) or len(result) != len(expected["seq"]):
            return f"{len(expected['seq'])} results, not {result!r}"
        reports = (
            differs(e, r, allowed, smallest) for e, r in zip(expected["seq"], result, strict=True)
        )
        return next((report for report in reports if report), "")
    if "p" in expected:
        values = list(result) if isinstance(result, tuple) else result
        return "" if values == expected["p"] else f"{expected['p']!r}, not {values!r}"
    if not isinstance(result, nt.Tensor):
        return f"a tensor, not {result!r}"
    if (list(result.shape), result.dtype.name) != (expected["s"], expected["d"]):
        return f"{expected['d']} {expected['s']}, not {result.dtype.name} {list(result.shape)}"
    exact = result.detach().float() if result.dtype is nt.bfloat16 else result.detach()
    array = exact.numpy()
    if array.dtype.kind == "c":
        array = np.stack([array.real, array.imag], -1)
    ours = sampled(array)
    theirs = np.array([float(v) if isinstance(v, str) else v for v in expected["v"]])
    if expected["d"] == "bfloat16":
        off = ulps(theirs, ours, smallest)
        same = off <= allowed
    else:
        off = np.nan
        same = np.allclose(ours.astype(np.float64), theirs, 2e-5, 1e-6, equal_nan=True)
    return "" if same else f"{off:.1f} ulps\n  torch {theirs.tolist()}\n  ours  {ours.tolist()}"


def leaves_and(row: dict[str, Any]) -> tuple[Decoder, list[nt.Tensor]]:
    """A decoder that makes tensors with gradients, and the tensors."""
    leaves: list[nt.Tensor] = []

    def leaf(array: Any) -> nt.Tensor:
        tensor = nt.from_numpy(array.copy())
        if tensor.is_floating_point():
            leaves.append(tensor.requires_grad_(True))
        return tensor

    return Decoder(leaf, lambda name: getattr(nt, name)), leaves


PLAIN = Decoder(lambda array: nt.from_numpy(array.copy()), lambda name: getattr(nt, name))


def check(row: dict[str, Any]) -> str:
    """The difference of a result from the measured one."""
    try:
        return differs(row["r"], PLAIN.call(row, nt))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def check_gradients(row: dict[str, Any]) -> str:
    """The difference of gradients from the measured ones."""
    decoder, leaves = leaves_and(row)
    try:
        result: Any = decoder.call(row, nt)
        first = result[0] if isinstance(result, tuple | list) else result
        first.backward(nt.ones_like(first))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for expected, leaf in zip(row["g"], leaves, strict=True):
        if expected is None:
            if leaf.grad is not None and leaf.grad.float().abs().sum().item():
                return f"no gradient, not {leaf.grad!r}"
        elif leaf.grad is None or (difference := differs(expected, leaf.grad, 2, 1 / 4)):
            return "no gradient" if leaf.grad is None else difference
    return ""


BY_OP: dict[str, list[dict[str, Any]]] = {}
for _row in ROWS:
    BY_OP.setdefault(REGISTRY[_row["op"]].op.name, []).append(_row)


@pytest.mark.parametrize("op", sorted(BY_OP))
def test_results_are_torchs(op: str) -> None:
    failures = []
    for row in BY_OP[op]:
        difference = check(row)
        if bool(difference) != (row["id"] in OTHERWISE):
            failures.append(f"{json.dumps(row)[:300]}: {difference or 'is listed, and right'}")
        if "g" in row:
            difference = check_gradients(row)
            if bool(difference) != (f"{row['id']}:g" in OTHERWISE):
                failures.append(f"gradient {json.dumps(row)[:300]}: {difference or 'is listed'}")
    assert not failures, "\n".join(failures)
