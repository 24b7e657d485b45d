"""Tests that the program makes twice: what the first one decided, the second one knows.

`if self.flash:` at the top of a function and again further down go the same way, unless what is
tested was assigned in between. Which way a path went is told by `decided`, which tests are the same
one by `key`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk

Key = Hashable
"""What two spellings of one test share."""

Decided = Mapping[Key, bool]


def key(expression: ir.Expression) -> Key | None:
    """The form of an expression that gives the same value each time it is evaluated, as long as
    nobody assigns what it reads; None for any other.
    """
    match expression:
        case ir.Name(name):
            return name
        case ir.Attribute(value, name):
            inner = key(value)
            return None if inner is None else (inner, ".", name)
        case ir.NoneLiteral():
            return (None,)
        case ir.Int(number):
            return ("int", number)
        case ir.Str(text):
            return ("str", text)
        case ir.Comparison(left, (operator,), (right,)) | ir.Binary(left, operator, right):
            sides = key(left), key(right)
            return None if None in sides else (sides[0], operator, sides[1])
        case ir.Call(ir.Name() as function, positional, ()):
            inside = tuple(map(key, positional))
            return None if None in inside else (function.name, "()", inside)
    return None


_OPPOSITE = {"is not": "is", "!=": "=="}


def _positive(test: ir.Expression) -> tuple[Key | None, bool]:
    """The key of a test without its negations, and whether it is asked as it stands."""
    asked = True
    while isinstance(test, ir.Unary) and test.operator == "not":
        test, asked = test.operand, not asked
    found = key(test)
    if isinstance(found, tuple) and len(found) == 3 and found[1] in _OPPOSITE:
        return (found[0], _OPPOSITE[found[1]], found[2]), not asked
    return found, asked


def parts(test: ir.Expression, holds: bool) -> Iterable[tuple[Key, bool]]:
    """What is decided when `test` is known to hold, or not to."""
    found, asked = _positive(test)
    if found is not None:
        yield found, holds == asked
    match test:
        case ir.Boolean(left, operator, right) if (operator == "and") == holds:
            yield from parts(left, holds)
            yield from parts(right, holds)
        case ir.Unary("not", operand) if isinstance(operand, ir.Boolean):
            yield from parts(operand, not holds)


def truth(test: ir.Expression, decided: Decided) -> bool | None:
    """How a test turns out, by what was decided before; None when nothing was."""
    if not decided:
        return None
    found, asked = _positive(test)
    if found is not None and found in decided:
        return decided[found] == asked
    match test:
        case ir.Unary("not", operand):
            inner = truth(operand, decided)
            return None if inner is None else not inner
        case ir.Boolean(left, operator, right):
            ends = operator == "or"  # `or` is settled by a true side, `and` by a false one
            answers = truth(left, decided), truth(right, decided)
            if ends in answers:
                return ends
            return None if None in answers else not ends
    return None


class Outlook:
    """What the statements of one body speak of: for each variable that is used and each test that
    is made, the last statement in which it is; for each name that is assigned, all of them.

    Read once per body, so that asking what stands behind a branch does not cost a walk.
    """

    __slots__ = ("assigned", "loops", "tested", "used")

    def __init__(self, body: Sequence[ir.Statement]) -> None:
        self.used: dict[str, int] = {}
        self.assigned: dict[str, list[int]] = {}
        self.tested: dict[Key, int] = {}
        self.loops: dict[int, frozenset[Key]] = {}
        """What each `while` of the body tests before anything in it is run."""
        for index, statement in enumerate(body):
            assigned: set[str] = set()
            for inner in walk(statement):
                # Not by `match`: this looks at every record of every body with a branch in it.
                if isinstance(inner, ir.Name):
                    self.used[inner.name] = index
                elif isinstance(inner, ir.Assign):
                    _note(inner.targets, assigned)
                elif isinstance(inner, (ir.If, ir.Conditional, ir.While)):
                    for holds in (True, False):
                        self.tested.update((found, index) for found, _ in parts(inner.test, holds))
                elif isinstance(inner, (ir.AnnotatedAssign, ir.AugmentedAssign, ir.For, ir.Walrus)):
                    _note((inner.target,), assigned)
            for name in assigned:
                self.assigned.setdefault(name, []).append(index)
            if isinstance(statement, ir.While):
                self.loops[index] = frozenset(
                    found for holds in (True, False) for found, _ in parts(statement.test, holds)
                )


def learned(test: ir.Expression, outlook: Outlook, index: int, holds: bool) -> Decided:
    """What the branch with this test, statement `index` of a body, decides for those behind it:
    nothing that they, or it, assign; but a loop that tests it does so before it assigns.
    """
    return {found: way for found, way in parts(test, holds) if _stays(found, outlook, index)}


def _stays(found: Key, outlook: Outlook, index: int) -> bool:
    assigned = [at for name in names_read(found) for at in outlook.assigned.get(name, ())]
    first = min((at for at in assigned if at >= index), default=None)
    return first is None or (first > index and found in outlook.loops.get(first, ()))


def without_assigned(decided: Decided, loop: ir.While) -> Decided:
    """What was decided before a loop, and is as long as it runs and behind it."""
    if not decided:
        return decided
    assigned = Outlook(loop.body).assigned
    return {
        found: way
        for found, way in decided.items()
        if not any(name in assigned for name in names_read(found))
    }


def asked_again(test: ir.Expression, outlook: Outlook, index: int) -> bool:
    """Whether the statements behind statement `index` of a body make its test once more."""
    return any(
        outlook.tested.get(found, -1) > index
        for holds in (True, False)
        for found in learned(test, outlook, index, holds)
    )


def names_read(found: Key) -> Iterable[str]:
    """The variables and attributes that a key speaks of."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, tuple):
        for part in found:
            yield from names_read(part)


def _note(targets: Iterable[ir.Expression], found: set[str]) -> None:
    for target in targets:
        match target:
            case ir.Name(name) | ir.Attribute(_, name):
                found.add(name)
            case ir.Tuple(elements) | ir.List(elements):
                _note(elements, found)
            case ir.Starred(value):
                _note((value,), found)


__all__ = ["Decided", "Key", "Outlook", "asked_again", "learned", "truth", "without_assigned"]
