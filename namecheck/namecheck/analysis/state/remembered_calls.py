"""Records of calls and constructions, so that equal ones are evaluated once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from namecheck.analysis.state.frames import HeldTest, Outcome
from namecheck.analysis.state.values import Claimed, Instance, Value
from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Fact, Symbol


class CallForm(NamedTuple):
    """The form of a call, by whose `key` calls are compared.

    `symbols` are those that the key numbers, `claims` what is written about the tensors in the
    arguments, `nameless` the numbers of symbols that have no name. Calls with one key have as many
    of each.
    """

    key: Any
    symbols: tuple[Symbol, ...]
    claims: tuple[Claimed, ...]
    nameless: tuple[int, ...]

    def named(self) -> tuple[tuple[int, str, bool], ...]:
        """The symbols that have got a name since, each with its number, label and `of_row`."""
        found = [(number, self.symbols[number]) for number in self.nameless]
        return tuple([(n, one.label, one.of_row) for n, one in found if one.label != NAMELESS])


NAMELESS: Final = "?"
"""The label of a size without a name."""


class Remembered(NamedTuple):
    """The result and the effects of a call, in the sizes of the call that was evaluated."""

    form: CallForm
    first: int
    """The call made the symbols with this serial or a later one."""
    result: Value
    alive: bool
    refined: tuple[tuple[int, Value], ...]
    equations: tuple[tuple[Size, Size, Fact], ...]
    wrong: tuple[Outcome, ...]
    square: frozenset[tuple[int, int]]
    """The pairs of dims that were stated to be equal so far: see `Ranks.square`."""
    named: tuple[tuple[int, str, bool], ...]
    """The names that the call has given to sizes of its arguments which had none: the number of
    each, its label, and whether that is a letter of a row.
    """


class Shared(NamedTuple):
    """A constructed value and its cells."""

    result: Value
    cells: Mapping[Any, Any]


class Memory:
    """What one walk remembers of calls and constructions."""

    __slots__ = (
        "assigned",
        "calls",
        "cells",
        "driven",
        "evaluated",
        "forgotten",
        "generators",
        "given_up",
        "handing",
        "idle",
        "modules",
        "options_set",
        "set_on_modules",
        "shared",
        "spent",
        "tests",
        "waiting",
    )

    def __init__(self) -> None:
        self.assigned: dict[Value, set[str]] = {}
        """The attributes of each unknown configuration that the program assigns."""
        self.calls: dict[Any, Remembered] = {}
        self.shared: dict[Any, Shared] = {}
        self.forgotten: set[Any] = set()
        """Calls that were evaluated and could not be remembered."""
        self.generators: dict[int, bool] = {}
        """Whether each function that a drive has called is a generator."""
        self.given_up: set[int] = set()
        """The functions of installed packages that drives do not follow any more."""
        self.handing: set[int] = set()
        """The identities of the functions that gave a tensor to unknown code when they ran."""
        self.evaluated: dict[int, int] = {}
        """How often each function was evaluated in the current stand-alone evaluation."""
        self.idle: dict[int, int] = {}
        """How often the evaluation of each function taught nothing."""
        self.spent: dict[int, int] = {}
        """The expressions evaluated for each function of another file, calls included."""
        self.modules: dict[Any, Instance] = {}
        """Modules by the key of their construction."""
        self.cells: dict[Any, Mapping[Any, Any]] = {}
        """The cells that the constructor of a module has filled, by the module and what was known
        of its configuration.
        """
        self.waiting: dict[Value, list[Instance]] = {}
        """Modules that may not be built yet, by the objects that their constructors are given."""
        self.options_set = 0
        """How often the program has set an option of a layer that it had built."""
        self.tests: dict[Value, HeldTest] = {}
        """The tests whose results methods keep, by result: others may read the attribute."""
        self.set_on_modules: dict[tuple[int, bool], frozenset[str]] = {}
        """The attributes that each function sets on the modules inside its arguments."""
        self.driven: Memory | None = None
        """What drives remember."""

    def for_drives(self) -> Memory:
        """What drives remember: none of the project's calls was cut off by its cost."""
        if self.driven is None:
            self.driven = Memory()
            self.driven.assigned, self.driven.handing = self.assigned, self.handing
            self.driven.waiting, self.driven.tests = self.waiting, self.tests
            self.driven.set_on_modules = self.set_on_modules
        self.driven.options_set = self.options_set
        return self.driven
