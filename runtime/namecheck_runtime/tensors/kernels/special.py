"""Kernels of special functions.

NumPy has few of them.  These kernels use series, recurrences and continued fractions in float64,
and reach at least the precision of float32.  Formulas that are not in every textbook have a source;
AS is Abramowitz and Stegun, Handbook of Mathematical Functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.pointwise import digamma, lgamma, with_floats

Array = Any

# -- gamma -----------------------------------------------------------------------------------------


def _lower_gamma(a: float, x: float) -> float:
    """P(a, x), the regularized lower incomplete gamma function.  AS 6.5.29, 6.5.31."""
    if math.isnan(a) or math.isnan(x) or a < 0 or x < 0:
        return math.nan
    if a == 0:
        return math.nan if x == 0 else 1.0
    if x == 0:
        return 0.0
    if math.isinf(a):
        return math.nan if math.isinf(x) else 0.0
    if math.isinf(x):
        return 1.0
    if x > a + 1:
        return 1 - _upper_fraction(a, x)
    term = total = 1 / a
    for n in range(1, 10000):
        term *= x / (a + n)
        total += term
        if abs(term) < abs(total) * 1e-17:
            break
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))


def _upper_gamma(a: float, x: float) -> float:
    """Q(a, x) = 1 - P(a, x)."""
    below = _lower_gamma(a, x)
    if math.isnan(below) or not 0 < a < math.inf or not a + 1 < x < math.inf:
        return 1 - below
    return _upper_fraction(a, x)


def _upper_fraction(a: float, x: float) -> float:
    """Q(a, x) by Lentz's continued fraction, for x > a + 1."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    output = d
    for n in range(1, 10000):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        output *= d * c
        if abs(d * c - 1) < 1e-16:
            break
    return output * math.exp(a * math.log(x) - x - math.lgamma(a))


_BERNOULLI: Final = (
    *(1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798),
)


def _zeta(s: float, q: float) -> float:
    """Hurwitz's zeta function, by the Euler-Maclaurin formula.  AS 23.1.30."""
    if math.isnan(s) or math.isnan(q) or s < 1:
        return math.nan
    if s == 1:
        return math.inf
    if q <= 0:
        if q == math.floor(q):
            return math.inf
        if s != math.floor(s):
            return math.nan
    begin = 12
    total: float = 0.0
    for k in range(begin):
        total += (q + k) ** -s
    while q + begin <= 1:
        total += (q + begin) ** -s
        begin += 1
    w = q + begin
    total += w ** (1 - s) / (s - 1) + 0.5 * w**-s
    rising = s
    for k, b in enumerate(_BERNOULLI, 1):
        total += b / math.factorial(2 * k) * rising * w ** (-s - 2 * k + 1)
        rising *= (s + 2 * k - 1) * (s + 2 * k)
    return total


