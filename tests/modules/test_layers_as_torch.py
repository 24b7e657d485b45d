"""Every declared layer of torch.nn computes what PyTorch computes.

`layer_calls.py` has the calls, `data/layers_torch.jsonl` what PyTorch showed for them.
"""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any, Final

import pytest

import namecheck_runtime as nt
import namecheck_runtime.rules  # (fills the registry)
from layer_calls import NOT_IN_NN, Call, Numbers, arguments_of, built, calls, observed, tensors_in
from namecheck_runtime.layers import LAYERS

DATA: Final = Path(__file__).parents[1] / "data/layers_torch.jsonl"
_LINES: Final = DATA.read_text(encoding="utf-8").splitlines()
MEASURED: Final[dict[str, Any]] = {facts["call"]: facts for facts in map(json.loads, _LINES[1:])}

NAMES: Final = sorted({layer.name for layer in LAYERS.values() if layer.name.startswith("torch.")})

WITHOUT: Final[dict[str, str]] = {}
"""The declared layers that the runtime does not compute, each with its reason; at most five."""

WRONG_GRADIENTS: Final = {
    "CrossMapLRN2d": "torch.autograd.gradcheck refuses PyTorch's: its window is off by one"
}
"""The layers whose gradients of inputs are not compared, each with its reason."""


def test_every_declared_layer_is_called() -> None:
    called = {f"torch.nn.{call.layer}" for call in calls()}
    assert len(NAMES) > 150
    assert called == set(NAMES) - WITHOUT.keys()
    assert WITHOUT.keys() <= set(NAMES)
    assert len(WITHOUT) <= 5


def test_the_calls_were_measured() -> None:
    assert [str(call) for call in calls()] == list(MEASURED)


def differences(mine: Any, theirs: Any, path: str = "") -> list[str]:
    """The places where two nested facts differ, numbers by more than one in a million."""
    if isinstance(mine, dict):
        return [
            line
            for name in theirs.keys() | mine.keys()
            for line in differences(mine.get(name), theirs.get(name), f"{path}.{name}")
        ]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        return [
            line
            for place, (one, other) in enumerate(zip(mine, theirs, strict=True))
            for line in differences(one, other, f"{path}[{place}]")
        ]
    if isinstance(mine, float) and isinstance(theirs, (int, float)):
        same = math.isclose(mine, theirs, rel_tol=1e-6, abs_tol=1e-9)
        same = same or (math.isnan(mine) and math.isnan(theirs))
        return [] if same else [f"{path}: {mine} instead of {theirs}"]
    return [] if mine == theirs else [f"{path}: {mine!r} instead of {theirs!r}"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", calls(), ids=str)
def test_a_layer_computes_what_pytorch_does(call: Call) -> None:
    measured = {name: fact for name, fact in MEASURED[str(call)].items() if name != "call"}
    mine = json.loads(json.dumps(observed(call, nt)))
    if call.layer in WRONG_GRADIENTS:
        del measured["inputs"], mine["inputs"]
    assert differences(mine, measured) == []


def without_numbers(value: Any) -> Any:
    """An argument with tensors on the device `meta`."""
    if hasattr(value, "batch_sizes") or isinstance(value, nt.Tensor):
        return value.to("meta")
    return tuple(map(without_numbers, value)) if isinstance(value, tuple) else value


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", calls(), ids=str)
def test_a_layer_knows_its_dims_without_numbers(call: Call) -> None:
    layer = built(call, Numbers(nt)).to("meta")
    arguments, keywords = arguments_of(call, Numbers(nt))
    results = layer(
        *map(without_numbers, arguments),
        **{name: without_numbers(value) for name, value in keywords.items()},
    )
    sizes = [list(result.shape) for result in tensors_in(results)]
    assert sizes == [measured[0] for measured in MEASURED[str(call)]["results"]]
    numbers = [result for result in tensors_in(results) if result.is_floating_point()]
    assert all(result.device.type == "meta" for result in numbers)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", calls(), ids=str)
def test_a_layer_is_copied_and_pickled(call: Call) -> None:
    layer = built(call, Numbers(nt))
    if not call.layer.startswith("Lazy"):
        layer(*arguments_of(call, Numbers(nt))[0], **arguments_of(call, Numbers(nt))[1])
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert type(twin) is type(layer)
        assert repr(twin) == repr(layer)
        assert list(twin.state_dict()) == list(layer.state_dict())


def test_gradients_that_pytorch_gets_wrong_are_right() -> None:
    assert WRONG_GRADIENTS.keys() == {"CrossMapLRN2d"}
    layer = nt.nn.CrossMapLRN2d(3, alpha=0.5)
    x = nt.randn(2, 5, 2, 1, dtype=nt.float64, requires_grad=True)
    assert nt.autograd.gradcheck(layer, (x,))


def test_a_difference_is_seen() -> None:
    assert differences({"a": [[2], [1.0, 2.0]]}, {"a": [[2], [1.0, 2.00001]]})
    assert not differences({"a": [1.0]}, {"a": [1.0 + 1e-9]})


@pytest.mark.parametrize("name", NAMES)
def test_a_layer_is_in_the_module_that_pytorch_has_it_in(name: str) -> None:
    layer = LAYERS[name]
    home, _, plain = layer.paths[-1].removeprefix("torch.nn.").rpartition(".")
    module: Any = nt.nn
    for part in home.split("."):
        module = getattr(module, part)
    assert getattr(module, plain) is getattr(nt.nn, plain)
    assert plain in dir(nt.nn) or plain in NOT_IN_NN
    assert getattr(nt.nn, plain).declaration is layer
