"""What is kept of the tensors on the lines of a function, until they are put into words."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from namecheck.analysis.state.values import Anything, Tensor
from namecheck_runtime.lattice import Shape

Key = tuple[int, str, str]
"""Line, target, kind: as in `ShapeAt`."""


BESIDE = ("assign", "parameter", "return")
"""The kinds of keys that are shown beside a line: those of `ShapeAt`."""

EXPRESSION = "expression"
"""The kind of the key of an expression that is watched: its target is the expression's number. What
stands beside the lines is called the same, whether expressions are watched or not."""

Way = tuple[tuple[int, bool], ...]
"""The branches that lead to a line: the test of each, and how it turned out."""


class Group(NamedTuple):
    """A "tuple" or "list" that is returned, and what stands in it."""

    kind: str
    parts: tuple[Form, ...]


Form: TypeAlias = int | str | Group
"""How a returned value is built up: the number of a tensor on its line, or of what is not known; a
type by its name.
"""

FORM = "form"
"""The kind of the key, without a target, under which the forms of what a line returns are known."""


class Known(NamedTuple):
    """What is known of a tensor at a line, in the words of its function.

    `kind` is that of its dtype and `library` whose tensor it is, "" where that is not certain.
    `run` is a number for all that was told together: there, one word is one size.
    """

    shape: Shape
    kind: str
    library: str
    run: int
    forms: frozenset[Form] = frozenset()


class Seen(NamedTuple):
    """A tensor at a line, its shape as it was known there, the way that led there, and whether it
    was in a loop.
    """

    value: Tensor | Anything
    shape: Shape
    way: Way
    looped: bool
    form: Form | None = None


class Inlays:
    """What `show` will print beside the lines of a file."""

    __slots__ = ("known", "runs", "seen", "wanted")

    def __init__(self) -> None:
        self.known: dict[Key, Known] = {}
        self.runs = 0
        """How often what was seen in a function was put into words."""
        self.wanted = True
        """Whether anything will print the shapes."""
        self.seen: dict[Key, list[Seen]] = {}
        """What was seen in the function that is being run, not yet in words."""
