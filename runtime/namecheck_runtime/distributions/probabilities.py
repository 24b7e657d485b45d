"""What distributions compute of their parameters.  Source: torch.distributions.utils."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import namecheck_runtime as nt


def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Tensors or numbers as tensors of the same sizes.

    Raises ValueError for what is neither.
    """
    for value in values:
        if not isinstance(value, (nt.Tensor, int, float)):
            raise ValueError(
                "Input arguments must all be instances of Number, torch.Tensor or objects "
                f"implementing __torch_function__, but one is a {type(value).__name__}"
            )
    known = [value for value in values if isinstance(value, nt.Tensor)]
    dtype = known[0].dtype if known else nt.get_default_dtype()
    device = known[0].device if known else None
    tensors = [
        value if isinstance(value, nt.Tensor) else nt.tensor(value, dtype=dtype, device=device)
        for value in values
    ]
    return tuple(nt.broadcast_tensors(*tensors))


def require_one(probs: Any, logits: Any) -> None:
    """Raise ValueError unless a distribution is given one of both."""
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Probabilities of log-odds, or of logarithms in the last dim."""
    return nt.sigmoid(logits) if is_binary else nt.nn.functional.softmax(logits, dim=-1)


def clamp_probs(probs: Any) -> Any:
    """Probabilities away from 0 and 1 by the smallest difference of their dtype."""
    eps = nt.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Log-odds of probabilities, or their logarithms."""
    clamped = clamp_probs(probs)
    return nt.log(clamped) - nt.log1p(-clamped) if is_binary else nt.log(clamped)


class lazy_property:
    """An attribute that is computed when it is first read."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with nt.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def standard_normal(shape: Any, like: Any) -> Any:
    """Numbers of the normal distribution, of the dtype and on the device of a tensor."""
    options = {"dtype": like.dtype, "device": like.device}
    return nt.normal(nt.zeros(shape, **options), nt.ones(shape, **options))


def standard_gamma(concentration: Any) -> Any:
    """Numbers of the gamma distribution with rate 1.

    Source: G. Marsaglia and W. W. Tsang, A simple method for generating gamma variables (2000).
    """
    with nt.no_grad():
        shape = nt.where(concentration < 1, concentration + 1, concentration)
        d = shape - 1 / 3
        c = 1 / (9 * d).sqrt()
        found, missing = nt.zeros_like(d), nt.ones_like(d, dtype=nt.bool)
        while bool(missing.any()):
            x, u = nt.randn_like(d), nt.rand_like(d)
            v = (1 + c * x) ** 3
            is_fit = (v > 0) & (u.log() < 0.5 * x**2 + d - d * v + d * v.clamp(min=1e-30).log())
            found = nt.where(missing & is_fit, d * v, found)
            missing = missing & ~is_fit
        boost = nt.rand_like(d) ** (1 / concentration)
        drawn = nt.where(concentration < 1, found * boost, found)
        drawn = drawn.clamp(min=nt.finfo(drawn.dtype).tiny)
    if not (nt.is_grad_enabled() and concentration.requires_grad):
        return drawn
    slope = slope_of_gamma(concentration.detach(), drawn)
    return drawn + slope * (concentration - concentration.detach())


def slope_of_gamma(concentration: Any, value: Any) -> Any:
    """How a number of the gamma distribution grows with the concentration, at the same quantile.

    Source: M. Figurnov, S. Mohamed and A. Mnih, Implicit reparameterization gradients (2018).
    """
    with nt.no_grad():
        a, x = concentration.double(), value.double()
        step = 1e-4 * nt.minimum(a, a.sqrt())
        below, above = nt.special.gammainc, nt.special.gammaincc
        lower = below(a + step, x) - below(a - step, x)
        upper = above(a - step, x) - above(a + step, x)
        density = ((a - 1) * x.log() - x - nt.lgamma(a)).exp()
        slope = -nt.where(x < a, lower, upper) / (2 * step * density)
        return nt.where(density > 0, slope, 0.0).to(value.dtype)
