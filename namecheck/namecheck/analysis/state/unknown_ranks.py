"""Tensors of unknown rank: what they were made of, and which ops were asked about them in vain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from namecheck.analysis.state.paths import Frame
from namecheck.analysis.state.values import Anything, Tensor, Value
from namecheck_runtime import declare, layers


class Made(NamedTuple):
    """A call whose result is of unknown rank, since the rank of one operand is not known."""

    call: declare.Spelling | layers.Instance
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    place: int | str
    """Which argument the operand is: its number, or its keyword."""
    operand: Value


def is_open(value: Value) -> bool:
    """Whether a value is, or may be, a tensor of unknown rank."""
    if type(value) is Tensor:
        return type(value.shape) is not tuple
    return type(value) is Anything and value.maybe is None and not value.config


class Hindsight:
    """Of one evaluation of a function by itself: the operands whose rank an op lacked.

    `ranks` are what an evaluation before this one has learned: by the number of an expression, and
    by the name of a parameter.
    """

    __slots__ = ("frame", "given", "missed", "ranks")

    def __init__(self, frame: Frame, ranks: Mapping[int | str, int]) -> None:
        self.frame = frame
        self.ranks = ranks
        self.missed: dict[int, list[Value]] = {}
        """What an op was asked about in vain, by the number of the expression."""
        self.given = dict(frame.variables)
        """What the parameters were."""


class Ranks:
    """What one evaluation of a function knows of tensors of unknown rank."""

    __slots__ = ("hindsight", "made_of", "presumed")

    def __init__(self) -> None:
        self.made_of: dict[Value, Made] = {}
        """What tensors of unknown rank were made of."""
        self.presumed: set[Value] = set()
        """Tensors of which a layer's batch is presumed to be a dim."""
        self.hindsight: Hindsight | None = None
        """What was asked in vain, in a function that is evaluated by itself."""


__all__ = ["Hindsight", "Made", "Ranks", "is_open"]
