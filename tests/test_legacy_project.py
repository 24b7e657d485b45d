"""A legacy project of 200 files, from the first minute to a pull request.

Each step is a command as the user would type it, run in a process of its own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from notebooks import code_cell, notebook

ROOT = Path(__file__).parent.parent
FILES = 200

SHAPES = "import torch\n\n\ndef features(n):\n    return torch.zeros(n, 48)\n"
WRONG = """\
import torch
from torch import nn

head = nn.Linear(64, 10)


def scores():
    features = torch.zeros(32, 48)
    return head(features)
"""
COLUMN = """\
import torch


def loss(pred, target):
    # pred: (B, 1), target: (B,)
    return ((pred - target) ** 2).mean()
"""
NEWER = """\
import torch

type Batch[T] = list[T]


def largest[T](x: T) -> T:
    unused = f"{"a"}"  # namecheck: ignore[NC203]
    return x


y = torch.zeros(3) + torch.zeros(4)
"""


NOTEBOOK = notebook(
    code_cell(["import torch\n", "x = torch.zeros(3, 4).t().view(12)\n"]),
    code_cell(["def f(:\n"]),
    code_cell(["y = x + torch.zeros(13)\n"]),
    language_info={"name": "python"},
)


class Shell:
    """A terminal in a folder."""

    def __init__(self, folder: Path, home: Path, **more: str) -> None:
        self.folder = folder
        variables = {
            k: v for k, v in os.environ.items() if not k.startswith(("NAMECHECK_", "PYTHON"))
        }
        roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
        self.environment = {
            **variables,
            "PYTHONPATH": roots,
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            **more,
        }

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def git(self, *arguments: str) -> None:
        name = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        done = self.run("git", *name, *arguments)
        assert done.returncode == 0, done.stderr

    def namecheck(
        self, *arguments: str, code: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        done = self.run(sys.executable, "-P", "-m", "namecheck", *arguments)
        assert "Traceback" not in done.stderr, done.stderr
        if code is not None:
            assert done.returncode == code, (arguments, done.stdout[-2000:], done.stderr[-2000:])
        return done

    def summary(self, *arguments: str, code: int | None = None) -> str:
        """The summary line of a check."""
        lines = self.namecheck("check", *arguments, code=code).stdout.splitlines()
        return next(line for line in lines if line.startswith(("Found ", "No findings")))


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """The project before it used namecheck."""
    folder = tmp_path_factory.mktemp("legacy")
    texts = {f"src/part{n % 10}/module{n:03}.py": SHAPES for n in range(FILES - 10)}
    texts |= {f"src/part{n}/wrong.py": WRONG for n in range(8)}
    texts |= {"src/old/loss.py": COLUMN, "src/old/newer.py": NEWER}
    texts["pyproject.toml"] = '[project]\nname = "legacy"\nversion = "1"\n'
    texts["notes/explore.ipynb"] = NOTEBOOK.decode()
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    shell = Shell(folder, tmp_path_factory.mktemp("home"))
    shell.git("init", "-q", "-b", "main")
    shell.git("add", "-A")
    shell.git("commit", "-q", "-m", "as it was")
    return shell


@pytest.mark.slow
def test_from_the_first_minute_to_a_pull_request(shell: Shell) -> None:
    # The first minute: no path, no settings.
    assert shell.summary(code=1) == "Found 14 findings in 11 files (201 checked)."

    # Settings and a baseline, without questions. The broken cell is reported.
    done = shell.namecheck("init", code=0)
    assert done.stdout.startswith("Wrote settings into pyproject.toml.\n")
    assert "namecheck-baseline.json holds 12 findings.\n" in done.stdout
    assert "error[NC900]" in done.stdout
    assert shell.summary(code=1) == (
        "Found 2 findings in 2 files (201 checked; 12 known in namecheck-baseline.json)."
    )

    # A subfolder with settings of its own, which extend those above.
    (shell.folder / "src/old/namecheck.toml").write_text(
        'extend = "../../pyproject.toml"\n\n[severity]\nmisaligned-broadcast = "error"\n'
    )
    concise = ("check", "--no-baseline", "--output-format", "concise")
    shown = shell.namecheck(*concise, "src/old", code=1)
    assert "src/old/loss.py:6:14: NC202 [error]" in shown.stdout
    shell.git("add", "-A")
    shell.git("commit", "-q", "-m", "namecheck")

    # A branch: its changes are reported, all other findings only counted.
    shell.git("switch", "-q", "-c", "mine")
    mine = shell.folder / "src/part1/wrong.py"
    mine.write_text(WRONG.replace("32, 48", "32, 50"))
    new = shell.folder / "src/part2/new.py"
    new.write_text(COLUMN)
    shown = shell.namecheck(*concise, "--diff-base", "main", code=1)
    assert re.findall(r"^(\S+?):(?:cell )?\d", shown.stdout, re.MULTILINE) == [
        "notes/explore.ipynb",
        "src/part1/wrong.py",
        "src/part2/new.py",
    ]
    assert "Not reported: 12 on lines unchanged since main." in shown.stderr
    assert shell.summary("--diff-base", "main", "--min-severity", "error", "src", code=0) == (
        "No findings (201 checked; 10 known in namecheck-baseline.json; 2 below min-severity)."
    ).replace("201 checked", "201 files checked")


@pytest.mark.slow
def test_files_with_a_broken_cell_or_newer_syntax_are_fixed(shell: Shell) -> None:
    for path, wrong, code in (
        ("notes/explore.ipynb", ".t().view(", "NC501 (noncontiguous-view)"),
        ("src/old/newer.py", "ignore[NC203]", "NC901 (unused-ignore)"),
    ):
        file = shell.folder / path
        before = file.read_text()
        assert wrong in before
        done = shell.namecheck("check", "--fix", "--show-fixes", "--no-baseline", path, code=1)
        assert wrong not in file.read_text(), (done.stdout, done.stderr)
        assert f"- {path}\n    1 × {code}\n" in done.stderr
        file.write_text(before)


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 160])
def test_nothing_is_wider_than_the_terminal(shell: Shell, width: int) -> None:
    shell.environment |= {"COLUMNS": str(width), "FORCE_COLOR": "1"}
    try:
        text = shell.namecheck("check", "--no-baseline", "--no-cache").stdout
    finally:
        del shell.environment["FORCE_COLOR"]
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) > 100
