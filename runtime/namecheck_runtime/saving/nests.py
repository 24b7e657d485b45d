"""Nests of tensors, numbers and texts as JSON, and back.

JSON has no tuples, no keys but texts and no NaN, so what it lacks is written as an object of one
member that names the kind: `{"tuple": [..]}`, `{"tensor": 3}`.
"""

from __future__ import annotations

import base64
import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, NoReturn

from namecheck_runtime.saving.refusals import refuse
from namecheck_runtime.tensors.object import Size, Tensor
from namecheck_runtime.tensors.values import dtypes

DEEPEST: Final = 100
"""How many containers may be inside each other."""

_PLAIN: Final = (type(None), bool, str)
_LISTS: Final = {"list": list, "tuple": tuple, "Size": Size, "set": set, "frozenset": frozenset}
_DICTS: Final = {"dict": dict, "OrderedDict": OrderedDict}
_LIST_NAMES: Final[dict[Any, str]] = {kind: name for name, kind in _LISTS.items()}
_DICT_NAMES: Final[dict[Any, str]] = {kind: name for name, kind in _DICTS.items()}


class NotANestError(TypeError):
    """An object that is no nest of tensors, numbers and texts."""


def encode(
    value: Any, add: Callable[[Tensor, tuple[str, ...]], int], path: tuple[str, ...] = ()
) -> Any:
    """A nest as JSON's values; `add` takes each tensor with its place and gives it a number.

    Raises NotANestError for other objects, ValueError for a nest that is too deep, as one that
    holds itself is.
    """
    kind = type(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, Tensor):
        return {"tensor": add(value, path)}
    if kind is int:
        return value if abs(value) < 2**63 else {"int": str(value) if _short(value) else hex(value)}
    if kind is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if kind is complex:
        return {"complex": [repr(value.real), repr(value.imag)]}
    if kind is bytes:
        return {"bytes": base64.b64encode(value).decode("ascii")}
    if kind is dtypes.dtype:
        return {"dtype": value.name}
    if kind is dtypes.device:
        return {"device": str(value)}
    if len(path) >= DEEPEST:
        raise ValueError(
            f"save() takes at most {DEEPEST} containers inside each other: this one holds itself?"
        )
    if kind in _LIST_NAMES:
        entries = [encode(entry, add, (*path, str(n))) for n, entry in enumerate(value)]
        return {_LIST_NAMES[kind]: entries}
    if kind in _DICT_NAMES:
        return _encode_dict(value, add, path)
    return _refuse(value, path)


def _short(number: int) -> bool:
    return abs(number) < 10**4000


def _encode_dict(value: Any, add: Any, path: tuple[str, ...]) -> dict[str, Any]:
    pairs = [
        [encode(key, add, (*path, "key")), encode(entry, add, (*path, str(key)))]
        for key, entry in value.items()
    ]
    encoded = {_DICT_NAMES[type(value)]: pairs}
    metadata = getattr(value, "_metadata", None)
    if metadata is not None:  # of a module's state_dict: the versions of its parts
        encoded["_metadata"] = encode(metadata, add, (*path, "_metadata"))
    return encoded


def _refuse(value: Any, path: tuple[str, ...]) -> NoReturn:
    place = f"obj[{']['.join(map(repr, path))}]" if path else "obj"
    raise NotANestError(
        f"save() writes tensors, numbers, texts and lists, tuples and dicts of them, and {place} "
        f"is a {type(value).__name__}: save its state_dict(), or pickle it with "
        "save(obj, f, pickle_module=pickle), which load reads only if weights_only=False says so"
    )


def decode(value: Any, tensors: list[Any]) -> Any:
    """The nest that was encoded, with these tensors in it.

    Raises UnreadableFileError for what is not written so.
    """
    kind = type(value)
    if kind in _PLAIN or kind in (int, float):
        return value
    if kind is not dict or not value:
        refuse("its structure is not as nt.save writes it")
    name, inside = next(iter(value.items()))
    if name == "tensor":
        if type(inside) is not int or not 0 <= inside < len(tensors):
            refuse("its structure names a tensor that it does not have")
        return tensors[inside]
    if name in _LISTS:
        return _LISTS[name](decode(entry, tensors) for entry in inside)
    if name in _DICTS:
        result: Any = _DICTS[name]()
        for key, entry in inside:
            result[decode(key, tensors)] = decode(entry, tensors)
        if "_metadata" in value and name == "OrderedDict":
            result._metadata = decode(value["_metadata"], tensors)
        return result
    reader = _SCALARS.get(name)
    if reader is None:
        refuse(f"it holds a {name!r}, which this version does not know")
    return reader(inside)


def _read_int(text: str) -> int:
    return int(text, 0)


def _read_complex(parts: list[str]) -> complex:
    real, imag = parts
    return complex(float(real), float(imag))


def _read_bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


_SCALARS: Final[dict[str, Callable[[Any], Any]]] = {
    "int": _read_int,
    "float": float,
    "complex": _read_complex,
    "bytes": _read_bytes,
    "dtype": dtypes.named_dtype,
    "device": dtypes.device,
}
