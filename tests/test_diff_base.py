"""`check --diff-base`: only findings that concern lines changed since a commit."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from notebooks import code_cell, notebook
from repositories import commit, git

OLD = """\
import torch


def f():
    x = torch.zeros(3)
    y = torch.zeros(4)
    z = 1
    return x + y


def g():
    return torch.zeros(5) + torch.zeros(6)
"""
IN_F, IN_G = 8, 12


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    git("init", "-q", "-b", "main")
    (here / "a.py").write_text(OLD)
    commit()
    return here


def run(*arguments: str) -> Result:
    return invoke("check", "--no-cache", *arguments)


def rows(*arguments: str, base: str = "HEAD") -> list[tuple[str, int]]:
    """The file and row of each finding that is reported."""
    result = run("--diff-base", base, "--output-format", "json", *arguments)
    assert result.exit_code in (0, 1), result.output
    return [
        (finding["filename"], finding["location"]["row"]) for finding in json.loads(result.stdout)
    ]


def edit(old: str, new: str, file: str = "a.py") -> None:
    text = Path(file).read_text()
    assert text.count(old) == 1
    Path(file).write_text(text.replace(old, new))


def test_nothing_changed() -> None:
    result = run("--diff-base", "HEAD")
    assert (result.exit_code, result.stdout) == (
        0,
        "No findings (1 file checked; 2 on lines unchanged since HEAD).\n",
    )


def test_the_line_of_the_finding_changed() -> None:
    edit("torch.zeros(5)", "torch.zeros(7)")
    assert rows() == [("a.py", IN_G)]


def test_a_line_that_led_to_the_finding_changed() -> None:
    edit("x = torch.zeros(3)", "x = torch.zeros(7)")
    assert rows() == [("a.py", IN_F)]


def test_another_line_of_the_function_changed() -> None:
    edit("z = 1", "z = 2")
    assert rows() == []


def test_lines_that_only_moved_are_unchanged() -> None:
    edit("import torch\n", "import torch\nimport os\n\n\n")
    assert rows() == []


def test_the_line_after_removed_lines_counts_as_changed() -> None:
    edit("    z = 1\n", "")
    assert rows() == [("a.py", IN_F - 1)]


def test_trailing_blanks_are_not_a_change() -> None:
    Path("a.py").write_bytes(OLD.replace("\n", " \r\n").encode())
    assert rows() == []


def test_an_untracked_file_is_new() -> None:
    Path("b.py").write_text(OLD)
    assert rows() == [("b.py", IN_F), ("b.py", IN_G)]
    git("add", "b.py")
    assert rows() == [("b.py", IN_F), ("b.py", IN_G)]


def test_a_renamed_file_is_the_same_file() -> None:
    git("mv", "a.py", "b.py")
    assert rows() == []
    edit("torch.zeros(5)", "torch.zeros(7)", "b.py")
    assert rows() == [("b.py", IN_G)]


def test_the_base_is_where_the_branches_diverged() -> None:
    git("switch", "-q", "-c", "mine")
    edit("torch.zeros(5)", "torch.zeros(7)")
    commit()
    git("switch", "-q", "main")
    edit("x = torch.zeros(3)", "x = torch.zeros(9)")
    commit()
    git("switch", "-q", "mine")
    assert rows(base="main") == [("a.py", IN_G)]


def test_a_commit_without_common_history() -> None:
    git("switch", "-q", "--orphan", "other")
    Path("a.py").write_text(OLD.replace("torch.zeros(5)", "torch.zeros(7)"))
    commit()
    assert rows(base="main") == [("a.py", IN_G)]


def test_a_finding_in_another_file_than_the_change(here: Path) -> None:
    (here / "lib.py").write_text("import torch\n\nw = torch.zeros(3)\n")
    (here / "use.py").write_text("import torch\nfrom lib import w\n\ny = w + torch.zeros(3)\n")
    commit()
    edit("w = torch.zeros(3)", "w = torch.zeros(4)", "lib.py")
    assert rows("use.py") == [("use.py", 4)]


def test_in_a_subfolder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "sub").mkdir()
    (here / "sub/b.py").write_text(OLD)
    commit()
    edit("torch.zeros(5)", "torch.zeros(7)", "sub/b.py")
    monkeypatch.chdir(here / "sub")
    assert rows(".") == [("b.py", IN_G)]
    assert rows("..") == [(str(here / "sub/b.py"), IN_G)]


def test_a_submodule_has_changes_of_its_own(here: Path) -> None:
    (here / "sub").mkdir()
    (here / "sub/b.py").write_text(OLD)
    git("init", "-q", "-b", "main", "sub")
    git("-C", "sub", "add", "-A")
    git("-C", "sub", "commit", "-q", "-m", "x")
    git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
    git("commit", "-q", "-m", "x")
    assert rows() == []


def test_odd_names(here: Path) -> None:
    for name in ("a b.py", "é.py", 'q"t.py', "new\nline.py"):
        (here / name).write_text(OLD)
    commit()
    edit("torch.zeros(5)", "torch.zeros(7)", "new\nline.py")
    edit("torch.zeros(5)", "torch.zeros(7)", "é.py")
    assert sorted(rows()) == [("new\nline.py", IN_G), ("é.py", IN_G)]


def test_notebooks_are_compared_cell_by_cell(here: Path) -> None:
    first = code_cell(["import torch\n", "x = torch.zeros(3) + torch.zeros(4)\n"])
    (here / "n.ipynb").write_bytes(notebook(first))
    commit()
    other, wrong = code_cell("import os\n"), code_cell("y = torch.zeros(5) + torch.zeros(6)\n")
    (here / "n.ipynb").write_bytes(notebook(other, first, wrong))
    assert rows("n.ipynb") == [("n.ipynb", 1)]
    (here / "n.ipynb").write_bytes(notebook(other, first | {"execution_count": 7}))
    assert rows("n.ipynb") == []


def test_a_file_that_cannot_be_read_is_reported_wherever_it_is_wrong(here: Path) -> None:
    (here / "broken.py").write_text("def f(:\n")
    commit()
    assert rows() == [("broken.py", 1)]


def test_only_reported_findings_are_fixed(here: Path) -> None:
    unused = "x = 1  # namecheck: ignore[NC202]\n"
    (here / "a.py").write_text(unused)
    commit()
    (here / "a.py").write_text(unused + unused.replace("x", "y"))
    result = run("--diff-base", "HEAD", "--fix", "--show-fixes")
    assert (here / "a.py").read_text() == unused + "y = 1\n"
    assert "Fixed 1 finding in 1 file:\n- a.py\n    1 × NC901 (unused-ignore)\n" in result.stderr
    assert "1 on lines unchanged since HEAD" in result.stdout


def test_standard_input(here: Path) -> None:
    changed = OLD.replace("torch.zeros(5)", "torch.zeros(7)")
    options = ("--stdin-filename", "a.py", "--output-format", "json")
    result = invoke("check", "--diff-base", "HEAD", *options, text=changed)
    assert [finding["location"]["row"] for finding in json.loads(result.stdout)] == [IN_G]


def test_a_diff_base_combines_with_a_baseline() -> None:
    invoke("baseline", "write")
    edit("torch.zeros(5)", "torch.zeros(7)")
    assert (
        "\nFound 1 finding in 1 file (1 checked; 1 known in namecheck-baseline.json).\n"
        in run("--diff-base", "HEAD").stdout
    )


@pytest.mark.parametrize("name", ["nope", "--help", "", "HEAD:a.py", "HEAD^{tree}"])
def test_a_commit_that_does_not_exist(name: str) -> None:
    result = run("--diff-base", name)
    assert result.exit_code == 2
    assert f"--diff-base: git does not know the commit {name!r}" in result.stderr


def test_no_repository(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    monkeypatch.chdir(outside)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(outside.parent))
    result = run("--diff-base", "HEAD")
    assert result.exit_code == 2
    assert "--diff-base: git says: not a git repository" in result.stderr


def test_no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = run("--diff-base", "HEAD")
    assert result.exit_code == 2
    assert "--diff-base needs git" in result.stderr


def test_commands_that_the_repository_configures_are_not_run(here: Path) -> None:
    trap = f"touch {here / 'trapped'}; cat"
    for key in (
        "core.fsmonitor",
        "diff.external",
        "filter.trap.clean",
        "filter.trap.process",
        "diff.trap.command",
        "diff.trap.textconv",
        "core.pager",
    ):
        git("config", key, trap)
    (here / ".gitattributes").write_text("*.py filter=trap diff=trap\n")
    (here / "c.py").write_text(OLD + "# renamed, perhaps\n")
    os.utime(here / "a.py", (1, 1))
    run("--diff-base", "HEAD")
    assert not (here / "trapped").exists(), git("--version")
