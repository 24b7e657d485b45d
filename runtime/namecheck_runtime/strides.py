"""Stride, offset and contiguity arithmetic: what every view op does to a layout.

Here live `Geometry` (sizes, strides and offset, counted in elements) and one pure function per
layout question, with the parameters of the op it answers for.  No names, no dtypes, no data: which
names a result has is said in `rules`, how storage is held is the runtime's business.

A mistake raised here names no op: whoever asked says whose it is (`Mistake.told_by`).  Its sentence
is PyTorch's.

Everything asked *about* a size or a stride goes through `same`, `alike`, `less`, `is_one` and
`is_zero`.  An extent may be a symbol, or UNKNOWN: a question that has no certain answer then raises
`Undecided`, so that nobody goes on with a guess.  A symbol counts as at least 2 here: where it is
1, any layout is as good as any other, and nobody writes a program for that case alone.  Positions
of dims, indices and numbers of pieces are plain ints and compared as such.

Source: `spec/rules.md` section 6, which was measured on torch 2.12.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from types import EllipsisType

from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, Truth, Unknown
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import (
    DimOutOfRange,
    IndexOutOfRange,
    RankMismatch,
    RepeatedDim,
)
from namecheck_runtime.mistakes.memory import (
    NoncontiguousView,
    OverlappingWrite,
    StorageBounds,
    WriteToExpanded,
)
from namecheck_runtime.mistakes.sizes import BadExtent, BadStep, ExpandSize, ReshapeSize
from namecheck_runtime.records import NamedTuple
from namecheck_runtime.sizes import (
    above_one,
    add,
    ceil_divide,
    divide_exactly,
    floor_divide,
    multiply,
    product,
    subtract,
    total,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, TypeAlias

Extent: TypeAlias = "Size"
Extents: TypeAlias = "tuple[Extent, ...]"


class Geometry(NamedTuple):
    """Where the elements lie: `x[i, j]` is at place `offset + i*strides[0] + j*strides[1]`."""

    sizes: Extents
    strides: Extents
    offset: Extent = 0


class RowMajor(Enum):
    """The type of `ROW_MAJOR`: strides that are contiguous, whatever the sizes are."""

    ROW_MAJOR = "ROW_MAJOR"


ROW_MAJOR: Final = RowMajor.ROW_MAJOR

Strides: TypeAlias = "Extents | RowMajor | Unknown"
"""What a reader holds of a tensor beside its sizes; single strides may be UNKNOWN."""


class Copy(Enum):
    """The type of `COPY`: no view has this shape over this memory, the elements must be copied."""

    COPY = "COPY"


COPY: Final = Copy.COPY

Item: TypeAlias = "int | slice | EllipsisType | None"
"""One entry of a subscript: bool is an int to the type checker, and a mask to `index`."""

Key: TypeAlias = "Item | tuple[Item, ...]"

_LARGEST: Final = 2**63 - 1


# -- the door: what may be asked of an extent ------------------------------------------------------


class Undecided(Exception):
    """The extents do not say for certain what was asked."""


def sure(truth: Truth) -> bool:
    """A three-valued answer as a two-valued one.  Raises Undecided for MAYBE."""
    if truth is Truth.MAYBE:
        raise Undecided
    return truth is Truth.YES


def compare(a: Extent, b: Extent) -> Truth:
    """Whether two extents are equal."""
    if isinstance(a, int) and isinstance(b, int):
        return Truth.YES if a == b else Truth.NO
    if a is UNKNOWN or b is UNKNOWN:
        return Truth.MAYBE
    if a == b:
        return Truth.YES
    return Truth.MAYBE if above_one(subtract(a, b)) is Truth.MAYBE else Truth.NO


def same(a: Extent, b: Extent) -> bool:
    """Whether two extents are equal.  Raises Undecided."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return sure(compare(a, b))


def alike(a: Extents, b: Extents) -> bool:
    """Whether two lists of extents are equal, one by one.  Raises Undecided."""
    return len(a) == len(b) and all(map(same, a, b))


def less(a: Extent, b: Extent) -> bool:
    """Whether `a < b`.  Raises Undecided."""
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    return a != b and sure(above_one(subtract(b, a)))


def is_one(a: Extent) -> bool:
    """Whether an extent is 1: a dim of size 1 has a stride nobody follows.  Raises Undecided."""
    return same(a, 1)


def is_zero(a: Extent) -> bool:
    """Whether an extent is 0: no elements, or all of a dim in one place.  Raises Undecided for a
    stride that is not known; a size that is not known is at least 1.
    """
    return same(a, 0)


def _is_empty(size: Extent) -> bool:
    return size == 0


def _count(extent: Extent) -> int:
    """An extent that has to be a number: how many pieces there are, how long each is."""
    if not isinstance(extent, int):
        raise Undecided
    return extent


# -- contiguity ------------------------------------------------------------------------------------


def numel(sizes: Extents) -> Extent:
    """How many elements a tensor of these sizes has."""
    return product(sizes)


