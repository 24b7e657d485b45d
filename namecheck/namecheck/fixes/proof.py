"""Proving candidates: the edited text is Python, and its analysis has the same findings but one.

A fix that depends on another (names of a tensor can be removed once no code uses them) is proven
together with it. Places in the old and the new text are compared after moving them with the edits.

All fixes of a file are made at once, and one analysis decides for each group of connected functions
(`reach`) whether its fixes hold. If the edits reach only a small part of a long file, only that
part is analysed, with the edits and without. Work is counted in lines: all proofs of a file
together cost no more than the first analysis of the file, and a fix that is not proven by then is
dropped.
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
"""The most fixes that are tried for one finding."""

FEW_LINES: Final = 100
"""Lines that the proofs of a file may always evaluate: a program of twenty lines may be analysed
five times.
"""

MOST_SEARCHED: Final = 2_000_000
"""The most nodes of a file's syntax tree that are searched for candidates."""

Analyse = Callable[[str, Collection[int] | None], Collection[Finding]]
"""Analyses a text in the place of a file's. If lines are given, only the functions and classes in
the chunks that begin on them are evaluated by themselves.
"""


class Budget:
    """The lines that proofs may still evaluate."""

    def __init__(self, lines: int) -> None:
        self.left = max(lines, FEW_LINES)

    def take(self, lines: int) -> bool:
        """Take some lines from the budget. Returns False, and takes none, if too few are left."""
        if lines > self.left:
            return False
        self.left -= lines
        return True


class Group(NamedTuple):
    """Findings whose fixes are proven together, and the chunks that their edits reach."""

    findings: tuple[Finding, ...]
    reached: frozenset[int]


class Tried(NamedTuple):
    """A candidate for a finding. `all_or_none`: it holds only if no other finding of that code is
    left, since names can only be removed if no code uses them.
    """

    finding: Finding
    fix: Fix
    made: tuple[Change, ...]
    all_or_none: bool = False


