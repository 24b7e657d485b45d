"""The result of joining an unknown number of tensors: a list that a loop has filled.

The rulebook is asked about two of them, and about three. Where the answers differ, the result
depends on the number and is unknown. Ops that join are those whose rules take `Tensors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.state.values import List, Repeated, Tensor, Value
from namecheck_runtime import declare
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Trailing, trailing
from namecheck_runtime.mistakes.base import Mistake

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def one_of_many(ev: Evaluator, value: Value) -> Tensor | None:
    """The tensor that each element of a sequence of unknown length is."""
    value = ev.resolve(value)
    contents = ev.cells.get(value) if isinstance(value, List) else value
    if not isinstance(contents, Repeated):
        return None
    element = ev.resolve(contents.element)
    is_known = isinstance(element, Tensor) and element.shape is not UNKNOWN
    return element if is_known and isinstance(element, Tensor) else None


def of_any_number(
    spelling: declare.Spelling,
    asked: Sequence[Any],
    keywords: Mapping[str, Any],
    index: int,
    result: Any,
) -> Any:
    """The result for two tensors in argument `index`, unknown where another number changes it."""
    shape = asked[index][0]
    try:
        other = infer(
            spelling, (*asked[:index], (shape,) * 3, *asked[index + 1 :]), keywords
        ).result
    except (Mistake, declare.Unbindable):
        return UNKNOWN
    return _common(result, other)


def _common(two: Shape, three: Shape) -> Shape:
    if isinstance(two, tuple) and isinstance(three, tuple) and len(two) == len(three):
        return _common_dims(two, three)
    if isinstance(two, Trailing) and isinstance(three, Trailing):
        count = min(len(two.dims), len(three.dims))
        return trailing(_common_dims(two.dims[-count:], three.dims[-count:]))
    return UNKNOWN


def _common_dims(two: tuple[Dim, ...], three: tuple[Dim, ...]) -> tuple[Dim, ...]:
    return tuple(
        left if left.size == right.size and left.name == right.name else Dim(UNKNOWN, UNKNOWN)
        for left, right in zip(two, three, strict=True)
    )


__all__ = ["of_any_number", "one_of_many"]
