"""Kernels that change the dtype or the device."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device, dtype

_METHODS: Final = {
    "bool": dtypes.bool_,
    "byte": dtypes.uint8,
    "char": dtypes.int8,
    "short": dtypes.int16,
    "int": dtypes.int32,
    "long": dtypes.int64,
    "half": dtypes.float16,
    "bfloat16": dtypes.bfloat16,
    "float": dtypes.float32,
    "double": dtypes.float64,
    "cfloat": dtypes.complex64,
    "cdouble": dtypes.complex128,
}


_ELSEWHERE: Final = ("cuda", "ipu", "xpu")
"""The methods that move a tensor to a device that only PyTorch has."""


def target_of(call: Call) -> tuple[device, dtype]:
    """The device and the dtype that a call converts to.

    Raises RuntimeError for a device where no tensor can be.
    """
    base = call.operands[0]
    place, to = base.device, base.dtype
    name = call.op.name.rpartition(".")[2]
    if name in _METHODS:
        to = _METHODS[name]
    elif name == "type_as":
        to = call.operands[1].dtype
    elif name == "cpu":
        place = dtypes.CPU
    elif name in _ELSEWHERE:
        place = device(name)
    elif name == "chalf":
        raise TypeError(f"{name} is not a dtype of this library: NumPy has no such numbers")
    arguments = [
        *(call.values.get("arguments") or ()),
        call.values.get("dtype"),
        call.options.get("dtype"),
        call.options.get("device"),
    ]
    for argument in arguments:
        if isinstance(argument, Tensor):
            place, to = argument.device, argument.dtype
        elif isinstance(argument, str) and argument.startswith("torch."):
            to = _of_type(argument)
        elif isinstance(argument, bool):
            continue  # `non_blocking` and `copy`
        elif isinstance(argument, (device, str, int)):
            place = device(argument)
        elif isinstance(getattr(argument, "dtype", None), dtype):
            to = argument.dtype  # `x.type(torch.FloatTensor)`
        elif argument is not None:
            to = dtypes.as_dtype(argument)
    place.require_here()
    return place, to


def _of_type(text: str) -> dtype:
    """The dtype of `x.type("torch.FloatTensor")`.  Raises ValueError for another text."""
    for name, spoken in dtypes.SPOKEN.items():
        if text == f"torch.{spoken}Tensor":
            return dtypes.DTYPES[name]
    raise ValueError(f"invalid type: '{text}'")


def _target_dtype(call: Call) -> Any:
    return target_of(call)[1]


def _first(*elements: Any) -> Any:
    return np.array(elements[0])


KERNELS: Final[dict[str, Kernel]] = {
    f"Tensor.{name}": Kernel(_first, None, _target_dtype, False, rounds=True, moves=True)
    for name in (*_METHODS, "type_as", "to", "type", "cpu")
}
"""By the op's name."""
