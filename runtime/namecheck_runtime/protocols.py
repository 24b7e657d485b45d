"""What other libraries ask of a tensor: NumPy's protocols, DLPack, xarray.

NumPy's functions on our tensors are ops of the registry like any other, under NumPy's spelling, so
they keep names by the same rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from namecheck_runtime import foreign, words
from namecheck_runtime.declare import REGISTRY, Spelling
from namecheck_runtime.dispatch import call
from namecheck_runtime.factories import from_numpy
from namecheck_runtime.tensors import Tensor

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

    Raises TypeError for a function or a method that the rulebook does not know.
    """
    path = f"numpy.{ufunc.__name__}"
    if method != "__call__":
        path = f"{path}.{method}"
    out = options.pop("out", None)
    if out is not None:
        options["out"] = out[0] if len(out) == 1 else out
    return _asked(path, inputs, options)


def array_function(
    self: Tensor,
    function: Any,
    types: Sequence[type],
    arguments: Sequence[Any],
    options: Mapping[str, Any],
) -> Any:
    """`np.concatenate([x, y])`, `np.sum(x, axis="N")`: the op that NumPy's function is.

    Raises TypeError for a function that the rulebook does not know.
    """
    module = function.__module__
    return _asked(f"{module}.{function.__name__}", arguments, dict(options))


def _asked(path: str, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    spelling = REGISTRY.get(path)
    if spelling is None:
        raise TypeError(
            f"no rule says what {path} does to names; call it on x.numpy(), which has none"
        )
    return call(spelling, [_taken(one) for one in arguments], _in_our_words(spelling, options))


def _taken(value: Any) -> Any:
    """An argument in which arrays are tensors."""
    if isinstance(value, np.ndarray):
        return from_numpy(value) if min(value.strides, default=0) >= 0 else from_numpy(value.copy())
    if isinstance(value, (tuple, list)):
        return type(value)(map(_taken, value))
    return value


def _in_our_words(spelling: Spelling, options: Mapping[str, Any]) -> dict[str, Any]:
    own = spelling.op.parameters | {"dtype", "out"}
    return {
        words.translated(words.NUMPY, name, own): _taken(value) for name, value in options.items()
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
