"""Functions that answer questions about tensors, dtypes and the library, and compute nothing."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.tensors.calls.overrides import overridable
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes, promotion


def is_tensor(obj: object) -> bool:
    """Whether something is a tensor."""
    return isinstance(obj, Tensor)


def _dtype_in(value: object, function: str) -> dtypes.dtype:
    if not isinstance(value, Tensor):
        kind = type(value).__name__
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {kind}")
    return value.dtype


@overridable("torch")
def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are floats."""
    return _dtype_in(input, "is_floating_point").is_floating_point


@overridable("torch")
def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex."""
    return _dtype_in(input, "is_complex").is_complex


@overridable("torch")
def is_signed(input: Tensor) -> bool:
    """Whether the elements may be negative."""
    return _dtype_in(input, "is_signed").is_signed


def _require_dtypes(function: str, **arguments: object) -> None:
    """Raise TypeError for a value that is not a dtype."""
    for place, (name, value) in enumerate(arguments.items(), 1):
        if not isinstance(value, dtypes.dtype):
            raise TypeError(
                f"{function}(): argument '{name}' (position {place}) must be torch.dtype, not "
                f"{type(value).__name__}"
            )


def promote_types(type1: dtypes.dtype, type2: dtypes.dtype) -> dtypes.dtype:
    """The dtype that holds the values of both.  Raises TypeError for other arguments."""
    _require_dtypes("promote_types", type1=type1, type2=type2)
    return promotion.promote(type1, type2)


@overridable("torch")
def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """The common dtype of two operands; each is a tensor or a Python number.

    Raises TypeError for other operands; for two dtypes there is `promote_types`.
    """
    both = (tensor1, tensor2)
    tensors = [operand for operand in both if isinstance(operand, Tensor)]
    numbers = [operand for operand in both if not isinstance(operand, Tensor)]
    if any(dtypes.dtype_of_number(operand) is None for operand in numbers):
        kinds = ", ".join(type(operand).__name__ for operand in both)
        refusal = TypeError(
            f"result_type() received an invalid combination of arguments - got ({kinds}), but "
            "expected two tensors or numbers"
        )
        if all(isinstance(operand, dtypes.dtype) for operand in both):
            refusal.add_note(f"For two dtypes: nt.promote_types({tensor1}, {tensor2}).")
        raise refusal
    common = promotion.result_type(
        [t.dtype for t in tensors if t.ndim], [t.dtype for t in tensors if not t.ndim], numbers
    )
    assert common is not None
    return common


def can_cast(from_: dtypes.dtype, to: dtypes.dtype) -> bool:
    """Whether a result of one dtype may be written to a tensor of another.

    Raises TypeError for a value that is not a dtype.
    """
    _require_dtypes("can_cast", from_=from_, to=to)
    return promotion.can_cast(from_, to)


_threads = [1]


def get_num_threads() -> int:
    """How many threads one op may use: 1 unless it was set.  NumPy decides for itself."""
    return _threads[0]


def set_num_threads(number: int) -> None:
    """Set what `get_num_threads` returns.  Raises RuntimeError for a number below 1."""
    if number < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads[0] = number
