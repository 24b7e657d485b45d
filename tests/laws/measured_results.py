"""The results of calls on PyTorch (`data/results_torch.jsonl`), and the comparison with them."""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parents[1] / "data"
sys.path.append(str(DATA))

import read_torch_results as results  # noqa: E402

import namecheck_runtime as nt  # noqa: E402
from namecheck_runtime.declare import REGISTRY, Memory, Op  # noqa: E402

ROUNDING = {"float16": 2e-2}
"""The allowed error of the mean of elements, relative to their size; 0.001 for other dtypes."""


class Measured(NamedTuple):
    """A call that ran on PyTorch, and its result there."""

    row: dict[str, Any]
    change: list[Any]
    wanted: Any

    @property
    def path(self) -> str:
        """Its spelling."""
        return str(self.row["op"])

    @property
    def id(self) -> str:
        """The spelling and a digest of the call: its name in the lists of differences."""
        call = {key: self.row[key] for key in ("args", "kw", "order") if key in self.row}
        digest = hashlib.sha256(json.dumps(call, sort_keys=True).encode()).hexdigest()
        return f"{self.path}#{digest[:8]}"

    def __str__(self) -> str:
        call = {key: self.row[key] for key in ("args", "kw", "order") if key in self.row}
        return f"{self.id} {json.dumps(call)}"


@functools.cache
def by_op() -> Mapping[str, tuple[Measured, ...]]:
    """Every measured call, by the name of its op."""
    rows = {row["id"]: row for file in results.FILES for row in results.read_rows(file)}
    calls_of: dict[str, list[Measured]] = defaultdict(list)
    for line in results.OUT.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        row = rows[record["id"]] if "id" in record else record
        spelling = REGISTRY.get(row["op"])
        if spelling is None:
            continue
        calls_of[spelling.op.name] += [
            Measured(results.changed(row, change), change, expected)
            for change, expected in record["found"]
        ]
    return {name: tuple(calls) for name, calls in calls_of.items()}


def module_of(op: Op) -> str:
    """The module of the rulebook that declares an op."""
    return op.rules[0].function.__module__.rpartition("rules.")[2]


def run(call: Measured, device: str = "cpu") -> Any:
    """The result of a call on the runtime."""
    return json.loads(json.dumps(results.run(call.row, nt, device=device)))


def differences(call: Measured, got: Any) -> set[str]:
    """The aspects in which a result is not the measured one: `dims`, `dtype`, `strides`, `shares`,
    `elements`, `value`.
    """
    return set(_apart(call.wanted, got, _says_strides(call)))


def _says_strides(call: Measured) -> bool:
    """Whether the rulebook states the strides of a result in new memory."""
    memory = REGISTRY[call.path].op.memory
    if memory is Memory.FOLLOWS:
        return "order" not in call.row
    return memory in (Memory.NEW, Memory.POINTWISE, Memory.SAME)


def _apart(expected: Any, got: Any, strides: bool) -> Iterator[str]:
    if "seq" in expected:
        if "seq" not in got or len(got["seq"]) != len(expected["seq"]):
            yield "dims"
            return
        for first, second in zip(expected["seq"], got["seq"], strict=True):
            yield from _apart(first, second, strides)
        return
    if "t" not in expected:
        if "v" not in got or not _same_value(expected.get("v"), got["v"]):
            yield "value"
        return
    if expected["t"] != got.get("t"):
        yield "dims"
        return
    if expected.get("d") != got.get("d"):
        yield "dtype"
    shared = [key for key in ("is", "of") if key in expected]
    if any(expected.get(key) != got.get(key) for key in ("is", "of")):
        yield "shares"
    elif shared or strides:
        if any(expected.get(key) != got.get(key) for key in ("s", "o")):
            yield "strides"
    if "e" in expected and "e" in got and not _close(expected, got):
        yield "elements"


def _same_value(expected: Any, got: Any) -> bool:
    if isinstance(expected, float) and isinstance(got, float):
        return abs(expected - got) <= 1e-5 * abs(expected)
    return expected is None or bool(expected == got)


def _close(expected: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    """Whether two digests are of the same elements, up to rounding."""
    strange, *numbers = expected["e"]
    if strange != got["e"][0] or len(numbers) != len(got["e"]) - 1:
        return False
    size = max(numbers[:1], default=0.0)
    allowed = ROUNDING.get(expected.get("d", ""), 1e-3) * max(size, 1e-3)
    return all(abs(a - b) <= allowed for a, b in zip(numbers, got["e"][1:], strict=True))
