"""One finding where an annotation, a comment or a docstring contradicts several uses.

Also where several annotations of a file are wrong in the same way.

If one thing that is written contradicts ten places in the code, it is more likely wrong than they
are, and ten findings about it would say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck.analysis.state.frames import Outcome
from namecheck.analysis.state.places import Note
from namecheck.findings import Span
from namecheck_runtime.mistakes.claims import BadAnnotation

if TYPE_CHECKING:
    from namecheck.analysis.state.values import Claimed

_Root: TypeAlias = "tuple[Any, int, str]"
_Place: TypeAlias = "tuple[Any, int, str]"

_SHOWN: Final = 3
"""The places that are shown; a note counts the rest."""

_LEVELS: Final = ("note", "warning", "error")


def once(
    outcomes: Sequence[Outcome], span_of: Callable[[Any, int], Span]
) -> tuple[list[Outcome], list[Outcome]]:
    """The outcomes, with one in place of all that contradict the same thing; and those that it
    replaces.

    `span_of` gives the place of a numbered expression of a piece of a file. What only a call shows
    at a place that contradicts a claim is left out, as it is where the place has its own finding.
    """
    groups: dict[_Root, dict[_Place, Outcome]] = {}
    roots: dict[_Root, Claimed] = {}
    for outcome in outcomes:
        for root in outcome.roots:
            if root.source.file is outcome.source.file:
                key = (root.source, root.node, root.said)
                roots[key] = root
                groups.setdefault(key, {}).setdefault(_place(outcome), outcome)
    merged: dict[int, Outcome] = {}
    replaced: dict[_Place, Outcome] = {}
    for key, group in sorted(groups.items(), key=_from_calls_first, reverse=True):
        uses = [
            outcome
            for place, outcome in group.items()
            if id(outcome) not in merged and not (outcome.calls and place in replaced)
        ]
        if len({(outcome.source, outcome.node) for outcome in uses}) > 1:
            uses.sort(key=lambda outcome: span_of(outcome.source, outcome.node))
            whole = _merge(roots[key], uses, span_of)
            merged.update((id(outcome), whole) for outcome in uses)
            replaced.update((_place(outcome), outcome) for outcome in uses)
    merged.update(_alike(outcomes, span_of))
    result = [
        merged.get(id(outcome), outcome)
        for outcome in outcomes
        if id(outcome) in merged or not outcome.calls or _place(outcome) not in replaced
    ]
    return list({id(outcome): outcome for outcome in result}.values()), list(replaced.values())


def _place(outcome: Outcome) -> _Place:
    return outcome.source, outcome.node, outcome.mistake.code


def _alike(outcomes: Sequence[Outcome], span_of: Callable[[Any, int], Span]) -> dict[int, Outcome]:
    """One outcome for the annotations of a file that are wrong in one way and that never raise.

    A project writes all its annotations in one way: with two starred dims, or with commas. Where
    they raise, each stays: all of them have to be changed before the file can be imported.
    """
    groups: dict[tuple[str, str], dict[Span, Outcome]] = {}
    for outcome in outcomes:
        if isinstance(outcome.mistake, BadAnnotation) and outcome.level == "warning":
            group = groups.setdefault((outcome.source.file.path, outcome.mistake.reason), {})
            group[span_of(outcome.source, outcome.node)] = outcome
    whole_of: dict[tuple[str, str], Outcome] = {}
    for key, group in groups.items():
        first, *others = [group[span] for span in sorted(group)]
        also = [
            (f'also "{other.mistake.annotation}"', other.source, _line(other, span_of))
            for other in others
        ]
        notes = (*first.notes, *_shown(also, (first.source, _line(first, span_of))))
        whole_of[key] = first._replace(notes=notes)
    return {
        id(outcome): whole_of[outcome.source.file.path, outcome.mistake.reason]
        for outcome in outcomes
        if isinstance(outcome.mistake, BadAnnotation) and outcome.level == "warning"
    }


def _shown(notes: Sequence[Note], rest: tuple[Any, int]) -> list[Note]:
    """The first of some notes, and one at the place `rest` that counts the others."""
    more = len(notes) - _SHOWN
    if more <= 0:
        return list(notes)
    return [*notes[:_SHOWN], (f"and {more} more place{'s' if more > 1 else ''}", *rest)]


def _line(outcome: Outcome, span_of: Callable[[Any, int], Span]) -> int:
    """The line of an outcome in its piece of the file."""
    line: int = span_of(outcome.source, outcome.node).line - outcome.source.line + 1
    return line


def _contradicting(outcome: Outcome, span_of: Callable[[Any, int], Span]) -> Note:
    line = _line(outcome, span_of)
    code = outcome.source.code_of(line)
    return f"`{code}` contradicts it", outcome.source, line


def _from_calls_first(group: tuple[_Root, dict[_Place, Outcome]]) -> tuple[bool, int]:
    """The order of groups: those that calls alone show, then the others; small ones first."""
    return any(not outcome.calls for outcome in group[1].values()), len(group[1])


def _merge(root: Claimed, uses: Sequence[Outcome], span_of: Callable[[Any, int], Span]) -> Outcome:
    """The outcome at what is written, with a note for each of the first uses."""
    first = uses[0]
    notes = [(root.said, root.source, root.line)]
    contradicting = [_contradicting(outcome, span_of) for outcome in uses]
    notes += _shown(contradicting, (root.source, root.line))
    notes += [note for note in first.notes if note not in notes]
    return first._replace(
        source=root.source,
        node=root.node,
        level=max((outcome.level for outcome in uses), key=_LEVELS.index),
        labels=(),
        notes=tuple(notes),
        calls=min(outcome.calls for outcome in uses),
        roots=(),
    )


__all__ = ["once"]
