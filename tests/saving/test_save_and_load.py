"""`nt.save` and `nt.load`: what comes back, what other readers see, and what is refused."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import namecheck_runtime as nt
from namecheck_runtime.serialization import (
    UnreadableFileError,
    location_tag,
    register_package,
)
from namecheck_runtime.tensors.values import dtypes


def again(obj: Any, path: Path, **options: Any) -> Any:
    nt.save(obj, path / "file.safetensors")
    return nt.load(path / "file.safetensors", **options)


def same(left: Any, right: Any) -> None:
    """Assert that two nests are equal, with names, strides and dtypes of their tensors."""
    assert type(left) is type(right)
    if isinstance(left, nt.Tensor):
        assert left.names == right.names
        assert left.dtype is right.dtype
        assert left.shape == right.shape
        assert left.stride() == right.stride()
        assert left.requires_grad == right.requires_grad
        assert left.device is right.device
        if left.device.type == "cpu":
            assert left.detach().equal(right.detach())
    elif isinstance(left, dict):
        assert list(left) == list(right)
        for key, value in left.items():
            same(value, right[key])
    elif isinstance(left, (list, tuple)):
        for one, other in zip(left, right, strict=True):
            same(one, other)
    elif left == left:
        assert left == right
    else:
        assert right != right


def nest() -> dict[str, Any]:
    return {
        "model": OrderedDict(
            weight=nt.randn(3, 4, names=("N", "C")),
            bias=nt.zeros(4, requires_grad=True),
            scalar=nt.tensor(3.5),
            empty=nt.zeros(0, 3, names=("N", None)),
            meta=nt.zeros(2, 3, device="meta", names=("A", "B")),
            permuted=nt.randn(2, 3, 4, names=("A", "B", "C")).permute("C", "A", "B"),
        ),
        "optimizer": {"state": {0: {"step": nt.tensor(1)}}, "lr": 0.1, "betas": (0.9, 0.999)},
        "rest": [None, True, 2**80, -(2**63), float("nan"), float("-inf"), 1 - 2j, "ü", b"\xff"],
        "kinds": (nt.float32, nt.Size([2, 3]), {1, 2}, frozenset({"a"}), nt.device("meta")),
        (1, "tuple"): {None: [], 1.5: ()},
    }


@pytest.mark.parametrize("mmap", [None, True, False])
def test_a_nest_comes_back(tmp_path: Path, mmap: bool | None) -> None:
    written = nest()
    same(written, again(written, tmp_path, mmap=mmap))


def test_file_objects_work() -> None:
    written = nest()
    file = io.BytesIO()
    nt.save(written, file)
    file.seek(0)
    same(written, nt.load(file))


@pytest.mark.parametrize("name", sorted({dtype.name for dtype in dtypes.DTYPES.values()}))
def test_every_dtype_comes_back(name: str, tmp_path: Path) -> None:
    x = nt.tensor([0, 1, 1], names=("N",)).to(getattr(nt, name))
    scalar = x[1]
    written = {"x": x, "scalar": scalar.clone(), "empty": x[:0].clone()}
    same(written, again(written, tmp_path))
    same(x, again(x, tmp_path))


def test_shared_memory_is_shared_again(tmp_path: Path) -> None:
    x = nt.arange(12.0).reshape(3, 4).rename("N", "C")
    written = {"row": x[1], "x": x, "turned": x.T, "tied": x, "bits": x.view(nt.int32)}
    read = again(written, tmp_path)
    same(written, read)
    assert read["x"] is read["tied"]
    read["x"][1, 2] = 99
    assert read["row"][2] == read["turned"][2, 1] == 99
    assert read["bits"][1, 2] == nt.tensor(99.0).view(nt.int32)


def test_parts_of_one_memory_are_shared_again(tmp_path: Path) -> None:
    x = nt.arange(100)
    written = {"a": x[10:20], "b": x[15:30:2], "c": x[12]}
    read = again(written, tmp_path)
    same(written, read)
    read["a"][5] = -1
    assert read["b"][0] == -1
    # What no tensor shows is not written.
    assert load_file(tmp_path / "file.safetensors")["a.memory"].nbytes < 200


def test_a_part_of_a_large_memory_is_small(tmp_path: Path) -> None:
    x = nt.zeros(1000, 1000)
    nt.save({"row": x[3]}, tmp_path / "file")
    assert (tmp_path / "file").stat().st_size < 10_000


def test_gaps_and_overlaps_come_back_as_a_clone(tmp_path: Path) -> None:
    for x in (nt.arange(12).reshape(3, 4)[:, 1:3], nt.ones(1).expand(5)):
        read = again(x, tmp_path)
        assert read.equal(x)
        assert read.stride() == x.clone().stride()


def test_other_readers_see_plain_tensors(tmp_path: Path) -> None:
    x = nt.arange(6.0).reshape(2, 3)
    nt.save({"net": {"w": x, "t": nt.arange(6.0).reshape(2, 3).T}, "n": 3}, tmp_path / "file")
    arrays = load_file(tmp_path / "file")
    assert {name: array.tolist() for name, array in arrays.items()} == {
        "net.w": x.tolist(),
        "net.t": x.T.tolist(),
    }


def test_names_in_the_file_are_unique(tmp_path: Path) -> None:
    written = {
        "a.b": nt.zeros(1),
        "a": {"b": nt.ones(1)},
        "__metadata__": nt.ones(2),
        "": nt.ones(3),
    }
    same(written, again(written, tmp_path))


def test_files_of_others_are_dicts_of_tensors(tmp_path: Path) -> None:
    save_file({"w": np.ones((2, 3), np.float32), "b": np.zeros(3, bool)}, tmp_path / "file")
    read = nt.load(tmp_path / "file")
    assert type(read) is dict
    same(read, {"w": nt.ones(2, 3), "b": nt.zeros(3, dtype=nt.bool)})


def test_a_state_dict_keeps_its_versions(tmp_path: Path) -> None:
    state: Any = OrderedDict(w=nt.ones(1))
    state._metadata = OrderedDict([("", {"version": 2})])
    assert again(state, tmp_path)._metadata == state._metadata


def test_loading_maps_memory_and_never_writes_back(tmp_path: Path) -> None:
    path = tmp_path / "file"
    nt.save(nt.zeros(1000), path)
    before = path.read_bytes()
    read = nt.load(path)
    read += 1
    assert path.read_bytes() == before
    assert nt.load(path).sum() == 0
    nt.save(read, path)  # over the file that is mapped
    assert read.sum() == nt.load(path).sum() == 1000


class Thing:
    """No tensor."""


@pytest.mark.parametrize(
    ("obj", "place"),
    [
        (Thing(), "obj is a Thing"),
        ({"a": [0, Thing()]}, r"obj\['a'\]\['1'\] is a Thing"),
        (np.zeros(3), "obj is a ndarray"),
        (print, "obj is a builtin_function_or_method"),
    ],
)
def test_other_objects_are_refused(obj: Any, place: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=place):
        nt.save(obj, tmp_path / "file")
    assert not any(tmp_path.iterdir())


def test_a_nest_that_holds_itself_is_refused(tmp_path: Path) -> None:
    obj: list[Any] = []
    obj.append(obj)
    with pytest.raises(ValueError, match="holds itself"):
        nt.save(obj, tmp_path / "file")


def test_paths_and_files_only(tmp_path: Path) -> None:
    with pytest.raises(AttributeError, match="file-like object with a 'write' attribute"):
        nt.save(1, 3)
    with pytest.raises(AttributeError, match="file-like object with a 'read' attribute"):
        nt.load(3)
    with pytest.raises(ValueError, match="in order to use mmap argument"):
        nt.load(io.BytesIO(), mmap=True)
    with pytest.raises(FileNotFoundError):
        nt.load(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError):
        nt.save(1, tmp_path / "nothing" / "file")


def test_pickles_only_if_the_caller_says_so(tmp_path: Path) -> None:
    path = tmp_path / "file"
    x = nt.ones(2, names=("N",))
    nt.save({"x": x, "row": x[:1], "thing": Thing()}, path, pickle_module=pickle)
    with pytest.raises(pickle.UnpicklingError, match="weights_only=False"):
        nt.load(path)
    with pytest.raises(UnreadableFileError, match="weights_only=False"):
        nt.load(path, weights_only=None)
    read = nt.load(path, weights_only=False)
    assert type(read["thing"]) is Thing
    read["x"][0] = 5
    assert read["row"][0] == 5
    assert read["x"].names == ("N",)
    moved = nt.load(path, "meta", weights_only=False)
    assert moved["x"].device.type == "meta"


def test_map_location(tmp_path: Path) -> None:
    path = tmp_path / "file"
    x = nt.ones(2, 3, names=("N", "C"), requires_grad=True)
    nt.save({"x": x, "y": x.detach()[0]}, path)
    seen = []

    def note(storage: Any, location: str) -> Any:
        seen.append((storage.nbytes(), location))

    same(nt.load(path, note)["x"], x)
    assert seen == [(24, "cpu")]
    for there in ("meta", nt.device("meta"), {"cpu": "meta"}):
        read = nt.load(path, there)["x"]
        assert read.device.type == "meta"
        assert read.names == ("N", "C")
        assert read.requires_grad
    assert nt.load(path, {"cuda:0": "meta"})["x"].device.type == "cpu"
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device"):
        nt.load(path, "cuda:0")
    with pytest.raises(RuntimeError, match="don't know how to restore data location"):
        nt.load(path, "nowhere")
    with pytest.raises(TypeError, match="map_location must be"):
        nt.load(path, 3)

    def fail(storage: Any, location: str) -> Any:
        raise KeyError(location)

    with pytest.raises(KeyError, match="cpu"):
        nt.load(path, fail)


def test_a_package_of_a_third_party(tmp_path: Path) -> None:
    """As the example in PyTorch's documentation of `register_package`."""
    from namecheck_runtime.saving import locations

    def tag(storage: Any) -> str | None:
        return "vault" if storage.nbytes() == 8 else None

    def restore(storage: Any, location: str) -> Any:
        return storage if location.startswith("vault") else None

    path = tmp_path / "file"
    nt.save(nt.ones(2), path)
    register_package(5, tag, restore)
    try:
        assert location_tag(nt.ones(2).untyped_storage()) == "vault"
        assert location_tag(nt.ones(3).untyped_storage()) == "cpu"
        assert nt.load(path, "vault:3").sum() == 2
    finally:
        locations._PACKAGES.pop(0)
    with pytest.raises(RuntimeError, match="tagged with vault:3"):
        nt.load(path, "vault:3")


