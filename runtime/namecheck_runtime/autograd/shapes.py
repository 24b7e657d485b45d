"""What derivatives have in common: dims that were reduced, and elements that were moved."""

from __future__ import annotations

from namecheck_runtime.autograd.calls import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any


def conj(value: Any) -> Any:
    """The complex conjugate of a tensor or a number; of a real one the value itself."""
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, complex):
        return value.conjugate()
    return value.conj() if value.is_complex() else value


def zero(form: Any) -> Any:
    """The gradient of an operand on which the result does not depend."""
    return call("torch.zeros", form.sizes, dtype=form.dtype, device=form.device)


def dims_of(dim: Any, rank: int) -> list[int]:
    """Dims as positions from the left; all of them for None and ()."""
    if dim is None or dim == ():
        return list(range(rank))
    dims = [dim] if isinstance(dim, int) else list(dim)
    return [d + rank if d < 0 else d for d in dims]


def restored(value: Any, dim: Any, keepdim: Any, form: Any) -> Any:
    """The result of a reduction with its dims again, of size 1."""
    rank = len(form.sizes)
    if not rank or keepdim:
        return value
    gone = dims_of(dim, rank)
    return value.reshape([1 if k in gone else n for k, n in enumerate(form.sizes)])


def count(dim: Any, form: Any) -> int:
    """How many elements a reduction combines to one."""
    total = 1
    for place in dims_of(dim, len(form.sizes)):
        total *= form.sizes[place]
    return total


def numel(sizes: Sequence[int]) -> int:
    """How many elements there are."""
    total = 1
    for size in sizes:
        total *= size
    return total


def put_back(grad: Any, places: Any, form: Any) -> Any:
    """The gradient of elements that were picked by their places in row-major order."""
    flat = call("torch.zeros", (numel(form.sizes),), dtype=grad.dtype, device=form.device)
    return call("torch.put", flat, places, grad, accumulate=True).reshape(form.sizes)


def places_of(form: Any, begin: int = 0) -> Any:
    """The place of each element in row-major order, counted from `begin`."""
    total = numel(form.sizes)
    return call("torch.arange", begin, begin + total).reshape(form.sizes)


def moved(grad: Any, again: Callable[[Any], Any], form: Any) -> Any:
    """The gradient of an op that only moves elements, repeats them or leaves some out.

    Called on the places of the elements, counted from 1, the op says where each went.
    """
    from namecheck_runtime.tensors.values import dtypes

    # In double precision, which holds every place: half precision ends at 2048.
    went = again(places_of(form, 1).to(dtype=dtypes.float64))
    total = numel(form.sizes)
    flat = call("torch.zeros", (total + 1,), dtype=grad.dtype, device=form.device)
    filled = call("torch.put", flat, went.long(), grad, accumulate=True)
    return filled[1:].reshape(form.sizes)


def written(view: Callable[[Any], Any], grad: Any, form: Any) -> Any:
    """The gradient of a view: zeros, of which the same view is written."""
    whole = call("torch.zeros", form.sizes, dtype=grad.dtype, device=form.device)
    view(whole).copy_(grad)
    return whole


def reversed_cumsum(value: Any, dim: int) -> Any:
    """The sums from each element to the last."""
    return call("torch.flip", call("torch.flip", value, (dim,)).cumsum(dim), (dim,))
