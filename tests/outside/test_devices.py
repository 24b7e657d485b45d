"""Tensors on several devices: the CPU, `meta`, and two that a third party registers."""

from __future__ import annotations

import io
import pickle
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import namecheck_runtime as nt
from outside.lists import registered


@pytest.fixture(autouse=True)
def devices() -> Iterator[None]:
    with registered("lists"), registered("others"):
        yield
    nt.set_default_device(None)


def test_to_moves_and_brings_back() -> None:
    x = nt.arange(6, dtype=nt.float32).reshape(2, 3).rename("N", "C")
    there = x.to("lists")
    assert there.device == nt.device("lists")
    assert there._array == [0, 1, 2, 3, 4, 5]
    assert (there.names, there.shape, there.dtype) == (("N", "C"), (2, 3), nt.float32)
    for back in (there.cpu(), there.to("cpu"), there.to(nt.ones(1)), there.to("others").cpu()):
        assert back.device == nt.device("cpu")
        assert (back.names, back.tolist()) == (("N", "C"), x.tolist())
    assert there.to("lists") is there
    assert there.to("lists", nt.float64).dtype is nt.float64
    assert x.T.to("lists").cpu().tolist() == x.T.tolist()


def test_elements_of_a_device_as_numbers_and_text() -> None:
    x = nt.tensor([[1.0, 2.0]], device="lists")
    assert x.tolist() == [[1, 2]]
    assert x.sum().item() == 3
    assert repr(x) == "tensor([[1., 2.]], device='lists')"
    with pytest.raises(TypeError, match="can't convert lists device type tensor to numpy"):
        x.numpy()


def test_gradients_come_back_over_devices() -> None:
    x = nt.tensor([1.0, 2.0], names=("N",), requires_grad=True)
    y = (x * 2).to("lists")
    assert y.grad_fn is not None
    (y * 3).cpu().sum().backward()
    assert x.grad is not None
    assert (x.grad.device, x.grad.tolist(), x.grad.names) == (nt.device("cpu"), [6, 6], ("N",))


DEVICES = ("cpu", "meta", "lists", "others")


@pytest.mark.parametrize("target", DEVICES)
@pytest.mark.parametrize("source", DEVICES)
def test_copies_between_devices(source: str, target: str) -> None:
    x = nt.tensor([[1.0, 2.0, 3.0]], names=(None, "C")).to(source)
    y = nt.zeros(2, 3, dtype=nt.float64, names=("N", None)).to(target)
    if source == "meta" and target != "meta":
        with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data!"):
            y.copy_(x)
        return
    version = y._version
    assert y.copy_(x, non_blocking=True) is y
    assert (y.names, y.device, y.dtype) == (("N", "C"), nt.device(target), nt.float64)
    if target == "meta":
        assert y._version == version + 1
    else:
        assert y.tolist() == [[1, 2, 3], [1, 2, 3]]


def test_copies_check_names_before_they_write() -> None:
    target = nt.zeros(2, names=("N",))
    with pytest.raises(nt.NamesError):
        target.copy_(nt.ones(2, names=("C",)).to("lists"))
    assert target.tolist() == [0, 0]


def test_assignments_take_values_of_other_devices() -> None:
    x = nt.zeros(2, 2)
    x[0] = nt.ones(2).to("lists")
    assert x.tolist() == [[1, 1], [0, 0]]
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
        x[0] = nt.ones(2, device="meta")
    nt.ones(2, device="meta")[0] = nt.ones(())
    with pytest.raises(NotImplementedError, match="no kernel on device 'lists'"):
        nt.ones(2, device="lists")[0] = 1


PAIRS = [("cpu", "meta"), ("cpu", "lists"), ("meta", "lists"), ("lists", "others")]
MIXED: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "add_": lambda x, y: x.add_(y),
    "maximum": lambda x, y: nt.maximum(x, y),
    "matmul": lambda x, y: x @ y,
    "cat": lambda x, y: nt.cat([x, y]),
    "where": lambda x, y: nt.where(x, x, y),
    "stack": lambda x, y: nt.stack([y, x]),
    "dot": lambda x, y: nt.dot(x, y),
    "equal": lambda x, y: nt.equal(x, y),
    "allclose": lambda x, y: nt.allclose(x, y),
}


@pytest.mark.parametrize("op", MIXED.values(), ids=MIXED)
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_any_other_op_names_both_devices(left: str, right: str, op: Callable[..., Any]) -> None:
    with pytest.raises(
        RuntimeError, match=f"at least two devices, ({left} and {right}|{right} and {left})!"
    ):
        op(nt.ones(2).to(left), nt.ones(2).to(right))


def test_a_subscript_on_another_device_names_both() -> None:
    for device in ("meta", "lists"):
        x, places = nt.zeros(3), nt.tensor([1]).to(device)
        with pytest.raises(RuntimeError, match=f"cpu and {device}!"):
            x[places] = 1.0
        with pytest.raises(RuntimeError, match=f"cpu and {device}!"):
            x[places]
        assert x.tolist() == [0, 0, 0]


def test_a_number_on_the_cpu_goes_with_every_device_and_no_other_number() -> None:
    assert (nt.ones(2, device="meta") + nt.ones(())).device == nt.device("meta")
    with pytest.raises(RuntimeError, match="cpu and meta"):
        nt.ones(2) + nt.ones((), device="meta")
    with pytest.raises(RuntimeError, match="Expected out tensor to have device cpu, but got meta"):
        nt.add(nt.ones(2), nt.ones(2), out=nt.ones(2, device="meta"))


