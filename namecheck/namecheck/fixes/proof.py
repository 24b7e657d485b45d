"""Which candidates do what they say: the edited text is Python, it is analysed, and what is left is
what was there before without the finding.

A fix that rests on another one (names given to a tensor can go once nobody asks for them) is proven
together with it. Places in the old and the new text are compared by where edits move them.

All fixes of a file are made at once, and one analysis says for each group of functions that have to
do with each other (`reach`) whether its own hold. Where the edits reach a small part of a long file
only that part is analysed, with the edits and without. Work is counted in lines, and all proofs of
a file together cost no more of them than the analysis did that found what is to be fixed; what is
not proven by then has no fix.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.codes.coverage import UNKNOWN_SHAPE
from namecheck.findings import Applicability, Finding, Fix, Level, Span
from namecheck.fixes.candidates import MAKERS, all_or_none, candidates
from namecheck.fixes.code import Code
from namecheck.fixes.edits import Apart, Change, applied, changes, moved
from namecheck.fixes.reach import Chunks

if TYPE_CHECKING:
    from namecheck_runtime.mistakes.base import Mistake

__all__ = ["Budget", "Judge", "fixable", "key_of", "with_fixes"]

MOST_CANDIDATES: Final = 8
"""Fixes of one finding that are tried."""

FEW_LINES: Final = 100
"""Lines that the proofs of a file may evaluate however short it is: a program of twenty lines may
be analysed five times.
"""

MOST_SEARCHED: Final = 2_000_000
"""Nodes of the syntax tree that are looked at to find candidates, in all of a file."""

Analyse = Callable[[str, Collection[int] | None], Collection[Finding]]
"""What is found in a text that stands in the place of a file's. Where lines are given, of functions
and classes only those in the chunks that begin on them are evaluated by themselves.
"""


class Budget:
    """The lines that proofs may evaluate still."""

    def __init__(self, lines: int) -> None:
        self.left = max(lines, FEW_LINES)

    def take(self, lines: int) -> bool:
        """Whether there are so many left; they are taken then."""
        if lines > self.left:
            return False
        self.left -= lines
        return True


class Group(NamedTuple):
    """Findings with fixes that are proven together, and the chunks that their edits reach."""

    findings: tuple[Finding, ...]
    reached: frozenset[int]


class Tried(NamedTuple):
    """A candidate for a finding; `all_or_none` if it is right only where no other finding of that
    code is left: who takes away names must know that nobody asks for them.
    """

    finding: Finding
    fix: Fix
    made: tuple[Change, ...]
    all_or_none: bool = False


class Judge:
    """Compares what is found in a text with what is found after edits.

    `groups` are the groups that the edits may belong to; nothing that one of them reaches is
    reached by another. With a `part` the functions and classes in these chunks alone are evaluated,
    and `before` is what is found in the old text when that is done.
    """

    def __init__(
        self,
        path: str,
        chunks: Chunks,
        before: Iterable[Finding],
        analyse: Analyse,
        budget: Budget,
        groups: Sequence[Group],
        part: frozenset[int] | None = None,
    ) -> None:
        self.path = path
        self.chunks = chunks
        self.code = chunks.code
        self.before = list(_counting(before))
        self.analyse = analyse
        self.budget = budget
        self.groups = groups
        self.part = part
        self.cost = chunks.cost(part)
        self._group_of = {
            finding: number for number, group in enumerate(groups) for finding in group.findings
        }
        self._reached_by = {
            chunk: number for number, group in enumerate(groups) for chunk in group.reached
        }

    @property
    def reached(self) -> frozenset[int]:
        """The chunks that the edits of all groups reach."""
        return frozenset[int]().union(*(group.reached for group in self.groups))

    def within(self) -> Judge | None:
        """One that evaluates what the edits reach and no more, for the groups of which that is
        enough to find what they are about. None if it costs too much to know.
        """
        part = self.reached
        if not self.budget.take(self.chunks.cost(part)):
            return None
        begun = [self.chunks.all[number].line for number in sorted(part)]
        before = self.analyse(self.code.text, begun)
        keys = {key_of(finding, self.path, self.code) for finding in before}
        groups = [
            group
            for group in self.groups
            if all(key_of(one, self.path, self.code) in keys for one in group.findings)
        ]
        options = self.path, self.chunks, before, self.analyse, self.budget
        return Judge(*options, groups, part)

    def group(self, finding: Finding) -> int:
        """The number of a finding's group."""
        return self._group_of[finding]

    def holding(self, some: Sequence[Tried]) -> list[Tried] | None:
        """The fixes that hold if all of these are made: in what their group reaches what they are
        for is not found any more, and nothing that was not found before. None if nobody knows,
        since to find out would cost too much.
        """
        if not self.budget.take(self.cost):
            return None
        made = tuple(sorted({change for one in some for change in one.made}))
        new = Code(applied(self.code.text, made))
        chunks = self._renumbered(new, made)
        if chunks is None and new.tree is None:
            return []
        only = None
        if self.part is not None:
            if chunks is None:
                return []
            only = [chunks.all[number].line for number in sorted(self.part)]
        path = self.path
        expected = Counter(key_of(finding, path, self.code, made) for finding in self.before)
        left = list(_counting(self.analyse(new.text, only)))
        found = Counter(key_of(finding, path, new) for finding in left)
        more = found - expected
        wrong = {
            self._blamed(finding, chunks) for finding in left if key_of(finding, path, new) in more
        }
        codes = {finding.code for finding in left}
        for one in some:
            if key_of(one.finding, path, self.code, made) in found or (
                one.all_or_none and one.finding.code in codes
            ):
                wrong.add(self.group(one.finding))
        if None in wrong:
            return []
        return [one for one in some if self.group(one.finding) not in wrong]

    def _renumbered(self, new: Code, made: Sequence[Change]) -> Chunks | None:
        """The chunks of the edited text, if they are the old ones by their numbers: those that no
        edit touches have the same text, and the others are Python by themselves.
        """
        chunks = Chunks(new)
        if len(chunks.all) != len(self.chunks.all):
            return None
        edited = self.chunks.edited(made)
        for number, (before, after) in enumerate(zip(self.chunks.all, chunks.all, strict=True)):
            if before.digest != after.digest and (
                number not in edited or Code(after.text).tree is None
            ):
                return None
        return chunks

    def _blamed(self, finding: Finding, chunks: Chunks | None) -> int | None:
        """The group because of which something is found; None if it may be any of them."""
        if len(self.groups) == 1:
            return 0
        if finding.path != self.path or chunks is None:
            return None
        return self._reached_by.get(chunks.at(finding.span.line))


