"""An annotation: the changes that write it, and the dims that it states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from namecheck.analysis import Key, Known
from namecheck.fixes.edits import Change

__all__ = ["Annotation", "KnownAt"]

KnownAt: TypeAlias = Mapping[Key, Known]
"""The dims of tensors, by line, target and kind."""


class Annotation(NamedTuple):
    """Changes that state the dims of some `keys`, and the dotted paths of the names that have to be
    imported for them.
    """

    keys: tuple[Key, ...]
    made: tuple[Change, ...]
    needs: frozenset[str] = frozenset()
