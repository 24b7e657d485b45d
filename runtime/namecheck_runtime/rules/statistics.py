"""Statistics: quantiles, the distance of two tensors, and covariances.

Means, deviations and other plain reductions are in `reduce`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    element_count,
    fresh,
    require_rank,
)
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import UNCHECKED, DimRefs, Flag, Operand, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.reduce import dims_of_numbers, numpy_reduction, reduced


@op("torch.quantile", "Tensor.quantile", out=UNCHECKED, kind="float")
@op("torch.nanquantile", "Tensor.nanquantile", out=UNCHECKED, kind="float")
def quantile(
    input: Shape,
    q: object,
    dim: DimRefs | None = None,
    keepdim: Flag = False,
    *,
    interpolation: object = "linear",
    weights: object = None,
) -> Shape:
    """Quantiles over a dim, or all; several of them make the first dim of the result.

    Raises BadExtent for an empty input and RankMismatch for fractions of several dims.  Torch
    refused names; the reduced one is dropped.
    """
    if element_count(input) == 0:
        text = "quantile() input tensor must be non-empty"
        raise BadExtent(shape=input, reason="it is empty", text=text, blame=(Blame("input"),))
    front = dims_of_numbers(q)
    if isinstance(front, tuple):
        text = "quantile() q must be a scalar or 1D tensor"
        require_rank(front, lambda n: n <= 1, "at most 1", "q", text)
    return _quantiles(q, reduced(input, dim, keepdim))


@op(
    numpy="quantile(input, q, dim, out, overwrite_input, method, keepdim)",
    kind="float",
    out=UNCHECKED,
)
@op(numpy="nanquantile(input, q, dim, out, overwrite_input, method, keepdim)", out=UNCHECKED)
@op(numpy="percentile(input, q, dim, out, overwrite_input, method, keepdim)", out=UNCHECKED)
@op(numpy="nanpercentile(input, q, dim, out, overwrite_input, method, keepdim)", out=UNCHECKED)
def numpy_quantile(
    input: Operand,
    q: object,
    dim: DimRefs | None = None,
    keepdim: Flag = False,
    *,
    interpolation: object = "linear",
    weights: object = None,
) -> Shape:
    """As torch's, but an empty tuple of axes reduces nothing.  Source: numpy.quantile."""
    return _quantiles(q, numpy_reduction(input, dim, keepdim))


def _quantiles(q: object, left: Shape) -> Shape:
    front = dims_of_numbers(q)
    if isinstance(front, tuple) and isinstance(left, tuple):
        return (*front, *left)
    return UNKNOWN


@op("torch.dist", "Tensor.dist", kind="float")
def dist(input: Shape, other: Shape, p: object = 2) -> Shape:
    """The norm of a difference.  Torch refused names; they unify."""
    broadcast(input, other)
    return ()


@op("torch.cov", "Tensor.cov", kind="float")
@op("torch.corrcoef", "Tensor.corrcoef", kind="float")
def cov(
    input: Shape,
    *,
    correction: object = 1,
    fweights: object = None,
    aweights: object = None,
) -> Shape:
    """Covariance of the rows of a matrix: `[N, N]`, unnamed, since a name would occur twice.

    Raises RankMismatch.  Torch refused names.
    """
    if not isinstance(input, tuple):
        return UNKNOWN
    text = (
        f"cov(): expected input to have two or fewer dimensions but got an input with {len(input)} "
        f"dimensions"
    )
    require_rank(input, lambda n: n <= 2, "at most 2", "input", text)
    return _square_of(input[0].size) if len(input) == 2 else ()


def _square_of(size: Size) -> Shape:
    """A matrix of that many rows and columns; a single number if there is one."""
    if size is UNKNOWN:
        return UNKNOWN
    return () if size == 1 else (fresh(size),) * 2


@op(numpy="cov(input, y, rowvar, bias, ddof, fweights, aweights)", kind="float")
@op(numpy="corrcoef(input, y, rowvar)", kind="float")
def numpy_cov(
    input: Shape,
    y: Shape | None = None,
    rowvar: bool = True,
    *,
    bias: object = False,
    ddof: object = None,
    fweights: object = None,
    aweights: object = None,
) -> Shape:
    """Covariance of the rows, or of the columns; those of y come last.  Source: numpy.cov."""
    count: Size = 0
    for shape in (input,) if y is None else (input, y):
        if not isinstance(shape, tuple) or len(shape) > 2:
            return UNKNOWN
        variables = shape[0 if rowvar else 1].size if len(shape) == 2 else 1
        count = sizes.add(count, variables)
    return _square_of(count)
