"""Write `pytorch_files/`: what `torch.save` makes, which `nt.load` must read.

Run it where PyTorch is installed (2.15 wrote these); tests only read the files.
"""

from __future__ import annotations

import argparse
import sys
import zipfile
from collections import OrderedDict
from pathlib import Path

import torch

FOLDER = Path(__file__).parent / "pytorch_files"


class Custom:
    """No part of any state_dict."""


def nest() -> dict[str, object]:
    """Elements of each dtype, views, shared memory and what else stands in checkpoints."""
    base = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    state = OrderedDict(
        weight=base,
        tied=base,
        transposed=base.t(),
        row=base[1],
        column=base[:, 2],
        expanded=torch.tensor([2.5]).expand(3),
        parameter=torch.nn.Parameter(torch.ones(2)),
        frozen=torch.nn.Parameter(torch.zeros(2), requires_grad=False),
        scalar=torch.tensor(7, dtype=torch.int64),
        empty=torch.zeros(0, 3),
        meta=torch.empty(2, 3, device="meta"),
        cl=torch.arange(24.0).reshape(1, 2, 3, 4).contiguous(memory_format=torch.channels_last),
    )
    state._metadata = OrderedDict([("", {"version": 1})])
    for dtype in (
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
        *(torch.float16, torch.float32, torch.float64, torch.complex64, torch.complex128),
    ):
        state[str(dtype).removeprefix("torch.")] = torch.tensor([1, 0, 3]).to(dtype)
    return {
        "state_dict": state,
        "epoch": 3,
        "loss": 0.5,
        "name": "net",
        "size": torch.Size([2, 3]),
        "dtype": torch.float16,
        "device": torch.device("cpu"),
        "flags": (True, None, [1, 2.0, "x", b"\x00\xff"], {1, 2}, 1 + 2j, 2**80),
    }


def write_big_endian(path: Path) -> None:
    """As a machine with the other order of bytes writes it."""
    assert sys.byteorder == "little"
    tensors = {"a": torch.arange(3.0), "b": torch.tensor([1 + 2j]), "c": torch.tensor([1, 258])}
    for value in tensors.values():
        value.untyped_storage().byteswap(value.dtype)
    torch.save(tensors, path)
    swapped = path.with_suffix(".new")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(swapped, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            new.writestr(info.filename, b"big" if info.filename.endswith("byteorder") else data)
    swapped.replace(path)


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    FOLDER.mkdir(exist_ok=True)
    torch.manual_seed(0)
    torch.save(nest(), FOLDER / "nest.pt")
    torch.save(nest(), FOLDER / "legacy.pt", _use_new_zipfile_serialization=False)
    torch.save(nest(), FOLDER / "protocol4.pt", pickle_protocol=4)
    torch.save({"w": torch.ones(2).bfloat16()}, FOLDER / "bfloat16.pt")
    torch.save({"w": torch.ones(2).to_sparse()}, FOLDER / "sparse.pt")
    torch.save(torch.nn.Linear(2, 3), FOLDER / "module.pt")
    torch.save({"x": Custom()}, FOLDER / "custom.pt")
    torch.save({"w": torch.tensor([1 + 2j]).conj()}, FOLDER / "conjugated.pt")
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.arange(4.0).reshape(2, 2)).sum().backward()
    optimizer.step()
    checkpoint = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(checkpoint, FOLDER / "checkpoint.pt")
    write_big_endian(FOLDER / "big_endian.pt")
    write_on_cuda(FOLDER / "cuda.pt")


def write_on_cuda(path: Path) -> None:
    """As a machine with a GPU writes it."""
    torch.serialization.register_package(
        1, lambda storage: "cuda:0", lambda storage, location: None
    )
    torch.save({"w": torch.arange(3.0)}, path)


if __name__ == "__main__":
    main()
