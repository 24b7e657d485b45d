"""What every expression of one statement is: for who points at a place in a program and asks.

The dims are those of `inlays`, which puts them into words when the function has been run: what
later lines teach is known, and names are those that stand beside the lines of the function.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from namecheck.analysis import explain, inlays, ir
from namecheck.analysis.evaluate import Evaluator
from namecheck.analysis.report import spans_of
from namecheck.analysis.values import Tensor, Value
from namecheck.findings import Note, Span
from namecheck_runtime.lattice import known_dims, show

if TYPE_CHECKING:
    from namecheck.analysis.piece import Source

__all__ = ["Watched", "Watch", "Watching"]

KIND: Final = "expression"
"""None of `ShapeAt`'s kinds: it is not shown beside a line."""


class Watched(NamedTuple):
    """An expression that is a tensor, its dims, and where they come from."""

    span: Span
    dims_text: str
    notes: tuple[Note, ...]


class Watch:
    """A line of a file, and what was seen of the expressions of its statement."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.found: tuple[Watched, ...] = ()


class Watching(Evaluator):
    """An evaluator that remembers the expressions of the statement that a line is part of."""

    def __init__(self, source: Source, world: Mapping[Any, Any] | None = None) -> None:
        super().__init__(source, world)
        self.watched: Source | None = None
        self.first = 0
        """The statement's first line, in the piece that is watched."""
        self.why: dict[int, Sequence[explain.Note]] = {}

    def watch(self, pieces: Iterable[Source], line: int) -> None:
        """Chooses the statement that a line of the file is part of."""
        from namecheck.analysis.layout import read_layout

        for piece in pieces:
            if piece.line <= line:
                self.watched = piece
        if self.watched is not None:
            inside = line - self.watched.line + 1
            starts = read_layout(self.watched.text).starts
            at = bisect_right(starts, inside) - 1
            self.first = starts[at] if at >= 0 else inside

    def value(self, node: ir.Expression) -> Value:
        """As of every evaluator; what is a tensor is kept in mind."""
        found = super().value(node)
        frame = self.frame
        if frame.source is self.watched and frame.line == self.first and not frame.depth:
            value = self.resolve(found)
            if isinstance(value, Tensor):
                inlays.note(self, str(node.id), value, KIND)
                self.why[node.id] = self._reasons(node, value)
        return found

    def _reasons(self, node: ir.Expression, value: Tensor) -> Sequence[explain.Note]:
        frame = self.frame
        bound: list[explain.Note] = []
        place = frame.place_of(node.name) if isinstance(node, ir.Name) else None
        if place is not None:
            source, line = place
            assert isinstance(node, ir.Name)
            bound.append((f"{node.name} is set", source, line))
        shape = self.current(value.shape)
        named = explain.names_of(self, known_dims(shape))
        here = frame.source, frame.line
        return [note for note in (*bound, *named) if note[1:] != here]

    def known(self) -> tuple[Watched, ...]:
        """What was seen, the smallest expressions first."""
        if self.watched is None:
            return ()
        dims = {
            int(target): show(known.shape)
            for (_, target, kind), known in self.shapes.items()
            if kind == KIND
        }
        spans = spans_of(self.watched, dims)
        found = [Watched(spans[n], dims[n], tuple(self._notes(self.why[n]))) for n in dims]
        return tuple(sorted(found, key=lambda one: _size(one.span)))

    def _notes(self, reasons: Iterable[explain.Note]) -> Iterable[Note]:
        assert self.watched is not None
        own = self.watched.file.path
        for text, source, line in dict.fromkeys(reasons):
            path = source.file.path
            yield Note(text, None if path == own else path, source.whole_line(line))


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column
