"""Files and folders that a search left out, with the reasons: nothing goes unchecked unnoticed.

Entries that no user expects to be checked (`.git`, ignored and untracked files) are only listed on
request (`--show-files`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from namecheck.printing.counts import counted
from namecheck_runtime.light.records import NamedTuple

__all__ = [
    "ENVIRONMENT",
    "EXCLUDED",
    "IGNORED",
    "LANGUAGE",
    "LINKED",
    "LeftOut",
    "sentence",
]

EXCLUDED: Final = "excluded by the settings"
IGNORED: Final = "ignored by git"
ENVIRONMENT: Final = "a virtual environment"
LINKED: Final = "a link to another folder"
LANGUAGE: Final = "a notebook in another language"


class LeftOut(NamedTuple):
    """A file or folder that was not checked, as reports print it, and the reason.

    `expected`: a user who does not know the reason would expect it to be checked.
    """

    path: str
    is_folder: bool
    reason: str
    expected: bool = True


_NOUNS: Final = {
    ENVIRONMENT: ("virtual environment", "virtual environments"),
    LINKED: ("linked folder", "linked folders"),
    LANGUAGE: ("notebook in another language", "notebooks in another language"),
}
"""The nouns, one and several, for reasons that need no other words."""


def sentence(left_out: Iterable[LeftOut]) -> str:
    """`Left out: 2 folders excluded by the settings, 1 virtual environment.`; empty for none."""
    counts = Counter((entry.reason, entry.is_folder) for entry in left_out if entry.expected)
    parts = []
    for (reason, is_folder), count in sorted(counts.items()):
        if reason in _NOUNS:
            parts.append(f"{count:,} {_NOUNS[reason][count != 1]}")
        else:
            noun = "folder" if is_folder else "file"
            parts.append(f"{counted(count, noun)} {reason}")
    return f"Left out: {', '.join(parts)} (--show-files lists them)." if parts else ""
