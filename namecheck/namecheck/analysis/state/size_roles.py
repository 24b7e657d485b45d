"""The shapes in which the sizes of a file occur, the widths of normalisations, and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from namecheck_runtime import sizes
from namecheck_runtime.lattice import Dims, Shape, Size, known_dims
from namecheck_runtime.sizes import Origin, Polynomial, Symbol, plain_symbol

NORMALISED: Final = "normalized_shape"
"""The rulebook's parameter for the dims that a layer normalises over."""

ROWS: Final = "num_embeddings"
WIDTHS: Final = ("embedding_dim", "features", "embedding_size")
"""Its parameters for the number of rows of an embedding table and, by library, for their width."""


class Roles:
    """What a file says of the shapes in which sizes occur."""

    def __init__(self) -> None:
        self.shapes: dict[Symbol, tuple[Size, ...]] = {}
        """The sizes that each symbol was read together with, in the order of the dims."""
        self.wide: set[Symbol] = set()
        """Sizes that layers normalise over or that are divided by others."""
        self.tables: set[frozenset[Size]] = set()
        """The number of rows and the width of each embedding table."""
        self.reduced: set[Symbol] = set()
        """Sizes of dims that were averaged or summed over: there are several to reduce."""
        self.letters: set[Symbol] = set()
        """Sizes of unknown values that have their names from the letters of patterns alone."""
        self.open: set[Symbol] = set()
        """Those, and sizes that were read from values of which nothing is known but that they are
        no parameters: they may be any number.
        """

        self._maps: dict[Symbol, int] = {}
        """The unpacking of one shape from which each symbol has its name."""

    def add_shape(self, dims: Dims) -> None:
        """Record dims that the program reads by names or by the letters of a pattern."""
        if not 3 <= len(dims) <= 5:
            return
        shape = tuple(dim.size for dim in dims)
        for size in shape:
            atom = plain_symbol(size)
            if atom is not None and atom.origin is Origin.DATA:
                self.shapes.setdefault(atom, shape)

    def add_map(self, read: Iterable[Size]) -> None:
        """Record the sizes of one shape that is unpacked into names."""
        number = len(self._maps)
        for size in read:
            atom = plain_symbol(size)
            if atom is not None:
                self._maps.setdefault(atom, number)

    def of_one_map(self, one: Symbol, other: Symbol) -> bool:
        """Whether two sizes are dims of one shape that was unpacked: `h`, `w` of an image."""
        return one in self._maps and self._maps[one] == self._maps.get(other)

    def add_letters(self, size: Size) -> None:
        """Record a size that is called by a letter of a pattern."""
        self.letters |= sizes.symbols(size)
        self.open |= sizes.symbols(size)

    def renamed(self, before: Symbol, now: Size) -> None:
        """Record that a remembered call has another symbol in place of `before`."""
        atom = plain_symbol(now)
        for group in (self.letters, self.open, self.reduced):
            if atom is not None and before in group:
                group.add(atom)
        if atom is not None and before in self._maps:
            self._maps.setdefault(atom, self._maps[before])

    def add_reduced(self, shape: Shape, dims: Iterable[int]) -> None:
        """Record the dims of a tensor over which an op reduces it."""
        known = known_dims(shape)
        for place in dims:
            index = place if place < 0 or not isinstance(shape, tuple) else place - len(known)
            atom = plain_symbol(known[index].size) if -len(known) <= index < 0 else None
            if atom is not None:
                self.reduced.add(atom)

    def add_layer(self, fields: Mapping[str, Any]) -> None:
        """Record the arguments that a layer is built with."""
        rows = fields.get(ROWS)  # equinox takes either the sizes or the table
        if rows is not None:
            for width in (fields[name] for name in WIDTHS if fields.get(name) is not None):
                if plain_symbol(rows) is not None and plain_symbol(width) is not None:
                    self.tables.add(frozenset((rows, width)))
        normalised = fields.get(NORMALISED, ())
        for size in normalised if isinstance(normalised, (tuple, list)) else (normalised,):
            self.wide |= _sizes_above(size)

    def is_table(self, left: Size, right: Size) -> bool:
        """Whether two sizes are the number of rows and the width of one table.

        They are the number of words and the width of each: no flag makes them equal.
        """
        return frozenset((left, right)) in self.tables


def _sizes_above(size: object) -> set[Symbol]:
    atom = plain_symbol(size) if isinstance(size, Polynomial) else None
    return {atom} if atom is not None and atom.origin is Origin.CONFIG else set()
