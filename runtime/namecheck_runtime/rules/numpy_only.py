"""Ops of NumPy and jax.numpy that PyTorch does not have, or has in another form.

Padding, windows over one dim, gradients, polynomials, products of matrices and vectors.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    element_count,
    fresh,
    positions,
    require_equal,
    require_rank,
)
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import DimRefs, Dims, Flag, Operand, Shape, Size, Sizes, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Unknown, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _is_size(value: object) -> bool:
    return isinstance(value, (int, Symbolic)) and not isinstance(value, bool)


def _pairs(width: Any, rank: int) -> tuple[tuple[Size, Size], ...] | None:
    """The numbers that np.pad adds to both ends of each dim; None if they are not known.

    One number for all ends, `(before, after)` for all dims, or one such pair per dim.
    """
    if _is_size(width):
        return ((width, width),) * rank
    if not isinstance(width, (tuple, list)):
        return None
    if all(map(_is_size, width)):
        if len(width) == 1:
            return ((width[0], width[0]),) * rank
        return ((width[0], width[1]),) * rank if len(width) == 2 else None
    pairs: list[tuple[Size, Size]] = []
    for entry in width:
        if not isinstance(entry, (tuple, list)) or len(entry) not in (1, 2):
            return None
        ends = tuple(v if _is_size(v) else UNKNOWN for v in entry)
        pairs.append((ends[0], ends[-1]))
    return tuple(pairs) * rank if len(pairs) == 1 else tuple(pairs)


@op(numpy="pad(input, pad_width, mode)")
def pad(
    input: Dims, pad_width: Size | Sizes | object, mode: object = "constant", **options: object
) -> Shape:
    """Adds to both ends of dims, counted from the first.  Source: numpy.pad."""
    pairs = _pairs(pad_width, len(input))
    if pairs is None:
        return tuple(dim.resize(UNKNOWN) for dim in input)
    if len(pairs) != len(input):
        raise RankMismatch(
            shape=input, wanted=str(len(pairs)), blame=(Blame("input"), Blame("pad_width"))
        )
    result: list[Dim] = []
    for dim, (before, after) in zip(input, pairs, strict=True):
        for end in (before, after):
            if isinstance(end, int) and end < 0:
                text = "index can't contain negative values"
                reason = f"padding by {end} is negative"
                raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("pad_width"),))
        size = sizes.add(dim.size, sizes.add(before, after))
        result.append(dim if size == dim.size else dim.resize(size))
    return tuple(result)


# Windows over one dim.


def _vector(shape: Dims, argument: str) -> Size:
    require_rank(shape, lambda n: n <= 1, "1", argument, text="object too deep for desired array")
    return shape[0].size if shape else 1


@op(numpy="convolve(input, v, mode)")
def convolve(input: Dims, v: Dims, mode: object = "full") -> Shape:
    """The sums of products at every shift of one vector along another.  Source: numpy.convolve."""
    return _slid(input, v, mode)


@op(numpy="correlate(input, v, mode)")
def correlate(input: Dims, v: Dims, mode: object = "valid") -> Shape:
    """As convolve, the second vector not reversed.  Source: numpy.correlate."""
    return _slid(input, v, mode)


def _slid(input: Dims, v: Dims, mode: object) -> Shape:
    long, short = _vector(input, "input"), _vector(v, "v")
    if mode == "full":
        return (fresh(sizes.subtract(sizes.add(long, short), 1)),)
    larger, smaller = sizes.maximum(long, short), sizes.minimum(long, short)
    if mode == "same":
        return (fresh(larger),)
    if mode == "valid":
        return (fresh(sizes.add(sizes.subtract(larger, smaller), 1)),)
    return (fresh(UNKNOWN),)


@op(numpy="gradient(f)")
def gradient(f: Dims, *varargs: object, axis: object = None, edge_order: object = 1) -> object:
    """The slope along each dim: one array for one dim, else a list.  Source: numpy.gradient."""
    if isinstance(axis, int) or (axis is None and len(f) == 1):
        if isinstance(axis, int):
            positions(f, (axis,), "axis")
        return f
    if axis is None:
        return (f,) * len(f)
    if not isinstance(axis, (tuple, list)):
        return UNKNOWN
    return f if len(axis) == 1 else (f,) * len(axis)


@op("torch.gradient")
def torch_gradient(
    input: Dims,
    *,
    spacing: object = None,
    dim: DimRefs | None = None,
    edge_order: object = 1,
) -> tuple[Shape, ...] | Unknown:
    """The slope along each dim, or the listed ones: always a tuple.  Source: torch.gradient."""
    if dim is None:
        return (input,) * len(input)
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    if isinstance(dims, tuple):
        positions(input, dims)
    return (input,) * len(dims) if dim is not UNKNOWN else UNKNOWN


@op(numpy="ediff1d(input, to_end, to_begin)")
def ediff1d(input: Shape, to_end: object = None, to_begin: object = None) -> Shape:
    """The differences of consecutive elements, flattened.  Source: numpy.ediff1d."""
    if to_end is not None or to_begin is not None:
        return (fresh(UNKNOWN),)
    return (fresh(sizes.maximum(sizes.subtract(element_count(input), 1), 0)),)


# Polynomials.


@op(numpy="polyfit(input, y, deg, rcond, full, w, cov)")
def polyfit(
    input: Dims,
    y: Dims,
    deg: Size,
    rcond: object = None,
    full: object = False,
    w: object = None,
    cov: object = False,
) -> object:
    """deg + 1 coefficients, of each column of y.  Source: numpy.polyfit."""
    require_rank(input, lambda n: n == 1, "1", "input", text="expected 1D vector for x")
    require_rank(y, lambda n: n in (1, 2), "1 or 2", "y", text="expected 1D or 2D array for y")
    _equal(input, y, 0, 0, ("input", "y"))
    if full is not False or cov is not False:
        return UNKNOWN
    return (fresh(sizes.add(deg, 1)), *y[1:])


def _equal(left: Dims, right: Dims, mine: int, other: int, arguments: tuple[str, str]) -> None:
    first, second = left[mine].size, right[other].size
    mistake = ContractionSize(
        left=left,
        right=right,
        left_size=first,
        right_size=second,
        blame=(Blame(arguments[0], mine), Blame(arguments[1], other)),
    )
    require_equal(first, second, mistake)


# Products.


@op(numpy="vdot(input, other)")
def vdot(input: Operand, other: Operand) -> Shape:
    """The product of two flattened arrays of equally many elements.  Source: numpy.vdot."""
    mine, theirs = element_count(input), element_count(other)
    mistake = ContractionSize(
        left=input,
        right=other,
        left_size=mine,
        right_size=theirs,
        blame=(Blame("input"), Blame("other")),
    )
    require_equal(mine, theirs, mistake)
    return ()


@op(numpy="matvec(input, other, out)", out=True)
def matvec(input: Dims, other: Dims) -> Shape:
    """`[*b, m, n], [*b, n] -> [*b, m]`.  Source: numpy.matvec."""
    require_rank(input, lambda n: n >= 2, "at least 2", "input")
    require_rank(other, lambda n: n >= 1, "at least 1", "other")
    _equal(input, other, -1, -1, ("input", "other"))
    batch = broadcast(input[:-2], other[:-1])
    return (*batch, input[-2]) if isinstance(batch, tuple) else UNKNOWN


@op(numpy="vecmat(input, other, out)", out=True)
def vecmat(input: Dims, other: Dims) -> Shape:
    """`[*b, n], [*b, n, m] -> [*b, m]`.  Source: numpy.vecmat."""
    require_rank(input, lambda n: n >= 1, "at least 1", "input")
    require_rank(other, lambda n: n >= 2, "at least 2", "other")
    _equal(input, other, -1, -2, ("input", "other"))
    batch = broadcast(input[:-1], other[:-2])
    return (*batch, other[-1]) if isinstance(batch, tuple) else UNKNOWN


# Elementwise, with two results.


@op(numpy="divmod(input, other)")
def divmod(input: Operand, other: Operand) -> tuple[Shape, Shape]:
    """Quotient and remainder.  Source: numpy.divmod."""
    result = broadcast(input, other)
    return result, result


@op("torch.frexp", "Tensor.frexp", numpy="frexp(input)", out=True)
def frexp(input: Shape) -> tuple[Shape, Shape]:
    """Mantissa and exponent; names stay."""
    return input, input


@op(numpy="modf(input)")
def modf(input: Shape) -> tuple[Shape, Shape]:
    """Fraction and whole part.  Source: numpy.modf."""
    return input, input


@op(numpy="bitwise_count(input)", kind="int")
def bitwise_count(input: Operand) -> Shape:
    """How many bits are set.  Source: numpy.bitwise_count."""
    return input


@op(numpy="cumulative_sum(input)", kind="counted")
@op(numpy="cumulative_prod(input)", kind="counted")
def cumulative(input: Dims, *, dim: int | None = None, include_initial: bool = False) -> Shape:
    """The dims of the input; the dim is longer by one with an initial element."""
    if not input:
        input = (fresh(1),)
    require_rank(input, lambda n: dim is not None or n == 1, "1", "input")
    places = positions(input, (0 if dim is None else dim,))
    if not isinstance(places, tuple) or not include_initial:
        return input
    return tuple(d.resize(sizes.add(d.size, 1)) if k in places else d for k, d in enumerate(input))


# Methods of functions: `np.add.reduce`.


def _declare_methods(function: str) -> None:
    counted = "counted" if function in ("add", "multiply") else "same"

    @op(f"numpy.{function}.reduce", out=True, kind=counted)
    def reduce(
        array: Shape, axis: DimRefs | None = 0, dtype: object = None, keepdims: Flag = False
    ) -> Shape:
        """Drops the axis, or keeps it with size 1.  Source: numpy.ufunc.reduce."""
        blame = {"input": "array", "dim": "axis"}
        result: Shape = apply("numpy.sum", array, axis, keepdim=keepdims, blame=blame)
        return result

    @op(f"numpy.{function}.accumulate", out=True, kind=counted)
    def accumulate(array: Shape, axis: object = 0, dtype: object = None) -> Shape:
        """Keeps the dims.  Source: numpy.ufunc.accumulate."""
        return array

    @op(f"numpy.{function}.outer", out=True)
    def outer(A: Operand, B: Operand) -> Shape:
        """Every pair: the dims of A, then those of B.  Source: numpy.ufunc.outer."""
        if not isinstance(A, tuple):
            return trailing(known_dims(B)) if isinstance(B, tuple) else UNKNOWN
        if not isinstance(B, tuple):
            return B
        check_distinct((dim.name for dim in (*A, *B)), "B")
        return (*A, *B)

    @op(f"numpy.{function}.at", writes=("a",))
    def at(a: Shape, indices: object, b: object = None) -> object:
        """Writes into the array, and returns nothing.  Source: numpy.ufunc.at."""
        return UNKNOWN


for _name in (
    *("add", "subtract", "multiply", "maximum", "minimum", "logical_and", "logical_or"),
    *("logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor"),
):
    _declare_methods(_name)
