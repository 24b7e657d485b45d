"""Whether two calls of a function cannot both run: one stands where the other does not get to.

They stand in two branches of one statement, one of them behind a branch that leaves the function,
or under tests that cannot turn out so together: `if mode == 1:` and, further down, `if mode == 2:`.

Two branches that do one thing in two forms, `z * s[:, :, None]` and `z * s[:, :, None, None]`, are
for two ranks of `z`, and a comment above them that gives it one is about one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from namecheck.analysis.reading import decisions, ir
from namecheck.analysis.reading.bindings import Same
from namecheck.analysis.reading.walking import target_names, walk
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
    """Whether two records stand in two branches, or one of them in a branch that leaves."""
    nodes = [record.id for record in walk(function.record) if isinstance(record, ir.Node)]
    if earlier not in nodes or later not in nodes:
        return False
    first, last = sorted((earlier, later), key=nodes.index)
    for record in walk(function.record):
        branches = list(_branches(record))
        holding = [[_holds(branch, node) for branch in branches] for node in (first, last)]
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


def _holds(branch: Sequence[ir.Record], node: int) -> bool:
    return any(
        isinstance(inner, ir.Node) and inner.id == node for one in branch for inner in walk(one)
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


def has_other_form(home: Frame, node: ir.Node, variable: str, claim: int) -> bool:
    """Whether another branch does with a variable what `node` does, and has another operand for it.

    The variable has its value from before the branches, and so has the record `claim`, which a
    comment is about. The other operand has another form there, or is assigned in each branch.
    """
    if home.function is None:
        return False
    function = Same(home.function.record)
    mine = _names_in(node)
    form = _form(node)
    for other in walk(function.record):
        if type(other) is not type(node) or other is node:
            continue
        if variable not in mine or _names_in(other) != mine:
            continue
        if not _are_apart(function, node.id, other.id) or _are_apart(function, claim, other.id):
            continue
        if _form(other) != form or _is_bound_apart(function, mine - {variable}, other.id):
            return True
    return False


def _is_bound_apart(function: Same, names: frozenset[str], node: int) -> bool:
    """Whether one of the variables is assigned where `node` cannot be run."""
    return any(
        isinstance(record, ir.Assign)
        and not names.isdisjoint(name for target in record.targets for name in target_names(target))
        and _are_apart(function, record.id, node)
        for record in walk(function.record)
    )


def _names_in(record: ir.Record) -> frozenset[str]:
    """The variables, attributes and methods in a piece of a program."""
    return frozenset(
        inner.name for inner in walk(record) if isinstance(inner, (ir.Name, ir.Attribute))
    )


def _form(record: ir.Record) -> list[tuple[object, ...]]:
    """What a piece of a program says, wherever it stands."""
    return [
        (type(inner), *(getattr(inner, field) for field in _said_by(inner)))
        for inner in walk(record)
    ]


def _said_by(record: ir.Record) -> Iterator[str]:
    """The fields of a record that hold neither records nor its place."""
    for field in record.__match_args__:
        value = getattr(record, field)
        if field not in _PLACES and not isinstance(value, (ir.Record, tuple)):
            yield field


_PLACES: Final = frozenset({"id", "line", "end_line"})

__all__ = ["are_exclusive", "has_other_form", "remember"]
