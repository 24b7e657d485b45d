"""RMSprop.  Source: torch.optim.rmsprop."""

from __future__ import annotations

from typing import Any, ClassVar

from namecheck_runtime.optim.optimizer import (
    ByParameter,
    Group,
    Params,
    decayed,
    number,
    require_not_negative,
    require_one_element,
    zeros_like,
)
from namecheck_runtime.tensors.object import Tensor


class RMSprop(ByParameter):
    """Steps divided by a mean of the gradients' size.  Source: torch.optim.RMSprop.

    The state of a parameter is its `step`, a number, and `square_avg`, with momentum
    `momentum_buffer` and centered `grad_avg`, of its dims.
    """

    options: ClassVar = {
        "momentum": 0,
        "centered": False,
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        require_one_element(lr)
        require_not_negative("learning rate", lr)
        require_not_negative("epsilon value", eps)
        require_not_negative("momentum value", momentum)
        require_not_negative("weight_decay value", weight_decay)
        require_not_negative("alpha value", alpha)
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _begin(self, parameter: Any, state: dict[str, Any], group: Group) -> None:
        state["square_avg"] = zeros_like(parameter)
        if group["momentum"] > 0:
            state["momentum_buffer"] = zeros_like(parameter)
        if group["centered"]:
            state["grad_avg"] = zeros_like(parameter)

    def _change(self, parameter: Any, gradient: Any, state: dict[str, Any], group: Group) -> None:
        lr, alpha = number(group["lr"]), group["alpha"]
        gradient = decayed(gradient, parameter, group["weight_decay"])
        square = state["square_avg"].mul_(alpha).addcmul_(gradient, gradient, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"].lerp_(gradient, 1 - alpha)
            spread = square.addcmul(mean, mean, value=-1).sqrt_()
        else:
            spread = square.sqrt()
        spread = spread.add(group["eps"])
        step = gradient / spread
        if group["momentum"] > 0:
            step = state["momentum_buffer"].mul_(group["momentum"]).add_(step)
        if isinstance(lr, Tensor):
            parameter.addcmul_(step, lr, value=-1)
        else:
            parameter.add_(step, alpha=-lr)
