"""Inverses, determinants, decompositions and solutions of matrices."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.derivatives.contract import transposed
from namecheck_runtime.autograd.shapes import conj, others
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_L = "torch.linalg."


def _inverse(grad: Any, result: Any) -> Any:
    back = transposed(result)
    return -(back @ grad @ back)


# The variants that also return how it went have the same derivatives.
derivative(f"{_L}inv", f"{_L}inv_ex", name="LinalgInvEx", A=_inverse)
derivative("torch.inverse", name="LinalgInvEx", input=_inverse)


def _scaled_inverse(grad: Any, matrix: Any) -> Any:
    return grad.unsqueeze(-1).unsqueeze(-1) * transposed(call(f"{_L}inv", matrix))


def _determinant(grad: Any, matrix: Any, result: Any) -> Any:
    if not bool((result == 0).any()):
        return _scaled_inverse(grad * conj(result), matrix)
    # A singular matrix has no inverse, but the products of all singular values but one.
    left, values, right = call(f"{_L}svd", matrix, False)
    factor = conj(call(f"{_L}det", left) * call(f"{_L}det", right))
    scale = grad * factor
    return scale.unsqueeze(-1).unsqueeze(-1) * ((left * others(values, -1).unsqueeze(-2)) @ right)


derivative(f"{_L}det", name="LinalgDet", A=lambda grad, A, result: _determinant(grad, A, result))
derivative(
    "torch.det",
    name="LinalgDet",
    input=lambda grad, input, result: _determinant(grad, input, result),
)
derivative("torch.logdet", input=lambda grad, input: _scaled_inverse(grad, input))


def _log_determinant(grads: Any, matrix: Any, results: Any) -> Any:
    grad = grads[1]
    if matrix.is_complex():
        grad = grad - (conj(grads[0]) * results[0]).imag * 1j
    return _scaled_inverse(grad, matrix)


derivative(f"{_L}slogdet", A=lambda grads, A, results: _log_determinant(grads, A, results))
derivative(
    "torch.slogdet", input=lambda grads, input, results: _log_determinant(grads, input, results)
)

# -- solutions -------------------------------------------------------------------------------------


def _is_vector(right: Any, matrix: Any) -> bool:
    return len(right) == 1 or (len(right) == len(matrix) - 1 and tuple(right) == tuple(matrix[:-1]))


def _of_right(grad: Any, A: Any, left: Any) -> Any:
    # A matrix that `solve_ex` could not invert has NaN here, too.
    return call(f"{_L}solve_ex", transposed(A), grad, left=left)[0]


def _of_left(grad: Any, A: Any, result: Any, left: Any, B_form: Any) -> Any:
    own = _of_right(grad, A, left)
    if _is_vector(B_form.sizes, A.shape):
        return -(own.unsqueeze(-1) * conj(result).unsqueeze(-2))
    if left is False:
        return -(transposed(result) @ own)
    return -(own @ transposed(result))


derivative(
    f"{_L}solve",
    f"{_L}solve_ex",
    name="LinalgSolveEx",
    A=_of_left,
    B=lambda grad, A, left: _of_right(grad, A, left),
)


def _triangle(value: Any, upper: Any, unit: Any) -> Any:
    above = 1 if unit else 0
    return call("torch.triu", value, above) if upper else call("torch.tril", value, -above)


def _right_of_triangle(grad: Any, A: Any, upper: Any, left: Any, unitriangular: Any) -> Any:
    return call(
        f"{_L}solve_triangular",
        transposed(A),
        grad,
        upper=not upper,
        left=left,
        unitriangular=unitriangular,
    )


def _of_triangle(grad: Any, A: Any, result: Any, upper: Any, left: Any, unitriangular: Any) -> Any:
    own = _right_of_triangle(grad, A, upper, left, unitriangular)
    whole = own @ transposed(result) if left else transposed(result) @ own
    return -_triangle(whole, upper, unitriangular)


derivative(f"{_L}solve_triangular", A=_of_triangle, B=_right_of_triangle)


@composite("torch.triangular_solve")
def triangular_solve(input: Any, A: Any, upper: Any, transpose: Any, unitriangular: Any) -> Any:
    """The solution, and the matrix."""
    matrix = A.transpose(-2, -1) if transpose else A
    solution = call(
        f"{_L}solve_triangular",
        matrix,
        input,
        upper=upper != bool(transpose),
        unitriangular=unitriangular,
    )
    return solution, A.expand((*solution.shape[:-2], *A.shape[-2:])).clone()


def _from_factor(factor: Any, upper: Any) -> Any:
    matrix = _triangle(factor, upper, False)
    return transposed(matrix) @ matrix if upper else matrix @ transposed(matrix)


@composite("torch.cholesky_solve")
def cholesky_solve(input: Any, input2: Any, upper: Any) -> Any:
    """The solution for the product of a factor with itself."""
    return call(f"{_L}solve", _from_factor(input2, upper), input)


@composite("torch.cholesky_inverse")
def cholesky_inverse(input: Any, upper: Any) -> Any:
    """The inverse of the product of a factor with itself."""
    return call(f"{_L}inv", _from_factor(input, upper))


def _cholesky(grad: Any, result: Any, upper: Any) -> Any:
    lower, grad = (transposed(result), transposed(grad)) if upper else (result, grad)
    inner = call("torch.tril", transposed(lower) @ grad)
    inner = (inner + transposed(call("torch.tril", inner, -1))) * 0.5
    inverse = call(
        f"{_L}solve_triangular",
        lower,
        call("torch.eye", lower.shape[-1], dtype=lower.dtype, device=lower.device).expand(
            lower.shape
        ),
        upper=False,
    )
    return transposed(inverse) @ inner @ inverse


derivative(f"{_L}cholesky", f"{_L}cholesky_ex", A=_cholesky)
derivative("torch.cholesky", input=_cholesky)

# -- decompositions --------------------------------------------------------------------------------


def _off_diagonal(values: Any) -> Any:
    """One over the differences of values, 0 on the diagonal."""
    difference = values.unsqueeze(-2) - values.unsqueeze(-1)
    on = call("torch.eye", values.shape[-1], dtype=values.dtype, device=values.device).bool()
    return call("torch.where", on, 0.0, 1.0 / difference.masked_fill(on, 1))


def _is_unused(grad: Any) -> bool:
    """Whether a gradient is that of a result that was not used.

    Equal eigenvalues have a gradient, their vectors have none: 0 times infinity must not be added.
    """
    return not grad.requires_grad and not bool((grad != 0).any())


def _require_no_phase(phases: Any, op: str) -> None:
    """Raise RuntimeError if a gradient depends on the phases of complex vectors, which are free."""
    if bool((phases.detach().abs() > 1e-2).any()):
        raise RuntimeError(
            f"the vectors of {op} are free up to a phase each, and this loss depends on it: it has "
            "no gradient"
        )


def _hermitian(grads: Any, results: Any) -> Any:
    values, vectors = results
    back = transposed(vectors)
    inner = call("torch.diag_embed", grads[0]).to(dtype=vectors.dtype)
    if not _is_unused(grads[1]):
        product = back @ grads[1]
        if product.is_complex():
            _require_no_phase(product.diagonal(0, -2, -1).imag, f"{_L}eigh")
        inner = inner + product * _off_diagonal(values)
    whole = vectors @ inner @ back
    return (whole + transposed(whole)) * 0.5


derivative(f"{_L}eigh", A=_hermitian)


@composite(f"{_L}eigvalsh")
def eigvalsh(A: Any, UPLO: Any) -> Any:
    """The values of `eigh`."""
    return call(f"{_L}eigh", A, UPLO)[0]


def _general(grads: Any, results: Any) -> Any:
    values, vectors = results
    back = transposed(vectors)
    inner = call("torch.diag_embed", grads[0])
    if not _is_unused(grads[1]):
        product = back @ grads[1]
        _require_no_phase(product.diagonal(0, -2, -1).imag, f"{_L}eig")
        # Vectors have length 1, and any phase: what changes those does not count.
        own = (back @ vectors) * product.diagonal(0, -2, -1).real.unsqueeze(-2)
        of_vectors = (product - own) / _differences(values)
        inner = inner + call("torch.where", _diagonal_mask(values), 0.0, of_vectors)
    return call(f"{_L}solve", back, inner @ back)


def _diagonal_mask(values: Any) -> Any:
    return call("torch.eye", values.shape[-1], device=values.device).bool()


def _differences(values: Any) -> Any:
    difference = conj(values).unsqueeze(-2) - conj(values).unsqueeze(-1)
    return difference.masked_fill(_diagonal_mask(values), 1)


derivative(f"{_L}eig", A=_general)


@composite(f"{_L}eigvals")
def eigvals(A: Any) -> Any:
    """The values of `eig`."""
    return call(f"{_L}eig", A)[0]


def _singular(grads: Any, left: Any, values: Any, right: Any) -> Any:
    """The gradient of the reduced decomposition `left @ diag(values) @ right`."""
    of_left, of_values, of_right = grads
    inner = call("torch.diag_embed", of_values).to(dtype=left.dtype)
    if _is_unused(of_left) and _is_unused(of_right):
        return left @ inner @ right
    back = transposed(right)
    grad_back = transposed(of_right)
    scale = _off_diagonal(values * values)
    u = transposed(left) @ of_left
    v = transposed(back) @ grad_back
    row = values.unsqueeze(-2)
    inner = inner + ((u - transposed(u)) * scale * row)
    inner = inner + values.unsqueeze(-1) * ((v - transposed(v)) * scale)
    if u.is_complex():
        phase = u.diagonal(0, -2, -1).imag
        _require_no_phase(phase + v.diagonal(0, -2, -1).imag, f"{_L}svd")
        inner = inner + call("torch.diag_embed", phase * 1j / values)
    whole = left @ inner @ right
    if left.shape[-2] > left.shape[-1]:
        rest = of_left / row
        whole = whole + (rest - left @ (transposed(left) @ rest)) @ right
    if right.shape[-1] > right.shape[-2]:
        rest = grad_back / row
        whole = whole + left @ transposed(rest - back @ (transposed(back) @ rest))
    return whole


def _svd(grads: Any, results: Any, full_matrices: Any) -> Any:
    left, values, right = results
    if full_matrices:
        number = values.shape[-1]
        left, right = left.narrow(-1, 0, number), right.narrow(-2, 0, number)
        grads = [grads[0].narrow(-1, 0, number), grads[1], grads[2].narrow(-2, 0, number)]
    return _singular(grads, left, values, right)


derivative(f"{_L}svd", A=_svd)


@composite("torch.svd")
def svd(input: Any, some: Any, compute_uv: Any) -> Any:
    """The old form, with the vectors in columns."""
    # Without them, U and V are zeros of the full sizes.
    left, values, right = call(f"{_L}svd", input, not some or compute_uv is False)
    if compute_uv is False:
        return call("torch.zeros_like", left), values, call("torch.zeros_like", right)
    return left, values, transposed(right)


@composite(f"{_L}svdvals")
def svdvals(A: Any) -> Any:
    """The values of `svd`."""
    return call(f"{_L}svd", A, False)[1]


def _low_rank(A: Any, q: Any) -> Any:
    left, values, right = call(f"{_L}svd", A, False)
    number = min(q, values.shape[-1])
    return (
        left.narrow(-1, 0, number),
        values.narrow(-1, 0, number),
        transposed(right).narrow(-1, 0, number),
    )


composite("torch.svd_lowrank", function=_low_rank)


@composite("torch.pca_lowrank")
def pca_lowrank(A: Any, q: Any, center: Any) -> Any:
    """The largest singular values, and their vectors, of what differs from the mean."""
    number = min(6, *A.shape[-2:]) if q is None else q
    return _low_rank(A if center is False else A - A.mean(-2, True), number)


def _pseudo(grad: Any, matrix: Any, result: Any) -> Any:
    back, up = transposed(grad), transposed(result)
    if matrix.shape[-2] <= matrix.shape[-1]:
        k = back @ result
        right = k @ up
        return (
            -transposed(result @ k)
            + right
            - (matrix @ result) @ right
            + (up @ result) @ (back - k @ matrix)
        )
    k = result @ back
    left = up @ k
    return (
        -transposed(k @ result)
        + (back - matrix @ k) @ result @ up
        + left
        - (left @ result) @ matrix
    )


derivative(f"{_L}pinv", A=lambda grad, A, result: _pseudo(grad, A, result))
derivative("torch.pinverse", input=lambda grad, input, result: _pseudo(grad, input, result))


@composite(f"{_L}cond")
def cond(A: Any, p: Any) -> Any:
    """The norm times that of the inverse, or the quotient of singular values."""
    if p is None or p in (2, -2):
        values = call(f"{_L}svdvals", A)
        largest, smallest = values.select(-1, 0), values.select(-1, -1)
        return smallest / largest if p == -2 else largest / smallest
    inverse = call(f"{_L}inv", A)
    return call(f"{_L}matrix_norm", A, p) * call(f"{_L}matrix_norm", inverse, p)


def _exponential(grad: Any, matrix: Any) -> Any:
    """The corner of the exponential of a matrix of blocks."""
    back = transposed(matrix)
    size = back.shape[-1]
    zero = call("torch.zeros_like", back)
    top = call("torch.cat", [back, grad], -1)
    bottom = call("torch.cat", [zero, back], -1)
    whole = call(f"{_L}matrix_exp", call("torch.cat", [top, bottom], -2))
    return whole.narrow(-2, 0, size).narrow(-1, size, size)


derivative(f"{_L}matrix_exp", A=lambda grad, A: _exponential(grad, A))
derivative("torch.matrix_exp", input=lambda grad, input: _exponential(grad, input))


def _power(matrix: Any, n: int) -> Any:
    if n < 0:
        return _power(call(f"{_L}inv", matrix), -n)
    product = None
    while n:
        if n & 1:
            product = matrix if product is None else product @ matrix
        n >>= 1
        matrix = matrix @ matrix if n else matrix
    if product is None:
        unit = call("torch.eye", matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
        return unit + matrix * 0
    return product


@composite(f"{_L}matrix_power")
def matrix_power(A: Any, n: Any) -> Any:
    """Products of a matrix with itself."""
    return _power(A, n)


@composite("torch.matrix_power")
def old_matrix_power(input: Any, n: Any) -> Any:
    """Products of a matrix with itself."""
    return _power(input, n)


@composite(f"{_L}tensorinv")
def tensorinv(A: Any, ind: Any) -> Any:
    """The inverse of the matrix that the dims make."""
    rows, columns = list(A.shape[:ind]), list(A.shape[ind:])
    return call(f"{_L}inv", A.reshape(prod(rows), -1)).reshape(columns + rows)


@composite(f"{_L}tensorsolve")
def tensorsolve(A: Any, B: Any, dims: Any) -> Any:
    """The solution for the matrix that the dims make."""
    if dims is not None:
        last = [d % A.ndim for d in ([dims] if isinstance(dims, int) else dims)]
        A = A.permute([d for d in range(A.ndim) if d not in last] + last)
    sizes = list(A.shape[B.ndim :])
    return call(f"{_L}solve", A.reshape(B.numel(), -1), B.reshape(-1)).reshape(sizes)


@composite(f"{_L}vander")
def vander(x: Any, N: Any) -> Any:
    """Powers from 0 on."""
    number = x.shape[-1] if N is None else N
    return _stacked([x**k for k in range(number)], x)


@composite("torch.vander")
def old_vander(x: Any, N: Any, increasing: Any) -> Any:
    """Powers, the highest first unless they increase."""
    number = x.shape[-1] if N is None else N
    powers = list(range(number)) if increasing else list(range(number))[::-1]
    return _stacked([x**k for k in powers], x)


def _stacked(columns: list[Any], x: Any) -> Any:
    if not columns:
        return x.unsqueeze(-1).narrow(-1, 0, 0) * 1
    return call("torch.stack", columns, -1)
