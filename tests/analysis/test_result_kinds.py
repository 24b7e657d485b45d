"""The dtype kind of a result is the one measured on torch and NumPy; a mask indexes differently."""

from __future__ import annotations

from pathlib import Path

import pytest

import namecheck_runtime.rules  # noqa: F401  (declares the ops)
from namecheck import frameworks
from namecheck.analysis.asking.results import promoted
from namecheck_runtime.declare import OPS
from namecheck_runtime.tensors.values.dtypes import DTYPES, OWN

TABLE = Path(__file__).parents[1] / "data" / "result_kinds.txt"
ROWS = [
    (name, *cell.split(">"))
    for name, *cells in map(str.split, TABLE.read_text().splitlines())
    if name != "#"
    for cell in cells
]


@pytest.mark.parametrize(("name", "operand", "measured"), ROWS)
def test_the_kind_of_a_result_is_as_measured(name: str, operand: str, measured: str) -> None:
    assert promoted(OPS[name].kind, [operand]) in (measured, "unknown")


def test_few_kinds_are_unknown() -> None:
    kinds = [promoted(OPS[name].kind, [operand]) for name, operand, _ in ROWS]
    assert kinds.count("unknown") < len(kinds) / 20


def test_the_analyzer_knows_the_kind_of_every_dtype() -> None:
    known = frameworks.DTYPE_KINDS
    kinds = {n: DTYPES[n].kind for n in OWN} | {"uint8": "unknown"}  # an index of uint8 is a mask
    assert {n: known.get(f"torch.{n}") for n in OWN} == kinds
