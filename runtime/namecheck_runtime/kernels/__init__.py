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

from namecheck_runtime.backends import Kernel
from namecheck_runtime.declare import REQUIRED, Op, Spelling
from namecheck_runtime.kernels import (
    activation,
    contract,
    conversion,
    convolution,
    copies,
    ctc,
    diagonal,
    embedding,
    factory,
    fourier,
    indefinite,
    index,
    join,
    linear_algebra,
    loss,
    normalization,
    pointwise,
    pooling,
    random,
    reduce,
    resampling,
    segments,
    special,
    statistics,
)

KERNELS: Final[dict[str, Kernel]] = {
    **activation.KERNELS,
    **contract.KERNELS,
    **conversion.KERNELS,
    **convolution.KERNELS,
    **copies.KERNELS,
    **ctc.KERNELS,
    **diagonal.KERNELS,
    **embedding.KERNELS,
    **factory.KERNELS,
    **fourier.KERNELS,
    **indefinite.KERNELS,
    **index.KERNELS,
    **join.KERNELS,
    **linear_algebra.KERNELS,
    **loss.KERNELS,
    **normalization.KERNELS,
    **pointwise.KERNELS,
    **pooling.KERNELS,
    **random.KERNELS,
    **reduce.KERNELS,
    **resampling.KERNELS,
    **segments.KERNELS,
    **special.KERNELS,
    **statistics.KERNELS,
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
    own = tuple(p.name for p in spelling.op.rules[0].parameters)
    if spelling.order is None and "axis" in own:
        return _in_numpys_words(spelling, function)
    order = spelling.order or own
    takes = tuple(name for name in order if name not in ("out", "dtype"))

    def compute(**values: Any) -> Any:
        given: list[Any] = []
        for name in order:
            # Several arguments of which there are none were left out.
            value = values.get(name)
            given.append(None if isinstance(value, tuple) and not value else value)
        while given and (given[-1] is None or given[-1] is REQUIRED):
            given.pop()
        return function(*given)

    return Kernel(compute, takes)


def _in_numpys_words(spelling: Spelling, function: Callable[..., Any]) -> Kernel:
    """NumPy's function, where the rule has NumPy's own words for its parameters."""
    first, *rest = [p for p in spelling.op.rules[0].parameters if p.name not in ("out", "dtype")]

    def compute(**values: Any) -> Any:
        own = {
            p.name: values[p.name]
            for p in rest
            if p.name in values and values[p.name] is not p.default
        }
        return function(values[first.name], **own)

    return Kernel(compute, tuple(p.name for p in (first, *rest)))
