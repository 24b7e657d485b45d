"""Files of lines `reason: entry entry`: what differs on purpose, and why."""

from __future__ import annotations

import functools
from pathlib import Path


@functools.cache
def read_listed(path: Path) -> dict[str, str]:
    """The entries of a file, with their reasons."""
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {entry: reason for reason, _, entries in parts for entry in entries.split()}
