"""What derivatives have in common: dims that were reduced, and elements that were moved."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def conj(value: Any) -> Any:
    """The complex conjugate of a tensor or a number; of a real one the value itself."""
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, complex):
        return value.conjugate()
    return value.conj() if value.is_complex() else value


def there(grad: Any, form: Any) -> Any:
    """A gradient on the device of its operand."""
    return grad if grad.device is form.device else call("Tensor.to", grad, form.device)


def zeros(form: Any, dtype: Any = None) -> Any:
    """Zeros of the sizes of an operand, in its dtype unless another one is passed."""
    return call("torch.zeros", form.sizes, dtype=dtype or form.dtype, device=form.device)


def scaled(value: Any, factor: Any) -> Any:
    """A gradient times the conjugate of a factor, 1 for None: the `alpha` or `beta` of a sum."""
    return value if factor is None or factor == 1 else value * conj(factor)


def each_of(value: Any, rank: int) -> list[Any]:
    """A number for each dim of a map, of one for all or of a sequence."""
    if isinstance(value, (tuple, list)):
        return list(value) * rank if len(value) == 1 else list(value)
    return [value] * rank


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
    if not form.sizes:
        return 1  # PyTorch lets a tensor without dims be reduced over dim 0
    return prod(form.sizes[place] for place in dims_of(dim, len(form.sizes)))


def put_back(grad: Any, places: Any, form: Any) -> Any:
    """The gradient of elements that were picked by their places in row-major order."""
    flat = zeros(form._replace(sizes=(prod(form.sizes),)), grad.dtype)
    return call("torch.put", flat, places, grad, accumulate=True).reshape(form.sizes)


def places_of(form: Any, begin: int = 0) -> Any:
    """The place of each element in row-major order, counted from `begin`."""
    end = begin + prod(form.sizes)
    return call("torch.arange", begin, end, device=form.device).reshape(form.sizes)


def moved(grad: Any, again: Callable[[Any], Any], form: Any) -> Any:
    """The gradient of an op that only moves elements, repeats them or leaves some out.

    Called on the places of the elements, counted from 1, the op says where each went.
    """
    from namecheck_runtime.tensors.values import dtypes

    # In double precision, which holds every place: half precision ends at 2048.
    went = again(places_of(form, 1).to(dtype=dtypes.float64))
    flat = zeros(form._replace(sizes=(prod(form.sizes) + 1,)), grad.dtype)
    filled = call("torch.put", flat, went.long(), grad, accumulate=True)
    return filled[1:].reshape(form.sizes)


def cleared(view: Callable[[Any], Any], grad: Any) -> Any:
    """A gradient without what a view of it shows: the elements that were written over."""
    rest = grad.clone()
    view(rest).zero_()
    return rest


def written(view: Callable[[Any], Any], grad: Any, form: Any) -> Any:
    """The gradient of a view: zeros, of which the same view is written."""
    whole = zeros(form, grad.dtype)
    view(whole).copy_(grad)
    return whole


def along_dim(value: Any, matrix: Any, dim: int) -> Any:
    """The product with a matrix along one dim."""
    return (value.transpose(dim, -1) @ matrix.transpose(0, 1)).transpose(dim, -1)


def others(input: Any, dim: int) -> Any:
    """For each element the product of the others along a dim, without a division."""
    size = input.shape[dim]
    one = call("torch.ones_like", input.narrow(dim, 0, min(size, 1)))
    before = call("torch.cat", [one, input.narrow(dim, 0, max(size - 1, 0))], dim).cumprod(dim)
    back = call("torch.flip", input, (dim,))
    after = call("torch.cat", [one, back.narrow(dim, 0, max(size - 1, 0))], dim).cumprod(dim)
    return before * call("torch.flip", after, (dim,))


def reversed_cumsum(value: Any, dim: int) -> Any:
    """The sums from each element to the last."""
    return call("torch.flip", call("torch.flip", value, (dim,)).cumsum(dim), (dim,))
