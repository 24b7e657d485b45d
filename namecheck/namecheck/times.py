"""Where the time of an analysis goes: the CPU time of its parts, for `check --profile`.

Nothing here is on the way of an analysis whose times nobody wants.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

try:
    from time import thread_time as cpu_time
except ImportError:  # in a browser there are no threads
    from time import process_time as cpu_time

__all__ = [
    "BY_ITSELF",
    "DRIVES",
    "IMPORTS",
    "KINDS",
    "OTHER",
    "PARSING",
    "Part",
    "Times",
    "cpu_time",
]

T = TypeVar("T")

PARSING: Final = "parsing"
IMPORTS: Final = "imports"
BY_ITSELF: Final = "alone"
DRIVES: Final = "drives"
OTHER: Final = "other"

KINDS: Final = {
    PARSING: "reading the files that are checked",
    IMPORTS: "the top level of the files that they import",
    BY_ITSELF: "functions, classes and the top level by themselves",
    DRIVES: "tests, scripts and examples with their own sizes",
    OTHER: "comments, findings, fixes",
}
"""The kinds of work, in the order in which a profile has them."""


class Part(NamedTuple):
    """A part of an analysis: a kind of work, for a function or class at a line of a file.

    The `line` is 0 for what is no function or class.
    """

    kind: str
    path: str
    name: str
    line: int


class Times:
    """The seconds that the parts of an analysis took, without those of parts inside them."""

    def __init__(self) -> None:
        self.spent: dict[Part, float] = {}
        self._part = Part("", "", "", 0)
        self._inside = 0.0
        """The seconds of the parts inside the one that is being done."""

    def of(self, part: Part, do: Callable[[], T]) -> T:
        """Do something that is a part."""
        outer, self._part = (self._part, self._inside), part
        self._inside = 0.0
        begun = cpu_time()
        try:
            return do()
        finally:
            seconds = cpu_time() - begun
            self.spent[part] = self.spent.get(part, 0.0) + seconds - self._inside
            self._part = outer[0]
            self._inside = outer[1] + seconds

    def inside(self, kind: str, do: Callable[[], Any]) -> None:
        """Do another kind of work for the function that is being evaluated."""
        self.of(self._part._replace(kind=kind), do)
