"""What a search through folders skips: what settings exclude and what git ignores."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from namecheck.files import gitignore
from namecheck.files.path_patterns import Patterns
from namecheck.main import main
from namecheck.running.discovery import discover
from namecheck.settings.config import Configuration, of_command_line
from repositories import git


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    for path in [
        "a.py",
        "src/b.py",
        "src/gen/c.py",
        "src/gen/keep.py",
        "tests/data/d.py",
        "tests/e.py",
        "build/f.py",
        ".hidden/g.py",
    ]:
        file = here / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    return here


EVERYTHING = [
    "a.py",
    "src/b.py",
    "src/gen/c.py",
    "src/gen/keep.py",
    "tests/data/d.py",
    "tests/e.py",
]


def found(*paths: str, **options: object) -> list[str]:
    """The files below the paths. Options are given by the keys of settings."""
    given_options = {key.replace("_", "-"): value for key, value in options.items()}
    configuration = Configuration(of_command_line((), given_options))
    return list(discover(paths or ["."], configuration).files)


def without(*gone: str) -> list[str]:
    return [path for path in EVERYTHING if path not in gone]


def test_by_default() -> None:
    assert found() == EVERYTHING


@pytest.mark.parametrize(
    ("patterns", "gone"),
    [
        (["gen"], ["src/gen/c.py", "src/gen/keep.py"]),
        (["gen/"], ["src/gen/c.py", "src/gen/keep.py"]),
        (["src/gen"], ["src/gen/c.py", "src/gen/keep.py"]),
        (["/gen"], []),
        (["data/*.py"], []),
        (["**/data/*.py"], ["tests/data/d.py"]),
        (["tests/**/d.py"], ["tests/data/d.py"]),
        (["[de].py"], ["tests/data/d.py", "tests/e.py"]),
        (["src/gen/*", "!keep.py"], ["src/gen/c.py"]),
        (["src/gen/", "!keep.py"], ["src/gen/c.py", "src/gen/keep.py"]),
    ],
)
def test_patterns_to_exclude(patterns: list[str], gone: list[str]) -> None:
    assert found(extend_exclude=patterns) == without(*gone)


def test_exclude_replaces_the_defaults_and_extend_exclude_does_not() -> None:
    assert "build/f.py" in found(exclude=["gen"])
    assert ".hidden/g.py" in found(exclude=["gen"])
    assert found(extend_exclude=["gen"]) == without("src/gen/c.py", "src/gen/keep.py")


def test_patterns_are_relative_to_the_folder_of_their_file(here: Path) -> None:
    (here / "src/namecheck.toml").write_text('extend-exclude = ["/gen/c.py", "/b.py"]')
    (here / "src/gen/b.py").write_text("")
    assert found("src") == ["src/gen/b.py", "src/gen/keep.py"]
    assert found(str(here / "src/gen")) == ["src/gen/b.py", "src/gen/keep.py"]


def test_the_command_line_adds_its_patterns_to_those_of_a_file(here: Path) -> None:
    (here / "src/namecheck.toml").write_text('extend-exclude = ["/b.py"]')
    assert found("src", extend_exclude=["/src/gen/keep.py"]) == ["src/gen/c.py"]


def test_a_named_file_is_checked_even_if_it_is_excluded(here: Path) -> None:
    assert found("src/gen/c.py", "build/f.py", extend_exclude=["gen"]) == [
        "build/f.py",
        "src/gen/c.py",
    ]
    assert found("src/gen/c.py", "src/b.py", extend_exclude=["gen"], force_exclude=True) == [
        "src/b.py"
    ]
    assert found("build/f.py", ".hidden/g.py", force_exclude=True) == []
    (here / "namecheck.toml").write_text('force-exclude = true\nextend-exclude = ["src/gen/*.py"]')
    assert found("src/gen/c.py", "a.py") == ["a.py"]
    assert found("src/gen/c.py", force_exclude=False) == ["src/gen/c.py"]


def test_hidden_folders_above_the_settings_do_not_count(here: Path) -> None:
    (here / ".hidden/namecheck.toml").write_text("force-exclude = true")
    assert found(".hidden/g.py") == [".hidden/g.py"]


def test_messages_of_the_command(here: Path) -> None:
    (here / "src/b.py").write_text("def f(:")
    runner = CliRunner()
    assert runner.invoke(main, ["check", "."]).exit_code == 1
    assert runner.invoke(main, ["check", ".", "--exclude", "b.py,gen"]).exit_code == 0
    forced = runner.invoke(main, ["check", "src/b.py", "--exclude", "b.py", "--force-exclude"])
    assert forced.exit_code == 0
    assert forced.stderr == "Warning: no Python files in src/b.py\n"


# What git ignores


def test_a_gitignore_counts_without_a_repository(here: Path) -> None:
    (here / ".gitignore").write_text("gen/\n")
    assert found() == without("src/gen/c.py", "src/gen/keep.py")
    assert found(respect_gitignore=False) == EVERYTHING


def test_nested_gitignores_and_negated_patterns(here: Path) -> None:
    (here / ".gitignore").write_text("*.py\n!a.py\n")
    (here / "src/.gitignore").write_text("!*.py\n/gen/*\n!/gen/keep.py\n")
    assert found() == ["a.py", "src/b.py", "src/gen/keep.py"]


def test_nothing_in_an_ignored_folder_can_be_included_again(here: Path) -> None:
    (here / ".gitignore").write_text("src/gen\n!src/gen/keep.py\n")
    (here / "src/gen/.gitignore").write_text("!*\n")
    assert found() == without("src/gen/c.py", "src/gen/keep.py")


def test_the_repository_above_ignores_files(here: Path) -> None:
    git("init", "-q")
    (here / ".gitignore").write_text("keep.py\n/src/b.py\n")
    (here / ".git/info/exclude").write_text("c.py\n")
    assert found("src") == []
    (here / "src/gen/.gitignore").write_text("!keep.py\n!c.py\n")
    assert found("src") == ["src/gen/c.py", "src/gen/keep.py"]


def test_a_nested_repository_ignores_the_patterns_of_the_outer_one(here: Path) -> None:
    git("init", "-q")
    (here / ".gitignore").write_text("*.py\n")
    git("init", "-q", "src")
    assert found() == ["src/b.py", "src/gen/c.py", "src/gen/keep.py"]


def test_a_second_working_tree_shares_the_excluded_patterns(here: Path) -> None:
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "empty")
    (here / ".git/info/exclude").write_text("c.py\n")
    git("worktree", "add", "-q", "tree")
    (here / "tree/c.py").write_text("")
    (here / "tree/b.py").write_text("")
    assert found("tree") == ["tree/b.py"]


def test_an_ignored_folder_that_is_named_is_searched(here: Path) -> None:
    (here / ".gitignore").write_text("/src/\n")
    assert found("src") == ["src/b.py", "src/gen/c.py", "src/gen/keep.py"]


def test_odd_gitignore_files(here: Path) -> None:
    (here / ".gitignore").write_bytes(
        b"\xef\xbb\xbfb.py\r\n# note\r\n\r\n\xff\xfe\r\n[z-\r\ne.py  \r\n"
    )
    assert found() == without("src/b.py", "tests/e.py")
    (here / "src/.gitignore").mkdir()
    assert found("src") == ["src/b.py", "src/gen/c.py", "src/gen/keep.py"]


NAMES = ["a", "b", "ab", "a.py", "b.py"]
PARTS = [
    *NAMES,
    "*",
    "**",
    "*.py",
    "a*",
    "?",
    "[ab]",
    "[!a].py",
    "\\a",
    "[^a]*",
    "[a-b]",
    "",
    "**a",
    "#",
    "[[:alpha:]]*",
    "[[:alpha:]b.]",
    "[!]]",
    "[]a]",
    "[b-a]",
    "[!b-a]",
    "[a-",
    "[[:nothing:]]",
    "[[:a]",
    "[\\a-b]*",
    "a\\",
]
LINES = st.builds(
    lambda taken, start, parts, end: taken + start + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)
TREE = [
    f"{one}/{two}/{three}"
    for one in ("a", "b", "ab")
    for two in ("a", "b", "a.py")
    for three in ("a", "b.py", "a.py", "ab")
]


@pytest.fixture(scope="module")
def bare_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    git("init", "-q", cwd=root)
    for path in TREE:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")
    return root


@settings(max_examples=40, suppress_health_check=list(HealthCheck), deadline=None)
@given(outer=st.lists(LINES, min_size=1, max_size=5), inner=st.lists(LINES, max_size=2))
def test_the_same_files_as_git(bare_tree: Path, outer: list[str], inner: list[str]) -> None:
    (bare_tree / ".gitignore").write_text("\n".join(outer))
    (bare_tree / "a/.gitignore").write_text("\n".join(inner))
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],
        cwd=bare_tree,
        capture_output=True,
        text=True,
        check=True,
    )
    expected = {path for path in listed.stdout.splitlines() if not path.endswith(".gitignore")}
    assert set(kept(str(bare_tree), (), str(bare_tree))) == expected


def kept(folder: str, chain: gitignore.Chain, root: str) -> list[str]:
    """The files of a tree that are not ignored."""
    names = sorted(os.listdir(folder))
    chain = gitignore.entered(folder, chain)
    files: list[str] = []
    for name in names:
        path = os.path.join(folder, name)
        is_folder = os.path.isdir(path)
        if name in (".git", ".gitignore") or gitignore.is_ignored(chain, path, is_folder):
            continue
        files += kept(path, chain, root) if is_folder else [os.path.relpath(path, root)]
    return files


# Single patterns


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("[a-z]*" * 40 + "1", "a" * 250),
        ("*a" * 300, "a" * 250 + "b"),
        ("?*" * 1000 + "b", "a" * 250),
        ("[!b]*[!b]*" * 60 + "b", "a" * 250),
        ("*a" * 200_000, "a" * 250),
        ("[" + "a-z" * 200_000 + "]1", "a"),
        ("a/" + "**/a/" * 400 + "b", "a/" * 1000 + "c/b.py"),
        ("/".join(["**"] * 50_000) + "/b", "a/" * 1000 + "c"),
        ("/".join(["a"] * 50_000), "a/" * 1000 + "a"),
        ("/".join(["*"] * 50_000), "a/" * 1000 + "a"),
    ],
)
def test_no_pattern_takes_long(pattern: str, path: str) -> None:
    """Patterns come from strangers: with backtracking each took minutes, or ended the run."""
    began = time.monotonic()
    for line in (pattern, f"!{pattern}", f"{pattern}/"):
        patterns = Patterns([line], "/p")
        assert not patterns.check(f"/p/{path}", False)
        assert not patterns.check(f"/p/{path}", True)
    assert time.monotonic() - began < 10


def test_thousands_of_patterns() -> None:
    lines = [f"name{number}" for number in range(20_000)]
    lines += [f"/some/*/name{number}.*" for number in range(5_000)]
    patterns = Patterns([*lines, "!name7"], "/p")
    began = time.monotonic()
    assert [patterns.check(f"/p/some/x/{n}", False) for n in ("name9", "name7", "name8.py")] == [
        True,
        False,
        True,
    ]
    assert not any(patterns.check(f"/p/some/file{n}.py", False) for n in range(10_000))
    assert time.monotonic() - began < 10


def test_the_last_matching_line_decides_whatever_its_kind() -> None:
    name = "/p/src/a.py"
    assert Patterns(["a.py", "!*.py"], "/p").check(name, False) is False
    assert Patterns(["!*.py", "a.py"], "/p").check(name, False) is True
    assert Patterns(["a.py", "!/src/*"], "/p").check(name, False) is False
    assert Patterns(["/src/*.py", "!a.py", "[a-c].py"], "/p").check(name, False) is True


@pytest.mark.parametrize(
    ("line", "name", "fits"),
    [
        ("a\\ ", "a ", True),  # an escaped blank is kept
        ("a\\\\ ", "a\\", True),  # here the backslash is escaped, and the blank is not
        ("a\\\\ ", "a\\ ", None),
        ("\\#a", "#a", True),
        ("\\!a", "!a", True),
    ],
)
def test_escapes(line: str, name: str, fits: bool | None) -> None:
    assert Patterns([line], "/p").check(f"/p/{name}", False) is fits


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("tests", "/p/tests/x.py", True),
        ("tests/", "/p/src/tests/x.py", True),
        ("tests/*.py", "/p/tests/x.py", True),
        ("tests/*.py", "/p/src/tests/x.py", False),
        ("*.py", "/elsewhere/x.py", True),
        ("tests/*.py", "/elsewhere/tests/x.py", False),
        ("elsewhere", "/elsewhere/x.py", False),
        ("/x.py", "/p/x.py", True),
        ("", "/p/x.py", False),
        ("# x.py", "/p/x.py", False),
    ],
)
def test_which_files_patterns_cover(pattern: str, path: str, covered: bool) -> None:
    assert Patterns([pattern], "/p").covers(path) is covered
