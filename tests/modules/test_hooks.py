"""Hooks of modules.  The same tests pass with `import torch as nt`."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import namecheck_runtime as nt

nn = nt.nn


class Twice(nn.Module):
    """A module with a keyword."""

    def forward(self, x: Any, plus: float = 0.0) -> Any:
        return x * 2 + plus


def test_forward_hooks() -> None:
    module, seen = Twice(), []
    first = module.register_forward_hook(lambda m, args, out: seen.append(("first", len(args))))
    module.register_forward_hook(lambda m, args, out: out + 100)
    module.register_forward_hook(
        lambda m, args, kwargs, out: seen.append((kwargs, out.item())), with_kwargs=True
    )
    module.register_forward_hook(lambda m, args, out: seen.append("before"), prepend=True)
    assert module(nt.tensor(1.0), plus=3.0).item() == 105
    assert seen == ["before", ("first", 1), ({"plus": 3.0}, 105.0)]
    first.remove()
    first.remove()
    seen.clear()
    assert module(nt.tensor(1.0)).item() == 102
    assert seen[0] == "before"
    assert len(seen) == 2


def test_forward_pre_hooks() -> None:
    module = Twice()
    module.register_forward_pre_hook(lambda m, args: args[0] + 1)
    module.register_forward_pre_hook(lambda m, args: (args[0] * 10,))
    handle = module.register_forward_pre_hook(
        lambda m, args, kwargs: (args, {"plus": 5.0}), with_kwargs=True
    )
    assert module(nt.tensor(1.0)).item() == 45
    handle.remove()
    assert module(nt.tensor(1.0)).item() == 40
    module.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
    with pytest.raises(RuntimeError, match=r"forward pre-hook must return None or a tuple"):
        module(nt.tensor(1.0))


def test_hooks_that_are_always_called() -> None:
    class Failing(nn.Module):
        def forward(self, x: Any) -> Any:
            raise ValueError("no")

    module, seen = Failing(), []
    module.register_forward_hook(lambda m, args, out: seen.append(out), always_call=True)
    module.register_forward_hook(lambda m, args, out: seen.append("never"))
    with pytest.raises(ValueError, match=r"no"):
        module(nt.tensor(1.0))
    assert seen == [None]


def test_handles_are_contexts() -> None:
    module = Twice()
    with module.register_forward_hook(lambda m, args, out: out * 0):
        assert module(nt.tensor(1.0)).item() == 0
    assert module(nt.tensor(1.0)).item() == 2


def test_backward_hooks() -> None:
    module, seen = Twice(), []

    def hook(m: Any, inputs: Any, outputs: Any) -> None:
        seen.append([None if grad is None else grad.tolist() for grad in (*inputs, *outputs)])

    module.register_full_backward_hook(hook)
    x = nt.tensor([1.0, 2.0], requires_grad=True)
    (module(x) * nt.tensor([3.0, 4.0])).sum().backward()
    assert seen == [[[6.0, 8.0], [3.0, 4.0]]]
    assert x.grad is not None
    assert x.grad.tolist() == [6, 8]


def test_backward_hooks_change_gradients() -> None:
    module = Twice()
    module.register_full_backward_pre_hook(lambda m, outputs: (outputs[0] * 10,))
    handle = module.register_full_backward_hook(lambda m, inputs, outputs: (inputs[0] + 1,))
    x = nt.tensor([1.0, 2.0], requires_grad=True)
    module(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [21, 21]
    handle.remove()
    x.grad = None
    module(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [20, 20]
    module.register_full_backward_hook(lambda m, inputs, outputs: (inputs[0], None))
    with pytest.raises(RuntimeError, match=r"Backward hook returned an invalid number of grad_inp"):
        module(x).sum().backward()


@pytest.mark.filterwarnings("ignore")
def test_backward_hooks_without_gradients_of_inputs() -> None:
    layer, seen = nn.Linear(2, 2), []
    layer.register_full_backward_hook(lambda m, inputs, outputs: seen.append(inputs))
    layer(nt.ones(3, 2)).sum().backward()
    assert seen == [(None,)]
    with nt.no_grad():
        layer(nt.ones(3, 2))
    assert layer.weight.grad is not None


def test_hooks_of_all_modules() -> None:
    from importlib import import_module

    everywhere = import_module(f"{nt.__name__}.nn.modules.module")
    seen: list[str] = []

    def note(module: Any, *_: Any) -> None:
        seen.append(type(module).__name__)

    handle = everywhere.register_module_forward_hook(note)
    nn.Sequential(nn.ReLU(), nn.Tanh())(nt.ones(1))
    handle.remove()
    nn.ReLU()(nt.ones(1))
    assert seen == ["ReLU", "Tanh", "Sequential"]


def test_hooks_of_state_dicts() -> None:
    layer, seen = nn.Linear(2, 2), []
    layer.register_state_dict_pre_hook(lambda m, prefix, keep: seen.append((prefix, keep)))

    def rename(m: Any, state: Any, prefix: str, metadata: Any) -> None:
        state[prefix + "kernel"] = state.pop(prefix + "weight")

    layer.register_state_dict_post_hook(rename)
    net = nn.Sequential(layer)
    state = net.state_dict()
    assert list(state) == ["0.bias", "0.kernel"]
    assert seen == [("0.", False)]

    def undo(m: Any, state: Any, prefix: str, *rest: Any) -> None:
        state[prefix + "weight"] = state.pop(prefix + "kernel")

    layer.register_load_state_dict_pre_hook(undo)
    layer.register_load_state_dict_post_hook(lambda m, keys: seen.append(keys.missing_keys))
    assert net.load_state_dict(state).missing_keys == []
    assert seen[-1] == []
    layer.register_state_dict_post_hook(lambda *_: 3)
    with pytest.raises(RuntimeError, match=r"state_dict post-hook must return None"):
        net.state_dict()


def loud(*_: Any) -> None:
    """A hook that pickle finds."""


def test_hooks_are_copied_and_pickled() -> None:
    layer = nn.Linear(2, 2)
    layer.register_forward_hook(loud)
    layer.register_state_dict_post_hook(loud)
    layer.register_load_state_dict_pre_hook(loud)
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert len(twin._forward_hooks) == 1
        assert twin.load_state_dict(twin.state_dict()).missing_keys == []
