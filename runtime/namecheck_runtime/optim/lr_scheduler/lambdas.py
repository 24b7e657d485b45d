"""Schedulers that a program's own functions drive.  Source: torch.optim.lr_scheduler."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from namecheck_runtime.optim.lr_scheduler.scheduler import LRScheduler
from namecheck_runtime.optim.optimizer import Optimizer


class _ByLambda(LRScheduler):
    """A scheduler with a function from the epoch to a factor, for each group."""

    lr_lambdas: list[Callable[[int], float]]

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        if not isinstance(lr_lambda, (list, tuple)):
            lr_lambda = [lr_lambda] * count
        elif len(lr_lambda) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(lr_lambda)}")
        self.lr_lambdas = list(lr_lambda)
        self._check_lambdas()
        super().__init__(optimizer, last_epoch)

    def _check_lambdas(self) -> None:
        """Raise TypeError for what is not a function."""

    def state_dict(self) -> dict[str, Any]:
        """All attributes except the optimizer; of functions only the attributes of objects."""
        state = super().state_dict()
        state["lr_lambdas"] = [
            None if isinstance(function, types.FunctionType) else function.__dict__.copy()
            for function in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        self.__dict__.update({k: v for k, v in state_dict.items() if k != "lr_lambdas"})
        for function, attributes in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=False):
            if attributes is not None:
                function.__dict__.update(attributes)


class LambdaLR(_ByLambda):
    """The first rate times a function of the epoch.  Source: torch.optim.lr_scheduler.LambdaLR."""

    def get_lr(self) -> list[Any]:
        """The next rate of each group."""
        self._require_within_step()
        return [
            base * function(self.last_epoch)
            for function, base in zip(self.lr_lambdas, self.base_lrs, strict=True)
        ]


class MultiplicativeLR(_ByLambda):
    """The last rate times a function of the epoch.

    Source: torch.optim.lr_scheduler.MultiplicativeLR.
    """

    def _check_lambdas(self) -> None:
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(
                    f"lr_lambda should be a function, but got {type(function).__name__}"
                )

    def get_lr(self) -> list[Any]:
        """The next rate of each group."""
        self._require_within_step()
        if self._is_initial:
            return self._rates()
        groups = self.optimizer.param_groups
        return [
            group["lr"] * function(self.last_epoch)
            for function, group in zip(self.lr_lambdas, groups, strict=True)
        ]
