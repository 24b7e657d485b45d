"""What a reader has learned of sizes: one fact, and symbols that a fact holds for different.

mypyc would make these tuples with `typing`, and importing that takes longer than reading any of the
rules: so they stand in a module that it does not compile.
"""

from __future__ import annotations

from enum import IntEnum

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from namecheck_runtime.sizes.polynomials import Polynomial, Symbol


class Rank(IntEnum):
    """How much a fact is worth; a higher rank replaces a lower one in silence."""

    ASSUMED = 0
    """An op required it."""
    CLAIMED = 1
    """Labels of one comment: another line may call a dim otherwise."""
    PRESUMED = 2
    """Names bound together, separate constructor parameters."""
    DECLARED = 3
    """Annotations."""
    STATED = 4
    """Literals, assert, if, guards that raise."""


class Fact(NamedTuple):
    """One thing held true: how sure, and where it was learned (a reader's place, opaque here)."""

    rank: Rank
    place: Any = None


class Distinct(NamedTuple):
    """Symbols that are pairwise different and satisfy no equation among themselves alone, by a
    fact.
    """

    members: frozenset[Symbol]
    fact: Fact
    made: frozenset[Polynomial] = frozenset()
    """Members that are no plain symbols, such as the `d` of `(B, h, T, d)` once it is `D/h`: they
    differ from every other member, while what they are made of is not spoken of."""
