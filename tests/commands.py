"""Commands in processes of their own, without the environment of the tests."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def environment(search: object = None, **more: str) -> dict[str, str]:
    """Our environment without the variables of Python and pytest.

    The sources must not be importable by accident. Packages are found in `search`, if it is given.
    """
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    return {**inherited, **({} if search is None else {"PYTHONPATH": str(search)}), **more}


def run(*command: str | Path, cwd: Path, search: object = None, **more: str) -> str:
    """The output of a command, which must succeed. The rest is for `environment`."""
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
