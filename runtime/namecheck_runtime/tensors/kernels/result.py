"""The dtypes of results: functions of a call, which kernels name beside the computation.

A kernel that names none has the dtype of its op's kind; see `computation.dtype_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from namecheck_runtime.lattice import Dim
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.values import dtypes, promotion


def spoken(array: Any) -> str:
    """The name of an array's dtype in PyTorch's messages."""
    return dtypes.SPOKEN[dtypes.as_dtype(array.dtype).name]


def first(call: Call) -> Any:
    """The dtype of the first operand."""
    return call.operands[0].dtype


def first_asked(call: Call) -> Any:
    """The dtype of `dtype=`, else of the first operand."""
    requested = call.options.get("dtype") or call.values.get("dtype")
    return call.operands[0].dtype if requested is None else dtypes.as_dtype(requested)


def default_asked(call: Call) -> Any:
    """The dtype of `dtype=`, else the default dtype."""
    requested = call.options.get("dtype") or call.values.get("dtype")
    return dtypes.get_default_dtype() if requested is None else dtypes.as_dtype(requested)


def common(call: Call) -> Any:
    """The common dtype of the operands."""
    return call.common()


def floating(call: Call) -> Any:
    """The common dtype of the operands, or the default float dtype if it has no fractions."""
    return promotion.floating(call.common())


def real(call: Call) -> Any:
    """The float dtype of the first operand; of a complex one, that of its parts."""
    return promotion.real(promotion.floating(call.operands[0].dtype))


def real_common(call: Call) -> Any:
    """The common float dtype of the operands; of a complex one, that of its parts."""
    return promotion.real(promotion.floating(call.common()))


def complex_(call: Call) -> Any:
    """The complex dtype for the first operand."""
    return promotion.complex_of(promotion.floating(call.operands[0].dtype))


def accumulated(call: Call) -> Any:
    """The dtype of `dtype=`, else int64 for whole numbers, else that of the first operand."""
    dtype = first_asked(call)
    requested = call.options.get("dtype") or call.values.get("dtype")
    return dtypes.int64 if requested is None and dtype.kind in ("bool", "int") else dtype


def tested(call: Call) -> Any:
    """bool, or uint8 for uint8, which PyTorch once used for flags."""
    dtype = call.operands[0].dtype
    return dtype if dtype is dtypes.uint8 else dtypes.bool_


def bool_(call: Call) -> Any:
    """bool."""
    return dtypes.bool_


def int64(call: Call) -> Any:
    """int64."""
    return dtypes.int64


def int64_asked(call: Call) -> Any:
    """The dtype of `dtype=`, else int64."""
    requested = call.options.get("dtype") or call.values.get("dtype")
    return dtypes.int64 if requested is None else dtypes.as_dtype(requested)


def is_several(dims: Any) -> bool:
    """Whether dims are those of several results."""
    return isinstance(dims, tuple) and bool(dims) and not all(type(dim) is Dim for dim in dims)


def first_and_places(call: Call) -> Any:
    """The dtype of the first operand, with int64 for the places if they are a second result."""
    dtype = call.operands[0].dtype
    return (dtype, dtypes.int64) if is_several(call.dims) else dtype


def first_and_counts(call: Call) -> Any:
    """The dtype of the first operand, with int64 for the inverse and the counts if requested."""
    more = bool(call.values.get("return_inverse")) + bool(call.values.get("return_counts"))
    dtype = call.operands[0].dtype
    return (dtype, *[dtypes.int64] * more) if more else dtype


def several(*kinds: str) -> Callable[[Call], Any]:
    """The dtypes of several results, each `same`, `real`, `complex`, `int32` or `int64`."""

    def find(call: Call) -> Any:
        dtype = promotion.floating(call.operands[0].dtype)
        by_kind = {
            "same": dtype,
            "real": promotion.real(dtype),
            "complex": promotion.complex_of(dtype),
            "int32": dtypes.int32,
            "int64": dtypes.int64,
        }
        return tuple(by_kind[kind] for kind in kinds)

    return find