# -- the default device ----------------------------------------------------------------------------


def test_the_default_device() -> None:
    assert nt.get_default_device() == nt.device("cpu")
    nt.set_default_device("meta")
    assert nt.get_default_device() == nt.device("meta")
    assert nt.ones(2).device == nt.device("meta")
    assert nt.ones(2, device="cpu").device == nt.device("cpu")
    nt.set_default_device(None)
    assert nt.ones(2).device == nt.device("cpu")
    with pytest.raises(RuntimeError, match="no device of type 'xyz' is registered"):
        nt.set_default_device("xyz")


MAKERS: dict[str, Callable[[], Any]] = {
    "ones": lambda: nt.ones(2, 3),
    "zeros": lambda: nt.zeros((2,), names=("N",)),
    "empty": lambda: nt.empty(2),
    "full": lambda: nt.full((2,), 3),
    "arange": lambda: nt.arange(3),
    "linspace": lambda: nt.linspace(0, 1, 3),
    "eye": lambda: nt.eye(3),
    "rand": lambda: nt.rand(2),
    "randn": lambda: nt.randn(2),
    "randint": lambda: nt.randint(3, (2,)),
    "randperm": lambda: nt.randperm(3),
    "tril_indices": lambda: nt.tril_indices(3, 3),
    "hann_window": lambda: nt.hann_window(3),
    "fftfreq": lambda: nt.fft.fftfreq(3),
    "scalar_tensor": lambda: nt.scalar_tensor(1.0),
    "tensor": lambda: nt.tensor([1, 2]),
    "as_tensor": lambda: nt.as_tensor([1, 2]),
    "asarray": lambda: nt.asarray([1, 2]),
    "parameter": lambda: nt.nn.Linear(2, 3).weight,
    "layer": lambda: nt.nn.BatchNorm1d(2).running_mean,
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_makes_tensors_follows_a_with_block(make: Callable[[], Any]) -> None:
    with nt.device("meta"):
        assert make().device == nt.device("meta")
        with nt.device("cpu"):
            assert make().device == nt.device("cpu")
        assert make().device == nt.device("meta")
    assert make().device == nt.device("cpu")


def test_what_follows_an_operand_stays_with_it() -> None:
    x = nt.ones(2)
    with nt.device("meta"):
        results = (nt.zeros_like(x), x.new_ones(2), x + 1, x.softmax(0), nt.from_numpy(x.numpy()))
    assert all(result.device == nt.device("cpu") for result in results)


def test_gradients_do_not_follow_the_default_device() -> None:
    x = nt.randn(3, 4, requires_grad=True)
    with nt.device("meta"):
        loss = (x.gather(1, x.argmax(1, keepdim=True)) + x[1:].sum() + x.flip(0).cumsum(0)).sum()
        loss.backward()
    assert x.grad is not None
    assert x.grad.device == nt.device("cpu")


def test_a_registered_default_device() -> None:
    nt.set_default_device("lists")
    assert nt.ones(2).device == nt.device("lists")
    assert nt.tensor([1.0, 2.0])._array == [1, 2]
    with pytest.raises(NotImplementedError, match=r"torch\.zeros has no kernel .* 'lists'"):
        nt.zeros(2)
    with nt.ones(2).device, nt.device("cpu"):
        assert nt.ones(2).device == nt.device("cpu")


def test_a_default_device_that_only_pytorch_has() -> None:
    nt.set_default_device("cuda")
    with pytest.raises(RuntimeError, match="namecheck_runtime has no device 'cuda'"):
        nt.ones(2)


def test_each_thread_has_its_default() -> None:
    seen: list[Any] = []
    nt.set_default_device("meta")
    thread = threading.Thread(target=lambda: seen.append(nt.ones(1).device))
    thread.start()
    thread.join()
    assert seen == [nt.device("cpu")]


def test_a_block_ends_with_an_exception() -> None:
    with pytest.raises(KeyError), nt.device("meta"):
        raise KeyError
    assert nt.ones(1).device == nt.device("cpu")


def test_set_default_tensor_type_names_what_to_call() -> None:
    with pytest.raises(RuntimeError, match=r"set_default_dtype\(torch.float64\)"):
        nt.set_default_tensor_type("torch.DoubleTensor")


# -- saving ----------------------------------------------------------------------------------------


def test_saving_goes_by_way_of_the_cpu() -> None:
    file = io.BytesIO()
    nt.save({"x": nt.ones(2, names=("N",)).to("lists")}, file)
    file.seek(0)
    loaded = nt.load(file)["x"]
    assert (loaded.device, loaded.names, loaded.tolist()) == (nt.device("lists"), ("N",), [1, 1])
    file.seek(0)
    assert nt.load(file, map_location="cpu")["x"].device == nt.device("cpu")
    copy = pickle.loads(pickle.dumps(nt.ones(2).to("lists")))
    assert (copy.device, copy.tolist()) == (nt.device("lists"), [1, 1])


def test_a_module_moves() -> None:
    layer = nt.nn.Linear(2, 2)
    weight = layer.weight.tolist()
    layer.to("lists")
    assert layer.weight.device == nt.device("lists")
    assert layer.weight.tolist() == weight
    layer.to("cpu", non_blocking=True)
    assert layer.weight.tolist() == weight
