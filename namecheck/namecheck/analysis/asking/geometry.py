"""How tensors lie in memory: the strides of results, and what only some strides allow (NC5xx).

Strides travel with the abstract tensor, in the sizes of the path. The rulebook says what an op does
to them. This module decides which tensors the op reads, and blames what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.state.conversion import laid
from namecheck.analysis.state.values import (
    FALSE,
    TRUE,
    Anything,
    Library,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
)
from namecheck_runtime import declare, layers, sizes
from namecheck_runtime.declare import Memory
from namecheck_runtime.lattice import UNKNOWN, Size, Truth, known_dims
from namecheck_runtime.light.memory_orders import preserve_format
from namecheck_runtime.mistakes.base import Mistake, verb
from namecheck_runtime.mistakes.memory import NoncontiguousView, WriteToExpanded
from namecheck_runtime.readers.layouts import (
    Several,
    lay_out,
    needs_strides,
    require_writable,
    strides_of_copy,
)
from namecheck_runtime.sizes import Origin, plain_symbol
from namecheck_runtime.strides import ROW_MAJOR, Strides
from namecheck_runtime.strides.contiguity import contiguity
from namecheck_runtime.strides.geometry import Geometry

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator

TORCH: Final = "Tensor"
"""The tensor class whose views depend on strides."""


def lay(
    ev: Evaluator,
    call: declare.Spelling | layers.Instance,
    asked: Sequence[Any],
    keywords: Mapping[str, Any],
    by_name: Mapping[str, Argument],
    result: Any,
    value: Value,
    node: ir.Node,
) -> Value:
    """The value of a call with what is known about its place in memory."""
    spelling = call if isinstance(call, declare.Spelling) else None
    memory = spelling.op.memory if spelling is not None else call.layer.memory  # type: ignore[union-attr]
    if memory is None:
        return value
    first = next((ev.resolve(argument.value) for argument in by_name.values()), None)
    if memory is not Memory.NEW and _is_unknown(first) and "memory_format" not in by_name:
        # Most tensors are parameters, whose strides are unknown.
        if memory is not Memory.VIEW or needs_strides(call):
            return value
    if spelling is not None and spelling.inplace and isinstance(first, Tensor):
        _check_written(ev, spelling, first, node, by_name)
        if not spelling.op.reshapes:
            _put(value, first.strides, first.turned)
            return value
    if "out" in by_name or not _is_torch(value):
        return value
    values = [ev.resolve(argument.value) for argument in by_name.values()]
    order = _asked_order(values)
    if order is not None:
        _put(value, order, None)
        return value
    read = values[:1] if memory in (Memory.VIEW, Memory.SAME) else _flat(ev, values)
    operands = [laid(ev, tensor) for tensor in read if isinstance(tensor, (Tensor, Anything))]
    try:
        answer = lay_out(call, asked, keywords, operands, result)
    except NoncontiguousView as mistake:
        source_sizes = [dim.size for dim in known_dims(mistake.source)]
        involved = (*source_sizes, *mistake.target)
        suits_one = _suits_batch_of_one(mistake)
        if suits_one and ev.frame.depth:
            return value  # the caller may know that the batch is one
        level = "warning" if suits_one else "error"
        answer = _blame_layout(ev, mistake, involved, first, node, by_name, level)
    if isinstance(answer, Truth):
        return value if answer is Truth.MAYBE else TRUE if answer is Truth.YES else FALSE
    if not isinstance(answer, Several):
        _put(value, answer, _since(ev, first, answer, call, node))
    elif isinstance(value, Tuple) and len(answer.results) == len(value.elements):
        for element, strides in zip(value.elements, answer.results, strict=True):
            _put(element, strides, _since(ev, first, strides, call, node))
    return value


def copied(ev: Evaluator, tensor: Tensor) -> Strides:
    """The strides of a copy that keeps the order of dims, or of the tensor itself."""
    return UNKNOWN if tensor.strides is UNKNOWN else strides_of_copy(laid(ev, tensor))


def _put(value: Value, strides: Strides, turned: Any) -> None:
    """Set the strides of a tensor that was just made."""
    if isinstance(value, Tensor) and value.library == TORCH:
        value.strides = strides
        value.turned = turned


def _is_unknown(value: Value | None) -> bool:
    """Whether the strides of a value are unknown; a tensor without dims needs none."""
    kind = type(value)
    if kind is Anything:
        return True
    return kind is Tensor and value.strides is UNKNOWN and value.shape != ()  # type: ignore[union-attr]


def _is_torch(value: Value) -> bool:
    if isinstance(value, Tensor):
        return value.library == TORCH
    # The answer to a question about strides is not a tensor.
    return isinstance(value, (Tuple, Anything))


def _flat(ev: Evaluator, values: Iterable[Value]) -> list[Value]:
    """The values, with the elements of lists and tuples in their place."""
    flat: list[Value] = []
    for value in values:
        contents: Any = value.elements if isinstance(value, Tuple) else None
        if isinstance(value, List):
            contents = ev.cells.get(value)
        if isinstance(contents, tuple):
            flat += map(ev.resolve, contents)
        elif isinstance(contents, Repeated):
            flat.append(ev.resolve(contents.element))
        else:
            flat.append(Anything() if isinstance(value, (List, Repeated)) else value)
    return flat


def _asked_order(values: Iterable[Value]) -> Strides | None:
    """The order of dims that a `memory_format` asks for; None without one."""
    for value in values:
        if isinstance(value, Library) and value.path in frameworks.torch.MEMORY_ORDERS:
            order = frameworks.torch.MEMORY_ORDERS[value.path]
            if order is not preserve_format:
                return ROW_MAJOR if order.rank is None else UNKNOWN
    return None


def _since(
    ev: Evaluator,
    first: Value | None,
    strides: Strides,
    call: declare.Spelling | layers.Instance,
    node: ir.Node,
) -> Any:
    """The op by which the dims left the order of memory, and where that was."""
    if not isinstance(strides, tuple) or not isinstance(call, declare.Spelling):
        return None
    if isinstance(first, Tensor) and isinstance(first.strides, tuple):
        return first.turned
    return verb(call.op.name), ev.frame.source, ev.frame.line


def _turned(value: Value | None) -> list[tuple[str, Any, int]]:
    if not isinstance(value, Tensor) or value.turned is None:
        return []
    name, source, line = value.turned
    return [(f"not contiguous since this {name}", source, line)]


def _blame_layout(
    ev: Evaluator,
    mistake: Mistake,
    involved: Iterable[Size],
    first: Value | None,
    node: ir.Node,
    by_name: Mapping[str, Argument],
    level: str = "error",
) -> Strides:
    """Blame a layout, unless one of the sizes is 1 by default: then any layout is right.

    Returns the strides of the result for the code that follows.
    """
    symbols = {atom for size in involved for atom in sizes.symbols(size)}
    if ev.independence.may_be_one(symbols):
        return UNKNOWN
    ev.blame(mistake, level, node, by_name, notes=_turned(first))
    return ROW_MAJOR


def _suits_batch_of_one(mistake: NoncontiguousView) -> bool:
    """Whether a tensor is contiguous if its first dim, of a size read from data, is 1.

    A part of each sample, `x[:, start:]`, is contiguous in a batch of one, and the program may be
    for such batches. After a transpose more than the batch would have to be 1.
    """
    if type(mistake.source) is not tuple or not mistake.source:
        return False
    front = plain_symbol(mistake.source[0].size)
    if front is None or front.origin is Origin.CONFIG:
        return False
    rest = tuple([dim.size for dim in mistake.source[1:]])
    if any(size is UNKNOWN for size in (*rest, *mistake.strides[1:])):
        return False
    return contiguity(Geometry(rest, mistake.strides[1:])) is Truth.YES


def _check_written(
    ev: Evaluator,
    spelling: declare.Spelling,
    target: Tensor,
    node: ir.Node,
    by_name: Mapping[str, Argument],
) -> None:
    """Check that a tensor written in place has its own memory for each element (NC502)."""
    try:
        require_writable(spelling, laid(ev, target))
    except WriteToExpanded as mistake:
        size = known_dims(mistake.target)[mistake.dim].size
        _blame_layout(ev, mistake, (size,), target, node, by_name)


__all__ = ["copied", "lay"]
