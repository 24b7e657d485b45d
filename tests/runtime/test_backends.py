"""A device and a layout that are registered from outside of the package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.declare import Op
from namecheck_runtime.strides import Geometry, contiguous_strides
from namecheck_runtime.tensors import kernels
from namecheck_runtime.tensors.backends import BACKENDS, Backend, make, register
from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.name_tuples import intern
from namecheck_runtime.tensors.values.plan_caches import forget

OPS = {
    "torch.add": lambda a, b: [x + y for x, y in zip(a, b, strict=True)],
    "torch.sub": lambda a, b: [x - y for x, y in zip(a, b, strict=True)],
    "torch.mul": lambda a, b: [x * y for x, y in zip(a, b, strict=True)],
    "torch.neg": lambda a: [-x for x in a],
    "torch.abs": lambda a: [abs(x) for x in a],
    "torch.square": lambda a: [x * x for x in a],
    "torch.maximum": lambda a, b: [max(x, y) for x, y in zip(a, b, strict=True)],
    "torch.eq": lambda a, b: [x == y for x, y in zip(a, b, strict=True)],
    "torch.nn.functional.relu": lambda a: [max(x, 0) for x in a],
    "torch.sum": lambda a: sum(a),
}
"""Ten ops on plain lists."""


@pytest.fixture
def lists() -> Iterator[Backend]:
    """A device that keeps the elements of a tensor in a list."""
    backend = Backend("listdevice")
    for name, function in OPS.items():
        backend.kernels[name] = Kernel(function)
    register(backend)
    yield backend
    del BACKENDS["listdevice", dtypes.strided]
    dtypes.device.TYPES.remove("listdevice")


def on_lists(elements: list[float], name: str) -> Tensor:
    sizes = (len(elements),)
    where = nt.device("listdevice")
    geometry = Geometry(sizes, contiguous_strides(sizes))
    return make(where, dtypes.strided, dtypes.float32, geometry, intern((name,)), elements)


def test_ten_ops_on_a_toy_device(lists: Backend) -> None:
    x, y = on_lists([1.0, -2.0], "N"), on_lists([3.0, 4.0], "N")
    answers = {
        "torch.add": (x + y, [4.0, 2.0]),
        "torch.sub": (x - y, [-2.0, -6.0]),
        "torch.mul": (x * y, [3.0, -8.0]),
        "torch.neg": (-x, [-1.0, 2.0]),
        "torch.abs": (x.abs(), [1.0, 2.0]),
        "torch.square": (x.square(), [1.0, 4.0]),
        "torch.maximum": (nt.maximum(x, y), [3.0, 4.0]),
        "torch.eq": (x == y, [False, False]),
        "torch.nn.functional.relu": (nt.nn.functional.relu(x), [1.0, 0]),
        "torch.sum": (x.sum(), -1.0),
    }
    assert answers.keys() == OPS.keys()
    for name, (result, expected) in answers.items():
        assert result._array == expected, name
        assert result.device == nt.device("listdevice")
        assert result.names == (() if name == "torch.sum" else ("N",))
    assert (x == y).dtype is nt.bool


def test_rules_hold_on_a_toy_device(lists: Backend) -> None:
    with pytest.raises(nt.NamesError, match="do not match"):
        on_lists([1.0], "N") + on_lists([1.0], "C")
    with pytest.raises(nt.SizesError):
        on_lists([1.0, 2.0], "N") + on_lists([1.0, 2.0, 3.0], "N")


def test_an_op_without_a_kernel_says_so(lists: Backend) -> None:
    with pytest.raises(NotImplementedError, match=r"torch\.exp has no kernel .* 'listdevice'"):
        on_lists([1.0], "N").exp()


def test_a_kernel_for_one_dtype_comes_first(lists: Backend) -> None:
    lists.kernels["torch.neg", dtypes.float32] = Kernel(lambda a: ["float32"])
    assert (-on_lists([1.0], "N"))._array == ["float32"]


def test_devices_do_not_mix(lists: Backend) -> None:
    with pytest.raises(RuntimeError, match="same device"):
        on_lists([1.0], "N") + nt.ones(1, names=("N",))


def test_an_unknown_device_is_refused() -> None:
    with pytest.raises(RuntimeError, match="no device of type 'tpu' is registered here"):
        nt.zeros(2, device="tpu")


DIAGONAL = {
    "torch.add": lambda a, b: a + b,
    "torch.sub": lambda a, b: a - b,
    "torch.mul": lambda a, b: a * b,
    "torch.neg": lambda a: -a,
    "torch.abs": lambda a: abs(a),
    "torch.square": lambda a: a * a,
    "torch.matmul": lambda a, b: a * b,
    "torch.mm": lambda a, b: a * b,
    "torch.sum": lambda a: a.sum(),
    "torch.trace": lambda a: a.sum(),
}


@pytest.fixture
def diagonals() -> Iterator[Any]:
    """A layout that stores a diagonal."""
    layout = dtypes.layout("toy_diagonal")
    backend = Backend("cpu", layout)
    for name, function in DIAGONAL.items():
        backend.kernels[name] = Kernel(function)
    register(backend)
    yield layout
    del BACKENDS["cpu", layout]


def test_ten_ops_on_a_toy_layout(diagonals: Any) -> None:
    def matrix(elements: list[float], *names: str) -> Tensor:
        sizes = (len(elements), len(elements))
        geometry = Geometry(sizes, contiguous_strides(sizes))
        array = np.asarray(elements, np.float32)
        return make(nt.device("cpu"), diagonals, dtypes.float32, geometry, intern(names), array)

    x, y = matrix([1, -2], "N", "C"), matrix([3, 4], "N", "C")
    z = matrix([5, 6], "C", "D")
    answers = {
        "torch.add": (x + y, [4, 2], ("N", "C")),
        "torch.sub": (x - y, [-2, -6], ("N", "C")),
        "torch.mul": (x * y, [3, -8], ("N", "C")),
        "torch.neg": (-x, [-1, 2], ("N", "C")),
        "torch.abs": (x.abs(), [1, 2], ("N", "C")),
        "torch.square": (x.square(), [1, 4], ("N", "C")),
        "torch.matmul": (x @ z, [5, -12], ("N", "D")),
        "torch.mm": (x.mm(z), [5, -12], ("N", "D")),
        "torch.sum": (x.sum(), -1, ()),
        "torch.trace": (x.trace(), -1, ()),
    }
    assert answers.keys() == DIAGONAL.keys()
    for name, (result, expected, names) in answers.items():
        assert np.array_equal(result._array, expected), name
        assert result.names == names
        assert result.layout is diagonals
    assert (x @ z).shape == (2, 2)


def test_on_meta_no_kernel_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program runs for its shapes alone, while NumPy's functions and all kernels raise."""
    real_kernel_of = kernels.kernel_of

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise AssertionError("something was computed")

    image = nt.empty(8, 3, 32, 32, device="meta", names=("N", "C", "H", "W"))
    weight = nt.empty(16, 3 * 32 * 32, device="meta", names=("D", "F"))
    for name in ("add", "multiply", "exp", "maximum", "matmul", "sum", "max", "where", "copyto"):
        monkeypatch.setattr(np, name, refuse)

    def broken(op: Op) -> Kernel | None:
        kernel = real_kernel_of(op)
        return None if kernel is None else kernel._replace(function=refuse)

    monkeypatch.setattr(kernels, "kernel_of", broken)
    forget()
    with pytest.raises(AssertionError, match="something was computed"):
        nt.ones(2)
    hidden = (image * 2 + 1).exp().flatten(["C", "H", "W"], "F") @ weight.T
    assert hidden.names == ("N", "D")
    assert hidden.shape == (8, 16)
    assert hidden.sum("D").shape == (8,)
    assert hidden.max("D")[1].dtype is nt.int64
    assert hidden.device == nt.device("meta")
    hidden.add_(1)
    assert hidden._version == 1
    with pytest.raises(nt.NamesError):
        image + nt.empty(32, device="meta", names=("X",))


def test_meta_refuses_ops_that_depend_on_elements() -> None:
    with pytest.raises(RuntimeError, match="depends on the elements"):
        nt.empty(3, device="meta").nonzero()


def test_to_meta_and_back() -> None:
    x = nt.ones(2, 3, names=("N", "C")).t().to("meta", nt.float64)
    assert (x.device, x.dtype, x.names, x.stride()) == (
        *(nt.device("meta"), nt.float64),
        *(("C", "N"), (1, 3)),
    )
    with pytest.raises(NotImplementedError, match="no data"):
        x.cpu()
