"""Tuples of names: equal tuples are one object, so names are compared by identity first."""

from __future__ import annotations

from typing import Final, TypeAlias

Names: TypeAlias = tuple[str | None, ...]

_names: dict[Names, Names] = {}
_UNNAMED: Final[list[Names]] = [(None,) * rank for rank in range(65)]
_names.update((names, names) for names in _UNNAMED)


def intern(names: Names) -> Names:
    """The one tuple of these names."""
    return _names.setdefault(names, names)


def unnamed(rank: int) -> Names:
    """The names of a tensor that has none."""
    return _UNNAMED[rank] if rank < 65 else intern((None,) * rank)
