"""One finding where an annotation, a comment or a docstring contradicts several uses.

If one thing that is written contradicts ten places in the code, it is more likely wrong than they
are, and ten findings about it would say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck.analysis.state.frames import Outcome
from namecheck.findings import Span

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
    result = [merged.get(id(outcome), outcome) for outcome in outcomes]
    return list({id(outcome): outcome for outcome in result}.values())


def _fewest_first(group: tuple[_Root, dict[tuple[int, str], Outcome]]) -> int:
    return len(group[1])


def _merge(root: Claimed, uses: Sequence[Outcome], span_of: Callable[[Any, int], Span]) -> Outcome:
    """The outcome at what is written, with a note for each of the first uses."""
    first = uses[0]
    notes = [(root.said, root.source, root.line)]
    for outcome in uses[:_SHOWN]:
        line = span_of(outcome.source, outcome.node).line - outcome.source.line + 1
        code = " ".join(outcome.source.text_of(line).split())
        notes.append((f"`{code}` contradicts it", outcome.source, line))
    if len(uses) > _SHOWN:
        more = len(uses) - _SHOWN
        text = f"and {more} more place{'s' if more > 1 else ''}"
        notes.append((text, root.source, root.line))
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
