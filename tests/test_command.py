"""The command line: exit codes, what is printed where, and no tracebacks.

A test that needs a certain finding replaces the analysis; `test_with_the_real_analysis` and the
tests of the examples cover the findings.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import namecheck
from lessons import programs
from namecheck.analysis import analyze
from namecheck.codes.coverage import left_unread
from namecheck.commands import slow_runs
from namecheck.documentation.pages import pages
from namecheck.findings import Analysis, Counts, Finding, Level, ShapeAt, Span
from namecheck.main import main
from namecheck.source import Undecodable, decode
from namecheck_runtime.mistakes import CODES

ROOT = Path(__file__).parent.parent


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner(env={"NO_COLOR": None, "FORCE_COLOR": None} | environment).invoke(
        main, arguments
    )


@pytest.fixture(autouse=True)
def here(here: Path) -> Path:
    (here / "clean.py").write_text("x = 1\n")
    (here / "folder").mkdir()
    (here / "folder/bad.py").write_text("import torch\n\n\ny = pred - target\n")
    (here / "folder/worse.py").write_text("a = pred - target; b = pred - target\n")
    return here


def subtraction(path: str, line: int, column: int) -> Finding:
    span = Span(line, column, line, column + len("pred - target"))
    return Finding(path, span, "NC202", "misaligned-broadcast", Level.ERROR, "gives [B, B]")


def stopped(path: str) -> Finding:
    return left_unread(path, Span(1, 1, 1, 2), "f is too large")


Analyzer = Callable[..., Analysis]


def pretend(path: str, source: bytes, *_: object) -> Analysis:
    """Report every `pred - target`, last one first and twice, and one note."""
    findings = [
        subtraction(path, number, column + 1)
        for number, line in enumerate(source.decode().split("\n"), 1)
        for column in range(len(line))
        if line.startswith("pred - target", column)
    ]
    findings = [*reversed(findings), *findings, stopped(path)]
    shapes = tuple(ShapeAt(f.span.line, "y", "[B, B]", "assign") for f in findings[:1])
    return Analysis(tuple(findings), shapes, Counts(1, source.count(b"\n"), 4, 3, 2, 1))


@pytest.fixture
def analysis(monkeypatch: pytest.MonkeyPatch) -> Callable[[Analyzer], None]:
    def use(analyzer: Analyzer) -> None:
        def analyze_text(path: str, text: str, *options: bool) -> Analysis:
            return analyzer(path, text.encode())

        monkeypatch.setattr("namecheck.analysis.analyze_text", analyze_text)

    return use


@pytest.fixture
def pretended(analysis: Callable[[Analyzer], None]) -> None:
    analysis(pretend)


# Exit codes


@pytest.mark.usefixtures("pretended")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", "clean.py"], 0),
        (["check", "folder"], 1),
        (["check", "folder", "--exit-zero"], 0),
        (["check", "folder", "--output-format", "json"], 1),
        (["check", "nope"], 2),
        (["check", "nope", "--exit-zero"], 2),
        (["check"], 1),
        (["check", "--no-such-option", "."], 2),
        (["check", "--output-format", "xml", "."], 2),
        (["show", "clean.py"], 0),
        (["show", "nope.py"], 2),
        (["show", "folder"], 2),
        (["explain", "NC202"], 0),
        (["explain", "--all"], 0),
        (["explain", "NC000"], 2),
        (["explain"], 2),
        (["explain", "NC202", "--all"], 2),
        (["nonsense"], 2),
        (["--version"], 0),
        (["--help"], 0),
    ],
)
def test_exit_codes(arguments: list[str], code: int) -> None:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output


@pytest.mark.usefixtures("pretended")
def test_a_missing_path_is_named_and_nothing_is_checked() -> None:
    result = run("check", "folder", "nope", "neither")
    assert result.stdout == ""
    assert result.stderr == "Error: no such file or folder: 'nope', 'neither'\n"


@pytest.mark.usefixtures("pretended")
def test_a_folder_without_python(here: Path) -> None:
    (here / "empty").mkdir()
    result = run("check", "empty")
    assert result.exit_code == 0
    assert result.stderr == "Warning: no Python files in empty\n"


# What is printed


@pytest.mark.usefixtures("pretended")
def test_findings_are_sorted_once_each_and_notes_left_out() -> None:
    assert run("check", "folder", "clean.py", "--output-format", "concise").stdout == (
        "folder/bad.py:4:5: NC202 [error] gives [B, B]\n"
        "folder/worse.py:1:5: NC202 [error] gives [B, B]\n"
        "folder/worse.py:1:24: NC202 [error] gives [B, B]\n"
    )


@pytest.mark.usefixtures("pretended")
def test_only_notes_is_clean(analysis: Callable[[Analyzer], None]) -> None:
    analysis(lambda path, source, *_: Analysis((stopped(path),)))
    result = run("check", "folder")
    assert (result.exit_code, result.stdout) == (0, "No findings (2 files checked).\n")


@pytest.mark.usefixtures("pretended")
def test_full_is_the_default() -> None:
    result = run("check", "folder")
    assert result.stdout == run("check", "--output-format", "full", "folder").stdout
    assert "4 | y = pred - target\n  |     ^^^^^^^^^^^^^\n" in result.stdout
    assert result.stdout.endswith("Found 3 findings in 2 files (2 checked).\n")


@pytest.mark.usefixtures("pretended")
def test_the_same_output_whatever_the_order_of_paths() -> None:
    sorted_paths = run("check", "clean.py", "folder")
    mixed_paths = run("check", "folder/worse.py", "folder", "./clean.py", "folder/bad.py")
    assert sorted_paths.stdout == mixed_paths.stdout


@pytest.mark.usefixtures("pretended")
def test_statistics() -> None:
    result = run("check", "folder", "clean.py", "--statistics", "--output-format", "concise")
    assert result.stdout.split("\n\n", 1)[1] == (
        "        3  findings\n"
        "        3    NC202  misaligned-broadcast\n"
        "        3  files\n"
        "        6  lines\n"
        "       12  tensor expressions\n"
        "        9    of known rank (75 %)\n"
        "        0    of unknown rank, with known last dims (0 %)\n"
        "        3    unknown (25 %)\n"
        "        6  assignments of tensors\n"
        "        3    of known rank (50 %)\n"
        "        3    of unknown rank (50 %)\n"
    )


@pytest.mark.usefixtures("pretended")
def test_statistics_do_not_break_json() -> None:
    result = run("check", "folder", "--statistics", "--output-format", "json")
    assert len(json.loads(result.stdout)) == 3
    assert json.loads(result.stderr)["findings"] == {"NC202": 3}


WRONG_TWICE = """
a = torch.zeros(3) + torch.zeros(4)
b = torch.zeros(3, 4) @ torch.zeros(3, 4)
"""

UNKNOWN = """
import torch

