"""What numbers a dtype can hold."""

from __future__ import annotations

import math
from typing import Any

from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import dtype


class iinfo:  # the public name is PyTorch's
    """The bounds of a dtype of whole numbers.  Raises TypeError for other dtypes."""

    def __init__(self, type: dtype) -> None:
        _require_dtype("iinfo", type)
        if type.kind == "bool":
            raise TypeError(f"{type} is not supported by torch.iinfo")
        if type.kind != "int":
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                "'torch.iinfo'"
            )
        limits = limits_of(type)
        self.bits: int = limits.bits
        self.min: int = int(limits.min)
        self.max: int = int(limits.max)
        self.dtype: str = type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


class finfo:  # the public name is PyTorch's
    """The bounds and the precision of a dtype of floats, or of the parts of complex numbers.

    Of the default dtype if none is given.  Raises TypeError for other dtypes.
    """

    def __init__(self, type: dtype | None = None) -> None:
        asked = dtypes.get_default_dtype() if type is None else type
        _require_dtype("finfo", asked)
        if asked.kind not in ("float", "complex"):
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        limits = limits_of(asked)
        self.bits: int = limits.bits
        self.eps: float = float(limits.eps)
        self.min: float = float(limits.min)
        self.max: float = float(limits.max)
        self.tiny: float = float(limits.tiny)
        self.smallest_normal: float = self.tiny
        self.resolution: float = 10.0 ** -math.floor(-math.log10(self.eps))
        self.dtype: str = limits.dtype.name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, "
            f"dtype={self.dtype})"
        )


def limits_of(of: dtype) -> Any:
    """The bounds of a dtype, as NumPy has them.  Raises TypeError if nobody registered them."""
    if of.limits is None:
        raise TypeError(f"nobody has registered the bounds of {of}: register_dtype(.., limits=..)")
    return of.limits(of.numpy)


def _require_dtype(name: str, value: Any) -> None:
    if not isinstance(value, dtype):
        kind = type(value).__name__
        raise TypeError(f"{name}(): argument 'type' (position 1) must be torch.dtype, not {kind}")
