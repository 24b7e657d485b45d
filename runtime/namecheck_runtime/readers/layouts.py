"""How readers ask where the result of a call lies in memory.

`lay_out` answers in strides, from the declaration of the op and the strides of its operands; like
`infer`, it does not know any op.  The arithmetic is in `strides`; the dims of the result come from
`infer`.  A reader that has strides as facts of one path passes them in current sizes.
"""

from __future__ import annotations

from namecheck_runtime.binding import Bound
from namecheck_runtime.declare import LAYOUTS, Memory, Spelling, Unbindable, bind
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, Symbolic, Truth, Unknown
from namecheck_runtime.layers import Instance
from namecheck_runtime.mistakes.base import Blame, Mistake
from namecheck_runtime.mistakes.memory import NoncontiguousView, WriteToExpanded
from namecheck_runtime.sizes import substitute, without_quotients
from namecheck_runtime.strides import (
    COPY,
    ROW_MAJOR,
    Geometry,
    Strides,
    Undecided,
    contiguity,
    contiguous_strides,
    fresh_strides,
    is_non_overlapping_and_dense,
    shared_dim,
)
from namecheck_runtime.strides.laid import Laid as Laid
from namecheck_runtime.strides.laid import Several as Several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias


Answer: TypeAlias = "Strides | Several | Truth"
"""The strides of the result, or of several; or the answer to a question about strides."""


def lay_out(
    call: Spelling | Instance,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    operands: Sequence[Laid],
    result: Any,
) -> Answer:
    """How the result of a call lies; `infer` has given its dims.

    `operands` are all the tensors that the call reads, in order.  Raises NoncontiguousView if no
    strides show the operand as the requested view.
    """
    memory = call.op.memory if isinstance(call, Spelling) else call.layer.memory
    if isinstance(call, Spelling) and call.inplace and not call.op.reshapes:
        return operands[0].strides if operands else UNKNOWN
    match memory:
        case Memory.NEW:
            return _each(ROW_MAJOR, result)
        case Memory.FOLLOWS:
            return _each(ROW_MAJOR if all(map(_row_major, operands)) else UNKNOWN, result)
        case Memory.POINTWISE:
            return _pointwise(operands, result)
        case Memory.SAME:
            return strides_of_copy(operands[0]) if operands else UNKNOWN
        case Memory.VIEW if operands and isinstance(call, Spelling):
            return _viewed(call, arguments, keywords, operands[0], result)
    return UNKNOWN


def shows_operand(
    call: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    operand: Laid,
    result: Any,
) -> bool:
    """Whether the result of a call is known to lie in the memory of its first operand.

    `reshape` shows its operand only if that lies as the new sizes need it.
    """
    if call.op.memory is not Memory.VIEW:
        return False
    if call.op.subscript and any(isinstance(argument, list) for argument in arguments):
        return False  # a list of indices picks elements, as a tensor of them does
    try:
        answer = _answered(call, arguments, keywords, operand, result)[1]
    except (NoncontiguousView, Undecided, Mistake):
        return False
    return answer is not COPY and not isinstance(answer, (Unknown, Truth))


def _each(strides: Strides, result: Any) -> Answer:
    """The same strides for every result, if there are several."""
    if isinstance(result, tuple) and not _is_dims(result):
        return Several((strides,) * len(result))
    return strides


def needs_strides(call: Spelling | Instance) -> bool:
    """Whether the layout of a view is unknown if the strides of its operand are."""
    if not isinstance(call, Spelling):
        return True
    needs = _needs.get(call.op.name)
    if needs is None:
        layouts = [LAYOUTS.get(rule.function) for rule in call.op.rules]
        needs = not any(layout is not None and layout.partial for layout in layouts)
        _needs[call.op.name] = needs
    return needs


_needs: dict[str, bool] = {}


def require_writable(call: Spelling, target: Laid) -> None:
    """Raises WriteToExpanded if an in-place call writes elements that share one place in memory.

    An op that writes one value everywhere, or none, is not declared POINTWISE.
    """
    if call.op.memory not in (Memory.POINTWISE, Memory.SAME) or call.op.reshapes:
        return
    shape, strides = target
    if not isinstance(shape, tuple) or not isinstance(strides, tuple) or 0 not in strides:
        return
    try:
        dim = shared_dim(_geometry(shape, strides))
    except Undecided:
        return
    if dim is not None:
        first = call.op.rules[0].parameters[0].name
        mistake = WriteToExpanded(target=shape, dim=dim, blame=(Blame(first, dim),))
        raise mistake.with_op(call.path if call.path.startswith("Tensor.") else f"{call.op.name}_")


def _row_major(operand: Laid) -> bool:
    return operand.strides is ROW_MAJOR or operand.shape == ()


def _geometry(shape: Dims, strides: tuple[Size, ...] | object) -> Geometry:
    sizes = tuple([dim.size for dim in shape])
    known = strides if isinstance(strides, tuple) else contiguous_strides(sizes)
    # No question here depends on the offset.
    return Geometry(sizes, known, UNKNOWN)


def _pointwise(operands: Sequence[Laid], result: Any) -> Strides:
    if all(map(_row_major, operands)):
        return ROW_MAJOR
    geometries: list[Geometry] = []
    for shape, strides in operands:
        if isinstance(strides, Unknown) or not isinstance(shape, tuple):
            return UNKNOWN
        geometries.append(_geometry(shape, strides))
    whole = _WholeSizes(size for g in geometries for size in (*g.sizes, *g.strides))
    try:
        strides = fresh_strides(*map(whole.geometry, geometries))
    except Undecided:
        return UNKNOWN
    return _in_own_sizes(whole, strides, result)


