"""Functions of each element of several operands."""

from __future__ import annotations

import cmath
import math

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj, scaled, there, zeros
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

derivative("torch.add", input=lambda grad: grad, other=lambda grad, alpha: scaled(grad, alpha))
derivative("torch.sub", input=lambda grad: grad, other=lambda grad, alpha: -scaled(grad, alpha))
derivative("torch.rsub", input=lambda grad, alpha: -scaled(grad, alpha), other=lambda grad: grad)
derivative(
    "torch.mul",
    input=lambda grad, other: grad * conj(other),
    other=lambda grad, input: grad * conj(input),
)
derivative(
    "torch.true_divide",
    name="Div",
    input=lambda grad, other: grad / conj(other),
    other=lambda grad, input, other: -grad * conj(input / (other * other)),
)
derivative(
    "torch.div",
    input=lambda grad, other, rounding_mode: (
        grad / conj(other) if rounding_mode is None else call("torch.zeros_like", grad)
    ),
    other=lambda grad, input, other, rounding_mode: (
        -grad * conj(input / (other * other))
        if rounding_mode is None
        else call("torch.zeros_like", grad)
    ),
)
derivative(
    "torch.remainder",
    input=lambda grad: grad,
    other=lambda grad, input, other: -grad * call("torch.div", input, other, rounding_mode="floor"),
)
derivative(
    "torch.fmod",
    input=lambda grad: grad,
    other=lambda grad, input, other: -grad * call("torch.div", input, other, rounding_mode="trunc"),
)


def _power_of_base(grad: Any, input: Any, exponent: Any) -> Any:
    if isinstance(exponent, (int, float, complex)):
        if exponent == 0:
            return call("torch.zeros_like", grad)
        return grad * conj(exponent * input ** (exponent - 1))
    slope = exponent * input ** call("torch.where", exponent == 0, 1.0, exponent - 1)
    return call("torch.where", exponent == 0, 0.0, grad * conj(slope))


def _power_of_exponent(grad: Any, input: Any, exponent: Any, result: Any) -> Any:
    if isinstance(input, (int, float, complex)):
        if input == 0:
            return call("torch.zeros_like", grad)
        if result.is_complex():
            return grad * conj(result * cmath.log(input))
        # A real power of a negative number has no slope.
        slope = math.log(input) if input > 0 else math.nan  # type: ignore[operator,arg-type]
        return grad * (result * slope)
    real = exponent.real if isinstance(exponent, complex) or _is_complex(exponent) else exponent
    is_flat = (input == 0) & (real >= 0)
    base = call("torch.where", is_flat, 1.0, input)
    # The logarithm of a negative base is a complex number.
    logarithm = (base.to(result.dtype) if result.is_complex() else base).log()
    return (grad * conj(result * logarithm)).masked_fill(is_flat, 0)


def _is_complex(value: Any) -> bool:
    return hasattr(value, "dtype") and bool(value.is_complex())


derivative("torch.pow", input=_power_of_base, exponent=_power_of_exponent)


@composite("torch.float_power")
def float_power(input: Any, exponent: Any) -> Any:
    """The power of numbers in double precision, which are what is saved."""
    return call("torch.pow", _doubled(input), _doubled(exponent))


def _doubled(value: Any) -> Any:
    if not hasattr(value, "dtype"):
        return value if isinstance(value, complex) else float(value)
    return value.cdouble() if value.is_complex() else value.double()


derivative(
    "torch.xlogy",
    input=lambda grad, input, other: _masked_log(grad, input, other, 0),
    other=lambda grad, input, other: grad * input / other,
)
derivative(
    "torch.special.xlog1py",
    input=lambda grad, input, other: _masked_log(grad, input, other, 1),
    other=lambda grad, input, other: grad * input / (other + 1),
)


def _masked_log(grad: Any, input: Any, other: Any, more: int) -> Any:
    """The gradient of the factor of a logarithm, which counts for nothing where it is 0."""
    if isinstance(other, (int, float)):
        return grad * math.log(other + more)
    slope = other.log1p() if more else other.log()
    return (grad * slope).masked_fill((input == 0) & (other <= -more), 0)


