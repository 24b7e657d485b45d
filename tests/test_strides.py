"""Layout arithmetic, compared with rows measured on torch and with NumPy's own strides.

Every row of the golden file is replayed through `namecheck_runtime.strides` alone: sizes, strides,
offset, contiguity, whether memory is shared with the base, and the elements; or the error's class,
text and step.
"""

from __future__ import annotations

import json
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from math import prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from namecheck_runtime import sizes
from namecheck_runtime import strides as s
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.lattice import UNKNOWN, Dim, Size, Truth
from namecheck_runtime.mistakes import CODES, Mistake
from namecheck_runtime.mistakes.memory import NoncontiguousView
from namecheck_runtime.sizes import Symbol
from namecheck_runtime.strides import COPY, Geometry, Overlap

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "views_visible.jsonl").read_text().splitlines()
]


# -- a tensor of indices: a geometry and the numbers in its storage --------------------------------


class Tensor(NamedTuple):
    """A layout over a storage of numbers; `shared` if the storage is the base's."""

    geometry: Geometry
    storage: list[int]
    shared: bool = True

    def values(self) -> list[int]:
        return [self.storage[place] for place in places(self.geometry)]

    def view(self, geometry: Geometry) -> Tensor:
        return self._replace(geometry=geometry)

    def filled(self, values: list[int], geometry: Geometry) -> Tensor:
        """A fresh tensor with these values in row-major order of its indices."""
        storage = [-1] * len(values)
        for place, value in zip(places(geometry), values, strict=True):
            storage[place] = value
        return Tensor(geometry, storage, shared=False)


def places(g: Geometry) -> list[int]:
    """The positions of the elements in the storage, in row-major order of their indices."""
    return [
        g.offset + sum(map(operator.mul, index, g.strides))
        for index in product(*map(range, g.sizes))
    ]


def subscript(item: Any) -> Any:
    if isinstance(item, dict):
        return slice(*item["S"]) if "S" in item else Ellipsis
    return tuple(map(subscript, item)) if isinstance(item, list) else item


def add(x: Tensor, y: Tensor) -> Tensor:
    """Whether and how two shapes broadcast is a question for the algebra and not for layouts."""
    left, right = (tuple(Dim(None, size) for size in t.geometry.sizes) for t in (x, y))
    sizes = [dim.size for dim in broadcast(left, right, suspicious=False)]
    terms = [t.view(s.expand(t.geometry, sizes)).values() for t in (x, y)]
    strides = s.fresh_strides(x.geometry, y.geometry)
    return x.filled(list(map(sum, zip(*terms, strict=True))), Geometry(tuple(sizes), strides))


def layout(g: Geometry, storage: int, op: str, *a: Any) -> tuple[Geometry, Geometry | None]:
    """One call of a chain, as the runner of the golden files spells it.

    Returns the elements of the result, as a view, and the fresh memory that they are copied to.
    """
    match op:
        case "neg":
            return g, Geometry(g.sizes, s.fresh_strides(g))
        case "clone":
            return g, Geometry(g.sizes, s.clone_strides(g))
        case "detach":
            return g, None
        case "reshape" | "flatten" | "ravel" | "contiguous":
            answer = getattr(s, op)(g, *a)
            if answer is not COPY:
                return answer, None
            sizes = {
                "reshape": lambda: s.infer_sizes(g.sizes, a[0]),
                "flatten": lambda: s.flatten_sizes(g, *a),
                "ravel": lambda: (s.numel(g.sizes),),
                "contiguous": lambda: g.sizes,
            }[op]()
            return g, s.fresh(sizes)
        case "index":
            key = subscript(a[0])
            answer = s.index(g, key)
            if answer is not COPY:
                return answer, None
            source, strides = s.index_copy(g, key)
            return source, Geometry(source.sizes, strides)
        case "as_strided":
            return s.as_strided(g, *a, storage=storage), None
        case "unbind":
            return s.unbind(g, a[0])[a[1]], None
        case "split" | "chunk" | "tensor_split":
            return getattr(s, op)(g, a[0], a[1])[a[2]], None
        case "view_as" | "expand_as":
            return getattr(s, op.removesuffix("_as"))(g, a[0]), None
        case _:
            return getattr(s, op)(g, *a), None


def step(x: Tensor, op: str, *a: Any) -> Tensor:
    if op == "addT":
        return add(x, x.view(s.t(x.geometry)) if len(x.geometry.sizes) == 2 else x)
    source, fresh = layout(x.geometry, len(x.storage), op, *a)
    if fresh is None:
        return x.view(source)
    sign = -1 if op == "neg" else 1
    return x.filled([sign * value for value in x.view(source).values()], fresh)


