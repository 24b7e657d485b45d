"""Limits for gradients.  Source: torch.nn.utils.clip_grad."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import Any

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.making.factories import tensor
from namecheck_runtime.tensors.object import Tensor


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements of all tensors together, as a tensor without dims.

    Raises RuntimeError for one that is not finite, if that is asked for.
    """
    every = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    power = float(norm_type)
    if not every:
        return tensor(0.0)
    with no_grad():
        norms = [_norm(one.detach().rename(None).reshape(-1), power) for one in every]
        total = _norm(call_path("torch.stack", (norms,), {}), power)
    if error_if_nonfinite and not math.isfinite(total.item()):
        raise RuntimeError(
            f"The total norm of order {power} for gradients from `parameters` is non-finite, so it "
            "cannot be clipped. To disable this error and scale the gradients by the non-finite "
            "norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def _norm(vector: Tensor, power: float) -> Tensor:
    return call_path("torch.linalg.vector_norm", (vector, power), {})  # type: ignore[no-any-return]


def _gradients(parameters: Tensor | Iterable[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
    """The parameters that have a gradient, and their gradients."""
    every = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if not every:
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=3
        )
    having = [parameter for parameter in every if parameter.grad is not None]
    return having, [parameter.grad for parameter in having]  # type: ignore[misc]


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale the gradients of parameters in place, so that a norm becomes at most `max_norm`."""
    with no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in _gradients(parameters)[1]:
            grad.mul_(factor)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients of parameters in place, so that their norm is at most `max_norm`.

    Returns the norm that all of them had together, a tensor without dims; their names stay.
    """
    having, grads = _gradients(parameters)
    total = get_total_norm(grads, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(having, max_norm, total, foreach)
    return total


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Put each element of the gradients between `-clip_value` and `clip_value`, in place."""
    limit = float(clip_value)
    with no_grad():
        for grad in _gradients(parameters)[1]:
            grad.clamp_(min=-limit, max=limit)


def clip_grad_norm(*arguments: Any, **keywords: Any) -> Tensor:
    """The old name of `clip_grad_norm_`."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(*arguments, **keywords)
