"""Tensors of unknown rank: their operands, and the ops that could not use them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime import declare, layers, sizes


class Made(NamedTuple):
    """A call whose result is of unknown rank because one operand is."""

    call: declare.Spelling | layers.Instance
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    place: int | str
    """The index or the keyword of that operand."""
    operand: Value


class Mixed(NamedTuple):
    """A call whose result is of unknown rank because several operands are."""

    call: declare.Spelling | layers.Instance
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    places: tuple[int | str, ...]
    """The indices and keywords of those operands."""
    operand: Value
    """The first of them."""


class Called(NamedTuple):
    """A call of one of several options whose results are not known to be of one rank."""

    options: tuple[Value, ...]
    operand: Value | None
    """The only argument; None if there are others."""
    results: tuple[Value, ...]
    """What the options gave, as far as they were called."""
    direct: bool = True
    """Whether the value is the result, and not computed from it."""


def is_open(value: Value) -> bool:
    """Whether a value is, or may be, a tensor of unknown rank."""
    if type(value) is Tensor:
        return type(value.shape) is not tuple
    return type(value) is Anything and value.maybe is None and not value.config


class Hindsight:
    """The operands of unknown rank in one evaluation of a function by itself.

    `ranks` are those that the evaluation before this one has learned, by the number of an
    expression and by the name of a parameter.
    """

    __slots__ = ("frame", "given", "missed", "ranks")

    def __init__(self, frame: Frame, ranks: Mapping[int | str, int]) -> None:
        self.frame = frame
        self.ranks = ranks
        self.missed: dict[int, list[Value]] = {}
        """The operands whose rank an op lacked, by the number of the expression."""
        self.given = dict(frame.variables)
        """The values of the parameters at the start."""


class Ranks:
    """What one evaluation of a function knows of tensors of unknown rank."""

    __slots__ = (
        "batches",
        "beside",
        "called",
        "counted",
        "declared",
        "doubted",
        "from_here",
        "guessed",
        "hindsight",
        "indexed",
        "laid_out",
        "made_of",
        "mixed",
        "square",
        "squares",
    )

    def __init__(self) -> None:
        self.made_of: dict[Value, Made] = {}
        """The calls that made tensors of unknown rank."""
        self.mixed: dict[Value, Mixed] = {}
        """The calls that made tensors of unknown rank from several."""
        self.called: dict[Value, Called] = {}
        """The calls of one of several options that made values of unknown rank."""
        self.laid_out: dict[Value, Made] = {}
        """The calls that made tensors of known rank and unknown sizes of one of unknown rank."""
        self.beside: dict[Value, Made] = {}
        """The calls in statements with comments that made tensors of which more is known, although
        the rank of one operand is not.
        """
        self.indexed: dict[Value, Made] = {}
        """The subscripts of values of unknown rank that gave tensors. The rank of a part does not
        teach that of the whole, since most subscripts fit several.
        """
        self.batches: set[sizes.Symbol] = set()
        """The sizes of batches that layers presume: see `asking/presumed_batches.py`."""
        self.counted: dict[Value, int] = {}
        """How many dims from the first were read of values whose rank was not known then."""
        self.declared: set[Value] = set()
        """The values of fields that nothing but their annotations describes."""
        self.doubted: set[Value] = set()
        """Tensors whose dims are forgotten since a comment denied what the program shows of them,
        and what ops of the rulebook made of those. No other comment takes the place of their dims.
        """
        self.from_here: set[Value] = set()
        """Tensors whose rank says nothing about earlier lines: it presumes that a layer got a
        batch, or an op has changed it in place.
        """
        self.guessed: set[Value] = set()
        """Tensors of unknown rank that are tensors only by the names of the methods they come from.
        """
        self.square: frozenset[tuple[int, int]] = frozenset()
        """The pairs of dims, counted from the first, that the program has stated to be equal for a
        tensor of unknown rank: what is computed from it may have two equal dims there.
        """
        self.squares: set[frozenset[sizes.Symbol]] = set()
        """The names that later unpackings gave to such dims, two by two: they may be equal."""
        self.hindsight: Hindsight | None = None
        """The operands of unknown rank, while a function is evaluated by itself."""

    def concern(self, value: Value) -> bool:
        """Whether more is known of a value than it says itself."""
        return (
            value in self.made_of
            or value in self.mixed
            or value in self.called
            or value in self.laid_out
            or value in self.beside
            or value in self.indexed
            or value in self.declared
            or value in self.doubted
            or value in self.from_here
            or value in self.guessed
        )


__all__ = ["Hindsight", "Made", "Mixed", "Ranks", "is_open"]
