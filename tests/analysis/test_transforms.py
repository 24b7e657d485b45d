"""The results of JAX's function transforms are the measured ones (`transforms_jax.jsonl`)."""

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
    sizes: dict[str, list[int]] = {}
    for key, branch in tree.items():
        sizes |= paths(branch, f"{path}[{key if key.isdigit() else repr(key)}]")
    return sizes


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["call"])
def test_a_call_gives_the_measured_result(row: dict[str, Any]) -> None:
    expected = paths(row.get("gives"))
    call = row["call"].replace("z(", "jnp.zeros(")
    lines = [f"part_{index} = made{path}" for index, path in enumerate(expected)]
    text = HEAD + "\n".join([f"made = {call}", *lines]) + "\n"
    analysis = analyze("program.py", text.encode())
    codes = {finding.code for finding in analysis.findings}
    if "raises" in row:
        assert codes or row.get("untold")
        return
    assert not codes
    shown = {shape.target: shape.dims_text for shape in analysis.shapes}
    for index, sizes in enumerate(expected.values()):
        dims = shown.get(f"part_{index}")
        assert dims == str(sizes) or (row.get("untold") and dims is None)


def test_enough_is_known() -> None:
    untold = [row for row in ROWS if row.get("untold")]
    assert len(untold) < len(ROWS) / 4
    assert sum("raises" in row for row in ROWS) > 10


MAPPED = """
from functools import partial
import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

def smooth(knots: Float[Array, "grid"], values: Float[Array, "grid"]) -> Float[Array, "grid"]:
    return jnp.interp(knots, knots, values)

@partial(jax.vmap, in_axes=(None, 1))
def columns(
    knots: Float[Array, "grid"], table: Float[Array, "grid columns"]
) -> Float[Array, "columns grid"]:
    return smooth(knots, table)

@eqx.filter_vmap(in_axes=(0, 0))
def dot(x: Float[Array, "n d"], y: Float[Array, "n d"]) -> Float[Array, "n"]:
    return x @ y

@jax.vmap
def norm(x: Float[Array, "dim"]) -> Float[Array, ""]:
    return jnp.sqrt(jnp.sum(x * x))

class Grid:
    @staticmethod
    @partial(jax.vmap, in_axes=(None, 1))
    def columns(knots: Float[Array, "grid"], table: Float[Array, "grid columns"]):
        return smooth(knots, table)
"""


def test_annotations_of_a_mapped_function_may_be_those_of_its_calls() -> None:
    assert analyze("mapped.py", MAPPED.encode()).findings == ()


def test_annotations_of_a_function_that_is_not_mapped_are_its_own() -> None:
    program = MAPPED.replace("@jax.vmap", "@jax.jit").replace('""]', '"dim"]')
    findings = analyze("jitted.py", program.encode()).findings
    assert [finding.code for finding in findings] == ["NC401"]
