"""From what was named on the command line to the Python files to read.

A file that was named is always taken, whatever it is called.  In folders we look for `*.py` and
`*.ipynb` and stay out of what is hidden, generated, or somebody else's (virtual environments,
`node_modules`).  Linked folders are not followed, so a loop of links cannot hold us up.
What a file contains is not this module's business.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["Discovered", "discover", "shown"]

SUFFIXES = (".py", ".ipynb")
PASSED_BY = frozenset({"__pycache__", "__pypackages__", "build", "node_modules", "venv"})


class Discovered(NamedTuple):
    """Files to read, in the order in which they are reported, and what stood in the way.

    `missing` are named paths that do not exist; `closed` are folders that could not be listed,
    each with the reason.
    """

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()
    closed: tuple[tuple[str, str], ...] = ()


def discover(paths: Iterable[str]) -> Discovered:
    """All files meant by `paths`, sorted, each once: if it has several names, by its own."""
    found: dict[str, set[str]] = {}
    missing: list[str] = []
    closed: list[tuple[str, str]] = []
    for path in paths:
        if os.path.isdir(path):
            for file in walk(path, closed):
                found.setdefault(os.path.realpath(file), set()).add(file)
        elif os.path.exists(path):
            found.setdefault(os.path.realpath(path), set()).add(path)
        else:
            missing.append(path)
    files = [
        min(map(shown, names), key=lambda name: (os.path.abspath(name) != own, reading_order(name)))
        for own, names in found.items()
    ]
    return Discovered(tuple(sorted(files, key=reading_order)), tuple(missing), tuple(closed))


def walk(folder: str, closed: list[tuple[str, str]]) -> Iterator[str]:
    """Python files in a folder and below; folders that refuse are added to `closed`."""
    try:
        entries = list(os.scandir(folder))
    except OSError as refusal:
        closed.append((shown(folder), refusal.strerror or str(refusal)))
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in PASSED_BY and not is_environment(entry.path):
                    yield from walk(entry.path, closed)
            elif entry.name.endswith(SUFFIXES) and entry.is_file():
                yield entry.path
        except OSError:  # a loop of links: not a file that anybody could read
            continue


def is_environment(folder: str) -> bool:
    """Whether a folder is a virtual environment (PEP 405) or a conda environment."""
    return os.path.exists(os.path.join(folder, "pyvenv.cfg")) or os.path.isdir(
        os.path.join(folder, "conda-meta")
    )


def shown(path: str) -> str:
    """A path as reports print it: relative to the working folder if it is inside, with slashes."""
    absolute = os.path.abspath(path)
    here = os.getcwd()
    inside = absolute == here or absolute.startswith(here.rstrip(os.sep) + os.sep)
    return Path(os.path.relpath(absolute, here) if inside else absolute).as_posix()


def reading_order(path: str) -> tuple[str, ...]:
    """Folder by folder, as a listing is read: `a/b.py` before `a-c/b.py`."""
    return Path(path).parts
