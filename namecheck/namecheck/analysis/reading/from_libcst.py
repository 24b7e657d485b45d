"""The analyzer's records from LibCST's tree, where Python's own leaves a doubt (`records.py`).

The walk dispatches on node types through tables of plain functions and builds only the records of
`ir/`: LibCST's visitors and metadata would cost more than the parse itself. Line numbers and
comments come from the text (`text/layout.py`), in lockstep with the statements: each statement
takes the next logical line.

`positions.py` computes exact positions on demand; it repeats the walk and records the nodes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import libcst as cst

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.chains import takes_too_long
from namecheck.analysis.reading.codegen import SpanRecorder, layout_from_tree
from namecheck.analysis.reading.from_libcst_expressions import (
    AUGMENTED,
    EXPRESSIONS,
    Nodes,
    if_present,
    lower_arguments,
    lower_parameters,
    lower_type_parameters,
    remembering,
)
from namecheck.analysis.reading.lockstep import LONGEST_CHAIN, Lockstep, Table, last_on
from namecheck.analysis.reading.unreadable import SourceError, TooDeep, python_error
from namecheck.findings import Span
from namecheck.text.layout import Layout

# As many nested brackets as Python itself allows. LibCST's parser has no limit but the stack, and
# kills the process when that is exhausted (at some 1,200).
_MOST_BRACKETS = 200


def parse(text: str, layout: Layout) -> cst.Module:
    """LibCST's tree of the text with this layout. Raises `SourceError`."""
    if max(layout.depths, default=0) > _MOST_BRACKETS:
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
    # People know Python's own messages; LibCST lists the tokens that it expected.
    known = python_error(text)
    if known is not None:
        return known
    if error is None:
        return TooDeep()
    # Python reads it and LibCST does not; only its message says where.
    place = re.search(r"error at (\d+):(\d+): (.*)", error.message)
    if place is None:
        return SourceError(error.message, error.raw_line, max(error.raw_column, 1))
    return SourceError(f"cannot be read: {place[3]}", int(place[1]), max(int(place[2]), 1))


def lower_module(module: cst.Module, layout: Layout) -> ir.Chunk:
    """The records of a parsed module whose text has this layout. Raises `SourceError`."""
    return _walk(module, layout, {}, EXPRESSIONS)


def nodes_by_id(module: cst.Module, layout: Layout) -> Nodes:
    """For every number in the records of this module, the node of its record."""
    nodes: Nodes = {}
    _walk(module, layout, nodes, remembering(nodes))
    return nodes


def _walk(module: cst.Module, layout: Layout, nodes: Nodes, table: Table) -> ir.Chunk:
    try:
        if not layout.doubtful:
            try:
                return _Walk(module, layout, nodes, table).walk()
            except IndexError:
                # The text has fewer logical lines than the tree: the layout was wrong.
                nodes.clear()
        return _Walk(module, layout_from_tree(module, layout), nodes, table).walk()
    except RecursionError:
        raise TooDeep from None


# Statements


