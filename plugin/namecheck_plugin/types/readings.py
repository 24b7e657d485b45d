"""What is known about mypy's types and shapes, each read once: programs ask about few, often.

mypy's types can be keys of a dict, and equal types say the same.  Equal types share one `Reading`
and equal dims one `Typed`, so that a question that was asked before is found by comparing objects.
"""

from __future__ import annotations

from types import EllipsisType, NoneType
from typing import Any, Final

from mypy.types import (
    AnyType,
    Instance,
    ProperType,
    Type,
    UnionType,
    get_proper_type,
    get_proper_types,
)

from namecheck_plugin.types import annotated, dims, surface
from namecheck_plugin.types.arguments import literal_of
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Trailing, Unknown
from namecheck_runtime.rules.index import IndexTensor
from namecheck_runtime.sizes import Polynomial


class Unhashable(Exception):
    """A value that cannot be a key of a dict."""


class Reading:
    """What one type says."""

    __slots__ = ("any", "array", "literal", "sized", "typed")

    def __init__(self, type_: Type | None) -> None:
        proper = get_proper_type(type_)
        self.typed: Final = dims.read(proper)
        """Its dims, if it is one of our tensors."""
        self.array: Final = self.typed is None and _is_array(proper)
        """Whether it is an array of another library, whose type does not show dims."""
        self.sized: Final = self.typed is not None and annotated.text_of(proper) is not None
        """Whether its annotation writes sizes, which its dims do not show."""
        self.any: Final = isinstance(proper, AnyType)
        self.literal: Final = self.typed is None and literal_of(proper) is not UNKNOWN
        """Whether it shows the value, so that the expression does not matter."""


def _is_array(proper: ProperType | None) -> bool:
    if isinstance(proper, UnionType):  # to mypy two arrays with different annotations are two types
        return all(map(_is_array, get_proper_types(proper.items)))
    return isinstance(proper, Instance) and surface.owner_of(proper.type) is not None


class Readings:
    """The readings of types, as long as no file changes."""

    def __init__(self) -> None:
        self.types: Final[dict[Type | None, Reading]] = {}
        """The types read so far; `of` reads more."""
        self._shapes: Final[dict[Any, Any]] = {}
        self._typed: Final[dict[int, tuple[Shape, dims.Typed]]] = {}

    def forget(self) -> None:
        """Forget all readings: a class may have changed."""
        self.types.clear()
        self._shapes.clear()
        self._typed.clear()

    def of(self, type_: Type | None) -> Reading:
        """What a type says."""
        reading = self.types.get(type_)
        if reading is None:
            reading = self.types[type_] = Reading(type_)
        return reading

    def one(self, result: Any) -> Any:
        """The same object for equal results of rules."""
        try:
            return self._shapes.setdefault(exact(result), result)
        except Unhashable:
            return result

    def refined(self, typed: dims.Typed, known: Any) -> dims.Typed:
        """The dims of a type, with the sizes of a known shape."""
        entry = typed.refined.get(id(known))
        if entry is None:
            shape = self.one(refine(typed.shape, known))
            entry = typed.refined.get(id(shape))
            if entry is None:
                same = shape is self.one(typed.shape)
                entry = shape, typed if same else dims.Typed(shape, typed.spelled)
                typed.refined[id(shape)] = entry
            typed.refined[id(known)] = known, entry[1]
        return entry[1]

    def of_shape(self, shape: Shape) -> dims.Typed:
        """The dims of a shape that no type shows."""
        entry = self._typed.get(id(shape))
        if entry is None:
            # The shape is kept with it, because the `id` of a deleted one is used again.
            entry = self._typed[id(shape)] = shape, dims.Typed(shape, {})
        return entry[1]


_PLAIN: Final = frozenset(
    {str, int, bool, float, complex, NoneType, Unknown, EllipsisType, Polynomial}
)


def exact(value: Any) -> Any:
    """An argument or a result as part of a dict's key: `1`, `1.0` and `True` differ, and so do dims
    with different traces.  Raises Unhashable.
    """
    kind = type(value)
    if kind in _PLAIN:
        return kind, value
    if kind is Dim:
        return value.name, value.size, value.trace
    if kind is tuple or kind is list or kind is IndexTensor:
        return (kind, *map(exact, value))
    if kind is Trailing:
        return kind, exact(value.dims)
    if kind is slice:
        return kind, exact(value.start), exact(value.stop), exact(value.step)
    raise Unhashable(kind)


def is_shape(result: Any) -> bool:
    """Whether a result is one tensor's shape."""
    if isinstance(result, tuple):
        return all(isinstance(dim, Dim) for dim in result)
    return isinstance(result, Trailing)


def refine(shape: Shape, known: Any) -> Shape:
    """The dims of a type with the sizes of a known shape, if both have the same rank."""
    if not is_shape(known):
        return shape
    if shape is UNKNOWN:
        return known  # type: ignore[no-any-return]
    if not isinstance(shape, tuple) or not isinstance(known, tuple) or len(shape) != len(known):
        return shape
    return tuple(_sized(dim, known_dim) for dim, known_dim in zip(shape, known, strict=True))


def _sized(dim: Dim, known: Dim) -> Dim:
    if dim.size not in (UNKNOWN, known.size):
        return dim  # mypy asks about a union once for each member: the known size may be another's
    if known.name == dim.name:
        return known
    return dim if known.name is not UNKNOWN else Dim(dim.name, known.size)
