"""Standard input: the effect of its file name, the output of fixed text, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from notebooks import code_cell, notebook

PROGRAM = """\
import torch

a = torch.zeros(2, 3)  # namecheck: ignore[NC201] once needed
b = a.transpose(0, 1).view(-1)
c = a @ torch.zeros(2, 3)
"""
FIXED = PROGRAM.replace("  # namecheck: ignore[NC201] once needed", "").replace(
    ".view", ".contiguous().view"
)


pytestmark = pytest.mark.usefixtures("here")


def run(*arguments: str, text: str | bytes = PROGRAM) -> Result:
    return invoke(*arguments, text=text, NO_COLOR="1")


def reported(*arguments: str, text: str | bytes = PROGRAM) -> list[tuple[str, str]]:
    done = run("check", *arguments, "--output-format", "json", text=text)
    return [(finding["filename"], finding["code"]) for finding in json.loads(done.stdout)]


def test_a_dash_is_standard_input() -> None:
    done = run("check", "-", "--output-format", "concise")
    assert done.exit_code == 1
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["-:3:24:", "NC901"],
        ["-:4:5:", "NC501"],
        ["-:5:5:", "NC203"],
    ]
    assert "5 | c = a @ torch.zeros(2, 3)" in run("check", "-").stdout


def test_the_file_name_decides_which_settings_count(here: Path) -> None:
    inner = here / "src" / "a"
    inner.mkdir(parents=True)
    (inner / "namecheck.toml").write_text('ignore = ["NC901"]\nper-file-ignores.old = ["NC5"]\n')
    assert reported("-", "--stdin-filename", "src/a/m.py") == [
        ("src/a/m.py", "NC501"),
        ("src/a/m.py", "NC203"),
    ]
    assert reported("--stdin-filename", "src/a/old") == [("src/a/old", "NC203")]
    assert [code for _, code in reported("-")] == ["NC901", "NC501", "NC203"]
    shown = run("check", "-", "--stdin-filename", "src/a/m.py", "--show-settings").stdout
    assert "# Settings of src/a/m.py\n" in shown
    assert 'ignore = ["NC901"]' in shown
    assert run("check", "-", "--show-files").stdout == "-\n"


def test_standard_input_replaces_the_file_of_that_name(here: Path) -> None:
    """The file itself is not read, but the modules that the text imports are."""
    (here / "m.py").write_text("import torch\ntorch.zeros(2) + torch.zeros(3)\n")
    (here / "sizes.py").write_text("WIDTH = 7\n")
    program = "import torch\nfrom sizes import WIDTH\ntorch.zeros(WIDTH) + torch.zeros(3)\n"
    done = run("check", "-", "--stdin-filename", str(here / "m.py"), text=program)
    assert "[7]" in done.stdout
    assert "m.py:3:1" in done.stdout
    (here / "folder.py").mkdir()
    assert [code for _, code in reported("-", "--stdin-filename", "folder.py")][-1] == "NC203"


def test_fixed_text_goes_to_standard_output(here: Path) -> None:
    (here / "m.py").write_text("as it was\n")
    done = run("check", "-", "--stdin-filename", "m.py", "--fix")
    assert done.stdout == FIXED
    assert "Fixed 2 findings in 1 file." in done.stderr
    assert "NC203" in done.stderr
    assert done.exit_code == 1
    assert (here / "m.py").read_text() == "as it was\n"
    assert sorted(path.name for path in here.iterdir()) == ["m.py"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--stdin-filename", "m.pyi"],
        ["--stdin-filename", "no.ipynb"],
        ["--stdin-filename", "m.py", "--exclude", "m.py", "--force-exclude"],
        ["--stdin-filename", "m.py", "--select", "NC1"],
        ["-q", "-q", "--select", "NC1"],
    ],
)
def test_text_without_fixes_is_printed_unchanged(arguments: list[str]) -> None:
    for option in ("--fix", "--fix-only", "--add-ignore"):
        assert run("check", "-", option, *arguments).stdout == PROGRAM


def test_bytes_stay_what_they_are() -> None:
    source = b"\xef\xbb\xbf" + PROGRAM.replace("\n", "\r\n").encode()
    done = run("check", "-", "--fix", text=source)
    assert done.stdout_bytes == b"\xef\xbb\xbf" + FIXED.replace("\n", "\r\n").encode()
    nothing = b"x = '\xff'\r\n"
    done = run("check", "-", "--fix", text=nothing)
    assert done.stdout_bytes == nothing
    assert "byte 0xff in line 1 is not utf-8" in done.stderr
    assert done.exit_code == 1


def test_a_diff() -> None:
    done = run("check", "-", "--diff", "--stdin-filename", "a/m.py")
    assert done.exit_code == 1
    assert done.stdout.startswith("--- a/m.py\n+++ a/m.py\n")
    assert "+b = a.transpose(0, 1).contiguous().view(-1)\n" in done.stdout
    assert run("check", "-", "--diff", text=FIXED).stdout == ""


def test_comments_instead_of_fixes() -> None:
    done = run("check", "-", "--add-ignore")
    assert "c = a @ torch.zeros(2, 3)  # namecheck: ignore[NC203]\n" in done.stdout
    assert "error" not in done.stderr
    assert done.exit_code == 1  # the comment that silences nothing remains


def test_a_notebook() -> None:
    book = notebook(code_cell(PROGRAM.splitlines(keepends=True)))
    name = "--stdin-filename", "n.ipynb"
    assert "n.ipynb:cell 1:5:5" in run("check", "-", *name, text=book).stdout
    fixed = json.loads(run("check", "-", *name, "--fix", text=book).stdout)
    assert "".join(fixed["cells"][0]["source"]) == FIXED


def test_show() -> None:
    assert "c = a @" not in run("show", "-", text=FIXED.rsplit("c =", 1)[0]).stdout
    assert "[2, 3]" in run("show", "-").stdout
    stub = run("show", "-", "--stdin-filename", "m.pyi")
    assert (stub.stdout, stub.exit_code) == ("", 0)
    assert "m.pyi is not checked" in stub.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["check", "-", "x.py"], "standard input is checked by itself: leave out x.py"),
        (["check", "x.py", "--stdin-filename", "y.py"], "leave out x.py"),
        (["check", "-", "--watch"], "standard input is read once"),
        (["check", "-", "--stdin-filename", ""], "--stdin-filename is empty"),
        (["show", "x.py", "--stdin-filename", "y.py"], "--stdin-filename is for '-'"),
    ],
)
def test_options_that_exclude_each_other(here: Path, arguments: list[str], reason: str) -> None:
    (here / "x.py").write_text("")
    done = run(*arguments)
    assert done.exit_code == 2
    assert reason in done.stderr


def test_nothing_is_remembered(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAMECHECK_NO_CACHE", "")
    (here / "m.py").write_text("x = 1\n")
    assert run("check", "m.py").exit_code == 0
    assert [code for _, code in reported("-", "--stdin-filename", "m.py")][-1] == "NC203"
    assert run("check", "m.py").exit_code == 0
