"""The programs in `docs/mypy.md`: mypy reports at each line what the comment behind it says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import checked
import stubs
from checked import ROOT, mypy, read_reports
from namecheck_plugin.settings import Settings

GUIDE = (ROOT / "docs/mypy.md").read_text()
BLOCKS = re.findall(r"^<!-- checked -->\n```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
SAID = re.compile(r"  # (?:error: ([\w-]+)|(\w+\[.*\]))$")


def test_all_programs_are_checked() -> None:
    assert len(BLOCKS) == GUIDE.count("```python") == 4


def test_mypy_reports_what_the_comments_say(warm: Path) -> None:
    stubs.write_torch(warm / "stubs")
    config = checked.CONFIG.replace("mypy_path = ", f"mypy_path = {warm / 'stubs'}:")
    (warm / "mypy.ini").write_text(config)
    files = [f"guide{number}.py" for number in range(len(BLOCKS))]
    for file, block in zip(files, BLOCKS, strict=True):
        (warm / file).write_text(block)
    reports = read_reports(mypy(warm, "--output", "json", *files))
    for file, block in zip(files, BLOCKS, strict=True):
        stated: dict[int, tuple[str | None, str | None]] = {}
        for number, line in enumerate(block.splitlines(), 1):
            if match := SAID.search(line):
                stated[number] = (match[1], match[2])
        reported: dict[int, tuple[str | None, str | None]] = {}
        for report in (report for report in reports if report.file == file):
            shown = checked.shortened(report.message)
            if report.severity == "error":
                reported[report.line] = (report.code, None)
            elif shown is not None:
                reported.setdefault(report.line, (None, shown))
        assert reported == stated


@pytest.mark.parametrize(
    "text", re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
)
def test_the_settings_of_the_guide_exist(text: str) -> None:
    tool = tomllib.loads(text)["tool"]
    if "namecheck" in tool:
        assert set(tool["namecheck"]["mypy"]) == set(Settings._fields)
    else:
        assert tool["mypy"]["plugins"] == ["namecheck_plugin"]