def _counting(found: Iterable[Finding]) -> Iterable[Finding]:
    """The findings that there may not be more of: notes are information, but for the one that
    something was not evaluated to its end, where nothing is found any more.
    """
    return (one for one in found if one.level is not Level.NOTE or one.code == UNKNOWN_SHAPE)


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
    options = _options(path, code, found, mistakes)
    if not options:
        return tuple(found)
    chunks = Chunks(code)
    whole = chunks.cost(None)
    # Of what was not evaluated to its end nobody knows what is found in the rest of it.
    unread = {chunks.at(one.span.line) for one in found if one.code == UNKNOWN_SHAPE}
    groups = [one for one in _groups(options, chunks) if unread.isdisjoint(one.reached)]
    options = {finding: options[finding] for group in groups for finding in group.findings}
    if not options:
        return tuple(found)
    judge = Judge(path, chunks, found, analyse, Budget(whole), groups)
    proven: dict[Finding, Fix] = {}
    together = any(one.all_or_none for tried in options.values() for one in tried)
    part = judge.reached
    if not together and 2 * chunks.cost(part) <= whole:
        own = judge.within()
        if own is not None:
            theirs = [one for group in own.groups for one in group.findings]
            proven |= _proven({one: options.pop(one) for one in theirs}, own)
    if options:
        proven |= _proven(options, judge)
    return tuple(
        finding._replace(fix=proven[finding]) if finding in proven else finding for finding in found
    )


