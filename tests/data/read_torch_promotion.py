"""Measures torch's promotion of dtypes: `python tests/data/read_torch_promotion.py`, with torch.

Writes promotion_torch.jsonl: for pairs of operands (a tensor with dims, a 0-d tensor or a Python
number, of each dtype) the dtype of results of some ops, or null where torch refuses.
"""

from __future__ import annotations

import json
import operator
from itertools import product
from pathlib import Path
from typing import Any

import torch

DTYPES = (
    *("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)
NUMBERS = {"bool": True, "int": 2, "float": 2.5, "complex": 1 + 1j}
OPS = {
    "add": torch.add,
    "mul": torch.mul,
    "truediv": operator.truediv,
    "eq": torch.eq,
    "pow": torch.pow,
}
UNARY = ("exp", "sum", "prod", "cumsum", "argmax", "abs", "square", "mean", "isnan", "sigmoid")


def operand(kind: str, dtype: str) -> Any:
    """A tensor of one dim or none, or a number."""
    if kind == "number":
        return NUMBERS[dtype]
    return torch.ones((2,) if kind == "dims" else (), dtype=getattr(torch, dtype))


def result(call: Any, *operands: Any) -> str | None:
    """The dtype of a call's result, or None if torch refuses the call."""
    try:
        return str(call(*operands).dtype).removeprefix("torch.")
    except (RuntimeError, TypeError):
        return None


def main() -> None:
    """Write the table."""
    rows = []
    for op, call in OPS.items():
        others = [(k, d) for k in ("dims", "scalar") for d in DTYPES]
        others += [("number", d) for d in NUMBERS]
        for left, (kind, right) in product(DTYPES, others):
            dtype_of_result = result(call, operand("dims", left), operand(kind, right))
            rows.append(
                {"op": op, "left": left, "kind": kind, "right": right, "dtype": dtype_of_result}
            )
    for left, right in product(DTYPES, DTYPES):
        dtypes = (getattr(torch, left), getattr(torch, right))
        try:
            dtype_of_both = str(torch.promote_types(*dtypes)).removeprefix("torch.")
        except RuntimeError:
            dtype_of_both = None
        rows.append({"op": "promote_types", "left": left, "right": right, "dtype": dtype_of_both})
    for name, dtype in product(UNARY, DTYPES):
        extra = (0,) if name in ("cumsum",) else ()
        dtype_of_result = result(getattr(torch, name), operand("dims", dtype), *extra)
        rows.append({"op": name, "left": dtype, "dtype": dtype_of_result})
    target = Path(__file__).parent / "promotion_torch.jsonl"
    target.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
