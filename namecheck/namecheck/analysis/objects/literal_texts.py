"""Texts that are evaluated as literals: `eval("[(512, 10, 5)] + [(512, 3, 2)] * 4")`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.state.scalars import arithmetic, wrap
from namecheck.analysis.state.values import Anything, Dict, List, Number, Tuple, Value, known
from namecheck.frameworks import python

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument, Keywords
    from namecheck.analysis.state.evaluate import Evaluator

_LONGEST: Final = 2000
"""The longest text that is read."""

_OPERATORS: Final = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Div: "/",
    ast.Mod: "%",
}


def value_of(ev: Evaluator, text: Value) -> Value:
    """The value of a known text of literals and operators; unknown if it has anything else."""
    constant = known(text)
    if constant is None or not isinstance(constant[0], str) or len(constant[0]) > _LONGEST:
        return Anything()
    try:
        tree = ast.parse(constant[0].strip(), mode="eval")
        return _value(ev, tree.body) or Anything()
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return Anything()


_LONGEST_SPLIT: Final = 200
"""The longest text, and the longest pattern, that a text is split by."""

_REPEATING: Final = frozenset("*+{")
"""Characters that make a pattern match any number of times; two of them may take very long."""


def split(ev: Evaluator, pattern: object, text: object) -> Value:
    """The list of the pieces of a text between the matches of a pattern."""
    if not isinstance(pattern, str) or not isinstance(text, str):
        return Anything()
    if max(len(pattern), len(text)) > _LONGEST_SPLIT:
        return Anything()
    if sum(character in _REPEATING for character in pattern) > 1:
        return Anything()
    try:
        pieces = re.split(pattern, text)
    except (re.error, RecursionError, OverflowError):
        return Anything()
    row = List()
    ev.fill(row, [wrap(piece) for piece in pieces])
    return row


def _value(ev: Evaluator, node: ast.expr) -> Value | None:
    match node:
        case ast.Constant(value):
            return wrap(value) if isinstance(value, (bool, int, float, str, type(None))) else None
        case ast.Tuple(elements) | ast.List(elements):
            parts = [_value(ev, element) for element in elements]
            whole = [part for part in parts if part is not None]
            if len(whole) < len(parts):
                return None
            if isinstance(node, ast.Tuple):
                return Tuple(whole)
            row = List()
            ev.fill(row, whole)
            return row
        case ast.Dict(keys, values):
            return _table(ev, keys, values)
        case ast.UnaryOp(ast.USub(), operand):
            inner = _value(ev, operand)
            return None if inner is None else arithmetic(ev, Number(0), "-", inner)
        case ast.BinOp(left, operation, right):
            symbol = _OPERATORS.get(type(operation))
            first, second = _value(ev, left), _value(ev, right)
            if symbol is None or first is None or second is None:
                return None
            return arithmetic(ev, first, symbol, second)
    return None


def _table(
    ev: Evaluator, keys: Sequence[ast.expr | None], values: Sequence[ast.expr]
) -> Value | None:
    entries: dict[object, Value] = {}
    for key, value in zip(keys, values, strict=True):
        name = None if key is None else _value(ev, key)
        constant = None if name is None else known(name)
        held = _value(ev, value)
        if constant is None or held is None:
            return None
        entries[constant[0]] = held
    table = Dict()
    ev.cells[table] = entries
    return table


def _literal(ev: Evaluator, arguments: Sequence[Argument], keywords: Keywords) -> Value:
    if len(arguments) != 1 or keywords:
        return Anything()
    return value_of(ev, ev.resolve(arguments[0].value))


CALLS: Final[Mapping[str, Callable[[Evaluator, Sequence[Argument], Keywords], Value]]] = {
    python.LITERAL: _literal
}
"""The evaluation of the function of Python's that reads a literal, by path."""
