"""`--fix`, `--add-ignore` and `annotate` never do nothing in silence: the rest is done, and why not
all is, is said.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from namecheck.applying.rounds import Fixed
from namecheck.applying.undone import undone
from namecheck.findings import Applicability, Counts, Edit, Finding, Fix, Level, Span
from namecheck.fixes.code import Code
from namecheck.fixes.newer_syntax import older
from namecheck.main import main
from namecheck.running.checking import Checked

VIEW = "import torch\n\nx = torch.zeros(2, 3, 4)\ny = x.transpose(1, 2).view(2, 12)\n"
BROKEN = "a = = 3"
SUM = "z = x + torch.zeros(5, 5)"
FUNCTION = """\
import torch


def f(x):
    B, T, C = x.shape
    y = x.transpose(1, 2)
    return y
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def fix(*arguments: str) -> Result:
    return run("check", "--no-cache", *arguments)


def notebook(*cells: str) -> str:
    found = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def cells(path: Path) -> list[str]:
    return [cell["source"] for cell in json.loads(path.read_text())["cells"]]


def test_a_broken_cell_keeps_no_fix_back(folder: Path) -> None:
    path = folder / "n.ipynb"
    path.write_text(notebook(VIEW, BROKEN, SUM))
    done = fix("--fix", "n.ipynb")
    assert cells(path) == [VIEW.replace(").view", ").contiguous().view"), BROKEN, SUM]
    assert "Fixed 1 finding in 1 file.\nNot edited (cannot be parsed): n.ipynb (cell 2).\n" in (
        done.stderr
    )
    assert done.exit_code == 1
    done = fix("--add-ignore", "n.ipynb")
    assert cells(path)[2] == SUM + "  # namecheck: ignore[NC201]"
    assert "Silenced 1 finding in 1 file." in done.stderr


def test_a_broken_cell_keeps_no_annotation_back(folder: Path) -> None:
    path = folder / "n.ipynb"
    path.write_text(notebook(FUNCTION, BROKEN, "a b", "def g(\n"))
    done = run("annotate", "n.ipynb")
    assert cells(path)[0] == FUNCTION.replace("(1, 2)\n", "(1, 2)  # (B, C, T)\n")
    assert done.stderr == (
        "Wrote 1 annotation in 1 file.\n"
        "Not annotated (cannot be parsed): n.ipynb (cells 2, 3, 4).\n"
    )


@pytest.mark.parametrize("options", [["--diff"], ["--fix-only"], ["--fix"], ["--add-ignore"]])
def test_a_file_that_cannot_be_parsed_is_named(options: list[str], folder: Path) -> None:
    (folder / "a.py").write_text(VIEW + BROKEN)
    assert "Not edited (cannot be parsed): a.py.\n" in fix(*options, "a.py").stderr
    assert fix("--quiet", *options, "a.py").stderr == ""
    assert (folder / "a.py").read_text() == VIEW + BROKEN


def test_what_annotate_leaves_alone_is_named(folder: Path) -> None:
    for number in range(6):
        (folder / f"a{number}.py").write_text(BROKEN)
    (folder / "b.py").write_bytes(b"x = '\xff'\n")
    (folder / "c.py").write_text(FUNCTION + "torch.jit.script(f)\n")
    done = run("annotate", "--style", "jaxtyping", "--diff", ".")
    assert done.stderr.splitlines() == [
        "Not annotated (cannot be parsed): a0.py, a1.py, a2.py, a3.py and 2 more.",
        "Not annotated (cannot be read): b.py.",
        "Not annotated (TorchScript reads its annotations): c.py.",
    ]
    assert run("annotate", "--quiet", ".").stderr == ""
    assert run("annotate", "c.py").stderr == "Nothing to annotate.\n"


def test_what_is_found_and_has_no_fix_is_counted_where_no_report_says_it(folder: Path) -> None:
    (folder / "a.py").write_text("import torch\n\nx = torch.zeros(8, 5)\ny = x - x.mean(1)\n" + SUM)
    done = fix("--diff", "a.py")
    assert (done.stdout, done.exit_code) == ("", 0)
    assert done.stderr == (
        "1 finding can be fixed with --unsafe-fixes.\n1 finding has no fix that can be applied.\n"
    )
    assert "1 finding has no fix" in fix("--diff", "--unsafe-fixes", "a.py").stderr
    # The report says it of each.
    assert "no fix" not in fix("--fix", "a.py").stderr


def test_a_file_that_is_taken_back_is_named(folder: Path) -> None:
    mean = "import torch\n\nx = torch.zeros(8, 5)\nm = x.mean(1)\ny = x - m\n"
    (folder / "a.py").write_text(mean)
    (folder / "b.py").write_text("import torch\nfrom a import m\n\nw = m @ torch.zeros(8)\n")
    done = fix("--fix", "--unsafe-fixes", ".")
    assert (folder / "a.py").read_text() == mean
    assert "Not fixed (other findings would appear): a.py.\n" in done.stderr


def finding(line: int, kind: Applicability | None, code: str = "NC201") -> Finding:
    place = Span(line, 1, line, 2)
    edit = None if kind is None else Fix(kind, "do it", (Edit(place, ""),))
    return Finding("a.py", place, code, "size-mismatch", Level.ERROR, "wrong", fix=edit)