Options = Mapping[Finding, Sequence[Tried]]
"""The candidates for findings, in the order of preference."""


def _options(
    path: str,
    code: Code,
    found: Sequence[Finding],
    mistakes: Mapping[tuple[Span, str], Mistake],
) -> dict[Finding, list[Tried]]:
    options: dict[Finding, list[Tried]] = {}
    searched = 0
    for finding in found:
        if finding.path != path or finding.fix is not None or finding.code not in MAKERS:
            continue
        searched += len(code.around(finding.span.line))
        if searched > MOST_SEARCHED:
            break
        mistake = mistakes.get((finding.span, finding.code))
        made = list(candidates(finding, mistake, code))[:MOST_CANDIDATES]
        if made:
            whole = mistake is not None and all_or_none(mistake)
            options[finding] = [
                Tried(finding, fix, changes(code, fix.edits), whole) for fix in made
            ]
    return options


def _groups(options: Options, chunks: Chunks) -> list[Group]:
    """The findings in groups, so that no edit for one reaches what an edit for another does."""
    begun = {
        finding: {chunks.at(finding.span.line)}.union(*(chunks.edited(one.made) for one in tried))
        for finding, tried in options.items()
    }
    part_of = {chunk: part for part in chunks.apart(begun.values()) for chunk in part}
    findings: dict[frozenset[int], list[Finding]] = {}
    for finding, edited in begun.items():
        findings.setdefault(part_of[next(iter(edited))], []).append(finding)
    return [Group(tuple(some), reached) for reached, some in findings.items()]


def _proven(options: Options, judge: Judge) -> dict[Finding, Fix]:
    """The fixes that hold; of each finding the first one that can be made with the others'."""
    accepted: list[Tried] = []
    applicable = {
        finding: [one for one in tried if one.fix.applicability is not Applicability.DISPLAY]
        for finding, tried in options.items()
    }
    # What did not hold at first may hold when others have been accepted.
    while True:
        before = len(accepted)
        _accept(applicable, accepted, judge)
        if len(accepted) == before or len(accepted) == len(applicable):
            break
    proven = {one.finding: one.fix for one in accepted}
    shown: dict[tuple[Change, ...], list[Tried]] = {}
    for finding, tried in options.items():
        for one in tried:
            if one.fix.applicability is Applicability.DISPLAY and finding not in proven:
                shown.setdefault(one.made, []).append(one)
    for alike in shown.values():
        alike = [one for one in alike if one.finding not in proven]
        for one in (judge.holding(alike) or ()) if alike else ():
            proven[one.finding] = one.fix
    return proven


def _accept(options: Options, accepted: list[Tried], judge: Judge) -> None:
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
    made = Apart(change for one in accepted for change in one.made)
    compatible: list[Tried] = []
    colliding: list[Tried] = []
    for one in row:
        (compatible if made.add(one.made) else colliding).append(one)
    if not compatible:
        return
    holding = judge.holding([*accepted, *compatible])
    if holding is None:
        return
    held = set(holding).intersection(compatible)
    accepted += [one for one in compatible if one in held]
    if held:
        _accept_row(colliding, accepted, judge)
    for some in _parted([one for one in compatible if one not in held], judge):
        _accept_row(some, accepted, judge)


def _parted(row: Sequence[Tried], judge: Judge) -> Iterable[Sequence[Tried]]:
    """What did not hold together in smaller parts, those of all groups beside each other."""
    groups: dict[int, list[Tried]] = {}
    for one in row:
        groups.setdefault(judge.group(one.finding), []).append(one)
    parts = [_parts(group) for group in groups.values() if len(group) > 1]
    for some in zip_longest(*parts, fillvalue=()):
        yield [one for part in some for one in part]


def _parts(group: Sequence[Tried]) -> Sequence[Sequence[Tried]]:
    """Those of one code rest on each other, others hardly do."""
    codes: dict[str, list[Tried]] = {}
    for one in group:
        codes.setdefault(one.finding.code, []).append(one)
    if len(codes) > 1:
        return list(codes.values())
    middle = len(group) // 2
    return group[:middle], group[middle:]
