"""Adam, with and without decoupled weight decay.  Source: torch.optim.adam."""

from __future__ import annotations

from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.optim.optimizer import (
    ByParameter,
    Group,
    Params,
    decayed,
    number,
    require_not_negative,
    require_one_element,
    require_one_way,
    zeros_like,
)
from namecheck_runtime.tensors.object import Tensor


class Adam(ByParameter):
    """Adaptive moment estimation.  Source: torch.optim.Adam.

    The state of a parameter is its `step`, a number, and `exp_avg` and `exp_avg_sq`, of its dims.
    """

    options: ClassVar = {
        "amsgrad": False,
        "maximize": False,
        "foreach": None,
        "capturable": False,
        "differentiable": False,
        "decoupled_weight_decay": False,
        "fused": None,
    }

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        alone = bool(foreach) and not capturable
        _check(lr, betas, eps, weight_decay, alone)
        defaults = {
            "lr": lr,
            "betas": tuple(_without_dims(beta) for beta in betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)
        require_one_way(fused, differentiable, foreach)

    def _refuse_sparse(self) -> None:
        raise RuntimeError(
            "Adam does not support sparse gradients, please consider SparseAdam instead"
        )

    def _begin(self, parameter: Any, state: dict[str, Any], group: Group) -> None:
        state["exp_avg"] = zeros_like(parameter)
        state["exp_avg_sq"] = zeros_like(parameter)
        if group["amsgrad"]:
            state["max_exp_avg_sq"] = zeros_like(parameter)

    def _change(self, parameter: Any, gradient: Any, state: dict[str, Any], group: Group) -> None:
        lr, weight_decay = number(group["lr"]), group["weight_decay"]
        beta1, beta2 = (number(beta) for beta in group["betas"])
        mean, square = state["exp_avg"], state["exp_avg_sq"]
        if group["decoupled_weight_decay"]:
            if weight_decay != 0:
                parameter.mul_(1 - lr * weight_decay)
        else:
            gradient = decayed(gradient, parameter, weight_decay)
        mean.lerp_(gradient, 1 - beta1)
        if isinstance(beta2, Tensor):
            square.lerp_(gradient.square(), 1 - beta2)
        else:
            square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        step = state["step"].item()
        size = lr / (1 - beta1**step)
        correction = (1 - beta2**step) ** 0.5
        if group["amsgrad"]:
            greatest = state["max_exp_avg_sq"]
            greatest.copy_(nt.maximum(greatest.clone(), square))
            square = greatest
        spread = (square.sqrt() / correction).add_(group["eps"])
        if group["differentiable"]:
            mean = mean.clone()
        if isinstance(size, Tensor):
            parameter.addcdiv_(mean * -size, spread)
        else:
            parameter.addcdiv_(mean, spread, value=-size)


def _without_dims(beta: Any) -> Any:
    return beta.squeeze() if isinstance(beta, Tensor) and beta.ndim else beta


def _check(lr: Any, betas: Any, eps: float, weight_decay: float, alone: bool) -> None:
    """Raise ValueError for options that Adam does not take.

    `alone`: whether tensors are not taken for options.
    """
    if isinstance(lr, Tensor):
        if alone:
            raise ValueError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        require_one_element(lr)
    require_not_negative("learning rate", lr)
    require_not_negative("epsilon value", eps)
    for place in (0, 1):
        if not 0.0 <= betas[place] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {betas[place]}")
    require_not_negative("weight_decay value", weight_decay)
    both = [all(isinstance(beta, kind) for beta in betas[:2]) for kind in (float, Tensor)]
    if not any(both):
        raise ValueError("betas must be either both floats or both Tensors")
    for place in (0, 1):
        if isinstance(betas[place], Tensor):
            if alone:
                raise ValueError(
                    f"betas[{place}] as a Tensor is not supported for capturable=False and "
                    "foreach=True"
                )
            require_one_element(betas[place], f"betas[{place}]")
