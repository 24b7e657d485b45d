"""Files that PyTorch wrote (`tests/data/pytorch_files`): weights load, and nothing else does."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime as nt
from namecheck_runtime.serialization import UnreadableFileError

FOLDER = Path(__file__).parents[1] / "data/pytorch_files"
NESTS = ("nest.pt", "protocol4.pt", "legacy.pt")


@pytest.mark.parametrize("mmap", [None, True, False])
@pytest.mark.parametrize("name", NESTS)
def test_a_nest_loads(name: str, mmap: bool | None) -> None:
    read = nt.load(FOLDER / name, mmap=mmap)
    state = read.pop("state_dict")
    assert read == {
        "epoch": 3,
        "loss": 0.5,
        "name": "net",
        "size": nt.Size([2, 3]),
        "dtype": nt.float16,
        "device": nt.device("cpu"),
        "flags": (True, None, [1, 2.0, "x", b"\x00\xff"], {1, 2}, 1 + 2j, 2**80),
    }
    assert type(state) is OrderedDict
    assert state._metadata == OrderedDict([("", {"version": 1})])
    assert state["weight"] is state["tied"]
    assert state["weight"].equal(nt.arange(12.0).reshape(3, 4))
    assert state["column"].stride() == (4,)
    assert state["column"].storage_offset() == 2
    assert state["expanded"].tolist() == [2.5] * 3
    assert state["expanded"].stride() == (0,)
    assert state["parameter"].requires_grad
    assert not state["frozen"].requires_grad
    assert state["scalar"].shape == ()
    assert state["empty"].shape == (0, 3)
    assert state["meta"].device.type == "meta"
    assert state["cl"].is_contiguous(memory_format=nt.channels_last)
    assert state["cl"].equal(nt.arange(24.0).reshape(1, 2, 3, 4))
    state["weight"][1, 2] = 99
    assert state["row"][2] == state["transposed"][2, 1] == state["column"][1] == 99


@pytest.mark.parametrize("name", NESTS)
@pytest.mark.parametrize(
    "dtype",
    [
        *("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"),
        *("complex64", "complex128"),
    ],
)
def test_each_dtype_loads(name: str, dtype: str) -> None:
    tensor = nt.load(FOLDER / name)["state_dict"][dtype]
    assert tensor.dtype is getattr(nt, dtype)
    assert tensor.tolist() == ([True, False, True] if dtype == "bool" else [1, 0, 3])


def test_a_checkpoint_loads_and_is_saved_again(tmp_path: Path) -> None:
    checkpoint = nt.load(FOLDER / "checkpoint.pt")
    assert list(checkpoint["model"]) == [
        *("0.weight", "0.bias", "1.weight", "1.bias", "1.running_mean", "1.running_var"),
        "1.num_batches_tracked",
    ]
    nt.save(checkpoint, tmp_path / "file")
    again = nt.load(tmp_path / "file")
    assert again["optimizer"]["param_groups"] == checkpoint["optimizer"]["param_groups"]
    assert again["model"]["0.weight"].equal(checkpoint["model"]["0.weight"])


def test_the_order_of_bytes(tmp_path: Path) -> None:
    for mmap in (None, True):
        read = nt.load(FOLDER / "big_endian.pt", mmap=mmap)
        assert {name: x.tolist() for name, x in read.items()} == {
            "a": [0.0, 1.0, 2.0],
            "b": [1 + 2j],
            "c": [1, 258],
        }


def test_locations() -> None:
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device"):
        nt.load(FOLDER / "cuda.pt")
    for there in ("cpu", nt.device("cpu"), {"cuda:0": "cpu"}, lambda storage, location: storage):
        assert nt.load(FOLDER / "cuda.pt", there)["w"].tolist() == [0, 1, 2]
    assert nt.load(FOLDER / "cuda.pt", "meta")["w"].device.type == "meta"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("module.pt", r"names 'torch\.nn\.modules\.linear\.Linear'"),
        ("custom.pt", r"names '__main__\.Custom'"),
        ("sparse.pt", r"names 'torch\._utils\._rebuild_sparse_tensor'"),
        ("conjugated.pt", "to be conjugated"),
    ],
)
@pytest.mark.parametrize("weights_only", [True, False])
def test_what_is_no_plain_tensor_is_refused(name: str, reason: str, weights_only: bool) -> None:
    with pytest.raises(UnreadableFileError, match=reason):
        nt.load(FOLDER / name, weights_only=weights_only)


def test_bfloat16_is_read() -> None:
    pytest.importorskip("ml_dtypes")
    read = nt.load(FOLDER / "bfloat16.pt")["w"]
    assert (read.dtype, read.tolist()) == (nt.bfloat16, [1.0, 1.0])


def test_the_file_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "file.pt"
    path.write_bytes((FOLDER / "nest.pt").read_bytes())
    nt.load(path, mmap=True)["state_dict"]["weight"].zero_()
    assert path.read_bytes() == (FOLDER / "nest.pt").read_bytes()


class Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("this runs",)


def archive(pickled: bytes, compression: int = zipfile.ZIP_STORED) -> io.BytesIO:
    """A file as PyTorch writes it, around a pickle."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as members:
        members.writestr("archive/data.pkl", pickled)
        members.writestr("archive/version", "3\n")
    file.seek(0)
    return file


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_no_code_runs(protocol: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnreadableFileError, match=r"names '(__builtin__|builtins).print'"):
        nt.load(archive(pickle.dumps({"x": Bomb()}, protocol)), weights_only=False)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("pickled", "reason"),
    [
        (b"", "truncated"),
        (b"\x80\x02]", "truncated"),
        (b"\x80\x02K\x01K\x02.", "altered"),
        (b"\x80\x02K\x01K\x02R.", "would call a int"),
        (b"\x80\x02ctorch\nSize\n}R.", "would call"),
        (b"\x80\x02}}b.", "would change a dict"),
        (b"\x80\x02ccollections\nOrderedDict\n)R}X\x05\x00\x00\x00itemsK\x01sb.", "set attributes"),
        (b"\x80\x02(K\x01.", "altered"),
        (b"\x80\x02K\x01e.", "lacks a mark"),
        (b"\x80\x02}r\xff\xff\xff\xff.", None),
        (b"\x80\x02h\x07.", "altered"),
        (b"\x80\x00.", "protocol 0"),
        (b"\x80\x02I1\n.", "instruction 0x49"),
        (b"\x80\x02\x8b\xff\xff\xff\x7f.", "truncated"),
        (b"\x80\x02K\x01Q.", "other than a storage"),
        (b"\x80\x02" + b"]" * 50_000 + b"." + b"", "altered"),
    ],
)
def test_odd_pickles_are_refused(pickled: bytes, reason: str | None) -> None:
    if reason is None:
        assert nt.load(archive(pickled)) == {}
    else:
        with pytest.raises(UnreadableFileError, match=reason):
            nt.load(archive(pickled))


def test_compressed_archives_are_refused() -> None:
    with pytest.raises(UnreadableFileError, match="compressed"):
        nt.load(archive(pickle.dumps(["x" * 1000], 2), zipfile.ZIP_DEFLATED))


def test_other_archives_are_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        members.writestr("text", "no tensors")
    file.seek(0)
    with pytest.raises(UnreadableFileError, match="the archive is truncated or was altered"):
        nt.load(file)
