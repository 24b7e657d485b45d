"""Kernels that draw numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.backends import Call, Kernel
from namecheck_runtime.kernels import result
from namecheck_runtime.kernels.factory import _sizes
from namecheck_runtime.random import generator_of

Array = Any


def _rand(**given: Any) -> Array:
    return generator_of(given.get("generator")).random(_sizes(given))


def _randn(**given: Any) -> Array:
    return generator_of(given.get("generator")).standard_normal(_sizes(given))


def _randint(**given: Any) -> Array:
    low, high = given.get("low"), given["high"]
    drawn = generator_of(given.get("generator"))
    return drawn.integers(0 if low is None else low, high, _sizes(given))


def _randperm(n: int, generator: Any = None) -> Array:
    return generator_of(generator).permutation(n)


def _like(draw: Any) -> Any:
    def compute(input: Array, **given: Any) -> Array:
        return draw(size=np.shape(input), **given)

    return compute


def _bernoulli(input: Array, p: Any = None, generator: Any = None) -> Array:
    chances = np.asarray(input if p is None else p)
    if not ((chances >= 0) & (chances <= 1)).all():
        raise RuntimeError("bernoulli expects probabilities to be in [0, 1]")
    drawn = generator_of(generator).random(np.shape(input))
    return (drawn < (input if p is None else p)).astype(np.float64)


def _bernoulli_in_place(self: Array, p: Any = 0.5, generator: Any = None) -> Array:
    return generator_of(generator).random(np.shape(self)) < (0.5 if p is None else p)


def _uniform(self: Array, generator: Any = None, **bounds: Any) -> Array:
    low, high = bounds.get("from_", bounds.get("from", 0)), bounds.get("to", 1)
    return generator_of(generator).uniform(low or 0, 1 if high is None else high, np.shape(self))


def _normal_in_place(self: Array, mean: Any = 0, std: Any = 1, generator: Any = None) -> Array:
    return generator_of(generator).normal(
        0 if mean is None else mean, 1 if std is None else std, np.shape(self)
    )


def _normal(
    mean: Any = 0, std: Any = 1, size: Any = None, generator: Any = None, **others: Any
) -> Array:
    return generator_of(generator).normal(
        mean, 1 if std is None else std, None if size is None else tuple(size)
    )


def _multinomial(
    input: Array, num_samples: int, replacement: Any = False, generator: Any = None
) -> Array:
    drawn = generator_of(generator)
    rows = input.reshape(-1, input.shape[-1])
    found = [
        drawn.choice(input.shape[-1], num_samples, bool(replacement), row / row.sum())
        for row in rows
    ]
    return np.asarray(found, np.int64).reshape(*input.shape[:-1], num_samples)


def _poisson(input: Array, generator: Any = None) -> Array:
    return generator_of(generator).poisson(input)


def _binomial(count: Array, prob: Array, generator: Any = None) -> Array:
    # What is no probability counts as the nearest one, what is no count as none.
    times = np.maximum(np.nan_to_num(count), 0).astype(np.int64)
    return generator_of(generator).binomial(times, np.clip(np.nan_to_num(prob), 0, 1))


def _cauchy(self: Array, median: Any = 0, sigma: Any = 1, generator: Any = None) -> Array:
    return median + sigma * generator_of(generator).standard_cauchy(np.shape(self))


def _exponential(self: Array, lambd: Any = 1, generator: Any = None) -> Array:
    return generator_of(generator).exponential(1 / lambd, np.shape(self))


def _log_normal(self: Array, mean: Any = 1, std: Any = 2, generator: Any = None) -> Array:
    return generator_of(generator).lognormal(mean, std, np.shape(self))


def _geometric(self: Array, p: float, generator: Any = None) -> Array:
    return generator_of(generator).geometric(p, np.shape(self))


_WHOLE: Final[dict[str, Any]] = {
    "b": lambda of: 2,
    "f": lambda of: 2 ** (np.finfo(of).nmant + 1),
    "i": lambda of: np.iinfo(of).max,
    "u": lambda of: np.iinfo(of).max,
}
"""The first whole number that a dtype does not hold exactly, by its kind."""


def _random(
    self: Array, from_: Any = None, to: Any = None, generator: Any = None, **bound: Any
) -> Array:
    """Whole numbers: below `to`, or all that the dtype holds exactly."""
    low = bound.get("from", from_)
    if to is None and low is not None:
        low, to = 0, low
    if to is None:
        to = _WHOLE[np.asarray(self).dtype.kind](np.asarray(self).dtype)
    return generator_of(generator).integers(0 if low is None else low, to, np.shape(self))


def _of_tensors(call: Call) -> Any:
    """The dtype of the tensors that say how to draw, else the one that is asked for."""
    return call.common() if call.operands else result.default_asked(call)


_SIZED = ("size", "generator")
_FILLED = ("self", "generator")

KERNELS: Final[dict[str, Kernel]] = {
    "torch.rand": Kernel(_rand, _SIZED, result.default_asked),
    "torch.randn": Kernel(_randn, _SIZED, result.default_asked),
    "torch.randint": Kernel(_randint, (*_SIZED, "low", "high"), result.int64_asked),
    "torch.randperm": Kernel(_randperm, ("n", "generator"), result.int64_asked),
    "torch.rand_like": Kernel(_like(_rand), ("input", "generator"), result.first_asked),
    "torch.randn_like": Kernel(_like(_randn), ("input", "generator"), result.first_asked),
    "torch.randint_like": Kernel(
        _like(_randint), ("input", "low", "high", "generator"), result.first_asked
    ),
    "torch.bernoulli": Kernel(_bernoulli, ("input", "p", "generator"), result.first_asked),
    "Tensor.bernoulli_": Kernel(
        _bernoulli_in_place, ("self", "p", "generator"), result.first_asked
    ),
    "Tensor.uniform_": Kernel(_uniform, ("self", "from_", "to", "generator"), result.first_asked),
    "Tensor.normal_": Kernel(
        _normal_in_place, ("self", "mean", "std", "generator"), result.first_asked
    ),
    "torch.normal": Kernel(_normal, ("mean", "std", "size", "generator"), _of_tensors),
    "torch.multinomial": Kernel(
        _multinomial, ("input", "num_samples", "replacement", "generator"), result.int64_asked
    ),
    "torch.poisson": Kernel(_poisson, ("input", "generator"), result.first_asked),
    "torch.binomial": Kernel(_binomial, ("count", "prob", "generator"), result.first_asked),
    "Tensor.cauchy_": Kernel(_cauchy, (*_FILLED, "median", "sigma"), result.first_asked, False),
    "Tensor.exponential_": Kernel(_exponential, (*_FILLED, "lambd"), result.first_asked, False),
    "Tensor.log_normal_": Kernel(_log_normal, (*_FILLED, "mean", "std"), result.first_asked, False),
    "Tensor.geometric_": Kernel(_geometric, (*_FILLED, "p"), result.first_asked, False),
    "Tensor.random_": Kernel(_random, (*_FILLED, "from_", "to", "from"), result.first_asked, False),
}
"""By the op's name."""
