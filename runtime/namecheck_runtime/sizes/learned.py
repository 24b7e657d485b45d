"""What a reader has learned about sizes: facts, and groups of sizes that differ by a fact.

mypyc would make these tuples with `typing`, and importing that takes longer than reading any of the
rules, so they are in a module that it does not compile.
"""

from __future__ import annotations

from enum import IntEnum

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from namecheck_runtime.sizes.polynomials import Polynomial, Symbol


class Rank(IntEnum):
    """How sure a fact is; a higher rank replaces a lower one without a finding."""

    ASSUMED = 0
    """An op required it."""
    CLAIMED = 1
    """Labels of one comment: another line may give a dim another label."""
    PRESUMED = 2
    """Names bound together, separate constructor parameters."""
    DECLARED = 3
    """Annotations."""
    STATED = 4
    """Literals, assert, if, guards that raise."""


class Fact(NamedTuple):
    """How sure something is, and where it was learned (a place of the reader's, opaque here)."""

    rank: Rank
    place: Any = None


class Distinct(NamedTuple):
    """Symbols that are pairwise different and satisfy no equation among themselves, by a fact."""

    members: frozenset[Symbol]
    fact: Fact
    made: frozenset[Polynomial] = frozenset()
    """Members that are not plain symbols, such as the `d` of `(B, h, T, d)` once it is `D/h`.  They
    differ from every other member; the symbols that they are made of need not.
    """
