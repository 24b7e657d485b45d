"""Files that are not checked are counted and reported; files that git tracks are not ignored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from namecheck.files.left_out import (
    ENVIRONMENT,
    EXCLUDED,
    IGNORED,
    LANGUAGE,
    LINKED,
    LeftOut,
    sentence,
)
from namecheck.files.tracked import Tracked, tracked_in
from namecheck.main import main
from namecheck.running.discovery import SUFFIXES, discover
from notebooks import code_cell, notebook
from repositories import git

WRONG = "import torch\n\nz = torch.ones(3) + torch.ones(4)\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    lay("clean.py")
    return folder


def lay(*paths: str, text: str = "x = 1\n") -> None:
    for path in paths:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text)


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["check", *arguments, "."])


def last(*arguments: str) -> str:
    return check(*arguments).stdout.splitlines()[-1]


# The line below the summary


def test_files_that_are_ignored_as_usual_are_not_counted(here: Path) -> None:
    git("init", "-q")
    (here / ".gitignore").write_text("/outputs/\n/generated.py\n")
    lay(".venv/pyvenv.cfg", "outputs/run.py", "generated.py", "build/lib/a.py", "notes.txt")
    lay("__pycache__/a.py", "node_modules/x/setup.py", ".ci/run.py", "venv/a.py", "data/x.csv")
    git("add", "clean.py")
    assert check().output == "No findings (1 file checked).\n"
    listed = CliRunner().invoke(main, ["check", "--show-files", "."])
    assert listed.stdout == "clean.py\n"
    assert "Left out: outputs/ (ignored by git)\n" in listed.stderr
    assert "Left out: generated.py (ignored by git)\n" in listed.stderr


def test_left_out_files_are_counted_by_reason(here: Path) -> None:
    (here / "namecheck.toml").write_text('extend-exclude = ["/gen/", "/third_party/", "*_pb2.py"]')
    lay("gen/a.py", "third_party/b.py", "a_pb2.py", "src/b_pb2.py", "src/c_pb2.py", "src/b.py")
    lay("env/pyvenv.cfg", text="home = /usr/bin\n")
    assert last() == (
        "Left out: 1 virtual environment, 3 files excluded by the settings, "
        "2 folders excluded by the settings (--show-files lists them)."
    )
    assert "Left out" not in check("-q").output
    assert "Left out" not in check("src/b.py", "-qq").output


def test_named_files_that_are_left_out_are_counted() -> None:
    lay("gen/a.py")
    done = CliRunner().invoke(
        main, ["check", "clean.py", "gen/a.py", "--force-exclude", "--exclude", "gen"]
    )
    assert "Left out: 1 file excluded by the settings" in done.stdout


@pytest.mark.parametrize("form", ["json", "json-lines", "sarif", "junit", "gitlab", "rdjson"])
def test_formats_for_programs_are_unchanged(form: str) -> None:
    plain = check("--output-format", form).stdout
    lay("gen/a.py")
    done = check("--output-format", form, "--exclude", "gen")
    assert done.stdout == plain
    assert done.stderr == (
        "Left out: 1 folder excluded by the settings (--show-files lists them).\n"
    )


def test_the_report_goes_into_the_file_and_the_line_to_the_user(here: Path) -> None:
    lay("gen/a.py")
    done = check("--output-format", "json", "--output-file", "../report.json", "--exclude", "gen")
    assert "Left out: 1 folder excluded" in done.stdout
    assert json.loads((here.parent / "report.json").read_text()) == []


def test_the_sentence() -> None:
    assert sentence([]) == ""
    assert sentence([LeftOut("a", True, IGNORED, expected=False)]) == ""
    assert sentence([LeftOut(f"{n}.py", False, IGNORED) for n in range(1200)]).startswith(
        "Left out: 1,200 files ignored by git ("
    )


# Environments


@pytest.mark.parametrize(
    ("config", "is_one"),
    [
        ("", False),
        ("\n# home = x\n", False),
        ("include-system-site-packages = false\n", False),
        ("home =\n", False),
        ("home = /usr/bin\nversion = 3.11.2\n", True),
        ("  HOME=/usr/bin\r\n", True),
    ],
)
def test_folders_that_are_environments(config: str, is_one: bool) -> None:
    lay("env/pyvenv.cfg", text=config)
    lay("env/a.py", text=WRONG)
    discovered = discover(["."])
    assert ("env/a.py" in discovered.files) is not is_one
    assert discovered.left_out == ((LeftOut("env/", True, ENVIRONMENT),) if is_one else ())


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders")
def test_folders_that_only_look_like_environments(here: Path) -> None:
    lay("a/a.py", "b/b.py", "c/c.py", "d/d.py", "c/conda-meta/x.json", text=WRONG)
    os.mkfifo(here / "a/pyvenv.cfg")
    (here / "b/pyvenv.cfg").symlink_to("/dev/zero")
    (here / "d/pyvenv.cfg").mkdir()
    assert discover(["."]).files == ("a/a.py", "b/b.py", "c/c.py", "clean.py", "d/d.py")


# Links


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_linked_folder_with_code_in_it_is_counted(here: Path) -> None:
    lay("../elsewhere/a.py", "../data/x.csv", "src/b.py")
    for name, target in {"one": "../elsewhere", "data": "../data", "again": "src"}.items():
        (here / name).symlink_to(target)
    lay(".core/a.py")
    (here / "core").symlink_to(".core")  # a link makes hidden code importable
    (here / "loop").symlink_to("loop")
    (here / "gone").symlink_to("nowhere")
    discovered = discover(["."])
    assert discovered.files == ("clean.py", "src/b.py")
    assert discovered.left_out == (
        LeftOut("core/", True, LINKED),
        LeftOut("data/", True, LINKED, expected=False),
        LeftOut("one/", True, LINKED),
    )
    assert last() == "Left out: 2 linked folders (--show-files lists them)."
    assert discover([".", "../elsewhere"]).left_out == discovered.left_out[:2]


# Notebooks


def test_a_notebook_in_another_language_is_counted(here: Path) -> None:
    for path, language in (("a.ipynb", "R"), ("b.ipynb", "python")):
        (here / path).write_bytes(notebook(code_cell(WRONG), language_info={"name": language}))
    assert "1 notebook in another language" in last()
    (here / "b.ipynb").unlink()
    lines = check().stdout.splitlines()
    assert lines[0] == "No findings (2 files checked)."
    assert lines[1] == "Left out: 1 notebook in another language (--show-files lists them)."
    assert LANGUAGE not in check("--exclude", "a.ipynb").stdout
    listed = CliRunner().invoke(main, ["check", "--show-files", "."])
    assert listed.stdout == "clean.py\n"
    assert listed.stderr == "Left out: a.ipynb (a notebook in another language)\n"


# What git tracks


TRACKED = ("src/kept.py", "src/deep/er/kept.ipynb", "top.py", "ö/ä.py")


@pytest.fixture
def repository(here: Path) -> Path:
    git("init", "-q")
    lay(*TRACKED, text=WRONG)
    lay("src/other.py", "src/deep/er/notes.txt", "src/data/x.py", "untracked.py")
    git("add", *TRACKED, "src/deep/er/notes.txt")
    return here


def folders_of(files: tuple[str, ...]) -> set[str]:
    return {"/".join(f.split("/")[:n]) for f in files for n in range(1, f.count("/") + 1)}


def test_a_tracked_file_is_checked_whatever_is_ignored(repository: Path) -> None:
    (repository / ".gitignore").write_text("*\n!.gitignore\n")
    assert discover(["."]).files == ("src/deep/er/kept.ipynb", "src/kept.py", "top.py", "ö/ä.py")
    assert discover(["src"]).files == ("src/deep/er/kept.ipynb", "src/kept.py")
    (repository / ".gitignore").write_text("/src/\ntop.py\n")
    assert "untracked.py" in discover(["."]).files
    assert set(discover(["."]).files) >= set(TRACKED)
    assert not {"src/other.py", "src/data/x.py"} & set(discover(["."]).files)
    (repository / ".git/info/exclude").write_text("*.py\n")
    assert set(discover(["."]).files) == set(TRACKED)


def test_files_that_the_settings_exclude_stay_out(repository: Path) -> None:
    (repository / "namecheck.toml").write_text('extend-exclude = ["deep"]')
    (repository / ".gitignore").write_text("/src/\n")
    discovered = discover(["."], configuration())
    assert "src/deep/er/kept.ipynb" not in discovered.files
    assert LeftOut("src/deep/", True, EXCLUDED) in discovered.left_out


def configuration() -> Any:
    from namecheck.settings.config import Configuration

    return Configuration()


def test_a_default_that_hides_tracked_files_is_reported(repository: Path) -> None:
    lay("build/a.py", "venv/b.py", "src/build/c.py")
    git("add", "-f", "build/a.py", "src/build/c.py")
    left = {item.path: item.expected for item in discover(["."]).left_out}
    assert left == {"build/": True, "src/build/": True}


def test_without_an_index_everything_ignored_is_counted(here: Path) -> None:
    lay("a.py", "b/c.py", text=WRONG)
    (here / ".gitignore").write_text("*.py\n/b/\n")
    assert last() == (
        "Left out: 2 files ignored by git, 1 folder ignored by git (--show-files lists them)."
    )
    assert "Left out" not in check("--no-respect-gitignore").stdout


@pytest.mark.parametrize(
    "how",
    [
        (),
        ("update-index", "--index-version", "3"),
        ("update-index", "--index-version", "4"),
        ("update-index", "--skip-worktree", "src/kept.py"),
        ("update-index", "--assume-unchanged", "top.py"),
        ("update-index", "--untracked-cache"),
    ],
)
def test_every_index_is_read(repository: Path, how: tuple[str, ...]) -> None:
    lay(*(f"many/{'n' * n}.py" for n in range(1, 40)), text="")
    git("add", "-N", "many/n.py")
    git("add", "many")
    if how:
        git(*how)
    files = (*TRACKED, *(f"many/{'n' * n}.py" for n in range(1, 40)))
    assert tracked_in(str(repository), SUFFIXES) == Tracked(
        frozenset(files), frozenset(folders_of(files))
    )
    lay("x" * 200 + "/" + "y" * 200 + "/" + "z" * 200 + ".py")
    for length in range(4090 - len(str(repository)), 3990 - len(str(repository)), -10):
        git("update-index", "--add", "--cacheinfo", f"100644,{'e' * 40},{'d/' * (length // 2)}l.py")
    tracked = tracked_in(str(repository), SUFFIXES)
    assert tracked is not None
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py", "*.ipynb"], check=True, capture_output=True
    )
    assert tracked.files == set(os.fsdecode(listed.stdout).split("\0")) - {""}


def test_the_index_of_a_second_working_tree_and_of_sha256(repository: Path, tmp_path: Path) -> None:
    git("commit", "-qm", "x")
    git("worktree", "add", "-q", str(tmp_path / "second"))
    tracked = tracked_in(str(tmp_path / "second"), SUFFIXES)
    assert tracked is not None
    assert tracked.files == set(TRACKED)
    other = tmp_path / "other"
    git("init", "-q", "--object-format=sha256", str(other))
    for number in range(9):
        (other / f"{'a' * number}.py").write_text("")
    git("-C", str(other), "add", ".")
    tracked = tracked_in(str(other), SUFFIXES)
    assert tracked is not None
    assert len(tracked.files) == 9


def test_a_split_index_is_unknown(repository: Path) -> None:
    git("update-index", "--split-index")
    assert tracked_in(str(repository), SUFFIXES) is None
    (repository / ".gitignore").write_text("/src/\n")
    assert LeftOut("src/", True, IGNORED) in discover(["."]).left_out


def test_any_content_of_an_index(repository: Path) -> None:
    """A truncated index, or one with a changed byte, is known or unknown, and never a failure."""
    index = repository / ".git/index"
    content = index.read_bytes()
    for end in range(0, len(content), 3):
        index.write_bytes(content[:end])
        assert end == len(content) or tracked_in(str(repository), SUFFIXES) is None
        index.write_bytes(content[:end] + bytes([content[end] ^ 0xFF]) + content[end + 1 :])
        tracked_in(str(repository), SUFFIXES)
    index.write_bytes(b"DIRC\0\0\0\4\xff\xff\xff\xff" + b"\xff" * 10_000)
    assert tracked_in(str(repository), SUFFIXES) is None
    for text in ("gitdir: \0", "gitdir: /dev/null", "gitdir: nowhere", "", "\xff"):
        lay("odd/.git", "odd/a.py", text=text)
        discover(["odd"])


# Paths that are not files


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
@pytest.mark.parametrize(
    "name",
    [".gitignore", "pyproject.toml", "namecheck.toml", ".git", ".git/info/exclude", ".git/index"],
)
@pytest.mark.parametrize("what", ["pipe", "/dev/zero", "/dev/full", "loop"])
def test_endless_files_are_not_read(here: Path, name: str, what: str) -> None:
    lay("wrong.py", text=WRONG)
    path = here / name
    if name.startswith(".git/"):
        git("init", "-q")
        lay("src/a.py")
        (here / ".gitignore").write_text("/src/\n")
        path.unlink(missing_ok=True)
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name if what == "loop" else what)
    done = check("--output-format", "concise")
    assert (done.exit_code, "NC201" in done.stdout) == (1, True), done.output
    if name in ("pyproject.toml", ".gitignore"):
        assert CliRunner().invoke(main, ["annotate", "--diff", "."]).exit_code in (0, 1)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
def test_endless_imports_are_not_read(here: Path) -> None:
    os.mkfifo(here / "pipe.py")
    (here / "zero.py").symlink_to("/dev/zero")
    lay("user.py", text=f"from pipe import f\nfrom zero import g\n{WRONG}f(z), g(z)\n")
    done = check("--output-format", "concise")
    assert (done.exit_code, "NC201" in done.stdout) == (1, True), done.output


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero here")
@pytest.mark.parametrize("what", ["pipe", "/dev/zero"])
def test_an_endless_baseline(here: Path, what: str) -> None:
    (here / "namecheck.toml").write_text('baseline = "known.json"')
    if what == "pipe":
        os.mkfifo(here / "known.json")
    else:
        (here / "known.json").symlink_to(what)
    lay("wrong.py", text=WRONG)
    done = check()
    assert done.exit_code == 2
    assert "cannot read the baseline known.json: not a regular file" in done.stderr


def test_folders_nested_as_deeply_as_a_path_is_long(here: Path) -> None:
    deep = min(1200, (4000 - len(str(here))) // 2)
    handle = os.open(here, os.O_RDONLY)
    for _ in range(deep):
        os.mkdir("d", dir_fd=handle)
        inner = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(os.open("a.py", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
    os.close(handle)
    name = "d/" * deep + "a.py"
    try:
        assert discover([".", name], configuration()).files == ("clean.py", name)
        assert discover([name], configuration()).files == (name,)
    finally:  # pytest would recurse into it
        os.remove(name)
        os.removedirs("d/" * deep)


# Baselines


def test_a_baseline_that_forgives_too_many_findings_is_reported(here: Path) -> None:
    lay("wrong.py", text=WRONG)
    CliRunner().invoke(main, ["baseline", "write"])
    (file,) = here.glob("*.json")
    (here / "namecheck.toml").write_text(f'baseline = "{file.name}"')
    assert last() == f"No findings (2 files checked; 1 known in {file.name})."
    content = json.loads(file.read_text())
    content["findings"][0]["count"] = 10**9
    file.write_text(json.dumps(content))
    assert last() == (
        f"{file.name} forgives 999,999,999 findings that are gone (`namecheck baseline prune`)."
    )
    assert check("-q").output == ""
    assert json.loads(check("--output-format", "json").stdout) == []
    assert CliRunner().invoke(main, ["baseline", "check"]).exit_code == 1
    for count in (10**9 + 1, 10**30, 10**400, -1, 0):
        content["findings"][0]["count"] = count
        file.write_text(json.dumps(content))
        done = check()
        assert done.exit_code == 2
        assert "is not a baseline of namecheck" in done.stderr
