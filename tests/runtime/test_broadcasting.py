"""XLA's explicit broadcasting on tensors: sizes, values and refusals as measured."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import pytest

import namecheck_runtime as nt

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[1] / "golden/xla_visible.jsonl").open()
]
OF_TENSORS = [row for row in ROWS if row["k"] in ("binop", "bid", "jaxbid")]


def operand(sizes: list[int], first: int) -> Any:
    return nt.arange(first, first + prod(sizes), dtype=nt.int32).reshape(sizes)


def run(row: dict[str, Any]) -> Any:
    a = operand(row["a"], 1)
    if row["k"] != "binop":
        return nt.broadcast_in_dim(a, row["b"], row["bd"])
    b = operand(row["b"], 100)
    return nt.add(a, b, broadcast_dimensions=row["bd"])


@pytest.mark.parametrize("row", OF_TENSORS, ids=[row["id"] for row in OF_TENSORS])
def test_row(row: dict[str, Any]) -> None:
    expected = row["r"]
    if "err" in expected:
        with pytest.raises((nt.TensorError, TypeError)):
            run(row)
        return
    result = run(row)
    assert list(result.shape) == expected["s"]
    if "v" in expected:
        assert result.reshape(-1).tolist() == expected["v"]


def test_enough_rows_are_run() -> None:
    assert len(OF_TENSORS) > 400
    assert sum("v" in row["r"] for row in OF_TENSORS) > 40


def test_a_broadcast_shares_memory() -> None:
    x = nt.tensor([1.0, 2.0], names=("N",))
    result = nt.broadcast_in_dim(x, (2, 3), (0,))
    assert result.names == ("N", None)
    assert result.stride() == (1, 0)
    assert result.untyped_storage() is x.untyped_storage()


def test_strict_broadcasting_refuses_other_ranks() -> None:
    x, row = nt.ones(2, 3, names=("N", "C")), nt.ones(3, names=("C",))
    assert (x + row).names == ("N", "C")
    with nt.strict_broadcasting():
        with pytest.raises(nt.SizesError, match="promotes the rank") as caught:
            x + row
        assert caught.value.code == "NC209"
        assert (x + 1).names == ("N", "C")
        assert (x + x).names == ("N", "C")
        with nt.strict_broadcasting(False):
            assert (x + row).names == ("N", "C")
    assert (x + row).names == ("N", "C")