def contiguous_strides(sizes: Extents) -> Extents:
    """Row-major strides: the last dim is the fastest.  A dim of size 0 counts as 1."""
    strides: list[Extent] = []
    step: Extent = 1
    for size in reversed(sizes):
        strides.append(step)
        if not _is_empty(size):
            step = multiply(step, size)
    return tuple(reversed(strides))


def fresh(sizes: Extents) -> Geometry:
    """A new row-major tensor of these sizes: what a copying `reshape` or `contiguous` gives."""
    return Geometry(sizes, contiguous_strides(sizes))


def is_contiguous(g: Geometry) -> bool:
    """Whether the elements lie in row-major order without gaps; dims of size 1 do not count.

    Raises Undecided.
    """
    return sure(contiguity(g))


def contiguity(g: Geometry) -> Truth:
    """As `is_contiguous`, in three values."""
    step: Extent = 1
    answer = Truth.YES
    for size, stride in zip(reversed(g.sizes), reversed(g.strides), strict=True):
        if _is_empty(size):
            return Truth.YES
        if size == 1:
            continue
        follows = compare(stride, step)
        if follows is Truth.NO and compare(size, 1) is not Truth.NO:
            follows = Truth.MAYBE
        if follows is Truth.NO or answer is Truth.YES:
            answer = follows
        step = multiply(step, size)
    return answer


def is_channels_last(g: Geometry, rank: int = 4) -> bool:
    """Whether the elements of an `[N, C, H, W]` tensor lie in the order N, H, W, C without gaps, or
    with `rank` 5 those of an `[N, C, D, H, W]` one.
    """
    if len(g.sizes) != rank:
        return False
    step: Extent = 1
    for dim in (1, *range(rank - 1, 1, -1), 0):
        if not is_one(g.sizes[dim]):
            if not same(g.strides[dim], step):
                return False
            step = multiply(step, g.sizes[dim])
    return True


def channels_last_strides(sizes: Extents) -> Extents:
    """Strides of the order N, H, W, C (or N, D, H, W, C) of dims N, C, H, W (or N, C, D, H, W)."""
    spatial = range(len(sizes) - 1, 1, -1)
    return _strides_in_order(sizes, (1, *spatial, 0))


def is_non_overlapping_and_dense(g: Geometry) -> bool:
    """Whether the elements fill one piece of memory, each place once, in whatever order of dims."""
    if is_contiguous(g):
        return True
    todo = [k for k, size in enumerate(g.sizes) if not is_one(size)]
    step: Extent = 1
    while todo:
        answers = {k: compare(g.strides[k], step) for k in todo}
        k = next((k for k in todo if answers[k] is Truth.YES), None)
        if k is None:
            return any(map(sure, answers.values()))
        todo.remove(k)
        step = multiply(step, g.sizes[k])
    return True


# -- fresh memory: the layout of what an op allocates ----------------------------------------------


def fresh_strides(*operands: Geometry) -> Extents:
    """Strides of the result of a pointwise op, which keeps its operands' order of dims in memory.

    The sizes of the operands must broadcast.  A result of one operand is the unary case (`neg`,
    `relu`).
    """
    sizes = _broadcast(operands)
    if all(alike(g.sizes, sizes) for g in operands):
        if all(map(is_contiguous, operands)):
            return contiguous_strides(sizes)
        if all(map(is_channels_last, operands)):
            return _strides_in_order(sizes, (1, 3, 2, 0))
        first = operands[0]
        if is_non_overlapping_and_dense(first):
            if all(alike(g.strides, first.strides) for g in operands):
                return first.strides
    order = _memory_order(sizes, [_broadcast_strides(g, sizes) for g in operands])
    if order == tuple(reversed(range(len(sizes)))):
        return contiguous_strides(sizes)
    strides: list[Extent] = [1] * len(sizes)
    step: Extent = 1
    for dim in order:
        strides[dim] = step
        # With a size of 0 the slower strides are 0, not as in _strides_in_order.
        step = multiply(step, sizes[dim])
    return tuple(strides)


def clone_strides(g: Geometry) -> Extents:
    """Strides of `clone()` and `empty_like()`: a dense tensor's own, else dense in its order."""
    if is_non_overlapping_and_dense(g):
        return g.strides
    return _strides_in_order(g.sizes, _memory_order(g.sizes, [g.strides]))


def _strides_in_order(sizes: Extents, order: Iterable[int]) -> Extents:
    """Dense strides with `order[0]` the fastest dim; dims of size 0 count as 1."""
    strides: list[Extent] = [1] * len(sizes)
    step: Extent = 1
    for dim in order:
        strides[dim] = step
        if not _is_empty(sizes[dim]):
            step = multiply(step, sizes[dim])
    return tuple(strides)


def _memory_order(sizes: Extents, layouts: Sequence[Extents]) -> tuple[int, ...]:
    """Dims from the fastest to the slowest.

    An insertion sort from the last dim on that leaves alone what it cannot decide: a stride of 0 in
    a layout says nothing, so the next layout is asked; of equal strides the smaller size goes
    first.  Pairs may be undecided while their neighbours are not, so no library sort gives the same
    order.
    """
    order = list(reversed(range(len(sizes))))
    for i in range(1, len(order)):
        here = i
        for k in reversed(range(i)):
            verdict = _compare_speed(order[k], order[here], sizes, layouts)
            if verdict > 0:
                order[k], order[here] = order[here], order[k]
                here = k
            elif verdict < 0:
                break
    return tuple(order)


