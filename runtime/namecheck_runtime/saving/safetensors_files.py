"""Files in the format safetensors: ours, with names and structure in the metadata, and others'.

Layout, sizes and offsets in a file are read and checked by the library `safetensors`; here its
memory is mapped, and what our metadata says is compared with it.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import zlib
from collections.abc import Mapping
from typing import IO, Any, Final, NamedTuple

import numpy as np

from namecheck_runtime.saving.locations import Move, Place
from namecheck_runtime.saving.nests import decode, encode
from namecheck_runtime.saving.refusals import refuse
from namecheck_runtime.saving.tensor_entries import Entries, entries_of
from namecheck_runtime.saving.tensor_records import (
    Record,
    checked_geometry,
    checked_names,
    dtype_named,
    require_inside,
    shown,
    storage_over,
)
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.backends import extent, make
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.storage import Storage

KEY: Final = "namecheck"
"""The key of our structure in a file's metadata."""

_VERSION: Final = 1

_CODES: Final = {
    "BOOL": "bool",
    "BF16": "bfloat16",
    "C64": "complex64",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "F8_E4M3FNUZ": "float8_e4m3fnuz",
    "F8_E5M2FNUZ": "float8_e5m2fnuz",
    "F8_E8M0": "float8_e8m0fnu",
    **{f"F{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
"""The names of dtypes by what the format calls them."""


def _library() -> Any:
    try:
        import safetensors
    except ImportError:
        raise ImportError(
            "files of tensors are written and read by the library safetensors, which is not "
            "installed: pip install 'namecheck-tensors[save]'"
        ) from None
    return safetensors


# -- writing ---------------------------------------------------------------------------------------


class Content(NamedTuple):
    """What a file will hold."""

    entries: Entries
    metadata: dict[str, str]


def content_of(nest: Any) -> Content:
    """The entries and the metadata of a nest.

    Raises NotANestError for other objects, and what `entries_of` raises.
    """
    tensors: list[Tensor] = []
    paths: list[tuple[str, ...]] = []
    numbers: dict[int, int] = {}

    def add(tensor: Tensor, path: tuple[str, ...]) -> int:
        number = numbers.get(id(tensor))
        if number is None:
            number = numbers[id(tensor)] = len(tensors)
            tensors.append(tensor)
            paths.append(path)
        return number

    structure = encode(nest, add)
    entries = entries_of(tensors, paths)
    # Not all dtypes of third parties have Python's buffer protocol; their bytes do.
    checksums = {
        name: zlib.crc32(array.reshape(-1).view(np.uint8).data)
        for name, array in entries.arrays.items()
    }
    text = json.dumps(
        {
            "version": _VERSION,
            "nest": structure,
            "tensors": entries.records,
            "entries": {
                name: [array.dtype.name, list(array.shape), checksums[name]]
                for name, array in entries.arrays.items()
            },
        },
        separators=(",", ":"),
        allow_nan=False,
    )
    # Other readers of the format ask for whose tensors these are; PyTorch's have this dims' order.
    return Content(entries, {"format": "pt", KEY: f"{zlib.crc32(text.encode()):08x} {text}"})


def _little(elements: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Elements with the order of bytes of the format, or back from it."""
    return elements if sys.byteorder == "little" else elements.byteswap()


def _held_as(name: str) -> tuple[str, tuple[int, ...]]:
    """The dtype that the format has for one that it lacks, and how many of it make an element."""
    if name == "complex128":
        return "float64", (2,)
    if name in _CODES.values():
        return name, ()
    return "uint8", (dtype_named(name).itemsize,)


def _specs(arrays: Mapping[str, np.ndarray[Any, Any]]) -> tuple[dict[str, Any], list[Any]]:
    """What the library takes for arrays, and the arrays themselves, to be kept until it is done."""
    library = _library()
    kept: list[np.ndarray[Any, Any]] = []
    specs: dict[str, Any] = {}
    for name, array in arrays.items():
        little = _little(array)
        kind, more = _held_as(array.dtype.name)
        if more:
            little = little.reshape(-1).view(kind).reshape(*array.shape, *more)
        kept.append(little)
        specs[name] = library.TensorSpec(
            dtype=little.dtype.name,
            shape=list(little.shape),
            data_ptr=little.ctypes.data,
            data_len=little.nbytes,
        )
    return specs, kept


def write_file(content: Content, path: str) -> None:
    """Write a file at a path.  Raises ImportError without the library, OSError of the system."""
    specs, kept = _specs(content.entries.arrays)
    try:
        _library().serialize_file(specs, path, content.metadata)
    except _library().SafetensorError as error:
        raise OSError(f"save() cannot write {path!r}: {error}") from None
    del kept


def to_bytes(content: Content) -> bytes:
    """The bytes of a file.  Raises ImportError without the library."""
    specs, kept = _specs(content.entries.arrays)
    written = bytes(_library().serialize(specs, content.metadata))
    del kept
    return written


# -- reading ---------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """A named tensor of the format, over its bytes."""

    code: str
    sizes: tuple[int, ...]
    memory: np.ndarray[Any, Any]


class _File(NamedTuple):
    """The entries of a file, and its metadata."""

    entries: dict[str, _Entry]
    metadata: dict[str, str]


def _of_path(path: str, mapped: bool) -> _File:
    """A file at a path: its memory mapped, or read."""
    while True:
        with open(path, "rb") as file:
            with _library().safe_open(path, "numpy") as opened:
                layout = [(name, opened.get_slice(name)) for name in opened.offset_keys()]
                shapes = [(name, s.get_dtype(), tuple(s.get_shape())) for name, s in layout]
                metadata = dict(opened.metadata() or {})
            # A save between the two looks at the path has put another file there.
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return _File(_entries(file, shapes, mapped), metadata)


def _entries(
    file: IO[bytes], shapes: list[tuple[str, str, tuple[int, ...]]], mapped: bool
) -> dict[str, _Entry]:
    """The entries of an open file, which lie one after the other at its end."""
    if mapped:
        memory = np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY), np.uint8)
    else:
        memory = np.fromfile(file, np.uint8)
    lengths = [_length(code, sizes) for _, code, sizes in shapes]
    place = memory.nbytes - sum(lengths)
    entries: dict[str, _Entry] = {}
    for (name, code, sizes), length in zip(shapes, lengths, strict=True):
        entries[name] = _Entry(code, sizes, memory[place : place + length])
        place += length
    return entries


def _length(code: str, sizes: tuple[int, ...]) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count * _dtype_of(code).itemsize


def _dtype_of(code: str) -> DType:
    return dtype_named(_CODES.get(code, code))


def _of_bytes(data: bytes) -> _File:
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    entries = {
        name: _Entry(entry["dtype"], tuple(entry["shape"]), np.frombuffer(entry["data"], np.uint8))
        for name, entry in _library().deserialize(data)
    }
    return _File(entries, header.get("__metadata__", {}))


def read(source: str | bytes, mmap: bool | None, move: Move) -> Any:
    """The nest in a file at a path or in bytes; a dict of tensors in a file of others.

    `mmap` True maps the file and compares no checksums, None maps and compares, False reads it all.
    Raises UnreadableFileError, OSError of the system, and what `move` raises.
    """
    file = _of_bytes(source) if isinstance(source, bytes) else _of_path(source, mmap is not False)
    if KEY not in file.metadata:
        if any('"nest":' in text and '"tensors":' in text for text in file.metadata.values()):
            refuse("its metadata were altered (the key of its structure)")
        return {name: _plain(entry, move) for name, entry in file.entries.items()}
    structure = _structure(file.metadata[KEY])
    _compare(structure, file.entries, not mmap)
    places = _Places(file.entries, move)
    tensors = [places.tensor(record) for record in structure["tensors"]]
    return decode(structure["nest"], tensors)


def _plain(entry: _Entry, move: Move) -> Tensor:
    of = _dtype_of(entry.code)
    record = Record(
        of, checked_geometry(entry.sizes, None, 0), checked_names(None, len(entry.sizes))
    )
    memory = _storage(entry.memory, of)
    return shown(record, move(memory, "cpu"), memory)


def _storage(memory: np.ndarray[Any, Any], of: DType) -> Storage:
    """Bytes of a file as a storage of elements, in this machine's order."""
    if memory.ctypes.data % of.itemsize:
        memory = memory.copy()
    return storage_over(_little(memory.view(of.numpy)))


def _structure(text: str) -> Any:
    """Our metadata.  Raises UnreadableFileError if its checksum says that it was altered."""
    checksum, _, rest = text.partition(" ")
    if checksum != f"{zlib.crc32(rest.encode()):08x}":
        refuse("its metadata were altered (their checksum differs)")
    structure = json.loads(rest)
    if structure.get("version") != _VERSION:
        refuse(f"it is of version {structure.get('version')!r}, and this library reads {_VERSION}")
    return structure


def _compare(structure: Any, entries: Mapping[str, _Entry], checksums: bool) -> None:
    """Raise UnreadableFileError if the entries are not those that our metadata describe."""
    described = structure["entries"]
    if described.keys() != entries.keys():
        missing = sorted({*described} ^ {*entries})
        refuse(f"its entries are not those that it was saved with ({missing[0]!r})")
    for name, (kind, sizes, checksum) in described.items():
        entry = entries[name]
        of, more = _held_as(kind)
        if _CODES.get(entry.code) != of or entry.sizes != (*sizes, *more):
            refuse(f"its entry {name!r} has another dtype or other sizes than it was saved with")
        if checksums and zlib.crc32(entry.memory.data) != checksum:
            refuse(f"the elements of {name!r} were altered (their checksum differs)")


class _Places:
    """The memory of entries, brought to where it goes; one storage for all tensors that share."""

    def __init__(self, entries: Mapping[str, _Entry], move: Move) -> None:
        self._entries = entries
        self._move = move
        self._made: dict[Any, tuple[Storage, Place]] = {}

    def tensor(self, record: Any) -> Tensor:
        """The tensor of a record.  Raises UnreadableFileError for a record that does not fit."""
        sizes = record["sizes"]
        geometry = checked_geometry(sizes, record.get("strides"), record.get("offset", 0))
        names = checked_names(record.get("names"), len(sizes))
        of = dtype_named(record["dtype"])
        read = Record(of, geometry, names, record.get("requires_grad") is True)
        location = record.get("location", "cpu")
        if not isinstance(location, str):
            refuse("a location in it is no text")
        if "entry" not in record:
            return _without_memory(read)
        name = record["entry"]
        permuted = tuple(geometry.sizes + geometry.strides) if "permuted" in record else None
        key = (name, location, permuted)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._make(self._entries[name], read, permuted, location)
        memory, place = made
        require_inside(read, memory.nbytes())
        return shown(read, place, memory)

    def _make(
        self, entry: _Entry, record: Record, permuted: Any, location: str
    ) -> tuple[Storage, Place]:
        alone = record.dtype.name not in _CODES.values()  # and not in a memory of several dtypes
        whole = entry.memory.nbytes % record.dtype.itemsize == 0
        of = record.dtype if alone and whole else _dtype_of(entry.code)
        memory = _storage(entry.memory, of)
        if permuted is not None:
            memory = _in_order(memory, record)
        return memory, self._move(memory, location)


def _without_memory(record: Record) -> Tensor:
    """A tensor that was saved on `meta`, where it stays wherever others go."""
    geometry = record.geometry
    tensor = make(dtypes.META, dtypes.strided, record.dtype, geometry, record.names, None)
    return tensor.requires_grad_(True) if record.requires_grad else tensor


def _in_order(memory: Storage, record: Record) -> Storage:
    """Row-major elements in the order of memory of a record, which has no gaps."""
    sizes: Any = record.geometry.sizes
    count = extent(record.geometry)
    item = record.dtype.itemsize
    if count * item != memory.nbytes() or record.geometry.offset:
        refuse("a tensor in it has strides with gaps")
    rows = memory.show(
        Geometry(sizes, checked_geometry(sizes, None, 0).strides), record.dtype.numpy
    )
    result = storage_over(np.zeros(count, record.dtype.numpy))
    result.show(record.geometry, record.dtype.numpy)[...] = rows
    return result
