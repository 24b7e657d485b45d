"""Bombs: calls of every op and layer with absurd numbers.

Each argument that is a size, a count or a list of these gets a billion, its negative and a number
of 400 digits, at each place.  Any answer is right, but it must not take longer than for other
numbers; a rule that makes as many dims or pieces as the call asks for fills the memory.

A case is a call of a rule, as the plugin makes it, and a program with many calls, as users write
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from laws.calls import Call, drawn, drawn_layer, is_sequence, is_tensor, measured
from namecheck_runtime.declare import OPS, REGISTRY
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.layers import LAYERS

__all__ = ["HUGE", "bombs", "program"]

HUGE: Final = (10**9, -(10**9), 10**300, 10**400)
"""The analyzer computes with 10**300, and with no larger one."""

_MEASURED: Final = 2
"""The number of measured calls of an op, besides the drawn ones."""


def bombs(name: str, random: Random) -> Iterator[Call]:
    """Calls of an op or layer, each with one huge number."""
    measured_calls = list(measured().get(name, ()))
    calls = random.sample(measured_calls, min(_MEASURED, len(measured_calls)))
    if name in OPS:
        spelling = REGISTRY[random.choice(list(OPS[name].spellings))]
        calls.append(drawn(spelling, random))
        calls += _with_options(drawn(spelling, random))
    else:
        calls.append(drawn_layer(name, random))
    for call in calls:
        yield from _with_a_bomb(call)


def _with_options(call: Call) -> Iterator[Call]:
    """The call with each option that takes a number, since a drawn call may lack it."""
    for rule in REGISTRY[call.path].op.rules:
        for parameter in rule.parameters:
            numeric = {"Size", "Sizes", "int", "DimRef", "DimRefs", "object"} & set(parameter.takes)
            if numeric and parameter.kind != "variadic" and parameter.name not in call.keywords:
                yield call._replace(keywords={**call.keywords, parameter.name: 2})


def _with_a_bomb(call: Call) -> Iterator[Call]:
    for index, value in enumerate(call.arguments):
        for bomb in _exploded(value):
            arguments = (*call.arguments[:index], bomb, *call.arguments[index + 1 :])
            yield call._replace(arguments=arguments)
    for name, value in call.keywords.items():
        for bomb in _exploded(value):
            yield call._replace(keywords={**call.keywords, name: bomb})
    if call.built is None:
        return
    init, options = call.built
    for index, value in enumerate(init):
        for bomb in _exploded(value):
            yield call._replace(built=((*init[:index], bomb, *init[index + 1 :]), options))
    for name, value in options.items():
        for bomb in _exploded(value):
            yield call._replace(built=(init, {**options, name: bomb}))


def _exploded(value: Any) -> Iterator[Any]:
    """Replacements of a value: huge numbers, and the value with a huge number in it."""
    if is_tensor(value) and value:
        for index, dim in enumerate(value):
            for size in HUGE:
                yield (*value[:index], Dim(dim.name, size), *value[index + 1 :])
    elif is_sequence(value):
        for index, entry in enumerate(value):
            for bomb in _exploded(entry):
                yield type(value)((*value[:index], bomb, *value[index + 1 :]))
        yield from ((size,) * 3 for size in HUGE)
        yield (2,) * 3000
    elif value is None or isinstance(value, (bool, int, float)):
        yield from HUGE
        yield from ((size,) for size in HUGE)


# As a program


def program(calls: list[Call]) -> str:
    """A program with a line for each call that can be written as one."""
    lines = [text for call in calls if (text := _line(call)) is not None]
    return "\n".join([_IMPORTS, *lines, ""])


_IMPORTS: Final = """import operator

import einops
import equinox
import flax
import jax
import jax.numpy as jnp
import numpy as np
import torch
"""


def _line(call: Call) -> str | None:
    owner, _, name = call.path.rpartition(".")
    arrays = "torch"
    if owner.startswith(("numpy", "ndarray")):
        arrays = "np"
    elif owner.startswith(("jax", "flax", "equinox")):
        arrays = "jnp"
    written = [_written(value, arrays) for value in call.arguments]
    keywords = [f"{key}={_written(value, arrays)}" for key, value in call.keywords.items()]
    function = call.path.replace("numpy.", "np.", 1) if owner.startswith("numpy") else call.path
    if call.path in LAYERS and call.built is not None:
        init, options = call.built
        constructor = [_written(value, arrays) for value in init]
        constructor += [f"{key}={_written(value, arrays)}" for key, value in options.items()]
        function = f"{call.path}({', '.join(constructor)})"
    elif owner in ("Tensor", "ndarray"):
        if not written or not name.isidentifier():
            return None
        function, *written = f"{written[0]}.{name}", *written[1:]
        if REGISTRY[call.path].attribute:
            return f"y = {function}"
    elif not all(part.isidentifier() for part in call.path.split(".")):
        return None
    return f"y = {function}({', '.join([*written, *keywords])})"


def _written(value: Any, arrays: str) -> str:
    if is_tensor(value) and value:
        sizes = ", ".join("unknown" if d.size is UNKNOWN else _number(d.size) for d in value)
        names = [d.name if isinstance(d.name, str) else None for d in value]
        if arrays == "torch":
            named = f", names={names!r}" if any(names) else ""
            return f"torch.zeros({sizes}{named})"
        return f"{arrays}.zeros(({sizes},))"
    if is_sequence(value):
        inside = ", ".join(_written(entry, arrays) for entry in value)
        if isinstance(value, list):
            return f"[{inside}]"
        return f"({inside},)" if value else "()"
    if isinstance(value, slice):
        parts = (value.start, value.stop, value.step)
        return f"slice({', '.join(_written(part, arrays) for part in parts)})"
    if isinstance(value, bool) or value is None or isinstance(value, (str, float)):
        return repr(value)
    return _number(value) if isinstance(value, int) else "unknown"


def _number(value: Any) -> str:
    """A number as users write it: a power of ten instead of 400 digits."""
    for power in (400, 300, 9):
        if abs(value) == 10**power:
            return f"{'-' * (value < 0)}10**{power}"
    return str(value)
