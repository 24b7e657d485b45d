"""Kernels of matrices: factorizations, solutions, determinants, norms.

Matrices are the last two dims.  Where NumPy has a function for stacks of matrices (LAPACK), the
kernel calls it, in float64 for half floats, which LAPACK does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.decomposition import adjoint
from namecheck_runtime.tensors.kernels.normalization import norm_along
from namecheck_runtime.tensors.values import dtypes, promotion

Array = Any


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
    """The SVD with V instead of its adjoint; U and V are zeros unless `compute_uv`."""
    u, s, v = np.linalg.svd(input, not some)
    if not compute_uv:
        rows, columns = input.shape[-2:]
        leading = input.shape[:-2]
        u = np.zeros((*leading, rows, rows), input.dtype)
        return u, s, np.zeros((*leading, columns, columns), input.dtype)
    return u, s, adjoint(v)


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
    return np.matmul(adjoint(v) * turned[..., None, :], adjoint(u))


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
    """The solution, the residual of each column, the rank and the singular values."""
    vector = B.ndim == A.ndim - 1
    b = B[..., None] if vector else B
    solution = np.matmul(_pinv(A, rcond), b)
    rows, columns = A.shape[-2:]
    rank = _rank(A)
    residuals = np.zeros((0,), A.real.dtype)
    if driver not in (None, "gelsy") and rows > columns and np.all(rank == columns):
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


def _reflectors(a: Array, tau: Array) -> Array:
    """The product of Householder reflections, with all its columns."""
    rows = a.shape[-2]
    product = np.broadcast_to(np.eye(rows, dtype=a.dtype), (*a.shape[:-2], rows, rows)).copy()
    for k in range(tau.shape[-1]):
        v = np.array(a[..., k])
        v[..., :k] = 0
        v[..., k] = 1
        turn = tau[..., k, None, None] * v[..., :, None] * v[..., None, :].conj()
        product = product - product @ turn
    return product


def _householder(A: Array, tau: Array) -> Array:
    return _reflectors(A, tau)[..., : A.shape[-1]]


def _ormqr(
    input: Array, input2: Array, input3: Array, left: Any = True, transpose: Any = False
) -> Array:
    q = _reflectors(input, input2)
    q = adjoint(q) if transpose else q
    return q @ input3 if left else input3 @ q


def _geqrf(input: Array) -> tuple[Array, Array]:
    if input.ndim == 2:
        h, tau = np.linalg.qr(input, "raw")
        return h.T, tau
    h, tau = np.linalg.qr(input, "raw")
    return h.swapaxes(-1, -2), tau


def _exponential(a: Array) -> Array:
    """The matrix exponential, by scaling, Taylor series and squaring."""
    norm = np.abs(a).sum(-1).max(initial=0)
    halvings = max(0, math.ceil(math.log2(norm)) + 1) if norm > 0 and np.isfinite(norm) else 0
    small = a / 2.0**halvings
    term = total = np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)
    for k in range(1, 19):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def _vector_norm(x: Array, ord: Any = 2, dim: Any = None, keepdim: Any = False) -> Array:
    axes = tuple(dim) if isinstance(dim, (tuple, list)) else dim
    if not x.ndim:
        axes = None
    return norm_along(x, 2 if ord is None else ord, None if axes == () else axes, bool(keepdim))


def _matrix_norm(A: Array, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False) -> Array:
    axes = (-2, -1) if dim is None else tuple(dim)
    return np.linalg.norm(A, "fro" if ord is None else ord, axes, bool(keepdim))


def _norm(input: Array, ord: Any = None, dim: Any = None, keepdim: Any = False) -> Array:
    """The norm of matrices if an order is given for two dims, else of vectors."""
    if ord is None:
        return _vector_norm(input, 2, dim, keepdim)
    axes = tuple(range(input.ndim)) if dim is None else dim
    several = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
    if len(several) == 2:
        return _matrix_norm(input, ord, several, keepdim)
    return _vector_norm(input, ord, several, keepdim)


def _multi_dot(tensors: Sequence[Array]) -> Array:
    if len(tensors) == 1:
        return np.einsum("ij->ij", tensors[0])  # refuses all but a matrix, as of several
    return np.linalg.multi_dot(list(tensors))


def _cross(input: Array, other: Array, dim: Any = None) -> Array:
    if dim is None:
        dim = next(k for k, n in enumerate(input.shape) if n == 3)
    left, right = np.broadcast_arrays(input, other)
    return np.cross(left, right, axis=dim)


def _vecdot(x: Array, y: Array, dim: Any = -1) -> Array:
    return (x.conj() * y).sum(dim)


def _vander(x: Array, N: Any = None) -> Array:
    x = x.astype(np.int64) if x.dtype.kind in "biu" else x
    count = x.shape[-1] if N is None else N
    return x[..., None] ** np.arange(count)


def _old_vander(x: Array, N: Any = None, increasing: Any = False) -> Array:
    elements = x.astype(np.int64) if x.dtype.kind in "biu" else x
    return np.vander(elements, N, bool(increasing))


def _condition(A: Array, p: Any = None) -> Array:
    return np.linalg.cond(A, p) if A.size else np.zeros(A.shape[:-2])


def _lowrank(A: Array, q: Any) -> tuple[Array, Array, Array]:
    u, s, v = np.linalg.svd(A, False)
    return u[..., :q], s[..., :q], adjoint(v)[..., :q]


def _pca(A: Array, q: Any = None, center: Any = True) -> tuple[Array, Array, Array]:
    q = min(6, *A.shape[-2:]) if q is None else q
    return _lowrank(A - A.mean(-2, keepdims=True) if center else A, q)


# -- dtypes ----------------------------------------------------------------------------------------


def _real_asked(call: Call) -> Any:
    requested = call.options.get("dtype") or call.values.get("dtype")
    return promotion.real(
        call.operands[0].dtype if requested is None else dtypes.as_dtype(requested)
    )


def _of_matrix(function: Callable[..., Any], *more: str) -> Kernel:
    return Kernel(function, ("A", *more), result.floating)


_L = "torch.linalg."
_NORM = ("ord", "dim", "keepdim")
_PINV = ("rcond", "hermitian", "atol", "rtol")

KERNELS: Final[dict[str, Kernel]] = {
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
    f"{_L}eigvals": Kernel(np.linalg.eigvals, None, result.complex_),
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
