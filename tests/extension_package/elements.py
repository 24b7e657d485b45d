"""Two dtypes: one that computes in float32, and one with kernels of its own."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

import namecheck_runtime as nt
from namecheck_runtime.backends import Kernel, backend_of, register_dtype

e4m3 = register_dtype(
    "float8_e4m3",
    "float",
    np.dtype(ml_dtypes.float8_e4m3),
    computes_in=nt.float32,
    limits=ml_dtypes.finfo,
    promotes={nt.float32: nt.float32, nt.float64: nt.float64, nt.int64: None, nt.bool: None},
)
"""Eight bits: a sign, four of the exponent and three of the fraction."""


def _hexadecimal(element: Any) -> str:
    return f"{'-' if element < 0 else ''}0x{abs(element):x}"


int4 = register_dtype(
    "int4",
    "int",
    np.dtype(ml_dtypes.int4),
    limits=ml_dtypes.iinfo,
    text=_hexadecimal,
    promotes={nt.int64: nt.int64, nt.float32: nt.float32},
)
"""Four bits, which wrap around; it adds and multiplies, and nothing else."""


def _wrapped(numbers: Any) -> Any:
    return ((numbers + 8) % 16 - 8).astype(ml_dtypes.int4)


_kernels = backend_of("cpu").kernels
_kernels["torch.add", int4] = Kernel(lambda a, b: _wrapped(a.astype(np.int64) + np.int64(b)))
_kernels["torch.mul", int4] = Kernel(lambda a, b: _wrapped(a.astype(np.int64) * np.int64(b)))
