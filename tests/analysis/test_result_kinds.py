"""The dtype kind of a result, as torch and NumPy gave it: masks index otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

import namecheck_runtime.rules  # noqa: F401  (declares the ops)
from namecheck.analysis.asking.results import promoted
from namecheck_runtime.declare import OPS

TABLE = Path(__file__).parents[1] / "data" / "result_kinds.txt"
ROWS = [
    (name, *cell.split(">"))
    for name, *cells in map(str.split, TABLE.read_text().splitlines())
    if name != "#"
    for cell in cells
]


@pytest.mark.parametrize(("name", "given", "measured"), ROWS)
def test_the_kind_of_a_result_is_as_measured(name: str, given: str, measured: str) -> None:
    assert promoted(OPS[name].kind, [given]) in (measured, "unknown")


def test_little_is_unknown() -> None:
    found = [promoted(OPS[name].kind, [given]) for name, given, _ in ROWS]
    assert found.count("unknown") < len(found) / 20
