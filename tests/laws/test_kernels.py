"""The kernel agrees: NumPy's result has exactly the sizes that the rule promises.

For every spelling that NumPy can answer (`oracle`): measured calls, changed ones and calls drawn
from the annotations, without names.  If the rule gives sizes, NumPy's result has them; if the rule
raises a mistake of sizes or dims, NumPy refuses, too.  Deliberate differences are listed as data.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from calls import Call, ask, changed, drawn, is_sequence, is_tensor, measured, read_listed, show
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from namecheck_runtime.binding import IGNORED_KEYWORDS
from namecheck_runtime.declare import OPS, REGISTRY
from namecheck_runtime.lattice import UNKNOWN, Dim, Trailing
from namecheck_runtime.mistakes import Mistake
from oracle import Oracle, oracle

DIFFERENCES = Path(__file__).parents[1] / "data" / "numpy_differences.txt"
"""Deliberate differences between NumPy and the rule, `reason: path path:NC302`; with a code, only
the refusal with that code differs.
"""
EXAMPLES = 12
"""The number of drawn calls of each op, besides the measured ones."""
SEARCH = 600
"""The number of further draws to find a call that NumPy answers."""

UNDECIDED = read_listed(Path(__file__).parents[1] / "data" / "undecided_answers.txt")
WITHOUT_ORACLE = Path(__file__).parents[1] / "data" / "without_oracle.txt"
"""Ops that NumPy cannot answer, by the reason in a few words: `reason: op op op`."""


def judged(op: str) -> list[str]:
    """The spellings of an op that NumPy answers."""
    return [path for path in OPS[op].spellings if oracle(path) is not None]


def arrays(value: Any, fill: str, scalars: bool) -> Any:
    """An argument with arrays in place of shapes; `()` is one if `scalars`, else a sequence."""
    if is_tensor(value) and (value or scalars):
        sizes = tuple(dim.size for dim in value)
        if fill == "eye":
            if len(sizes) < 2:
                return np.ones(sizes)
            return np.broadcast_to(np.eye(*sizes[-2:]), sizes).copy()
        if fill == "bool":
            return np.ones(sizes, dtype=bool)
        if fill == "int":
            return np.zeros(sizes, dtype=int)
        return np.random.default_rng(0).uniform(0.25, 0.75, sizes)
    if is_sequence(value):
        return type(value)(arrays(entry, fill, scalars) for entry in value)
    return value


FILLS = (("float",), ("eye",), ("float", "int"), ("int",), ("bool",), ("float", "bool"))
"""The elements of the first tensor, and of all others."""


def attempts(
    call: Call, first: bool, scalars: bool
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The call on arrays of several kinds, since an index must have ints and a mask bools.

    `first` and `scalars`: whether `()` is an array as the first argument, and as another.
    """
    for fill in FILLS:
        arguments = tuple(
            arrays(value, fill[min(index, len(fill) - 1)], scalars if index else first)
            for index, value in enumerate(call.arguments)
        )
        yield arguments, {k: arrays(v, fill[-1], scalars) for k, v in call.keywords.items()}


class Refused(NamedTuple):
    """NumPy refuses a call."""

    error: Exception


def run(function: Oracle, call: Call) -> list[Any]:
    """NumPy's answers to a call, sizes or Refused: one, or several if `()` may be a 0-d array or an
    empty sequence.
    """
    readings = [(True, True), (True, False), (False, False)]
    if not has_empty((*call.arguments, *call.keywords.values())):
        readings = readings[:1]
    return [first_answer(function, call, *reading) for reading in readings]


def has_empty(value: Any) -> bool:
    return isinstance(value, tuple | list) and any(v == () or has_empty(v) for v in value)


def first_answer(function: Oracle, call: Call, first: bool, scalars: bool) -> Any:
    refused: Refused | None = None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for arguments, keywords in attempts(call, first, scalars):
            try:
                return sizes_of(function(*arguments, **keywords))
            except (MemoryError, RecursionError):
                raise
            except Exception as error:
                refused = refused or Refused(error)
    return refused


def sizes_of(result: Any) -> Any:
    """A result as sizes: a list for an array, a tuple for several; other values as they are."""
    if isinstance(result, np.ndarray | np.generic):
        return list(result.shape)
    if isinstance(result, tuple | list):
        return tuple(map(sizes_of, result))
    return result


def promised(result: Any) -> Any:
    """A rule's result in the form of `sizes_of`."""
    if is_tensor(result):
        return [dim.size for dim in result]
    if isinstance(result, tuple | list):
        return tuple(map(promised, result))
    return result


