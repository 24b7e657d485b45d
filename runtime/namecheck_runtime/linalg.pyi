"""The functions of `namecheck_runtime.linalg`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

# mypy: disable-error-code="overload-overlap"

from builtins import bool as _bool
from builtins import str as _str
from typing import Any, Literal, overload

from namecheck_runtime._surface import (
    MYPY,
    PLU,
    QR,
    Array,
    DimRef,
    DimRefs,
    Dims,
    DTypeLike,
    EigenvaluesEigenvectors,
    Index,
    InverseInfo,
    Known,
    LDPivots,
    LDPivotsInfo,
    LInfo,
    LUPivots,
    LUPivotsInfo,
    Named,
    Open,
    Out,
    Removed,
    Rest,
    ResultInfo,
    SignLogabsdet,
    SolutionResidualsRankSingularValues,
    Tensors,
    USVh,
)
from namecheck_runtime.errors import LinAlgError as LinAlgError
from namecheck_runtime.tensors.object import Tensor

def cholesky(
    A: Tensor[*Dims] | Array, upper: Any = None, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def cholesky_ex(
    A: Tensor | Array, *, upper: Any = False, check_errors: Any = False, out: Out | None = None
) -> LInfo: ...
def cond(A: Tensor | Array, p: Any = None, *, out: Out | None = None) -> Tensor: ...
def cross(
    input: Tensor | Array,
    other: Tensor | Array,
    *,
    dim: DimRef = -1,
    out: Out | None = None,
    axis: DimRef = -1,
) -> Tensor: ...
def det(A: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def diagonal(
    A: Tensor | Array, *, offset: Index = 0, dim1: DimRef = -2, dim2: DimRef = -1
) -> Tensor: ...
def eig(
    A: Tensor | Array, UPLO: Any = "L", *, out: Out | None = None
) -> EigenvaluesEigenvectors: ...
def eigh(
    A: Tensor | Array, UPLO: Any = "L", *, out: Out | None = None
) -> EigenvaluesEigenvectors: ...
def eigvals(A: Tensor | Array, UPLO: Any = "L", *, out: Out | None = None) -> Tensor: ...
def eigvalsh(A: Tensor | Array, UPLO: Any = "L", *, out: Out | None = None) -> Tensor: ...
def householder_product(
    A: Tensor[*Dims] | Array, tau: Tensor | Array, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def inv(A: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def inv_ex(
    A: Tensor | Array, *, check_errors: Any = False, out: Out | None = None
) -> InverseInfo: ...
def ldl_factor(
    A: Tensor | Array, *, hermitian: Any = False, out: Out | None = None
) -> LDPivots: ...
def ldl_factor_ex(
    A: Tensor | Array, *, hermitian: Any = False, check_errors: Any = False, out: Out | None = None
) -> LDPivotsInfo: ...
def ldl_solve(
    LD: Tensor | Array,
    pivots: Any,
    B: Tensor | Array,
    *,
    hermitian: Any = False,
    out: Out | None = None,
) -> Tensor: ...
def lstsq(
    A: Tensor | Array, B: Tensor | Array, rcond: Any = None, *, driver: Any = None
) -> SolutionResidualsRankSingularValues: ...
def lu(A: Tensor | Array, *, pivot: Any = True, out: Out | None = None) -> PLU: ...
def lu_factor(A: Tensor | Array, *, pivot: Any = True, out: Out | None = None) -> LUPivots: ...
def lu_factor_ex(
    A: Tensor | Array, *, pivot: Any = True, check_errors: Any = False, out: Out | None = None
) -> LUPivotsInfo: ...
def lu_solve(
    LU: Tensor | Array,
    pivots: Any,
    B: Tensor | Array,
    *,
    left: _bool = True,
    adjoint: Any = False,
    out: Out | None = None,
) -> Tensor: ...
def matmul(input: Tensor | Array, other: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def matrix_exp(A: Tensor[*Dims] | Array) -> Tensor[*Dims]: ...
def matrix_power(A: Tensor[*Dims] | Array, n: Any, *, out: Out | None = None) -> Tensor[*Dims]: ...
def matrix_rank(
    A: Tensor | Array,
    tol: Any = None,
    hermitian: Any = None,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Out | None = None,
) -> Tensor: ...
def multi_dot(tensors: Tensors, *, out: Out | None = None) -> Tensor: ...
def pinv(
    A: Tensor | Array,
    rcond: Any = None,
    hermitian: Any = None,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Out | None = None,
) -> Tensor: ...
def qr(A: Tensor | Array, mode: _str = "reduced", *, out: Out | None = None) -> QR: ...
def slogdet(A: Tensor | Array, *, out: Out | None = None) -> SignLogabsdet: ...
def solve(
    A: Tensor | Array, B: Tensor | Array, *, left: _bool = True, out: Out | None = None
) -> Tensor: ...
def solve_ex(
    A: Tensor | Array,
    B: Tensor | Array,
    *,
    left: _bool = True,
    check_errors: Any = False,
    out: Out | None = None,
) -> ResultInfo: ...
def solve_triangular(
    A: Tensor | Array,
    B: Tensor | Array,
    *,
    upper: Any,
    left: Any = True,
    unitriangular: Any = False,
    out: Out | None = None,
) -> Tensor: ...
def svd(
    A: Tensor | Array, full_matrices: _bool = True, *, driver: Any = None, out: Out | None = None
) -> USVh: ...
def svdvals(A: Tensor | Array, *, driver: Any = None, out: Out | None = None) -> Tensor: ...
def tensorinv(A: Tensor | Array, ind: Index = 2, *, out: Out | None = None) -> Tensor: ...
def tensorsolve(
    A: Tensor | Array,
    B: Tensor | Array,
    dims: Any = None,
    *,
    out: Out | None = None,
    axes: Any = None,
) -> Tensor: ...
def vander(x: Tensor | Array, N: Index | None = None) -> Tensor: ...
def vecdot(
    x: Tensor | Array,
    y: Tensor | Array,
    *,
    dim: Index = -1,
    out: Out | None = None,
    axis: Index = -1,
) -> Tensor: ...

if MYPY:
    def matrix_norm(
        A: Tensor | Array,
        ord: Any = "fro",
        dim: DimRefs = ...,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def norm(
        input: Tensor | Array,
        ord: Any = None,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        dtype: DTypeLike | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def vector_norm(
        x: Tensor | Array,
        ord: Any = 2,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
else:
    @overload
    def matrix_norm(
        A: Tensor[*Rest, Known],
        ord: Any = "fro",
        *,
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def matrix_norm(
        A: Tensor[Known, *Rest],
        ord: Any = "fro",
        *,
        dim: Literal[0],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def matrix_norm(A: Tensor[Known, *Rest], *, dim: Literal[-1]) -> Tensor: ...
    @overload
    def matrix_norm(A: Tensor[*Rest, Removed], *, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def matrix_norm(A: Tensor[*Rest, Known], *, dim: Literal[0]) -> Tensor: ...
    @overload
    def matrix_norm(A: Tensor[Removed, *Rest], *, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def matrix_norm(
        A: Open,
        ord: Any = "fro",
        dim: DimRefs = ...,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def matrix_norm(
        A: Tensor[*Rest, Named],
        ord: Any = "fro",
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def matrix_norm(
        A: Tensor[Named, *Rest],
        ord: Any = "fro",
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def matrix_norm(
        A: Tensor | Array,
        ord: Any = "fro",
        dim: DimRefs = ...,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def norm(
        input: Tensor | Array,
        ord: Any = None,
        *,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def norm(
        input: Tensor[*Rest, Known],
        ord: Any = None,
        *,
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Tensor[Known, *Rest],
        ord: Any = None,
        *,
        dim: Literal[0],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(input: Tensor[Known, *Rest], *, dim: Literal[-1]) -> Tensor: ...
    @overload
    def norm(input: Tensor[*Rest, Removed], *, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def norm(input: Tensor[*Rest, Known], *, dim: Literal[0]) -> Tensor: ...
    @overload
    def norm(input: Tensor[Removed, *Rest], *, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Open,
        ord: Any = None,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        dtype: DTypeLike | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def norm(
        input: Tensor[*Rest, Named],
        ord: Any = None,
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Tensor[Named, *Rest],
        ord: Any = None,
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def norm(
        input: Tensor | Array,
        ord: Any = None,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        dtype: DTypeLike | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def vector_norm(
        x: Tensor | Array,
        ord: Any = 2,
        *,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*tuple[()]]: ...
    @overload
    def vector_norm(
        x: Tensor[*Rest, Known],
        ord: Any = 2,
        *,
        dim: Literal[-1],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def vector_norm(
        x: Tensor[Known, *Rest],
        ord: Any = 2,
        *,
        dim: Literal[0],
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def vector_norm(x: Tensor[Known, *Rest], *, dim: Literal[-1]) -> Tensor: ...
    @overload
    def vector_norm(x: Tensor[*Rest, Removed], *, dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def vector_norm(x: Tensor[*Rest, Known], *, dim: Literal[0]) -> Tensor: ...
    @overload
    def vector_norm(x: Tensor[Removed, *Rest], *, dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def vector_norm(
        x: Open,
        ord: Any = 2,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def vector_norm(
        x: Tensor[*Rest, Named],
        ord: Any = 2,
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def vector_norm(
        x: Tensor[Named, *Rest],
        ord: Any = 2,
        *,
        dim: Named,
        keepdim: Literal[False] = False,
        dtype: DTypeLike | None = None,
    ) -> Tensor[*Rest]: ...
    @overload
    def vector_norm(
        x: Tensor | Array,
        ord: Any = 2,
        dim: DimRefs | None = None,
        keepdim: _bool = False,
        *,
        dtype: DTypeLike | None = None,
        out: Out | None = None,
        axis: DimRefs | None = None,
        keepdims: _bool = False,
    ) -> Tensor: ...
