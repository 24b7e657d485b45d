"""With which ranks the functions of a file are called, and what trials of a rank have shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.shapes_seen import Key, Seen
from namecheck.analysis.state.values import Function, Tensor


class Verdict(NamedTuple):
    """How an evaluation of a function by itself ended, and what was seen in it."""

    returns: bool
    wrong: bool
    seen: Mapping[Key, Sequence[Seen]]


class Calls:
    """With which ranks the functions of a file are called.

    Of the calls that a function makes itself all count; of those further down, made in a function
    that was called in its turn, only what is known of them.
    """

    def __init__(self, suggest: bool = True) -> None:
        self.suggest = suggest
        """Whether they decide a rank. Who writes it into the program wants to be certain: others
        may call the function otherwise.
        """
        self.direct: dict[tuple[int, str], dict[Function | None, set[int | None]]]
        self.direct = defaultdict(dict)
        self._called: dict[Function | None, set[tuple[int, str]]] = {}
        self.further: dict[tuple[int, str], set[int]] = defaultdict(set)
        self.root: Function | None = None

    def begin(self, function: Function) -> None:
        """A function is evaluated by itself (again)."""
        self.root = function
        for place in self._called.pop(function, ()):
            del self.direct[place][function]

    def add(self, frame: Frame, function: Function, given: Mapping[str, int | None]) -> None:
        """A function of the file is called from `frame`, its parameters `given` these ranks."""
        while frame.depth and frame.parent is not None and _is_local(frame.function):
            frame = frame.parent
        key = id(function.record)
        if frame.depth == 0:
            places = self._called.setdefault(self.root, set())
            for name, rank in given.items():
                places.add((key, name))
                self.direct[key, name].setdefault(self.root, set()).add(rank)
        else:
            for name, rank in given.items():
                if rank is not None:
                    self.further[key, name].add(rank)

    def rank(self, function: Function, name: str) -> int | None:
        """The rank with which a parameter is given each time, None if that is not certain."""
        key = id(function.record)
        found: set[int | None] = set(self.further.get((key, name), ()))
        for ranks in self.direct.get((key, name), {}).values():
            found |= ranks
        return found.pop() if len(found) == 1 else None


def _is_local(function: Function | None) -> bool:
    """Whether a function was made in another one, so that what it calls is called there."""
    return function is not None and (
        isinstance(function.record, ir.Lambda)
        or (isinstance(function.scope, Frame) and function.scope.function is not None)
    )


class Case:
    """What was found out about one function."""

    def __init__(self) -> None:
        self.open: tuple[str, ...] = ()
        """Parameters whose rank is not known, as far as they may be tensors."""
        self.supposed: dict[str, int] = {}
        self.fitting: dict[str, tuple[int, ...]] = {}
        """The ranks that would do, as far as they were tried: two at most."""


class Trials:
    """The ranks of parameters that are tried, and what is known of calls meanwhile: for `show`."""

    __slots__ = ("calls", "cases", "is_on", "supposed", "verdict")

    def __init__(self) -> None:
        self.calls: Calls | None = None
        """Which function calls which with which ranks; None where nothing asks for it."""
        self.cases: dict[Function, Case] = {}
        self.supposed: set[Tensor] = set()
        """What parameters are on trial, unless they were iterated over, as lists are."""
        self.is_on = False
        """Whether a function is run on trial."""
        self.verdict: Verdict | None = None
        """How the last trial ended."""
