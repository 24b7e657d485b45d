"""Git repositories, as they are made for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

_OPTIONS = (
    *("-c", "user.name=x"),
    *("-c", "user.email=x@example.org"),
    *("-c", "core.autocrlf=false"),
    *("-c", "init.defaultBranch=main"),
)


def git(*arguments: str, cwd: Path | None = None) -> str:
    """What `git ARGUMENTS` prints. A failure fails the test."""
    done = subprocess.run(
        ["git", *_OPTIONS, *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"git {arguments}\n{done.stderr}"
    return done.stdout


def commit() -> None:
    """Commit all files of the repository of the current folder, even if none has changed."""
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", "x")
