"""Asking rules about tensors: what a rule sees of an argument, and the names that it answers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from namecheck_runtime.algebra import position
from namecheck_runtime.declare import Spelling, Unbindable
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.rules.index import IndexTensor
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.name_tuples import Names, intern


def dims_of(tensor: Tensor) -> Dims:
    """The dims of a tensor: names and sizes."""
    geometry = None if tensor._rest is None else tensor._rest.geometry
    sizes: Any = tensor._array.shape if geometry is None else geometry.sizes
    return tuple(map(Dim, tensor._names, sizes))


def for_rules(value: Any) -> Any:
    """An argument as rules take it."""
    kind = type(value)
    if kind is Tensor:
        return dims_of(value)
    if kind is int or kind is float or kind is str or value is None:
        return value
    if isinstance(value, Tensor):
        return dims_of(value)
    if kind is tuple or kind is list:
        return kind(map(for_rules, value))
    if isinstance(value, np.ndarray):
        return tuple([Dim(None, size) for size in value.shape])
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, OrderedDict):
        return tuple(value.items())
    return _ForeignArray(value) if hasattr(value, "shape") else value


class _ForeignArray:
    """Another library's array, which rules do not know.

    It is equal only to itself: the `==` of the array would compare elements.
    """

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array


def for_rules_in_brackets(value: Any) -> Any:
    """An entry of a subscript as rules take it: a tensor says whether it is a mask."""
    if isinstance(value, tuple):
        return tuple(map(for_rules_in_brackets, value))
    if isinstance(value, (Tensor, np.ndarray)):
        kind = value.dtype.kind
        return IndexTensor(for_rules(value), "bool" if kind in ("bool", "b") else "int")
    if isinstance(value, list):
        return [for_rules_in_brackets(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def tensors_in(value: Any) -> Iterable[Tensor]:
    """The tensors in an argument, or the argument itself, from the left."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for member in value:
            yield from tensors_in(member)


def holds(value: Any) -> bool:
    """Whether an argument is a tensor or contains one."""
    return next(iter(tensors_in(value)), None) is not None


def names_of(dims: Iterable[Dim]) -> Names:
    """The names of dims that a rule answered; None where the rule does not know the name."""
    names: Any = tuple([d.name for d in dims])
    if UNKNOWN in names:
        names = tuple([None if name is UNKNOWN else name for name in names])
    return intern(names)


def is_dims(value: Any) -> bool:
    return isinstance(value, tuple) and all(dim.__class__ is Dim for dim in value)


def checked(path: str, arguments: Sequence[Any]) -> Any:
    """The answer of a rule.  Raises the exception that `errors.class_of` has for its mistake."""
    try:
        return infer(path, arguments).result
    except Mistake as mistake:
        raise error_of(mistake) from None


def names_without_sizes(
    op: str | Spelling,
    operands: Sequence[Names],
    rest: Sequence[Any] = (),
    keywords: Mapping[str, Any] | None = None,
    certain: bool = False,
) -> Names | None:
    """The names of a result whatever the sizes are.

    None if they depend on sizes, or if the rule refuses the call; if `certain`, also if the rule
    has doubts.
    """
    shapes = [tuple([Dim(name, UNKNOWN) for name in names]) for names in operands]
    try:
        answer = infer(op, [*shapes, *rest], keywords)
    except (Mistake, Unbindable):
        return None
    result = answer.result
    if not is_dims(result) or any(dim.name is UNKNOWN for dim in result):
        return None
    return None if certain and answer.doubts else names_of(result)


def positions_without_sizes(names: Names, refs: Sequence[Any]) -> tuple[int, ...] | None:
    """The positions of dims, from the names of a tensor alone; None if one is not there."""
    shape = tuple([Dim(name, UNKNOWN) for name in names])
    try:
        return tuple([position(shape, ref) for ref in refs])  # type: ignore[misc]
    except Mistake:
        return None


def position_of(tensor: Tensor, dim: int | str) -> int:
    """The position of a dim.  Raises for one that is not there."""
    try:
        return position(dims_of(tensor), dim)  # type: ignore[return-value]
    except Mistake as mistake:
        raise error_of(mistake) from None
