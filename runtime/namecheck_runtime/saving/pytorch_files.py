"""Files that PyTorch wrote: `torch.save` of tensors and nests of them, read as weights only.

A file is a pickle of the nest, in which storages are named by keys, and the bytes of each storage:
in a zip archive, or one after the other in files from before PyTorch 1.6.  See
`torch.serialization` and `torch._utils`.
"""

from __future__ import annotations

import mmap
import struct
import sys
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from typing import IO, Any, Final, NamedTuple, TypeAlias

import numpy as np

from namecheck_runtime.saving.locations import Move, Place
from namecheck_runtime.saving.pickle_machine import Known, PickleMachine
from namecheck_runtime.saving.refusals import refuse
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
from namecheck_runtime.tensors.backends import make
from namecheck_runtime.tensors.object import Size, Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import dtype as DType
from namecheck_runtime.tensors.values.storage import Storage

LEGACY_START: Final = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
"""The first bytes of a file from before zip archives: the pickle of a number."""

_LEGACY_PROTOCOL: Final = 1001


class _StorageType(NamedTuple):
    """What stands for `torch.FloatStorage`: the dtype of its elements; None if it has none."""

    dtype: str | None


class _Memory(NamedTuple):
    """A storage of a file: the bytes, where they go, and the dtype that its type says."""

    storage: Storage
    place: Place
    dtype: DType | None


Read: TypeAlias = Callable[[str, int, "DType | None"], np.ndarray[Any, Any]]
"""From a key, a number of bytes and the dtype of the elements to a vector of bytes."""


class _Sources:
    """The storages of a file by their keys, and the tensors over them."""

    def __init__(self, read: Read, move: Move) -> None:
        self._read = read
        self._move = move
        self._memories: dict[str, _Memory] = {}

    def load(self, identifier: Any) -> _Memory:
        """The storage of a persistent identifier of the pickle."""
        if type(identifier) is not tuple or len(identifier) < 5 or identifier[0] != "storage":
            refuse("its pickle refers to something other than a storage")
        _, kind, key, location, count, *rest = identifier
        if type(kind) is not _StorageType or not isinstance(location, str):
            refuse("its pickle has a storage of no known type")
        if rest and rest != [None]:
            refuse("it has views of storages, as PyTorch before 0.4 wrote them")
        of = None if kind.dtype is None else dtype_named(kind.dtype)
        memory = self._memories.get(str(key))
        if memory is None:
            (count,) = checked_geometry([count], None, 0).sizes
            length: Any = count * _item(of)  # type: ignore[operator]
            storage = storage_over(self._read(str(key), length, of))
            memory = _Memory(storage, self._move(storage, location), of)
            self._memories[str(key)] = memory
        return memory._replace(dtype=of)

    @property
    def keys(self) -> set[str]:
        """The keys of all storages that were asked for."""
        return {*self._memories}


def _item(of: DType | None) -> int:
    return 1 if of is None else of.itemsize


# -- what a pickle may name ------------------------------------------------------------------------


def _tensor(
    memory: Any,
    offset: Any,
    sizes: Any,
    strides: Any,
    requires_grad: Any = False,
    hooks: Any = None,
    metadata: Any = None,
) -> Tensor:
    """`torch._utils._rebuild_tensor_v2`."""
    return _typed_tensor(memory, offset, sizes, strides, requires_grad, hooks, None, metadata)


def _typed_tensor(
    memory: Any,
    offset: Any,
    sizes: Any,
    strides: Any,
    requires_grad: Any,
    hooks: Any,
    of: Any,
    metadata: Any = None,
) -> Tensor:
    """`torch._utils._rebuild_tensor_v3`, whose storage has no dtype."""
    if type(memory) is not _Memory:
        refuse("its pickle has a tensor without a storage")
    of = memory.dtype if of is None else of
    if type(of) is not DType:
        refuse("its pickle has a tensor without a dtype")
    if hooks or metadata:
        refuse("it has a tensor with hooks, or one to be conjugated: save x.resolve_conj() there")
    geometry = checked_geometry(sizes, strides, offset)
    record = Record(of, geometry, checked_names(None, len(geometry.sizes)), requires_grad is True)
    require_inside(record, memory.storage.nbytes())
    return shown(record, memory.place, memory.storage)


def _parameter(data: Any, requires_grad: Any, hooks: Any, state: Any = None) -> Any:
    """`torch._utils._rebuild_parameter`: a plain tensor that wants gradients as it did."""
    if not isinstance(data, Tensor) or state:
        refuse("it has a parameter with attributes of its own")
    return data.requires_grad_(True) if requires_grad is True else data