def _compare_speed(a: int, b: int, sizes: Extents, layouts: Sequence[Extents]) -> int:
    """-1: dim a stays the faster one; 1: dim b is; 0: nothing says which."""
    for strides in layouts:
        if is_zero(strides[a]) or is_zero(strides[b]):
            continue
        if less(strides[a], strides[b]):
            return -1
        if less(strides[b], strides[a]) or less(sizes[b], sizes[a]):
            return 1
    return 0


def _broadcast(operands: Sequence[Geometry]) -> Extents:
    rank = max(len(g.sizes) for g in operands)
    sizes: list[Extent] = [1] * rank
    for g in operands:
        for dim, size in enumerate(g.sizes, rank - len(g.sizes)):
            if not is_one(size):
                if sizes[dim] != 1 and not same(sizes[dim], size):
                    raise Undecided  # one of them is 1 if they broadcast
                sizes[dim] = size
    return tuple(sizes)


def _broadcast_strides(g: Geometry, sizes: Extents) -> Extents:
    missing = len(sizes) - len(g.sizes)
    return (0,) * missing + tuple(
        0 if is_one(old) and not is_one(new) else stride
        for old, new, stride in zip(g.sizes, sizes[missing:], g.strides, strict=True)
    )


# -- view, reshape and their kin -------------------------------------------------------------------


