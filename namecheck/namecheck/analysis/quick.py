"""The records of a text by way of Python's own parser: what `lower.py` makes of LibCST's tree.

`ast` builds its tree in a tenth of the time, and the records hold nothing that it does not tell.
What it leaves in doubt (`f"{x=}"`, patterns, syntax that is newer than the running Python) is left
to LibCST; so are positions of what is wrong. Numbers are given in the same order, or they would
mean other nodes there.
"""

from __future__ import annotations

import ast
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from namecheck.analysis import ir
from namecheck.analysis.ir import Attribute, Binary, Call, Int, Keyword, Name
from namecheck.analysis.layout import Layout
from namecheck.analysis.lockstep import LONGEST_CHAIN, Lockstep, NewId, Span, Table, last_on


class _Doubt(Exception):
    """`ast` does not tell what the record says."""


def lower_quickly(text: str, layout: Layout) -> ir.Chunk | None:
    """The records of a text with this layout, None where LibCST has to be asked."""
    if layout.doubtful or not _means_itself(text) or _SELF_DOCUMENTING.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        walk = _Walk(layout)
        return walk.chunk(walk.statements(module.body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # not Python, or not as this Python knows it, or nested too deeply
    except (_Doubt, IndexError, KeyError):
        return None  # in doubt, or lines and tree disagree, or there is no function for a node


_SELF_DOCUMENTING = re.compile(r"=\s*[!:}]")
"""Where there may be a `{x=}`, which is the same to Python as `x={x!r}`."""


def _means_itself(text: str) -> bool:
    """Whether Python reads identifiers as they are written, and not in another form of Unicode."""
    return text.isascii() or unicodedata.is_normalized("NFKC", text)


# Expressions. Each function gets a node of the type it is listed under, the table of functions to
# use for what is inside, and what gives the next number.


def _name(node: ast.Name, go: Table, new: NewId) -> Name:
    return Name(node.id, new())


def _constant(node: ast.Constant, go: Table, new: NewId) -> ir.Expression:
    return _CONSTANTS[type(node.value)](node.value, new)


def _integer(value: int, new: NewId) -> Int:
    if value >= 1 << 63:
        raise _Doubt  # it is kept as it is written
    return Int(value, new())


_CONSTANTS: dict[type, Callable[[Any, NewId], ir.Expression]] = {
    str: lambda value, new: ir.Str(_characters(value), new()),
    bytes: lambda value, new: ir.Bytes(value, new()),
    bool: lambda value, new: ir.Bool(value, new()),
    int: _integer,
    float: lambda value, new: ir.Float(value, new()),
    complex: lambda value, new: ir.Imaginary(value.imag, new()),
    type(None): lambda value, new: ir.NoneLiteral(new()),
    type(...): lambda value, new: ir.EllipsisLiteral(new()),
}

_SURROGATE = re.compile("[\ud800-\udfff]")


def _characters(text: str) -> str:
    # Halves of a surrogate pair are no characters: they could not be written to a file.
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _formatted_string(node: ast.JoinedStr, go: Table, new: NewId) -> ir.FString:
    # Of what is inside, older Pythons do not know where it stands.
    return ir.FString(tuple(_parts(node, _EXPRESSIONS, new)), new())


def _parts(node: Any, go: Table, new: NewId) -> list[str | ir.Interpolation]:
    parts: list[str | ir.Interpolation] = []
    for piece in node.values:
        if type(piece) is ast.Constant:
            parts.append(_characters(str(piece.value)))
            continue
        inner, format_ = piece.value, piece.format_spec
        value = go[type(inner)](inner, go, new)
        conversion: Any = None if piece.conversion < 0 else chr(piece.conversion)
        spec = () if format_ is None else tuple(_parts(format_, go, new))
        parts.append(ir.Interpolation(value, conversion, spec, False))
    return parts


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
    if arguments and _place(arguments[-1]) > _place(keywords[0]):
        return _mixed_arguments(arguments, keywords, go, new)
    return (
        tuple([go[type(one)](one, go, new) for one in arguments]),
        tuple([Keyword(one.arg, go[type(one.value)](one.value, go, new)) for one in keywords]),
    )


def _mixed_arguments(
    arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword], go: Table, new: NewId
) -> tuple[tuple[ir.Expression, ...], tuple[Keyword, ...]]:
    """`f(k=1, *rest)`: in the order in which they are written."""
    positional: list[ir.Expression] = []
    named: list[Keyword] = []
    for one in sorted((*arguments, *keywords), key=_place):
        if isinstance(one, ast.keyword):
            named.append(Keyword(one.arg, go[type(one.value)](one.value, go, new)))
        else:
            positional.append(go[type(one)](one, go, new))
    return tuple(positional), tuple(named)


def _place(node: Any) -> tuple[int, int]:
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


_UNARY: dict[type, ir.UnaryOperator] = {
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
    ast.Not: "not",
}
_BINARY: dict[type, ir.BinaryOperator] = {
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
_BOOLEAN: dict[type, ir.BooleanOperator] = {ast.And: "and", ast.Or: "or"}
_COMPARISON: dict[type, ir.ComparisonOperator] = {
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
    made = go[type(left)](left, go, new)
    for node in reversed(spine):
        right = node.right
        made = Binary(made, _BINARY[type(node.op)], go[type(right)](right, go, new), new())
    return made  # type: ignore[no-any-return]


def _boolean(node: ast.BoolOp, go: Table, new: NewId) -> ir.Boolean | ir.Omitted:
    spine = [node]
    left = node.values[0]
    while type(left) is ast.BoolOp:
        spine.append(left)
        left = left.values[0]
    if sum(len(one.values) - 1 for one in spine) > LONGEST_CHAIN:
        return ir.Omitted(new())
    made = go[type(left)](left, go, new)
    for node in reversed(spine):
        operator = _BOOLEAN[type(node.op)]
        for right in node.values[1:]:
            made = ir.Boolean(made, operator, go[type(right)](right, go, new), new())
    return made  # type: ignore[no-any-return]


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


_COMPREHENSIONS: dict[type, Any] = {
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


def _parameters(node: ast.arguments, go: Table, new: NewId) -> tuple[ir.Parameter, ...]:
    one = go[ast.arg]
    without = len(node.posonlyargs) + len(node.args) - len(node.defaults)
    defaults = [*[None] * without, *node.defaults]
    only = len(node.posonlyargs)
    made = []
    for parameter, default in zip(node.posonlyargs, defaults[:only], strict=True):
        made.append(one(parameter, go, new, "positional-only", default))
    for parameter, default in zip(node.args, defaults[only:], strict=True):
        made.append(one(parameter, go, new, "positional or keyword", default))
    if node.vararg is not None:
        made.append(one(node.vararg, go, new, "variadic positional"))
    for parameter, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        made.append(one(parameter, go, new, "keyword-only", default))
    if node.kwarg is not None:
        made.append(one(node.kwarg, go, new, "variadic keyword"))
    return tuple(made)


def _lambda(node: ast.Lambda, go: Table, new: NewId) -> ir.Lambda:
    parameters = _parameters(node.args, go, new)
    return ir.Lambda(parameters, go[type(node.body)](node.body, go, new), new())


_EXPRESSIONS: dict[type, Callable[..., Any]] = {
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
}


# Where the expressions of a statement stand that has comments on its inner lines: as LibCST says
# it, without the parentheses around.

Nodes: TypeAlias = dict[int, tuple[Any, Any]]
"""For a number, the node with which its record begins and that with which it ends.

Of the first operations of `a and b and c`, which are one node to Python, the second is the number
of operations; of several indices, which are one tuple only to Python, it is None.
"""


def _remembering(nodes: Nodes) -> Table:
    """The table of expressions, made to note in `nodes` which node each record comes from."""

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def make(node: Any, go: Table, new: NewId, *rest: Any) -> Any:
            if type(node) is ast.JoinedStr and node.lineno != node.end_lineno:
                raise _Doubt  # what is inside stands on lines that are not known
            record = function(node, go, new, *rest)
            if isinstance(record, Binary | ir.Boolean):
                inner: Any = record
                for pair in _chain(node):
                    nodes[inner.id] = pair
                    inner = inner.left
            elif isinstance(record, ir.Parameter):
                nodes[record.id] = (node, rest[1] if len(rest) > 1 and rest[1] else node)
            else:
                nodes[record.id] = (node, node)
            if type(node) is ast.Subscript and type(node.slice) is ast.Tuple:
                nodes[record.index.id] = (node.slice, None)
            return record

        return make

    return {type_: noted(function) for type_, function in _EXPRESSIONS.items()}


def _chain(node: Any) -> Iterator[tuple[Any, Any]]:
    """With what each operation of a chain begins and ends, from the outermost to the left."""
    while type(node) is ast.BinOp:
        yield node, node
        node = node.left
    while type(node) is ast.BoolOp:
        yield node, node
        for count in range(len(node.values) - 2, 0, -1):
            yield node, count
        node = node.values[0]


Point: TypeAlias = tuple[int, int]
"""A line from 1, and a column from 0 in bytes, as `ast` counts them."""


class _Gaps:
    """The text between nodes, where parentheses stand that no node tells of."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def signs(self, start: Point, end: Point) -> list[tuple[str, Point]]:
        """The parentheses and commas between two nodes, and where each of them stands."""
        found = []
        for line in range(start[0], end[0] + 1):
            written = self.lines[line - 1].encode()
            first = start[1] if line == start[0] else 0
            last = end[1] if line == end[0] else len(written)
            code = written[first:last].partition(b"#")[0]
            found += [(chr(c), (line, first + k)) for k, c in enumerate(code) if c in b"(),"]
        return found

    def own(self, node: ast.Tuple) -> bool:
        """Whether a tuple stands in parentheses of its own."""
        if not node.elts:
            return True
        first = node.elts[0]
        opened = len(self.signs(_place(node), _place(first)))
        return opened > _closing(self.signs(_end(first), _end(node)))

    def span(self, first: Any, last: Any) -> Span | None:
        """What a record spans; None where LibCST does not tell, or tells it wrongly."""
        start = _place(first)
        if type(first) is ast.Tuple and (last is None or last is first):
            own = self.own(first)
            if (last is None and not own) or (own and self.closes_later(first)):
                return None
            if own and first.elts:
                start = self.behind(start, _place(first.elts[0]))
        elif type(first) is ast.GeneratorExp:
            start = self.behind(start, _place(first.elt))
        if type(last) is int:
            end = _end(first.values[last])
            signs = self.signs(end, _place(first.values[last + 1]))
            end = _behind_last(signs[: _closing(signs)], end)
        else:
            end = self.end(last or first)
        return Span(start[0], start[1] + 1, end[0], end[1] + 1)

    def end(self, node: Any) -> Point:
        """Where a node ends: a tuple or a generator before its closing parenthesis."""
        if type(node) is ast.GeneratorExp:
            clause = node.generators[-1]
            end = _end(clause.ifs[-1] if clause.ifs else clause.iter)
        elif type(node) is ast.Tuple and node.elts and self.own(node):
            end = _end(node.elts[-1])
        else:
            return _end(node)
        return _behind_last(self.signs(end, _end(node))[:-1], end)

    def behind(self, start: Point, inner: Point) -> Point:
        """Where what is behind the parenthesis at `start` begins: something that holds `inner`."""
        signs = self.signs(start, inner)
        return signs[1][1] if len(signs) > 1 else inner

    def closes_later(self, node: ast.Tuple) -> bool:
        """Whether the closing parenthesis of a tuple is on a line below the last element."""
        end = _end(node.elts[-1]) if node.elts else _place(node)
        before = [place for _, place in self.signs(end, _end(node))[:-1]]
        return (before[-1] if before else end)[0] != node.end_lineno


def _end(node: Any) -> Point:
    return node.end_lineno, node.end_col_offset


def _behind_last(signs: Sequence[tuple[str, Point]], end: Point) -> Point:
    """Behind the last of these signs, `end` where there is none."""
    return (signs[-1][1][0], signs[-1][1][1] + 1) if signs else end


def _closing(signs: Sequence[tuple[str, Point]]) -> int:
    """How many closing parentheses come first."""
    return next((k for k, (sign, _) in enumerate(signs) if sign != ")"), len(signs))


def _last_of_signature(line: int, node: Any, seen: Nodes, spans: dict[int, Span]) -> int | None:
    """What the last line of a signature of several lines holds: the returns or a parameter.

    None if it holds both: the comment there could mean either.
    """
    parameters = {
        number: span for number, span in spans.items() if type(seen[number][0]) is ast.arg
    }
    parameter = last_on(line, parameters)
    for number, (one, _) in seen.items():
        if one is node.returns and number in spans and spans[number].line == line:
            return number if parameter is None else None
    return parameter


# Statements


class _Walk(Lockstep):
    """One walk over a module of Python's.

    Raises `IndexError` when tree and lines do not agree.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, _EXPRESSIONS)
        self.seen: Nodes = {}  # the expressions of the watched statement

    def statements(self, body: Sequence[ast.stmt]) -> tuple[ir.Statement, ...]:
        made: list[ir.Statement] = []
        previous: int | None = None
        line = end_line = 0
        for node in body:
            simple = _SMALL.get(type(node))
            if simple is None:
                if self.watched is not None:
                    self.settle()
                statement = _COMPOUND[type(node)](node, self, previous)
                made.append(statement)
                previous, end_line = statement.id, 0
                continue
            number = self.new()
            if node.lineno > end_line:
                if self.watched is not None:
                    self.settle()
                line, end_line = self.begin(node, number, previous)
                previous = number
            else:  # behind a semicolon
                self.owners[-1] = self.owners[-1]._replace(last=number)
                previous = number
            made.append(simple(node, self, line, end_line, number))
        if self.watched is not None:
            self.settle()
        return tuple(made)

    def begin(self, node: ast.stmt, number: int, previous: int | None) -> tuple[int, int]:
        """Takes the next logical line for a statement, which has to begin there."""
        if self.starts[self.at] != node.lineno:
            raise IndexError
        return self.line(node, number, previous)

    def suite(self, node: Any, body: Sequence[ast.stmt]) -> tuple[ir.Statement, ...]:
        """The body of a (part of a) statement whose header was the last logical line."""
        if self.watched is not None:
            self.settle()
        at = self.at - 1
        line, end_line = self.starts[at], self.ends[at]
        if body[0].lineno > end_line:
            return self.statements(body)
        if line < end_line:
            raise _Doubt  # the header's lines are its own
        made = []
        number = 0
        for small in body:
            number = self.new()
            made.append(_SMALL[type(small)](small, self, line, end_line, number))
        self.owners[at] = self.owners[at]._replace(last=number, last_place="trailing")
        return tuple(made)

    def orelse(self, body: Sequence[ast.stmt], number: int) -> tuple[ir.Statement, ...]:
        if not body:
            return ()
        self.clause(None, number)
        return self.suite(None, body)

    def decorators(
        self, decorators: Sequence[ast.expr], number: int, previous: int | None
    ) -> tuple[ir.Expression, ...]:
        made = []
        for decorator in decorators:
            self.line(decorator, number, previous, "above", "inside")
            made.append(self.expression(decorator))
            if self.watched is not None:
                self.settle()
        return tuple(made)

    def expression(self, node: ast.expr) -> ir.Expression:
        return self.go[type(node)](node, self.go, self.new)  # type: ignore[no-any-return]

    def optional(self, node: ast.expr | None) -> ir.Expression | None:
        return None if node is None else self.expression(node)

    def watch(self, node: Any) -> None:
        self.watched = (node,)
        self.seen = {}
        self.go = _remembering(self.seen)

    def settle(self) -> None:
        """Finds what the comments inside the watched statement (or its header) stand beside."""
        (node,), seen = self.watched, self.seen
        self.watched = None
        self.go = self.table
        gaps = _Gaps(self.layout.lines)
        spans = {number: span for number, pair in seen.items() if (span := gaps.span(*pair))}
        of_signature = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            of_signature = partial(_last_of_signature, node=node, seen=seen, spans=spans)
        self.aim(spans, of_signature)


# Simple statements: the node, the walk, first and last line, the number.


def _expression_statement(
    node: ast.Expr, walk: _Walk, line: int, end_line: int, number: int
) -> ir.ExpressionStatement:
    return ir.ExpressionStatement(walk.expression(node.value), line, end_line, number)


def _assign(node: ast.Assign, walk: _Walk, line: int, end_line: int, number: int) -> ir.Assign:
    go, new, value = walk.go, walk.new, node.value
    targets = tuple([go[type(target)](target, go, new) for target in node.targets])
    return ir.Assign(targets, go[type(value)](value, go, new), line, end_line, number)


def _annotated_assign(
    node: ast.AnnAssign, walk: _Walk, line: int, end_line: int, number: int
) -> ir.AnnotatedAssign:
    return ir.AnnotatedAssign(
        walk.expression(node.target),
        walk.expression(node.annotation),
        walk.optional(node.value),
        line,
        end_line,
        number,
    )


def _augmented_assign(
    node: ast.AugAssign, walk: _Walk, line: int, end_line: int, number: int
) -> ir.AugmentedAssign:
    target = walk.expression(node.target)
    operator = _BINARY[type(node.op)]
    return ir.AugmentedAssign(target, operator, walk.expression(node.value), line, end_line, number)


def _return(node: ast.Return, walk: _Walk, line: int, end_line: int, number: int) -> ir.Return:
    return ir.Return(walk.optional(node.value), line, end_line, number)


def _raise(node: ast.Raise, walk: _Walk, line: int, end_line: int, number: int) -> ir.Raise:
    cause = walk.optional(node.cause)
    return ir.Raise(walk.optional(node.exc), cause, line, end_line, number)


def _assert(node: ast.Assert, walk: _Walk, line: int, end_line: int, number: int) -> ir.Assert:
    return ir.Assert(walk.expression(node.test), walk.optional(node.msg), line, end_line, number)


def _delete(node: ast.Delete, walk: _Walk, line: int, end_line: int, number: int) -> ir.Delete:
    if len(node.targets) == 1:
        target = node.targets[0]
        if (target.end_lineno, target.end_col_offset) != (node.end_lineno, node.end_col_offset):
            raise _Doubt  # `del a,` is a tuple of one
        made = walk.expression(target)
        targets = made.elements if isinstance(made, ir.Tuple) else (made,)
    else:
        targets = tuple([walk.expression(target) for target in node.targets])
        walk.new()  # of the tuple
    return ir.Delete(targets, line, end_line, number)


def _global(node: ast.Global, walk: _Walk, line: int, end_line: int, number: int) -> ir.Global:
    return ir.Global(tuple(node.names), line, end_line, number)


def _nonlocal(
    node: ast.Nonlocal, walk: _Walk, line: int, end_line: int, number: int
) -> ir.Nonlocal:
    return ir.Nonlocal(tuple(node.names), line, end_line, number)


def _aliases(names: Sequence[ast.alias]) -> tuple[ir.Alias, ...]:
    return tuple([ir.Alias(one.name, one.asname) for one in names])


def _import(node: ast.Import, walk: _Walk, line: int, end_line: int, number: int) -> ir.Import:
    return ir.Import(_aliases(node.names), line, end_line, number)


def _import_from(
    node: ast.ImportFrom, walk: _Walk, line: int, end_line: int, number: int
) -> ir.ImportFrom:
    names = _aliases(node.names)
    return ir.ImportFrom(node.module or "", names, node.level, line, end_line, number)


def _pass(node: ast.Pass, walk: _Walk, line: int, end_line: int, number: int) -> ir.Pass:
    return ir.Pass(line, end_line, number)


def _break(node: ast.Break, walk: _Walk, line: int, end_line: int, number: int) -> ir.Break:
    return ir.Break(line, end_line, number)


def _continue(
    node: ast.Continue, walk: _Walk, line: int, end_line: int, number: int
) -> ir.Continue:
    return ir.Continue(line, end_line, number)


_SMALL: dict[type, Callable[..., Any]] = {
    ast.Expr: _expression_statement,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated_assign,
    ast.AugAssign: _augmented_assign,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Delete: _delete,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Pass: _pass,
    ast.Break: _break,
    ast.Continue: _continue,
}


# Compound statements: the node, the walk, the number of the statement before.


def _if(node: ast.If, walk: _Walk, previous: int | None) -> ir.If:
    # A chain of elif is a loop, lest it exhaust the stack.
    parts = []
    branch = node
    while True:
        number = walk.new()
        if branch is node:
            line, end_line = walk.begin(branch, number, previous)
        else:
            line, end_line = walk.clause(branch, number)
        test = walk.expression(branch.test)
        parts.append((test, walk.suite(branch, branch.body), line, end_line, number))
        rest = branch.orelse
        # `elif` stands where its `if` does, and what is under `else:` further in.
        if len(rest) != 1 or type(rest[0]) is not ast.If:
            break
        if rest[0].col_offset != node.col_offset:
            break
        branch = rest[0]
    if len(parts) > LONGEST_CHAIN:
        raise _Doubt
    orelse = walk.orelse(rest, parts[-1][-1])
    for part in reversed(parts[1:]):
        orelse = (ir.If(part[0], part[1], orelse, *part[2:]),)
    part = parts[0]
    return ir.If(part[0], part[1], orelse, *part[2:])


def _for(node: ast.For | ast.AsyncFor, walk: _Walk, previous: int | None) -> ir.For:
    number = walk.new()
    line, end_line = walk.begin(node, number, previous)
    target = walk.expression(node.target)
    iterable = walk.expression(node.iter)
    body = walk.suite(node, node.body)
    orelse = walk.orelse(node.orelse, number)
    is_async = type(node) is ast.AsyncFor
    return ir.For(target, iterable, body, orelse, is_async, line, end_line, number)


def _while(node: ast.While, walk: _Walk, previous: int | None) -> ir.While:
    number = walk.new()
    line, end_line = walk.begin(node, number, previous)
    test = walk.expression(node.test)
    body = walk.suite(node, node.body)
    return ir.While(test, body, walk.orelse(node.orelse, number), line, end_line, number)


def _try(node: ast.Try | ast.TryStar, walk: _Walk, previous: int | None) -> ir.Try:
    number = walk.new()
    line, end_line = walk.begin(node, number, previous)
    body = walk.suite(node, node.body)
    handlers = []
    for handler in node.handlers:
        first, last = walk.clause(handler, number)
        exception = walk.optional(handler.type)
        inside = walk.suite(handler, handler.body)
        handlers.append(ir.Handler(exception, handler.name, inside, first, last))
    orelse = walk.orelse(node.orelse, number)
    final = walk.orelse(node.finalbody, number)
    is_star = type(node) is ast.TryStar
    return ir.Try(body, tuple(handlers), orelse, final, is_star, line, end_line, number)


def _with(node: ast.With | ast.AsyncWith, walk: _Walk, previous: int | None) -> ir.With:
    number = walk.new()
    line, end_line = walk.begin(node, number, previous)
    items = tuple(
        [
            ir.WithItem(walk.expression(item.context_expr), walk.optional(item.optional_vars))
            for item in node.items
        ]
    )
    body = walk.suite(node, node.body)
    return ir.With(items, body, type(node) is ast.AsyncWith, line, end_line, number)


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, walk: _Walk, previous: int | None
) -> ir.FunctionDef:
    if getattr(node, "type_params", None):
        raise _Doubt
    number = walk.new()
    decorators = walk.decorators(node.decorator_list, number, previous)
    line, end_line = walk.begin(node, number, previous)
    parameters = _parameters(node.args, walk.go, walk.new)
    returns = walk.optional(node.returns)
    body = walk.suite(node, node.body)
    is_async = type(node) is ast.AsyncFunctionDef
    return ir.FunctionDef(
        node.name, parameters, returns, body, decorators, is_async, (), line, end_line, number
    )


def _class(node: ast.ClassDef, walk: _Walk, previous: int | None) -> ir.ClassDef:
    if getattr(node, "type_params", None):
        raise _Doubt
    number = walk.new()
    decorators = walk.decorators(node.decorator_list, number, previous)
    line, end_line = walk.begin(node, number, previous)
    go, new = walk.go, walk.new
    bases = tuple([go[type(base)](base, go, new) for base in node.bases])
    keywords = tuple([Keyword(one.arg, walk.expression(one.value)) for one in node.keywords])
    body = walk.suite(node, node.body)
    return ir.ClassDef(node.name, bases, keywords, body, decorators, (), line, end_line, number)


_COMPOUND: dict[type, Callable[..., Any]] = {
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
}