def _meta(of: Any, sizes: Any, strides: Any, requires_grad: Any) -> Tensor:
    """`torch._utils._rebuild_meta_tensor_no_storage`."""
    if type(of) is not DType:
        refuse("its pickle has a tensor without a dtype")
    geometry: Geometry = checked_geometry(sizes, strides, 0)
    names = checked_names(None, len(geometry.sizes))
    tensor = make(dtypes.META, dtypes.strided, of, geometry, names, None)
    return tensor.requires_grad_(True) if requires_grad is True else tensor


def _typed(rebuild: Any, kind: Any, arguments: Any, state: Any) -> Any:
    """`torch._tensor._rebuild_from_type_v2`: for tensors that may have attributes."""
    if type(rebuild) is not Known or type(arguments) is not tuple or kind not in _TENSOR_TYPES:
        refuse("it has a tensor of a class that is not PyTorch's own")
    if state and any(part for part in (state if isinstance(state, tuple) else [state])):
        refuse("it has a tensor with attributes of its own")
    return rebuild.call(*arguments)


def _encode(text: Any, encoding: Any) -> bytes:
    """`_codecs.encode`, by which pickles of protocol 2 have bytes."""
    if not isinstance(text, str) or encoding != "latin1":
        refuse("its pickle has bytes in no known encoding")
    return text.encode("latin1")


def _size(sizes: Any = ()) -> Size:
    known: Any = checked_geometry(sizes, None, 0).sizes
    return Size(known)


def _layout(name: Any) -> Any:
    if name != "torch.strided":
        refuse(f"it has a tensor of layout {str(name)[:40]}")
    return dtypes.strided


_TENSOR_TYPES: Final = ("Tensor", "Parameter")

_BUILTINS: Final = {
    "set": Known(lambda entries=(): set(entries)),
    "frozenset": Known(lambda entries=(): frozenset(entries)),
    "complex": Known(lambda real=0.0, imag=0.0: complex(real, imag)),
}
_GLOBALS: Final[dict[str, dict[str, Any]]] = {
    "torch": {
        "Tensor": _TENSOR_TYPES[0],
        "Size": Known(_size),
        "device": Known(dtypes.device),
        "strided": dtypes.strided,
        "UntypedStorage": _StorageType(None),
    },
    "torch._utils": {
        "_rebuild_tensor": Known(_tensor),
        "_rebuild_tensor_v2": Known(_tensor),
        "_rebuild_tensor_v3": Known(_typed_tensor),
        "_rebuild_parameter": Known(_parameter),
        "_rebuild_parameter_with_state": Known(_parameter),
        "_rebuild_meta_tensor_no_storage": Known(_meta),
    },
    "torch._tensor": {"Tensor": _TENSOR_TYPES[0], "_rebuild_from_type_v2": Known(_typed)},
    "torch.nn.parameter": {"Parameter": _TENSOR_TYPES[1]},
    "torch.serialization": {"_get_layout": Known(_layout)},
    "torch.storage": {"UntypedStorage": _StorageType(None)},
    "collections": {"OrderedDict": Known(OrderedDict)},
    "_codecs": {"encode": Known(_encode)},
    "builtins": _BUILTINS,
    "__builtin__": _BUILTINS,  # of Python 2, and of pickles that it could read
}
"""What stands for the globals that a pickle may name, by their modules."""

_NOT_HERE: Final = frozenset({"complex32", "bcomplex32"})
"""PyTorch's dtypes that only third parties can add."""


def _elements(name: str) -> Any:
    """What stands for a dtype or the class of a storage of PyTorch's; None for any other name."""
    if name in dtypes.DTYPES or name in _NOT_HERE:
        return dtype_named(name)
    for of, spoken in dtypes.SPOKEN.items():
        if name == f"{spoken}Storage":
            return _StorageType(of)
    return None


def _find(module: str, name: str) -> Any:
    """What stands for a global.  Raises UnreadableFileError, with its name, for any other."""
    known = _GLOBALS.get(module, {})
    if name in known:
        return known[name]
    elements = _elements(name) if module == "torch" else None
    if elements is not None:
        return elements
    path = f"{module}.{name}"[:100]
    return refuse(
        f"its pickle names {path!r}, and only tensors, numbers and texts are read from files of "
        "PyTorch's: save a state_dict() there"
    )


# -- archives --------------------------------------------------------------------------------------


