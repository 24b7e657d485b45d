"""Functions that are asked about tensors, dtypes and the library, and compute nothing."""

from __future__ import annotations

from typing import Any, NoReturn

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


def is_floating_point(input: Tensor) -> bool:
    """Whether the elements are floats."""
    return _dtype_in(input, "is_floating_point").is_floating_point


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex."""
    return _dtype_in(input, "is_complex").is_complex


def is_signed(input: Tensor) -> bool:
    """Whether the elements may be negative."""
    return _dtype_in(input, "is_signed").is_signed


def _require_dtypes(function: str, **given: object) -> None:
    """Raise TypeError for what is no dtype."""
    for place, (name, value) in enumerate(given.items(), 1):
        if not isinstance(value, dtypes.dtype):
            raise TypeError(
                f"{function}(): argument '{name}' (position {place}) must be torch.dtype, not "
                f"{type(value).__name__}"
            )


def promote_types(type1: dtypes.dtype, type2: dtypes.dtype) -> dtypes.dtype:
    """The dtype that holds the values of both.  Raises TypeError for what is no dtype."""
    _require_dtypes("promote_types", type1=type1, type2=type2)
    return promotion.promote(type1, type2)


def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """The dtype in which two operands meet; each is a tensor or a Python number.

    Raises TypeError for others; of two dtypes `promote_types` says it.
    """
    both = (tensor1, tensor2)
    tensors = [one for one in both if isinstance(one, Tensor)]
    numbers = [one for one in both if not isinstance(one, Tensor)]
    if any(dtypes.dtype_of_number(one) is None for one in numbers):
        kinds = ", ".join(type(one).__name__ for one in both)
        refusal = TypeError(
            f"result_type() received an invalid combination of arguments - got ({kinds}), but "
            "expected two tensors or numbers"
        )
        if all(isinstance(one, dtypes.dtype) for one in both):
            refusal.add_note(f"Of two dtypes: nt.promote_types({tensor1}, {tensor2}).")
        raise refusal
    found = promotion.result_type(
        [t.dtype for t in tensors if t.ndim], [t.dtype for t in tensors if not t.ndim], numbers
    )
    assert found is not None
    return found


def can_cast(from_: dtypes.dtype, to: dtypes.dtype) -> bool:
    """Whether a result of one dtype may be written to a tensor of another.

    Raises TypeError for what is no dtype.
    """
    _require_dtypes("can_cast", from_=from_, to=to)
    return promotion.can_cast(from_, to)


_threads = [1]


def get_num_threads() -> int:
    """How many threads one op may use: what was set, 1 at first.  NumPy decides for itself."""
    return _threads[0]


def set_num_threads(number: int) -> None:
    """Set what `get_num_threads` tells.  Raises RuntimeError for a number that is not positive."""
    if number < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _threads[0] = number


def save(obj: object, f: object) -> NoReturn:
    """Not there yet: use `pickle`, which keeps names."""
    raise NotImplementedError("saving waits for the serialization format; pickle keeps names")


def load(f: object) -> NoReturn:
    """Not there yet: use `pickle`, which keeps names."""
    raise NotImplementedError("loading waits for the serialization format; pickle keeps names")
