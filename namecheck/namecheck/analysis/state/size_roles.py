"""The shapes that the sizes of a file stand in, the widths that layers normalise over, tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from namecheck_runtime.lattice import Dims, Size
from namecheck_runtime.sizes import Origin, Polynomial, Symbol, plain_symbol

NORMALISED = "normalized_shape"
"""What the rulebook calls the dims that a layer normalises over."""

ROWS = "num_embeddings"
WIDTHS = ("embedding_dim", "features", "embedding_size")
"""What it calls the rows of a table that indices are looked up in, and, library by library, their
width.
"""


class Roles:
    """What a file says of the shapes that sizes stand in."""

    def __init__(self) -> None:
        self.shapes: dict[Symbol, tuple[Size, ...]] = {}
        """The sizes that each symbol was read together with, in the order of the dims."""
        self.wide: set[Symbol] = set()
        """What layers normalise over, and what is divided by something."""
        self.tables: set[frozenset[Size]] = set()
        """The rows and the width of each table that indices are looked up in."""

    def add_shape(self, dims: Dims) -> None:
        """The dims of a tensor are read by their names, or by the letters of a pattern."""
        if not 3 <= len(dims) <= 5:
            return
        shape = tuple(dim.size for dim in dims)
        for size in shape:
            atom = plain_symbol(size)
            if atom is not None and atom.origin is Origin.DATA:
                self.shapes.setdefault(atom, shape)

    def add_layer(self, fields: Mapping[str, Any]) -> None:
        """A layer is built with these arguments."""
        rows = fields.get(ROWS)  # equinox takes either the sizes or the table
        if rows is not None:
            for width in (fields[name] for name in WIDTHS if fields.get(name) is not None):
                if plain_symbol(rows) is not None and plain_symbol(width) is not None:
                    self.tables.add(frozenset((rows, width)))
        given = fields.get(NORMALISED, ())
        for size in given if isinstance(given, (tuple, list)) else (given,):
            self.wide |= _sizes_above(size)

    def is_table(self, left: Size, right: Size) -> bool:
        """Whether two sizes are the rows and the width of one table: how many words there are, and
        how wide each is. No flag makes them alike.
        """
        return frozenset((left, right)) in self.tables


def _sizes_above(size: object) -> set[Symbol]:
    atom = plain_symbol(size) if isinstance(size, Polynomial) else None
    return {atom} if atom is not None and atom.origin is Origin.CONFIG else set()
