"""The programs in `docs/mypy.md`: mypy says of each line what stands behind it."""

from __future__ import annotations

import re
import shutil
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


def test_mypy_says_what_stands_behind_the_lines(tmp_path: Path, warm_cache: Path) -> None:
    shutil.copytree(warm_cache, tmp_path / ".mypy_cache")
    stubs.write_torch(tmp_path / "stubs")
    config = checked.CONFIG.replace("mypy_path = ", f"mypy_path = {tmp_path / 'stubs'}:")
    (tmp_path / "mypy.ini").write_text(config)
    files = [f"guide{number}.py" for number in range(len(BLOCKS))]
    for file, block in zip(files, BLOCKS, strict=True):
        (tmp_path / file).write_text(block)
    reports = read_reports(mypy(tmp_path, "--output", "json", *files))
    for file, block in zip(files, BLOCKS, strict=True):
        wanted: dict[int, tuple[str | None, str | None]] = {}
        for number, line in enumerate(block.splitlines(), 1):
            if match := SAID.search(line):
                wanted[number] = (match[1], match[2])
        found: dict[int, tuple[str | None, str | None]] = {}
        for report in (report for report in reports if report.file == file):
            shown = checked.shortened(report.message)
            if report.severity == "error":
                found[report.line] = (report.code, None)
            elif shown is not None:
                found.setdefault(report.line, (None, shown))
        assert found == wanted


@pytest.mark.parametrize(
    "text", re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
)
def test_settings_in_the_guide_are_settings(text: str) -> None:
    tool = tomllib.loads(text)["tool"]
    if "namecheck" in tool:
        assert set(tool["namecheck"]["mypy"]) == set(Settings._fields)
    else:
        assert tool["mypy"]["plugins"] == ["namecheck_plugin"]
