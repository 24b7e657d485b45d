"""`nn.Module`: attributes, look-ups, conversions, copies, texts.

What is expected is what PyTorch does; the same tests pass with `import torch as nt`, except those
of names.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import namecheck_runtime as nt

nn = nt.nn


class Small(nn.Module):
    """A module with a bit of everything."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(nt.ones(2, 3))
        self.register_buffer("scale", nt.full((2,), 2.0))
        self.register_buffer("scratch", nt.zeros(1), persistent=False)
        self.register_parameter("absent", None)
        self.inner = nn.Linear(3, 3)
        self.count = 7

    def forward(self, x: Any) -> Any:
        return nn.functional.linear(self.inner(x), self.weight, self.scale)


class Nested(nn.Module):
    """Modules in modules, one of them twice."""

    def __init__(self) -> None:
        super().__init__()
        self.first = Small()
        self.second = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        self.again = self.first

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x))


# -- attributes ------------------------------------------------------------------------------------


def test_attributes_are_registered() -> None:
    small = Small()
    assert [name for name, _ in small.named_parameters()] == [
        "weight",
        "inner.weight",
        "inner.bias",
    ]
    assert [name for name, _ in small.named_buffers()] == ["scale", "scratch"]
    assert small.absent is None
    assert small.count == 7
    assert list(small.state_dict()) == ["weight", "scale", "inner.weight", "inner.bias"]


def test_names_are_without_duplicates() -> None:
    nested = Nested()
    names = [name for name, _ in nested.named_parameters()]
    assert names == [
        *("first.weight", "first.inner.weight", "first.inner.bias"),
        *("second.0.weight", "second.0.bias"),
    ]
    every = [name for name, _ in nested.named_parameters(remove_duplicate=False)]
    assert len(every) == 8
    assert [name for name, _ in nested.named_children()] == ["first", "second"]
    assert [name for name, _ in nested.named_modules()] == [
        *("", "first", "first.inner", "second", "second.0", "second.1"),
    ]
    assert [name for name, _ in nested.named_parameters("net", recurse=False)] == []
    assert next(nested.named_parameters("net"))[0] == "net.first.weight"
    assert [type(module).__name__ for module in nested.children()] == ["Small", "Sequential"]
    assert len(list(nested.modules())) == 6
    assert len(list(nested.buffers())) == 2


@pytest.mark.parametrize("value", [5, "text", None])
def test_an_attribute_may_change_its_kind(value: Any) -> None:
    small = Small()
    small.inner = None
    assert small.inner is None
    assert "inner" in small._modules
    del small.inner
    small.inner = value
    assert small.inner == value
    small.count = nn.Parameter(nt.ones(1))
    assert "count" in small._parameters
    assert "count" not in small.__dict__
    with pytest.raises(TypeError, match=r"as parameter 'count'"):
        small.count = nn.ReLU()
    small.scale = nn.ReLU()
    assert "scale" in small._modules
    assert "scale" not in small._buffers
    small.scale = nn.Parameter(nt.ones(1))
    assert "scale" in small._parameters
    assert "scale" not in small._modules


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("weight", 5, "cannot assign 'int' as parameter 'weight' .torch.nn.Parameter or None exp"),
        ("inner", 5, "cannot assign 'int' as child module 'inner' .torch.nn.Module or None exp"),
        ("scale", 5, "cannot assign 'int' as buffer 'scale'"),
    ],
)
def test_a_registered_name_keeps_its_kind(name: str, value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        setattr(Small(), name, value)


def test_buffers() -> None:
    small = Small()
    small.scale = nt.zeros(2)
    assert small.get_buffer("scale").tolist() == [0, 0]
    small.fresh = nn.Buffer(nt.ones(1))
    small.passing = nn.Buffer(nt.ones(1), persistent=False)
    assert {"fresh"} == {"fresh", "passing"} & set(small.state_dict())
    assert isinstance(small.fresh, nn.Buffer)
    assert isinstance(small.fresh, nt.Tensor)
    del small.fresh
    assert not hasattr(small, "fresh")


def test_before_init() -> None:
    class Hasty(nn.Module):
        def __init__(self) -> None:
            self.weight = nn.Parameter(nt.ones(1))

    with pytest.raises(AttributeError, match=r"cannot assign parameters before Module.__init__"):
        Hasty()


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("a.b", KeyError, 'parameter name can\'t contain "."'),
        ("", KeyError, 'parameter name can\'t be empty string ""'),
        ("count", KeyError, "attribute 'count' already exists"),
        (3, TypeError, "parameter name should be a string. Got int"),
    ],
)
def test_names_of_parameters(name: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        Small().register_parameter(name, None)
    assert caught.value.args[0] == message


def test_only_leaves_become_parameters() -> None:
    small = Small()
    with pytest.raises(TypeError, match=r"torch.nn.Parameter or None required"):
        small.register_parameter("new", nt.ones(1))
    with pytest.raises(TypeError, match=r"is not a Module subclass"):
        small.add_module("new", 3)
    with pytest.raises(TypeError, match=r"torch Tensor or None required"):
        small.register_buffer("new", 3)


def test_an_unknown_attribute_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"'Small' object has no attribute 'nothing'"):
        _ = Small().nothing
    assert not hasattr(Small(), "nothing")


