"""The dtypes of results: functions of a call, which kernels name beside what they compute.

What no function here says follows from the op's kind, see `computation.dtype_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from namecheck_runtime.lattice import Dim
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.values import dtypes, promotion


def spoken(array: Any) -> str:
    """What PyTorch calls the dtype of an array in its messages."""
    return dtypes.SPOKEN[dtypes.as_dtype(array.dtype).name]


def first(call: Call) -> Any:
    """That of the first operand."""
    return call.operands[0].dtype


def first_asked(call: Call) -> Any:
    """What `dtype=` says, else that of the first operand."""
    asked = call.options.get("dtype") or call.values.get("dtype")
    return call.operands[0].dtype if asked is None else dtypes.as_dtype(asked)


def default_asked(call: Call) -> Any:
    """What `dtype=` says, else the default dtype."""
    asked = call.options.get("dtype") or call.values.get("dtype")
    return dtypes.get_default_dtype() if asked is None else dtypes.as_dtype(asked)


def common(call: Call) -> Any:
    """That in which the operands meet."""
    return call.common()


def floating(call: Call) -> Any:
    """That in which the operands meet, made one that has fractions."""
    return promotion.floating(call.common())


def real(call: Call) -> Any:
    """That of the parts of a complex operand."""
    return promotion.real(promotion.floating(call.operands[0].dtype))


def real_common(call: Call) -> Any:
    """That of the parts of what the operands meet in."""
    return promotion.real(promotion.floating(call.common()))


def complex_(call: Call) -> Any:
    """That of the first operand, made complex."""
    return promotion.complex_of(promotion.floating(call.operands[0].dtype))


def accumulated(call: Call) -> Any:
    """What `dtype=` says, else that of the first operand: sums of whole numbers are int64."""
    found = first_asked(call)
    asked = call.options.get("dtype") or call.values.get("dtype")
    return dtypes.int64 if asked is None and found.kind in ("bool", "int") else found


def tested(call: Call) -> Any:
    """bool; of uint8 itself, in which PyTorch had flags once."""
    own = call.operands[0].dtype
    return own if own is dtypes.uint8 else dtypes.bool_


def bool_(call: Call) -> Any:
    """bool."""
    return dtypes.bool_


def int64(call: Call) -> Any:
    """int64."""
    return dtypes.int64


def int64_asked(call: Call) -> Any:
    """What `dtype=` says, else int64."""
    asked = call.options.get("dtype") or call.values.get("dtype")
    return dtypes.int64 if asked is None else dtypes.as_dtype(asked)


def is_several(dims: Any) -> bool:
    """Whether dims are those of several results."""
    return isinstance(dims, tuple) and bool(dims) and not all(type(one) is Dim for one in dims)


def first_and_places(call: Call) -> Any:
    """That of the first operand; with places of its elements beside it, these are int64."""
    own = call.operands[0].dtype
    return (own, dtypes.int64) if is_several(call.dims) else own


def first_and_counts(call: Call) -> Any:
    """That of the first operand; the inverse and the counts, if they are asked for, are int64."""
    more = bool(call.values.get("return_inverse")) + bool(call.values.get("return_counts"))
    own = call.operands[0].dtype
    return (own, *[dtypes.int64] * more) if more else own


def several(*kinds: str) -> Callable[[Call], Any]:
    """Of several results: `same`, `real`, `complex`, `int32` or `int64` each."""

    def find(call: Call) -> Any:
        own = promotion.floating(call.operands[0].dtype)
        of = {
            "same": own,
            "real": promotion.real(own),
            "complex": promotion.complex_of(own),
            "int32": dtypes.int32,
            "int64": dtypes.int64,
        }
        return tuple(of[kind] for kind in kinds)

    return find
