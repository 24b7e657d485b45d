"""dtypes of results, against a table measured on torch 2.15."""

from __future__ import annotations

import json
import operator
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime as nt

pytest.importorskip("ml_dtypes")

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data/promotion_torch.jsonl").open(encoding="utf-8")
]
NUMBERS = {"bool": True, "int": 2, "float": 2.5, "complex": 1 + 1j}


def operand(kind: str, dtype: str) -> Any:
    if kind == "number":
        return NUMBERS[dtype]
    return nt.ones((2,) if kind == "dims" else (), dtype=getattr(nt, dtype))


def call(row: dict[str, Any]) -> Any:
    if row["op"] == "promote_types":
        return nt.promote_types(getattr(nt, row["left"]), getattr(nt, row["right"]))
    left = operand("dims", row["left"])
    if "kind" not in row:
        return getattr(nt, row["op"])(left, *((0,) if row["op"] == "cumsum" else ()))
    right = operand(row["kind"], row["right"])
    return (
        operator.truediv(left, right)
        if row["op"] == "truediv"
        else getattr(nt, row["op"])(left, right)
    )


@pytest.mark.parametrize("op", sorted({row["op"] for row in ROWS}))
def test_dtypes_are_torchs(op: str) -> None:
    wrong = []
    for row in ROWS:
        # NumPy has no complex numbers of half floats: the runtime gives complex64.
        if row["op"] != op or row["dtype"] in (None, "complex32"):
            continue
        try:
            combined = call(row)
            dtype = combined.name if isinstance(combined, nt.dtype) else combined.dtype.name
        except Exception as error:
            dtype = f"{type(error).__name__}: {error}"
        if dtype != row["dtype"]:
            wrong.append(f"{row}: {dtype}")
    assert not wrong, "\n".join(wrong[:20])


def test_what_torch_does_not_combine_is_refused() -> None:
    refused = [row for row in ROWS if row["op"] == "promote_types" and row["dtype"] is None]
    assert len(refused) == 54
    for row in refused:
        with pytest.raises(RuntimeError, match=r"is not supported, attempted to promote \w+ and"):
            call(row)