def infer_sizes(sizes: Extents, shape: Sequence[Extent]) -> Extents:
    """`shape` with its one -1 replaced by what the number of elements leaves for it.

    Raises ReshapeSize when the numbers of elements differ, or when -1 is not decided; Undecided.
    """
    count = numel(sizes)
    unknown: int | None = None
    known: Extent = 1
    for k, size in enumerate(shape):
        if size == -1:
            if unknown is not None:
                raise _bad_reshape(sizes, shape, "only one dimension can be inferred")
            unknown = k
        elif isinstance(size, int) and size < 0:
            text = f"invalid shape dimension {size} at index {k} of shape {_listed(shape)}"
            raise _bad_reshape(sizes, shape, text)
        else:
            known = multiply(known, size)
    if not isinstance(count, int) or not isinstance(known, int):
        # That symbols do not fit is for rules to say; here they have to.
        if unknown is None and compare(count, known) is not Truth.YES:
            raise Undecided
        rest = divide_exactly(count, known)
        return tuple(rest if k == unknown else size for k, size in enumerate(shape))
    if unknown is None:
        if not same(count, known):
            raise _bad_reshape(sizes, shape)
        return tuple(shape)
    if _is_empty(known):
        if not _is_empty(count):
            raise _bad_reshape(sizes, shape)
        raise _bad_reshape(
            sizes,
            shape,
            f"cannot reshape tensor of 0 elements into shape {_listed(shape)} because the "
            f"unspecified dimension size -1 can be any value and is ambiguous",
        )
    if count % known:
        raise _bad_reshape(sizes, shape)
    return (*shape[:unknown], count // known, *shape[unknown + 1 :])


def view(g: Geometry, shape: Sequence[Extent]) -> Geometry:
    """The same memory under other sizes.

    Raises ReshapeSize when the sizes do not fit, NoncontiguousView when no strides exist for them,
    Undecided.
    """
    sizes = infer_sizes(g.sizes, shape)
    strides = _view_strides(g, sizes)
    if isinstance(strides, int):
        # Nobody steps along a dim of size 1, so the one to be told of is the next.
        gap = next(k for k in range(strides, len(g.sizes)) if g.sizes[k] != 1)
        raise NoncontiguousView(
            source=_dims(g.sizes),
            strides=g.strides,
            target=sizes,
            gap=gap,
            blame=(Blame("self", gap),),
        )
    return Geometry(sizes, strides, g.offset)


def reshape(g: Geometry, shape: Sequence[Extent]) -> Geometry | Copy:
    """The view if there is one, else COPY: the copy is `fresh(infer_sizes(g.sizes, shape))`.

    Raises ReshapeSize.
    """
    sizes = infer_sizes(g.sizes, shape)
    strides = _view_strides(g, sizes)
    return COPY if isinstance(strides, int) else Geometry(sizes, strides, g.offset)


def _view_strides(g: Geometry, sizes: Extents) -> Extents | int:
    """Strides that show the memory of `g` with other sizes of the same product.

    Where there are none: the dim of `g` that does not follow on the one before it in memory, though
    the two would have to merge.  Raises Undecided.
    """
    if not g.sizes:
        return (1,) * len(sizes)
    if _is_empty(numel(g.sizes)):
        return g.strides if alike(g.sizes, sizes) else contiguous_strides(sizes)
    strides: list[Extent] = [0] * len(sizes)
    todo = len(sizes)
    chunk: Extent = 1
    step = g.strides[-1]
    for dim in reversed(range(len(g.sizes))):
        chunk = multiply(chunk, g.sizes[dim])
        # [2, 3] with strides (1, 2): 2 is not 3 * 2, so a chunk ends between the dims; a dim of
        # size 1 ends none.
        if dim and (
            g.sizes[dim - 1] == 1
            or same(g.strides[dim - 1], multiply(chunk, step))
            or is_one(g.sizes[dim - 1])
        ):
            continue
        viewed: Extent = 1
        fits = compare(viewed, chunk)
        open_ = fits is Truth.MAYBE
        while todo and (fits is not Truth.YES or sizes[todo - 1] == 1):
            todo -= 1
            strides[todo] = multiply(viewed, step)
            viewed = multiply(viewed, sizes[todo])
            fits = compare(viewed, chunk)
            open_ = open_ or fits is Truth.MAYBE
        if fits is not Truth.YES:
            if open_:
                raise Undecided
            return dim
        if dim:
            chunk = 1
            step = g.strides[dim - 1]
    if todo:
        raise Undecided  # the products of symbols may be equal all the same
    return tuple(strides)


def flatten(g: Geometry, start_dim: int = 0, end_dim: int = -1) -> Geometry | Copy:
    """Merges a range of dims into one.  COPY: into `fresh(flatten_sizes(..))`.

    Raises DimOutOfRange, BadExtent.
    """
    sizes = flatten_sizes(g, start_dim, end_dim)
    # One dim alone is the tensor itself; `reshape` would give its size-1 dims other strides.
    return g if len(sizes) == len(g.sizes) else reshape(g, sizes)


def flatten_sizes(g: Geometry, start_dim: int = 0, end_dim: int = -1) -> Extents:
    """The sizes after `flatten`; a 0-dim tensor becomes one of size 1."""
    start, end = _position(g, start_dim), _position(g, end_dim)
    if start > end:
        text = "flatten() has invalid args: start_dim cannot come after end_dim"
        raise _bad_extent(g, text, f"start_dim {start_dim} comes after end_dim {end_dim}")
    return (*g.sizes[:start], numel(g.sizes[start : end + 1]), *g.sizes[end + 1 :])


def unflatten(g: Geometry, dim: int, sizes: Sequence[Extent]) -> Geometry:
    """Splits one dim; one of the sizes may be -1.

    Raises ReshapeSize, DimOutOfRange, RankMismatch.
    """
    if not sizes:
        raise _bad_reshape(g.sizes, sizes, "unflatten: sizes must be non-empty")
    k = _position(g, dim)
    prefix = "unflatten got an unexpected error:\n"
    if not g.sizes:
        text = f"{prefix}Dimension specified as {k} but tensor has no dimensions"
        raise _bad_rank(g, "at least 1", text)
    try:
        pieces = infer_sizes((g.sizes[k],), sizes)
    except ReshapeSize as wrong:
        text = (
            f"unflatten: Provided sizes {_listed(sizes)} don't multiply up to the size of dim {k} "
            f"({g.sizes[k]}) in the input tensor"
        )
        raise wrong.but(text=prefix + wrong.text if wrong.text else text) from None
    return view(g, (*g.sizes[:k], *pieces, *g.sizes[k + 1 :]))


def ravel(g: Geometry) -> Geometry | Copy:
    """One dim over a contiguous tensor, else COPY.  (`reshape(-1)` finds more views.)"""
    return view(g, (-1,)) if is_contiguous(g) else COPY


def contiguous(g: Geometry) -> Geometry | Copy:
    """The tensor itself if it is contiguous, else COPY: into `fresh(g.sizes)`."""
    return g if is_contiguous(g) else COPY


# -- expand ----------------------------------------------------------------------------------------


def expand(
    g: Geometry, size: Sequence[Extent], *, tensor_type: str = "torch.FloatTensor"
) -> Geometry:
    """Shows dims of size 1 as larger ones, with stride 0; -1 keeps a size, new dims come in front.

    `tensor_type` is how PyTorch's sentence names the dtype.  Raises ExpandSize, and BadExtent for a
    negative size.
    """
    new = len(size) - len(g.sizes)
    if new < 0:
        raise ExpandSize(
            source=_dims(g.sizes),
            target=tuple(size),
            text=f"expand({tensor_type}{{{_listed(g.sizes)}}}, size={_listed(size)}): the number "
            f"of sizes provided ({len(size)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({len(g.sizes)})",
        )
    sizes: list[Extent] = list(size)
    strides: list[Extent] = [0] * len(size)
    old: Extent
    stride: Extent
    for k in reversed(range(len(size)) if g.sizes else ()):
        if k >= new:
            old, stride = g.sizes[k - new], g.strides[k - new]
        else:
            old, stride = 1, multiply(sizes[k + 1], strides[k + 1])
            if size[k] == -1:
                raise ExpandSize(
                    source=_dims(g.sizes),
                    target=tuple(size),
                    dim=k,
                    text="The expanded size of the tensor (-1) isn't allowed in a leading, "
                    f"non-existing dimension {k}",
                )
        if size[k] == -1 or same(size[k], old):
            sizes[k], strides[k] = old, stride
        elif not is_one(old):
            raise ExpandSize(source=_dims(g.sizes), target=tuple(size), dim=k)
    _require_countable(g, sizes)
    return Geometry(tuple(sizes), tuple(strides), g.offset)


broadcast_to = expand


# -- order of dims ---------------------------------------------------------------------------------


def transpose(g: Geometry, dim0: int, dim1: int) -> Geometry:
    """Two dims change places.  Raises DimOutOfRange."""
    a, b = _position(g, dim0), _position(g, dim1)
    order = list(range(len(g.sizes)))
    if a != b:
        order[a], order[b] = b, a
    return _reorder(g, order)


swapaxes = transpose


def permute(g: Geometry, dims: Sequence[int]) -> Geometry:
    """The dims in a new order.  Raises RankMismatch, DimOutOfRange, RepeatedDim."""
    if len(dims) != len(g.sizes):
        text = (
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {len(g.sizes)} is "
            f"not equal to len(dims) = {len(dims)}"
        )
        raise _bad_rank(g, str(len(dims)), text)
    order: list[int] = []
    for dim in dims:
        k = _position(g, dim)
        if k in order:
            text = "permute(): duplicate dims are not allowed."
            raise RepeatedDim(shape=_dims(g.sizes), dim=k, text=text)
        order.append(k)
    return _reorder(g, order)


def movedim(g: Geometry, source: int | Sequence[int], destination: int | Sequence[int]) -> Geometry:
    """Some dims go to given places, the others keep their order.

    Raises BadExtent, DimOutOfRange, RepeatedDim.
    """
    sources = tuple(source) if isinstance(source, Sequence) else (source,)
    targets = tuple(destination) if isinstance(destination, Sequence) else (destination,)
    if len(sources) != len(targets):
        text = (
            f"movedim: Invalid source or destination dims: source ({_listed(sources)} dims) "
            f"should contain the same number of dims as destination ({_listed(targets)} dims)"
        )
        raise _bad_extent(g, text, f"{len(sources)} dims cannot go to {len(targets)} places")
    moved = [_position(g, dim) for dim in sources]
    places = [_position(g, dim) for dim in targets]
    for what, dims, given in (("source", moved, sources), ("destination", places, targets)):
        for k, dim in enumerate(dims):
            if dim in dims[:k]:
                text = f"movedim: repeated dim in `{what}` ({_listed(given)})"
                raise RepeatedDim(shape=_dims(g.sizes), dim=dim, text=text)
    if not g.sizes:
        return g
    came_from = dict(zip(places, moved, strict=True))
    others = iter([dim for dim in range(len(g.sizes)) if dim not in moved])
    order = [came_from[k] if k in came_from else next(others) for k in range(len(g.sizes))]
    return _reorder(g, order)


def t(g: Geometry) -> Geometry:
    """The transpose of a matrix; fewer dims stay as they are.  Raises RankMismatch."""
    if len(g.sizes) > 2:
        text = f"t() expects a tensor with <= 2 dimensions, but self is {len(g.sizes)}D"
        raise _bad_rank(g, "at most 2", text)
    return T(g)


def T(g: Geometry) -> Geometry:
    """The dims in reverse order."""
    return Geometry(g.sizes[::-1], g.strides[::-1], g.offset)


def H(g: Geometry) -> Geometry:
    """The conjugate transpose of a matrix, as a layout; 0-dim stays.  Raises RankMismatch."""
    rank = len(g.sizes)
    if rank not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if rank > 2 else ""
        text = (
            f"tensor.H is only supported on matrices (2-D tensors). Got {rank}-D tensor.{batches}"
        )
        raise _bad_rank(g, "0 or 2", text)
    return T(g)


def mT(g: Geometry) -> Geometry:
    """The last two dims change places; 0-dim stays.  Raises RankMismatch."""
    return _matrix_transpose(g, "mT")


def mH(g: Geometry) -> Geometry:
    """The conjugate transpose of a batch of matrices, as a layout; 0-dim stays.

    Raises RankMismatch.
    """
    return _matrix_transpose(g, "mH")


def _matrix_transpose(g: Geometry, attribute: str) -> Geometry:
    rank = len(g.sizes)
    if rank == 1:
        text = (
            f"tensor.{attribute} is only supported on matrices or batches of matrices. "
            f"Got {rank}-D tensor."
        )
        raise _bad_rank(g, "at least 2", text)
    return transpose(g, -2, -1) if rank else g


def _reorder(g: Geometry, order: Sequence[int]) -> Geometry:
    return Geometry(
        tuple([g.sizes[k] for k in order]), tuple([g.strides[k] for k in order]), g.offset
    )


# -- dims of size 1 --------------------------------------------------------------------------------


def squeeze(g: Geometry, dim: int | Sequence[int] | None = None) -> Geometry:
    """Drops the dims of size 1 among the given ones (None: all).

    Raises DimOutOfRange, RepeatedDim.
    """
    chosen: list[int] = []
    if dim is None:
        chosen.extend(range(len(g.sizes)))
    else:
        for given in dim if isinstance(dim, Sequence) else (dim,):
            k = _position(g, given)
            if k in chosen:
                raise RepeatedDim(shape=_dims(g.sizes), dim=k)
            chosen.append(k)
    return _reorder(g, [k for k, size in enumerate(g.sizes) if k not in chosen or not is_one(size)])


def unsqueeze(g: Geometry, dim: int) -> Geometry:
    """Inserts a dim of size 1 before position `dim` of the result.  Raises DimOutOfRange."""
    k = _position(g, dim, inserted=1)
    stride = multiply(g.sizes[k], g.strides[k]) if k < len(g.sizes) else 1
    return Geometry(
        (*g.sizes[:k], 1, *g.sizes[k:]), (*g.strides[:k], stride, *g.strides[k:]), g.offset
    )


# -- parts of a tensor -----------------------------------------------------------------------------


def select(g: Geometry, dim: int, index: Extent) -> Geometry:
    """One index of one dim, which disappears.  Raises DimOutOfRange, IndexOutOfRange."""
    if not g.sizes:
        given = index if isinstance(index, int) else 0
        raise _bad_index(g, given, "select() cannot be applied to a 0-dim tensor.")
    k = _position(g, dim)
    size = g.sizes[k]
    if isinstance(index, int) and not _within(index, size):
        text = (
            f"select(): index {index} out of range for tensor of size {_listed(g.sizes)} at "
            f"dimension {k}"
        )
        raise _bad_index(g, index, text, size)
    return _pick(g, k, index)


def _within(index: int, size: Extent) -> bool:
    """Whether an index lies inside; of a symbol it is the business of rules."""
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

    The length is UNKNOWN where the extents do not say it.

    Raises DimOutOfRange, IndexOutOfRange, BadStep.
    """
    if not g.sizes:
        raise _bad_index(g, 0, "slice() cannot be applied to a 0-dim tensor.")
    if isinstance(step, int) and step < 1:
        raise BadStep(
            shape=_dims(g.sizes),
            reason=f"a step of {step} is not supported",
            text="step must be greater than zero" if step else "slice step cannot be zero",
        )
    k = _position(g, dim)
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
    """`length` elements of one dim from `start` on.

    Raises RankMismatch, DimOutOfRange, IndexOutOfRange, BadExtent.
    """
    if not g.sizes:
        text = "narrow() cannot be applied to a 0-dim tensor."
        raise _bad_rank(g, "at least 1", text)
    if isinstance(length, int) and length < 0:
        text = "narrow(): length must be non-negative."
        raise _bad_extent(g, text, f"a length of {length} is negative")
    k = _position(g, dim)
    size = g.sizes[k]
    if not isinstance(start, int) or not isinstance(length, int) or not isinstance(size, int):
        return _cut(g, k, UNKNOWN, length)
    if not -size <= start <= size:
        text = f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        raise _bad_index(g, start, text, size)
    first = start + size if start < 0 else start
    if first + length > size:
        text = f"start ({first}) + length ({length}) exceeds dimension size ({size})."
        reason = f"{length} elements from {first} on do not fit dim {k} of size {size}"
        raise _bad_extent(g, text, reason)
    return _cut(g, k, first, length)


def diagonal(g: Geometry, offset: Extent = 0, dim1: int = 0, dim2: int = 1) -> Geometry:
    """The diagonal of two dims as a new last dim.  Raises DimOutOfRange, RepeatedDim."""
    offset = _count(offset)
    a, b = _position(g, dim1), _position(g, dim2)
    if a == b:
        text = f"diagonal dimensions cannot be identical {dim1}, {dim2}"
        raise RepeatedDim(shape=_dims(g.sizes), dim=a, text=text)
    down, right = (0, offset) if offset >= 0 else (-offset, 0)
    rows, columns = subtract(g.sizes[a], down), subtract(g.sizes[b], right)
    start = g.offset
    try:
        length = rows if less(rows, columns) else columns
        # An empty diagonal stays where the tensor starts: its offset would lie outside the storage.
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
    """Windows of `size` every `step` along one dim, as a new last dim.

    Raises DimOutOfRange, BadExtent.
    """
    k = _position(g, dimension)
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
            raise _bad_extent(g, wrong)
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
    sizes, strides = _listed(size), _listed(stride)
    wrong = ""
    if len(size) != len(stride):
        wrong = "mismatch in length of strides and shape"
    elif any(less(n, 0) for n in stride):
        wrong = (
            f"as_strided: Negative strides are not supported at the moment, got strides: {strides}"
        )
    elif less(offset, 0):
        wrong = f"Tensor: invalid storage offset {offset}"
    elif not any(map(_is_empty, size)):
        steps = zip(size, stride, strict=True)
        reach = [multiply(subtract(n, 1), step) for n, step in steps]
        needed = multiply(total((offset, 1, *reach)), itemsize)
        if any(less(n, 0) for n in reach) or less(_LARGEST, needed):
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
    _require_countable(g, size)
    return Geometry(tuple(size), tuple(stride), offset)


# -- several parts at once -------------------------------------------------------------------------


def split(g: Geometry, split_size: Extent | Sequence[Extent], dim: int = 0) -> tuple[Geometry, ...]:
    """Pieces of one size (the last may be shorter) or of the listed ones.

    Raises RankMismatch, BadExtent, DimOutOfRange.
    """
    if not g.sizes:
        text = "split expects at least a 1-dimensional tensor"
        raise _bad_rank(g, "at least 1", text)
    if not isinstance(split_size, Sequence):
        if less(split_size, 0):
            wrong = f"split expects split_size be non-negative, but got split_size={split_size}"
            raise _bad_extent(g, wrong)
        k = _position(g, dim)
        size = g.sizes[k]
        if _is_empty(split_size):
            if not _is_empty(size):
                wrong = (
                    f"split_size can only be 0 if dimension size is 0, but got dimension size of "
                    f"{size}"
                )
                raise _bad_extent(g, wrong)
            return (g,)
        # max(.., 1): a dim of size 0 is one piece, itself
        count = max(_count(ceil_divide(size, split_size)), 1)
        return _pieces(g, k, [multiply(n, split_size) for n in range(1, count)])
    k = _position(g, dim)
    size = g.sizes[k]
    sizes = _listed(split_size)
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
        raise _bad_extent(g, wrong)
    if not split_size:
        return ()
    return _pieces(g, k, [total(split_size[:n]) for n in range(1, len(split_size))])


def chunk(g: Geometry, chunks: int, dim: int = 0) -> tuple[Geometry, ...]:
    """At most `chunks` pieces of equal size, the last shorter.

    Raises RankMismatch, BadExtent, DimOutOfRange.
    """
    if not g.sizes:
        text = "chunk expects at least a 1-dimensional tensor"
        raise _bad_rank(g, "at least 1", text)
    if chunks < 1:
        wrong = f"chunk expects `chunks` to be greater than 0, got: {chunks}"
        raise _bad_extent(g, wrong)
    k = _position(g, dim)
    size = g.sizes[k]
    # A dim of size 0 gives all the pieces that were asked for; `split` would give one.
    return split(g, [0] * chunks if _is_empty(size) else ceil_divide(size, chunks), k)


def tensor_split(
    g: Geometry, indices_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Geometry, ...]:
    """A number of pieces (the first ones one longer) or cuts at the given places.

    Raises RankMismatch, BadExtent, DimOutOfRange.
    """
    if not g.sizes:
        text = "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        raise _bad_rank(g, "at least 1", text)
    k = _position(g, dim)
    if not isinstance(indices_or_sections, int):
        return _pieces(g, k, indices_or_sections)
    if indices_or_sections < 1:
        wrong = f"number of sections must be larger than 0, got {indices_or_sections}"
        raise _bad_extent(g, wrong)
    length, longer = divmod(_count(g.sizes[k]), indices_or_sections)
    cuts = [n * length + min(n, longer) for n in range(1, indices_or_sections)]
    return _pieces(g, k, cuts)


def _pieces(g: Geometry, k: int, cuts: Sequence[Extent]) -> tuple[Geometry, ...]:
    """The parts of dim k between cuts; where a cut lies before the one before it, an empty part."""
    return tuple(
        slice_dim(g, k, start, end) for start, end in zip((None, *cuts), (*cuts, None), strict=True)
    )


def unbind(g: Geometry, dim: int = 0) -> tuple[Geometry, ...]:
    """One tensor per index of a dim, which disappears.  Raises DimOutOfRange."""
    k = _position(g, dim)
    if not g.sizes:
        text = f"Dimension specified as {k} but tensor has no dimensions"
        raise DimOutOfRange(shape=(), dim=dim, rank=0, text=text)
    return tuple(_pick(g, k, n) for n in range(_count(g.sizes[k])))


# -- subscripts ------------------------------------------------------------------------------------


def index(g: Geometry, key: Key) -> Geometry | Copy:
    """`x[key]` for ints, slices, None, Ellipsis and tuples of them; a second Ellipsis is no dims.

    COPY if a bool is among them: `index_copy` says of what.

    Raises IndexOutOfRange, BadStep.
    """
    part, masks = _subscript(g, key)
    return COPY if masks else part


def index_copy(g: Geometry, key: Key) -> tuple[Geometry, Extents]:
    """The elements that a subscript with bools copies, in order, and the strides that the copy has.

    A bool is a mask over a dim of size 1 put there: True keeps it, False empties it.  Several of
    them are one index: it stands where they stood if they are neighbours, else in front.  Source:
    measured.
    """
    part, masks = _subscript(g, key)
    if not masks:
        return part, fresh_strides(part)
    first, last = min(masks), max(masks)
    place = first if last - first + 1 == len(masks) else 0
    length = 1 if all(masks.values()) else 0
    rest = _reorder(part, [k for k in range(len(part.sizes)) if k not in masks])
    source = Geometry(
        (*rest.sizes[:place], length, *rest.sizes[place:]),
        (*rest.strides[:place], 0, *rest.strides[place:]),
        part.offset,
    )
    mask = fresh((1,) * place + (length,) + (1,) * (len(rest.sizes) - place))
    return source, fresh_strides(source, *[mask] * len(masks))


def _subscript(g: Geometry, key: Key) -> tuple[Geometry, dict[int, bool]]:
    """The part that a subscript shows, and where in it bools inserted a dim."""
    items = key if isinstance(key, tuple) else (key,)
    wanted = sum(_takes_dim(item) for item in items)
    if isinstance(key, int) and _takes_dim(key) and not g.sizes:
        text = f"index {key} is out of bounds for dimension 0 with size 0"
        if key == 0:
            text = (
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
            )
        raise _bad_index(g, key, text)
    if wanted > len(g.sizes) and isinstance(key, tuple):
        raise _bad_index(g, 0, f"too many indices for tensor of dimension {len(g.sizes)}")
    part = g
    dim = 0
    hidden = len(g.sizes) - wanted
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
                raise _bad_index(g, item, text, size)
            part = _pick(part, dim, item)
    return part, masks


def _takes_dim(item: Item) -> bool:
    return isinstance(item, (slice, int)) and not isinstance(item, bool)


# -- overlap ---------------------------------------------------------------------------------------


class Overlap(Enum):
    """How the memory of two tensors of one storage meets."""

    NONE = "none"
    FULL = "full"
    """The very same elements at the same indices."""
    PARTIAL = "partial"
    UNSURE = "unsure"
    """One of them has gaps or shares memory within itself; no cheap test decides."""


def has_internal_overlap(g: Geometry) -> bool:
    """Whether some dim of size > 1 has stride 0, so that several elements are one place in memory.

    Other ways of overlapping itself (`as_strided((2, 2), (1, 1))`) are not noticed, as in PyTorch.
    """
    return shared_dim(g) is not None


def shared_dim(g: Geometry) -> int | None:
    """The first dim of size > 1 with stride 0; None if there is none, or no element at all."""
    if _is_empty(numel(g.sizes)):
        return None
    for k, (size, stride) in enumerate(zip(g.sizes, g.strides, strict=True)):
        if stride == 0 and less(1, size):
            return k
    return None


def overlap(a: Geometry, b: Geometry) -> Overlap:
    """How two tensors over one storage meet.  Two tensors of different storages never do."""
    if same(a.offset, b.offset) and alike(a.sizes, b.sizes) and alike(a.strides, b.strides):
        return Overlap.FULL
    count_a, count_b = numel(a.sizes), numel(b.sizes)
    if _is_empty(count_a) or _is_empty(count_b):
        return Overlap.NONE
    if not is_non_overlapping_and_dense(a) or not is_non_overlapping_and_dense(b):
        return Overlap.UNSURE
    if same(a.offset, b.offset) and same(count_a, count_b):
        return Overlap.FULL if alike(a.strides, b.strides) else Overlap.PARTIAL
    if less(a.offset, add(b.offset, count_b)) and less(b.offset, add(a.offset, count_a)):
        return Overlap.PARTIAL
    return Overlap.NONE


def require_writable(g: Geometry) -> None:
    """Raises WriteToExpanded if writing to one element would write to others."""
    dim = shared_dim(g)
    if dim is not None:
        raise WriteToExpanded(target=_dims(g.sizes), dim=dim, blame=(Blame("self", dim),))


def require_apart(written: Geometry, read: Geometry) -> None:
    """Raises OverlappingWrite if an op that writes the one would read in the other what it wrote.

    Both lie in one storage.  Exactly the same elements are fine.
    """
    if overlap(written, read) is Overlap.PARTIAL:
        raise OverlappingWrite(written=_dims(written.sizes), read=_dims(read.sizes))


# -- positions, and what mistakes are told ---------------------------------------------------------


def _position(g: Geometry, dim: int, inserted: int = 0) -> int:
    """The dim counted from the left; a 0-dim tensor has one dim to name, as in PyTorch."""
    if not isinstance(dim, int):
        raise Undecided
    rank = max(len(g.sizes) + inserted, 1)
    if not -rank <= dim < rank:
        raise DimOutOfRange(shape=_dims(g.sizes), dim=dim, rank=rank)
    return dim + rank if dim < 0 else dim


def _require_countable(g: Geometry, sizes: Sequence[Extent]) -> None:
    count = numel(tuple(sizes))
    if any(isinstance(size, int) and size < 0 for size in sizes) or (
        isinstance(count, int) and count > _LARGEST
    ):
        text = "numel: integer multiplication overflow"
        raise _bad_extent(g, text, f"no tensor has sizes {_listed(sizes)}")


def _bad_index(g: Geometry, index: int, text: str, size: Extent = 0) -> IndexOutOfRange:
    return IndexOutOfRange(shape=_dims(g.sizes), dim=index, rank=len(g.sizes), size=size, text=text)


def _bad_rank(g: Geometry, wanted: str, text: str) -> RankMismatch:
    return RankMismatch(shape=_dims(g.sizes), wanted=wanted, text=text)


def _bad_extent(g: Geometry, text: str, reason: str = "") -> BadExtent:
    return BadExtent(shape=_dims(g.sizes), reason=reason or text, text=text)


def _bad_reshape(sizes: Extents, shape: Sequence[Extent], text: str = "") -> ReshapeSize:
    return ReshapeSize(source=_dims(sizes), target=tuple(shape), count=numel(sizes), text=text)


def _dims(sizes: Sequence[Extent]) -> Dims:
    return tuple(Dim(None, size) for size in sizes)


def _listed(sizes: Sequence[Extent]) -> str:
    return "[" + ", ".join(map(str, sizes)) + "]"
