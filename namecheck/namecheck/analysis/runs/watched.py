"""What every expression of a file is, for the editor, whose user points at one and asks.

The dims are those of `inlays`, which puts them into words after the function has been run: what
later lines teach is known, and the names are those shown beside the lines of the function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from namecheck.analysis.python.interpreter import Interpreter
from namecheck.analysis.reading import ir
from namecheck.analysis.runs.findings_of import spans_of
from namecheck.analysis.state import inlays, places, reasons
from namecheck.analysis.state.shapes_seen import EXPRESSION
from namecheck.analysis.state.values import Tensor, Value
from namecheck.findings import Note, Span
from namecheck.frameworks import is_source
from namecheck_runtime.lattice import known_dims, show

if TYPE_CHECKING:
    from namecheck.analysis.state.program_pieces import Source

__all__ = ["Watched", "Watch", "Watching"]


class Watched(NamedTuple):
    """An expression that is a tensor, its dims, and where they come from.

    `dtype` is the kind of its dtype, "" if that is not certain.
    """

    span: Span
    dims_text: str
    dtype: str
    notes: tuple[Note, ...]


class Watch:
    """What was seen of the expressions of a file."""

    def __init__(self) -> None:
        self.found: tuple[Watched, ...] = ()


Reasons = tuple[int, str, Sequence[places.Note]]
"""The first line of an expression's statement in the file, its number, and where its dims come
from."""


class Watching(Interpreter):
    """An evaluator that remembers the expressions of the file that it was begun with."""

    def __init__(self, source: Source, world: Mapping[Any, Any] | None = None) -> None:
        super().__init__(source, world)
        self.watched: dict[Source, dict[int, Reasons]] = {}
        """By the piece of the file, and the number of the expression."""

    def value(self, node: ir.Expression) -> Value:
        """As in every evaluator; tensors are remembered."""
        result = super().value(node)
        frame = self.frame
        source = frame.source
        if not frame.depth and source.file is self.module.source.file:
            value = self.resolve(result)
            if isinstance(value, Tensor):
                target = str(node.id)
                inlays.note(self, target, value, EXPRESSION)
                line = frame.line + source.line - 1
                of_piece = self.watched.setdefault(source, {})
                of_piece[node.id] = line, target, self._reasons(node, value)
        return result

    def _reasons(self, node: ir.Expression, value: Tensor) -> Sequence[places.Note]:
        frame = self.frame
        bound: list[places.Note] = []
        place = frame.place_of(node.name) if isinstance(node, ir.Name) else None
        if place is not None:
            source, line = place
            assert isinstance(node, ir.Name)
            bound.append((f"{node.name} is set", source, line))
        shape = self.current(value.shape)
        named = reasons.names_of(self, known_dims(shape))
        here = frame.source, frame.line
        return [note for note in (*bound, *named) if note[1:] != here]

    def known(self) -> tuple[Watched, ...]:
        """What was seen, the smallest expressions first."""
        entries: list[Watched] = []
        for source, seen in self.watched.items():
            dims: dict[int, str] = {}
            dtypes: dict[int, str] = {}
            for number, (line, target, _) in seen.items():
                inlay = self.inlays.known.get((line, target, EXPRESSION))
                if inlay is not None:
                    dims[number] = show(inlay.shape)
                    dtypes[number] = "" if inlay.kind == "unknown" else inlay.kind
            if not dims:
                continue
            spans = spans_of(source, dims)
            own_path = source.file.path
            entries += [
                Watched(spans[n], dims[n], dtypes[n], _notes(own_path, seen[n][2])) for n in spans
            ]
        return tuple(sorted(entries, key=lambda entry: _size(entry.span)))


def _notes(own_path: str, reasons: Iterable[places.Note]) -> tuple[Note, ...]:
    """The reasons as notes in a file; each says its path if that is another one."""
    return tuple(
        [
            Note(
                text,
                None if source.file.path == own_path else source.file.path,
                source.whole_line(line),
            )
            for text, source, line in dict.fromkeys(reasons)
            if source.file.path == own_path or not is_source(source.file.real)
        ]
    )


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column