def test_the_sentences() -> None:
    def said(*findings: Finding, ignores: bool = False) -> list[str]:
        left = Checked(findings, Counts(), (), lambda path, cell: "", (), (), reported=findings)
        return list(undone(Fixed({}, 0, left), False, ignores, reported=True))

    assert said(finding(3, None), finding(3, None), finding(7, None), ignores=True) == [
        "Not silenced (no comment can go there): a.py:3, a.py:7."
    ]
    assert said(finding(3, Applicability.SAFE), finding(4, Applicability.UNSAFE)) == [
        "1 finding can be fixed by running this again."
    ]
    assert said() == said(finding(3, None)) == []


ODD = '''\
import torch

x = torch.zeros(2, 3) + f"""
{torch.zeros(2, 3) + torch.zeros(4, 5)}
""" \\
  + torch.zeros(3).view(7)
y = torch.zeros(3).view(7) + \\
    torch.zeros(2).view(8)
z = """
""" + str(torch.zeros(2).view(3)) + """
"""
'''


def test_comments_where_lines_end_in_strings_and_backslashes(folder: Path) -> None:
    (folder / "a.py").write_text(ODD)
    done = fix("--add-ignore", "a.py")
    assert "Silenced 5 findings in 1 file." in done.stderr
    assert done.exit_code == 0
    text = (folder / "a.py").read_text()
    assert text.count("# namecheck: ignore[") == 3
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(ODD))


NEWER = {
    "type": "type Pair[T] = tuple[\n    T, T\n]\n",
    "parameters": "def g[T: (int, str), *Ts](é: T) -> T:\n    return é\n\n\n"
    "class A[\n    T,\n]: ...\n",
    "f-string": "d = {'é': 1}\ns = f'{d['é']}'; q = x.transpose(1, 2).view(24)\n",
    "except": "try:\n    pass\nexcept ValueError, KeyError:\n    pass\n",
    "t-string": "s = t'{x}'\n",
}
"""Syntax of Python 3.12 and 3.14."""


@pytest.mark.parametrize("name", NEWER)
def test_syntax_that_is_newer_than_the_running_python(name: str, folder: Path) -> None:
    path, text = folder / "a.py", VIEW + NEWER[name]
    path.write_text(text)
    done = fix("--fix", "a.py")
    fixed = text.replace(").view", ").contiguous().view")
    assert path.read_text() == fixed
    assert "Fixed " in done.stderr
    path.write_text(text)
    fix("--add-ignore", "a.py")
    assert path.read_text().count("# namecheck: ignore[NC501]") == text.count(").view")
    path.write_text(text + FUNCTION)
    assert run("annotate", "a.py").stderr == "Wrote 1 annotation in 1 file.\n"
    assert path.read_text() == text + FUNCTION.replace("(1, 2)\n", "(1, 2)  # (B, C, T)\n")


def test_annotations_of_generic_functions(folder: Path) -> None:
    path = folder / "a.py"
    path.write_text(FUNCTION.replace("f(x)", "f[T](x)"))
    run("annotate", "--style", "jaxtyping", "a.py")
    assert 'def f[T](x: Shaped[torch.Tensor, "B T C"]) -> Shaped[' in path.read_text()


@pytest.mark.parametrize("name", NEWER)
def test_older_words_for_newer_syntax(name: str) -> None:
    text = NEWER[name]
    made = older(text, (3, 11))
    assert made is not None
    assert len(made.text) == len(text)
    assert made.text.count("\n") == text.count("\n")
    assert all(one in text and one not in made.text for one in made.replaced)
    ast.parse(made.text, feature_version=(3, 11))
    # What was replaced is part of the program still.
    assert Code(text).program != Code(text.replace("T", "S").replace("x", "y")).program or (
        sys.version_info >= (3, 14)
    )


@pytest.mark.parametrize("options", [["--diff"], ["--fix"], ["--add-ignore"]])
def test_syntax_that_nobody_here_has_older_words_for(options: list[str], folder: Path) -> None:
    """Of Python 3.15, which LibCST reads already."""
    text = VIEW + "lazy import os\n"
    (folder / "a.py").write_text(text)
    running = ".".join(map(str, sys.version_info[:2]))
    if running == "3.15":
        pytest.skip("it is this Python's own")
    why = f"(its syntax is newer than Python {running}, which runs namecheck): a.py.\n"
    assert why in fix(*options, "a.py").stderr
    (folder / "a.py").write_text(text + FUNCTION)
    assert f"Not annotated {why}" in run("annotate", "a.py").stderr


def test_what_has_no_older_words() -> None:
    assert older("x = 1\n", (3, 11)) is None
    assert older("def g[T](x):\n", (3, 11)) is None
    assert older("type X[\n\n] = int\n", (3, 11)) is None  # no room for a backslash
    assert older(NEWER["t-string"], (3, 14)) is None
    assert older(NEWER["type"] + "s = t'{x}'\n", (3, 13)) is None or sys.version_info >= (3, 12)


@pytest.mark.parametrize("place", ["d['é']", "x.transpose(1, 2).view(24)"])
def test_places_are_those_of_the_text(place: str) -> None:
    code = Code(NEWER["f-string"])
    calls = [node for node in code.nodes if isinstance(node, ast.Call)]
    assert any(code.written(node) == place for node in calls) is ("view" in place)
