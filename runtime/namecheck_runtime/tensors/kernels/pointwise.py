"""Kernels that work element by element."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.copies import written
from namecheck_runtime.tensors.values import dtypes, promotion

Array = Any


def wide(x: Array) -> Array:
    """The array as float32 if it holds half floats, so that sums are exact enough."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _float(x: Any) -> Any:
    if isinstance(x, np.ndarray) and x.dtype.kind in "biu":
        return x.astype(dtypes.get_default_dtype().computing.numpy)
    return x


def with_floats(function: Callable[..., Array]) -> Callable[..., Array]:
    """A function of floats that takes whole numbers, too."""

    @functools.wraps(function)
    def compute(*operands: Any, **options: Any) -> Array:
        named = {name: _float(value) for name, value in options.items()}
        return function(*map(_float, operands), **named)

    return compute


def _vectorized(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of Python floats, applied to every element."""
    each = np.vectorize(function, otypes=[np.float64])

    def compute(x: Array) -> Array:
        x = np.asarray(x)
        return each(x).astype(x.dtype) if x.size else np.asarray(x)

    return compute


def fast(name: str, otherwise: Callable[[float], float]) -> Callable[[Array], Array]:
    """SciPy's ufunc of a name where SciPy is installed, else a function of Python floats."""
    slow = _vectorized(otherwise)

    def compute(x: Array) -> Array:
        ufunc = _scipy(name)
        x = np.asarray(x)
        return slow(x) if ufunc is None else np.asarray(ufunc(x)).astype(x.dtype, copy=False)

    return compute


@functools.cache
def _scipy(name: str) -> Any:
    """A function of `scipy.special`; None without SciPy."""
    try:  # now, not before: its import takes longer than all of ours
        return getattr(importlib.import_module("scipy.special"), name)
    except ImportError:
        return None


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):
        return math.inf


def _digamma(x: float) -> float:
    """By the recurrence up to 12, then the asymptotic series.  Source: Abramowitz, Stegun 6.3."""
    if x == 0:
        return math.copysign(math.inf, -x)
    if math.isinf(x):
        return x if x > 0 else math.nan
    if x < 0 and x == math.floor(x):
        return math.nan
    if x < 0:
        return _digamma(1 - x) - math.pi / math.tan(math.pi * x)
    result = 0.0
    while x < 12:
        result -= 1 / x
        x += 1
    f = 1 / (x * x)
    series = f * (1 / 12 - f * (1 / 120 - f * (1 / 252 - f * (1 / 240 - f * (1 / 132)))))
    return result + math.log(x) - 0.5 / x - series


def _erfinv(y: float) -> float:
    """By Newton steps from Winitzki's approximation."""
    if abs(y) >= 1:
        return math.copysign(math.inf, y) if abs(y) == 1 else math.nan
    if y == 0:
        return y
    a = 0.147
    log = math.log1p(-y * y)
    first = 2 / (math.pi * a) + log / 2
    x = math.copysign(math.sqrt(math.sqrt(first * first - log / a) - first), y)
    for _ in range(3):
        x -= (math.erf(x) - y) / (2 / math.sqrt(math.pi) * math.exp(-x * x))
    return x


