"""Ops that repeat elements along dims: without copying (`expand`) or by copying (`repeat`, `tile`).

A dim that grows keeps its name; new leading dims are unnamed.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    allow_one,
    check_distinct,
    element_count,
    fresh,
    merge,
    of_rank,
    position,
    replace,
    require_equal,
)
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import (
    DimRef,
    Memory,
    Shape,
    Shapes,
    Size,
    Sizes,
    Tensors,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.broadcasts import ExpandSize
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, JoinSize

# To given sizes.


@op("Tensor.expand")
def expand(self: Shape, *size: Size, implicit: object = False) -> Shape:
    """Each dim of size 1 grows to the size asked for; -1 keeps a dim; new dims come in front.

    Raises ExpandSize.  Source: name inference, "expand": new leading dims are unnamed.
    """
    return expanded(self, size, "self")


@op("torch.broadcast_to", "Tensor.broadcast_to")
def broadcast_to(input: Shape, *size: Size) -> Shape:
    """As `expand`.  Raises ExpandSize.  Source: torch.broadcast_to."""
    return expanded(input, size)


@op(numpy="broadcast_to")
def broadcast_to_numpy(input: Shape, *shape: Size, subok: object = False) -> Shape:
    """Each dim of size 1 grows to the size asked for; new dims come in front.

    Raises ExpandSize.  Source: numpy.broadcast_to.
    """
    return expanded(input, shape)


@op("torch.expand_copy", memory=Memory.NEW)
def expand_copy(input: Shape, *size: Size, implicit: object = False) -> Shape:
    """As `expand`, into fresh memory.  Raises ExpandSize.  Source: torch.expand_copy."""
    return expanded(input, size)


@op("Tensor.expand_as")
def expand_as(self: Shape, other: Shape) -> Shape:
    """As `expand` to the other's sizes; the other's names are ignored.

    Raises ExpandSize.  Source: torch.Tensor.expand_as.
    """
    if isinstance(other, tuple):
        return expanded(self, tuple(dim.size for dim in other), "self")
    # Only the last dims of the result are known: ours, grown to the other's sizes.
    known = known_dims(other)
    mine = known_dims(self)[-len(known) :] if known else ()
    grown = expanded(mine, tuple(dim.size for dim in known[len(known) - len(mine) :]), "self")
    front = known[: len(known) - len(mine)]
    name = None if isinstance(self, tuple) else UNKNOWN
    return trailing((*(Dim(name, dim.size) for dim in front), *known_dims(grown)))


def expanded(input: Shape, size: Sizes, argument: str = "input", target: str = "size") -> Shape:
    """The shape of `input` expanded to `size`."""
    known = known_dims(input)
    if len(known) > len(size):
        numbers = size_list(known)
        listed = ", ".join(map(str, size))
        raise ExpandSize(
            source=input,
            target=tuple(size),
            text=(
                f"expand(torch.FloatTensor{{{numbers}}}, size=[{listed}]): the number of sizes "
                f"provided ({len(size)}) must be greater or equal to the number of dimensions in "
                f"the tensor ({len(known)})"
            ),
            blame=(Blame(argument), Blame(target)),
        )
    front = len(size) - len(known)
    # PyTorch looks at the last dim first.
    dims = [
        _expand_dim(known[k], size[front + k], input, tuple(size), front + k, argument)
        for k in reversed(range(len(known)))
    ][::-1]
    has_rank = isinstance(input, tuple)
    for place, wanted in enumerate(size[:front]):
        if has_rank and isinstance(wanted, int) and wanted < 0:
            text = (
                f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, "
                f"non-existing dimension {place}"
            )
            raise ExpandSize(
                source=input,
                target=tuple(size),
                text=text,
                blame=(Blame(argument), Blame(target)),
            )
    # A dim in front is new, unless the input has leading dims that are not known.
    name = None if has_rank else UNKNOWN
    leading = [Dim(name, UNKNOWN if wanted == -1 else wanted) for wanted in size[:front]]
    return (*leading, *dims)


def _expand_dim(
    dim: Dim, wanted: Size, input: Shape, size: tuple[Size, ...], place: int, argument: str
) -> Dim:
    if wanted == -1 or wanted == dim.size:
        return dim
    if wanted is UNKNOWN:
        # It may be -1: only a dim that cannot be 1 is sure to stay.
        stays = isinstance(dim.size, int) and dim.size != 1
        return dim if stays else dim.resize(UNKNOWN)
    mistake = ExpandSize(
        source=input if isinstance(input, tuple) else (dim,),
        target=size if isinstance(input, tuple) else (wanted,),
        dim=place if isinstance(input, tuple) else 0,
        blame=(Blame(argument, place - len(size)), Blame("size")),
    )
    if isinstance(wanted, int) and wanted < -1:
        raise mistake
    if wanted == 1 or sizes.possibly_one(dim.size) is Truth.NO:
        require_equal(dim.size, wanted, mistake)
    else:
        allow_one(dim.size, wanted, mistake)
    return dim.resize(wanted)


@op("torch.broadcast_tensors")
def broadcast_tensors(*tensors: Shape) -> Shapes:
    """Each tensor expanded to the sizes that all of them broadcast to; each keeps its own names.

    Raises SizeMismatch.  Source: torch.broadcast_tensors.
    """
    combined: Shape = ()
    for tensor in tensors:
        combined = broadcast(
            combined, tensor, ("tensors", "tensors"), names=False, suspicious=False
        )
    return tuple(_grown(tensor, combined) for tensor in tensors)


@op("numpy.broadcast_arrays", "jax.numpy.broadcast_arrays")
def broadcast_arrays(*args: Shape, subok: object = False) -> Shapes:
    """Each array expanded to the sizes that all of them broadcast to.  Raises SizeMismatch.

    Source: numpy.broadcast_arrays.
    """
    return broadcast_tensors(*args)


def _grown(tensor: Shape, combined: Shape) -> Shape:
    """A tensor with the sizes of a broadcast that it took part in."""
    known, all_dims = known_dims(tensor), known_dims(combined)
    front = len(all_dims) - len(known)
    name = None if isinstance(tensor, tuple) else UNKNOWN
    grown = tuple(
        dim if dim.size == new.size else dim.resize(new.size)
        for dim, new in zip(known, all_dims[front:], strict=True)
    )
    dims = (*(Dim(name, dim.size) for dim in all_dims[:front]), *grown)
    return dims if isinstance(combined, tuple) else trailing(dims)


# By copying.


@op("Tensor.repeat", memory=Memory.NEW)
def repeat(self: Shape, *repeats: Size) -> Shape:
    """Each dim repeated by its entry in `repeats`, under its name; new dims come in front.

    Raises RankMismatch, BadExtent.  Source: torch.Tensor.repeat, which refused names.
    """
    if len(repeats) < len(known_dims(self)) and repeats != (UNKNOWN,):
        raise RankMismatch(
            shape=self,
            wanted=f"at most {len(repeats)}",
            text=(
                "Number of dimensions of repeat dims can not be smaller than number of dimensions "
                "of tensor"
            ),
            blame=(Blame("self"), Blame("repeats")),
        )
    return _repeated(self, repeats, "repeats")


@op("torch.tile", "Tensor.tile", memory=Memory.NEW)
def tile(input: Shape, *dims: Size) -> Shape:
    """As `repeat`, with 1 for leading dims that are not listed.  Raises BadExtent.

    Source: torch.tile, which refused names.
    """
    return _tiled(input, dims, "dims")


@op("numpy.tile", "jax.numpy.tile")
def tile_numpy(A: Shape, reps: Sizes) -> Shape:
    """Each dim repeated by its entry in `reps`: 1 for leading dims that are not listed.

    Raises BadExtent.  Source: numpy.tile.
    """
    return _tiled(A, reps, "reps", "A")


def _tiled(input: Shape, repeats: Sizes, argument: str, tensor: str = "input") -> Shape:
    if isinstance(input, tuple):
        repeats = (1,) * (len(input) - len(repeats)) + tuple(repeats)
        return _repeated(input, repeats, argument, tensor)
    known = known_dims(input)
    count = max(len(known), len(repeats))
    padded = (1,) * (count - len(repeats)) + tuple(repeats)
    tiled = _repeated(input, padded, argument, tensor)
    return trailing(known_dims(tiled))


def _repeated(input: Shape, repeats: Sizes, argument: str, tensor: str = "self") -> Shape:
    if any(isinstance(times, int) and times < 0 for times in repeats):
        times = next(times for times in repeats if isinstance(times, int) and times < 0)
        grown = [
            sizes.multiply(dim.size, n)
            for dim, n in zip(of_rank(input, len(repeats)), repeats, strict=False)
        ]
        raise BadExtent(
            shape=input,
            reason=f"{times} is not a number of repeats",
            text=(
                f"Trying to create tensor with negative dimension {times}: "
                f"[{', '.join(map(str, grown))}]"
            ),
            blame=(Blame(argument),),
        )
    dims = of_rank(input, len(repeats)) if not isinstance(input, tuple) else input
    front = len(repeats) - len(dims)
    new = tuple(fresh(times) for times in repeats[:front])
    return (
        new
        + tuple(
            dim
            if times == 1
            else dim.resize(times)
            if dim.size == 1
            else merge((fresh(times), dim), dim.name)  # copy after copy, each in the old order
            for dim, times in zip(dims, repeats[front:], strict=True)
        )
    )


@op("torch.repeat_interleave", "Tensor.repeat_interleave")
def repeat_interleave(
    input: Shape,
    repeats: object,
    dim: DimRef | None = None,
    *,
    output_size: Size | None = None,
) -> Shape:
    """Each element repeated in a row along a dim, which keeps its name.

    Without a dim, the tensor is flattened first.  Raises DimOutOfRange, UnknownName, BadExtent,
    JoinSize.  Source: torch.repeat_interleave, which refused names.
    """
    return _interleaved(input, repeats, dim, output_size)


@op("torch.repeat_interleave")
def repeat_indices(repeats: Shape, *, output_size: Size | None = None) -> Shape:
    """Each index as often as `repeats` says: one dim.  Source: torch.repeat_interleave."""
    return (fresh(UNKNOWN if output_size is None else output_size),)


@op(numpy="repeat(input, repeats, dim)")
def repeat_numpy(
    input: Shape,
    repeats: object,
    dim: DimRef | None = None,
    *,
    total_repeat_length: Size | None = None,
) -> Shape:
    """Each element repeated in a row along a dim; without one, the array is flattened first.

    Raises DimOutOfRange, BadExtent, JoinSize.  Source: numpy.repeat.
    """
    return _interleaved(input, repeats, dim, total_repeat_length)


def _interleaved(input: Shape, repeats: object, dim: DimRef | None, length: Size | None) -> Shape:
    if isinstance(repeats, int) and not isinstance(repeats, bool) and repeats < 0:
        raise BadExtent(
            shape=input,
            reason=f"{repeats} is not a number of repeats",
            text="Repeats must be non-negative",
            blame=(Blame("repeats"),),
        )
    if dim is None:
        grown = _interleaved_size(element_count(input), repeats, length, input, None)
        return (fresh(grown),)
    if isinstance(input, Unknown) or dim is UNKNOWN:
        return UNKNOWN  # None flattens
    if isinstance(input, Trailing):
        return _within_trailing(input, repeats, dim, length)
    index = position(input, dim)
    if isinstance(index, Unknown):
        return unknown_dims(len(input))
    if not input:
        return (fresh(_interleaved_size(1, repeats, length, input, None)),)
    dim_of_input = input[index]
    grown = _interleaved_size(dim_of_input.size, repeats, length, input, index)
    if repeats == 1 and length is None:
        return input
    result = dim_of_input.resize(grown)
    if isinstance(repeats, (int, sizes.Polynomial)) and not isinstance(repeats, bool):
        copies = merge((dim_of_input, fresh(repeats)), dim_of_input.name)  # element by element
        result = copies if dim_of_input.size != 1 and copies.size == grown else result
    return replace(input, index, result)


def _within_trailing(input: Trailing, repeats: object, dim: DimRef, length: Size | None) -> Shape:
    if isinstance(dim, int) and -len(input.dims) <= dim < 0:
        grown = _interleaved(input.dims, repeats, dim, length)
        return trailing(grown) if isinstance(grown, tuple) else UNKNOWN
    if isinstance(dim, str) and any(d.name == dim for d in input.dims):
        grown = _interleaved(input.dims, repeats, dim, length)
        return trailing(grown) if isinstance(grown, tuple) else UNKNOWN
    return UNKNOWN


def _interleaved_size(
    size: Size, repeats: object, length: Size | None, input: Shape, index: int | None
) -> Size:
    if length is not None and length is not UNKNOWN:
        return length
    if isinstance(repeats, (int, sizes.Polynomial)):
        return sizes.multiply(size, repeats)
    counts = _repeat_counts(repeats, input)
    if counts is None or counts == 1:
        return UNKNOWN
    if counts is not UNKNOWN:
        mistake = JoinSize(
            left=input,
            right=(fresh(counts),),
            dim=index or 0,
            text=(
                "repeats must have the same size as input along dim, but got repeats.size(0) = "
                f"{counts} and input.size({index or 0}) = {size}"
            ),
            blame=(Blame("input", index), Blame("repeats")),
        )
        allow_one(counts, size, mistake)
    if isinstance(repeats, (tuple, list)) and all(isinstance(n, int) for n in repeats):
        return sizes.total(repeats)
    return UNKNOWN


def _repeat_counts(repeats: object, input: Shape) -> Size | None:
    """How many numbers of repeats are listed; None for one number, UNKNOWN if that is not known."""
    if isinstance(repeats, (tuple, list)):
        if not repeats:
            return None
        if not all(isinstance(entry, Dim) for entry in repeats):
            return len(repeats)
        if len(repeats) > 1:
            raise RankMismatch(
                shape=tuple(repeats),
                wanted="0 or 1",
                text="repeats must be 0-dim or 1-dim tensor",
                blame=(Blame("repeats"),),
            )
        size: Size = repeats[0].size
        return size
    return UNKNOWN


# Grids.


@op("torch.meshgrid")
def meshgrid(*tensors: Shape, indexing: object = None) -> Shapes:
    """One grid per vector, each with the dims of all vectors in order.

    With indexing "xy" the first two dims change places.  Raises RankMismatch for more than a
    vector, DuplicateName.  Source: torch.meshgrid, which refused names; here each vector's dim
    keeps its name.
    """
    if not tensors:
        raise RankMismatch(
            shape=UNKNOWN, wanted="at least one", text="meshgrid expects a non-empty TensorList"
        )
    return _grids(tensors, "ij" if indexing is None else indexing, "tensors")


@op("numpy.meshgrid", "jax.numpy.meshgrid")
def meshgrid_numpy(
    *xi: Shape, copy: object = True, sparse: bool = False, indexing: object = "xy"
) -> Shapes:
    """One grid per vector, each with the dims of all vectors in order.

    Unless indexing is "ij", the first two dims change places.  With `sparse` all dims of a grid but
    its own have size 1.  Source: numpy.meshgrid.
    """
    # NumPy flattens whatever is not a vector.
    flat = tuple(
        vector
        if isinstance(vector, tuple) and len(vector) == 1
        else (Dim(None if isinstance(vector, tuple) else UNKNOWN, element_count(vector)),)
        for vector in xi
    )
    grids = _grids(flat, indexing, "xi") if flat else ()
    if not sparse or isinstance(grids, Unknown):
        return grids
    swap = {0: 1, 1: 0} if indexing == "xy" and len(grids) > 1 else {}
    if indexing not in ("xy", "ij"):
        return UNKNOWN
    return tuple(
        tuple(dim if place == swap.get(axis, axis) else fresh(1) for place, dim in enumerate(grid))
        for axis, grid in enumerate(grids)
        if isinstance(grid, tuple)
    )


def _grids(vectors: Tensors, indexing: object, argument: str) -> Shapes:
    for vector in vectors:
        if isinstance(vector, tuple) and len(vector) > 1:
            raise RankMismatch(
                shape=vector,
                wanted="0 or 1",
                text=(
                    "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                    f"[ torch.FloatTensor{{{size_list(vector)[1:-1].replace(', ', ',')}}} ]"
                ),
                blame=(Blame(argument),),
            )
    dims = [_axis(vector) for vector in vectors]
    check_distinct((dim.name for dim in dims), argument)
    if len(dims) > 1 and indexing == "xy":
        dims[:2] = dims[1::-1]
    elif len(dims) > 1 and indexing != "ij":
        dims[:2] = [Dim(UNKNOWN, UNKNOWN)] * 2
    return (tuple(dims),) * len(vectors)


def _axis(vector: Shape) -> Dim:
    if isinstance(vector, tuple):
        return vector[0] if vector else fresh(1)
    known = known_dims(vector)
    return known[-1] if known else Dim(UNKNOWN, UNKNOWN)


@op("Tensor.sum_to_size", kind="counted")
def sum_to_size(self: Shape, *size: Size) -> Shape:
    """The tensor summed to `size`: over leading dims, and dims of size 1 there.  Raises ExpandSize.

    Source: torch.Tensor.sum_to_size.
    """
    if not isinstance(self, tuple):
        return tuple(Dim(UNKNOWN, entry) for entry in size)
    target = tuple(dim.size for dim in self)
    expanded(tuple(fresh(entry) for entry in size), target, "size")
    kept = self[len(self) - len(size) :]
    return tuple(
        dim if dim.size == entry else dim.resize(entry)
        for dim, entry in zip(kept, size, strict=True)
    )
