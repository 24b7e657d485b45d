"""The files that git ignores: by `.gitignore` in every folder, and by `.git/info/exclude`.

A user's own patterns for all repositories (`core.excludesFile`) are not read, so that two users who
check the same files get the same findings.
"""

from __future__ import annotations

import os

from namecheck.files.disk import read_file
from namecheck.files.path_patterns import Patterns

__all__ = ["above", "entered", "is_ignored", "own_folder", "top_above"]

Chain = tuple[Patterns, ...]
"""The patterns for a folder, the farthest source first: the last one that matches decides."""


def above(folder: str) -> Chain:
    """The patterns of a folder's repository from above the folder; its own file is not included.

    Outside a repository nothing above the folder counts.
    """
    top = top_above(folder)
    parents = []
    while top is not None and folder != top:
        folder = os.path.dirname(folder)
        parents.append(folder)
    chain: Chain = ()
    for parent in reversed(parents):
        chain = entered(parent, chain)
    return chain


def top_above(folder: str) -> str | None:
    """The top of the working tree of a folder; None outside a repository."""
    while not is_repository(folder):
        outer = os.path.dirname(folder)
        if outer == folder:
            return None
        folder = outer
    return folder


def entered(folder: str, chain: Chain, names: frozenset[str] | None = None) -> Chain:
    """The patterns inside a folder, if those around it are `chain`.

    `names` are the folder's entries, if they are known.
    """
    if is_repository(folder) if names is None else ".git" in names:
        chain = of_file(os.path.join(_common(folder), "info", "exclude"), folder)
    if names is None or ".gitignore" in names:
        chain = (*chain, *of_file(os.path.join(folder, ".gitignore"), folder))
    return chain


def is_ignored(chain: Chain, path: str, is_folder: bool) -> bool:
    """Whether git ignores an absolute path."""
    for patterns in reversed(chain):
        verdict = patterns.check(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def of_file(path: str, root: str) -> Chain:
    """The patterns in a file, relative to `root`; none if it cannot be read."""
    try:
        text = os.fsdecode(read_file(path).removeprefix(b"\xef\xbb\xbf"))
    except (OSError, ValueError):  # git ignores it, too
        return ()
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return (Patterns(lines, root),)


def is_repository(folder: str) -> bool:
    """Whether a folder is the top of a working tree."""
    return os.path.exists(os.path.join(folder, ".git"))


def own_folder(top: str) -> str:
    """The folder of git's files for one working tree. Raises `OSError` or `ValueError`."""
    git = os.path.join(top, ".git")
    if os.path.isfile(git):  # a submodule, or `git worktree add`
        return os.path.join(top, _line(git).removeprefix("gitdir: "))
    return git


def _common(top: str) -> str:
    """The folder of the repository's files that all its working trees share."""
    git = os.path.join(top, ".git")
    try:
        git = own_folder(top)
        common = os.path.join(git, "commondir")
        return os.path.join(git, _line(common)) if os.path.exists(common) else git
    except (OSError, ValueError):  # the latter if a name contains a null byte
        return git


def _line(path: str) -> str:
    return os.fsdecode(read_file(path).partition(b"\n")[0]).rstrip("\r")
