"""What is known of mypy's types and of shapes, each read once: programs ask of few, and often.

mypy's types are keys of a dict as they are; two that are equal say the same.  What is read is one
object for equal types (`Reading`) and for equal dims (`Typed`), so that what was asked before is
found again by comparing objects.
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
    """Something of which nobody can tell whether it was asked before."""


class Reading:
    """What one type says."""

    __slots__ = ("any", "array", "literal", "sized", "typed")

    def __init__(self, type_: Type | None) -> None:
        proper = get_proper_type(type_)
        self.typed: Final = dims.read(proper)
        """Its dims, if it is a tensor of ours."""
        self.array: Final = self.typed is None and _is_array(proper)
        """Whether it is an array whose dims no type tells."""
        self.sized: Final = self.typed is not None and annotated.text_of(proper) is not None
        """Whether sizes were written of it, which its dims do not tell."""
        self.any: Final = isinstance(proper, AnyType)
        self.literal: Final = self.typed is None and literal_of(proper) is not UNKNOWN
        """Whether it tells the value, so that the expression does not matter."""


def _is_array(proper: ProperType | None) -> bool:
    if isinstance(proper, UnionType):  # to mypy two that are annotated otherwise are two types
        return all(map(_is_array, get_proper_types(proper.items)))
    return isinstance(proper, Instance) and surface.owner_of(proper.type) is not None


class Readings:
    """What was read, for as long as no file changes."""

    def __init__(self) -> None:
        self.types: Final[dict[Type | None, Reading]] = {}
        """What was read; `of` reads more."""
        self._shapes: Final[dict[Any, Any]] = {}
        self._typed: Final[dict[int, tuple[Shape, dims.Typed]]] = {}

    def forget(self) -> None:
        """A class may be another from here on."""
        self.types.clear()
        self._shapes.clear()
        self._typed.clear()

    def of(self, type_: Type | None) -> Reading:
        """What a type says."""
        found = self.types.get(type_)
        if found is None:
            found = self.types[type_] = Reading(type_)
        return found

    def one(self, result: Any) -> Any:
        """The same object for equal results of rules."""
        try:
            return self._shapes.setdefault(exact(result), result)
        except Unhashable:
            return result

    def refined(self, typed: dims.Typed, known: Any) -> dims.Typed:
        """What a type says, with the sizes that are known otherwise."""
        found = typed.refined.get(id(known))
        if found is None:
            shape = self.one(refine(typed.shape, known))
            found = typed.refined.get(id(shape))
            if found is None:
                same = shape is self.one(typed.shape)
                found = shape, typed if same else dims.Typed(shape, typed.spelled)
                typed.refined[id(shape)] = found
            typed.refined[id(known)] = known, found[1]
        return found[1]

    def of_shape(self, shape: Shape) -> dims.Typed:
        """A shape that no type tells."""
        found = self._typed.get(id(shape))
        if found is None:
            # The shape is kept with it: of one that is gone the `id` is that of another.
            found = self._typed[id(shape)] = shape, dims.Typed(shape, {})
        return found[1]


_PLAIN: Final = frozenset(
    {str, int, bool, float, complex, NoneType, Unknown, EllipsisType, Polynomial}
)


def exact(value: Any) -> Any:
    """What stands for a value of a call, or a result, in the key of a dict: `1`, `1.0` and `True`
    are three, and so are dims with other traces.
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
    """The dims of a type with the sizes that are known otherwise, where both are of one rank."""
    if not is_shape(known):
        return shape
    if shape is UNKNOWN:
        return known  # type: ignore[no-any-return]
    if not isinstance(shape, tuple) or not isinstance(known, tuple) or len(shape) != len(known):
        return shape
    return tuple(_sized(dim, found) for dim, found in zip(shape, known, strict=True))


def _sized(dim: Dim, found: Dim) -> Dim:
    if dim.size not in (UNKNOWN, found.size):
        return dim  # of this moment: what is asked of a union is asked once for each member
    if found.name == dim.name:
        return found
    return dim if found.name is not UNKNOWN else Dim(dim.name, found.size)
