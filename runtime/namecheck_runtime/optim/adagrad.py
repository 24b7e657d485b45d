"""Adagrad.  Source: torch.optim.adagrad."""

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
    step_count,
)
from namecheck_runtime.tensors.object import Tensor


class Adagrad(ByParameter):
    """Steps divided by the size of all gradients so far.  Source: torch.optim.Adagrad.

    The state of a parameter is its `step`, a number, and `sum`, of its dims.
    """

    options: ClassVar = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "fused": None,
    }

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        require_one_element(lr)
        require_not_negative("learning rate", lr)
        require_not_negative("lr_decay value", lr_decay)
        require_not_negative("weight_decay value", weight_decay)
        require_not_negative("initial_accumulator_value value", initial_accumulator_value)
        require_not_negative("epsilon value", eps)
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        require_one_way(fused, differentiable, foreach)
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state[parameter]
                state["step"] = step_count(0.0, bool(group["fused"]))
                self._begin(parameter, state, group)

    def _begin(self, parameter: Any, state: dict[str, Any], group: Group) -> None:
        value: complex = self.defaults["initial_accumulator_value"]
        if parameter.is_complex():
            value = complex(value, value)
        state["sum"] = nt.full_like(parameter, value)

    def share_memory(self) -> None:
        """Move the sums to memory that processes share."""
        for group in self.param_groups:
            for parameter in group["params"]:
                self.state[parameter]["sum"].share_memory_()

    def _refuse_sparse(self) -> None:
        raise NotImplementedError(
            "Adagrad does not take sparse gradients yet: build the embedding with sparse=False"
        )

    def _change(self, parameter: Any, gradient: Any, state: dict[str, Any], group: Group) -> None:
        gradient = decayed(gradient, parameter, group["weight_decay"])
        lr = number(group["lr"]) / (1 + (state["step"].item() - 1) * group["lr_decay"])
        total = state["sum"].addcmul_(gradient, gradient, value=1)
        spread = total.sqrt().add(group["eps"])
        if isinstance(lr, Tensor):
            parameter.addcmul_(gradient / spread, lr, value=-1)
        else:
            parameter.addcdiv_(gradient, spread, value=-lr)
