"""What Python's `math` answers: a number, whatever it is asked of.

The functions by name, and the kind of number that each gives. `int(math.sqrt(n))` is one size, as
`int(n ** .5)` is. Tensors have functions of these names too; those stand in the rulebook.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.state.scalars import arithmetic, trace_of, wrap
from namecheck.analysis.state.values import Anything, Constant, Number, Value, kind_of_number, known
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Size

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_BOOL: Final = frozenset({"isclose", "isfinite", "isinf", "isnan"})
_INT: Final = frozenset(
    {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "trunc"}
)
_ROUNDED: Final = frozenset({"ceil", "floor", "trunc"})
_OTHERS: Final = frozenset({"frexp", "modf", "sumprod"})
"""What gives no number, or one whose kind depends on what it is given."""
_FLOAT: Final = (
    frozenset(name for name in dir(math) if callable(getattr(math, name)) and name[0] != "_")
    - _BOOL
    - _INT
    - _OTHERS
    - {"prod"}
)
_LARGEST: Final = 10**6
"""The largest number that is computed with: a factorial takes its time."""


def is_function(path: str) -> bool:
    """Whether this is a function of `math` whose answer is a number."""
    module, _, name = path.rpartition(".")
    known_kind = name in _FLOAT or name in _INT or name in _BOOL
    return module == "math" and (known_kind or name == "prod")


def call(ev: Evaluator, path: str, values: Sequence[Value]) -> Value:
    """What the function of this path answers."""
    name = path.rpartition(".")[2]
    if name == "prod":
        return _product(ev, values[0]) if len(values) == 1 else Anything()
    exact = _exactly(name, values)
    if exact is not None:
        return exact
    if name == "sqrt" and len(values) == 1:
        root = arithmetic(ev, values[0], "**", Constant(0.5))
        return root if isinstance(root, Number) else Number(UNKNOWN, "float")
    if name in _INT:
        return Number(_whole(ev, name, values))
    if name in _BOOL:
        return Number(UNKNOWN, "bool")
    return Number(sizes.opaque(name, *(trace_of(ev, value) for value in values)), "float")


def _exactly(name: str, values: Sequence[Value]) -> Value | None:
    """The answer where all that it is asked of is known."""
    found = [known(value) for value in values]
    given = [one[0] for one in found if one is not None]
    if len(given) < len(values):
        return None
    if not all(isinstance(one, (int, float)) and abs(one) <= _LARGEST for one in given):
        return None
    if name in ("comb", "factorial", "perm"):
        return None
    try:
        return wrap(getattr(math, name)(*given))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return None


def _product(ev: Evaluator, value: Value) -> Value:
    """`math.prod(x.shape[:-1])` is one size."""
    contents = elements.iterate(ev, value)
    if not isinstance(contents, tuple):
        return Anything()
    product: Value = Number(1)
    for element in contents:
        product = arithmetic(ev, product, "*", ev.resolve(element))
    return product


def _whole(ev: Evaluator, name: str, values: Sequence[Value]) -> Size:
    """The int that a function answers: an int is rounded to itself, and a root is that of `int`."""
    traces = [trace_of(ev, value) for value in values]
    if name in _ROUNDED and len(values) == 1 and kind_of_number(values[0]) == "int":
        found = traces[0]
    elif name == "isqrt" and len(values) == 1:
        root = arithmetic(ev, values[0], "**", Constant(0.5))
        found = sizes.opaque("int", trace_of(ev, root))
    else:
        found = sizes.opaque(name, *traces)
    return ev.some_int(name) if found is UNKNOWN else found


__all__ = ["call", "is_function"]
