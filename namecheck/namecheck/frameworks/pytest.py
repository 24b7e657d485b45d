"""pytest: its context managers."""

from __future__ import annotations

from typing import Final

EXPECTING: Final = ("raises",)
"""How the names of context managers begin that catch an exception of their body."""