derivative(
    "torch.copysign",
    input=lambda grad, input, result: (
        grad * (result / call("torch.where", input == 0, 1.0, input)).masked_fill(input == 0, 0)
    ),
    other=lambda form: zeros(form),
)
derivative(
    "torch.ldexp",
    input=lambda grad, other: grad * conj(2.0**other),
    other=lambda grad, result: grad * conj(result) * math.log(2),
)
derivative(
    "torch.atan2",
    input=lambda grad, input, other: grad * other / (input * input + other * other),
    other=lambda grad, input, other: -grad * input / (input * input + other * other),
)
derivative("torch.heaviside", input=lambda form: zeros(form), values=lambda form: zeros(form))
derivative(
    "torch.hypot",
    input=lambda grad, input, result: grad * (input / result),
    other=lambda grad, other, result: grad * (other / result),
)
derivative(
    "torch.igamma",
    other=lambda grad, input, other: (
        grad * ((input - 1) * other.log() - other - input.lgamma()).exp()
    ),
)
derivative(
    "torch.igammac",
    other=lambda grad, input, other: (
        -grad * ((input - 1) * other.log() - other - input.lgamma()).exp()
    ),
)
derivative(
    "torch.special.zeta",
    other=lambda grad, input, other: -grad * input * call("torch.special.zeta", input + 1, other),
)


def _larger(grad: Any, one: Any, other: Any) -> Any:
    """The gradient of the larger of two; each gets half of it where they are equal."""
    return call("torch.where", one == other, grad / 2, grad).masked_fill(one < other, 0)


derivative(
    "torch.maximum",
    input=lambda grad, input, other: _larger(grad, input, other),
    other=lambda grad, input, other: _larger(grad, other, input),
)
derivative(
    "torch.minimum",
    input=lambda grad, input, other: _larger(grad, -input, -other),
    other=lambda grad, input, other: _larger(grad, -other, -input),
)
derivative(
    "torch.fmax",
    input=lambda grad, input, other: grad.masked_fill(~((input >= other) | other.isnan()), 0),
    other=lambda grad, input, other: grad.masked_fill((input >= other) | other.isnan(), 0),
)
derivative(
    "torch.fmin",
    input=lambda grad, input, other: grad.masked_fill(~((input <= other) | other.isnan()), 0),
    other=lambda grad, input, other: grad.masked_fill((input <= other) | other.isnan(), 0),
)


def _share(difference: Any) -> Any:
    """The part of a sum of two exponentials, by how far its exponent is above the other one."""
    # The sigmoid: its own derivative is finite where that of the quotient is not.
    if difference.is_complex():
        return conj(1 / ((-difference).exp() + 1))
    return call("torch.sigmoid", difference)


derivative(
    "torch.logaddexp",
    input=lambda grad, input, other: grad * _share(input - other),
    other=lambda grad, input, other: grad * _share(other - input),
)
derivative(
    "torch.logaddexp2",
    input=lambda grad, input, other: grad * _share((input - other) * math.log(2)),
    other=lambda grad, input, other: grad * _share((other - input) * math.log(2)),
)
derivative("torch.complex", real=lambda grad: grad.real, imag=lambda grad: grad.imag)
derivative(
    "torch.polar",
    abs=lambda grad, angle, result: (grad * conj(_unit(angle))).real,
    angle=lambda grad, result: (grad * conj(result * 1j)).real,
)


def _unit(angle: Any) -> Any:
    return call("torch.complex", angle.cos(), angle.sin())


# -- bounds ----------------------------------------------------------------------------------------


def _clamped(grad: Any, input: Any, min: Any, max: Any) -> Any:
    if min is not None:
        grad = grad.masked_fill(input < min, 0)
    return grad if max is None else grad.masked_fill(input > max, 0)


def _lower_bound(grad: Any, input: Any, min: Any, max: Any) -> Any:
    taken = input < min if max is None else (input < min) & (min < max)
    return grad.masked_fill(~taken, 0)