def _polygamma(n: Any, input: Array) -> Array:
    """The n-th derivative of digamma."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(input)
    sign = 1.0 if n % 2 else -1.0
    return sign * math.factorial(n) * _pair(_zeta)(np.float64(n + 1), input)


def _mvlgamma(input: Array, p: int) -> Array:
    total: Any = p * (p - 1) / 4 * math.log(math.pi)
    for k in range(p):
        total = total + lgamma(input - k / 2)
    return total


# -- normal distribution ---------------------------------------------------------------------------


def _ndtr(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _erfcx(x: float) -> float:
    """exp(x * x) * erfc(x), by its continued fraction for large x.  AS 7.1.14."""
    if math.isnan(x):
        return x
    if x < 25:
        return math.inf if x < -26.7 else math.exp(x * x) * math.erfc(x)
    output = x
    for k in range(30, 0, -1):
        output = x + (k / 2) / output
    return 1 / (output * math.sqrt(math.pi))


def _log_ndtr(x: float) -> float:
    if x < -1:
        return math.log(_erfcx(-x / math.sqrt(2)) / 2) - x * x / 2 if x > -math.inf else -math.inf
    return math.log1p(-0.5 * math.erfc(x / math.sqrt(2)))


def _ndtri(p: float) -> float:
    """The inverse of `_ndtr`, by Newton steps on its logarithm."""
    if not 0 <= p <= 1:
        return math.nan
    if p in (0, 1):
        return math.copysign(math.inf, p - 0.5)
    if p > 0.5:
        return -_ndtri(1 - p)
    # The first value is from AS 26.2.23.
    t = math.sqrt(-2 * math.log(p))
    x = -(
        t
        - (2.515517 + 0.802853 * t + 0.010328 * t * t)
        / (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t**3)
    )
    for _ in range(4):
        below = _ndtr(x)
        slope = math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        x -= (math.log(below) - math.log(p)) * below / slope
    return x


@with_floats
def _entr(x: Array) -> Array:
    return np.where(x > 0, -x * np.log(x), np.where(x == 0, 0, np.where(np.isnan(x), x, -np.inf)))


@with_floats
def _xlog1py(x: Array, y: Array) -> Array:
    return np.where((x == 0) & ~np.isnan(y), 0, x * np.log1p(y))


# -- Bessel functions ------------------------------------------------------------------------------


def _integral(
    kernel: Callable[[Array, float], Array], low: float, high: float
) -> Callable[[float], float]:
    """A function of x as an integral over t, by Gauss-Legendre quadrature in pieces."""

    def compute(x: float) -> float:
        if not math.isfinite(x):
            return math.nan if math.isnan(x) else 0.0
        t, weights = _in_pieces(low, high, 8 + int(abs(x) / 4) if abs(x) < 4000 else 1000)
        return float((kernel(t, x) * weights).sum())

    return compute


@cache
def _nodes() -> tuple[Array, Array]:
    """The nodes between -1 and 1 of one piece, and their weights."""
    places, weights = np.polynomial.legendre.leggauss(24)
    return places, weights


def _in_pieces(low: float, high: float, pieces: int) -> tuple[Array, Array]:
    """The nodes and weights of Gauss-Legendre quadrature in pieces."""
    edges = np.linspace(low, high, pieces + 1)
    half = (edges[1:] - edges[:-1])[:, None] / 2
    places, weights = _nodes()
    return edges[:-1, None] + half * (1 + places), half * weights


def _j(order: float) -> Callable[[float], float]:
    """Bessel's integral, which is the Bessel function for a whole order.  AS 9.1.21."""
    return _integral(lambda t, x: np.cos(order * t - x * np.sin(t)) / math.pi, 0, math.pi)


def _y(order: int) -> Callable[[float], float]:
    """The Bessel function of the second kind.  AS 9.1.22, with the second integral truncated."""
    near = _integral(lambda t, x: np.sin(x * np.sin(t) - order * t) / math.pi, 0, math.pi)

    def compute(x: float) -> float:
        if x <= 0 or math.isnan(x):
            return -math.inf if x == 0 else math.nan
        if math.isinf(x):
            return 0.0
        end = math.asinh(750 / x)

        def tail(t: Array, x: float) -> Array:
            both = np.exp(order * t) + np.exp(-order * t) * math.cos(order * math.pi)
            return both * np.exp(-x * np.sinh(t)) / math.pi

        t, weights = _in_pieces(0, end, 64)
        return near(x) - float((tail(t, x) * weights).sum())

    return compute


def _scaled_i(order: int) -> Callable[[float], float]:
    """exp(-|x|) * I(x).  AS 9.6.19."""

    def kernel(t: Array, x: float) -> Array:
        return np.exp(abs(x) * (np.cos(t) - 1)) * np.cos(order * t) / math.pi

    inside = _integral(kernel, 0, math.pi)

    def compute(x: float) -> float:
        return float(math.copysign(1, x) ** order) * inside(x)

    return compute


def _unscaled_i(order: int) -> Callable[[float], float]:
    scaled = _scaled_i(order)

    def compute(x: float) -> float:
        if math.isinf(x) or abs(x) > 713:
            return math.copysign(math.inf, x) if order else math.inf
        return scaled(x) * math.exp(abs(x))

    return compute


def _scaled_k(order: float) -> Callable[[float], float]:
    """exp(x) * K(x).  AS 9.6.24."""

    def compute(x: float) -> float:
        if x <= 0 or math.isnan(x):
            return math.inf if x == 0 else math.nan
        if math.isinf(x):
            return 0.0
        t, weights = _in_pieces(0, math.acosh(1 + 750 / x), 64)
        weighed = np.exp(-x * (np.cosh(t) - 1)) * np.cosh(order * t)
        return float((weighed * weights).sum())

    return compute


def _unscaled_k(order: float) -> Callable[[float], float]:
    scaled = _scaled_k(order)
    return lambda x: scaled(x) * math.exp(-x) if x > 0 else scaled(x)


@with_floats
def _spherical_j0(x: Array) -> Array:
    return np.where(np.isinf(x), 0, np.sinc(x / math.pi))


def _airy(x: float) -> float:
    """Ai(x); NaN at both infinities, as in PyTorch.  AS 10.4.14, 10.4.15, 10.4.60."""
    if not math.isfinite(x):
        return math.nan
    z = abs(x)
    zeta = 2 / 3 * z * math.sqrt(z)
    if not zeta:
        return 1 / (math.cbrt(9) * math.gamma(2 / 3))
    if x > 0:
        return math.sqrt(z / 3) / math.pi * _unscaled_k(1 / 3)(zeta)
    if zeta > 18:
        return _airy_far(z, zeta)
    # J(1/3) + J(-1/3): beyond the integrals over half a turn, all cancels except for this tail.
    end = math.asinh(750 / zeta)
    t, weights = _in_pieces(0, end, 64)
    tail = 2 * np.sinh(t / 3) * np.exp(-zeta * np.sinh(t)) * weights
    turns = _j(1 / 3)(zeta) + _j(-1 / 3)(zeta)
    return math.sqrt(z) / 3 * (turns + math.sin(math.pi / 3) / math.pi * float(tail.sum()))


