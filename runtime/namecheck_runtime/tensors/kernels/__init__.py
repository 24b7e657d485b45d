"""How the CPU computes ops: NumPy functions by op, one module per family.

A kernel takes arrays and does not know names.  `KERNELS` holds the kernels written here; for an op
that is declared for NumPy, too, the kernel may be NumPy's own function, called with the order of
parameters in the registry.
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
    """The kernel of an op: one written here, or NumPy's function; None if there is neither."""
    kernel = KERNELS.get(op.name)
    return kernel if kernel is not None else _of_numpy(op)


def _of_numpy(op: Op) -> Kernel | None:
    from namecheck_runtime.declare import REGISTRY

    for path in op.spellings:
        if not path.startswith("numpy."):
            continue
        owner: Any = None
        function: Any = np
        for part in path.split(".")[1:]:
            owner, function = function, getattr(function, part, None)
        # A method of NumPy's wants an object of its own, and may crash without one.
        if callable(function) and not isinstance(owner, type):
            return _called_as_numpy_does(REGISTRY[path], function)
    return None


def _called_as_numpy_does(spelling: Spelling, function: Callable[..., Any]) -> Kernel:
    """NumPy's function as a kernel: it takes the arguments of the call under NumPy's names.

    If no other library has the function, operands and result keep their dtypes.  An argument that
    it writes to is a copy, which is written back unless the function raises.
    """
    parameters = [p for rule in spelling.op.rules for p in rule.parameters]
    theirs = _parameters_of(function)
    order = spelling.order or tuple(p.name for p in spelling.op.rules[0].parameters)
    defaults = {p.name: p.default for p in parameters}
    several = {p.name for p in parameters if p.kind == "variadic"}
    anything = {p.name for p in parameters if p.kind == "variadic" and p.takes == ("object",)}
    written = spelling.op.writes
    variadic_keywords = {p.name for p in parameters if p.kind == "keywords"}
    words: dict[str, str] = {}
    # If a keyword of NumPy's may stand for several parameters of ours, the first counts.
    for place in range(max(map(len, NUMPY.values()))):
        for their, ours in NUMPY.items():
            if their in theirs and place < len(ours):
                words.setdefault(ours[place], their)

    def compute(**values: Any) -> Any:
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        for name in written:
            values[name] = np.array(values[name])
        for place, name in enumerate((*order, *(n for n in values if n not in order))):
            if name not in values:
                continue
            value = values[name]
            if name in variadic_keywords:
                keywords.update(value)
            elif name in anything or (name in several and ANY_NUMBER in theirs):
                positional.extend(value)
            elif value is defaults.get(name, REQUIRED) or (name in several and not value):
                continue  # the caller left it out
            elif place == len(positional) and not keywords and name != "dtype":
                positional.append(value)
            else:
                by_place = name in order and place < len(theirs) and ANY_WORD not in theirs
                at = theirs[place] if by_place else name
                their = name if name in theirs else words.get(name, at)
                keywords[their] = value.numpy if isinstance(value, dtype) else value
        output = function(*positional, **keywords)
        return (output, *[values[name] for name in written]) if written else output

    takes = tuple(n for n in dict.fromkeys((*order, *defaults, "dtype")) if n not in _WRITTEN_TO)
    if any(path.startswith("torch.") for path in spelling.op.spellings):
        return Kernel(compute, tuple(n for n in takes if n != "dtype"))
    return Kernel(compute, takes, its_own, False)


_WRITTEN_TO: Final = frozenset({"out", "copy", "overwrite_input"})
"""Keywords that make NumPy's functions write to their arguments."""

ANY_NUMBER: Final = "*"
"""Stands among the names of parameters for any number of them."""
ANY_WORD: Final = "**"
"""Stands among the names of parameters for any keyword."""


def _parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters in order; none if it has no signature."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    special: dict[Any, str] = {
        Parameter.VAR_POSITIONAL: ANY_NUMBER,
        Parameter.VAR_KEYWORD: ANY_WORD,
    }
    return tuple(special.get(p.kind, p.name) for p in parameters)
