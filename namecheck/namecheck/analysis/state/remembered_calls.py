"""What is remembered of calls and of constructions, so that equal ones are evaluated once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from namecheck.analysis.state.frames import Outcome
from namecheck.analysis.state.values import Instance, Value
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


class Memory:
    """What one walk remembers of calls and constructions."""

    __slots__ = (
        "calls",
        "cells",
        "evaluated",
        "forgotten",
        "idle",
        "modules",
        "shared",
        "spent",
    )

    def __init__(self) -> None:
        self.calls: dict[Any, Remembered] = {}
        self.shared: dict[Any, Shared] = {}
        self.forgotten: set[Any] = set()
        """Calls that were evaluated and could not be remembered."""
        self.evaluated: dict[int, int] = {}
        """How often each function was evaluated in the current stand-alone evaluation."""
        self.idle: dict[int, int] = {}
        """How often the evaluation of a function taught nothing."""
        self.spent: dict[int, int] = {}
        """The expressions that each function of another file has cost, calls included."""
        self.modules: dict[Any, Instance] = {}
        """Modules by how they were made."""
        self.cells: dict[Instance, Mapping[Any, Any]] = {}
        """What came with a module when its constructor was run."""
