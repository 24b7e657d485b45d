"""Expressions as source text, for messages."""

from __future__ import annotations

from typing import Final

from namecheck.analysis.reading.ir.base import Expression
from namecheck.analysis.reading.ir.expressions import (
    Attribute,
    Await,
    BigInt,
    Binary,
    Bool,
    Boolean,
    Bytes,
    Call,
    Clause,
    Comparison,
    Comprehension,
    Conditional,
    Dict,
    DictComprehension,
    EllipsisLiteral,
    Float,
    FString,
    Imaginary,
    Int,
    Interpolation,
    Keyword,
    Lambda,
    List,
    Name,
    NoneLiteral,
    Omitted,
    Parameter,
    Set,
    Slice,
    Starred,
    Str,
    Subscript,
    TString,
    Tuple,
    Unary,
    Walrus,
    Yield,
    YieldFrom,
)

# How tightly the operators bind, from Python's table of operator precedence.
_ATOM: Final = 18
_TIGHTNESS: Final[dict[str, int]] = {
    "or": 3,
    "and": 4,
    "not": 5,
    "|": 7,
    "^": 8,
    "&": 9,
    "<<": 10,
    ">>": 10,
    "+": 11,
    "-": 11,
    "*": 12,
    "/": 12,
    "//": 12,
    "%": 12,
    "@": 12,
    "**": 14,
}
_COMPARISON: Final = 6
_UNARY: Final = 13
_AWAIT: Final = 15


_OF_KIND: Final[dict[type, int]] = {
    Walrus: 0,
    Yield: 0,
    YieldFrom: 0,
    Lambda: 1,
    Conditional: 2,
    Comparison: _COMPARISON,
    Await: _AWAIT,
}


def _tightness(expression: Expression) -> int:
    # Not `match`, here and in `_bare`: compiled, it takes several times as long.
    if isinstance(expression, (Boolean, Binary)):
        return _TIGHTNESS[expression.operator]
    if isinstance(expression, Unary):
        return _TIGHTNESS["not"] if expression.operator == "not" else _UNARY
    return _OF_KIND.get(type(expression), _ATOM)


def describe(expression: Expression, width: int = 60) -> str:
    """A source-like rendering on one line, such as `x.transpose(1, 2)`, for messages.

    If the text is longer than `width` characters, `...` replaces the contents of brackets and
    strings, beginning with the innermost.
    """
    text = _render(expression, depth=1000)
    if len(text) <= width:
        return text
    for depth in range(6, -1, -1):
        shorter = _render(expression, depth)
        if len(shorter) <= width:
            return shorter
    return shorter[: width - 3] + "..."


def _render(expression: Expression, depth: int, floor: int = 0) -> str:
    """The text of an expression, in parentheses if it binds less tightly than `floor`."""
    text = _bare(expression, depth)
    return f"({text})" if _tightness(expression) < floor else text


def _bare(expression: Expression, depth: int) -> str:
    """The text of an expression without brackets around it."""
    if isinstance(expression, Name):
        return expression.name
    if isinstance(expression, (Attribute, Subscript, Slice, Call)):
        return _render_access(expression, depth)
    if isinstance(expression, (Unary, Binary, Boolean, Comparison, Starred)):
        return _render_operation(expression, depth)
    if isinstance(expression, (Tuple, List, Set, Dict, Comprehension, DictComprehension)):
        return _render_display(expression, depth)
    if isinstance(expression, (Conditional, Walrus, Await, Yield, YieldFrom, Lambda)):
        return _render_in_words(expression, depth)
    return _render_literal(expression, depth)


