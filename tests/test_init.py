"""`namecheck init` writes settings and a baseline, and leaves existing ones as they are."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from invoking import invoke
from namecheck.commands.init import KEYS, with_table

WRONG = "import torch\n\nx = torch.zeros(3) + torch.zeros(4)\n"
BASELINE = "namecheck-baseline.json"


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "a.py").write_text(WRONG)
    return here


def test_a_project_with_neither_settings_nor_baseline(here: Path) -> None:
    result = invoke("init")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "Wrote settings into namecheck.toml.",
        f"{BASELINE} holds 1 finding.",
        "`namecheck check` uses it from now on.",
    ]
    checked = invoke("check")
    assert (checked.exit_code, checked.stdout) == (
        0,
        f"No findings (1 file checked; 1 known in {BASELINE}).\n",
    )
    assert tomllib.loads((here / "namecheck.toml").read_text()) == {}


def test_settings_go_into_an_existing_pyproject(here: Path) -> None:
    before = '[project]\nname = "x"  # mine\n'
    (here / "pyproject.toml").write_text(before)
    assert invoke("init").stdout.startswith("Wrote settings into pyproject.toml.\n")
    after = (here / "pyproject.toml").read_text()
    assert after.startswith(before + "\n[tool.namecheck]\n")
    assert tomllib.loads(after) == {"project": {"name": "x"}, "tool": {"namecheck": {}}}
    assert not (here / "namecheck.toml").exists()


def test_existing_files_are_left_as_they_are(here: Path) -> None:
    invoke("init")
    files = {file: file.read_bytes() for file in here.glob("namecheck*")}
    (here / "a.py").write_text(WRONG * 2)
    result = invoke("init")
    assert result.stdout == (
        "namecheck.toml already has settings: they are left as they are.\n"
        f"{BASELINE} already exists: `namecheck baseline write` replaces it.\n"
    )
    assert {file: file.read_bytes() for file in here.glob("namecheck*")} == files


def test_settings_in_a_parent_folder_count(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "pyproject.toml").write_text("[tool.namecheck]\n")
    (here / "inner").mkdir()
    (here / "inner/b.py").write_text(WRONG)
    monkeypatch.chdir(here / "inner")
    result = invoke("init")
    assert "pyproject.toml already has settings: they are left" in result.stdout
    assert os.listdir() == ["b.py"]
    assert (here / BASELINE).exists()
    assert invoke("check").exit_code == 0


def test_a_clean_project_needs_no_baseline(here: Path) -> None:
    (here / "a.py").write_text("x = 1\n")
    result = invoke("init")
    assert result.exit_code == 0
    assert "There are no findings for a baseline" in result.stdout
    assert not (here / BASELINE).exists()


def test_a_file_that_is_not_python_is_reported_and_does_not_end_it(here: Path) -> None:
    (here / "b.py").write_text("def f(:\n")
    result = invoke("init")
    assert result.exit_code == 0
    assert "error[NC900]" in result.stdout
    assert (here / BASELINE).exists()


def test_invalid_settings_end_it(here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.namecheck]\nselekt = 1\n")
    assert invoke("init").exit_code == 2
    (here / "pyproject.toml").write_text("[tool\n")
    result = invoke("init")
    assert result.exit_code == 0
    assert result.stdout.startswith("Wrote settings into namecheck.toml.\n")


def test_nothing_is_written_through_a_link(
    here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "pyproject.toml"
    elsewhere.write_text("[project]\n")
    (here / "pyproject.toml").symlink_to(elsewhere)
    (here / ".git").mkdir()
    result = invoke("init")
    assert result.exit_code == 2
    assert elsewhere.read_text() == "[project]\n"


@pytest.mark.parametrize(
    ("before", "fits"),
    [
        (b"", True),
        (b"x = 1", True),
        (b"[tool.ruff]\r\nx = 1\r\n", True),
        (b"tool = { ruff = { x = 1 } }\n", False),
        (b"[tool]\nnamecheck = 3\n", False),
        (b"x = '''\n", False),
        (b"\xff", False),
    ],
)
def test_a_table_is_added_or_the_file_is_left(before: bytes, fits: bool) -> None:
    after = with_table(before)
    assert (after is not None) is fits
    if after is not None:
        assert after.startswith(before)
        assert (b"\r\n" in after) is (b"\r\n" in before)
        tomllib.loads(after.decode())


def test_the_suggested_keys_are_settings(here: Path) -> None:
    lines = [line.removeprefix("# ") for line in KEYS.splitlines()[1:]]
    (here / "namecheck.toml").write_text("\n".join(lines))
    shown = invoke("check", "--show-settings")
    assert shown.exit_code == 0
    assert shown.stdout.count("# namecheck.toml") == len(lines)