_gammaln: Final = fast("gammaln", _lgamma)
digamma: Final = fast("psi", _digamma)
_ERF: Final = fast("erf", math.erf)


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x)), without overflow."""
    if np.iscomplexobj(x):
        return 1 / (1 + np.exp(-x))
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def _relu(x: Array) -> Array:
    return np.maximum(x, _zero(x.dtype))


@functools.cache
def _zero(of: Any) -> Array:
    """0 in a dtype; a Python number would cost NumPy more than the comparison."""
    return np.zeros((), of)


def _true_divide(
    input: Array, other: Array, rounding_mode: str | None = None, out: Array | None = None
) -> Array:
    if rounding_mode is None:
        return np.true_divide(input, other, out)
    if rounding_mode == "floor":
        output = _floor_divide(input, other)
        return output if out is None else written(out, output)
    if rounding_mode == "trunc":
        if np.asarray(input).dtype.kind == np.asarray(other).dtype.kind == "f":
            output = np.trunc(np.true_divide(input, other))
        else:
            # The remainder has the sign of the input, so that the rest divides without rounding.
            output = np.floor_divide(input - _fmod(input, other), other)
        return output if out is None else written(out, output)
    raise RuntimeError(
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
        f"'{rounding_mode}'"
    )


def _of_whole(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """A division with a remainder, which refuses whole numbers divided by 0."""

    def compute(input: Array, other: Array) -> Array:
        are_whole = np.asarray(input).dtype.kind in "biu" and np.asarray(other).dtype.kind in "biu"
        if are_whole and np.size(input) and not np.all(other):
            raise RuntimeError("ZeroDivisionError")
        return function(input, other)

    return compute


_floor_divide: Final = _of_whole(np.floor_divide)
_fmod: Final = _of_whole(np.fmod)


def _divided(call: Call) -> Any:
    """The dtype of a division: floats for whole numbers, unless they are rounded."""
    common = call.common()
    return common if call.values.get("rounding_mode") is not None else promotion.floating(common)


def _scaled(compute: Callable[..., Array]) -> Callable[..., Array]:
    """`add` and `sub`, which may scale their second operand."""

    def scaled(input: Array, other: Array, alpha: Any = 1, out: Array | None = None) -> Array:
        if alpha is not None and alpha != 1:
            other = np.multiply(other, alpha, dtype=getattr(input, "dtype", None))
        return compute(input, other, out)

    return scaled


def _sub(input: Array, other: Array, out: Array | None = None) -> Array:
    if np.asarray(input).dtype == bool and np.asarray(other).dtype == bool:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead."
        )
    return np.subtract(input, other, out)


def _power(base: Array, exponent: Array) -> Array:
    """A power.

    For whole bases, a negative number as exponent is refused; negative elements of an exponent give
    0, except for the bases 1 and -1.
    """
    kinds = [np.asarray(operand).dtype.kind for operand in (base, exponent)]
    if not set(kinds) <= set("biu") or not np.any(np.asarray(exponent) < 0):
        return np.power(base, exponent)
    if not isinstance(exponent, np.ndarray):
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    sign = np.where(base == 1, 1, np.where(base == -1, np.where(exponent % 2 == 0, 1, -1), 0))
    return np.where(exponent < 0, sign, np.power(base, np.maximum(exponent, 0)))


def _neg(x: Array) -> Array:
    if x.dtype == bool:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` or `logical_not()` operator instead."
        )
    return np.negative(x)


def _sign(x: Array) -> Array:
    """-1, 0 or 1, with 0 for NaN; of complex numbers the direction."""
    if x.dtype.kind in "bc":
        return x if x.dtype == bool else np.sign(x)
    return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


def _angle(x: Array) -> Array:
    if x.dtype.kind == "c":
        return np.angle(x)
    return np.where(np.isnan(x), x, np.where(x < 0, math.pi, 0.0))


def _heaviside(input: Array, values: Array) -> Array:
    """The step function with `values` at 0; at NaN it is 0."""
    return np.where(input == 0, values, input > 0)


def logaddexp(a: Array, b: Array) -> Array:
    """log(exp(a) + exp(b)) without overflow, also for complex numbers."""
    if not np.iscomplexobj(a) and not np.iscomplexobj(b):
        return np.logaddexp(a, b)
    low: Any = np.where(a.real < b.real, a, b)
    high: Any = np.where(a.real < b.real, b, a)
    return high + np.log1p(np.exp(low - high))


def _reciprocal(x: Array) -> Array:
    return np.true_divide(1, x)


def _round(input: Array, decimals: int | None = 0) -> Array:
    return np.round(input, decimals or 0)


def _frac(x: Array) -> Array:
    return x - np.trunc(x)


def _clamp(input: Array, min: Any = None, max: Any = None) -> Array:
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    # An int is converted first, as in C: -1 becomes the largest byte.
    low, high = (
        np.asarray(bound).astype(input.dtype) if type(bound) is int else bound
        for bound in (min, max)
    )
    output = input if min is None else np.maximum(input, low)
    return output if max is None else np.minimum(output, high)


def _logit(input: Array, eps: float | None = None) -> Array:
    x = _float(input)
    x = x if eps is None else np.clip(x, eps, 1 - eps)
    return np.log(x / (1 - x))


def _lerp(input: Array, end: Array, weight: Any) -> Array:
    return input + np.asarray(weight, input.dtype) * (end - input)


def _addcmul(input: Array, tensor1: Array, tensor2: Array, value: Any = 1) -> Array:
    return input + (1 if value is None else value) * tensor1 * tensor2


def _addcdiv(input: Array, tensor1: Array, tensor2: Array, value: Any = 1) -> Array:
    return input + (1 if value is None else value) * tensor1 / tensor2


def _isclose(
    input: Array, other: Array, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False
) -> Array:
    return np.isclose(
        input,
        other,
        1e-5 if rtol is None else rtol,
        1e-8 if atol is None else atol,
        bool(equal_nan),
    )


def _xlogy(x: Array, y: Array) -> Array:
    return np.where(x == 0, np.where(np.isnan(y), np.nan, 0), x * np.log(y))


def _gelu(input: Array, approximate: Any = "none") -> Array:
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (input + 0.044715 * input**3)
        return 0.5 * input * (1 + np.tanh(inner))
    return 0.5 * input * (1 + _erf(input / math.sqrt(2)))


def _leaky_relu(input: Array, negative_slope: Any = 0.01) -> Array:
    return np.where(input >= 0, input, input * (0.01 if negative_slope is None else negative_slope))


def _elu(input: Array, alpha: Any = 1.0) -> Array:
    return np.where(input > 0, input, (1.0 if alpha is None else alpha) * np.expm1(input))


def _softplus(input: Array, beta: Any = 1.0, threshold: Any = 20.0) -> Array:
    beta, threshold = (1.0 if beta is None else beta), (20.0 if threshold is None else threshold)
    scaled = input * beta
    return np.where(scaled > threshold, input, np.logaddexp(0, scaled) / beta)


def _silu(x: Array) -> Array:
    return x * sigmoid(x)


def _hardtanh(input: Array, min_val: Any = -1.0, max_val: Any = 1.0) -> Array:
    return np.clip(input, -1.0 if min_val is None else min_val, 1.0 if max_val is None else max_val)


def _threshold(input: Array, threshold: Any, value: Any) -> Array:
    return np.where(input <= threshold, np.asarray(value, input.dtype), input)


_BOOL_DTYPE: Final = np.dtype(bool)


def _where(condition: Array, input: Any = None, other: Any = None) -> Any:
    """The chosen elements; without tensors to choose from, the indices of the true elements."""
    if input is None:
        return np.nonzero(np.atleast_1d(condition))
    condition = np.asarray(condition)  # the condition may be a number
    if condition.dtype is _BOOL_DTYPE:
        return np.where(condition, input, other)
    if condition.dtype not in (bool, np.uint8):
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{result.spoken(condition)}"
        )
    return np.where(np.asarray(condition, bool), input, other)


def _chosen(call: Call) -> Any:
    """The common dtype of the tensors to choose from; the condition does not count."""
    if "input" not in call.values:
        return dtypes.int64
    rest = call._replace(
        operands=tuple(t for t in call.operands if t is not call.values.get("condition"))
    )
    return rest.common()


def _masked_fill(input: Array, mask: Array, value: Any) -> Array:
    if mask.dtype != bool:
        dtype = result.spoken(mask)
        raise RuntimeError(
            f"masked_fill only supports boolean masks, but got mask with dtype {dtype}"
        )
    return np.where(np.asarray(mask, bool), np.asarray(value, input.dtype), input)


def _magnitude(call: Call) -> Any:
    return promotion.real(call.common())


def _shifted(shift: Any, name: str) -> Any:
    """A shift of whole numbers, which refuses bools as PyTorch does; NumPy makes bytes of them."""

    def compute(a: Array, b: Array) -> Array:
        if any(isinstance(operand, np.ndarray) and operand.dtype == bool for operand in (a, b)):
            raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")
        return shift(a, b)

    return compute


def lgamma(x: Array) -> Array:
    """The logarithm of the absolute value of the gamma function."""
    return np.where(x == -np.inf, np.inf, _gammaln(x)).astype(x.dtype)  # SciPy has -inf there


def _erf(x: Array) -> Array:
    return _ERF(x)


_F: Final[dict[str, Any]] = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "cos": np.cos,
    "cosh": np.cosh,
    "deg2rad": np.deg2rad,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "rad2deg": np.rad2deg,
    "reciprocal": _reciprocal,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sigmoid": sigmoid,
    "sin": np.sin,
    "sinc": np.sinc,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "erf": _erf,
    "erfc": fast("erfc", math.erfc),
    "erfinv": fast("erfinv", _erfinv),
    "lgamma": lgamma,
    "digamma": digamma,
    "i0": np.i0,
    "copysign": np.copysign,
    "ldexp": lambda a, b: a * np.exp2(b),
    "xlogy": _xlogy,
    "nn.functional.softsign": lambda x: x / (1 + np.abs(x)),
    "nn.functional.tanhshrink": lambda x: x - np.tanh(x),
}
"""Functions whose result is float even if the operand is not."""

_SAME: Final[dict[str, Any]] = {
    "ceil": lambda x: x if x.dtype.kind in "biu" else np.ceil(x),
    "floor": lambda x: x if x.dtype.kind in "biu" else np.floor(x),
    "trunc": lambda x: x if x.dtype.kind in "biu" else np.trunc(x),
    "sign": _sign,
    "sgn": _sign,
    "frac": _frac,
    "neg": _neg,
    "bitwise_not": np.invert,
    "remainder": _of_whole(np.remainder),
    "fmod": _fmod,
    "floor_divide": _floor_divide,
    "mul": np.multiply,
    "pow": _power,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_left_shift": _shifted(np.left_shift, "lshift_cpu"),
    "bitwise_right_shift": _shifted(np.right_shift, "rshift_cpu"),
    "gcd": np.gcd,
    "lcm": np.lcm,
    "hypot": np.hypot,
    "nextafter": np.nextafter,
    "logaddexp": logaddexp,
    "logaddexp2": np.logaddexp2,
    "heaviside": _heaviside,
    "clamp_min": np.maximum,
    "clamp_max": np.minimum,
    "nn.functional.relu": _relu,
    "nn.functional.relu6": lambda x: np.clip(x, 0, 6),
    "nn.functional.silu": _silu,
    "nn.functional.mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "nn.functional.hardsigmoid": lambda x: np.clip(x / 6 + 0.5, 0, 1),
    "nn.functional.hardswish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "nn.functional.selu": lambda x: (
        1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))
    ),
    "nn.functional.logsigmoid": lambda x: -np.logaddexp(0, -x),
}
"""Functions of operands alone, in the common dtype of these."""

_BOOL: Final[dict[str, Any]] = {
    "logical_not": np.logical_not,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "isnan": np.isnan,
    "isinf": np.isinf,
    "isfinite": np.isfinite,
    "isposinf": np.isposinf,
    "isneginf": np.isneginf,
    "signbit": np.signbit,
    "isreal": np.isreal,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


def _doubled(of: Any) -> Any:
    return dtypes.complex128 if of.kind == "complex" else dtypes.float64


def _counted(call: Call) -> Any:
    """The common dtype, or int64 for bools."""
    dtype = call.common()
    return dtypes.int64 if dtype.kind == "bool" else dtype


def _copied_to(self: Array, src: Array, out: Array | None = None) -> Array:
    return np.broadcast_to(src, self.shape) if out is None else written(out, src)


def _square(x: Array) -> Array:
    return np.square(x.astype(np.int64) if x.dtype == bool else x)


KERNELS: Final[dict[str, Kernel]] = {
    **{
        f"torch.{name}": Kernel(
            with_floats(f), None, result.floating, writes=isinstance(f, np.ufunc)
        )
        for name, f in _F.items()
    },
    **{f"torch.{name}": Kernel(f) for name, f in _SAME.items()},
    **{f"torch.{name}": Kernel(f, None, result.bool_) for name, f in _BOOL.items()},
    "torch.square": Kernel(_square, None, _counted),
    "torch.abs": Kernel(np.abs, None, _magnitude),
    "torch.angle": Kernel(_angle, None, lambda call: promotion.real(result.floating(call))),
    "torch.add": Kernel(_scaled(np.add), ("input", "other", "alpha"), writes=True),
    "torch.sub": Kernel(_scaled(_sub), ("input", "other", "alpha"), writes=True),
    "torch.rsub": Kernel(
        lambda input, other, alpha=1: _scaled(_sub)(other, input, alpha),
        ("input", "other", "alpha"),
    ),
    "torch.div": Kernel(_true_divide, ("input", "other", "rounding_mode"), _divided, writes=True),
    "torch.true_divide": Kernel(np.true_divide, None, result.floating),
    "torch.atan2": Kernel(with_floats(np.arctan2), None, result.floating),
    "torch.float_power": Kernel(
        lambda a, b: np.float_power(a, b), None, lambda call: _doubled(call.common())
    ),
    "torch.round": Kernel(_round, ("input", "decimals")),
    "torch.clamp": Kernel(_clamp, ("input", "min", "max")),
    "torch.logit": Kernel(_logit, ("input", "eps"), result.floating),
    "torch.lerp": Kernel(_lerp, ("input", "end", "weight")),
    "torch.addcmul": Kernel(_addcmul, ("input", "tensor1", "tensor2", "value")),
    "torch.addcdiv": Kernel(_addcdiv, ("input", "tensor1", "tensor2", "value"), result.floating),
    "torch.isclose": Kernel(
        _isclose, ("input", "other", "rtol", "atol", "equal_nan"), result.bool_
    ),
    "torch.where": Kernel(_where, ("condition", "input", "other"), _chosen, converts=False),
    "torch.masked_fill": Kernel(
        _masked_fill, ("input", "mask", "value"), result.first, converts=False
    ),
    "torch.conj_physical": Kernel(np.conjugate),
    "torch.conj": Kernel(np.conjugate),
    "Tensor.copy_": Kernel(
        _copied_to, None, result.first, converts=False, writes=True, rounds=True
    ),
    "torch.nn.functional.gelu": Kernel(_gelu, ("input", "approximate")),
    "torch.nn.functional.leaky_relu": Kernel(_leaky_relu, ("input", "negative_slope")),
    "torch.nn.functional.elu": Kernel(_elu, ("input", "alpha")),
    "torch.nn.functional.softplus": Kernel(_softplus, ("input", "beta", "threshold")),
    "torch.nn.functional.hardtanh": Kernel(_hardtanh, ("input", "min_val", "max_val"), rounds=True),
    "torch.nn.functional.threshold": Kernel(_threshold, ("input", "threshold", "value")),
}
"""By the op's name."""