def test_dir_has_what_is_registered() -> None:
    names = dir(Nested())
    assert {"first", "second", "training", "forward", "named_parameters"} <= set(names)
    assert "0" not in dir(nn.Sequential(nn.ReLU()))


def test_arguments_of_the_base() -> None:
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'size'"):
        nn.Module(size=3)
    with pytest.raises(TypeError, match=r"takes 1 positional argument but 2 were given"):
        nn.Module(3)
    with pytest.raises(NotImplementedError, match=r'missing the required "forward" function'):
        nn.Module()(3)


# -- look-ups --------------------------------------------------------------------------------------


def test_paths() -> None:
    nested = Nested()
    assert nested.get_submodule("") is nested
    assert nested.get_submodule("second.0") is nested.second[0]
    assert nested.get_parameter("first.inner.bias") is nested.first.inner.bias
    assert nested.get_buffer("first.scale") is nested.first.scale
    nested.set_submodule("second.1", nn.Tanh())
    assert isinstance(nested.second[1], nn.Tanh)
    with pytest.raises(AttributeError, match=r"Sequential has no attribute `2`"):
        nested.get_submodule("second.2")
    with pytest.raises(AttributeError, match=r"`weight` is not an nn.Module"):
        nested.get_submodule("first.weight")
    with pytest.raises(AttributeError, match=r"`count` is not an nn.Parameter"):
        nested.get_parameter("first.count")
    with pytest.raises(AttributeError, match=r"`weight` is not a buffer"):
        nested.get_buffer("first.weight")
    with pytest.raises(ValueError, match=r"without a target name"):
        nested.set_submodule("", nn.ReLU())


# -- training --------------------------------------------------------------------------------------


def test_modes() -> None:
    nested = Nested()
    assert nested.training
    assert nested.eval() is nested
    assert not any(module.training for module in nested.modules())
    nested.train()
    assert all(module.training for module in nested.modules())
    with pytest.raises(ValueError, match=r"training mode is expected to be boolean"):
        nested.train(1)  # type: ignore[arg-type]


def test_apply_goes_from_the_inside_out() -> None:
    seen: list[str] = []
    nested = Nested()
    assert nested.apply(lambda module: seen.append(type(module).__name__)) is nested
    assert seen == ["Linear", "Small", "Linear", "ReLU", "Sequential", "Nested"]


