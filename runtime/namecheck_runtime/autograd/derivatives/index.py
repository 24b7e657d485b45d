"""Elements that are picked by tensors of indices, and written there."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj, put_back, zeros
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


derivative(
    "torch.index_select",
    input=lambda grad, dim, index, form: (
        zeros(form, grad.dtype).index_add(dim, index, grad) if form.sizes else grad.sum()
    ),
)
derivative(
    "torch.index_fill",
    input=lambda grad, dim, index: grad.index_fill(dim, index, 0),
    value=lambda grad, dim, index: grad.index_select(dim, index).sum(),
)
derivative(
    "torch.index_add",
    input=lambda grad: grad,
    source=lambda grad, dim, index, alpha, form: (
        grad.index_select(dim, index).reshape(form.sizes) * conj(1 if alpha is None else alpha)
    ),
)
derivative(
    "torch.index_copy",
    input=lambda grad, dim, index: grad.index_fill(dim, index, 0),
    source=lambda grad, dim, index, form: grad.index_select(dim, index).reshape(form.sizes),
)


def _put_at(grad: Any, indices: Any, accumulate: Any) -> Any:
    if accumulate:
        return grad
    return call(
        "torch.index_put",
        grad,
        indices,
        call("torch.zeros", (), dtype=grad.dtype, device=grad.device),
    )


derivative(
    "torch.index_put",
    input=_put_at,
    values=lambda grad, indices: grad[tuple(indices)],
)
derivative(
    "torch.gather",
    # PyTorch saves the input, whose sizes it needs: a write to it is an error in both.
    input=lambda grad, input, dim, index, form: (
        zeros(form, grad.dtype).scatter_add(dim, index, grad) if form.sizes else grad.sum()
    ),
)


@composite("torch.take_along_dim")
def take_along_dim(input: Any, indices: Any, dim: Any) -> Any:
    """The elements that are gathered, by indices from either end."""
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    size = input.shape[dim]
    places = call("torch.where", indices < 0, indices + size, indices)
    sizes = list(call("torch.broadcast_shapes", _ones_at(input, dim), _ones_at(indices, dim)))
    wide = [*sizes]
    sizes[dim], wide[dim] = size, indices.shape[dim]
    return input.expand(sizes).gather(dim, places.expand(wide))


def _ones_at(value: Any, dim: int) -> list[int]:
    """The sizes of a tensor, 1 for a dim."""
    sizes = list(value.shape)
    sizes[dim] = 1
    return sizes


derivative("torch.bincount", weights=lambda grad, input: grad[input])
derivative("torch.take", input=lambda grad, index, form: put_back(grad, index, form))
derivative(
    "torch.put",
    input=lambda grad, index, accumulate: (
        grad
        if accumulate
        else call("torch.put", grad, index, call("torch.zeros_like", index, dtype=grad.dtype))
    ),
    source=lambda grad, index, form: call("torch.take", grad, index).reshape(form.sizes),
)


def _scattered(grad: Any, dim: Any, index: Any, reduce: Any) -> Any:
    if reduce is None:
        return grad.scatter(dim, index, 0)
    if reduce == "add":
        return grad
    raise NotImplementedError("scatter(reduce='multiply') has no derivative: use scatter_reduce")


derivative(
    "torch.scatter",
    input=_scattered,
    src=lambda grad, dim, index, form, reduce: _gathered(grad, dim, index, form),
)


def _gathered(grad: Any, dim: Any, index: Any, form: Any) -> Any:
    """The gradient of elements that were written; those beyond the index were not."""
    picked = grad.gather(dim, index)
    if tuple(picked.shape) == tuple(form.sizes):
        return picked
    whole = zeros(form, grad.dtype)
    whole[tuple(slice(0, n) for n in picked.shape)] = picked
    return whole


derivative(
    "torch.scatter_add",
    input=lambda grad: grad,
    src=lambda grad, dim, index, form: _gathered(grad, dim, index, form),
)


def _scatter_reduced(input: Any, dim: Any, index: Any, src: Any, reduce: Any, start: Any) -> Any:
    """The reduction of what falls on each element, from ops that have derivatives."""
    src = src[tuple(slice(0, n) for n in index.shape)]
    base = input if start else input.scatter(dim, index, _neutral(reduce))
    if reduce in ("sum", "mean"):
        total = base.scatter_add(dim, index, src)
        if reduce == "sum":
            return total
        ones = call("torch.ones_like", src.detach())
        number = call("torch.ones_like", input.detach())
        number = number if start else number.scatter(dim, index, 0)
        number = number.scatter_add(dim, index, ones)
        return total / number.clamp(min=1)
    if reduce in ("amax", "amin"):
        best = call(
            "torch.scatter_reduce",
            input.detach(),
            dim,
            index,
            src.detach(),
            reduce,
            include_self=start,
        )
        own = (base == best).to(dtype=src.dtype)
        theirs = (src == best.gather(dim, index)).to(dtype=src.dtype)
        shares = own.detach().scatter_add(dim, index, theirs)
        # Those that are equal to the best share its gradient.
        base = call("torch.where", own.bool(), base, 0.0)
        return (base * own / shares).scatter_add(
            dim, index, call("torch.where", theirs.bool(), src, 0.0) / shares.gather(dim, index)
        )
    places = (
        call("torch.arange", base.numel(), device=base.device)
        .reshape(base.shape)
        .gather(dim, index)
    )
    products = product_of_groups(src.reshape(-1), places.reshape(-1), base.numel())
    return base * products.reshape(base.shape)


def product_of_groups(values: Any, groups: Any, number: int) -> Any:
    """The product of the rows of each of `number` groups, 1 for one without rows.

    Neighbours within a group are multiplied until there is one for each, without a division.
    """
    ones = call("torch.ones", (number, *values.shape[1:]), dtype=values.dtype, device=values.device)
    if not values.shape[0]:
        return ones
    groups, order = call("torch.sort", groups, stable=True)
    values = values[order]
    # The place of each within its group.
    places = call("torch.arange", groups.shape[0], device=groups.device) - call(
        "torch.searchsorted", groups, groups
    )
    while bool((places > 0).any()):
        first = (places % 2 == 0).nonzero().squeeze(1)
        second = (first + 1).clamp(max=places.shape[0] - 1)
        is_pair = places[second] % 2 == 1
        is_single = ~is_pair.reshape((-1,) + (1,) * (values.ndim - 1))
        values = values[first] * values[second].masked_fill(is_single, 1)
        groups, places = groups[first], places[first] // 2
    return ones.index_copy(0, groups, values)


def _neutral(reduce: str) -> float:
    return {"amax": float("-inf"), "amin": float("inf"), "prod": 1.0}.get(reduce, 0.0)


@composite("torch.scatter_reduce")
def scatter_reduce(
    input: Any, dim: Any, index: Any, src: Any, reduce: Any, include_self: Any
) -> Any:
    """See `_scatter_reduced`."""
    return _scatter_reduced(input, dim, index, src, reduce, include_self)


@composite("torch.index_reduce")
def index_reduce(
    input: Any, dim: Any, index: Any, source: Any, reduce: Any, include_self: Any
) -> Any:
    """`scatter_reduce` with the same indices for all elements of a part."""
    shape = [1] * source.ndim
    shape[dim] = -1
    spread = index.reshape(shape).expand(source.shape)
    return _scatter_reduced(input, dim, spread, source, reduce, include_self)


derivative(
    "torch.masked_scatter",
    input=lambda grad, mask: grad.masked_fill(mask, 0),
    source=lambda grad, mask, form: _masked_source(grad, mask, form),
)


def _masked_source(grad: Any, mask: Any, form: Any) -> Any:
    picked = call("torch.masked_select", grad, mask)
    flat = zeros(form._replace(sizes=(prod(form.sizes),)), grad.dtype)
    flat[: picked.shape[0]] = picked
    return flat.reshape(form.sizes)


_F = "torch.nn.functional."


def _of_rows(grad: Any, indices: Any, padding_idx: Any, scale: Any, sparse: Any, form: Any) -> Any:
    """The gradient of a table of rows: dense, or the rows that were looked up alone."""
    rows, width = form.sizes
    flat = indices.reshape(prod(indices.shape))
    grads = grad.reshape(flat.shape[0], width)
    padded = None
    if padding_idx is not None:
        padded = padding_idx + rows if padding_idx < 0 else padding_idx
    if sparse:
        if scale:
            raise RuntimeError(
                "embedding_backward: scale_grad_by_freq not supported with sparse gradients"
            )
        if padded is not None:
            kept = flat != padded
            flat, grads = flat[kept], grads[kept]
        return call("torch.sparse_coo_tensor", flat.unsqueeze(0), grads, form.sizes)
    if padded is not None:
        grads = grads.masked_fill((flat == padded).unsqueeze(-1), 0)
    if scale:
        counts = call("torch.bincount", flat, minlength=rows).to(dtype=grad.dtype)
        grads = grads / counts[flat].unsqueeze(-1)
    return zeros(form, grad.dtype).index_add(0, flat, grads)


derivative(
    f"{_F}embedding",
    weight=lambda grad, input, padding_idx, scale_grad_by_freq, sparse, form: _of_rows(
        grad, input, padding_idx, scale_grad_by_freq, sparse, form
    ),
)
derivative(
    "torch.embedding",
    weight=lambda grad, indices, padding_idx, scale_grad_by_freq, sparse, form: _of_rows(
        *(grad, indices, None if padding_idx == -1 else padding_idx, scale_grad_by_freq, sparse),
        form,
    ),
)
