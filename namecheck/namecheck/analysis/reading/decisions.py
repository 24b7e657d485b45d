"""Tests that the program makes twice: the first one decides the second.

`if self.flash:` at the top of a function and again further down go the same way, unless a name in
the test was assigned in between. A `Decided` mapping says which way a path went; `key` says which
tests are the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import Same
from namecheck.analysis.reading.walking import walk
from namecheck.frameworks import python

Key = Hashable
"""The form that two spellings of one test share."""

Decided = Mapping[Key, bool]


def key(expression: ir.Expression) -> Key | None:
    """The form of an expression whose value changes only if a name in it is assigned.

    None for any other expression.
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
        case ir.Bool(truth):
            return ("bool", truth)
        case ir.Tuple(elements) | ir.List(elements) | ir.Set(elements):
            constants = tuple(map(key, elements))
            return ("one of", constants) if all(map(_is_constant, constants)) else None
        case ir.Comparison(left, (operator,), (right,)):
            sides = key(left), key(right)
            if _is_constant(sides[0]) and operator in _MIRRORED:  # `1 == k`
                return None if None in sides else (sides[1], _MIRRORED[operator], sides[0])
            return None if None in sides else (sides[0], operator, sides[1])
        case ir.Binary(left, operator, right):
            sides = key(left), key(right)
            return None if None in sides else (sides[0], operator, sides[1])
        case ir.Call(ir.Name() as function, positional, ()):
            inside = tuple(map(key, positional))
            return None if None in inside else (function.name, "()", inside)
        case ir.Call(ir.Attribute(receiver, method), positional, ()) if method in python.OF_TEXT:
            inside = (key(receiver), *map(key, positional))
            return None if None in inside else (method, "()", inside)
    return None


_MIRRORED: Final = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


_OPPOSITE: Final = {"is not": "is", "!=": "==", "not in": "in", ">=": "<", "<=": ">"}


def _positive(test: ir.Expression) -> tuple[Key | None, bool]:
    """The key of a test without its negations, and whether these leave its meaning the same.

    The result is cached, since a function that is called often makes its tests as often.
    """
    return _read_positive(Same(test))


@lru_cache(maxsize=4096)
def _read_positive(known: Same) -> tuple[Key | None, bool]:
    test = known.record
    assert isinstance(test, ir.Expression)
    same = True
    while isinstance(test, ir.Unary) and test.operator == "not":
        test, same = test.operand, not same
    form = key(test)
    if isinstance(form, tuple) and len(form) == 3 and form[1] in _OPPOSITE:
        return (form[0], _OPPOSITE[form[1]], form[2]), not same
    return form, same


def parts(test: ir.Expression, holds: bool) -> Sequence[tuple[Key, bool]]:
    """The tests that are decided if `test` holds, or if it does not, with their results.

    Of `a or b` that holds, and of `a and b` that does not, it is the whole test. The result is
    cached.
    """
    return _parts(Same(test), holds)


@lru_cache(maxsize=4096)
def _parts(same: Same, holds: bool) -> Sequence[tuple[Key, bool]]:
    test = same.record
    assert isinstance(test, ir.Expression)
    decided: list[tuple[Key, bool]] = []
    form, is_same = _positive(test)
    if form is not None:
        decided.append((form, holds == is_same))
    match test:
        case ir.Boolean(left, operator, right):
            if (operator == "and") == holds:
                decided += parts(left, holds)
                decided += parts(right, holds)
            elif (whole := _whole(test)) is not None:
                decided.append((whole, holds))
        case ir.Unary("not", operand) if isinstance(operand, ir.Boolean):
            decided += parts(operand, not holds)
    return tuple(decided)


def _whole(test: ir.Expression) -> Key | None:
    """The form of a test with `and`, `or` and `not` in it."""
    form, same = _positive(test)
    if form is None:
        match test:
            case ir.Boolean(left, operator, right):
                sides = _whole(left), _whole(right)
                return None if None in sides else (sides[0], operator, sides[1])
            case ir.Unary("not", operand):
                form, same = _whole(operand), False
    return form if same or form is None else (form, "is", False)


def truth_of_form(form: Key, decided: Decided) -> bool | None:
    """How the form of a whole test turns out by decisions; None if these do not say."""
    if isinstance(form, tuple) and len(form) == 3:
        left, operator, right = form
        if right is False:
            inner = truth_of_form(left, decided)
            return None if inner is None else not inner
        if operator in ("and", "or"):
            ends = bool(operator == "or")
            answers = truth_of_form(left, decided), truth_of_form(right, decided)
            if ends in answers:
                return ends
            return None if None in answers else not ends
    return decided.get(form)


def is_whole(form: Key) -> bool:
    """Whether a form is that of a test with `and` or `or`."""
    return isinstance(form, tuple) and len(form) == 3 and form[1] in ("and", "or")


def contradicts(decided: Decided, form: Key, holds: bool) -> bool:
    """Whether a test cannot turn out so where others are decided: a value equals one constant."""
    if form in decided:
        return decided[form] is not holds
    if is_whole(form):
        return truth_of_form(form, decided) is (not holds)
    if not holds:
        return False
    value, constants = _constants(form)
    if not constants:
        return False
    # A value that equals one constant equals no other.
    for other, held in decided.items():
        if held:
            same, others = _constants(other)
            if others and same == value and others.isdisjoint(constants):
                return True
    return False


