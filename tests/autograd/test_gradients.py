"""The gradients of every op: torch's (`data/gradients_torch.jsonl`), and what differences say.

Differences are taken along random directions, of results for the first derivative and of gradients
for the second.
"""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from gradient_calls import DATA, Program, is_inexact, rows, weights
from listed import read_listed
from value_calls import identity, sampled, wanted

ROWS = {identity(row): row for row in rows()}
MEASURED = {
    row["id"]: row
    for row in map(json.loads, (DATA / "gradients_torch.jsonl").read_text().splitlines())
}
OTHERWISE = read_listed(DATA / "gradients_otherwise.txt")
"""Why a gradient is not compared: `op` with torch's, `~op` with differences; `-op` is refused."""


def program(row: dict[str, Any]) -> Program:
    return Program(row, nt, nt.from_numpy)


def is_listed(identity_: str, mark: str = "") -> bool:
    op = identity_.partition(":")[0]
    return mark + op in OTHERWISE or mark + identity_ in OTHERWISE


def gradients(
    made: Program, arrays: list[Any], create_graph: bool = False
) -> tuple[list[Any], list[Any], list[Any]]:
    """The leaves, the results and the gradients."""
    nt.manual_seed(0)
    leaves, outputs = made.run(arrays, True)
    pairs = [
        (o, nt.from_numpy(w))
        for o, w in zip(outputs, weights(outputs), strict=True)
        if o.requires_grad
    ]
    taken = [leaf for leaf in leaves if leaf.requires_grad]
    if not pairs:
        return taken, [], []
    outputs_, begin = zip(*pairs, strict=True)
    grads = nt.autograd.grad(outputs_, taken, begin, allow_unused=True, create_graph=create_graph)
    return taken, list(outputs_), list(grads)


@pytest.mark.parametrize("identity_", MEASURED)
def test_gradients_are_those_of_torch(identity_: str) -> None:
    expected, row = MEASURED[identity_], ROWS[identity_]
    if is_listed(identity_) or is_listed(identity_, "-") or "g" not in expected:
        return
    made = program(row)
    leaves, _, grads = gradients(made, made.arrays())
    assert len(grads) == len(expected["g"])
    for leaf, grad, record in zip(leaves, grads, expected["g"], strict=True):
        if record is None:
            assert grad is None or not np.any(grad.detach().numpy())
            continue
        values = wanted(record)
        if grad is None:
            assert not np.any(values)
            continue
        assert grad.shape == leaf.shape
        assert grad.dtype is leaf.dtype
        np.testing.assert_allclose(sampled(grad.detach().numpy()), values, 1e-6, 1e-8)


def along(arrays: list[Any], directions: list[Any], step: float) -> list[Any]:
    return [
        a if d is None else (a + step * d).astype(a.dtype)
        for a, d in zip(arrays, directions, strict=True)
    ]


def directions_of(arrays: list[Any], random: Any) -> list[Any]:
    """A random direction for each operand with fractions; symmetric for a symmetric matrix."""
    directions: list[Any] = []
    for array in arrays:
        if array.dtype.kind not in "fc":
            directions.append(None)
            continue
        direction = random.normal(size=array.shape)
        if array.dtype.kind == "c":
            direction = direction + 1j * random.normal(size=array.shape)
        if array.ndim > 1 and array.shape[-1] == array.shape[-2]:
            turned = np.conj(array.swapaxes(-1, -2))
            if np.allclose(array, turned):
                direction = (direction + np.conj(direction.swapaxes(-1, -2))) / 2
        directions.append(direction)
    return directions


def dot(left: Any, right: Any) -> float:
    return float((np.conj(left) * right).real.sum())


EPS = 1e-6


@pytest.mark.parametrize("identity_", ROWS)
def test_gradients_are_what_differences_say(identity_: str) -> None:
    if is_listed(identity_, "~"):
        return
    row = ROWS[identity_]
    made = program(row)
    arrays = made.arrays()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nt.manual_seed(0)
        _, plain = made.run(arrays, False)
    if not all(np.isfinite(p.numpy()).all() for p in plain):
        return
    try:
        leaves, outputs, grads = gradients(made, arrays, create_graph=True)
    except NotImplementedError as refusal:
        if is_listed(identity_, "-") and "derivative" in str(refusal):
            return
        raise
    if not outputs:
        return
    random = np.random.default_rng(0)
    directions = directions_of(arrays, random)

    def loss(step: float) -> float:
        nt.manual_seed(0)
        _, results = made.run(along(arrays, directions, step), False)
        return sum(dot(w, r.numpy()) for w, r in zip(weights(results), results, strict=True))

    moved = [d for d in directions if d is not None]
    slope = sum(
        dot(d, g.detach().numpy()) for d, g in zip(moved, grads, strict=True) if g is not None
    )
    assert np.isclose(slope, (loss(EPS) - loss(-EPS)) / (2 * EPS), 1e-4, 1e-6)

    # The second derivative: of the product of the gradients with other directions.
    others = [d for d in directions_of(arrays, random) if d is not None]
    pairs = [
        (g, nt.from_numpy(o))
        for g, o in zip(grads, others, strict=True)
        if g is not None and g.requires_grad
    ]

    def first(step: float) -> float:
        _, _, parts = gradients(made, along(arrays, directions, step))
        return sum(
            dot(o, g.detach().numpy()) for g, o in zip(parts, others, strict=True) if g is not None
        )

    bends: Any = [None] * len(leaves)
    if pairs:
        firsts, begin = zip(*pairs, strict=True)
        bends = nt.autograd.grad(firsts, leaves, begin, allow_unused=True)
    bend = sum(dot(d, b.numpy()) for d, b in zip(moved, bends, strict=True) if b is not None)
    if not is_listed(identity_, "~~"):
        assert np.isclose(bend, (first(EPS) - first(-EPS)) / (2 * EPS), 1e-3, 1e-5)


@pytest.mark.parametrize("identity_", list(ROWS)[::7])
def test_recorded_calls_have_the_results_of_others(identity_: str) -> None:
    made = program(ROWS[identity_])
    arrays = made.arrays()
    nt.manual_seed(0)
    _, plain = made.run(arrays, False)
    try:
        nt.manual_seed(0)
        _, recorded = made.run(arrays, True)
    except NotImplementedError:
        return
    for left, right in zip(plain, recorded, strict=True):
        assert is_inexact(right)
        assert (left.shape, left.names) == (right.shape, right.names)
        assert left.dtype is right.dtype
        if not is_listed(identity_, "~"):
            np.testing.assert_allclose(right.detach().numpy(), left.numpy(), 1e-6, 1e-8)