def run(row: dict[str, Any]) -> dict[str, Any]:
    x = base(row)
    at = -1
    try:
        for op, *arguments in row["c"]:
            at += 1
            x = step(x, op, *arguments)
    except Mistake as wrong:
        return {"err": wrong.exception.__name__, "msg": wrong.sentence()[:300], "at": at}
    except IndexError as wrong:
        # The runner takes one piece (`x.unbind(0)[k]`): with a large k the tuple raises there, too.
        return {"err": "IndexError", "msg": str(wrong), "at": at}
    g = x.geometry
    answer = {"s": [*g.sizes], "st": [*g.strides], "o": g.offset}
    answer |= {"c": int(s.is_contiguous(g)), "a": int(x.shared)}
    return answer | ({"v": x.values()} if prod(g.sizes) <= 12 else {})


def base(row: dict[str, Any]) -> Tensor:
    sizes = tuple(row["b"])
    strides = tuple(row["st"]) if "st" in row else s.contiguous_strides(sizes)
    return Tensor(Geometry(sizes, strides, row.get("off", 0)), list(range(row["n"])))


def test_golden_rows() -> None:
    wrong = [(row, answer) for row in ROWS if (answer := run(row)) != row["r"]]
    assert not wrong, f"{len(wrong)} of {len(ROWS)} rows, first: {wrong[:3]}"


def test_no_golden_row_is_missing() -> None:
    assert len(ROWS) == 2836
    assert sum("err" in row["r"] for row in ROWS) == 515


# -- calls without a row in the golden file, measured the same way ---------------------------------


def laid(sizes: tuple[int, ...], *strides: int, offset: int = 0) -> Geometry:
    return Geometry(sizes, strides or s.contiguous_strides(sizes), offset)


X3 = laid((2, 3, 4))
TURNED = s.permute(X3, (1, 2, 0))

