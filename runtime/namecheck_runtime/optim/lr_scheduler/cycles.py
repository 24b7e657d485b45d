"""Schedulers whose rates go up and down, and momentum with them.

Source: torch.optim.lr_scheduler.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

from namecheck_runtime.optim.lr_scheduler.scheduler import (
    LRScheduler,
    for_each_group,
    require_optimizer,
    set_value,
)
from namecheck_runtime.optim.optimizer import Optimizer


class _WithMomentum(LRScheduler):
    """A scheduler that moves momentum, or Adam's first beta, against the rate."""

    cycle_momentum: bool
    use_beta1: bool

    def _begin_momentum(self, base: Any, most: Any, is_new: bool) -> tuple[list[Any], list[Any]]:
        """The least and the most momentum of each group, from where a new schedule starts."""
        optimizer = self.optimizer
        self.use_beta1 = "betas" in optimizer.defaults
        if "momentum" not in optimizer.defaults and not self.use_beta1:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        least = for_each_group("base_momentum", optimizer, base)
        greatest = for_each_group("max_momentum", optimizer, most)
        if is_new:
            for low, high, group in zip(least, greatest, optimizer.param_groups, strict=True):
                self._set_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low
        return least, greatest

    def _set_momentum(self, group: dict[str, Any], momentum: Any) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum


class CyclicLR(_WithMomentum):
    """Up from `base_lr` to `max_lr` and down again, over and over.

    Source: torch.optim.lr_scheduler.CyclicLR.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        require_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = for_each_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for rate, group in zip(base_lrs, optimizer.param_groups, strict=True):
                set_value(group, "lr", rate)
        self.max_lrs = for_each_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        down = up if step_size_down is None else float(step_size_down)
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode, self.gamma, self._scale_fn_custom = mode, gamma, scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._begin_momentum(
                base_momentum, max_momentum, last_epoch == -1
            )
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """The factor of a cycle's height, by the number of the cycle or of the step."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        factor: float = 1 / 2.0 ** (x - 1) if self.mode == "triangular2" else self.gamma**x
        return factor

    def get_lr(self) -> list[Any]:
        """The next rate of each group; changes momentum, too."""
        self._require_within_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        if place <= self.step_ratio:
            height = place / self.step_ratio
        else:
            height = (place - 1) / (self.step_ratio - 1)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            groups = self.optimizer.param_groups
            momentums = zip(groups, self.base_momentums, self.max_momentums, strict=True)
            for group, least, greatest in momentums:
                self._set_momentum(group, greatest - (greatest - least) * height * scale)
        return [
            base + (greatest - base) * height * scale
            for base, greatest in zip(self.base_lrs, self.max_lrs, strict=True)
        ]

    def state_dict(self) -> dict[str, Any]:
        """All attributes except the optimizer; of a scale function only an object's attributes."""
        state = super().state_dict()
        function = state["_scale_fn_custom"]
        plain = function is None or isinstance(function, types.FunctionType)
        state["_scale_fn_custom"] = None if plain else function.__dict__.copy()
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        attributes = state_dict["_scale_fn_custom"]
        others = {k: v for k, v in state_dict.items() if k != "_scale_fn_custom"}
        super().load_state_dict(others)
        if attributes is not None:
            self._scale_fn_custom.__dict__.update(attributes)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Down along a cosine in `T_0` epochs, then from the start again, each time `T_mult` longer.

    Source: torch.optim.lr_scheduler.CosineAnnealingWarmRestarts.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0 = self.T_i = T_0
        self.T_mult, self.eta_min = T_mult, eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The next rate of each group."""
        self._require_within_step()
        height = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * height for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Go on by one, or to an epoch, which may be a fraction."""
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._go_to(epoch)
        self.last_epoch = math.floor(epoch)
        with self._within_step():
            rates = self.get_lr()
        self._set_rates(rates)

    def _go_to(self, epoch: float) -> None:
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            rounds = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            before = self.T_0 * (self.T_mult**rounds - 1) / (self.T_mult - 1)
            self.T_cur = epoch - before
            self.T_i = self.T_0 * self.T_mult**rounds


class OneCycleLR(_WithMomentum):
    """Up to `max_lr` and down far below the first rate, once in `total_steps` steps.

    Source: torch.optim.lr_scheduler.OneCycleLR.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        require_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        if pct_start < 0 or pct_start > 1 or not isinstance(pct_start, float):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        self._anneal_func_type = anneal_strategy
        rates = for_each_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for rate, group in zip(rates, optimizer.param_groups, strict=True):
                group["initial_lr"] = rate / div_factor
                group["max_lr"] = rate
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch == -1)
        super().__init__(optimizer, last_epoch)

    def _between(self, start: Any, end: Any, part: float) -> Any:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)
        return (end - start) * part + start

    def get_lr(self) -> list[Any]:
        """The next rate of each group; changes momentum, too."""
        self._require_within_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        phases = self._schedule_phases
        current = next((p for p in phases if step <= p["end_step"]), phases[-1])
        place = phases.index(current)
        begin = 0.0 if place == 0 else phases[place - 1]["end_step"]
        part = (step - begin) / (current["end_step"] - begin)
        rates = []
        for group in self.optimizer.param_groups:
            start, end = group[current["start_lr"]], group[current["end_lr"]]
            rates.append(self._between(start, end, part))
            if self.cycle_momentum:
                start, end = group[current["start_momentum"]], group[current["end_momentum"]]
                self._set_momentum(group, self._between(start, end, part))
        return rates


def _total(total_steps: Any, epochs: Any, steps_per_epoch: Any) -> int:
    """The number of steps of a cycle, given as such or as a product."""
    if total_steps is not None:
        _require_positive("total_steps", total_steps)
        return int(total_steps)
    if epochs is None or steps_per_epoch is None:
        raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
    _require_positive("epochs", epochs)
    _require_positive("steps_per_epoch", steps_per_epoch)
    return int(epochs * steps_per_epoch)


def _require_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"Expected positive integer {name}, but got {value}")


def _phases(total: int, pct_start: float, three_phase: bool) -> list[dict[str, Any]]:
    """Where each phase of a cycle ends, and from which option of a group to which it goes."""
    ends = [float(pct_start * total) - 1, total - 1]
    rates = [("initial_lr", "max_lr"), ("max_lr", "min_lr")]
    momentums = [("max_momentum", "base_momentum"), ("base_momentum", "max_momentum")]
    if three_phase:
        ends.insert(1, float(2 * pct_start * total) - 2)
        rates[1:] = [("max_lr", "initial_lr"), ("initial_lr", "min_lr")]
        momentums.append(("max_momentum", "max_momentum"))
    return [
        {
            "end_step": end,
            "start_lr": rate[0],
            "end_lr": rate[1],
            "start_momentum": momentum[0],
            "end_momentum": momentum[1],
        }
        for end, rate, momentum in zip(ends, rates, momentums, strict=True)
    ]
