"""Optimizers and schedulers beyond their numbers: names, hooks, state dicts, copies."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import pytest

import namecheck_runtime as nt
from namecheck_runtime.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

OPTIMIZERS = ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")


def named_parameter() -> Any:
    return nt.nn.Parameter(nt.tensor([[1.0, 2.0], [3.0, -4.0]], names=("out", "in")))


def descend(optimizer: Any, parameter: Any, steps: int) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        (parameter.rename(None) ** 2).sum().backward()
        optimizer.step()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_names_of_parameters_stay(name: str) -> None:
    parameter = named_parameter()
    options: dict[str, Any] = {"momentum": 0.9} if name in ("SGD", "RMSprop") else {}
    optimizer = getattr(nt.optim, name)([parameter], lr=0.1, **options)
    (parameter**2).sum().backward()
    assert parameter.grad.names == ("out", "in")
    optimizer.step()
    optimizer.zero_grad()
    (parameter**2).sum().backward()
    optimizer.step()
    assert parameter.names == ("out", "in")
    kept = [value for value in optimizer.state[parameter].values() if value.ndim]
    assert kept
    assert all(value.names == ("out", "in") for value in kept)


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("how", ["state_dict", "pickle", "deepcopy"])
def test_an_optimizer_goes_on_where_another_was(name: str, how: str) -> None:
    first, second = named_parameter(), named_parameter()
    optimizer = getattr(nt.optim, name)([first], lr=0.1)
    descend(optimizer, first, 3)
    if how == "state_dict":
        with nt.no_grad():
            second.copy_(first)
        other = getattr(nt.optim, name)([second], lr=0.5)
        other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
    else:
        same = pickle.loads(pickle.dumps(optimizer)) if how == "pickle" else None
        other = same or copy.deepcopy(optimizer)
        second = other.param_groups[0]["params"][0]
    descend(optimizer, first, 3)
    descend(other, second, 3)
    assert nt.equal(first.detach(), second.detach())
    assert first is not second


def test_a_state_gets_the_dtype_of_its_parameter() -> None:
    parameter = named_parameter()
    optimizer = nt.optim.Adam([parameter])
    descend(optimizer, parameter, 1)
    wide = nt.nn.Parameter(parameter.detach().double())
    other = nt.optim.Adam([wide])
    other.load_state_dict(optimizer.state_dict())
    assert other.state[wide]["exp_avg"].dtype is nt.float64
    assert other.state[wide]["step"].dtype is nt.float32


def test_a_closure_computes_the_loss() -> None:
    parameter = named_parameter()
    optimizer = nt.optim.SGD([parameter], lr=0.1)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = (parameter**2).sum()
        loss.backward()
        return loss

    with nt.no_grad():
        loss = optimizer.step(closure)
    assert loss.item() == 30
    assert optimizer.step() is None


def test_gradients_are_removed_or_filled_with_zeros() -> None:
    parameter = named_parameter()
    optimizer = nt.optim.SGD([parameter], lr=0.1)
    (parameter**2).sum().backward()
    optimizer.zero_grad(set_to_none=False)
    assert parameter.grad.tolist() == [[0, 0], [0, 0]]
    optimizer.zero_grad()
    assert parameter.grad is None
    optimizer.step()
    assert parameter.tolist() == [[1, 2], [3, -4]]


def test_hooks_run_around_steps_and_state_dicts() -> None:
    parameter = named_parameter()
    optimizer = nt.optim.SGD([parameter], lr=0.1)
    seen: list[str] = []

    def noting(word: str) -> Any:
        return lambda *arguments: seen.append(word)

    handles = [
        optimizer.register_step_pre_hook(noting("before")),
        optimizer.register_step_post_hook(noting("after")),
        register_optimizer_step_pre_hook(noting("before every")),
        register_optimizer_step_post_hook(noting("after every")),
        optimizer.register_state_dict_pre_hook(noting("saving")),
        optimizer.register_state_dict_post_hook(noting("saved")),
        optimizer.register_load_state_dict_pre_hook(noting("loading")),
        optimizer.register_load_state_dict_post_hook(noting("loaded")),
    ]
    optimizer.step()
    assert seen == ["before every", "before", "after", "after every"]
    optimizer.load_state_dict(optimizer.state_dict())
    assert seen[4:] == ["saving", "saved", "loading", "loaded"]
    for handle in handles:
        handle.remove()
    optimizer.step()
    assert len(seen) == 8


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_step_can_be_differentiated(name: str) -> None:
    start = nt.tensor([1.0, -2.0], dtype=nt.float64, requires_grad=True)
    parameter = start * 1
    parameter.grad = start * 3
    optimizer = getattr(nt.optim, name)([parameter], lr=0.1, differentiable=True)
    optimizer.step()
    (gradient,) = nt.autograd.grad(parameter.sum(), start)
    # Only SGD goes further for a larger gradient.
    assert gradient.tolist() == pytest.approx([0.7 if name == "SGD" else 1.0] * 2, abs=2e-3)


def test_complex_parameters_are_learned() -> None:
    parameter = nt.nn.Parameter(nt.tensor([1 + 2j, -0.5j]))
    optimizer = nt.optim.Adam([parameter], lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        nt.view_as_real(parameter).square().sum().backward()
        optimizer.step()
    assert parameter.abs().sum().item() < 0.1


def test_capturable_is_accepted_and_refuses_to_step() -> None:
    parameter = named_parameter()
    optimizer = nt.optim.Adam([parameter], capturable=True)
    (parameter**2).sum().backward()
    with pytest.raises(AssertionError, match="must be on supported devices"):
        optimizer.step()


def test_an_optimizer_of_ones_own() -> None:
    class Signs(nt.optim.Optimizer):
        def __init__(self, params: Any, lr: float) -> None:
            super().__init__(params, {"lr": lr})

        @nt.no_grad()
        def step(self, closure: Any = None) -> None:
            for group in self.param_groups:
                for parameter in group["params"]:
                    parameter.sub_(parameter.grad.sign() * group["lr"])

    parameter = named_parameter()
    optimizer = Signs([parameter], lr=0.5)
    scheduler = nt.optim.lr_scheduler.StepLR(optimizer, 1)
    (parameter**2).sum().backward()
    optimizer.step()
    scheduler.step()
    assert parameter.tolist() == [[0.5, 1.5], [2.5, -3.5]]
    assert scheduler.get_last_lr() == [0.05]


# -- schedulers ------------------------------------------------------------------------------------


def schedulers(optimizer: Any) -> Any:
    library = nt.optim.lr_scheduler
    yield library.StepLR(optimizer, 2)
    yield library.LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    yield library.CyclicLR(optimizer, 0.1, 0.3, step_size_up=3)
    yield library.OneCycleLR(optimizer, 0.3, total_steps=20)
    first = library.LinearLR(optimizer, 0.1, total_iters=3)
    yield library.SequentialLR(optimizer, [first, library.ExponentialLR(optimizer, 0.9)], [3])
    yield library.ReduceLROnPlateau(optimizer, patience=0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("index", range(6))
def test_a_scheduler_goes_on_where_another_was(index: int) -> None:
    optimizers = [nt.optim.SGD([named_parameter()], lr=0.2, momentum=0.9) for _ in range(2)]
    mine, other = (list(schedulers(optimizer))[index] for optimizer in optimizers)
    arguments = (1.0,) if index == 5 else ()
    for _ in range(4):
        mine.step(*arguments)
    other.load_state_dict(pickle.loads(pickle.dumps(mine.state_dict())))
    optimizers[1].load_state_dict(optimizers[0].state_dict())
    for scheduler in (mine, other) * 4:
        scheduler.step(*arguments)
    assert mine.get_last_lr() == other.get_last_lr()
    assert optimizers[0].param_groups[0]["momentum"] == optimizers[1].param_groups[0]["momentum"]


def test_steps_in_the_wrong_order_are_reported() -> None:
    optimizer = nt.optim.SGD([named_parameter()], lr=0.2)
    scheduler = nt.optim.lr_scheduler.StepLR(optimizer, 2)
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        scheduler.step()
    optimizer = nt.optim.SGD([named_parameter()], lr=0.2)
    scheduler = nt.optim.lr_scheduler.StepLR(optimizer, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.step()
        scheduler.step()
    with pytest.warns(UserWarning, match="get_last_lr"):
        scheduler.get_lr()
    with pytest.warns(UserWarning, match="epoch parameter"):
        scheduler.step(4)
    assert scheduler.get_last_lr() == pytest.approx([0.002])


def test_a_rate_that_is_a_tensor_is_filled() -> None:
    rate = nt.tensor(0.2, dtype=nt.float64)
    optimizer = nt.optim.SGD([named_parameter()], lr=rate)
    scheduler = nt.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    optimizer.step()
    scheduler.step()
    assert rate.item() == pytest.approx(0.1)
    assert optimizer.param_groups[0]["lr"] is rate
