"""A little of the fuzzing of `python3 -m tests.fuzz`, the same every time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from trials import tried

from cases import KINDS, own_programs, real_programs

SOURCES = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_cases(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE", raising=False)
    ran, failure = tried(kind, own_programs(), 8, 1, tmp_path / "case", small=False)
    assert failure is None, failure
    assert ran >= 8


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_more_cases(kind: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAMECHECK_NO_CACHE", raising=False)
    texts = own_programs()
    if seed:
        texts = real_programs([SOURCES / "namecheck"], random.Random(seed), 60)
    _, failure = tried(kind, texts, 40, 100 + seed, tmp_path / "case")
    assert failure is None, failure
