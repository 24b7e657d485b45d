"""Adam whose weight decay is not part of the gradient.  Source: torch.optim.adamw."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.optim.adam import Adam
from namecheck_runtime.optim.optimizer import Params
from namecheck_runtime.tensors.object import Tensor


class AdamW(Adam):
    """Adam with decoupled weight decay.  Source: torch.optim.AdamW.

    The state of a parameter is that of Adam.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float | Tensor, float | Tensor] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            *(params, lr, betas, eps, weight_decay, amsgrad),
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
