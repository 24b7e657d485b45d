"""From LibCST's expressions and patterns to records: the tables of `from_libcst.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.ir import Attribute, Binary, Call, Int, Keyword, Name
from namecheck.analysis.reading.lockstep import LONGEST_CHAIN, NewId, Table
from namecheck.analysis.reading.string_literals import string_value, unescaped

# The node of a record, or the first and the last of several.
Nodes: TypeAlias = dict[int, cst.CSTNode | tuple[cst.CSTNode, cst.CSTNode]]

# Expressions. Each function gets a node of the type that it is listed under, the table of functions
# for the nodes inside, and a function that gives the next number.

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
    return Call(called, *lower_arguments(node.args, go, new), new())


def lower_arguments(
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


def _simple_string(node: cst.SimpleString, go: Table, new: NewId) -> ir.Str | ir.Bytes:
    value = string_value(node.value)
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
            parts.append(text if raw or "\\" not in text else unescaped(text))
    return parts


def _formatted_string(node: cst.FormattedString, go: Table, new: NewId) -> ir.FString:
    return ir.FString(tuple(_parts(node.parts, "r" in node.start.lower(), go, new)), new())


def _template_string(node: Any, go: Table, new: NewId) -> ir.TString:
    return ir.TString(tuple(_parts(node.parts, "r" in node.start.lower(), go, new)), new())


def _concatenated_string(node: cst.ConcatenatedString, go: Table, new: NewId) -> ir.Expression:
    parts: list[Part] = []
    data: list[bytes] = []
    kind: type[ir.Str | ir.FString | ir.TString] = ir.Str
    rest: cst.BaseString | None = node
    while rest is not None:
        literal: cst.BaseString
        if isinstance(rest, cst.ConcatenatedString):
            literal, rest = rest.left, rest.right
        else:
            literal, rest = rest, None
        if isinstance(literal, cst.SimpleString):
            value = string_value(literal.value)
            if isinstance(value, bytes):
                data.append(value)
            else:
                parts.append(value)
        else:
            kind = ir.FString if isinstance(literal, cst.FormattedString) else ir.TString
            parts.extend(_parts(literal.parts, "r" in literal.start.lower(), go, new))  # type: ignore[attr-defined]
    if data:
        return ir.Bytes(b"".join(data), new())
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    if kind is ir.Str:
        return ir.Str("".join(part for part in merged if isinstance(part, str)), new())
    return kind(tuple(merged), new())  # type: ignore[arg-type]


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
AUGMENTED: dict[type, ir.BinaryOperator] = {
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
    # A loop, since recursion over a sum of many terms would exhaust the stack.
    spine = [node]
    left = node.left
    while type(left) is cst.BinaryOperation:
        spine.append(left)
        left = left.left
    if len(spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    record = go[type(left)](left, go, new)
    for node in reversed(spine):
        right = node.right
        record = Binary(
            record, _BINARY[type(node.operator)], go[type(right)](right, go, new), new()
        )
    return record  # type: ignore[no-any-return]


def _boolean(node: cst.BooleanOperation, go: Table, new: NewId) -> ir.Boolean | ir.Omitted:
    spine = [node]
    left = node.left
    while type(left) is cst.BooleanOperation:
        spine.append(left)
        left = left.left
    if len(spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    record = go[type(left)](left, go, new)
    for node in reversed(spine):
        right = node.right
        operator = _BOOLEAN[type(node.operator)]
        record = ir.Boolean(record, operator, go[type(right)](right, go, new), new())
    return record  # type: ignore[no-any-return]


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
    records = []
    for element in elements:
        if type(element) is cst.Element:
            value = element.value
            records.append(go[type(value)](value, go, new))
        else:
            records.append(go[type(element)](element, go, new))
    return tuple(records)


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


def lower_parameters(node: cst.Parameters, go: Table, new: NewId) -> tuple[ir.Parameter, ...]:
    lower = go[cst.Param]
    parameters = [lower(param, go, new, "positional-only") for param in node.posonly_params]
    parameters += [lower(param, go, new, "positional or keyword") for param in node.params]
    if isinstance(node.star_arg, cst.Param):
        parameters.append(lower(node.star_arg, go, new, "variadic positional"))
    parameters += [lower(param, go, new, "keyword-only") for param in node.kwonly_params]
    if node.star_kwarg is not None:
        parameters.append(lower(node.star_kwarg, go, new, "variadic keyword"))
    return tuple(parameters)


def _lambda(node: cst.Lambda, go: Table, new: NewId) -> ir.Lambda:
    parameters = lower_parameters(node.params, go, new)
    return ir.Lambda(parameters, go[type(node.body)](node.body, go, new), new())


def lower_type_parameters(
    node: cst.TypeParameters | None, go: Table, new: NewId
) -> tuple[ir.TypeParameter, ...]:
    if node is None:
        return ()
    parameters = []
    for entry in node.params:
        param = entry.param
        star = {cst.TypeVarTuple: "*", cst.ParamSpec: "**"}.get(type(param), "")
        if entry.star == "*":
            default = go[cst.TypeParam](entry, go, new)
        else:
            default = _optional(entry.default, go, new)
        bound = _optional(getattr(param, "bound", None), go, new)
        parameters.append(ir.TypeParameter(param.name.value, star, bound, default))  # type: ignore[arg-type]
    return tuple(parameters)


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


def if_present(**functions: Callable[..., Any]) -> dict[type, Callable[..., Any]]:
    """Functions by node type, for the types that this version of LibCST has."""
    return {
        getattr(cst, name): function for name, function in functions.items() if hasattr(cst, name)
    }


EXPRESSIONS: dict[type, Callable[..., Any]] = {
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
    **if_present(TemplatedString=_template_string, StarredDictComp=_dict_comprehension),
}


def remembering(nodes: Nodes) -> Table:
    """The table of expressions, with functions that note in `nodes` the node of each record."""

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def make(node: Any, go: Table, new: NewId, *rest: Any) -> Any:
            record = function(node, go, new, *rest)
            nodes[record.id] = node
            if isinstance(record, ir.Subscript):
                if isinstance(record.index, ir.Tuple) and record.index.id not in nodes:
                    nodes[record.index.id] = (node.slice[0].slice, node.slice[-1].slice)
            elif isinstance(record, (Binary, ir.Boolean)):
                # The loop over the left operands did not call this function.
                inner = record.left
                while isinstance(inner, (Binary, ir.Boolean)) and inner.id not in nodes:
                    node = node.left
                    nodes[inner.id] = node
                    inner = inner.left
            return record

        return make

    return {type_: noted(function) for type_, function in EXPRESSIONS.items()}