def test_gradients_are_dropped_or_zeroed() -> None:
    nested = Nested()
    nested(nt.ones(4, 3)).sum().backward()
    weight = nested.first.weight
    assert weight.grad is not None
    nested.zero_grad(set_to_none=False)
    assert weight.grad.tolist() == [[0] * 3] * 2
    nested.zero_grad()
    assert weight.grad is None
    nested.requires_grad_(False)
    assert not any(parameter.requires_grad for parameter in nested.parameters())
    assert not nested(nt.ones(4, 3)).requires_grad


# -- conversions -----------------------------------------------------------------------------------


def test_dtypes() -> None:
    small = Small()
    small.register_buffer("whole", nt.tensor([1, 2]))
    weight = small.weight
    small(nt.ones(1, 3)).sum().backward()
    assert small.double() is small
    assert small.weight is weight
    assert weight.dtype == nt.float64
    assert weight.grad is not None
    assert weight.grad.dtype == nt.float64
    assert small.scale.dtype == nt.float64
    assert small.whole.dtype == nt.int64
    assert small.half().weight.dtype == nt.float16
    assert small.to(nt.float32).weight.dtype == nt.float32
    assert small.to(nt.ones(1, dtype=nt.float64)).inner.bias.dtype == nt.float64
    assert small.to("cpu", nt.float32).weight.dtype == nt.float32
    assert small.to(device="cpu", dtype=nt.float64).weight.dtype == nt.float64
    assert small.float().weight.dtype == nt.float32
    assert small.type(nt.float64).whole.dtype == nt.float64
    with pytest.raises(TypeError, match=r"only accepts floating point or complex dtypes"):
        small.to(nt.int64)


def test_devices() -> None:
    small = Small()
    weight = small.weight
    small.to("meta")
    assert small.weight is not weight
    assert small.weight.device.type == small.scale.device.type == "meta"
    assert isinstance(small.weight, nn.Parameter)
    assert small.weight.requires_grad
    assert small(nt.ones(5, 3, device="meta")).shape == (5, 2)
    small.to_empty(device="cpu")
    assert small.weight.device.type == "cpu"
    assert tuple(small.weight.shape) == (2, 3)
    assert small.cpu().weight.device.type == "cpu"
    assert nn.Linear(2, 3, device="meta").weight.device.type == "meta"
    assert nn.Linear(2, 3, dtype=nt.float64).weight.dtype == nt.float64


def test_orders_of_memory() -> None:
    net = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Linear(2, 3)).to(memory_format=nt.channels_last)
    assert net[0].weight.is_contiguous(memory_format=nt.channels_last)
    assert net[1].weight.is_contiguous()
    assert net(nt.ones(1, 2, 4, 3)).shape == (1, 3, 3, 3)


# -- copies ----------------------------------------------------------------------------------------


def test_deep_copies_share_nothing_but_ties() -> None:
    nested = Nested()
    twin = copy.deepcopy(nested)
    assert twin.first is twin.again
    assert twin.first is not nested.first
    assert isinstance(twin.first.weight, nn.Parameter)
    with nt.no_grad():
        twin.first.weight.add_(1)
    assert nested.first.weight.tolist() == [[1] * 3] * 2
    x = nt.ones(1, 3)
    assert twin(x).shape == nested(x).shape


def test_pickles() -> None:
    nested = Nested()
    twin = pickle.loads(pickle.dumps(nested))
    assert twin.first is twin.again
    assert [name for name, _ in twin.named_parameters()] == [
        name for name, _ in nested.named_parameters()
    ]
    x = nt.ones(2, 3)
    assert twin(x).tolist() == nested(x).tolist()
    assert twin.first.scratch.tolist() == [0]
    assert "first.scratch" not in twin.state_dict()


# -- texts -----------------------------------------------------------------------------------------


