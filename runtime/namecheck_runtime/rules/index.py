"""Subscripts, `x[...]` and `x[...] = v`, and XLA's slices.

The brackets may hold everything that NumPy and PyTorch take in them.  Ops that read or write at
indices held in a tensor are in `gather`, parts of a tensor at places known beforehand (`narrow`,
`split`) in `pieces`, diagonals in `diagonal`.
"""

from __future__ import annotations

from types import EllipsisType

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    common,
    drop,
    fresh,
    of_rank,
    position,
    replace,
    require_equal,
    written_one,
)
from namecheck_runtime.alignment import broadcast, check_names
from namecheck_runtime.declare import (
    DimRef,
    Dims,
    Flag,
    Operand,
    Shape,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Symbolic,
    Trailing,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.broadcasts import IndexShapes, MaskSize, SizeMismatch
from namecheck_runtime.mistakes.dims import IndexOutOfRange, RankMismatch
from namecheck_runtime.mistakes.sizes import BadStep
from namecheck_runtime.rules.expand import expanded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final, Literal, TypeAlias


IndexKind: TypeAlias = "Literal['bool', 'int', 'unknown']"


class IndexTensor(NamedTuple):
    """A tensor in the brackets of a subscript; a mask takes as many dims as it has itself."""

    dims: Shape
    kind: IndexKind = "unknown"


Index: TypeAlias = "int | Symbolic | slice | IndexTensor | EllipsisType | Unknown | None"
"""One entry of a subscript; bools are ints to the type checker.  UNKNOWN may be any entry, or
several."""

_UNSURE: Final = Dim(UNKNOWN, UNKNOWN)


# Reading the entries.


def entries_of(index: object) -> list[Index]:
    """The entries between the brackets, each as an `Index`."""
    several = (
        isinstance(index, tuple) and not isinstance(index, IndexTensor) and not is_shape(index)
    )
    return [_entry(entry) for entry in index] if several else [_entry(index)]  # type: ignore[attr-defined]


def is_shape(value: object) -> bool:
    return isinstance(value, Trailing) or (
        isinstance(value, tuple) and bool(value) and all(isinstance(dim, Dim) for dim in value)
    )


def _entry(value: Any) -> Index:
    if value is None or value is UNKNOWN or value is Ellipsis:
        return value
    if isinstance(value, (IndexTensor, slice, int, Symbolic)):
        return value
    if is_shape(value) or value == ():
        return IndexTensor(value)
    if isinstance(value, (list, tuple)):
        return _of_list(value)
    return UNKNOWN


def _of_list(values: Sequence[Any]) -> IndexTensor:
    """A list of numbers, or of lists of them, as the tensor that it stands for."""
    if not values:
        return IndexTensor((fresh(0),), "int")
    if all(isinstance(value, (list, tuple)) and not is_shape(value) for value in values):
        inner = _of_list(values[0])
        dims = inner.dims if isinstance(inner.dims, tuple) else UNKNOWN
        return IndexTensor(
            (fresh(len(values)), *dims) if dims is not UNKNOWN else UNKNOWN, inner.kind
        )
    kind: IndexKind = "unknown"
    if all(isinstance(value, bool) for value in values):
        kind = "bool"
    elif all(
        isinstance(value, (int, Symbolic)) and not isinstance(value, bool) for value in values
    ):
        kind = "int"
    return IndexTensor((fresh(len(values)),), kind)


def index_shape(value: object) -> Shape:
    """The shape of an argument of indices: a tensor, a list of ints or one int."""
    if isinstance(value, (int, Symbolic)):
        return ()
    if isinstance(value, IndexTensor):
        return value.dims
    if value is UNKNOWN or is_shape(value) or value == ():
        return value  # type: ignore[return-value]
    return _of_list(value).dims if isinstance(value, (list, tuple)) else UNKNOWN


# How many dims each entry takes.


def _takes(entry: Index) -> int | None:
    """How many dims an entry takes; None if that is not known."""
    if entry is None or isinstance(entry, (bool, EllipsisType)):
        return 0
    if isinstance(entry, Unknown):
        return None
    if not isinstance(entry, IndexTensor) or entry.kind == "int":
        return 1
    if not isinstance(entry.dims, tuple):
        return None
    if entry.kind == "bool" or len(entry.dims) == 1:
        return len(entry.dims)
    return None


def _takes_at_most(entry: Index) -> int | None:
    count = _takes(entry)
    if count is None and isinstance(entry, IndexTensor) and isinstance(entry.dims, tuple):
        return max(1, len(entry.dims))
    return count


class Slot(NamedTuple):
    """What an entry adds to the result: a dim, or its share of the index tensors' common dims.

    A single number adds neither.
    """

    dim: Dim | None = None
    picked: Shape | None = None


# The subscript.


def subscript(input: Shape, index: object, *, numpy: Flag, blame: str = "input") -> Shape:
    """The shape of `input[index]`.

    `numpy` says whose rules apply: NumPy lines numbers up with index tensors and takes a negative
    step; PyTorch takes numbers first.
    """
    entries = entries_of(index)
    if entries.count(Ellipsis) > 1:
        # PyTorch ignores a second one.
        first = entries.index(Ellipsis) + 1
        entries = entries[:first] + [e for e in entries[first:] if e is not Ellipsis]
    takes = [_takes(entry) for entry in entries]
    if isinstance(input, tuple):
        _check_count(input, entries, takes, blame)
        if None not in takes:
            return _subscript(input, entries, numpy, blame)
    return _subscript_end(input, entries, takes, numpy, blame)


def _check_count(
    input: Dims, entries: Sequence[Index], takes: Sequence[int | None], blame: str
) -> None:
    least = sum(count for count in takes if count is not None)
    if least <= len(input):
        return
    text = f"too many indices for tensor of dimension {len(input)}"
    place, size = len(input), 0
    if not input and len(entries) == 1:
        entry = entries[0]
        if isinstance(entry, slice):
            text = "slice() cannot be applied to a 0-dim tensor."
        elif entry == 0:
            text = (
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        elif isinstance(entry, int):
            text = f"index {entry} is out of bounds for dimension 0 with size 0"
    raise IndexOutOfRange(
        shape=input,
        dim=place,
        rank=len(input),
        size=size,
        text=text,
        blame=(Blame(blame), Blame("index")),
    )


def _subscript(input: Dims, entries: Sequence[Index], numpy: Flag, blame: str) -> Shape:
    slots = _slots(input, entries, numpy, blame)
    if numpy is UNKNOWN:
        ours, theirs = (_assembled(slots, way) for way in (False, True))
        return common(ours, theirs)
    return _assembled(slots, numpy)


def _slots(input: Dims, entries: Sequence[Index], numpy: Flag, blame: str) -> list[Slot]:
    slots: list[Slot] = []
    axis = 0
    rest = len(input) - sum(_takes(entry) or 0 for entry in entries)
    if Ellipsis not in entries:
        entries = [*entries, Ellipsis]
    for place, entry in enumerate(entries):
        if entry is Ellipsis:
            slots.extend(Slot(dim) for dim in input[axis : axis + rest])
            axis += rest
        elif entry is None:
            slots.append(Slot(written_one()))
        elif isinstance(entry, bool):
            slots.append(Slot(picked=(fresh(int(entry)),)))
        elif isinstance(entry, slice):
            slots.append(Slot(sliced(input[axis], entry, input, place, numpy)))
            axis += 1
        elif isinstance(entry, IndexTensor):
            slots.append(_tensor_slot(input, axis, entry, place, blame))
            axis += _takes(entry) or 0
        else:
            if isinstance(entry, int):
                _check_number(input, axis, entry, place, blame)
            slots.append(Slot())
            axis += 1
    return slots


def _check_number(input: Dims, axis: int, number: int, place: int, blame: str) -> None:
    size = input[axis].size
    if isinstance(size, int) and not -size <= number < size:
        raise IndexOutOfRange(
            shape=input,
            dim=axis,
            rank=len(input),
            size=size,
            index=number,
            text=f"index {number} is out of bounds for dimension {place} with size {size}",
            blame=(Blame(blame, axis), Blame("index")),
        )


def _tensor_slot(input: Dims, axis: int, entry: IndexTensor, place: int, blame: str) -> Slot:
    dims = entry.dims
    if entry.kind == "bool":
        assert isinstance(dims, tuple)
        for offset, dim in enumerate(dims):
            require_equal(
                dim.size,
                input[axis + offset].size,
                MaskSize(
                    left=input,
                    right=dims,
                    position=axis + offset - len(input),
                    left_size=input[axis + offset].size,
                    right_size=dim.size,
                    place=place,
                    blame=(Blame(blame, axis + offset), Blame("index")),
                ),
            )
        return Slot(picked=(fresh(UNKNOWN),))
    if entry.kind == "int":
        return Slot() if dims == () else Slot(picked=dims)
    # One dim of numbers or of truth values: the rank is the same, the size is not.
    (dim,) = known_dims(dims)
    return Slot(picked=(Dim(None if dim.name is None else UNKNOWN, UNKNOWN),))


def _assembled(slots: Sequence[Slot], numpy: object) -> Shape:
    """The dims of the slots, with the index tensors' common dims at their place."""
    common_dims = _common_dims(slots)
    if common_dims is None:
        return tuple(slot.dim for slot in slots if slot.dim is not None)
    counted = [slot for slot in slots if numpy or slot.dim is not None or slot.picked is not None]
    places = [k for k, slot in enumerate(counted) if slot.dim is None]
    separated = places[-1] - places[0] + 1 > len(places)
    first = 0 if separated else places[0]
    before = tuple(slot.dim for slot in counted[:first] if slot.dim is not None)
    after = tuple(slot.dim for slot in counted[first:] if slot.dim is not None)
    if isinstance(common_dims, tuple):
        result = (*before, *common_dims, *after)
        check_distinct((dim.name for dim in result), "index")
        return result
    return trailing((*known_dims(common_dims), *after))


def _common_dims(slots: Sequence[Slot]) -> Shape | None:
    """The common dims of all index tensors; None if there are no index tensors."""
    common_dims: Shape | None = None
    picked = [slot.picked for slot in slots if slot.picked is not None]
    for shape in picked:
        if common_dims is None:
            common_dims = shape
            continue
        try:
            common_dims = broadcast(common_dims, shape, ("index", "index"), suspicious=False)
        except SizeMismatch as mistake:
            listed = ", ".join(map(size_list, picked))
            raise IndexShapes(**mistake.fields(), listed=listed) from None
    return common_dims


def _subscript_end(
    input: Shape,
    entries: Sequence[Index],
    takes: Sequence[int | None],
    numpy: Flag,
    blame: str,
) -> Shape:
    """What is known about a subscript if the rank, or how many dims an entry takes, is not."""
    known = known_dims(input)
    if Ellipsis not in entries:
        most = [_takes_at_most(entry) for entry in entries]
        if None in most:
            return UNKNOWN
        # Dims that the entries cannot reach stay at the end.
        return trailing(known[sum(count for count in most if count is not None) :])
    dots = entries.index(Ellipsis)
    left, right = entries[:dots], entries[dots + 1 :]
    unsure = [k for k, count in enumerate(takes[dots + 1 :]) if count is None]
    if unsure:
        right = right[unsure[-1] + 1 :]
    count = sum(_takes(entry) or 0 for entry in right)
    if not isinstance(input, tuple):
        known = unknown_dims(max(count - len(known), 0)) + known
    front = () if unsure else known[: len(known) - count]
    if left and isinstance(input, tuple):
        most = [_takes_at_most(entry) for entry in left]
        reach = None if None in most else sum(n for n in most if n is not None)
        front = () if reach is None else front[reach:]
    elif left:
        front = front[sum(n if n is not None else len(front) for n in map(_takes_at_most, left)) :]
    slots = _slots(known[len(known) - count :], right, numpy, blame)
    others = [entry for entry in left if not (entry is None or isinstance(entry, slice))]
    tensors = [k for k, slot in enumerate(slots) if slot.picked is not None]
    if tensors and (others or unsure or len(tensors) > 1 or any(s == Slot() for s in slots)):
        # Where their dims go is not known; the dims after them stay last.
        behind = slots[tensors[-1] + 1 :]
        return trailing(tuple(slot.dim for slot in behind if slot.dim is not None))
    return _after(front, _assembled(slots, True))


def _after(front: Dims, end: Shape) -> Shape:
    return trailing((*front, *end)) if isinstance(end, tuple) else end


# Slices.


def sliced(dim: Dim, part: slice, input: Dims = (), place: int = 0, numpy: Flag = UNKNOWN) -> Dim:
    """The dim that a slice leaves of `dim`.

    Raises BadStep.
    """
    step = part.step
    if step == 0 or (isinstance(step, int) and step < 0 and numpy is False):
        text = "step must be greater than zero" if step else "slice step cannot be zero"
        raise BadStep(shape=input, reason=f"the step is {step}", text=text, blame=(Blame("index"),))
    size = slice_size(dim.size, part.start, part.stop, step)
    if size == dim.size and size is not UNKNOWN:
        return dim
    # `x[..., :1]` keeps the dim in order to broadcast over it.
    return written_one().rename(dim.name) if size == 1 else dim.resize(size)


def slice_size(size: Size, start: Any, stop: Any, step: Any = None) -> Size:
    """How many elements `start:stop:step` takes of `size`."""
    step = 1 if step is None else step
    bounds = (start, stop, step)
    if not all(b is None or isinstance(b, (int, sizes.Polynomial)) for b in bounds):
        return UNKNOWN
    if isinstance(size, int) and all(b is None or isinstance(b, int) for b in bounds):
        if size < 0:
            return UNKNOWN  # no tensor has this size
        first, end, by = slice(start, stop, step).indices(size)
        return max(0, -((first - end) // by))  # `len(range(...))` of any numbers
    if isinstance(step, int) and step < 0:
        is_whole = start is None and stop is None
        return sizes.ceil_divide(size, -step) if is_whole else UNKNOWN
    if start in (None, 0) and stop is None:
        return size if step == 1 else sizes.ceil_divide(size, step)
    if size is UNKNOWN:
        return UNKNOWN
    length = _stretch(size, _place(start, 0), _place(stop, None))
    return length if step == 1 or length is UNKNOWN else sizes.ceil_divide(length, step)


class _Place(NamedTuple):
    """A number of elements from the left or from the right end of a dim."""

    from_right: bool
    many: Size


def _place(bound: Size | None, default: Size | None) -> _Place | None:
    """Where a bound of a slice lies; None if it is not known from which side it counts."""
    if bound is None:
        return _Place(True, 0) if default is None else _Place(False, default)
    if sizes.at_most(0, bound).definite:
        return _Place(False, bound)
    if sizes.at_most(bound, -1).definite:
        return _Place(True, sizes.multiply(-1, bound))
    return None


def _stretch(size: Size, low: _Place | None, high: _Place | None) -> Size:
    """How many of `size` elements lie between two places, which may lie outside."""
    if low is None or high is None:
        return UNKNOWN
    if low.from_right == high.from_right:
        # `far` should be the farther from the end that both are counted from.
        far, near = (low.many, high.many) if low.from_right else (high.many, low.many)
        if sizes.at_most(far, near).definite:
            return 0
        if not sizes.at_most(near, far).definite:
            return UNKNOWN
        return sizes.subtract(sizes.minimum(far, size), sizes.minimum(near, size))
    if low.from_right:
        return UNKNOWN
    cut = sizes.add(low.many, high.many)
    return sizes.subtract(size, sizes.minimum(cut, size))


@op("operator.getitem", subscript=True)
def getitem(input: Shape, index: object) -> Shape:
    """`input[index]` of a tensor of either library; see `subscript`.

    An index is an `Index`, or a tuple of them; a tensor is an IndexTensor.  A slice keeps the dim's
    name, a number drops the dim, None inserts one of size 1, index tensors insert their own dims.
    Raises IndexOutOfRange, MaskSize, BadStep, SizeMismatch, DuplicateName.
    Source: NumPy's indexing; torch's names where it had them (numbers and slices).
    """
    return subscript(input, index, numpy=UNKNOWN)


@op("Tensor.__getitem__", subscript=True)
def getitem_torch(self: Shape, index: object) -> Shape:
    """As `operator.getitem`, of a torch tensor: numbers go before tensors, steps are positive."""
    return subscript(self, index, numpy=False, blame="self")


@op("ndarray.__getitem__", subscript=True)
def getitem_numpy(self: Shape, index: object) -> Shape:
    """As `operator.getitem`, of an array: a number beside index arrays is one of them."""
    return subscript(self, index, numpy=True, blame="self")


@op("operator.setitem", "Tensor.__setitem__", "ndarray.__setitem__", subscript=True)
def setitem(input: Shape, index: object, value: Operand) -> Shape:
    """`input[index] = value`: the shape of `input`, which does not change.

    The value's names unify with those of `input[index]`, its sizes are equal to those or 1; leading
    dims of size 1 do not count.  Raises what a subscript raises, NameMismatch, MisalignedNames,
    ExpandSize.  Source: name inference, "copy_".
    """
    part = subscript(input, index, numpy=UNKNOWN)
    check_names(part, value, arguments=("input", "value"))
    if not isinstance(part, tuple) or not isinstance(value, tuple):
        return input
    while len(value) > len(part) and value[0].size == 1:
        value = value[1:]
    surplus = value[: max(len(value) - len(part), 0)]
    if surplus and any(dim.size is UNKNOWN or not isinstance(dim.size, int) for dim in surplus):
        return input  # they may be 1
    expanded(value, tuple(dim.size for dim in part), "value", "input")
    return input


# One index along one dim.


def refuse_rank(shape: Shape, wanted: str, text: str, *blame: str) -> None:
    raise RankMismatch(shape=shape, wanted=wanted, text=text, blame=tuple(map(Blame, blame)))


def refuse_scalar(input: Dims, text: str) -> None:
    raise IndexOutOfRange(shape=input, dim=0, rank=0, text=text, blame=(Blame("input"),))


@op("jax.lax.slice")
def slice_lax(
    operand: Dims, start_indices: Sizes, limit_indices: Sizes, strides: object = None
) -> Shape:
    """A part of every dim.  Source: jax.lax.slice."""
    steps = strides if isinstance(strides, (tuple, list)) else (1,) * len(operand)
    if strides is UNKNOWN or len({len(operand), len(start_indices), len(limit_indices)}) > 1:
        return unknown_dims(len(operand))
    return tuple(
        sliced(dim, slice(start, limit, step))
        for dim, start, limit, step in zip(
            operand, start_indices, limit_indices, steps, strict=False
        )
    )


def _place_of(operand: Dims, axis: DimRef) -> int | Unknown:
    """The index of a dim of an array that must have one."""
    if not operand:
        refuse_scalar(operand, "a scalar has no dim to slice")
    return position(operand, axis, "axis")


@op("jax.lax.slice_in_dim")
def slice_in_dim(
    operand: Dims, start_index: object, limit_index: object, stride: Size = 1, axis: DimRef = 0
) -> Shape:
    """A part of one dim.  Raises DimOutOfRange.  Source: jax.lax.slice_in_dim."""
    place = _place_of(operand, axis)
    if isinstance(place, Unknown):
        return unknown_dims(len(operand))
    part = slice(start_index, limit_index, stride)
    return replace(operand, place, sliced(operand[place], part))


@op("jax.lax.dynamic_slice")
def dynamic_slice(operand: Shape, start_indices: object, slice_sizes: Sizes) -> Shape:
    """A part of every dim, of the listed sizes.  Source: jax.lax.dynamic_slice."""
    dims = of_rank(operand, len(slice_sizes))
    if len(dims) != len(slice_sizes):
        refuse_rank(operand, str(len(slice_sizes)), "", "operand", "slice_sizes")
    return tuple(
        dim if dim.size == size else dim.resize(size)
        for dim, size in zip(dims, slice_sizes, strict=True)
    )


@op("jax.lax.dynamic_slice_in_dim")
def dynamic_slice_in_dim(
    operand: Dims, start_index: object, slice_size: Size, axis: DimRef = 0
) -> Shape:
    """A part of one dim, of the given size.  Raises DimOutOfRange.

    Source: jax.lax.dynamic_slice_in_dim.
    """
    place = _place_of(operand, axis)
    if isinstance(place, Unknown):
        return unknown_dims(len(operand))
    return replace(operand, place, operand[place].resize(slice_size))


@op("jax.lax.dynamic_index_in_dim", "jax.lax.index_in_dim")
def index_in_dim(operand: Dims, index: object, axis: DimRef = 0, keepdim: bool = True) -> Shape:
    """The elements at one index of a dim, which gets size 1 or is dropped.  Raises DimOutOfRange.

    Source: jax.lax.index_in_dim.
    """
    place = _place_of(operand, axis)
    if isinstance(place, Unknown):
        return unknown_dims(len(operand) - (not keepdim))
    if keepdim:
        return replace(operand, place, operand[place].resize(1))
    return drop(operand, (place,))


@op("jax.lax.dynamic_update_slice", "jax.lax.dynamic_update_slice_in_dim")
@op("jax.lax.dynamic_update_index_in_dim")
def dynamic_update_slice(
    operand: Shape, update: object, start_indices: object, axis: object = 0
) -> Shape:
    """Keeps the dims; a part is written.  Source: jax.lax.dynamic_update_slice."""
    return operand
