"""The analyzer's own form of Python: small typed records that the evaluator reads with `match`.

Here live the records, their binary form (`encode`, `decode`) and `describe`. How they are made
from source text is `lower.py`'s business, where they stand in it exactly `positions.py`'s, and
what walks through them `walking.py`'s; nothing here knows LibCST, an op or a shape.

Conventions, the same for every record:

* What was written comes first, in the order of the source; bookkeeping comes last: `line` and
  `end_line` on statements, then `id`. So positional patterns read like the code:
  `case Call(Attribute(x, "transpose"), (Int(a), Int(b)), ())`.
* `id` numbers every expression, parameter, pattern and statement of one chunk, uniquely and
  reproducibly: lowering the same text again gives the same numbers.
* Lines count from 1 in the lowered text. `line` to `end_line` are the lines of a statement's own
  tokens: the whole of a simple statement, the header (up to its colon) of a compound one.
* Several of anything is a tuple. What is absent is `None`, or `()` where a tuple is expected.
* Records are equal when their contents are, `id` and lines included.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, TypeAlias

import msgspec


class Record(msgspec.Struct, frozen=True, array_like=True, tag=True, gc=False):
    """What all records have in common: immutable, compact, compared by content."""


# Expressions: constants


class Int(Record, frozen=True):
    """`3`, `0x10`, `1_000`."""

    value: int
    id: int


class BigInt(Record, frozen=True):
    """An integer literal of more than 64 bits (which the binary form could not carry)."""

    digits: str
    id: int


class Float(Record, frozen=True):
    value: float
    id: int


class Imaginary(Record, frozen=True):
    """`2j`; `value` is the 2."""

    value: float
    id: int


class Str(Record, frozen=True):
    """A string as the program sees it; adjacent literals are one string."""

    value: str
    id: int


class Bytes(Record, frozen=True):
    value: bytes
    id: int


class Bool(Record, frozen=True):
    value: bool
    id: int


class NoneLiteral(Record, frozen=True):
    """`None`."""

    id: int


class EllipsisLiteral(Record, frozen=True):
    """`...`."""

    id: int


class Omitted(Record, frozen=True):
    """Something nested too deeply to be kept (a sum of hundreds of terms): nothing is known of it.

    So that whatever reads the records may call itself for what is inside.
    """

    id: int


class Interpolation(Record, frozen=True):
    """`{value!r:format}` inside a formatted string; `debug` is the `=` of `{value=}`."""

    value: Expression
    conversion: Literal["s", "r", "a"] | None
    format: tuple[str | Interpolation, ...]
    debug: bool


class FString(Record, frozen=True):
    """`f"..."`, or adjacent literals of which one is formatted: text and interpolations."""

    parts: tuple[str | Interpolation, ...]
    id: int


class TString(Record, frozen=True):
    """`t"..."`: a template, which is not a string."""

    parts: tuple[str | Interpolation, ...]
    id: int


# Expressions: names and what is reached from a value


class Name(Record, frozen=True):
    name: str
    id: int


class Attribute(Record, frozen=True):
    """`value.name`."""

    value: Expression
    name: str
    id: int


class Subscript(Record, frozen=True):
    """`value[index]`: several indices are a `Tuple`, as they are when Python runs."""

    value: Expression
    index: Expression
    id: int


class Slice(Record, frozen=True):
    """`lower:upper:step`; stands only as the index of a `Subscript` or an element of it."""

    lower: Expression | None
    upper: Expression | None
    step: Expression | None
    id: int


class Keyword(Record, frozen=True):
    """`name=value` in a call; `name` is None for `**value`."""

    name: str | None
    value: Expression


class Call(Record, frozen=True):
    """`function(*positional, **keywords)`: `*x` is a `Starred` among the positional ones."""

    function: Expression
    positional: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]
    id: int


class Starred(Record, frozen=True):
    """`*value` in a call, a display, a subscript or a target."""

    value: Expression
    id: int


# Expressions: operators

UnaryOperator: TypeAlias = Literal["-", "+", "~", "not"]
BinaryOperator: TypeAlias = Literal[
    "+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "|", "&", "^"
]
BooleanOperator: TypeAlias = Literal["and", "or"]
ComparisonOperator: TypeAlias = Literal[
    "<", ">", "==", "<=", ">=", "!=", "in", "not in", "is", "is not"
]


class Unary(Record, frozen=True):
    operator: UnaryOperator
    operand: Expression
    id: int


class Binary(Record, frozen=True):
    left: Expression
    operator: BinaryOperator
    right: Expression
    id: int


class Boolean(Record, frozen=True):
    """`left and right`, `left or right`; `a and b and c` is `(a and b) and c`."""

    left: Expression
    operator: BooleanOperator
    right: Expression
    id: int


class Comparison(Record, frozen=True):
    """`left < b <= c`: `operators` and `comparators` are equally long, nearly always 1."""

    left: Expression
    operators: tuple[ComparisonOperator, ...]
    comparators: tuple[Expression, ...]
    id: int


class Conditional(Record, frozen=True):
    """`body if test else orelse`."""

    test: Expression
    body: Expression
    orelse: Expression
    id: int


class Walrus(Record, frozen=True):
    """`(target := value)`."""

    target: Expression
    value: Expression
    id: int


class Await(Record, frozen=True):
    value: Expression
    id: int


class Yield(Record, frozen=True):
    value: Expression | None
    id: int


class YieldFrom(Record, frozen=True):
    value: Expression
    id: int


# Expressions: displays, comprehensions, functions


class Tuple(Record, frozen=True):
    elements: tuple[Expression, ...]
    id: int


class List(Record, frozen=True):
    elements: tuple[Expression, ...]
    id: int


class Set(Record, frozen=True):
    elements: tuple[Expression, ...]
    id: int


class Dict(Record, frozen=True):
    """Pairs of key and value; the key is None for `**value`."""

    items: tuple[tuple[Expression | None, Expression], ...]
    id: int


class Clause(Record, frozen=True):
    """`for target in iterable if condition ...` of a comprehension."""

    target: Expression
    iterable: Expression
    conditions: tuple[Expression, ...]
    is_async: bool


class Comprehension(Record, frozen=True):
    kind: Literal["list", "set", "generator"]
    element: Expression
    clauses: tuple[Clause, ...]
    id: int


class DictComprehension(Record, frozen=True):
    """`{key: value for ...}`; the key is None for `{**value for ...}`."""

    key: Expression | None
    value: Expression
    clauses: tuple[Clause, ...]
    id: int


ParameterKind: TypeAlias = Literal[
    "positional-only",
    "positional or keyword",
    "variadic positional",
    "keyword-only",
    "variadic keyword",
]


class Parameter(Record, frozen=True):
    """One parameter; the kinds are spelled as `inspect` describes them."""

    name: str
    kind: ParameterKind
    annotation: Expression | None
    default: Expression | None
    id: int


class Lambda(Record, frozen=True):
    parameters: tuple[Parameter, ...]
    body: Expression
    id: int


# Statements: simple


class ExpressionStatement(Record, frozen=True):
    value: Expression
    line: int
    end_line: int
    id: int


class Assign(Record, frozen=True):
    """`a = b = value`: each target is a name, attribute, subscript, or a tuple or list of them."""

    targets: tuple[Expression, ...]
    value: Expression
    line: int
    end_line: int
    id: int


class AnnotatedAssign(Record, frozen=True):
    """`target: annotation = value`, or without a value."""

    target: Expression
    annotation: Expression
    value: Expression | None
    line: int
    end_line: int
    id: int


class AugmentedAssign(Record, frozen=True):
    """`target += value`; `operator` is the binary one (`+`)."""

    target: Expression
    operator: BinaryOperator
    value: Expression
    line: int
    end_line: int
    id: int


class Return(Record, frozen=True):
    value: Expression | None
    line: int
    end_line: int
    id: int


class Raise(Record, frozen=True):
    exception: Expression | None
    cause: Expression | None
    line: int
    end_line: int
    id: int


class Assert(Record, frozen=True):
    test: Expression
    message: Expression | None
    line: int
    end_line: int
    id: int


class Delete(Record, frozen=True):
    """`del a, b`: two targets."""

    targets: tuple[Expression, ...]
    line: int
    end_line: int
    id: int


class Global(Record, frozen=True):
    names: tuple[str, ...]
    line: int
    end_line: int
    id: int


class Nonlocal(Record, frozen=True):
    names: tuple[str, ...]
    line: int
    end_line: int
    id: int


class Alias(Record, frozen=True):
    """`name as alias` of an import; `name` is dotted in `import a.b`, `*` in `from a import *`."""

    name: str
    alias: str | None


class Import(Record, frozen=True):
    names: tuple[Alias, ...]
    line: int
    end_line: int
    id: int


class ImportFrom(Record, frozen=True):
    """`from ..module import names`: `level` counts the dots, `module` may then be empty."""

    module: str
    names: tuple[Alias, ...]
    level: int
    line: int
    end_line: int
    id: int


class Pass(Record, frozen=True):
    line: int
    end_line: int
    id: int


class Break(Record, frozen=True):
    line: int
    end_line: int
    id: int


class Continue(Record, frozen=True):
    line: int
    end_line: int
    id: int


class TypeParameter(Record, frozen=True):
    """`T: bound = default`, `*Ts`, `**P`: `star` is the stars in front."""

    name: str
    star: Literal["", "*", "**"]
    bound: Expression | None
    default: Expression | None


class TypeAliasStatement(Record, frozen=True):
    """`type name[T] = value`."""

    name: str
    type_parameters: tuple[TypeParameter, ...]
    value: Expression
    line: int
    end_line: int
    id: int


# Statements: compound


class If(Record, frozen=True):
    """`elif` is an `If` alone in `orelse`."""

    test: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]
    line: int
    end_line: int
    id: int


class For(Record, frozen=True):
    target: Expression
    iterable: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]
    is_async: bool
    line: int
    end_line: int
    id: int


class While(Record, frozen=True):
    test: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]
    line: int
    end_line: int
    id: int


class Handler(Record, frozen=True):
    """`except exception as name:`."""

    exception: Expression | None
    name: str | None
    body: tuple[Statement, ...]
    line: int
    end_line: int


class Try(Record, frozen=True):
    """`is_star`: the handlers are `except*`."""

    body: tuple[Statement, ...]
    handlers: tuple[Handler, ...]
    orelse: tuple[Statement, ...]
    final: tuple[Statement, ...]
    is_star: bool
    line: int
    end_line: int
    id: int


class WithItem(Record, frozen=True):
    value: Expression
    target: Expression | None


class With(Record, frozen=True):
    items: tuple[WithItem, ...]
    body: tuple[Statement, ...]
    is_async: bool
    line: int
    end_line: int
    id: int


class ValuePattern(Record, frozen=True):
    """A literal or a dotted name: compared with `==`."""

    value: Expression
    id: int


class SingletonPattern(Record, frozen=True):
    """True, False or None: compared with `is`."""

    value: bool | None
    id: int


class CapturePattern(Record, frozen=True):
    """`pattern as name`, `name` alone, or `_` (both None)."""

    pattern: Pattern | None
    name: str | None
    id: int


class StarPattern(Record, frozen=True):
    """`*name` in a sequence; None for `*_`."""

    name: str | None
    id: int


class SequencePattern(Record, frozen=True):
    patterns: tuple[Pattern, ...]
    id: int


class MappingPattern(Record, frozen=True):
    """Pairs of key and pattern; `rest` is the name after `**`."""

    items: tuple[tuple[Expression, Pattern], ...]
    rest: str | None
    id: int


class ClassPattern(Record, frozen=True):
    """`cls(*positional, name=pattern)`."""

    cls: Expression
    positional: tuple[Pattern, ...]
    keywords: tuple[tuple[str, Pattern], ...]
    id: int


class OrPattern(Record, frozen=True):
    patterns: tuple[Pattern, ...]
    id: int


class Case(Record, frozen=True):
    pattern: Pattern
    guard: Expression | None
    body: tuple[Statement, ...]
    line: int
    end_line: int


class Match(Record, frozen=True):
    subject: Expression
    cases: tuple[Case, ...]
    line: int
    end_line: int
    id: int


class FunctionDef(Record, frozen=True):
    """`line` is that of `def`, below the decorators."""

    name: str
    parameters: tuple[Parameter, ...]
    returns: Expression | None
    body: tuple[Statement, ...]
    decorators: tuple[Expression, ...]
    is_async: bool
    type_parameters: tuple[TypeParameter, ...]
    line: int
    end_line: int
    id: int


class ClassDef(Record, frozen=True):
    """`line` is that of `class`, below the decorators."""

    name: str
    bases: tuple[Expression, ...]
    keywords: tuple[Keyword, ...]
    body: tuple[Statement, ...]
    decorators: tuple[Expression, ...]
    type_parameters: tuple[TypeParameter, ...]
    line: int
    end_line: int
    id: int


# What lowering hands out


Place: TypeAlias = Literal["trailing", "inside", "above", "below"]


class Comment(Record, frozen=True):
    """One `#` comment and what it stands beside.

    `text` begins with the `#`; `column` counts characters from 1. `place` says how the comment
    relates to the statement with the number `statement`:

    * "trailing": it ends the statement's last line (for a compound statement: its header's).
      `target` is then None, but for a `def` of several lines whose last line holds the returns
      annotation: there it is that annotation.
    * "inside": on an earlier line of a statement that spans several, or on a line that belongs to
      a compound statement without being its header (`else:`, `except`, `case`, a decorator).
      `target` is the largest sub-expression or parameter that ends on the comment's line (the last
      of them, if there are several), or begins next if the comment has the line for itself.
    * "above": on a line of its own above the statement, or above its decorators. `previous` is
      then the statement before, in the same block: the comment may speak of that one.
    * "below": on a line of its own after the last statement of a block, indented like it.

    In a file without statements `statement` is None and `place` "above".
    """

    text: str
    line: int
    column: int
    place: Place
    statement: int | None
    target: int | None
    previous: int | None


class Chunk(Record, frozen=True):
    """Lowered text: a chunk of a module, or all of it. `lines` is how many lines the text has."""

    statements: tuple[Statement, ...]
    comments: tuple[Comment, ...]
    lines: int


Expression: TypeAlias = (
    Name
    | Attribute
    | Call
    | Int
    | Str
    | Subscript
    | Binary
    | Tuple
    | Comparison
    | Bool
    | NoneLiteral
    | Unary
    | Boolean
    | Slice
    | Float
    | List
    | FString
    | Conditional
    | Dict
    | Starred
    | Comprehension
    | DictComprehension
    | Lambda
    | EllipsisLiteral
    | Set
    | Walrus
    | Yield
    | YieldFrom
    | Await
    | Bytes
    | Imaginary
    | BigInt
    | TString
    | Omitted
)

Pattern: TypeAlias = (
    ValuePattern
    | SingletonPattern
    | CapturePattern
    | StarPattern
    | SequencePattern
    | MappingPattern
    | ClassPattern
    | OrPattern
)

Statement: TypeAlias = (
    Assign
    | ExpressionStatement
    | If
    | Return
    | FunctionDef
    | ClassDef
    | AugmentedAssign
    | AnnotatedAssign
    | For
    | While
    | With
    | Try
    | Match
    | Raise
    | Assert
    | Import
    | ImportFrom
    | Pass
    | Break
    | Continue
    | Delete
    | Global
    | Nonlocal
    | TypeAliasStatement
)


# Binary form


@cache
def _decoder() -> msgspec.msgpack.Decoder[Chunk]:
    # Made on first use: resolving a hundred record types takes some milliseconds.
    return msgspec.msgpack.Decoder(Chunk)


_ENCODER = msgspec.msgpack.Encoder()


def encode(chunk: Chunk) -> bytes:
    """The chunk as bytes (MessagePack), for the cache and for other processes."""
    return _ENCODER.encode(chunk)


def decode(data: bytes) -> Chunk:
    """The chunk that `encode` was given. Raises `msgspec.MsgspecError` for anything else."""
    return _decoder().decode(data)


# Reading


def children(record: Record) -> Iterator[Record]:
    """The records directly inside `record`, in the order of its fields."""
    for field in record.__struct_fields__:
        yield from _records(getattr(record, field))


def _records(value: object) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _records(item)


def docstring(body: tuple[Statement, ...]) -> ExpressionStatement | None:
    """The statement that is the docstring of a module, class or function with this body.

    Of a module's chunks only the first can hold one. The text is `.value.value`, as written
    (indented); its first line stands on `.line`.
    """
    match body:
        case (ExpressionStatement(value=Str()) as statement, *_):
            return statement
    return None


def comments_by_statement(chunk: Chunk) -> dict[int, list[Comment]]:
    """The comments of each statement that has some, in the order of the source.

    A comment above a statement is listed under that statement only; what it may say about the
    statement before is found through `Comment.previous`.
    """
    found: dict[int, list[Comment]] = {}
    for comment in chunk.comments:
        if comment.statement is not None:
            found.setdefault(comment.statement, []).append(comment)
    return found


# Source-like rendering

# How tightly an expression holds together, from Python's table of operator precedence.
_ATOM = 18
_TIGHTNESS: dict[str, int] = {
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
_COMPARISON = 6
_UNARY = 13
_AWAIT = 15


def _tightness(expression: Expression) -> int:
    match expression:
        case Walrus() | Yield() | YieldFrom():
            return 0
        case Lambda():
            return 1
        case Conditional():
            return 2
        case Boolean(_, operator, _) | Binary(_, operator, _):
            return _TIGHTNESS[operator]
        case Unary("not", _):
            return _TIGHTNESS["not"]
        case Unary():
            return _UNARY
        case Comparison():
            return _COMPARISON
        case Await():
            return _AWAIT
    return _ATOM


def describe(expression: Expression, width: int = 60) -> str:
    """A source-like rendering on one line, such as `x.transpose(1, 2)`, for messages.

    When the whole is longer than `width` characters, the contents of inner brackets and strings
    give way to `...`, the outermost last.
    """
    whole = _render(expression, depth=1000)
    if len(whole) <= width:
        return whole
    for depth in range(6, -1, -1):
        shorter = _render(expression, depth)
        if len(shorter) <= width:
            return shorter
    return shorter[: width - 3] + "..."


def _render(expression: Expression, depth: int, floor: int = 0) -> str:
    """`floor`: how tightly the place demands that the expression holds together."""
    text = _bare(expression, depth)
    return f"({text})" if _tightness(expression) < floor else text


def _bare(expression: Expression, depth: int) -> str:
    match expression:
        case Name(name, _):
            return name
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
        case Attribute(Int() as value, name, _):
            return f"({_bare(value, depth)}).{name}"
        case Attribute(value, name, _):
            return f"{_render(value, depth, _ATOM)}.{name}"
        case Subscript(value, Tuple((_, *_) as elements), _) if not (
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
        case Starred(value, _):
            return f"*{_render(value, depth, _TIGHTNESS['|'])}"
        case Unary("not", operand, _):
            return f"not {_render(operand, depth, _TIGHTNESS['not'])}"
        case Unary(operator, operand, _):
            return f"{operator}{_render(operand, depth, _UNARY)}"
        case Binary(left, "**", right, _):
            return f"{_render(left, depth, _AWAIT)} ** {_render(right, depth, _UNARY)}"
        case Binary(left, operator, right, _) | Boolean(left, operator, right, _):
            own = _TIGHTNESS[operator]
            return f"{_render(left, depth, own)} {operator} {_render(right, depth, own + 1)}"
        case Comparison(left, operators, comparators, _):
            text = _render(left, depth, _COMPARISON + 1)
            for sign, comparator in zip(operators, comparators, strict=True):
                text += f" {sign} {_render(comparator, depth, _COMPARISON + 1)}"
            return text
        case Conditional(test, body, orelse, _):
            return (
                f"{_render(body, depth, 3)} if {_render(test, depth, 3)}"
                f" else {_render(orelse, depth, 1)}"
            )
        case Walrus(target, value, _):
            return f"{_render(target, depth)} := {_render(value, depth, 1)}"
        case Await(value, _):
            return f"await {_render(value, depth, _ATOM)}"
        case Yield(None, _):
            return "yield"
        case Yield(value, _) if value is not None:
            return f"yield {_render(value, depth)}"
        case YieldFrom(value, _):
            return f"yield from {_render(value, depth)}"
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
        case DictComprehension(None, value, clauses, _):
            return f"{{**{_render_comprehension(value, clauses, depth)}}}"
        case DictComprehension(key, value, clauses, _) if key is not None:
            pair = f"{_render(key, depth, 1)}: "
            return f"{{{pair}{_render_comprehension(value, clauses, depth)}}}"
        case Lambda((), body, _):
            return f"lambda: {_render(body, depth, 1)}"
        case Lambda(parameters, body, _):
            return f"lambda {_render_parameters(parameters, depth)}: {_render(body, depth, 1)}"
    raise AssertionError(f"no rendering for {type(expression).__name__}")


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
    written: list[str] = []
    kinds = [parameter.kind for parameter in parameters]
    for number, parameter in enumerate(parameters):
        if (
            parameter.kind == "keyword-only"
            and "variadic positional" not in kinds
            and kinds.index("keyword-only") == number
        ):
            written.append("*")
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(parameter.kind, "")
        default = f"={_render(parameter.default, depth - 1, 1)}" if parameter.default else ""
        written.append(f"{stars}{parameter.name}{default}")
        if parameter.kind == "positional-only" and "positional-only" not in kinds[number + 1 :]:
            written.append("/")
    return ", ".join(written)


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
