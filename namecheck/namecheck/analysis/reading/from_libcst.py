"""The analyzer's records from LibCST's tree, for what Python's own leaves in doubt (`records.py`).

The walk dispatches on node types through tables of plain functions and builds the records of
`ir.py`, nothing else: LibCST's visitors and metadata would cost more than the parse itself. Line
numbers and comments come from the text (`layout.py`), in lock-step with the statements: each
statement takes the next logical line.

Exact positions are not computed here but on demand, in `positions.py`, which repeats the walk and
remembers the nodes.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import libcst as cst

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.chains import takes_too_long
from namecheck.analysis.reading.codegen import SpanRecorder, layout_from_tree
from namecheck.analysis.reading.ir import Attribute, Binary, Call, Int, Keyword, Name
from namecheck.analysis.reading.lockstep import LONGEST_CHAIN, Lockstep, NewId, Table, last_on
from namecheck.analysis.reading.unreadable import SourceError, TooDeep
from namecheck.findings import Span
from namecheck.text.layout import Layout, split_lines
from namecheck_runtime.light.regexes import regex

# As many brackets as Python itself allows in one another. LibCST's parser has no limit but the
# stack, and takes the process with it when that is exhausted (at some 1,200).
_MOST_BRACKETS = 200


def parse(text: str, layout: Layout) -> cst.Module:
    """LibCST's tree of the text with this layout. Raises `SourceError`."""
    if layout.depth > _MOST_BRACKETS:
        raise _source_error(text, None)
    if takes_too_long(text, layout):
        raise TooDeep
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise _source_error(text, error) from None
    except RecursionError:
        raise TooDeep from None


def _source_error(text: str, error: cst.ParserSyntaxError | None) -> SourceError:
    # Python's own words are those that people know; LibCST lists the tokens it would have liked.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as known:
        return SourceError(known.msg, *_inside(text, known.lineno or 1, known.offset or 1))
    except ValueError as known:  # null bytes
        return SourceError(str(known), 1, 1)
    except (RecursionError, MemoryError):
        return TooDeep()
    if error is None:
        return TooDeep()
    # Python reads it and LibCST does not; where, stands only in its message.
    place = re.search(r"error at (\d+):(\d+): (.*)", error.message)
    if place is None:
        return SourceError(error.message, error.raw_line, max(error.raw_column, 1))
    return SourceError(f"cannot be read: {place[3]}", int(place[1]), max(int(place[2]), 1))


def _inside(text: str, line: int, column: int) -> tuple[int, int]:
    """A place that Python tells, which behind a backslash is too far to the right."""
    lines = split_lines(text)
    room = len(lines[line - 1].rstrip("\r\n")) if line <= len(lines) else 0
    return line, max(min(column, room + 1), 1)


def lower_module(module: cst.Module, layout: Layout) -> ir.Chunk:
    """The records of a parsed module whose text has this layout. Raises `SourceError`."""
    return _walk(module, layout, {}, _EXPRESSIONS)


# A node, or the first and the last of several that one record stands for.
Nodes: TypeAlias = dict[int, cst.CSTNode | tuple[cst.CSTNode, cst.CSTNode]]


def nodes_by_id(module: cst.Module, layout: Layout) -> Nodes:
    """For every number in the records of this module, the node that it was made from."""
    nodes: Nodes = {}
    _walk(module, layout, nodes, _remembering(nodes))
    return nodes


def _walk(module: cst.Module, layout: Layout, nodes: Nodes, table: Table) -> ir.Chunk:
    try:
        if not layout.doubtful:
            try:
                return _Walk(module, layout, nodes, table).walk()
            except IndexError:
                # The text has fewer logical lines than the tree: the layout was mistaken.
                nodes.clear()
        return _Walk(module, layout_from_tree(module, layout), nodes, table).walk()
    except RecursionError:
        raise TooDeep from None


# Expressions. Each function gets a node of the type it is listed under, the table of functions to
# use for what is inside, and what gives the next number.

_WORDS: dict[str, Callable[[int], ir.Expression]] = {
    "True": lambda number: ir.Bool(True, number),
    "False": lambda number: ir.Bool(False, number),
    "None": ir.NoneLiteral,
}


def _name(node: cst.Name, go: Table, new: NewId) -> ir.Expression:
    name = node.value
    if name in _WORDS:
        return _WORDS[name](new())
    return Name(name, new())


def _attribute(node: cst.Attribute, go: Table, new: NewId) -> Attribute:
    value = node.value
    return Attribute(go[type(value)](value, go, new), node.attr.value, new())


def _call(node: cst.Call, go: Table, new: NewId) -> Call:
    function = node.func
    called = go[type(function)](function, go, new)
    return Call(called, *_arguments(node.args, go, new), new())


def _arguments(
    arguments: Sequence[cst.Arg], go: Table, new: NewId
) -> tuple[tuple[ir.Expression, ...], tuple[Keyword, ...]]:
    positional = []
    keywords = []
    for argument in arguments:
        value = argument.value
        if argument.keyword is not None:
            keywords.append(Keyword(argument.keyword.value, go[type(value)](value, go, new)))
        elif argument.star == "":
            positional.append(go[type(value)](value, go, new))
        elif argument.star == "*":
            positional.append(go[cst.Arg](argument, go, new))
        else:
            keywords.append(Keyword(None, go[type(value)](value, go, new)))
    return tuple(positional), tuple(keywords)


