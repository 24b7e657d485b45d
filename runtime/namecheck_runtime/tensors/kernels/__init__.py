"""How the CPU computes ops: NumPy functions by op, one module per family.

A kernel gets arrays and knows no names.  `KERNELS` has those that are written here; an op that
NumPy has under the same declaration is computed by NumPy's function, called in the order that the
registry has of its parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import Parameter, signature
from typing import Any, Final

import numpy as np

from namecheck_runtime.binding import REQUIRED
from namecheck_runtime.declare import Op, Spelling
from namecheck_runtime.readers.keyword_names import NUMPY
from namecheck_runtime.tensors.calls.call import Kernel, its_own
from namecheck_runtime.tensors.kernels import (
    activation,
    contract,
    conversion,
    convolution,
    copies,
    ctc,
    decomposition,
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
from namecheck_runtime.tensors.values.dtypes import dtype

KERNELS: Final[dict[str, Kernel]] = {
    **activation.KERNELS,
    **contract.KERNELS,
    **conversion.KERNELS,
    **convolution.KERNELS,
    **copies.KERNELS,
    **ctc.KERNELS,
    **decomposition.KERNELS,
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
            return _called_as_numpy_does(REGISTRY[path], function)
    return None


def _called_as_numpy_does(spelling: Spelling, function: Callable[..., Any]) -> Kernel:
    """NumPy's function as a kernel: what the call gives, under NumPy's names.

    If nobody else has it, operands are as they are, and so is the dtype of what it gives.  What it
    would write to are copies: they are written back when it has refused nothing.
    """
    own = [p for rule in spelling.op.rules for p in rule.parameters]
    theirs = _parameters_of(function)
    order = spelling.order or tuple(p.name for p in spelling.op.rules[0].parameters)
    defaults = {p.name: p.default for p in own}
    several = {p.name for p in own if p.kind == "variadic"}
    anything = {p.name for p in own if p.kind == "variadic" and p.takes == ("object",)}
    written = spelling.op.writes
    more = {p.name for p in own if p.kind == "keywords"}
    words: dict[str, str] = {}
    for place in range(
        max(map(len, NUMPY.values()))
    ):  # of several words of ours the first is meant
        for their, ours in NUMPY.items():
            if their in theirs and place < len(ours):
                words.setdefault(ours[place], their)

    def compute(**values: Any) -> Any:
        given: list[Any] = []
        named: dict[str, Any] = {}
        for name in written:
            values[name] = np.array(values[name])
        for place, name in enumerate((*order, *(n for n in values if n not in order))):
            if name not in values:
                continue
            value = values[name]
            if name in more:
                named.update(value)
            elif name in anything or (name in several and ANY_NUMBER in theirs):
                given.extend(value)
            elif value is defaults.get(name, REQUIRED) or (name in several and not value):
                continue  # it was left out
            elif place == len(given) and not named and name != "dtype":
                given.append(value)
            else:
                by_place = name in order and place < len(theirs) and ANY_WORD not in theirs
                at = theirs[place] if by_place else name
                their = name if name in theirs else words.get(name, at)
                named[their] = value.numpy if isinstance(value, dtype) else value
        found = function(*given, **named)
        return (found, *[values[name] for name in written]) if written else found

    takes = tuple(n for n in dict.fromkeys((*order, *defaults, "dtype")) if n not in _WRITTEN_TO)
    if any(path.startswith("torch.") for path in spelling.op.spellings):
        return Kernel(compute, tuple(n for n in takes if n != "dtype"))
    return Kernel(compute, takes, its_own, False)


_WRITTEN_TO: Final = frozenset({"out", "copy", "overwrite_input"})
"""Words with which NumPy's functions write to what they are given."""

ANY_NUMBER: Final = "*"
"""Stands among the names of parameters for any number of them."""
ANY_WORD: Final = "**"
"""Stands among the names of parameters for any keyword."""


def _parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters in order; none if it does not tell."""
    try:
        found = signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    special: dict[Any, str] = {
        Parameter.VAR_POSITIONAL: ANY_NUMBER,
        Parameter.VAR_KEYWORD: ANY_WORD,
    }
    return tuple(special.get(p.kind, p.name) for p in found)
