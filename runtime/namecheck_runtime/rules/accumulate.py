"""Ops that accumulate, difference or integrate along a dim.

Ops that remove the dim live in `reduce`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import fresh, merge, position, replace, require_equal, require_rank
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import DimRef, Operand, Shape, Size, op
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.reduce import check_dim, dims_of_numbers, reduced, within


def _along(input: Shape, dim: DimRef | None, *, dtype: object = None) -> Shape:
    """Accumulates along a dim and keeps it.  Source: name inference, "keeps input names"."""
    check_dim(input, dim)
    return input


for _name in ("cumsum", "cumprod", "logcumsumexp"):
    op(
        f"torch.{_name}",
        f"Tensor.{_name}",
        inplace=True,
        out=True,
        kind="counted",
        parsing=("dim by name",),
    )(_along)


def _declare_cumulative_extreme(name: str) -> None:
    @op(f"torch.{name}", f"Tensor.{name}", out=True, parsing=("dim by name",))
    def rule(input: Shape, dim: DimRef | None) -> tuple[Shape, Shape]:
        """The largest or smallest so far, and where.  Source: name inference, "keeps"."""
        if input == () and isinstance(dim, int) and dim not in (-1, 0):
            text = f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}"
            raise DimOutOfRange(shape=(), dim=dim, rank=0, text=text, blame=(Blame("dim"),))
        check_dim(input, dim)
        return input, input


for _name in ("cummax", "cummin"):
    _declare_cumulative_extreme(_name)


@op(numpy="cumsum(input, dim, dtype, out)", out=True, kind="counted")
@op(numpy="cumprod(input, dim, dtype, out)", out=True, kind="counted")
@op(numpy="nancumsum(input, dim, dtype, out)", out=True, kind="counted")
@op(numpy="nancumprod(input, dim, dtype, out)", out=True, kind="counted")
def accumulated(input: Operand, dim: DimRef | None = None) -> Shape:
    """Accumulates along a dim, or, without one, over the flattened array.  Source: numpy.cumsum."""
    if dim is UNKNOWN:
        return UNKNOWN
    if dim is None:
        return flat(input)
    check_dim(input, dim)
    return at_least_1d(input)


@op(jax="jax.lax.cumsum(input, dim, reverse)", kind="counted")
@op(jax="jax.lax.cumprod(input, dim, reverse)", kind="counted")
@op(jax="jax.lax.cummax(input, dim, reverse)")
@op(jax="jax.lax.cummin(input, dim, reverse)")
@op(jax="jax.lax.cumlogsumexp(input, dim, reverse)")
def lax_accumulated(input: Shape, dim: DimRef = 0, reverse: object = False) -> Shape:
    """Accumulates along a dim.  Source: jax.lax.cumsum."""
    check_dim(input, dim)
    return input


def at_least_1d(input: Shape) -> Shape:
    """The input; a 0-d array as a vector of one element, as NumPy takes it where it needs a dim."""
    return input or (fresh(1),) if isinstance(input, tuple) else input


def flat(input: Shape) -> Shape:
    """All elements in one unnamed dim."""
    if isinstance(input, tuple):
        return (merge(input),) if input else (fresh(1),)
    return (fresh(UNKNOWN),)


@op("torch.diff", "Tensor.diff", out=True)
@op(numpy="diff(input, n, dim, prepend, append)")
def diff(
    input: Shape,
    n: Size = 1,
    dim: DimRef = -1,
    prepend: Operand | None = None,
    append: Operand | None = None,
) -> Shape:
    """Differences of neighbours along a dim, `n` times.  Torch refused names; they are kept.

    Raises RankMismatch.
    """
    if n == 0:
        return input
    if isinstance(input, tuple):
        text = "diff expects input to be at least one-dimensional"
        require_rank(input, lambda n: n > 0, "at least 1", "input", text)
    return _lengthened(input, dim, (prepend, append), n)


def _lengthened(
    input: Shape, dim: DimRef, added: tuple[Shape | None, ...], shorter_by: Size
) -> Shape:
    """The dims, with the one at `dim` longer by the added ones and `shorter_by` shorter."""
    if isinstance(input, Trailing) and within(input, dim):
        return trailing(_lengthened_dims(input.dims, dim, added, shorter_by))
    if not isinstance(input, tuple):
        return UNKNOWN
    for shape in added:
        if isinstance(shape, tuple):
            text = "diff expects prepend or append to be the same dimension as input"
            require_rank(shape, lambda n: n in (0, len(input)), str(len(input)), "prepend", text)
    return _lengthened_dims(input, dim, added, shorter_by)


def _lengthened_dims(
    input: Dims, dim: DimRef, added: tuple[Shape | None, ...], shorter_by: Size
) -> Dims:
    index = position(input, dim)
    if isinstance(index, Unknown) or not input:
        return tuple(d.resize(UNKNOWN) for d in input)
    size = input[index].size
    for shape in added:
        if shape is None:
            continue
        known = known_dims(shape)
        back = index - len(input)
        if len(known) >= -back:
            size = sizes.add(size, known[back].size)
        else:
            size = sizes.add(size, 1 if shape == () else UNKNOWN)
    left = sizes.subtract(size, shorter_by)
    # More differences than elements leave none.
    if sizes.at_most(left, -1) is not Truth.NO:
        left = 0 if sizes.at_most(left, 0) is Truth.YES else left if shorter_by == 1 else UNKNOWN
    return replace(input, index, input[index].resize(left))


@op(numpy="trapezoid(y, x, dx, dim)", kind="float")
@op(numpy="trapz(y, x, dx, dim)", kind="float")
def numpy_trapezoid(y: Shape, x: object = None, *, dx: object = None, dim: DimRef = -1) -> Shape:
    """The integral along a dim.  Source: numpy.trapezoid."""
    check_dim(y, dim)
    return reduced(_sampled(y, x), dim)


@op("torch.trapezoid", "torch.trapz", kind="float")
def trapezoid(y: Shape, x: object = None, *, dx: object = None, dim: DimRef = -1) -> Shape:
    """The integral along a dim.  Torch refused names; the one integrated over is dropped.

    Raises BadExtent unless there are as many places as samples.
    """
    index = check_dim(y, dim)
    if isinstance(x, tuple) and len(x) == 1 and isinstance(x[0], Dim):
        if isinstance(y, tuple) and y and isinstance(index, int):
            text = "trapezoid: There must be one `x` value for each sample point"
            reason = f"x has {x[0].size} places, but there are {y[index].size} samples"
            blame = (Blame("x"), Blame("y", index))
            mistake = BadExtent(shape=y, reason=reason, text=text, blame=blame)
            require_equal(x[0].size, y[index].size, mistake)
    return reduced(_sampled(y, x), dim)


def _sampled(y: Shape, x: object) -> Shape:
    """The shape of samples `y` at places `x`: places of several dims broadcast with them."""
    if not isinstance(x, (tuple, list, Trailing, Unknown)):
        return y
    places = dims_of_numbers(x)
    if isinstance(places, tuple) and len(places) <= 1:
        return y
    if isinstance(places, tuple) and isinstance(y, tuple) and len(places) == len(y):
        return broadcast(y, places, ("y", "x"))
    return UNKNOWN


@op("torch.cumulative_trapezoid", kind="float")
def cumulative_trapezoid(
    y: Shape, x: object = None, *, dx: object = None, dim: DimRef = -1
) -> Shape:
    """The integral so far along a dim, which gets one shorter.  Torch refused names."""
    if isinstance(y, tuple):
        text = "slice() cannot be applied to a 0-dim tensor."
        require_rank(y, lambda n: n > 0, "at least 1", "y", text)
    return _lengthened(_sampled(y, x), dim, (), 1)
