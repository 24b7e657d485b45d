"""Segments of a dim, and bags of rows, that are reduced to one element each."""

from __future__ import annotations

from math import inf, prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.derivatives.index import product_of_groups
from namecheck_runtime.autograd.table import composite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."


def _groups(begins: Any, ends: Any, size: int) -> Any:
    """The segment of each element of rows of segments, counted over all rows.

    Elements in no segment have the number of all segments.
    """
    rows, count = begins.shape
    device = begins.device
    places = call("torch.arange", size, device=device).expand((rows, size))
    segments = call("torch.searchsorted", ends.contiguous(), places.contiguous(), right=True)
    known = segments.clamp(max=count - 1)
    inside = (segments < count) & (places >= begins.gather(1, known))
    number = known + call("torch.arange", rows, device=device).unsqueeze(1) * count
    return call("torch.where", inside, number, rows * count).reshape(-1)


def _reduced(values: Any, groups: Any, number: int, how: str) -> Any:
    """The sum, the product, the largest or the smallest of the rows of each group.

    A last group, of the rows that belong to none, is left out.
    """
    if how == "prod":
        return product_of_groups(values, groups, number + 1)[:number]
    sizes = (number + 1, *values.shape[1:])
    if how in ("sum", "mean"):
        zeros = call("torch.zeros", sizes, dtype=values.dtype, device=values.device)
        return zeros.index_add(0, groups, values)[:number]
    start = -inf if how == "max" else inf
    base = call("torch.full", sizes, start, dtype=values.dtype, device=values.device)
    return call("torch.index_reduce", base, 0, groups, values, f"a{how}")[:number]


@composite("torch.segment_reduce")
def segment_reduce(
    data: Any, reduce: Any, lengths: Any, offsets: Any, axis: Any, initial: Any
) -> Any:
    """Each index of the dims before `axis` has segments of its own."""
    if offsets is None:
        ends = lengths.cumsum(-1)
        begins = ends - lengths
    else:
        begins, ends = offsets[..., :-1], offsets[..., 1:]
    lead, size, rest = data.shape[:axis], data.shape[axis], data.shape[axis + 1 :]
    rows, count = prod(lead), begins.shape[-1]
    if not count:
        return data.narrow(axis, 0, 0) * 1
    begins, ends = begins.reshape(rows, count), ends.reshape(rows, count)
    flat = data.reshape((rows * size, *rest))
    result = _reduced(flat, _groups(begins, ends, size), rows * count, reduce)
    result = result.reshape((*lead, count, *rest))
    if initial is not None and reduce in ("sum", "mean"):
        result = result + initial
    elif initial is not None:
        bounds = {"max": {"min": initial}, "min": {"max": initial}}
        result = result * initial if reduce == "prod" else result.clamp(**bounds[reduce])
    if reduce == "mean":
        number = (ends - begins).reshape((*lead, count, *[1] * len(rest)))
        # What is counted from an initial value is the mean of nothing.
        result = result / (number if initial is None else number.clamp(min=1))
    return result


@composite(f"{_F}embedding_bag")
def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any,
    scale_grad_by_freq: Any,
    mode: Any,
    sparse: Any,
    per_sample_weights: Any,
    include_last_offset: Any,
    padding_idx: Any,
) -> Any:
    """The rows of each bag, reduced; a bag without rows has zeros."""
    flat = input.reshape(-1)
    size = flat.shape[0]
    if input.ndim == 2:
        count = input.shape[0]
        bags = call("torch.arange", count, device=input.device)
        groups = bags.unsqueeze(1).expand(input.shape).reshape(-1)
    else:
        begins, last = offsets, flat.new_full((1,), size).to(dtype=offsets.dtype)
        ends = call("torch.cat", [offsets[1:], last])
        if include_last_offset:
            begins, ends = offsets[:-1], offsets[1:]
        count = begins.shape[0]
        if not count:
            return weight.narrow(0, 0, 0) * 1
        groups = _groups(begins.unsqueeze(0), ends.unsqueeze(0), size)
    if padding_idx is not None:
        groups = groups.masked_fill(flat == padding_idx % weight.shape[0], count)
    options = {"scale_grad_by_freq": bool(scale_grad_by_freq), "sparse": bool(sparse)}
    rows = call(f"{_F}embedding", flat, weight, **options)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    result = _reduced(rows, groups, count, mode or "mean")
    counted = flat.new_zeros((count + 1,)).index_add(0, groups, call("torch.ones_like", flat))
    number = counted[:count].unsqueeze(1)
    if mode == "max":
        return result.masked_fill(number == 0, 0)
    return result / number.clamp(min=1) if mode != "sum" else result
