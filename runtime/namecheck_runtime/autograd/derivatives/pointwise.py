"""Functions of each element of one operand."""

from __future__ import annotations

import math

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj, zeros
from namecheck_runtime.autograd.table import composite, derivative, kind_of_ops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_S = "torch.special."

derivative("torch.acos", input=lambda grad, input: -grad * conj((1 - input * input).rsqrt()))
derivative(
    "torch.acosh", input=lambda grad, input: grad * conj((input - 1).rsqrt() * (input + 1).rsqrt())
)
derivative("torch.asin", input=lambda grad, input: grad * conj((1 - input * input).rsqrt()))
derivative("torch.asinh", input=lambda grad, input: grad * conj((input * input + 1).rsqrt()))
derivative("torch.atan", input=lambda grad, input: grad / conj(input * input + 1))
derivative("torch.atanh", input=lambda grad, input: grad / conj(1 - input * input))
derivative("torch.cos", input=lambda grad, input: -grad * conj(input.sin()))
derivative("torch.cosh", input=lambda grad, input: grad * conj(input.sinh()))
derivative("torch.sin", input=lambda grad, input: grad * conj(input.cos()))
derivative("torch.sinh", input=lambda grad, input: grad * conj(input.cosh()))
derivative("torch.tan", input=lambda grad, result: grad * conj(1 + result * result))
derivative("torch.tanh", input=lambda grad, result: grad * conj(1 - result * result))
derivative("torch.deg2rad", input=lambda grad: grad * (math.pi / 180))
derivative("torch.rad2deg", input=lambda grad: grad * (180 / math.pi))
derivative("torch.exp", input=lambda grad, result: grad * conj(result))
derivative("torch.exp2", input=lambda grad, result: grad * conj(result) * math.log(2))
derivative("torch.expm1", input=lambda grad, result: grad * conj(result + 1))
derivative("torch.log", input=lambda grad, input: grad / conj(input))
derivative("torch.log10", input=lambda grad, input: grad / conj(input * math.log(10)))
derivative("torch.log1p", input=lambda grad, input: grad / conj(input + 1))
derivative("torch.log2", input=lambda grad, input: grad / conj(input * math.log(2)))
derivative("torch.reciprocal", input=lambda grad, result: -grad * conj(result * result))
derivative("torch.sqrt", input=lambda grad, result: grad / (2 * conj(result)))
derivative("torch.rsqrt", input=lambda grad, result: -0.5 * grad * conj(result * result * result))
derivative("torch.square", input=lambda grad, input: grad * (conj(input) * 2))
derivative("torch.neg", input=lambda grad: -grad)
derivative("torch.abs", input=lambda grad, input: grad * input.sgn())
derivative("torch.sigmoid", input=lambda grad, result: grad * conj((1 - result) * result))
derivative("torch.frac", input=lambda grad: grad)
derivative("torch.conj_physical", "torch.conj", input=lambda grad: conj(grad))
derivative("torch.positive", "torch.resolve_conj", "torch.resolve_neg", input=lambda grad: grad)
derivative("torch.real", "Tensor.real", name="Real", input=lambda grad: grad)
derivative("torch.imag", "Tensor.imag", name="Imag", input=lambda grad: grad * 1j)


def _angle(grad: Any, input: Any) -> Any:
    if not input.is_complex():
        return call("torch.zeros_like", input)
    return _over(grad * 1j * input, (input * conj(input)).real, 0.0)


derivative("torch.angle", input=_angle)
for _op in ("ceil", "floor", "sign", "trunc", "round"):
    derivative(f"torch.{_op}", input=lambda form: zeros(form))
derivative(
    "torch.sgn",
    input=lambda grad, input, result: (
        _over(grad - (grad * conj(result)).real * result, input.abs(), 0.0)
        if input.is_complex()
        else call("torch.zeros_like", input)
    ),
)
derivative(
    "torch.sinc",
    input=lambda grad, input: (
        grad
        * conj(
            (
                ((input * math.pi).cos() * (input * math.pi) - (input * math.pi).sin())
                / call("torch.where", input == 0, 1.0, input * input * math.pi)
            ).masked_fill(input == 0, 0)
        )
    ),
)


def _logit(grad: Any, input: Any, eps: Any) -> Any:
    slope = grad / (input * (1 - input))
    if eps is None or eps < 0:
        return slope.masked_fill((input < 0) | (input > 1), math.nan)
    return slope.masked_fill((input < eps) | (input > 1 - eps), 0)


derivative("torch.logit", input=_logit)
derivative(
    "torch.hardshrink",
    "torch.nn.functional.hardshrink",
    input=lambda grad, input, lambd: grad.masked_fill((input >= -lambd) & (input <= lambd), 0),
)
derivative(
    "torch.nan_to_num",
    input=lambda grad, input: grad.masked_fill(~call("torch.isfinite", input), 0),
)

# -- special functions -----------------------------------------------------------------------------