MEASURED: list[tuple[Callable[[], Any], Any]] = [
    # Subscripts with bools copy, and the copy keeps the order of dims in memory.
    (lambda: s.index_copy(laid((2, 3)), True)[1], (6, 3, 1)),
    (lambda: s.index_copy(laid((2, 3)), (slice(None), True))[1], (3, 3, 1)),
    (lambda: s.index_copy(s.t(laid((2, 3))), True)[1], (6, 1, 3)),
    (lambda: s.index_copy(s.t(laid((2, 3))), (None, True))[1], (3, 3, 1, 3)),
    (lambda: s.index_copy(TURNED, (slice(None), False))[0].sizes, (3, 0, 4, 2)),
    (lambda: s.index_copy(TURNED, (slice(None), False))[1], (4, 12, 1, 0)),
    (lambda: s.index_copy(TURNED, (slice(None), True, slice(None), False))[0].sizes, (0, 3, 4, 2)),
    (lambda: s.index_copy(TURNED, (slice(None), True, slice(None), False))[1], (24, 4, 1, 12)),
    (
        lambda: s.index_copy(TURNED, (None, slice(None), True, None, True))[1],
        (24, 12, 4, 4, 1, 12),
    ),
    # Results of pointwise ops.
    (lambda: s.fresh_strides(laid((2, 3), 1, 2), laid((3,))), (1, 2)),
    (lambda: s.fresh_strides(laid((3,)), laid((2, 3))), (3, 1)),
    (lambda: s.fresh_strides(laid((2, 3)), laid((2, 3), 1, 2)), (3, 1)),
    (lambda: s.fresh_strides(laid((2, 0), 1, 5), laid((2, 0), 1, 5)), (1, 1)),
    (lambda: s.fresh_strides(laid((2, 0), 1, 5), laid((0,))), (1, 2)),
    (lambda: s.fresh_strides(laid((2, 1), 1, 5), laid((1, 3))), (3, 1)),
    (lambda: s.fresh_strides(laid((3, 0, 2), 1, 3, 3), laid((1,))), (1, 3, 0)),
    (lambda: s.fresh_strides(TURNED, s.index(TURNED, slice(0, 1))), (4, 1, 12)),
    (lambda: s.fresh_strides(laid((1, 3), 7, 1)), (3, 1)),
    (lambda: s.clone_strides(laid((1, 3), 7, 1)), (7, 1)),
    (lambda: s.fresh_strides(laid((1, 3, 4, 5), 7, 1, 15, 3)), (60, 1, 15, 3)),
    (lambda: s.fresh_strides(laid((2, 3, 1, 5), 15, 1, 99, 3)), (15, 1, 15, 3)),
    # Pieces of listed sizes.
    (
        lambda: s.split(X3, [1, 2], 1),
        (laid((2, 1, 4), 12, 4, 1), laid((2, 2, 4), 12, 4, 1, offset=4)),
    ),
    (lambda: s.split(laid((0,)), []), ()),
    (lambda: s.split(laid((0,)), 2), (laid((0,)),)),
    (lambda: [g.sizes[0] for g in s.chunk(laid((0, 2)), 3)], [0, 0, 0]),
    (lambda: [g.sizes[1] for g in s.tensor_split(X3, [2, 1], 1)], [2, 0, 2]),
    (lambda: [g.offset for g in s.tensor_split(X3, [-1, 7], 1)], [0, 8, 12]),
    (lambda: [g.sizes[1] for g in s.tensor_split(X3, 5, 1)], [1, 1, 1, 0, 0]),
    (lambda: s.movedim(X3, (2, 0), (0, 1)).sizes, (4, 2, 3)),
    (lambda: s.unfold(X3, 0, 0, 1), laid((3, 3, 4, 0), 12, 4, 1, 12)),
    (lambda: s.slice_dim(X3, end=1), laid((1, 3, 4), 12, 4, 1)),
    (lambda: [g.sizes for g in s.split(X3, 1)], [(1, 3, 4)] * 2),
    (lambda: [g.sizes for g in s.chunk(X3, 2)], [(1, 3, 4)] * 2),
    (lambda: [g.sizes for g in s.tensor_split(X3, 2)], [(1, 3, 4)] * 2),
    (lambda: [g.offset for g in s.unbind(X3)], [0, 12]),
    # An op that writes one tensor and reads another refuses only partial overlap.
    (lambda: s.overlap(laid((2, 2)), laid((2, 2))), Overlap.FULL),
    (lambda: s.overlap(laid((2, 2), 4, 1), laid((2, 2), 4, 1)), Overlap.FULL),
    (lambda: s.overlap(laid((2, 2)), s.t(laid((2, 2)))), Overlap.PARTIAL),
    (lambda: s.overlap(laid((2,)), laid((2,), offset=1)), Overlap.PARTIAL),
    (lambda: s.overlap(laid((2,)), laid((2,), offset=2)), Overlap.NONE),
    (lambda: s.overlap(laid((2,), offset=2), laid((2,))), Overlap.NONE),
    (lambda: s.overlap(laid((3,)), laid((2,))), Overlap.PARTIAL),
    (lambda: s.overlap(laid((2,), 2), laid((2,), 2, offset=1)), Overlap.UNSURE),
    (lambda: s.has_internal_overlap(laid((2, 3), 0, 1)), True),
    (lambda: s.has_internal_overlap(laid((1, 3), 0, 1)), False),
    (lambda: s.has_internal_overlap(laid((2, 0), 0, 1)), False),
    (lambda: s.has_internal_overlap(laid((2, 2), 1, 1)), False),
]

REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (
        lambda: s.split(X3, [1, 1], -2),
        RuntimeError,
        (
            "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at "
            "dimension -2), but got split_sizes=[1, 1]"
        ),
    ),
    (
        lambda: s.split(X3, [5, -1], 1),
        RuntimeError,
        (
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            "split_sizes=[5, -1]"
        ),
    ),
    (
        lambda: s.split(X3, -1, 9),
        RuntimeError,
        "split expects split_size be non-negative, but got split_size=-1",
    ),
    (
        lambda: s.split(X3, 0),
        RuntimeError,
        "split_size can only be 0 if dimension size is 0, but got dimension size of 2",
    ),
    (
        lambda: s.chunk(X3, 0, 9),
        RuntimeError,
        "chunk expects `chunks` to be greater than 0, got: 0",
    ),
    (
        lambda: s.tensor_split(X3, 0),
        RuntimeError,
        "number of sections must be larger than 0, got 0",
    ),
    (
        lambda: s.movedim(X3, (0, 1), (2, -1)),
        RuntimeError,
        "movedim: repeated dim in `destination` ([2, -1])",
    ),
    (
        lambda: s.movedim(X3, (0, 1), (1,)),
        RuntimeError,
        (
            "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the "
            "same number of dims as destination ([1] dims)"
        ),
    ),
    (lambda: s.permute(X3, (0, 0, 5)), RuntimeError, "permute(): duplicate dims are not allowed."),
    (
        lambda: s.unfold(X3, 0, -1, 0),
        RuntimeError,
        "size is -1 but must be >= 0",
    ),
    (
        lambda: s.unfold(laid(()), 0, 2, 1),
        RuntimeError,
        "maximum size for tensor at dimension 0 is 1 but size is 2",
    ),
    (lambda: s.index(X3, slice(None, None, 0)), ValueError, "slice step cannot be zero"),
    (
        lambda: s.index(laid(()), 0),
        IndexError,
        (
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number"
        ),
    ),
    (
        lambda: s.index(laid(()), 1),
        IndexError,
        "index 1 is out of bounds for dimension 0 with size 0",
    ),
    (
        lambda: s.as_strided(X3, (2,), (2**61,), storage=24),
        RuntimeError,
        "Storage size calculation overflowed with sizes=[2] and strides=[2305843009213693952]",
    ),
    (
        lambda: s.as_strided(X3, (2**40, 2**40), (0, 0), storage=24),
        RuntimeError,
        "numel: integer multiplication overflow",
    ),
    (
        lambda: s.expand(laid((3,)), (), tensor_type="torch.LongTensor"),
        RuntimeError,
        (
            "expand(torch.LongTensor{[3]}, size=[]): the number of sizes provided (0) must be "
            "greater or equal to the number of dimensions in the tensor (1)"
        ),
    ),
    (
        lambda: s.require_writable(s.expand(laid((3,)), (2, 3))),
        RuntimeError,
        (
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation."
        ),
    ),
    (
        lambda: s.require_apart(laid((3, 3)), s.t(laid((3, 3)))),
        RuntimeError,
        (
            "unsupported operation: some elements of the input tensor and the written-to tensor "
            "refer to a single memory location. Please clone() the tensor before performing the "
            "operation."
        ),
    ),
]


@pytest.mark.parametrize(("ask", "answer"), MEASURED)
def test_measured(ask: Callable[[], Any], answer: Any) -> None:
    assert ask() == answer


@pytest.mark.parametrize(("ask", "exception", "sentence"), REFUSED)
def test_refused(ask: Callable[[], Any], exception: type[Exception], sentence: str) -> None:
    with pytest.raises(Mistake) as caught:
        ask()
    assert (caught.value.exception, caught.value.sentence()) == (exception, sentence)


def test_no_tensor_has_a_negative_size() -> None:
    """torch 2.12 returns a tensor of sizes [-2, 0] here: its check counts only elements."""
    with pytest.raises(Mistake, match=r"no tensor has sizes \[-2, 0\]"):
        s.expand(laid((1, 1)), (-2, 0))


def test_a_second_ellipsis_stands_for_no_dims() -> None:
    """torch 2.12 counts the hidden dims twice there, and reads beyond the end of the sizes."""
    assert s.index(X3, (..., ..., 1)) == s.index(X3, (..., 1))


# -- messages --------------------------------------------------------------------------------------

SAID: list[tuple[Callable[[], Any], str, str]] = [
    (
        lambda: s.view(TURNED, (3, 8)),
        "view",
        (
            "cannot view [3, 4, 2] as [3, 8]: dims 1 and 2 are not adjacent in memory (strides "
            "[4, 1, 12])"
        ),
    ),
    (
        lambda: s.view(s.unsqueeze(s.t(laid((2, 3))), -1), (-1,)),
        "view",
        "cannot view [3, 2, 1] as [6]: dims 0 and 1 are not adjacent in memory (strides [1, 3, 1])",
    ),
    (
        lambda: s.require_writable(s.expand(laid((3,)), (2, 3))),
        "Tensor.add_",
        "cannot add_ into [2, 3]: dim 0 is expanded, so its elements share one place in memory",
    ),
    (
        lambda: s.require_apart(laid((3, 3)), s.t(laid((3, 3)))),
        "Tensor.add_",
        "cannot add_ [3, 3] into [3, 3]: they overlap in memory, but not element for element",
    ),
    (
        lambda: s.as_strided(laid((6,)), (2, 4), (4, 1), storage=6),
        "torch.as_strided",
        (
            "cannot as_strided [2, 4] with strides [4, 1] from offset 0: a storage of 6 elements "
            "has no such view"
        ),
    ),
    (
        lambda: s.narrow(laid((3,)), 0, 2, 5),
        "torch.narrow",
        "narrow of [3]: 5 elements from 2 on do not fit in dim 0 of size 3",
    ),
]


