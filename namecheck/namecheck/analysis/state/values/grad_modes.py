"""What a walk knows about gradients at its current place; see the room `gradients`."""

from __future__ import annotations

from enum import Enum


class Mode(Enum):
    """Whether the program records gradients at a place."""

    ON = "it does"
    CALLERS = "it does, unless a caller has turned it off"
    OFF = "it does not"
    UNKNOWN = "it may, or not"


class Following:
    """How gradients are followed at a place.

    `graphs` says that the function that is run, or one that called it, computes gradients: only
    then the graph of each tensor is followed.
    """

    __slots__ = ("graphs", "mode")

    def __init__(self, mode: Mode, graphs: bool) -> None:
        self.mode = mode
        self.graphs = graphs


class Gradients:
    """The grad mode of the current place, and whether anything is followed in this walk."""

    __slots__ = ("following", "is_needed", "words")

    def __init__(self) -> None:
        self.following = Following(Mode.ON, False)
        self.is_needed = False
        """Whether anything in this walk requires a gradient or may: if not, nothing is followed."""
        self.words: dict[int, tuple[bool, bool]] = {}
        """By id of a function: whether its text differentiates, and whether it runs `backward`."""


__all__ = ["Following", "Gradients", "Mode"]
