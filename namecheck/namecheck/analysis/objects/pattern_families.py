"""Letters of an einops pattern that belong together, and their order (NC304).

`h w`, `ph pw`, `p1 p2`: the rows and columns of an image are merged and split in one order. A
pattern may well turn an image (`b h w c -> b w h c`), and it may mix channels on purpose. So only
what contradicts itself counts: rows and columns that stand in their order on one side, and are
merged the other way round on the other; and two dims that are split into patches, of which the
outer parts keep their order and the inner ones do not. Code that has the other order elsewhere, as
scans by rows and by columns do, means both.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.objects.letter_families import are_rows_and_columns, belong_together
from namecheck.analysis.usage.letters import home_of
from namecheck_runtime.mistakes.dims import BadPattern
from namecheck_runtime.notation.patterns import read_einops
from namecheck_runtime.notation.syntax import NotationError

if TYPE_CHECKING:
    from namecheck.analysis.reading import ir
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck_runtime.notation.patterns import Side

PATTERN: Final = "pattern"
"""What ops and layers call the parameter that holds a pattern."""

Groups = tuple[tuple[str, ...], ...]
"""The letters of each dim on one side: several for a parenthesis."""


def check(ev: Evaluator, pattern: object, node: ir.Node) -> None:
    """Blame a pattern that merges or splits letters that belong together in two orders."""
    if home_of(ev.frame).depth or not isinstance(pattern, str):
        return
    question = (node.id, "families")
    ev.frame.look(question)
    found = disorder(pattern)
    if found is None:
        return
    turned, reason = found
    if turned and _count(ev.frame.source.text, turned) > _count(pattern, turned):
        return
    mistake = BadPattern(pattern=pattern, reason=reason)
    ev.blame(mistake, "warning", node, {}, question=question)


def _count(text: str, letters: str) -> int:
    """How often letters stand side by side in a text, also in its comments (`has_turned`)."""
    return len(re.findall(rf"(?<!\w){re.escape(letters)}(?!\w)", text))


class Disorder(NamedTuple):
    """What contradicts itself in a pattern."""

    turned: str
    """Two letters as they should not stand, `w h`; empty if something stands between them."""
    reason: str


@lru_cache(maxsize=1024)
def disorder(pattern: str) -> Disorder | None:
    """Why the letters of a pattern cannot be in the order that is meant; None if they can."""
    try:
        left, right = read_einops(pattern)
    except NotationError:
        return None
    sides = _groups(left), _groups(right)
    for one, other in (sides, sides[::-1]):
        found = _merged_turned(one, other) or _split_unevenly(one, other)
        if found is not None:
            return found
    return None


def _groups(side: Side) -> Groups:
    return tuple(
        tuple([dim.term for dim in group.dims if isinstance(dim.term, str)])
        for group in side.groups
    )


def _has_both_cases(groups: Groups, letters: tuple[str, str]) -> bool:
    """Whether a letter stands in a pattern in both cases: `h` may be the heads beside `H`."""
    every = {letter for group in groups for letter in group}
    return any(letter.swapcase() in every for letter in letters)


# What contradicts itself


class _Place(NamedTuple):
    """Where a letter stands: in which dim, and where in its parenthesis."""

    dim: int
    inside: int


def _places(groups: Groups) -> dict[str, _Place]:
    return {
        letter: _Place(dim, inside)
        for dim, group in enumerate(groups)
        for inside, letter in enumerate(group)
    }


def _merged_turned(one: Groups, other: Groups) -> Disorder | None:
    """Rows and columns that one side has in their order, and the other merges the other way."""
    places = _places(other)
    for group in one:
        for second, first in combinations(group, 2):
            if not are_rows_and_columns(first, second) or _has_both_cases(one, (first, second)):
                continue
            if first not in places or second not in places:
                continue
            rows, columns = places[first], places[second]
            alike = len(other[rows.dim]) == len(other[columns.dim])
            if rows.dim < columns.dim and alike and rows.inside == columns.inside:
                return _turned(first, second, f"in ({' '.join(group)})")
    return None


def _split_unevenly(one: Groups, other: Groups) -> Disorder | None:
    """Two dims `(h p1) (w p2)` whose outer and inner parts are in two orders on the other side."""
    places = _places(other)
    pairs = [group for group in one if len(group) == 2 and all(x in places for x in group)]
    split = {letter for group in pairs for letter in group}
    for left, right in combinations(pairs, 2):
        parts = list(zip(left, right, strict=True))
        kept = [places[first] < places[second] for first, second in parts]
        merged = [places[first].dim == places[second].dim for first, second in parts]
        if not any(merged):
            continue
        for (first, second), keeps, are_merged in zip(parts, kept, merged, strict=True):
            between = _between(other, places[first], places[second]) if are_merged else ()
            if strange := [letter for letter in between if letter not in split]:
                return Disorder("", f"'{strange[0]}' is merged between '{first}' and '{second}'")
            if keeps or not any(kept) or not belong_together(first, second):
                continue
            if not any(belong_together(x, y) for x in between for y in (first, second)):
                return _turned(first, second, "on the other side")
    return None


def _turned(first: str, second: str, there: str) -> Disorder:
    turned = f"{second} {first}"
    return Disorder(turned, f"'{first} {second}' stands the other way round {there}")


def _between(groups: Groups, one: _Place, other: _Place) -> tuple[str, ...]:
    first, last = sorted((one.inside, other.inside))
    return groups[one.dim][first + 1 : last]


__all__ = ["PATTERN", "check", "disorder"]
