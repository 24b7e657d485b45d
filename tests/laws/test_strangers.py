"""Strangers: whatever the arguments of a call are, a rule answers, refuses, or does not bind.

The analyzer passes on what users wrote, and the runtime what they passed: a function instead of a
tensor, a list in a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from calls import Call, ask, drawn, drawn_layer, everything, is_sequence, is_tensor, measured

from namecheck_runtime.declare import OPS, REGISTRY
from namecheck_runtime.infer import Answer
from namecheck_runtime.mistakes import Mistake

EXAMPLES = 4
"""The number of drawn calls of each op, besides the measured ones."""
MEASURED = 8
"""The number of measured calls of each op."""


class Stranger:
    """An object of a type that no rule knows."""


STRANGER = Stranger()


def replacements(value: Any) -> Iterator[Any]:
    """Replacements of a value, and the value with an entry replaced."""
    yield from (STRANGER, [STRANGER], (STRANGER,), ((STRANGER,),))
    if is_sequence(value) and not is_tensor(value):
        for index, entry in enumerate(value):
            for replacement in replacements(entry):
                yield type(value)((*value[:index], replacement, *value[index + 1 :]))


def with_stranger(call: Call) -> Iterator[Call]:
    for index, value in enumerate(call.arguments):
        for replacement in replacements(value):
            arguments = (*call.arguments[:index], replacement, *call.arguments[index + 1 :])
            yield call._replace(arguments=arguments)
    for name, value in (call.keywords | {"out": None}).items():
        for replacement in replacements(value):
            yield call._replace(keywords={**call.keywords, name: replacement})
    if call.built is None:
        return
    init, options = call.built
    for index, value in enumerate(init):
        for replacement in replacements(value):
            yield call._replace(built=((*init[:index], replacement, *init[index + 1 :]), options))
    for name, value in options.items():
        for replacement in replacements(value):
            yield call._replace(built=(init, {**options, name: replacement}))


def is_in(value: Any) -> bool:
    return value is STRANGER or (isinstance(value, (tuple, list)) and any(map(is_in, value)))


@pytest.mark.parametrize("name", everything())
def test_a_stranger_is_answered(name: str) -> None:
    random = Random(name)
    calls = list(measured().get(name, ())[:MEASURED])
    if name in OPS:
        spellings = [REGISTRY[path] for path in OPS[name].spellings]
        calls += [drawn(random.choice(spellings), random) for _ in range(EXAMPLES)]
    else:
        calls += [drawn_layer(name, random) for _ in range(EXAMPLES)]
    for call in calls:
        for strange in with_stranger(call):
            answer = ask(strange)
            if isinstance(answer, Answer):
                assert not is_in(answer.result), strange


@pytest.mark.parametrize("name", everything())
def test_messages_are_one_line(name: str) -> None:
    """Some of PyTorch's sentences have several lines, and our messages are made of them."""
    for call in measured().get(name, ()):
        answer = ask(call)
        if isinstance(answer, Mistake):
            assert "\n" not in answer.message(), call
            assert "\n" not in (answer.hint() or ""), call