@pytest.mark.parametrize(("ask", "op", "message"), SAID)
def test_messages(ask: Callable[[], Any], op: str, message: str) -> None:
    with pytest.raises(Mistake) as caught:
        ask()
    assert caught.value.with_op(op).message() == message


def refusals() -> Iterator[tuple[str, Mistake]]:
    """Every mistake of the golden file, with the op that raised it."""
    for row in ROWS:
        x = base(row)
        for op, *arguments in row["c"]:
            try:
                x = step(x, op, *arguments)
            except Mistake as wrong:
                yield op, wrong
                break
            except IndexError:
                break


def test_every_refusal_is_documented_and_names_its_op() -> None:
    codes = set()
    for op, wrong in refusals():
        message = wrong.with_op(f"Tensor.{op}").message()
        assert CODES[wrong.code].documentation().count("## ") == 4, wrong.code
        # A message of NC301 names an index, and one about a subscript the slice.
        assert op in message or wrong.code == "NC301" or op == "index", message
        assert "Dim(" not in message
        assert "\n" not in message
        codes.add(wrong.code)
    assert codes == {
        "NC201",
        "NC204",
        "NC206",
        "NC212",
        "NC301",
        "NC302",
        "NC303",
        "NC501",
        "NC507",
    }


# -- symbols ---------------------------------------------------------------------------------------


class Symbols:
    """Symbols for numbers: every size of a tensor gets a symbol of its own for its value."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values: dict[Symbol, Size] = {}

    def make(self, number: int) -> Size:
        """A symbol for a size. 0 and 1 stay numbers, since a symbol is taken to be at least 2."""
        if number < 2:
            return number
        symbol = sizes.symbol("s")
        self.values[next(iter(symbol.symbols()))] = number
        return symbol

    def written(self, number: int) -> Size:
        """A number in an argument as code would write it: a product or quotient of sizes."""
        symbols = [sizes.of_symbol(symbol) for symbol in self.values]
        choices = (combinations(symbols, count) for count in range(1, len(symbols) + 1))
        products = [sizes.product(chosen) for chosen in chain.from_iterable(choices)]
        quotients = [sizes.divide_exactly(a, b) for a in symbols for b in symbols if a is not b]
        fitting = [size for size in (*products, *quotients) if self.number(size) == number]
        return self.random.choice(fitting) if fitting and self.random.random() < 0.9 else number

    def number(self, size: Any) -> Any:
        return sizes.substitute(size, self.values)


WRITTEN = {"view", "reshape", "expand", "unflatten", "narrow"}
"""Ops whose arguments may be sizes."""


def with_symbols(row: dict[str, Any], random: Random) -> tuple[str, Any]:
    """The outcome of a row in symbols: a mistake, a layout, or silence.

    Copied elements lie in new memory, so the rest of the chain begins there.
    """
    symbols = Symbols(random)
    g = Geometry(tuple(map(symbols.make, row["b"])), (), row.get("off", 0))
    g = g._replace(strides=tuple(row["st"]) if "st" in row else s.contiguous_strides(g.sizes))
    try:
        for op, *arguments in row["c"]:
            if op in WRITTEN:
                arguments = [
                    [symbols.written(n) for n in argument]
                    if isinstance(argument, list)
                    else argument
                    for argument in arguments
                ]
            source, fresh = layout(g, row["n"], op, *arguments)
            g = fresh or source
        numbers = [*map(symbols.number, g.sizes)], [*map(symbols.number, g.strides)]
        return "layout", (numbers, s.contiguity(g))
    except s.Undecided:
        return "silent", None
    except (Mistake, IndexError) as wrong:  # the row takes one piece of an unbound tensor
        return "mistake", type(wrong)


def test_symbols_give_the_answers_of_their_numbers_or_none() -> None:
    """The answers about symbols are torch's about numbers, and a good part of them is known."""
    random = Random(0)
    counts: Counter[str] = Counter()
    rows = [row for row in ROWS if not {"addT", "as_strided"} & {op for op, *_ in row["c"]}]
    refused = [row for row in rows if "not compatible" in row["r"].get("msg", "")]
    for row in (*rows, *refused * 9):
        kind, answer = with_symbols(row, random)
        truth = row["r"]
        if kind == "mistake":
            assert "err" in truth, (row, answer)
            if answer is NoncontiguousView:
                assert "not compatible" in truth["msg"], row
                counts["refused views"] += 1
        if kind == "layout" and "err" not in truth:
            (told_sizes, told_strides), contiguous = answer
            for answered, right in ((told_sizes, truth["s"]), (told_strides, truth["st"])):
                assert len(answered) == len(right), row
                assert all(
                    t == r for t, r in zip(answered, right, strict=True) if t is not UNKNOWN
                ), (
                    row,
                    answer,
                )
            if 0 not in truth["s"]:
                assert contiguous in (Truth.MAYBE, Truth.YES if truth["c"] else Truth.NO), row
        counts[kind] += 1
    assert counts["layout"] > 1200, counts
    assert counts["refused views"] > 20, counts


