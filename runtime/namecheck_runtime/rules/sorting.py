"""Ops that order elements or find places in an order: sort, argsort, topk, searchsorted.

Single elements of an order (`kthvalue`, `quantile`) live in `reduce`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import replace, require_rank
from namecheck_runtime.binding import shape_of
from namecheck_runtime.declare import EXACT, DimRef, Operand, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Trailing, Truth, Unknown, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.accumulate import at_least_1d, flat
from namecheck_runtime.rules.reduce import check_dim, within


@op("torch.sort", "Tensor.sort", out=EXACT, parsing=("dim by name",))
def sort(
    input: Shape, dim: DimRef = -1, descending: object = False, *, stable: object = None
) -> tuple[Shape, Shape]:
    """Sorted values along a dim, and where they were.  Torch refused a name; names are kept."""
    check_dim(input, dim)
    return input, input


@op("torch.argsort", "Tensor.argsort", out=EXACT, kind="int", parsing=("dim by name",))
def argsort(
    input: Shape, dim: DimRef | None = -1, descending: object = False, *, stable: object = None
) -> Shape:
    """Where the sorted values are along a dim.  Torch refused a name; names are kept."""
    check_dim(input, dim)
    return input


@op("torch.msort", "Tensor.msort", out=EXACT)
def msort(input: Shape) -> Shape:
    """Sorted along the first dim.  Torch refused names; they are kept."""
    check_dim(input, 0)
    return input


@op(numpy="sort(input, dim, kind, order, stable)")
@op(numpy="argsort(input, dim, kind, order, stable)", kind="int")
def numpy_sort(input: Operand, dim: DimRef | None = -1) -> Shape:
    """Sorted along a dim; over the flattened array for None.  Source: numpy.sort."""
    if dim is UNKNOWN:
        return UNKNOWN
    if dim is None:
        return flat(input)
    check_dim(input, dim)
    return at_least_1d(input)


@op(numpy="partition(input, kth, dim, kind, order)")
@op(numpy="argpartition(input, kth, dim, kind, order)", kind="int")
def partition(input: Operand, kth: object, dim: DimRef | None = -1) -> Shape:
    """Partly sorted along a dim; over the flattened array for None.  Source: numpy.partition."""
    if dim is UNKNOWN:
        return UNKNOWN
    if dim is None:
        return flat(input)
    check_dim(input, dim)
    return input


@op(jax="jax.lax.sort(input, dim, is_stable, num_keys)")
def lax_sort(input: Shape, dim: DimRef = -1) -> Shape:
    """Sorted along a dim.  Source: jax.lax.sort."""
    check_dim(input, dim)
    return input


@op("torch.topk", "Tensor.topk", out=EXACT)
def topk(
    input: Shape,
    k: Size,
    dim: DimRef = -1,
    largest: object = True,
    sorted: object = True,
) -> tuple[Shape, Shape]:
    """The `k` largest along a dim, and where they were.  Raises BadExtent when there are fewer.

    Source: name inference, which documents that names are kept; torch refused them.
    """
    values = _topped(input, k, dim)
    return values, values


@op(jax="jax.lax.top_k(input, k)")
def lax_topk(input: Shape, k: Size) -> tuple[Shape, Shape]:
    """The `k` largest along the last dim, and where they were.  Source: jax.lax.top_k."""
    values = _topped(input, k, -1)
    return values, values


def _topped(input: Shape, k: Size, dim: DimRef) -> Shape:
    if isinstance(input, Trailing) and within(input, dim):
        return trailing(_topped_dims(input.dims, k, dim))
    return _topped_dims(input, k, dim) if isinstance(input, tuple) else UNKNOWN


def _topped_dims(input: Dims, k: Size, dim: DimRef) -> Dims:
    index = check_dim(input, dim)
    if isinstance(index, Unknown):
        return tuple(d.resize(UNKNOWN) for d in input)
    size = input[index].size if input else 1
    if sizes.at_most(k, size) is Truth.NO:
        raise BadExtent(
            shape=input,
            reason=f"it cannot take the top {k} of {size}",
            text="selected index k out of range",
            blame=(Blame("k"),),
        )
    return replace(input, index, input[index].resize(k)) if input else input


@op("torch.searchsorted", kind="int", out=EXACT)
def searchsorted(
    sorted_sequence: Shape,
    input: Operand,
    *,
    out_int32: object = False,
    right: object = False,
    side: object = None,
    sorter: object = None,
) -> Shape:
    """Where each element of `input` belongs.  Torch refused names; those of `input` are kept."""
    return input


@op("torch.bucketize", kind="int", out=EXACT)
def bucketize(
    input: Operand, boundaries: Shape, *, out_int32: object = False, right: object = False
) -> Shape:
    """The bucket of each element of `input`.  Torch refused names; those of `input` are kept.

    Raises RankMismatch.
    """
    if isinstance(boundaries, tuple):
        text = f"boundaries tensor must be 1 dimension, but got dim({len(boundaries)})"
        require_rank(boundaries, lambda n: n == 1, "1", "boundaries", text)
    return input


@op(numpy="searchsorted(input, v, side, sorter)", kind="int")
def numpy_searchsorted(input: Operand, v: Operand) -> Shape:
    """Where each element of `v` belongs.  Source: numpy.searchsorted."""
    return v


@op(numpy="digitize(input, bins, right)", kind="int")
def digitize(input: Operand, bins: object, right: object = False) -> Shape:
    """The bin of each element.  Source: numpy.digitize."""
    return input


@op(numpy="interp(input, xp, fp, left, right, period)", kind="float")
def interp(input: Operand, xp: object, fp: object) -> Shape:
    """A value for each element, read off a line through points.  Source: numpy.interp."""
    return input


@op(numpy="lexsort(keys, dim)", kind="int")
def lexsort(keys: object, dim: object = -1) -> Shape:
    """Where the sorted values are, sorted by the last key first: the dims of one key."""
    if isinstance(keys, (tuple, list)) and keys and isinstance(keys[0], tuple):
        return shape_of(keys[0])
    if isinstance(keys, tuple) and len(keys) > 1 and isinstance(keys[0], Dim):
        return keys[1:]  # an array of keys
    return UNKNOWN
