"""Where the output of `check` goes, and how much of it: files, silence, colours, pipes."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from namecheck.main import main
from namecheck.report import FOR_PEOPLE, FORMATS
from namecheck.report.file import replace

ROOT = Path(__file__).parent.parent

WRONG = "import torch\n\nx = torch.zeros(3, 4) + torch.zeros(3, 5)\n"
CONCISE = "wrong.py:3:5: NC201 [error]"

UNSET = dict.fromkeys(
    (
        "NO_COLOR",
        "FORCE_COLOR",
        "TERM",
        "NAMECHECK_OUTPUT_FORMAT",
        "GITHUB_WORKSPACE",
        "CI_PROJECT_DIR",
    )
)


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env=UNSET | environment).invoke(main, arguments)


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "wrong.py").write_text(WRONG)
    (here / "right.py").write_text("import torch\n\nx = torch.zeros(3, 4)\n")
    return here


# Into a file


@pytest.mark.parametrize("output_format", FORMATS)
def test_a_file_holds_what_would_have_been_printed(here: Path, output_format: str) -> None:
    printed = run("check", "wrong.py", "--output-format", output_format)
    result = run("check", "wrong.py", "--output-format", output_format, "--output-file", "found")
    assert (here / "found").read_bytes() == printed.stdout_bytes
    assert (result.exit_code, result.stdout) == (1, "Found 1 finding in 1 file (1 checked).\n")


def test_a_file_has_no_colours(here: Path) -> None:
    result = run("check", "wrong.py", "--output-file", "found", "--color", "always")
    assert "\x1b" not in (here / "found").read_text()
    assert result.exit_code == 1


def test_a_report_without_findings_is_written(here: Path) -> None:
    assert run("check", "right.py", "--output-format", "gitlab", "--output-file", "found.json")
    assert json.loads((here / "found.json").read_text()) == []


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("no/such/found", "there is no folder '{here}/no/such' for 'found'"),
        ("folder", "'folder' is a folder"),
    ],
)
def test_an_impossible_output_file_is_refused_before_the_check(
    here: Path, target: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "folder").mkdir()
    monkeypatch.setattr("namecheck.running.checking.check_files", None)
    result = run("check", "wrong.py", "--output-file", target)
    reason = reason.format(here=here)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"Error: cannot write the findings: {reason}\n"


def test_the_old_report_stays_if_writing_fails(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "found").write_text("before")

    def refuse(source: str, target: str, **_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    result = run("check", "wrong.py", "--output-file", "found")
    monkeypatch.undo()
    assert result.exit_code == 2
    assert result.stderr == "Error: cannot write the findings to 'found': No space left on device\n"
    assert (here / "found").read_text() == "before"
    assert sorted(path.name for path in here.iterdir()) == ["found", "right.py", "wrong.py"]


def test_a_mode_is_kept_and_a_link_is_not_written_through(here: Path) -> None:
    (here / "found").write_text("before")
    (here / "found").chmod(0o640)
    (here / "link").symlink_to("found")
    with pytest.raises(OSError, match="it is a link"):
        replace("link", b"after")
    assert (here / "found").read_text() == "before"
    replace("found", b"after")
    assert (here / "found").read_text() == "after"
    assert stat.S_IMODE((here / "found").stat().st_mode) == 0o640


def test_a_new_file_is_as_readable_as_others(here: Path) -> None:
    replace("new", b"")
    (here / "other").touch()
    assert (here / "new").stat().st_mode == (here / "other").stat().st_mode


def test_a_device_is_written_and_not_replaced() -> None:
    result = run("check", "wrong.py", "--output-file", os.devnull)
    assert result.exit_code == 1
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_a_dash_is_standard_output(here: Path) -> None:
    assert run("check", "wrong.py", "--output-file", "-").stdout == run("check", "wrong.py").stdout
    assert not (here / "-").exists()


# Less and more output


def test_quiet_prints_findings_and_nothing_else(here: Path) -> None:
    result = run("check", "wrong.py")
    quiet = run("check", "wrong.py", "-q")
    assert result.stdout == quiet.stdout + "Found 1 finding in 1 file (1 checked).\n"
    assert (quiet.exit_code, quiet.stderr) == (1, "")
    assert run("check", "right.py", "--quiet").output == ""
    (here / "empty").mkdir()
    assert run("check", "empty", "-q").output == ""
    assert run("check", "wrong.py", "-q", "--output-file", "found").output == ""


def test_twice_quiet_prints_nothing() -> None:
    result = run("check", "wrong.py", "-qq", "--statistics")
    assert (result.exit_code, result.output) == (1, "")
    assert run("check", "right.py", "-q", "-q").exit_code == 0
    assert run("check", "nope", "-qq").exit_code == 2


@pytest.mark.parametrize("output_format", FORMATS)
def test_statistics_do_not_break_a_format(output_format: str) -> None:
    plain = run("check", "wrong.py", "--output-format", output_format)
    counted = run("check", "wrong.py", "--output-format", output_format, "--statistics")
    assert counted.exit_code == 1
    assert plain.stderr == ""
    if output_format in FOR_PEOPLE:
        assert counted.stdout.startswith(plain.stdout)
        sums = counted.stdout.removeprefix(plain.stdout)
    else:
        assert counted.stdout == plain.stdout
        sums = counted.stderr
    if output_format.startswith("json"):
        assert json.loads(sums)["findings"] == {"NC201": 1}
    else:
        assert "        1    NC201  size-mismatch\n" in sums


def test_statistics_are_printed_beside_a_file(here: Path) -> None:
    result = run(
        "check", "wrong.py", "--statistics", "--output-format", "sarif", "--output-file", "found"
    )
    assert "        1    NC201  size-mismatch\n" in result.stdout
    json.loads((here / "found").read_text())


def test_exit_zero_affects_only_findings() -> None:
    assert run("check", "wrong.py", "--exit-zero").exit_code == 0
    assert run("check", "nope.py", "--exit-zero").exit_code == 2


def test_the_command_line_overrides_the_format_of_the_environment() -> None:
    chosen = run("check", "wrong.py", NAMECHECK_OUTPUT_FORMAT="concise")
    assert chosen.stdout.startswith(CONCISE)
    other = run("check", "wrong.py", "--output-format", "json", NAMECHECK_OUTPUT_FORMAT="concise")
    assert json.loads(other.stdout)
    wrong = run("check", "wrong.py", NAMECHECK_OUTPUT_FORMAT="xml")
    assert wrong.exit_code == 2
    assert "NAMECHECK_OUTPUT_FORMAT" in wrong.stderr


def test_the_ci_service_names_the_repository(here: Path) -> None:
    """Jobs work in subfolders, but annotations need paths relative to the repository."""
    github = run(
        "check", "wrong.py", "--output-format", "github", GITHUB_WORKSPACE=str(here.parent)
    )
    assert f",file={here.name}/wrong.py," in github.stdout
    gitlab = run("check", "wrong.py", "--output-format", "gitlab", CI_PROJECT_DIR=str(here.parent))
    assert json.loads(gitlab.stdout)[0]["location"]["path"] == f"{here.name}/wrong.py"


# Colours


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ([], {}, False),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
        (["--color", "auto"], {"FORCE_COLOR": "1"}, True),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["check", "wrong.py"],
        ["check", "wrong.py", "--output-format", "concise"],
        ["show", "wrong.py"],
        ["explain", "NC202"],
    ],
)
def test_colours(
    command: list[str], arguments: list[str], environment: dict[str, str], coloured: bool
) -> None:
    assert ("\x1b[" in run(*command, *arguments, **environment).stdout) is coloured


@pytest.mark.parametrize("output_format", sorted(set(FORMATS) - FOR_PEOPLE))
def test_output_for_programs_is_never_coloured(output_format: str) -> None:
    arguments = ["check", "wrong.py", "--output-format", output_format, "--color", "always"]
    assert "\x1b" not in run(*arguments).stdout


# Real processes


def environment(**changes: str | None) -> dict[str, str]:
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    merged = {**os.environ, **UNSET, "PYTHONPATH": roots, **changes}
    return {key: value for key, value in merged.items() if value is not None}


def on_a_terminal(*arguments: str, **changes: str) -> str:
    """The text that is sent to a terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "namecheck", *arguments]
    with subprocess.Popen(command, stdout=slave, stderr=slave, env=environment(**changes)):
        os.close(slave)
        read = b""
        while True:
            try:
                chunk = os.read(master, 1 << 16)
            except OSError:  # the command has closed the terminal
                break
            if not chunk:
                break
            read += chunk
    os.close(master)
    return read.decode()


