"""Kernels of matrices: factorizations, solutions, determinants, norms.

Matrices are the last two dims; what NumPy has for stacks of them is NumPy's (LAPACK), in float64
where a tensor holds half floats, which LAPACK has not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime import dtypes, promotion
from namecheck_runtime.backends import Call, Kernel
from namecheck_runtime.errors import LinAlgError
from namecheck_runtime.kernels import result
from namecheck_runtime.kernels.normalization import norm_along

Array = Any


def _adjoint(a: Array) -> Array:
    return a.swapaxes(-1, -2).conj()


def _cholesky(A: Array, upper: Any = False) -> Array:
    try:
        made = np.linalg.cholesky(A)
    except np.linalg.LinAlgError as error:
        raise LinAlgError(
            "linalg.cholesky: The factorization could not be completed because the input is not "
            "positive-definite"
        ) from error
    return _adjoint(made) if upper else made


def _cholesky_ex(A: Array, upper: Any = False) -> tuple[Array, Array]:
    return _cholesky(A, upper), np.zeros(A.shape[:-2], np.int32)


def _inverse(A: Array) -> Array:
    try:
        return np.linalg.inv(A)
    except np.linalg.LinAlgError as error:
        raise LinAlgError(
            "linalg.inv: The diagonal element is zero, the inversion could not be completed "
            "because the input matrix is singular."
        ) from error


def _solve(A: Array, B: Array, left: Any = True) -> Array:
    """`A X = B`, or `X A = B`; one vector where B has the dims of a stack of vectors."""
    vector = B.ndim == 1 or (B.ndim + 1 == A.ndim and B.shape == A.shape[:-1])
    b = B[..., None] if vector else B
    try:
        if left is None or left:
            made = np.linalg.solve(A, b)
        else:
            made = np.linalg.solve(A.swapaxes(-1, -2), b.swapaxes(-1, -2)).swapaxes(-1, -2)
    except np.linalg.LinAlgError as error:
        raise LinAlgError(
            "torch.linalg.solve: The solver failed because the input matrix is singular."
        ) from error
    return made[..., 0] if vector else made


def _triangular(a: Array, upper: Any, unit: Any) -> Array:
    kept = np.triu(a) if upper else np.tril(a)
    if unit:
        eye = np.eye(a.shape[-1], dtype=bool)
        kept = np.where(eye, np.asarray(1, a.dtype), kept)
    return kept


def _solve_triangular(
    A: Array, B: Array, upper: Any, left: Any = True, unitriangular: Any = False
) -> Array:
    a = _triangular(A, upper, unitriangular)
    if left:
        return np.linalg.solve(a, B)
    return np.linalg.solve(a.swapaxes(-1, -2), B.swapaxes(-1, -2)).swapaxes(-1, -2)


def _triangular_solve(
    input: Array, A: Array, upper: Any = True, transpose: Any = False, unitriangular: Any = False
) -> tuple[Array, Array]:
    a = _triangular(A, upper, unitriangular)
    made = np.linalg.solve(a.swapaxes(-1, -2) if transpose else a, input)
    return made, np.broadcast_to(A, (*made.shape[:-2], *A.shape[-2:]))


def _cholesky_solve(input: Array, input2: Array, upper: Any = False) -> Array:
    factor = np.triu(input2) if upper else np.tril(input2)
    whole = _adjoint(factor) @ factor if upper else factor @ _adjoint(factor)
    return np.linalg.solve(whole, input)


def _cholesky_inverse(input: Array, upper: Any = False) -> Array:
    factor = np.triu(input) if upper else np.tril(input)
    return np.linalg.inv(_adjoint(factor) @ factor if upper else factor @ _adjoint(factor))


def _qr(A: Array, mode: Any = "reduced", some: Any = None) -> tuple[Array, Array]:
    if some is not None:
        mode = "reduced" if some else "complete"
    if mode == "r":
        return np.zeros((0,), A.dtype), np.linalg.qr(A, "r")
    q, r = np.linalg.qr(A, mode)
    return q, r


def _svd(A: Array, full_matrices: Any = True) -> tuple[Array, Array, Array]:
    u, s, v = np.linalg.svd(A, bool(full_matrices))
    return u, s, v


def _old_svd(input: Array, some: Any = True, compute_uv: Any = True) -> tuple[Array, ...]:
    """With V instead of its adjoint; zeros where only the values are wanted."""
    u, s, v = np.linalg.svd(input, not some)
    if not compute_uv:
        rows, columns = input.shape[-2:]
        leading = input.shape[:-2]
        u = np.zeros((*leading, rows, rows), input.dtype)
        return u, s, np.zeros((*leading, columns, columns), input.dtype)
    return u, s, _adjoint(v)


def _eigh(A: Array, UPLO: Any = "L") -> tuple[Array, Array]:
    values, vectors = np.linalg.eigh(A, UPLO or "L")
    return values, vectors


def _eig(A: Array) -> tuple[Array, Array]:
    values, vectors = np.linalg.eig(A)
    return values, vectors


def _slogdet(A: Array) -> tuple[Array, Array]:
    sign, log = np.linalg.slogdet(A)
    return sign, log


def _logdet(input: Array) -> Array:
    sign, log = np.linalg.slogdet(input)
    return np.where(sign < 0, np.nan, log) if input.dtype.kind == "f" else np.log(sign) + log


def _power(A: Array, n: int) -> Array:
    return np.linalg.matrix_power(A, n)


def _pinv(
    A: Array, rcond: Any = None, hermitian: Any = False, atol: Any = None, rtol: Any = None
) -> Array:
    u, s, v = np.linalg.svd(A, False)
    most = s.max(-1, keepdims=True, initial=0)
    relative = rcond if rcond is not None else rtol
    if relative is None:
        relative = 0 if atol is not None else np.finfo(s.dtype).eps * max(A.shape[-2:])
    least = np.maximum(np.asarray(atol or 0), np.asarray(relative) * most)
    turned = np.where(s > least, 1 / s, 0)
    return np.matmul(_adjoint(v) * turned[..., None, :], _adjoint(u))


def _rank(
    A: Array, tol: Any = None, hermitian: Any = False, atol: Any = None, rtol: Any = None
) -> Array:
    s = np.linalg.svd(A, compute_uv=False)
    if rtol is None:
        absolute = tol if tol is not None else atol
        rtol = 0 if absolute is not None else np.finfo(s.dtype).eps * max(A.shape[-2:])
    least = np.maximum(
        np.asarray((tol if tol is not None else atol) or 0),
        np.asarray(rtol) * s.max(-1, keepdims=True, initial=0)[..., 0],
    )
    return (s > least[..., None]).sum(-1)


def _lstsq(A: Array, B: Array, rcond: Any = None, driver: Any = None) -> tuple[Array, ...]:
    """The solution, what is left of each column, the rank and the singular values."""
    vector = B.ndim == A.ndim - 1
    b = B[..., None] if vector else B
    solution = np.matmul(_pinv(A, rcond), b)
    rows, columns = A.shape[-2:]
    rank = _rank(A)
    residuals = np.zeros((0,), A.real.dtype)
    # PyTorch's own way, `gelsy`, does not tell what is left.
    if rows > columns and driver not in (None, "gelsy") and np.all(rank == columns):
        left = np.abs(np.matmul(A, solution) - b) ** 2
        residuals = left.sum(-2)
    values = np.linalg.svd(A, compute_uv=False) if driver in ("gelsd", "gelss") else None
    empty = np.zeros((0,), A.real.dtype)
    return (
        solution[..., 0] if vector else solution,
        residuals,
        rank,
        empty if values is None else values,
    )


def _eliminated(a: Array) -> tuple[Array, Array]:
    """L and U of one matrix in one array, and which row each step was exchanged with, from 1."""
    lu = np.array(a)
    rows, columns = lu.shape
    pivots = np.zeros(min(rows, columns), np.int32)
    for k in range(len(pivots)):
        # LAPACK measures a complex number by its parts.
        column = lu[k:, k]
        best = k + int(np.argmax(np.abs(column.real) + np.abs(column.imag)))
        pivots[k] = best + 1
        lu[[k, best]] = lu[[best, k]]
        if lu[k, k] != 0:
            lu[k + 1 :, k] /= lu[k, k]
            lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


def _lu_factor(A: Array) -> tuple[Array, Array]:
    leading, (rows, columns) = A.shape[:-2], A.shape[-2:]
    lu = np.empty_like(A)
    pivots = np.empty((*leading, min(rows, columns)), np.int32)
    for at in np.ndindex(leading):
        lu[at], pivots[at] = _eliminated(A[at])
    return lu, pivots


def _exchanges(pivots: Array, rows: int, of: Any) -> Array:
    """The matrix that puts exchanged rows back."""
    made = np.empty((*pivots.shape[:-1], rows, rows), of)
    for at in np.ndindex(pivots.shape[:-1]):
        order = np.arange(rows)
        for k, other in enumerate(pivots[at]):
            order[[k, other - 1]] = order[[other - 1, k]]
        made[at] = np.eye(rows)[:, order]
    return made


def _lu_unpack(
    LU_data: Array, LU_pivots: Array, unpack_data: Any = True, unpack_pivots: Any = True
) -> tuple[Array, Array, Array]:
    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    low = np.tril(LU_data[..., :least], -1) + np.eye(rows, least, dtype=LU_data.dtype)
    return _exchanges(LU_pivots, rows, LU_data.dtype), low, np.triu(LU_data[..., :least, :])


def _lu(A: Array) -> tuple[Array, Array, Array]:
    return _lu_unpack(*_lu_factor(A))


def _lu_solve(LU: Array, pivots: Array, B: Array, left: Any = True, adjoint: Any = False) -> Array:
    p, low, high = _lu_unpack(LU, pivots)
    whole = p @ low @ high
    return _solve(_adjoint(whole) if adjoint else whole, B, left)


def _reflectors(a: Array, tau: Array) -> Array:
    """The product of Householder reflections, all rows of it."""
    rows = a.shape[-2]
    made = np.broadcast_to(np.eye(rows, dtype=a.dtype), (*a.shape[:-2], rows, rows)).copy()
    for k in range(tau.shape[-1]):
        v = np.array(a[..., k])
        v[..., :k] = 0
        v[..., k] = 1
        turn = tau[..., k, None, None] * v[..., :, None] * v[..., None, :].conj()
        made = made - made @ turn
    return made


def _householder(A: Array, tau: Array) -> Array:
    return _reflectors(A, tau)[..., : A.shape[-1]]


def _ormqr(
    input: Array, input2: Array, input3: Array, left: Any = True, transpose: Any = False
) -> Array:
    q = _reflectors(input, input2)
    q = _adjoint(q) if transpose else q
    return q @ input3 if left else input3 @ q


def _geqrf(input: Array) -> tuple[Array, Array]:
    if input.ndim == 2:
        h, tau = np.linalg.qr(input, "raw")
        return h.T, tau
    h, tau = np.linalg.qr(input, "raw")
    return h.swapaxes(-1, -2), tau


def _exponential(a: Array) -> Array:
    """By squaring the Taylor series of a matrix made small."""
    norm = np.abs(a).sum(-1).max(initial=0)
    halvings = max(0, math.ceil(math.log2(norm)) + 1) if norm > 0 and np.isfinite(norm) else 0
    small = a / 2.0**halvings
    term = made = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    for k in range(1, 19):
        term = term @ small / k
        made = made + term
    for _ in range(halvings):
        made = made @ made
    return made


def _vector_norm(x: Array, ord: Any = 2, dim: Any = None, keepdim: Any = False) -> Array:
    axes = tuple(dim) if isinstance(dim, tuple | list) else dim
    if not x.ndim:
        axes = None
    return norm_along(x, 2 if ord is None else ord, None if axes == () else axes, bool(keepdim))


def _matrix_norm(A: Array, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False) -> Array:
    axes = (-2, -1) if dim is None else tuple(dim)
    return np.linalg.norm(A, "fro" if ord is None else ord, axes, bool(keepdim))


def _norm(input: Array, ord: Any = None, dim: Any = None, keepdim: Any = False) -> Array:
    """Of vectors, or of matrices where two dims meet an order that only matrices have."""
    if ord is None:
        return _vector_norm(input, 2, dim, keepdim)
    axes = tuple(range(input.ndim)) if dim is None else dim
    several = tuple(axes) if isinstance(axes, tuple | list) else (axes,)
    if len(several) == 2:
        return _matrix_norm(input, ord, several, keepdim)
    return _vector_norm(input, ord, several, keepdim)


def _condition(A: Array, p: Any = None) -> Array:
    if not A.shape[-1] and not A.shape[-2]:
        return np.zeros(A.shape[:-2])
    return np.linalg.cond(A, p)


def _multi_dot(tensors: Sequence[Array]) -> Array:
    return tensors[0] if len(tensors) == 1 else np.linalg.multi_dot(list(tensors))


def _cross(input: Array, other: Array, dim: Any = None) -> Array:
    if dim is None:
        dim = next(k for k, n in enumerate(input.shape) if n == 3)
    left, right = np.broadcast_arrays(input, other)
    return np.cross(left, right, axis=dim)


def _vecdot(x: Array, y: Array, dim: Any = -1) -> Array:
    return (x.conj() * y).sum(dim)


def _vander(x: Array, N: Any = None) -> Array:
    count = x.shape[-1] if N is None else N
    return x[..., None] ** np.arange(count)


def _old_vander(x: Array, N: Any = None, increasing: Any = False) -> Array:
    return np.vander(x, N, bool(increasing))


def _lowrank(A: Array, q: Any) -> tuple[Array, Array, Array]:
    u, s, v = np.linalg.svd(A, False)
    return u[..., :q], s[..., :q], _adjoint(v)[..., :q]


def _pca(A: Array, q: Any = None, center: Any = True) -> tuple[Array, Array, Array]:
    q = min(6, *A.shape[-2:]) if q is None else q
    return _lowrank(A - A.mean(-2, keepdims=True) if center else A, q)


# -- dtypes ----------------------------------------------------------------------------------------


def _complex(call: Call) -> Any:
    return promotion.complex_of(promotion.floating(call.operands[0].dtype))


def _real_asked(call: Call) -> Any:
    asked = call.options.get("dtype") or call.values.get("dtype")
    return promotion.real(call.operands[0].dtype if asked is None else dtypes.as_dtype(asked))


def _with_info(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is told of success beside the result: none of these fail silently."""

    def compute(*values: Any, **named: Any) -> Any:
        made = function(*values, **named)
        given = values[0] if values else next(iter(named.values()))
        info = np.zeros(given.shape[:-2], np.int32)
        return (*made, info) if isinstance(made, tuple) else (made, info)

    return compute