class Judge:
    """Compares the findings of a text with those after edits.

    The edits belong to the `groups`; no chunk is reached by two of them. With a `part`, only the
    functions and classes in these chunks are evaluated, and `before` are the findings of the old
    text under the same limit.
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
        """A judge that evaluates only the chunks that the edits reach, for the groups whose
        findings that is enough to find. None if that costs too much.
        """
        part = self.reached
        if not self.budget.take(self.chunks.cost(part)):
            return None
        lines = [self.chunks.all[number].line for number in sorted(part)]
        before = self.analyse(self.code.text, lines)
        keys = {key_of(finding, self.path, self.code) for finding in before}
        groups = [
            group
            for group in self.groups
            if all(key_of(finding, self.path, self.code) in keys for finding in group.findings)
        ]
        options = self.path, self.chunks, before, self.analyse, self.budget
        return Judge(*options, groups, part)

    def group(self, finding: Finding) -> int:
        """The number of a finding's group."""
        return self._group_of[finding]

    def holding(self, tried: Sequence[Tried]) -> list[Tried] | None:
        """The fixes that hold if all of these are made: in the chunks that their group reaches,
        their findings are gone and no others have appeared. None if that costs too much to know.
        """
        if not self.budget.take(self.cost):
            return None
        changes = tuple(sorted({change for candidate in tried for change in candidate.made}))
        new = Code(applied(self.code.text, changes))
        chunks = self._renumbered(new, changes)
        if chunks is None and new.tree is None:
            return []
        only = None
        if self.part is not None:
            if chunks is None:
                return []
            only = [chunks.all[number].line for number in sorted(self.part)]
        path = self.path
        expected = Counter(key_of(finding, path, self.code, changes) for finding in self.before)
        left = list(_counting(self.analyse(new.text, only)))
        actual = Counter(key_of(finding, path, new) for finding in left)
        more = actual - expected
        wrong = {
            self._blamed(finding, chunks) for finding in left if key_of(finding, path, new) in more
        }
        codes = {finding.code for finding in left}
        for candidate in tried:
            if key_of(candidate.finding, path, self.code, changes) in actual or (
                candidate.all_or_none and candidate.finding.code in codes
            ):
                wrong.add(self.group(candidate.finding))
        if None in wrong:
            return []
        return [candidate for candidate in tried if self.group(candidate.finding) not in wrong]

    def _renumbered(self, new: Code, made: Sequence[Change]) -> Chunks | None:
        """The chunks of the edited text, if they have the numbers of the old ones: those without an
        edit have the same text, and the others are Python by themselves. Else None.
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
        """The group that causes a finding; None if it may be any of them."""
        if len(self.groups) == 1:
            return 0
        if finding.path != self.path or chunks is None:
            return None
        return self._reached_by.get(chunks.at(finding.span.line))


def _counting(findings: Iterable[Finding]) -> Iterable[Finding]:
    """The findings that a fix must not add to: all but notes, and the note for code that was
    not evaluated to its end, since findings are missed there.
    """
    return (f for f in findings if f.level is not Level.NOTE or f.code == UNKNOWN_SHAPE)


def key_of(finding: Finding, path: str, code: Code, made: Sequence[Change] = ()) -> object:
    """The key of a finding before and after changes to the text of a path: its code, its level and
    where it begins.
    """
    if finding.path != path:
        return finding.code, finding.level, finding.path, finding.span
    start = code.offset(finding.span.line, finding.span.column)
    return finding.code, finding.level, moved(start, made)


def fixable(findings: Iterable[Finding], path: str) -> bool:
    """Whether one of these findings in a file may have a fix."""
    return any(finding.code in MAKERS and finding.path == path for finding in findings)


def with_fixes(
    path: str,
    text: str,
    findings: Sequence[Finding],
    mistakes: Mapping[tuple[Span, str], Mistake],
    analyse: Analyse,
) -> tuple[Finding, ...]:
    """The findings of a text, each with its proven fix if there is one."""
    code = Code(text)
    if code.tree is None:
        return tuple(findings)
    options = _options(path, code, findings, mistakes)
    if not options:
        return tuple(findings)
    chunks = Chunks(code)
    cost = chunks.cost(None)
    # Code that was not evaluated to its end may have findings that are not known.
    unread = {chunks.at(f.span.line) for f in findings if f.code == UNKNOWN_SHAPE}
    groups = [group for group in _groups(options, chunks) if unread.isdisjoint(group.reached)]
    options = {finding: options[finding] for group in groups for finding in group.findings}
    if not options:
        return tuple(findings)
    judge = Judge(path, chunks, findings, analyse, Budget(cost), groups)
    proven: dict[Finding, Fix] = {}
    together = any(candidate.all_or_none for tried in options.values() for candidate in tried)
    part = judge.reached
    if not together and 2 * chunks.cost(part) <= cost:
        narrow = judge.within()
        if narrow is not None:
            judged = [finding for group in narrow.groups for finding in group.findings]
            proven |= _proven({finding: options.pop(finding) for finding in judged}, narrow)
    if options:
        proven |= _proven(options, judge)
    return tuple(f._replace(fix=proven[f]) if f in proven else f for f in findings)


Options = Mapping[Finding, Sequence[Tried]]
"""The candidates for findings, in the order of preference."""


def _options(
    path: str,
    code: Code,
    findings: Sequence[Finding],
    mistakes: Mapping[tuple[Span, str], Mistake],
) -> dict[Finding, list[Tried]]:
    options: dict[Finding, list[Tried]] = {}
    searched = 0
    for finding in findings:
        if finding.path != path or finding.fix is not None or finding.code not in MAKERS:
            continue
        searched += len(code.around(finding.span.line))
        if searched > MOST_SEARCHED:
            break
        mistake = mistakes.get((finding.span, finding.code))
        fixes = list(candidates(finding, mistake, code))[:MOST_CANDIDATES]
        if fixes:
            together = mistake is not None and all_or_none(mistake)
            options[finding] = [
                Tried(finding, fix, changes(code, fix.edits), together) for fix in fixes
            ]
    return options


def _groups(options: Options, chunks: Chunks) -> list[Group]:
    """The findings in groups whose edits reach no common chunk."""
    edited_by = {
        finding: {chunks.at(finding.span.line)}.union(*(chunks.edited(t.made) for t in tried))
        for finding, tried in options.items()
    }
    part_of = {chunk: part for part in chunks.apart(edited_by.values()) for chunk in part}
    findings: dict[frozenset[int], list[Finding]] = {}
    for finding, edited in edited_by.items():
        findings.setdefault(part_of[next(iter(edited))], []).append(finding)
    return [Group(tuple(members), reached) for reached, members in findings.items()]


def _proven(options: Options, judge: Judge) -> dict[Finding, Fix]:
    """The fixes that hold: for each finding the first that can be made with the others."""
    accepted: list[Tried] = []
    applicable = {
        finding: [t for t in tried if t.fix.applicability is not Applicability.DISPLAY]
        for finding, tried in options.items()
    }
    # A fix that did not hold at first may hold after others have been accepted.
    while True:
        before = len(accepted)
        _accept(applicable, accepted, judge)
        if len(accepted) == before or len(accepted) == len(applicable):
            break
    proven = {candidate.finding: candidate.fix for candidate in accepted}
    shown: dict[tuple[Change, ...], list[Tried]] = {}
    for finding, tried in options.items():
        for candidate in tried:
            if candidate.fix.applicability is Applicability.DISPLAY and finding not in proven:
                shown.setdefault(candidate.made, []).append(candidate)
    for equal in shown.values():
        waiting = [candidate for candidate in equal if candidate.finding not in proven]
        for candidate in (judge.holding(waiting) or ()) if waiting else ():
            proven[candidate.finding] = candidate.fix
    return proven


def _accept(options: Options, accepted: list[Tried], judge: Judge) -> None:
    """Accept the first candidate that holds for each finding that has none yet."""
    for rank in range(MOST_CANDIDATES):
        done = {candidate.finding for candidate in accepted}
        row = [
            tried[rank]
            for finding, tried in options.items()
            if finding not in done and rank < len(tried)
        ]
        _accept_row(row, accepted, judge)


def _accept_row(row: Sequence[Tried], accepted: list[Tried], judge: Judge) -> None:
    """Accept all candidates of a row that hold together: at once, or else part by part."""
    changes = Apart(change for candidate in accepted for change in candidate.made)
    compatible: list[Tried] = []
    colliding: list[Tried] = []
    for candidate in row:
        (compatible if changes.add(candidate.made) else colliding).append(candidate)
    if not compatible:
        return
    holding = judge.holding([*accepted, *compatible])
    if holding is None:
        return
    held = set(holding).intersection(compatible)
    accepted += [candidate for candidate in compatible if candidate in held]
    if held:
        _accept_row(colliding, accepted, judge)
    for part in _parted([candidate for candidate in compatible if candidate not in held], judge):
        _accept_row(part, accepted, judge)


def _parted(row: Sequence[Tried], judge: Judge) -> Iterable[Sequence[Tried]]:
    """Candidates that did not hold together, in smaller parts, each with some of every group."""
    groups: dict[int, list[Tried]] = {}
    for candidate in row:
        groups.setdefault(judge.group(candidate.finding), []).append(candidate)
    parts_of_groups = [_parts(group) for group in groups.values() if len(group) > 1]
    for parts in zip_longest(*parts_of_groups, fillvalue=()):
        yield [candidate for part in parts for candidate in part]


def _parts(group: Sequence[Tried]) -> Sequence[Sequence[Tried]]:
    """A group in parts: by code, since fixes of different codes hardly depend on each other."""
    codes: dict[str, list[Tried]] = {}
    for candidate in group:
        codes.setdefault(candidate.finding.code, []).append(candidate)
    if len(codes) > 1:
        return list(codes.values())
    middle = len(group) // 2
    return group[:middle], group[middle:]
