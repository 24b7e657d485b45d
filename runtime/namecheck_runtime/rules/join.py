"""Ops that join tensors along an existing dim (`cat`) or a new one (`stack`).

The names of all tensors unify as in a broadcast; only the joined dim may differ in size.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    element_count,
    fresh,
    insert,
    merge,
    of_rank,
    position,
    require_equal,
    unify_names,
)
from namecheck_runtime.alignment import check_names
from namecheck_runtime.declare import (
    DimRef,
    Dims,
    Memory,
    Shape,
    Size,
    Tensors,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Trailing,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, JoinSize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import ClassVar


class NothingToJoin(BadExtent):
    """No tensors where at least one is needed; the code is NC212."""

    exception: ClassVar[type[Exception]] = ValueError

    def message(self) -> str:
        return "there is no tensor to join"


def _require_some(tensors: Tensors, function: str, dim: DimRef | None = None) -> None:
    if tensors:
        return
    if function == "cat":
        prefix = "torch.cat(): " if isinstance(dim, int) else ""
        text = f"{prefix}expected a non-empty list of Tensors"
    else:
        text = f"{function} expects a non-empty TensorList"
    reason = "there is no tensor"
    kind = NothingToJoin if function == "cat" else BadExtent
    raise kind(shape=UNKNOWN, reason=reason, text=text, blame=(Blame("tensors"),))


# Along an existing dim.


def joined(
    tensors: Sequence[Shape],
    dim: DimRef | None,
    argument: str = "tensors",
    empty_fits: bool = True,
) -> Shape:
    """The shape of tensors joined along `dim`; with `empty_fits` one of shape `[0]` is ignored.

    Raises RankMismatch, UnknownName, WildcardLookup, DimOutOfRange, NameMismatch, MisalignedNames,
    JoinSize.
    """
    first = tensors[0]
    if isinstance(first, tuple) and not isinstance(dim, (int, Unknown)):
        position(first, dim)
    for number, tensor in enumerate(tensors):
        if tensor == ():
            text = f"zero-dimensional tensor (at position {number}) cannot be concatenated"
            raise RankMismatch(
                shape=tensor, wanted="at least 1", text=text, blame=(Blame(argument),)
            )
    shapes = _without_empty(tensors) if empty_fits else tensors
    rank = next((len(shape) for shape in shapes if isinstance(shape, tuple)), None)
    if rank is None:
        return _joined_end(shapes, dim, argument)
    for shape in shapes:
        if (isinstance(shape, tuple) and len(shape) != rank) or len(known_dims(shape)) > rank:
            other_rank = len(known_dims(shape))
            text = f"Tensors must have same number of dimensions: got {rank} and {other_rank}"
            raise RankMismatch(shape=shape, wanted=str(rank), text=text, blame=(Blame(argument),))
    padded = [of_rank(shape, rank) for shape in shapes]
    place = position(padded[0], dim)
    names = _unified(padded, argument)
    if isinstance(place, Unknown):
        return unknown_dims(rank)
    return tuple(_joined_dim(padded, k, place, names[k], argument) for k in range(rank))


def _without_empty(tensors: Sequence[Shape]) -> Sequence[Shape]:
    """The tensors without those of shape `[0]`, which fit everything as long as none has names."""
    if any(isinstance(dim.name, str) for tensor in tensors for dim in known_dims(tensor)):
        return tensors
    # `[..., 0]` may have shape `[0]`, too, and then proves no size.
    tensors = [
        UNKNOWN if isinstance(t, Trailing) and len(t.dims) == 1 and t.dims[0].size == 0 else t
        for t in tensors
    ]
    others = [tensor for tensor in tensors if not _may_be_empty(tensor)]
    if len(others) == len(tensors) or not others:
        return tensors
    if any(isinstance(tensor, tuple) and len(tensor) == 1 for tensor in others):
        return tensors
    if not any(isinstance(t, tuple) or len(known_dims(t)) > 1 for t in others):
        # The rank of the others is not known, so that of a perhaps empty one proves nothing.
        return [UNKNOWN if _may_be_empty(tensor) else tensor for tensor in tensors]
    return others


def _may_be_empty(shape: Shape) -> bool:
    """Whether a tensor may have shape `[0]`."""
    return isinstance(shape, tuple) and len(shape) == 1 and shape[0].size in (UNKNOWN, 0)


def _unified(all_dims: Sequence[Dims], argument: str) -> Dims:
    """The first dims under the names of all, unified from left to right."""
    names = all_dims[0]
    for other in all_dims[1:]:
        check_names(names, other, action="cat", arguments=(argument, argument))
        names = tuple(map(_named, names, other))
    return names


def _named(dim: Dim, other: Dim) -> Dim:
    """A dim under the unified name of it and another."""
    name = unify_names(dim.name, other.name)
    return dim if name == dim.name else dim.rename(name)


def _joined_dim(all_dims: Sequence[Dims], k: int, place: int, named: Dim, argument: str) -> Dim:
    """One dim of the joined tensor, under the unified name of `named`."""
    if k == place:
        if len(all_dims) == 1:
            return named
        total = sizes.total(dims[k].size for dims in all_dims)
        alike = named.size != 1 and all(_is_alike(dims[k], named) for dims in all_dims[1:])
        parts = merge((fresh(len(all_dims)), named), named.name) if alike else None
        return parts if parts is not None and parts.size == total else Dim(named.name, total)
    size = named.size
    for number, dims in enumerate(all_dims):
        if number and size != dims[k].size:
            text = (
                f"Sizes of tensors must match except in dimension {place}. Expected size {size} "
                f"but got size {dims[k].size} for tensor number {number} in the list."
            )
            mistake = JoinSize(
                left=all_dims[0],
                right=dims,
                dim=k,
                text=text,
                blame=(Blame(argument, k),),
            )
            require_equal(size, dims[k].size, mistake)
        if size is UNKNOWN:
            size = dims[k].size
    return named if size is named.size else Dim(named.name, size)


def _is_alike(dim: Dim, other: Dim) -> bool:
    """Whether two dims have one size, and were merged from dims of the same sizes in one order."""
    if dim.size is UNKNOWN or dim.size != other.size:
        return False
    ours, theirs = ([f.size for f in d.trace.factors] if d.trace else [] for d in (dim, other))
    return ours == theirs


def _joined_end(shapes: Sequence[Shape], dim: DimRef | None, argument: str) -> Shape:
    """What is known about joined tensors of unknown rank."""
    count = min((len(known_dims(shape)) for shape in shapes), default=0)
    if not count:
        return UNKNOWN
    last_dims = [known_dims(shape)[-count:] for shape in shapes]
    named = isinstance(dim, str) and any(d.name == dim for dims in last_dims for d in dims)
    if named or (isinstance(dim, int) and -count <= dim < 0):
        return trailing(known_dims(joined(last_dims, dim, argument, empty_fits=False)))
    # The joined dim is not among the known ones, or may be any of them.
    surely_before = isinstance(dim, int) and dim < -count
    names = _unified(last_dims, argument)
    if surely_before:
        return trailing(
            tuple(_joined_dim(last_dims, k, -1, names[k], argument) for k in range(count))
        )
    return trailing(tuple(Dim(dim.name, UNKNOWN) for dim in names))


@op(
    "torch.cat",
    "torch.concat",
    "torch.concatenate",
    out=True,
    memory=Memory.FOLLOWS,
    parsing=("dim by name",),
)
def cat(tensors: Tensors, dim: DimRef | None = 0) -> Shape:
    """Joins along a dim that all tensors have; the sizes along it add up, the others are equal.

    Raises RankMismatch, UnknownName, WildcardLookup, DimOutOfRange, NameMismatch, MisalignedNames,
    JoinSize, NothingToJoin.  Source: name inference, "cat".
    """
    _require_some(tensors, "cat", dim)
    return joined(tensors, dim)


@op("numpy.concatenate", "jax.numpy.concatenate", out=True)
@op("numpy.concat", "jax.numpy.concat", out=True)
def concatenate(arrays: Tensors, dim: DimRef | None = 0) -> Shape:
    """Joins along a dim that all arrays have; for None, all elements of all arrays.

    Raises RankMismatch, DimOutOfRange, JoinSize.  Source: numpy.concatenate.
    """
    _require_some(arrays, "cat", 0)
    if dim is None:
        return (fresh(sizes.total(map(element_count, arrays))),)
    if dim is UNKNOWN:
        return UNKNOWN  # None flattens
    return joined(arrays, dim, "arrays", empty_fits=False)


@op("jax.lax.concatenate")
def concatenate_lax(operands: Tensors, dimension: DimRef) -> Shape:
    """Joins along a dim that all operands have.  Raises RankMismatch, DimOutOfRange, JoinSize.

    Source: jax.lax.concatenate.
    """
    _require_some(operands, "cat", 0)
    return joined(operands, dimension, "operands", empty_fits=False)


@op(numpy="append(input, values, dim)")
def append(input: Shape, values: Shape, dim: DimRef | None = None) -> Shape:
    """Joins two arrays along a dim; without one, the elements of both.

    Raises RankMismatch, DimOutOfRange, JoinSize.  Source: numpy.append.
    """
    if dim is None:
        return (fresh(sizes.add(element_count(input), element_count(values))),)
    if dim is UNKNOWN:
        return UNKNOWN  # None flattens
    return joined((input, values), dim, "values", empty_fits=False)


# Along a new dim.


def _stacked(tensors: Tensors, dim: DimRef | None, argument: str) -> Shape:
    rank = next((len(shape) for shape in tensors if isinstance(shape, tuple)), None)
    if rank is None:
        return _stacked_end(tensors, dim, argument)
    first = next(shape for shape in tensors if isinstance(shape, tuple))
    for number, shape in enumerate(tensors):
        too_many = len(known_dims(shape)) > rank
        if too_many or (isinstance(shape, tuple) and len(shape) != rank):
            text = (
                f"stack expects each tensor to be equal size, but got {size_list(first)} at entry "
                f"0 and {size_list(shape)} at entry {number}"
            )
            blame = (Blame(argument),)
            raise JoinSize(left=first, right=shape, dim=0, text=text, blame=blame)
    padded = [of_rank(shape, rank) for shape in tensors]
    place = position(padded[0], dim, extra=1)
    names = _unified(padded, argument)
    same = tuple(_equal_dim(padded, k, names[k], argument) for k in range(rank))
    if isinstance(place, Unknown):
        return unknown_dims(rank + 1)
    return insert(same, place, fresh(len(tensors)))


def _equal_dim(all_dims: Sequence[Dims], k: int, named: Dim, argument: str) -> Dim:
    size = named.size
    for number, dims in enumerate(all_dims):
        if number and size != dims[k].size:
            text = (
                f"stack expects each tensor to be equal size, but got {size_list(all_dims[0])} at "
                f"entry 0 and {size_list(dims)} at entry {number}"
            )
            blame = (Blame(argument, k),)
            mistake = JoinSize(left=all_dims[0], right=dims, dim=k, text=text, blame=blame)
            require_equal(size, dims[k].size, mistake)
        if size is UNKNOWN:
            size = dims[k].size
    return named if size is named.size else Dim(named.name, size)


def _stacked_end(tensors: Tensors, dim: DimRef | None, argument: str) -> Shape:
    count = min(len(known_dims(shape)) for shape in tensors)
    last_dims = [known_dims(shape)[len(known_dims(shape)) - count :] for shape in tensors]
    names = _unified(last_dims, argument)
    same = tuple(_equal_dim(last_dims, k, names[k], argument) for k in range(count))
    if not isinstance(dim, int):
        return UNKNOWN
    if dim >= 0:
        return trailing(same[dim:])
    if -dim <= count + 1:
        return trailing(insert(same, count + 1 + dim, fresh(len(tensors))))
    return trailing(same)


@op("torch.stack", out=True, memory=Memory.FOLLOWS)
def stack(tensors: Tensors, dim: DimRef = 0) -> Shape:
    """Joins along a new dim, which has no name and as many elements as there are tensors.

    Raises JoinSize, DimOutOfRange, NameMismatch, MisalignedNames.
    Source: torch.stack, which refused names; here they unify as for `cat`.
    """
    _require_some(tensors, "stack")
    return _stacked(tensors, dim, "tensors")


@op("numpy.stack", "jax.numpy.stack", out=True)
def stack_numpy(arrays: Tensors, dim: DimRef = 0) -> Shape:
    """Joins along a new dim, which has as many elements as there are arrays.

    Raises JoinSize, DimOutOfRange.  Source: numpy.stack.
    """
    _require_some(arrays, "stack")
    return _stacked(arrays, dim, "arrays")


# Along the second, first and third dim.


def _at_least(shape: Shape, rank: int) -> Shape:
    if isinstance(shape, tuple) and len(shape) < rank:
        one = fresh(1)
        if rank == 3 and shape:
            return (one, *shape, one) if len(shape) == 1 else (*shape, one)
        return (one,) * (rank - len(shape)) + shape
    if rank == 1 or isinstance(shape, tuple) or len(known_dims(shape)) >= rank:
        return shape
    return shape if rank == 2 and isinstance(shape, Trailing) else UNKNOWN


def _hstack(tensors: Tensors, argument: str) -> Shape:
    _require_some(tensors, "hstack")
    shapes = [_at_least(shape, 1) for shape in tensors]
    rank = next((len(shape) for shape in shapes if isinstance(shape, tuple)), None)
    if rank is None:
        return UNKNOWN
    return joined(shapes, 0 if rank == 1 else 1, argument)


def _vstack(tensors: Tensors, argument: str) -> Shape:
    _require_some(tensors, "vstack")
    shapes = [_at_least(shape, 2) for shape in tensors]
    if not any(isinstance(shape, tuple) for shape in shapes):
        return UNKNOWN
    return joined(shapes, 0, argument)


def _dstack(tensors: Tensors, argument: str) -> Shape:
    _require_some(tensors, "dstack")
    shapes = [_at_least(shape, 3) for shape in tensors]
    if not any(isinstance(shape, tuple) for shape in shapes):
        return UNKNOWN
    return joined(shapes, 2, argument)


def _columns(tensors: Tensors, argument: str) -> Shape:
    _require_some(tensors, "column_stack")
    shapes = [_as_columns(shape) for shape in tensors]
    if not any(isinstance(shape, tuple) for shape in shapes):
        return UNKNOWN
    return joined(shapes, 1, argument)


def _as_columns(shape: Shape) -> Shape:
    if isinstance(shape, tuple):
        return (*shape, *(fresh(1),) * (2 - len(shape)))
    # A tensor that may be a vector may become a column.
    return shape if len(known_dims(shape)) >= 2 else UNKNOWN


@op("torch.hstack", out=True)
def hstack(tensors: Tensors) -> Shape:
    """Joins along the second dim, vectors along their only dim.  Raises what `cat` raises.

    Source: torch.hstack.
    """
    return _hstack(tensors, "tensors")


@op("torch.vstack", out=True)
@op("torch.row_stack", out=True)
def vstack(tensors: Tensors) -> Shape:
    """Joins along the first dim, vectors as rows.  Raises what `cat` raises.

    Source: torch.vstack.
    """
    return _vstack(tensors, "tensors")


@op("torch.dstack", out=True)
def dstack(tensors: Tensors) -> Shape:
    """Joins along the third dim, with at least three dims.  Raises what `cat` raises.

    Source: torch.dstack.
    """
    return _dstack(tensors, "tensors")


@op("torch.column_stack", out=True)
def column_stack(tensors: Tensors) -> Shape:
    """Joins along the second dim, vectors as columns.  Raises what `cat` raises.

    Source: torch.column_stack.
    """
    return _columns(tensors, "tensors")


@op("numpy.hstack", "jax.numpy.hstack")
def hstack_numpy(tup: Tensors) -> Shape:
    """Joins along the second dim, vectors along their only dim.  Source: numpy.hstack."""
    return _hstack(tup, "tup")


@op("numpy.vstack", "jax.numpy.vstack")
@op("numpy.row_stack")
def vstack_numpy(tup: Tensors) -> Shape:
    """Joins along the first dim, vectors as rows.  Source: numpy.vstack."""
    return _vstack(tup, "tup")


@op("numpy.dstack", "jax.numpy.dstack")
def dstack_numpy(tup: Tensors) -> Shape:
    """Joins along the third dim, with at least three dims.  Source: numpy.dstack."""
    return _dstack(tup, "tup")


@op("numpy.column_stack", "jax.numpy.column_stack")
def column_stack_numpy(tup: Tensors) -> Shape:
    """Joins along the second dim, vectors as columns.  Source: numpy.column_stack."""
    return _columns(tup, "tup")


# Other ways.


def _require_vectors(tensors: Tensors, argument: str) -> None:
    for shape in tensors:
        if (isinstance(shape, tuple) and len(shape) != 1) or len(known_dims(shape)) > 1:
            text = f"Expect a 1D vector, but got shape {size_list(shape)}"
            raise RankMismatch(shape=shape, wanted="1", text=text, blame=(Blame(argument),))


@op("torch.cartesian_prod")
def cartesian_prod(*tensors: Shape) -> Shape:
    """All tuples of one element per vector: how many there are, and their length.

    One vector stays as it is.  Raises RankMismatch.  Source: torch.cartesian_prod.
    """
    _require_vectors(tensors, "tensors")
    if len(tensors) == 1:
        return tensors[0]
    return (fresh(sizes.product(map(element_count, tensors))), fresh(len(tensors)))


@op("torch.combinations", "Tensor.combinations")
def combinations(input: Shape, r: Size = 2, with_replacement: bool = False) -> Shape:
    """All choices of `r` elements of a vector: how many there are, and `r`.

    Raises RankMismatch.  Source: torch.combinations.
    """
    _require_vectors((input,), "input")
    if r == 0:
        return (fresh(0),)
    if r is UNKNOWN:
        return UNKNOWN  # 0 gives one dim
    if isinstance(r, int) and r < 0:
        text = f"Expect a non-negative number, but got {r}"
        raise BadExtent(
            shape=input, reason=f"it cannot choose {r} elements", text=text, blame=(Blame("r"),)
        )
    count = element_count(input)
    if not isinstance(count, int) or not isinstance(r, int):
        return (fresh(UNKNOWN), fresh(r))
    ways = sizes.choose(count + r - 1 if with_replacement else count, r)
    return (fresh(ways), fresh(r))
