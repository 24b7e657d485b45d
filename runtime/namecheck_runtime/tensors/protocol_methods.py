"""The methods by which other libraries use a tensor: each loads `protocols` when it is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.object import Array, Tensor


def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Array:
    from namecheck_runtime.tensors import protocols

    return protocols.array(self, dtype, copy)


def _array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    from namecheck_runtime.tensors import protocols

    return protocols.array_ufunc(self, ufunc, method, *inputs, **options)


def _array_function(self: Tensor, function: Any, types: Any, arguments: Any, options: Any) -> Any:
    from namecheck_runtime.tensors import protocols

    return protocols.array_function(self, function, types, arguments, options)


def _dlpack(self: Tensor, **options: Any) -> Any:
    from namecheck_runtime.tensors import protocols

    return protocols.dlpack(self, **options)


def _dlpack_device(self: Tensor) -> tuple[int, int]:
    from namecheck_runtime.tensors import protocols

    return protocols.dlpack_device(self)


# By these xarray recognises operands that it aligns by name: see `making.foreign`.


def _variable(self: Tensor) -> Any:
    """Its elements and names as xarray's Variable.  Raises AttributeError without xarray."""
    from namecheck_runtime.tensors.making.foreign import variable_of

    return variable_of(self)


def _dims(self: Tensor) -> tuple[str, ...]:
    """The names of its dims as xarray has them: `dim_0`, ... for those that have none."""
    from namecheck_runtime.tensors.making.foreign import dims_for_xarray

    return dims_for_xarray(self)


def _set_dims(self: Tensor, dim: Sequence[str]) -> Any:
    """xarray's Variable with all of some dims, in their order.

    Raises TypeError for a tensor with a dim that has no name.
    """
    from namecheck_runtime.tensors.making.foreign import require_named

    require_named(self)
    return self.variable.set_dims(dim)


PROTOCOL_METHODS: Final[dict[str, Any]] = {
    "__array__": _array,
    "__array_ufunc__": _array_ufunc,
    "__array_function__": _array_function,
    "__dlpack__": _dlpack,
    "__dlpack_device__": _dlpack_device,
    "variable": property(_variable),
    "dims": property(_dims),
    "set_dims": _set_dims,
}
"""By their names in the class."""
