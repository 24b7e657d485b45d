"""Named arrays of other libraries.

They have xarray's and scipp's `dims`, the `names` of PyTorch's named tensors, or the names of
pandas' axes.

Their attributes tell them apart, so that none of these libraries is imported.  If such an array
becomes a tensor, it keeps its names; if its names would be lost, it is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.tensors.making.arrays import from_numpy
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values.name_tuples import unnamed

if TYPE_CHECKING:
    import xarray


def names_in(value: Any) -> tuple[Any, ...] | None:
    """The names of the dims of another library's array; None for a value without named dims.

    Raises TypeError for an axis of pandas that has several names.
    """
    if isinstance(value, (Tensor, np.ndarray, np.generic, int, float, complex, list, tuple, str)):
        return None
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple):
        return None
    dims = getattr(value, "dims", None)
    if isinstance(dims, tuple) and len(dims) == len(shape):
        return dims
    axes = getattr(value, "axes", None)
    if isinstance(axes, list) and len(axes) == len(shape):
        if all(hasattr(axis, "nlevels") for axis in axes):
            return tuple(map(_name_of_axis, axes))
    names = getattr(value, "names", None)
    if isinstance(names, Sequence) and len(names) == len(shape):
        if all(name is None or isinstance(name, str) for name in names):
            return tuple(names)
    return None


def _name_of_axis(axis: Any) -> Any:
    names = [name for name in axis.names if name is not None]
    if len(names) > 1:
        raise TypeError(
            f"an axis with the levels {', '.join(map(repr, names))} is not a single dim: unstack "
            "it, or make a tensor of its values"
        )
    return names[0] if names else None


def adopted(value: Any) -> Tensor | None:
    """A tensor over the memory of another library's array, with the names of its dims.

    None for a value without named dims.  Coordinates, indices and attributes are lost.

    Copies memory that is read-only.  Raises TypeError for a name that is not text, NamesError for
    one that no dim of a tensor can have.
    """
    names = names_in(value)
    if names is None:
        return None
    kind = type(value).__name__
    odd = next((name for name in names if not isinstance(name, str | None)), None)
    if odd is not None:
        raise TypeError(
            f"the dim {odd!r} of a {kind} has no name that a tensor can keep: rename it"
        )
    elements = np.asarray(getattr(value, "values", value))
    plain = elements.flags.writeable and min(elements.strides, default=0) >= 0
    tensor = from_numpy(elements) if plain else fresh(elements.copy(), unnamed(elements.ndim))
    try:
        return tensor.rename(*names) if names else tensor
    except RuntimeError as refusal:
        refusal.add_note(f"These are the dims of a {kind}: rename them before it becomes a tensor.")
        raise


def refuse(value: Any, doing: str) -> NoReturn:
    """Raise TypeError for a named array where its names would be lost."""
    kind = type(value).__name__
    raise TypeError(
        f"{doing} does not align a tensor with a {kind} by name: make it a tensor first, "
        "nt.tensor(..) keeps the names of its dims"
    )


def aligns(value: Any) -> bool:
    """Whether another library's array aligns by name, as xarray's do.

    They align with operands that have a `variable`.
    """
    return (
        not isinstance(value, Tensor)
        and hasattr(value, "__array_ufunc__")
        and isinstance(getattr(value, "dims", None), tuple)
    )


def meet(path: str, value: Any) -> Any:
    """The result of an operator beside another library's operand.

    NotImplemented if that library may have one.

    Raises TypeError for a named array whose library would go by position, and in place, as the
    tensor would become another library's array.
    """
    if names_in(value) is None or (aligns(value) and not REGISTRY[path].inplace):
        return NotImplemented
    refuse(value, f"`{path.removeprefix('operator.')}`")


# -- the attributes that xarray reads --------------------------------------------------------------


def variable_of(tensor: Tensor) -> Any:
    """The tensor as a Variable, which xarray aligns by name with its own arrays.

    If a dim has no name, an object that refuses to be computed with.  Raises AttributeError until
    xarray is imported: nothing else reads it.
    """
    if "xarray" not in sys.modules:
        raise AttributeError("variable")
    if None in tensor.names:
        return _Unaligned(tensor)
    return to_xarray(tensor).variable


def to_xarray(tensor: Tensor) -> xarray.DataArray:
    """A DataArray over the memory of a tensor: its names are the dims, unnamed ones `dim_0`, ...

    Raises ImportError if xarray is not installed.
    """
    import xarray

    return xarray.DataArray(tensor.numpy(), dims=dims_for_xarray(tensor))


def dims_for_xarray(tensor: Tensor) -> tuple[str, ...]:
    """The names of a tensor; of a dim without one `dim_0`, ..., as xarray itself calls them."""
    return tuple(name or f"dim_{place}" for place, name in enumerate(tensor.names))


def require_named(tensor: Tensor) -> None:
    """Raise TypeError for a tensor that cannot be aligned by name."""
    if None in tensor.names:
        raise TypeError(
            f"a tensor with the names {tensor.names} cannot be aligned with xarray's arrays by "
            "name: name every dim first, x.rename('N', 'C')"
        )


class _Unaligned:
    """Stands for a tensor that cannot be aligned by name: no function computes with it."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def _refuse(self, *arguments: Any, **options: Any) -> NoReturn:
        require_named(self._tensor)
        raise AssertionError

    __array__ = __array_function__ = __array_ufunc__ = _refuse
