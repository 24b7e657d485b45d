"""What other libraries ask of a tensor: NumPy's protocols, DLPack, xarray.

NumPy's functions on our tensors are ops of the registry like any other, under NumPy's spelling, so
they keep names by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from namecheck_runtime import keyword_names
from namecheck_runtime.declare import REGISTRY, Spelling
from namecheck_runtime.tensors.dispatch import call
from namecheck_runtime.tensors.making import foreign
from namecheck_runtime.tensors.making.arrays import from_numpy
from namecheck_runtime.tensors.object import Tensor

if TYPE_CHECKING:
    import xarray


def array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """The elements as NumPy asks for them: over the same memory unless that cannot be."""
    own = self.numpy()
    if dtype is not None and np.dtype(dtype) != own.dtype:
        if copy is False:
            raise ValueError(
                f"a {own.dtype} tensor is no array of {np.dtype(dtype)} without a copy"
            )
        return own.astype(dtype)
    return own.copy() if copy else own


def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    """`np.add(x, y)`, `np.add.reduce(x, axis="N")`: the op that NumPy's function is.

    NotImplemented beside an array of xarray, which aligns it by name.  Raises TypeError for a
    function or a method that the rulebook does not know, and for an array of another library whose
    names would be lost.
    """
    path = f"numpy.{ufunc.__name__}"
    if method != "__call__":
        path = f"{path}.{method}"
    out = options.pop("out", None)
    if out is not None:
        if not any(isinstance(one, Tensor) for one in inputs):
            _require_nameless(path, out)
        options["out"] = out[0] if len(out) == 1 else out
    elif method == "__call__" and any(map(foreign.aligns, inputs)):
        return NotImplemented
    return _asked(path, inputs, options)


def array_function(
    self: Tensor,
    function: Any,
    types: Sequence[type],
    arguments: Sequence[Any],
    options: Mapping[str, Any],
) -> Any:
    """`np.concatenate([x, y])`, `np.sum(x, axis="N")`: the op that NumPy's function is.

    Raises TypeError for a function that the rulebook does not know, and for an array of another
    library whose names would be lost.
    """
    module = function.__module__
    return _asked(f"{module}.{function.__name__}", arguments, dict(options))


def _asked(path: str, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    spelling = REGISTRY.get(path)
    if spelling is None:
        raise TypeError(
            f"no rule says what {path} does to names; call it on x.numpy(), which has none"
        )
    _require_writable(path, spelling, arguments, options)
    return call(
        spelling,
        [_taken(one, path) for one in arguments],
        _in_our_words(spelling, options, path),
    )


def _require_nameless(path: str, out: Sequence[Any]) -> None:
    """Raise TypeError for a destination whose names arrays would take away: xarray's data is handed
    over so, and nobody can tell its order any more.
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
    """Raise ValueError for an array that is written to and of which a tensor would be a copy."""
    written = [options.get("out")]
    if spelling.op.writes:
        written += [*arguments[:1], *options.values()]
    for array in written:
        for one in array if isinstance(array, tuple) else (array,):
            if isinstance(one, np.ndarray) and min(one.strides, default=0) < 0:
                raise ValueError(
                    f"{path} would write to an array with negative strides, which no tensor has"
                )


def _taken(value: Any, path: str) -> Any:
    """An argument in which arrays are tensors."""
    if isinstance(value, np.ndarray):
        return from_numpy(value) if min(value.strides, default=0) >= 0 else from_numpy(value.copy())
    if isinstance(value, (tuple, list)):
        return type(value)([_taken(one, path) for one in value])
    if foreign.names_in(value) is not None:
        foreign.refuse(value, path)
    return value


def _in_our_words(spelling: Spelling, options: Mapping[str, Any], path: str) -> dict[str, Any]:
    own = spelling.op.parameters | {"dtype", "out"}
    return {
        keyword_names.translated(keyword_names.NUMPY, name, own): _taken(value, path)
        for name, value in options.items()
    }


def dlpack(self: Tensor, **options: Any) -> Any:
    """The memory as a DLPack capsule; names stay behind."""
    return self.numpy().__dlpack__(**options)


def dlpack_device(self: Tensor) -> tuple[int, int]:
    """Where DLPack finds the memory.  Raises TypeError for tensors without memory."""
    kind, number = self._elements().__dlpack_device__()
    return int(kind), int(number)


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor over the memory of another library's array, with the names of its dims if it has
    some.
    """
    made = from_numpy(np.from_dlpack(ext_tensor))
    names = ext_tensor.names if isinstance(ext_tensor, Tensor) else foreign.names_in(ext_tensor)
    return made.rename(*names) if names else made


def from_xarray(array: xarray.DataArray) -> Tensor:
    """A tensor over the memory of a DataArray: its dims are the names.

    Coordinates and attributes stay behind.  Raises RuntimeError for a dim whose name is no
    identifier, TypeError for what has no dims.
    """
    made = foreign.adopted(array)
    if made is None:
        raise TypeError(f"from_xarray(): expected a DataArray, not {type(array).__name__}")
    return made
