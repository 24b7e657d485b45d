"""Tensors without contents of their own: `torch.empty_like(x)`, which a kernel fills.

What fills such a buffer decides in which order its elements lie. A call of unknown code may do it
without a trace here, so a view of the buffer to other dims may be right (NC205). Only an op that is
followed says that the elements lie in the buffer's own dims: `out.copy_(x)`, `out[i] = x`, `out=`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state.values import (
    BLANK,
    Anything,
    Constant,
    Number,
    Role,
    Tensor,
    Tuple,
    Value,
)
from namecheck.analysis.usage.marks import role_of, with_history
from namecheck_runtime import declare
from namecheck_runtime.declare import Memory

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


def is_blank(value: Value) -> bool:
    """Whether nothing that the program shows has filled a tensor."""
    return role_of(value) is Role.BLANK


def of_blank(op: declare.Op, operands: Sequence[Value]) -> bool:
    """Whether a result is a part of a blank tensor, or computed from nothing but such tensors."""
    if op.memory is Memory.VIEW and is_blank(operands[0]):
        return True
    read = [operand for operand in operands if isinstance(operand, (Tensor, Anything))]
    return bool(read) and all(map(is_blank, read))


def blanked(value: Value) -> Value:
    """A tensor, or several, as parts of one that nothing has filled."""
    if type(value) is Tensor:
        return with_history(value, BLANK)
    if isinstance(value, Tuple):
        return Tuple(map(blanked, value.elements), value.fields, of_op=value.of_op)
    return value


def fill_written(
    ev: Evaluator, spelling: declare.Spelling, by_name: Mapping[str, Argument], value: Value
) -> Value:
    """Note that an op has filled the tensors that it writes to; the value of the op.

    What is filled from no other tensor, as by `out.zero_()`, has no order either.
    """
    for name in (*spelling.op.writes, "out"):
        if name in by_name:
            _fill(ev, by_name[name].value)
    if not spelling.inplace or not by_name:
        return value
    target, *others = [ev.resolve(argument.value) for argument in by_name.values()]
    if not is_blank(target) or is_blank(value):
        return value
    if not any(isinstance(other, Tensor) for other in others):
        return blanked(value)
    _fill(ev, target)
    return value


def fill_part(ev: Evaluator, tensor: Tensor, index: Any, value: Value) -> None:
    """Note that `tensor[index] = value` has filled a tensor, if that shows the order of its dims.

    One number for many elements does not, nor does an unknown value for all of them.
    """
    if not is_blank(tensor) or isinstance(value, (Number, Constant)) or is_blank(value):
        return
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        parts = index if isinstance(index, tuple) else (index,)
        if all(one is ... or one is None or one == slice(None) for one in parts):
            return
    _fill(ev, tensor)


def _fill(ev: Evaluator, value: Value) -> None:
    """Let a tensor be filled on each path: a loop that fills it may be run no times."""
    value = ev.resolve(value)
    if isinstance(value, Tensor) and is_blank(value):
        value.history = None


__all__ = ["blanked", "fill_part", "fill_written", "is_blank", "of_blank"]