def _render_literal(expression: Expression, depth: int) -> str:
    match expression:
        case Int(value, _) | Float(value, _):
            return repr(value)
        case Bool(value, _):
            return repr(value)
        case BigInt(digits, _):
            return digits
        case Imaginary(value, _):
            return f"{value:g}j"
        case Str(text, _):
            return repr(text) if depth > 0 or len(text) <= 12 else '"..."'
        case Bytes(data, _):
            return repr(data) if depth > 0 or len(data) <= 12 else 'b"..."'
        case NoneLiteral():
            return "None"
        case EllipsisLiteral() | Omitted():
            return "..."
        case FString(parts, _):
            return f'f"{_render_parts(parts, depth)}"'
        case TString(parts, _):
            return f't"{_render_parts(parts, depth)}"'
    raise AssertionError(f"no rendering for {type(expression).__name__}")


def _render_access(expression: Attribute | Subscript | Slice | Call, depth: int) -> str:
    match expression:
        case Attribute(Int() as value, name, _):
            return f"({_bare(value, depth)}).{name}"
        case Attribute(value, name, _):
            return f"{_render(value, depth, _ATOM)}.{name}"
        # Not `(_, *_) as elements`: compiled by mypyc that binds nothing.
        case Subscript(value, Tuple(elements), _) if elements and not (
            len(elements) == 1 and isinstance(elements[0], Starred)
        ):
            inside = _render_list(elements, depth) + ("," if len(elements) == 1 else "")
            return f"{_render(value, depth, _ATOM)}[{inside}]"
        case Subscript(value, Tuple((Starred() as only,)), _):
            return f"{_render(value, depth, _ATOM)}[{_render_list((only,), depth)}]"
        case Subscript(value, index, _):
            return f"{_render(value, depth, _ATOM)}[{_render_list((index,), depth)}]"
        case Slice(lower, upper, step, _):
            ends = [_render(end, depth, 1) if end else "" for end in (lower, upper)]
            return ":".join([*ends, _render(step, depth, 1)] if step else ends)
        case Call(function, positional, keywords, _):
            return f"{_render(function, depth, _ATOM)}({_render_call(positional, keywords, depth)})"


def _render_operation(
    expression: Unary | Binary | Boolean | Comparison | Starred, depth: int
) -> str:
    match expression:
        case Starred(value, _):
            return f"*{_render(value, depth, _TIGHTNESS['|'])}"
        case Unary("not", operand, _):
            return f"not {_render(operand, depth, _TIGHTNESS['not'])}"
        case Unary(operator, operand, _):
            return f"{operator}{_render(operand, depth, _UNARY)}"
        case Binary(left, "**", right, _):
            return f"{_render(left, depth, _AWAIT)} ** {_render(right, depth, _UNARY)}"
        case Binary(left, operator, right, _) | Boolean(left, operator, right, _):
            floor = _TIGHTNESS[operator]
            return f"{_render(left, depth, floor)} {operator} {_render(right, depth, floor + 1)}"
        case Comparison(left, operators, comparators, _):
            text = _render(left, depth, _COMPARISON + 1)
            for sign, comparator in zip(operators, comparators, strict=True):
                text += f" {sign} {_render(comparator, depth, _COMPARISON + 1)}"
            return text


def _render_in_words(
    expression: Conditional | Walrus | Await | Yield | YieldFrom | Lambda, depth: int
) -> str:
    match expression:
        case Conditional(test, body, orelse, _):
            return (
                f"{_render(body, depth, 3)} if {_render(test, depth, 3)}"
                f" else {_render(orelse, depth, 1)}"
            )
        case Walrus(target, value, _):
            return f"{_render(target, depth)} := {_render(value, depth, 1)}"
        case Await(value, _):
            return f"await {_render(value, depth, _ATOM)}"
        case Yield(result, _):
            return "yield" if result is None else f"yield {_render(result, depth)}"
        case YieldFrom(value, _):
            return f"yield from {_render(value, depth)}"
        case Lambda((), body, _):
            return f"lambda: {_render(body, depth, 1)}"
        case Lambda(parameters, body, _):
            return f"lambda {_render_parameters(parameters, depth)}: {_render(body, depth, 1)}"


