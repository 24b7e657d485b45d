"""Parts of a tensor at places known beforehand: one after another along a dim, or a stretch of it.

A dim that is cut keeps its name in every piece.  Subscripts (`x[...]`) live in `index`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import drop, position, replace, require_equal, require_pieces
from namecheck_runtime.declare import (
    DimRef,
    Dims,
    Memory,
    Shape,
    Shapes,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Symbolic,
    Truth,
    Unknown,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import DimOutOfRange, IndexOutOfRange, RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, JoinSize
from namecheck_runtime.rules.index import slice_size, sliced, subscript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def _bad(shape: Shape, text: str, *blame: str, reason: str = "") -> BadExtent:
    return BadExtent(shape=shape, reason=reason or text, text=text, blame=tuple(map(Blame, blame)))


def _needs_a_dim(input: Dims, function: str) -> None:
    if not input:
        text = f"{function} expects at least a 1-dimensional tensor"
        raise RankMismatch(shape=input, wanted="at least 1", text=text, blame=(Blame("input"),))


def _cut(input: Dims, place: int, parts: Sequence[Size]) -> tuple[Shape, ...]:
    """The pieces of a tensor whose dim at `place` is cut into these sizes."""
    dim = input[place]
    return tuple(
        replace(input, place, dim if size == dim.size and size is not UNKNOWN else dim.resize(size))
        for size in parts
    )


# One piece per element.


@op("torch.unbind", "Tensor.unbind", leading=True, parsing=("dim by name",))
@op("torch.unbind_copy", leading=True, memory=Memory.NEW)
def unbind(input: Dims, dim: DimRef | None = 0) -> Shapes:
    """The slices along a dim, which is dropped; there are as many as its size.

    Raises DimOutOfRange, UnknownName, WildcardLookup.
    Source: name inference, "removes dimensions".
    """
    return _unbound(input, dim)


@op("numpy.unstack", "jax.numpy.unstack")
def unstack(input: Dims, *, dim: DimRef = 0) -> Shapes:
    """The slices along a dim, which is dropped.  Raises DimOutOfRange.  Source: numpy.unstack."""
    return _unbound(input, dim)


def _unbound(input: Dims, dim: DimRef | None) -> Shapes:
    if not input and dim in (0, -1):
        text = "Dimension specified as 0 but tensor has no dimensions"
        raise DimOutOfRange(shape=input, dim=0, rank=0, text=text, blame=(Blame("dim"),))
    place = position(input, dim)
    if isinstance(place, Unknown):
        return UNKNOWN
    return _equal_pieces(drop(input, (place,)), input[place].size)


def _equal_pieces(piece: Shape, count: Size) -> Shapes:
    """`count` equal pieces; UNKNOWN if `count` is not known."""
    if not isinstance(count, int):
        return UNKNOWN
    require_pieces(count)
    return (piece,) * count


def _starts(size: int, step: int) -> range:
    """Where pieces of `step` elements begin; the last may be shorter."""
    require_pieces(-(-size // step))
    return range(0, size, step)


# A number of pieces.


@op("torch.chunk", "Tensor.chunk", leading=True)
@op("torch.unsafe_chunk", "Tensor.unsafe_chunk", leading=True)
def chunk(input: Dims, chunks: Size, dim: DimRef | None = 0) -> Shapes:
    """At most `chunks` pieces, all of one size but the last.

    A symbolic size that is not evidently divisible gives two halves for 2, and otherwise an unknown
    number.  Raises BadExtent, RankMismatch, DimOutOfRange, UnknownName.
    Source: name inference, "keeps input names".
    """
    _needs_a_dim(input, "chunk")
    if isinstance(chunks, int) and chunks < 1:
        text = f"chunk expects `chunks` to be greater than 0, got: {chunks}"
        raise _bad(input, text, "chunks")
    place = position(input, dim)
    if isinstance(place, Unknown) or not isinstance(chunks, int):
        return UNKNOWN
    size = input[place].size
    if size is UNKNOWN:
        return _cut(input, place, (UNKNOWN,)) if chunks == 1 else UNKNOWN
    if isinstance(size, int):
        step = -(-size // chunks)
        if step <= 0:
            return _equal_pieces(_cut(input, place, (0,))[0], chunks)
        return _cut(input, place, [min(step, size - start) for start in _starts(size, step)])
    if sizes.modulo(size, chunks) == 0:
        return _equal_pieces(_cut(input, place, (sizes.divide_exactly(size, chunks),))[0], chunks)
    if chunks != 2 or sizes.possibly_one(size) is Truth.YES:
        return UNKNOWN
    half = sizes.ceil_divide(size, 2)
    return _cut(input, place, [half, sizes.subtract(size, half)])


@op("torch.tensor_split", "Tensor.tensor_split", leading=True)
def tensor_split(input: Dims, sections: Size, dim: DimRef | None = 0) -> Shapes:
    """`sections` pieces; the first ones are longer by one if the size does not divide.

    Raises BadExtent, RankMismatch, DimOutOfRange.  Source: name inference, "keeps input names".
    """
    return _sections(input, sections, dim, exact=False, function="tensor_split")


@op("torch.tensor_split", "Tensor.tensor_split", leading=True)
def tensor_split_at(input: Dims, indices: Sizes, dim: DimRef | None = 0) -> Shapes:
    """Pieces from index to index.  Raises RankMismatch, DimOutOfRange.

    Source: name inference, "keeps input names".
    """
    return _at_indices(input, indices, dim, "tensor_split")


@op("torch.tensor_split", "Tensor.tensor_split", leading=True)
def tensor_split_by(
    input: Dims, tensor_indices_or_sections: object, dim: DimRef | None = 0
) -> Shapes:
    """Pieces whose bounds or number are the elements of a tensor.  Source: torch.tensor_split."""
    return UNKNOWN


def _sections(
    input: Dims,
    sections: Size,
    dim: DimRef | None,
    exact: bool,
    function: str,
    argument: str = "sections",
) -> Shapes:
    if not input:
        text = f"{function} expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        raise RankMismatch(shape=input, wanted="at least 1", text=text, blame=(Blame("input"),))
    if isinstance(sections, int) and sections < 1:
        text = f"number of sections must be larger than 0, got {sections}"
        raise _bad(input, text, argument)
    place = position(input, dim)
    if isinstance(place, Unknown) or not isinstance(sections, int):
        return UNKNOWN
    size = input[place].size
    if isinstance(size, int):
        each, longer = divmod(size, sections)
        if exact and longer:
            text = (
                f"torch.{function} attempted to split along dimension {place}, but the size of the "
                f"dimension {size} is not divisible by the split_size {sections}!"
            )
            reason = f"dim {place} of size {size} does not divide into {sections} equal pieces"
            raise _bad(input, text, "input", argument, reason=reason)
        require_pieces(sections)
        return _cut(input, place, [each + (k < longer) for k in range(sections)])
    divides = exact or sizes.modulo(size, sections) == 0
    piece_size = sizes.divide_exactly(size, sections) if divides else UNKNOWN
    return _equal_pieces(_cut(input, place, (piece_size,))[0], sections)


def _at_indices(input: Dims, indices: Sizes, dim: DimRef | None, function: str) -> Shapes:
    if not input:
        text = f"{function} expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        raise RankMismatch(shape=input, wanted="at least 1", text=text, blame=(Blame("input"),))
    place = position(input, dim)
    if isinstance(place, Unknown):
        return (unknown_dims(len(input)),) * (len(indices) + 1)
    bounds = (None, *indices, None)
    size = input[place].size
    parts = [slice_size(size, *bounds[k : k + 2]) for k in range(len(indices) + 1)]
    return _cut(input, place, parts)


# Pieces of given sizes.


@op("torch.split", leading=True)
def split(tensor: Dims, split_size_or_sections: Size | Sizes, dim: DimRef | None = 0) -> Shapes:
    """Pieces of one size, of which the last may be shorter, or of the listed sizes.

    Raises BadExtent, JoinSize, RankMismatch, DimOutOfRange.
    Source: name inference, "keeps input names".
    """
    return _split(tensor, split_size_or_sections, dim, "split_size_or_sections")


@op("Tensor.split", leading=True)
def split_method(self: Dims, split_size: Size | Sizes, dim: DimRef | None = 0) -> Shapes:
    """As `torch.split`.  Raises BadExtent, JoinSize, RankMismatch, DimOutOfRange.

    Source: name inference, "keeps input names".
    """
    return _split(self, split_size, dim, "split_size")


@op("torch.unsafe_split", "Tensor.unsafe_split", leading=True)
def unsafe_split(input: Dims, split_size: Size | Sizes, dim: DimRef | None = 0) -> Shapes:
    """As `torch.split`.  Raises BadExtent, JoinSize, RankMismatch, DimOutOfRange.

    Source: torch.unsafe_split.
    """
    return _split(input, split_size, dim, "split_size")


@op("torch.split_with_sizes", "Tensor.split_with_sizes", leading=True)
@op("torch.unsafe_split_with_sizes", "Tensor.unsafe_split_with_sizes", leading=True)
def split_with_sizes(input: Dims, split_sizes: Sizes, dim: DimRef | None = 0) -> Shapes:
    """Pieces of the listed sizes, which add up to the dim's.

    Raises BadExtent, JoinSize, RankMismatch, DimOutOfRange.
    Source: name inference, "keeps input names".
    """
    return _split(input, split_sizes, dim, "split_sizes")


@op("jax.lax.split")
def split_lax(operand: Dims, sizes: Sizes, axis: DimRef = 0) -> Shapes:
    """Pieces of the listed sizes, which add up to the dim's.

    Raises JoinSize, DimOutOfRange.  Source: jax.lax.split.
    """
    return _split(operand, sizes, axis, "sizes")


def _split(input: Dims, wanted: Size | Sizes, dim: DimRef | None, argument: str) -> Shapes:
    _needs_a_dim(input, "split")
    place = position(input, dim)
    if isinstance(wanted, Unknown):
        return UNKNOWN
    if isinstance(wanted, (int, Symbolic)):
        _check_split_size(input, wanted, place, argument)
        if isinstance(place, Unknown):
            return UNKNOWN
        parts = _steps(input[place].size, wanted)
        return UNKNOWN if parts is None else _cut(input, place, parts)
    listed = ", ".join(map(str, wanted))
    if any(isinstance(size, int) and size < 0 for size in wanted):
        text = (
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            f"split_sizes=[{listed}]"
        )
        raise _bad(input, text, argument)
    if isinstance(place, Unknown):
        return (unknown_dims(len(input)),) * len(wanted)
    size = input[place].size
    text = (
        f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at "
        f"dimension {place}), but got split_sizes=[{listed}]"
    )
    total = sizes.total(wanted)
    reason = f"the pieces [{listed}] add up to {total}, but dim {place} has {size}"
    blame = (Blame("input", place), Blame(argument))
    require_equal(size, total, BadExtent(shape=input, reason=reason, text=text, blame=blame))
    return _cut(input, place, wanted)


def _check_split_size(
    input: Dims, wanted: int | Symbolic, place: int | Unknown, argument: str
) -> None:
    if not isinstance(wanted, int):
        return
    if wanted < 0:
        text = f"split expects split_size be non-negative, but got split_size={wanted}"
        raise _bad(input, text, argument)
    size = input[place].size if isinstance(place, int) else 0
    if wanted == 0 and isinstance(size, int) and size:
        text = f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
        raise _bad(input, text, "input", argument)


def _steps(size: Size, step: Size) -> list[Size] | None:
    """The sizes of pieces of `step` elements; None if it is not known how many there are."""
    if isinstance(size, int) and isinstance(step, int):
        if size <= 0:
            return [0]
        return [min(step, size - start) for start in _starts(size, step)] if step else None
    if size is UNKNOWN or step is UNKNOWN:
        return None
    if sizes.at_most(size, step).definite:
        return [size]
    count = sizes.divide_exactly(size, step)
    if not isinstance(count, int):
        return None
    require_pieces(count)
    return [step] * count


# Along a fixed dim, and NumPy's.


def _along_dim(input: Dims, function: str, rank: int) -> int:
    """The dim that `hsplit`, `vsplit` or `dsplit` cuts; raises RankMismatch."""
    if len(input) < rank:
        text = (
            f"torch.{function} requires a tensor with at least {rank} dimension, but got a tensor "
            f"with {len(input)} dimensions!"
        )
        raise RankMismatch(
            shape=input, wanted=f"at least {rank}", text=text, blame=(Blame("input"),)
        )
    if function == "hsplit":
        return 0 if len(input) == 1 else 1
    return 0 if function == "vsplit" else 2


_ALONG = {"hsplit": 1, "vsplit": 2, "dsplit": 3}


def _declare_along(function: str) -> None:
    rank = _ALONG[function]
    # JAX splits vectors, too: `jax_vsplit`.
    shared = function if function != "vsplit" else ""
    own = ("numpy.vsplit",) if function == "vsplit" else ()

    @op(f"torch.{function}", f"Tensor.{function}", *own, numpy=shared)
    def by_sections(input: Dims, sections: Size) -> Shapes:
        place = _along_dim(input, function, rank)
        return _sections(input, sections, place, exact=True, function=function)

    @op(f"torch.{function}", f"Tensor.{function}")
    def by_indices(input: Dims, indices: Sizes) -> Shapes:
        return _at_indices(input, indices, _along_dim(input, function, rank), function)

    if function == "hsplit":
        along = "the second dim, or the only one"
    else:
        along = "the first dim" if function == "vsplit" else "the third dim"
    by_sections.__doc__ = (
        f"Equal pieces along {along}.  Raises BadExtent, RankMismatch.  Source: torch.{function}."
    )
    source = f"Source: torch.{function}."
    by_indices.__doc__ = (
        f"Pieces from index to index along {along}.  Raises RankMismatch.  {source}"
    )


for _function in _ALONG:
    _declare_along(_function)


@op("numpy.split", "jax.numpy.split", leading=True)
def split_numpy(input: Dims, indices_or_sections: Size | Sizes, dim: DimRef = 0) -> Shapes:
    """A number of equal pieces, or pieces from index to index.

    Raises BadExtent, DimOutOfRange.  Source: numpy.split.
    """
    if isinstance(indices_or_sections, (int, Symbolic, Unknown)):
        return _sections(
            input, indices_or_sections, dim, True, "split", argument="indices_or_sections"
        )
    return _at_indices(input, indices_or_sections, dim, "split")


@op("jax.numpy.vsplit")
def jax_vsplit(input: Dims, indices_or_sections: Size | Sizes) -> Shapes:
    """Pieces along the first dim, which may be the only one.

    Raises BadExtent, DimOutOfRange.  Source: jax.numpy.vsplit.
    """
    return split_numpy(input, indices_or_sections, 0)


@op("numpy.array_split", "jax.numpy.array_split", leading=True)
def array_split(input: Dims, indices_or_sections: Size | Sizes, dim: DimRef = 0) -> Shapes:
    """A number of pieces whose sizes differ by one at most, or pieces from index to index.

    Raises BadExtent, DimOutOfRange.  Source: numpy.array_split.
    """
    if isinstance(indices_or_sections, (int, Symbolic, Unknown)):
        return _sections(
            input, indices_or_sections, dim, False, "array_split", argument="indices_or_sections"
        )
    return _at_indices(input, indices_or_sections, dim, "array_split")


# A stretch of one dim.


@op("torch.narrow", "Tensor.narrow", leading=True)
@op("torch.narrow_copy", "Tensor.narrow_copy", leading=True, memory=Memory.NEW)
def narrow(input: Dims, dim: DimRef | None, start: object, length: Size) -> Shape:
    """`length` elements of a dim, which keeps its name.

    Raises BadExtent, IndexOutOfRange, DimOutOfRange.  Source: name inference, "keeps input names".
    """
    if not input:
        text = "narrow() cannot be applied to a 0-dim tensor."
        raise RankMismatch(shape=input, wanted="at least 1", text=text, blame=(Blame("input"),))
    if isinstance(length, int) and length < 0:
        raise _bad(input, "narrow(): length must be non-negative.", "length")
    place = position(input, dim)
    if isinstance(place, Unknown):
        return unknown_dims(len(input))
    size = input[place].size
    _check_stretch(input, place, size, start, length)
    return _cut(input, place, (length,))[0]


def _check_stretch(input: Dims, place: int, size: Size, start: object, length: Size) -> None:
    if isinstance(size, int) and isinstance(start, int) and not -size <= start <= size:
        raise IndexOutOfRange(
            shape=input,
            dim=place,
            rank=len(input),
            size=size,
            text=(
                f"start out of range (expected to be in range of [{-size}, {size}], but got "
                f"{start})"
            ),
            blame=(Blame("input", place), Blame("start")),
        )
    if not isinstance(start, (int, sizes.Polynomial)):
        return
    first = start
    if sizes.at_most(start, -1).definite:
        counted = sizes.add(size, start)
        if not isinstance(counted, (int, sizes.Polynomial)):
            return
        first = counted
    end = sizes.add(first, length)
    if sizes.at_most(end, size) is Truth.NO:
        text = f"start ({first}) + length ({length}) exceeds dimension size ({size})."
        reason = f"dim {place} has {size}, and {start} + {length} is beyond it"
        blame = (Blame("input", place), Blame("start"), Blame("length"))
        raise BadExtent(shape=input, reason=reason, text=text, blame=blame)


# Writing a part into a copy.


def _check_part(input: Shape, part: Shape, source: Shape) -> None:
    """Require the source to have the sizes of the part that it overwrites."""
    if not isinstance(part, tuple) or not isinstance(source, tuple):
        return
    text = (
        "expected src to have a size equal to the slice of self. src size = "
        f"{size_list(source)}, slice size = {size_list(part)}"
    )
    if len(part) != len(source):
        raise RankMismatch(
            shape=source,
            wanted=str(len(part)),
            text=text,
            blame=(Blame("input"), Blame("src")),
        )
    for dim, (ours, theirs) in enumerate(zip(part, source, strict=True)):
        blame = (Blame("input"), Blame("src", dim))
        require_equal(
            ours.size,
            theirs.size,
            JoinSize(left=part, right=source, dim=dim, text=text, blame=blame),
        )


@op("torch.select_scatter", "Tensor.select_scatter")
def select_scatter(input: Shape, src: Shape, dim: DimRef, index: Size) -> Shape:
    """Keeps the dims; `src` goes to one index of a dim.

    Raises DimOutOfRange, IndexOutOfRange, RankMismatch, JoinSize.  Source: torch.select_scatter.
    """
    if isinstance(input, tuple) and input:
        place = position(input, dim)
        if not isinstance(place, Unknown):
            entries = (slice(None),) * place + (index if index is not UNKNOWN else 0,)
            known = input if index is not UNKNOWN else replace(input, place, Dim(None, UNKNOWN))
            _check_part(input, subscript(known, entries, numpy=False), src)
    return input


@op("torch.slice_scatter", "Tensor.slice_scatter")
def slice_scatter(
    input: Shape,
    src: Shape,
    dim: DimRef = 0,
    start: object = None,
    end: object = None,
    step: Size = 1,
) -> Shape:
    """Keeps the dims; `src` goes to a slice of a dim.

    Raises DimOutOfRange, BadStep, RankMismatch, JoinSize.  Source: torch.slice_scatter.
    """
    if isinstance(step, int) and step < 1:
        raise _bad(input, "slice step must be positive", "step")
    if isinstance(input, tuple) and input:
        place = position(input, dim)
        if not isinstance(place, Unknown):
            part = sliced(input[place], slice(start, end, step), input, numpy=False)
            _check_part(input, replace(input, place, part), src)
    return input


@op("torch.as_strided_scatter", "Tensor.as_strided_scatter")
def as_strided_scatter(
    input: Shape, src: Shape, size: object, stride: object, storage_offset: object = None
) -> Shape:
    """Keeps the dims; `src` goes to places given by strides.  Source: torch.as_strided_scatter."""
    return input
