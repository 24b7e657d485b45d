"""Which candidates do what they say: the edited text is Python, it is analysed, and what is left is
what was there before without the finding.

A fix that rests on another one (names given to a tensor can go once nobody asks for them) is proven
together with it. Places in the old and the new text are compared by where edits move them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from namecheck.findings import Applicability, Finding, Fix, Level, Span
from namecheck.fixes.candidates import MAKERS, all_or_none, candidates
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Change, applied, changes, collide, moved

if TYPE_CHECKING:
    from namecheck_runtime.mistakes.base import Mistake

__all__ = ["Judge", "fixable", "key_of", "with_fixes"]

MOST_CANDIDATES = 8
"""Fixes of one finding that are tried."""

MOST_TRIALS = 60
"""Edited texts of one file that are analysed; fewer of a long one, of which each takes longer."""

MOST_LINES = 8000
"""Lines that all trials of a file may come to, after the first few."""

Analyse = Callable[[str], Collection[Finding]]
"""What is found in a text that stands in the place of a file's."""


class Tried(NamedTuple):
    """A candidate for a finding; `all_or_none` if it is right only where no other finding of that
    code is left: who takes away names must know that nobody asks for them.
    """

    finding: Finding
    fix: Fix
    made: tuple[Change, ...]
    all_or_none: bool = False


class Judge:
    """Compares what is found in a text with what is found after edits."""

    def __init__(self, path: str, code: Code, before: Iterable[Finding], analyse: Analyse) -> None:
        self.path = path
        self.code = code
        self.before = [finding for finding in before if finding.level is not Level.NOTE]
        self.analyse = analyse
        self.left = max(4, min(MOST_TRIALS, MOST_LINES // (len(code.lines) + 1)))

    def holds(self, some: Iterable[Tried]) -> bool:
        """Whether fixes together give a program in which what they are for is not found any more,
        and nothing that was not found before.
        """
        self.left -= 1
        some = tuple(some)
        made = tuple(sorted({change for one in some for change in one.made}))
        new = Code(applied(self.code.text, made))
        if new.tree is None:
            return False
        path = self.path
        expected = Counter(key_of(finding, path, self.code, made) for finding in self.before)
        left = [one for one in self.analyse(new.text) if one.level is not Level.NOTE]
        found = Counter(key_of(finding, path, new) for finding in left)
        gone = {key_of(one.finding, path, self.code, made) for one in some}
        none_left = {one.finding.code for one in some if one.all_or_none}
        return (
            not found - expected
            and gone.isdisjoint(found)
            and none_left.isdisjoint(finding.code for finding in left)
        )


def key_of(finding: Finding, path: str, code: Code, made: Sequence[Change] = ()) -> object:
    """What makes a finding the same one before and after changes to the text of a path: its code,
    and where it begins.
    """
    if finding.path != path:
        return finding.code, finding.level, finding.path, finding.span
    start = code.offset(finding.span.line, finding.span.column)
    return finding.code, finding.level, moved(start, made)


def fixable(findings: Iterable[Finding], path: str) -> bool:
    """Whether it is worth looking for fixes of what was found in a file."""
    return any(finding.code in MAKERS and finding.path == path for finding in findings)


def with_fixes(
    path: str,
    text: str,
    found: Sequence[Finding],
    mistakes: Mapping[tuple[Span, str], Mistake],
    analyse: Analyse,
) -> tuple[Finding, ...]:
    """The findings of a text, with a fix where there is one that is proven."""
    code = Code(text)
    if code.tree is None:
        return tuple(found)
    judge = Judge(path, code, found, analyse)
    options = {}
    for finding in found:
        if finding.path == path and finding.fix is None:
            mistake = mistakes.get((finding.span, finding.code))
            made = list(candidates(finding, mistake, code))[:MOST_CANDIDATES]
            if made:
                whole = mistake is not None and all_or_none(mistake)
                options[finding] = [
                    Tried(finding, fix, changes(code, fix.edits), whole) for fix in made
                ]
    proven: dict[Finding, Fix] = {}
    applicable = {
        finding: [one for one in tried if one.fix.applicability is not Applicability.DISPLAY]
        for finding, tried in options.items()
    }
    # What did not hold at first may hold when others have been accepted.
    accepted: list[Tried] = []
    while True:
        before = len(accepted)
        _accept(applicable, accepted, judge)
        if len(accepted) == before or len(accepted) == len(applicable):
            break
    proven.update((one.finding, one.fix) for one in accepted)
    shown = [
        one
        for finding, tried in options.items()
        if finding not in proven
        for one in tried
        if one.fix.applicability is Applicability.DISPLAY
    ]
    for one in shown:
        alike = [other for other in shown if other.made == one.made]
        if one.finding in proven or judge.left <= 0:
            continue
        if judge.holds(alike):
            proven.update((other.finding, other.fix) for other in alike)
    return tuple(
        finding._replace(fix=proven[finding]) if finding in proven else finding for finding in found
    )


def _accept(
    options: Mapping[Finding, Sequence[Tried]], accepted: list[Tried], judge: Judge
) -> None:
    """Accepts, for each finding that has none yet, the first candidate that holds."""
    for rank in range(MOST_CANDIDATES):
        done = {one.finding for one in accepted}
        row = [
            tried[rank]
            for finding, tried in options.items()
            if finding not in done and rank < len(tried)
        ]
        _accept_row(row, accepted, judge)


def _accept_row(row: Sequence[Tried], accepted: list[Tried], judge: Judge) -> None:
    """Accepts of a row all that hold together: at once, or else part by part."""
    row = [one for one in row if not any(collide(one.made, other.made) for other in accepted)]
    if not row or judge.left <= 0:
        return
    compatible: list[Tried] = []
    for one in row:
        if not any(collide(one.made, other.made) for other in compatible):
            compatible.append(one)
    if judge.holds([*accepted, *compatible]):
        accepted += compatible
        row = [one for one in row if one not in compatible]
        _accept_row(row, accepted, judge)
    elif len(compatible) > 1:
        for some in _parted(compatible):
            _accept_row(some, accepted, judge)


def _parted(row: Sequence[Tried]) -> Iterable[Sequence[Tried]]:
    """A row in parts: those of one code rest on each other, others hardly do."""
    codes: dict[str, list[Tried]] = {}
    for one in row:
        codes.setdefault(one.finding.code, []).append(one)
    if len(codes) > 1:
        return codes.values()
    middle = len(row) // 2
    return row[:middle], row[middle:]
