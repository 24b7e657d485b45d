"""A package of a third party: tensors with a unit, and tensors that count what is done to them.

It imports documented names alone (docs/overrides.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import namecheck_runtime as nt

KEEPING = frozenset(
    {
        *(nt.add, nt.Tensor.add, nt.Tensor.sub, nt.maximum, nt.where, nt.Tensor.add_),
        *(nt.Tensor.__getitem__, nt.Tensor.__setitem__, nt.Tensor.__rsub__, nt.Tensor.clamp),
    }
)
"""Functions whose operands must have one unit."""


class Quantity:
    """A tensor and a unit: no subclass of Tensor."""

    def __init__(self, tensor: nt.Tensor, unit: str) -> None:
        self.tensor = tensor
        self.unit = unit

    @property
    def names(self) -> tuple[str | None, ...]:
        """The names of its dims."""
        return self.tensor.names

    def __repr__(self) -> str:
        return f"{self.tensor!r} {self.unit}"

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Compute on the tensors; the results have the unit.

        NotImplemented beside other classes.  Raises ValueError for a sum of two units.
        """
        if not all(issubclass(kind, (nt.Tensor, Quantity)) for kind in types):
            return NotImplemented
        units: list[str] = []
        arguments = _bare(args, units)
        keywords = {word: _bare(value, units) for word, value in (kwargs or {}).items()}
        if func in KEEPING and len(set(units)) > 1:
            raise ValueError(f"{' and '.join(units)} have no sum")
        unit = "*".join(units) if func in PRODUCTS else units[0]
        return _with_unit(func(*arguments, **keywords), unit)

    def __getattr__(self, name: str) -> Any:
        # The methods of tensors, as functions that ask `__torch_function__`.
        method = getattr(nt.Tensor, name)
        return lambda *args, **kwargs: self.__torch_function__(
            method, (Quantity,), (self, *args), kwargs
        )

    def __add__(self, other: Any) -> Any:
        return nt.add(self, other)

    def __mul__(self, other: Any) -> Any:
        return nt.mul(self, other)

    def __matmul__(self, other: Any) -> Any:
        return nt.matmul(self, other)

    def __getitem__(self, key: Any) -> Any:
        return Quantity(self.tensor[key], self.unit)

    def __reduce__(self) -> Any:
        return Quantity, (self.tensor, self.unit)


PRODUCTS = frozenset({nt.mul, nt.matmul, nt.Tensor.mul, nt.Tensor.matmul, nt.einsum})
"""Functions that multiply the units of their operands."""


def _bare(value: Any, units: list[str]) -> Any:
    if isinstance(value, Quantity):
        units.append(value.unit)
        return value.tensor
    if isinstance(value, (tuple, list)):
        return type(value)(_bare(entry, units) for entry in value)
    return value


def _with_unit(value: Any, unit: str) -> Any:
    if isinstance(value, nt.Tensor):
        return Quantity(value, unit)
    if isinstance(value, (tuple, list)) and not isinstance(value, nt.Size):
        return tuple(_with_unit(entry, unit) for entry in value)
    return value


class Counted(nt.Tensor):
    """A tensor whose ops are counted by name; their results are counted, too."""

    calls: ClassVar[dict[str, int]] = {}

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        name = getattr(func, "__name__", "")
        Counted.calls[name] = Counted.calls.get(name, 0) + 1
        return super().__torch_function__(func, types, args, kwargs)
