"""The spans of numbered expressions and statements: computed only for text with a finding.

The records have only the line numbers of statements. This module parses the text again (if the tree
was not kept), repeats the walk of `from_libcst.py` to learn the number of each node, and generates
code from the tree with a recorder that notes where the wanted nodes begin and end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import libcst as cst

from namecheck.analysis.reading.codegen import SpanRecorder
from namecheck.analysis.reading.from_ast import lower_quickly
from namecheck.analysis.reading.from_libcst import lower_module, nodes_by_id, parse
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.reading.walking import statements_of
from namecheck.findings import Span
from namecheck.text.layout import Layout, read_layout
from namecheck_runtime.light.collector import CollectorPaused

__all__ = ["Span", "locate"]


def locate(text: str, wanted: Iterable[int], module: cst.Module | None = None) -> dict[int, Span]:
    """The spans of the records with these numbers in the lowered `text`.

    `module` is LibCST's tree of the text, if the caller still has it. Spans leave out parentheses
    and white space around an expression. The span of a compound statement goes to the end of its
    body; that of a parameter is its name. If LibCST cannot read the text, or cannot write it
    because it is nested too deeply, a span is the lines of the whole statement. Raises
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
            return statements_of(set(wanted), records, layout)  # LibCST alone cannot read it
        nodes = nodes_by_id(module, layout)
        ends = {}
        for number in wanted:
            node = nodes[number]
            ends[number] = node if isinstance(node, tuple) else (node, node)
        recorder = SpanRecorder(module, {id(node) for pair in ends.values() for node in pair})
        try:
            module._codegen(recorder)
        except RecursionError:
            # The text has a chain that is too long to be written.
            return statements_of(ends.keys(), lower_module(module, layout), layout)
        spans = recorder.spans()
        located = {}
        for number, (first, last) in ends.items():
            start, end = spans[id(first)], spans[id(last)]
            located[number] = Span(start.line, start.column, end.end_line, end.end_column)
    generated = "".join(recorder.tokens)
    if generated != text:
        located = _moved(located, layout, read_layout(generated))
    return located


def _moved(spans: dict[int, Span], there: Layout, here: Layout) -> dict[int, Span]:
    """Spans in the generated text `here` as spans in the true text `there`.

    LibCST drops only form feeds and continued empty lines in front of a statement.
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
