"""Calls of optimizers and schedulers that PyTorch and the runtime both run.

`tests/data/read_torch_optimizers.py` runs them under PyTorch,
`tests/training/test_optimizers_as_torch.py` under the runtime.  Nothing here imports either: both
pass their module.
"""

from __future__ import annotations

import math
import re
import warnings
from typing import Any, Final

OPTIMIZERS: Final = (
    "SGD(params, lr=0.1)",
    "SGD(params, lr=0.1, momentum=0.9)",
    "SGD(params, lr=0.1, momentum=0.9, dampening=0.3, weight_decay=0.01)",
    "SGD(params, lr=0.1, momentum=0.8, nesterov=True, maximize=True)",
    "SGD(params, lr=0.1, momentum=0.8, foreach=True)",
    "SGD(params, lr=0.1, momentum=0.8, fused=True)",
    "SGD(params, lr=torch.tensor(0.1, dtype=torch.float64))",
    "Adam(params)",
    "Adam(params, lr=0.05, betas=(0.8, 0.95), eps=1e-4, weight_decay=0.1)",
    "Adam(params, lr=0.05, amsgrad=True)",
    "Adam(params, lr=0.05, maximize=True)",
    "Adam(params, lr=0.05, decoupled_weight_decay=True, weight_decay=0.1)",
    "Adam(params, lr=0.05, foreach=True)",
    "Adam(params, lr=0.05, fused=True)",
    "Adam(params, lr=torch.tensor(0.05, dtype=torch.float64))",
    "AdamW(params, lr=0.05)",
    "AdamW(params, lr=0.05, weight_decay=0.2, amsgrad=True)",
    "RMSprop(params)",
    "RMSprop(params, lr=0.02, alpha=0.9, eps=1e-4, weight_decay=0.1)",
    "RMSprop(params, lr=0.02, centered=True)",
    "RMSprop(params, lr=0.02, momentum=0.5, maximize=True)",
    "RMSprop(params, lr=0.02, momentum=0.5, centered=True)",
    "Adagrad(params)",
    "Adagrad(params, lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.5)",
    "Adagrad(params, lr=0.1, maximize=True, eps=1e-3)",
    "SGD([{'params': params[:1], 'lr': 0.2}, {'params': params[1:]}], lr=0.1, momentum=0.9)",
    "Adam([('first', params[0]), ('second', params[1])], lr=0.05)",
)
"""Texts that build an optimizer of two parameters, `params`."""

REFUSED: Final = (
    "SGD(params[0])",
    "SGD([])",
    "SGD([1])",
    "SGD(['text'])",
    "SGD([params[0] * 2])",
    "SGD([params[0], ('name', params[1])])",
    "SGD([{'params': {params[0]}}])",
    "SGD([{'params': params}, {'params': params[:1]}])",
    "SGD([{'params': [('first', params[0])]}, {'params': params[1:]}])",
    "SGD(params, lr=-1)",
    "SGD(params, momentum=-1)",
    "SGD(params, weight_decay=-1)",
    "SGD(params, nesterov=True)",
    "SGD(params, lr=torch.ones(2))",
    "SGD(params, fused=True, foreach=True)",
    "SGD(params, fused=True, differentiable=True)",
    "Adam(params, lr=-1.0)",
    "Adam(params, eps=-1.0)",
    "Adam(params, betas=(1.0, 0.9))",
    "Adam(params, betas=(0.9, -0.1))",
    "Adam(params, betas=(0.9, torch.tensor(0.9)))",
    "Adam(params, weight_decay=-1)",
    "Adam(params, lr=torch.tensor(0.1), foreach=True)",
    "Adam(params, fused=True, foreach=True)",
    "RMSprop(params, alpha=-1)",
    "RMSprop(params, momentum=-0.5)",
    "Adagrad(params, lr_decay=-1)",
    "Adagrad(params, initial_accumulator_value=-1)",
    "SGD(params).add_param_group(params)",
    "SGD(params).add_param_group({'params': params[:1]})",
    "SGD(params).load_state_dict({'state': {}, 'param_groups': []})",
    "SGD(params).load_state_dict({'state': {}, 'param_groups': [{'params': [0]}]})",
    "lr_scheduler.StepLR(params, 2)",
    "lr_scheduler.StepLR(SGD(params), 2, last_epoch=3)",
    "lr_scheduler.LambdaLR(SGD(params), [abs, abs])",
    "lr_scheduler.MultiplicativeLR(SGD(params), 3)",
    "lr_scheduler.ConstantLR(SGD(params), factor=2)",
    "lr_scheduler.LinearLR(SGD(params), start_factor=0)",
    "lr_scheduler.LinearLR(SGD(params), end_factor=2)",
    "lr_scheduler.CosineAnnealingWarmRestarts(SGD(params), 0)",
    "lr_scheduler.CosineAnnealingWarmRestarts(SGD(params), 2, 0)",
    "lr_scheduler.OneCycleLR(SGD(params), 0.1)",
    "lr_scheduler.OneCycleLR(SGD(params), 0.1, total_steps=0)",
    "lr_scheduler.OneCycleLR(SGD(params), 0.1, epochs=1.5, steps_per_epoch=2)",
    "lr_scheduler.OneCycleLR(SGD(params), 0.1, total_steps=5, pct_start=2.0)",
    "lr_scheduler.OneCycleLR(SGD(params), 0.1, total_steps=5, anneal_strategy='no')",
    "lr_scheduler.OneCycleLR(Adagrad(params), 0.1, total_steps=5)",
    "lr_scheduler.OneCycleLR(SGD(params), [0.1, 0.2], total_steps=5)",
    "lr_scheduler.CyclicLR(SGD(params), 0.1, 0.2, mode='no')",
    "lr_scheduler.ReduceLROnPlateau(SGD(params), factor=1)",
    "lr_scheduler.ReduceLROnPlateau(SGD(params), mode='no')",
    "lr_scheduler.ReduceLROnPlateau(SGD(params), threshold_mode='no')",
    "lr_scheduler.ReduceLROnPlateau(SGD(params), min_lr=[0.1, 0.2])",
    "lr_scheduler.SequentialLR(SGD(params), [], [])",
    "lr_scheduler.SequentialLR(SGD(params), [1], [])",
    "lr_scheduler.ChainedScheduler([])",
)
"""Texts that are refused."""

