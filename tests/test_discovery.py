"""Which files are read when paths are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from namecheck.printing.printed_paths import shown
from namecheck.running.discovery import discover


@pytest.fixture(autouse=True)
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for path in [
        "a.py",
        "b/c.py",
        "b/notebook.ipynb",
        "b/stub.pyi",
        "b/notes.txt",
        "b-1/d.py",
        "b/.hidden.py",
        ".git/hook.py",
        "b/__pycache__/c.py",
        "node_modules/x.py",
        "build/lib/a.py",
        "env/pyvenv.cfg",
        "env/lib/python3.11/site-packages/x.py",
        "conda/conda-meta/history",
        "conda/x.py",
    ]:
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("home = /usr/bin\n" if file.name == "pyvenv.cfg" else "")
    return tmp_path


def test_the_files_of_a_folder_are_in_reading_order() -> None:
    assert discover(["."]).files == ("a.py", "b/c.py", "b/notebook.ipynb", "b-1/d.py")


@pytest.mark.parametrize(
    "path",
    ["b/notes.txt", "b/stub.pyi", "b/.hidden.py", "build/lib/a.py", "conda/x.py", ".git/hook.py"],
)
def test_a_named_file_is_always_taken(path: str) -> None:
    assert discover([path]).files == (path,)


@pytest.mark.parametrize("folder", ["build", "node_modules", "env/lib", ".git"])
def test_a_named_folder_is_searched_even_if_a_search_would_skip_it(folder: str) -> None:
    assert len(discover([folder]).files) == 1


def test_each_file_once(tree: Path) -> None:
    assert discover(["b", "b/c.py", "./b/../b/c.py", str(tree / "b")]).files == (
        "b/c.py",
        "b/notebook.ipynb",
    )


def test_links(tree: Path) -> None:
    (tree / "b/again").symlink_to(tree / "b", target_is_directory=True)
    (tree / "b/loop.py").symlink_to(tree / "b/loop.py")
    (tree / "b/same.py").symlink_to(tree / "b/c.py")
    (tree / "b/outside.py").symlink_to(tree / "a.py")
    discovered = discover(["b"])
    assert len(discovered.files) == 3
    assert {Path(file).resolve().name for file in discovered.files} == {
        "c.py",
        "notebook.ipynb",
        "a.py",
    }


def test_a_file_is_known_by_its_own_name(tree: Path) -> None:
    (tree / "b/0.py").symlink_to(tree / "b/c.py")
    assert discover(["b"]).files == ("b/c.py", "b/notebook.ipynb")
    assert discover(["b/0.py"]).files == ("b/0.py",)


def test_missing_paths() -> None:
    discovered = discover(["a.py", "nope", "b/nope.py"])
    assert discovered.missing == ("nope", "b/nope.py")


def test_a_closed_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    # The test refuses: root, which may list every folder, may run it.
    listing = os.scandir

    def refusing(folder: str) -> object:
        if os.path.basename(folder) == "b":
            raise PermissionError(13, "Permission denied", folder)
        return listing(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    discovered = discover(["."])
    assert discovered.closed == (("b", "Permission denied"),)
    assert discovered.files == ("a.py", "b-1/d.py")


def test_paths_are_shown_relative_to_the_current_folder(tree: Path) -> None:
    assert shown("./b/../a.py") == "a.py"
    assert shown(str(tree / "b/c.py")) == "b/c.py"
    assert shown(".") == "."
    assert shown(str(tree) + "-beside/x.py") == tree.as_posix() + "-beside/x.py"
