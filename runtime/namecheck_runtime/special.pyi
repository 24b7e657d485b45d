"""The functions of `namecheck_runtime.special`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

# mypy: disable-error-code="overload-overlap"

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, Literal, overload

from namecheck_runtime._surface import (
    MYPY,
    Alike,
    Array,
    DimRef,
    DimRefs,
    Dims,
    DTypeLike,
    Index,
    Known,
    Named,
    Number,
    Open,
    Operand,
    Out,
    Removed,
    Rest,
)
from namecheck_runtime.tensors.object import Tensor

def airy_ai(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def bessel_j0(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def bessel_j1(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def bessel_y0(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def bessel_y1(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def digamma(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def digamma_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def entr(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erf(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erf_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def erfc(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erfc_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def erfcx(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erfinv(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def erfinv_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def exp2(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def exp2_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def expit(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def expit_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def expm1(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def expm1_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def gammainc_(input: Operand, other: Operand) -> Tensor: ...
def gammaincc_(input: Operand, other: Operand) -> Tensor: ...
def gammaln(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def gammaln_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def i0(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def i0_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def i0e(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def i1(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def i1e(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log1p(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log1p_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def log_ndtr(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def log_softmax(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    dtype: DTypeLike | None = None,
    *,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def logit(
    input: Tensor[*Dims] | Array | Number, eps: Any = None, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def logit_(input: Tensor[*Dims] | Array | Number, eps: Any = None) -> Tensor[*Dims]: ...
def modified_bessel_i0(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def modified_bessel_i1(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def modified_bessel_k0(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def modified_bessel_k1(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def multigammaln(
    input: Tensor[*Dims] | Array | Number, p: Any, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def multigammaln_(input: Tensor[*Dims] | Array | Number, p: Any) -> Tensor[*Dims]: ...
def ndtr(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def ndtri(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def polygamma(n: Any, input: Tensor | Array, *, out: Out | None = None) -> Tensor: ...
def psi(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def psi_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def round(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None, decimals: Any = None
) -> Tensor[*Dims]: ...
def round_(input: Tensor[*Dims] | Array | Number, *, decimals: Any = None) -> Tensor[*Dims]: ...
def scaled_modified_bessel_k0(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def scaled_modified_bessel_k1(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def sinc(input: Tensor[*Dims] | Array | Number, *, out: Out | None = None) -> Tensor[*Dims]: ...
def sinc_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def softmax(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = ...,
    dtype: DTypeLike | None = None,
    *,
    axis: DimRef | None = ...,
) -> Tensor[*Dims]: ...
def spherical_bessel_j0(
    input: Tensor[*Dims] | Array | Number, *, out: Out | None = None
) -> Tensor[*Dims]: ...
def xlogy_(input: Operand, other: Operand) -> Tensor: ...

if MYPY:
    def chebyshev_polynomial_t(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def chebyshev_polynomial_u(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def chebyshev_polynomial_v(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def chebyshev_polynomial_w(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def gammainc(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def gammaincc(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def hermite_polynomial_h(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def hermite_polynomial_he(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def laguerre_polynomial_l(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def legendre_polynomial_p(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def logsumexp(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    def shifted_chebyshev_polynomial_t(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def shifted_chebyshev_polynomial_u(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def shifted_chebyshev_polynomial_v(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def shifted_chebyshev_polynomial_w(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def xlog1py(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def xlogy(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    def zeta(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
else:
    @overload
    def chebyshev_polynomial_t(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_t(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_t(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def chebyshev_polynomial_t(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_u(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_u(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_u(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def chebyshev_polynomial_u(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_v(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_v(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_v(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def chebyshev_polynomial_v(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_w(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_w(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def chebyshev_polynomial_w(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def chebyshev_polynomial_w(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gammainc(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gammainc(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gammainc(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def gammainc(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gammaincc(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gammaincc(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def gammaincc(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def gammaincc(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hermite_polynomial_h(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hermite_polynomial_h(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hermite_polynomial_h(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def hermite_polynomial_h(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hermite_polynomial_he(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hermite_polynomial_he(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def hermite_polynomial_he(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def hermite_polynomial_he(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def laguerre_polynomial_l(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def laguerre_polynomial_l(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def laguerre_polynomial_l(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def laguerre_polynomial_l(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def legendre_polynomial_p(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def legendre_polynomial_p(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def legendre_polynomial_p(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def legendre_polynomial_p(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def logsumexp(
        input: Tensor[*Rest, Known], dim: Literal[-1], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Tensor[Known, *Rest], dim: Literal[0], keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(input: Tensor[Known, *Rest], dim: Literal[-1]) -> Tensor: ...
    @overload
    def logsumexp(input: Tensor[*Rest, Removed], dim: Literal[-1]) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(input: Tensor[*Rest, Known], dim: Literal[0]) -> Tensor: ...
    @overload
    def logsumexp(input: Tensor[Removed, *Rest], dim: Literal[0]) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Open,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def logsumexp(
        input: Tensor[*Rest, Named], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Tensor[Named, *Rest], dim: Named, keepdim: Literal[False] = False
    ) -> Tensor[*Rest]: ...
    @overload
    def logsumexp(
        input: Tensor | Array,
        dim: DimRefs | None = ...,
        keepdim: _bool = False,
        *,
        out: Out | None = None,
        axis: DimRefs | None = ...,
        keepdims: _bool = False,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_t(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_t(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_t(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def shifted_chebyshev_polynomial_t(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_u(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_u(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_u(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def shifted_chebyshev_polynomial_u(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_v(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_v(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_v(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def shifted_chebyshev_polynomial_v(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_w(
        input: Open,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_w(
        input: Operand,
        n: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def shifted_chebyshev_polynomial_w(input: Alike[*Dims], n: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def shifted_chebyshev_polynomial_w(
        input: Operand,
        n: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlog1py(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlog1py(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlog1py(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def xlog1py(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlogy(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlogy(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def xlogy(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def xlogy(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def zeta(
        input: Open,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def zeta(
        input: Operand,
        other: Open,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
    @overload
    def zeta(input: Alike[*Dims], other: Alike[*Dims]) -> Tensor[*Dims]: ...
    @overload
    def zeta(
        input: Operand,
        other: Operand,
        *,
        out: Out | None = None,
        broadcast_dimensions: Sequence[Index] | None = None,
    ) -> Tensor: ...
