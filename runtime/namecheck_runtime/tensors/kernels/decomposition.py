"""Kernels that factor matrices, report failures, and solve with the factors.

Matrices are the last two dims.  A report has one number for each matrix: 0, or the place (from 1)
where factoring stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.errors import LinAlgError
from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result

Array = Any
Factored = tuple[Array, ...]
"""The results, followed by the report."""


def adjoint(a: Array) -> Array:
    """The transposed matrix, conjugated if complex."""
    return a.swapaxes(-1, -2).conj()


# -- reports ---------------------------------------------------------------------------------------


def _raise_for(report: Array, name: str, message: str) -> None:
    """Raise LinAlgError for the first matrix that an op failed on."""
    failed = np.flatnonzero(report)
    if failed.size:
        batch = f"(Batch element {failed[0]}): " if report.ndim else ""
        raise LinAlgError(f"{name}: {batch}" + message.format(at=report.reshape(-1)[failed[0]]))


def _plain(factor: Callable[..., Factored], name: str, message: str) -> Callable[..., Any]:
    """An op that returns the results and raises LinAlgError if its report is not 0."""

    def compute(*values: Any, **named: Any) -> Any:
        *outputs, report = factor(*values, **named)
        _raise_for(report, name, message)
        return outputs[0] if len(outputs) == 1 else tuple(outputs)

    return compute


def _reported(factor: Callable[..., Factored], name: str, message: str) -> Callable[..., Any]:
    """An op that returns the results and the report, and raises only with `check_errors`."""

    def compute(*values: Any, check_errors: Any = False, **named: Any) -> Any:
        outputs = factor(*values, **named)
        if check_errors:
            _raise_for(outputs[-1], name, message)
        return outputs

    return compute


def _each(
    factor: Callable[[Array], Array], failed: Callable[[Array], tuple[Array, int]], a: Array
) -> Factored:
    """Factor a stack matrix by matrix if NumPy refuses it; `failed` handles those that fail."""
    report = np.zeros(a.shape[:-2], np.int32)
    try:
        return factor(a), report
    except np.linalg.LinAlgError:
        output = np.empty_like(a)
    for at in np.ndindex(a.shape[:-2]):
        try:
            output[at] = factor(a[at])
        except np.linalg.LinAlgError:
            output[at], report[at] = failed(a[at])
    return output, report


# -- Cholesky --------------------------------------------------------------------------------------


def _begun(a: Array) -> tuple[Array, int]:
    """The factor as far as it exists, and the order of the first leading minor that is not
    positive.
    """
    output = np.tril(a)
    for k in range(len(a)):
        output[k, k] -= (np.abs(output[k, :k]) ** 2).sum()
        if not output[k, k].real > 0:
            return output, k + 1
        output[k, k] = np.sqrt(output[k, k])
        output[k + 1 :, k] -= output[k + 1 :, :k] @ output[k, :k].conj()
        output[k + 1 :, k] /= output[k, k]
    return output, 0


def _cholesky(A: Array, upper: Any = False) -> Factored:
    output, report = _each(np.linalg.cholesky, _begun, A)
    return adjoint(output) if upper else output, report


def _cholesky_solve(input: Array, input2: Array, upper: Any = False) -> Array:
    low = adjoint(np.triu(input2)) if upper else np.tril(input2)
    return _substituted(adjoint(low), _substituted(low, input, False), True)


def _cholesky_inverse(input: Array, upper: Any = False) -> Array:
    eye = np.broadcast_to(np.eye(input.shape[-1], dtype=input.dtype), input.shape)
    return _cholesky_solve(eye, input, upper)


# -- L and U ---------------------------------------------------------------------------------------


def _eliminated(a: Array) -> tuple[Array, Array]:
    """L and U of one matrix in one array, and the row (from 1) that each step exchanges."""
    lu = np.array(a)
    rows, columns = lu.shape
    pivots = np.zeros(min(rows, columns), np.int32)
    for k in range(len(pivots)):
        # LAPACK measures a complex number by the sum of its parts.
        column = lu[k:, k]
        best = k + int(np.argmax(np.abs(column.real) + np.abs(column.imag)))
        pivots[k] = best + 1
        lu[[k, best]] = lu[[best, k]]
        if lu[k, k] != 0:
            lu[k + 1 :, k] /= lu[k, k]
            lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


def _first_zero(lu: Array) -> int:
    """The place (from 1) of the first pivot that is 0; 0 if there is none."""
    zeros = np.flatnonzero(np.diagonal(lu) == 0)
    return int(zeros[0]) + 1 if zeros.size else 0


def _lu_factor(A: Array) -> Factored:
    leading, (rows, columns) = A.shape[:-2], A.shape[-2:]
    lu = np.empty_like(A)
    pivots = np.empty((*leading, min(rows, columns)), np.int32)
    report = np.zeros(leading, np.int32)
    for at in np.ndindex(leading):
        lu[at], pivots[at] = _eliminated(A[at])
        report[at] = _first_zero(lu[at])
    return lu, pivots, report


def _old_lu(A: Array, get_infos: Any = False) -> Factored:
    output = _lu_factor(A)
    return output if get_infos else output[:2]


def _old_lu_dtypes(call: Call) -> Any:
    return _FACTORS(call)[: len(call.dims)]


def _exchanges(pivots: Array, rows: int, dtype: Any) -> Array:
    """The permutation matrix that undoes the exchanges of rows."""
    output = np.empty((*pivots.shape[:-1], rows, rows), dtype)
    for at in np.ndindex(pivots.shape[:-1]):
        order = np.arange(rows)
        for k, other in enumerate(pivots[at]):
            order[[k, other - 1]] = order[[other - 1, k]]
        output[at] = np.eye(rows)[:, order]
    return output


def _lu_unpack(
    LU_data: Array, LU_pivots: Array, unpack_data: Any = True, unpack_pivots: Any = True
) -> tuple[Array, Array, Array]:
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    permutation = low = high = np.zeros(0, LU_data.dtype)
    if unpack_pivots is not False:
        permutation = _exchanges(LU_pivots, rows, LU_data.dtype)
    if unpack_data is not False:
        low = np.tril(LU_data[..., :least], -1) + np.eye(rows, least, dtype=LU_data.dtype)
        high = np.triu(LU_data[..., :least, :])
    return permutation, low, high


def _lu(A: Array) -> tuple[Array, Array, Array]:
    lu, pivots, _ = _lu_factor(A)
    return _lu_unpack(lu, pivots)


def _lu_solve(LU: Array, pivots: Array, B: Array, left: Any = True, adjoint: Any = False) -> Array:
    p, low, high = _lu_unpack(LU, pivots)
    if not left:
        # X A = B is A' X' = B'.
        turned = _lu_solve(LU, pivots, _adjoint(B), True, not adjoint)
        return _adjoint(turned)
    if adjoint:
        first = _substituted(_adjoint(high), B, False)
        return np.matmul(p, _substituted(_adjoint(low), first, True))
    first = _substituted(low, np.matmul(p.swapaxes(-1, -2), B), False)
    return _substituted(high, first, True)


_adjoint = adjoint
"""Another name for functions with a parameter `adjoint`."""


# -- solutions -------------------------------------------------------------------------------------


def _singular(a: Array) -> tuple[Array, int]:
    """A matrix of NaN in place of the inverse, and where elimination stopped."""
    return np.full_like(a, np.nan), _first_zero(_eliminated(a)[0]) or len(a)


def _inverse(A: Array) -> Factored:
    return _each(np.linalg.inv, _singular, A)


def _solve(A: Array, B: Array, left: Any = True) -> Factored:
    """The X of `A X = B`, or of `X A = B`; B may be a vector or a stack of vectors."""
    vector = B.ndim == 1 or (B.ndim + 1 == A.ndim and B.shape == A.shape[:-1])
    b = B[..., None] if vector else B
    if not (left is None or left):
        turned, report = _solve(A.swapaxes(-1, -2), b.swapaxes(-1, -2))
        output = turned.swapaxes(-1, -2)
        return output[..., 0] if vector else output, report
    report = np.zeros(A.shape[:-2], np.int32)
    try:
        output = np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        _, report = _inverse(A)
        fine = np.where((report == 0)[..., None, None], A, np.eye(A.shape[-1], dtype=A.dtype))
        output = np.linalg.solve(fine, b)
        output = np.where((report == 0)[..., None, None], output, np.asarray(np.nan, output.dtype))
    return output[..., 0] if vector else output, report


def _triangular(a: Array, upper: Any, unit: Any) -> Array:
    triangle = np.triu(a) if upper else np.tril(a)
    if unit:
        eye = np.eye(a.shape[-1], dtype=bool)
        triangle = np.where(eye, np.asarray(1, a.dtype), triangle)
    return triangle


def _substituted(a: Array, b: Array, upper: Any) -> Array:
    """The X of `A X = B` for a triangular A, row by row; a 0 on the diagonal is not an error."""
    leading = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    output = np.zeros((*leading, *b.shape[-2:]), np.result_type(a, b))
    count = a.shape[-1]
    for row in reversed(range(count)) if upper else range(count):
        known = slice(row + 1, None) if upper else slice(0, row)
        known_part = np.matmul(a[..., row, None, known], output[..., known, :])[..., 0, :]
        output[..., row, :] = (b[..., row, :] - known_part) / a[..., row, row, None]
    return output


def _solve_triangular(
    A: Array, B: Array, upper: Any, left: Any = True, unitriangular: Any = False
) -> Array:
    a = _triangular(A, upper, unitriangular)
    if left:
        return _substituted(a, B, upper)
    turned = _substituted(a.swapaxes(-1, -2), B.swapaxes(-1, -2), not upper)
    return turned.swapaxes(-1, -2)


def _triangular_solve(
    input: Array, A: Array, upper: Any = True, transpose: Any = False, unitriangular: Any = False
) -> tuple[Array, Array]:
    upper = upper is None or upper
    a = _triangular(A, upper, unitriangular)
    turned = a.swapaxes(-1, -2) if transpose else a
    output = _substituted(turned, input, bool(upper) != bool(transpose))
    return output, np.array(np.broadcast_to(A, (*output.shape[:-2], *A.shape[-2:])))


# -- messages and kernels --------------------------------------------------------------------------

_NOT_POSITIVE: Final = (
    "The factorization could not be completed because the input is not positive-definite (the "
    "leading minor of order {at} is not positive-definite)."
)
_SINGULAR: Final = (
    "The diagonal element {at} is zero, the inversion could not be completed because the input "
    "matrix is singular."
)
_UNSOLVED: Final = "The solver failed because the input matrix is singular."
_ZERO_PIVOT: Final = (
    "U[{at},{at}] is zero and using it on lu_solve would result in a division by zero. If you "
    "still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
    "linalg.lu_factor_ex(A, pivot)"
)
_L = "torch.linalg."
_FACTOR = result.several("same", "int32")
_FACTORS = result.several("same", "int32", "int32")

KERNELS: Final[dict[str, Kernel]] = {
    f"{_L}cholesky": Kernel(
        _plain(_cholesky, "linalg.cholesky", _NOT_POSITIVE), ("A", "upper"), result.floating
    ),
    "torch.cholesky": Kernel(
        lambda input, upper=False: _plain(_cholesky, "cholesky", _NOT_POSITIVE)(input, upper),
        ("input", "upper"),
    ),
    f"{_L}cholesky_ex": Kernel(
        _reported(_cholesky, "linalg.cholesky_ex", _NOT_POSITIVE),
        ("A", "upper", "check_errors"),
        _FACTOR,
    ),
    "torch.cholesky_solve": Kernel(_cholesky_solve, ("input", "input2", "upper")),
    "torch.cholesky_inverse": Kernel(_cholesky_inverse, ("input", "upper")),
    f"{_L}inv": Kernel(_plain(_inverse, "linalg.inv", _SINGULAR), None, result.floating),
    "torch.inverse": Kernel(_plain(_inverse, "linalg.inv", _SINGULAR)),
    f"{_L}inv_ex": Kernel(
        _reported(_inverse, "linalg.inv_ex", _SINGULAR), ("A", "check_errors"), _FACTOR
    ),
    f"{_L}solve": Kernel(
        _plain(_solve, "torch.linalg.solve", _UNSOLVED), ("A", "B", "left"), result.floating
    ),
    f"{_L}solve_ex": Kernel(
        _reported(_solve, "torch.linalg.solve_ex", _UNSOLVED),
        ("A", "B", "left", "check_errors"),
        _FACTOR,
    ),
    f"{_L}solve_triangular": Kernel(
        _solve_triangular, ("A", "B", "upper", "left", "unitriangular"), result.floating
    ),
    "torch.triangular_solve": Kernel(
        _triangular_solve,
        ("input", "A", "upper", "transpose", "unitriangular"),
        result.several("same", "same"),
    ),
    f"{_L}lu": Kernel(_lu, ("A",), result.several("same", "same", "same")),
    f"{_L}lu_factor": Kernel(
        _plain(_lu_factor, "torch.linalg.lu_factor", _ZERO_PIVOT), ("A",), _FACTOR
    ),
    "torch.lu": Kernel(_old_lu, ("A", "get_infos"), _old_lu_dtypes),
    f"{_L}lu_factor_ex": Kernel(
        _reported(_lu_factor, "torch.linalg.lu_factor_ex", _ZERO_PIVOT),
        ("A", "check_errors"),
        _FACTORS,
    ),
    f"{_L}lu_solve": Kernel(
        _lu_solve, ("LU", "pivots", "B", "left", "adjoint"), result.first, False
    ),
    "torch.lu_solve": Kernel(
        lambda input, LU_data, LU_pivots: _lu_solve(LU_data, LU_pivots, input),
        ("input", "LU_data", "LU_pivots"),
        result.first,
        False,
    ),
    "torch.lu_unpack": Kernel(
        _lu_unpack,
        ("LU_data", "LU_pivots", "unpack_data", "unpack_pivots"),
        lambda call: (call.operands[0].dtype,) * 3,
        False,
    ),
}
"""By the op's name."""
