"""Programs of a project that reach the files to check: its tests, its README and its pages.

`check FILE` alone checks one file. What the tests and examples of its project do with it drives it
all the same; they are found by their imports.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.files.documents import PROSE
from namecheck.files.import_lookups import MARKERS, is_inside
from namecheck.findings import Analysis, Counts
from namecheck.printing.printed_paths import shown
from namecheck.running.cache import Remembered
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.files.project import Project
    from namecheck.settings.config import Configuration

__all__ = ["as_driver", "drivers_of"]

MOST: Final = 12
"""The most programs that drive the named files of a run."""

_MOST_LOOKED_AT: Final = 400
"""The most files whose imports are read."""

_LARGEST: Final = 200_000
"""The most bytes of a program that is looked at."""

_HIGHEST: Final = 8
_FOLDERS: Final = ("tests", "test", "docs", "doc")

_IMPORT: Final = regex(
    r"^[ \t]*(?:>>>[ \t]+)?(?:from[ \t]+(\.*)([\w.]*)[ \t]+import\b|import[ \t]+()([\w.]+))",
    re.MULTILINE,
)


def drivers_of(paths: Iterable[str], configuration: Configuration) -> tuple[str, ...]:
    """The programs that reach the files among `paths`, as reports print them; a bounded number."""
    from namecheck.files.project import Project

    files = {os.path.realpath(path) for path in paths if os.path.isfile(path)}
    files = {file for file in files if file.endswith(".py")}
    tops = sorted({_top(os.path.dirname(file)) for file in files})
    found: list[str] = []
    looked_at = 0
    for top in tops:
        project = Project((top,))
        of_top = {file for file in files if is_inside(file, top)}
        for path in _candidates(top):
            looked_at += 1
            if looked_at > _MOST_LOOKED_AT or len(found) >= MOST:
                return tuple(found)
            if path in files or not configuration.of(path).settings.drive:
                continue
            if _reaches(project, path, of_top):
                found.append(shown(path))
    return tuple(found)


def _top(folder: str) -> str:
    """The folder in which the project of a folder begins, or that of its outermost package."""
    above = folder
    for _ in range(_HIGHEST):
        if any(os.path.exists(os.path.join(above, marker)) for marker in MARKERS):
            return above
        above = os.path.dirname(above)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def _candidates(top: str) -> Iterator[str]:
    """The READMEs, tests and pages of a project, the ones most likely to be of use first."""
    for name in sorted(_names(top)):
        if (name.lower().startswith("readme") and name.endswith(PROSE)) or _is_test(name):
            yield os.path.join(top, name)
    for name in _FOLDERS:
        for folder, folders, names in os.walk(os.path.join(top, name)):
            folders[:] = sorted(inner for inner in folders if inner[0] not in "._")
            for file in sorted(names):
                if _is_test(file) or (name.startswith("doc") and file.endswith(PROSE)):
                    yield os.path.join(folder, file)


def _names(folder: str) -> Sequence[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return ()


def _is_test(name: str) -> bool:
    return name.endswith(".py") and (name.startswith("test") or name.endswith("_test.py"))


def _reaches(project: Project, path: str, files: Collection[str]) -> bool:
    """Whether a program imports one of the files, or a package that one is in."""
    try:
        if os.path.getsize(path) > _LARGEST:
            return False
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return False
    for dots, module, _, plain in set(_IMPORT.findall(text)):
        found = project.find(path, len(dots), module or plain)
        if found is None:
            continue
        if found.path in files:
            return True
        if found.folder is not None and any(is_inside(file, found.folder) for file in files):
            return True
    return False


def as_driver(remembered: Remembered, checked: Iterable[str] | None = None) -> Remembered:
    """The result of a program that drives others: what it found in them, and how many there are.

    If only the files `checked` are asked about, findings that do not concern them are left out.
    """
    analysis = remembered.analysis
    findings = analysis.findings
    if checked is not None:
        of_them = set(checked)
        findings = tuple(
            finding
            for finding in findings
            if finding.path in of_them or any(note.path in of_them for note in finding.notes)
        )
    counts = Counts(driven=analysis.counts.driven, cut_off=analysis.counts.cut_off)
    return Remembered(Analysis(findings, counts=counts), remembered.directives)
