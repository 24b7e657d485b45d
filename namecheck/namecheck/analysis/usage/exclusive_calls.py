"""Whether two calls of a function cannot both run: one stands where the other does not get to.

They stand in two branches of one statement, one of them behind a branch that leaves the function,
or under tests that cannot turn out so together: `if mode == 1:` and, further down, `if mode == 2:`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from namecheck.analysis.reading import decisions, ir
from namecheck.analysis.reading.bindings import Same
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.frames import Frame


def remember(home: Frame, call: int) -> None:
    """Remember how the tests before a call turned out, those that did so each time."""
    tests = home.ways.tests
    before = home.written.decided.get(call)
    if before is None:
        home.written.decided[call] = tests
    elif before != tests:
        home.written.decided[call] = {
            form: holds for form, holds in before.items() if tests.get(form) is holds
        }


def are_exclusive(home: Frame, earlier: int, later: int) -> bool:
    """Whether the call `earlier` cannot have run where the call `later` runs."""
    if earlier == later or home.function is None:
        return False
    tests = home.written.decided.get(later, {})
    before = home.written.decided.get(earlier, {})
    if any(decisions.contradicts(tests, form, holds) for form, holds in before.items()):
        return True
    return _are_apart(Same(home.function.record), earlier, later)


@lru_cache(maxsize=256)
def _are_apart(function: Same, earlier: int, later: int) -> bool:
    """Whether two calls stand in two branches, or one of them in a branch that leaves."""
    calls = [record.id for record in walk(function.record) if isinstance(record, ir.Call)]
    if earlier not in calls or later not in calls:
        return False
    first, last = sorted((earlier, later), key=calls.index)
    for record in walk(function.record):
        branches = list(_branches(record))
        holding = [[_holds(branch, call) for branch in branches] for call in (first, last)]
        if not any(holding[0]):
            continue
        if any(holding[1]):
            if holding[0] != holding[1]:
                return True
        elif _leaves(branches[holding[0].index(True)]) and not _loops(function, first):
            return True
    return False


def _branches(record: ir.Record) -> Iterator[Sequence[ir.Record]]:
    """The branches of a statement or an expression of which one is run."""
    match record:
        case ir.If(_, body, orelse):
            yield from (body, orelse)
        case ir.Conditional(_, chosen, otherwise):
            yield from ((chosen,), (otherwise,))
        case ir.Match(_, cases):
            yield from (case.body for case in cases)


def _holds(branch: Sequence[ir.Record], call: int) -> bool:
    return any(
        isinstance(inner, ir.Call) and inner.id == call for one in branch for inner in walk(one)
    )


def _leaves(branch: Sequence[ir.Record]) -> bool:
    """Whether a branch ends with leaving the function."""
    match branch[-1] if branch else None:
        case ir.Return() | ir.Raise():
            return True
        case ir.If(_, body, orelse):
            return _leaves(body) and _leaves(orelse)
        case ir.With(_, body):
            return _leaves(body)
    return False


def _loops(function: Same, call: int) -> bool:
    """Whether a call stands in a loop: an earlier round may have gone another way."""
    return any(
        isinstance(record, ir.For | ir.While) and _holds(record.body, call)
        for record in walk(function.record)
    )


__all__ = ["are_exclusive", "remember"]
