"""Commands run as a person runs them, who has not this folder's environment."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def environment(search: object = None, **more: str) -> dict[str, str]:
    """Ours without what speaks of Python and pytest: our own folders must not be importable by
    accident.  Packages are found in `search`, if it is given.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    return {**kept, **({} if search is None else {"PYTHONPATH": str(search)}), **more}


def run(*command: str | Path, cwd: Path, search: object = None, **more: str) -> str:
    """What a command prints, which has to succeed; see `environment` for the rest."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment(search, **more),
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout
