"""Factors of matrices, L and U, Q and R, reflections, and solutions by them."""

from __future__ import annotations

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.derivatives.contract import transposed
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_L = "torch.linalg."


def _divided(matrix: Any, triangle: Any, upper: bool, left: bool, unit: bool = False) -> Any:
    """A matrix times the inverse of a triangle, which is on the left or on the right."""
    return call(
        f"{_L}solve_triangular", triangle, matrix, upper=upper, left=left, unitriangular=unit
    )


# -- L and U ---------------------------------------------------------------------------------------


def _of_factors(grads: Any, P: Any, L: Any, U: Any) -> Any:
    """The gradient of the matrix `P @ L @ U` from those of L and U.

    What is beyond the square part of L or U is a solution with the other's square part.
    """
    of_low, of_high = grads
    least = L.shape[-1]
    low, low_rest = L.narrow(-2, 0, least), L.narrow(-2, least, L.shape[-2] - least)
    high, high_rest = U.narrow(-1, 0, least), U.narrow(-1, least, U.shape[-1] - least)
    of_low_rest = of_low.narrow(-2, least, low_rest.shape[-2])
    of_high_rest = of_high.narrow(-1, least, high_rest.shape[-1])
    below = transposed(low) @ of_low.narrow(-2, 0, least) - of_high_rest @ transposed(high_rest)
    above = of_high.narrow(-1, 0, least) @ transposed(high) - transposed(low_rest) @ of_low_rest
    inner = call("torch.tril", below, -1) + call("torch.triu", above)
    whole = _divided(inner, transposed(high), False, False)
    whole = call("torch.cat", [whole, of_high_rest], -1)
    whole = _divided(whole, transposed(low), True, True, True)
    rest = _divided(of_low_rest, transposed(high), False, False)
    missing = call("torch.zeros_like", low_rest @ high_rest)
    return P @ call("torch.cat", [whole, call("torch.cat", [rest, missing], -1)], -2)


def _of_packed(grads: Any, results: Any) -> Any:
    """The gradient of a matrix from that of L and U in one."""
    packed, pivots = results[:2]
    least = min(packed.shape[-2:])
    of_low = call("torch.tril", grads[0].narrow(-1, 0, least), -1)
    of_high = call("torch.triu", grads[0].narrow(-2, 0, least))
    return _of_factors((of_low, of_high), *call("torch.lu_unpack", packed, pivots))


derivative(f"{_L}lu", A=lambda grads, results: _of_factors(grads[1:], *results))
derivative(f"{_L}lu_factor", f"{_L}lu_factor_ex", name="LinalgLuFactorEx", A=_of_packed)
derivative("torch.lu", name="LinalgLuFactorEx", A=_of_packed)


def _packed(grads: Any, form: Any, unpack_data: Any) -> Any:
    """The gradient of L and U in one, from those of both."""
    if unpack_data is False:
        return call("torch.zeros", form.sizes, dtype=form.dtype, device=form.device)
    rows, columns = form.sizes[-2:]
    below, above = call("torch.tril", grads[1], -1), call("torch.triu", grads[2])
    pads = [0, columns - below.shape[-1]], [0, 0, 0, rows - above.shape[-2]]
    return call("torch.constant_pad_nd", below, pads[0]) + call(
        "torch.constant_pad_nd", above, pads[1]
    )


derivative("torch.lu_unpack", LU_data=_packed)


def _solved(LU: Any, pivots: Any, B: Any, left: Any = True, adjoint: Any = False) -> Any:
    """The X of `A X = B`, or of `X A = B`, for `A = P L U`, or for its adjoint."""
    if left is False:
        # X A = B is A' X' = B'.
        return transposed(_solved(LU, pivots, transposed(B), True, not adjoint))
    permutation, low, high = call("torch.lu_unpack", LU, pivots)
    if adjoint:
        first = _divided(B, transposed(high), False, True)
        return permutation @ _divided(first, transposed(low), True, True, True)
    first = _divided(permutation.transpose(-2, -1) @ B, low, False, True, True)
    return _divided(first, high, True, True)


composite(
    f"{_L}lu_solve",
    function=lambda LU, pivots, B, left, adjoint: _solved(LU, pivots, B, left, adjoint),
)
composite(
    "torch.lu_solve",
    function=lambda input, LU_data, LU_pivots: _solved(LU_data, LU_pivots, input),
)

