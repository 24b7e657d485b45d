"""Calls whose gradients are measured and checked, with doubles.

They are calls of `values_torch.jsonl`, and those of `gradients_calls.jsonl`: batches, empty
operands, reductions, borders, complex numbers, values at which a derivative is special.

Used by `data/read_torch_gradients.py`, which runs them on torch, and by
`autograd/test_gradients.py`.
Every operand with fractions is a leaf times 1, so that ops in place can write to it.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from value_calls import Decoder, elements, identity

DATA = Path(__file__).parent / "data"

MOST_ROWS = 4
"""The number of calls of an op."""

MOST_ELEMENTS = 600
"""The most elements of the operands of a call, if the op has other calls."""

_WIDE = {"float16": "float64", "float32": "float64", "complex64": "complex128"}


def _holds_edges(value: Any) -> bool:
    """Whether an operand is filled with the values at which functions change."""
    if isinstance(value, dict):
        return value.get("fill") == "edges" or any(map(_holds_edges, value.values()))
    return isinstance(value, list) and any(map(_holds_edges, value))


def records(value: Any) -> list[dict[str, Any]]:
    """The tensors of a call, as it is written down."""
    if isinstance(value, dict):
        return [value] if "T" in value else [r for v in value.values() for r in records(v)]
    return [r for v in value for r in records(v)] if isinstance(value, list) else []


def rows() -> list[dict[str, Any]]:
    """The calls, up to `MOST_ROWS` for an op: small ones before large ones, complex ones last."""
    by_op: dict[str, list[dict[str, Any]]] = {}
    for line in (DATA / "values_torch.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        tensors = records([row["args"], list(row.get("kw", {}).values())])
        kinds = [np.dtype(t.get("d", "float32")).kind for t in tensors]
        if "err" in row or "out" in row.get("kw", {}) or not {"f", "c"} & set(kinds):
            continue
        if any(_holds_edges(part) for part in (row["args"], list(row.get("kw", {}).values()))):
            continue
        if any(t.get("d") == "float16" for t in tensors):
            continue
        by_op.setdefault(row["op"], []).append(row)
    chosen: list[dict[str, Any]] = []
    for op_rows in by_op.values():
        small = [r for r in op_rows if size_of(r) <= MOST_ELEMENTS]
        real = [r for r in small if not _is_complex(r)]
        # One complex call, as the rules for real numbers do not decide those.
        complex_ = [r for r in small if _is_complex(r)][:1]
        chosen += [*real[: MOST_ROWS - len(complex_)], *complex_] or op_rows[:1]
    known = set(map(identity, chosen))
    for line in (DATA / "gradients_calls.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if identity(row) not in known:
            chosen.append(row)
    assert max(Counter(map(identity, chosen)).values()) == 1
    return chosen


def size_of(row: dict[str, Any]) -> int:
    """How many elements the operands of a call have."""
    tensors = records([row["args"], list(row.get("kw", {}).values())])
    return int(sum(np.prod(t["T"], dtype=np.int64) for t in tensors))


def _is_complex(row: dict[str, Any]) -> bool:
    tensors = records([row["args"], list(row.get("kw", {}).values())])
    return any(str(t.get("d", "")).startswith("complex") for t in tensors)


def widened(array: Any) -> Any:
    """The elements in double precision."""
    return np.asarray(array).astype(_WIDE.get(array.dtype.name, array.dtype.name))


class Program:
    """A call of one library whose operands want gradients."""

    def __init__(self, row: dict[str, Any], library: Any, tensor: Any) -> None:
        """`tensor` makes a tensor of the library from an array."""
        self.row = row
        self.library = library
        self.tensor = tensor

    def arrays(self) -> list[Any]:
        """The elements of its operands."""
        collected: list[Any] = []

        def collect(array: Any) -> Any:
            collected.append(widened(array))
            return self.tensor(collected[-1].copy())

        self._call(collect)
        return collected

    def _call(self, make: Any) -> Any:
        def dtype(name: str) -> Any:
            return getattr(self.library, _WIDE.get(name, name))

        return Decoder(make, dtype).call(self.row, self.library)

    def run(self, arrays: list[Any], in_graph: bool) -> tuple[list[Any], list[Any]]:
        """The leaves and the results with fractions."""
        leaves: list[Any] = []
        left = iter(arrays)

        def make(array: Any) -> Any:
            elements_ = np.array(next(left))
            leaf = self.tensor(elements_)
            leaves.append(leaf)
            if not in_graph or elements_.dtype.kind not in "fc":
                return leaf
            leaf.requires_grad_()
            return leaf * 1

        result = self._call(make)
        parts = result if isinstance(result, (tuple, list)) else (result,)
        return leaves, [p for p in parts if is_inexact(p)]


def is_inexact(part: Any) -> bool:
    """Whether a result is a tensor of fractions."""
    return hasattr(part, "dtype") and (part.dtype.is_floating_point or part.dtype.is_complex)


def weights(outputs: list[Any]) -> list[Any]:
    """For each result the gradient that the way back begins with, by its sizes alone."""
    arrays = []
    for place, output in enumerate(outputs):
        name = "complex128" if output.dtype.is_complex else str(output.dtype).rpartition(".")[2]
        record = {"T": list(output.shape), "d": name}
        arrays.append(elements(record, 5 + place))
    return arrays