def keeps_promise(promise: Any, sizes: Any) -> bool:
    """Whether the sizes are the promised ones; an unknown size promises nothing."""
    if promise is UNKNOWN:
        return True
    if isinstance(promise, Trailing):
        promised_dims = [dim.size for dim in promise.dims]
        return isinstance(sizes, list) and keeps_promise(
            promised_dims, sizes[len(sizes) - len(promised_dims) :]
        )
    if isinstance(promise, list):
        if isinstance(sizes, int | float | complex) or sizes == ():
            return promise == []  # a scalar of Python, or no sizes
        return (
            isinstance(sizes, list)
            and len(promise) == len(sizes)
            and all(p is UNKNOWN or p == f for p, f in zip(promise, sizes, strict=True))
        )
    if isinstance(promise, tuple):
        if isinstance(sizes, list):  # an array of sizes
            return False
        return (
            isinstance(sizes, tuple)
            and len(promise) == len(sizes)
            and all(keeps_promise(p, f) for p, f in zip(promise, sizes, strict=True))
        )
    if sizes == [] and isinstance(promise, int):
        return True  # a number of NumPy, `np.prod(shape)`; its value is not a size of an array
    return bool(promise == sizes)


_UNSEEN = IGNORED_KEYWORDS | {"out"}


def nameless(call: Call) -> Call:
    """The call without names and without the keywords that no rule reads."""

    def strip(value: Any) -> Any:
        if is_tensor(value):
            return tuple(Dim(None, dim.size) for dim in value)
        if is_sequence(value):
            return type(value)(map(strip, value))
        return value

    return call._replace(
        arguments=tuple(map(strip, call.arguments)),
        keywords={k: strip(v) for k, v in call.keywords.items() if k not in _UNSEEN},
    )


def check(call: Call) -> str:
    """Compare one call with NumPy, and return the outcome."""
    if call.path in read_listed(DIFFERENCES):
        return "differs"
    function = oracle(call.path)
    assert function is not None
    answer = ask(call)
    if answer is None:
        return "unbound"
    results = run(function, call)
    if isinstance(answer, Mistake):
        if not answer.code.startswith(("NC2", "NC3")):
            return "names"
        refused = any(isinstance(result, Refused) for result in results)
        if f"{call.path}:{answer.code}" in read_listed(DIFFERENCES):
            return "differs"
        assert refused, f"{call}  is refused: {answer}\nNumPy answers {results}"
        return "both refuse"
    assert not answer.duties, f"{call}  leaves a duty: {answer.duties[0]}"
    taken = [result for result in results if not isinstance(result, Refused)]
    if not taken:
        return "NumPy refuses"
    promise = promised(answer.result)
    if any(keeps_promise(promise, result) for result in taken):
        return "agreed"
    assert len(taken) < len(results), f"{call}  ->  {show(answer.result)}\nNumPy: {taken}"
    return "NumPy refuses"


def draw(op: str, random: Random) -> Call:
    path = random.choice(judged(op))
    seeds = [call for call in measured().get(op, ()) if call.path == path]
    if seeds and random.random() < 0.6:
        call = changed(random.choice(seeds), random)
        if oracle(call.path) is None:
            call = call._replace(path=path)
        return nameless(call)
    return nameless(drawn(REGISTRY[path], random))


@pytest.mark.parametrize("op", [op for op in OPS if judged(op)])
def test_the_kernel_agrees(op: str) -> None:
    counts: Counter[str] = Counter()
    for call in measured().get(op, ()):
        if oracle(call.path) is not None:
            counts[check(nameless(call))] += 1

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def property(random: Random) -> None:
        counts[check(draw(op, random))] += 1

    property()
    if op in UNDECIDED or not set(judged(op)) - read_listed(DIFFERENCES).keys():
        return
    random = Random(op)
    for _ in range(SEARCH):
        if counts["agreed"]:
            break
        counts[check(draw(op, random))] += 1
    assert counts["agreed"], f"NumPy answered no call: {counts}"


def test_every_op_is_judged_or_listed() -> None:
    listed = read_listed(WITHOUT_ORACLE)
    without = {op for op in OPS if not judged(op)}
    assert len(without) < len(OPS) / 2
    assert not without - listed.keys(), "no oracle, and no reason in without_oracle.txt"
    assert not listed.keys() - without, "listed in without_oracle.txt, and judged nevertheless"
    assert not {e.partition(":")[0] for e in read_listed(DIFFERENCES)} - REGISTRY.keys()
