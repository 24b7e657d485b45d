"""Reductions, and sums and products up to each element."""

from __future__ import annotations

import math

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import (
    conj,
    count,
    dims_of,
    others,
    places_of,
    put_back,
    restored,
    reversed_cumsum,
)
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _spread(grad: Any, dim: Any, keepdim: Any, form: Any) -> Any:
    return restored(grad, dim, keepdim, form).expand(form.sizes)


derivative("torch.sum", input=_spread)
derivative("Tensor.sum_to_size", name="SumToSize", self=lambda grad, form: grad.expand(form.sizes))
derivative(
    "torch.mean",
    input=lambda grad, dim, keepdim, form: (
        _spread(grad, dim, keepdim, form) / max(count(dim, form), 1)
    ),
)
derivative(
    "torch.nansum",
    input=lambda grad, input, dim, keepdim, form: _spread(grad, dim, keepdim, form).masked_fill(
        input.isnan(), 0
    ),
)


@composite("torch.nanmean")
def nanmean(input: Any, dim: Any, keepdim: Any) -> Any:
    """The sum of those that are not NaN by their number."""
    total = call("torch.nansum", input, dim=dim, keepdim=keepdim)
    number = (~input.isnan()).sum(dim=dim, keepdim=keepdim)
    return total / number


def _extreme(grad: Any, input: Any, result: Any, dim: Any, keepdim: Any, form: Any) -> Any:
    """The gradient of a largest element; those that are equal to it share it."""
    chosen = input == restored(result, dim, keepdim, form)
    chosen = chosen.to(dtype=grad.dtype)
    shares = chosen.sum(dim=tuple(dims_of(dim, len(form.sizes))), keepdim=True)
    return restored(grad, dim, keepdim, form) * (chosen / shares)


derivative("torch.amax", "torch.amin", input=_extreme)


@composite("torch.aminmax")
def aminmax(input: Any, dim: Any, keepdim: Any) -> Any:
    """The smallest and the largest element."""
    return input.amin(dim, keepdim), input.amax(dim, keepdim)


def _variance(
    grad: Any, input: Any, dim: Any, keepdim: Any, unbiased: Any, correction: Any, form: Any
) -> Any:
    dims = tuple(dims_of(dim, len(form.sizes)))
    number = count(dim, form) - _correction(unbiased, correction)
    centred = input - input.mean(dims, True)
    # With too few elements NumPy divides by 0, and the gradient is NaN.
    scale = 2 / number if number > 0 else math.nan
    return restored(grad, dim, keepdim, form) * (centred * scale)


def _correction(unbiased: Any, correction: Any) -> Any:
    if unbiased is False:
        return 0
    return 1 if correction is None or correction == () else correction


derivative("torch.var", input=_variance)
derivative(
    "torch.std",
    input=lambda grad, input, dim, keepdim, unbiased, correction, result, form: _variance(
        (grad / (result * 2)).masked_fill(result == 0, 0),
        input,
        dim,
        keepdim,
        unbiased,
        correction,
        form,
    ),
)


def _with_mean(op: str) -> None:
    """Declare an op that returns a spread and the mean of the same dims."""

    def compute(input: Any, dim: Any, unbiased: Any, keepdim: Any, correction: Any) -> Any:
        number = _correction(unbiased, correction)
        dims = tuple(dims_of(dim, input.ndim))
        return (
            call(op, input, dims, correction=number, keepdim=bool(keepdim)),
            input.mean(dims, bool(keepdim)),
        )

    composite(f"{op}_mean", function=compute)


_with_mean("torch.var")
_with_mean("torch.std")

derivative(
    "torch.logsumexp",
    input=lambda grad, input, result, dim, keepdim, form: (
        restored(grad, dim, keepdim, form)
        * conj((input - restored(result, dim, keepdim, form)).exp())
    ),
)

# -- products --------------------------------------------------------------------------------------


def _product(grad: Any, input: Any, result: Any, dim: Any, keepdim: Any, form: Any) -> Any:
    if not bool((input == 0).any()):
        spread = restored(grad * conj(result), dim, keepdim, form)
        return spread / conj(input)
    if dim is None or not form.sizes:
        flat = input.reshape(-1)
        return grad * conj(others(flat, 0)).reshape(form.sizes)
    return restored(grad, dim, keepdim, form) * conj(others(input, dim))


derivative("torch.prod", input=_product)


