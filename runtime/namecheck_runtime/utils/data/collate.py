"""Batches of samples.  Source: torch.utils.data._utils.collate."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

import namecheck_runtime as nt
from namecheck_runtime.tensors.object import Tensor

Kinds: TypeAlias = "Mapping[Any, Callable[..., Any]]"
"""How samples of a type, or of some types, become a batch."""


def default_collate(batch: Any) -> Any:
    """A batch of samples.  Source: torch.utils.data.default_collate.

    Tensors are stacked: the names of their dims stay behind a new first dim without name, and must
    agree.  Numbers become a tensor, strings a list; tuples, lists and dicts of samples become one
    of batches.
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)


def default_convert(data: Any) -> Any:
    """A sample with tensors for its arrays.  Source: torch.utils.data.default_convert."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        return data if data.dtype.kind in "SaUO" else nt.as_tensor(data)
    if isinstance(data, Mapping):
        return _mapped(data, {key: default_convert(data[key]) for key in data})
    if isinstance(data, tuple):
        parts = [default_convert(part) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else parts
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _listed(data, [default_convert(part) for part in data])
    return data


def collate(batch: Any, *, collate_fn_map: Kinds | None = None) -> Any:
    """A batch of samples, made by the functions of a table of types."""
    first = batch[0]
    if collate_fn_map is not None:
        function = collate_fn_map.get(type(first)) or next(
            (found for kind, found in collate_fn_map.items() if isinstance(first, kind)), None
        )
        if function is not None:
            return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(first, Mapping):
        parts = {
            key: collate([sample[key] for sample in batch], collate_fn_map=collate_fn_map)
            for key in first
        }
        return _mapped(first, parts)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        columns = zip(*batch, strict=False)
        return type(first)(*(collate(column, collate_fn_map=collate_fn_map) for column in columns))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        columns = zip(*batch, strict=False)
        batches = [collate(column, collate_fn_map=collate_fn_map) for column in columns]
        return batches if isinstance(first, tuple) else _listed(first, batches)
    raise TypeError(_refusal(type(first)))


def _mapped(like: Any, parts: dict[Any, Any]) -> Any:
    """A mapping of the same type with other values; a dict if the type cannot be built so."""
    try:
        if isinstance(like, MutableMapping):
            clone = copy.copy(like)
            clone.update(parts)
            return clone
        return type(like)(parts)
    except TypeError:
        return parts


def _listed(like: Any, parts: list[Any]) -> Any:
    """A sequence of the same type with other members; a list if the type cannot be built so."""
    try:
        if isinstance(like, MutableSequence):
            clone = copy.copy(like)
            for place, part in enumerate(parts):
                clone[place] = part
            return clone
        return type(like)(parts)
    except TypeError:
        return parts


def _refusal(kind: object) -> str:
    return (
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
        f"{kind}"
    )


def collate_tensor_fn(batch: Any, *, collate_fn_map: Kinds | None = None) -> Tensor:
    """Tensors of the same dims, stacked: the new first dim has no name."""
    return nt.stack(tuple(batch), 0)


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: Kinds | None = None) -> Any:
    """Arrays of the same shape, stacked."""
    if batch[0].dtype.kind in "SaUO":
        raise TypeError(_refusal(batch[0].dtype))
    return collate([nt.as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_number_fn(batch: Any, *, collate_fn_map: Kinds | None = None) -> Tensor:
    """Numbers as a vector."""
    return nt.as_tensor(np.asarray(batch))


def collate_float_fn(batch: Any, *, collate_fn_map: Kinds | None = None) -> Tensor:
    """Numbers as a vector of float64."""
    return nt.tensor(list(batch), dtype=nt.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: Kinds | None = None) -> Tensor:
    """Whole numbers, or truth values, as a vector."""
    return nt.tensor(list(batch))


def collate_str_fn(batch: Any, *, collate_fn_map: Kinds | None = None) -> Any:
    """The strings as they are."""
    return batch


default_collate_fn_map: Final[dict[Any, Callable[..., Any]]] = {
    Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_number_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}
"""What `default_collate` does with samples of each type; programs may add to it."""
