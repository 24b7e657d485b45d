"""Ops that remove dims of size 1 or insert new ones: squeeze, unsqueeze, atleast_1d, ..."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    drop,
    fresh,
    insert,
    position,
    positions,
    require_equal,
    written_one,
)
from namecheck_runtime.declare import (
    DimRef,
    DimRefs,
    Dims,
    Memory,
    Shape,
    Shapes,
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
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.permute import as_refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


# Dims of size 1.


@op(
    "torch.squeeze",
    "Tensor.squeeze",
    inplace=True,
    reshapes=True,
    parsing=(
        "dim by name",
        "dims apart",
    ),
)
@op("torch.squeeze_copy", memory=Memory.NEW, parsing=("dims apart",))
def squeeze(input: Dims) -> Shape:
    """Drops all dims of size 1.

    A symbolic size counts as larger than 1 if there is a 1 that the call can be meant for.
    Source: name inference, "removes dimensions".
    """
    return _squeezed_all(input)


def _squeezed_all(input: Dims) -> Shape:
    has_one = any(dim.size == 1 for dim in input)
    for dim in input:
        if dim.size is UNKNOWN:
            return UNKNOWN
        if not has_one and sizes.possibly_one(dim.size) is Truth.MAYBE:
            return UNKNOWN
    return tuple(dim for dim in input if dim.size != 1)


@op("torch.squeeze", "Tensor.squeeze", inplace=True, reshapes=True)
@op("torch.squeeze_copy")
def squeeze_dim(input: Shape, *dim: DimRef) -> Shape:
    """Drops the listed dims of size 1; a dim of another size stays, with its name.

    Raises DimOutOfRange, UnknownName, WildcardLookup, RepeatedDim.
    Source: name inference, "removes dimensions".
    """
    refs = as_refs(dim)
    if isinstance(refs, Unknown):
        return UNKNOWN
    if not isinstance(input, tuple):
        return _squeezed_end(input, refs, required=False)
    places = positions(input, refs)
    if isinstance(places, Unknown):
        return UNKNOWN
    return _squeezed(input, places) if input else input


def _squeezed(input: Dims, places: tuple[int, ...]) -> Shape:
    unsure = [
        index
        for index in places
        if input[index].size != 1 and sizes.possibly_one(input[index].size).possible
    ]
    dropped = [index for index in places if input[index].size == 1]
    if unsure:
        # Only the dims after the last of them are certain.
        return trailing(
            tuple(dim for k, dim in enumerate(input) if k > max(unsure) and k not in dropped)
        )
    return drop(input, dropped)


def _squeezed_end(
    input: Trailing | Unknown, refs: Sequence[DimRef | None], required: bool
) -> Shape:
    """What is known about a squeezed tensor of unknown rank."""
    known = known_dims(input)
    kept: list[Dim] = []
    wanted = {ref for ref in refs if isinstance(ref, int)}
    named = {ref for ref in refs if isinstance(ref, str)}
    if any(isinstance(ref, Unknown) for ref in refs):
        return UNKNOWN
    # A dim counted from the left may be any of the known ones but those after its index.
    lowest = max((ref for ref in wanted if ref >= 0), default=-1)
    for back in range(1, len(known) + 1):
        dim = known[-back]
        maybe = lowest >= len(known) - back or (bool(named) and dim.name is UNKNOWN)
        if -back in wanted or (isinstance(dim.name, str) and dim.name in named):
            if dim.size == 1 or required:
                continue
            if sizes.possibly_one(dim.size).possible:
                break
        elif maybe and sizes.possibly_one(dim.size).possible:
            break
        kept.append(dim)
    return trailing(tuple(kept[::-1]))


@op(numpy="squeeze(input, dim)")
def squeeze_numpy(input: Shape, dim: DimRefs | None = None) -> Shape:
    """Drops all dims of size 1, or the listed ones, which must have that size.

    Raises BadExtent, DimOutOfRange, RepeatedDim.  Source: numpy.squeeze.
    """
    if dim is None:
        return _squeezed_all(input) if isinstance(input, tuple) else UNKNOWN
    return _squeezed_ones(input, dim, "dim")


@op("jax.lax.squeeze")
def squeeze_lax(input: Shape, dimensions: DimRefs) -> Shape:
    """Drops the listed dims, which must have size 1.

    Raises BadExtent, DimOutOfRange, RepeatedDim.  Source: jax.lax.squeeze.
    """
    return _squeezed_ones(input, dimensions, "dimensions")


def _squeezed_ones(input: Shape, dims: DimRefs, argument: str) -> Shape:
    refs = as_refs(dims)
    if isinstance(refs, Unknown):
        return UNKNOWN
    if not isinstance(input, tuple):
        return _squeezed_end(input, refs, required=True)
    places = positions(input, refs, argument)
    if isinstance(places, Unknown):
        return unknown_dims(max(len(input) - len(refs), 0))
    for index in places if input else ():
        text = "cannot select an axis to squeeze out which has size not equal to one"
        require_equal(
            input[index].size,
            1,
            BadExtent(
                shape=input,
                reason=f"dim {index} has size {input[index].size}, not 1",
                text=text,
                blame=(Blame("input", index), Blame(argument)),
            ),
        )
    return drop(input, places)


@op("torch.unsqueeze", "Tensor.unsqueeze", inplace=True, reshapes=True)
@op("torch.unsqueeze_copy", memory=Memory.NEW)
def unsqueeze(input: Shape, dim: DimRef) -> Shape:
    """A new dim of size 1 at `dim`, unnamed.

    Raises DimOutOfRange.  Source: torch.unsqueeze, which refused names.
    """
    return _unsqueezed(input, dim)


def _unsqueezed(input: Shape, dim: DimRef) -> Shape:
    if isinstance(input, tuple):
        index = position(input, dim, extra=1)
        if not isinstance(index, Unknown):
            return insert(input, index, written_one())
        return unknown_dims(len(input) + 1)
    known = known_dims(input)
    if not isinstance(dim, int):
        return UNKNOWN
    if dim >= 0:
        return trailing(known[dim:])
    if -dim <= len(known) + 1:
        return trailing(insert(known, len(known) + 1 + dim, written_one()))
    return trailing(known)


@op("numpy.expand_dims", "jax.numpy.expand_dims")
def expand_dims(input: Shape, dim: DimRefs) -> Shape:
    """New dims of size 1, at the listed places of the result.

    Raises DimOutOfRange, RepeatedDim.  Source: numpy.expand_dims.
    """
    return _expanded_dims(input, dim, "dim")


@op("jax.lax.expand_dims")
def expand_dims_lax(input: Shape, dimensions: DimRefs) -> Shape:
    """New dims of size 1, at the listed places of the result.

    Raises DimOutOfRange, RepeatedDim.  Source: jax.lax.expand_dims.
    """
    return _expanded_dims(input, dimensions, "dimensions")


def _expanded_dims(input: Shape, dims: DimRefs, argument: str) -> Shape:
    refs = as_refs(dims)
    if isinstance(refs, Unknown):
        return UNKNOWN
    if len(refs) == 1 and refs[0] is not None:
        return _unsqueezed(input, refs[0])
    if not isinstance(input, tuple):
        return UNKNOWN
    rank = len(input) + len(refs)
    places = positions(unknown_dims(rank), refs, argument)
    if isinstance(places, Unknown):
        return unknown_dims(rank)
    rest = iter(input)
    return tuple(written_one() if k in places else next(rest) for k in range(rank))


def _at_least(input: Shape, rank: int) -> Shape:
    if not isinstance(input, tuple):
        return input if len(known_dims(input)) >= rank else _padded(input, rank)
    if len(input) >= rank:
        return input
    one = fresh(1)
    if rank == 3 and input:
        return (one, *input, one) if len(input) == 1 else (*input, one)
    return (one,) * (rank - len(input)) + input


def _padded(input: Trailing | Unknown, rank: int) -> Shape:
    # New dims come in front, but after a matrix that becomes three dims.
    return input if rank < 3 and isinstance(input, Trailing) else UNKNOWN


@op("torch.atleast_1d", numpy="atleast_1d")
def atleast_1d(input: Shape) -> Shape:
    """A scalar becomes a vector of one element.  Source: torch.atleast_1d."""
    return _at_least(input, 1)


@op("torch.atleast_1d")
def atleast_1d_all(*tensors: Shape) -> Shapes:
    """Each of several tensors, with at least one dim.  Source: torch.atleast_1d."""
    return tuple(_at_least(tensor, 1) for tensor in tensors)


@op("torch.atleast_2d", numpy="atleast_2d")
def atleast_2d(input: Shape) -> Shape:
    """Fewer than two dims become two, with 1s in front.  Source: torch.atleast_2d."""
    return _at_least(input, 2)


@op("torch.atleast_2d")
def atleast_2d_all(*tensors: Shape) -> Shapes:
    """Each of several tensors, with at least two dims.  Source: torch.atleast_2d."""
    return tuple(_at_least(tensor, 2) for tensor in tensors)


@op("torch.atleast_3d", numpy="atleast_3d")
def atleast_3d(input: Shape) -> Shape:
    """Fewer than three dims become three: `[N]` is `[1, N, 1]`, `[M, N]` is `[M, N, 1]`.

    Source: torch.atleast_3d.
    """
    return _at_least(input, 3)


@op("torch.atleast_3d")
def atleast_3d_all(*tensors: Shape) -> Shapes:
    """Each of several tensors, with at least three dims.  Source: torch.atleast_3d."""
    return tuple(_at_least(tensor, 3) for tensor in tensors)