def _cumulative_product(grad: Any, input: Any, result: Any, dim: Any) -> Any:
    if not input.ndim:
        return grad
    if not bool((input == 0).any()):
        return reversed_cumsum(grad * conj(result), dim) / conj(input)
    parts = []
    size = input.shape[dim]
    for place in range(size):
        # The product with a 1 in place of the element, from the element on.
        one = call("torch.ones_like", input.narrow(dim, 0, 1))
        before, after = input.narrow(dim, 0, place), input.narrow(dim, place + 1, size - place - 1)
        slope = call("torch.cat", [before, one, after], dim).cumprod(dim)
        rest = size - place
        reached = grad.narrow(dim, place, rest) * conj(slope.narrow(dim, place, rest))
        parts.append(reached.sum(dim, True))
    return call("torch.cat", parts, dim)


derivative(
    "torch.cumsum",
    input=lambda grad, dim, form: reversed_cumsum(grad, dim) if form.sizes else grad,
)
derivative("torch.cumprod", input=_cumulative_product)


def _log_cumulative(grad: Any, input: Any, result: Any, dim: Any, form: Any) -> Any:
    if not form.sizes or 0 in form.sizes:
        return grad
    real = input.detach().real if input.is_complex() else input.detach()
    most = real.amax(dim, True)
    return conj((input - most).exp()) * reversed_cumsum(grad * conj((most - result).exp()), dim)


derivative("torch.logcumsumexp", input=_log_cumulative)

# -- norms -----------------------------------------------------------------------------------------


def _norm(grad: Any, input: Any, result: Any, p: Any, dim: Any, keepdim: Any, form: Any) -> Any:
    grad, result = (restored(value, dim, keepdim, form) for value in (grad, result))
    if p == 0:
        return call("torch.zeros_like", input)
    if p == 1:
        return grad * input.sgn()
    if p == 2:
        return (grad * (input / call("torch.where", result == 0, 1.0, result))).masked_fill(
            result == 0, 0
        )
    size = input.abs()
    if math.isinf(p):
        chosen = (size == result).to(dtype=result.dtype)
        shares = chosen.sum(dim=tuple(dims_of(dim, len(form.sizes))), keepdim=True)
        return grad * input.sgn() * (chosen / shares)
    scaled = input.sgn() * size ** (p - 1)
    if p < 2:
        scaled = scaled.masked_fill(input == 0, 0)
    below = call("torch.where", result == 0, 1.0, result) ** (p - 1)
    return (grad * (scaled / below)).masked_fill(result == 0, 0)


derivative(
    "torch.norm",
    name="LinalgVectorNorm",
    input=lambda grad, input, result, p, dim, keepdim, form: _norm(
        grad, input, result, 2 if p == "fro" or p is None else p, dim, keepdim, form
    ),
)
derivative(
    "torch.linalg.vector_norm",
    x=lambda grad, x, result, ord, dim, keepdim, form: _norm(
        grad, x, result, 2 if ord is None else ord, dim, keepdim, form
    ),
)


@composite("torch.linalg.norm")
def norm(input: Any, ord: Any, dim: Any, keepdim: Any) -> Any:
    """A norm of vectors, or of matrices if there are two dims and an order."""
    if ord is None:
        flat = input if dim is not None or keepdim else input.reshape(-1)
        return call("torch.linalg.vector_norm", flat, 2, dim, bool(keepdim))
    if isinstance(dim, int) or (dim is None and input.ndim == 1):
        return call("torch.linalg.vector_norm", input, ord, dim, bool(keepdim))
    dims = (0, 1) if dim is None else dim
    if len(dims) == 1:
        return call("torch.linalg.vector_norm", input, ord, dims, bool(keepdim))
    return call("torch.linalg.matrix_norm", input, ord, dims, bool(keepdim))


@composite("torch.linalg.matrix_norm")
def matrix_norm(A: Any, ord: Any, dim: Any, keepdim: Any) -> Any:
    """By the elements, by rows or columns, or by the singular values."""
    rows, columns = dims_of(dim, A.ndim)
    if ord == "fro":
        return call("torch.linalg.vector_norm", A, 2, (rows, columns), bool(keepdim))
    if ord in (1, -1, math.inf, -math.inf):
        summed, kept = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = A.abs().sum(summed, True)
        largest = sums.amax(kept, True) if ord > 0 else sums.amin(kept, True)
    else:
        values = call("torch.linalg.svdvals", A.movedim((rows, columns), (-2, -1)))
        if ord == "nuc":
            largest = values.sum(-1)
        else:
            largest = values.amax(-1) if ord > 0 else values.amin(-1)
        largest = largest.unsqueeze(min(rows, columns)).unsqueeze(max(rows, columns))
    return largest if keepdim else largest.squeeze(max(rows, columns)).squeeze(min(rows, columns))


