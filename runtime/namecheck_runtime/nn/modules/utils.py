"""Arguments that are one value for all spatial dims, or one for each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def repeated(value: Any, count: int) -> tuple[Any, ...]:
    """A value for each of so many dims: itself so often, or the values in it."""
    return tuple(value) if isinstance(value, Iterable) else (value,) * count


def _single(value: Any) -> tuple[Any, ...]:
    return repeated(value, 1)


def _pair(value: Any) -> tuple[Any, ...]:
    return repeated(value, 2)


def _triple(value: Any) -> tuple[Any, ...]:
    return repeated(value, 3)


def _quadruple(value: Any) -> tuple[Any, ...]:
    return repeated(value, 4)


def _ntuple(count: int, name: str = "parse") -> Any:
    """The function that repeats a value so often."""
    return lambda value: repeated(value, count)


def _reverse_repeat_tuple(values: Iterable[Any], count: int) -> tuple[Any, ...]:
    """The values in reverse order, each so often: `pad` takes the last dim first."""
    return tuple(value for value in reversed(tuple(values)) for _ in range(count))
