"""From the expressions of Python's own tree to records: the tables of `from_ast.py`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.ir import Attribute, Binary, Call, Int, Keyword, Name
from namecheck.analysis.reading.lockstep import LONGEST_CHAIN, NewId, Table
from namecheck_runtime.light.regexes import regex


class Doubt(Exception):
    """`ast` does not show what the record says."""


# Each function gets a node of the type that it is listed under, the table of functions for the
# nodes inside, and a function that gives the next number.


def _name(node: ast.Name, go: Table, new: NewId) -> Name:
    return Name(node.id, new())


def _constant(node: ast.Constant, go: Table, new: NewId) -> ir.Expression:
    return _CONSTANTS[type(node.value)](node.value, new)


def _integer(value: int, new: NewId) -> Int:
    if value >= 1 << 63:
        raise Doubt  # the record keeps the digits as written
    return Int(value, new())


_CONSTANTS: Final[dict[type, Callable[[Any, NewId], ir.Expression]]] = {
    str: lambda value, new: ir.Str(_characters(value), new()),
    bytes: lambda value, new: ir.Bytes(value, new()),
    bool: lambda value, new: ir.Bool(value, new()),
    int: _integer,
    float: lambda value, new: ir.Float(value, new()),
    complex: lambda value, new: ir.Imaginary(value.imag, new()),
    type(None): lambda value, new: ir.NoneLiteral(new()),
    type(...): lambda value, new: ir.EllipsisLiteral(new()),
}

_SURROGATE: Final = regex(f"[{chr(0xD800)}-{chr(0xDFFF)}]")


def _characters(text: str) -> str:
    # Halves of a surrogate pair are not characters: they cannot be written to a file.
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _formatted_string(node: ast.JoinedStr, go: Table, new: NewId) -> ir.FString:
    # Older Pythons do not know the places of the expressions inside.
    return ir.FString(tuple(_parts(node, EXPRESSIONS, new)), new())


def _parts(node: Any, go: Table, new: NewId) -> list[str | ir.Interpolation]:
    parts: list[str | ir.Interpolation] = []
    for piece in node.values:
        if type(piece) is ast.Constant:
            if piece.value:  # Python 3.12 ends a format with an empty text
                parts.append(_characters(str(piece.value)))
            continue
        inner, format_ = piece.value, piece.format_spec
        value = go[type(inner)](inner, go, new)
        conversion: Any = None if piece.conversion < 0 else chr(piece.conversion)
        spec = () if format_ is None else tuple(_parts(format_, go, new))
        parts.append(ir.Interpolation(value, conversion, spec, getattr(piece, _MARK, False)))
    return parts


_MARK: Final = "documents_itself"
"""The attribute that tells the value of a `{x=}` in a marked tree."""

DOCUMENTING: Final = regex(r"=\s*[!:}]")
"""How a `{x=}` ends, which Python does not distinguish from `x={x!r}`."""

_PLAIN: Final = regex(r"\{(\s*([\w.]+)\s*=\s*)([!:}])")
"""A `{x=}` of a variable or an attribute: its text, its expression, and what follows."""


def mark_documenting(module: ast.Module, text: str) -> None:
    """Mark each `{x=}` in the tree of a text, which loses its text, and what Python adds to it.

    Raises `Doubt` if the text does not show which values these are.
    """
    for node in ast.walk(module):
        if type(node) is ast.JoinedStr:
            if any(type(piece) is ast.FormattedValue for piece in node.values):
                _mark(node, ast.get_source_segment(text, node) or "{=}")


def _mark(node: ast.JoinedStr, written: str) -> None:
    found = list(_PLAIN.finditer(written))
    if len(found) != len(DOCUMENTING.findall(written)):
        raise Doubt
    at = 0
    text: Any = None
    for piece in node.values:
        if not isinstance(piece, ast.FormattedValue):
            text = piece
            continue
        # Python shows the value of `{x=}` with `repr`, unless it has a format.
        is_shown_plainly = piece.conversion < 0 and piece.format_spec is None
        if is_shown_plainly or text is None or not str(text.value).rstrip().endswith("="):
            text = None
            continue
        shown = found[at] if at < len(found) else None
        if shown is None or not str(text.value).endswith(shown[1]):
            raise Doubt
        if ast.unparse(piece.value) != shown[2]:
            raise Doubt
        text.value = str(text.value).removesuffix(shown[1])
        if shown[3] != "!":
            piece.conversion = -1
        setattr(piece, _MARK, True)
        text = None
        at += 1
    if at != len(found):
        raise Doubt


def _attribute(node: ast.Attribute, go: Table, new: NewId) -> Attribute:
    value = node.value
    return Attribute(go[type(value)](value, go, new), node.attr, new())


def _call(node: ast.Call, go: Table, new: NewId) -> Call:
    function = node.func
    called = go[type(function)](function, go, new)
    return Call(called, *_arguments(node.args, node.keywords, go, new), new())


def _arguments(
    arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword], go: Table, new: NewId
) -> tuple[tuple[ir.Expression, ...], tuple[Keyword, ...]]:
    if not keywords:
        return tuple([go[type(one)](one, go, new) for one in arguments]), ()
    if arguments and place(arguments[-1]) > place(keywords[0]):
        return _mixed_arguments(arguments, keywords, go, new)
    return (
        tuple([go[type(one)](one, go, new) for one in arguments]),
        tuple([Keyword(one.arg, go[type(one.value)](one.value, go, new)) for one in keywords]),
    )


def _mixed_arguments(
    arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword], go: Table, new: NewId
) -> tuple[tuple[ir.Expression, ...], tuple[Keyword, ...]]:
    """The arguments of a call such as `f(k=1, *rest)`, in their order."""
    positional: list[ir.Expression] = []
    named: list[Keyword] = []
    for argument in sorted((*arguments, *keywords), key=place):
        if isinstance(argument, ast.keyword):
            named.append(Keyword(argument.arg, go[type(argument.value)](argument.value, go, new)))
        else:
            positional.append(go[type(argument)](argument, go, new))
    return tuple(positional), tuple(named)


def place(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _subscript(node: ast.Subscript, go: Table, new: NewId) -> ir.Subscript:
    value, part = node.value, node.slice
    index = go[type(part)](part, go, new)
    return ir.Subscript(go[type(value)](value, go, new), index, new())


def _slice(node: ast.Slice, go: Table, new: NewId) -> ir.Slice:
    return ir.Slice(
        _optional(node.lower, go, new),
        _optional(node.upper, go, new),
        _optional(node.step, go, new),
        new(),
    )


def _starred(node: ast.Starred, go: Table, new: NewId) -> ir.Starred:
    return ir.Starred(go[type(node.value)](node.value, go, new), new())


def _optional(node: ast.expr | None, go: Table, new: NewId) -> ir.Expression | None:
    return None if node is None else go[type(node)](node, go, new)


_UNARY: Final[dict[type, ir.UnaryOperator]] = {
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
    ast.Not: "not",
}
BINARY: Final[dict[type, ir.BinaryOperator]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
}
_BOOLEAN: Final[dict[type, ir.BooleanOperator]] = {ast.And: "and", ast.Or: "or"}
_COMPARISON: Final[dict[type, ir.ComparisonOperator]] = {
    ast.Lt: "<",
    ast.Gt: ">",
    ast.Eq: "==",
    ast.LtE: "<=",
    ast.GtE: ">=",
    ast.NotEq: "!=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}


def _unary(node: ast.UnaryOp, go: Table, new: NewId) -> ir.Unary:
    operand = node.operand
    return ir.Unary(_UNARY[type(node.op)], go[type(operand)](operand, go, new), new())


def _binary(node: ast.BinOp, go: Table, new: NewId) -> Binary | ir.Omitted:
    spine = [node]
    left = node.left
    while type(left) is ast.BinOp:
        spine.append(left)
        left = left.left
    if len(spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    record = go[type(left)](left, go, new)
    for node in reversed(spine):
        right = node.right
        record = Binary(record, BINARY[type(node.op)], go[type(right)](right, go, new), new())
    return record  # type: ignore[no-any-return]


def _boolean(node: ast.BoolOp, go: Table, new: NewId) -> ir.Boolean | ir.Omitted:
    spine = [node]
    left = node.values[0]
    while type(left) is ast.BoolOp:
        spine.append(left)
        left = left.values[0]
    if sum(len(one.values) - 1 for one in spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    record = go[type(left)](left, go, new)
    for node in reversed(spine):
        operator = _BOOLEAN[type(node.op)]
        for right in node.values[1:]:
            record = ir.Boolean(record, operator, go[type(right)](right, go, new), new())
    return record  # type: ignore[no-any-return]


def _comparison(node: ast.Compare, go: Table, new: NewId) -> ir.Comparison:
    left = node.left
    operators = tuple([_COMPARISON[type(operator)] for operator in node.ops])
    comparators = tuple([go[type(one)](one, go, new) for one in node.comparators])
    return ir.Comparison(go[type(left)](left, go, new), operators, comparators, new())


def _conditional(node: ast.IfExp, go: Table, new: NewId) -> ir.Conditional:
    test, body, orelse = node.test, node.body, node.orelse
    return ir.Conditional(
        go[type(test)](test, go, new),
        go[type(body)](body, go, new),
        go[type(orelse)](orelse, go, new),
        new(),
    )


def _walrus(node: ast.NamedExpr, go: Table, new: NewId) -> ir.Walrus:
    value = node.value
    return ir.Walrus(_name(node.target, go, new), go[type(value)](value, go, new), new())


def _await(node: ast.Await, go: Table, new: NewId) -> ir.Await:
    return ir.Await(go[type(node.value)](node.value, go, new), new())


def _yield(node: ast.Yield, go: Table, new: NewId) -> ir.Yield:
    return ir.Yield(_optional(node.value, go, new), new())


def _yield_from(node: ast.YieldFrom, go: Table, new: NewId) -> ir.YieldFrom:
    return ir.YieldFrom(go[type(node.value)](node.value, go, new), new())


def _tuple(node: ast.Tuple, go: Table, new: NewId) -> ir.Tuple:
    return ir.Tuple(tuple([go[type(one)](one, go, new) for one in node.elts]), new())


def _list(node: ast.List, go: Table, new: NewId) -> ir.List:
    return ir.List(tuple([go[type(one)](one, go, new) for one in node.elts]), new())


def _set(node: ast.Set, go: Table, new: NewId) -> ir.Set:
    return ir.Set(tuple([go[type(one)](one, go, new) for one in node.elts]), new())


def _dict(node: ast.Dict, go: Table, new: NewId) -> ir.Dict:
    items = [
        (_optional(key, go, new), go[type(value)](value, go, new))
        for key, value in zip(node.keys, node.values, strict=True)
    ]
    return ir.Dict(tuple(items), new())


def _clauses(
    generators: Sequence[ast.comprehension], go: Table, new: NewId
) -> tuple[ir.Clause, ...]:
    return tuple(
        [
            ir.Clause(
                go[type(clause.target)](clause.target, go, new),
                go[type(clause.iter)](clause.iter, go, new),
                tuple([go[type(one)](one, go, new) for one in clause.ifs]),
                bool(clause.is_async),
            )
            for clause in generators
        ]
    )


def _comprehension(node: Any, go: Table, new: NewId) -> ir.Comprehension:
    element = go[type(node.elt)](node.elt, go, new)
    kind = _COMPREHENSIONS[type(node)]
    return ir.Comprehension(kind, element, _clauses(node.generators, go, new), new())


_COMPREHENSIONS: Final[dict[type, Any]] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.GeneratorExp: "generator",
}


def _dict_comprehension(node: ast.DictComp, go: Table, new: NewId) -> ir.DictComprehension:
    key = _optional(node.key, go, new)
    value = go[type(node.value)](node.value, go, new)
    return ir.DictComprehension(key, value, _clauses(node.generators, go, new), new())


def _parameter(
    node: ast.arg, go: Table, new: NewId, kind: ir.ParameterKind, default: ast.expr | None = None
) -> ir.Parameter:
    annotation = _optional(node.annotation, go, new)
    return ir.Parameter(node.arg, kind, annotation, _optional(default, go, new), new())


def parameters(node: ast.arguments, go: Table, new: NewId) -> tuple[ir.Parameter, ...]:
    lower = go[ast.arg]
    without = len(node.posonlyargs) + len(node.args) - len(node.defaults)
    defaults = [*[None] * without, *node.defaults]
    positional_only = len(node.posonlyargs)
    records = []
    for parameter, default in zip(node.posonlyargs, defaults[:positional_only], strict=True):
        records.append(lower(parameter, go, new, "positional-only", default))
    for parameter, default in zip(node.args, defaults[positional_only:], strict=True):
        records.append(lower(parameter, go, new, "positional or keyword", default))
    if node.vararg is not None:
        records.append(lower(node.vararg, go, new, "variadic positional"))
    for parameter, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        records.append(lower(parameter, go, new, "keyword-only", default))
    if node.kwarg is not None:
        records.append(lower(node.kwarg, go, new, "variadic keyword"))
    return tuple(records)


def _lambda(node: ast.Lambda, go: Table, new: NewId) -> ir.Lambda:
    taken = parameters(node.args, go, new)
    return ir.Lambda(taken, go[type(node.body)](node.body, go, new), new())


def type_parameters(node: Any, go: Table, new: NewId) -> tuple[ir.TypeParameter, ...]:
    """Those in the brackets behind the name of a function, a class or a type."""
    records = []
    for one in getattr(node, "type_params", ()):  # from Python 3.12 on
        kind = type(one).__name__
        star: Any = {"TypeVarTuple": "*", "ParamSpec": "**"}.get(kind, "")
        default = _optional(getattr(one, "default_value", None), go, new)
        bound = _optional(getattr(one, "bound", None), go, new)
        records.append(ir.TypeParameter(one.name, star, bound, default))
    return tuple(records)


# Patterns


def _value_pattern(node: ast.MatchValue, go: Table, new: NewId) -> ir.ValuePattern:
    return ir.ValuePattern(go[type(node.value)](node.value, go, new), new())


def _singleton_pattern(node: ast.MatchSingleton, go: Table, new: NewId) -> ir.SingletonPattern:
    return ir.SingletonPattern(node.value, new())


def _capture_pattern(node: ast.MatchAs, go: Table, new: NewId) -> ir.CapturePattern:
    inner = node.pattern
    pattern = None if inner is None else go[type(inner)](inner, go, new)
    return ir.CapturePattern(pattern, node.name, new())


def _star_pattern(node: ast.MatchStar, go: Table, new: NewId) -> ir.StarPattern:
    return ir.StarPattern(node.name, new())


def _sequence_pattern(node: ast.MatchSequence, go: Table, new: NewId) -> ir.SequencePattern:
    return ir.SequencePattern(_patterns(node.patterns, go, new), new())


def _mapping_pattern(node: ast.MatchMapping, go: Table, new: NewId) -> ir.MappingPattern:
    items = [
        (go[type(key)](key, go, new), go[type(pattern)](pattern, go, new))
        for key, pattern in zip(node.keys, node.patterns, strict=True)
    ]
    return ir.MappingPattern(tuple(items), node.rest, new())


def _class_pattern(node: ast.MatchClass, go: Table, new: NewId) -> ir.ClassPattern:
    cls = go[type(node.cls)](node.cls, go, new)
    positional = _patterns(node.patterns, go, new)
    by_name = _patterns(node.kwd_patterns, go, new)
    keywords = tuple(zip(node.kwd_attrs, by_name, strict=True))
    return ir.ClassPattern(cls, positional, keywords, new())


def _or_pattern(node: ast.MatchOr, go: Table, new: NewId) -> ir.OrPattern:
    return ir.OrPattern(_patterns(node.patterns, go, new), new())


def _patterns(nodes: Sequence[ast.pattern], go: Table, new: NewId) -> tuple[ir.Pattern, ...]:
    return tuple([go[type(node)](node, go, new) for node in nodes])


EXPRESSIONS: Final[dict[type, Callable[..., Any]]] = {
    ast.Name: _name,
    ast.Constant: _constant,
    ast.JoinedStr: _formatted_string,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Starred: _starred,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Lambda: _lambda,
    ast.arg: _parameter,
    ast.MatchValue: _value_pattern,
    ast.MatchSingleton: _singleton_pattern,
    ast.MatchAs: _capture_pattern,
    ast.MatchStar: _star_pattern,
    ast.MatchSequence: _sequence_pattern,
    ast.MatchMapping: _mapping_pattern,
    ast.MatchClass: _class_pattern,
    ast.MatchOr: _or_pattern,
}
