"""Which elements are adjacent in memory, and the strides of the memory that an op allocates."""

from __future__ import annotations

from collections.abc import Sequence

from namecheck_runtime.lattice import Truth
from namecheck_runtime.sizes import multiply
from namecheck_runtime.strides.geometry import (
    Extent,
    Extents,
    Geometry,
    Undecided,
    alike,
    compare,
    is_empty,
    is_one,
    is_zero,
    less,
    same,
    sure,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def contiguous_strides(sizes: Extents) -> Extents:
    """Row-major strides: the last dim is the fastest.  A dim of size 0 counts as 1."""
    strides: list[Extent] = []
    step: Extent = 1
    for size in reversed(sizes):
        strides.append(step)
        if isinstance(step, int) and isinstance(size, int):
            step *= size or 1
        elif not is_empty(size):
            step = multiply(step, size)
    strides.reverse()
    return tuple(strides)


def fresh(sizes: Extents) -> Geometry:
    """A new row-major tensor of these sizes: the result of a copying `reshape` or `contiguous`."""
    return Geometry(sizes, contiguous_strides(sizes))


def is_contiguous(g: Geometry) -> bool:
    """Whether the elements lie in row-major order without gaps; dims of size 1 do not count.

    Raises Undecided.
    """
    return sure(contiguity(g))


def contiguity(g: Geometry) -> Truth:
    """As `is_contiguous`, as one of three values."""
    step: Extent = 1
    answer = Truth.YES
    for size, stride in zip(reversed(g.sizes), reversed(g.strides), strict=True):
        if is_empty(size):
            return Truth.YES
        if size == 1:
            continue
        follows = compare(stride, step)
        if follows is Truth.NO and compare(size, 1) is not Truth.NO:
            follows = Truth.MAYBE
        if follows is Truth.NO or answer is Truth.YES:
            answer = follows
        step = multiply(step, size)
    return answer


def is_channels_last(g: Geometry, rank: int = 4) -> bool:
    """Whether the elements of `[N, C, H, W]` lie in the order N, H, W, C without gaps.

    With `rank` 5, those of `[N, C, D, H, W]` in the order N, D, H, W, C.
    """
    if len(g.sizes) != rank:
        return False
    step: Extent = 1
    for dim in (1, *range(rank - 1, 1, -1), 0):
        if not is_one(g.sizes[dim]):
            if not same(g.strides[dim], step):
                return False
            step = multiply(step, g.sizes[dim])
    return True


def channels_last_strides(sizes: Extents) -> Extents:
    """Strides of the order N, H, W, C (or N, D, H, W, C) of dims N, C, H, W (or N, C, D, H, W)."""
    spatial = range(len(sizes) - 1, 1, -1)
    return _strides_in_order(sizes, (1, *spatial, 0))


def is_non_overlapping_and_dense(g: Geometry) -> bool:
    """Whether the elements fill one piece of memory, each place once, in any order of dims."""
    if is_contiguous(g):
        return True
    remaining = [k for k, size in enumerate(g.sizes) if not is_one(size)]
    step: Extent = 1
    while remaining:
        answers = {k: compare(g.strides[k], step) for k in remaining}
        k = next((k for k in remaining if answers[k] is Truth.YES), None)
        if k is None:
            return any(map(sure, answers.values()))
        remaining.remove(k)
        step = multiply(step, g.sizes[k])
    return True


# -- the layout of memory that an op allocates -----------------------------------------------------


def fresh_strides(*operands: Geometry) -> Extents:
    """Strides of the result of a pointwise op, which keeps its operands' order of dims in memory.

    The sizes of the operands must broadcast.  One operand is the unary case (`neg`, `relu`).
    """
    sizes = _broadcast(operands)
    if all(alike(g.sizes, sizes) for g in operands):
        if all(map(is_contiguous, operands)):
            return contiguous_strides(sizes)
        if all(map(is_channels_last, operands)):
            return _strides_in_order(sizes, (1, 3, 2, 0))
        first = operands[0]
        if is_non_overlapping_and_dense(first):
            if all(alike(g.strides, first.strides) for g in operands):
                return first.strides
    order = _memory_order(sizes, [_broadcast_strides(g, sizes) for g in operands])
    if order == tuple(reversed(range(len(sizes)))):
        return contiguous_strides(sizes)
    strides: list[Extent] = [1] * len(sizes)
    step: Extent = 1
    for dim in order:
        strides[dim] = step
        # With a size of 0 the slower strides are 0, not as in _strides_in_order.
        step = multiply(step, sizes[dim])
    return tuple(strides)


def clone_strides(g: Geometry) -> Extents:
    """Strides of `clone()` and `empty_like()`: those of a dense tensor, else dense in its order."""
    if is_non_overlapping_and_dense(g):
        return g.strides
    return _strides_in_order(g.sizes, _memory_order(g.sizes, [g.strides]))


def _strides_in_order(sizes: Extents, order: Iterable[int]) -> Extents:
    """Dense strides with `order[0]` the fastest dim; dims of size 0 count as 1."""
    strides: list[Extent] = [1] * len(sizes)
    step: Extent = 1
    for dim in order:
        strides[dim] = step
        if not is_empty(sizes[dim]):
            step = multiply(step, sizes[dim])
    return tuple(strides)


def _memory_order(sizes: Extents, layouts: Sequence[Extents]) -> tuple[int, ...]:
    """Dims from the fastest to the slowest.

    An insertion sort, from the last dim, that leaves undecided pairs as they are: a stride of 0 in
    a layout decides nothing, so the next layout is compared; of equal strides the smaller size goes
    first.  Pairs may be undecided while their neighbours are not, so no library sort gives the same
    order.
    """
    order = list(reversed(range(len(sizes))))
    for i in range(1, len(order)):
        here = i
        for k in reversed(range(i)):
            verdict = _compare_speed(order[k], order[here], sizes, layouts)
            if verdict > 0:
                order[k], order[here] = order[here], order[k]
                here = k
            elif verdict < 0:
                break
    return tuple(order)


def _compare_speed(a: int, b: int, sizes: Extents, layouts: Sequence[Extents]) -> int:
    """-1 if dim a is the faster one, 1 if dim b is, 0 if the strides do not decide."""
    for strides in layouts:
        if is_zero(strides[a]) or is_zero(strides[b]):
            continue
        if less(strides[a], strides[b]):
            return -1
        if less(strides[b], strides[a]) or less(sizes[b], sizes[a]):
            return 1
    return 0


def _broadcast(operands: Sequence[Geometry]) -> Extents:
    rank = max(len(g.sizes) for g in operands)
    sizes: list[Extent] = [1] * rank
    for g in operands:
        for dim, size in enumerate(g.sizes, rank - len(g.sizes)):
            if not is_one(size):
                if sizes[dim] != 1 and not same(sizes[dim], size):
                    raise Undecided  # one of them is 1 if they broadcast
                sizes[dim] = size
    return tuple(sizes)


def _broadcast_strides(g: Geometry, sizes: Extents) -> Extents:
    missing = len(sizes) - len(g.sizes)
    return (0,) * missing + tuple(
        0 if is_one(old) and not is_one(new) else stride
        for old, new, stride in zip(g.sizes, sizes[missing:], g.strides, strict=True)
    )
