"""Which functions and classes of a file each of its functions has used, as the evaluation went.

After an edit of one of them, those are evaluated again that have used it, by calls of calls, too
(`runs/kept_outcomes.py`). Only an evaluation whose outcomes are kept records its uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck.analysis.state.values import Class, Decorated, Function, Library, Value

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import SourceFile

__all__ = ["ALONE", "CLASS", "STATEMENTS", "Node", "Uses"]

Node: TypeAlias = "tuple[Any, str]"
"""What uses and is used: the piece of the file that defines it, and the name of a function in the
piece, or one of the words below. Without a piece it is a name that the file uses for sizes.
"""

CLASS: Final = ""
"""The class that a piece defines, or the decorators of its function."""

STATEMENTS: Final[Node] = (None, CLASS)
"""All statements of the file that are no definitions."""

ALONE: Final = "*"
"""In front of the name of a function, or by itself for the class: its evaluation by itself, which
nothing else uses.
"""


class Uses:
    """The uses that an evaluation has met in its own `file`."""

    __slots__ = ("current", "edges", "file", "seconds", "sized", "stage", "unit", "wanted")

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.current = STATEMENTS
        """What is being evaluated."""
        self.edges: dict[Node, set[Node]] = {}
        self.seconds: dict[Node, float] = {}
        """How long each evaluation by itself took."""
        self.wanted: Callable[[Class | Function], bool] | None = None
        """What is evaluated by itself; None: everything."""
        self.stage = 0
        """The number of the round through the functions or classes that is being made."""
        self.unit = STATEMENTS
        """What is being evaluated by itself."""
        self.sized: set[Any] = set()
        """The pieces of the file in which something is wrong unless two sizes are equal, and those
        that show it. All calls in the file may say whether they are.
        """

    def note(self, used: Class | Function) -> Node:
        """Record that what is being evaluated uses a function or class.

        Returns what uses, from now on, what the body uses: for code of other files it is the code
        of this file that has called it.
        """
        if used.source.file is not self.file:
            return self.current
        node = used.source, (CLASS if isinstance(used, Class) else used.name)
        self.edges.setdefault(self.current, set()).add(node)
        if node[1] != CLASS:  # its decorators
            self.edges.setdefault(node, set()).add((used.source, CLASS))
        return node

    def note_lineage(self, cls: Class, constructor: object) -> None:
        """Record that what is being evaluated uses a class, its bases, and their constructor."""
        before, self.current = self.current, self.note(cls)
        for base in cls.lineage[1:]:
            if isinstance(base, Class):
                self.note(base)
        if isinstance(constructor, Function):
            self.note(constructor)
        self.current = before

    def note_name(self, value: Value) -> None:
        """Record that what is being evaluated reads a name of the file, which has a value."""
        value = value.function if isinstance(value, Decorated) else value
        if isinstance(value, (Class, Function)):
            self.note(value)
        elif not isinstance(value, Library):
            self.edges.setdefault(self.current, set()).add(STATEMENTS)

    def note_bound(self, piece: Any, value: Value | None) -> None:
        """Record which value the definition in a piece has bound to its name.

        If that is neither function nor class, it is data of the file.
        """
        if not isinstance(value, (Class, Function, Decorated)):
            self.edges.setdefault(STATEMENTS, set()).add((piece, CLASS))

    def note_size(self, name: str) -> None:
        """Record that what is being evaluated asks whether the file uses a name for one size, or
        for several.
        """
        self.edges.setdefault(self.current, set()).add((None, name))