def read_archive(file: IO[bytes], mapped: bool, move: Move) -> Any:
    """The nest of a zip archive; `mapped` maps its memory, without comparing checksums.

    Raises UnreadableFileError, what reading the archive raises, and what `move` raises.
    """
    with zipfile.ZipFile(file) as archive:
        members = {info.filename: info for info in archive.infolist()}
        (root,) = (name[: -len("data.pkl")] for name in members if _is_nest(name))
        if f"{root}constants.pkl" in members:
            refuse("it is a program of TorchScript: save its state_dict() in PyTorch")
        order = _order(archive, members.get(f"{root}byteorder"))
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if mapped else None

        def read(key: str, length: int, of: DType | None) -> np.ndarray[Any, Any]:
            info = members.get(f"{root}data/{key}")
            if info is None or _stored(info) != length:
                refuse(f"the storage {key[:40]!r} in it is missing or has another size")
            if memory is None:
                return _swapped(_read_member(archive, info, length), order, of)
            start = _start(file, info)
            vector = np.frombuffer(memory, np.uint8, length, start)
            return _swapped(vector if start % 16 == 0 else vector.copy(), order, of)

        nest = members[f"{root}data.pkl"]
        _stored(nest)
        return PickleMachine(archive.read(nest), _find, _Sources(read, move).load).read()


def _is_nest(name: str) -> bool:
    folder, _, rest = name.partition("/")
    return rest == "data.pkl" and bool(folder)


def _order(archive: zipfile.ZipFile, info: zipfile.ZipInfo | None) -> str:
    if info is None:
        return "little"
    _stored(info)
    order = archive.read(info).decode("ascii")
    if order not in ("little", "big"):
        refuse(f"{order[:20]!r} is no order of bytes")
    return order


def _stored(info: zipfile.ZipInfo) -> int:
    """The size of a member.  Raises UnreadableFileError for one that is compressed."""
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        refuse("its archive is compressed, which PyTorch does not do")
    return info.file_size


_PART: Final = 1 << 22


def _read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, length: int
) -> np.ndarray[Any, Any]:
    """The bytes of a member, whose checksum is compared."""
    room = np.empty(length, np.uint8)
    place = 0
    with archive.open(info) as member:
        while part := member.read(_PART):
            room[place : place + len(part)] = np.frombuffer(part, np.uint8)
            place += len(part)
    if place != length:
        refuse("a storage in it is truncated")
    return room


def _start(file: IO[bytes], info: zipfile.ZipInfo) -> int:
    """Where the bytes of a member begin."""
    file.seek(info.header_offset)
    header = file.read(30)
    if header[:4] != b"PK\x03\x04":
        refuse("a member of its archive has no header")
    name, extra = struct.unpack("<HH", header[26:30])
    return info.header_offset + 30 + int(name) + int(extra)


def _swapped(vector: np.ndarray[Any, Any], order: str, of: DType | None) -> np.ndarray[Any, Any]:
    """The bytes of elements in the order of this machine."""
    number = _item(of) // 2 if of is not None and of.is_complex else _item(of)
    if order == sys.byteorder or number == 1:
        return vector
    return vector.view(f"u{number}").byteswap().view(np.uint8)


# -- files from before archives --------------------------------------------------------------------


def read_legacy(data: bytes, move: Move) -> Any:
    """The nest of a file that has a pickle and then its storages.

    Raises UnreadableFileError, and what `move` raises.
    """
    # The storages come last, so that the nest is read twice: for their sizes, and with them.
    wanted: dict[str, tuple[int, DType | None]] = {}

    def note(key: str, length: int, of: DType | None) -> np.ndarray[Any, Any]:
        if length > len(data):
            refuse("it is truncated")
        wanted[key] = (length, of)
        return np.zeros(length, np.uint8)

    nest_at, keys, place = _read_head(data, _Sources(note, lambda storage, _: storage))
    vectors: dict[str, np.ndarray[Any, Any]] = {}
    for key in keys:
        length, of = wanted[key]
        (count,) = struct.unpack("<q", data[place : place + 8])
        place += 8 + length
        if count * _item(of) != length or place > len(data):
            refuse("a storage in it is truncated or was altered")
        part = bytearray(data[place - length : place])
        vectors[key] = _swapped(np.frombuffer(part, np.uint8), "little", of)
    sources = _Sources(lambda key, length, of: vectors[key], move)
    machine = PickleMachine(data, _find, sources.load)
    machine.place = nest_at
    return machine.read()


def _read_head(data: bytes, sources: _Sources) -> tuple[int, list[str], int]:
    """Where the nest begins, the keys of the storages in their order, and where they begin."""
    machine = PickleMachine(data, _find, sources.load)
    machine.read()
    if machine.read() != _LEGACY_PROTOCOL:
        refuse("it is of a version of PyTorch's old format that is not known")
    system = machine.read()
    if not isinstance(system, dict) or system.get("little_endian") is not True:
        refuse("it comes from a machine with another order of bytes")
    nest_at = machine.place
    machine.read()
    keys = machine.read()
    if not isinstance(keys, list) or {*keys} != sources.keys:
        refuse("its storages are not those that its tensors show")
    return nest_at, keys, machine.place
