"""Fast calls of ops that change each element by itself: what the rule answered is kept.

The names of the result depend on the operand's names alone, its dtype on the operand's dtype, so
both are asked for once.  Whatever is not plain (another device, memory in another order, further
arguments) goes the long way, through `dispatch.call`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from namecheck_runtime import dtypes
from namecheck_runtime.asking import names_without_sizes
from namecheck_runtime.backends import Call
from namecheck_runtime.computing import dtype_of
from namecheck_runtime.declare import REQUIRED, Memory, Spelling
from namecheck_runtime.kernels import kernel_of
from namecheck_runtime.names import Names, unnamed
from namecheck_runtime.tensors import Tensor, fresh

_FULL = 1024


class Plan(NamedTuple):
    """What is known of a call by the names and the dtype of its operand."""

    names: Names
    function: Callable[[Any], Any]
    dtype: np.dtype[Any]


def quick(spelling: Spelling) -> Callable[[Tensor], Tensor | None] | None:
    """A function that computes an op of one plain tensor, or gives None; None if the op is not of
    that kind.
    """
    from namecheck_runtime.view_ops import VIEWS

    op = spelling.op
    kernel = kernel_of(op)
    if kernel is None or kernel.takes is not None or spelling.inplace or op.name in VIEWS:
        return None
    if op.memory not in (Memory.POINTWISE, Memory.SAME):
        return None
    parameters = op.rules[0].parameters
    if len(op.rules) != 1 or any(p.default is REQUIRED for p in parameters[1:]):
        return None
    plans: dict[tuple[Names, Any], Plan | None] = {}
    missing = object()

    def prepare(tensor: Tensor) -> Plan | None:
        names = names_without_sizes(spelling.path, (tensor._names,))
        if names is None:
            return None
        of = tensor.dtype
        sample = fresh(np.ones((1,) * tensor.ndim, of.numpy), unnamed(tensor.ndim))
        call = Call(op, op.rules[0], {parameters[0].name: sample}, {}, (), (sample,), ())
        wanted = dtype_of(call, kernel)
        # Whole numbers may have to be converted first.
        if of.kind in ("float", "complex") and isinstance(wanted, dtypes.dtype):
            return Plan(names, kernel.function, wanted.numpy)
        return None

    def compute(tensor: Tensor) -> Tensor | None:
        array = tensor._array
        if tensor._rest is not None:
            return None
        key = (tensor._names, array.dtype)
        plan: Any = plans.get(key, missing)
        if plan is missing:
            if len(plans) > _FULL:
                plans.clear()
            plan = plans[key] = prepare(tensor)
        if plan is None:
            return None
        with np.errstate(all="ignore"):
            made = plan.function(array)
        if made.__class__ is not np.ndarray:
            made = np.asarray(made)
        # PyTorch keeps the strides of what has no gaps; of the rest the long way knows more.
        kept = made.strides == array.strides and made.size
        if not kept or made.dtype is not plan.dtype or made is array:
            return None
        found = fresh(made, plan.names)
        if tensor._storage is not None:
            found._own()
        return found

    return compute
