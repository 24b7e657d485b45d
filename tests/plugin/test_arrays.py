"""jaxtyping on arrays of NumPy and PyTorch: `arrays/*.py`, where a line at which something is wrong
ends in the code of the rule.  Nothing else is wrong in them.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import checked
import stubs
from checked import Report

FOLDER = Path(checked.HERE / "arrays")
MARK = re.compile(r"  # (NC\d+)$", re.MULTILINE)
CONFIG = """\
[mypy]
plugins = namecheck_plugin
mypy_path = {path}
check_untyped_defs = true
allow_redefinition = true
namespace_packages = true
explicit_package_bases = true
"""
PREFIX = "named-tensor-"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("arrays")
    stubs.write_torch(made / "stubs")
    shutil.copytree(FOLDER, made / "arrays")
    path = f"{checked.ROOT / 'runtime'}:{made / 'stubs'}"
    (made / "mypy.ini").write_text(CONFIG.format(path=path))
    return made


@pytest.fixture(scope="module")
def reports(folder: Path) -> list[Report]:
    return checked.read_reports(checked.mypy(folder, "--output", "json", "arrays"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_what_is_marked_is_said_and_nothing_else(path: Path, reports: list[Report]) -> None:
    lines = path.read_text().splitlines()
    marked = {(n, found[1]) for n, line in enumerate(lines, 1) if (found := MARK.search(line))}
    assert marked
    said = [
        (report.line, report.code.removeprefix(PREFIX))
        for report in reports
        if report.file == f"arrays/{path.name}" and report.severity == "error"
    ]
    assert sorted(said) == sorted(marked)
