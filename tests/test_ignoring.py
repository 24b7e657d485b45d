"""Edits that add suppression comments to findings: what they write, and that it silences them.

Then the same through `check --add-ignore`.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import example, given
from hypothesis import strategies as st

from invoking import invoke
from namecheck.findings import Edit, Finding, Level, Span
from namecheck.running import suppressions
from namecheck.running.ignoring import ignoring
from namecheck.text.layout import split_lines
from notebooks import code_cell, notebook

EXAMPLES = Path(__file__).parents[1] / "docs/examples/mistakes"


def finding(line: int, column: int, code: str = "NC202", end_line: int | None = None) -> Finding:
    span = Span(line, column, end_line or line, column + 1)
    return Finding("a.py", span, code, "a-name", Level.WARNING, "something is wrong")


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    lines = split_lines(text)
    for edit in reversed(edits):
        line, column, _, end = edit.span
        old = lines[line - 1]
        lines[line - 1] = old[: column - 1] + edit.content + old[end - 1 :]
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "findings", "edited"),
    [
        ("x = a - b\n", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]\n"),
        ("x = a - b", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]"),
        ("x = a - b\r\n", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]\r\n"),
        ("x = a - b   \n", [finding(1, 5)], "x = a - b  # namecheck: ignore[NC202]\n"),
        (
            "x = a - b  # why not\n",
            [finding(1, 5)],
            "x = a - b  # why not  # namecheck: ignore[NC202]\n",
        ),
        (
            "x = a - b  # namecheck: ignore[NC402] because\n",
            [finding(1, 5)],
            "x = a - b  # namecheck: ignore[NC402, NC202] because\n",
        ),
        (
            "x = a - b\n",
            [finding(1, 5), finding(1, 7, "NC101"), finding(1, 9)],
            "x = a - b  # namecheck: ignore[NC101, NC202]\n",
        ),
        ("x = a \\\n  - b\n", [finding(1, 5)], "x = a \\\n  - b  # namecheck: ignore[NC202]\n"),
        (
            'f("""\n""", a - b)\n',
            [finding(1, 1)],
            'f("""\n""", a - b)  # namecheck: ignore[NC202]\n',
        ),
        (
            "f(\n  a - b,\n  c)\n",
            [finding(2, 3)],
            "f(\n  a - b,  # namecheck: ignore[NC202]\n  c)\n",
        ),
        (
            "f(\n  a - b,\n  c - d)\n",
            [finding(2, 3), finding(3, 3, "NC201")],
            "f(\n  a - b,  # namecheck: ignore[NC202]\n  c - d)  # namecheck: ignore[NC201]\n",
        ),
        ("s = '😀'; a - b\n", [finding(1, 10)], "s = '😀'; a - b  # namecheck: ignore[NC202]\n"),
    ],
)
def test_written_comments_silence_the_findings(
    text: str, findings: list[Finding], edited: str
) -> None:
    edits = ignoring(text, findings)
    assert applied(text, edits) == edited
    directives = {"a.py": suppressions.read(edited)}
    assert not suppressions.apply(findings, directives, lambda path, code: code != "NC901", ())


def test_a_reason_follows_the_codes() -> None:
    (edit,) = ignoring("x = a - b\n", [finding(1, 5)], "it is meant")
    assert edit.content == "  # namecheck: ignore[NC202] it is meant"


def test_findings_that_cannot_be_silenced_are_left() -> None:
    assert ignoring("x = a - b\n", [finding(1, 5, "NC999")]) == ()
    assert ignoring("x = a - b\n", [finding(9, 1)]) == ()


PIECES = (
    "x = 1\n",
    "f(\n",
    "2,\n",
    ")\n",
    "if x:\n",
    "    y = '''\n",
    "'''\n",
    "z = 1 + \\\n",
    "    # a\n",
    "3  # namecheck: ignore[NC101] b\n",
    "4  # noqa: NC202\r\n",
    "\f# namecheck: ignore\n",
    "s = 'é∑' #\n",
    "f'{x!r:\"<5}'\n",
    "\n",
)


@example(["'''\n", "    y = '''\n"], {1, 2}, "")  # both lines are in one string
@given(
    st.lists(st.sampled_from(PIECES), max_size=10),
    st.sets(st.integers(1, 10), max_size=5),
    st.sampled_from(["", "why", "so\\", "# noqa"]),
)
def test_a_program_stays_the_same(pieces: list[str], lines: set[int], reason: str) -> None:
    text = "".join(pieces)
    try:
        tree = ast.dump(ast.parse(text))
    except SyntaxError:
        return
    findings = [finding(line, 1) for line in lines if line <= len(pieces)]
    edited = applied(text, ignoring(text, findings, reason))
    assert ast.dump(ast.parse(edited)) == tree
    directives = {"a.py": suppressions.read(edited)}
    left = suppressions.apply(findings, directives, lambda *_: True, ())
    assert ignoring(edited, left, reason) == (), "what can be silenced is silenced at once"
    starts = [number for number, piece in enumerate(pieces, 1) if piece == "x = 1\n"]
    assert not {f.span.line for f in left}.intersection(starts) or "'''" in text


# Through the command


def run(*arguments: str) -> Result:
    return invoke("check", *arguments)


PROGRAM = """# coding: latin-1
import torch
x = torch.zeros(3) + torch.zeros(4)
y = torch.zeros(3) + \\
    torch.zeros(4)  # é
def f():
\tz = torch.zeros(3, 4) @ torch.zeros(3) + torch.zeros(4) + torch.zeros(5)  # type: ignore
\treturn f(torch.zeros(3) + torch.zeros(4), '''
a''')
"""
SILENCED = """# coding: latin-1
import torch
x = torch.zeros(3) + torch.zeros(4)  # namecheck: ignore[NC201] it is so
y = torch.zeros(3) + \\
    torch.zeros(4)  # é  # namecheck: ignore[NC201] it is so
