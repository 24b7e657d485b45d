"""Settings: which file counts, what is refused and where, and which source takes precedence."""

from __future__ import annotations

import pickle
import tomllib
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from namecheck import __version__
from namecheck.settings.config import Configuration, of_command_line

# Two mistakes in one file: NC202 in line 6, NC303 in line 7.
WRONG = """\
def f(a):
    B, T = a.shape
    wrong = a.sum(1, keepdim=True) - a.sum(1)
    B, T, C = a.shape
    return wrong
"""
BROADCAST, RANK = "NC202", "NC303"


def run(*arguments: str) -> Result:
    return invoke(*arguments, NO_COLOR=None, FORCE_COLOR=None)


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    for path in ("a.py", "inner/b.py", "inner/deep/c.py"):
        file = here / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("import torch\n\n\n" + WRONG)
    return here


def reported(*arguments: str) -> list[tuple[str, str]]:
    """The files and codes that a check of this folder reports."""
    result = run("check", ".", "--output-format", "concise", *arguments)
    assert result.exit_code in (0, 1), result.output
    lines = [line.split(":") for line in result.stdout.splitlines() if ":" in line]
    return [(line[0], line[3].split()[0]) for line in lines]


def codes(*arguments: str) -> set[str]:
    return {code for _, code in reported(*arguments)}


def refused(*arguments: str) -> str:
    """The message about invalid settings."""
    result = run("check", ".", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_without_settings() -> None:
    assert codes() == {BROADCAST, RANK}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("namecheck.toml", 'select = ["NC2"]'),
        ("namecheck.toml", 'ignore = ["rank-mismatch"]'),
        ("pyproject.toml", '[tool.namecheck]\nselect = ["NC2"]'),
        ("pyproject.toml", '[tool]\nnamecheck.select = ["NC2"]'),
        ("pyproject.toml", 'tool = { namecheck = { ignore = ["NC303"] } }'),
    ],
)
def test_settings_of_a_file(here: Path, name: str, text: str) -> None:
    (here / name).write_text(text)
    assert codes() == {BROADCAST}
    assert codes("--isolated") == {BROADCAST, RANK}


def test_the_nearest_file_counts_and_nothing_above_it(here: Path) -> None:
    (here / "namecheck.toml").write_text('ignore = ["NC202"]')
    (here / "inner/pyproject.toml").write_text('[tool.namecheck]\nignore = ["NC303"]')
    expected = [("a.py", RANK), ("inner/b.py", BROADCAST), ("inner/deep/c.py", BROADCAST)]
    assert reported() == expected


def test_a_pyproject_of_other_tools_does_not_count(here: Path) -> None:
    (here / "namecheck.toml").write_text('ignore = ["NC202"]')
    (here / "inner/pyproject.toml").write_text('[project]\nname = "namecheck-user"')
    assert codes() == {RANK}


def test_namecheck_toml_wins_in_one_folder(here: Path) -> None:
    (here / "namecheck.toml").write_text('ignore = ["NC202"]')
    (here / "pyproject.toml").write_text('[tool.namecheck]\nignore = ["NC303"]')
    assert codes() == {RANK}


def test_the_command_line_overrides_the_file(here: Path) -> None:
    (here / "namecheck.toml").write_text('select = ["NC2"]')
    assert codes("--select", "NC3") == {RANK}
    assert codes("--extend-select", "NC3") == {BROADCAST, RANK}
    assert codes("--ignore", "NC2,NC3") == set()
    assert codes("--config", 'select=["NC3"]') == {RANK}
    assert codes("--config", 'select=["NC3"]', "--select", "NC2") == {BROADCAST}


def test_a_settings_file_by_name(here: Path) -> None:
    (here / "namecheck.toml").write_text('select = ["NC2"]')
    (here / "other.toml").write_text('select = ["NC3"]')
    assert codes("--config", "other.toml") == {RANK}
    assert codes("--config", "other.toml", "--config", 'extend-select=["NC2"]') == {BROADCAST, RANK}


