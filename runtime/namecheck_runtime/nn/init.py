"""How parameters are drawn: `namecheck_runtime.nn.init`.

Each function fills a tensor in place, outside graphs, and returns it; names stay.
Source: torch.nn.init.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.tensors.calls.overrides import overridable
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor

_PLAIN: Final = (
    *("linear", "conv1d", "conv2d", "conv3d"),
    *("conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid"),
)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor by which a nonlinearity's weights are larger than those of a linear map."""
    if nonlinearity in _PLAIN:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _bare(tensor: Tensor) -> Tensor:
    """The same memory outside graphs, without names."""
    return tensor.detach().rename(None)


@overridable("torch.nn.init")
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with draws between `a` and `b`.  The tensor may have any dims."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


@overridable("torch.nn.init")
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with draws from a normal distribution.  The tensor may have any dims."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill with draws from a normal distribution, none of them outside `a` and `b`."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
            stacklevel=2,
        )
    if tensor.is_meta:
        return tensor
    within = _below((b - mean) / std) - _below((a - mean) / std)
    with no_grad():
        if within > 0.3:
            return _redrawn(tensor, mean, std, a, b, generator)
        return _rejected(tensor, mean, std, a, b, generator)


def _below(x: float) -> float:
    """The part of a normal distribution below a number."""
    return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0


def _redrawn(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Fill with normal draws, and draw those outside the bounds again."""
    low, high = (tensor.new_tensor(bound, device="cpu").item() for bound in (a, b))
    result: Any = tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (result < low) | (result > high)
        if not outside.any():
            break
        drawn = call_path("torch.empty_like", (result,), {}).normal_(mean, std, generator=generator)
        result = call_path("torch.where", (outside, drawn, result), {})
    return tensor if result is tensor else tensor.copy_(result)


def _rejected(
    tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Fill with uniform draws that are kept as often as the density says: for bounds far out."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    drawn, accepting = (call_path("torch.empty_like", (tensor,), {}) for _ in range(2))

    def refused() -> Any:
        density = drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        return accepting.uniform_(generator=generator).log_().gt(density)

    tensor.uniform_(a, b, generator=generator)
    drawn.copy_(tensor)
    pending = refused()
    while pending.any():
        drawn.uniform_(a, b, generator=generator)
        tensor.copy_(call_path("torch.where", (pending, drawn, tensor), {}))
        pending = call_path("torch.where", (pending, refused(), pending), {})
    return tensor


@overridable("torch.nn.init")
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one value."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """Make a matrix `[n, m]` the identity."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    zeros_(tensor)
    with no_grad():
        _bare(tensor).fill_diagonal_(1.0)
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Make the kernel of a convolution `[out, in, *kernel]` one that keeps its channels."""
    if tensor.ndim not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    sizes = tuple(tensor.shape)
    if sizes[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    each = sizes[0] // groups
    zeros_(tensor)
    bare, centre = _bare(tensor), tuple(size // 2 for size in sizes[2:])
    for group in range(groups):
        for channel in range(min(each, sizes[1])):
            bare[(group * each + channel, channel, *centre)] = 1.0
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs and how many outputs a weight `[out, in, *kernel]` connects."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    sizes = tuple(tensor.shape)
    field = math.prod(sizes[2:])
    return sizes[1] * field, sizes[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """One of the two, by the mode `fan_in` or `fan_out`."""
    chosen = mode.lower()
    if chosen not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if chosen == "fan_in" else fan_out


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a weight `[out, in, *kernel]` with even draws whose variance is `2 / (in + out)`."""
    std = gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a weight `[out, in, *kernel]` with normal draws whose variance is `2 / (in + out)`."""
    std = gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))
    return normal_(tensor, 0.0, std, generator)


@overridable("torch.nn.init")
def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill a weight `[out, in, *kernel]` with even draws that keep the variance of activations."""
    if _is_empty(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill a weight `[out, in, *kernel]` with normal draws that keep the variance."""
    if _is_empty(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming(tensor, a, mode, nonlinearity), generator)


def _is_empty(tensor: Tensor) -> bool:
    if 0 not in tensor.shape:
        return False
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return True


def _kaiming(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    """The standard deviation of the draws."""
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Make the rows or the columns of a weight `[out, *in]` orthogonal."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.shape.numel():
        return tensor
    rows = tensor.shape[0]
    columns = tensor.shape.numel() // rows
    with no_grad():
        options = {"dtype": tensor.dtype, "device": tensor.device}
        drawn = call_path("torch.empty", ((rows, columns),), options)
        drawn.normal_(0, 1, generator=generator)
        if rows < columns:
            drawn = drawn.t()
        q, r = call_path("torch.linalg.qr", (drawn,), {})
        q = q * r.diagonal().sign()
        if rows < columns:
            q = q.t()
        _bare(tensor).copy_(q.reshape(tuple(tensor.shape)))
        tensor.mul_(gain)
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix `[rows, columns]` with normal draws, a share of each column with zeros."""
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tuple(tensor.shape)
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        bare = _bare(tensor)
        bare.normal_(0, std, generator=generator)
        for column in range(columns):
            places = call_path("torch.randperm", (rows,), {})
            bare[places[:zeros], column] = 0
    return tensor


def _old(name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The same function under the name that it had once."""

    def deprecated(*arguments: Any, **keywords: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.",
            FutureWarning,
            stacklevel=2,
        )
        return function(*arguments, **keywords)

    deprecated.__name__ = deprecated.__qualname__ = name
    deprecated.__doc__ = f"The old name of `{name}_`."
    return deprecated


uniform = _old("uniform", uniform_)
normal = _old("normal", normal_)
constant = _old("constant", constant_)
eye = _old("eye", eye_)
dirac = _old("dirac", dirac_)
xavier_uniform = _old("xavier_uniform", xavier_uniform_)
xavier_normal = _old("xavier_normal", xavier_normal_)
kaiming_uniform = _old("kaiming_uniform", kaiming_uniform_)
kaiming_normal = _old("kaiming_normal", kaiming_normal_)
orthogonal = _old("orthogonal", orthogonal_)
sparse = _old("sparse", sparse_)


def reset_even(weights: Sequence[Tensor | None], bound: float) -> None:
    """Fill tensors one after the other with even draws between `-bound` and `bound`."""
    for weight in weights:
        if weight is not None:
            uniform_(weight, -bound, bound)
