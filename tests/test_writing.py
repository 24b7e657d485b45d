"""Writing a file changes only its bytes, and never goes through a link."""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from namecheck.applying.writing import Unwritable, write_bytes
from namecheck.files.disk import Changed, Folder, put
from namecheck.main import main

VIEW = """\
import torch

x = torch.zeros(2, 3, 4)
y = x.transpose(1, 2).view(8, 3)


def f(x):
    B, T, C = x.shape
    z = x.transpose(1, 2)
    return z
"""
VIEWED = VIEW.replace(".view", ".contiguous().view")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
as_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "view.py").write_text(VIEW)
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Path]:
    """A folder with a file that a run would edit, and must not."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "theirs.py").write_text(VIEW)
    (folder / "notes.txt").write_text("precious")
    yield folder
    assert (folder / "theirs.py").read_text() == VIEW
    assert (folder / "notes.txt").read_text() == "precious"
    assert sorted(os.listdir(folder)) == ["notes.txt", "theirs.py"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, [arguments[0], "--isolated", *arguments[1:]])


# Properties of a file besides its bytes


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("mode", [0o4755, 0o2755, 0o6711, 0o1644, 0o600, 0o666])
def test_all_bits_of_the_mode_stay(project: Path, mode: int) -> None:
    (project / "view.py").chmod(mode)
    assert run("check", "--fix", ".").exit_code == 0
    assert (project / "view.py").read_text() == VIEWED
    assert stat.S_IMODE((project / "view.py").stat().st_mode) == mode


@as_root
@pytest.mark.parametrize("names", [1, 2])
def test_the_owner_and_the_setuid_bit_stay(project: Path, names: int) -> None:
    path = project / "view.py"
    os.chown(path, 12345, 23456)
    path.chmod(0o6755)
    if names == 2:
        os.link(path, project / "again.txt")
    assert run("check", "--fix", ".").exit_code == 0
    status = path.stat()
    assert path.read_text() == VIEWED
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 23456, 0o6755)


def test_a_file_whose_owner_cannot_be_kept_is_written_in_place(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It belongs to another user, who allows writing it."""
    path = project / "view.py"
    number = path.stat().st_ino
    fstat = os.fstat

    def another(handle: int) -> os.stat_result:
        status = fstat(handle)
        if status.st_ino != number:
            return status
        values = list(status)
        values[4] = 54321
        return os.stat_result(values)

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fstat", another)
    monkeypatch.setattr(os, "fchown", refuse)
    write_bytes("view.py", b"new", VIEW.encode())
    assert path.read_bytes() == b"new"
    assert path.stat().st_ino == number
    assert os.listdir(project) == ["view.py"]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("arguments", [("check", "--fix"), ("annotate",)])
def test_all_hard_links_of_a_file_see_the_new_content(
    project: Path, outside: Path, arguments: tuple[str, ...]
) -> None:
    os.link(project / "view.py", project.parent / "second")
    (project / "view.py").chmod(0o750)
    number = (project / "view.py").stat().st_ino
    assert run(*arguments, ".").exit_code in (0, 1)
    text = (project / "view.py").read_text()
    assert text != VIEW
    assert (project.parent / "second").read_text() == text
    assert (project / "view.py").stat().st_ino == number
    assert stat.S_IMODE((project / "view.py").stat().st_mode) == 0o750
    assert os.listdir(project) == ["view.py"]


