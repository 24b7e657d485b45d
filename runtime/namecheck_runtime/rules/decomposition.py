"""Matrix factorizations with pivots, reflectors or a report, and the ops that use them.

The plain decompositions and solutions live in `linear_algebra`; names behave as they do there.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import drop, fresh, positions, require_equal, require_rank
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import Dims, Shape, Size, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize


def _matrix(shape: Dims, argument: str = "A") -> None:
    require_rank(shape, lambda n: n >= 2, "at least 2", argument)


def _smaller(shape: Dims) -> Dim:
    return fresh(sizes.minimum(shape[-2].size, shape[-1].size))


# With a report: one number per matrix.


@op("torch.linalg.cholesky_ex", out=True)
def cholesky_ex(
    A: Dims, *, upper: object = False, check_errors: object = False
) -> tuple[Shape, Shape]:
    """The factor and a report.  Source: torch.linalg.cholesky_ex."""
    return apply("torch.linalg.cholesky", A), A[:-2]


@op("torch.linalg.inv_ex", out=True)
def inv_ex(A: Dims, *, check_errors: object = False) -> tuple[Shape, Shape]:
    """The inverse and a report.  Source: torch.linalg.inv_ex."""
    return apply("torch.linalg.inv", A), A[:-2]


@op("torch.linalg.solve_ex", out=True)
def solve_ex(
    A: Dims, B: Dims, *, left: bool = True, check_errors: object = False
) -> tuple[Shape, Shape]:
    """The solution and a report.  Source: torch.linalg.solve_ex."""
    return apply("torch.linalg.solve", A, B, left=left), A[:-2]


@op("torch.linalg.lu_factor_ex", out=True)
def lu_factor_ex(
    A: Dims, *, pivot: object = True, check_errors: object = False
) -> tuple[Shape, Shape, Shape]:
    """L and U in one matrix, the pivots and a report.  Source: torch.linalg.lu_factor_ex."""
    factors, pivots = apply("torch.linalg.lu_factor", A)
    return factors, pivots, A[:-2]


@op("torch.linalg.ldl_factor", out=True)
def ldl_factor(A: Dims, *, hermitian: object = False) -> tuple[Shape, Shape]:
    """L and D in one matrix, and the pivots.  Source: torch.linalg.ldl_factor."""
    square: Shape = apply("torch.linalg.cholesky", A)
    return square, (*A[:-2], fresh(A[-1].size))


@op("torch.linalg.ldl_factor_ex", out=True)
def ldl_factor_ex(
    A: Dims, *, hermitian: object = False, check_errors: object = False
) -> tuple[Shape, Shape, Shape]:
    """L and D in one matrix, the pivots and a report.  Source: torch.linalg.ldl_factor_ex."""
    factors, pivots = ldl_factor(A)
    return factors, pivots, A[:-2]


# Solving with factors: the dims of the right-hand side, batches broadcast.


def _solved(factors: Dims, right: Dims, arguments: tuple[str, str], rows: bool = True) -> Shape:
    _matrix(factors, arguments[0])
    _matrix(right, arguments[1])
    place = -2 if rows else -1
    mistake = ContractionSize(
        left=factors,
        right=right,
        left_size=factors[-1].size,
        right_size=right[place].size,
        blame=(Blame(arguments[0], -1), Blame(arguments[1], place)),
    )
    require_equal(factors[-1].size, right[place].size, mistake)
    batch = broadcast(factors[:-2], right[:-2], arguments, suspicious=False)
    return (*batch, *right[-2:]) if isinstance(batch, tuple) else UNKNOWN


@op("torch.linalg.lu_solve", out=True)
def linalg_lu_solve(
    LU: Dims, pivots: object, B: Dims, *, left: bool = True, adjoint: object = False
) -> Shape:
    """The X of `A @ X = B`, A given by lu_factor.  Source: torch.linalg.lu_solve."""
    return _solved(LU, B, ("LU", "B"), left)


@op("torch.lu_solve", "Tensor.lu_solve", out=True)
def lu_solve(input: Dims, LU_data: Dims, LU_pivots: object) -> Shape:
    """The X of `A @ X = input`, A given by lu.  Source: torch.lu_solve."""
    return _solved(LU_data, input, ("LU_data", "input"))


@op("torch.linalg.ldl_solve", out=True)
def ldl_solve(LD: Dims, pivots: object, B: Dims, *, hermitian: object = False) -> Shape:
    """The X of `A @ X = B`, A given by ldl_factor.  Source: torch.linalg.ldl_solve."""
    return _solved(LD, B, ("LD", "B"))


@op("torch.lu_unpack", out=True)
def lu_unpack(
    LU_data: Dims, LU_pivots: object, unpack_data: object = True, unpack_pivots: object = True
) -> tuple[Shape, Shape, Shape]:
    """P, L and U: `[*, m, m]`, `[*, m, k]`, `[*, k, n]`.  Source: torch.lu_unpack."""
    _matrix(LU_data, "LU_data")
    rows, inner = LU_data[-2], _smaller(LU_data)
    batch = LU_data[:-2]
    permutation: Shape = (*batch, rows, fresh(rows.size)) if unpack_pivots is True else UNKNOWN
    if unpack_data is not True:
        return permutation, UNKNOWN, UNKNOWN
    return permutation, (*batch, rows, inner), (*batch, inner, LU_data[-1])


# Reflectors.


@op("torch.linalg.householder_product", out=True)
def householder_product(A: Dims, tau: Shape) -> Shape:
    """The first columns of a product of reflectors.  Source: torch.linalg.householder_product."""
    _matrix(A)
    return A


@op("torch.orgqr", "Tensor.orgqr", out=True)
def orgqr(input: Dims, input2: Shape) -> Shape:
    """As torch.linalg.householder_product."""
    _matrix(input, "input")
    return input


@op("torch.ormqr", "Tensor.ormqr", out=True)
def ormqr(
    input: Dims, input2: Shape, input3: Dims, left: object = True, transpose: object = False
) -> Shape:
    """input3 times the Q of reflectors.  Source: torch.ormqr."""
    _matrix(input, "input")
    _matrix(input3, "input3")
    return input3


@op("torch.geqrf", "Tensor.geqrf", out=True)
def geqrf(input: Dims) -> tuple[Shape, Shape]:
    """R and reflectors in one matrix, and their factors.  Source: torch.geqrf."""
    _matrix(input, "input")
    return input, (*input[:-2], _smaller(input))


# Of low rank.


@op("torch.svd_lowrank")
def svd_lowrank(
    A: Dims, q: Size = 6, niter: object = 2, M: object = None
) -> tuple[Shape, Shape, Shape]:
    """`[*, m, q]`, `[*, q]`, `[*, n, q]`; fewer for a small one.  Source: torch.svd_lowrank."""
    _matrix(A)
    rank = fresh(sizes.minimum(q, _smaller(A).size))
    return (*A[:-1], rank), (*A[:-2], rank), (*A[:-2], A[-1], rank)


@op("torch.pca_lowrank")
def pca_lowrank(
    A: Dims, q: Size | None = None, center: object = True, niter: object = 2
) -> tuple[Shape, Shape, Shape]:
    """`[*, m, q]`, `[*, q]`, `[*, n, q]`; by default q is at most 6.  Source: torch.pca_lowrank."""
    _matrix(A)
    rank = sizes.minimum(6, _smaller(A).size) if q is None else q
    return svd_lowrank(A, rank)


# Tensors as matrices.


@op("torch.linalg.tensorinv", numpy="linalg.tensorinv(A, ind)", out=True)
def tensorinv(A: Dims, ind: int = 2) -> Shape:
    """The dims from `ind` on first; both sides have equal element counts.  Source: numpy.linalg."""
    mine = sizes.product(dim.size for dim in A[:ind])
    theirs = sizes.product(dim.size for dim in A[ind:])
    mistake = ContractionSize(
        left=A,
        right=A,
        left_size=mine,
        right_size=theirs,
        text="Expected self to satisfy the requirement prod(self.shape[ind:]) == "
        f"prod(self.shape[:ind]), but got {theirs} != {mine}",
        blame=(Blame("A"),),
    )
    require_equal(mine, theirs, mistake)
    return (*A[ind:], *A[:ind])


@op("torch.linalg.tensorsolve", numpy="linalg.tensorsolve(A, B, dims)", out=True)
def tensorsolve(A: Dims, B: Dims, dims: object = None) -> Shape:
    """The X whose tensordot with A is B: A's dims after those of B.  Source: numpy.linalg."""
    order = A
    if dims is not None:
        if not isinstance(dims, (tuple, list)) or not all(isinstance(d, int) for d in dims):
            return UNKNOWN
        moved = positions(A, dims, "dims")
        if moved is UNKNOWN:
            return UNKNOWN
        order = (*drop(A, moved), *[A[d] for d in moved if A])  # 0-d: there is none to move
    if len(B) > len(order):
        raise RankMismatch(shape=A, wanted=f"at least {len(B)}", blame=(Blame("A"), Blame("B")))
    return order[len(B) :]