def test_colours_are_for_terminals() -> None:
    assert "\x1b[" in on_a_terminal("check", "wrong.py", TERM="xterm-256color")
    assert "\x1b[" not in on_a_terminal("check", "wrong.py", TERM="dumb")
    assert "\x1b[" not in on_a_terminal("check", "wrong.py", TERM="xterm", NO_COLOR="1")


@pytest.mark.parametrize("output_format", ["full", "sarif"])
def test_a_reader_that_stops_reading(here: Path, output_format: str) -> None:
    """`namecheck check | head -1`, with more output than a pipe holds."""
    lines = ["import torch", *["x = torch.zeros(3, 4) + torch.zeros(3, 5)"] * 400]
    (here / "many.py").write_text("\n".join(lines))
    command = [sys.executable, "-m", "namecheck", "check", "many.py"]
    with subprocess.Popen(
        [*command, "--output-format", output_format],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_json_is_utf_8_whatever_the_encoding_of_the_terminal(here: Path) -> None:
    (here / "wörng.py").write_text(WRONG)
    done = subprocess.run(
        [sys.executable, "-m", "namecheck", "check", "wörng.py", "--output-format", "json"],
        env=environment(PYTHONUTF8="1", PYTHONIOENCODING="latin-1"),
        capture_output=True,
        check=False,
    )
    assert [finding["filename"] for finding in json.loads(done.stdout.decode())] == ["wörng.py"]


def test_a_path_that_is_not_text(here: Path) -> None:
    name = os.fsdecode(b"n\xff.py")
    Path(name).write_text(WRONG)
    for output_format in FORMATS:
        done = subprocess.run(
            [sys.executable, "-m", "namecheck", "check", name, "--output-format", output_format],
            env=environment(),
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, b"")
        done.stdout.decode()
