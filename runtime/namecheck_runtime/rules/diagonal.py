"""Diagonals and triangles: reading a diagonal, making a matrix of one, writing to one."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    drop,
    element_count,
    fresh,
    position,
    require_equal,
    require_rank,
)
from namecheck_runtime.declare import DimRef, Dims, InPlace, Memory, Shape, Size, op
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Name,
    Trailing,
    Unknown,
    known_dims,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch, RepeatedDim
from namecheck_runtime.mistakes.sizes import JoinSize
from namecheck_runtime.rules.naming import check_identifiers


def _length(rows: Size, columns: Size, offset: Size) -> Size:
    """The length of the diagonal that is `offset` columns to the right of the main one."""
    if offset is UNKNOWN:
        return UNKNOWN
    if not sizes.at_most(0, offset).possible or not sizes.at_most(offset, 0).possible:
        right = sizes.at_most(0, offset).definite
    elif offset == 0:
        return sizes.minimum(rows, columns)
    else:
        return UNKNOWN
    if right:
        columns = sizes.subtract(columns, offset)
    else:
        rows = sizes.add(rows, offset)
    length = sizes.minimum(rows, columns)
    return sizes.maximum(length, 0) if isinstance(length, int) else length


def _diagonal(
    input: Dims,
    offset: Size,
    dim1: DimRef | None,
    dim2: DimRef | None,
    name: Name = None,
    arguments: tuple[str, str] = ("dim1", "dim2"),
) -> Shape:
    # PyTorch looks the second one up first.
    second = position(input, dim2, arguments[1])
    first = position(input, dim1, arguments[0])
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        return unknown_dims(len(input) - 1)
    if first == second:
        listed = ", ".join(str(d if isinstance(d, int) else first) for d in (dim1, dim2))
        raise RepeatedDim(
            shape=input,
            dim=first,
            text=f"diagonal dimensions cannot be identical {listed}",
            blame=(Blame(arguments[0]), Blame(arguments[1])),
        )
    length = _length(input[first].size, input[second].size, offset)
    return (*drop(input, (first, second)), Dim(name, length))


@op("torch.diagonal", "Tensor.diagonal", leading=True, parsing=("dim by name",))
@op("torch.diagonal_copy", leading=True, memory=Memory.NEW)
def diagonal(input: Dims, offset: Size = 0, dim1: DimRef = 0, dim2: DimRef = 1) -> Shape:
    """The elements where two dims have the same index, as a new last dim without a name.

    Raises DimOutOfRange, RepeatedDim.  Source: name inference, "diagonal".
    """
    return _diagonal(input, offset, dim1, dim2)


@op("torch.diagonal", "Tensor.diagonal", leading=True)
def diagonal_named(
    input: Dims,
    *,
    outdim: object,
    dim1: DimRef | None,
    dim2: DimRef | None,
    offset: Size = 0,
) -> Shape:
    """As the other form, with a name for the new dim.

    Raises UnknownName, WildcardLookup, RepeatedDim, DuplicateName, BadNames.
    Source: name inference, "diagonal".
    """
    check_identifiers((outdim,), "outdim")
    name: Name = outdim if isinstance(outdim, str) or outdim is None else UNKNOWN
    result = _diagonal(input, offset, dim1, dim2, name)
    check_distinct((dim.name for dim in known_dims(result)), "outdim")
    return result


@op("torch.linalg.diagonal", leading=True)
def diagonal_of_matrices(
    A: Dims, *, offset: Size = 0, dim1: DimRef = -2, dim2: DimRef = -1
) -> Shape:
    """The diagonals of the last two dims, as a new last dim.  Raises DimOutOfRange, RepeatedDim.

    Source: torch.linalg.diagonal.
    """
    return _diagonal(A, offset, dim1, dim2)


@op(numpy="diagonal", leading=True)
def diagonal_numpy(input: Dims, offset: Size = 0, axis1: DimRef = 0, axis2: DimRef = 1) -> Shape:
    """The elements where two dims have the same index, as a new last dim.

    Raises DimOutOfRange, RepeatedDim.  Source: numpy.diagonal.
    """
    return _diagonal(input, offset, axis1, axis2, arguments=("axis1", "axis2"))


@op("numpy.linalg.diagonal", "jax.numpy.linalg.diagonal", leading=True)
def diagonal_linalg_numpy(input: Dims, *, offset: Size = 0) -> Shape:
    """The diagonals of the last two dims, as a new last dim.  Raises DimOutOfRange.

    Source: numpy.linalg.diagonal.
    """
    return _diagonal(input, offset, -2, -1)


def _distance(offset: Size) -> Size:
    """How far a diagonal is from the main one."""
    if isinstance(offset, int):
        return abs(offset)
    return offset if sizes.at_most(0, offset).definite else UNKNOWN


@op("torch.diag", "Tensor.diag", out=True)
def diag(input: Dims, diagonal: Size = 0) -> Shape:
    """A vector becomes a matrix with it on a diagonal, a matrix becomes its diagonal; unnamed.

    Raises RankMismatch.  Source: torch.diag, which refused names.
    """
    text = f"diag(): Supports 1D or 2D tensors. Got {len(input)}D"
    require_rank(input, lambda rank: rank in (1, 2), "1 or 2", "input", text)
    return _diag(input, diagonal)


@op(numpy="diag(input, k)")
def diag_numpy(input: Dims, k: Size = 0) -> Shape:
    """A vector becomes a matrix with it on a diagonal, a matrix becomes its diagonal.

    Raises RankMismatch.  Source: numpy.diag.
    """
    text = "Input must be 1- or 2-d."
    require_rank(input, lambda rank: rank in (1, 2), "1 or 2", "input", text)
    return _diag(input, k)


def _diag(input: Dims, offset: Size) -> Shape:
    if len(input) == 1:
        side = fresh(sizes.add(input[0].size, _distance(offset)))
        return (side, side)
    return _diagonal(input, offset, 0, 1)


@op("torch.diagflat", "Tensor.diagflat")
def diagflat(input: Shape, offset: Size = 0) -> Shape:
    """The matrix with all elements on a diagonal; unnamed.  Source: torch.diagflat."""
    side = fresh(sizes.add(element_count(input), _distance(offset)))
    return (side, side)


@op(numpy="diagflat(input, k)")
def diagflat_numpy(input: Shape, k: Size = 0) -> Shape:
    """The matrix with all elements on a diagonal.  Source: numpy.diagflat."""
    side = fresh(sizes.add(element_count(input), _distance(k)))
    return (side, side)


@op("torch.diag_embed", "Tensor.diag_embed")
def diag_embed(input: Dims, offset: Size = 0, dim1: DimRef = -2, dim2: DimRef = -1) -> Shape:
    """The last dim on the diagonal of two new dims, which have no name.

    Raises DimOutOfRange, RepeatedDim.  Source: torch.diag_embed, which refused names.
    """
    rank = len(input) + 1
    first, second = (
        position(unknown_dims(rank), dim1, "dim1"),
        position(unknown_dims(rank), dim2, "dim2"),
    )
    if not input:
        raise RankMismatch(
            shape=input,
            wanted="at least 1",
            text="Dimension out of range (expected to be in range of [-1, 0], but got -2)",
            blame=(Blame("input"),),
        )
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        return unknown_dims(rank)
    if first == second:
        raise RepeatedDim(
            shape=input,
            dim=first,
            text=f"diagonal dimensions cannot be identical {dim1}, {dim2}",
            blame=(Blame("dim1"), Blame("dim2")),
        )
    side = fresh(sizes.add(input[-1].size, _distance(offset)))
    rest = iter(input[:-1])
    return tuple(side if k in (first, second) else next(rest) for k in range(rank))


@op("torch.diagonal_scatter", "Tensor.diagonal_scatter")
def diagonal_scatter(
    input: Shape, src: Shape, offset: Size = 0, dim1: DimRef = 0, dim2: DimRef = 1
) -> Shape:
    """Keeps the dims; `src` goes to a diagonal.

    Raises DimOutOfRange, RepeatedDim, RankMismatch, JoinSize.  Source: torch.diagonal_scatter.
    """
    if not isinstance(input, tuple):
        return input
    part = _diagonal(input, offset, dim1, dim2)
    if isinstance(part, tuple) and isinstance(src, tuple):
        text = (
            "expected src to have a size equal to the slice of self. src size = "
            f"{size_list(src)}, slice size = {size_list(part)}"
        )
        if len(part) != len(src):
            raise RankMismatch(
                shape=src,
                wanted=str(len(part)),
                text=text,
                blame=(Blame("input"), Blame("src")),
            )
        for k, (ours, theirs) in enumerate(zip(part, src, strict=True)):
            blame = (Blame("input"), Blame("src", k))
            mistake = JoinSize(left=part, right=src, dim=k, text=text, blame=blame)
            require_equal(ours.size, theirs.size, mistake)
    return input


@op("Tensor.fill_diagonal_", inplace=InPlace(shared=True))
def fill_diagonal_(input: Shape, fill_value: object, wrap: object = False) -> Shape:
    """Keeps the dims; a diagonal is overwritten.  Raises RankMismatch.

    Source: torch.Tensor.fill_diagonal_.
    """
    if isinstance(input, tuple):
        text = "dimensions must larger than 1"
        require_rank(input, lambda rank: rank >= 2, "at least 2", "input", text)
    return input


def _triangle(input: Shape, function: str) -> Shape:
    if isinstance(input, tuple):
        text = f"{function}: input tensor must have at least 2 dimensions"
        require_rank(input, lambda rank: rank >= 2, "at least 2", "input", text)
    return input


@op("torch.tril", "Tensor.tril", inplace=InPlace(shared=True), out=True, memory=Memory.FOLLOWS)
def tril(input: Shape, diagonal: object = 0) -> Shape:
    """Keeps the dims; the elements above a diagonal become 0.  Raises RankMismatch.

    Source: torch.tril, which refused names.
    """
    return _triangle(input, "tril")


@op("torch.triu", "Tensor.triu", inplace=InPlace(shared=True), out=True, memory=Memory.FOLLOWS)
def triu(input: Shape, diagonal: object = 0) -> Shape:
    """Keeps the dims; the elements below a diagonal become 0.  Raises RankMismatch.

    Source: torch.triu, which refused names.
    """
    return _triangle(input, "triu")


@op(numpy="tril(input, k)")
@op(numpy="triu(input, k)")
def triangle_numpy(input: Shape, k: object = 0) -> Shape:
    """Keeps the dims; elements above or below a diagonal become 0.  A vector becomes a matrix.

    Source: numpy.tril.
    """
    if isinstance(input, Trailing) and len(input.dims) < 2:
        return Trailing((Dim(UNKNOWN, UNKNOWN), *input.dims))
    if isinstance(input, tuple) and len(input) == 1:
        return (fresh(input[0].size), *input)
    return input
