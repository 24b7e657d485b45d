"""The tensors on the lines of a function, kept until their shapes are put into words."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from namecheck.analysis.state.values import Anything, Tensor
from namecheck_runtime.lattice import Shape

Key = tuple[int, str, str]
"""Line, target, kind: as in `ShapeAt`."""


BESIDE: Final = ("assign", "parameter", "return")
"""The kinds of keys whose shapes `show` prints beside a line: those of `ShapeAt`."""

EXPRESSION: Final = "expression"
"""The kind of the key of a watched expression: its target is the expression's number. Watching
expressions does not change the names in the shapes beside the lines.
"""

Way = tuple[tuple[int, bool], ...]
"""The branches that lead to a line: the test of each, and how it turned out."""


class Group(NamedTuple):
    """A "tuple" or "list" that is returned, and the forms of its elements."""

    kind: str
    parts: tuple[Form, ...]


Form: TypeAlias = int | str | Group
"""The structure of a returned value: the number of a tensor or an unknown value on its line, or the
name of a type.
"""

FORM: Final = "form"
"""The kind of the key, without a target, that has the forms of the values a line returns."""


class Known(NamedTuple):
    """The shape of a tensor at a line, in the names that its function has for sizes.

    `kind` is that of its dtype and `library` the library of the tensor, "" if that is not certain.
    `run` is a number that shapes put into words together share: among them one name is one size.
    """

    shape: Shape
    kind: str
    library: str
    run: int
    forms: frozenset[Form] = frozenset()


class Seen(NamedTuple):
    """A tensor at a line: its shape there, the way that led there, and whether it was in a loop."""

    value: Tensor | Anything
    shape: Shape
    way: Way
    looped: bool
    form: Form | None = None


class DrivenShapes:
    """The dims on the lines of one file in the first drive that reaches each of them.

    `real` is the real path of the file.
    """

    __slots__ = ("known", "real", "seen", "unsure")

    def __init__(self, real: str) -> None:
        self.real = real
        self.known: dict[Key, str] = {}
        """The dims in words."""
        self.seen: dict[str, dict[Key, dict[Shape, bool]]] | None = None
        """If it is not None, all shapes that the drives have seen, by the real path of each file,
        and whether the program is sure to have them there. UNKNOWN stands for a value that is not
        known to be a tensor.
        """
        self.unsure: set[Any] = set()
        """The frames of the calls that the program may not make."""


class Inlays:
    """The shapes that `show` will print beside the lines of a file."""

    __slots__ = ("driven", "known", "runs", "seen", "wanted")

    def __init__(self) -> None:
        self.driven: DrivenShapes | None = None
        """Where the dims in drives are kept; None if nothing will print them."""
        self.known: dict[Key, Known] = {}
        self.runs = 0
        """How often the shapes of a function were put into words."""
        self.wanted = True
        """Whether anything will print the shapes."""
        self.seen: dict[Key, list[Seen]] = {}
        """The tensors seen in the current function, not yet in words."""
