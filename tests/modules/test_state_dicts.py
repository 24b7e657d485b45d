"""Saving and loading the tensors of modules.  The same tests pass with `import torch as nt`."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

import namecheck_runtime as nt

nn = nt.nn


def net() -> Any:
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))


def test_state_dicts() -> None:
    module = net()
    state = module.state_dict()
    assert type(state) is OrderedDict
    assert list(state) == [
        *("0.weight", "0.bias", "1.weight", "1.bias"),
        *("1.running_mean", "1.running_var", "1.num_batches_tracked"),
    ]
    assert state._metadata == {"": {"version": 1}, "0": {"version": 1}, "1": {"version": 2}}
    assert not state["0.weight"].requires_grad
    with nt.no_grad():
        state["0.bias"].fill_(5)
    assert module[0].bias.tolist() == [5, 5, 5]
    assert module.state_dict(keep_vars=True)["0.weight"] is module[0].weight
    assert next(iter(module.state_dict(prefix="net."))) == "net.0.weight"
    mine: dict[str, Any] = {}
    assert module.state_dict(destination=mine) is mine
    assert len(mine) == 7


def test_loading() -> None:
    first, second = net(), net()
    first(nt.ones(4, 2))
    result = second.load_state_dict(first.state_dict())
    assert repr(result) == "<All keys matched successfully>"
    assert second[0].weight.tolist() == first[0].weight.tolist()
    assert second[1].num_batches_tracked.item() == 1
    assert second[0].weight is not first[0].weight


def test_what_is_wrong_is_said() -> None:
    module, state = net(), net().state_dict()
    del state["0.bias"], state["1.running_var"]
    state["0.kernel"] = state["2.weight"] = nt.ones(1)
    state["0.weight"] = nt.ones(2, 3)
    state["1.weight"] = 3
    with pytest.raises(RuntimeError) as caught:
        module.load_state_dict(state)
    assert str(caught.value).splitlines() == [
        "Error(s) in loading state_dict for Sequential:",
        '\tMissing key(s) in state_dict: "0.bias", "1.running_var". ',
        '\tUnexpected key(s) in state_dict: "2.weight", "0.kernel". ',
        (
            "\tsize mismatch for 0.weight: copying a param with shape torch.Size([2, 3]) from "
            "checkpoint, the shape in current model is torch.Size([3, 2])."
        ),
        (
            '\tWhile copying the parameter named "1.weight", expected torch.Tensor or Tensor-like '
            "object from checkpoint but received <class 'int'>"
        ),
    ]
    with pytest.raises(TypeError, match=r"Expected state_dict to be dict-like, got"):
        module.load_state_dict([1])  # type: ignore[arg-type]


def test_loading_leniently() -> None:
    module, state = net(), net().state_dict()
    del state["0.bias"]
    state["extra"] = nt.ones(1)
    result = module.load_state_dict(state, strict=False)
    assert result.missing_keys == ["0.bias"]
    assert result.unexpected_keys == ["extra"]
    assert repr(result) == ("_IncompatibleKeys(missing_keys=['0.bias'], unexpected_keys=['extra'])")
    missing, unexpected = result
    assert len(missing) == len(unexpected) == 1


def test_assigning() -> None:
    module = nn.Linear(2, 3)
    state = {"weight": nt.ones(3, 2, dtype=nt.float64), "bias": nn.Parameter(nt.zeros(3))}
    module.load_state_dict(state, assign=True)
    assert module.weight.dtype == nt.float64
    assert isinstance(module.weight, nn.Parameter)
    assert module.weight.requires_grad
    assert module.bias is state["bias"]
    module.load_state_dict({"weight": nt.zeros(3, 2), "bias": nt.ones(3)})
    assert module.weight.dtype == nt.float64


def test_from_meta() -> None:
    module = nn.Linear(2, 3, device="meta")
    with pytest.warns(UserWarning, match=r"non-meta parameter in the checkpoint to a meta param"):
        module.load_state_dict(nn.Linear(2, 3).state_dict())
    assert module.weight.device.type == "meta"
    module.load_state_dict(nn.Linear(2, 3).state_dict(), assign=True)
    assert module(nt.ones(1, 2)).shape == (1, 3)


def test_old_state_dicts() -> None:
    module, state = nn.BatchNorm1d(3), dict(nn.BatchNorm1d(3).state_dict())
    del state["num_batches_tracked"]
    assert not module.load_state_dict(state).missing_keys
    scalar = nn.Module()
    scalar.register_parameter("scale", nn.Parameter(nt.tensor(1.0)))
    scalar.load_state_dict({"scale": nt.tensor([4.0])})
    assert scalar.scale.item() == 4


def test_extra_state() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.steps = 0

        def get_extra_state(self) -> Any:
            return {"steps": self.steps}

        def set_extra_state(self, state: Any) -> None:
            self.steps = state["steps"]

    first, second = nn.Sequential(Counting()), nn.Sequential(Counting())
    first[0].steps = 3
    assert first.state_dict() == {"0._extra_state": {"steps": 3}}
    second.load_state_dict(first.state_dict())
    assert second[0].steps == 3
    with pytest.raises(RuntimeError, match=r'Missing key.s. in state_dict: "0._extra_state"'):
        second.load_state_dict({})
    with pytest.raises(RuntimeError, match=r'Unexpected key.s. in state_dict: "0._extra_state"'):
        nn.Sequential(nn.ReLU()).load_state_dict(first.state_dict())


def test_methods_of_subclasses_are_called() -> None:
    class Own(nn.Linear):
        def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
            super()._save_to_state_dict(destination, prefix, keep_vars)
            destination[f"{prefix}extra"] = nt.ones(1)

        def _load_from_state_dict(self, state_dict: Any, prefix: str, *rest: Any) -> None:
            state_dict.pop(f"{prefix}extra")
            super()._load_from_state_dict(state_dict, prefix, *rest)

    module = nn.Sequential(Own(2, 2))
    assert list(module.state_dict()) == ["0.weight", "0.bias", "0.extra"]
    assert not module.load_state_dict(module.state_dict()).unexpected_keys


def test_lazy_layers() -> None:
    lazy = nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d())
    assert list(lazy.state_dict()) == [
        *("0.weight", "0.bias", "1.weight", "1.bias"),
        *("1.running_mean", "1.running_var", "1.num_batches_tracked"),
    ]
    done = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
    lazy.load_state_dict(done.state_dict())
    assert tuple(lazy[0].weight.shape) == (4, 3)
    x = nt.ones(2, 3)
    assert lazy.eval()(x).tolist() == done.eval()(x).tolist()
    assert type(lazy[0]) is nn.Linear
    assert lazy[0].in_features == 3
    assert type(lazy[1]) is nn.BatchNorm1d
    fresh = nn.LazyLinear(4)
    with pytest.raises(RuntimeError, match=r"size mismatch|uninitialized"):
        nn.Linear(3, 4).load_state_dict(fresh.state_dict())
    with pytest.raises(RuntimeError, match=r"Can't access the shape of an uninitialized"):
        _ = fresh.weight.shape
    with pytest.raises(ValueError, match=r"Attempted to use an uninitialized parameter"):
        fresh.weight + 1
    assert fresh.double()(nt.ones(1, 7, dtype=nt.float64)).dtype == nt.float64
