"""Kernels that draw random numbers.

They refuse invalid parameters (probabilities outside of [0, 1], a negative deviation, a dtype
without fractions) before they draw a number.  Source: measured on torch 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.factory import _sizes
from namecheck_runtime.tensors.kernels.generators import generator_of
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import SPELLED_IN_C, SPOKEN
from namecheck_runtime.tensors.values.limits import limits_of

Array = Any


# -- draws over any sizes --------------------------------------------------------------------------


def _dtype_of(arguments: dict[str, Any]) -> np.dtype[Any]:
    """The dtype to draw: `dtype=`, else that of the operand, else the default."""
    requested = arguments.get("dtype")
    if requested is not None:
        return dtypes.as_dtype(requested).numpy
    operand = arguments.get("self", arguments.get("input"))
    return dtypes.get_default_dtype().numpy if operand is None else np.asarray(operand).dtype


def _in_parts(draw: Callable[[], Array], of: np.dtype[Any]) -> Array:
    """The result of `draw`; for a complex dtype, of one draw for each part."""
    return draw() + 1j * draw() if of.kind == "c" else draw()


def _rand(**arguments: Any) -> Array:
    source, sizes = generator_of(arguments.get("generator")), _sizes(arguments)
    return _in_parts(lambda: source.random(sizes), _dtype_of(arguments))


def _standard_normal(source: np.random.Generator, sizes: Any, of: np.dtype[Any]) -> Array:
    """Draws of variance 1; each part of a complex number has variance 1/2."""
    drawn = _in_parts(lambda: source.standard_normal(sizes), of)
    return drawn / math.sqrt(2) if of.kind == "c" else drawn


def _randn(**arguments: Any) -> Array:
    return _standard_normal(
        generator_of(arguments.get("generator")), _sizes(arguments), _dtype_of(arguments)
    )


def _randint(**arguments: Any) -> Array:
    low, high = 0 if arguments.get("low") is None else arguments["low"], arguments["high"]
    of = np.dtype(np.int64) if _is_int64(arguments) else _dtype_of(arguments)
    return _whole(generator_of(arguments.get("generator")), low, high, _sizes(arguments), of)


def _is_int64(arguments: dict[str, Any]) -> bool:
    """Whether a draw of whole numbers has the dtype of `randint`, since nothing says another."""
    return arguments.get("dtype") is None and arguments.get("input") is None


def _whole(source: np.random.Generator, low: Any, high: Any, sizes: Any, of: Any) -> Array:
    """Whole numbers from `low` up to `high`, exclusive; the dtype has to hold them."""
    if of.kind == "c":
        raise RuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    least, most = _bounds(of)
    for bound, word in ((low, "from"), (high - 1, "to - 1")):
        if not least <= bound <= most:
            raise RuntimeError(f"{word} is out of bounds for {SPELLED_IN_C[of.name]}")
    return source.integers(low, high, sizes)


def _bounds(of: Any) -> tuple[Any, Any]:
    """The least and the greatest number of a NumPy dtype."""
    kind = dtypes.as_dtype(of).kind
    if kind == "bool":
        return 0, 1
    limits = limits_of(dtypes.as_dtype(of))
    number = int if kind == "int" else float
    return number(limits.min), number(limits.max)


def _randperm(n: int, generator: Any = None, dtype: Any = None) -> Array:
    of = dtypes.int64 if dtype is None else dtypes.as_dtype(dtype)
    if of.kind in ("bool", "complex"):
        raise NotImplementedError(f"\"randperm\" not implemented for '{SPOKEN[of.name]}'")
    if of.kind == "int" and n > np.iinfo(of.numpy).max + 1:
        raise RuntimeError(f"value cannot be converted to type {of.name}_t without overflow")
    return generator_of(generator).permutation(n)


def _like(draw: Any) -> Any:
    def compute(input: Array, **arguments: Any) -> Array:
        return draw(size=np.shape(input), input=input, **arguments)

    return compute


# -- probabilities ---------------------------------------------------------------------------------


def _require_probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


def _require_probabilities(chances: Array) -> None:
    if chances.dtype.kind != "f":
        raise NotImplementedError(
            f"\"bernoulli_tensor_cpu_p_\" not implemented for '{result.spoken(chances)}'"
        )
    if not ((chances >= 0) & (chances <= 1)).all():
        raise RuntimeError("bernoulli expects probabilities to be in [0, 1]")


def _bernoulli(input: Array, p: Any = None, generator: Any = None) -> Array:
    if p is None:
        _require_probabilities(input)
    return _bernoulli_in_place(input, input if p is None else p, generator)


def _bernoulli_in_place(self: Array, p: Any = 0.5, generator: Any = None) -> Array:
    chance = 0.5 if p is None else p
    if isinstance(chance, np.ndarray):
        _require_probabilities(chance)
    else:
        _require_probability(chance)
    if np.asarray(self).dtype.kind == "c":
        raise NotImplementedError(
            f"\"bernoulli_scalar_cpu_\" not implemented for '{result.spoken(self)}'"
        )
    return generator_of(generator).random(np.shape(self)) < chance


def _multinomial(
    input: Array, num_samples: int, replacement: Any = False, generator: Any = None
) -> Array:
    if input.dtype.kind != "f":
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got: "
            f"{result.spoken(input)}"
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    count = input.shape[-1]
    if not replacement and num_samples > count:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    weights = input.astype(np.float64)
    _require_weights(weights, bool(replacement) and num_samples > 1)
    source = generator_of(generator)
    if not replacement:
        # The largest of weight / exponential draw is chosen with a probability proportional to its
        # weight, and so is the next among the rest; weights of 0 come last.
        drawn = weights / source.standard_exponential(weights.shape)
        return np.argsort(-drawn, axis=-1, kind="stable")[..., :num_samples]
    rows = weights.reshape(-1, count)
    drawn_rows = [source.choice(count, num_samples, True, row / row.sum()) for row in rows]
    return np.asarray(drawn_rows, np.int64).reshape(*input.shape[:-1], num_samples)


def _require_weights(weights: Array, one_by_one: bool) -> None:
    """Raise RuntimeError for weights that are not proportional to probabilities.  PyTorch has
    another message if it draws one by one.
    """
    if one_by_one:
        message = "invalid multinomial distribution (encountering probability entry {})"
        if not (weights >= 0).all():
            raise RuntimeError(message.format("< 0"))
        if np.isinf(weights).any():
            raise RuntimeError(message.format("= infinity or NaN"))
    elif not ((weights >= 0) & (weights < np.inf)).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if weights.size and not (weights.sum(-1) > 0).all():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def _poisson(input: Array, generator: Any = None) -> Array:
    if input.dtype.kind != "f":
        raise NotImplementedError(f"\"poisson_cpu\" not implemented for '{result.spoken(input)}'")
    if not (input >= 0).all():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    return generator_of(generator).poisson(input)


def _binomial(count: Array, prob: Array, generator: Any = None) -> Array:
    for name, parameter in (("count", count), ("prob", prob)):
        if parameter.dtype.kind != "f":
            raise ValueError(
                f"binomial only supports floating-point dtypes for {name}, got: "
                f"{result.spoken(parameter)}"
            )
    # A value that is not a probability counts as the nearest one, a negative count as 0.
    times = np.maximum(np.nan_to_num(count), 0).astype(np.int64)
    return generator_of(generator).binomial(times, np.clip(np.nan_to_num(prob), 0, 1))


# -- distributions of real numbers -----------------------------------------------------------------


def _require_deviation(std: Any) -> None:
    if isinstance(std, np.ndarray):
        if std.dtype.kind == "c":
            raise RuntimeError("normal expects standard deviation to be non-complex")
        if not (std >= 0).all():
            raise RuntimeError("normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def _normal_in_place(self: Array, mean: Any = 0, std: Any = 1, generator: Any = None) -> Array:
    std = 1 if std is None else std
    _require_deviation(std)
    drawn = _standard_normal(generator_of(generator), np.shape(self), np.asarray(self).dtype)
    return (0 if mean is None else mean) + std * drawn


def _normal(
    mean: Any = 0,
    std: Any = 1,
    size: Any = None,
    generator: Any = None,
    dtype: Any = None,
) -> Array:
    _require_deviation(std)
    tensors = [parameter for parameter in (mean, std) if isinstance(parameter, np.ndarray)]
    if size is None:
        sizes: Any = np.broadcast_shapes(np.shape(mean), np.shape(std))
    elif tensors:
        raise TypeError("normal(): argument 'size' requires mean and std to be numbers")
    else:
        sizes = _sizes({"size": size})
    of = tensors[0].dtype if tensors else _dtype_of({"dtype": dtype})
    return mean + std * _standard_normal(generator_of(generator), sizes, of)


def _uniform(self: Array, generator: Any = None, **bounds: Any) -> Array:
    low, high = bounds.get("from_", bounds.get("from", 0)) or 0, bounds.get("to", 1)
    high = 1 if high is None else high
    of = np.asarray(self).dtype
    for bound, word in ((low, "from"), (high, "to")):
        if not abs(bound) <= np.finfo(of).max:
            raise RuntimeError(f"{word} is out of bounds for {SPELLED_IN_C[of.name]}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    source, sizes = generator_of(generator), np.shape(self)
    return _in_parts(lambda: source.uniform(low, high, sizes), of)


def _positive(name: str, word: str, value: float, most: float = math.inf) -> None:
    """Raise RuntimeError unless a parameter of a distribution is above 0 and below `most`."""
    if 0 < value < most:
        return
    range_ = "> 0.0, but found" if most == math.inf else f"to be in (0, {most:g}), but got"
    raise RuntimeError(f"{name} expects {word} {range_} {word}={value:g}")


def _cauchy(self: Array, median: Any = 0, sigma: Any = 1, generator: Any = None) -> Array:
    _positive("cauchy_", "sigma", sigma)
    return median + sigma * generator_of(generator).standard_cauchy(np.shape(self))


def _exponential(self: Array, lambd: Any = 1, generator: Any = None) -> Array:
    _positive("exponential_", "lambda", lambd)
    return generator_of(generator).exponential(1 / lambd, np.shape(self))


def _log_normal(self: Array, mean: Any = 1, std: Any = 2, generator: Any = None) -> Array:
    _positive("log_normal_", "std", std)
    return generator_of(generator).lognormal(mean, std, np.shape(self))


def _geometric(self: Array, p: float, generator: Any = None) -> Array:
    _positive("geometric_", "p", p, most=1)
    return generator_of(generator).geometric(p, np.shape(self))


def _end_of_whole(of: Any) -> int:
    """The exclusive upper bound of the whole numbers to draw for a NumPy dtype."""
    known = dtypes.as_dtype(of)
    if known.kind == "float":
        return round(2 / float(limits_of(known).eps))
    return 2 if known.kind == "bool" else int(limits_of(known).max)


def _random(
    self: Array, from_: Any = None, to: Any = None, generator: Any = None, **bound: Any
) -> Array:
    """Whole numbers from `from` up to `to`; by default from 0, and as far as the dtype is exact."""
    of = np.asarray(self).dtype
    if of.kind == "c":
        raise NotImplementedError(
            f"\"random_kernel_cpu\" not implemented for '{result.spoken(self)}'"
        )
    low = bound.get("from", from_)
    if to is None and low is not None:
        low, to = 0, low
    if to is None:
        to = _end_of_whole(of)
    low = 0 if low is None else low
    return _whole(generator_of(generator), low, to, np.shape(self), of)


# -- dtypes ----------------------------------------------------------------------------------------

_Dtype = Callable[[Call], Any]


def _fractions(of: _Dtype, name: str) -> _Dtype:
    """The dtype that `of` finds, which has to have fractions.  Raises NotImplementedError if not,
    with the name that PyTorch's messages give the kernel.
    """

    def find(call: Call) -> Any:
        dtype = of(call)
        if dtype.kind in ("bool", "int"):
            raise NotImplementedError(f"\"{name}\" not implemented for '{SPOKEN[dtype.name]}'")
        return dtype

    return find


def _continuous(name: str, words: dict[str, str]) -> _Dtype:
    """The dtype of the operand, which has to be real and have fractions."""

    def find(call: Call) -> Any:
        dtype = result.first_asked(call)
        if dtype.kind != "float":
            raise RuntimeError(
                f"{name} distribution is a continuous probability distribution. dtype must be a "
                f"floating point but you specified {words[dtype.name]}"
            )
        return dtype

    return find


def _of_tensors(call: Call) -> Any:
    """The dtype of the first tensor among the parameters, else of `dtype=`."""
    return result.first(call) if call.operands else result.default_asked(call)


_SIZED = ("size", "generator", "dtype")
_FILLED = ("self", "generator")
_UNIFORM: Final = "check_uniform_bounds"
_NORMAL: Final = "normal_kernel_cpu"

KERNELS: Final[dict[str, Kernel]] = {
    "torch.rand": Kernel(_rand, _SIZED, _fractions(result.default_asked, _UNIFORM)),
    "torch.randn": Kernel(_randn, _SIZED, _fractions(result.default_asked, _NORMAL)),
    "torch.randint": Kernel(_randint, (*_SIZED, "low", "high"), result.int64_asked),
    "torch.randperm": Kernel(_randperm, ("n", "generator", "dtype"), result.int64_asked),
    "torch.rand_like": Kernel(
        _like(_rand),
        ("input", "generator", "dtype"),
        _fractions(result.first_asked, _UNIFORM),
    ),
    "torch.randn_like": Kernel(
        _like(_randn),
        ("input", "generator", "dtype"),
        _fractions(result.first_asked, _NORMAL),
    ),
    "torch.randint_like": Kernel(
        _like(_randint), ("input", "low", "high", "generator", "dtype"), result.first_asked
    ),
    "torch.bernoulli": Kernel(_bernoulli, ("input", "p", "generator"), result.first_asked, False),
    "Tensor.bernoulli_": Kernel(
        _bernoulli_in_place, ("self", "p", "generator"), result.first_asked, False
    ),
    "Tensor.uniform_": Kernel(
        _uniform, ("self", "from_", "to", "generator"), _fractions(result.first_asked, _UNIFORM)
    ),
    "Tensor.normal_": Kernel(
        _normal_in_place,
        ("self", "mean", "std", "generator"),
        _fractions(result.first_asked, _NORMAL),
    ),
    "torch.normal": Kernel(
        _normal,
        ("mean", "std", "size", "generator", "dtype"),
        _fractions(_of_tensors, _NORMAL),
        False,
    ),
    "torch.multinomial": Kernel(
        _multinomial, ("input", "num_samples", "replacement", "generator"), result.int64_asked
    ),
    "torch.poisson": Kernel(_poisson, ("input", "generator"), result.first_asked),
    "torch.binomial": Kernel(_binomial, ("count", "prob", "generator"), result.first_asked, False),
    "Tensor.cauchy_": Kernel(
        _cauchy, (*_FILLED, "median", "sigma"), _continuous("Cauchy", SPELLED_IN_C), False
    ),
    "Tensor.exponential_": Kernel(
        _exponential, (*_FILLED, "lambd"), _continuous("Exponential", SPOKEN), False
    ),
    "Tensor.log_normal_": Kernel(
        _log_normal,
        (*_FILLED, "mean", "std"),
        _fractions(result.first_asked, "log_normal_cpu"),
        False,
    ),
    "Tensor.geometric_": Kernel(_geometric, (*_FILLED, "p"), result.first_asked, False),
    "Tensor.random_": Kernel(
        _random, (*_FILLED, "from_", "to", "from"), result.first_asked, False, moves=True
    ),
}
"""By the op's name."""
