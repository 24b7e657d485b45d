"""The dims that the editor shows of a file, from one edit to the next.

Evaluating a file for them takes longer than checking it, since parameters are tried with several
ranks. After an edit only the definitions that it concerns are evaluated: the edited ones, and those
that mention one of them. The dims in the others are kept, and moved to where they are now. Those
may have changed, too (two calls away, or in what an edited function calls), so the whole file is
evaluated once the user pauses (`Desk.settle`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from namecheck.findings import Finding, ShapeAt
from namecheck.lsp.revising import Revision, revision
from namecheck.text.chunks import SourceChunk, defined_name, split

__all__ = ["ShownDims", "after_edit"]


class ShownDims(NamedTuple):
    """The dims in a text: of what stands at the beginning of lines (`shapes`), and of all
    expressions that are tensors, the smallest first (`known`; None if the user has not pointed at
    any). `is_whole`: one evaluation of the whole text has given them.
    """

    text: str
    shapes: Sequence[ShapeAt]
    known: Sequence[Finding] | None
    is_whole: bool


def after_edit(
    before: ShownDims, text: str, evaluate: Callable[[Collection[int]], ShownDims]
) -> ShownDims | None:
    """The dims in an edited text; None if the edit concerns much of it.

    `evaluate` gives those of the statements of the text, and of the definitions in the chunks that
    begin on some lines.
    """
    now = split(text)
    changed = revision(split(before.text), now)
    if changed is None:
        return None
    changed = changed._replace(stretches=(*changed.stretches, *_statements(now)))
    new = evaluate(changed.lines)
    shapes = [there for shape in before.shapes if (there := _taken_over(shape, changed))]
    shapes += [shape for shape in new.shapes if changed.is_evaluated(shape.line)]
    known = None
    if before.known is not None and new.known is not None:
        kept = [moved for one in before.known if (moved := changed.taken_over(one)) is not None]
        kept += [one for one in new.known if changed.is_evaluated(one.span.line)]
        known = sorted(kept, key=_size)
    return ShownDims(text, shapes, known, False)


def _statements(chunks: Sequence[SourceChunk]) -> list[tuple[int, int]]:
    """The first lines of the chunks that are statements, and the lines after them."""
    return [
        (chunk.line, chunk.line + len(chunk.layout.lines))
        for chunk in chunks
        if not defined_name(chunk)
    ]


def _taken_over(shape: ShapeAt, changed: Revision) -> ShapeAt | None:
    line = changed.moved_line(shape.line)
    return None if line is None or changed.is_evaluated(line) else shape._replace(line=line)


def _size(known: Finding) -> tuple[int, int]:
    line, column, end_line, end_column = known.span
    return end_line - line, end_column - column