@composite("torch.dist")
def dist(input: Any, other: Any, p: Any) -> Any:
    """The norm of the difference."""
    return call("torch.norm", input - other, p)


# -- elements that are picked ----------------------------------------------------------------------


def _picking(op: str) -> None:
    """Declare an op that picks an element along a dim and returns it and its index."""

    def compute(input: Any, dim: Any, keepdim: Any, k: Any, other: Any) -> Any:
        if other is not None:
            return call("torch.maximum" if op == "torch.max" else "torch.minimum", input, other)
        if dim is None and k is None and op != "torch.mode":
            if op in ("torch.max", "torch.min"):
                return input.amax() if op == "torch.max" else input.amin()
            chosen = call(op, input.detach())
            if not math.prod(input.shape):
                return chosen
            flat = (input.detach() == chosen).reshape(-1)
            place = call("torch.argmax", flat.to(dtype=input.dtype))
            return input.reshape(-1)[place]
        where = -1 if dim is None else dim
        arguments = [input.detach(), *([] if k is None else [k]), where]
        indices = call(op, *arguments, keepdim=True)[1]
        values = input.gather(where, indices) if input.ndim else input.clone()
        if not keepdim and input.ndim:
            values, indices = values.squeeze(where), indices.squeeze(where)
        return values, indices

    composite(op, function=compute)


for _name in ("max", "min", "median", "nanmedian", "mode", "kthvalue"):
    _picking(f"torch.{_name}")


@composite("torch.sort")
def sort(input: Any, dim: Any, descending: Any, stable: Any) -> Any:
    """The elements by the indices that sort them."""
    indices = call("torch.sort", input.detach(), dim=dim, descending=descending, stable=stable)[1]
    return (input.gather(dim, indices) if input.ndim else input.clone()), indices


@composite("torch.msort")
def msort(input: Any) -> Any:
    """The elements along the first dim by the indices that sort them."""
    return call("torch.sort", input, dim=0)[0]


@composite("torch.topk")
def topk(input: Any, k: Any, dim: Any, largest: Any, sorted: Any) -> Any:
    """The elements by the indices of the largest."""
    where = -1 if dim is None else dim
    indices = call("torch.topk", input.detach(), k, where, largest, sorted)[1]
    return (input.gather(where, indices) if input.ndim else input.clone()), indices


def _running(op: str) -> None:
    def compute(input: Any, dim: Any) -> Any:
        indices = call(op, input.detach(), dim)[1]
        return (input.gather(dim, indices) if input.ndim else input.clone()), indices

    composite(op, function=compute)


_running("torch.cummax")
_running("torch.cummin")

# -- neighbours ------------------------------------------------------------------------------------


@composite("torch.diff")
def diff(input: Any, n: Any, dim: Any, prepend: Any, append: Any) -> Any:
    """Differences of neighbours, `n` times."""
    parts = [part for part in (prepend, input, append) if part is not None and part != ()]
    whole = call("torch.cat", parts, dim) if len(parts) > 1 else input
    for _ in range(n):
        size = whole.shape[dim]
        rest = max(size - 1, 0)
        whole = whole.narrow(dim, min(1, size), rest) - whole.narrow(dim, 0, rest)
    return whole


@composite("torch.trapezoid")
def trapezoid(y: Any, x: Any, dx: Any, dim: Any) -> Any:
    """The areas between neighbours, summed."""
    return _areas(y, x, dx, dim).sum(dim)


@composite("torch.cumulative_trapezoid")
def cumulative_trapezoid(y: Any, x: Any, dx: Any, dim: Any) -> Any:
    """The areas between neighbours, summed up to each."""
    return _areas(y, x, dx, dim).cumsum(dim)


def _areas(y: Any, x: Any, dx: Any, dim: Any) -> Any:
    size = y.shape[dim]
    if size < 2:
        return y.narrow(dim, 0, 0) * 1
    heights = y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)
    widths: Any = 1 if dx is None else dx
    if x is not None and not isinstance(x, (int, float)) and x != ():
        if x.ndim == 1:
            widths = x[1:] - x[:-1]
            after = y.ndim - 1 - (dim % y.ndim)
            widths = widths.reshape((-1,) + (1,) * after)
        else:
            widths = x.narrow(dim, 1, x.shape[dim] - 1) - x.narrow(dim, 0, x.shape[dim] - 1)
    return heights * widths / 2