def _subscript(node: cst.Subscript, go: Table, new: NewId) -> ir.Subscript:
    value = node.value
    elements: list[ir.Expression] = []
    for element in node.slice:
        part = element.slice
        if type(part) is cst.Index and part.star is None:
            elements.append(go[type(part.value)](part.value, go, new))
        else:
            elements.append(go[type(part)](part, go, new))
    index = elements[0]
    # `x[a,]` and `x[*a]` index with a tuple of one.
    if (
        len(elements) > 1
        or isinstance(node.slice[0].comma, cst.Comma)
        or isinstance(index, ir.Starred)
    ):
        index = ir.Tuple(tuple(elements), new())
    return ir.Subscript(go[type(value)](value, go, new), index, new())


def _slice(node: cst.Slice, go: Table, new: NewId) -> ir.Slice:
    return ir.Slice(
        _optional(node.lower, go, new),
        _optional(node.upper, go, new),
        _optional(node.step, go, new),
        new(),
    )


def _starred(node: cst.StarredElement | cst.Index | cst.Arg, go: Table, new: NewId) -> ir.Starred:
    return ir.Starred(go[type(node.value)](node.value, go, new), new())


def _optional(node: cst.BaseExpression | None, go: Table, new: NewId) -> ir.Expression | None:
    return None if node is None else go[type(node)](node, go, new)


def _integer(node: cst.Integer, go: Table, new: NewId) -> Int | ir.BigInt:
    try:
        value = int(node.value, 0)
    except ValueError:  # more digits than Python converts
        return ir.BigInt(node.value, new())
    return Int(value, new()) if value < 1 << 63 else ir.BigInt(node.value, new())


def _float(node: cst.Float, go: Table, new: NewId) -> ir.Float:
    return ir.Float(float(node.value), new())


def _imaginary(node: cst.Imaginary, go: Table, new: NewId) -> ir.Imaginary:
    return ir.Imaginary(float(node.value[:-1]), new())


def _ellipsis(node: cst.Ellipsis, go: Table, new: NewId) -> ir.EllipsisLiteral:
    return ir.EllipsisLiteral(new())


_ESCAPE = regex(
    r"\\(?:(?P<line>\r\n?|\n)|(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{2})"
    r"|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})|N\{(?P<name>[^}]*)\}|(?P<one>.))",
    re.DOTALL,
)
_ONE = dict(zip("\\'\"abfnrtv", "\\'\"\a\b\f\n\r\t\v", strict=True))


def _unescape(text: str, in_bytes: bool = False) -> str:
    """What the text between the quotes means. An escape that Python does not know stays as it is.

    Not `ast.literal_eval`, which warns about those and cannot take a piece of a formatted string.
    """

    def meaning(escape: re.Match[str]) -> str:
        kind = escape.lastgroup
        if kind is None or (in_bytes and kind in {"four", "eight", "name"}):
            return escape[0]
        written = escape[kind]
        match kind:
            case "line":
                return ""
            case "one":
                return _ONE.get(written, escape[0])
            case "octal":
                return chr(int(written, 8))
            case "name":
                try:
                    return unicodedata.lookup(written)
                except KeyError:
                    return escape[0]
        code = int(written, 16)
        # Halves of a surrogate pair are no characters: they could not be written to a file.
        return chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"

    return _ESCAPE.sub(meaning, text)


def _string_value(written: str) -> str | bytes:
    """The value of a string literal that is written like this."""
    if "\r" in written:  # Python reads every end of line as \n
        written = written.replace("\r\n", "\n").replace("\r", "\n")
    if written[0] in "\"'":
        prefix = ""
    else:
        start = min(at for quote in "\"'" if (at := written.find(quote)) >= 0)
        prefix, written = written[:start].lower(), written[start:]
    quotes = 3 if len(written) >= 6 and written[:3] in {'"""', "'''"} else 1
    text = written[quotes:-quotes]
    if "\\" in text and "r" not in prefix:
        text = _unescape(text, "b" in prefix)
    return text.encode("latin-1", "replace") if "b" in prefix else text


def _simple_string(node: cst.SimpleString, go: Table, new: NewId) -> ir.Str | ir.Bytes:
    value = _string_value(node.value)
    return ir.Str(value, new()) if isinstance(value, str) else ir.Bytes(value, new())


# Formatted and template strings have the same parts, under different names.
Part: TypeAlias = str | ir.Interpolation


def _parts(pieces: Sequence[Any], raw: bool, go: Table, new: NewId) -> list[Part]:
    parts: list[Part] = []
    for piece in pieces:
        if hasattr(piece, "expression"):
            expression = piece.expression
            parts.append(
                ir.Interpolation(
                    go[type(expression)](expression, go, new),
                    piece.conversion,
                    tuple(_parts(piece.format_spec or (), raw, go, new)),
                    piece.equal is not None,
                )
            )
        else:
            text = piece.value.replace("\r\n", "\n").replace("{{", "{").replace("}}", "}")
            parts.append(text if raw or "\\" not in text else _unescape(text))
    return parts


def _formatted_string(node: cst.FormattedString, go: Table, new: NewId) -> ir.FString:
    return ir.FString(tuple(_parts(node.parts, "r" in node.start.lower(), go, new)), new())


