"""Ops that find, choose or count elements; a size that the elements decide is UNKNOWN."""

from __future__ import annotations

from namecheck_runtime.algebra import fresh, position, replace, require_rank
from namecheck_runtime.alignment import broadcast, check_names
from namecheck_runtime.declare import DimRef, Operand, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SOME = Dim(None, UNKNOWN)
"""An unnamed dim whose size the elements decide."""


@op("torch.masked_select", "Tensor.masked_select", out=True)
def masked_select(input: Shape, mask: Shape) -> Shape:
    """The elements where `mask` holds, as an unnamed vector.

    Source: name inference, "aligns mask up to input".
    """
    mask_over(input, mask)
    return (_SOME,)


def mask_over(input: Shape, mask: Shape) -> Shape:
    """A tensor and its mask broadcast; torch puts `input` first for names, `mask` for sizes."""
    check_names(input, mask, arguments=("input", "mask"))
    combined = broadcast(mask, input, ("mask", "input"), names=False)
    # The elements stay where they are: the input's own dims, with their traces.
    return input if combined == input else combined


@op("torch.nonzero", "Tensor.nonzero", kind="int", out=True)
def nonzero(input: Shape, *, as_tuple: bool = False) -> Any:
    """The indices of elements that are not zero: a row per element, or a vector per dim."""
    if as_tuple:
        return vector_per_dim(input)
    return (_SOME, fresh(len(input) if isinstance(input, tuple) else UNKNOWN))


def vector_per_dim(input: Shape) -> Any:
    """The tuple that `nonzero` returns: a vector of indices per dim; UNKNOWN if the rank is."""
    # A 0-d tensor counts as a vector of one element.
    return ((_SOME,),) * max(len(input), 1) if isinstance(input, tuple) else UNKNOWN


@op("torch.argwhere", "Tensor.argwhere", numpy="argwhere", kind="int")
def argwhere(input: Shape) -> Shape:
    """The indices of elements that are not zero, a row per element."""
    return (_SOME, fresh(len(input) if isinstance(input, tuple) else UNKNOWN))


@op(numpy="nonzero(input)", kind="int")
def numpy_nonzero(input: Shape) -> Any:
    """The indices of elements that are not zero, a vector per dim.  Source: numpy.nonzero."""
    return vector_per_dim(input)


@op(numpy="flatnonzero(input)", kind="int")
def flatnonzero(input: Shape) -> Shape:
    """The indices, in the flattened array, of elements that are not zero."""
    return (_SOME,)


@op("torch.unique", "Tensor.unique", kind="same, then int")
def unique(
    input: Shape,
    sorted: object = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: DimRef | None = None,
) -> Any:
    """Distinct values, or slices along a dim; on request the place of each element, and counts."""
    return _several(_unique(input, dim), input, dim, return_inverse, return_counts)


@op("torch.unique_consecutive", "Tensor.unique_consecutive", kind="same, then int")
def unique_consecutive(
    input: Shape,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: DimRef | None = None,
) -> Any:
    """As `torch.unique`, of neighbours only."""
    return _several(_unique(input, dim), input, dim, return_inverse, return_counts)


@op(
    numpy="unique(input, return_index, return_inverse, return_counts, dim)",
    kind="same, then int",
)
def numpy_unique(
    input: Shape,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: DimRef | None = None,
    *,
    equal_nan: object = True,
    sorted: object = True,
    size: Size | None = None,
    fill_value: object = None,
) -> Any:
    """Distinct values, or slices along a dim, and on request indices, inverse and counts.

    Source: numpy.unique; `size` is jax.numpy's.
    """
    values = _unique(input, dim)
    if size is not None and isinstance(values, tuple):
        values = tuple(d.resize(size) if d.size is UNKNOWN else d for d in values)
    if not return_index:
        return _several(values, input, dim, return_inverse, return_counts)
    others = _several(values, input, dim, return_inverse, return_counts)
    if not return_inverse and not return_counts:
        return values, (_SOME,)
    assert isinstance(others, tuple)
    return (values, (_SOME,), *others[1:])


def _unique(input: Shape, dim: DimRef | None) -> Shape:
    if dim is None:
        return (_SOME,)
    if not isinstance(input, tuple) or dim is UNKNOWN:
        return UNKNOWN
    index = position(input, dim)
    if isinstance(index, Unknown) or not input:
        return tuple(d.resize(UNKNOWN) for d in input)
    return replace(input, index, input[index].resize(UNKNOWN))


def _several(values: Shape, input: Shape, dim: DimRef | None, inverse: bool, counts: bool) -> Any:
    results = [values]
    if inverse:
        if dim is None:
            results.append(input)
        else:
            results.append((_along(input, dim),) if isinstance(input, tuple) and input else UNKNOWN)
    if counts:
        results.append((_SOME,))
    return tuple(results) if len(results) > 1 else values


def _along(input: tuple[Dim, ...], dim: DimRef) -> Dim:
    index = position(input, dim)
    return Dim(None, UNKNOWN if isinstance(index, Unknown) else input[index].size)


@op(numpy="union1d(input, other)")
@op(numpy="setxor1d(input, other)")
@op(numpy="setdiff1d(input, other)")
def set_of(input: object, other: object, assume_unique: object = False) -> Shape:
    """The elements of two arrays taken as sets: a vector.  Source: numpy.union1d."""
    return (_SOME,)


@op("torch.bincount", "Tensor.bincount", numpy="bincount(input, weights, minlength)", kind="int")
def bincount(
    input: Shape, weights: object = None, minlength: object = 0, *, length: Size | None = None
) -> Shape:
    """How often each number occurs in a vector; `length` is jax.numpy's.  Raises RankMismatch."""
    if isinstance(input, tuple):
        text = "bincount only supports 1-d non-negative integral inputs."
        require_rank(input, lambda n: n == 1, "1", "input", text)
    return (fresh(UNKNOWN if length is None else length),)


@op("torch.histc", "Tensor.histc", out=True)
def histc(input: Shape, bins: Size = 100, min: object = 0, max: object = 0) -> Shape:
    """How many elements fall into each bin."""
    return (fresh(bins),)


@op("torch.histogram", "Tensor.histogram")
def histogram(
    input: Shape,
    bins: Size | Shape = 100,
    *,
    range: object = None,
    weight: object = None,
    density: object = False,
) -> tuple[Shape, Shape]:
    """How many elements fall into each bin, and the edges of the bins."""
    return _histogram(bins)


@op(numpy="histogram(input, bins, range, density, weights)")
def numpy_histogram(input: object, bins: object = 10) -> tuple[Shape, Shape]:
    """How many elements fall into each bin, and the edges of the bins.  Source: numpy.histogram."""
    return _histogram(bins)


def _histogram(bins: object) -> tuple[Shape, Shape]:
    if isinstance(bins, int):
        return (fresh(bins),), (fresh(bins + 1),)
    return (_SOME,), (_SOME,)


@op("torch.isin", numpy="isin(elements, test_elements, assume_unique, invert)", kind="bool")
@op(numpy="in1d(elements, test_elements, assume_unique, invert)", kind="bool")
def isin(
    elements: Operand,
    test_elements: object,
    *,
    assume_unique: object = False,
    invert: object = False,
) -> Shape:
    """Whether each element is one of others.  Torch refused names; they are kept."""
    return elements