def f():
\tz = torch.zeros(3, 4) @ torch.zeros(3) + torch.zeros(4) + torch.zeros(5)  # type: ignore\
  # namecheck: ignore[NC201, NC203] it is so
\treturn f(torch.zeros(3) + torch.zeros(4), '''
a''')  # namecheck: ignore[NC201] it is so
"""


def test_comments_are_added(here: Path) -> None:
    file = here / "model.py"
    file.write_bytes(PROGRAM.replace("\n", "\r\n").encode("latin-1"))
    file.chmod(0o640)
    result = run("--add-ignore=it is so", "model.py")
    assert (result.exit_code, result.stderr) == (0, "Silenced 5 findings in 1 file.\n")
    assert result.stdout == "No findings (1 file checked).\n"
    written = file.read_bytes()
    assert written == SILENCED.replace("\n", "\r\n").encode("latin-1")
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(here) == ["model.py"]

    again = run("--add-ignore", ".")
    assert (again.exit_code, again.stderr) == (0, "")
    assert file.read_bytes() == written


def test_the_option_without_a_reason_does_not_take_a_path(here: Path) -> None:
    (here / "a.py").write_text("import torch\ntorch.zeros(3) + torch.zeros(4)\n")
    result = run("--add-ignore", "a.py")
    assert result.exit_code == 0, result.output
    assert (here / "a.py").read_text().endswith("(4)  # namecheck: ignore[NC201]\n")


def test_a_diff_writes_nothing(here: Path) -> None:
    (here / "a.py").write_text("import torch\ntorch.zeros(3) + torch.zeros(4)\n")
    result = run("--add-ignore=why", "--diff", "a.py")
    assert (result.exit_code, result.stderr) == (1, "Would silence 1 finding in 1 file.\n")
    assert "+torch.zeros(3) + torch.zeros(4)  # namecheck: ignore[NC201] why\n" in result.stdout
    assert (here / "a.py").read_text().endswith("(4)\n")


def test_our_comment_gets_more_codes_and_a_shape_comment_stays(here: Path) -> None:
    (here / "a.py").write_text(
        "import torch\n"
        "def f(x):\n"
        "    B, T, C = x.shape\n"
        "    y = x.transpose(1, 2)  # (B, T, C)\n"
        "    # namecheck: disable[NC101]\n"
        "    z = torch.zeros(3) + torch.zeros(4)  # namecheck: ignore[NC402] old\n"
        "    z = torch.zeros(3) + torch.zeros(4)  # namecheck: ignore\n"
        "    return y, z\n"
    )
    result = run("--add-ignore=new", "a.py", "--output-format", "concise")
    lines = (here / "a.py").read_text().splitlines()
    assert lines[3].endswith("# (B, T, C)  # namecheck: ignore[NC402] new")
    assert lines[5].endswith("# namecheck: ignore[NC402, NC201] old")
    assert lines[6].endswith("# namecheck: ignore  # namecheck: ignore[NC201] new")
    # Findings about comments are still reported: silencing those would be absurd.
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["NC901", "NC901", "NC902"]
    assert result.exit_code == 1


def test_a_notebook(here: Path) -> None:
    cells = ["import torch\n%time 1\n!echo 'it", "x = torch.zeros(3) + torch.zeros(4)"]
    (here / "n.ipynb").write_bytes(notebook(*map(code_cell, cells)))
    assert run("--add-ignore", "n.ipynb").exit_code == 0
    sources = [cell["source"] for cell in json.loads((here / "n.ipynb").read_text())["cells"]]
    assert ["".join(source) for source in sources] == [
        cells[0],
        f"{cells[1]}  # namecheck: ignore[NC201]",
    ]


def test_a_comment_that_cannot_be_written_is_reported(here: Path) -> None:
    (here / "a.py").write_bytes(PROGRAM.encode("latin-1"))
    result = run("--add-ignore=∑", "a.py")
    assert result.exit_code == 2
    assert "Error: cannot write a.py: latin-1 has no character '∑'\n" in result.stderr.replace(
        "iso-8859-1", "latin-1"
    )
    assert (here / "a.py").read_bytes() == PROGRAM.encode("latin-1")
    assert "NC201" in result.stdout


def test_files_that_are_not_python_are_left_alone(here: Path) -> None:
    (here / "a.py").write_text("x = (\n")
    result = run("--add-ignore", "a.py")
    assert result.exit_code == 1
    assert "NC900" in result.stdout
    assert (here / "a.py").read_text() == "x = (\n"


def test_findings_in_the_baseline_need_no_comment(here: Path) -> None:
    (here / "a.py").write_text("import torch\ntorch.zeros(3) + torch.zeros(4)\n")
    assert invoke("baseline", "write", "--baseline", "b.json").exit_code == 0
    assert run("--add-ignore", "--baseline", "b.json", ".").exit_code == 0
    assert "ignore" not in (here / "a.py").read_text()


def test_fixes_come_first(here: Path) -> None:
    (here / "a.py").write_text("x = 1\n")
    assert run("--add-ignore", "--fix", "a.py").exit_code == 2


def test_all_examples_can_be_silenced(here: Path) -> None:
    shutil.copytree(EXAMPLES, here / "examples")
    findings = json.loads(run("examples", "--output-format", "json").stdout)
    assert len(findings) >= 8
    result = run("--add-ignore", "examples")
    assert result.stdout.startswith("No findings")
    assert result.stderr.startswith(f"Silenced {len(findings)} findings")
    assert run("examples").exit_code == 0
