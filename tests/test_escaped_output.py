"""File names, source, settings and arguments of strangers are shown and never obeyed.

Every command and every format is run with names that hold all that a terminal, a reader or a CI
service could misread; and all printing must go through `namecheck.printing.output`.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import types
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree as ET

import click
import pytest
from click.testing import CliRunner, Result

import namecheck
from namecheck.main import COMMANDS, main
from namecheck.printing.escapes import json_text, substitutes, toml_text, visible, visible_lines
from namecheck.printing.output import is_looked_at, log_formatter, show_traceback
from namecheck.printing.screen import lay_out
from namecheck.report import FORMATS, Report, text_of_report

CONTROLS = "\x01\x07\x08\x0b\x0c\x1b[31m\x1b]0;title\x07\x7f\x80\x85\x9b31m\x9f"
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
UNSEEN = "\u00ad\u034f\u115f\u180e\u200b\u200c\u200d\u2028\u2029\u2060\ufe00\ufeff\U000e0041"
COMMAND = "##[error]a##vso[task.setvariable]b##teamcity[blockOpened]c"
HOSTILE = f"{CONTROLS}{DIRECTIONS}{UNSEEN}{COMMAND}"
START = "::error title=x::"
LINES = f"{START}\r\n{START}\r{START}"

NAMES = {
    "start": f"{START}y.py",
    "lines": f"{LINES}.py",
    "hostile": f"{HOSTILE}.py",
    "bytes": "\udcff\udc9b.py",
}

# In a string Python reads the escapes; a comment has the characters themselves.
WRITTEN = HOSTILE.replace("\x0c", "")
ESCAPED = HOSTILE.encode("unicode_escape").decode().replace('"', "")
SOURCE = f"""\
import torch

x = torch.zeros(3, 4)  # {WRITTEN}
y = x + torch.zeros(3, 5)  # {START}
"{WRITTEN}"; z = torch.zeros(2, 3, names=("N{ESCAPED}", "C")) + torch.zeros(4, 3)
w = torch.zeros(2, names=("{ESCAPED}",)).sum("{ESCAPED}")
v = x - x.mean(-1)  # {WRITTEN}
'''
{START}
{COMMAND}
'''
u = x.transpose(0, 1).view(-1)  # {DIRECTIONS}


def f(a{"b" * 3}, x):
    # namecheck: ignore[{DIRECTIONS}]
    B, T, C = x.shape
    return x.mean(-1)