def _upper_bound(grad: Any, input: Any, min: Any, max: Any) -> Any:
    taken = input > max if min is None else (input > max) | (max < min)
    return grad.masked_fill(~taken, 0)


derivative("torch.clamp", input=_clamped, min=_lower_bound, max=_upper_bound)
derivative(
    "torch.clamp_min",
    input=lambda grad, input, min: grad.masked_fill(input < min, 0),
    min=lambda grad, input, min: grad.masked_fill(input >= min, 0),
)
derivative(
    "torch.clamp_max",
    input=lambda grad, input, max: grad.masked_fill(input > max, 0),
    max=lambda grad, input, max: grad.masked_fill(input <= max, 0),
)

# -- three operands --------------------------------------------------------------------------------

derivative(
    "torch.addcdiv",
    input=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * conj(value / tensor2),
    tensor2=lambda grad, tensor1, tensor2, value: (
        -grad * conj(value * tensor1 / (tensor2 * tensor2))
    ),
)
derivative(
    "torch.addcmul",
    input=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * conj(tensor2 * value),
    tensor2=lambda grad, tensor1, value: grad * conj(tensor1 * value),
)
derivative(
    "torch.lerp",
    input=lambda grad, weight: grad * (1 - conj(weight)),
    end=lambda grad, weight: grad * conj(weight),
    weight=lambda grad, input, end: grad * conj(end - input),
)


def _evenly(start: Any, end: Any, steps: int, dtype: Any) -> Any:
    """Numbers from one to another, both included; either may be a number instead of a tensor."""
    like = start if hasattr(start, "dtype") else end
    start, end = (v if hasattr(v, "dtype") else like.new_full((), v) for v in (start, end))
    shares = call("torch.arange", steps) / max(steps - 1, 1)
    values = start + (end - start) * shares.to(dtype=like.dtype)
    if dtype is None:
        zero = call("torch.zeros", ())
        dtype = (zero * 1j if values.is_complex() else zero).dtype
    return values.to(dtype=dtype)


@composite("torch.linspace")
def linspace(start: Any, end: Any, steps: Any, dtype: Any) -> Any:
    """PyTorch has no derivative: its result does not depend on the ends."""
    return _evenly(start, end, steps, dtype)


@composite("torch.logspace")
def logspace(start: Any, end: Any, steps: Any, base: Any, dtype: Any) -> Any:
    """PyTorch has no derivative: its result does not depend on the ends."""
    return call("torch.pow", base, _evenly(start, end, steps, dtype))


derivative(
    "torch.nextafter",
    name="Nextafter",
    input=lambda grad: grad,
    other=lambda grad: call("torch.zeros_like", grad),
)
derivative(
    "torch.where",
    input=lambda grad, condition: grad.masked_fill(~condition.bool(), 0),
    other=lambda grad, condition: grad.masked_fill(condition.bool(), 0),
)
derivative(
    "Tensor.where",
    self=lambda grad, condition: grad.masked_fill(~condition.bool(), 0),
    other=lambda grad, condition: grad.masked_fill(condition.bool(), 0),
)
derivative(
    "torch.masked_fill",
    input=lambda grad, mask: grad.masked_fill(mask, 0),
    value=lambda grad, mask: grad.masked_fill(~mask, 0),
)
derivative(
    "Tensor.copy_",
    name="torch::autograd::CopyBackwards",
    self=lambda form: zeros(form),
    other=there,
)
derivative("torch.fill", input=lambda form: zeros(form), value=lambda grad: grad)
derivative("Tensor.zero_", input=lambda form: zeros(form))
for _op in ("eq", "ne", "lt", "le", "gt", "ge"):
    derivative(f"torch.{_op}", input=lambda form: zeros(form), other=lambda form: zeros(form))
for _op in ("bernoulli", "cauchy", "exponential", "geometric", "log_normal", "normal", "random"):
    derivative(f"Tensor.{_op}_", input=lambda form: zeros(form))
derivative("Tensor.uniform_", input=lambda form: zeros(form))
