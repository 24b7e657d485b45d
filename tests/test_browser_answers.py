"""What a page in the browser is told of a text: what `check` and `show` say, without LibCST too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from invoking import invoke
from namecheck.running.browser import answer

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").rglob("*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_findings_and_dims_are_those_of_the_commands(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = path.read_text(encoding="utf-8")
    told = json.loads(answer("program.py", text))
    assert not list(tmp_path.iterdir())  # the text need not be on the disk
    Path("program.py").write_text(text, encoding="utf-8")
    checked = invoke("check", "--isolated", "--output-format", "json", "program.py")
    assert told["findings"] == json.loads(checked.stdout)
    shown = invoke("show", "--output-format", "json", "program.py")
    assert told["dims"] == json.loads(shown.stdout)
    assert len(told["cards"]) == len(told["findings"])


def test_a_card_leads_to_the_lines_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "import torch\nx = torch.zeros(2, 3)\ny = x.view(7)\n"
    (card,) = json.loads(answer("program.py", text))["cards"]
    assert '<a href="#line-3">program.py:3:5</a>' in card


@pytest.mark.parametrize("text", ["", "x = [\n", "\0", "\ud800 = 1", "<script>" * 3 + " = 1"])
def test_a_text_that_is_no_program_gets_an_answer(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = json.loads(answer("program.py", text))
    assert [one["code"] for one in told["findings"]] == ["NC900"] * bool(text)
    assert not any("<script" in card for card in told["cards"])


WITHOUT = """
import json, os, sys
for name in ("libcst", "numpy"):
    sys.modules[name] = None  # not installed
os.link = None
del os.link  # a system without links
from namecheck.running.browser import answer
for text in json.load(sys.stdin):
    told = json.loads(answer("program.py", text))
    print([(one["code"], one["location"]["row"], one["message"]) for one in told["findings"]])
"""
SUM = "torch.zeros(2, 3) + torch.zeros(2, 4)"
MISMATCH = "cannot add [2, 3] and [2, 4]: sizes 3 and 4 meet at position -1"
NEEDED = "cannot parse: only LibCST can read what begins here, and it is not installed"


def test_without_libcst_and_numpy(tmp_path: Path) -> None:
    expected = {
        f"import torch\nx = {SUM}\n": [("NC201", 2, MISMATCH)],
        "import torch\nx = [\n": [("NC900", 2, "cannot parse: '[' was never closed")],
        f"import torch\nmatch f():\n    case [1, *_]:\n        x = {SUM}\n": [
            ("NC201", 4, MISMATCH)
        ],
        f'import torch\nx = f"{{{SUM}}}"\n': [("NC201", 2, MISMATCH)],
        "x = 1\n\n\ndef f():\n    return 0x8000000000000000\n": [("NC900", 4, NEEDED)],
    }
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input=json.dumps([*expected]),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [str(told) for told in expected.values()]
