"""Kernels of symmetric and hermitian matrices that are not definite: LDL and its solutions.

NumPy has none of them.  The factors, and the pivots that say which rows were exchanged, are those
of LAPACK's `sytrf` and `hetrf` for the lower triangle: Bunch and Kaufman, Some stable methods for
calculating inertia and solving symmetric linear systems, 1977.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result

Array = Any

_ALPHA: Final = (1 + math.sqrt(17)) / 8
"""The least ratio of a pivot to the largest element of its column, which bounds the growth."""


def _size(a: Any) -> Any:
    """The size of a number as LAPACK compares it: for a complex one, the sum of both parts."""
    return np.abs(a.real) + np.abs(a.imag) if np.iscomplexobj(a) else np.abs(a)


def _turned(a: Array, hermitian: bool) -> Array:
    return a.conj() if hermitian else a


def _factorized(matrix: Array, hermitian: bool) -> tuple[Array, Array, int]:
    """L and D of one matrix in its lower triangle, the pivots, and the first zero pivot (or 0)."""
    a = np.tril(matrix)
    n = a.shape[0]
    pivots = np.zeros(n, np.int32)
    empty = k = 0
    if hermitian:
        np.fill_diagonal(a, a.diagonal().real)
    while k < n:
        pivot, is_block = _pivot(a, k)
        if pivot is None:
            empty = empty or k + 1
            pivots[k] = k + 1
            k += 1
            continue
        last = k + 1 if is_block else k
        if pivot != last:
            _exchange(a, last, pivot, k, hermitian)
        pivots[k : last + 1] = -(pivot + 1) if is_block else pivot + 1
        block = slice(k, last + 1)
        below = a[last + 1 :, block].copy()
        corner = a[block, block]
        if is_block:
            corner = corner + _turned(np.tril(corner, -1).T, hermitian)
        left = np.linalg.solve(corner.T, below.T).T if is_block else below / corner
        update = left @ _turned(below, hermitian).T
        a[last + 1 :, last + 1 :] -= np.tril(update)
        a[last + 1 :, block] = left
        k = last + 1
    return a, pivots, empty


def _pivot(a: Array, k: int) -> tuple[int | None, bool]:
    """The row to exchange with, and whether the pivot is a block of two; None for an empty column.

    `a` holds, from `k` on, the lower triangle of the rest of the matrix.
    """
    size = _size(a[k, k])
    column = _size(a[k + 1 :, k])
    most = column.max(initial=0)
    if max(size, most) == 0:
        return None, False
    if size >= _ALPHA * most:
        return k, False
    row = k + 1 + int(column.argmax())
    # The largest of that row, part of which the lower triangle holds as a column.
    others = max(_size(a[row, k:row]).max(), _size(a[row + 1 :, row]).max(initial=0))
    if size * others >= _ALPHA * most * most:
        return k, False
    return row, bool(_size(a[row, row]) < _ALPHA * others)


def _exchange(a: Array, left: int, right: int, first: int, hermitian: bool) -> None:
    """Exchange two rows and columns of the rest of the matrix from `first` on; `left` < `right`."""
    below = slice(right + 1, None)
    a[below, [left, right]] = a[below, [right, left]]
    between = slice(left + 1, right)
    upper, lower = a[between, left].copy(), a[right, between].copy()
    a[between, left] = _turned(lower, hermitian)
    a[right, between] = _turned(upper, hermitian)
    a[right, left] = _turned(a[right, left], hermitian)
    a[left, left], a[right, right] = a[right, right], a[left, left]
    before = slice(first, left)
    a[[left, right], before] = a[[right, left], before]


def _ldl_ex(A: Array, hermitian: Any = False, check_errors: Any = False) -> tuple[Array, ...]:
    factors = np.empty(A.shape, A.dtype)
    pivots = np.empty(A.shape[:-1], np.int32)
    empty = np.zeros(A.shape[:-2], np.int32)
    for at in np.ndindex(*A.shape[:-2]):
        factors[at], pivots[at], empty[at] = _factorized(A[at], bool(hermitian))
    if check_errors and empty.any():
        raise RuntimeError(
            f"torch.linalg.ldl_factor_ex: the pivot {empty[empty != 0][0]} of D is exactly 0, so "
            "the matrix is singular"
        )
    return factors, pivots, empty


def _ldl(A: Array, hermitian: Any = False) -> tuple[Array, ...]:
    return _ldl_ex(A, hermitian, True)[:2]


def _ldl_solve(LD: Array, pivots: Array, B: Array, hermitian: Any = False) -> Array:
    batch = np.broadcast_shapes(LD.shape[:-2], pivots.shape[:-1], B.shape[:-2])
    factors = np.broadcast_to(LD, (*batch, *LD.shape[-2:]))
    places = np.broadcast_to(pivots, (*batch, pivots.shape[-1]))
    output = np.array(np.broadcast_to(B, (*batch, *B.shape[-2:])))
    for at in np.ndindex(*batch):
        _solve_in_place(factors[at], places[at], output[at], bool(hermitian))
    return output


def _solve_in_place(a: Array, pivots: Array, x: Array, hermitian: bool) -> None:
    """Undo L and D block by block, then the transposed L from the end."""
    blocks: list[slice] = []
    k = 0
    while k < len(pivots):
        blocks.append(slice(k, k + (1 if pivots[k] > 0 else 2)))
        k = blocks[-1].stop
    for block in blocks:
        last, pivot = block.stop - 1, abs(int(pivots[block.start])) - 1
        x[[last, pivot]] = x[[pivot, last]]
        x[block.stop :] -= a[block.stop :, block] @ x[block]
        corner = np.tril(a[block, block])
        corner = corner + _turned(np.tril(corner, -1).T, hermitian)
        if hermitian and len(corner) == 1:
            corner = corner.real
        x[block] = np.linalg.solve(corner, x[block])
    for block in reversed(blocks):
        last, pivot = block.stop - 1, abs(int(pivots[block.start])) - 1
        x[block] -= _turned(a[block.stop :, block], hermitian).T @ x[block.stop :]
        x[[last, pivot]] = x[[pivot, last]]


_L = "torch.linalg."

KERNELS: Final[dict[str, Kernel]] = {
    f"{_L}ldl_factor": Kernel(_ldl, ("A", "hermitian"), result.several("same", "int32")),
    f"{_L}ldl_factor_ex": Kernel(
        _ldl_ex, ("A", "hermitian", "check_errors"), result.several("same", "int32", "int32")
    ),
    f"{_L}ldl_solve": Kernel(
        _ldl_solve, ("LD", "pivots", "B", "hermitian"), result.first, converts=False
    ),
}
"""By the op's name."""
