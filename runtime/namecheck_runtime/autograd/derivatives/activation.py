"""Activations, softmax, dropout and attention."""

from __future__ import annotations

import math

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_F = "torch.nn.functional."


def _where(mask: Any, value: Any, other: Any) -> Any:
    return call("torch.where", mask, value, other)


derivative(f"{_F}relu", input=lambda grad, result: grad.masked_fill(result <= 0, 0))
derivative(
    f"{_F}relu6",
    name="Hardtanh",
    input=lambda grad, input: grad.masked_fill((input <= 0) | (input >= 6), 0),
)
derivative(
    f"{_F}hardtanh",
    input=lambda grad, input, min_val, max_val: grad.masked_fill(
        (input <= min_val) | (input >= max_val), 0
    ),
)
derivative(
    f"{_F}elu",
    input=lambda grad, input, alpha: (
        grad * _where(input > 0, 1.0, input.clamp(max=0).exp() * alpha)
    ),
)
derivative(
    f"{_F}celu",
    name="Elu",
    input=lambda grad, input, alpha: (
        grad * _where(input > 0, 1.0, (input.clamp(max=0) / alpha).exp())
    ),
)
_SCALE = 1.0507009873554804934193349852946
_ALPHA = 1.6732632423543772848170429916717
derivative(
    f"{_F}selu",
    name="Elu",
    input=lambda grad, input: (
        grad * _where(input > 0, _SCALE, input.clamp(max=0).exp() * (_SCALE * _ALPHA))
    ),
)


def _gelu(grad: Any, input: Any, approximate: Any) -> Any:
    if approximate == "tanh":
        factor = math.sqrt(2 / math.pi)
        cube = input * input * input
        inner = (input + cube * 0.044715) * factor
        bent = inner.tanh()
        slope = (1 - bent * bent) * (1 + input * input * (3 * 0.044715)) * factor
        return grad * ((bent + 1) * 0.5 + input * slope * 0.5)
    below = (call("torch.erf", input * math.sqrt(0.5)) + 1) * 0.5
    density = (input * input * -0.5).exp() * (1 / math.sqrt(2 * math.pi))
    return grad * (below + input * density)


derivative(f"{_F}gelu", input=_gelu)


def _silu(grad: Any, input: Any) -> Any:
    share = input.sigmoid()
    return grad * conj(share * (input * (1 - share) + 1))


derivative(f"{_F}silu", input=_silu)


def _mish(grad: Any, input: Any) -> Any:
    bent = call(f"{_F}softplus", input).tanh()
    return grad * (bent + input * input.sigmoid() * (1 - bent * bent))


derivative(f"{_F}mish", input=_mish)
derivative(
    f"{_F}softplus",
    input=lambda grad, input, beta, threshold: (
        grad * _where(input * beta > threshold, 1.0, (input * beta).sigmoid())
    ),
)


def _softsign(grad: Any, input: Any) -> Any:
    size = input.abs() + 1
    if not input.is_complex():
        return grad / (size * size)
    # The size is no analytic function of complex numbers.
    return grad / size - input.sgn() * (grad * conj(input)).real / (size * size)


derivative(f"{_F}softsign", input=_softsign)
derivative(
    f"{_F}hardsigmoid",
    input=lambda grad, input: (grad / 6).masked_fill((input <= -3) | (input >= 3), 0),
)
derivative(
    f"{_F}hardswish",
    input=lambda grad, input: _where(
        input < -3, 0.0, _where(input > 3, grad, grad * (input / 3 + 0.5))
    ),
)
derivative(
    f"{_F}leaky_relu",
    input=lambda grad, input, negative_slope: _where(input > 0, grad, grad * negative_slope),
)
derivative(
    f"{_F}threshold",
    input=lambda grad, input, threshold: grad.masked_fill(input <= threshold, 0),
)
composite(f"{_F}tanhshrink", function=lambda input: input - input.tanh())
derivative(
    f"{_F}softshrink",
    input=lambda grad, input, lambd: grad.masked_fill((input >= -lambd) & (input <= lambd), 0),
)
derivative(f"{_F}logsigmoid", input=lambda grad, input: grad * (-input).sigmoid())


@composite(f"{_F}rrelu")
def rrelu(input: Any, lower: Any, upper: Any, training: Any) -> Any:
    """`leaky_relu` with slopes that are drawn while training."""
    if not training:
        return call(f"{_F}leaky_relu", input, (lower + upper) / 2)
    slopes = call("torch.rand_like", input.detach()) * (upper - lower) + lower
    return _where(input >= 0, input, input * slopes)


def _by_channel(weight: Any, rank: int) -> Any:
    if weight.ndim != 1 or (weight.shape[0] == 1 and rank < 2):
        return weight
    return weight.reshape((1, -1) + (1,) * (rank - 2)) if rank > 1 else weight


@composite(f"{_F}prelu")
def prelu(input: Any, weight: Any) -> Any:
    """`leaky_relu` with a slope for each channel."""
    return _where(input > 0, input, input * _by_channel(weight, input.ndim))


