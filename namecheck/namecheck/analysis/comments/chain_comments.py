"""Chains in comments, `(B, C, T) -> (B, T, C)`, beside ops that make another order of them (NC402).

The dims of the operand are often unknown, but what the ops of the line make of the first shape in
the chain is not: `x.unsqueeze(1)` makes `(B, 1, C)` of `(B, C)`. If that has the dims of the last
shape in another order, the chain is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.rank_back import answer_for
from namecheck.analysis.state.unknown_ranks import Made
from namecheck.analysis.state.values import Number, Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, known_dims
from namecheck_runtime.notation.written import plain_name, size_of_term
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck_runtime.notation.syntax import WrittenShape

_MOST_OPS: Final = 20
"""The most ops that are followed back from a value."""


def order_made(
    ev: Evaluator, expression: ir.Expression, first: WrittenShape, last: WrittenShape
) -> tuple[str, ...] | None:
    """The dims that an expression makes of the first shape of a chain, as the comment calls them,
    if the last has all of them in another order.

    None if it does not, or if that is not known.
    """
    names = [plain_name(dim) for dim in first.dims]
    if any(name is None and dim.term != 1 for name, dim in zip(names, first.dims, strict=True)):
        return None
    labels = [name for name in names if name is not None]
    if not labels or len(set(labels)) < len(labels):
        return None
    orders = {_order(ev, begin, made, names, last) for begin, made in _ways(ev, expression, names)}
    return orders.pop() if len(orders) == 1 else None


def _order(
    ev: Evaluator,
    begin: Sequence[Size],
    made: Dims,
    names: Sequence[str | None],
    last: WrittenShape,
) -> tuple[str, ...] | None:
    """The labels of what was made, if the last shape has the same dims in another order."""
    by_label = {name: size for name, size in zip(names, begin, strict=True) if name is not None}
    claimed = [
        UNKNOWN
        if dim.many or dim.term is None
        else size_of_term(dim.term, lambda name: by_label.get(name, UNKNOWN))
        for dim in last.dims
    ]
    actual = [ev.facts.representative(dim.size) for dim in made]
    if len(claimed) != len(actual) or UNKNOWN in claimed or UNKNOWN in actual:
        return None
    left = [ev.facts.representative(size) for size in claimed]
    if left == actual:
        return None
    if actual == [ev.facts.representative(size) for size in begin]:
        # Nothing moves: `(x, y) -> (y, x)` is about what lies along a dim.
        if not any(name.lower() in BATCH for name in by_label):
            return None
    for size in actual:
        if size not in left:
            return None
        left.remove(size)
    words = {size: name for name, size in by_label.items()}
    return tuple([words.get(size) or str(size) for size in actual])


def _ways(
    ev: Evaluator, expression: ir.Expression, names: Sequence[str | None]
) -> Iterator[tuple[list[Size], Dims]]:
    """The sizes of what the chain may begin with, one for each name, and what is made of that."""
    watched = ev.frame.watched or {}
    result = watched.get(expression.id)
    result = None if result is None else ev.resolve(result)
    if not isinstance(result, Tensor):
        return
    if isinstance(result.shape, tuple):
        for part in walk(expression):
            held = watched.get(part.id) if isinstance(part, ir.Expression) else None
            held = None if held is None else ev.resolve(held)
            if held is not result and isinstance(held, Tensor):
                sizes_held = _sizes_of(ev, held, names)
                if sizes_held is not None:
                    yield sizes_held, result.shape
    operands = [ev.resolve(value) for value, _ in ev.frame.written.operands.values()]
    calls: list[Made] = []
    value: Value = result
    while value not in operands:
        ranks = ev.ranks
        made = ranks.made_of.get(value) or ranks.laid_out.get(value) or ranks.beside.get(value)
        if made is None or len(calls) > _MOST_OPS:
            break
        calls.append(made)
        value = ev.resolve(made.operand)
    inside = value not in operands  # an op in between may have moved the dims before
    if inside and None not in names:
        return
    if calls and not (isinstance(value, Tensor) and isinstance(value.shape, tuple)):
        begin = _labelled(ev, value, names)
        dims: Dims = tuple([Dim(None, size) for size in begin])
        calls.reverse()
        for call in calls:
            answer = answer_for(call, dims)
            if not isinstance(answer, tuple):
                return
            dims = answer
        if not inside or len(dims) < len(names):
            yield begin, dims


def _sizes_of(ev: Evaluator, tensor: Tensor, names: Sequence[str | None]) -> list[Size] | None:
    """The sizes of a tensor that the first shape may be about; None if it cannot be."""
    if not isinstance(tensor.shape, tuple) or len(tensor.shape) != len(names):
        return None
    held = [ev.facts.representative(dim.size) for dim in tensor.shape]
    named = [size for size, name in zip(held, names, strict=True) if name is not None]
    ones = [size for size, name in zip(held, names, strict=True) if name is None]
    if UNKNOWN in named or 1 in named or any(size != 1 for size in ones):
        return None
    return held if len(set(named)) == len(named) else None


def _labelled(ev: Evaluator, value: Value, names: Sequence[str | None]) -> list[Size]:
    """A size for each name: the one that the program has read off the value, or a new symbol."""
    begin: list[Size] = []
    ending = known_dims(value.shape) if isinstance(value, Tensor) else ()
    for index, name in enumerate(names):
        back = len(names) - index
        size: Size = ending[-back].size if back <= len(ending) else UNKNOWN
        if plain_symbol(size) is None:
            size = UNKNOWN
        for place in (index, index - len(names)):
            stored = ev.cells.get((value, place))
            if isinstance(stored, Number) and plain_symbol(stored.size) is not None:
                size = ev.facts.representative(stored.size)
        if name is None:
            begin.append(1)
        else:
            begin.append(sizes.symbol(name) if size is UNKNOWN else size)
    return begin


__all__ = ["order_made"]
