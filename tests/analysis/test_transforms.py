"""What JAX's transforms of functions give, held against what they gave: transforms_jax.jsonl."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from namecheck.analysis import analyze

DATA = Path(__file__).parents[1] / "data" / "transforms_jax.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text().splitlines()]

HEAD = """\
import functools
import equinox as eqx
import jax
import jax.numpy as jnp

linear = eqx.nn.Linear(4, 5, key=jax.random.key(0))
"""


def paths(tree: Any, path: str = "") -> dict[str, list[int]]:
    """The sizes of each array in a tree, by the subscripts that reach it."""
    if not isinstance(tree, dict):
        return {} if tree is None else {path: tree}
    found: dict[str, list[int]] = {}
    for key, part in tree.items():
        found |= paths(part, f"{path}[{key if key.isdigit() else repr(key)}]")
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["call"])
def test_a_call_gives_what_it_gave(row: dict[str, Any]) -> None:
    wanted = paths(row.get("gives"))
    call = row["call"].replace("z(", "jnp.zeros(")
    lines = [f"part_{index} = made{path}" for index, path in enumerate(wanted)]
    text = HEAD + "\n".join([f"made = {call}", *lines]) + "\n"
    analysis = analyze("program.py", text.encode())
    codes = {finding.code for finding in analysis.findings}
    if "raises" in row:
        assert codes or row.get("untold")
        return
    assert not codes
    told = {shape.target: shape.dims_text for shape in analysis.shapes}
    for index, sizes in enumerate(wanted.values()):
        found = told.get(f"part_{index}")
        assert found == str(sizes) or (row.get("untold") and found is None)


def test_enough_is_told() -> None:
    untold = [row for row in ROWS if row.get("untold")]
    assert len(untold) < len(ROWS) / 4
    assert sum("raises" in row for row in ROWS) > 10