"""


FILLERS = (0x115F, 0x1160, 0x3164, 0xFFA0)
"""Letters that take a column and are invisible."""


def dangers(text: str, commands: bool = False) -> list[str]:
    """The parts of an output that would be obeyed, or are invisible."""
    dangerous = [
        letter
        for letter in text
        if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]
    dangerous += re.findall("[\u034f\u115f\ufe00]", text)
    dangerous += re.findall(r"##(?:\[|vso\[|teamcity\[)", text)
    return dangerous if commands else dangerous + re.findall(r"(?m)^\s*::.*", text)


def run(*arguments: str, source: str | bytes | None = None, **environment: str) -> Result:
    unset: dict[str, str | None] = dict.fromkeys(
        ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION", "FORCE_COLOR")
    )
    return CliRunner(env=unset | environment).invoke(main, arguments, input=source)


def safe(result: Result, commands: bool = False) -> None:
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert dangers(result.stdout_bytes.decode(), commands) == []
    assert dangers(result.stderr_bytes.decode()) == []


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "namecheck.toml").write_text("")
    for name in NAMES.values():
        (here / name).write_bytes(SOURCE.encode())
    (here / f"broken {HOSTILE}.py").write_bytes(f"x = (  # {HOSTILE}\n".encode())
    (here / f"{HOSTILE}.ipynb").write_text(
        json.dumps(
            {
                "cells": [
                    {"cell_type": "code", "source": SOURCE, "outputs": [], "metadata": {}},
                ],
                "metadata": {"language_info": {"name": "python"}},
                "nbformat": 4,
                "nbformat_minor": 5,
            }
        )
    )
    return here


# The one function


BLANK = (0x115F, 0x1160, 0x3164, 0xFFA0, 0x13441, 0x13442)
"""Invisible characters that Unicode counts as letters: fillers of Hangul and of hieroglyphs."""


def test_every_invisible_character_is_escaped() -> None:
    # Marks before a number in Arabic, Syriac and Kaithi are visible.
    shown = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and code not in shown:
            assert visible(letter).isascii(), hex(code)
            assert visible(letter).startswith("\\"), hex(code)
        elif letter.isascii() or (letter.isalpha() and code not in BLANK):
            assert visible(letter) == letter, hex(code)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[0m\x7f\x9b\u202e\U000e0041\udcff", r"\x1b[0m\x7f\x9b\u202e\U000e0041\udcff"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("می\u200cخواهم 👩\u200d💻 ❤\ufe0f", "می\u200cخواهم 👩\u200d💻 ❤\ufe0f"),
        ("❤\ufe0f\u200d🔥\u200b\u200d", "❤\ufe0f\u200d🔥\\u200b\\u200d"),
        ("na\u200cme\ufe0f", r"na\u200cme\ufe0f"),
        ("# ## x[0] #[1] :: a::b", "# ## x[0] #[1] :: a::b"),
        ("a ###[x", r"a #\x23#[x"),
    ],
)
def test_how_escaped_text_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_only_the_beginning_of_a_line_can_be_a_command() -> None:
    assert visible_lines("a\n \u3000::error::x\n::b\na ::c\n") == (
        "a\n \u3000\\x3a:error::x\n\\x3a:b\na ::c\n"
    )


def test_escapes_of_json_and_toml_denote_the_characters() -> None:
    import tomllib

    text = f'{HOSTILE}{LINES}\x00"\\ü'
    assert json.loads(json_text([text])) == [text]
    assert dangers(json_text([text, "\udcff"])) == []
    assert json.loads(json_text("\udcff")) == "\udcff"
    assert tomllib.loads(f"a = {toml_text(text)}") == {"a": text}
    assert dangers(toml_text(text)) == []


def test_columns_count_escaped_characters() -> None:
    line = "s\x1b\u202e表\u0301 = x  # ##[a"
    laid = lay_out(line)
    assert "".join(laid.cells) == "s\\x1b\\u202e表\u0301 = x  # \\x23#[a"
    assert dict(substitutes(line)) == {1: r"\x1b", 2: r"\u202e", 13: r"\x23"}
    assert laid.cell(line.index("x  ") + 1) == len(r"s\x1b\u202e") + 2 + 3


def test_underlines_are_below_the_escaped_code() -> None:
    text = "import torch\ns = '\x1b\u202e表'; y = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
    Path("a.py").write_text(text)
    lines = run("check", "a.py").stdout.splitlines()
    (at,) = (number for number, line in enumerate(lines) if line.startswith("2 |"))
    wide = "表"
    start = lines[at].replace(wide, wide + "_").index("torch.zeros(3, 4)")
    assert lines[at + 1].index("-") == start
    assert lines[at + 1][start:].startswith("-" * len("torch.zeros(3, 4)") + "^^^")


# Every format, every command


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format(output_format: str) -> None:
    commands = output_format == "github"
    options = ("check", ".", "--output-format", output_format, "--notes", "--no-cache", "-j1")
    result = run(*options, "--statistics")
    assert result.exit_code == 1
    safe(result, commands)
    safe(run(*options, "--output-file", "found"))
    assert dangers(Path("found").read_text(), commands) == []
    safe(run(*options, "--select", "ALL", "--strict"), commands)


def test_machine_formats_give_the_real_names(here: Path) -> None:
    def said(output_format: str, name: str) -> str:
        return run("check", name, "--output-format", output_format, "--no-cache", "-j1").stdout

    for name in NAMES.values():
        findings = json.loads(said("json", name))
        assert {finding["filename"] for finding in findings} == {name}
        assert any(HOSTILE in finding["message"] for finding in findings)
        lines = said("json-lines", name).split("\n")[:-1]
        assert [json.loads(line) for line in lines] == findings
        for entry in json.loads(said("gitlab", name)):
            assert entry["location"]["path"] == name
        for entry in json.loads(said("rdjson", name))["diagnostics"]:
            assert entry["location"]["path"] == name
        for result in json.loads(said("sarif", name))["runs"][0]["results"]:
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            assert os.fsdecode(unquote_to_bytes(uri)) == name
        cases = list(ET.fromstring(said("junit", name).encode()).iter("testcase"))
        # XML has no form for most control characters, or for bytes that are not text.
        no_xml = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
        shown = no_xml.sub(lambda match: visible(match[0]), name)
        assert cases
        assert {case.get("classname") for case in cases} == {shown}
    for line in said("github", NAMES["start"]).splitlines():
        assert "file=%3A%3Aerror title=x%3A%3Ay.py," in line


def calls() -> Iterator[tuple[str, ...]]:
    """Commands with hostile text in every place where the user may put some."""
    yield from [(HOSTILE,), (f"--{HOSTILE}",), ("--help",), ("--version",)]
    for name in COMMANDS:
        yield from [(name, f"--{HOSTILE}"), (name, "--help"), (name, "-q", "-j", LINES)]
        yield from [(name, f"no {HOSTILE}"), (name, f"{LINES}no"), (name, HOSTILE, HOSTILE)]
    for options in (
        ("--output-format", HOSTILE),
        ("--output-file", f"no/{HOSTILE}/{LINES}"),
        ("--output-file", "."),
        ("--baseline", f"no {HOSTILE}"),
        ("--baseline", f"no {LINES}"),
        ("--baseline", NAMES["start"]),
        ("--config", f"no {HOSTILE}"),
        ("--config", f"select = ['{HOSTILE}']"),
        ("--config", f'select = ["{LINES}"'),
        ("--config", f'"{HOSTILE[-5:]}{DIRECTIONS}" = 1'),
        ("--config", f"baseline = {toml_text(f'no{HOSTILE}{LINES}')}"),
        ("--select", HOSTILE),
        ("--ignore", LINES),
        ("--cache-dir", f"{HOSTILE}.py"),
        ("--stdin-filename", HOSTILE),
        ("--show-settings", "--config", f"exclude = [{toml_text(HOSTILE + LINES)}]"),
        ("--show-files",),
        ("--exclude", "*.py", "--exclude", "*.ipynb"),
        ("--color", "never"),
        ("-qq",),
    ):
        yield ("check", ".", *options)
    yield ("check", NAMES["hostile"], NAMES["lines"], "--show-settings")
    yield ("check", "-", NAMES["lines"])
    for name in (NAMES["lines"], NAMES["hostile"], NAMES["bytes"], f"{HOSTILE}.ipynb"):
        yield from [("show", name), ("annotate", "--diff", f"broken {HOSTILE}.py", f"no{name}")]
        yield ("check", name, "--diff", "--unsafe-fixes", "--select", "NC305")
    yield from [("explain", HOSTILE), ("explain", f"{LINES}NC101"), ("explain", "--all")]
    yield ("explain", "--all", "--output-format", "json")
    yield from [("baseline", HOSTILE), ("baseline", "write", ".", "--baseline", HOSTILE)]
    yield ("baseline", "write", ".", "--baseline", f"no{LINES}/{HOSTILE}")
    yield from [("clean", "--cache-dir", HOSTILE), ("clean", "--cache-dir", f"{HOSTILE}.py")]


@pytest.mark.parametrize("arguments", list(calls()), ids=lambda some: ascii(" ".join(some))[:60])
def test_every_command(arguments: tuple[str, ...]) -> None:
    safe(run(*arguments, "--help") if arguments[0] == "server" else run(*arguments))


def test_a_baseline_and_its_stale_entries(here: Path) -> None:
    file = f"{HOSTILE}{LINES}.json".replace("/", "")
    safe(run("baseline", "write", ".", "--baseline", file))
    (here / NAMES["hostile"]).write_text("import torch\n")
    (here / NAMES["lines"]).unlink()
    for command in ("check", "prune"):
        safe(run("baseline", command, ".", "--baseline", file))
    safe(run("check", ".", "--baseline", file, "--error-stale-baseline"))
    (here / file).write_text(json.dumps({"namecheck-baseline": LINES, HOSTILE: HOSTILE}))
    safe(run("check", ".", "--baseline", file))


@pytest.mark.parametrize(
    "written", ["baseline = {text}", "select = [{text}]", "{text} = 1", "= {text}"]
)
def test_settings(here: Path, written: str) -> None:
    text = toml_text(f"{LINES}{HOSTILE}")
    (here / "namecheck.toml").write_text(written.format(text=text))
    result = run("check", ".")
    assert result.exit_code == 2
    assert result.stderr
    safe(result)
    # The same with the characters that TOML allows.
    (here / "namecheck.toml").write_text(written.format(text=f'"{DIRECTIONS}{UNSEEN}"'))
    safe(run("check", "."))


def test_in_colour() -> None:
    for arguments in (("check", "."), ("show", NAMES["hostile"]), ("show", NAMES["lines"])):
        result = run(*arguments, "--color", "always")
        assert "\x1b[" in result.stdout
        assert dangers(re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)) == []
    for output_format in ("full", "concise"):
        options = "--color", "always", "--output-format", output_format
        result = run("check", NAMES["start"], *options)
        assert dangers(re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)) == []


def test_fixes_are_written_and_reported(here: Path) -> None:
    safe(run("check", ".", "--fix", "--unsafe-fixes"))
    assert ".contiguous().view" in (here / NAMES["hostile"]).read_text()
    os.chmod(here / NAMES["lines"], 0o400)
    safe(run("check", ".", "--add-ignore", HOSTILE))
    safe(run("annotate", "."))


# Output for other programs


def test_a_diff_is_unescaped_for_patch_and_escaped_for_a_terminal(here: Path) -> None:
    options = ("check", NAMES["hostile"], NAMES["start"], "--diff", "--unsafe-fixes")
    raw = run(*options)
    assert WRITTEN in raw.stdout_bytes.decode()
    safe(run(*options, GITHUB_ACTIONS="true"))
    painted = run(*options, "--color", "always")
    assert dangers(re.sub(r"\x1b\[[0-9;]*m", "", painted.stdout)) == []
    if shutil.which("git") is None:
        return
    (here / "change.patch").write_bytes(raw.stdout_bytes)
    done = subprocess.run(
        ["git", "apply", "-p0", "change.patch"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for name in ("hostile", "start"):
        text = (here / NAMES[name]).read_bytes()
        assert b".contiguous().view" in text
        assert WRITTEN.encode() in text


def test_standard_input_is_printed_unescaped() -> None:
    for arguments in (("check", "--fix", "-"), ("annotate", "-")):
        done = run(*arguments, source=SOURCE.encode())
        assert WRITTEN in done.stdout_bytes.decode()
        assert START in done.stdout_bytes.decode()
        assert dangers(done.stderr_bytes.decode()) == []
        in_ci = run(*arguments, source=SOURCE.encode(), CI="1")
        assert in_ci.stdout_bytes == done.stdout_bytes


def test_when_a_person_reads_the_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION"):
        monkeypatch.delenv(name, raising=False)
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as pipe, open(tmp_path / "f", "w") as file:
        assert not is_looked_at(pipe)
        assert not is_looked_at(file)
        monkeypatch.setenv("TF_BUILD", "True")
        assert is_looked_at(pipe)
        assert not is_looked_at(file)
        assert is_looked_at(io.StringIO())


# All printing goes through it


ALLOWED = {
    "printing.output": {"click.echo", "click.style"},
    "report.colour": {"Console", "print"},  # rich's console, for escaped text
    "printing.progress": {"Console"},  # the progress bar, with our own words
    "running.watching": {"click.clear"},
    "settings.schema": {"print"},  # run by hand, with our own words
    "files.disk": {"write"},
    "report.file": {"write"},
}
"""The calls that print or write a file, by module."""

PRINTING = {
    *("print", "pprint", "Console", "input", "click.echo", "click.secho", "click.style"),
    *("click.clear", "click.echo_via_pager", "click.prompt", "click.confirm", "write"),
    *("writelines", "print_exc", "print_exception", "showwarning", "show"),
}


def test_everything_is_printed_by_one_module() -> None:
    root = Path(namecheck.__file__).parent
    calls_by_module: dict[str, set[str]] = {}
    for path in sorted(root.rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        if module.startswith("lsp"):  # its output is the language server protocol
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            words = ast.unparse(node.func)
            name = words if words.startswith("click.") else words.rpartition(".")[2]
            if name in PRINTING:
                calls_by_module.setdefault(module, set()).add(name)
    # our own `show` and `write`
    theirs = {"running.baseline", "running.checking", "analysis.runs.file_analysis"}
    for module, names in calls_by_module.items():
        ours = (
            {"show", "write"}
            if module.startswith(("analysis", "commands", "annotations"))
            else set()
        )
        assert names <= ALLOWED.get(module, set()) | ours, module
    assert not theirs & set(calls_by_module) - {"analysis.runs.file_analysis"}


def test_the_output_of_a_format_that_forgets_to_escape_is_escaped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = types.ModuleType("namecheck.report.forgetful")
    module.report_text = lambda report: f"{START}{HOSTILE}\n{START}\n"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "namecheck.report.forgetful", module)
    monkeypatch.setitem(FORMATS, "forgetful", "forgetful")  # type: ignore[misc]
    assert dangers(text_of_report(Report([], lambda path, cell: "", 0), "forgetful")) == []


def test_tracebacks_and_logs(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    try:
        raise ValueError(HOSTILE + LINES)
    except ValueError as failure:
        show_traceback(ValueError, failure, failure.__traceback__)
        record = logging.LogRecord("a", 30, "b", 1, "said %s", (HOSTILE,), sys.exc_info())
    errors = capsys.readouterr().err
    assert "ValueError" in errors
    assert dangers(errors) == []
    assert dangers(log_formatter("%(message)s").format(record)) == []


def test_every_format_reports_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError(HOSTILE + LINES)

    monkeypatch.setattr("namecheck.analysis.analyze_text", fail)
    for output_format in FORMATS:
        result = run("check", ".", "--no-cache", "-j1", "--output-format", output_format)
        assert result.exit_code == 2
        safe(result, output_format == "github")


def test_watching_names_the_changed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def rounds(paths: object) -> Iterator[set[str]]:
        yield set()
        yield {os.path.abspath(name) for name in NAMES.values()}
        raise KeyboardInterrupt

    monkeypatch.setattr("namecheck.running.watching.changes_of", rounds)
    monkeypatch.setattr(click, "clear", lambda: None)
    result = run("check", NAMES["hostile"], "--watch")
    assert "Watching" in result.stderr
    safe(result)