import elsewhere


def f(x):
    B, T = x.shape
    y = elsewhere.compute(x)
    z = y + x
    return z * elsewhere.compute(x)
"""


def test_statistics_do_not_break_a_place_at_80_columns(tmp_path: Path) -> None:
    folder = tmp_path / ("long_name_of_a_folder_" * 3)
    folder.mkdir()
    (folder / "model.py").write_text(UNKNOWN)
    result = run("check", str(folder), "--statistics")
    at = result.stdout.splitlines().index("        1    from elsewhere.compute")
    assert result.stdout.splitlines()[at + 1] == f"             ({folder.name}/model.py:9)"


MANY = "import torch\nfrom elsewhere import *\n\n\ndef f(x):\n    B, T = x.shape\n" + "".join(
    f"    y{number} = call{number}(x)\n    z{number} = y{number} + x\n" for number in range(13)
)


def test_rows_of_statistics_add_up(tmp_path: Path) -> None:
    """An indented row is a part of the unindented row above it."""
    (tmp_path / "model.py").write_text(MANY + WRONG_TWICE)
    sums: dict[str, tuple[int, list[int], list[int]]] = {}
    lines = run("check", str(tmp_path), "--statistics", "-q").stdout.split("\n\n")[-2:]
    for line in "\n".join(lines).splitlines():
        row = re.fullmatch(r" *([\d,]+)(  |    )(\S.*?)(?: \((\d+) %\))?", line)
        if row is None:
            continue
        number = int(row[1].replace(",", ""))
        if row[2] == "  ":
            sums[row[3]] = (number, [], [])
        else:
            parts = [*sums.values()][-1]
            parts[1].append(number)
            parts[2].extend([int(row[4])] if row[4] else [])
    of_parts = {words: counts for words, counts in sums.items() if counts[1]}
    assert list(of_parts) == [
        "findings",
        "tensor expressions",
        "assignments of tensors",
        "unknown tensor expressions (NC801)",
    ]
    for words, (number, parts, percents) in of_parts.items():
        assert sum(parts) == number, words
        assert sum(percents) in (0, 100), words
    assert len(of_parts["unknown tensor expressions (NC801)"][1]) == 12


def test_statistics_name_the_calls_that_lose_most(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(UNKNOWN)
    result = run("check", str(file), "--statistics")
    assert result.exit_code == 0
    assert "elsewhere.compute  (model.py:9)" in result.stdout
    record = json.loads(run("check", str(file), "--statistics", "--output-format", "json").stderr)
    (call,) = record["unknown_calls"]
    assert (call["call"], call["calls"], call["row"]) == ("elsewhere.compute", 1, 9)
    counted = record["expressions"]
    assert call["expressions"] < counted["unknown"] < counted["all"]
    assert counted["all"] == sum(counted[k] for k in ("known_rank", "last_dims", "unknown"))


JOINED = """\
import jax.numpy as jnp
import elsewhere


