"""`namecheck show --output-format json`: the dims of a file for programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from invoking import invoke
from namecheck.report.axes import axes_of
from notebooks import code_cell, markdown_cell, notebook

MODEL = '''import torch
import torch.nn.functional as F


def attend(q, k):
    B, T, C = q.shape
    scores = F.softmax(
        q.transpose(1, 2),  # [B, C, T]
        dim=-1,
    )
    return scores + k  # é


def both(x: torch.Tensor):
    """Two targets."""
    n, m = x.shape
    low, high = x.reshape(n, m, 1), x.reshape(m * n)
    return low
'''


def shown(*arguments: str) -> list[dict[str, Any]]:
    done = invoke("show", "--output-format", "json", *arguments)
    assert done.exit_code == 0, done.output
    records: list[dict[str, Any]] = json.loads(done.stdout)
    return records


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    return tmp_path


def text_at(record: dict[str, Any], source: str) -> str:
    """The text of the source that a record is about, by its rows and columns alone."""
    lines = source.splitlines(keepends=True)
    begin, end = record["location"], record["end_location"]
    before = sum(map(len, lines[: begin["row"] - 1])) + begin["column"] - 1
    after = sum(map(len, lines[: end["row"] - 1])) + end["column"] - 1
    return source[before:after]


def test_each_record_is_the_code_at_its_place() -> None:
    records = shown("model.py")
    assert all(record["code"] == text_at(record, MODEL) for record in records)
    assert all(record["filename"] == "model.py" for record in records)
    places = [tuple(record["location"].values()) for record in records]
    assert places == sorted(places)
    kinds = {record["kind"] for record in records}
    assert kinds == {"parameter", "assign", "return", "expression"}


def test_targets_and_expressions_have_their_dims() -> None:
    found = {(one["kind"], one["code"]): one for one in shown("model.py")}
    assert found["parameter", "q"]["axes"] == ["B", "T", "C"]
    assert found["assign", "scores"]["dims"] == "[B, C, T]"
    assert found["assign", "low"]["axes"] == ["n", "m", "1"]
    assert found["assign", "high"]["axes"] == ["n*m"]
    assert found["return", "return low"]["axes"] == ["n", "m", "1"]
    call = next(one for (kind, code), one in found.items() if code.startswith("F.softmax("))
    assert (call["kind"], call["dims"]) == ("expression", "[B, C, T]")
    assert (call["location"]["row"], call["end_location"]["row"]) == (7, 10)


def test_notes_say_where_dims_come_from() -> None:
    (turned,) = [one for one in shown("model.py") if one["code"] == "q.transpose(1, 2)"]
    (note,) = turned["notes"]
    assert "'T' is dim 1 of q since `B, T, C = q.shape`" in note["message"].replace(" and ", ", ")
    assert note["filename"] == "model.py"
    assert note["location"] == {"row": 6, "column": 5}


def test_places_in_a_notebook_count_within_its_cells(here: Path) -> None:
    cells = (
        code_cell("import torch\nx = torch.zeros(2, 3)"),
        markdown_cell("# text"),
        code_cell("y = x[0]"),
    )
    (here / "n.ipynb").write_bytes(notebook(*cells))
    found = {(one["cell"], one["code"], one["dims"]) for one in shown("n.ipynb")}
    assert {(1, "x", "[2, 3]"), (3, "y", "[3]"), (3, "x[0]", "[3]")} <= found


def test_a_drive_has_the_dims_of_targets(here: Path) -> None:
    (here / "test_model.py").write_text(
        "import torch\nfrom model import attend\n\n\ndef test():\n"
        "    attend(torch.zeros(2, 5, 7), torch.zeros(2, 7, 5))\n"
    )
    found = {(one["code"], one["dims"]) for one in shown("model.py", "--driven")}
    assert ("scores", "[2, 7, 5]") in found


def test_what_cannot_be_read_is_reported_as_for_people(here: Path) -> None:
    (here / "model.py").write_text("x = (\n")
    done = invoke("show", "--output-format", "json", "model.py")
    assert done.exit_code == 1
    assert "NC900" in done.output


@pytest.mark.parametrize(
    ("dims", "axes"),
    [
        ("[]", []),
        ("[?]", ["?"]),
        ("[B=2, T]", ["B=2", "T"]),
        ("[..., T, C]", ["...", "T", "C"]),
        ("[B, max(C, min(D, 4)), T]", ["B", "max(C, min(D, 4))", "T"]),
    ],
)
def test_axes_of_dims(dims: str, axes: list[str]) -> None:
    assert axes_of(dims) == axes
