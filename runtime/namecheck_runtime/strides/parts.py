"""Views of parts of a tensor: one index of a dim, a range, a diagonal, pieces, a subscript.

Each function has the parameters of the op that it answers for.
"""

from __future__ import annotations

from collections.abc import Sequence

from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.dims import DimOutOfRange, RepeatedDim
from namecheck_runtime.mistakes.memory import StorageBounds
from namecheck_runtime.mistakes.sizes import BadStep
from namecheck_runtime.sizes import (
    add,
    ceil_divide,
    floor_divide,
    multiply,
    subtract,
    total,
)
from namecheck_runtime.strides.contiguity import fresh, fresh_strides
from namecheck_runtime.strides.geometry import (
    COPY,
    LARGEST,
    Copy,
    Extent,
    Extents,
    Geometry,
    Item,
    Key,
    Undecided,
    bad_extent,
    bad_index,
    bad_rank,
    count_of,
    is_empty,
    less,
    listed,
    position_of,
    require_countable,
    same,
    unnamed_dims,
)
from namecheck_runtime.strides.reshaping import reordered, unsqueeze

# -- parts of a tensor -----------------------------------------------------------------------------


def select(g: Geometry, dim: int, index: Extent) -> Geometry:
    """One index of one dim, which disappears.  Raises DimOutOfRange, IndexOutOfRange."""
    if not g.sizes:
        number = index if isinstance(index, int) else 0
        raise bad_index(g, number, "select() cannot be applied to a 0-dim tensor.")
    k = position_of(g, dim)
    size = g.sizes[k]
    if isinstance(index, int) and not _within(index, size):
        text = (
            f"select(): index {index} out of range for tensor of size {listed(g.sizes)} at "
            f"dimension {k}"
        )
        raise bad_index(g, index, text, size)
    return _pick(g, k, index)


def _within(index: int, size: Extent) -> bool:
    """Whether an index is in range; True for a symbolic size, which rules check."""
    return not isinstance(size, int) or -size <= index < size


def _pick(g: Geometry, k: int, index: Extent) -> Geometry:
    if isinstance(index, int) and index < 0:
        index = add(index, g.sizes[k])
    return Geometry(
        g.sizes[:k] + g.sizes[k + 1 :],
        g.strides[:k] + g.strides[k + 1 :],
        add(g.offset, multiply(index, g.strides[k])),
    )


def slice_dim(
    g: Geometry,
    dim: int = 0,
    start: Extent | None = None,
    end: Extent | None = None,
    step: Extent = 1,
) -> Geometry:
    """`start:end:step` of one dim, clamped to it; the step is positive.

    The length is UNKNOWN if the extents do not decide it.

    Raises DimOutOfRange, IndexOutOfRange, BadStep.
    """
    if not g.sizes:
        raise bad_index(g, 0, "slice() cannot be applied to a 0-dim tensor.")
    if isinstance(step, int) and step < 1:
        raise BadStep(
            shape=unnamed_dims(g.sizes),
            reason=f"a step of {step} is not supported",
            text="step must be greater than zero" if step else "slice step cannot be zero",
        )
    k = position_of(g, dim)
    size = g.sizes[k]
    try:
        first = _clamp(start, 0, size)
        last = _clamp(end, size, size)
        length = subtract(last, first) if less(first, last) else 0
    except Undecided:
        return _cut(g, k, UNKNOWN, UNKNOWN, step)
    return _cut(g, k, first, ceil_divide(length, step), step)


def _clamp(place: Extent | None, default: Extent, size: Extent) -> Extent:
    if place is None:
        return default
    if less(place, 0):
        place = add(place, size)
        return 0 if less(place, 0) else place
    return place if less(place, size) else size


def _cut(g: Geometry, k: int, start: Extent, length: Extent, step: Extent = 1) -> Geometry:
    return Geometry(
        (*g.sizes[:k], length, *g.sizes[k + 1 :]),
        (*g.strides[:k], multiply(g.strides[k], step), *g.strides[k + 1 :]),
        add(g.offset, multiply(start, g.strides[k])),
    )