B, H, N, D = (sizes.symbol(label) for label in "BHND")
HEAD = sizes.divide_exactly(D, H)
LATER = sizes.symbol("L", sizes.Origin.FRESH)
HEADS = s.transpose(s.fresh((B, H, N, D)), 1, 2)


def product_of(*extents: Any) -> Any:
    return sizes.product(extents)


@pytest.mark.parametrize(
    ("g", "shape", "answer"),
    [
        # Heads that were moved back do not merge with their dim, whatever else is merged.
        (HEADS, (B, N, product_of(H, D)), Truth.NO),
        (HEADS, (product_of(B, N), product_of(H, D)), Truth.NO),
        (HEADS, (product_of(B, N), H, D), Truth.NO),
        (HEADS, (B, N, H, D), Truth.YES),
        (HEADS, (B, N, H, 1, D), Truth.YES),
        # Dims that are still neighbours merge.
        (s.permute(s.fresh((B, H, N, D)), (0, 2, 3, 1)), (B, product_of(N, D), H), Truth.YES),
        (s.permute(s.fresh((B, H, N, D)), (0, 2, 3, 1)), (product_of(B, N), D, H), Truth.NO),
        (s.fresh((B, H, N, D)), (product_of(B, H), -1), Truth.YES),
        # A slice of a dim leaves gaps, which matter only if it merges with another dim.
        (
            s.slice_dim(s.fresh((B, N, D)), 1, 1),
            (B, product_of(sizes.subtract(N, 1), D)),
            Truth.YES,
        ),
        (
            s.slice_dim(s.fresh((B, N, D)), 1, 1),
            (product_of(B, sizes.subtract(N, 1)), D),
            Truth.MAYBE,  # N may be 2
        ),
        # Sizes that may be 1, and unknown ones, decide nothing.
        (s.transpose(s.fresh((B, LATER, D)), 1, 2), (B, product_of(LATER, D)), Truth.MAYBE),
        (s.transpose(s.fresh((B, UNKNOWN, D)), 1, 2), (B, -1), Truth.MAYBE),
        (s.transpose(s.fresh((B, sizes.opaque("min", N, D), D)), 1, 2), (B, -1), Truth.MAYBE),
        (s.transpose(s.fresh((B, 1, D)), 1, 2), (B, D), Truth.YES),
        (s.expand(s.fresh((1, D)), (B, D)), (product_of(B, D),), Truth.NO),
    ],
)
def test_views_of_symbols(g: Geometry, shape: tuple[Any, ...], answer: Truth) -> None:
    try:
        s.view(g, shape)
    except NoncontiguousView:
        outcome = Truth.NO
    except s.Undecided:
        outcome = Truth.MAYBE
    else:
        outcome = Truth.YES
    assert outcome is answer


def test_contiguity_of_symbols() -> None:
    assert s.contiguity(s.fresh((B, N, D))) is Truth.YES
    assert s.contiguity(s.fresh((B, UNKNOWN, D))) is Truth.MAYBE
    assert s.contiguity(HEADS) is Truth.NO
    assert s.contiguity(s.transpose(s.fresh((B, LATER, D)), 1, 2)) is Truth.MAYBE
    assert s.contiguity(s.transpose(s.fresh((B, 1, D)), 1, 2)) is Truth.YES
    assert s.contiguity(Geometry((B, N), (UNKNOWN, UNKNOWN))) is Truth.MAYBE


def test_order_of_dims_of_symbols() -> None:
    """A pointwise op keeps its operands' order of dims, so its result is not row-major either."""
    assert s.fresh_strides(HEADS) == HEADS.strides
    assert s.fresh_strides(HEADS, s.fresh((H, D))) == HEADS.strides
    assert s.fresh_strides(s.fresh((B, N)), s.fresh((N,))) == (N, 1)
    with pytest.raises(s.Undecided):
        s.fresh_strides(Geometry((B, N, H, D), (UNKNOWN,) * 4), HEADS)


