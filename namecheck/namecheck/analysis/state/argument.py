"""The arguments of a call: values, and the expressions that gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import Value


class Argument:
    """A value in a call, and the expression that gave it (None if the call does not show it)."""

    __slots__ = ("node", "value")

    def __init__(self, value: Value, node: ir.Node | None = None) -> None:
        self.value: Final = value
        self.node: Final = node


Keywords: TypeAlias = Mapping[str, Argument]
"""The keyword arguments of a call."""


def given_as(
    arguments: Sequence[Argument], keywords: Keywords, index: int, name: str
) -> Argument | None:
    """The argument for a parameter, by its position or its name; None if there is none."""
    return arguments[index] if len(arguments) > index else keywords.get(name)