@composite("torch.gradient")
def gradient(input: Any, spacing: Any, dim: Any, edge_order: Any) -> Any:
    """The slope along each dim, from the parabola through an element and its neighbours."""
    dims = dims_of(dim, input.ndim)
    if not isinstance(spacing, (tuple, list)):
        spacing = [spacing or 1.0] * len(dims)
    return tuple(
        _slope(input, places, place, edge_order == 2)
        for place, places in zip(dims, spacing, strict=True)
    )


def _slope(input: Any, spacing: Any, dim: int, by_parabola: bool) -> Any:
    """The slope along a dim; that of the first and last element by one neighbour, or by two."""
    size = input.shape[dim]
    steps = (input.narrow(dim, 1, size - 1) - input.narrow(dim, 0, size - 1)).movedim(dim, -1)
    widths = spacing
    if hasattr(spacing, "dtype") and spacing.ndim:
        widths = spacing[1:] - spacing[:-1]
    slopes = steps / widths
    first, last = slopes[..., :1], slopes[..., -1:]
    inner = slopes[..., :0]
    if size > 2:
        before, after = slopes[..., :-1], slopes[..., 1:]
        # How far the slope between two elements counts: as far as the other two are apart.
        share: Any = 0.5
        if widths is not spacing:
            share = widths[:-1] / (widths[:-1] + widths[1:])
        inner = before + (after - before) * share
        if by_parabola:
            first = first * 2 - inner[..., :1]
            last = last * 2 - inner[..., -1:]
    return call("torch.cat", [first, inner, last], -1).movedim(-1, dim)


derivative(
    "torch.masked_select",
    input=lambda grad, input_form, mask, form: put_back(grad, _masked_places(mask, form), form),
)


def _masked_places(mask: Any, form: Any) -> Any:
    return call("torch.masked_select", places_of(form), mask)


@composite("torch.cov")
def cov(input: Any, correction: Any, fweights: Any, aweights: Any) -> Any:
    """The sums of products of what differs from the mean."""
    flat = input.reshape(1, math.prod(input.shape)) if input.ndim < 2 else input
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = given if weights is None else weights * given
    if weights is None:
        number: Any = flat.shape[1]
        centred = flat - flat.mean(1, True)
        products = centred @ conj(centred).mT
        scale = number - correction
    else:
        total = weights.sum()
        centred = flat - (flat * weights).sum(1, True) / total
        products = (centred * weights) @ conj(centred).mT
        by_weight = total if aweights is None else (weights * aweights).sum() / total
        scale = total - correction * by_weight if aweights is not None else total - correction
    result = products / scale
    return result.squeeze()  # of one variable the variance, a number


@composite("torch.corrcoef")
def corrcoef(input: Any) -> Any:
    """The covariances over the deviations."""
    covariance = call("torch.cov", input)
    if not covariance.ndim:
        return covariance / covariance
    deviation = (
        covariance.diagonal().real.sqrt()
        if covariance.is_complex()
        else (covariance.diagonal().sqrt())
    )
    return covariance / deviation.unsqueeze(0) / deviation.unsqueeze(1)


def _quantiles(op: str) -> None:
    """Declare quantiles: between the two elements that are next to each place."""

    def compute(input: Any, q: Any, dim: Any, keepdim: Any, interpolation: Any) -> Any:
        flat = input.reshape(-1) if dim is None else input.movedim(dim, -1)
        ordered = call("torch.sort", flat, dim=-1)[0]
        levels = (
            q
            if hasattr(q, "dtype")
            else call("torch.full", (1,), q, dtype=input.dtype, device=input.device)
        )
        levels = levels.reshape(-1)
        if op == "torch.nanquantile":
            sizes = (~flat.isnan()).sum(-1, True).to(dtype=input.dtype)
        else:
            sizes = flat.detach().isnan().any(-1, True).to(dtype=input.dtype) * 0 + flat.shape[-1]
        places = (sizes - 1).clamp(min=0) * levels.detach()
        if interpolation in ("lower", "higher", "nearest"):
            turn = {"lower": "floor", "higher": "ceil", "nearest": "round"}[interpolation]
            places = call(f"torch.{turn}", places)
        below = places.floor()
        low = ordered.gather(-1, below.long())
        high = ordered.gather(-1, places.ceil().long())
        share = places - below if interpolation != "midpoint" else (places > below) * 0.5
        values = low + (high - low) * share
        values = values.movedim(-1, 0)
        if keepdim:
            values = (
                values.reshape([-1] + [1] * input.ndim)
                if dim is None
                else (values.unsqueeze(1 + dim % input.ndim))
            )
        return values if getattr(q, "ndim", 0) else values[0]

    composite(op, function=compute)


_quantiles("torch.quantile")
_quantiles("torch.nanquantile")