def test_shared_dim_of_symbols() -> None:
    assert s.shared_dim(s.expand(s.fresh((1, D)), (B, D))) == 0
    assert s.shared_dim(s.expand(s.fresh((1, D)), (1, D))) is None
    with pytest.raises(s.Undecided):
        s.shared_dim(s.expand(s.fresh((1, D)), (LATER, D)))


# -- NumPy agrees ----------------------------------------------------------------------------------

SIZES = st.lists(st.sampled_from([0, 1, 1, 2, 2, 3, 4]), max_size=4).map(tuple)


class Pair(NamedTuple):
    """The same tensor as a layout and as a NumPy array over the same storage."""

    geometry: Geometry
    array: np.ndarray
    storage: np.ndarray

    def agrees(self) -> None:
        g, a = self.geometry, self.array
        assert g.sizes == a.shape
        assert s.is_contiguous(g) == a.flags.c_contiguous
        if a.size == 0:
            return
        start = a.__array_interface__["data"][0] - self.storage.__array_interface__["data"][0]
        assert g.offset * a.itemsize == start
        # NumPy gives dims of size 1 arbitrary strides.
        for size, mine, theirs in zip(g.sizes, g.strides, a.strides, strict=True):
            assert size == 1 or mine * a.itemsize == theirs
        assert places(g) == a.ravel().tolist()


def new_pair(sizes: tuple[int, ...]) -> Pair:
    storage = np.arange(prod(sizes))
    return Pair(s.fresh(sizes), storage.reshape(sizes), storage)