derivative("torch.i0", input=lambda grad, input: grad * call(f"{_S}i1", input))
derivative("torch.digamma", input=lambda grad, input: grad * call("torch.polygamma", 1, input))
derivative("torch.lgamma", input=lambda grad, input: grad * input.digamma())
derivative(
    "torch.erf",
    input=lambda grad, input: grad * (input * -input).exp() * (2 / math.sqrt(math.pi)),
)
derivative(
    "torch.erfc",
    input=lambda grad, input: grad * (input * -input).exp() * (-2 / math.sqrt(math.pi)),
)
derivative(
    "torch.erfinv",
    # As PyTorch, it saves the operand: the program may write to the result.
    input=lambda grad, input: (
        grad * (call("torch.erfinv", input) ** 2).exp() * (math.sqrt(math.pi) / 2)
    ),
)
derivative(
    "torch.polygamma", input=lambda grad, n, input: grad * call("torch.polygamma", n + 1, input)
)
derivative(
    "Tensor.polygamma", self=lambda grad, n, self: grad * call("torch.polygamma", n + 1, self)
)
derivative(
    "torch.mvlgamma",
    input=lambda grad, input, p: (
        grad * sum(((input - k / 2).digamma() for k in range(1, p)), input.digamma())
    ),
)
derivative(f"{_S}bessel_j0", input=lambda grad, input: -grad * call(f"{_S}bessel_j1", input))
derivative(f"{_S}bessel_y0", input=lambda grad, input: -grad * call(f"{_S}bessel_y1", input))
for _kind in "jy":
    derivative(
        f"{_S}bessel_{_kind}1",
        input=lambda grad, input, result, _path=f"{_S}bessel_{_kind}0": (
            grad * (call(_path, input) - _over(result, input, 0.5))
        ),
    )
derivative(f"{_S}entr", input=lambda grad, input: -grad * (input.log() + 1))
derivative(
    f"{_S}erfcx",
    input=lambda grad, input, result: grad * (input * result * 2 - 2 / math.sqrt(math.pi)),
)
derivative(
    f"{_S}i0e",
    input=lambda grad, input, result: grad * (call(f"{_S}i1e", input) - input.sgn() * result),
)
derivative(
    f"{_S}i1",
    input=lambda grad, input, result: grad * (call("torch.i0", input) - _over(result, input, 0.5)),
)
derivative(
    f"{_S}i1e",
    input=lambda grad, input, result: (
        grad * (call(f"{_S}i0e", input) - input.sgn() * result - _over(result, input, 0.5))
    ),
)
derivative(
    f"{_S}modified_bessel_i0",
    input=lambda grad, input: grad * call(f"{_S}modified_bessel_i1", input),
)
derivative(
    f"{_S}modified_bessel_i1",
    input=lambda grad, input, result: (
        grad * (call(f"{_S}modified_bessel_i0", input) - _over(result, input, 0.5))
    ),
)
derivative(
    f"{_S}modified_bessel_k0",
    input=lambda grad, input: -grad * call(f"{_S}modified_bessel_k1", input),
)
derivative(
    f"{_S}modified_bessel_k1",
    input=lambda grad, input, result: (
        -grad * (call(f"{_S}modified_bessel_k0", input) + result / input)
    ),
)
derivative(
    f"{_S}scaled_modified_bessel_k0",
    input=lambda grad, input, result: (
        grad * (result - call(f"{_S}scaled_modified_bessel_k1", input))
    ),
)
derivative(
    f"{_S}scaled_modified_bessel_k1",
    input=lambda grad, input, result: (
        grad * (result - result / input - call(f"{_S}scaled_modified_bessel_k0", input))
    ),
)
derivative(
    f"{_S}log_ndtr",
    input=lambda grad, input: (
        grad / call(f"{_S}erfcx", input * -math.sqrt(0.5)) * math.sqrt(2 / math.pi)
    ),
)
composite(f"{_S}ndtr", function=lambda input: call("torch.erfc", input * -math.sqrt(0.5)) * 0.5)
derivative(
    f"{_S}ndtri",
    input=lambda grad, result: grad * (result * result * 0.5).exp() * math.sqrt(2 * math.pi),
)
derivative(
    f"{_S}spherical_bessel_j0",
    input=lambda grad, input, result: grad * _over(input.cos() - result, input, 0.0),
)


def _over(value: Any, input: Any, at_zero: float) -> Any:
    """A quotient with its limit where the divisor is 0."""
    is_zero = input == 0
    return call(
        "torch.where",
        is_zero,
        at_zero,
        value / call("torch.where", is_zero, 1.0, input),
    )


derivative(
    "torch.frexp", input=lambda grad, results: grad / call("torch.exp2", results[1].to(grad.dtype))
)

# -- elements that no operand decides --------------------------------------------------------------

kind_of_ops(
    "constant",
    *(f"torch.{name}_like" for name in ("zeros", "ones", "empty", "full", "rand", "randn")),
    *("torch.bernoulli", "torch.randint_like", "torch.poisson", "torch.normal", "torch.binomial"),
    *(f"Tensor.new_{name}" for name in ("empty", "ones", "zeros", "full", "empty_strided")),
    *("Tensor.new_tensor", "torch.floor_divide", "torch.logical_not", "torch.detach_copy"),
    *("torch.logical_and", "torch.logical_or", "torch.logical_xor", "torch.gcd", "torch.lcm"),
    *(f"torch.bitwise_{name}" for name in ("not", "and", "or", "xor", "left_shift", "right_shift")),
    *("torch.nn.functional.one_hot", "Tensor.dim"),
)
kind_of_ops("detached", "torch.detach", "Tensor.data")
kind_of_ops("unchanged", "Tensor.rename_", "Tensor.names=", "Tensor.share_memory_")
kind_of_ops("unchanged", "Tensor.requires_grad_", "Tensor.detach_")
kind_of_ops("fixed", "Tensor.resize_", "Tensor.resize_as_")
