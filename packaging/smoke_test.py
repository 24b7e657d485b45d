"""Tests that an installed wheel has to pass before it is published.

    python packaging/smoke_test.py [--compiled]

Runs the installed commands on README's example and on docs/examples, from a folder that holds
nothing to import. cibuildwheel runs it in the environment of each wheel that it has built
(`[tool.cibuildwheel]` in pyproject.toml), and the release workflow for the uncompiled wheel.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sysconfig.get_path("scripts"))
FLAGGED = 1
"""The exit status of `check` if there are findings."""


def run(*command: str | Path, cwd: Path, status: int = 0) -> str:
    """The output of a command, which has to exit with `status`."""
    inherited = {
        k: v for k, v in os.environ.items() if not k.startswith(("NAMECHECK_", "PYTHONPATH"))
    }
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**inherited, "NAMECHECK_NO_CACHE": "1", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
    )
    line = " ".join(str(part) for part in command)
    assert done.returncode == status, f"{line}\n{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def check_version(folder: Path, compiled: bool) -> None:
    for name in ("namecheck", "namecheck-tensors"):
        printed = run(SCRIPTS / name, "--version", cwd=folder)
        assert printed.endswith(f"(compiled: {'yes' if compiled else 'no'})\n"), printed


BEFORE = """\
import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.hidden = nn.Linear(features, 64)
        self.head = nn.Linear(64, 1)

    def forward(self, x):
        return self.head(self.hidden(x).relu())


"""
"""The lines before README.md's example, which it leaves out."""


def check_readme(folder: Path) -> None:
    """The report on README.md's example has the lines that README.md shows."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    program, shown = re.findall(r"^```(?:python|text)\n(.*?)^```", readme, re.M | re.S)[:2]
    (folder / "loss.py").write_text(BEFORE + program, encoding="utf-8")
    printed = run(SCRIPTS / "namecheck", "check", "loss.py", cwd=folder, status=FLAGGED)
    lines = iter(printed.splitlines())
    for line in shown.splitlines():
        assert line in lines, f"README.md shows {line!r}, which is not printed there:\n{printed}"


def check_examples(folder: Path) -> None:
    """Each program with a mistake has a finding where it says so; its correct twin has none."""
    examples = ROOT / "docs" / "examples"
    options = ("check", "--isolated", "--output-format", "concise")
    printed = run(
        SCRIPTS / "namecheck", *options, examples / "mistakes", cwd=folder, status=FLAGGED
    )
    findings = set(re.findall(r"([\w.-]+\.py):(\d+):\d+: (NC\d+)", printed))
    marked = set()
    for program in (examples / "mistakes").glob("*.py"):
        for number, line in enumerate(program.read_text(encoding="utf-8").splitlines(), 1):
            if mark := re.search(r"# (NC\d+) here:", line):
                marked.add((program.name, str(number + 1), mark[1]))
    assert marked
    assert findings == marked, f"found {findings - marked}, missed {marked - findings}"
    run(SCRIPTS / "namecheck", *options, examples / "correct", cwd=folder)


def check_runtime(folder: Path) -> None:
    program = (
        "import namecheck_runtime as nt; print(nt.zeros(2, 3, names=('N', 'C')).sum('C').names)"
    )
    printed = run(sys.executable, "-P", "-c", program, cwd=folder)
    assert printed == "('N',)\n", printed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiled", action="store_true", help="the wheel has to be compiled")
    compiled = parser.parse_args().compiled
    with tempfile.TemporaryDirectory() as folder:
        check_version(Path(folder), compiled)
        check_readme(Path(folder))
        check_examples(Path(folder))
        check_runtime(Path(folder))
    print("the wheel works")


if __name__ == "__main__":
    main()
