"""Stochastic gradient descent.  Source: torch.optim.sgd."""

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
    require_one_way,
)
from namecheck_runtime.tensors.object import Tensor


class SGD(ByParameter):
    """Stochastic gradient descent, with momentum if asked for.  Source: torch.optim.SGD.

    With momentum, the state of a parameter is a `momentum_buffer` of its dims.
    """

    counts: ClassVar = False
    splits: ClassVar = False
    options: ClassVar = {
        "nesterov": False,
        "maximize": False,
        "foreach": None,
        "differentiable": False,
        "fused": False,
    }

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        require_one_element(lr)
        require_not_negative("learning rate", lr)
        require_not_negative("momentum value", momentum)
        require_not_negative("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        require_one_way(fused, differentiable, foreach)

    def _refuse_sparse(self) -> None:
        """Nothing: what it computes is defined for them."""

    def _step_of(self, parameter: Any, group: Group) -> None:
        if group.get("fused") and parameter.grad.is_sparse:
            raise RuntimeError("`_fused_sgd` does not support sparse gradients")
        super()._step_of(parameter, group)
        if not self.state[parameter]:
            del self.state[parameter]  # as in PyTorch, without momentum there is no state

    def _change(self, parameter: Any, gradient: Any, state: dict[str, Any], group: Group) -> None:
        gradient = decayed(gradient, parameter, group["weight_decay"])
        momentum = group["momentum"]
        if momentum != 0:
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = gradient.detach().clone()
            else:
                buffer.mul_(momentum).add_(gradient, alpha=1 - group["dampening"])
            gradient = gradient.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        lr = number(group["lr"])
        if isinstance(lr, Tensor):
            parameter.addcmul_(gradient, lr, value=-1)
        else:
            parameter.add_(gradient, alpha=-lr)
