"""Kernels for dtypes that compute in another one, as bfloat16 does in float32.

Operands are converted, the kernel computes and accumulates in the wider dtype, and its result is
rounded once.  Source: PyTorch's `opmath_type`, in which its CPU kernels of half floats compute.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.values.dtypes import as_dtype, dtype
from namecheck_runtime.tensors.values.errstate import quietly


def is_needed(called: Call, of: Any) -> bool:
    """Whether a call has elements of such a dtype: `of` is that of its result, or of several."""
    asked = called.options.get("dtype", called.values.get("dtype"))
    kinds = of if isinstance(of, tuple) else (of,)
    return any(
        kind.__class__ is dtype and kind.computes_in is not None
        for kind in (*kinds, asked, *[operand.dtype for operand in called.operands])
    )


def widened(function: Callable[..., Any], of: Any, common: dtype) -> Callable[..., Any]:
    """The function of a kernel with wider operands, whose result gets its dtype at the end.

    If `of` is None, that is the dtype of the elements; wide ones get the `common` dtype of the
    operands.
    """

    @wraps(function)
    def compute(*arguments: Any, **options: Any) -> Any:
        elements = function(
            *map(_wide, arguments), **{name: _wide(value) for name, value in options.items()}
        )
        if isinstance(of, tuple) and elements.__class__ is tuple and len(of) == len(elements):
            return tuple([_narrow(part, kind) for part, kind in zip(elements, of, strict=True)])
        is_wide = of is None and getattr(elements, "dtype", None) == common.computing.numpy
        return _narrow(elements, common if is_wide else of)

    return compute


def _wide(value: Any) -> Any:
    """An argument of a kernel in the dtypes in which it computes."""
    if isinstance(value, (np.ndarray, np.generic)):
        known = dtype._BY_NUMPY.get(value.dtype)
        if known is not None and known.computes_in is not None:
            return value.astype(known.computes_in.numpy)
        return value
    if value.__class__ is dtype:
        return value.computing
    if value.__class__ is np.dtype:
        return as_dtype(value).computing.numpy
    if value.__class__ is tuple or value.__class__ is list:
        return value.__class__(map(_wide, value))
    return value


def _narrow(elements: Any, of: Any) -> Any:
    """Elements in the dtype of the result, if that is one that computes in another."""
    known = of.__class__ is dtype and of.computes_in is not None
    if known and isinstance(elements, (np.ndarray, np.generic)):
        return quietly(np.asarray(elements).astype, of.numpy)
    return elements
