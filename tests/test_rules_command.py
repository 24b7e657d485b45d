"""`namecheck rules` lists the facts of each code's page and of the settings."""

from __future__ import annotations

import json

from click.testing import Result

from invoking import invoke
from namecheck.codes.selection import known_codes
from namecheck.documentation.pages import pages


def run(*arguments: str) -> Result:
    result = invoke("rules", *arguments)
    assert result.exit_code == 0, result.output
    return result


def test_every_code_has_its_row() -> None:
    head, *rows = [line.split() for line in run().stdout.splitlines()]
    assert head == ["code", "name", "level", "default", "fix"]
    assert [row[0] for row in rows] == list(known_codes())
    pages_by_code = {page.code: page for page in pages()}
    for code, name, level, default, fix in rows:
        page = pages_by_code[code]
        assert (name, level) == (page.name, page.level)
        assert default == ("on" if page.default else "off")
        assert fix == (page.fix or "-")
    assert ["NC202", "misaligned-broadcast", "warning", "on", "unsafe"] in rows
    assert ["NC209", "rank-promotion", "warning", "off", "-"] in rows


def test_the_columns_are_aligned_at_80_columns() -> None:
    lines = run().stdout.splitlines()
    at = lines[0].index("level")
    assert all(line[at - 2 : at] == "  " and line[at] != " " for line in lines)
    assert max(map(len, lines)) <= 80


def test_as_json() -> None:
    listed = json.loads(run("--output-format", "json").stdout)
    assert [entry["code"] for entry in listed] == list(known_codes())
    assert {"level", "default", "fix", "name", "text", "url"} <= listed[0].keys()


def test_colour_does_not_change_the_text(monkeypatch: object) -> None:
    coloured = run("--color", "always").stdout
    assert "\x1b[1;91merror" in coloured
    assert "NC202" in coloured