def test_the_format_of_a_file(here: Path) -> None:
    (here / "namecheck.toml").write_text('output-format = "json"')
    assert run("check", ".").stdout.startswith("[")
    assert run("check", ".", "--output-format", "full").stdout.startswith("warning")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "pyproject.toml",
            '[project]\nname = "x"\n\n[tool.namecheck]\nselekt = ["NC2"]\n',
            """\
Error: unknown key 'selekt' in [tool.namecheck]; did you mean 'select'?
 --> pyproject.toml:5:1
  |
5 | selekt = ["NC2"]
  | ^^^^^^
""",
        ),
        (
            "namecheck.toml",
            'select = [\n    "NC2",  # sizes\n    "misaligned-brodcast",\n]\n',
            """\
Error: unknown code 'misaligned-brodcast' in `select`; did you mean 'misaligned-broadcast'?
 --> namecheck.toml:3:5
  |
3 |     "misaligned-brodcast",
  |     ^^^^^^^^^^^^^^^^^^^^^
""",
        ),
        (
            "namecheck.toml",
            'select = "NC2"',
            """\
Error: `select` must be an array, not a string
 --> namecheck.toml:1:10
  |
1 | select = "NC2"
  |          ^^^^^
""",
        ),
        (
            "namecheck.toml",
            "ignore = ['NC2', 3]",
            """\
Error: a value of `ignore` must be a string, not a number
 --> namecheck.toml:1:18
  |
1 | ignore = ['NC2', 3]
  |                  ^
""",
        ),
        (
            "namecheck.toml",
            "notes = true\nselect = [",
            """\
Error: cannot parse: Invalid value
 --> namecheck.toml:2:11
  |
2 | select = [
  |           ^
""",
        ),
        (
            "pyproject.toml",
            "[tool]\nnamecheck = 3",
            """\
Error: [tool.namecheck] must be a table
 --> pyproject.toml:2:13
  |
2 | namecheck = 3
  |             ^
""",
        ),
        (
            "pyproject.toml",
            "[tool.namecheck.mypy]\nsuspicion = false",
            """\
Error: unknown key 'suspicion' in [tool.namecheck.mypy]; did you mean 'suspicions'?
 --> pyproject.toml:2:1
  |
2 | suspicion = false
  | ^^^^^^^^^
""",
        ),
    ],
)
def test_invalid_settings_end_the_run(here: Path, name: str, text: str, message: str) -> None:
    (here / name).write_text(text)
    assert refused() == message


def test_invalid_settings_on_the_command_line() -> None:
    assert refused("--select", "nc2") == (
        "Error: unknown code 'nc2' in `select`; did you mean 'NC2'? (--select)\n"
    )
    assert "unknown key 'selekt'; did you mean 'select'?" in refused("--config", "selekt=[]")
    assert "cannot read nowhere.toml" in refused("--config", "nowhere.toml")


def test_settings_of_the_mypy_plugin_are_left_to_the_plugin(here: Path) -> None:
    text = '[tool.namecheck.mypy]\nignore = ["NC2"]\nsuspicions = false\nnotes = false\n'
    (here / "pyproject.toml").write_text(text)
    assert codes() == {BROADCAST, RANK}


# Per file


ALL_TOLD = {
    (path, code) for path in ("a.py", "inner/b.py", "inner/deep/c.py") for code in (BROADCAST, RANK)
}


@pytest.mark.parametrize(
    ("table", "gone"),
    [
        ('"inner/*.py" = ["NC2"]', {("inner/b.py", BROADCAST)}),
        ('"inner" = ["ALL"]', {pair for pair in ALL_TOLD if pair[0] != "a.py"}),
        (
            '"!a.py" = ["misaligned-broadcast"]',
            {("inner/b.py", BROADCAST), ("inner/deep/c.py", BROADCAST)},
        ),
        (
            '"deep/" = ["NC202"]\n"c.py" = ["NC303"]',
            {("inner/deep/c.py", BROADCAST), ("inner/deep/c.py", RANK)},
        ),
    ],
)
def test_per_file_ignores(here: Path, table: str, gone: set[tuple[str, str]]) -> None:
    (here / "namecheck.toml").write_text(f"[per-file-ignores]\n{table}\n")
    assert set(reported()) == ALL_TOLD - gone
    (here / "pyproject.toml").write_text(f"[tool.namecheck.per-file-ignores]\n{table}\n")
    (here / "namecheck.toml").unlink()
    assert set(reported()) == ALL_TOLD - gone


def test_a_file_that_was_not_checked_is_reported(here: Path) -> None:
    (here / "a.py").write_text("def f(:")
    assert ("a.py", "NC900") in reported("--select", "NC2", "--ignore", "NC9")
    (here / "namecheck.toml").write_text('per-file-ignores = { "a.py" = ["ALL", "NC9"] }')
    assert ("a.py", "NC900") in reported()
    (here / "namecheck.toml").write_text('per-file-ignores = { "a.py" = ["NC900"] }')
    assert "NC900" not in codes()
    assert "NC900 cannot be ignored everywhere; `exclude` the file" in refused("--ignore", "NC900")
    assert "NC999 is a bug in namecheck" in refused("--ignore", "internal-error")


def test_mistakes_in_a_nested_table(here: Path) -> None:
    (here / "namecheck.toml").write_text('[per-file-ignores]\n"a.py" = "NC2"')
    assert (
        refused()
        == """\
Error: `per-file-ignores.a.py` must be an array, not a string
 --> namecheck.toml:2:10
  |
2 | "a.py" = "NC2"
  |          ^^^^^
"""
    )
    (here / "namecheck.toml").write_text('per-file-ignores."a.py" = ["NC2", "NC1o2"]')
    assert refused().splitlines()[:2] == [
        "Error: unknown code 'NC1o2' in `per-file-ignores.a.py`; did you mean 'NC102'?",
        " --> namecheck.toml:1:35",
    ]


# Single keys


STRICT = """\
import namecheck_runtime as nt

a = nt.zeros(2, 3, names=("B", "C"))
b = nt.zeros(3, 4, names=("D", "E"))
c = a @ b
d = nt.zeros(2, 3) + nt.zeros(3)
e = a + nt.zeros(2, 3, names=("batch", "C"))
"""


