"""Python's operators on tensors: NumPy's ufunc at once if its result is certain, else the rule.

The answers of the rulebook are kept by the names of the operands (`name_caches`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.name_caches import UNIFIED, unsized
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.dtypes import numpys
from namecheck_runtime.tensors.values.errstate import QUIET, quietly
from namecheck_runtime.tensors.values.name_tuples import Names

_new: Final = object.__new__


def operate(path: str, *operands: Any) -> Any:
    """As `dispatch.operate`, whose import loads the rules."""
    from namecheck_runtime.tensors.dispatch import operate

    return operate(path, operands)


def _is_strict() -> bool:
    from namecheck_runtime.tensors.views.broadcasting import STRICT

    return STRICT.get()


def _binary(ufunc: np.ufunc, path: str, kinds: str) -> Callable[[Tensor, Any], Any]:
    """The method of a Python operator: NumPy's ufunc where its result is PyTorch's.

    `kinds` are NumPy's codes of the dtypes for which it is.
    """
    same, floats = numpys(kinds), numpys("f" if "f" in kinds else "")

    def method(self: Tensor, other: Any) -> Any:
        kind = other.__class__
        if kind is Tensor:
            if self._rest is None is other._rest:
                left, right = self._array, other._array
                if left.dtype is right.dtype and left.dtype in same:
                    names: Names | None = self._names
                    if names is not other._names:
                        pair = (self._names, other._names)
                        names = UNIFIED.get(pair)
                        if names is None:
                            names = unsized(UNIFIED, "torch.add", pair)
                        if len(pair[0]) != len(pair[1]) and _is_strict():
                            names = None  # `operate` refuses
                    if names is not None and (
                        (self._storage is None is other._storage)
                        or (left.flags.c_contiguous and right.flags.c_contiguous)
                    ):
                        try:
                            array = QUIET.run(ufunc, left, right)
                        except (ValueError, RuntimeError):
                            pass
                        else:
                            result = _new(Tensor)
                            result._array = array if names else np.asarray(array)
                            result._names = names
                            result._rest = result._storage = None
                            return result
        elif (kind is float or kind is int) and self._rest is None:
            left = self._array
            if left.dtype in floats and (self._storage is None or left.flags.c_contiguous):
                try:
                    array = QUIET.run(ufunc, left, other)
                except (OverflowError, RuntimeError):
                    pass
                else:
                    result = _new(Tensor)
                    result._array = array if self._names else np.asarray(array)
                    result._names = self._names
                    result._rest = result._storage = None
                    return result
        return operate(path, self, other)

    method.__name__ = f"__{path.rpartition('.')[2]}__"
    return method


def _augmented(ufunc: np.ufunc, path: str, kinds: str) -> Callable[[Tensor, Any], Any]:
    """The method of `+=` and the like: NumPy's ufunc if the rule cannot refuse, else the rule.

    It cannot for equal names, sizes and dtypes, in contiguous memory that the other operand does
    not share.
    """
    same, floats = numpys(kinds), numpys("f")

    def method(self: Tensor, other: Any) -> Any:
        kind = other.__class__
        array = self._array
        if self._rest is None and array.dtype in same and array.flags.c_contiguous:
            if kind is Tensor:
                plain = (
                    other._rest is None
                    and self._names is other._names
                    and array.dtype is other._array.dtype
                    and array.shape == other._array.shape
                    and (
                        other is self
                        or self._storage is None
                        or self._storage is not other._storage
                    )
                )
                operand = other._array if plain else None
            else:
                operand = other if kind is float and array.dtype in floats else None
            if operand is not None:
                quietly(ufunc, array, operand, array)
                storage = self._storage
                if storage is None:
                    storage = self._own()
                storage.version += 1  # type: ignore[union-attr]
                return self
        return operate(path, self, other)

    method.__name__ = f"__{path.rpartition('.')[2]}__"
    return method


def _slow(path: str) -> Callable[..., Any]:
    """The method of a Python operator that always asks the rule."""

    def method(self: Tensor, *others: Any) -> Any:
        return operate(path, self, *others)

    return method


def _reflected(path: str) -> Callable[[Tensor, Any], Any]:
    """The method of a Python operator whose right operand is the tensor."""

    def method(self: Tensor, other: Any) -> Any:
        if self.__class__ is Tensor and other.__class__ in _NUMBERS:
            return operate(path, other, self)
        from namecheck_runtime.tensors.dispatch import operate_reflected

        return operate_reflected(path, self, other)

    return method


_NUMBERS: Final = frozenset({int, float})


_FAST: Final = {
    "add": (np.add, "biufc"),
    "sub": (np.subtract, "iufc"),
    "mul": (np.multiply, "biufc"),
    "truediv": (np.true_divide, "fc"),
    "eq": (np.equal, "biufc"),
    "ne": (np.not_equal, "biufc"),
    "lt": (np.less, "biuf"),
    "le": (np.less_equal, "biuf"),
    "gt": (np.greater, "biuf"),
    "ge": (np.greater_equal, "biuf"),
}
_OTHERS: Final = ("floordiv", "mod", "pow", "and_", "or_", "xor", "lshift", "rshift")
_UNARY: Final = ("neg", "pos", "abs", "invert")
_REFLECTED: Final = ("add", "sub", "mul", "truediv", "matmul", *_OTHERS)


def operators_of() -> dict[str, Callable[..., Any]]:
    """The methods of Python's operators, by name."""
    methods: dict[str, Callable[..., Any]] = {}
    for name, (ufunc, kinds) in _FAST.items():
        methods[f"__{name}__"] = _binary(ufunc, f"operator.{name}", kinds)
    for name in (*_OTHERS, *_UNARY):
        methods[f"__{name.rstrip('_')}__"] = _slow(f"operator.{name}")
    for name in _REFLECTED:
        plain = name.rstrip("_")
        methods[f"__r{plain}__"] = _reflected(f"operator.{name}")
        if name != "matmul":  # there is no `__imatmul__`: Python computes, and rebinds the name
            methods[f"__i{plain}__"] = _slow(f"operator.i{plain}")
    for name in ("add", "sub", "mul", "truediv"):
        kinds = "f" if name == "truediv" else "iuf"
        methods[f"__i{name}__"] = _augmented(_FAST[name][0], f"operator.i{name}", kinds)
    return methods
