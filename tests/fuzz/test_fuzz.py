"""A little of the fuzzing of `python3 -m tests.fuzz`, the same every time."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from trials import tried

from cases import KINDS, Kind, own_programs, real_programs

SOURCES = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_cases(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE", raising=False)
    ran, failure = tried(kind, own_programs(), 8, 1, tmp_path / "case", small=False)
    assert failure is None, failure
    assert ran >= 8


COSTLY = {"tensors": 10}
"""The number of cases of kinds that take seconds each; `python3 -m tests.fuzz` runs more."""


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_more_cases(kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE", raising=False)
    texts = own_programs()
    if seed:
        texts = real_programs([SOURCES / "namecheck"], random.Random(seed), 60)
    _, failure = tried(kind, texts, COSTLY.get(kind, 40), 100 + seed, tmp_path / "case")
    assert failure is None, failure


def test_a_failing_case_is_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def holds(files: Mapping[str, bytes]) -> None:
        assert b"torch" not in files["text.py"], "there it is"

    text_kind = KINDS["text"]
    monkeypatch.setitem(KINDS, "text", Kind(text_kind.noun, text_kind.made, holds))  # type: ignore[misc]
    ran, failure = tried("text", [], 100, 1, tmp_path / "case")
    assert failure is not None
    assert "there it is" in str(failure.reason)
    assert failure.files["text.py"].count(b"\n") <= 2
    assert ran > 0


@pytest.mark.slow
def test_the_command_counts_the_cases_of_each_kind() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--minutes", "0.01", "--seed", "5"]
    options = ["--examples", "3", "--kinds", "text", "settings"]
    done = subprocess.run([*command, *options], cwd=SOURCES, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["texts", "settings", "cases"]
    assert done.stdout.endswith("seed 5: 0 failed\n")
