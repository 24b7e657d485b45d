"""Which of the annotations that a text may get hold together.

All of them, most of the time. Where not, those are looked for that do not hold, first in the chunks
in which something has changed, and by evaluating only these; what is left is tried on the whole
text again. Nothing is accepted but what was tried so.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from namecheck.annotations.annotation_proof import State, Trial
from namecheck.annotations.changes import Annotation

__all__ = ["accepted"]

MOST_TRIALS: Final = 24
"""How often the whole text may be analysed, so to speak, in one round of one file."""

FEWEST_TRIALS: Final = 6

MOST_LINES: Final = 40_000
"""Lines that all trials of a round may come to, after the first few."""

FEW: Final = 0.25
MOST: Final = 0.6
"""Shares of a text that are looked at alone before all of it is, and after that."""


def accepted(
    trial: Trial, options: Sequence[Annotation], blamed: set[int]
) -> tuple[Sequence[Annotation], State | None]:
    """The annotations that hold together, and the text with them; None if there are none.

    `blamed` are the numbers of chunks in which others did not hold before; more are added.
    """
    lines = trial.lines
    purse = _Purse(max(FEWEST_TRIALS * lines, min(MOST_TRIALS * lines, MOST_LINES)))
    # A few that may have been refused before: this costs less than to hear it of the whole text.
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
    """The lines that may still be evaluated."""

    def __init__(self, lines: int) -> None:
        self.lines = lines

    def of(self, trial: Trial, some: Sequence[Annotation]) -> State | frozenset[int]:
        """What comes of a trial; nothing holds when it can no longer be paid."""
        if self.lines <= 0:
            return frozenset()
        self.lines -= trial.lines
        return trial.of(some)


def _sifted(
    trial: Trial,
    options: Sequence[Annotation],
    chunks: frozenset[int],
    purse: _Purse,
    share: float,
) -> Sequence[Annotation]:
    """The annotations without those that do not hold in some chunks; all of them if these are more
    than a share of the text.
    """
    part = trial.within(chunks)
    if not chunks or part.lines > share * trial.lines:
        return options
    ours = max(purse.lines - trial.lines, 0)  # what is left has to be tried on the whole text
    search = _Search(part, _Purse(ours - part.lines))  # what it is before has to be known, too
    search.add(options)
    purse.lines -= ours - search.purse.lines
    return _in_order(search.taken, options)


def _in_order(taken: Sequence[Annotation], options: Sequence[Annotation]) -> Sequence[Annotation]:
    some = set(taken)
    return [one for one in options if one in some]


class _Search:
    """`taken` are annotations that hold together, and `state` is the text with them."""

    def __init__(self, trial: Trial, purse: _Purse) -> None:
        self.trial = trial
        self.purse = purse
        self.taken: list[Annotation] = []
        self.state: State | None = None

    def add(self, some: Sequence[Annotation], lines: frozenset[int] | None = None) -> bool:
        """Take what can be taken of some annotations: whether that is all of them.

        `lines` are those that all of them together are known not to hold on.
        """
        if lines is None:
            outcome = self.purse.of(self.trial, [*self.taken, *some])
            if isinstance(outcome, State):
                self.taken += some
                self.state = outcome
                return True
            lines = outcome
        if len(some) > 1 and self.purse.lines > 0:
            far, near = self._parted(some, lines)
            # If all the others could be taken it is known of the rest what comes of it.
            self.add(near, lines if self.add(far) else None)
        return False

    def _parted(
        self, some: Sequence[Annotation], lines: frozenset[int]
    ) -> tuple[Sequence[Annotation], Sequence[Annotation]]:
        """Annotations in two parts: the second one is rather to blame for what is on the lines."""
        tree = self.trial.code.tree
        functions = [_function(tree, line) for line in lines] if tree is not None else []
        stretches = [range(one.lineno, (one.end_lineno or 0) + 1) for one in functions if one]
        near = [
            one
            for one in some
            if any(line in stretch for line in _lines_of([one]) for stretch in stretches)
        ]
        if near and len(near) < len(some):
            return [one for one in some if one not in near], near
        middle = len(some) // 2
        return some[:middle], some[middle:]


def _lines_of(some: Sequence[Annotation]) -> frozenset[int]:
    return frozenset(key[0] for one in some for key in one.keys)


def _function(tree: ast.Module, line: int) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function in which a line stands."""
    found = None
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.lineno <= line <= (node.end_lineno or 0):
                    found = node  # those inside come later
    return found
