"""A plan for a kind of call answers as the rule does: kept plans change no result and no mistake.

For every op of the registry, measured calls are repeated with other sizes and numbers, once with
all plans kept and once with every plan forgotten before each call.  Sizes of 0 and 1, and sizes
that do not fit, are among them.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from functools import cache
from itertools import chain
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import pytest
from calls import Call, is_sequence, is_tensor, measured, rebuilt

import namecheck_runtime as nt
from namecheck_runtime.declare import OPS
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.tensors import call_plans, dispatch
from namecheck_runtime.tensors.calls.symbolic import compares_alone
from namecheck_runtime.tensors.values.plan_caches import forget

CALLS = 1
"""The number of measured calls of each op in a turn."""
VARIANTS = 3
"""The number of calls of the same kind as each of them, besides itself."""
UNWRITTEN = ("empty", "resize", "new")
"""In the names of ops whose elements nobody has written."""
TIMES = 5
"""How often each is made: the third time a plan calls the kernel at once, the next times in one
function with all that is left to do, which is made early here.
"""
PARTS = 8
"""All ops are divided into so many tests."""
TURNS = [pytest.param(turn, marks=pytest.mark.deep if turn else ()) for turn in range(3)]
"""Each turn draws other calls."""


def resized(call: Call, random: Random) -> Call:
    """A call of the same kind: each size is another, and so are some numbers."""
    sizes: dict[Any, int] = {}
    fits = random.random() < 0.6
    shift = random.choice((0, 0, 1, -1, 2))

    def other(size: Any) -> Any:
        if not isinstance(size, int) or isinstance(size, bool):
            return size
        if not fits and random.random() < 0.3:
            return random.choice((0, 1, 2, 5))
        return sizes.setdefault(size, random.choice((0, 1, 2, 3, 5, size, size + 1)))

    def change(value: Any) -> Any:
        if is_tensor(value):
            return tuple(Dim(dim.name, other(dim.size)) for dim in value)
        if is_sequence(value):
            return type(value)(map(change, value))
        if isinstance(value, bool):
            return value
        if isinstance(value, int):
            if value in sizes and random.random() < 0.8:
                return sizes[value]
            return value + (shift if random.random() < 0.3 else 0)
        if isinstance(value, float):
            return value + shift
        return value

    return rebuilt(call, change)


def tensors(value: Any, fill: str, empty_is_tensor: bool, apart: bool) -> Any:
    """An argument with tensors in place of shapes; `apart`: their elements are not in a row."""
    if is_tensor(value) and (value or empty_is_tensor):
        sizes = tuple(dim.size for dim in value)
        array = np.random.default_rng(0).uniform(0.25, 2.75, sizes)
        array = array.astype({"float": "f4", "int": "i8", "bool": "?"}[fill])
        made = nt.tensor(np.repeat(array, 2, -1))[..., ::2] if value and apart else nt.tensor(array)
        return made.rename(*[dim.name for dim in value]) if value else made
    if is_sequence(value):
        return type(value)(tensors(entry, fill, False, apart) for entry in value)
    return value


def described(value: Any, elements: bool) -> Any:
    """Everything visible of an answer."""
    if isinstance(value, nt.Tensor):
        where = value.stride(), value.storage_offset(), value._version, value.dtype, value.device
        kept = elements and value._array is not None
        return value.names, tuple(value.shape), where, repr(value.tolist()) if kept else None
    if is_sequence(value) or isinstance(value, tuple):
        return [described(part, elements) for part in value]
    return repr(value) if elements else type(value)


@cache
def function_of(path: str) -> Callable[..., Any]:
    """The function or method that a program calls for a spelling."""
    if path in ("operator.getitem", "operator.setitem", "operator.matmul", "operator.add"):
        return getattr(operator, path.rpartition(".")[2])  # type: ignore[no-any-return]
    function = dispatch.function_of(path)
    if function is None:
        return lambda *arguments, **keywords: dispatch.call_path(path, arguments, keywords)
    return function  # type: ignore[no-any-return]


class Refused(NamedTuple):
    """A call that raises: the exception, its text, and its notes."""

    kind: type[Exception]
    text: str
    notes: Any


def outcome(call: Call, fills: tuple[str, ...], elements: bool) -> Any:
    """What a call returns or raises, and what has become of its arguments."""
    apart = crc32(str(call).encode()) % 3 == 0
    arguments = [
        tensors(value, fills[min(place, len(fills) - 1)], True, apart)
        for place, value in enumerate(call.arguments)
    ]
    keywords = {
        name: tensors(value, fills[-1], True, apart) for name, value in call.keywords.items()
    }
    nt.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = function_of(call.path)(*arguments, **keywords)
    except Exception as error:
        answer: Any = Refused(type(error), str(error), getattr(error, "__notes__", ()))
    else:
        answer = described(result, elements)
    return answer, described([*arguments, *keywords.values()], elements)


def concrete(call: Call) -> bool:
    """Whether everything is known, and the sizes are small enough to compute with."""

    def plain(value: Any) -> bool:
        if is_tensor(value):
            return all(isinstance(d.size, int) and d.name is not UNKNOWN for d in value) and (
                np.prod([d.size for d in value], dtype=float) < 5000
            )
        if is_sequence(value):
            return all(map(plain, value))
        small = not isinstance(value, (int, float)) or abs(value) < 1000
        return value is not UNKNOWN and small and not isinstance(value, Dim)

    return call.built is None and all(map(plain, (*call.arguments, *call.keywords.values())))


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("part", range(PARTS))
def test_kept_plans_answer_as_new_ones(
    part: int, turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_plans, "_FEW", 1)
    random = Random(part + PARTS * turn)
    wrong: list[str] = []
    served = 0
    for name in sorted(OPS)[part::PARTS]:
        known = [call for call in measured().get(name, ()) if concrete(call)]
        elements = not any(word in name for word in UNWRITTEN)
        for call in random.sample(known, min(CALLS, len(known))):
            calls = [call, *(resized(call, random) for _ in range(VARIANTS))]
            calls = [c for c in calls if concrete(c)]
            for fills in (("float",), ("float", "int"), ("float", "bool"), ("int",)):
                forget()
                kept = [[outcome(c, fills, elements) for _ in range(TIMES)] for c in calls]
                served += sum(len(plans._kinds) for plans in dispatch._PLANS.values())
                if all(isinstance(answer, Refused) for answer, _ in chain(*kept)):
                    continue  # it takes other elements
                for place, c in enumerate(calls):
                    forget()
                    if any(answer != outcome(c, fills, elements) for answer in kept[place]):
                        wrong.append(f"{c} {fills}")
                break
    assert not wrong
    assert served


def grown(call: Call, by: int) -> Call:
    """A call that differs in sizes alone, those above 1: equal ones stay equal, others do not."""

    def change(value: Any) -> Any:
        if is_tensor(value):
            return tuple(
                Dim(dim.name, dim.size + by if isinstance(dim.size, int) and dim.size > 1 else 1)
                for dim in value
            )
        return type(value)(map(change, value)) if is_sequence(value) else value

    return rebuilt(call, change)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("part", range(PARTS))
def test_one_symbolic_answer_is_that_of_the_rule_for_all_sizes(part: int, turn: int) -> None:
    wrong: list[str] = []
    served = 0
    ops = [name for name in sorted(OPS) if compares_alone(OPS[name])]
    for name in ops[part::PARTS]:
        known = [call for call in measured().get(name, ()) if concrete(call)]
        elements = not any(word in name for word in UNWRITTEN)
        for call in Random(part + PARTS * turn).sample(known, min(2 * CALLS, len(known))):
            calls = [c for c in (grown(call, by) for by in range(VARIANTS)) if concrete(c)]
            for fills in (("float",), ("float", "int"), ("float", "bool"), ("int",)):
                forget()
                kept = [outcome(c, fills, elements) for c in calls]
                served += sum(
                    known.__class__ is tuple
                    for plans in dispatch._PLANS.values()
                    for known in plans._patterns.values()
                )
                if all(isinstance(answer, Refused) for answer, _ in kept):
                    continue  # it takes other elements
                for answer, c in zip(kept, calls, strict=True):
                    forget()
                    if answer != outcome(c, fills, elements):
                        wrong.append(f"{c} {fills}")
                break
    assert not wrong
    assert served


def test_new_sizes_and_numbers_make_no_plans() -> None:
    forget()
    x = nt.ones(3000, 2, names=("T", "C"))
    for size in range(1, 3001):
        part = x[:size]
        part.exp()
        part.clamp(0, size)
        nt.cat([part, part])
        part.softmax("C")
        part.sum(("T", "C"))
        nt.zeros(size)
        x.narrow("T", 0, size)
    for path in ("Tensor.exp", "Tensor.clamp", "torch.cat", "Tensor.softmax", "Tensor.sum"):
        plans = dispatch._PLANS[path]
        assert len(plans._kinds) == 1, path
        assert len(plans._made) <= 1024, path
    for path in ("torch.zeros", "Tensor.narrow"):
        assert len(dispatch._PLANS[path]._kinds) == 1, path
