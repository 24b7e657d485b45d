"""From source text to the analyzer's records: one parse, one walk over its tree.

The tree is Python's own if that shows enough (`from_ast.py`), and otherwise LibCST's
(`from_libcst.py`); the records and their numbers are the same. LibCST is imported only when a text
needs it, since the import takes longer than a check of a short file. Where it is not installed (in
a browser), such a text cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.from_ast import lower_quickly
from namecheck.analysis.reading.unreadable import NeedsLibCST, SourceError, TooDeep, python_error
from namecheck.text.chunks import SourceChunk, digest, split
from namecheck.text.layout import Layout, read_layout
from namecheck_runtime.light.collector import CollectorPaused


def lower(text: str, layout: Layout | None = None) -> ir.Chunk:
    """The records of a module or of one chunk of it. Lines count from the start of `text`.

    A caller that has the text's layout passes it. Raises `SourceError` if the text is not Python,
    and its subclasses: `TooDeep` if it is nested too deeply to see that, and `NeedsLibCST`.
    """
    layout = layout or read_layout(text)
    with CollectorPaused():
        try:
            chunk = lower_quickly(text, layout)
        except (RecursionError, MemoryError):
            # LibCST would take minutes and gigabytes to fail too.
            raise TooDeep from None
        if chunk is None:
            try:
                from namecheck.analysis.reading.from_libcst import lower_module, parse
            except ModuleNotFoundError:
                known = python_error(text)
                raise NeedsLibCST() if known is None else known from None
            chunk = lower_module(parse(text, layout), layout)
        return chunk


def lower_chunks(
    text: str, known: Mapping[bytes, ir.Chunk] | None = None
) -> list[tuple[SourceChunk, ir.Chunk]]:
    """The chunks of a module's text, each with its records; `known` ones are not lowered again.

    `known` maps digests of chunks to their records. Raises `SourceError`, with lines of the module,
    if the text is not Python.
    """
    known = known or {}
    chunks = split(text)
    with CollectorPaused():
        try:
            return [
                (chunk, known.get(chunk.digest) or lower(chunk.text, chunk.layout))
                for chunk in chunks
            ]
        except NeedsLibCST:
            doubted = (one for one in chunks if lower_quickly(one.text, one.layout) is None)
            lines = [one.line + next(iter(one.layout.starts), 1) - 1 for one in doubted]
            raise NeedsLibCST(lines[0]) from None
        except SourceError:
            # The error in the whole text is the one to report. If it has none, the text was cut in
            # wrong places, and becomes one chunk.
            layout = read_layout(text)
            records = lower(text, layout)
            return [(SourceChunk(text, 1, digest(text), layout), records)]