def _template_string(node: Any, go: Table, new: NewId) -> ir.TString:
    return ir.TString(tuple(_parts(node.parts, "r" in node.start.lower(), go, new)), new())


def _concatenated_string(node: cst.ConcatenatedString, go: Table, new: NewId) -> ir.Expression:
    parts: list[Part] = []
    data: list[bytes] = []
    made: type[ir.Str | ir.FString | ir.TString] = ir.Str
    rest: cst.BaseString | None = node
    while rest is not None:
        here: cst.BaseString
        if isinstance(rest, cst.ConcatenatedString):
            here, rest = rest.left, rest.right
        else:
            here, rest = rest, None
        if isinstance(here, cst.SimpleString):
            value = _string_value(here.value)
            if isinstance(value, bytes):
                data.append(value)
            else:
                parts.append(value)
        else:
            made = ir.FString if isinstance(here, cst.FormattedString) else ir.TString
            parts.extend(_parts(here.parts, "r" in here.start.lower(), go, new))  # type: ignore[attr-defined]
    if data:
        return ir.Bytes(b"".join(data), new())
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    if made is ir.Str:
        return ir.Str("".join(part for part in merged if isinstance(part, str)), new())
    return made(tuple(merged), new())  # type: ignore[arg-type]


_UNARY: dict[type, ir.UnaryOperator] = {
    cst.Minus: "-",
    cst.Plus: "+",
    cst.BitInvert: "~",
    cst.Not: "not",
}
_BINARY: dict[type, ir.BinaryOperator] = {
    cst.Add: "+",
    cst.Subtract: "-",
    cst.Multiply: "*",
    cst.Divide: "/",
    cst.FloorDivide: "//",
    cst.Modulo: "%",
    cst.Power: "**",
    cst.MatrixMultiply: "@",
    cst.LeftShift: "<<",
    cst.RightShift: ">>",
    cst.BitOr: "|",
    cst.BitAnd: "&",
    cst.BitXor: "^",
}
_AUGMENTED: dict[type, ir.BinaryOperator] = {
    getattr(cst, f"{type_.__name__}Assign"): operator for type_, operator in _BINARY.items()
}
_BOOLEAN: dict[type, ir.BooleanOperator] = {cst.And: "and", cst.Or: "or"}
_COMPARISON: dict[type, ir.ComparisonOperator] = {
    cst.LessThan: "<",
    cst.GreaterThan: ">",
    cst.Equal: "==",
    cst.LessThanEqual: "<=",
    cst.GreaterThanEqual: ">=",
    cst.NotEqual: "!=",
    cst.In: "in",
    cst.NotIn: "not in",
    cst.Is: "is",
    cst.IsNot: "is not",
}


def _unary(node: cst.UnaryOperation, go: Table, new: NewId) -> ir.Unary:
    operand = node.expression
    return ir.Unary(_UNARY[type(node.operator)], go[type(operand)](operand, go, new), new())


