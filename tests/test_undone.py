"""`--fix`, `--add-ignore` and `annotate` do all that they can, and say what they leave and why."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from namecheck.applying.rounds import Fixed
from namecheck.applying.undone import undone
from namecheck.findings import Applicability, Counts, Edit, Finding, Fix, Level, Span
from namecheck.fixes.code import Code
from namecheck.fixes.newer_syntax import older
from namecheck.running.checking import Checked
from notebooks import code_cell, notebook

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


def fix(*arguments: str) -> Result:
    return invoke("check", "--no-cache", *arguments)


def cells(path: Path) -> list[str]:
    return [cell["source"] for cell in json.loads(path.read_text())["cells"]]


def test_a_broken_cell_does_not_block_a_fix(here: Path) -> None:
    path = here / "n.ipynb"
    path.write_bytes(notebook(*map(code_cell, (VIEW, BROKEN, SUM))))
    done = fix("--fix", "n.ipynb")
    assert cells(path) == [VIEW.replace(").view", ").contiguous().view"), BROKEN, SUM]
    assert "Fixed 1 finding in 1 file.\nNot edited (cannot be parsed): n.ipynb (cell 2).\n" in (
        done.stderr
    )
    assert done.exit_code == 1
    done = fix("--add-ignore", "n.ipynb")
    assert cells(path)[2] == SUM + "  # namecheck: ignore[NC201]"
    assert "Silenced 1 finding in 1 file." in done.stderr


def test_a_broken_cell_does_not_block_an_annotation(here: Path) -> None:
    path = here / "n.ipynb"
    path.write_bytes(notebook(*map(code_cell, (FUNCTION, BROKEN, "a b", "def g(\n"))))
    done = invoke("annotate", "n.ipynb")
    assert cells(path)[0] == FUNCTION.replace("(1, 2)\n", "(1, 2)  # (B, C, T)\n")
    assert done.stderr == (
        "Wrote 1 annotation in 1 file.\n"
        "Not annotated (cannot be parsed): n.ipynb (cells 2, 3, 4).\n"
    )


@pytest.mark.parametrize("options", [["--diff"], ["--fix-only"], ["--fix"], ["--add-ignore"]])
def test_a_file_that_cannot_be_parsed_is_named(options: list[str], here: Path) -> None:
    (here / "a.py").write_text(VIEW + BROKEN)
    assert "Not edited (cannot be parsed): a.py.\n" in fix(*options, "a.py").stderr
    assert fix("--quiet", *options, "a.py").stderr == ""
    assert (here / "a.py").read_text() == VIEW + BROKEN


def test_files_that_annotate_leaves_alone_are_named(here: Path) -> None:
    for number in range(6):
        (here / f"a{number}.py").write_text(BROKEN)
    (here / "b.py").write_bytes(b"x = '\xff'\n")
    (here / "c.py").write_text(FUNCTION + "torch.jit.script(f)\n")
    done = invoke("annotate", "--style", "jaxtyping", "--diff", ".")
    assert done.stderr.splitlines() == [
        "Not annotated (cannot be parsed): a0.py, a1.py, a2.py, a3.py and 2 more.",
        "Not annotated (cannot be read): b.py.",
        "Not annotated (TorchScript reads its annotations): c.py.",
    ]
    assert invoke("annotate", "--quiet", ".").stderr == ""
    assert invoke("annotate", "c.py").stderr == "Nothing to annotate.\n"


def test_findings_without_a_fix_are_counted_if_there_is_no_report(here: Path) -> None:
    (here / "a.py").write_text("import torch\n\nx = torch.zeros(8, 5)\ny = x - x.mean(1)\n" + SUM)
    done = fix("--diff", "a.py")
    assert (done.stdout, done.exit_code) == ("", 0)
    assert done.stderr == (
        "1 finding can be fixed with --unsafe-fixes.\n1 finding has no fix that can be applied.\n"
    )
    assert "1 finding has no fix" in fix("--diff", "--unsafe-fixes", "a.py").stderr
    # The report mentions it for each finding.
    assert "no fix" not in fix("--fix", "a.py").stderr


def test_a_file_whose_edits_are_withdrawn_is_named(here: Path) -> None:
    mean = "import torch\n\nx = torch.zeros(8, 5)\nm = x.mean(1)\ny = x - m\n"
    (here / "a.py").write_text(mean)
    (here / "b.py").write_text("import torch\nfrom a import m\n\nw = m @ torch.zeros(8)\n")
    done = fix("--fix", "--unsafe-fixes", ".")
    assert (here / "a.py").read_text() == mean
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


def test_comments_on_lines_that_end_in_strings_and_backslashes(here: Path) -> None:
    (here / "a.py").write_text(ODD)
    done = fix("--add-ignore", "a.py")
    assert "Silenced 5 findings in 1 file." in done.stderr
    assert done.exit_code == 0
    text = (here / "a.py").read_text()
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
def test_syntax_newer_than_the_running_python(name: str, here: Path) -> None:
    path, text = here / "a.py", VIEW + NEWER[name]
    path.write_text(text)
    done = fix("--fix", "a.py")
    fixed = text.replace(").view", ").contiguous().view")
    assert path.read_text() == fixed
    assert "Fixed " in done.stderr
    path.write_text(text)
    fix("--add-ignore", "a.py")
    assert path.read_text().count("# namecheck: ignore[NC501]") == text.count(").view")
    path.write_text(text + FUNCTION)
    assert invoke("annotate", "a.py").stderr == "Wrote 1 annotation in 1 file.\n"
    assert path.read_text() == text + FUNCTION.replace("(1, 2)\n", "(1, 2)  # (B, C, T)\n")


def test_annotations_of_generic_functions(here: Path) -> None:
    path = here / "a.py"
    path.write_text(FUNCTION.replace("f(x)", "f[T](x)"))
    invoke("annotate", "--style", "jaxtyping", "a.py")
    assert 'def f[T](x: Shaped[torch.Tensor, "B T C"]) -> Shaped[' in path.read_text()


@pytest.mark.parametrize("name", NEWER)
def test_older_code_for_newer_syntax(name: str) -> None:
    text = NEWER[name]
    undone = older(text, (3, 11))
    assert undone is not None
    assert len(undone.text) == len(text)
    assert undone.text.count("\n") == text.count("\n")
    assert all(newer in text and newer not in undone.text for newer in undone.replaced)
    ast.parse(undone.text, feature_version=(3, 11))
    # The replaced code is still a part of the program.
    assert Code(text).program != Code(text.replace("T", "S").replace("x", "y")).program or (
        sys.version_info >= (3, 14)
    )


@pytest.mark.parametrize("options", [["--diff"], ["--fix"], ["--add-ignore"]])
def test_syntax_without_an_older_equivalent(options: list[str], here: Path) -> None:
    """The syntax of Python 3.15, which LibCST reads already."""
    text = VIEW + "lazy import os\n"
    (here / "a.py").write_text(text)
    running = ".".join(map(str, sys.version_info[:2]))
    if running == "3.15":
        pytest.skip("it is this Python's own")
    why = f"(its syntax is newer than Python {running}, which runs namecheck): a.py.\n"
    assert why in fix(*options, "a.py").stderr
    (here / "a.py").write_text(text + FUNCTION)
    assert f"Not annotated {why}" in invoke("annotate", "a.py").stderr


def test_code_without_an_older_equivalent() -> None:
    assert older("x = 1\n", (3, 11)) is None
    assert older("def g[T](x):\n", (3, 11)) is None
    assert older("type X[\n\n] = int\n", (3, 11)) is None  # no room for a backslash
    assert older(NEWER["t-string"], (3, 14)) is None
    assert older(NEWER["type"] + "s = t'{x}'\n", (3, 13)) is None or sys.version_info >= (3, 12)


@pytest.mark.parametrize("place", ["d['é']", "x.transpose(1, 2).view(24)"])
def test_places_refer_to_the_original_text(place: str) -> None:
    code = Code(NEWER["f-string"])
    calls = [node for node in code.nodes if isinstance(node, ast.Call)]
    assert any(code.written(node) == place for node in calls) is ("view" in place)
