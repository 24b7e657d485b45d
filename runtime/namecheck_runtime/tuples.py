"""Tuples of the modules that mypyc compiles, in one that it does not.

mypyc makes every `NamedTuple` with `typing`, and importing that takes longer than reading any of
the rules.  Each is imported from where it belongs: `sizes.Fact`, `lattice.Trace`.
"""

from __future__ import annotations

from namecheck_runtime.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from namecheck_runtime.lattice import Dim, Mark, Shape, Size
    from namecheck_runtime.mistakes.base import Mistake
    from namecheck_runtime.sizes import Polynomial, Rank, Symbol
    from namecheck_runtime.strides import Strides


class Trace(NamedTuple):
    """Where a dim came from, for readers that explain themselves; no rule's answer depends on
    `origin` or `since`.

    `factors` are the dims that a merge made it of, in row-major order; `marks` what was done to the
    dim, and `since` the place where the last of them was made.
    """

    origin: Any = None
    factors: tuple[Dim, ...] = ()
    marks: frozenset[Mark] = frozenset()
    since: Any = None


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


class Duty(NamedTuple):
    """What a rule needed and could not decide: it holds only if `left` equals `right`."""

    left: Size
    right: Size
    or_one: bool
    """False: equal (contraction, cat, view, layer input).  True: equal, or one of them is 1
    (broadcast).
    """
    mistake: Mistake
    """What to say when the reader knows that it does not hold."""


class Parameter(NamedTuple):
    """One parameter of a rule: what it takes, in the words of `declare`."""

    name: str
    takes: tuple[str, ...]
    default: Any
    kind: str
    """`positional`, `keyword`, `variadic` (several arguments, or one sequence of them) or
    `keywords` (all the rest).
    """


class Slot(NamedTuple):
    """A parameter as binding looks at it."""

    name: str
    takes: tuple[str, ...]
    default: Any
    kind: str
    as_tensor: bool
    as_several: bool
    copes: bool
    """Whether the rule copes with not knowing it."""
    takers: tuple[Callable[[object], object], ...]


class Laid(NamedTuple):
    """A tensor operand: its shape, and how it lies."""

    shape: Shape
    strides: Strides


class Several(NamedTuple):
    """How each of several results lies."""

    results: tuple[Strides, ...]