def _softmax(grad: Any, result: Any, dim: Any) -> Any:
    weighted = grad * result
    return weighted - result * weighted.sum(dim, True)


def _dim(dim: Any, rank: int) -> int:
    if dim is None:
        return 0 if rank in (0, 1, 3) else 1
    return int(dim)


for _op in ("torch.softmax", f"{_F}softmax"):
    derivative(_op, input=lambda grad, result, dim: _softmax(grad, result, _dim(dim, result.ndim)))
derivative(
    f"{_F}softmin",
    name="Softmax",
    input=lambda grad, result, dim: -_softmax(grad, result, _dim(dim, result.ndim)),
)
for _op in ("torch.log_softmax", f"{_F}log_softmax"):
    derivative(
        _op,
        input=lambda grad, result, dim: (
            grad - result.exp() * grad.sum(_dim(dim, result.ndim), True)
        ),
    )


@composite(f"{_F}gumbel_softmax")
def gumbel_softmax(logits: Any, tau: Any, hard: Any, dim: Any) -> Any:
    """Softmax of noisy logits; hard ones have its gradient."""
    noise = -call("torch.empty_like", logits.detach()).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    places = soft.detach().max(dim, keepdim=True)[1]
    chosen = call("torch.zeros_like", soft.detach()).scatter(dim, places, 1.0)
    return chosen - soft.detach() + soft


@composite(f"{_F}normalize")
def normalize(input: Any, p: Any, dim: Any, eps: Any) -> Any:
    """Over the norm."""
    norm = call("torch.linalg.vector_norm", input, p, dim, True)
    return input / norm.clamp_min(eps)


@composite(f"{_F}glu")
def glu(input: Any, dim: Any) -> Any:
    """One half times the sigmoid of the other."""
    first, second = input.chunk(2, dim)
    return first * second.sigmoid()


# -- dropout ---------------------------------------------------------------------------------------


def _dropping(op: str) -> None:
    """Declare a dropout: the result is the operand times noise, which the op draws."""

    def dropped(input: Any, p: Any, on: Any) -> Any:
        return input * call(op, call("torch.ones_like", input.detach()), p, on)

    _declare_dropping(op, dropped)


def _declare_dropping(op: str, dropped: Callable[[Any, Any, Any], Any]) -> None:
    """Declare a dropout by its function of the input, the rate, and whether it drops."""

    def function(input: Any, p: Any, training: Any) -> Any:
        return dropped(input, p, training)

    def method(input: Any, p: Any, train: Any) -> Any:
        return dropped(input, p, train)

    composite(op, function=function if op.startswith(_F) else method)


for _dims in ("", "1d", "2d", "3d"):
    _dropping(f"{_F}dropout{_dims}")
_dropping("torch.dropout")
_dropping("torch.feature_dropout")


@composite("torch.native_dropout")
def native_dropout(input: Any, p: Any, train: Any) -> Any:
    """The result, and where it is kept."""
    noise, kept = call("torch.native_dropout", call("torch.ones_like", input.detach()), p, train)
    return input * noise, kept


def _alpha_dropping(op: str) -> None:
    """Declare a dropout that keeps mean and variance: linear in the operand, by what it draws."""

    def dropped(input: Any, p: Any, on: Any) -> Any:
        if not on or p == 0:
            return input.clone()
        drawn = call(op, call("torch.zeros_like", input.detach()), p, on)
        alpha = _SCALE * _ALPHA
        scale = 1 / math.sqrt((alpha * alpha * p + 1) * (1 - p)) if p < 1 else 0.0
        kept = drawn >= drawn.max() if p < 1 else drawn > math.inf
        return input * (kept.to(dtype=input.dtype) * scale) + drawn

    _declare_dropping(op, dropped)


for _op in ("alpha_dropout", "feature_alpha_dropout"):
    _alpha_dropping(f"{_F}{_op}")
    _alpha_dropping(f"torch.{_op}")


@composite(f"{_F}scaled_dot_product_attention")
def attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any,
    dropout_p: Any,
    is_causal: Any,
    scale: Any,
    enable_gqa: Any,
) -> Any:
    """Softmax of products of queries and keys, times the values."""
    factor = max(query.shape[-1], 1) ** -0.5 if scale is None else scale
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (call("torch.repeat_interleave", x, times, -3) for x in (key, value))
    scores = (query * factor) @ key.transpose(-2, -1)
    if is_causal:
        rows, columns = scores.shape[-2], scores.shape[-1]
        ones = call("torch.ones", rows, columns, device=scores.device)
        future = call("torch.triu", ones, 1).bool()
        scores = scores.masked_fill(future, -math.inf)
    if attn_mask is not None:
        if attn_mask.dtype.is_floating_point:
            scores = scores + attn_mask
        else:
            scores = scores.masked_fill(~attn_mask, -math.inf)
    weights = scores.softmax(-1)
    if attn_mask is not None or is_causal:
        weights = weights.masked_fill(scores.amax(-1, True) == -math.inf, 0)
    if dropout_p:
        weights = call(f"{_F}dropout", weights, dropout_p)
    return weights @ value
