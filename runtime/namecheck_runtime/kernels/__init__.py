"""How the CPU computes ops: NumPy functions by op, one module per family.

A kernel gets arrays and knows no names.  `KERNELS` has those that are written here; an op that
NumPy has under the same declaration is computed by NumPy's function, called in the order that the
registry has of its parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from namecheck_runtime.declare import REQUIRED, Op, Spelling
from namecheck_runtime.dispatch import Kernel
from namecheck_runtime.kernels import (
    contract,
    conversion,
    factory,
    index,
    join,
    pointwise,
    random,
    reduce,
)

KERNELS: Final[dict[str, Kernel]] = {
    **pointwise.KERNELS,
    **reduce.KERNELS,
    **factory.KERNELS,
    **join.KERNELS,
    **index.KERNELS,
    **contract.KERNELS,
    **conversion.KERNELS,
    **random.KERNELS,
}
"""By the op's name."""


@cache
def kernel_of(op: Op) -> Kernel | None:
    """The kernel of an op: one written here, else NumPy's function; None if there is neither."""
    own = KERNELS.get(op.name)
    return own if own is not None else _of_numpy(op)


def _of_numpy(op: Op) -> Kernel | None:
    from namecheck_runtime.declare import REGISTRY

    for path in op.spellings:
        if not path.startswith("numpy."):
            continue
        function: Any = np
        for part in path.split(".")[1:]:
            function = getattr(function, part, None)
        if callable(function):
            return _in_numpys_order(REGISTRY[path], function)
    return None


def _in_numpys_order(spelling: Spelling, function: Callable[..., Any]) -> Kernel:
    """NumPy's function as a kernel: what the call gives, in NumPy's positional order."""
    order = spelling.order or tuple(p.name for p in spelling.op.rules[0].parameters)
    takes = tuple(name for name in order if name not in ("out", "dtype"))

    def compute(**values: Any) -> Any:
        given: list[Any] = []
        for name in order:
            if name in ("out", "dtype") or name not in values:
                given.append(None)
            else:
                given.append(values[name])
        while given and (given[-1] is None or given[-1] is REQUIRED):
            given.pop()
        return function(*given)

    return Kernel(compute, takes)