def f(rows):
    x = jnp.zeros(3)
    parts = [elsewhere.compute(x), elsewhere.compute(x)]
    kind = jnp.result_type(x)
    y = jnp.concatenate(parts)
    return y, jnp.concatenate([jnp.arange(*row) for row in rows]) + 1, kind
"""


def test_a_call_that_joins_unknown_tensors_is_not_blamed(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(JOINED)
    record = json.loads(run("check", str(file), "--statistics", "--output-format", "json").stderr)
    assert [call["call"] for call in record["unknown_calls"]] == ["elsewhere.compute"]


def test_notes_are_shown_when_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(UNKNOWN)
    assert "NC801" not in run("check", str(file)).stdout
    result = run("check", str(file), "--notes", "--output-format", "concise")
    assert result.exit_code == 0
    assert "model.py:9:9: NC801 [note]" in result.stdout


ASKING = """\
import namecheck_runtime as nt


def f(a, flag):
    x = nt.zeros(2, 3, names=("N", "C")) if flag else nt.zeros(2, 4, names=("N", "T"))
    nt.reveal_names(x)
    return nt.reveal_names(a)
"""


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_notes_that_the_program_asks_for_are_shown_by_default_and_do_not_count(
    tmp_path: Path, form: str
) -> None:
    file = tmp_path / "asking.py"
    file.write_text(ASKING)
    result = run("check", str(file), "--output-format", form)
    assert result.exit_code == 0
    for words in ("NC803", "names: [N=2, ?]", "names: nothing is known about this tensor"):
        assert words in result.stdout
    if form == "json":
        places = [
            (finding["level"], *finding["location"].values())
            for finding in json.loads(result.stdout)
        ]
        assert places == [("note", 6, 5), ("note", 7, 12)]


def test_a_function_that_costs_too_much_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("namecheck.analysis.state.evaluate.BUDGET", 40)
    file = tmp_path / "model.py"
    lines = ["    x = x + 1"] * 50
    file.write_text("\n".join(["def f(x):", *lines, "    return x", ""]))
    result = run("check", str(file), "--notes", "--output-format", "concise")
    assert result.exit_code == 0
    place, _, words = result.stdout.partition(": NC802 [note] ")
    assert words.startswith("f is too large")
    assert 10 < int(place.split(":")[-2]) < 20


def test_statistics_and_check_find_the_same() -> None:
    """Counting does not change the findings."""
    for lesson in sorted((Path(__file__).parent / "cases").glob("*.md"))[::4]:
        for program in programs(lesson):
            text = program.marks.text.encode()
            plain, counted = analyze("p.py", text), analyze("p.py", text, statistics=True)
            reported = [f for f in counted.findings if f.code != "NC801"]
            assert reported == list(plain.findings)
            assert counted.shapes == plain.shapes


@pytest.mark.usefixtures("pretended")
def test_show() -> None:
    assert run("show", "folder/bad.py").stdout == (
        "1 | import torch\n2 |\n3 |\n4 | y = pred - target  [B, B]\n"
    )


@pytest.mark.usefixtures("pretended")
def test_colour_on_request() -> None:
    assert "\x1b" not in run("check", "folder").stdout
    assert "\x1b[" in run("check", "folder", FORCE_COLOR="1").stdout
    assert "\x1b" not in run("check", "folder", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "\x1b[" in run("show", "folder/bad.py", FORCE_COLOR="1").stdout
    assert "\x1b[" in run("explain", "NC202", FORCE_COLOR="1").stdout


def test_plain_output_does_not_load_rich(here: Path) -> None:
    program = (
        "import sys\nfrom namecheck.main import main\n"
        "try:\n    main(['check', 'clean.py'])\nexcept SystemExit:\n    pass\n"
        "print('rich' in sys.modules)"
    )
    done = python("-c", program, cwd=here)
    assert done.stdout.splitlines() == ["No findings (1 file checked).", "False"], done.stderr


# Failures


def test_an_internal_error_is_a_finding_and_never_a_pass(
    analysis: Callable[[Analyzer], None],
) -> None:
    def broken(path: str, source: bytes, *_: object) -> Analysis:
        if path.endswith("bad.py"):
            raise ZeroDivisionError("division\nby zero")
        return pretend(path, source)

    analysis(broken)
    result = run("check", "folder", "--exit-zero")
    assert result.exit_code == 2
    assert (
        "error[NC999]: namecheck failed on this file: ZeroDivisionError: division by zero\n"
        " --> folder/bad.py:1:1\n"
    ) in result.stdout
    assert "raised in test_command.py:" in result.stdout
    assert "folder/worse.py:1:24" in result.stdout
    assert "Traceback" not in result.output
    assert run("show", "folder/bad.py").exit_code == 2


def test_endless_recursion_is_an_internal_error_too(analysis: Callable[[Analyzer], None]) -> None:
    def deeper() -> Analysis:
        return deeper()

    def endless(path: str, source: bytes, *_: object) -> Analysis:
        return deeper()  # calling it with `*_` would never end on 3.13.0-3.13.7 (cpython#132744)

    analysis(endless)
    result = run("check", "clean.py")
    assert result.exit_code == 2
    assert "NC999" in result.stdout
    assert "RecursionError" in result.stdout


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"x = 1\ny = '\xff'\n", "byte 0xff in line 2 is not utf-8"),
        (b"# coding: klingon\n", "unknown encoding: klingon"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem: utf-8"),
    ],
)
def test_bytes_that_are_not_text(here: Path, content: bytes, reason: str) -> None:
    (here / "bad.py").write_bytes(content)
    result = run("check", "bad.py", "--output-format", "concise")
    assert result.exit_code == 1
    assert result.stdout == f"bad.py:1:1: NC900 [error] cannot read bad.py: {reason}\n"
    with pytest.raises(Undecodable):
        decode(content)


def test_a_declared_encoding(here: Path) -> None:
    assert decode(b"# coding: latin-1\nx = '\xe9'\n").endswith("x = 'é'\n")
    assert decode(b"\xef\xbb\xbfx = 1") == "x = 1"


def test_a_file_that_cannot_be_opened(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str, mode: str, **_: object) -> object:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("builtins.open", refuse)
    result = run("check", "clean.py", "--output-format", "concise")
    monkeypatch.undo()
    assert result.exit_code == 1
    assert result.stdout == (
        "clean.py:1:1: NC900 [error] cannot read clean.py: Permission denied\n"
    )


# explain


def test_every_code_has_a_page() -> None:
    pages_by_code = {page.code: page for page in pages()}
    assert set(CODES) | {"NC801", "NC802", "NC900", "NC901", "NC902", "NC999"} == set(pages_by_code)
    for page in pages_by_code.values():
        assert page.name
        assert len(page.text) > 80, f"{page.code} is almost empty"
        assert run("explain", page.code).stdout == page.markdown() + "\n"


@pytest.mark.parametrize(
    "asked", ["NC202", "nc202", "misaligned-broadcast", "Misaligned-Broadcast"]
)
def test_a_page_by_code_or_name(asked: str) -> None:
    assert run("explain", asked).stdout.startswith("# NC202 misaligned-broadcast\n\n")


def test_all_pages_in_order() -> None:
    titles = [line for line in run("explain", "--all").stdout.split("\n") if line[:4] == "# NC"]
    assert titles == sorted(titles)
    assert len(titles) == len(CODES) + 6


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("NC2O2", "NC202 (misaligned-broadcast)"),
        ("mis-aligned-broadcast", "NC202 (misaligned-broadcast)"),
        ("NAME-MISMACH", "NC101 (name-mismatch)"),
        ("syntaxerror", "NC900 (syntax-error)"),
    ],
)
def test_did_you_mean(asked: str, meant: str) -> None:
    assert run("explain", asked).stderr == f"Error: unknown code {asked!r}; did you mean {meant}?\n"


def test_pages_as_json() -> None:
    (page,) = json.loads(run("explain", "NC202", "--output-format", "json").stdout)
    assert (page["code"], page["name"]) == ("NC202", "misaligned-broadcast")
    records = [page.record() for page in pages()]
    assert json.loads(run("explain", "--all", "--output-format", "json").stdout) == records
    assert page in records


def test_a_wild_guess_is_not_suggested() -> None:
    assert run("explain", "flake8").stderr == "Error: unknown code 'flake8'\n"


# The real command, in a process of its own


def python(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    roots = os.pathsep.join(str(ROOT / root) for root in ("runtime", "namecheck", "plugin"))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": roots} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_version(here: Path) -> None:
    done = python("-m", "namecheck", "--version", cwd=here)
    assert done.stdout == f"namecheck, version {namecheck.__version__} (compiled: no)\n"


SENTENCE = "This namecheck is not compiled; a compiled one takes half the time: python3 -m pip"


@pytest.mark.parametrize(
    ("options", "is_said"),
    [
        ((), True),
        (("--output-format=concise", "--statistics"), True),
        (("-q",), False),
        (("--output-format=json",), False),
        (("--output-format=github",), False),
    ],
)
def test_a_long_run_says_what_would_be_faster(
    here: Path, monkeypatch: pytest.MonkeyPatch, options: Sequence[str], is_said: bool
) -> None:
    monkeypatch.chdir(here)
    (here / "loss.py").write_text("x = 1\n")
    assert SENTENCE not in CliRunner().invoke(main, ["check", *options, "loss.py"]).stderr
    monkeypatch.setattr(slow_runs, "SLOW", 0)
    done = CliRunner().invoke(main, ["check", *options, "loss.py"])
    assert done.stderr.count(SENTENCE) == is_said
    assert done.exit_code == 0
    monkeypatch.setattr(slow_runs, "is_compiled", lambda: True)
    assert SENTENCE not in CliRunner().invoke(main, ["check", *options, "loss.py"]).stderr


def test_with_the_real_analysis(here: Path) -> None:
    (here / "loss.py").write_text(
        "def loss(x):\n"
        "    b, t = x.shape\n"
        "    pred = x.mean(dim=1, keepdim=True)\n"
        "    target = x.amax(dim=1)\n"
        "    return ((pred - target) ** 2).mean()\n"
    )
    (here / "broken.py").write_text("x = (\n")
    done = python("-m", "namecheck", "check", ".", cwd=here)
    assert done.returncode == 1
    assert "[NC202]" in done.stdout
    assert "loss.py:5:14" in done.stdout
    assert "error[NC900]" in done.stdout
    assert "broken.py:" in done.stdout
    assert done.stderr == ""


def test_show_with_the_real_analysis(here: Path) -> None:
    (here / "layer.py").write_text("import torch\n\nx = torch.zeros(2, 3)\ny = x.t()\n")
    done = python("-m", "namecheck", "show", "layer.py", cwd=here)
    assert done.stdout == (
        "1 | import torch\n2 |\n"
        "3 | x = torch.zeros(2, 3)  [2, 3]\n"
        "4 | y = x.t()              [3, 2]\n"
    )


def test_a_terminal_without_letters(here: Path) -> None:
    (here / "名.py").write_text("x = (  # 名\n", encoding="utf-8")
    # click writes UTF-8 if the terminal claims ASCII, so the test uses an encoding beyond ASCII.
    done = python("-m", "namecheck", "check", ".", cwd=here, PYTHONIOENCODING="latin-1")
    assert done.returncode == 1
    assert "\\u540d.py" in done.stdout
    assert done.stderr == ""