# -- Q and R ---------------------------------------------------------------------------------------


def _orthogonal(grads: Any, A: Any, results: Any) -> Any:
    """The gradient of a matrix from those of Q and R; a wide one begins with a square one."""
    q, r = results
    of_q, of_r = grads
    if q.ndim < 2:
        raise NotImplementedError("qr(mode='r') has no derivative: use mode='reduced'")
    columns = A.shape[-1]
    if q.shape[-1] > columns:
        raise NotImplementedError(
            "qr(mode='complete') of a tall matrix has no derivative: use mode='reduced'"
        )
    least = q.shape[-1]
    of_rest = of_r.narrow(-1, least, columns - least)
    of_q = of_q + A.narrow(-1, least, columns - least) @ transposed(of_rest)
    of_r, r = of_r.narrow(-1, 0, least), r.narrow(-1, 0, least)
    inner = r @ transposed(of_r) - transposed(of_q) @ q
    lower = call("torch.tril", inner, -1)
    middle = lower + transposed(lower)
    middle = middle + call("torch.diag_embed", inner.diagonal(0, -2, -1).real.to(dtype=q.dtype))
    first = _divided(of_q + q @ middle, transposed(r), False, False)
    return call("torch.cat", [first, q @ of_rest], -1)


derivative(f"{_L}qr", A=_orthogonal)
derivative(
    "torch.qr",
    name="LinalgQr",
    input=lambda grads, input, results: _orthogonal(grads, input, results),
)


def _reflectors(a: Any, tau: Any) -> Iterator[tuple[Any, Any]]:
    """The vector of each reflection as a column, and its factor."""
    rows = a.shape[-2]
    for place in range(tau.shape[-1]):
        column = a.narrow(-1, place, 1)
        one = call("torch.ones_like", column.narrow(-2, 0, 1).detach())
        parts = [
            call("torch.zeros_like", column.narrow(-2, 0, place).detach()),
            one,
            column.narrow(-2, place + 1, rows - place - 1),
        ]
        yield call("torch.cat", parts, -2), tau.narrow(-1, place, 1).unsqueeze(-1)


def _reflected(a: Any, tau: Any, other: Any, left: Any = True, transpose: Any = False) -> Any:
    """The product of reflections, or its adjoint, with a matrix on the right or on the left."""
    reflections = list(_reflectors(a, tau))
    left, transpose = left is not False, bool(transpose)
    for vector, factor in reflections if left == transpose else reversed(reflections):
        factor = transposed(factor) if transpose else factor
        if left:
            other = other - factor * (vector @ (transposed(vector) @ other))
        else:
            other = other - factor * ((other @ vector) @ transposed(vector))
    return other


def _first_columns(a: Any, tau: Any) -> Any:
    rows, columns = a.shape[-2:]
    unit = call("torch.eye", rows, columns, dtype=a.dtype, device=a.device)
    return _reflected(a, tau, unit.expand(a.shape))


composite(f"{_L}householder_product", function=lambda A, tau: _first_columns(A, tau))
composite("torch.orgqr", function=lambda input, input2: _first_columns(input, input2))
composite(
    "torch.ormqr",
    function=lambda input, input2, input3, left, transpose: _reflected(
        input, input2, input3, left, transpose
    ),
)

# -- solutions that come nearest -------------------------------------------------------------------


@composite(f"{_L}lstsq")
def lstsq(A: Any, B: Any, rcond: Any, driver: Any) -> Any:
    """By the pseudoinverse; residuals and singular values are there if the op returns them."""
    parts = call(f"{_L}lstsq", A.detach(), B.detach(), rcond, driver=driver)
    is_vector = B.ndim == A.ndim - 1
    right = B.unsqueeze(-1) if is_vector else B
    solution = call(f"{_L}pinv", A, rtol=rcond) @ right
    residuals, values = parts[1], parts[3]
    if residuals.numel():
        residuals = (A @ solution - right).abs().square().sum(-2)
    if values.numel():
        values = call(f"{_L}svdvals", A)
    return solution.squeeze(-1) if is_vector else solution, residuals, parts[2], values