def test_text() -> None:
    assert repr(Nested()) == (
        "Nested(\n"
        "  (first): Small(\n"
        "    (inner): Linear(in_features=3, out_features=3, bias=True)\n"
        "  )\n"
        "  (second): Sequential(\n"
        "    (0): Linear(in_features=2, out_features=2, bias=True)\n"
        "    (1): ReLU()\n"
        "  )\n"
        "  (again): Small(\n"
        "    (inner): Linear(in_features=3, out_features=3, bias=True)\n"
        "  )\n"
        ")"
    )

    class Spoken(nn.Module):
        def extra_repr(self) -> str:
            return "one\ntwo"

    assert repr(Spoken()) == "Spoken(\n  one\n  two\n)"
    assert repr(nn.Module()) == "Module()"


# -- parameters ------------------------------------------------------------------------------------


def test_parameters() -> None:
    data = nt.ones(2)
    parameter = nn.Parameter(data)
    assert parameter.requires_grad
    assert parameter.is_leaf
    assert repr(parameter) == "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    with nt.no_grad():
        parameter.add_(1)
    assert data.tolist() == [2, 2]
    assert not nn.Parameter(data, requires_grad=False).requires_grad
    assert tuple(nn.Parameter().shape) == (0,)
    assert not isinstance(parameter * 2, nn.Parameter)
    assert not isinstance(data, nn.Parameter)
    twin = copy.deepcopy(parameter)
    assert isinstance(twin, nn.Parameter)
    assert twin is not parameter
    loaded = pickle.loads(pickle.dumps(parameter))
    assert isinstance(loaded, nn.Parameter)
    assert loaded.tolist() == [2, 2]
    with pytest.raises(RuntimeError, match=r"dtype can require gradients"):
        nn.Parameter(nt.tensor([1, 2]))
    assert nn.Parameter(nt.tensor([1, 2]), requires_grad=False).dtype == nt.int64


def test_a_parameter_gets_other_data() -> None:
    parameter = nn.Parameter(nt.ones(2))
    (parameter * 3).sum().backward()
    parameter.data = nt.zeros(4, dtype=nt.float64)
    assert tuple(parameter.shape) == (4,)
    assert parameter.dtype == nt.float64
    assert parameter.requires_grad
    assert parameter.is_leaf
    parameter.grad = None
    (parameter * 3).sum().backward()
    assert parameter.grad is not None
    assert parameter.grad.tolist() == [3] * 4
    with pytest.raises(TypeError, match=r"Variable data has to be a tensor, but got"):
        parameter.data = 5  # type: ignore[assignment]


# -- names (not in PyTorch) ------------------------------------------------------------------------


def test_parameters_keep_names() -> None:
    layer = nn.Linear(3, 2)
    layer.weight.names, layer.bias.names = ("O", "I"), ("O",)
    x = nt.ones(4, 3, names=("N", "I"))
    assert layer(x).names == ("N", "O")
    assert copy.deepcopy(layer).weight.names == ("O", "I")
    assert pickle.loads(pickle.dumps(layer)).weight.names == ("O", "I")
    assert layer.double().weight.names == ("O", "I")
    assert layer.state_dict()["weight"].names == ("O", "I")
    layer(x.double()).sum().backward()
    assert layer.weight.grad.names == ("O", "I")
    layer.zero_grad()
    layer.float().to("meta")
    assert layer.weight.names == ("O", "I")
    assert layer.to_empty(device="cpu").weight.names == ("O", "I")


def test_loading_checks_names() -> None:
    named, plain = nn.Linear(2, 2), nn.Linear(2, 2)
    named.weight.names = ("O", "I")
    plain.load_state_dict(named.state_dict())
    assert plain.weight.names == ("O", "I")
    other = nn.Linear(2, 2)
    other.weight.names = ("I", "O")
    with pytest.raises(RuntimeError, match=r"While copying the parameter named"):
        other.load_state_dict(named.state_dict())


def test_names_of_leaves_can_be_set() -> None:
    x = nt.ones(2, 3, requires_grad=True)
    x.names = ("N", "C")
    (x * 2).sum("C").sum().backward()
    assert x.grad is not None
    assert x.grad.names == ("N", "C")
