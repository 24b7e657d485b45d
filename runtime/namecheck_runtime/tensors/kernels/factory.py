"""Kernels that make tensors from sizes and numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.copies import written
from namecheck_runtime.tensors.values import dtypes

Array = Any


def _sizes(call: dict[str, Any]) -> tuple[int, ...]:
    """The sizes of a call: `size` as one number or a sequence."""
    size = call.get("size", ())
    if not isinstance(size, (tuple, list)):
        size = (size,)
    return tuple(int(n) for n in size)


def _filled(value: Any) -> Any:
    def compute(**arguments: Any) -> Array:
        return np.full(_sizes(arguments), value)

    return compute


def _of_value(call: Call) -> Any:
    requested = call.options.get("dtype")
    if requested is not None:
        return dtypes.as_dtype(requested)
    value = call.values.get("fill_value")
    dtype = dtypes.dtype_of_number(value)
    if dtype is None:
        _require_number(value)
        return getattr(value, "dtype", dtypes.get_default_dtype())
    return dtype


def _require_number(value: Any) -> None:
    """Raise TypeError unless a value is a number, or an array of a single element without dims."""
    if dtypes.dtype_of_number(value) is None and np.shape(value) != ():
        kind = type(value).__name__
        raise TypeError(f"full(): argument 'fill_value' must be Number, not {kind}")


def _of_bounds(call: Call) -> Any:
    """int64 if all bounds are ints, else the default dtype; `dtype=` goes first."""
    requested = call.options.get("dtype")
    if requested is not None:
        return dtypes.as_dtype(requested)
    bounds = [call.values.get(name) for name in ("start", "end", "step")]
    are_ints = all(bound is None or isinstance(bound, (int, np.integer)) for bound in bounds)
    return dtypes.int64 if are_ints else dtypes.get_default_dtype()


def _like(value: Any) -> Any:
    def compute(**arguments: Any) -> Array:
        return np.full(np.shape(arguments["input"]), value)

    return compute


def _full(size: Any, fill_value: Any, dtype: Any = None) -> Array:
    _require_number(fill_value)
    if dtype is not None:
        dtypes.require_held(fill_value, dtypes.as_dtype(dtype))
    return np.full(_sizes({"size": size}), fill_value)


def _full_like(input: Array, fill_value: Any, dtype: Any = None) -> Array:
    return _full(np.shape(input), fill_value, input.dtype if dtype is None else dtype)


def _new_full(self: Array, size: Any, fill_value: Any, dtype: Any = None) -> Array:
    return _full(size, fill_value, self.dtype if dtype is None else dtype)


def _arange(start: Any = None, end: Any = None, step: Any = 1) -> Array:
    return np.arange(0 if start is None else start, end, 1 if step is None else step)


def _range(start: Any = None, end: Any = None, step: Any = 1) -> Array:
    first, by = (0 if start is None else start), (1 if step is None else step)
    return first + by * np.arange(int((end - first) / by) + 1)


def _linspace(start: Any, end: Any, steps: int) -> Array:
    return np.linspace(start, end, steps)


def _logspace(start: Any, end: Any, steps: int, base: Any = 10.0) -> Array:
    return np.logspace(start, end, steps, base=10.0 if base is None else base)


def _eye(n: int, m: int | None = None) -> Array:
    return np.eye(n, m)


def _tri(input: Array, diagonal: Any = 0, *, lower: bool) -> Array:
    return (np.tril if lower else np.triu)(input, 0 if diagonal is None else diagonal)


def _triangle(row: int, col: int, offset: int = 0, *, lower: bool) -> Array:
    rows, columns = np.indices((row, col))
    kept = columns - rows <= offset if lower else columns - rows >= offset
    return np.stack([rows[kept], columns[kept]])


_LIKE = ("input",)


def _zeroed(self: Array, out: Array | None = None) -> Array:
    return np.zeros_like(self) if out is None else written(out, 0)


def _fill(input: Array, value: Any, out: Array | None = None) -> Array:
    return np.full(np.shape(input), value) if out is None else written(out, value)


KERNELS: Final[dict[str, Kernel]] = {
    "torch.zeros": Kernel(_filled(0), ("size",), result.default_asked),
    "torch.ones": Kernel(_filled(1), ("size",), result.default_asked),
    "torch.empty": Kernel(_filled(0), ("size",), result.default_asked),
    "torch.full": Kernel(_full, ("size", "fill_value", "dtype"), _of_value),
    "torch.zeros_like": Kernel(_like(0), _LIKE, result.first_asked, moves=True),
    "torch.ones_like": Kernel(_like(1), _LIKE, result.first_asked, moves=True),
    "torch.empty_like": Kernel(_like(0), _LIKE, result.first_asked, moves=True),
    "torch.full_like": Kernel(
        _full_like,
        ("input", "fill_value", "dtype"),
        result.first_asked,
        False,
        rounds=True,
        moves=True,
    ),
    "Tensor.new_zeros": Kernel(_filled(0), ("size",), result.first_asked, moves=True),
    "Tensor.new_ones": Kernel(_filled(1), ("size",), result.first_asked, moves=True),
    "Tensor.new_empty": Kernel(_filled(0), ("size",), result.first_asked, moves=True),
    "Tensor.new_full": Kernel(
        _new_full,
        ("self", "size", "fill_value", "dtype"),
        result.first_asked,
        False,
        rounds=True,
        moves=True,
    ),
    "Tensor.new_tensor": Kernel(np.asarray, ("data",), result.first_asked, False),
    "torch.scalar_tensor": Kernel(np.asarray, ("s",), result.default_asked),
    "torch.empty_strided": Kernel(_filled(0), ("size",), result.default_asked),
    "torch.empty_permuted": Kernel(_filled(0), ("size",), result.default_asked),
    "Tensor.new_empty_strided": Kernel(_filled(0), ("size",), result.first_asked),
    "torch.arange": Kernel(_arange, ("start", "end", "step"), _of_bounds),
    "torch.range": Kernel(_range, ("start", "end", "step"), result.default_asked),
    "torch.linspace": Kernel(_linspace, ("start", "end", "steps"), result.default_asked),
    "torch.logspace": Kernel(_logspace, ("start", "end", "steps", "base"), result.default_asked),
    "torch.eye": Kernel(_eye, ("n", "m"), result.default_asked),
    "torch.tril": Kernel(
        lambda input, diagonal=0: _tri(input, diagonal, lower=True), ("input", "diagonal")
    ),
    "torch.triu": Kernel(
        lambda input, diagonal=0: _tri(input, diagonal, lower=False), ("input", "diagonal")
    ),
    "torch.tril_indices": Kernel(
        lambda row, col, offset=0: _triangle(row, col, offset, lower=True),
        ("row", "col", "offset"),
        result.int64_asked,
    ),
    "torch.triu_indices": Kernel(
        lambda row, col, offset=0: _triangle(row, col, offset, lower=False),
        ("row", "col", "offset"),
        result.int64_asked,
    ),
    "Tensor.zero_": Kernel(_zeroed, ("self",), result.first_asked, writes=True, moves=True),
    "torch.fill": Kernel(
        _fill, ("input", "value"), result.first_asked, writes=True, rounds=True, moves=True
    ),
}
"""By the op's name."""
