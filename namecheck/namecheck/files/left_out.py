"""What a search through folders left out, and why: so that nothing goes unchecked without a word.

What nobody expects to be checked is not worth a word (`.git`, what git ignores and does not track);
it is listed where somebody asks for it (`--show-files`).
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
    """A file or folder that was not looked at, as reports print it, and the reason.

    `expected`: a person who does not know of the reason would expect it to be checked.
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
"""What is counted where the reason says it all."""


def sentence(left_out: Iterable[LeftOut]) -> str:
    """`Left out: 2 folders excluded by the settings, 1 virtual environment.`; empty for nothing."""
    counts = Counter((one.reason, one.is_folder) for one in left_out if one.expected)
    parts = []
    for (reason, is_folder), count in sorted(counts.items()):
        if reason in _NOUNS:
            parts.append(f"{count:,} {_NOUNS[reason][count != 1]}")
        else:
            thing = "folder" if is_folder else "file"
            parts.append(f"{counted(count, thing)} {reason}")
    return f"Left out: {', '.join(parts)} (--show-files lists them)." if parts else ""
