"""One finding where an annotation, a comment or a docstring contradicts several uses.

Also where several annotations of a file are wrong in the same way.

If one thing that is written contradicts ten places in the code, it is more likely wrong than they
are, and ten findings about it would say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck.analysis.state.frames import Outcome
from namecheck.findings import Span
from namecheck_runtime.mistakes.claims import BadAnnotation

if TYPE_CHECKING:
    from namecheck.analysis.state.values import Claimed

_Root: TypeAlias = "tuple[Any, int, str]"

_SHOWN: Final = 3
"""The places that are shown; a note counts the rest."""

_LEVELS: Final = ("note", "warning", "error")


def once(outcomes: Sequence[Outcome], span_of: Callable[[Any, int], Span]) -> list[Outcome]:
    """The outcomes, with one in place of all that contradict the same thing.

    `span_of` gives the place of a numbered expression of a piece of a file.
    """
    groups: dict[_Root, dict[tuple[int, str], Outcome]] = {}
    roots: dict[_Root, Claimed] = {}
    for outcome in outcomes:
        for root in outcome.roots:
            if root.source.file is outcome.source.file:
                key = (root.source, root.node, root.said)
                roots[key] = root
                place = (outcome.node, outcome.mistake.code)
                groups.setdefault(key, {}).setdefault(place, outcome)
    merged: dict[int, Outcome] = {}
    for key, group in sorted(groups.items(), key=_fewest_first, reverse=True):
        uses = [outcome for outcome in group.values() if id(outcome) not in merged]
        if len({outcome.node for outcome in uses}) > 1:
            uses.sort(key=lambda outcome: span_of(outcome.source, outcome.node))
            whole = _merge(roots[key], uses, span_of)
            merged.update((id(outcome), whole) for outcome in uses)
    merged.update(_alike(outcomes, span_of))
    result = [merged.get(id(outcome), outcome) for outcome in outcomes]
    return list({id(outcome): outcome for outcome in result}.values())


def _alike(outcomes: Sequence[Outcome], span_of: Callable[[Any, int], Span]) -> dict[int, Outcome]:
    """One outcome for the annotations of a file that are wrong in the same way and that never run.

    A project writes all its annotations in one way: two starred dims, or commas. Where one raises,
    each stays, since each has to be changed before the file can be imported.
    """
    groups: dict[tuple[Any, str], list[Outcome]] = {}
    for outcome in outcomes:
        if isinstance(outcome.mistake, BadAnnotation) and outcome.level == "warning":
            groups.setdefault((outcome.source.file, outcome.mistake.reason), []).append(outcome)
    merged: dict[int, Outcome] = {}
    for group in groups.values():
        uses = {(span_of(one.source, one.node), one.source.file.path): one for one in group}
        places = [uses[key] for key in sorted(uses)]
        if len(places) > 1:
            notes = (*places[0].notes, *_places(places[1:], "is written in the same way", span_of))
            whole = places[0]._replace(notes=notes)
            merged.update((id(outcome), whole) for outcome in group)
    return merged


def _places(
    uses: Sequence[Outcome], verb: str, span_of: Callable[[Any, int], Span]
) -> list[tuple[str, Any, int]]:
    """A note for each of the first places, and one that counts the rest."""
    notes = []
    for outcome in uses[:_SHOWN]:
        line = span_of(outcome.source, outcome.node).line - outcome.source.line + 1
        code = " ".join(outcome.source.text_of(line).split())
        notes.append((f"`{code}` {verb}", outcome.source, line))
    if len(uses) > _SHOWN:
        more = len(uses) - _SHOWN
        last = uses[_SHOWN]
        line = span_of(last.source, last.node).line - last.source.line + 1
        notes.append((f"and {more} more place{'s' if more > 1 else ''}", last.source, line))
    return notes


def _fewest_first(group: tuple[_Root, dict[tuple[int, str], Outcome]]) -> int:
    return len(group[1])


def _merge(root: Claimed, uses: Sequence[Outcome], span_of: Callable[[Any, int], Span]) -> Outcome:
    """The outcome at what is written, with a note for each of the first uses."""
    first = uses[0]
    notes = [(root.said, root.source, root.line)]
    notes += _places(uses, "contradicts it", span_of)
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