def _airy_far(z: float, zeta: float) -> float:
    """Ai(-z) by its asymptotic series in zeta, whose first 2 * zeta or so terms shrink."""
    sums, term = [0.0, 0.0], 1.0
    for k in range(min(int(2 * zeta), 60)):
        sums[k % 2] += term * (-1) ** (k // 2)
        term *= (6 * k + 1) * (6 * k + 3) * (6 * k + 5) / (216 * (k + 1) * (2 * k + 1)) / zeta
        if term < 1e-17:
            break
    turned = zeta + math.pi / 4
    wave = math.sin(turned) * sums[0] - math.cos(turned) * sums[1]
    return wave / (math.sqrt(math.pi * math.sqrt(z)))


# -- polynomials -----------------------------------------------------------------------------------


def _polynomial(
    first: Callable[[Array], Array], step: Callable[[int, Array, Array, Array], Array]
) -> Callable[..., Array]:
    """A family of polynomials by its recurrence: degree 0 is 1, degree 1 is `first`, the next is
    `step(k, x, p_k, p_(k-1))`, and a negative degree is 0.
    """

    @with_floats
    def compute(input: Any, n: Any) -> Array:
        x, degree = np.broadcast_arrays(with_floats(np.asarray)(input), np.trunc(n))
        degree = np.where(np.isfinite(degree), degree, -1)
        output = np.where(degree < 0, 0, np.ones_like(x))
        before, last = np.ones_like(x), first(x)
        most = int(degree.max(initial=0))
        for k in range(1, most + 1):
            output = np.where(degree == k, last, output)
            before, last = last, step(k, x, last, before)
        return output

    return compute


def _chebyshev(first: Callable[[Array], Array]) -> Callable[..., Array]:
    return _polynomial(first, lambda k, x, p, q: 2 * x * p - q)


def _of_shifted(family: Callable[..., Array]) -> Callable[..., Array]:
    return with_floats(lambda input, n: family(2 * np.asarray(input) - 1, n))


_CHEBYSHEV: Final = {
    "t": _chebyshev(lambda x: x),
    "u": _chebyshev(lambda x: 2 * x),
    "v": _chebyshev(lambda x: 2 * x - 1),
    "w": _chebyshev(lambda x: 2 * x + 1),
}
_FAMILIES: Final = {
    **{f"chebyshev_polynomial_{kind}": family for kind, family in _CHEBYSHEV.items()},
    **{
        f"shifted_chebyshev_polynomial_{kind}": _of_shifted(family)
        for kind, family in _CHEBYSHEV.items()
    },
    "hermite_polynomial_h": _polynomial(lambda x: 2 * x, lambda k, x, p, q: 2 * x * p - 2 * k * q),
    "hermite_polynomial_he": _polynomial(lambda x: x, lambda k, x, p, q: x * p - k * q),
    "laguerre_polynomial_l": _polynomial(
        lambda x: 1 - x, lambda k, x, p, q: ((2 * k + 1 - x) * p - k * q) / (k + 1)
    ),
    "legendre_polynomial_p": _polynomial(
        lambda x: x, lambda k, x, p, q: ((2 * k + 1) * x * p - k * q) / (k + 1)
    ),
}


# -- by element ------------------------------------------------------------------------------------


def _single(function: Callable[[float], float]) -> Callable[[Array], Array]:
    def safe(x: float) -> float:
        try:
            return function(float(x))
        except (OverflowError, ZeroDivisionError):
            return math.inf

    each = np.vectorize(safe, otypes=[np.float64])
    return lambda x: each(x) if np.size(x) else np.asarray(x)


def _pair(function: Callable[[float, float], float]) -> Callable[[Any, Any], Array]:
    def safe(a: float, b: float) -> float:
        try:
            return function(float(a), float(b))
        except (OverflowError, ZeroDivisionError):
            return math.inf

    each = np.vectorize(safe, otypes=[np.float64])

    def compute(a: Any, b: Any) -> Array:
        left, right = np.broadcast_arrays(a, b)
        return each(left, right) if left.size else np.zeros(left.shape)

    return compute


_SINGLE: Final = {
    "airy_ai": _airy,
    "bessel_j0": _j(0),
    "bessel_j1": _j(1),
    "bessel_y0": _y(0),
    "bessel_y1": _y(1),
    "i0e": _scaled_i(0),
    "i1e": _scaled_i(1),
    "i1": _unscaled_i(1),
    "modified_bessel_i0": _unscaled_i(0),
    "modified_bessel_i1": _unscaled_i(1),
    "modified_bessel_k0": _unscaled_k(0),
    "modified_bessel_k1": _unscaled_k(1),
    "scaled_modified_bessel_k0": _scaled_k(0),
    "scaled_modified_bessel_k1": _scaled_k(1),
    "erfcx": _erfcx,
    "log_ndtr": _log_ndtr,
    "ndtr": _ndtr,
    "ndtri": _ndtri,
}
_S = "torch.special."

KERNELS: Final[dict[str, Kernel]] = {
    **{
        f"{_S}{name}": Kernel(_single(function), None, result.floating)
        for name, function in _SINGLE.items()
    },
    **{f"{_S}{name}": Kernel(family, None, result.floating) for name, family in _FAMILIES.items()},
    f"{_S}entr": Kernel(_entr, None, result.floating),
    f"{_S}xlog1py": Kernel(_xlog1py, None, result.floating),
    f"{_S}spherical_bessel_j0": Kernel(_spherical_j0, None, result.floating),
    f"{_S}zeta": Kernel(_pair(_zeta), None, result.floating),
    "torch.igamma": Kernel(_pair(_lower_gamma), None, result.floating),
    "torch.igammac": Kernel(_pair(_upper_gamma), None, result.floating),
    "torch.polygamma": Kernel(_polygamma, ("n", "input"), result.floating),
    "Tensor.polygamma": Kernel(lambda n, self: _polygamma(n, self), ("n", "self"), result.floating),
    "torch.mvlgamma": Kernel(_mvlgamma, ("input", "p"), result.floating),
}
"""By the op's name."""