def _render_display(
    expression: Tuple | List | Set | Dict | Comprehension | DictComprehension, depth: int
) -> str:
    match expression:
        case Tuple((only,), _):
            return f"({_render_list((only,), depth)},)"
        case Tuple(elements, _):
            return f"({_render_list(elements, depth)})"
        case List(elements, _):
            return f"[{_render_list(elements, depth)}]"
        case Set(elements, _):
            return f"{{{_render_list(elements, depth)}}}"
        case Dict(items, _):
            return f"{{{_render_items(items, depth)}}}"
        case Comprehension(kind, element, clauses, _):
            inside = _render_comprehension(element, clauses, depth)
            return {"list": f"[{inside}]", "set": f"{{{inside}}}", "generator": f"({inside})"}[kind]
        case DictComprehension(key, value, clauses, _):
            pair = "**" if key is None else f"{_render(key, depth, 1)}: "
            return f"{{{pair}{_render_comprehension(value, clauses, depth)}}}"


def _render_list(elements: tuple[Expression, ...], depth: int) -> str:
    if depth <= 0 and elements:
        return "..."
    return ", ".join(_render(element, depth - 1, 1) for element in elements)


def _render_call(
    positional: tuple[Expression, ...], keywords: tuple[Keyword, ...], depth: int
) -> str:
    match positional, keywords:
        case (Comprehension("generator", element, clauses),), ():
            return _render_comprehension(element, clauses, depth)
    if depth <= 0 and (positional or keywords):
        return "..."
    arguments = [_render(value, depth - 1, 1) for value in positional]
    for keyword in keywords:
        prefix = "**" if keyword.name is None else f"{keyword.name}="
        arguments.append(prefix + _render(keyword.value, depth - 1, 1))
    return ", ".join(arguments)


def _render_items(items: tuple[tuple[Expression | None, Expression], ...], depth: int) -> str:
    if depth <= 0 and items:
        return "..."
    return ", ".join(
        f"**{_render(value, depth - 1, _TIGHTNESS['|'])}"
        if key is None
        else f"{_render(key, depth - 1, 1)}: {_render(value, depth - 1, 1)}"
        for key, value in items
    )


def _render_comprehension(element: Expression, clauses: tuple[Clause, ...], depth: int) -> str:
    if depth <= 0:
        return "..."
    text = _render(element, depth - 1, 1)
    for clause in clauses:
        text += " async for " if clause.is_async else " for "
        target = _render(clause.target, depth - 1)
        if isinstance(clause.target, Tuple) and len(clause.target.elements) > 1:
            target = target[1:-1]
        text += f"{target} in {_render(clause.iterable, depth - 1, 3)}"
        for condition in clause.conditions:
            text += f" if {_render(condition, depth - 1, 3)}"
    return text


def _render_parameters(parameters: tuple[Parameter, ...], depth: int) -> str:
    parts: list[str] = []
    kinds = [parameter.kind for parameter in parameters]
    for number, parameter in enumerate(parameters):
        if (
            parameter.kind == "keyword-only"
            and "variadic positional" not in kinds
            and kinds.index("keyword-only") == number
        ):
            parts.append("*")
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(parameter.kind, "")
        default = f"={_render(parameter.default, depth - 1, 1)}" if parameter.default else ""
        parts.append(f"{stars}{parameter.name}{default}")
        if parameter.kind == "positional-only" and "positional-only" not in kinds[number + 1 :]:
            parts.append("/")
    return ", ".join(parts)


def _render_parts(parts: tuple[str | Interpolation, ...], depth: int) -> str:
    text = ""
    for part in parts:
        if isinstance(part, str):
            escaped = part.replace("{", "{{").replace("}", "}}")
            text += escaped.encode("unicode_escape").decode("ascii") if depth > 0 else "..."
        elif depth <= 0:
            text += "{...}"
        else:
            conversion = f"!{part.conversion}" if part.conversion else ""
            format_ = f":{_render_parts(part.format, depth - 1)}" if part.format else ""
            debug = "=" if part.debug else ""
            text += f"{{{_render(part.value, depth - 1, 1)}{debug}{conversion}{format_}}}"
    return text
