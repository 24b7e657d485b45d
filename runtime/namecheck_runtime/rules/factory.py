"""Ops that make a tensor from sizes or from Python values.

Ops that draw its elements at random live in `random`.
"""

from __future__ import annotations

import math

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    common,
    fresh,
    insert,
    names_of,
    require_dims,
    require_rank,
    stated,
)
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import UNCHECKED, Memory, Names, Operand, Shape, Size, Sizes, op
from namecheck_runtime.lattice import (
    MOST_DIMS,
    UNKNOWN,
    Dim,
    Dims,
    Symbolic,
    Trailing,
    Truth,
    known_dims,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, name_text
from namecheck_runtime.mistakes.names import BadNames, OutNames
from namecheck_runtime.mistakes.sizes import BadExtent


def dims_of(size: Sizes, argument: str = "size") -> Dims:
    """Unnamed dims of the given sizes.  Raises BadExtent for one that is certainly negative."""
    for index, extent in enumerate(size):
        if sizes.at_most(extent, -1) is Truth.YES:
            listed = ", ".join(map(str, size))
            text = f"Trying to create tensor with negative dimension {extent}: [{listed}]"
            reason = f"size {extent} is negative"
            raise BadExtent(
                shape=tuple(map(fresh, size)),
                reason=reason,
                text=text,
                blame=(Blame(argument, index),),
            )
    return tuple(map(stated, size))


def check_identifiers(names: Names, argument: str = "names") -> None:
    """Raise BadNames unless names are ASCII identifiers.  Source: name inference, "names"."""
    for name in names:
        if isinstance(name, str) and not (name.isascii() and name.isidentifier()):
            text = (
                f"Invalid name: a valid identifier contains only digits, alphabetical characters, "
                f"and/or underscore and starts with a non-digit. got: '{name}'."
            )
            raise BadNames(text=text, blame=(Blame(argument),))


def named(dims: Dims, names: Names | None, argument: str = "names") -> Dims:
    """The dims under the given names; None leaves them unnamed.

    Raises BadNames (not an identifier, more than 64 dims, a wrong number of names), DuplicateName.
    Source: name inference, "names".
    """
    if names is None:
        return dims
    check_identifiers(names, argument)
    if any(name is Ellipsis for name in names):
        raise BadNames(
            text="Names of a new tensor are written one by one: '...' has no names to stand for",
            blame=(Blame(argument),),
        )
    listed = "[" + ", ".join(map(name_text, names)) + "]"
    rank = len(dims)
    if rank > MOST_DIMS:
        text = (
            f"Named tensors only support up to {MOST_DIMS} dims: Attempted to create a tensor "
            f"with dim {rank} with names {listed}"
        )
        raise BadNames(text=text, blame=(Blame(argument),))
    if len(names) != rank:
        text = (
            f"Number of names ({len(names)}) and number of dimensions in tensor ({rank}) do not "
            f"match. Attempted to create a tensor with names {listed}"
        )
        raise BadNames(text=text, blame=(Blame(argument),))
    check_distinct(names, argument)
    return tuple(dim.rename(name) for dim, name in zip(dims, names, strict=True))


# From sizes.


def from_sizes(*size: Size, names: Names | None = None) -> Shape:
    """A tensor of the given sizes, and of the given names if there are any.

    Raises BadExtent, BadNames, DuplicateName.  Source: name inference, "factory functions".
    """
    return named(dims_of(size), names)


op("torch.zeros", numpy="zeros(size, dtype, order)", out=UNCHECKED, memory=Memory.NEW)(from_sizes)
op("torch.ones", numpy="ones(size, dtype, order)", out=UNCHECKED, memory=Memory.NEW)(from_sizes)
op("torch.empty", numpy="empty(size, dtype, order)", out=UNCHECKED, memory=Memory.NEW)(from_sizes)


@op(
    "torch.full",
    numpy="full(size, fill_value, dtype, order)",
    out=UNCHECKED,
    memory=Memory.NEW,
    parsing=("sizes together",),
)
def full(size: Sizes, fill_value: object, *, names: Names | None = None) -> Shape:
    """A tensor of the given sizes and names.  Raises as `torch.zeros` does."""
    return named(dims_of(size), names)


@op(jax="jax.lax.full(size, fill_value, dtype)")
def lax_full(size: Sizes, fill_value: object) -> Shape:
    """An array of the given sizes.  Source: jax.lax.full."""
    return dims_of(size)


@op("Tensor.new_zeros", memory=Memory.NEW)
@op("Tensor.new_ones", memory=Memory.NEW)
@op("Tensor.new_empty", memory=Memory.NEW)
def new(self: object, *size: Size, names: Names | None = None) -> Shape:
    """A tensor of the given sizes and names, with the dtype and device of `self`.

    PyTorch does not take names here; our runtime does.
    """
    return named(dims_of(size), names)


@op("Tensor.new_full", memory=Memory.NEW, parsing=("sizes together",))
def new_full(self: object, size: Sizes, fill_value: object, *, names: Names | None = None) -> Shape:
    """A tensor of the given sizes and names, with the dtype and device of `self`."""
    return named(dims_of(size), names)


@op("torch.empty_permuted")
def empty_permuted(size: Sizes, physical_layout: object) -> Shape:
    """A tensor of the given sizes, in memory of a given order."""
    return dims_of(size)


@op("torch.empty_strided")
def empty_strided(size: Sizes, stride: object) -> Shape:
    """A tensor of the given sizes, in memory of a given order."""
    return dims_of(size)


@op("Tensor.new_empty_strided")
def new_empty_strided(self: object, size: Sizes, stride: object) -> Shape:
    """A tensor of the given sizes, in memory of a given order."""
    return dims_of(size)


def like(input: Operand, *, shape: Sizes | None = None, names: Names | None = None) -> Shape:
    """A tensor with the dims of `input`, or of `shape`, which NumPy takes; under `names` if given.

    Source: name inference, "factory functions".
    """
    return renamed(input if shape is None else dims_of(shape, "shape"), names)


def renamed(shape: Shape, names: Names | None) -> Shape:
    """A shape under the given names, which say how many dims it has if nothing else does."""
    if names is None:
        return shape
    return named(shape if isinstance(shape, tuple) else unknown_dims(len(names)), names)


op(
    "torch.zeros_like",
    numpy="zeros_like(input, dtype, order, subok, shape)",
    memory=Memory.POINTWISE,
)(like)
op(
    "torch.ones_like",
    numpy="ones_like(input, dtype, order, subok, shape)",
    memory=Memory.POINTWISE,
)(like)
op(
    "torch.empty_like",
    numpy="empty_like(input, dtype, order, subok, shape)",
    memory=Memory.POINTWISE,
)(like)


@op(
    "torch.full_like",
    numpy="full_like(input, fill_value, dtype, order, subok, shape)",
    memory=Memory.POINTWISE,
)
@op(jax="jax.lax.full_like(input, fill_value, dtype, shape)")
def full_like(
    input: Operand,
    fill_value: object,
    *,
    shape: Sizes | None = None,
    names: Names | None = None,
) -> Shape:
    """A tensor with the dims of `input`.  Source: name inference, "factory functions"."""
    return renamed(input if shape is None else dims_of(shape, "shape"), names)


@op("torch.eye", numpy="eye(n, m, k, dtype, order)", out=UNCHECKED, memory=Memory.NEW)
@op(numpy="tri(n, m, k, dtype)")
def eye(n: Size, m: Size | None = None, *, names: Names | None = None) -> Shape:
    """A matrix `[n, m]`, square without `m`."""
    return named(dims_of((n, n if m is None else m)), names)


@op(numpy="identity(n, dtype)")
def identity(n: Size) -> Shape:
    """A matrix `[n, n]`.  Source: numpy.identity."""
    return dims_of((n, n))


def _triangle(rows: object, columns: object, offset: object, upper: bool) -> Size:
    """How many elements a triangle of a matrix has."""
    if not (isinstance(rows, int) and isinstance(columns, int) and isinstance(offset, int)):
        return UNKNOWN
    if rows > _MOST_ROWS:
        return UNKNOWN
    rows, columns = max(rows, 0), max(columns, 0)
    below = sum(min(max(row + offset + (not upper), 0), columns) for row in range(rows))
    return rows * columns - below if upper else below


_MOST_ROWS = 10_000
"""The most rows whose elements are counted row by row."""


@op("torch.tril_indices")
def tril_indices(row: object, col: object, offset: object = 0) -> Shape:
    """Rows and columns of the elements of the lower triangle: `[2, number of them]`."""
    return (fresh(2), fresh(_triangle(row, col, offset, False)))


@op("torch.triu_indices")
def triu_indices(row: object, col: object, offset: object = 0) -> Shape:
    """Rows and columns of the elements of the upper triangle: `[2, number of them]`."""
    return (fresh(2), fresh(_triangle(row, col, offset, True)))


@op(numpy="tril_indices(n, k, m)")
def numpy_tril_indices(n: object, k: object = 0, m: object = None) -> tuple[Shape, Shape]:
    """Rows, and columns, of the elements of a triangle.  Source: numpy.tril_indices."""
    vector = (fresh(_triangle(n, n if m is None else m, k, False)),)
    return vector, vector


@op(numpy="triu_indices(n, k, m)")
def numpy_triu_indices(n: object, k: object = 0, m: object = None) -> tuple[Shape, Shape]:
    """Rows, and columns, of the elements of a triangle.  Source: numpy.triu_indices."""
    vector = (fresh(_triangle(n, n if m is None else m, k, True)),)
    return vector, vector


@op(numpy="tril_indices_from(arr, k)")
def numpy_tril_indices_from(arr: Dims, k: object = 0) -> tuple[Shape, Shape]:
    """Rows, and columns, of a triangle of a matrix.  Source: numpy.tril_indices_from.

    Raises RankMismatch.
    """
    return _triangle_of(arr, k, False)


@op(numpy="triu_indices_from(arr, k)")
def numpy_triu_indices_from(arr: Dims, k: object = 0) -> tuple[Shape, Shape]:
    """Rows, and columns, of a triangle of a matrix.  Source: numpy.triu_indices_from.

    Raises RankMismatch.
    """
    return _triangle_of(arr, k, True)


def _triangle_of(matrix: Dims, offset: object, upper: bool) -> tuple[Shape, Shape]:
    require_rank(matrix, lambda n: n == 2, "2", "arr", "input array must be 2-d")
    vector = (fresh(_triangle(matrix[0].size, matrix[1].size, offset, upper)),)
    return vector, vector


@op(numpy="indices(dimensions, dtype)")
def indices(dimensions: Sizes, dtype: object = None, sparse: bool = False) -> object:
    """The indices along every dim, stacked: `[rank, *dimensions]`.

    With `sparse` one array for each dim, of size 1 in the others.  Source: numpy.indices.
    """
    rank = len(dimensions)
    require_dims(rank)
    if sparse:
        return tuple(
            dims_of((*(1,) * place, size, *(1,) * (rank - place - 1)))
            for place, size in enumerate(dimensions)
        )
    return dims_of((rank, *dimensions))


def _window(
    window_length: Size, periodic: object = True, alpha: object = None, beta: object = None
) -> Shape:
    """A window function over `window_length` samples."""
    return dims_of((window_length,))


for _name in ("bartlett", "blackman", "hamming", "hann", "kaiser"):
    op(f"torch.{_name}_window")(_window)
for _name in ("bartlett", "blackman", "hamming", "hanning", "kaiser"):
    op(numpy=f"{_name}(window_length, beta)")(_window)


@op("torch.linalg.vander")
def linalg_vander(x: Dims, N: Size | None = None) -> Shape:
    """Powers of vectors: `[*, n, N]`.  Torch refused names; the new dim has none."""
    rows = x or (fresh(1),)
    return (*rows, fresh(rows[-1].size if N is None else N))


@op("torch.vander", numpy="vander(x, N, increasing)")
def vander(x: Shape, N: Size | None = None, increasing: object = False) -> Shape:
    """Powers of a vector: `[n, N]`.  Torch refused names; the new dim has none.

    Raises RankMismatch.
    """
    if not isinstance(x, tuple):
        return UNKNOWN
    text = "x must be a one-dimensional tensor."
    require_rank(x, lambda n: n == 1, "1", "x", text)
    return (*x, fresh(x[-1].size if N is None else N))


# Ranges.


def _count(start: object, end: object, step: object) -> Size:
    """How many numbers lie from `start` to before `end`; below 1 if the step leads away from it."""
    ends = (start, end, step)
    if all(isinstance(value, (int, float)) for value in ends):
        low, high, by = (value for value in ends if isinstance(value, (int, float)))
        if isinstance(high, int) and isinstance(low, int) and isinstance(by, int):
            return sizes.ceil_divide(high - low, by)
        return sizes.rounded(math.ceil, high - low, by)
    if not isinstance(start, (int, Symbolic)) or not isinstance(end, (int, Symbolic)):
        return UNKNOWN
    if isinstance(step, int) and step:
        distance = sizes.subtract(end, start) if step > 0 else sizes.subtract(start, end)
        return sizes.ceil_divide(distance, abs(step))
    if isinstance(step, Symbolic):
        return sizes.opaque("ceil_div", sizes.subtract(end, start), step)
    return UNKNOWN


def _leads_away(start: object, end: object, step: object) -> bool:
    """Whether these are numbers and the step is 0 or leads away from `end`."""
    if isinstance(start, (int, float)) and isinstance(end, (int, float)):
        return isinstance(step, (int, float)) and (step == 0 or (end - start) * step < 0)
    return False


def _torch_range(start: object, end: object, step: object) -> Dims:
    count = _count(start, end, step)
    if _leads_away(start, end, step):
        text = "upper bound and lower bound inconsistent with step sign"
        reason = f"no step of {step} leads from {start} to {end}"
        raise BadExtent(shape=(), reason=reason, text=text, blame=(Blame("step"),))
    return (fresh(count),)


@op("torch.arange", out=UNCHECKED, memory=Memory.NEW)
def arange_to(end: Size | float, *, names: Names | None = None) -> Shape:
    """The numbers from 0 to before `end`.  Raises BadExtent for a negative one, BadNames."""
    return named(_torch_range(0, end, 1), names)


@op("torch.arange", out=UNCHECKED)
def arange(
    start: Size | float, end: Size | float, step: Size | float = 1, *, names: Names | None = None
) -> Shape:
    """The numbers from `start` to before `end`.  Raises BadExtent when the step leads away."""
    return named(_torch_range(start, end, step), names)


@op("torch.range", out=UNCHECKED, memory=Memory.NEW)
def range_with_end(start: Size | float, end: Size | float, step: Size | float = 1) -> Shape:
    """The numbers from `start` to `end`, both included.  Raises BadExtent as `arange` does."""
    ends = (start, end, step)
    if _leads_away(*ends):
        return _torch_range(*ends)
    if all(isinstance(value, (int, float)) for value in ends):
        low, high, by = (value for value in ends if isinstance(value, (int, float)))
        return (fresh(sizes.add(sizes.rounded(math.floor, high - low, by), 1)),)
    return (fresh(UNKNOWN),)


def _numpy_range(start: object, end: object, step: object) -> Shape:
    count = _count(start, end, step)
    return (fresh(max(count, 0) if isinstance(count, int) else count),)


@op(numpy="arange(start, end, step, dtype)")
def numpy_arange_to(start: Size | float) -> Shape:
    """The numbers from 0 to before the only argument.  Source: numpy.arange."""
    return _numpy_range(0, start, 1)


@op(numpy="arange(start, end, step, dtype)")
def numpy_arange(start: Size | float, end: Size | float, step: Size | float = 1) -> Shape:
    """The numbers from `start` to before `end`, none when the step leads away."""
    return _numpy_range(start, end, step)


@op("torch.linspace", out=UNCHECKED, kind="float", memory=Memory.NEW)
def linspace(start: object, end: object, steps: Size, *, names: Names | None = None) -> Shape:
    """`steps` numbers from `start` to `end`."""
    return named(dims_of((steps,), "steps"), names)


@op("torch.logspace", out=UNCHECKED, kind="float", memory=Memory.NEW)
def logspace(
    start: object, end: object, steps: Size, base: object = 10.0, *, names: Names | None = None
) -> Shape:
    """`steps` powers of `base`."""
    return named(dims_of((steps,), "steps"), names)


@op(numpy="linspace(start, stop, num, endpoint, retstep, dtype, dim)", kind="float")
@op(numpy="logspace(start, stop, num, endpoint, base, dtype, dim)", kind="float")
@op(numpy="geomspace(start, stop, num, endpoint, dtype, dim)", kind="float")
def numpy_linspace(
    start: Operand,
    stop: Operand,
    num: Size = 50,
    endpoint: object = True,
    retstep: bool = False,
    *,
    base: Operand = (),
    dim: int = 0,
) -> Shape | tuple[Shape, Shape]:
    """`num` numbers between two, or between the elements of two arrays, along a new dim.

    The bases of `logspace` are broadcast with them.  Source: numpy.linspace.
    """
    ends = broadcast(start, stop, ("start", "stop"))
    if base is not UNKNOWN:
        ends = broadcast(ends, base, ("start", "base"))
    line: Shape = UNKNOWN
    if isinstance(ends, tuple) and -len(ends) - 1 <= dim <= len(ends):
        line = insert(ends, dim % (len(ends) + 1), fresh(num))
    return (line, ends) if retstep else line


# From values.


def nested(data: object) -> Shape:
    """The dims of a number, of a tensor, or of lists of them, each list a dim.

    Lists of different lengths within a list have no shape: UNKNOWN.
    """
    if isinstance(data, (int, float, complex, Symbolic)):
        return ()
    if isinstance(data, Trailing):
        return data
    if not isinstance(data, (tuple, list)):
        return UNKNOWN
    if isinstance(data, tuple) and all(isinstance(part, Dim) for part in data):
        return data
    if not data:
        return (fresh(0),)
    # Only the rank of an unknown element is certain: it is that of the others.
    parts = [part for part in map(nested, data) if isinstance(part, tuple)]
    if not parts:
        return UNKNOWN
    inner: Shape = parts[0]
    for other in parts[1:]:
        if len(other) != len(parts[0]):
            return UNKNOWN
        inner = common(inner, other)
    if len(parts) < len(data):
        inner = unknown_dims(len(parts[0]))
    return (fresh(len(data)), *known_dims(inner))


@op("torch.tensor", memory=Memory.FOLLOWS)
def tensor(data: object, *, names: Names | None = None) -> Shape:
    """A tensor of the given values; a tensor keeps its names.

    Raises OutNames for a tensor that has other names already, and as `torch.zeros` does.
    Source: name inference, "factory functions".
    """
    dims = nested(data)
    if not names:
        return dims
    if not isinstance(dims, tuple):
        check_identifiers(names)
        check_distinct(names, "names")
        return UNKNOWN
    names_before = names_of(dims)
    if any(isinstance(name, str) for name in names_before):
        if UNKNOWN not in (*names_before, *names) and names_before != tuple(names):
            wanted = tuple(map(Dim, names))
            raise OutNames(destination=dims, computed=wanted, blame=(Blame("names"),))
        return dims
    return named(dims, names)


@op("torch.scalar_tensor")
def scalar_tensor(s: object) -> Shape:
    """A 0-d tensor of a number."""
    return ()


@op("torch.as_tensor")
def as_tensor(data: object, dtype: object = None, device: object = None) -> Shape:
    """A tensor of the given values; a tensor stays as it is."""
    return nested(data)


@op("torch.asarray", numpy="asarray(obj, dtype, order)")
def asarray(obj: object) -> Shape:
    """A tensor of the given values; a tensor stays as it is."""
    return nested(obj)


@op("Tensor.new_tensor")
def new_tensor(self: object, data: object, dtype: object = None, device: object = None) -> Shape:
    """A tensor of the given values, with the dtype and device of `self`."""
    dims = nested(data)
    return tuple(dim.rename(None) for dim in dims) if isinstance(dims, tuple) else dims


@op(numpy="array(object, dtype, copy, order, subok, ndmin)")
def array(object: object, ndmin: int = 0) -> Shape:
    """An array of the given values, with dims of size 1 in front up to `ndmin`.

    Source: numpy.array.
    """
    dims = nested(object)
    if isinstance(dims, tuple):
        require_dims(ndmin)
        return (*(fresh(1),) * (ndmin - len(dims)), *dims)
    return dims if ndmin <= 1 else UNKNOWN


@op(numpy="fromiter(buffer, dtype, count)")
def from_iterator(buffer: object, dtype: object, count: object = -1) -> Shape:
    """A vector, of the first `count` elements if that is given.  Source: numpy.fromiter.

    UNKNOWN if the dtype is, since it says whether elements are arrays.
    """
    return UNKNOWN if dtype is UNKNOWN else from_buffer(buffer, count)


@op(numpy="frombuffer(buffer, dtype, count, offset)")
@op("torch.frombuffer")
def from_buffer(buffer: object, count: object = -1, offset: object = 0) -> Shape:
    """A vector of the whole buffer, or of its first `count` elements."""
    if isinstance(count, Symbolic) or (isinstance(count, int) and count >= 0):
        return (fresh(count),)
    return (fresh(UNKNOWN),)
