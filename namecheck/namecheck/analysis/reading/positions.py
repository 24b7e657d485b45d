"""Where numbered expressions and statements stand: computed only for text that has a finding.

The records carry line numbers of statements and nothing finer. Here the text is parsed again (if
the tree was not kept), the walk of `from_libcst.py` is repeated to learn which node has which
number, and code is generated from the tree by a recorder that notes where the wanted nodes come to
stand.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable

import libcst as cst

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.codegen import SpanRecorder
from namecheck.analysis.reading.from_ast import lower_quickly
from namecheck.analysis.reading.from_libcst import lower_module, nodes_by_id, parse
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.reading.walking import walk
from namecheck.findings import Span
from namecheck.text.layout import Layout, read_layout
from namecheck_runtime.light.collector import CollectorPaused

__all__ = ["Span", "locate"]


def locate(text: str, wanted: Iterable[int], module: cst.Module | None = None) -> dict[int, Span]:
    """The spans of the records with these numbers in the lowered `text`.

    `module` is LibCST's tree of the text, if the caller still has it. Spans leave out parentheses
    and white space around an expression; a compound statement's goes to the end of its body, a
    parameter's is that of its name. In a text that is nested too deeply for LibCST to write, or
    that it cannot read, it is the lines of the statement that hold what was wanted. Raises
    `SourceError` if the text is not Python and `KeyError` for a number that no record of the text
    has.
    """
    with CollectorPaused():
        layout = read_layout(text)
        try:
            module = module or parse(text, layout)
        except SourceError:
            try:
                records = lower_quickly(text, layout)
            except (RecursionError, MemoryError):
                records = None
            if records is None:
                raise
            return _statements_of(set(wanted), records, layout)  # LibCST alone cannot read it
        nodes = nodes_by_id(module, layout)
        ends = {}
        for number in wanted:
            node = nodes[number]
            ends[number] = node if isinstance(node, tuple) else (node, node)
        recorder = SpanRecorder(module, {id(node) for pair in ends.values() for node in pair})
        try:
            module._codegen(recorder)
        except RecursionError:
            # Somewhere in the text a chain is too long to be written.
            return _statements_of(ends.keys(), lower_module(module, layout), layout)
        spans = recorder.spans()
        found = {}
        for number, (first, last) in ends.items():
            start, end = spans[id(first)], spans[id(last)]
            found[number] = Span(start.line, start.column, end.end_line, end.end_column)
    generated = "".join(recorder.tokens)
    if generated != text:
        found = _moved(found, layout, read_layout(generated))
    return found


def _statements_of(wanted: Collection[int], chunk: ir.Chunk, layout: Layout) -> dict[int, Span]:
    """For each number the span of the lines of the statement that it is part of."""
    found: dict[int, Span] = {}
    statement = Span(1, 1, 1, 1)
    for record in walk(chunk):
        if isinstance(record, ir.Statement):
            first, last = layout.lines[record.line - 1], layout.lines[record.end_line - 1]
            start = len(first) - len(first.lstrip()) + 1
            statement = Span(record.line, start, record.end_line, len(last.rstrip()) + 1)
        number: int | None = getattr(record, "id", None)
        if number is not None and number in wanted:
            found[number] = statement
    return found


def _moved(spans: dict[int, Span], there: Layout, here: Layout) -> dict[int, Span]:
    """Spans in the generated text `here`, turned into spans in the true text `there`.

    LibCST drops form feeds and continued empty lines in front of a statement, and no more.
    """
    if len(there.ends) != len(here.ends):
        return spans

    def move(line: int, column: int) -> tuple[int, int]:
        logical = bisect_right(here.starts, line) - 1
        if logical < 0:
            return line, column
        true_line = line + there.ends[logical] - here.ends[logical]
        if line == here.starts[logical]:
            column += len(there.lines[true_line - 1].rstrip("\r\n"))
            column -= len(here.lines[line - 1].rstrip("\r\n"))
        return true_line, column

    return {
        number: Span(*move(span.line, span.column), *move(span.end_line, span.end_column))
        for number, span in spans.items()
    }
