"""Calls of Python's `math`: a number, whatever the arguments are.

`int(math.sqrt(n))` and `int(n ** .5)` are the same size. Ops on tensors that have the names of
these functions are in the rulebook.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.scalars import arithmetic, trace_of, wrap
from namecheck.analysis.state.values import Anything, Constant, Number, Value, kind_of_number, known
from namecheck.frameworks import numpy, python
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_LARGEST: Final = 10**6
"""The largest argument for which a function is computed."""


def is_function(path: str) -> bool:
    """Whether this is a function of `math` that gives a number."""
    return path in python.NUMBERS or path == python.PRODUCT


def call(ev: Evaluator, path: str, values: Sequence[Value]) -> Value:
    """The value of a call of one of these functions."""
    if path == python.PRODUCT:
        return _product(ev, values[0]) if len(values) == 1 else Anything()
    exact = _computed(path, values)
    if exact is not None:
        return exact
    if path == python.ROOT and len(values) == 1:
        root = arithmetic(ev, values[0], "**", Constant(0.5))
        return root if isinstance(root, Number) else Number(UNKNOWN, "float")
    match python.NUMBERS[path]:
        case "int":
            return Number(_int(ev, path, values))
        case "bool":
            return Number(UNKNOWN, "bool")
    name = path.rpartition(".")[2]
    return Number(sizes.opaque(name, *(trace_of(ev, value) for value in values)), "float")


def of_numbers(ev: Evaluator, path: str, arguments: Sequence[Argument]) -> Value | None:
    """The number that a function of NumPy gives for known numbers; None for anything else."""
    function = numpy.OF_NUMBERS.get(path)
    if function is None:
        return None
    exact = _computed(function, [ev.resolve(argument.value) for argument in arguments])
    number = None if exact is None else known(exact)
    return None if number is None else wrap(float(number[0]))


def _computed(path: str, values: Sequence[Value]) -> Value | None:
    """The result, if all arguments are known; None otherwise, and where Python raises an error."""
    constants = [known(value) for value in values]
    numbers = [constant[0] for constant in constants if constant is not None]
    if len(numbers) < len(values):
        return None
    if not all(isinstance(one, (int, float)) and abs(one) <= _LARGEST for one in numbers):
        return None
    if path in python.GROWING:
        return None
    try:
        return wrap(getattr(math, path.rpartition(".")[2])(*numbers))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return None


def _product(ev: Evaluator, value: Value) -> Value:
    """The size that `math.prod(x.shape[:-1])` gives."""
    contents = elements.iterate(ev, value)
    if not isinstance(contents, tuple):
        return Anything()
    product: Value = Number(1)
    for element in contents:
        product = arithmetic(ev, product, "*", ev.resolve(element))
    return product


def _int(ev: Evaluator, path: str, values: Sequence[Value]) -> Size:
    """The int that a function gives: rounding keeps an int, and `isqrt(n)` is `int(n ** .5)`."""
    name = path.rpartition(".")[2]
    traces = [trace_of(ev, value) for value in values]
    if path in python.ROUNDING and len(values) == 1 and kind_of_number(values[0]) == "int":
        size = traces[0]
    elif path == python.WHOLE_ROOT and len(values) == 1:
        root = arithmetic(ev, values[0], "**", Constant(0.5))
        size = sizes.opaque("int", trace_of(ev, root))
    else:
        size = sizes.opaque(name, *traces)
    return ev.some_int(name) if size is UNKNOWN else size


__all__ = ["call", "is_function", "of_numbers"]
