"""The derivative of every op is what differences say, however its operands vary.

First and second order, in double precision, along a random direction, as `gradcheck` and
`gradgradcheck` do it in their fast mode.  A recorded call has the results of another one, a
gradient has the form of its leaf, and in single and half precision it is the one in double.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from derivative_calls import (
    HALF,
    OTHERWISE,
    SINGLE,
    Call,
    Trial,
    calls,
    seeds,
    tensors_of,
    weight,
)
from hypothesis import HealthCheck, Phase, given, settings

import namecheck_runtime as nt

FEW, MANY = 3, 16
"""The number of calls of an op, and of those that take minutes."""
EPS = 1e-6
MOST = 600
"""The most elements that are differentiated."""

TWICE = frozenset(
    {
        *("operator.setitem", "torch.put", "torch.scatter", "torch.index_put", "torch.index_copy"),
        *(f"torch.nn.functional.max_unpool{n}d" for n in (1, 2, 3)),
    }
)
"""Ops that may write several elements to one place."""
TOLERANCE: Mapping[str, float] = {"float32": 1e-3, "float16": 0.06}

Directions = list[Any]


def dot(left: Any, right: Any) -> float:
    return float((np.conj(left) * right).real.sum())


def directions(call: Call, arrays: list[Any], random: Any) -> Directions:
    """A direction for each leaf, None for those without fractions."""
    made: Directions = []
    for array, record in zip(arrays, tensors_of(call.row), strict=True):
        if array.dtype.kind not in "fc":
            made.append(None)
            continue
        direction = np.asarray(random.normal(size=array.shape))
        if array.dtype.kind == "c":
            direction = direction + 1j * random.normal(size=array.shape)
        sizes = array.shape[-2:]
        if record.get("fill") == "spd" and len(sizes) == 2 and sizes[0] == sizes[1]:
            direction = (direction + np.conj(direction.swapaxes(-1, -2))) / 2
        made.append(np.asarray(direction))
    return made


def moved(arrays: list[Any], along: Directions, step: float) -> list[Any]:
    return [
        a if d is None else np.asarray(a + step * d).astype(a.dtype)
        for a, d in zip(arrays, along, strict=True)
    ]


def slope_of(function: Any) -> float | None:
    """The slope of a function at 0; None where it has none: the sides differ."""
    low, middle, high = function(-EPS), function(0.0), function(EPS)
    left, right = (middle - low) / EPS, (high - middle) / EPS
    if not np.isfinite([left, right]).all():
        return None
    if abs(left - right) > 1e-3 * max(abs(left), abs(right), 1):
        return None
    return float(left + right) / 2


def check(call: Call) -> str:
    """Compare the derivatives of a call with differences; what became of it."""
    words = {call.op, *(f"{call.op}:{word}" for word in call.row.get("kw", {}))}
    op_listed = words & OTHERWISE.keys() or (call.op in TWICE and call.writes_twice)
    trial = Trial(call)
    arrays = trial.arrays()
    if sum(array.size for array in arrays) > MOST:
        return "large"
    try:
        _, plain = trial.run(arrays, False)
    except Exception:
        return "refused"
    if not all(np.isfinite(part.numpy()).all() for part in plain):
        return "infinite"
    try:
        _, recorded = trial.run(arrays, True)
        leaves, outputs, grads = trial.gradients(arrays, create_graph=True)
    except Exception:
        if f"-{call.op}" in OTHERWISE:
            return "not recorded"
        raise
    for left, right in zip(plain, recorded, strict=True):
        assert (left.shape, left.names, left.dtype) == (right.shape, right.names, right.dtype)
        if not op_listed:
            np.testing.assert_allclose(right.detach().numpy(), left.numpy(), 1e-6, 1e-8)
    if not outputs:
        return "constant"
    for leaf, grad in zip(leaves, grads, strict=True):
        if grad is not None:
            assert (grad.shape, grad.names, grad.dtype) == (leaf.shape, leaf.names, leaf.dtype)
    if op_listed:
        return "listed"
    if f"/{call.op}" in OTHERWISE and trial.is_singular(arrays):
        return "singular"

    random = np.random.default_rng(0)
    along = directions(call, arrays, random)
    steps = [d for d in along if d is not None]

    def loss(step: float) -> float:
        _, results = trial.run(moved(arrays, along, step), False)
        return sum(dot(weight(r, k), r.numpy()) for k, r in enumerate(results))

    expected = slope_of(loss)
    if expected is None:
        return "kink"
    slope = sum(
        dot(d, g.detach().numpy()) for d, g in zip(steps, grads, strict=True) if g is not None
    )
    assert np.isclose(slope, expected, 1e-4, 1e-5), ("first", slope, expected)

    others = [d for d in directions(call, arrays, random) if d is not None]

    def first(step: float) -> float:
        _, _, parts = trial.gradients(moved(arrays, along, step))
        return sum(
            dot(o, g.detach().numpy()) for g, o in zip(parts, others, strict=True) if g is not None
        )

    expected = slope_of(first)
    if expected is None:
        return "kink of second order"
    pairs = [
        (g, nt.from_numpy(o))
        for g, o in zip(grads, others, strict=True)
        if g is not None and g.requires_grad
    ]
    bends: Any = [None] * len(leaves)
    if pairs:
        firsts, begin = zip(*pairs, strict=True)
        bends = nt.autograd.grad(firsts, leaves, begin, allow_unused=True)
    bend = sum(dot(d, b.numpy()) for d, b in zip(steps, bends, strict=True) if b is not None)
    assert np.isclose(bend, expected, 1e-3, 1e-4), ("second", bend, expected)
    return "checked"


def compare(call: Call, precision: Mapping[str, str]) -> str:
    """Compare the gradients of a call in two precisions, at points that both hold."""
    trial, double = Trial(call, precision), Trial(call)
    arrays, doubles = trial.arrays(), double.arrays(precision)
    if sum(array.size for array in arrays) > MOST:
        return "large"
    if f"/{call.op}" in OTHERWISE and double.is_singular(doubles):
        return "singular"
    try:
        trial.run(arrays, False), double.run(doubles, False)
    except Exception:
        return "refused"
    try:
        leaves, outputs, grads = trial.gradients(arrays)
        _, wanted_outputs, wanted = double.gradients(doubles)
    except Exception:
        if f"-{call.op}" in OTHERWISE:
            return "not recorded"
        raise
    if len(outputs) != len(wanted_outputs):
        return "other results"
    tolerance = TOLERANCE[precision["f"]]
    for output, result in zip(outputs, wanted_outputs, strict=True):
        if not is_near(output.detach().numpy(), result.detach().numpy(), tolerance / 2):
            return "other results"
    scale = max((largest(g.numpy()) for g in wanted if g is not None), default=0.0)
    if not scale < 1e4:
        return "too large"
    for leaf, grad, expected in zip(leaves, grads, wanted, strict=True):
        assert (grad is None) == (expected is None)
        if grad is not None:
            assert (grad.shape, grad.names, grad.dtype) == (leaf.shape, leaf.names, leaf.dtype)
            if f"!{call.op}" not in OTHERWISE:
                assert is_near(grad.numpy(), expected.numpy(), tolerance, scale)
    return "checked"


def largest(array: Any) -> float:
    return float(np.abs(array).max(initial=0))


def is_near(array: Any, expected: Any, tolerance: float, scale: float = 0.0) -> bool:
    """Whether two arrays agree, by their largest elements."""
    difference = largest(np.asarray(array, expected.dtype) - expected)
    return difference <= tolerance * max(largest(expected), scale, 0.02)


def run(op: str, examples: int, law: Any, real: bool = False) -> None:
    """Try a law on calls of an op; some of them have to be checked."""
    outcomes: Counter[str] = Counter()

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(calls(op, real))
    def property(call: Call) -> None:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            outcomes[law(call)] += 1

    property()
    assert examples < MANY or outcomes["checked"] or f"?{op}" in OTHERWISE or op in OTHERWISE, (
        outcomes
    )


@pytest.mark.parametrize("op", sorted(seeds()))
def test_derivatives_are_what_differences_say(op: str) -> None:
    run(op, FEW, check)


@pytest.mark.deep
@pytest.mark.parametrize("op", sorted(seeds()))
def test_derivatives_are_what_differences_say_of_more_calls(op: str) -> None:
    run(op, MANY, check)


@pytest.mark.slow
@pytest.mark.parametrize("precision", [SINGLE, HALF], ids=["single", "half"])
@pytest.mark.parametrize("op", sorted(seeds()))
def test_gradients_are_those_in_double_precision(op: str, precision: Mapping[str, str]) -> None:
    run(op, MANY // 4, lambda call: compare(call, precision), precision is HALF)


def test_every_derivative_has_a_call() -> None:
    """Those that are left out are listed, with the reason."""
    from namecheck_runtime.autograd.table import entries

    kinds = ("derivative", "composite", "strided")
    without = {name for name, entry in entries().items() if entry.kind in kinds} - seeds().keys()
    listed = {name[1:] for name in OTHERWISE if name.startswith("=")}
    assert without == listed
