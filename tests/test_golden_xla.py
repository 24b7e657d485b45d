"""Every measured row of XLA's explicit broadcasting, and NumPy's implicit one, against the
rules.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import Dim, Dims
from namecheck_runtime.mistakes import Mistake

ROWS = [json.loads(line) for line in (Path(__file__).parent / "golden/xla_visible.jsonl").open()]
CALLS = {
    "binop": "xla.add",
    "bid": "xla.broadcast_in_dim",
    "jaxbid": "jax.lax.broadcast_in_dim",
    "np": "numpy.broadcast_shapes",
}


def unnamed(sizes: list[int]) -> Dims:
    return tuple(Dim(None, size) for size in sizes)


def replay(row: dict[str, Any]) -> dict[str, Any]:
    """The answer of the rule to one row: sizes, or the PyTorch-style text of its mistake."""
    first, second = row["a"], row["b"]
    arguments: tuple[object, ...]
    if row["k"] == "np":
        arguments = (tuple(first), tuple(second))
    elif row["k"] == "binop":
        arguments = (unnamed(first), unnamed(second), row["bd"])
    else:
        arguments = (unnamed(first), tuple(second), row["bd"])
    try:
        result = infer(CALLS[row["k"]], arguments).result
    except Mistake as mistake:
        return {"err": mistake.code, "msg": mistake.sentence()}
    return {"s": [size.size if isinstance(size, Dim) else size for size in result]}


def bare(text: str) -> str:
    """The text without XLA's status and dtypes, which a rule does not know."""
    return text.replace("INVALID_ARGUMENT: ", "").replace("s32", "")


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_row(row: dict[str, Any]) -> None:
    want, got = row["r"], replay(row)
    if "s" in want:
        assert got == {"s": want["s"]}
    elif row["k"] == "np":
        assert got["err"] == "NC201"
    else:
        assert got["err"] in ("NC210", "NC201")
        assert re.sub(r"\s+", " ", bare(got["msg"])) == re.sub(r"\s+", " ", bare(want["msg"]))