def narrow(g: Geometry, dim: int, start: Extent, length: Extent) -> Geometry:
    """`length` elements of one dim, beginning at `start`.

    Raises RankMismatch, DimOutOfRange, IndexOutOfRange, BadExtent.
    """
    if not g.sizes:
        text = "narrow() cannot be applied to a 0-dim tensor."
        raise bad_rank(g, "at least 1", text)
    if isinstance(length, int) and length < 0:
        text = "narrow(): length must be non-negative."
        raise bad_extent(g, text, f"a length of {length} is negative")
    k = position_of(g, dim)
    size = g.sizes[k]
    if not isinstance(start, int) or not isinstance(length, int) or not isinstance(size, int):
        return _cut(g, k, UNKNOWN, length)
    if not -size <= start <= size:
        text = f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        raise bad_index(g, start, text, size)
    first = start + size if start < 0 else start
    if first + length > size:
        text = f"start ({first}) + length ({length}) exceeds dimension size ({size})."
        reason = f"{length} elements from {first} on do not fit in dim {k} of size {size}"
        raise bad_extent(g, text, reason)
    return _cut(g, k, first, length)


def diagonal(g: Geometry, offset: Extent = 0, dim1: int = 0, dim2: int = 1) -> Geometry:
    """The diagonal of two dims as a new last dim.  Raises DimOutOfRange, RepeatedDim."""
    offset = count_of(offset)
    a, b = position_of(g, dim1), position_of(g, dim2)
    if a == b:
        text = f"diagonal dimensions cannot be identical {dim1}, {dim2}"
        raise RepeatedDim(shape=unnamed_dims(g.sizes), dim=a, text=text)
    down, right = (0, offset) if offset >= 0 else (-offset, 0)
    rows, columns = subtract(g.sizes[a], down), subtract(g.sizes[b], right)
    start = g.offset
    try:
        length = rows if less(rows, columns) else columns
        # An empty diagonal stays where the tensor starts: its offset would be outside the storage.
        if less(0, length):
            down_ = multiply(down, g.strides[a])
            start = total((start, down_, multiply(right, g.strides[b])))
        else:
            length = 0
    except Undecided:
        length = start = UNKNOWN
    others = [k for k in range(len(g.sizes)) if k not in (a, b)]
    return Geometry(
        (*(g.sizes[k] for k in others), length),
        (*(g.strides[k] for k in others), add(g.strides[a], g.strides[b])),
        start,
    )


def unfold(g: Geometry, dimension: int, size: Extent, step: Extent) -> Geometry:
    """Windows of `size` elements, one every `step`, along one dim, as a new last dim.

    Raises DimOutOfRange, BadExtent.
    """
    k = position_of(g, dimension)
    longest = g.sizes[k] if g.sizes else 1
    if isinstance(longest, int) and isinstance(size, int) and isinstance(step, int):
        wrong = ""
        if size < 0:
            wrong = f"size is {size} but must be >= 0"
        elif longest < size:
            wrong = f"maximum size for tensor at dimension {k} is {longest} but size is {size}"
        elif step < 1:
            wrong = f"step is {step} but must be > 0"
        if wrong:
            raise bad_extent(g, wrong)
    if not g.sizes:
        return Geometry((size,), (1,), g.offset)
    count = add(floor_divide(subtract(longest, size), step), 1)
    windows = _cut(g, k, 0, count, step)
    return Geometry((*windows.sizes, size), (*windows.strides, g.strides[k]), g.offset)


