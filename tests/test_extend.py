"""Settings that extend those of another file: `extend`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from namecheck.settings.config import Configuration

pytestmark = pytest.mark.usefixtures("here")


def run(*arguments: str) -> Result:
    return invoke("check", *arguments)


def write_files(**files: str) -> None:
    """Write settings files by their paths, with two underscores in place of a slash."""
    for name, text in files.items():
        path = Path(name.replace("__", "/") + ".toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def settings(folder: str = "") -> Configuration:
    configuration = Configuration()
    configuration.of_folder(os.path.abspath(folder))
    return configuration


def test_the_extending_file_overrides_the_extended_one() -> None:
    write_files(
        pyproject='[tool.namecheck]\nstrict = true\noutput-format = "concise"\nignore = ["NC4"]',
        inner__namecheck='extend = "../pyproject.toml"\noutput-format = "json"',
    )
    resolved = settings().of_folder(os.path.abspath("inner"))
    assert (resolved.settings.output_format, resolved.settings.strict) == ("json", True)
    assert not resolved.selects("NC402")
    assert resolved.selects("NC209")
    assert resolved.origins["strict"] == "pyproject.toml"
    assert resolved.origins["output_format"] == "inner/namecheck.toml"


def test_select_starts_over_and_other_selectors_apply_in_order() -> None:
    write_files(
        base='select = ["NC1"]\nextend-select = ["NC209"]\nignore = ["NC101"]',
        namecheck='extend = "base.toml"\nextend-select = ["NC2"]',
        inner__namecheck='extend = "../base.toml"\nselect = ["NC1"]',
    )
    chosen = settings().of_folder(os.getcwd())
    assert [chosen.selects(code) for code in ("NC101", "NC102", "NC201", "NC209", "NC301")] == [
        False,
        True,
        True,
        True,
        False,
    ]
    anew = settings().of_folder(os.path.abspath("inner"))
    assert [anew.selects(code) for code in ("NC101", "NC209")] == [True, False]


def test_patterns_and_the_baseline_are_relative_to_the_file_that_names_them() -> None:
    write_files(
        namecheck='extend-exclude = ["/inner/gen"]\nbaseline = "known.json"',
        inner__namecheck='extend = "../namecheck.toml"',
    )
    for folder in ("gen", "inner/gen"):
        os.makedirs(folder, exist_ok=True)
        Path(folder, "a.py").write_text("x = 1\n")
    Path("known.json").write_text('{"namecheck-baseline": 1, "findings": []}')
    resolved = settings().of_folder(os.path.abspath("inner"))
    assert resolved.settings.baseline == os.path.abspath("known.json")
    assert run("--show-files").stdout == "gen/a.py\n"


def test_files_extend_each_other_in_a_chain(here: Path) -> None:
    write_files(
        one='strict = true\nextend-exclude = ["a"]',
        two='extend = "one.toml"\nextend-exclude = ["b"]',
        namecheck='extend = "two.toml"\nextend-exclude = ["c"]',
    )
    for name in "abcd":
        (here / name).mkdir()
        (here / name / "x.py").write_text("")
    assert run("--show-files").stdout == "d/x.py\n"
    assert settings().of_folder(str(here)).settings.strict


def test_a_chain_of_a_thousand_files() -> None:
    for number in range(1000):
        Path(f"{number}.toml").write_text(f'extend = "{number + 1}.toml"\n')
    Path("1000.toml").write_text("strict = true\n")
    write_files(namecheck='extend = "0.toml"')
    assert settings().of_folder(os.getcwd()).settings.strict


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"namecheck": 'extend = "namecheck.toml"'},
            "`extend` leads in a circle: namecheck.toml -> namecheck.toml",
        ),
        (
            {"namecheck": 'extend = "b.toml"', "b": 'extend = "./namecheck.toml"'},
            "`extend` leads in a circle: namecheck.toml -> b.toml -> namecheck.toml",
        ),
        ({"namecheck": 'extend = "no.toml"'}, "cannot read no.toml, which `extend` names: No such"),
        ({"namecheck": 'extend = "."'}, "cannot read ., which `extend` names: Is a directory"),
        ({"namecheck": 'extend = "a\\u0000b"'}, "cannot read a\\x00b, which `extend` names: not a"),
        (
            {"namecheck": 'extend = "sub/pyproject.toml"', "sub__pyproject": "[tool.x]"},
            "`extend` names sub/pyproject.toml, which has no table [tool.namecheck]",
        ),
        ({"namecheck": "extend = 3"}, "`extend` must be a string"),
    ],
)
def test_invalid_values_of_extend(files: dict[str, str], message: str) -> None:
    write_files(**files)
    result = run()
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    assert ".toml:1:10" in result.stderr


def test_a_mistake_in_the_extended_file_is_shown_there() -> None:
    write_files(namecheck='extend = "base.toml"', base="\nstrikt = true")
    assert "--> base.toml:2:1" in run().stderr


def test_a_link_that_leads_back_is_a_cycle(here: Path) -> None:
    write_files(namecheck='extend = "other.toml"')
    os.symlink("namecheck.toml", here / "other.toml")
    assert "leads in a circle" in run().stderr


def test_extend_belongs_in_a_file() -> None:
    result = run("--config", 'extend = "base.toml"')
    assert result.exit_code == 2
    assert "use --config PATH to name one" in result.stderr


def test_a_file_named_on_the_command_line_may_extend() -> None:
    write_files(base="strict = true", ci='extend = "base.toml"')
    assert "strict = true  # base.toml" in run("--config", "ci.toml", "--show-settings").stdout


def test_settings_are_read_again_if_an_extended_file_changes(here: Path) -> None:
    write_files(base="strict = true", namecheck='extend = "base.toml"')
    before = settings()
    assert before.is_current()
    (here / "base.toml").write_text("strict = false  # now")
    assert not before.is_current()
