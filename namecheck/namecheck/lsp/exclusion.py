"""Which open files have no findings: what a person excludes, and what nobody writes by hand.

To open a file is to ask for it. So what its settings say themselves is respected, and of what is
excluded by default all but hidden files and folders: people edit `.github/scripts/release.py`.
What they open in a virtual environment, they read.
"""

from __future__ import annotations

import os
from typing import Final

from namecheck.files.import_lookups import is_inside
from namecheck.files.path_patterns import Patterns
from namecheck.running.discovery import GENERATED, is_environment, is_excluded
from namecheck.settings.config import Configuration

__all__ = ["is_kept_out"]

HIDDEN: Final = ".*"


def is_kept_out(path: str, folder: str, configuration: Configuration) -> bool:
    """Whether a file in a folder that the editor works on has no findings, although it is open.

    Raises `Misconfigured`.
    """
    if not is_inside(path, folder):
        return False
    resolved = configuration.of(path)
    if "exclude" in resolved.origins or resolved.settings.force_exclude:
        return is_excluded(path, configuration) or _is_installed(path, folder)
    default, *extended = resolved.excluded
    generated = Patterns(sorted(GENERATED - {HIDDEN}), default.root)
    if any(patterns.covers(path) for patterns in (generated, *extended)):
        return True
    return _is_installed(path, folder)


def _is_installed(path: str, folder: str) -> bool:
    """Whether a virtual environment below a folder holds a file."""
    inside = os.path.dirname(path)
    while inside != folder and is_inside(inside, folder):
        if is_environment(inside):
            return True
        inside = os.path.dirname(inside)
    return False
