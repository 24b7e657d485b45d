"""Containers of modules and parameters.  The same tests pass with `import torch as nt`."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

import namecheck_runtime as nt

nn = nt.nn


def names(modules: Any) -> list[str]:
    return [type(module).__name__ for module in modules]


# -- Sequential ------------------------------------------------------------------------------------


def test_sequential() -> None:
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    assert net(nt.ones(5, 2)).shape == (5, 1)
    assert len(net) == 3
    assert names(net) == ["Linear", "ReLU", "Linear"]
    assert net[-1] is net[2]
    part = net[:2]
    assert isinstance(part, nn.Sequential)
    assert part[0] is net[0]
    assert list(net[1:]._modules) == ["1", "2"]
    net[1] = nn.Tanh()
    assert names(net) == ["Linear", "Tanh", "Linear"]
    del net[0]
    assert names(net) == ["Tanh", "Linear"]
    assert list(net._modules) == ["0", "1"]
    with pytest.raises(IndexError, match=r"index 2 is out of range"):
        net[2]


def test_sequential_by_name() -> None:
    net = nn.Sequential(OrderedDict([("fc", nn.Linear(2, 3)), ("act", nn.ReLU())]))
    assert net.fc is net[0]
    assert list(net.state_dict()) == ["fc.weight", "fc.bias"]
    assert list(net[:1]._modules) == ["fc"]


def test_sequential_grows() -> None:
    net = nn.Sequential(nn.ReLU())
    assert net.append(nn.Tanh()) is net
    assert net.insert(0, nn.Linear(1, 1)) is net
    assert net.extend([nn.GELU(), nn.SELU()]) is net
    assert names(net) == ["Linear", "ReLU", "Tanh", "GELU", "SELU"]
    assert net.pop(1).__class__ is nn.ReLU
    assert list(net._modules) == ["0", "1", "2", "3"]
    both = nn.Sequential(nn.ReLU()) + nn.Sequential(nn.Tanh())
    assert names(both) == ["ReLU", "Tanh"]
    both += nn.Sequential(nn.GELU())
    assert names(both) == ["ReLU", "Tanh", "GELU"]
    assert names(both * 2) == names(2 * both) == names(both) * 2
    both *= 2
    assert len(both) == 6
    with pytest.raises(ValueError, match=r"add operator supports only objects of Sequential class"):
        both + nn.ReLU()
    with pytest.raises(TypeError, match=r"unsupported operand type.s. for"):
        both * "2"
    with pytest.raises(ValueError, match=r"Non-positive multiplication factor 0"):
        both * 0
    with pytest.raises(IndexError, match=r"Index out of range: 9"):
        nn.Sequential().insert(9, nn.ReLU())
    with pytest.raises(AssertionError, match=r"module should be of type"):
        nn.Sequential().insert(0, 3)  # type: ignore[arg-type]


# -- ModuleList ------------------------------------------------------------------------------------


def test_module_lists() -> None:
    modules = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
    assert len(modules) == 3
    assert len(list(modules.parameters())) == 6
    assert isinstance(modules[1:], nn.ModuleList)
    assert modules[1:][0] is modules[1]
    modules.append(nn.ReLU()).extend([nn.Tanh()])
    modules += [nn.GELU()]
    modules.insert(0, nn.SELU())
    assert names(modules) == ["SELU", *["Linear"] * 3, "ReLU", "Tanh", "GELU"]
    assert names(modules + [nn.ReLU()])[-1] == "ReLU"  # noqa: RUF005
    assert modules.pop(-1).__class__ is nn.GELU
    del modules[1:3]
    assert list(modules._modules) == ["0", "1", "2", "3"]
    modules[0] = nn.ReLU()
    assert names(modules) == ["ReLU", "Linear", "ReLU", "Tanh"]
    with pytest.raises(TypeError, match=r"ModuleList.extend should be called with an iterable"):
        modules.extend(3)  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError):
        modules(nt.ones(1))
    with pytest.raises(IndexError, match=r"index 4 is out of range"):
        modules[4]


def test_texts_of_lists_count_equal_modules() -> None:
    modules = nn.ModuleList([*(nn.Linear(2, 2) for _ in range(3)), nn.ReLU()])
    assert repr(modules) == (
        "ModuleList(\n"
        "  (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)\n"
        "  (3): ReLU()\n"
        ")"
    )
    assert repr(nn.ModuleList()) == "ModuleList()"


# -- ModuleDict ------------------------------------------------------------------------------------


def test_module_dicts() -> None:
    modules = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.ReLU()})
    modules["c"] = nn.Tanh()
    assert "a" in modules
    assert len(modules) == 3
    assert list(modules) == list(modules.keys()) == ["a", "b", "c"]
    assert names(modules.values()) == ["Linear", "ReLU", "Tanh"]
    assert [key for key, _ in modules.items()] == ["a", "b", "c"]
    assert list(modules.state_dict()) == ["a.weight", "a.bias"]
    del modules["b"]
    assert modules.pop("c").__class__ is nn.Tanh
    modules.update([("d", nn.ReLU())])
    modules.update(nn.ModuleDict({"e": nn.ReLU()}))
    assert list(modules) == ["a", "d", "e"]
    modules.clear()
    assert not len(modules)
    with pytest.raises(
        TypeError, match=r"ModuleDict.update should be called with an iterable of k"
    ):
        modules.update(3)
    with pytest.raises(ValueError, match=r"update sequence element #0 has length 3; 2 is required"):
        modules.update([(1, 2, 3)])
    with pytest.raises(KeyError):
        modules["keys"] = nn.ReLU()


# -- parameters ------------------------------------------------------------------------------------


def test_parameter_lists() -> None:
    values = nn.ParameterList([nn.Parameter(nt.ones(2)), nt.zeros(3)])
    assert len(values) == 2
    assert isinstance(values[1], nn.Parameter)
    assert [name for name, _ in values.named_parameters()] == ["0", "1"]
    assert values.append(nt.ones(1)) is values
    values += [nt.ones(4)]
    assert [tuple(value.shape) for value in values] == [(2,), (3,), (1,), (4,)]
    assert len(values[1:3]) == 2
    assert values[1:3][0] is values[1]
    values[0] = nt.zeros(5)
    assert tuple(values[-4].shape) == (5,)
    assert repr(nn.ParameterList([nt.ones(2, 3), 5])) == (
        "ParameterList(\n"
        "    (0): Parameter containing: [torch.float32 of size 2x3]\n"
        "    (1): Object of type: int\n"
        ")"
    )
    with pytest.raises(TypeError, match=r"ParameterList.extend should be called with an iterable"):
        values.extend(3)  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match=r"ParameterList should not be called"):
        values(1)
    with pytest.raises(IndexError):
        values[4]


def test_parameter_dicts() -> None:
    values = nn.ParameterDict({"a": nt.ones(2), "b": nn.Parameter(nt.zeros(1))})
    values["c"] = nt.ones(3)
    assert list(values) == ["a", "b", "c"]
    assert "b" in values
    assert [name for name, _ in values.named_parameters()] == ["a", "b", "c"]
    assert all(isinstance(value, nn.Parameter) for value in values.values())
    assert values.get("z") is None
    assert tuple(values.setdefault("d", nt.ones(4)).shape) == (4,)
    assert tuple(values.pop("a").shape) == (2,)
    assert values.popitem()[0] == "d"
    assert list(reversed(values)) == ["c", "b"]
    twin = values.copy()
    assert list(twin) == ["b", "c"]
    assert twin["b"] is values["b"]
    assert list(values | nn.ParameterDict({"e": nt.ones(1)})) == ["b", "c", "e"]
    twin |= nn.ParameterDict({"f": nt.ones(1)})
    twin.update({"h": nt.ones(1), "g": nt.ones(1)})
    assert list(twin) == ["b", "c", "f", "g", "h"]
    del values["b"]
    values.clear()
    assert len(values) == 0
    assert not list(values.parameters())
    assert repr(nn.ParameterDict({"w": nt.ones(2)})) == (
        "ParameterDict(  (w): Parameter containing: [torch.FloatTensor of size 2])"
    )
    with pytest.raises(TypeError, match=r"cannot be used as a key as it is not a string"):
        values[3] = nt.ones(1)  # type: ignore[index]
    with pytest.raises(RuntimeError, match=r"ParameterDict should not be called"):
        values(1)