def as_strided(
    g: Geometry,
    size: Sequence[Extent],
    stride: Sequence[Extent],
    storage_offset: Extent | None = None,
    *,
    storage: Extent,
    itemsize: int = 4,
) -> Geometry:
    """Any layout over the storage, which holds `storage` elements of `itemsize` bytes.

    Raises StorageBounds.
    """
    offset = g.offset if storage_offset is None else storage_offset
    sizes, strides = listed(size), listed(stride)
    wrong = ""
    if len(size) != len(stride):
        wrong = "mismatch in length of strides and shape"
    elif any(less(n, 0) for n in stride):
        wrong = (
            f"as_strided: Negative strides are not supported at the moment, got strides: {strides}"
        )
    elif less(offset, 0):
        wrong = f"Tensor: invalid storage offset {offset}"
    elif not any(map(is_empty, size)):
        steps = zip(size, stride, strict=True)
        reach = [multiply(subtract(n, 1), step) for n, step in steps]
        needed = multiply(total((offset, 1, *reach)), itemsize)
        if any(less(n, 0) for n in reach) or less(LARGEST, needed):
            wrong = f"Storage size calculation overflowed with sizes={sizes} and strides={strides}"
        elif less(multiply(storage, itemsize), needed):
            wrong = (
                f"setStorage: sizes {sizes}, strides {strides}, storage offset {offset}, and "
                f"itemsize {itemsize} requiring a storage size of {needed} are out of bounds for "
                f"storage of size {multiply(storage, itemsize)}"
            )
    if wrong:
        raise StorageBounds(
            target=tuple(size), strides=tuple(stride), offset=offset, storage=storage, text=wrong
        )
    require_countable(g, size)
    return Geometry(tuple(size), tuple(stride), offset)


# -- several parts at once -------------------------------------------------------------------------


def split(g: Geometry, split_size: Extent | Sequence[Extent], dim: int = 0) -> tuple[Geometry, ...]:
    """Pieces of one size (the last may be shorter) or of the listed sizes.

    Raises RankMismatch, BadExtent, DimOutOfRange.
    """
    if not g.sizes:
        text = "split expects at least a 1-dimensional tensor"
        raise bad_rank(g, "at least 1", text)
    if not isinstance(split_size, Sequence):
        if less(split_size, 0):
            wrong = f"split expects split_size be non-negative, but got split_size={split_size}"
            raise bad_extent(g, wrong)
        k = position_of(g, dim)
        size = g.sizes[k]
        if is_empty(split_size):
            if not is_empty(size):
                wrong = (
                    f"split_size can only be 0 if dimension size is 0, but got dimension size of "
                    f"{size}"
                )
                raise bad_extent(g, wrong)
            return (g,)
        # max(.., 1): a dim of size 0 gives one piece, itself
        count = max(count_of(ceil_divide(size, split_size)), 1)
        return _pieces(g, k, [multiply(n, split_size) for n in range(1, count)])
    k = position_of(g, dim)
    size = g.sizes[k]
    sizes = listed(split_size)
    wrong = ""
    if any(less(n, 0) for n in split_size):
        wrong = (
            f"split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes={sizes}"
        )
    elif not same(total(split_size), size):
        wrong = (
            f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size "
            f"at dimension {dim}), but got split_sizes={sizes}"
        )
    if wrong:
        raise bad_extent(g, wrong)
    if not split_size:
        return ()
    return _pieces(g, k, [total(split_size[:n]) for n in range(1, len(split_size))])


def chunk(g: Geometry, chunks: int, dim: int = 0) -> tuple[Geometry, ...]:
    """At most `chunks` pieces of equal size; the last may be shorter.

    Raises RankMismatch, BadExtent, DimOutOfRange.
    """
    if not g.sizes:
        text = "chunk expects at least a 1-dimensional tensor"
        raise bad_rank(g, "at least 1", text)
    if chunks < 1:
        wrong = f"chunk expects `chunks` to be greater than 0, got: {chunks}"
        raise bad_extent(g, wrong)
    k = position_of(g, dim)
    size = g.sizes[k]
    # A dim of size 0 gives all the requested pieces; `split` would give one.
    return split(g, [0] * chunks if is_empty(size) else ceil_divide(size, chunks), k)


def tensor_split(
    g: Geometry, indices_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Geometry, ...]:
    """A number of pieces (the first ones may be longer by one), or the pieces between given cuts.

    Raises RankMismatch, BadExtent, DimOutOfRange.
    """
    if not g.sizes:
        text = "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        raise bad_rank(g, "at least 1", text)
    k = position_of(g, dim)
    if not isinstance(indices_or_sections, int):
        return _pieces(g, k, indices_or_sections)
    if indices_or_sections < 1:
        wrong = f"number of sections must be larger than 0, got {indices_or_sections}"
        raise bad_extent(g, wrong)
    length, longer = divmod(count_of(g.sizes[k]), indices_or_sections)
    cuts = [n * length + min(n, longer) for n in range(1, indices_or_sections)]
    return _pieces(g, k, cuts)


