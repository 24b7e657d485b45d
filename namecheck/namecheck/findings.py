"""The results of analysing a file: findings, dims and counts, as plain immutable values.

The analysis makes them, the reports turn them into text, and a cache may store them; this module
depends on none of the three. Importing it costs next to nothing and must stay so: the command line
imports it before it knows whether there is anything to do.

Places are 1-based, columns count characters (not bytes, not UTF-16 units), and an end is exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from namecheck_runtime.light.records import NamedTuple

__all__ = [
    "WHOLE_FILE",
    "Analysis",
    "Applicability",
    "Counts",
    "Edit",
    "Finding",
    "Fix",
    "Label",
    "Level",
    "Note",
    "ShapeAt",
    "Span",
    "UnknownCall",
]


class Level(StrEnum):
    """The severity of a finding. By default only errors and warnings set the exit code.

    A NOTE is information that the user has to ask for: with `--notes`, or in the program.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A span of source: `Span(41, 13, 41, 34)` is columns 13 to 33 of line 41.

    Lines and columns count from 1; columns count characters (code points), a tab is one.
    """

    line: int
    column: int
    end_line: int
    end_column: int


WHOLE_FILE = Span(1, 1, 1, 1)
"""The place of a finding about a whole file; it is shown without a frame."""


class Label(NamedTuple):
    """An underline in the frame with a few words beside it: an operand and its dims `[N, C, T]`.

    A label with the finding's own span is written beside the carets.
    """

    span: Span
    text: str


class Note(NamedTuple):
    """A fact that led to the finding, and where it comes from.

    The text has no place: the report appends it ("x is [N, T, C], from its annotation" with a span
    on line 38 is shown as "x is [N, T, C], from its annotation at 38:7").
    `path` is None if the place is in the finding's own file. `cell` is that of a notebook, as for a
    finding.
    """

    text: str
    path: str | None = None
    span: Span | None = None
    cell: int | None = None


class Edit(NamedTuple):
    """A text that replaces a span, in the finding's own file (and cell)."""

    span: Span
    content: str


class Applicability(StrEnum):
    """How far a fix may be trusted, in ruff's terms.

    SAFE keeps the program's meaning; UNSAFE may change it and is applied with `--unsafe-fixes`;
    DISPLAY is shown and never applied.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display-only"


class Fix(NamedTuple):
    """Edits that remove a finding. `message` is their title, in the imperative."""

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]


class Finding(NamedTuple):
    """One mistake at one place. `code` and `name` are the rule's, as in `NC101 name-mismatch`.

    `message` states the fact in one line, `hint` the remedy. In a notebook `cell` is the number of
    the cell among all of its cells, from 1, and the spans count lines within that cell; elsewhere
    it is None.
    """

    path: str
    span: Span
    code: str
    name: str
    level: Level
    message: str
    labels: tuple[Label, ...] = ()
    notes: tuple[Note, ...] = ()
    hint: str | None = None
    cell: int | None = None
    fix: Fix | None = None
    lines_up: bool = False
    """Whether the dims in the labels are compared one by one, from the right."""


class ShapeAt(NamedTuple):
    """The dims of a value at a line, for `namecheck show`.

    `target` is the target of the assignment, as written (`q`, `self.w`); `dims_text` its dims (`[B,
    T, C]`); `kind` is "assign", "parameter" or "return".
    """

    line: int
    target: str
    dims_text: str
    kind: str
    cell: int | None = None


class UnknownCall(NamedTuple):
    """A call with an unknown result, and how many tensor expressions are unknown because of it.

    `calls` is the number of places with this call, `line` the first of them.
    """

    name: str
    expressions: int
    calls: int
    path: str
    line: int
    cell: int | None = None


class Counts(NamedTuple):
    """How much was read, and how much of it was understood. Counts can be added.

    `expressions` counts those that are tensors as far as is known, `understood` those of them with
    a known rank, `partly` those with known last dims; `assignments` and `known_rank` count
    assignments in the same way. `driven` counts the entry points that were followed, `cut_off`
    those of them that cost more than the bound of a drive.
    """

    files: int = 0
    lines: int = 0
    expressions: int = 0
    understood: int = 0
    assignments: int = 0
    known_rank: int = 0
    partly: int = 0
    driven: int = 0
    cut_off: int = 0

    def __add__(self, other: Counts) -> Counts:  # type: ignore[override]  # not tuple's concatenation
        return Counts._make(mine + theirs for mine, theirs in zip(self, other, strict=True))


class Analysis(NamedTuple):
    """The result of analysing one file.

    A finding may be in another file of the project: in a function there that is wrong as this file
    calls it. `depends` are the real paths of the other files that were read; a package without
    `__init__.py` is among them as its folder, with a slash at the end.
    """

    findings: tuple[Finding, ...] = ()
    shapes: tuple[ShapeAt, ...] = ()
    counts: Counts = Counts()
    depends: tuple[str, ...] = ()
    unknown_calls: tuple[UnknownCall, ...] = ()
    """The calls with the highest cost, if statistics were asked for."""
    parts: Mapping[str, tuple[str, ...]] = {}  # not a proxy: it goes from process to process
    """By the path of each file of `depends` that was evaluated in part: the names of the
    definitions that were. A file that is left out was read as a whole.
    """