def test_a_file_with_two_hard_links_is_restored_after_a_failure(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills up during the write."""
    os.link("view.py", "again.py")
    write = os.write
    left = [10]

    def full(handle: int, content: bytes) -> int:
        if left[0] <= 0:
            left[0] = 10**9
            raise OSError(28, "No space left on device")
        done = write(handle, bytes(content)[: left[0]])
        left[0] -= done
        return done

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Unwritable, match="No space left on device"):
        write_bytes("view.py", b"z" * 10_000, VIEW.encode())
    assert (project / "view.py").read_text() == VIEW
    assert sorted(os.listdir(project)) == ["again.py", "view.py"]


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no attributes here")
def test_attributes_stay(project: Path) -> None:
    try:
        os.setxattr("view.py", "user.origin", b"here")
    except OSError:
        pytest.skip("this file system has no attributes")
    run("check", "--fix", ".")
    assert os.getxattr("view.py", "user.origin") == b"here"


def test_a_new_file_has_the_mode_of_new_files(project: Path) -> None:
    before = os.umask(0o027)
    try:
        with Folder.at(str(project)) as folder:
            put(folder, "new", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((project / "new").stat().st_mode) == 0o640


def test_a_file_that_has_changed_is_left(project: Path) -> None:
    with Folder.at(str(project)) as folder:
        with pytest.raises(Changed):
            put(folder, "view.py", b"x", b"something else")
        with pytest.raises(FileNotFoundError):
            put(folder, "gone.py", b"x", b"")
        os.mkfifo("pipe.py")
        with pytest.raises(OSError, match="not a regular file"):
            put(folder, "pipe.py", b"x", b"")
        os.mkdir("folder.py")
        with pytest.raises(IsADirectoryError):
            put(folder, "folder.py", b"x", b"")
    assert sorted(os.listdir(project)) == ["folder.py", "pipe.py", "view.py"]


# Links


EDITS = [("check", "--fix"), ("check", "--fix-only"), ("check", "--add-ignore"), ("annotate",)]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("target", ["../outside/theirs.py", "{}/theirs.py", "second.py"])
def test_a_link_to_a_file_outside_is_refused_and_the_others_are_written(
    project: Path, outside: Path, edit: tuple[str, ...], target: str
) -> None:
    (project / "link.py").symlink_to(target.format(outside))
    (project / "second.py").symlink_to("../outside/theirs.py")
    done = run(*edit, ".")
    assert done.exit_code == 2
    assert done.stderr.count("links are not written through") == 1, done.stderr
    assert (project / "view.py").read_text() != VIEW
    assert (project / "link.py").is_symlink()


@pytest.mark.parametrize("edit", EDITS)
def test_a_link_that_is_named_is_refused_too(
    project: Path, outside: Path, edit: tuple[str, ...]
) -> None:
    """A shell names it for `*.py`; the message says which file to name instead."""
    (project / "link.py").symlink_to("../outside/theirs.py")
    (project / "inside.py").symlink_to("view.py")
    done = run(*edit, "link.py", "inside.py")
    assert done.exit_code == 2
    for name, leads in (("link.py", "../outside/theirs.py"), ("inside.py", "view.py")):
        assert f"Error: cannot write {name}: it is a link to {leads}, and links" in done.stderr
    assert (project / "view.py").read_text() == VIEW


def test_a_link_to_a_checked_file_does_not_matter(project: Path) -> None:
    (project / "again.py").symlink_to("view.py")
    done = run("check", "--fix", ".")
    assert (done.exit_code, (project / "view.py").read_text()) == (0, VIEWED)


def test_a_link_with_nothing_to_write_does_not_matter(project: Path, outside: Path) -> None:
    (outside / "theirs.py").write_text("x = 1\n")
    (project / "link.py").symlink_to("../outside/theirs.py")
    for edit in EDITS:
        assert run(*edit, ".").exit_code in (0, 1)
    (outside / "theirs.py").write_text(VIEW)


def test_a_diff_shows_what_would_be_written(project: Path, outside: Path) -> None:
    (project / "link.py").symlink_to("../outside/theirs.py")
    for edit in (("check", "--diff"), ("annotate", "--diff")):
        done = run(*edit, ".")
        assert done.exit_code == 2
        assert "links are not written through" in done.stderr
        assert "view.py" in done.stdout
        assert "link.py" not in done.stdout


@pytest.mark.usefixtures("held")
def test_a_folder_on_the_path_may_be_a_link_only_if_it_is_named(
    project: Path, outside: Path
) -> None:
    (project / "way").symlink_to("../outside")
    done = run("check", "--fix", "way/theirs.py")
    assert done.exit_code == 2
    assert "cannot write way/theirs.py: way is a link to ../outside" in done.stderr
    (project / "mine").symlink_to("../mine")
    (project.parent / "mine").mkdir()
    (project.parent / "mine/view.py").write_text(VIEW)
    assert run("check", "--fix", "mine").exit_code == 0
    assert (project.parent / "mine/view.py").read_text() == VIEWED


def test_a_project_that_is_reached_by_a_link(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.parent / "way").symlink_to("project")
    assert run("check", "--fix", "../way/view.py").exit_code == 0
    assert (project / "view.py").read_text() == VIEWED
    (project / "view.py").write_text(VIEW)
    assert run("check", "--fix", str(project.parent / "way")).exit_code == 0
    (project / "view.py").write_text(VIEW)
    monkeypatch.chdir(project.parent / "way")
    assert run("check", "--fix", "view.py").exit_code == 0
    assert (project / "view.py").read_text() == VIEWED


# Reports and baselines


WRITERS: list[Callable[[str], Result]] = [
    lambda name: run("check", "--output-format", "json", "--output-file", name, "."),
    lambda name: CliRunner().invoke(main, ["baseline", "write", "--isolated", "--baseline", name]),
]


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize("write", WRITERS, ids=["report", "baseline"])
@pytest.mark.parametrize("target", ["../outside/notes.txt", "{}/notes.txt", "../outside/new", "l"])
def test_no_report_goes_through_a_link(
    project: Path, outside: Path, write: Callable[[str], Result], target: str
) -> None:
    (project / "l").symlink_to("../outside/notes.txt")
    (project / "out.json").symlink_to(target.format(outside))
    (project / "folder").symlink_to("../outside")
    for name, link in (
        ("out.json", "out.json"),
        ("folder/new.json", "folder"),
        ("./x/../folder/y/new.json", "folder"),
        (str(project / "folder/notes.txt"), "folder"),
    ):
        done = write(name)
        assert done.exit_code == 2
        assert f"{link}' is a link to " in done.stderr or "is not a baseline" in done.stderr
    assert (project / "out.json").is_symlink()


@pytest.mark.parametrize("write", WRITERS, ids=["report", "baseline"])
def test_a_file_that_the_user_names_outside_may_be_a_link(
    project: Path, write: Callable[[str], Result]
) -> None:
    (project.parent / "real.json").touch()
    (project.parent / "mine.json").symlink_to("real.json")
    (project.parent / "real.json").unlink()
    for name in ("../mine.json", str(project.parent / "mine.json")):
        assert write(name).exit_code in (0, 1)
        assert json.loads((project.parent / "real.json").read_text())
        assert (project.parent / "mine.json").is_symlink()


def test_a_pipe_with_a_reader_is_written_to(project: Path) -> None:
    os.mkfifo("pipe")
    done = WRITERS[0]("pipe")
    assert done.exit_code == 2
    assert "no process reads from the pipe" in done.stderr
    read: list[bytes] = []
    thread = threading.Thread(target=lambda: read.append((project / "pipe").read_bytes()))
    thread.start()
    time.sleep(1)  # by then the reader waits
    done = WRITERS[0]("pipe")
    assert done.exit_code == 1, done.output
    thread.join(10)
    assert json.loads(read[0])


def test_a_report_keeps_the_names_and_the_mode_of_its_file(project: Path) -> None:
    (project / "out.json").write_text("old")
    (project / "out.json").chmod(0o640)
    os.link("out.json", "again.json")
    WRITERS[0]("out.json")
    assert json.loads((project / "again.json").read_text())
    assert stat.S_IMODE((project / "out.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["../planted.json", "{}/planted.json", "way/planted.json"])
def test_settings_may_not_name_a_baseline_outside_their_project(
    project: Path, outside: Path, name: str
) -> None:
    (project / "way").symlink_to("../outside")
    (project / "namecheck.toml").write_text(f'baseline = "{name.format(project.parent)}"')
    done = CliRunner().invoke(main, ["baseline", "write", "."])
    assert done.exit_code == 2
    assert "outside the project" in done.stderr or "is a link to" in done.stderr
    assert not (project.parent / "planted.json").exists()
    assert CliRunner().invoke(main, ["baseline", "write", "--baseline", "../b.json"]).exit_code == 0
    (project.parent / ".git").mkdir()
    if name == "../planted.json":
        assert CliRunner().invoke(main, ["baseline", "write", "."]).exit_code == 0
        assert (project.parent / "planted.json").exists()