def test_devices_that_take_and_give_no_tensors(tmp_path: Path) -> None:
    from namecheck_runtime.backends import BACKENDS, Backend, make, register
    from namecheck_runtime.strides import Geometry

    register(Backend("lists"))
    try:
        where = nt.device("lists")
        x = make(where, nt.strided, nt.float32, Geometry((2,), (1,)), ("N",), [1.0, 2.0])
        with pytest.raises(NotImplementedError, match="cannot bring a tensor from lists to the"):
            nt.save({"x": x}, tmp_path / "file")
        nt.save({"x": nt.ones(2)}, tmp_path / "file")
        with pytest.raises(NotImplementedError, match="from the CPU to lists"):
            nt.load(tmp_path / "file", "lists")
    finally:
        del BACKENDS["lists", nt.strided]
        dtypes.device.TYPES.remove("lists")


def test_meta_tensors_stay_on_meta(tmp_path: Path) -> None:
    """As in PyTorch: they have no elements that could go anywhere."""
    nt.save(nt.ones(2, device="meta"), tmp_path / "file")
    assert nt.load(tmp_path / "file", "cpu").device.type == "meta"


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    nt.save(1, path)
    other = tmp_path / "other"
    other.touch()
    assert path.stat().st_mode == other.stat().st_mode
    path.chmod(0o640)
    link.symlink_to(path)
    nt.save(2, link)
    assert link.is_symlink()
    assert nt.load(path) == 2
    assert path.stat().st_mode & 0o777 == 0o640


def test_pipes_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    nt.save({"x": nt.ones(3)}, pipe)
    data, _ = reader.communicate(timeout=20)
    assert nt.load(io.BytesIO(data))["x"].sum() == 3


def test_importing_the_package_does_not_import_safetensors() -> None:
    code = (
        "import sys, namecheck_runtime as nt; nt.zeros(2); assert 'safetensors' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nt.save(1, tmp_path / "file")
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ImportError, match=r"pip install 'namecheck-tensors\[save\]'"):
        nt.save(nt.ones(1), tmp_path / "other")
    with pytest.raises(ImportError, match=r"pip install 'namecheck-tensors\[save\]'"):
        nt.load(tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
