"""The protocols by which other libraries use a tensor: NumPy's, DLPack, xarray's.

NumPy's functions on our tensors are ops of the registry, under NumPy's spelling, so they keep names
by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from namecheck_runtime.declare import REGISTRY, Spelling
from namecheck_runtime.readers import keyword_names
from namecheck_runtime.tensors.dispatch import call
from namecheck_runtime.tensors.making import foreign
from namecheck_runtime.tensors.making.arrays import from_numpy
from namecheck_runtime.tensors.object import Tensor

if TYPE_CHECKING:
    import xarray


def array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """The elements as an array: over the same memory unless a copy is asked for or needed.

    Raises ValueError if `copy` is False and the dtype needs one.
    """
    elements = self.numpy()
    if dtype is not None and np.dtype(dtype) != elements.dtype:
        if copy is False:
            raise ValueError(
                f"a {elements.dtype} tensor cannot become an array of {np.dtype(dtype)} without a "
                "copy"
            )
        return elements.astype(dtype)
    return elements.copy() if copy else elements


def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    """`np.add(x, y)`, `np.add.reduce(x, axis="N")`: the result of the op for NumPy's function.

    NotImplemented beside an array of xarray, which aligns it by name.  Raises TypeError for a
    function or a method that the rulebook does not know, and for an array of another library whose
    names would be lost.
    """
    path = f"numpy.{ufunc.__name__}"
    if method != "__call__":
        path = f"{path}.{method}"
    out = options.pop("out", None)
    if out is not None:
        if not any(isinstance(operand, Tensor) for operand in inputs):
            _require_nameless(path, out)
        options["out"] = out[0] if len(out) == 1 else out
    elif method == "__call__" and any(map(foreign.aligns, inputs)):
        return NotImplemented
    return _answer(path, inputs, options)


def array_function(
    self: Tensor,
    function: Any,
    types: Sequence[type],
    arguments: Sequence[Any],
    options: Mapping[str, Any],
) -> Any:
    """`np.concatenate([x, y])`, `np.sum(x, axis="N")`: the result of the op for NumPy's function.

    Raises TypeError for a function that the rulebook does not know, and for an array of another
    library whose names would be lost.
    """
    module = function.__module__
    return _answer(f"{module}.{function.__name__}", arguments, dict(options))


def _answer(path: str, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    spelling = REGISTRY.get(path)
    if spelling is None:
        raise TypeError(
            f"no rule says what {path} does to names; call it on x.numpy(), which has none"
        )
    _require_writable(path, spelling, arguments, options)
    return call(
        spelling,
        [_as_tensors(argument, path) for argument in arguments],
        _in_rule_words(spelling, options, path),
    )


def _require_nameless(path: str, out: Sequence[Any]) -> None:
    """Raise TypeError for a destination with names if no operand has any.

    xarray passes its data so, and the order of the dims is lost.
    """
    for target in out:
        if isinstance(target, Tensor) and any(target.names):
            raise TypeError(
                f"{path} would write elements without names to a tensor with the names "
                f"{target.names}: make one operand a tensor, or take out.rename(None)"
            )


def _require_writable(
    path: str, spelling: Spelling, arguments: Sequence[Any], options: Mapping[str, Any]
) -> None:
    """Raise ValueError for an array that is written to and that no tensor can share."""
    written = [options.get("out")]
    if spelling.op.writes:
        written += [*arguments[:1], *options.values()]
    for array in written:
        for part in array if isinstance(array, tuple) else (array,):
            if isinstance(part, np.ndarray) and min(part.strides, default=0) < 0:
                raise ValueError(
                    f"{path} would write to an array with negative strides, which no tensor has"
                )


def _as_tensors(value: Any, path: str) -> Any:
    """An argument with tensors in place of arrays."""
    if isinstance(value, np.ndarray):
        return from_numpy(value) if min(value.strides, default=0) >= 0 else from_numpy(value.copy())
    if isinstance(value, (tuple, list)):
        return type(value)([_as_tensors(entry, path) for entry in value])
    if foreign.names_in(value) is not None:
        foreign.refuse(value, path)
    return value


def _in_rule_words(spelling: Spelling, options: Mapping[str, Any], path: str) -> dict[str, Any]:
    accepted = spelling.op.parameters | {"dtype", "out"}
    return {
        keyword_names.translated(keyword_names.NUMPY, name, accepted): _as_tensors(value, path)
        for name, value in options.items()
    }


def dlpack(self: Tensor, **options: Any) -> Any:
    """The memory as a DLPack capsule; names are lost."""
    return self.numpy().__dlpack__(**options)


def dlpack_device(self: Tensor) -> tuple[int, int]:
    """The device of the memory, in DLPack's numbers.  Raises TypeError without memory."""
    kind, number = self._elements().__dlpack_device__()
    return int(kind), int(number)


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor over the memory of another library's array, with the names of its dims if any."""
    tensor = from_numpy(np.from_dlpack(ext_tensor))
    names = ext_tensor.names if isinstance(ext_tensor, Tensor) else foreign.names_in(ext_tensor)
    return tensor.rename(*names) if names else tensor


def from_xarray(array: xarray.DataArray) -> Tensor:
    """A tensor over the memory of a DataArray: its dims are the names.

    Coordinates and attributes are lost.  Raises RuntimeError for a dim with a name that is not an
    identifier, TypeError for a value without dims.
    """
    tensor = foreign.adopted(array)
    if tensor is None:
        raise TypeError(f"from_xarray(): expected a DataArray, not {type(array).__name__}")
    return tensor
