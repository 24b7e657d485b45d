# mypy: allow-redefinition
"""Ordinary programs: loops that rebind, lists, dicts, generators, early returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any, NamedTuple
from typing import Literal as L

import namecheck_runtime as nt
import namecheck_runtime.nn.functional as F
from namecheck_runtime import Tensor

Rows = Tensor[L["N"], L["C"]]


def standardized(x: Rows) -> Rows:
    mean = x.mean("N", keepdim=True)
    std = x.std("N", keepdim=True)
    return (x - mean) / std


def rebinds() -> Tensor[L["C"]]:
    x = nt.randn(2, 3, 4, names=("N", "T", "C"))
    x = x.relu()
    x = x.sum("T")
    x = x.sum("N")
    return x


def steps(x: Rows, count: int) -> Rows:
    for _ in range(count):
        x = x + x.tanh()
        x *= 0.5
        x -= x.mean("N")
    while bool((x.abs() > 10).any()):
        x = x / 2
    return x


def collected(count: int) -> Tensor[L["K"], L["N"], L["C"]]:
    made: list[Rows] = []
    for _ in range(count):
        made.append(nt.randn(2, 3, names=("N", "C")))
    made.extend(one * 2 for one in list(made))
    stacked = nt.stack([one.rename(None) for one in made])
    return stacked.refine_names("K", "N", "C")


def by_name(x: Rows) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    functions: dict[str, Callable[[Rows], Rows]] = {"relu": nt.relu, "tanh": nt.tanh, "gelu": F.gelu}
    for name, function in functions.items():
        found[name] = function(x)
    return {name: one.exp() for name, one in found.items()}


def first_positive(batches: list[Rows]) -> Rows | None:
    for batch in batches:
        if float(batch.sum()) > 0:
            return batch
    return None


def batches(x: Rows, size: int) -> Iterator[Rows]:
    for start in range(0, x.size("N"), size):
        yield x[start : start + size]


def totals(x: Rows) -> float:
    if x.numel() == 0:
        return 0.0
    total = 0.0
    for row in x:
        total += float(row.sum("C"))
    try:
        return total / x.size("N")
    finally:
        del total


def apply(function: Callable[[Rows], Rows], x: Rows) -> Rows:
    return function(x)


def composed(x: Rows) -> Rows:
    twice = partial(nt.mul, other=2)
    chain: list[Callable[[Rows], Rows]] = [standardized, lambda y: y.relu(), lambda y: y - 1]
    result = reduce(lambda y, step: step(y), chain, x)
    return apply(lambda y: y + twice(y), result)


class Pair(NamedTuple):
    values: Rows
    weights: Tensor[L["N"]]


@dataclass
class Running:
    mean: Tensor[L["C"]]
    count: int = 0
    history: list[Tensor[L["C"]]] = field(default_factory=list[Tensor[L["C"]]])

    def update(self, x: Rows) -> None:
        batch = x.mean("N")
        self.count += 1
        self.mean = self.mean + (batch - self.mean) / self.count
        self.history.append(self.mean)

    def normalized(self, x: Rows) -> Rows:
        return x - self.mean


def weighted(pair: Pair) -> Tensor[L["C"]]:
    values, weights = pair
    return (values * weights.align_as(values)).sum("N") / weights.sum()


def train(x: Rows, y: Tensor[L["N"]], epochs: int = 3) -> Tensor[L["C"]]:
    weight = nt.zeros(x.size("C"), names=("C",))
    for epoch in range(epochs):
        for _ in range(2):
            prediction = (x @ weight).refine_names("N")
            error = prediction - y
            gradient = (x * error.align_as(x)).mean("N")
            weight = weight - 0.1 * gradient
        if epoch and float((x @ weight - y).square().mean()) < 1e-3:
            break
    else:
        return weight * 1
    return weight


def anything(x: Any) -> Any:
    return x.sum("whatever") + x


def choose(x: Rows, flag: bool) -> Rows:
    y = x if flag else -x
    z = y.sum("N") if flag else y.sum("N") * 2
    return x + z


def swapped(x: Rows) -> tuple[Tensor[L["C"], L["N"]], Rows]:
    a, b = x.T, x
    a, c = a * 2, a
    (d, e), f = (a, b), c
    return d + f, e


x = nt.randn(4, 3, names=("N", "C"))
y = nt.randn(4, names=("N",))
assert standardized(x).names == ("N", "C")
assert rebinds().names == ("C",)
assert steps(x.clone(), 2).names == ("N", "C")
assert collected(2).names == ("K", "N", "C")
assert set(by_name(x)) == {"relu", "tanh", "gelu"}
assert first_positive([x.abs()]) is not None
assert [batch.size("N") for batch in batches(x, 2)] == [2, 2]
totals(x)
assert composed(x).names == ("N", "C")
assert weighted(Pair(x, y.abs())).names == ("C",)
running = Running(nt.zeros(3, names=("C",)))
running.update(x)
assert running.normalized(x).names == ("N", "C")
assert train(x, y).names == ("C",)
assert anything(nt.zeros(1, names=("whatever",))).names == ("whatever",)
assert choose(x, True).names == ("N", "C")
assert swapped(x)[0].names == ("C", "N")
with nt.strict_broadcasting():
    assert (x + x).names == ("N", "C")


def named_in_place(x: Tensor[L["N"], int], y: Rows) -> None:
    x += y
    assert x.sum("C").names == ("N",)
    z = nt.zeros(4, 3)
    z.add_(x)
    z.mean("C")


named_in_place(nt.zeros(4, 3, names=("N", None)), nt.zeros(4, 3, names=("N", "C")))
