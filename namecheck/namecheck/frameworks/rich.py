"""rich: its progress bars."""

from __future__ import annotations

from typing import Final

TRACKERS: Final = frozenset({"rich.progress.track"})
"""Functions that give the elements of their first argument and show how many are done."""
