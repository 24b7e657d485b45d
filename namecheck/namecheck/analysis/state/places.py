"""Places in the program that notes may point at, kept during the walk."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import Instance
from namecheck_runtime.lattice import Size
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.sizes import Symbol

Note: TypeAlias = tuple[str, Any, int]
"""The text, the piece of the file, and the line in it."""


class Place:
    """Where the walk has learned a fact: for notes."""

    __slots__ = ("equation", "line", "mistake", "node", "source")

    def __init__(
        self,
        source: Any,
        line: int,
        node: ir.Node | None = None,
        mistake: Mistake | None = None,
        equation: tuple[Size, Size] | None = None,
    ) -> None:
        self.source: Final = source
        self.line: Final = line
        self.node: Final = node
        self.mistake: Final = mistake
        """The mistake if the fact did not hold."""
        self.equation: Final = equation
        """The two sizes that are equal from there on."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        return self.source, self.line, self.node, self.mistake, self.equation


class Origin:
    """Where a size got its name: `'T'` + `is dim 1 of x` + ` since` + the line."""

    __slots__ = ("line", "predicate", "source", "word")

    def __init__(self, predicate: str, word: str, source: Any, line: int) -> None:
        self.predicate: Final = predicate
        self.word: Final = word
        """The word between the predicate and the line of code; "" if the line is not quoted."""
        self.source: Final = source
        self.line: Final = line

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Origin) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        return self.predicate, self.word, self.source, self.line


class Origins:
    """The places that the notes of a walk may cite."""

    __slots__ = ("attributes", "fitting", "layers", "sizes")

    def __init__(self) -> None:
        self.sizes: dict[Symbol, Origin] = {}
        """Where sizes got their names."""
        self.layers: dict[int, tuple[Any, Any, int, int]] = {}
        """Where layers were built, by the identity of their constructor's arguments: these, the
        piece of the file, the line, and the number of the call. The arguments are kept here so that
        no other object gets their identity.
        """
        self.fitting: set[tuple[Any, int]] = set()
        """The calls, by piece and number, that built a layer which fits an input of known dims."""
        self.attributes: dict[tuple[Instance, str], tuple[Any, int]] = {}
        """Where attributes were assigned last."""


__all__ = ["Note", "Origin", "Origins", "Place"]
