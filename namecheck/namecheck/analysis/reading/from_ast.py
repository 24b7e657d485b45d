"""The records of a text from Python's own parser, equal to those that `from_libcst.py` makes.

`ast` builds its tree in a tenth of LibCST's time, and nearly always shows all that the records
hold. LibCST reads the text if `ast` leaves something in doubt (long integers, syntax newer than the
running Python), and then also finds the positions of findings. Both number the records in the same
order, so that a number means the same node in both.
"""

from __future__ import annotations

import ast
import sys
import unicodedata
import warnings
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.from_ast_expressions import (
    BINARY,
    DOCUMENTING,
    EXPRESSIONS,
    Doubt,
    mark_documenting,
    parameters,
    type_parameters,
)
from namecheck.analysis.reading.from_ast_spans import Gaps, Nodes, last_of_signature, remembering
from namecheck.analysis.reading.ir import Keyword
from namecheck.analysis.reading.lockstep import LONGEST_CHAIN, Lockstep
from namecheck.findings import Span
from namecheck.text.layout import Layout
from namecheck_runtime.light.regexes import regex


def lower_quickly(text: str, layout: Layout) -> ir.Chunk | None:
    """The records of a text with this layout; None if LibCST has to read it.

    Raises `RecursionError` or `MemoryError` if the text is nested too deeply.
    """
    walk = _Walk(layout)
    return _walked(walk, text)


def locate_quickly(text: str, layout: Layout, wanted: Collection[int]) -> dict[int, Span] | None:
    """The spans of expressions, parameters and simple statements, as `positions.locate` has them.

    None if LibCST has to find them.
    """
    if "\f" in text:
        return None  # for LibCST a line begins behind it
    walk = _Locating(layout)
    try:
        if _walked(walk, text) is None:
            return None
        gaps = Gaps(layout.lines)
        spans = {}
        for number in wanted:
            pair = walk.nodes.get(number)
            span = None if pair is None else gaps.exact_span(*pair)
            if span is None:
                return None
            spans[number] = span
        return spans
    except (RecursionError, MemoryError):
        return None


def _walked(walk: _Walk, text: str) -> ir.Chunk | None:
    if walk.layout.doubtful or not _means_itself(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = ast.parse(text)
        if _may_document_itself(text):
            mark_documenting(module, text)
        return walk.chunk(walk.statements(module.body))
    except (SyntaxError, ValueError):
        return None  # not Python, or newer syntax than this Python has
    except (Doubt, IndexError, KeyError):
        return None  # in doubt, lines and tree disagree, or no function takes the node


def _may_document_itself(text: str) -> bool:
    """Whether a text may have a `{x=}`; only formatted strings have."""
    for beginning in _FORMATTED:
        if beginning in text:
            return DOCUMENTING.search(text) is not None
    return False


_FORMATTED: Final = tuple([letter + quote for letter in "fFrRtT" for quote in "\"'"])
"""The last letter and the first quote of formatted strings, whatever letters come before."""


def _means_itself(text: str) -> bool:
    """Whether Python reads identifiers as written, without a change of Unicode form."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return True
    return all(
        unicodedata.is_normalized("NFKC", word)
        for word in _WORD.findall(text)
        if not word.isascii() and f"_{word}".isidentifier()
    )


_WORD: Final = regex(r"\w+")


# Statements


class _Walk(Lockstep):
    """One walk over a module of Python's.

    Raises `IndexError` if tree and lines do not agree.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, EXPRESSIONS)
        self.seen: Nodes = {}  # the expressions of the watched statement

    def statements(self, body: Sequence[ast.stmt]) -> tuple[ir.Statement, ...]:
        records: list[ir.Statement] = []
        previous: int | None = None
        line = end_line = 0
        for node in body:
            simple = _SMALL.get(type(node))
            if simple is None:
                if self.watched is not None:
                    self.settle()
                statement = _COMPOUND[type(node)](node, self, previous)
                records.append(statement)
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
            records.append(simple(node, self, line, end_line, number))
        if self.watched is not None:
            self.settle()
        return tuple(records)

    def begin(self, node: ast.stmt, number: int, previous: int | None) -> tuple[int, int]:
        """Take the next logical line for a statement, which has to begin there."""
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
            line = body[0].lineno  # the header may span several lines
            if at in self.commented or self.layout.lines[line - 2].rstrip().endswith("\\"):
                raise Doubt  # what comments are beside, and whether it begins behind the colon
        records = []
        number = 0
        for small in body:
            number = self.new()
            records.append(_SMALL[type(small)](small, self, line, end_line, number))
        self.owners[at] = self.owners[at]._replace(last=number, last_place="trailing")
        return tuple(records)

    def orelse(self, body: Sequence[ast.stmt], number: int) -> tuple[ir.Statement, ...]:
        if not body:
            return ()
        self.clause(None, number)
        return self.suite(None, body)

    def decorators(
        self, decorators: Sequence[ast.expr], number: int, previous: int | None
    ) -> tuple[ir.Expression, ...]:
        records = []
        for decorator in decorators:
            self.line(decorator, number, previous, "above", "inside")
            records.append(self.expression(decorator))
            if self.watched is not None:
                self.settle()
        return tuple(records)

    def expression(self, node: ast.expr) -> ir.Expression:
        return self.go[type(node)](node, self.go, self.new)  # type: ignore[no-any-return]

    def optional(self, node: ast.expr | None) -> ir.Expression | None:
        return None if node is None else self.expression(node)

    def watch(self, node: Any) -> None:
        self.watched = (node,)
        self.seen = {}
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.go = remembering(self.seen)
        else:
            self.go = remembering(self.seen, may_matter=self._is_beside_comment)

    def _is_beside_comment(self, first: int, last: int) -> bool:
        """Whether a comment may be beside something between these lines of the watched statement.

        Behind the last of them, inside of the statement, it is beside what ends there last.
        """
        return any(
            first <= comment.line < last + (not comment.inside)
            for comment in self.commented[self.at - 1]
        )

    def settle(self) -> None:
        """Find what the comments inside the watched statement (or its header) are beside."""
        (node,), seen = self.watched, self.seen
        self.watched = None
        self.go = self.table
        gaps = Gaps(self.layout.lines)
        spans = {number: span for number, pair in seen.items() if (span := gaps.span(*pair))}
        of_signature = None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            of_signature = partial(last_of_signature, node=node, seen=seen, spans=spans)
        self.aim(spans, of_signature)