def _of_matrix(function: Callable[..., Any], *more: str) -> Kernel:
    return Kernel(function, ("A", *more), result.floating)


_L = "torch.linalg."
_NORM = ("ord", "dim", "keepdim")
_PINV = ("rcond", "hermitian", "atol", "rtol")
_FACTOR = result.several("same", "int32")

KERNELS: Final[dict[str, Kernel]] = {
    f"{_L}cholesky": _of_matrix(_cholesky, "upper"),
    "torch.cholesky": Kernel(
        lambda input, upper=False: _cholesky(input, upper), ("input", "upper")
    ),
    f"{_L}cholesky_ex": Kernel(_cholesky_ex, ("A", "upper"), _FACTOR),
    "torch.cholesky_solve": Kernel(_cholesky_solve, ("input", "input2", "upper")),
    "torch.cholesky_inverse": Kernel(_cholesky_inverse, ("input", "upper")),
    f"{_L}inv": _of_matrix(_inverse),
    "torch.inverse": Kernel(_inverse),
    f"{_L}inv_ex": Kernel(_with_info(_inverse), ("A",), _FACTOR),
    f"{_L}solve": _of_matrix(_solve, "B", "left"),
    f"{_L}solve_ex": Kernel(_with_info(_solve), ("A", "B", "left"), _FACTOR),
    f"{_L}solve_triangular": _of_matrix(_solve_triangular, "B", "upper", "left", "unitriangular"),
    "torch.triangular_solve": Kernel(
        _triangular_solve,
        ("input", "A", "upper", "transpose", "unitriangular"),
        result.several("same", "same"),
    ),
    f"{_L}qr": Kernel(_qr, ("A", "mode"), result.several("same", "same")),
    "torch.qr": Kernel(
        lambda input, some=True: _qr(input, some=some),
        ("input", "some"),
        result.several("same", "same"),
    ),
    f"{_L}svd": Kernel(_svd, ("A", "full_matrices"), result.several("same", "real", "same")),
    "torch.svd": Kernel(
        _old_svd, ("input", "some", "compute_uv"), result.several("same", "real", "same")
    ),
    f"{_L}svdvals": Kernel(lambda A: np.linalg.svd(A, compute_uv=False), ("A",), result.real),
    f"{_L}eigh": Kernel(_eigh, ("A", "UPLO"), result.several("real", "same")),
    f"{_L}eigvalsh": Kernel(
        lambda A, UPLO="L": np.linalg.eigvalsh(A, UPLO or "L"), ("A", "UPLO"), result.real
    ),
    f"{_L}eig": Kernel(_eig, ("A",), result.several("complex", "complex")),
    f"{_L}eigvals": Kernel(np.linalg.eigvals, None, _complex),
    f"{_L}det": Kernel(np.linalg.det, None, result.floating),
    "torch.det": Kernel(np.linalg.det, None, result.floating),
    f"{_L}slogdet": Kernel(_slogdet, None, result.several("same", "real")),
    "torch.slogdet": Kernel(_slogdet, None, result.several("same", "real")),
    "torch.logdet": Kernel(_logdet),
    f"{_L}matrix_power": Kernel(_power, ("A", "n")),
    "torch.matrix_power": Kernel(lambda input, n: _power(input, n), ("input", "n")),
    f"{_L}matrix_exp": Kernel(_exponential, None, result.floating),
    "torch.matrix_exp": Kernel(_exponential),
    f"{_L}pinv": _of_matrix(_pinv, *_PINV),
    "torch.pinverse": Kernel(
        lambda input, rcond=1e-15, **more: _pinv(input, rcond, **more), ("input", *_PINV)
    ),
    f"{_L}matrix_rank": Kernel(
        _rank, ("A", "tol", "hermitian", "atol", "rtol"), result.int64, False
    ),
    f"{_L}lstsq": Kernel(
        _lstsq, ("A", "B", "rcond", "driver"), result.several("same", "real", "int64", "real")
    ),
    f"{_L}lu": Kernel(_lu, ("A",), result.several("same", "same", "same")),
    f"{_L}lu_factor": Kernel(_lu_factor, ("A",), _FACTOR),
    f"{_L}lu_factor_ex": Kernel(
        _with_info(_lu_factor), ("A",), result.several("same", "int32", "int32")
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
        lambda call: (call.values["LU_data"].dtype,) * 3,
        False,
    ),
    f"{_L}householder_product": Kernel(_householder, ("A", "tau")),
    "torch.orgqr": Kernel(_householder),
    "torch.ormqr": Kernel(_ormqr, ("input", "input2", "input3", "left", "transpose")),
    "torch.geqrf": Kernel(_geqrf, None, result.several("same", "same")),
    f"{_L}vector_norm": Kernel(_vector_norm, ("x", *_NORM), _real_asked),
    f"{_L}matrix_norm": Kernel(_matrix_norm, ("A", *_NORM), _real_asked),
    f"{_L}norm": Kernel(_norm, ("input", *_NORM), _real_asked),
    f"{_L}cond": Kernel(_condition, ("A", "p"), result.real),
    f"{_L}multi_dot": Kernel(_multi_dot, ("tensors",)),
    "torch.chain_matmul": Kernel(lambda matrices: _multi_dot(matrices), ("matrices",)),
    f"{_L}cross": Kernel(
        lambda input, other, dim=-1: _cross(input, other, -1 if dim is None else dim),
        ("input", "other", "dim"),
    ),
    "torch.cross": Kernel(_cross, ("input", "other", "dim")),
    f"{_L}vecdot": Kernel(_vecdot, ("x", "y", "dim")),
    f"{_L}vander": Kernel(_vander, ("x", "N"), result.accumulated),
    "torch.vander": Kernel(_old_vander, ("x", "N", "increasing"), result.accumulated),
    f"{_L}tensorinv": _of_matrix(lambda A, ind=2: np.linalg.tensorinv(A, ind), "ind"),
    f"{_L}tensorsolve": _of_matrix(
        lambda A, B, dims=None: np.linalg.tensorsolve(A, B, dims), "B", "dims"
    ),
    "torch.svd_lowrank": Kernel(
        lambda A, q=6: _lowrank(A, q), ("A", "q"), result.several("same", "real", "same")
    ),
    "torch.pca_lowrank": Kernel(_pca, ("A", "q", "center"), result.several("same", "real", "same")),
    "torch.kron": Kernel(lambda a, b: np.kron(a, b)),
}
"""By the op's name."""