class _Walk(Lockstep):
    """One walk over a module of LibCST's.

    Raises `IndexError` if tree and lines do not agree.
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
        records: list[ir.Statement] = []
        previous: int | None = None
        for node in body:
            if type(node) is cst.SimpleStatementLine:
                number = self.begin(node.body[0])
                line, end_line = self.line(node, number, previous)
                for small in node.body:
                    if small is not node.body[0]:
                        number = self.begin(small)
                        self.owners[-1] = self.owners[-1]._replace(last=number)
                    records.append(_SMALL[type(small)](small, self, line, end_line, number))
                if self.watched is not None:
                    self.settle()
                previous = number
            else:
                statement = _COMPOUND[type(node)](node, self, previous)
                records.append(statement)
                previous = statement.id
        return tuple(records)

    def suite(self, node: Any) -> tuple[ir.Statement, ...]:
        """The body of a (part of a) statement whose header was the last logical line."""
        if self.watched is not None:
            self.settle()
        suite = node.body
        if type(suite) is cst.IndentedBlock:
            return self.statements(suite.body)
        records = []
        at = self.at - 1
        line, end_line = self.starts[at], self.ends[at]
        if line < end_line and not isinstance(node, (cst.Try, cst.TryStar)):
            # The header spans several lines: the body begins on its last.
            line += self.module.code_for_node(_header(node)).rstrip().count("\n")
        number = 0
        for small in suite.body:
            number = self.begin(small)
            records.append(_SMALL[type(small)](small, self, line, end_line, number))
        self.owners[at] = self.owners[at]._replace(last=number, last_place="trailing")
        return tuple(records)

    def orelse(self, node: cst.Else | None, number: int) -> tuple[ir.Statement, ...]:
        if node is None:
            return ()
        self.clause(node, number)
        return self.suite(node)

    def decorators(
        self, decorators: Sequence[cst.Decorator], number: int, previous: int | None
    ) -> tuple[ir.Expression, ...]:
        records = []
        for decorator in decorators:
            self.line(decorator, number, previous, "above", "inside")
            records.append(self.expression(decorator.decorator))
            if self.watched is not None:
                self.settle()
        return tuple(records)

    def expression(self, node: cst.BaseExpression) -> ir.Expression:
        return self.go[type(node)](node, self.go, self.new)  # type: ignore[no-any-return]

    def optional(self, node: cst.BaseExpression | None) -> ir.Expression | None:
        return None if node is None else self.expression(node)

    # What comments are beside

    def watch(self, node: cst.CSTNode) -> None:
        self.watched = node
        self.seen = {}
        self.go = remembering(self.seen)

    def settle(self) -> None:
        """Find what the comments inside the watched statement (or its header) are beside."""
        node, seen = self.watched, self.seen
        assert node is not None
        self.watched = None
        self.go = self.table
        self.nodes.update(seen)
        at = self.at - 1
        recorder = SpanRecorder(self.module, {id(inner) for inner in seen.values()})
        try:
            _header(node)._codegen(recorder)
        except RecursionError:
            return  # the comments belong to the statement as a whole
        spans_by_node = recorder.spans(self.starts[at])
        spans: dict[int, Span] = {}
        for number, inner in seen.items():
            if isinstance(inner, cst.Tuple) and _closes_later(inner):
                continue
            if span := spans_by_node.get(id(inner)):
                if isinstance(inner, cst.Param):
                    span = _whole_parameter(inner, span, spans_by_node)
                spans[number] = span
        of_signature = None
        if isinstance(node, cst.FunctionDef):
            of_signature = partial(_last_of_signature, node=node, seen=seen, spans=spans)
        self.aim(spans, of_signature)


_EMPTY_SUITE = cst.SimpleStatementSuite((cst.Pass(),))


def _header(node: cst.CSTNode) -> cst.CSTNode:
    """The statement without the lines above it and without its body, to generate code from."""
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

    A tuple's span leaves out its parentheses, so that it seems to end beside that element.
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
    """The number of what is on the last line of a long signature: the returns or a parameter.

    None if both are: the comment there could mean either.
    """
    returns = node.returns.annotation if node.returns else None
    parameters = {
        number: span for number, span in spans.items() if isinstance(seen[number], cst.Param)
    }
    parameter = last_on(line, parameters)
    for number, expression in seen.items():
        if expression is returns and spans[number].line == line:
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
    operator = AUGMENTED[type(node.operator)]
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
    return tuple([ir.Alias(_dotted(alias.name), alias.evaluated_alias) for alias in names])


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
    parameters = lower_type_parameters(node.type_parameters, walk.go, walk.new)
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
    **if_present(LazyImport=_import, LazyImportFrom=_import_from),
}


# Compound statements: the node, the walk, the number of the statement before.


def _if(node: cst.If, walk: _Walk, previous: int | None) -> ir.If:
    # A loop, since recursion over a long chain of elif would exhaust the stack.
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
    type_parameters = lower_type_parameters(node.type_parameters, walk.go, walk.new)
    parameters = lower_parameters(node.params, walk.go, walk.new)
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
    type_parameters = lower_type_parameters(node.type_parameters, walk.go, walk.new)
    bases, keywords = lower_arguments((*node.bases, *node.keywords), walk.go, walk.new)
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
