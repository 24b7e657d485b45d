"""What is remembered of calls and of constructions, so that equal ones are evaluated once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from namecheck.analysis.state.paths import Outcome
from namecheck.analysis.state.values import Value
from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Fact, Symbol


class Remembered(NamedTuple):
    """What a call gave, in the sizes of the call that was evaluated."""

    symbols: tuple[Symbol, ...]
    first: int
    """Symbols with this serial or a later one were made by the call."""
    result: Value
    alive: bool
    refined: tuple[tuple[int, Value], ...]
    equations: tuple[tuple[Size, Size, Fact], ...]
    wrong: tuple[Outcome, ...]


class Shared(NamedTuple):
    """Something built, and the cells that came with it."""

    result: Value
    cells: Mapping[Any, Any]
