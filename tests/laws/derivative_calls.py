"""Calls of every op that has a derivative, as operands vary: sizes, broadcasting, views, names.

A measured call (`gradient_calls.rows`, and `results_torch.jsonl` for views) is the seed.  Its sizes
change together, one operand is stretched or loses its dims, and each operand is shown by a view of
a leaf: transposed, every second element, the end of a longer one, one row repeated.  The gradients
are those of the leaves, so the derivatives of these views are part of every call.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from measured_results import by_op

import namecheck_runtime as nt
import namecheck_runtime.rules  # declares the ops
from gradient_calls import DATA, is_inexact, records, rows, size_of
from listed import read_listed
from namecheck_runtime.autograd.table import entries
from namecheck_runtime.declare import REGISTRY
from value_calls import Decoder, elements

MOST_ELEMENTS = 150
"""The most elements of the operands of a call, unless its seed has more."""

LAYOUTS = ("plain", "transposed", "gaps", "end", "repeated")
DOUBLE = {"f": "float64", "c": "complex128"}
SINGLE = {"f": "float32", "c": "complex64"}
HALF = {"f": "float16"}

OTHERWISE: Mapping[str, str] = read_listed(DATA / "derivatives_otherwise.txt")
"""Why an op is not compared, or not in all calls; the file says what the marks mean."""

Row = dict[str, Any]


class Call(NamedTuple):
    """A call of an op, and how each of its tensors is shown."""

    op: str
    row: Row
    layouts: tuple[str, ...] = ()
    """Of its tensors, in order; plain for those that are left out."""
    names: bool = False
    """Whether the dims of the first tensor have names."""

    def __str__(self) -> str:
        text = json.dumps([self.row["op"], self.row["args"], self.row.get("kw", {})])
        return f"{text} {' '.join(self.layouts)}{' with names' * self.names}"

    @property
    def writes_twice(self) -> bool:
        """Whether an index has an element twice: which of two values is written is not said."""
        whole = [a for a in Trial(self).arrays() if a.dtype.kind in "iu"]
        return any(a.size != np.unique(a).size for a in whole) or (
            bool(whole) and "repeated" in self.layouts
        )

    @property
    def in_place(self) -> bool:
        """Whether it writes to its first tensor."""
        name = self.row["op"].rpartition(".")[2]
        return bool(name.endswith("_") and not name.endswith("__")) or name == "__setitem__"


def tensors_of(row: Row) -> list[Row]:
    """The tensors of a call, in order."""
    return records([row["args"], list(row.get("kw", {}).values())])


@functools.cache
def seeds() -> Mapping[str, list[Row]]:
    """The measured calls of each op with a derivative that take fractions."""
    wanted = {n for n, e in entries().items() if e.kind in ("derivative", "composite", "strided")}
    seeds_of: dict[str, list[Row]] = {}
    for row in rows():
        name = REGISTRY[row["op"]].op.name
        if name in wanted:
            seeds_of.setdefault(name, []).append(row)
    for name in wanted - seeds_of.keys():
        kept: dict[str, Row] = {}
        for measured in by_op().get(name, ()):
            row = {key: measured.row[key] for key in ("op", "args", "kw") if key in measured.row}
            kinds = {np.dtype(t.get("d", "float32")).kind for t in tensors_of(row)}
            if kinds & {"f", "c"} and size_of(row) <= MOST_ELEMENTS:
                kept.setdefault(json.dumps(row), row)
        if kept:
            seeds_of[name] = list(kept.values())
    return seeds_of


# -- changes ---------------------------------------------------------------------------------------


def with_sizes(row: Row, change: Any, number: Any = lambda n: n) -> Row:
    """A call whose tensors have other sizes: `change(place, sizes)`, and `number` of its ints."""
    place = -1

    def of(value: Any) -> Any:
        nonlocal place
        if isinstance(value, dict):
            if "T" in value:
                place += 1
                sizes = change(place, list(value["T"]))
                resized = {**value, "T": sizes}
                if "v" in value and sizes != value["T"]:
                    values = np.asarray(value["v"]).reshape(-1)
                    if not values.size:
                        values = np.zeros(1, np.int64)
                    resized["v"] = np.resize(values, math.prod(sizes)).tolist()
                return resized
            return {key: of(part) for key, part in value.items()}
        if isinstance(value, list):
            return [of(part) for part in value]
        return number(value) if type(value) is int else value

    changed = {"op": row["op"], "args": of(row["args"])}
    if row.get("kw"):
        changed["kw"] = of(row["kw"])
    return changed


def within(row: Row, bounds: list[float]) -> Row:
    """A call whose fractions are within bounds, unless it says what they are."""
    row = json.loads(json.dumps(row))
    for tensor in tensors_of(row):
        said = tensor.keys() & {"v", "fill", "range", "hi"}
        if np.dtype(tensor.get("d", "float32")).kind == "f" and not said:
            tensor["range"] = bounds
    return row


@st.composite
def calls(draw: st.DrawFn, op: str, real: bool = False) -> Call:
    """Calls of an op; on real numbers alone if `real`."""
    row = draw(st.sampled_from(seeds()[op]))
    if real or draw(st.booleans()):
        text = json.dumps(row).replace("complex64", "float32").replace("complex128", "float64")
        row = json.loads(text)
    kind = draw(st.sampled_from(("as it is", "sizes", "stretched", "no dims", "batched")))
    count = len(tensors_of(row))
    if kind == "sizes":
        old = sorted({size for tensor in tensors_of(row) for size in tensor["T"]})
        new = {n: draw(st.sampled_from((n, 0, 1, 2, 3, n + 1))) for n in old if n}
        whole = f"#{op}" not in OTHERWISE and draw(st.booleans())
        row = with_sizes(
            row,
            lambda place, sizes: [new.get(n, n) for n in sizes],
            lambda n: new.get(n, n) if whole else n,
        )
    elif kind == "no dims":
        row = with_sizes(row, lambda place, sizes: [])
    elif kind in ("stretched", "batched") and count:
        chosen = draw(st.integers(-1 if kind == "batched" else 0, count - 1))
        ranks = [len(tensor["T"]) for tensor in tensors_of(row)]
        dim = draw(st.integers(-1, max(ranks[chosen] - 1, 0)))

        def change(place: int, sizes: list[int]) -> list[int]:
            if kind == "batched":
                return [2, *sizes] if chosen in (-1, place) else sizes
            if place != chosen or not sizes:
                return sizes
            return sizes[1:] if dim < 0 else [*sizes[:dim], 1, *sizes[dim + 1 :]]

        row = with_sizes(row, change)
    bounds = draw(st.sampled_from((None, [0.05, 0.95], [1.1, 3.0])))
    if bounds is not None:
        row = within(row, bounds)
    layouts = tuple(draw(st.sampled_from(LAYOUTS)) for _ in range(count))
    return Call(op, row, layouts, draw(st.booleans()) if count == 1 else False)


# -- runs ------------------------------------------------------------------------------------------


def stored(array: Any, layout: str) -> Any:
    """The elements of the leaf of which a view shows an array."""
    if layout == "transposed" and array.ndim > 1:
        return array.swapaxes(0, -1).copy()
    if layout == "gaps" and array.ndim:
        return np.repeat(array, 2, -1)
    if layout == "end" and array.ndim:
        return np.concatenate([array[:1], array])
    if layout == "repeated" and array.ndim and len(array) > 1:
        return array[:1].copy()
    return array.copy()


def shown(leaf: Any, layout: str, shape: tuple[int, ...]) -> Any:
    """The view of a leaf that `stored` made that shows the array."""
    if layout == "transposed" and len(shape) > 1:
        return leaf.transpose(0, -1)
    if layout == "gaps" and shape:
        return leaf[..., ::2]
    if layout == "end" and shape:
        return leaf[min(1, shape[0]) :]
    if layout == "repeated" and shape and shape[0] > 1:
        return leaf.expand(shape)
    return leaf


class Trial:
    """Runs a call in one precision, with leaves of given elements."""

    def __init__(self, call: Call, precision: Mapping[str, str] = DOUBLE) -> None:
        self.call = call
        self.precision = precision
        self.shapes: list[tuple[int, ...]] = []

    def _layout(self, place: int) -> str:
        layout = self.call.layouts[place] if place < len(self.call.layouts) else "plain"
        tensor = tensors_of(self.call.row)[place]
        if tensor.get("fill") == "spd":  # a direction of the leaf has to be one of the matrix
            return "plain"
        return "plain" if layout == "repeated" and self.call.in_place and not place else layout

    def arrays(self, rounded: Mapping[str, str] | None = None) -> list[Any]:
        """The elements of its leaves; `rounded` to another precision first."""
        made = []
        self.shapes = []
        for place, record in enumerate(tensors_of(self.call.row)):
            array = np.asarray(elements(record, place))
            kind = array.dtype.kind
            self.shapes.append(array.shape)
            if kind in "fc":
                array = array.astype(DOUBLE[kind])
                if rounded is not None:
                    array = array.astype(rounded[kind])
                array = array.astype(self.precision[kind])
            made.append(stored(array, self._layout(place)))
        return made

    def run(self, arrays: list[Any], in_graph: bool) -> tuple[list[Any], list[Any]]:
        """The leaves with fractions, and the results with fractions."""
        leaves: list[Any] = []
        nt.manual_seed(0)

        def tensor(array: Any) -> Any:
            place = len(decoder.made)
            leaf = nt.from_numpy(np.array(arrays[place]))
            if self.call.names:
                leaf = leaf.rename(*"ABCDEFGHIJ"[: leaf.dim()])
            if leaf.is_floating_point() or leaf.is_complex():
                leaves.append(leaf)
                if in_graph:
                    leaf.requires_grad_()
            operand = leaf * 1 if self.call.in_place and is_inexact(leaf) else leaf
            return shown(operand, self._layout(place), self.shapes[place])

        decoder = Decoder(tensor, lambda name: getattr(nt, self._dtype(name)))
        row = self.call.row
        if row["op"] == "Tensor.__setitem__":
            target, key, value = map(decoder.decode, row["args"])
            target[key[0] if len(key) == 1 else tuple(key)] = value
            result = target
        else:
            result = decoder.call(row, nt)
        parts = result if isinstance(result, (tuple, list)) else (result,)
        return leaves, [part for part in parts if is_inexact(part)]

    def is_singular(self, arrays: list[Any]) -> bool:
        """Whether the first rows and columns of an operand are a matrix without an inverse."""
        for place, array in enumerate(arrays):
            leaf = nt.from_numpy(np.array(array))
            operand = shown(leaf, self._layout(place), self.shapes[place]).numpy()
            if operand.ndim > 1 and operand.size and operand.dtype.kind in "fc":
                square = operand[..., : operand.shape[-2]]
                if not (np.linalg.cond(square) < 1e6).all():
                    return True
        return False

    def _dtype(self, name: str) -> str:
        if self.precision is not DOUBLE:
            return name
        return {"float16": "float64", "float32": "float64", "complex64": "complex128"}.get(
            name, name
        )

    def gradients(
        self, arrays: list[Any], create_graph: bool = False
    ) -> tuple[list[Any], list[Any], list[Any]]:
        """The leaves, the results that require a gradient, and the gradients of the leaves."""
        leaves, outputs = self.run(arrays, True)
        begun = [(o, nt.from_numpy(weight(o, k))) for k, o in enumerate(outputs) if o.requires_grad]
        if not begun:
            return leaves, [], [None] * len(leaves)
        wanted, begin = zip(*begun, strict=True)
        grads = nt.autograd.grad(
            wanted, leaves, begin, allow_unused=True, create_graph=create_graph
        )
        return leaves, list(wanted), list(grads)


def weight(output: Any, place: int) -> Any:
    """The gradient of a result that the way back begins with: every precision holds it."""
    name = str(output.dtype).rpartition(".")[2]
    record = {"T": list(output.shape), "d": "float16"}
    array = elements(record, 5 + place)
    if output.dtype.is_complex:
        array = array + 1j * elements(record, 6 + place)
    return np.asarray(array).astype(name)