def _binary(node: cst.BinaryOperation, go: Table, new: NewId) -> Binary | ir.Omitted:
    # A sum of many terms leans to the left: a loop, lest it exhaust the stack.
    spine = [node]
    left = node.left
    while type(left) is cst.BinaryOperation:
        spine.append(left)
        left = left.left
    if len(spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    made = go[type(left)](left, go, new)
    for node in reversed(spine):
        right = node.right
        made = Binary(made, _BINARY[type(node.operator)], go[type(right)](right, go, new), new())
    return made  # type: ignore[no-any-return]


def _boolean(node: cst.BooleanOperation, go: Table, new: NewId) -> ir.Boolean | ir.Omitted:
    spine = [node]
    left = node.left
    while type(left) is cst.BooleanOperation:
        spine.append(left)
        left = left.left
    if len(spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    made = go[type(left)](left, go, new)
    for node in reversed(spine):
        right = node.right
        operator = _BOOLEAN[type(node.operator)]
        made = ir.Boolean(made, operator, go[type(right)](right, go, new), new())
    return made  # type: ignore[no-any-return]


def _comparison(node: cst.Comparison, go: Table, new: NewId) -> ir.Comparison:
    left = node.left
    operators = []
    comparators = []
    for comparison in node.comparisons:
        operators.append(_COMPARISON[type(comparison.operator)])
        comparator = comparison.comparator
        comparators.append(go[type(comparator)](comparator, go, new))
    first = go[type(left)](left, go, new)
    return ir.Comparison(first, tuple(operators), tuple(comparators), new())


def _conditional(node: cst.IfExp, go: Table, new: NewId) -> ir.Conditional:
    test, body, orelse = node.test, node.body, node.orelse
    return ir.Conditional(
        go[type(test)](test, go, new),
        go[type(body)](body, go, new),
        go[type(orelse)](orelse, go, new),
        new(),
    )


def _walrus(node: cst.NamedExpr, go: Table, new: NewId) -> ir.Walrus:
    target, value = node.target, node.value
    return ir.Walrus(go[type(target)](target, go, new), go[type(value)](value, go, new), new())


def _await(node: cst.Await, go: Table, new: NewId) -> ir.Await:
    return ir.Await(go[type(node.expression)](node.expression, go, new), new())


def _yield(node: cst.Yield, go: Table, new: NewId) -> ir.Yield | ir.YieldFrom:
    value = node.value
    if isinstance(value, cst.From):
        return ir.YieldFrom(go[type(value.item)](value.item, go, new), new())
    return ir.Yield(_optional(value, go, new), new())


def _elements(
    elements: Sequence[cst.BaseElement], go: Table, new: NewId
) -> tuple[ir.Expression, ...]:
    made = []
    for element in elements:
        if type(element) is cst.Element:
            value = element.value
            made.append(go[type(value)](value, go, new))
        else:
            made.append(go[type(element)](element, go, new))
    return tuple(made)


def _tuple(node: cst.Tuple, go: Table, new: NewId) -> ir.Tuple:
    return ir.Tuple(_elements(node.elements, go, new), new())


def _list(node: cst.List, go: Table, new: NewId) -> ir.List:
    return ir.List(_elements(node.elements, go, new), new())


def _set(node: cst.Set, go: Table, new: NewId) -> ir.Set:
    return ir.Set(_elements(node.elements, go, new), new())


def _dict(node: cst.Dict, go: Table, new: NewId) -> ir.Dict:
    items = []
    for element in node.elements:
        key = element.key if isinstance(element, cst.DictElement) else None
        value = element.value
        items.append((_optional(key, go, new), go[type(value)](value, go, new)))
    return ir.Dict(tuple(items), new())


def _clauses(first: cst.CompFor, go: Table, new: NewId) -> tuple[ir.Clause, ...]:
    clauses = []
    clause: cst.CompFor | None = first
    while clause is not None:
        target, iterable = clause.target, clause.iter
        clauses.append(
            ir.Clause(
                go[type(target)](target, go, new),
                go[type(iterable)](iterable, go, new),
                tuple([go[type(if_.test)](if_.test, go, new) for if_ in clause.ifs]),
                clause.asynchronous is not None,
            )
        )
        clause = clause.inner_for_in
    return tuple(clauses)


def _list_comprehension(node: cst.ListComp, go: Table, new: NewId) -> ir.Comprehension:
    element = go[type(node.elt)](node.elt, go, new)
    return ir.Comprehension("list", element, _clauses(node.for_in, go, new), new())


def _set_comprehension(node: cst.SetComp, go: Table, new: NewId) -> ir.Comprehension:
    element = go[type(node.elt)](node.elt, go, new)
    return ir.Comprehension("set", element, _clauses(node.for_in, go, new), new())


def _generator(node: cst.GeneratorExp, go: Table, new: NewId) -> ir.Comprehension:
    element = go[type(node.elt)](node.elt, go, new)
    return ir.Comprehension("generator", element, _clauses(node.for_in, go, new), new())


def _dict_comprehension(node: Any, go: Table, new: NewId) -> ir.DictComprehension:
    key = _optional(getattr(node, "key", None), go, new)  # `{**value for ...}` has none
    value = go[type(node.value)](node.value, go, new)
    return ir.DictComprehension(key, value, _clauses(node.for_in, go, new), new())


def _parameter(node: cst.Param, go: Table, new: NewId, kind: ir.ParameterKind) -> ir.Parameter:
    annotation = node.annotation
    return ir.Parameter(
        node.name.value,
        kind,
        None if annotation is None else _optional(annotation.annotation, go, new),
        _optional(node.default, go, new),
        new(),
    )


def _parameters(node: cst.Parameters, go: Table, new: NewId) -> tuple[ir.Parameter, ...]:
    one = go[cst.Param]
    made = [one(param, go, new, "positional-only") for param in node.posonly_params]
    made += [one(param, go, new, "positional or keyword") for param in node.params]
    if isinstance(node.star_arg, cst.Param):
        made.append(one(node.star_arg, go, new, "variadic positional"))
    made += [one(param, go, new, "keyword-only") for param in node.kwonly_params]
    if node.star_kwarg is not None:
        made.append(one(node.star_kwarg, go, new, "variadic keyword"))
    return tuple(made)


def _lambda(node: cst.Lambda, go: Table, new: NewId) -> ir.Lambda:
    parameters = _parameters(node.params, go, new)
    return ir.Lambda(parameters, go[type(node.body)](node.body, go, new), new())


def _type_parameters(
    node: cst.TypeParameters | None, go: Table, new: NewId
) -> tuple[ir.TypeParameter, ...]:
    if node is None:
        return ()
    made = []
    for entry in node.params:
        param = entry.param
        star = {cst.TypeVarTuple: "*", cst.ParamSpec: "**"}.get(type(param), "")
        if entry.star == "*":
            default = go[cst.TypeParam](entry, go, new)
        else:
            default = _optional(entry.default, go, new)
        bound = _optional(getattr(param, "bound", None), go, new)
        made.append(ir.TypeParameter(param.name.value, star, bound, default))  # type: ignore[arg-type]
    return tuple(made)


def _starred_default(node: cst.TypeParam, go: Table, new: NewId) -> ir.Starred:
    return ir.Starred(go[type(node.default)](node.default, go, new), new())


# Patterns


def _value_pattern(node: cst.MatchValue, go: Table, new: NewId) -> ir.ValuePattern:
    return ir.ValuePattern(go[type(node.value)](node.value, go, new), new())


def _singleton_pattern(node: cst.MatchSingleton, go: Table, new: NewId) -> ir.SingletonPattern:
    value = {"True": True, "False": False, "None": None}[node.value.value]
    return ir.SingletonPattern(value, new())


def _capture_pattern(node: cst.MatchAs, go: Table, new: NewId) -> ir.CapturePattern:
    inner = node.pattern
    pattern = None if inner is None else go[type(inner)](inner, go, new)
    return ir.CapturePattern(pattern, None if node.name is None else node.name.value, new())


def _star_pattern(node: cst.MatchStar, go: Table, new: NewId) -> ir.StarPattern:
    return ir.StarPattern(None if node.name is None else node.name.value, new())


def _sequence_pattern(
    node: cst.MatchList | cst.MatchTuple, go: Table, new: NewId
) -> ir.SequencePattern:
    patterns = [
        go[type(item)](item, go, new)
        if isinstance(item, cst.MatchStar)
        else go[type(item.value)](item.value, go, new)
        for item in node.patterns
    ]
    return ir.SequencePattern(tuple(patterns), new())


def _mapping_pattern(node: cst.MatchMapping, go: Table, new: NewId) -> ir.MappingPattern:
    items = [
        (go[type(item.key)](item.key, go, new), go[type(item.pattern)](item.pattern, go, new))
        for item in node.elements
    ]
    return ir.MappingPattern(tuple(items), node.rest.value if node.rest else None, new())


def _class_pattern(node: cst.MatchClass, go: Table, new: NewId) -> ir.ClassPattern:
    return ir.ClassPattern(
        go[type(node.cls)](node.cls, go, new),
        tuple([go[type(item.value)](item.value, go, new) for item in node.patterns]),
        tuple(
            [(item.key.value, go[type(item.pattern)](item.pattern, go, new)) for item in node.kwds]
        ),
        new(),
    )


def _or_pattern(node: cst.MatchOr, go: Table, new: NewId) -> ir.OrPattern:
    patterns = [go[type(item.pattern)](item.pattern, go, new) for item in node.patterns]
    return ir.OrPattern(tuple(patterns), new())


def _if_present(**functions: Callable[..., Any]) -> dict[type, Callable[..., Any]]:
    """Functions by the names of node types that only newer LibCST has."""
    return {
        getattr(cst, name): function for name, function in functions.items() if hasattr(cst, name)
    }


_EXPRESSIONS: dict[type, Callable[..., Any]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Call: _call,
    cst.Arg: _starred,
    cst.Subscript: _subscript,
    cst.Slice: _slice,
    cst.Index: _starred,
    cst.StarredElement: _starred,
    cst.Integer: _integer,
    cst.Float: _float,
    cst.Imaginary: _imaginary,
    cst.Ellipsis: _ellipsis,
    cst.SimpleString: _simple_string,
    cst.FormattedString: _formatted_string,
    cst.ConcatenatedString: _concatenated_string,
    cst.UnaryOperation: _unary,
    cst.BinaryOperation: _binary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.NamedExpr: _walrus,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.ListComp: _list_comprehension,
    cst.SetComp: _set_comprehension,
    cst.GeneratorExp: _generator,
    cst.DictComp: _dict_comprehension,
    cst.Lambda: _lambda,
    cst.Param: _parameter,
    cst.TypeParam: _starred_default,
    cst.MatchValue: _value_pattern,
    cst.MatchSingleton: _singleton_pattern,
    cst.MatchAs: _capture_pattern,
    cst.MatchStar: _star_pattern,
    cst.MatchList: _sequence_pattern,
    cst.MatchTuple: _sequence_pattern,
    cst.MatchMapping: _mapping_pattern,
    cst.MatchClass: _class_pattern,
    cst.MatchOr: _or_pattern,
    **_if_present(TemplatedString=_template_string, StarredDictComp=_dict_comprehension),
}


def _remembering(nodes: Nodes) -> Table:
    """The table of expressions, made to note in `nodes` which node each record comes from."""

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def make(node: Any, go: Table, new: NewId, *rest: Any) -> Any:
            record = function(node, go, new, *rest)
            nodes[record.id] = node
            if isinstance(record, ir.Subscript):
                if isinstance(record.index, ir.Tuple) and record.index.id not in nodes:
                    nodes[record.index.id] = (node.slice[0].slice, node.slice[-1].slice)
            elif isinstance(record, (Binary, ir.Boolean)):
                # The loop over the left operands went past this function.
                inner = record.left
                while isinstance(inner, (Binary, ir.Boolean)) and inner.id not in nodes:
                    node = node.left
                    nodes[inner.id] = node
                    inner = inner.left
            return record

        return make

    return {type_: noted(function) for type_, function in _EXPRESSIONS.items()}


# Statements


class _Walk(Lockstep):
    """One walk over a module of LibCST's.

    Raises `IndexError` when tree and lines do not agree.
    """

    def __init__(self, module: cst.Module, layout: Layout, nodes: Nodes, table: Table) -> None:
        super().__init__(layout, table)
        self.module = module
        self.nodes = nodes
        self.seen: Nodes = {}  # the expressions of the watched statement

    def walk(self) -> ir.Chunk:
        return self.chunk(self.statements(self.module.body))

    def begin(self, node: cst.CSTNode) -> int:
        """A number for a statement."""
        number = self.new()
        self.nodes[number] = node
        return number

    def statements(self, body: Sequence[cst.BaseStatement]) -> tuple[ir.Statement, ...]:
        made: list[ir.Statement] = []
        previous: int | None = None
        for node in body:
            if type(node) is cst.SimpleStatementLine:
                number = self.begin(node.body[0])
                line, end_line = self.line(node, number, previous)
                for small in node.body:
                    if small is not node.body[0]:
                        number = self.begin(small)
                        self.owners[-1] = self.owners[-1]._replace(last=number)
                    made.append(_SMALL[type(small)](small, self, line, end_line, number))
                if self.watched is not None:
                    self.settle()
                previous = number
            else:
                statement = _COMPOUND[type(node)](node, self, previous)
                made.append(statement)
                previous = statement.id
        return tuple(made)

    def suite(self, node: Any) -> tuple[ir.Statement, ...]:
        """The body of a (part of a) statement whose header was the last logical line."""
        if self.watched is not None:
            self.settle()
        suite = node.body
        if type(suite) is cst.IndentedBlock:
            return self.statements(suite.body)
        made = []
        at = self.at - 1
        line, end_line = self.starts[at], self.ends[at]
        if line < end_line and not isinstance(node, (cst.Try, cst.TryStar)):
            # The header's lines are its own: the body begins on its last.
            line += self.module.code_for_node(_header(node)).rstrip().count("\n")
        number = 0
        for small in suite.body:
            number = self.begin(small)
            made.append(_SMALL[type(small)](small, self, line, end_line, number))
        self.owners[at] = self.owners[at]._replace(last=number, last_place="trailing")
        return tuple(made)

    def orelse(self, node: cst.Else | None, number: int) -> tuple[ir.Statement, ...]:
        if node is None:
            return ()
        self.clause(node, number)
        return self.suite(node)

    def decorators(
        self, decorators: Sequence[cst.Decorator], number: int, previous: int | None
    ) -> tuple[ir.Expression, ...]:
        made = []
        for decorator in decorators:
            self.line(decorator, number, previous, "above", "inside")
            made.append(self.expression(decorator.decorator))
            if self.watched is not None:
                self.settle()
        return tuple(made)

    def expression(self, node: cst.BaseExpression) -> ir.Expression:
        return self.go[type(node)](node, self.go, self.new)  # type: ignore[no-any-return]

    def optional(self, node: cst.BaseExpression | None) -> ir.Expression | None:
        return None if node is None else self.expression(node)

    # What comments stand beside

    def watch(self, node: cst.CSTNode) -> None:
        self.watched = node
        self.seen = {}
        self.go = _remembering(self.seen)

    def settle(self) -> None:
        """Finds what the comments inside the watched statement (or its header) stand beside."""
        node, seen = self.watched, self.seen
        assert node is not None
        self.watched = None
        self.go = self.table
        self.nodes.update(seen)
        at = self.at - 1
        recorder = SpanRecorder(self.module, {id(one) for one in seen.values()})
        try:
            _header(node)._codegen(recorder)
        except RecursionError:
            return  # the comments belong to the statement as a whole
        spans_by_node = recorder.spans(self.starts[at])
        spans: dict[int, Span] = {}
        for number, one in seen.items():
            if isinstance(one, cst.Tuple) and _closes_later(one):
                continue
            if span := spans_by_node.get(id(one)):
                if isinstance(one, cst.Param):
                    span = _whole_parameter(one, span, spans_by_node)
                spans[number] = span
        of_signature = None
        if isinstance(node, cst.FunctionDef):
            of_signature = partial(_last_of_signature, node=node, seen=seen, spans=spans)
        self.aim(spans, of_signature)


_EMPTY_SUITE = cst.SimpleStatementSuite((cst.Pass(),))


def _header(node: cst.CSTNode) -> cst.CSTNode:
    """The statement without what is above and without its body, to generate code from."""
    if isinstance(node, cst.Match):
        return cst.SimpleStatementLine((cst.Expr(node.subject),))
    changes: dict[str, object] = {"leading_lines": ()}
    if not isinstance(node, (cst.SimpleStatementLine, cst.Decorator)):
        changes["body"] = _EMPTY_SUITE
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        changes |= {"decorators": (), "lines_after_decorators": ()}
    if isinstance(node, (cst.If, cst.For, cst.While)):
        changes["orelse"] = None
    return node.with_changes(**changes)


def _closes_later(node: cst.Tuple) -> bool:
    """Whether the closing parenthesis is on a line below the last element.

    A tuple's span is without its parentheses, so that it seems to end beside that element.
    """
    if not node.rpar:
        return False
    comma = node.elements[-1].comma if node.elements else None
    gaps = [node.rpar[0].whitespace_before]
    if isinstance(comma, cst.Comma):
        gaps.append(comma.whitespace_after)
    return any(isinstance(gap, cst.ParenthesizedWhitespace) for gap in gaps)


def _whole_parameter(node: cst.Param, span: Span, spans: Mapping[int, Span]) -> Span:
    # LibCST's span of a parameter is that of its name.
    annotation = node.annotation.annotation if node.annotation else None
    for part in (node.default, annotation):
        if part is not None and id(part) in spans:
            return span._replace(
                end_line=spans[id(part)].end_line, end_column=spans[id(part)].end_column
            )
    return span


def _last_of_signature(
    line: int, node: cst.FunctionDef, seen: Nodes, spans: Mapping[int, Span]
) -> int | None:
    """What the last line of a signature of several lines holds: the returns or a parameter.

    None if it holds both: the comment there could mean either.
    """
    returns = node.returns.annotation if node.returns else None
    parameters = {
        number: span for number, span in spans.items() if isinstance(seen[number], cst.Param)
    }
    parameter = last_on(line, parameters)
    for number, one in seen.items():
        if one is returns and spans[number].line == line:
            return number if parameter is None else None
    return parameter


# Simple statements: the node, the walk, first and last line, the number.


def _expression_statement(
    node: cst.Expr, walk: _Walk, line: int, end_line: int, number: int
) -> ir.ExpressionStatement:
    return ir.ExpressionStatement(walk.expression(node.value), line, end_line, number)


def _assign(node: cst.Assign, walk: _Walk, line: int, end_line: int, number: int) -> ir.Assign:
    go, new, value = walk.go, walk.new, node.value
    targets = tuple([go[type(to.target)](to.target, go, new) for to in node.targets])
    return ir.Assign(targets, go[type(value)](value, go, new), line, end_line, number)


def _annotated_assign(
    node: cst.AnnAssign, walk: _Walk, line: int, end_line: int, number: int
) -> ir.AnnotatedAssign:
    return ir.AnnotatedAssign(
        walk.expression(node.target),
        walk.expression(node.annotation.annotation),
        walk.optional(node.value),
        line,
        end_line,
        number,
    )


def _augmented_assign(
    node: cst.AugAssign, walk: _Walk, line: int, end_line: int, number: int
) -> ir.AugmentedAssign:
    target = walk.expression(node.target)
    operator = _AUGMENTED[type(node.operator)]
    return ir.AugmentedAssign(target, operator, walk.expression(node.value), line, end_line, number)


def _return(node: cst.Return, walk: _Walk, line: int, end_line: int, number: int) -> ir.Return:
    return ir.Return(walk.optional(node.value), line, end_line, number)


def _raise(node: cst.Raise, walk: _Walk, line: int, end_line: int, number: int) -> ir.Raise:
    cause = walk.expression(node.cause.item) if node.cause else None
    return ir.Raise(walk.optional(node.exc), cause, line, end_line, number)


def _assert(node: cst.Assert, walk: _Walk, line: int, end_line: int, number: int) -> ir.Assert:
    return ir.Assert(walk.expression(node.test), walk.optional(node.msg), line, end_line, number)


def _delete(node: cst.Del, walk: _Walk, line: int, end_line: int, number: int) -> ir.Delete:
    target = walk.expression(node.target)
    targets = target.elements if isinstance(target, ir.Tuple) else (target,)
    return ir.Delete(targets, line, end_line, number)


def _global(node: cst.Global, walk: _Walk, line: int, end_line: int, number: int) -> ir.Global:
    names = tuple([item.name.value for item in node.names])
    return ir.Global(names, line, end_line, number)


def _nonlocal(
    node: cst.Nonlocal, walk: _Walk, line: int, end_line: int, number: int
) -> ir.Nonlocal:
    names = tuple([item.name.value for item in node.names])
    return ir.Nonlocal(names, line, end_line, number)


def _dotted(node: cst.BaseExpression | None) -> str:
    names: list[str] = []
    while isinstance(node, cst.Attribute):
        names.append(node.attr.value)
        node = node.value
    if isinstance(node, cst.Name):
        names.append(node.value)
    return ".".join(reversed(names))


def _aliases(names: Sequence[cst.ImportAlias]) -> tuple[ir.Alias, ...]:
    return tuple([ir.Alias(_dotted(one.name), one.evaluated_alias) for one in names])


def _import(node: Any, walk: _Walk, line: int, end_line: int, number: int) -> ir.Import:
    return ir.Import(_aliases(node.names), line, end_line, number)


def _import_from(node: Any, walk: _Walk, line: int, end_line: int, number: int) -> ir.ImportFrom:
    names: tuple[ir.Alias, ...]
    if isinstance(node.names, cst.ImportStar):
        names = (ir.Alias("*", None),)
    else:
        names = _aliases(node.names)
    return ir.ImportFrom(_dotted(node.module), names, len(node.relative), line, end_line, number)


def _pass(node: cst.Pass, walk: _Walk, line: int, end_line: int, number: int) -> ir.Pass:
    return ir.Pass(line, end_line, number)


def _break(node: cst.Break, walk: _Walk, line: int, end_line: int, number: int) -> ir.Break:
    return ir.Break(line, end_line, number)


def _continue(
    node: cst.Continue, walk: _Walk, line: int, end_line: int, number: int
) -> ir.Continue:
    return ir.Continue(line, end_line, number)


def _type_alias(
    node: cst.TypeAlias, walk: _Walk, line: int, end_line: int, number: int
) -> ir.TypeAliasStatement:
    parameters = _type_parameters(node.type_parameters, walk.go, walk.new)
    return ir.TypeAliasStatement(
        node.name.value, parameters, walk.expression(node.value), line, end_line, number
    )


_SMALL: dict[type, Callable[..., Any]] = {
    cst.Expr: _expression_statement,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated_assign,
    cst.AugAssign: _augmented_assign,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Del: _delete,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.Pass: _pass,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.TypeAlias: _type_alias,
    **_if_present(LazyImport=_import, LazyImportFrom=_import_from),
}


# Compound statements: the node, the walk, the number of the statement before.


def _if(node: cst.If, walk: _Walk, previous: int | None) -> ir.If:
    # A chain of elif is a loop, lest it exhaust the stack.
    parts = []
    branch: cst.If | cst.Else | None = node
    while isinstance(branch, cst.If):
        number = walk.begin(branch)
        if branch is node:
            line, end_line = walk.line(branch, number, previous)
        else:
            line, end_line = walk.clause(branch, number)
        test = walk.expression(branch.test)
        parts.append((test, walk.suite(branch), line, end_line, number))
        branch = branch.orelse
    if len(parts) > LONGEST_CHAIN:
        raise TooDeep
    orelse = walk.orelse(branch, parts[-1][-1])
    for part in reversed(parts[1:]):
        orelse = (ir.If(part[0], part[1], orelse, *part[2:]),)
    part = parts[0]
    return ir.If(part[0], part[1], orelse, *part[2:])


def _for(node: cst.For, walk: _Walk, previous: int | None) -> ir.For:
    number = walk.begin(node)
    line, end_line = walk.line(node, number, previous)
    target = walk.expression(node.target)
    iterable = walk.expression(node.iter)
    body = walk.suite(node)
    orelse = walk.orelse(node.orelse, number)
    is_async = node.asynchronous is not None
    return ir.For(target, iterable, body, orelse, is_async, line, end_line, number)


def _while(node: cst.While, walk: _Walk, previous: int | None) -> ir.While:
    number = walk.begin(node)
    line, end_line = walk.line(node, number, previous)
    test = walk.expression(node.test)
    body = walk.suite(node)
    return ir.While(test, body, walk.orelse(node.orelse, number), line, end_line, number)


def _try(node: cst.Try | cst.TryStar, walk: _Walk, previous: int | None) -> ir.Try:
    number = walk.begin(node)
    line, end_line = walk.line(node, number, previous)
    body = walk.suite(node)
    handlers = []
    for handler in node.handlers:
        first, last = walk.clause(handler, number)
        exception = walk.optional(handler.type)
        name = handler.name.name.value if handler.name else None  # type: ignore[union-attr]
        handlers.append(ir.Handler(exception, name, walk.suite(handler), first, last))
    orelse = walk.orelse(node.orelse, number)
    final: tuple[ir.Statement, ...] = ()
    if node.finalbody is not None:
        walk.clause(node.finalbody, number)
        final = walk.suite(node.finalbody)
    is_star = isinstance(node, cst.TryStar)
    return ir.Try(body, tuple(handlers), orelse, final, is_star, line, end_line, number)


def _with(node: cst.With, walk: _Walk, previous: int | None) -> ir.With:
    number = walk.begin(node)
    line, end_line = walk.line(node, number, previous)
    items = tuple(
        [
            ir.WithItem(
                walk.expression(item.item),
                walk.expression(item.asname.name) if item.asname else None,
            )
            for item in node.items
        ]
    )
    body = walk.suite(node)
    return ir.With(items, body, node.asynchronous is not None, line, end_line, number)


def _match(node: cst.Match, walk: _Walk, previous: int | None) -> ir.Match:
    number = walk.begin(node)
    line, end_line = walk.line(node, number, previous)
    subject = walk.expression(node.subject)
    if walk.watched is not None:
        walk.settle()
    cases = []
    for case in node.cases:
        first, last = walk.clause(case, number)
        pattern = walk.go[type(case.pattern)](case.pattern, walk.go, walk.new)
        guard = walk.optional(case.guard)
        cases.append(ir.Case(pattern, guard, walk.suite(case), first, last))
    return ir.Match(subject, tuple(cases), line, end_line, number)


def _function(node: cst.FunctionDef, walk: _Walk, previous: int | None) -> ir.FunctionDef:
    number = walk.begin(node)
    decorators = walk.decorators(node.decorators, number, previous)
    line, end_line = walk.line(node, number, previous)
    type_parameters = _type_parameters(node.type_parameters, walk.go, walk.new)
    parameters = _parameters(node.params, walk.go, walk.new)
    returns = walk.expression(node.returns.annotation) if node.returns else None
    return ir.FunctionDef(
        node.name.value,
        parameters,
        returns,
        walk.suite(node),
        decorators,
        node.asynchronous is not None,
        type_parameters,
        line,
        end_line,
        number,
    )


def _class(node: cst.ClassDef, walk: _Walk, previous: int | None) -> ir.ClassDef:
    number = walk.begin(node)
    decorators = walk.decorators(node.decorators, number, previous)
    line, end_line = walk.line(node, number, previous)
    type_parameters = _type_parameters(node.type_parameters, walk.go, walk.new)
    bases, keywords = _arguments((*node.bases, *node.keywords), walk.go, walk.new)
    return ir.ClassDef(
        node.name.value,
        bases,
        keywords,
        walk.suite(node),
        decorators,
        type_parameters,
        line,
        end_line,
        number,
    )


_COMPOUND: dict[type, Callable[..., Any]] = {
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.With: _with,
    cst.Match: _match,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
}
