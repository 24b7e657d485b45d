"""The parameters of a rule: as they are declared, and in the form that binding uses.

mypyc would make these tuples with `typing`, and importing that takes longer than reading any of the
rules, so they are in a module that it does not compile.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Parameter(NamedTuple):
    """One parameter of a rule; `takes` are the words of its annotation, see `declare`."""

    name: str
    takes: tuple[str, ...]
    default: Any
    kind: str
    """`positional`, `keyword`, `variadic` (several arguments, or one sequence of them) or
    `keywords` (all remaining ones).
    """


class Slot(NamedTuple):
    """A parameter in the form that binding uses."""

    name: str
    takes: tuple[str, ...]
    default: Any
    kind: str
    as_tensor: bool
    as_several: bool
    copes: bool
    """Whether the rule copes with UNKNOWN."""
    takers: tuple[Callable[[object], object], ...]