def _constants(form: Any) -> tuple[Key, frozenset[Key]]:
    """A value, and the constants one of which it equals if the test holds; none for other tests."""
    if isinstance(form, tuple) and len(form) == 3:
        value, operator, constant = form
        if isinstance(constant, tuple) and _is_constant(constant):
            if operator in ("==", "is"):
                return value, frozenset((_plain(constant),))
            if operator == "in" and constant[0] == "one of":
                return value, frozenset(map(_plain, constant[1]))
    return None, frozenset()


def _plain(constant: Any) -> Key:
    """A constant without its type where Python has `True == 1`."""
    return ("int", int(constant[1])) if constant[0] == "bool" else constant


def _is_constant(form: Key) -> bool:
    return isinstance(form, tuple) and len(form) < 3


def truth(test: ir.Expression, decided: Decided) -> bool | None:
    """How a test turns out by earlier decisions; None if these do not say."""
    if not decided:
        return None
    form, same = _positive(test)
    if form is not None:
        if form in decided:
            return decided[form] == same
        if contradicts(decided, form, True):
            return not same
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
    """The variables, tests and assignments in the statements of one body.

    For each variable and each test it has the last statement with it, for each assigned name all
    statements that assign it, for each statement the names that it assigns. It is read once per
    body, so that a question about the statements behind a branch needs no walk.
    """

    __slots__ = ("assigned", "assigning", "loops", "tested", "used")

    def __init__(self, body: Sequence[ir.Statement]) -> None:
        self.used: dict[str, int] = {}
        self.assigned: dict[str, list[int]] = {}
        self.assigning: dict[int, frozenset[str]] = {}
        self.tested: dict[Key, int] = {}
        self.loops: dict[int, frozenset[Key]] = {}
        """The tests of each `while` of the body, made before its body runs."""
        for index, statement in enumerate(body):
            assigned: set[str] = set()
            for inner in walk(statement):
                # `match` would be slower: this runs for every record of every body with a branch.
                if isinstance(inner, ir.Name):
                    self.used[inner.name] = index
                elif isinstance(inner, ir.Assign):
                    _note(inner.targets, assigned)
                elif isinstance(inner, ir.With):
                    _note([item.target for item in inner.items if item.target], assigned)
                elif isinstance(inner, (ir.If, ir.Conditional, ir.While)):
                    for holds in (True, False):
                        self.tested.update((form, index) for form, _ in parts(inner.test, holds))
                elif isinstance(inner, (ir.AnnotatedAssign, ir.AugmentedAssign, ir.For, ir.Walrus)):
                    _note((inner.target,), assigned)
            for name in assigned:
                self.assigned.setdefault(name, []).append(index)
            if assigned:
                self.assigning[index] = frozenset(assigned)
            if isinstance(statement, ir.While):
                self.loops[index] = frozenset(
                    form for holds in (True, False) for form, _ in parts(statement.test, holds)
                )


def learned(test: ir.Expression, outlook: Outlook, index: int, holds: bool) -> Decided:
    """The decisions of the branch at statement `index` of a body for the statements behind it.

    A test does not count if the branch or a later statement assigns a name in it; but a loop makes
    its test before it assigns.
    """
    return {form: way for form, way in parts(test, holds) if _stays(form, outlook, index)}


def _stays(form: Key, outlook: Outlook, index: int) -> bool:
    assigned = [number for name in names_read(form) for number in outlook.assigned.get(name, ())]
    first = min((number for number in assigned if number >= index), default=None)
    return first is None or (first > index and form in outlook.loops.get(first, ()))


def without_assigned(decided: Decided, outlook: Outlook, index: int | None = None) -> Decided:
    """The decisions that still hold behind statement `index` of a body; without one, in a loop.

    A round of a loop finds what the body's statements assigned in the round before.
    """
    assigned: Iterable[str] = outlook.assigned
    if index is not None:
        names = outlook.assigning.get(index)
        if names is None:
            return decided
        assigned = names
    return {form: way for form, way in decided.items() if names_read(form).isdisjoint(assigned)}


def asked_again(test: ir.Expression, outlook: Outlook, index: int) -> bool:
    """Whether the statements behind statement `index` of a body make its test once more."""
    return any(
        outlook.tested.get(form, -1) > index
        for holds in (True, False)
        for form in learned(test, outlook, index, holds)
    )


@lru_cache(maxsize=1024)
def names_read(form: Key) -> frozenset[str]:
    """The variables and attributes in a key."""
    if isinstance(form, str):
        return frozenset((form,))
    if isinstance(form, tuple) and not _is_constant(form):
        return frozenset().union(*map(names_read, form))
    return frozenset()


def _note(targets: Iterable[ir.Expression], names: set[str]) -> None:
    for target in targets:
        match target:
            case ir.Name(name) | ir.Attribute(_, name):
                names.add(name)
            case ir.Tuple(elements) | ir.List(elements):
                _note(elements, names)
            case ir.Starred(value):
                _note((value,), names)


__all__ = [
    "Decided",
    "Key",
    "Outlook",
    "asked_again",
    "contradicts",
    "is_whole",
    "learned",
    "parts",
    "truth",
    "truth_of_form",
    "without_assigned",
]