def ordering(rank: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(range(rank))


@st.composite
def moves(draw: st.DrawFn, pair: Pair) -> Pair:
    """An op that torch and NumPy share, with arguments that fit."""
    g, a, storage = pair
    rank = a.ndim
    kinds = ["expand", "unsqueeze", "squeeze", "index", "permute"]
    if rank:
        kinds += ["transpose", "narrow", "select", "swapaxes", "movedim", "tensor_split"]
    if rank > 1:
        kinds += ["diagonal"]
    dim = st.integers(-rank, rank - 1)
    match kind := draw(st.sampled_from(kinds)):
        case "expand":
            front = draw(st.lists(st.integers(1, 3), max_size=1))
            sizes = [*front, *(draw(st.integers(1, 3)) if n == 1 else n for n in a.shape)]
            return Pair(s.expand(g, sizes), np.broadcast_to(a, sizes), storage)
        case "unsqueeze":
            k = draw(st.integers(-rank - 1, rank))
            return Pair(s.unsqueeze(g, k), np.expand_dims(a, k), storage)
        case "squeeze":
            ones = tuple(k for k, n in enumerate(a.shape) if n == 1 and draw(st.booleans()))
            return Pair(s.squeeze(g, ones), a.squeeze(ones), storage)
        case "index":
            key = tuple(draw(subscripts(a.shape)))
            # A trailing Ellipsis keeps NumPy from making a scalar of the last element.
            return Pair(s.index(g, key), a[key if ... in key else (*key, ...)], storage)
        case "permute":
            order = draw(ordering(rank))
            return Pair(s.permute(g, order), a.transpose(order), storage)
        case "transpose" | "swapaxes":
            i, j = draw(dim), draw(dim)
            return Pair(getattr(s, kind)(g, i, j), a.swapaxes(i, j), storage)
        case "movedim":
            source, target = (draw(ordering(rank))[: rank // 2] for _ in range(2))
            return Pair(s.movedim(g, source, target), np.moveaxis(a, source, target), storage)
        case "select":
            i = draw(dim)
            assume(a.shape[i])
            n = draw(st.integers(-a.shape[i], a.shape[i] - 1))
            return Pair(s.select(g, i, n), a[(slice(None),) * (i % rank) + (n, ...)], storage)
        case "narrow":
            i = draw(dim)
            start = draw(st.integers(0, a.shape[i]))
            length = draw(st.integers(0, a.shape[i] - start))
            part = (slice(None),) * (i % rank) + (slice(start, start + length),)
            return Pair(s.narrow(g, i, start, length), a[part], storage)
        case "tensor_split":
            i, n = draw(dim), draw(st.integers(1, 4))
            k = draw(st.integers(0, n - 1))
            return Pair(s.tensor_split(g, n, i)[k], np.array_split(a, n, i)[k], storage)
        case _:
            i, j = draw(ordering(rank))[:2]
            offset = draw(st.integers(-3, 3))
            return Pair(s.diagonal(g, offset, i, j), a.diagonal(offset, i, j), storage)


@st.composite
def subscripts(draw: st.DrawFn, shape: tuple[int, ...]) -> list[Any]:
    cut, resume = sorted(draw(st.integers(0, len(shape))) for _ in range(2))
    key = draw(items(shape[:cut]))
    return [*key, ..., *draw(items(shape[resume:]))] if draw(st.booleans()) else key


@st.composite
def items(draw: st.DrawFn, shape: tuple[int, ...]) -> list[Any]:
    key: list[Any] = []
    bound = st.none() | st.integers(-5, 5)
    for size in shape:
        if draw(st.booleans()) and size:
            key.append(draw(st.integers(-size, size - 1)))
        else:
            key.append(slice(draw(bound), draw(bound), draw(st.none() | st.integers(1, 3))))
        if draw(st.integers(0, 3)) == 0:
            key.append(None)
    return key


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    pair = new_pair(draw(SIZES))
    for _ in range(draw(st.integers(0, 4))):
        pair = draw(moves(pair))
    return pair


@settings(max_examples=400, deadline=None)
@given(pairs())
def test_numpy_agrees_on_chains_of_views(pair: Pair) -> None:
    pair.agrees()


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_reshape_is_a_view_exactly_when_numpys_is(data: st.DataObject) -> None:
    pair = data.draw(pairs())
    shape = data.draw(regroupings(pair.array.size))
    reshaped = s.reshape(pair.geometry, shape)
    theirs = pair.array.reshape(shape)
    if reshaped is COPY:
        with pytest.raises(Mistake, match="NC501"):
            s.view(pair.geometry, shape)
        assert not np.shares_memory(theirs, pair.array)
    else:
        assert reshaped == s.view(pair.geometry, shape)
        Pair(reshaped, theirs, pair.storage).agrees()
        assert pair.array.size == 0 or np.shares_memory(theirs, pair.array)


@st.composite
def regroupings(draw: st.DrawFn, count: int) -> list[int]:
    """Sizes that multiply to `count`, one of them perhaps written as -1."""
    sizes = [] if count else [0]
    while count > 1:
        sizes.append(draw(st.sampled_from([n for n in range(2, count + 1) if count % n == 0])))
        count //= sizes[-1]
    sizes = draw(st.permutations([*sizes, *[1] * draw(st.integers(0, 2))]))
    if sizes and draw(st.booleans()):
        k = draw(st.integers(0, len(sizes) - 1))
        if prod(sizes[:k] + sizes[k + 1 :]):
            sizes[k] = -1
    return sizes


@settings(max_examples=200, deadline=None)
@given(pairs())
def test_fresh_memory_is_dense(pair: Pair) -> None:
    g = pair.geometry
    for strides in (s.fresh_strides(g), s.clone_strides(g)):
        fresh = Geometry(g.sizes, strides)
        assert s.is_non_overlapping_and_dense(fresh)
        assert sorted(places(fresh)) == list(range(prod(g.sizes)))
        # Both keep the order of dims, apart from dims of size 1, whose strides are arbitrary.
        for size, *both in zip(g.sizes, s.fresh_strides(fresh), s.fresh_strides(g), strict=True):
            assert size == 1 or both[0] == both[1]


@settings(max_examples=200, deadline=None)
@given(pairs())
def test_dense_tensors_have_no_gaps_and_no_overlap(pair: Pair) -> None:
    where = places(pair.geometry)
    fills = len(set(where)) == len(where) and (
        not where or max(where) - min(where) == len(where) - 1
    )
    assert s.is_non_overlapping_and_dense(pair.geometry) == fills


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_definite_answer_about_overlap_is_right(data: st.DataObject) -> None:
    start = new_pair(data.draw(SIZES))
    a, b = (data.draw(moves(data.draw(moves(start)))).geometry for _ in range(2))
    mine, yours = places(a), places(b)
    match s.overlap(a, b):
        case Overlap.NONE:
            assert not set(mine) & set(yours)
        case Overlap.FULL:
            assert set(mine) == set(yours)
        case Overlap.PARTIAL:
            assert set(mine) & set(yours)
    if s.has_internal_overlap(a):
        assert len(set(mine)) < len(mine)
