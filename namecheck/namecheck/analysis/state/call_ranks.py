"""The ranks that the calls in a file pass to its functions, and the results of trials."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.shapes_seen import Key, Seen
from namecheck.analysis.state.values import Class, Function, Tensor
from namecheck.frameworks import torch


class Verdict(NamedTuple):
    """How an evaluation of a function by itself ended, and the tensors seen in it.

    `listed` are the parameters that were tensors on trial and turned out to be lists.
    """

    returns: bool
    wrong: bool
    listed: frozenset[str]
    seen: Mapping[Key, Sequence[Seen]]


class Calls:
    """The ranks that the calls in a file pass to its functions.

    All calls that a function makes itself count, also those of unknown rank. Of the calls further
    down, in a function that was itself called, only those of known rank count.
    """

    def __init__(self, suggest: bool = True) -> None:
        self.suggest = suggest
        """Whether the calls decide a rank. They do not for annotations, which have to be certain:
        code elsewhere may call the function with another rank.
        """
        self.direct: dict[tuple[int, str], dict[Function | None, set[int | None]]]
        self.direct = defaultdict(dict)
        self._called: dict[Function | None, set[tuple[int, str]]] = {}
        self.further: dict[tuple[int, str], set[int]] = defaultdict(set)
        self.root: Function | None = None
        self._passed_on: set[int] = set()
        """The methods that call an instance of a class that unknown code was given: it may call one
        with any rank.
        """

    def begin(self, function: Function) -> None:
        """Begin to evaluate a function by itself, and forget what it called the last time."""
        self.root = function
        for place in self._called.pop(function, ()):
            del self.direct[place][function]

    def pass_on(self, cls: Class) -> None:
        """Record that unknown code gets a class.

        A function that it gets is as a rule the one that the file would call itself.
        """
        for name in (torch.FORWARD, "__call__"):
            method = cls.attributes.get(name)
            if isinstance(method, Function):
                self._passed_on.add(id(method.record))

    def add(self, frame: Frame, function: Function, given: Mapping[str, int | None]) -> None:
        """Record a call from `frame` of a function of the file, with the ranks in `given`."""
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
        """The rank that every call passes for a parameter; None if that is not certain."""
        key = id(function.record)
        if key in self._passed_on:
            return None
        seen: set[int | None] = set(self.further.get((key, name), ()))
        for ranks in self.direct.get((key, name), {}).values():
            seen |= ranks
        return seen.pop() if len(seen) == 1 else None


def _is_local(function: Function | None) -> bool:
    """Whether a function was made in another one, so that its calls count as that one's."""
    return function is not None and (
        isinstance(function.record, ir.Lambda)
        or (isinstance(function.scope, Frame) and function.scope.function is not None)
    )


class Case:
    """The findings of the trials of one function."""

    def __init__(self) -> None:
        self.open: tuple[str, ...] = ()
        """Parameters of unknown rank that may be tensors."""
        self.supposed: dict[str, int] = {}
        self.fitting: dict[str, tuple[int, ...]] = {}
        """The ranks that were tried and fit: two at most."""


class Trials:
    """The trials of parameters' ranks, and the ranks that calls pass: for `show`."""

    __slots__ = ("calls", "cases", "is_on", "supposed", "verdict")

    def __init__(self) -> None:
        self.calls: Calls | None = None
        """The ranks that calls pass; None unless something needs them."""
        self.cases: dict[Function, Case] = {}
        self.supposed: dict[Tensor, str] = {}
        """The tensors of parameters on trial, without those that the function iterates over, and
        the parameters' names.
        """
        self.is_on = False
        """Whether a function is run on trial."""
        self.verdict: Verdict | None = None
        """How the last trial ended."""
