"""Listeners to LibCST's code generation: the places of nodes in the text of a tree.

`from_libcst.py` and `positions.py` know which nodes matter and which numbers they have.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

from namecheck.findings import Span
from namecheck.text.layout import CommentLine, Layout
from namecheck_runtime.light.regexes import regex

_NEWLINE = regex(r"\r\n?|\n")
_NOTHING: Any = nullcontext()

# An import statement ends where the last of these does, but they record no position.
_ANNOUNCED_ONLY = frozenset({cst.ImportStar, cst.RightParen})


class SpanRecorder(CodegenState):
    """Generates code and records the spans of the wanted nodes, which are given by `id(node)`.

    The spans are those of LibCST's PositionProvider: without parentheses and white space around.
    To be cheap, it notes the number of tokens written before and after a node, and turns these into
    lines and columns at the end, only for the wanted nodes.
    """

    def __init__(self, module: cst.Module, wanted: Container[int]) -> None:
        super().__init__(
            default_indent=module.default_indent, default_newline=module.default_newline
        )
        self.wanted = wanted
        self.marks: dict[int, tuple[int, int]] = {}
        self.open: list[int] = []

    def before_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted or type(node) in _ANNOUNCED_ONLY:
            self.open.append(len(self.tokens))

    def after_codegen(self, node: cst.CSTNode) -> None:
        if id(node) in self.wanted or type(node) in _ANNOUNCED_ONLY:
            start = self.open.pop()
            self.marks.setdefault(id(node), (start, len(self.tokens)))

    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Any:  # a context manager
        # Statements and suites are always noted: outer ones end where inner ones do.
        if isinstance(node, cst.BaseExpression) and id(node) not in self.wanted:
            return _NOTHING
        return self._note(node, start_node, end_node)

    @contextmanager
    def _note(
        self, node: cst.CSTNode, start_node: cst.CSTNode | None, end_node: cst.CSTNode | None
    ) -> Iterator[None]:
        start = len(self.tokens)
        yield
        end = len(self.tokens)
        if start_node is not None:
            start = self.marks[id(start_node)][0]
        if end_node is not None:
            end = self.marks[id(end_node)][1]
        self.marks[id(node)] = (start, end)

    def spans(self, first_line: int = 1) -> dict[int, Span]:
        """The spans of the wanted nodes, by `id(node)`; the first token is on `first_line`."""
        marks = {node: mark for node, mark in self.marks.items() if node in self.wanted}
        borders = sorted({border for mark in marks.values() for border in mark})
        places: dict[int, tuple[int, int]] = {}
        line, column, written = first_line, 1, 0
        for border in borders:
            text = "".join(self.tokens[written:border])
            written = border
            ends = list(_NEWLINE.finditer(text))
            line += len(ends)
            column = len(text) - ends[-1].end() + 1 if ends else column + len(text)
            places[border] = (line, column)
        return {node: Span(*places[start], *places[end]) for node, (start, end) in marks.items()}


# The nodes that begin a logical line.
_LINE_STARTERS = (
    cst.SimpleStatementLine,
    cst.BaseCompoundStatement,
    cst.Else,
    cst.ExceptHandler,
    cst.ExceptStarHandler,
    cst.Finally,
    cst.MatchCase,
    cst.Decorator,
)


class LayoutRecorder(CodegenState):
    """Generates code and notes its logical lines and comments, for a `Layout` from the tree.

    It is many times slower than reading the text, but right where the text alone misleads.
    """

    def __init__(self, module: cst.Module) -> None:
        super().__init__(
            default_indent=module.default_indent, default_newline=module.default_newline
        )
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.indents: list[int] = []
        self.comments: list[CommentLine] = []
        self.line = 1
        self.column = 1
        self.inside = 0  # how many pieces of white space in brackets are open
        self.alone = False

    def add_token(self, value: str) -> None:
        self.tokens.append(value)
        ends = list(_NEWLINE.finditer(value))
        self.line += len(ends)
        self.column = len(value) - ends[-1].end() + 1 if ends else self.column + len(value)

    def add_indent_tokens(self) -> None:
        for token in self.indent_tokens:
            self.add_token(token)

    def before_codegen(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.ParenthesizedWhitespace):
            self.inside += 1
        elif isinstance(node, cst.EmptyLine):
            self.alone = True
        elif isinstance(node, cst.TrailingWhitespace) and not self.inside:
            self.ends.append(self.line)
        elif isinstance(node, cst.Comment):
            between = self.alone and not self.inside
            self.comments.append(
                CommentLine(
                    node.value,
                    self.line,
                    self.column,
                    self.alone,
                    self.inside > 0,
                    len(self.starts) - (not between),
                )
            )

    def after_codegen(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.ParenthesizedWhitespace):
            self.inside -= 1
        elif isinstance(node, cst.EmptyLine):
            self.alone = False

    def record_syntactic_position(
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> Any:  # a context manager
        if isinstance(node, _LINE_STARTERS):
            self.starts.append(self.line)
            self.indents.append(len("".join(self.indent_tokens).expandtabs(8)))
        return _NOTHING


def layout_from_tree(module: cst.Module, read: Layout) -> Layout:
    """The layout of a text by its tree; `read` is the one that was read from the text."""
    recorder = LayoutRecorder(module)
    module._codegen(recorder)
    return read._replace(
        starts=recorder.starts,
        ends=recorder.ends,
        indents=recorder.indents,
        comments=recorder.comments,
        doubtful=False,
    )
