"""Names of other modules, and names whose values are not looked up yet."""

from __future__ import annotations

from typing import Any

from namecheck import frameworks
from namecheck.analysis.state.values.plain import NONE, Constant
from namecheck.analysis.state.values.value import Value


class Library(Value):
    """An object of a module outside this file, by its dotted path."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class Alias(Value):
    """A name for a shape annotation, `Img = Float[Tensor, "c h w"]`, and its declaration."""

    __slots__ = ("declaration",)

    def __init__(self, declaration: Any) -> None:
        self.declaration = declaration


class Deferred(Value):
    """The value of a name that the walk looks up only when it needs it (`python/imports.py`).

    Only variables hold it: reading a name gives the value behind it.
    """

    __slots__ = ()

    def give(self, ev: Any) -> Value:
        """The value."""
        raise NotImplementedError

    def stands_for(self) -> tuple[Any, str] | None:
        """The frame of the module that the name is imported from, and the name there; or None."""
        return None


def of_module(path: str) -> Value:
    """The value of a dotted path into a module outside this file."""
    if path in frameworks.NONES:
        return NONE
    if path in frameworks.FLOATS:
        return Constant(frameworks.FLOATS[path])
    return Library(path)
