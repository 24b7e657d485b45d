"""Weights that are computed from others: norms by hooks and by parametrizations.

What they compute follows from their definitions; keys and sentences are PyTorch's.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import namecheck_runtime as nt
from namecheck_runtime import nn
from namecheck_runtime.nn.utils import parametrizations, parametrize


def numbers(*sizes: int) -> nt.Tensor:
    """Numbers between -1 and 1 in float64."""
    count = nt.Size(sizes).numel()
    return (nt.arange(count, dtype=nt.float64) * 0.7 + 0.3 * count).sin().reshape(sizes)


def prepared(layer: Any) -> Any:
    """The layer in float64, with these numbers as its parameters."""
    layer = layer.double()
    with nt.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(numbers(*parameter.shape))
    return layer


NORMS = {
    "weight_norm": (nn.utils.weight_norm, ["bias", "weight_g", "weight_v"]),
    "parametrizations.weight_norm": (
        parametrizations.weight_norm,
        ["bias", "parametrizations.weight.original0", "parametrizations.weight.original1"],
    ),
}


@pytest.mark.parametrize("name", NORMS)
def test_a_weight_with_a_norm_stays_what_it_is(name: str) -> None:
    norm, keys = NORMS[name]
    plain = prepared(nn.Conv1d(3, 4, 3))
    layer = norm(copy.deepcopy(plain))
    assert list(layer.state_dict()) == keys
    x = numbers(2, 3, 8)
    assert nt.allclose(layer(x), plain(x), rtol=1e-12)
    plain(x).square().sum().backward()
    layer(x).square().sum().backward()
    direction = layer.get_parameter(keys[2])
    # A direction has no length: the gradient along it is zero.
    along = (direction.grad * direction).sum(dim=(1, 2))
    assert nt.allclose(along, nt.zeros(4, dtype=nt.float64), atol=1e-9)
    lengths = layer.get_parameter(keys[1])
    expected = (plain.weight.grad * plain.weight).sum(dim=(1, 2)) / lengths.flatten()
    assert nt.allclose(lengths.grad.flatten(), expected, rtol=1e-10)
    with nt.no_grad():
        lengths.mul_(2.0)
    assert nt.allclose(layer(x) - layer.bias[:, None], 2 * (plain(x) - plain.bias[:, None]))


def test_norms_are_those_of_a_dim() -> None:
    layer = nn.utils.weight_norm(nn.Linear(5, 3), dim=1)
    assert layer.weight_g.shape == (1, 5)
    assert nn.utils.weight_norm(nn.Linear(5, 3), dim=None).weight_g.shape == ()
    assert nn.utils.weight_norm(nn.Linear(5, 3), "bias").bias_g.shape == (3,)
    with pytest.raises(RuntimeError, match="Cannot register two weight_norm hooks"):
        nn.utils.weight_norm(layer)
    nn.utils.remove_weight_norm(layer)
    assert list(layer.state_dict()) == ["bias", "weight"]
    with pytest.raises(ValueError, match="weight_norm of 'weight' not found"):
        nn.utils.remove_weight_norm(layer)


@pytest.mark.parametrize("kind", ["hook", "parametrization"])
def test_a_spectral_norm_comes_near_to_one(kind: str) -> None:
    norm = nn.utils.spectral_norm if kind == "hook" else parametrizations.spectral_norm
    for make, x in ((nn.Linear, numbers(2, 6)), (nn.ConvTranspose1d, numbers(2, 6, 7))):
        arguments = (6, 4) if make is nn.Linear else (6, 4, 3)
        layer = norm(make(*arguments).double(), n_power_iterations=30)
        layer(x).sum().backward()
        weight = layer.weight if make is nn.Linear else layer.weight.transpose(0, 1)
        assert nt.linalg.matrix_norm(weight.flatten(1), 2).item() == pytest.approx(1, abs=1e-3)
        layer.eval()
        assert nt.equal(layer(x), layer(x))
        assert all(parameter.grad is not None for parameter in layer.parameters())
    with pytest.raises(ValueError, match="n_power_iterations"):
        norm(nn.Linear(2, 2), n_power_iterations=0)


def test_a_hook_of_a_spectral_norm_goes() -> None:
    layer = nn.utils.spectral_norm(nn.Linear(6, 4))
    assert list(layer.state_dict()) == ["bias", "weight_orig", "weight_u", "weight_v"]
    with pytest.raises(RuntimeError, match="Cannot register two spectral_norm hooks"):
        nn.utils.spectral_norm(layer)
    nn.utils.remove_spectral_norm(layer)
    assert list(layer.state_dict()) == ["bias", "weight"]
    with pytest.raises(ValueError, match="not found"):
        nn.utils.remove_spectral_norm(layer)


class Symmetric(nn.Module):
    """A symmetric matrix of an upper triangle."""

    calls = 0

    def forward(self, x: Any) -> Any:
        Symmetric.calls += 1
        return x.triu() + x.triu(1).transpose(-1, -2)


def test_a_module_computes_a_parameter() -> None:
    layer = nn.Linear(3, 3)
    kind = type(layer)
    assert parametrize.register_parametrization(layer, "weight", Symmetric()) is layer
    assert nt.equal(layer.weight, layer.weight.T)
    assert repr(layer).splitlines()[0] == "ParametrizedLinear("
    assert parametrize.is_parametrized(layer, "weight")
    assert not parametrize.is_parametrized(layer, "bias")
    assert parametrize.type_before_parametrizations(layer) is kind
    Symmetric.calls = 0
    layer(nt.ones(2, 3))
    assert Symmetric.calls == 1
    with parametrize.cached():
        assert layer.weight is layer.weight
    copied = copy.deepcopy(layer)
    assert nt.equal(copied.weight, layer.weight)
    assert copied.parametrizations.weight.original is not layer.parametrizations.weight.original
    with pytest.raises(RuntimeError, match="only supported through state_dict"):
        pickle.dumps(layer)
    with pytest.raises(RuntimeError, match="does not implement right_inverse"):
        layer.weight = nt.zeros(3, 3)
    before = layer.weight
    parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is kind
    assert nt.equal(layer.weight, before)
    assert isinstance(layer.weight, nn.Parameter)
    parametrize.register_parametrization(layer, "weight", Symmetric())
    with nt.no_grad():
        layer.parametrizations.weight.original.copy_(nt.arange(9.0).reshape(3, 3))
    parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
    assert nt.equal(layer.weight, nt.arange(9.0).reshape(3, 3))


def test_parametrizations_are_refused_by_name() -> None:
    layer = nn.Linear(3, 3)
    with pytest.raises(ValueError, match="with name 'nothing'"):
        parametrize.register_parametrization(layer, "nothing", Symmetric())
    with pytest.raises(ValueError, match="may not change the shape"):
        parametrize.register_parametrization(layer, "weight", nn.Flatten(0))
    with pytest.raises(ValueError, match="does not have a parametrization on weight"):
        parametrize.remove_parametrizations(layer, "weight")
    parametrize.register_parametrization(layer, "weight", Symmetric())
    with pytest.raises(ValueError, match="may not change the shape"):
        parametrize.register_parametrization(layer, "weight", nn.Flatten(0))
    assert len(layer.parametrizations.weight) == 1
    parametrizations.weight_norm(layer, "bias")
    with pytest.raises(ValueError, match="sequence of tensors"):
        parametrize.remove_parametrizations(layer, "bias", leave_parametrized=False)


def test_old_keys_and_new_weights_are_taken() -> None:
    layer = parametrizations.weight_norm(nn.Linear(3, 2))
    old = {"weight_g": nt.ones(2, 1), "weight_v": nt.ones(2, 3), "bias": nt.zeros(2)}
    layer.load_state_dict(old)
    assert layer.weight.sum().item() == pytest.approx(6 / 3**0.5)
    layer.weight = nt.full((2, 3), 2.0)
    assert layer.parametrizations.weight.original0.flatten().tolist() == pytest.approx(
        [12**0.5] * 2
    )
