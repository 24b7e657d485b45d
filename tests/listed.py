"""Files of intended differences, in lines `reason: entry entry`."""

from __future__ import annotations

import functools
from pathlib import Path


@functools.cache
def read_listed(path: Path) -> dict[str, str]:
    """The reason of each entry of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    parts = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return {entry: reason for reason, _, entries in parts for entry in entries.split()}
