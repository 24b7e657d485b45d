"""`nt.save` and `nt.load`.

`save` writes the format safetensors, so that a file holds data and no code, and other programs read
it.  `load` reads that, what PyTorch wrote, and pickles if the caller says that they may run code.
"""

from __future__ import annotations

import io
import os
import pickle
from typing import IO, Any, Final

from namecheck_runtime.saving import pytorch_files, safetensors_files
from namecheck_runtime.saving.atomic_files import is_replaceable, replace_file
from namecheck_runtime.saving.locations import Move, Place, move_by
from namecheck_runtime.saving.refusals import reading, refuse

_LARGEST_HEADER: Final = 100_000_000
"""The library's own limit."""


def save(
    obj: object,
    f: Any,
    pickle_module: Any = None,
    pickle_protocol: int | None = None,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    """Write a nest of tensors to a file, in the format safetensors.

    `obj` is a tensor, or a dict, OrderedDict, list, tuple or set of tensors, numbers, texts, bytes,
    None, dtypes, sizes and more such nests, such as a `state_dict`.  Names of dims, strides, shared
    memory and `requires_grad` are kept.  `f` is a path, or a file that was opened to write bytes.
    A file at a path is replaced as a whole: see `replace_file`.

    With a `pickle_module`, such as `pickle`, any object is pickled by it; `load` reads that only
    with `weights_only=False`.

    Raises TypeError for other objects (and names the place), ValueError for a nest that holds
    itself, NotImplementedError for tensors of other layouts, ImportError without the library
    `safetensors`, and OSError of the system.

    As `torch.save`, whose pickles it does not write: see docs/saving.md.
    """
    to_path = isinstance(f, (str, bytes, os.PathLike))
    if not to_path and not hasattr(f, "write"):
        raise AttributeError(
            f"expected 'f' to be string, path, or a file-like object with a 'write' attribute, not "
            f"a {type(f).__name__}"
        )
    if pickle_module is not None:
        protocol = pickle.DEFAULT_PROTOCOL if pickle_protocol is None else pickle_protocol
        data = pickle_module.dumps(obj, protocol=protocol)
        _write_bytes(data, f, to_path)
        return
    content = safetensors_files.content_of(obj)
    if to_path and is_replaceable(f):
        replace_file(f, lambda path: safetensors_files.write_file(content, path))
    else:
        _write_bytes(safetensors_files.to_bytes(content), f, to_path)


def _write_bytes(data: bytes, f: Any, to_path: bool) -> None:
    def write(path: Any) -> None:
        with open(path, "wb") as file:
            file.write(data)

    if not to_path:
        f.write(data)
    elif is_replaceable(f):
        replace_file(f, write)
    else:
        write(f)


def load(
    f: Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = True,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """What a file holds that `save` wrote, or `torch.save`, or another program in safetensors.

    `f` is a path, or a file that was opened to read bytes.  `map_location` says where tensors go:
    see `move_by`.  The memory of a safetensors file at a path is mapped: a page is copied when it
    is first written to (copy-on-write), and nothing is written back.  `mmap=True` compares no
    checksums, so that nothing is read before it is used, and maps files of PyTorch's, too;
    `mmap=False` reads all.

    A file runs no code.  Only a pickle that was saved with a `pickle_module` does: it is read with
    `weights_only=False` alone.

    Raises UnreadableFileError (a RuntimeError and a `pickle.UnpicklingError`) for a file that is
    truncated, altered or of another format, or that would run code; RuntimeError for a location
    that is not there; ImportError without the library `safetensors`; OSError of the system; and
    what `map_location` raises.  As `torch.load`.
    """
    move = move_by(map_location)
    to_path = isinstance(f, (str, bytes, os.PathLike))
    if not to_path and not hasattr(f, "read"):
        raise AttributeError(
            f"expected 'f' to be string, path, or a file-like object with a 'read' attribute, not "
            f"a {type(f).__name__}"
        )
    if mmap and not to_path:
        raise ValueError(
            f"f must be a string filename in order to use mmap argument, got {type(f).__name__}"
        )
    if to_path:
        path = os.fsdecode(f)
        with open(path, "rb") as file:
            return _read(file, path, mmap, move, weights_only, pickle_module, pickle_load_args)
    with io.BytesIO(f.read()) as file:
        return _read(file, None, None, move, weights_only, pickle_module, pickle_load_args)


def _read(
    file: IO[bytes],
    path: str | None,
    mmap: bool | None,
    move: Move,
    weights_only: bool | None,
    pickle_module: Any,
    options: dict[str, Any],
) -> Any:
    """What an open file holds, by the format that its first bytes show."""
    start = file.read(16)
    file.seek(0)
    if start[:4] == b"PK\x03\x04":
        with reading("the archive"):
            return pytorch_files.read_archive(file, bool(mmap), move)
    if start.startswith(pytorch_files.LEGACY_START):
        with reading("the file"):
            return pytorch_files.read_legacy(file.read(), move)
    if _is_header(start):
        with reading("the safetensors file"):
            return safetensors_files.read(file.read() if path is None else path, mmap, move)
    if start[:1] == b"\x80" and start[1:2] <= b"\x05":
        if weights_only is not False:
            refuse(
                "it is a pickle, which can run any code; load(f, weights_only=False) reads it, if "
                "you trust where it comes from"
            )
        return _unpickle(file, pickle_module or pickle, move, options)
    return refuse(
        "it is empty"
        if not start
        else "its first bytes are of none of the formats (safetensors, torch.save, pickle)"
    )


def _is_header(start: bytes) -> bool:
    """Whether a file of the format safetensors starts so: the length of a header in JSON."""
    length = int.from_bytes(start[:8], "little")
    return length <= _LARGEST_HEADER and start[8:9] == b"{"


def _unpickle(file: IO[bytes], pickle_module: Any, move: Move, options: dict[str, Any]) -> Any:
    """What a pickle makes, whatever code it runs; its tensors go where `move` says."""
    from namecheck_runtime.saving.refusals import RaisedOutsideError
    from namecheck_runtime.tensors.making.factories import rebuild
    from namecheck_runtime.tensors.values.storage import Storage

    places: dict[int, tuple[Storage, Place]] = {}

    def rebuild_there(storage: Storage | None, elements: Any, *rest: Any) -> Any:
        if storage is None or storage.buffer is None:
            return rebuild(storage, elements, *rest)
        place = places.setdefault(id(storage), (storage, move(storage, "cpu")))[1]
        geometry, names, _, layout, dtype, requires_grad = rest
        if isinstance(place, Storage):
            where = place.device
            return rebuild(place, None, geometry, names, where, layout, dtype, requires_grad)
        return rebuild(storage, elements, *rest).to(place)

    class Unpickler(pickle_module.Unpickler):  # type: ignore[misc]
        def find_class(self, module: str, name: str) -> Any:
            found = super().find_class(module, name)
            return rebuild_there if found is rebuild else found

    try:
        return Unpickler(file, **options).load()
    except RaisedOutsideError as outside:
        raise outside.error from None
