"""`match`: each case has a path of its own, with the facts that its pattern states.

The path learns shapes and ranks that are matched (`case (b, t, c)` of `x.shape`, `case 3` of
`x.ndim`) as from a test. Names that a pattern binds get their values, if these are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.evidence import guards, moments
from namecheck.analysis.objects import instance_checks
from namecheck.analysis.python import attributes
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.scalars import rests_on_claim
from namecheck.analysis.state.values import (
    Anything,
    Constant,
    Dict,
    Instance,
    Library,
    List,
    Number,
    ShapeOf,
    Tuple,
    Value,
    is_text,
    known,
)
from namecheck.frameworks import python

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

NOWHERE: Final = -1
"""The number of tests that the source does not show."""


def takes(ev: Evaluator, subject: Value, pattern: ir.Pattern) -> bool | None:
    """Whether a value fits a pattern; None if that is not known."""
    subject = ev.resolve(subject)
    match pattern:
        case ir.CapturePattern(None):
            return True
        case ir.CapturePattern(inner) if inner is not None:
            return takes(ev, subject, inner)
        case ir.OrPattern(patterns):
            answers = [takes(ev, subject, one) for one in patterns]
            return True if True in answers else None if None in answers else False
        case ir.SingletonPattern() | ir.ValuePattern() if rests_on_claim(ev, subject):
            return None
        case ir.SingletonPattern(value):
            constant = known(subject)
            if constant is not None:
                return constant[0] is value
            return False if is_text(subject) else None
        case ir.ValuePattern(value):
            mine, other = known(subject), known(ev.resolve(ev.value(value)))
            if mine is None or other is None:
                return None
            return bool(mine[0] == other[0])
        case ir.SequencePattern() if isinstance(subject, (Constant, Number, Dict)):
            return False
        case ir.MappingPattern() if isinstance(subject, (Constant, Number, List, Tuple)):
            return False
        case ir.SequencePattern(patterns):
            if isinstance(subject, (Tuple, List)):
                contents = elements.iterate(ev, subject)
                starred = any(isinstance(one, ir.StarPattern) for one in patterns)
                if isinstance(contents, tuple) and not starred:
                    if len(contents) != len(patterns):
                        return False
                    return _all_take(ev, zip(contents, patterns, strict=True))
        case ir.MappingPattern(items):
            table: Any = ev.cells.get(subject) if isinstance(subject, Dict) else None
            keys = [known(ev.resolve(ev.value(key))) for key, _ in items]
            if isinstance(table, dict) and None not in keys:
                if any(key is not None and key[0] not in table for key in keys):
                    return False
                return _all_take(ev, _entries(table, keys, items))
        case ir.ClassPattern(cls, positional, keywords):
            answer = instance_checks.is_instance(ev, subject, ev.resolve(ev.value(cls)))
            if answer is True and len(positional) == 1 and not keywords and _is_plain(ev, cls):
                return takes(ev, subject, positional[0])
            return None if answer is True and (positional or keywords) else answer
    return None


def _all_take(ev: Evaluator, pairs: Iterable[tuple[Value, ir.Pattern]]) -> bool | None:
    """Whether each value fits its pattern; None if that is not known."""
    answers = [takes(ev, value, pattern) for value, pattern in pairs]
    return False if False in answers else None if None in answers else True


def _entries(
    contents: dict[Any, Value],
    keys: Sequence[tuple[Any] | None],
    items: Sequence[tuple[ir.Expression, ir.Pattern]],
) -> list[tuple[Value, ir.Pattern]]:
    """The values of a dict under known keys, each with the pattern that it has to fit."""
    return [
        (contents[key[0]], pattern)
        for key, (_, pattern) in zip(keys, items, strict=True)
        if key is not None and key[0] in contents
    ]


def learn(ev: Evaluator, node: ir.Expression, subject: Value, pattern: ir.Pattern) -> None:
    """Learn facts and bind names, given that the subject (written `node`) fits a pattern.

    The path is dead if it cannot fit.
    """
    match pattern:
        case ir.CapturePattern(inner, name):
            if inner is not None:
                learn(ev, node, subject, inner)
            if name is not None:
                ev.assign(ir.Name(name, NOWHERE), subject, node)
        case ir.ValuePattern() | ir.SingletonPattern(None):
            test = test_of(node, pattern)
            if test is not None:
                moments.decided(ev, test, True)
        case ir.SequencePattern(patterns):
            _sequence(ev, node, ev.resolve(subject), patterns)
        case ir.MappingPattern(items, None):
            contents = ev.cells.get(ev.resolve(subject))
            keys = [known(ev.resolve(ev.value(key))) for key, _ in items]
            entries = _entries(contents, keys, items) if isinstance(contents, dict) else []
            if len(entries) < len(items):
                _bind_unknown(ev, pattern)
            for value, inner in entries[: len(items) if len(entries) == len(items) else 0]:
                learn(ev, ir.Omitted(NOWHERE), value, inner)
        case ir.ClassPattern():
            _parts_of_class(ev, node, subject, pattern)
        case _:
            _bind_unknown(ev, pattern)


def _parts_of_class(
    ev: Evaluator, node: ir.Expression, subject: Value, pattern: ir.ClassPattern
) -> None:
    if len(pattern.positional) == 1 and not pattern.keywords and _is_plain(ev, pattern.cls):
        learn(ev, node, subject, pattern.positional[0])
    elif not pattern.positional and isinstance(ev.resolve(subject), Instance):
        for name, part in pattern.keywords:
            value = ev.resolve(attributes.read(ev, subject, name))
            learn(ev, ir.Omitted(NOWHERE), value, part)
    else:
        _bind_unknown(ev, pattern)


def _is_plain(ev: Evaluator, cls: ir.Expression) -> bool:
    """Whether a class is a type of plain values, whose pattern may have one for the value."""
    value = ev.resolve(ev.value(cls))
    return isinstance(value, Library) and value.path in python.PLAIN_TYPES


def learn_otherwise(ev: Evaluator, node: ir.Expression, pattern: ir.Pattern) -> None:
    """Learn facts, given that the subject does not fit a pattern."""
    test = test_of(node, pattern)
    if test is not None:
        moments.decided(ev, test, False)


def test_of(node: ir.Expression, pattern: ir.Pattern) -> ir.Comparison | None:
    """The comparison that a pattern of a single constant makes; None for other patterns."""
    match pattern:
        case ir.ValuePattern(value):
            return ir.Comparison(node, ("==",), (value,), NOWHERE)
        case ir.SingletonPattern(None):
            return ir.Comparison(node, ("is",), (ir.NoneLiteral(NOWHERE),), NOWHERE)
    return None


def _sequence(
    ev: Evaluator, node: ir.Expression, subject: Value, patterns: tuple[ir.Pattern, ...]
) -> None:
    starred = any(isinstance(one, ir.StarPattern) for one in patterns)
    if isinstance(subject, ShapeOf) and not starred:
        expected = [_size(ev, one) for one in patterns]
        guards.shape_equals(ev, subject, Tuple(expected))
    elif isinstance(subject, ShapeOf):
        known_sizes = ev.sizes_of(subject)
        ev.alive = known_sizes is None or len(known_sizes) >= len(patterns) - 1
    if not ev.alive:
        return
    targets = tuple(map(_target, patterns))
    if all(target is not None for target in targets):
        names = ir.Tuple(tuple(t for t in targets if t is not None), NOWHERE)
        ev.assign(names, subject, node)
        return
    contents = elements.iterate(ev, subject)
    for index, pattern in enumerate(patterns):
        if isinstance(contents, tuple) and not starred and len(contents) == len(patterns):
            element = contents[index]
        else:
            element = Anything()
        learn(ev, ir.Omitted(NOWHERE), element, pattern)


def _size(ev: Evaluator, pattern: ir.Pattern) -> Value:
    if isinstance(pattern, ir.ValuePattern):
        value = ev.resolve(ev.value(pattern.value))
        if isinstance(value, Number):
            return value
    return Anything()


def _target(pattern: ir.Pattern) -> ir.Expression | None:
    """The target of an assignment that binds what a pattern of names binds; None for others."""
    match pattern:
        case ir.CapturePattern(None, name):
            return ir.Name(name or "_", NOWHERE)
        case ir.StarPattern(name):
            return ir.Starred(ir.Name(name or "_", NOWHERE), NOWHERE)
    return None


def _bind_unknown(ev: Evaluator, pattern: ir.Pattern) -> None:
    """Bind the names in a pattern to unknown values."""
    for record in walk(pattern):
        name = None
        if isinstance(record, (ir.CapturePattern, ir.StarPattern)):
            name = record.name
        elif isinstance(record, ir.MappingPattern):
            name = record.rest
        if name is not None:
            ev.assign(ir.Name(name, NOWHERE), Anything(name), None)
