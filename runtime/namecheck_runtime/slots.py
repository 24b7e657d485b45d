"""The parameters of a rule: as they are declared, and as binding looks at them.

mypyc would make these tuples with `typing`, and importing that takes longer than reading any of the
rules: so they stand in a module that it does not compile.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Parameter(NamedTuple):
    """One parameter of a rule: what it takes, in the words of `declare`."""

    name: str
    takes: tuple[str, ...]
    default: Any
    kind: str
    """`positional`, `keyword`, `variadic` (several arguments, or one sequence of them) or
    `keywords` (all the rest).
    """


class Slot(NamedTuple):
    """A parameter as binding looks at it."""

    name: str
    takes: tuple[str, ...]
    default: Any
    kind: str
    as_tensor: bool
    as_several: bool
    copes: bool
    """Whether the rule copes with not knowing it."""
    takers: tuple[Callable[[object], object], ...]
