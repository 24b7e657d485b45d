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
    "float": dtypes.float32,
    "double": dtypes.float64,
    "cfloat": dtypes.complex64,
    "cdouble": dtypes.complex128,
}


_SPOKEN: Final = {f"{text}Tensor": dtypes.DTYPES[name] for name, text in dtypes.SPOKEN.items()}


def target_of(call: Call) -> tuple[device, dtype]:
    """The device and the dtype that a call converts to."""
    base = call.operands[0]
    where, of = base.device, base.dtype
    name = call.op.name.rpartition(".")[2]
    if name in _METHODS:
        of = _METHODS[name]
    elif name == "type_as":
        of = call.operands[1].dtype
    elif name == "cpu":
        where = dtypes.CPU
    elif name in ("bfloat16", "chalf"):
        raise TypeError(f"{name} is no dtype of this library: NumPy has no such numbers")
    asked = [
        *(call.values.get("arguments") or ()),
        call.values.get("dtype"),
        call.options.get("dtype"),
        call.options.get("device"),
    ]
    for one in asked:
        if isinstance(one, Tensor):
            where, of = one.device, one.dtype
        elif isinstance(one, str) and one.startswith("torch."):  # `x.type("torch.FloatTensor")`
            if one.removeprefix("torch.") not in _SPOKEN:
                raise ValueError(f"invalid type: '{one}'")
            of = _SPOKEN[one.removeprefix("torch.")]
        elif isinstance(one, (device, str)):
            where = device(one)
        elif one is not None and not isinstance(one, bool):
            of = dtypes.as_dtype(one)
    return where, of


def _target_dtype(call: Call) -> Any:
    return target_of(call)[1]


def _first(*elements: Any) -> Any:
    return np.array(elements[0])


KERNELS: Final[dict[str, Kernel]] = {
    f"Tensor.{name}": Kernel(_first, None, _target_dtype, False, rounds=True)
    for name in (*_METHODS, "type_as", "to", "type", "cpu")
}
"""By the op's name."""
