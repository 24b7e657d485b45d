"""The search for annotations that hold together.

Most of the time all of them do. If not, those that fail are searched for, first in the chunks that
have changed, by evaluating only these; the rest is tried on the whole text again. Annotations are
accepted only if that trial succeeds.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from namecheck.annotations.annotation_proof import State, Trial
from namecheck.annotations.changes import Annotation

__all__ = ["accepted"]

MOST_TRIALS: Final = 24
"""The most trials of one file in one round, as multiples of an analysis of its whole text."""

FEWEST_TRIALS: Final = 6

MOST_LINES: Final = 40_000
"""The most lines that all trials of a round evaluate, after the first few."""

FEW: Final = 0.25
MOST: Final = 0.6
"""The largest share of a text that is tried alone: before a trial of the whole text, and after."""


def accepted(
    trial: Trial, options: Sequence[Annotation], blamed: set[int]
) -> tuple[Sequence[Annotation], State | None]:
    """The annotations that hold together, and the text with them; None if there are none.

    `blamed` are the numbers of chunks in which annotations have failed before; more are added.
    """
    lines = trial.lines
    purse = _Purse(max(FEWEST_TRIALS * lines, min(MOST_TRIALS * lines, MOST_LINES)))
    # If these have failed before, this costs less than another trial of the whole text.
    chunks = trial.chunks_of(_lines_of(options)) | blamed
    options = _sifted(trial, options, chunks, purse, MOST if blamed else FEW)
    while options:
        outcome = purse.of(trial, options)
        if isinstance(outcome, State):
            return options, outcome
        chunks = trial.chunks_of(outcome)
        blamed |= chunks
        fewer = _sifted(trial, options, chunks, purse, MOST)
        if len(fewer) == len(options):
            search = _Search(trial, purse)
            search.add(options, outcome)
            return _in_order(search.taken, options), search.state
        options = fewer
    return (), None


class _Purse:
    """The lines that trials may still evaluate."""

    def __init__(self, lines: int) -> None:
        self.lines = lines

    def of(self, trial: Trial, annotations: Sequence[Annotation]) -> State | frozenset[int]:
        """The outcome of a trial; it fails if no lines are left for it."""
        if self.lines <= 0:
            return frozenset()
        self.lines -= trial.lines
        return trial.of(annotations)


def _sifted(
    trial: Trial,
    options: Sequence[Annotation],
    chunks: frozenset[int],
    purse: _Purse,
    share: float,
) -> Sequence[Annotation]:
    """The annotations without those that fail in some chunks; all of them if these chunks are more
    than a share of the text.
    """
    part = trial.within(chunks)
    if not chunks or part.lines > share * trial.lines:
        return options
    ours = max(purse.lines - trial.lines, 0)  # the rest has to be tried on the whole text
    search = _Search(part, _Purse(ours - part.lines))  # the old text is analysed as well
    search.add(options)
    purse.lines -= ours - search.purse.lines
    return _in_order(search.taken, options)


def _in_order(taken: Sequence[Annotation], options: Sequence[Annotation]) -> Sequence[Annotation]:
    chosen = set(taken)
    return [annotation for annotation in options if annotation in chosen]


class _Search:
    """`taken` are annotations that hold together, and `state` is the text with them."""

    def __init__(self, trial: Trial, purse: _Purse) -> None:
        self.trial = trial
        self.purse = purse
        self.taken: list[Annotation] = []
        self.state: State | None = None

    def add(self, annotations: Sequence[Annotation], lines: frozenset[int] | None = None) -> bool:
        """Take those annotations that hold. Returns whether all of them were taken.

        `lines` are those on which all of them together are known to fail.
        """
        if lines is None:
            outcome = self.purse.of(self.trial, [*self.taken, *annotations])
            if isinstance(outcome, State):
                self.taken += annotations
                self.state = outcome
                return True
            lines = outcome
        if len(annotations) > 1 and self.purse.lines > 0:
            far, near = self._parted(annotations, lines)
            # If all the others were taken, the outcome for the rest is known already.
            self.add(near, lines if self.add(far) else None)
        return False

    def _parted(
        self, annotations: Sequence[Annotation], lines: frozenset[int]
    ) -> tuple[Sequence[Annotation], Sequence[Annotation]]:
        """Annotations in two parts: the second is more likely to have failed on the lines."""
        tree = self.trial.code.tree
        functions = [_function(tree, line) for line in lines] if tree is not None else []
        stretches = [range(f.lineno, (f.end_lineno or 0) + 1) for f in functions if f]
        near = [
            annotation
            for annotation in annotations
            if any(line in stretch for line in _lines_of([annotation]) for stretch in stretches)
        ]
        if near and len(near) < len(annotations):
            return [annotation for annotation in annotations if annotation not in near], near
        middle = len(annotations) // 2
        return annotations[:middle], annotations[middle:]


def _lines_of(annotations: Sequence[Annotation]) -> frozenset[int]:
    return frozenset(key[0] for annotation in annotations for key in annotation.keys)


def _function(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function around a line; None if there is none."""
    function = None
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.lineno <= line <= (node.end_lineno or 0):
                    function = node  # inner ones come later
    return function
