"""Pillow: methods that its pictures share with tensors."""

from __future__ import annotations

from typing import Final

METHODS: Final = frozenset({"resize"})
"""Methods that do not make their receiver a tensor, since it may be a picture."""
