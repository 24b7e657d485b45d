"""Views that change the sizes, the order or the number of dims: `view`, `expand`, `permute`, ...

Each function has the parameters of the op that it answers for.
"""

from __future__ import annotations

from collections.abc import Sequence

from namecheck_runtime.lattice import Truth
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import ExpandSize
from namecheck_runtime.mistakes.dims import RepeatedDim
from namecheck_runtime.mistakes.memory import NoncontiguousView
from namecheck_runtime.mistakes.sizes import ReshapeSize
from namecheck_runtime.sizes import divide_exactly, multiply
from namecheck_runtime.strides.contiguity import contiguous_strides, is_contiguous
from namecheck_runtime.strides.geometry import (
    COPY,
    Copy,
    Extent,
    Extents,
    Geometry,
    Undecided,
    alike,
    bad_extent,
    bad_rank,
    bad_reshape,
    compare,
    is_empty,
    is_one,
    listed,
    numel,
    position_of,
    require_countable,
    same,
    unnamed_dims,
)

# -- view, reshape and the like --------------------------------------------------------------------


def infer_sizes(sizes: Extents, shape: Sequence[Extent]) -> Extents:
    """`shape` with its one -1 replaced by the size that the number of elements requires.

    Raises ReshapeSize if the numbers of elements differ or do not determine the -1; Undecided.
    """
    count = numel(sizes)
    unknown: int | None = None
    known: Extent = 1
    for k, size in enumerate(shape):
        if size == -1:
            if unknown is not None:
                raise bad_reshape(sizes, shape, "only one dimension can be inferred")
            unknown = k
        elif isinstance(size, int) and size < 0:
            text = f"invalid shape dimension {size} at index {k} of shape {listed(shape)}"
            raise bad_reshape(sizes, shape, text)
        else:
            known = multiply(known, size)
    if not isinstance(count, int) or not isinstance(known, int):
        # Rules say whether symbols fit; here they must.
        if unknown is None and compare(count, known) is not Truth.YES:
            raise Undecided
        rest = divide_exactly(count, known)
        return tuple(rest if k == unknown else size for k, size in enumerate(shape))
    if unknown is None:
        if not same(count, known):
            raise bad_reshape(sizes, shape)
        return tuple(shape)
    if is_empty(known):
        if not is_empty(count):
            raise bad_reshape(sizes, shape)
        raise bad_reshape(
            sizes,
            shape,
            f"cannot reshape tensor of 0 elements into shape {listed(shape)} because the "
            f"unspecified dimension size -1 can be any value and is ambiguous",
        )
    if count % known:
        raise bad_reshape(sizes, shape)
    return (*shape[:unknown], count // known, *shape[unknown + 1 :])


def view(g: Geometry, shape: Sequence[Extent]) -> Geometry:
    """The same memory under other sizes.

    Raises ReshapeSize if the sizes do not fit, NoncontiguousView if no strides exist for them,
    Undecided.
    """
    sizes = infer_sizes(g.sizes, shape)
    strides = _view_strides(g, sizes)
    if isinstance(strides, int):
        # The stride of a dim of size 1 does not matter, so the dim to report is the next one.
        gap = next(k for k in range(strides, len(g.sizes)) if g.sizes[k] != 1)
        raise NoncontiguousView(
            source=unnamed_dims(g.sizes),
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

    If there are none: the dim of `g` that would have to merge with the one before it, but does not
    follow it in memory.  Raises Undecided.
    """
    if not g.sizes:
        return (1,) * len(sizes)
    if is_empty(numel(g.sizes)):
        return g.strides if alike(g.sizes, sizes) else contiguous_strides(sizes)
    if g.strides == contiguous_strides(g.sizes):
        return contiguous_strides(sizes)  # the usual case, of which the rest gives the same
    strides: list[Extent] = [0] * len(sizes)
    remaining = len(sizes)
    chunk: Extent = 1
    step = g.strides[-1]
    for dim in reversed(range(len(g.sizes))):
        chunk = multiply(chunk, g.sizes[dim])
        # [2, 3] with strides (1, 2): 2 is not 3 * 2, so a chunk ends between the dims.  A dim of
        # size 1 never ends one.
        if dim and (
            g.sizes[dim - 1] == 1
            or same(g.strides[dim - 1], multiply(chunk, step))
            or is_one(g.sizes[dim - 1])
        ):
            continue
        viewed: Extent = 1
        fits = compare(viewed, chunk)
        open_ = fits is Truth.MAYBE
        while remaining and (fits is not Truth.YES or sizes[remaining - 1] == 1):
            remaining -= 1
            strides[remaining] = multiply(viewed, step)
            viewed = multiply(viewed, sizes[remaining])
            fits = compare(viewed, chunk)
            open_ = open_ or fits is Truth.MAYBE
        if fits is not Truth.YES:
            if open_:
                raise Undecided
            return dim
        if dim:
            chunk = 1
            step = g.strides[dim - 1]
    if remaining:
        raise Undecided  # the products of symbols may still be equal
    return tuple(strides)


def flatten(g: Geometry, start_dim: int = 0, end_dim: int = -1) -> Geometry | Copy:
    """Merges a range of dims into one; COPY, to `fresh(flatten_sizes(..))`, if no view does.

    Raises DimOutOfRange, BadExtent.
    """
    sizes = flatten_sizes(g, start_dim, end_dim)
    # A single dim gives the tensor itself; `reshape` would give dims of size 1 other strides.
    return g if len(sizes) == len(g.sizes) else reshape(g, sizes)


def flatten_sizes(g: Geometry, start_dim: int = 0, end_dim: int = -1) -> Extents:
    """The sizes after `flatten`; a 0-dim tensor becomes one of size 1."""
    start, end = position_of(g, start_dim), position_of(g, end_dim)
    if start > end:
        text = "flatten() has invalid args: start_dim cannot come after end_dim"
        raise bad_extent(g, text, f"start_dim {start_dim} comes after end_dim {end_dim}")
    return (*g.sizes[:start], numel(g.sizes[start : end + 1]), *g.sizes[end + 1 :])


def unflatten(g: Geometry, dim: int, sizes: Sequence[Extent]) -> Geometry:
    """Splits one dim; one of the sizes may be -1.

    Raises ReshapeSize, DimOutOfRange, RankMismatch.
    """
    if not sizes:
        raise bad_reshape(g.sizes, sizes, "unflatten: sizes must be non-empty")
    k = position_of(g, dim)
    prefix = "unflatten got an unexpected error:\n"
    if not g.sizes:
        text = f"{prefix}Dimension specified as {k} but tensor has no dimensions"
        raise bad_rank(g, "at least 1", text)
    try:
        pieces = infer_sizes((g.sizes[k],), sizes)
    except ReshapeSize as wrong:
        text = (
            f"unflatten: Provided sizes {listed(sizes)} don't multiply up to the size of dim {k} "
            f"({g.sizes[k]}) in the input tensor"
        )
        raise wrong.but(text=prefix + wrong.text if wrong.text else text) from None
    return view(g, (*g.sizes[:k], *pieces, *g.sizes[k + 1 :]))


def ravel(g: Geometry) -> Geometry | Copy:
    """One dim if the tensor is contiguous, else COPY.  (`reshape(-1)` finds more views.)"""
    return view(g, (-1,)) if is_contiguous(g) else COPY


def contiguous(g: Geometry) -> Geometry | Copy:
    """The tensor itself if it is contiguous, else COPY, to `fresh(g.sizes)`."""
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
            source=unnamed_dims(g.sizes),
            target=tuple(size),
            text=f"expand({tensor_type}{{{listed(g.sizes)}}}, size={listed(size)}): the number "
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
                    source=unnamed_dims(g.sizes),
                    target=tuple(size),
                    dim=k,
                    text="The expanded size of the tensor (-1) isn't allowed in a leading, "
                    f"non-existing dimension {k}",
                )
        if size[k] == -1 or same(size[k], old):
            sizes[k], strides[k] = old, stride
        elif not is_one(old):
            raise ExpandSize(source=unnamed_dims(g.sizes), target=tuple(size), dim=k)
    require_countable(g, sizes)
    return Geometry(tuple(sizes), tuple(strides), g.offset)


broadcast_to = expand


# -- order of dims ---------------------------------------------------------------------------------


def transpose(g: Geometry, dim0: int, dim1: int) -> Geometry:
    """Two dims exchanged.  Raises DimOutOfRange."""
    a, b = position_of(g, dim0), position_of(g, dim1)
    order = list(range(len(g.sizes)))
    if a != b:
        order[a], order[b] = b, a
    return reordered(g, order)


swapaxes = transpose


def permute(g: Geometry, dims: Sequence[int]) -> Geometry:
    """The dims in a new order.  Raises RankMismatch, DimOutOfRange, RepeatedDim."""
    if len(dims) != len(g.sizes):
        text = (
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {len(g.sizes)} is "
            f"not equal to len(dims) = {len(dims)}"
        )
        raise bad_rank(g, str(len(dims)), text)
    order: list[int] = []
    for dim in dims:
        k = position_of(g, dim)
        if k in order:
            text = "permute(): duplicate dims are not allowed."
            raise RepeatedDim(shape=unnamed_dims(g.sizes), dim=k, text=text)
        order.append(k)
    return reordered(g, order)


def movedim(g: Geometry, source: int | Sequence[int], destination: int | Sequence[int]) -> Geometry:
    """Some dims moved to the given positions; the others keep their order.

    Raises BadExtent, DimOutOfRange, RepeatedDim.
    """
    sources = tuple(source) if isinstance(source, Sequence) else (source,)
    targets = tuple(destination) if isinstance(destination, Sequence) else (destination,)
    if len(sources) != len(targets):
        text = (
            f"movedim: Invalid source or destination dims: source ({listed(sources)} dims) "
            f"should contain the same number of dims as destination ({listed(targets)} dims)"
        )
        raise bad_extent(g, text, f"{len(sources)} dims cannot go to {len(targets)} places")
    moved = [position_of(g, dim) for dim in sources]
    places = [position_of(g, dim) for dim in targets]
    for what, dims, refs in (("source", moved, sources), ("destination", places, targets)):
        for k, dim in enumerate(dims):
            if dim in dims[:k]:
                text = f"movedim: repeated dim in `{what}` ({listed(refs)})"
                raise RepeatedDim(shape=unnamed_dims(g.sizes), dim=dim, text=text)
    if not g.sizes:
        return g
    came_from = dict(zip(places, moved, strict=True))
    others = iter([dim for dim in range(len(g.sizes)) if dim not in moved])
    order = [came_from[k] if k in came_from else next(others) for k in range(len(g.sizes))]
    return reordered(g, order)


def t(g: Geometry) -> Geometry:
    """The transpose of a matrix; tensors of fewer dims unchanged.  Raises RankMismatch."""
    if len(g.sizes) > 2:
        text = f"t() expects a tensor with <= 2 dimensions, but self is {len(g.sizes)}D"
        raise bad_rank(g, "at most 2", text)
    return T(g)


def T(g: Geometry) -> Geometry:
    """The dims in reverse order."""
    return Geometry(g.sizes[::-1], g.strides[::-1], g.offset)


def H(g: Geometry) -> Geometry:
    """The layout of the conjugate transpose of a matrix; 0-dim unchanged.  Raises RankMismatch."""
    rank = len(g.sizes)
    if rank not in (0, 2):
        batches = " For batches of matrices, consider using tensor.mH" if rank > 2 else ""
        text = (
            f"tensor.H is only supported on matrices (2-D tensors). Got {rank}-D tensor.{batches}"
        )
        raise bad_rank(g, "0 or 2", text)
    return T(g)


def mT(g: Geometry) -> Geometry:
    """The last two dims exchanged; 0-dim unchanged.  Raises RankMismatch."""
    return _matrix_transpose(g, "mT")


def mH(g: Geometry) -> Geometry:
    """The layout of the conjugate transpose of a batch of matrices; 0-dim unchanged.

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
        raise bad_rank(g, "at least 2", text)
    return transpose(g, -2, -1) if rank else g


def reordered(g: Geometry, order: Sequence[int]) -> Geometry:
    """The dims of `order`, in that order; the others are dropped."""
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
        for ref in dim if isinstance(dim, Sequence) else (dim,):
            k = position_of(g, ref)
            if k in chosen:
                raise RepeatedDim(shape=unnamed_dims(g.sizes), dim=k)
            chosen.append(k)
    return reordered(
        g, [k for k, size in enumerate(g.sizes) if k not in chosen or not is_one(size)]
    )


def unsqueeze(g: Geometry, dim: int) -> Geometry:
    """Inserts a dim of size 1 before position `dim` of the result.  Raises DimOutOfRange."""
    k = position_of(g, dim, inserted=1)
    stride = multiply(g.sizes[k], g.strides[k]) if k < len(g.sizes) else 1
    return Geometry(
        (*g.sizes[:k], 1, *g.sizes[k:]), (*g.strides[:k], stride, *g.strides[k:]), g.offset
    )