class _Locating(_Walk):
    """A walk that notes the node of each expression and each simple statement."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.nodes: Nodes = {}
        self.go = self.table = remembering(self.nodes, exact=True)
        self.commented = {}  # comments do not matter here

    def begin(self, node: ast.stmt, number: int, previous: int | None) -> tuple[int, int]:
        if type(node) in _SMALL:
            self.nodes[number] = (node, node)
        return super().begin(node, number, previous)


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
    operator = BINARY[type(node.op)]
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
            raise Doubt  # `del a,` is a tuple of one
        record = walk.expression(target)
        targets = record.elements if isinstance(record, ir.Tuple) else (record,)
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
    return tuple([ir.Alias(alias.name, alias.asname) for alias in names])


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


def _type_alias(
    node: Any, walk: _Walk, line: int, end_line: int, number: int
) -> ir.TypeAliasStatement:
    variables = type_parameters(node, walk.go, walk.new)
    value = walk.expression(node.value)
    return ir.TypeAliasStatement(node.name.id, variables, value, line, end_line, number)


_SMALL: Final[dict[type, Callable[..., Any]]] = {
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
if sys.version_info >= (3, 12):
    _SMALL[ast.TypeAlias] = _type_alias


# Compound statements: the node, the walk, the number of the statement before.


def _if(node: ast.If, walk: _Walk, previous: int | None) -> ir.If:
    # A loop, since recursion over a long chain of elif would exhaust the stack.
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
        # `elif` begins in the column of its `if`, a statement under `else:` further right.
        if len(rest) != 1 or type(rest[0]) is not ast.If:
            break
        if rest[0].col_offset != node.col_offset:
            break
        branch = rest[0]
    if len(parts) > LONGEST_CHAIN:
        raise Doubt
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


def _match(node: ast.Match, walk: _Walk, previous: int | None) -> ir.Match:
    number = walk.new()
    line, end_line = walk.begin(node, number, previous)
    subject = walk.expression(node.subject)
    if walk.watched is not None:
        walk.settle()
    cases = []
    for case in node.cases:
        first, last = walk.clause(case, number)
        if walk.watched is not None:
            raise Doubt  # Python's patterns have no parentheses
        pattern = walk.go[type(case.pattern)](case.pattern, walk.go, walk.new)
        guard = walk.optional(case.guard)
        cases.append(ir.Case(pattern, guard, walk.suite(case, case.body), first, last))
    return ir.Match(subject, tuple(cases), line, end_line, number)


def _function(
    node: ast.FunctionDef | ast.AsyncFunctionDef, walk: _Walk, previous: int | None
) -> ir.FunctionDef:
    number = walk.new()
    decorators = walk.decorators(node.decorator_list, number, previous)
    line, end_line = walk.begin(node, number, previous)
    variables = type_parameters(node, walk.go, walk.new)
    taken = parameters(node.args, walk.go, walk.new)
    returns = walk.optional(node.returns)
    body = walk.suite(node, node.body)
    is_async = type(node) is ast.AsyncFunctionDef
    return ir.FunctionDef(
        node.name, taken, returns, body, decorators, is_async, variables, line, end_line, number
    )


def _class(node: ast.ClassDef, walk: _Walk, previous: int | None) -> ir.ClassDef:
    number = walk.new()
    decorators = walk.decorators(node.decorator_list, number, previous)
    line, end_line = walk.begin(node, number, previous)
    go, new = walk.go, walk.new
    variables = type_parameters(node, go, new)
    bases = tuple([go[type(base)](base, go, new) for base in node.bases])
    keywords = tuple([Keyword(one.arg, walk.expression(one.value)) for one in node.keywords])
    body = walk.suite(node, node.body)
    return ir.ClassDef(
        node.name, bases, keywords, body, decorators, variables, line, end_line, number
    )


_COMPOUND: Final[dict[type, Callable[..., Any]]] = {
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Match: _match,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
}
