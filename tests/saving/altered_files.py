"""Altered files of tensors: `python altered_files.py NUMBER [SEED]` loads that many.

Each must load or raise what is documented, without any import, code or process, and what loads is
read in full, so that a tensor beyond its memory would show.  The process has little memory, so that
a file of a few bytes that asks for gigabytes shows, too.
"""

from __future__ import annotations

import io
import json
import random
import resource
import sys
import tempfile
import zipfile
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

import namecheck_runtime as nt
from namecheck_runtime.serialization import UnreadableFileError

DATA: Final = Path(__file__).parents[1] / "data/pytorch_files"
MEMORY: Final = 3 << 30
NUMBERS: Final = (0, 1, 2, 127, 128, 255, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**62, 2**64 - 1)
FORBIDDEN: Final = (
    *("import", "exec", "compile", "os.system", "subprocess.Popen", "os.exec", "os.fork"),
    *("pickle.find_class", "os.remove", "os.rename", "socket.connect", "ctypes.dlopen"),
)


def ours() -> bytes:
    """A file of `nt.save` with all kinds of tensors."""
    x = nt.arange(12.0).reshape(3, 4).rename("N", "C")
    nest = OrderedDict(
        x=x,
        row=x[1],
        turned=nt.ones(2, 3).T,
        parts=list(nt.arange(10).chunk(3)),
        bits=nt.tensor([True, False]),
        complex=nt.ones(2, dtype=nt.complex128),
        empty=nt.zeros(0, 2),
        meta=nt.zeros(2, device="meta"),
        rest=(1, 2.5, None, "text", 1j, nt.float32, nt.Size([1])),
    )
    file = io.BytesIO()
    nt.save(nest, file)
    return file.getvalue()


def altered(data: bytes, draw: random.Random) -> bytes:
    """Bytes with one to four random changes."""
    content = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 4))):
        place = draw.randrange(len(content) or 1)
        length = draw.choice((1, 2, 4, 8, 16, 64))
        match draw.randrange(7):
            case 0 if content:
                content[place % len(content)] ^= 1 << draw.randrange(8)
            case 1 if content:
                content[place % len(content)] = draw.randrange(256)
            case 2:
                del content[place : place + length]
            case 3:
                content[place:place] = content[place : place + length]
            case 4:
                content[place:place] = draw.randbytes(length)
            case 5:
                number = draw.choice(NUMBERS).to_bytes(8, "little")[: draw.choice((1, 2, 4, 8))]
                content[place : place + len(number)] = number
            case _:
                if draw.random() < 0.3:
                    del content[place:]
    return bytes(content)


def signed(data: bytes, draw: random.Random) -> bytes:
    """A file of ours whose structure is altered and has the checksums that fit."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    structure = json.loads(header["__metadata__"]["namecheck"][9:])
    for _ in range(draw.choice((1, 1, 3))):
        _alter_value(structure, draw)
    text = json.dumps(structure)
    if draw.random() < 0.2:
        text = altered(text.encode(), draw).decode("utf-8", "replace")
    header["__metadata__"]["namecheck"] = f"{zlib.crc32(text.encode()):08x} {text}"
    if draw.random() < 0.2:
        _alter_value(header, draw)
    written = json.dumps(header).encode()
    written += b" " * (-len(written) % 8)
    return len(written).to_bytes(8, "little") + written + data[8 + length :]


def _alter_value(value: Any, draw: random.Random) -> None:
    """Change one value somewhere in JSON's lists and objects."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = draw.choice(keys)
        inside = value[key]
        if isinstance(inside, (dict, list)) and inside and draw.random() < 0.85:
            value = inside
            continue
        others = (*NUMBERS, -1, 1.5, None, True, "x", "float64", "bool", "int8", [], {}, [[1]], [5])
        value[key] = draw.choice(others)
        return


def repacked(data: bytes, draw: random.Random) -> bytes:
    """An archive whose pickle is altered, with the checksum that fits."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for info in old.infolist():
            member = old.read(info)
            wanted = info.filename.endswith("data.pkl") or draw.random() < 0.1
            new.writestr(info.filename, altered(member, draw) if wanted else member)
    return file.getvalue()


def read_in_full(value: Any) -> None:
    """Read each element of the tensors in a nest."""
    if isinstance(value, nt.Tensor):
        if value.device.type == "cpu":
            array = value.detach().numpy()
            if array.size < 1 << 20:
                array.tobytes()
            if array.dtype == bool and array.ndim and array.size < 1 << 20:
                np.arange(array.size)[array.reshape(-1)].sum()
            repr(value)
    elif isinstance(value, dict):
        for key, entry in value.items():
            read_in_full(key)
            read_in_full(entry)
    elif isinstance(value, (list, tuple, set)):
        for entry in value:
            read_in_full(entry)


Alter = Callable[[bytes, random.Random], bytes]


def kinds() -> dict[str, tuple[list[bytes], list[Alter]]]:
    """The files by their format, and how each is altered."""
    archives = [(DATA / f"{name}.pt").read_bytes() for name in ("nest", "checkpoint", "protocol4")]
    return {
        "safetensors": ([ours()], [altered, signed, signed]),
        "archive": (archives, [altered, repacked, repacked]),
        "legacy": ([(DATA / "legacy.pt").read_bytes()], [altered]),
    }


def loaded(data: bytes, path: Path, draw: random.Random) -> str:
    """Load altered bytes; `loaded` or `refused`.  Raises what is not documented."""
    path.write_bytes(data)
    source: Any = path if draw.random() < 0.7 else io.BytesIO(data)
    mmap = draw.choice((None, True, False)) if source is path else None
    try:
        nest = nt.load(source, mmap=mmap)
    except UnreadableFileError:
        return "refused"
    except RuntimeError as error:
        if "deserialize object on" in str(error) or "restore data location" in str(error):
            return "refused"
        if "Invalid device string" in str(error):
            return "refused"
        raise
    read_in_full(nest)
    return "loaded"


def main(number: int, seed: int) -> None:
    """Load altered files; raise AssertionError for the first that does what it must not."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    events: list[str] = []
    watching = [False]

    def note(event: str, _: Any) -> None:
        if watching[0] and event in FORBIDDEN:
            events.append(event)

    sys.addaudithook(note)
    counts: Counter[tuple[str, str]] = Counter()
    files = kinds()
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for name, (contents, _) in files.items():
            for data in contents:
                for _ in range(8):  # what is imported on first use is no doing of a file
                    loaded(data, path, draw)
            counts[name, "loaded"] = 0
        for place in range(number):
            name = draw.choice(list(files))
            contents, ways = files[name]
            data = draw.choice(ways)(draw.choice(contents), draw)
            watching[0] = place > 500
            try:
                counts[name, loaded(data, path, draw)] += 1
            except BaseException as error:
                kept = Path(tempfile.gettempdir()) / "namecheck-altered-file"
                kept.write_bytes(data)
                raise AssertionError(f"{name} {place} ({kept}): {error!r}") from error
            watching[0] = False
            if events:
                raise AssertionError(f"{name} {place}: a file made {events}")
    print(dict(counts))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