def _pieces(g: Geometry, k: int, cuts: Sequence[Extent]) -> tuple[Geometry, ...]:
    """The parts of dim k between cuts; a cut before the previous one gives an empty part."""
    return tuple(
        slice_dim(g, k, start, end) for start, end in zip((None, *cuts), (*cuts, None), strict=True)
    )


def unbind(g: Geometry, dim: int = 0) -> tuple[Geometry, ...]:
    """One tensor per index of a dim, which disappears.  Raises DimOutOfRange."""
    k = position_of(g, dim)
    if not g.sizes:
        text = f"Dimension specified as {k} but tensor has no dimensions"
        raise DimOutOfRange(shape=(), dim=dim, rank=0, text=text)
    return tuple(_pick(g, k, n) for n in range(count_of(g.sizes[k])))


# -- subscripts ------------------------------------------------------------------------------------


def index(g: Geometry, key: Key) -> Geometry | Copy:
    """`x[key]` for ints, slices, None, Ellipsis and tuples of them; only one Ellipsis takes dims.

    COPY if a bool is among them: `index_copy` has its elements.

    Raises IndexOutOfRange, BadStep.
    """
    part, masks = _subscript(g, key)
    return COPY if masks else part


def index_copy(g: Geometry, key: Key) -> tuple[Geometry, Extents]:
    """The elements that a subscript with bools copies, in order, and the strides of the copy.

    A bool is a mask over an inserted dim of size 1: True keeps it, False empties it.  Several bools
    are one index, which is at their place if they are neighbours, else in front.  Source: measured.
    """
    part, masks = _subscript(g, key)
    if not masks:
        return part, fresh_strides(part)
    first, last = min(masks), max(masks)
    place = first if last - first + 1 == len(masks) else 0
    length = 1 if all(masks.values()) else 0
    rest = reordered(part, [k for k in range(len(part.sizes)) if k not in masks])
    source = Geometry(
        (*rest.sizes[:place], length, *rest.sizes[place:]),
        (*rest.strides[:place], 0, *rest.strides[place:]),
        part.offset,
    )
    mask = fresh((1,) * place + (length,) + (1,) * (len(rest.sizes) - place))
    return source, fresh_strides(source, *[mask] * len(masks))


def _subscript(g: Geometry, key: Key) -> tuple[Geometry, dict[int, bool]]:
    """The part that a subscript shows, and the dims in it that bools inserted, with the bools."""
    items = key if isinstance(key, tuple) else (key,)
    taken = sum(_takes_dim(item) for item in items)
    if isinstance(key, int) and _takes_dim(key) and not g.sizes:
        text = f"index {key} is out of bounds for dimension 0 with size 0"
        if key == 0:
            text = (
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        raise bad_index(g, key, text)
    if taken > len(g.sizes) and isinstance(key, tuple):
        raise bad_index(g, 0, f"too many indices for tensor of dimension {len(g.sizes)}")
    part = g
    dim = 0
    hidden = len(g.sizes) - taken
    masks: dict[int, bool] = {}
    for place, item in enumerate(items):
        if item is None or isinstance(item, bool):
            part = unsqueeze(part, dim)
            if item is not None:
                masks[dim] = item
            dim += 1
        elif item is Ellipsis:
            dim += hidden
            hidden = 0
        elif isinstance(item, slice):
            step = 1 if item.step is None else item.step
            part = slice_dim(part, dim, item.start, item.stop, step)
            dim += 1
        else:
            size = part.sizes[dim]
            if not _within(item, size):
                # PyTorch names the place of the index in the subscript, not the dim.
                text = f"index {item} is out of bounds for dimension {place} with size {size}"
                raise bad_index(g, item, text, size)
            part = _pick(part, dim, item)
    return part, masks


def _takes_dim(item: Item) -> bool:
    return isinstance(item, (slice, int)) and not isinstance(item, bool)
