"""Levels of codes: `severity`, `min-severity` and `exit-on`, and the findings they leave out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from invoking import invoke
from namecheck.codes.selection import ALL, Layer, is_selected, severity_of

# One mistake of level error (NC201), one of level warning (NC202).
BOTH = """\
import torch

x = torch.zeros(3) + torch.zeros(4)


def f(a):
    B, T = a.shape
    return a.sum(1, keepdim=True) - a.sum(1)
"""


def run(*arguments: str) -> Result:
    return invoke("check", *arguments)


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "a.py").write_text(BOTH)
    return here


def levels(*arguments: str) -> dict[str, str]:
    """The level of each code that is reported."""
    result = run("--output-format", "json", *arguments)
    assert result.exit_code in (0, 1), result.output
    return {finding["code"]: finding["level"] for finding in json.loads(result.stdout)}


def settings(text: str, folder: Path = Path()) -> None:
    (folder / "namecheck.toml").write_text(text)


def test_a_code_has_a_level_of_its_own() -> None:
    assert levels() == {"NC201": "error", "NC202": "warning"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('NC202 = "error"', {"NC201": "error", "NC202": "error"}),
        ('misaligned-broadcast = "note"', {"NC201": "error", "NC202": "note"}),
        ('NC2 = "note"', {"NC201": "note", "NC202": "note"}),
        ('NC2 = "note"\nNC201 = "warning"', {"NC201": "warning", "NC202": "note"}),
        ('ALL = "off"\nNC202 = "error"', {"NC202": "error"}),
        ('NC202 = "off"', {"NC201": "error"}),
    ],
)
def test_the_longest_selector_decides(written: str, expected: dict[str, str]) -> None:
    settings(f"[severity]\n{written}\n")
    assert levels() == expected


def test_the_command_line_overrides_the_file_code_by_code() -> None:
    settings('severity = { NC201 = "off", NC202 = "error" }')
    assert levels("--config", 'severity.NC201 = "note"') == {"NC201": "note", "NC202": "error"}
    assert levels("--select", "NC2") == {"NC201": "error", "NC202": "error"}
    assert levels("--config", 'severity.NC2 = "warning"') == {
        "NC201": "warning",
        "NC202": "warning",
    }


def test_an_extending_file_overrides_the_extended_one(here: Path) -> None:
    settings('severity = { NC201 = "off", NC202 = "error" }')
    (here / "inner").mkdir()
    (here / "a.py").rename("inner/a.py")
    settings('extend = "../namecheck.toml"\nseverity = { NC201 = "warning" }', here / "inner")
    assert levels() == {"NC201": "warning", "NC202": "error"}
    shown = run("--show-settings", "inner").stdout
    assert 'severity = { "NC201" = "warning", "NC202" = "error" }' in shown


def test_a_level_does_not_turn_a_code_on() -> None:
    assert "NC209" not in levels("--config", 'severity.NC209 = "error"')
    assert levels("--select", "NC201", "--config", 'severity.NC202 = "error"') == {"NC201": "error"}


def test_layers() -> None:
    default = Layer(("NC",))
    off = Layer(severity=(("NC2", "off"),))
    assert severity_of("NC201", [default]) is None
    assert not is_selected("NC201", [default, off])
    assert is_selected("NC101", [default, off])
    assert is_selected("NC201", [default, off, Layer(severity=(("NC201", "note"),))])
    assert not is_selected("NC201", [Layer(), off, Layer(severity=(("NC201", "note"),))])
    assert is_selected("NC201", [default, off, Layer(extend=("NC201",))])
    assert not is_selected("NC201", [default, off, Layer(extend=("NC1",))])
    assert severity_of("NC900", [Layer(severity=((ALL, "off"), ("NC9", "note")))]) is None
    assert severity_of("NC900", [Layer(severity=(("NC900", "warning"),))]) == "warning"


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ('NC2O2 = "error"', "unknown code 'NC2O2' in `severity`; did you mean 'NC202'?"),
        ('NC202 = "eror"', "unknown severity 'eror'; did you mean 'error'?"),
        ("NC202 = 3", "`severity.NC202` must be a string, not a number"),
        ('NC900 = "off"', "NC900 cannot be ignored everywhere; `exclude` the file"),
        ('NC900 = "note"', "NC900 cannot be ignored everywhere"),
        ('NC999 = "warning"', "NC999 is a bug in namecheck and always an error"),
        ('NC202 = "off"\nmisaligned-broadcast = "off"', "`severity` has NC202 twice"),
    ],
)
def test_invalid_severities(written: str, message: str) -> None:
    settings(f"[severity]\n{written}\n")
    result = run()
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {message}")
    line = 1 + len(written.splitlines())
    assert f"--> namecheck.toml:{line}:" in result.stderr


def test_the_minimum_level_of_reports() -> None:
    assert levels("--min-severity", "error") == {"NC201": "error"}
    settings('min-severity = "error"')
    assert levels() == {"NC201": "error"}
    assert levels("--min-severity", "note") == {"NC201": "error", "NC202": "warning"}
    result = run("--select", "NC202")
    assert (result.exit_code, result.stdout) == (
        0,
        "No findings (1 file checked; 1 below min-severity).\n",
    )
    aside = run("--output-format", "concise")
    assert aside.stderr == "Not reported: 1 below min-severity.\n"


def test_an_unreadable_file_is_reported_whatever_the_minimum_level(here: Path) -> None:
    (here / "a.py").write_text("def")
    settings('min-severity = "error"\nseverity.NC900 = "warning"')
    assert levels() == {"NC900": "warning"}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--select", "NC202"), 1),
        (("--select", "NC202", "--exit-on", "error"), 0),
        (("--exit-on", "error"), 1),
        (("--exit-on", "never"), 0),
        (("--config", 'severity.NC2 = "note"'), 0),
        (("--config", 'severity.NC2 = "note"', "--exit-on", "note"), 1),
        (("--exit-on", "note", "--exit-zero"), 0),
    ],
)
def test_exit_codes(options: tuple[str, ...], code: int) -> None:
    assert run(*options).exit_code == code


def test_the_settings_of_each_file_decide_the_exit_code(here: Path) -> None:
    (here / "inner").mkdir()
    (here / "a.py").rename("inner/a.py")
    settings('exit-on = "never"', here / "inner")
    (here / "b.py").write_text("x = 1\n")
    assert run().exit_code == 0
    (here / "b.py").write_text(BOTH)
    assert run().exit_code == 1


def test_a_mistake_with_the_severity_of_a_note_goes_into_the_baseline() -> None:
    settings('severity.NC2 = "note"')
    written = invoke("baseline", "write")
    assert "holds 2 findings" in written.stdout
    assert levels() == {}


def test_a_finding_below_the_minimum_level_is_not_fixed(here: Path) -> None:
    (here / "a.py").write_text("x = 1  # namecheck: ignore[NC202]\n")
    before = (here / "a.py").read_text()
    assert run("--fix", "--min-severity", "error").exit_code == 0
    assert (here / "a.py").read_text() == before
    assert run("--fix").exit_code == 0
    assert (here / "a.py").read_text() == "x = 1\n"
