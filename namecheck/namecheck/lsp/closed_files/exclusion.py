"""Which open files get no findings: files that the user excludes, and generated ones.

The user asks for a file by opening it. So the exclusions in its settings apply, but of the default
ones not that of hidden files and folders: users edit `.github/scripts/release.py`. A file in a
virtual environment is only read there, and gets no findings.
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
    """Whether an open file in a folder of the editor gets no findings.

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
    """Whether a file is in a virtual environment below a folder."""
    inside = os.path.dirname(path)
    while inside != folder and is_inside(inside, folder):
        if is_environment(inside):
            return True
        inside = os.path.dirname(inside)
    return False