@pytest.fixture
def named(here: Path) -> Path:
    (here / "a.py").write_text(STRICT)
    for path in ("inner/b.py", "inner/deep/c.py"):
        (here / path).unlink()
    return here


def test_strict(named: Path) -> None:
    assert codes() == {"NC101"}
    assert codes("--strict") == {"NC101", "NC108", "NC209"}
    (named / "namecheck.toml").write_text("strict = true\n")
    assert codes() == {"NC101", "NC108", "NC209"}
    assert codes("--no-strict") == {"NC101"}
    assert codes("--ignore", "NC209") == {"NC101", "NC108"}
    assert codes("--select", "NC2") == set()
    assert codes("--select", "rank-promotion") == {"NC209"}
    (named / "namecheck.toml").write_text('extend-select = ["NC108"]')
    assert codes() == {"NC101", "NC108"}


def test_words_for_dims(named: Path) -> None:
    (named / "namecheck.toml").write_text('[dims]\nB = "batch"\n')
    assert codes() == set()
    (named / "namecheck.toml").write_text('may-meet = [["B", "batch"]]\n')
    assert codes() == set()
    # the cache of a file depends on the words that it was read with
    (named / "namecheck.toml").unlink()
    assert codes() == {"NC101"}


def test_words_in_a_cycle(here: Path) -> None:
    (here / "namecheck.toml").write_text('[dims]\nB = "batch"\nbatch = "B"\n')
    assert refused().splitlines()[:2] == [
        "Error: `dims` leads from 'B' back to 'B'",
        " --> namecheck.toml:2:1",
    ]
    (here / "namecheck.toml").write_text('may-meet = [["B"]]\n')
    assert "a group of `may-meet` needs at least two words" in refused()


def test_the_version_that_is_required(here: Path) -> None:
    settings = here / "namecheck.toml"
    for fitting in (">=0.0.1", __version__, f"=={__version__}", ""):
        settings.write_text(f'required-version = "{fitting}"')
        assert codes() == {BROADCAST, RANK}
    settings.write_text('unknown-to-us = 1\nrequired-version = ">=99"\n')
    assert refused().splitlines()[:2] == [
        f"Error: this is namecheck {__version__}, and '>=99' is required",
        " --> namecheck.toml:2:20",
    ]
    settings.write_text('required-version = "newest"\n')
    assert "'newest' is not a version specifier; write '>=0.3' or '==0.4.*'" in refused()


# What `check` would do


def test_the_settings_of_a_path(here: Path) -> None:
    (here / "inner/pyproject.toml").write_text(
        '[tool.namecheck]\nignore = ["NC303"]\nper-file-ignores."d\\"x.py" = ["NC1"]\n'
        "[tool.namecheck.mypy]\nnotes = false\n"
    )
    shown = run("check", "--show-settings", "inner/b.py", "--config", 'dims = { B = "β" }').stdout
    assert shown.splitlines()[0] == "# Settings of inner/b.py"
    assert "# Not reported: NC108, NC209, NC303, NC801, NC802\n" in shown
    assert 'ignore = ["NC303"]  # inner/pyproject.toml\n' in shown
    assert 'dims = { "B" = "β" }  # --config\n' in shown
    assert "strict = false  # default\n" in shown
    table = tomllib.loads(shown)
    assert table["per-file-ignores"] == {'d"x.py': ["NC1"]}
    assert table.pop("mypy") == {"notes": False}
    (here / "again.toml").write_text(
        "\n".join(line for line in shown.splitlines() if not line.startswith("mypy"))
    )
    again = run("check", "--show-settings", "inner/b.py", "--config", "again.toml").stdout
    assert {**tomllib.loads(again), "mypy": {}} == {**table, "mypy": {}}


def test_the_settings_of_a_folder_and_of_this_one(here: Path) -> None:
    (here / "inner/namecheck.toml").write_text("strict = true")
    assert "strict = false" in run("check", "--show-settings").stdout
    assert (
        "strict = true  # inner/namecheck.toml" in run("check", "--show-settings", "inner").stdout
    )
    assert run("check", "--show-settings", "nowhere").exit_code == 2


def test_the_files_that_would_be_checked() -> None:
    result = run("check", "--show-files", "inner", "--exclude", "deep")
    assert (result.exit_code, result.stdout) == (0, "inner/b.py\n")
    assert run("check", "--show-files").stdout == "a.py\ninner/b.py\ninner/deep/c.py\n"


def test_the_digest_covers_the_settings_that_affect_findings() -> None:
    def digest(*settings: str) -> str:
        return Configuration(of_command_line(settings, {})).digest("a.py")

    assert digest() == digest('ignore=["NC2"]', 'select=["NC2"]', 'exclude=["x"]') == ""
    reported = {
        digest(setting)
        for setting in ("strict=true", 'select=["NC108"]', 'dims={B="N"}', 'may-meet=[["B","N"]]')
    }
    assert len(reported) == 4
    assert digest("strict=true") == digest("strict=true", "notes=true")
    assert pickle.loads(pickle.dumps(Configuration())).digest("a.py") == ""
