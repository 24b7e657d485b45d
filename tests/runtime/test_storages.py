"""Storages as programs see them: `x.storage()` with a dtype, `x.untyped_storage()` of bytes."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import namecheck_runtime as nt
from namecheck_runtime.cuda import Event


def test_a_storage_shows_the_memory_of_its_tensor() -> None:
    x = nt.arange(6, dtype=nt.float32).view(2, 3)
    storage = x[1].storage()
    assert (storage.dtype, len(storage), storage.size(), storage.nbytes()) == (nt.float32, 6, 6, 24)
    assert (storage.element_size(), storage.device, storage.is_cuda) == (4, nt.device("cpu"), False)
    assert storage.data_ptr() == x.data_ptr()
    assert storage.tolist() == list(storage) == [0, 1, 2, 3, 4, 5]
    assert (storage[3], storage[-1], type(storage[0])) == (3.0, 5.0, float)
    version = x._version
    storage[0] = 7
    assert (x[0, 0].item(), x._version) == (7, version + 1)
    storage.fill_(2)
    assert x.sum() == 12
    assert storage.copy_(nt.FloatStorage([1, 2, 3, 4, 5, 6])) is storage
    assert x.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert storage.untyped() is x.untyped_storage()


def test_what_a_storage_refuses() -> None:
    storage = nt.ones(3).storage()
    with pytest.raises(IndexError):
        storage[3]
    with pytest.raises(RuntimeError, match="slices are only supported in UntypedStorage"):
        storage[0:2]
    with pytest.raises(RuntimeError, match="can't index a TypedStorage with str"):
        storage["a"]
    with pytest.raises(RuntimeError, match="of 3 elements cannot take the 2 of another"):
        storage.copy_(nt.ones(2).storage())
    with pytest.raises(RuntimeError, match="of 12 bytes cannot take the 8 of another"):
        storage.untyped().copy_(nt.ones(2).untyped_storage())
    with pytest.raises(NotImplementedError, match="Not available for 'meta' device type"):
        nt.ones(2, device="meta").storage().tolist()
    with pytest.raises(TypeError, match="takes a flat sequence of numbers"):
        nt.FloatStorage([[1.0]])


def test_bytes() -> None:
    x = nt.tensor([1, 256], dtype=nt.int16)
    storage = x.untyped_storage()
    assert storage.tolist() == list(storage) == [1, 0, 0, 1]
    assert (storage[3], storage.size(), storage.element_size()) == (1, 4, 1)
    storage[0] = 2
    assert x.tolist() == [2, 256]
    part = storage[0:2]
    part.fill_(0)
    assert x.tolist() == [0, 256]
    copy = storage.clone()
    assert copy.tolist() == storage.tolist()
    assert copy.data_ptr() != storage.data_ptr()
    assert copy.copy_(storage.fill_(1)) is copy
    assert x.tolist() == [257, 257]


def test_texts() -> None:
    assert repr(nt.ones(2).storage()) == (
        " 1.0\n 1.0\n[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 2]"
    )
    assert repr(nt.ones(1, dtype=nt.int16).untyped_storage()) == (
        " 1\n 0\n[torch.storage.UntypedStorage(device=cpu) of size 2]"
    )
    assert repr(nt.ones(2, device="meta").storage()).startswith("...\n[torch.storage.TypedStorage(")
    assert nt.ones(2).storage().type() == "torch.FloatStorage"
    assert nt.ones(2).untyped_storage().type() == "torch.storage.UntypedStorage"


def test_constructors_and_conversions() -> None:
    assert nt.TypedStorage(3).tolist() == [0, 0, 0]
    assert nt.TypedStorage([1, 2], dtype=nt.int32).dtype is nt.int32
    assert nt.DoubleStorage([1, 2]).float().dtype is nt.float32
    storage = nt.FloatStorage([1.5, 2.0])
    assert storage.float() is storage.cpu() is storage
    for convert, dtype in (("double", nt.float64), ("half", nt.float16), ("long", nt.int64)):
        assert getattr(storage, convert)().dtype is dtype
    assert storage.int().tolist() == [1, 2]
    assert isinstance(storage, nt.FloatStorage)
    assert isinstance(storage, nt.TypedStorage)
    assert not isinstance(storage, nt.IntStorage)
    assert isinstance(nt.UntypedStorage(8), nt.UntypedStorage)
    assert nt.UntypedStorage(8).nbytes() == 8
    assert nt.Tensor(storage).tolist() == [1.5, 2]
    assert nt.tensor([]).set_(storage).tolist() == [1.5, 2]
    again = pickle.loads(pickle.dumps(storage))
    assert (again.dtype, again.tolist()) == (nt.float32, [1.5, 2])
    assert [nt.is_storage(value) for value in (storage, storage.untyped(), nt.ones(1))] == [
        *(True, True, False)
    ]


def test_dtypes_beside_numpys_own() -> None:
    pytest.importorskip("ml_dtypes")
    storage = nt.BFloat16Storage([1.5, 2.0])
    x = nt.BFloat16Tensor(storage)
    assert (x.dtype, x.tolist(), x.storage().type()) == (
        *(nt.bfloat16, [1.5, 2.0], "torch.BFloat16Storage"),
    )
    storage[1] = 1.01
    assert (storage.tolist(), storage[1], x[1].item()) == ([1.5, 1.0078125], 1.0078125, 1.0078125)
    assert isinstance(storage, nt.BFloat16Storage)
    assert not isinstance(storage.float(), nt.BFloat16Storage)
    assert storage.float().bfloat16().tolist() == storage.tolist()
    again = pickle.loads(pickle.dumps(storage))
    assert (again.dtype, again.tolist()) == (nt.bfloat16, storage.tolist())
    for kind in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz"):
        small = getattr(storage, f"float8_{kind}")()
        assert (small.dtype, small[0]) == (getattr(nt, f"float8_{kind}"), 1.5)
        assert small.type() == "torch.storage.TypedStorage"  # without a class of its own
    whole = nt.ones(2, dtype=nt.uint16).storage()
    assert (whole.type(), whole[0]) == ("torch.storage.TypedStorage", 1)


def test_a_constructor_refuses_the_storage_of_another_dtype() -> None:
    storage = nt.HalfStorage([1, 2])
    assert nt.HalfTensor(storage).storage().data_ptr() == storage.data_ptr()
    assert nt.HalfTensor(storage.untyped()).tolist() == [1, 2]
    message = "Expected a Storage of type {} or an UntypedStorage, but got type Half"
    with pytest.raises(RuntimeError, match=message.format("Float")):
        nt.Tensor(storage)
    with pytest.raises(RuntimeError, match=message.format("Long")):
        nt.LongTensor(storage)


def test_other_sizes() -> None:
    x = nt.ones(2)
    x.storage().resize_(4)
    assert (len(x.storage()), x.tolist()) == (4, [1, 1])
    x.untyped_storage().resize_(8)
    assert (len(x.storage()), x.tolist()) == (2, [1, 1])
    x.numpy()
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        x.storage().resize_(8)


@pytest.mark.parametrize("method", ["record", "wait", "synchronize"])
def test_events_need_a_gpu(method: str) -> None:
    event: Any = Event(enable_timing=True)
    with pytest.raises(AssertionError, match="namecheck_runtime has no CUDA"):
        getattr(event, method)()
