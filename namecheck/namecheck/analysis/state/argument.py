"""What a call is given: a value, and the expression that gave it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import Value


class Argument:
    """A value in a call, and the expression that gave it (None when the call does not show it)."""

    __slots__ = ("node", "value")

    def __init__(self, value: Value, node: ir.Node | None = None) -> None:
        self.value: Final = value
        self.node: Final = node


Keywords: TypeAlias = Mapping[str, Argument]
"""What a call gives by name."""


def given_as(
    arguments: Sequence[Argument], keywords: Keywords, index: int, name: str
) -> Argument | None:
    """What a call gives for a parameter, by its place or its name; None if it gives nothing."""
    return arguments[index] if len(arguments) > index else keywords.get(name)