def strides_of_copy(operand: Laid) -> Strides:
    """The strides of the operand itself, or of a copy, which has the same if they leave no gaps."""
    shape, strides = operand
    if not isinstance(strides, tuple) or not isinstance(shape, tuple):
        return strides if strides is ROW_MAJOR else UNKNOWN
    g = _geometry(shape, strides)
    whole = _WholeSizes((*g.sizes, *g.strides))
    try:
        return strides if is_non_overlapping_and_dense(whole.geometry(g)) else UNKNOWN
    except Undecided:
        return UNKNOWN


def _viewed(
    call: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    operand: Laid,
    result: Any,
) -> Answer:
    try:
        whole, answer = _answered(call, arguments, keywords, operand, result)
    except (Undecided, Mistake) as mistake:
        if isinstance(mistake, NoncontiguousView):
            raise
        return UNKNOWN  # `infer` has reported other mistakes already
    if whole is None or isinstance(answer, Truth):
        return answer  # type: ignore[no-any-return]
    if answer is COPY:
        return ROW_MAJOR
    if _is_dims(result):
        return _in_own_sizes(whole, answer.strides, result)
    if isinstance(result, tuple):
        return Several(tuple([_in_own_sizes(whole, answer.strides, part) for part in result]))
    return UNKNOWN


def _answered(
    call: Spelling,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    operand: Laid,
    result: Any,
) -> tuple[_WholeSizes | None, Any]:
    """What the layout of a view op answers, and in which sizes; UNKNOWN if it is not asked.

    Raises NoncontiguousView, Undecided, and the mistakes that `infer` has reported.
    """
    try:
        bound = bind(call, arguments, keywords)
    except Unbindable:
        return None, UNKNOWN
    layout = None if bound is None else LAYOUTS.get(bound.rule.function)
    if bound is None or layout is None:
        return None, UNKNOWN
    shape, strides = operand
    if strides is ROW_MAJOR and layout.to_sizes and not layout.partial:
        return None, ROW_MAJOR
    if not isinstance(shape, tuple) or not shape:
        return None, UNKNOWN
    if isinstance(strides, Unknown):
        if not layout.partial:
            return None, UNKNOWN
        strides = (UNKNOWN,) * len(shape)
    elif isinstance(strides, tuple) and len(strides) != len(shape):
        return None, UNKNOWN
    g = _geometry(shape, strides)
    if layout.to_sizes:
        if not _is_dims(result):
            return None, UNKNOWN
        rest: tuple[Any, ...] = (tuple([dim.size for dim in result]),)
    else:
        rest = _other_arguments(bound, shape)
        if any(argument is UNKNOWN for argument in rest):
            return None, UNKNOWN  # `x.permute(order)`
    whole = _WholeSizes((*g.sizes, *g.strides, *_sizes_in(rest)))
    try:
        return whole, layout.function(whole.geometry(g), *map(whole.argument, rest))
    except NoncontiguousView as mistake:
        first = bound.rule.parameters[0].name
        raise mistake.but(
            source=shape, strides=g.strides, target=rest[0], blame=(Blame(first, mistake.gap),)
        ).with_op(call.path) from None


def _is_dims(result: Any) -> bool:
    return isinstance(result, tuple) and all(type(dim) is Dim for dim in result)


def _other_arguments(bound: Bound, shape: Dims) -> tuple[Any, ...]:
    """The bound arguments after the tensor, with the names of dims replaced by their positions."""
    names = {dim.name: place for place, dim in enumerate(shape) if isinstance(dim.name, str)}

    def placed(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return tuple(map(placed, value))
        return names.get(value, UNKNOWN) if isinstance(value, str) else value

    return tuple([placed(value) for value in list(bound.values.values())[1:]])


def _sizes_in(value: Any) -> list[Size]:
    if isinstance(value, Symbolic):
        return [value]
    if isinstance(value, (tuple, list)):
        return [size for entry in value for size in _sizes_in(entry)]
    return []


def _in_own_sizes(whole: _WholeSizes, strides: tuple[Size, ...], result: Any) -> Strides:
    """Strides in the sizes of the caller; ROW_MAJOR if they are contiguous."""
    if not _is_dims(result) or len(result) != len(strides):
        return UNKNOWN
    sizes = tuple([whole.argument(dim.size) for dim in result])
    if contiguity(Geometry(sizes, strides)) is Truth.YES:
        return ROW_MAJOR
    if all(stride is UNKNOWN for stride in strides):
        return UNKNOWN
    return tuple([substitute(stride, whole.back) for stride in strides])


class _WholeSizes:
    """Sizes without quotients: the size `D/h` of a head is a symbol, and `D` is `h` times it."""

    def __init__(self, all_sizes: Any) -> None:
        symbolic = [size for size in all_sizes if isinstance(size, Symbolic)]
        self.values, self.back = without_quotients(symbolic) if symbolic else ({}, {})

    def argument(self, value: Any) -> Any:
        if isinstance(value, Symbolic):
            return substitute(value, self.values) if self.values else value
        if isinstance(value, (tuple, list)):
            return tuple(map(self.argument, value))
        return value

    def geometry(self, g: Geometry) -> Geometry:
        return Geometry(self.argument(g.sizes), self.argument(g.strides), UNKNOWN)


__all__ = [
    "Answer",
    "Laid",
    "Several",
    "lay_out",
    "needs_strides",
    "require_writable",
    "strides_of_copy",
]
