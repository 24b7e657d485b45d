"""Ops that reorder dims, or the elements along a dim: each dim keeps its name.

Where PyTorch refused names (`permute`, `movedim`, `T`, `flip`, `roll`) the rule is the natural one:
a dim that moves keeps its name.
"""

from __future__ import annotations

from namecheck_runtime.algebra import of_rank, position, positions, require_rank
from namecheck_runtime.declare import (
    DimRef,
    DimRefs,
    Dims,
    Memory,
    Shape,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Unknown, known_dims, unknown_dims
from namecheck_runtime.mistakes.base import Blame, counted
from namecheck_runtime.mistakes.dims import RankMismatch, RepeatedDim
from namecheck_runtime.mistakes.sizes import BadExtent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_UNSURE = Dim(UNKNOWN, UNKNOWN)


def as_refs(dims: DimRefs | None) -> Sequence[DimRef | None] | Unknown:
    """One dim or several as a sequence; UNKNOWN if they are not known.

    An unknown variadic argument arrives as one UNKNOWN.
    """
    if isinstance(dims, Unknown):
        return UNKNOWN
    if dims is None or isinstance(dims, (int, str, Symbolic)):
        return (dims,)
    return UNKNOWN if len(dims) == 1 and dims[0] is UNKNOWN else dims


# Any order.


@op("torch.permute", "Tensor.permute")
@op("torch.permute_copy", memory=Memory.NEW)
def permute(input: Shape, *dims: DimRef) -> Shape:
    """The dims in the listed order, every dim once: their number is the rank.

    Shapes: `dims[k]` is the input's dim that becomes dim k.  Raises RankMismatch, RepeatedDim,
    DimOutOfRange.  Source: torch.permute, which refused names; here a dim keeps its name.
    """
    order = as_refs(dims)
    if isinstance(order, Unknown):
        return unknown_dims(len(input)) if isinstance(input, tuple) else UNKNOWN
    return _ordered(input, order, "dims")


@op(
    "numpy.transpose",
    "ndarray.transpose",
    "numpy.permute_dims",
    "jax.numpy.transpose",
    "jax.numpy.permute_dims",
)
def transpose_all(input: Shape, *dim: DimRef) -> Shape:
    """NumPy's transpose: the dims in the listed order, or all of them reversed.

    Raises RankMismatch, RepeatedDim, DimOutOfRange.  Source: numpy.transpose.
    """
    order = as_refs(dim)
    if isinstance(order, Unknown):
        return unknown_dims(len(input)) if isinstance(input, tuple) else UNKNOWN
    if not order or order == (None,):
        return input[::-1] if isinstance(input, tuple) else UNKNOWN
    return _ordered(input, order, "dim")


@op("jax.lax.transpose")
def transpose_by(input: Shape, permutation: DimRefs) -> Shape:
    """The dims in the order of `permutation`.  Source: jax.lax.transpose."""
    order = as_refs(permutation)
    if isinstance(order, Unknown):
        return unknown_dims(len(input)) if isinstance(input, tuple) else UNKNOWN
    return _ordered(input, order, "permutation")


def _ordered(input: Shape, order: Sequence[DimRef | None], argument: str) -> Shape:
    dims = of_rank(input, len(order))
    if len(dims) != len(order):
        raise RankMismatch(
            shape=input,
            wanted=str(len(order)),
            text=(
                "permute(sparse_coo): number of dimensions in the tensor input does not match the "
                f"length of the desired ordering of dimensions i.e. input.dim() = {len(dims)} is "
                f"not equal to len(dims) = {len(order)}"
            ),
            blame=(Blame("input"), Blame(argument)),
        )
    text = "permute(): duplicate dims are not allowed."
    indices = _each_once(dims, order, argument, text)
    return tuple(_UNSURE if isinstance(k, Unknown) else dims[k] for k in indices)


def _each_once(
    dims: Dims, refs: Sequence[DimRef | None], argument: str, text: str
) -> tuple[int | Unknown, ...]:
    """The index of each of `refs`, UNKNOWN if that is not known; raises RepeatedDim."""
    indices: list[int | Unknown] = []
    for ref in refs:
        index = position(dims, ref, argument)
        if isinstance(index, int) and index in indices:
            raise RepeatedDim(shape=dims, dim=index, text=text, blame=(Blame(argument),))
        indices.append(index)
    return tuple(indices)


# Two dims, or the last two.


def _swap(input: Dims, first: int | Unknown, second: int | Unknown) -> Dims:
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        return unknown_dims(len(input))
    dims = list(input)
    if dims:
        dims[first], dims[second] = dims[second], dims[first]
    return tuple(dims)


def _swapped(
    input: Dims, first: DimRef | None, second: DimRef | None, arguments: tuple[str, str]
) -> Dims:
    # PyTorch looks the second one up first.
    second_index = position(input, second, arguments[1])
    return _swap(input, position(input, first, arguments[0]), second_index)


@op(
    "torch.transpose",
    "Tensor.transpose",
    inplace=True,
    reshapes=True,
    leading=True,
    parsing=(
        "dim by name",
        "dims alike",
    ),
)
@op("torch.swapdims", "Tensor.swapdims", inplace=True, reshapes=True, leading=True)
@op("torch.transpose_copy", leading=True, memory=Memory.NEW)
def transpose(input: Dims, dim0: DimRef | None, dim1: DimRef | None) -> Shape:
    """Two dims change places.

    Raises DimOutOfRange, UnknownName, WildcardLookup.  Source: name inference, "permutes
    dimensions".
    """
    return _swapped(input, dim0, dim1, ("dim0", "dim1"))


@op("torch.swapaxes", "Tensor.swapaxes", inplace=True, reshapes=True, leading=True)
def swapaxes(input: Dims, axis0: DimRef | None, axis1: DimRef | None) -> Shape:
    """Two dims change places.  Raises DimOutOfRange, UnknownName.  Source: torch.swapaxes."""
    return _swapped(input, axis0, axis1, ("axis0", "axis1"))


@op(numpy="swapaxes", leading=True)
def swapaxes_numpy(input: Dims, axis1: DimRef, axis2: DimRef) -> Shape:
    """Two dims change places.  Raises DimOutOfRange.  Source: numpy.swapaxes."""
    return _swapped(input, axis1, axis2, ("axis1", "axis2"))


@op("Tensor.T", attribute=True, numpy="T")
def reverse(input: Dims) -> Shape:
    """All dims in reverse order.

    Source: numpy.ndarray.T; torch's `T` refused names, here a dim keeps its name.
    """
    return input[::-1]


@op("torch.t", "Tensor.t", inplace=True, reshapes=True)
@op("torch.t_copy", memory=Memory.NEW)
def t(input: Dims) -> Shape:
    """The two dims of a matrix change places; fewer dims stay.  Raises RankMismatch.

    Source: torch.t.
    """
    text = f"t() expects a tensor with <= 2 dimensions, but self is {len(input)}D"
    require_rank(input, lambda rank: rank <= 2, "at most 2", "input", text)
    return input[::-1]


@op("Tensor.H", attribute=True)
def conjugate_transpose(input: Dims) -> Shape:
    """The two dims of a matrix change places; a scalar stays.  Raises RankMismatch.

    Source: torch.Tensor.H.
    """
    text = f"tensor.H is only supported on matrices (2-D tensors). Got {len(input)}-D tensor." + (
        " For batches of matrices, consider using tensor.mH" if len(input) > 2 else ""
    )
    require_rank(input, lambda rank: rank in (0, 2), "2", "input", text)
    return input[::-1]


def _last_two(input: Dims, attribute: str) -> Dims:
    text = (
        f"tensor.{attribute} is only supported on matrices or batches of matrices. Got "
        f"{len(input)}-D tensor."
    )
    require_rank(input, lambda rank: rank != 1, "at least 2", "input", text)
    return (*input[:-2], *input[-2:][::-1])


@op("Tensor.mT", attribute=True, numpy="mT")
def matrix_transpose(input: Shape) -> Shape:
    """The last two dims change places; a scalar stays.  Raises RankMismatch.

    Source: torch.Tensor.mT.
    """
    return _of_matrices(input, "mT")


@op("Tensor.mH", attribute=True)
def matrix_conjugate_transpose(input: Shape) -> Shape:
    """The last two dims change places; a scalar stays.  Raises RankMismatch.

    Source: torch.Tensor.mH.
    """
    return _of_matrices(input, "mH")


@op("torch.adjoint", "Tensor.adjoint")
def adjoint(input: Shape) -> Shape:
    """The last two dims change places; a scalar stays.  Raises RankMismatch.

    Source: torch.adjoint.
    """
    return _of_matrices(input, "adjoint()")


@op(numpy=("matrix_transpose", "linalg.matrix_transpose"), jax="jax.numpy.linalg.matrix_transpose")
def matrix_transpose_numpy(input: Shape) -> Shape:
    """The last two dims change places.  Raises RankMismatch.  Source: numpy.matrix_transpose."""
    return _of_matrices(input, "mT")


def _of_matrices(input: Shape, attribute: str) -> Shape:
    if isinstance(input, tuple):
        return _last_two(input, attribute)
    known = known_dims(input)
    # A tensor with a last dim has two, or the op raises.
    if len(known) == 1:
        return type(input)((known[0], _UNSURE)) if not isinstance(input, Unknown) else UNKNOWN
    return type(input)(_last_two(known, attribute)) if not isinstance(input, Unknown) else UNKNOWN


# Moving some dims elsewhere.


@op("torch.movedim", "Tensor.movedim", leading=True)
@op("torch.moveaxis", "Tensor.moveaxis", numpy="moveaxis", leading=True)
def movedim(input: Dims, source: DimRefs, destination: DimRefs) -> Shape:
    """The dims at `source` go to `destination`; the others keep their order.

    Raises RankMismatch if the two list different numbers of dims, RepeatedDim, DimOutOfRange.
    Source: torch.movedim, which refused names; here a dim keeps its name.
    """
    sources, destinations = as_refs(source), as_refs(destination)
    if isinstance(sources, Unknown) or isinstance(destinations, Unknown):
        return unknown_dims(len(input))
    if len(sources) != len(destinations):
        raise RankMismatch(
            shape=input,
            wanted="as many source as destination",
            text=(
                f"movedim: Invalid source or destination dims: source ({_listed(sources)} dims) "
                f"should contain the same number of dims as destination ({_listed(destinations)} "
                "dims)"
            ),
            blame=(Blame("source"), Blame("destination")),
        )
    text = "movedim: repeated dim in `{}` ({})"
    moved = _each_once(input, sources, "source", text.format("source", _listed(sources)))
    places = _each_once(
        input, destinations, "destination", text.format("destination", _listed(destinations))
    )
    order = {
        place: index
        for place, index in zip(places, moved, strict=True)
        if isinstance(place, int) and isinstance(index, int)
    }
    if len(order) < len(places):
        return unknown_dims(len(input))
    rest = [index for index in range(len(input)) if index not in order.values()]
    return tuple(
        input[order[place] if place in order else rest.pop(0)] for place in range(len(input))
    )


def _listed(refs: Sequence[DimRef | None]) -> str:
    return "[" + ", ".join(map(str, refs)) + "]"


@op(numpy="rollaxis")
def rollaxis(input: Dims, dim: DimRef, start: Size = 0) -> Shape:
    """The dim at `dim` goes before the one at `start`.  Raises DimOutOfRange.

    Source: numpy.rollaxis.
    """
    require_rank(input, lambda n: n > 0, "at least 1", "input")
    moved = position(input, dim)
    place = position(input, start, "start", extra=1) if isinstance(start, int) else UNKNOWN
    if isinstance(moved, Unknown) or isinstance(place, Unknown):
        return unknown_dims(len(input))
    if isinstance(start, int) and start < 0:
        place -= 1  # counted from the end of the present dims
    rest = [*input[:moved], *input[moved + 1 :]]
    rest.insert(place - (place > moved), input[moved])
    return tuple(rest)


# The elements along a dim in another order.


def _check_each_once(input: Shape, dims: DimRefs | None, argument: str) -> None:
    refs = as_refs(dims)
    if isinstance(input, tuple) and not isinstance(refs, Unknown):
        positions(input, refs, argument)


@op("torch.flip", "Tensor.flip")
def flip(input: Shape, *dims: DimRef) -> Shape:
    """Keeps the dims; the elements along some are reversed.  Raises RepeatedDim, DimOutOfRange.

    Source: torch.flip, which refused names.
    """
    _check_each_once(input, dims, "dims")
    return input


@op(numpy="flip", jax="jax.lax.rev(input, dim)")
def flip_numpy(input: Shape, dim: DimRefs | None = None) -> Shape:
    """Keeps the dims; the elements along some, or all, are reversed.

    Raises RepeatedDim, DimOutOfRange.  Source: numpy.flip.
    """
    if dim is not None:
        _check_each_once(input, dim, "dim")
    return input


@op("torch.fliplr", "Tensor.fliplr", numpy="fliplr")
def fliplr(input: Shape) -> Shape:
    """Keeps the dims; the elements along dim 1 are reversed.  Raises RankMismatch.

    Source: torch.fliplr.
    """
    if isinstance(input, tuple):
        require_rank(input, lambda rank: rank >= 2, "at least 2", "input", "Input must be >= 2-d.")
    return input


@op("torch.flipud", "Tensor.flipud", numpy="flipud")
def flipud(input: Shape) -> Shape:
    """Keeps the dims; the elements along dim 0 are reversed.  Raises RankMismatch.

    Source: torch.flipud.
    """
    if isinstance(input, tuple):
        require_rank(input, lambda rank: rank >= 1, "at least 1", "input", "Input must be >= 1-d.")
    return input


@op("torch.roll", "Tensor.roll")
def roll(input: Shape, shifts: Size | Sizes, dims: DimRefs = ()) -> Shape:
    """Keeps the dims; the elements along `dims`, or of the flattened tensor, are rotated.

    Raises BadExtent unless there is one shift per dim, DimOutOfRange.  Source: torch.roll, which
    refused names.
    """
    refs = as_refs(dims)
    if isinstance(refs, Unknown) or isinstance(shifts, (Unknown, Symbolic)):
        return input  # a configured shift may be a sequence
    count = len(shifts) if isinstance(shifts, (tuple, list)) else 1
    if count != max(len(refs), 1):
        raise BadExtent(
            shape=input,
            reason=f"{counted(count, 'shift')} for {counted(len(refs), 'dim')}",
            text=f"shifts and dimensions must align. shifts: {count}, dims:{len(refs)}",
            blame=(Blame("shifts"), Blame("dims")),
        )
    if isinstance(input, tuple):
        for ref in refs:
            position(input, ref, "dims")
    return input


@op(numpy="roll")
def roll_numpy(input: Shape, shift: object, dim: DimRefs | None = None) -> Shape:
    """Keeps the dims; the elements along some, or all elements, are rotated.  Raises DimOutOfRange.

    Source: numpy.roll.
    """
    refs = as_refs(dim)
    if dim is not None and isinstance(input, tuple) and not isinstance(refs, Unknown):
        for ref in refs:
            position(input, ref)
    return input


@op("torch.rot90", "Tensor.rot90", leading=True)
def rot90(input: Dims, k: Size = 1, dims: DimRefs = (0, 1)) -> Shape:
    """Two dims change places if turned by an odd number of quarters.

    Raises RankMismatch, RepeatedDim, DimOutOfRange.  Source: torch.rot90, which refused names; here
    a dim keeps its name.
    """
    return _turned(input, k, dims, "dims")


@op(numpy="rot90", leading=True)
def rot90_numpy(input: Dims, k: Size = 1, axes: DimRefs = (0, 1)) -> Shape:
    """Two dims change places if turned by an odd number of quarters.

    Raises RankMismatch, RepeatedDim, DimOutOfRange.  Source: numpy.rot90.
    """
    return _turned(input, k, axes, "axes")


def _turned(input: Dims, k: Size, dims: DimRefs, argument: str) -> Dims:
    refs = as_refs(dims)
    if isinstance(refs, Unknown):
        return unknown_dims(len(input))
    if len(refs) != 2:
        raise RankMismatch(
            shape=input,
            wanted="two rotation",
            text=f"expected total rotation dims == 2, but got dims = {len(refs)}",
            blame=(Blame(argument),),
        )
    text = f"expected total dims >= 2, but got total dims = {len(input)}"
    require_rank(input, lambda rank: rank >= 2, "at least 2", "input", text)
    first, second = (position(input, ref, argument) for ref in refs)
    if isinstance(first, int) and first == second:
        raise RepeatedDim(
            shape=input,
            dim=first,
            text=f"expected rotation dims to be different, but got dim0 = {refs[0]} and dim1 = "
            f"{refs[1]}",
            blame=(Blame(argument),),
        )
    if isinstance(k, int):
        return _swap(input, first, second) if k % 2 else input
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        return unknown_dims(len(input))
    if input[first] == input[second]:
        return input
    return tuple(_UNSURE if i in (first, second) else dim for i, dim in enumerate(input))
