"""`nt.FloatTensor(...)` and its like: PyTorch's old constructors, one for each dtype."""

from __future__ import annotations

from typing import Any, ClassVar

from namecheck_runtime.tensors.constructor import construct, of_storage
from namecheck_runtime.tensors.making.factories import tensor
from namecheck_runtime.tensors.object import Size, Tensor
from namecheck_runtime.tensors.storages import is_storage
from namecheck_runtime.tensors.values import dtypes


class _OfDtype(type):
    """The type of the old constructors: `isinstance` asks for the dtype."""

    dtype: ClassVar[Any]

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, Tensor) and value.dtype is cls.dtype and value.device is dtypes.CPU

    def __call__(cls, *arguments: Any, **options: Any) -> Tensor:
        """A tensor of the dtype: with undefined elements for sizes, else a copy of a sequence.

        A storage keeps its memory.  Raises TypeError for a tensor, RuntimeError for a storage of
        another dtype.
        """
        if len(arguments) == 1 and not options:
            (data,) = arguments
            if isinstance(data, Tensor):
                if data.dtype is not cls.dtype:
                    raise TypeError(
                        f"expected {cls.dtype} (got {data.dtype}): convert with .to(dtype)"
                    )
                return data.detach()
            if is_storage(data):
                return of_storage(data, cls.dtype)
            sequence = isinstance(data, (list, tuple)) or hasattr(data, "__array__")
            if sequence and not isinstance(data, Size):
                return tensor(data, dtype=cls.dtype)
        return construct(*arguments, **options).to(cls.dtype)


class FloatTensor(metaclass=_OfDtype):
    """Tensors of float32.  Source: torch.FloatTensor."""

    dtype = dtypes.float32


class DoubleTensor(metaclass=_OfDtype):
    """Tensors of float64.  Source: torch.DoubleTensor."""

    dtype = dtypes.float64


class HalfTensor(metaclass=_OfDtype):
    """Tensors of float16.  Source: torch.HalfTensor."""

    dtype = dtypes.float16


class LongTensor(metaclass=_OfDtype):
    """Tensors of int64.  Source: torch.LongTensor."""

    dtype = dtypes.int64


class IntTensor(metaclass=_OfDtype):
    """Tensors of int32.  Source: torch.IntTensor."""

    dtype = dtypes.int32


class ShortTensor(metaclass=_OfDtype):
    """Tensors of int16.  Source: torch.ShortTensor."""

    dtype = dtypes.int16


class CharTensor(metaclass=_OfDtype):
    """Tensors of int8.  Source: torch.CharTensor."""

    dtype = dtypes.int8


class ByteTensor(metaclass=_OfDtype):
    """Tensors of uint8.  Source: torch.ByteTensor."""

    dtype = dtypes.uint8


class BoolTensor(metaclass=_OfDtype):
    """Tensors of bool.  Source: torch.BoolTensor."""

    dtype = dtypes.bool_


class BFloat16Tensor(metaclass=_OfDtype):
    """Tensors of bfloat16.  Source: torch.BFloat16Tensor."""

    dtype = dtypes.bfloat16
