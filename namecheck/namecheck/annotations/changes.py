"""One place to annotate: what is written there, and what it says of what."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from namecheck.analysis import Key, Known
from namecheck.fixes.edits import Change

__all__ = ["Annotation", "KnownAt"]

KnownAt: TypeAlias = Mapping[Key, Known]
"""What is known of tensors, by line, target and kind."""


class Annotation(NamedTuple):
    """Changes that say what is known under some `keys`, and the names that have to be imported for
    them, by their dotted paths.
    """

    keys: tuple[Key, ...]
    made: tuple[Change, ...]
    needs: frozenset[str] = frozenset()
