"""tqdm: its progress bars."""

from __future__ import annotations

from typing import Final

TRACKERS: Final = frozenset(
    {"tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.tqdm_notebook"}
)
"""Functions that give the elements of their first argument and show how many are done."""
