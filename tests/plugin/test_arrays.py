"""jaxtyping on arrays of NumPy and PyTorch: in `arrays/*.py` a line with a mistake ends in the code
of the rule.  Nothing else is wrong in these files.
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
PREFIX = "named-tensor-"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder_ = tmp_path_factory.mktemp("arrays")
    stubs.write_torch(folder_ / "stubs")
    shutil.copytree(FOLDER, folder_ / "arrays")
    path = f"{checked.ROOT / 'runtime'}:{folder_ / 'stubs'}"
    (folder_ / "mypy.ini").write_text(checked.UNTYPED.format(path=path))
    return folder_


@pytest.fixture(scope="module")
def reports(folder: Path) -> list[Report]:
    return checked.read_reports(checked.mypy(folder, "--output", "json", "arrays"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_the_marks_and_nothing_else_are_reported(path: Path, reports: list[Report]) -> None:
    lines = path.read_text().splitlines()
    marked = {(n, match[1]) for n, line in enumerate(lines, 1) if (match := MARK.search(line))}
    assert marked
    reported = [
        (report.line, report.code.removeprefix(PREFIX))
        for report in reports
        if report.file == f"arrays/{path.name}" and report.severity == "error"
    ]
    assert sorted(reported) == sorted(marked)


def errors(output: str) -> list[tuple[int, str]]:
    return [
        (report.line, report.code.removeprefix(PREFIX))
        for report in checked.read_reports(output)
        if report.severity == "error"
    ]


PLAIN = """\
import numpy as np


def f(x):
    return np.zeros((3, 4)) @ np.zeros((3, x))
"""


def test_other_files_make_no_difference(folder: Path) -> None:
    """A file without annotations of dims has the same errors alone and beside one that has them."""
    (folder / "plain.py").write_text(PLAIN)
    other = "arrays/annotated.py"
    together = errors(checked.mypy(folder, "--output", "json", "plain.py", other))
    assert (5, "NC203") in together
    (folder / "plain.py").write_text(PLAIN + "# edited\n")
    assert errors(checked.mypy(folder, "--output", "json", "plain.py")) == [(5, "NC203")]


NET = """\
from jaxtyping import Float
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(64, 10)

    def forward(self, x: Float[Tensor, "b 64"]) -> Float[Tensor, "b 10"]:
        return self.fc(x)
"""


def test_the_daemon_sees_the_arguments_of_a_constructor(folder: Path) -> None:
    """No type changes if a layer gets another size."""
    config = (folder / "mypy.ini").read_text()
    with checked.Daemon(folder) as daemon:
        (folder / "mypy.ini").write_text(config)
        run = ("run", "--", "--output", "json", "net.py")
        (folder / "net.py").write_text(NET)
        assert errors(daemon(*run)) == []
        (folder / "net.py").write_text(NET.replace("Linear(64, 10)", "Linear(64, 1)") + "#\n")
        assert errors(daemon(*run)) == [(11, "NC401")]
        (folder / "net.py").write_text(NET.replace("Linear(64, 10)", "Linear(32, 10)") + "##\n")
        assert errors(daemon(*run)) == [(11, "NC208")]
        (folder / "net.py").write_text(NET + "###\n")
        assert errors(daemon(*run)) == []