SCHEDULERS: Final = (
    "StepLR(optimizer, 3, gamma=0.5)",
    "MultiStepLR(optimizer, [2, 5, 5, 11], gamma=0.5)",
    "ExponentialLR(optimizer, 0.9)",
    "LambdaLR(optimizer, lambda epoch: 0.95**epoch)",
    "MultiplicativeLR(optimizer, lambda epoch: 1 - 0.01 * epoch)",
    "LinearLR(optimizer)",
    "LinearLR(optimizer, 0.5, 0.1, total_iters=8)",
    "ConstantLR(optimizer, 0.3, total_iters=7)",
    "PolynomialLR(optimizer, total_iters=9, power=2.0)",
    "CosineAnnealingLR(optimizer, 6, eta_min=0.01)",
    "CosineAnnealingWarmRestarts(optimizer, 3, 2, eta_min=0.01)",
    "CosineAnnealingWarmRestarts(optimizer, 4)",
    "OneCycleLR(optimizer, 0.3, total_steps=22)",
    "OneCycleLR(optimizer, 0.3, epochs=4, steps_per_epoch=6, anneal_strategy='linear')",
    "OneCycleLR(optimizer, 0.3, total_steps=30, three_phase=True, cycle_momentum=False)",
    "CyclicLR(optimizer, 0.1, 0.3, step_size_up=3, step_size_down=5)",
    "CyclicLR(optimizer, 0.1, 0.3, step_size_up=3, mode='triangular2')",
    "CyclicLR(optimizer, 0.1, 0.3, step_size_up=3, mode='exp_range', gamma=0.9)",
    "CyclicLR(optimizer, 0.1, 0.3, step_size_up=3, scale_fn=lambda x: 0.5**x)",
    "ReduceLROnPlateau(optimizer, patience=1, factor=0.5)",
    "ReduceLROnPlateau(optimizer, 'max', patience=0, cooldown=2, threshold_mode='abs')",
    "SequentialLR(optimizer, [LinearLR(optimizer, 0.1), CosineAnnealingLR(optimizer, 10)], [4])",
    "ChainedScheduler([ConstantLR(optimizer, 0.1, 4), ExponentialLR(optimizer, 0.9)])",
)
"""Texts that build a scheduler of `optimizer`."""

STEPS: Final = 20


def parameters(torch: Any) -> list[Any]:
    """Two parameters, a matrix and a vector."""
    matrix = torch.tensor([[0.5, -1.0, 0.25], [1.5, -0.75, 0.1]], dtype=torch.float64)
    vector = torch.tensor([0.3, -0.6], dtype=torch.float64)
    return [torch.nn.Parameter(matrix), torch.nn.Parameter(vector)]


def loss_of(params: list[Any], torch: Any) -> Any:
    """A loss whose gradients depend on both parameters."""
    matrix, vector = params
    inputs = torch.tensor([[1.0, 2.0, -1.0], [0.5, -0.3, 0.8]], dtype=torch.float64)
    return ((inputs @ matrix.t() + vector).tanh() - 0.25).square().sum()


def trained(text: str, torch: Any) -> dict[str, Any]:
    """What an optimizer shows in 20 steps: losses, parameters, state, and its text."""
    params = parameters(torch)
    optimizer = eval(text, {**vars_of(torch), "torch": torch, "params": params})
    shown: dict[str, Any] = {"text": repr(optimizer)}
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = loss_of(params, torch)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    shown["losses"] = losses
    shown["params"] = [parameter.detach().tolist() for parameter in params]
    saved = optimizer.state_dict()
    shown["state"] = {str(number): plain(state) for number, state in saved["state"].items()}
    shown["groups"] = plain(saved["param_groups"])
    return shown


def scheduled(text: str, torch: Any) -> list[Any]:
    """The rate and the momentum of each group after each of 20 steps."""
    params = parameters(torch)
    groups = [{"params": params[:1]}, {"params": params[1:], "lr": 0.4}]
    optimizer = torch.optim.SGD(groups, lr=0.2, momentum=0.5)
    optimizer.step()
    words = {name: getattr(torch.optim.lr_scheduler, name) for name in NAMES}
    scheduler = eval(text, {**words, "optimizer": optimizer})
    shown = []
    for step in range(STEPS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if "Plateau" in text:
                scheduler.step(math.sin(step * 0.7) / (step + 1))
            else:
                scheduler.step()
        shown.append([[group["lr"], group["momentum"]] for group in optimizer.param_groups])
    return shown


_NAME: Final = re.compile(r"\w+(?=\(optimizer|\(\[)")
NAMES: Final = sorted({name for text in SCHEDULERS for name in _NAME.findall(text)})
"""The names of schedulers in the texts."""


def refusal(text: str, torch: Any) -> str:
    """The class of an exception, and its sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(text, {**vars_of(torch), "torch": torch, "params": parameters(torch)})
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def vars_of(torch: Any) -> dict[str, Any]:
    """The names that the texts use."""
    names = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "lr_scheduler")
    return {name: getattr(torch.optim, name) for name in names}


def plain(value: Any) -> Any:
    """Tensors as nested lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value
