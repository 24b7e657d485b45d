"""Distributions of what a transform makes of another.  Source: torch.distributions."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.composite import TransformedDistribution
from namecheck_runtime.distributions.continuous import Exponential, Gamma, Uniform
from namecheck_runtime.distributions.location_scale import Cauchy, Normal
from namecheck_runtime.distributions.probabilities import broadcast_all
from namecheck_runtime.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
)

EULER: Final = 0.57721566490153286060
"""Euler's constant."""


class LogNormal(TransformedDistribution):
    """A number whose logarithm has the normal distribution."""

    arg_constraints: ClassVar[Any] = Normal.arg_constraints

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args)
        self.loc, self.scale = base.loc, base.scale
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Any:
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self) -> Any:
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Any:
        return self.base_dist.entropy() + self.loc


class Gumbel(TransformedDistribution):
    """The distribution of the largest of many numbers."""

    arg_constraints: ClassVar[Any] = Normal.arg_constraints
    support = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        info = nt.finfo(self.loc.dtype)
        low, high = nt.full_like(self.loc, info.tiny), nt.full_like(self.loc, 1 - info.eps)
        transforms = [
            ExpTransform().inv,
            AffineTransform(0.0, -1.0),
            ExpTransform().inv,
            AffineTransform(self.loc, -self.scale),
        ]
        super().__init__(Uniform(low, high), transforms, validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.loc + self.scale * EULER

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def stddev(self) -> Any:
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Any:
        return self.stddev.pow(2)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return y - y.exp() - self.scale.log()

    def entropy(self) -> Any:
        return self.scale.log() + (1 + EULER)


class _Half(TransformedDistribution):
    """The absolute value of a number of a distribution around 0, with a scale."""

    arg_constraints: ClassVar[Any] = {"scale": constraints.positive}
    support = constraints.nonnegative
    base_dist: Any

    @property
    def scale(self) -> Any:
        """The scale of the distribution around 0."""
        return self.base_dist.scale

    @property
    def mode(self) -> Any:
        return nt.zeros_like(self.scale)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        found = self.base_dist.log_prob(value) + math.log(2)
        return nt.where(value >= 0, found, -math.inf)

    def cdf(self, value: Any) -> Any:
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value: Any) -> Any:
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Any:
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    """The absolute value of a normal number."""

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(0.0, scale, validate_args=False)
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Any:
        return self.scale.pow(2) * (1 - 2 / math.pi)


class HalfCauchy(_Half):
    """The absolute value of a number of the Cauchy distribution, which has no mean."""

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        base = Cauchy(0.0, scale, validate_args=False)
        super().__init__(base, AbsTransform(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return nt.full_like(self.scale, math.inf)

    @property
    def variance(self) -> Any:
        return self.base_dist.variance


class Weibull(TransformedDistribution):
    """The time until something fails whose risk grows as a power of its age."""

    arg_constraints: ClassVar[Any] = {
        "scale": constraints.positive,
        "concentration": constraints.positive,
    }
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        base = Exponential(nt.ones_like(self.scale), validate_args=False)
        transforms = [
            PowerTransform(self.concentration.reciprocal()),
            AffineTransform(0.0, self.scale),
        ]
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, n: int) -> Any:
        return self.scale**n * nt.lgamma(1 + n / self.concentration).exp()

    @property
    def mean(self) -> Any:
        return self._moment(1)

    @property
    def mode(self) -> Any:
        inverse = self.concentration.reciprocal()
        return self.scale * ((self.concentration - 1) * inverse) ** inverse

    @property
    def variance(self) -> Any:
        return self._moment(2) - self._moment(1) ** 2

    def entropy(self) -> Any:
        inverse = self.concentration.reciprocal()
        return EULER * (1 - inverse) + (self.scale * inverse).log() + 1


class Pareto(TransformedDistribution):
    """A number above `scale`, whose logarithm has an exponential distribution."""

    arg_constraints: ClassVar[Any] = {
        "scale": constraints.positive,
        "alpha": constraints.positive,
    }

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        transforms = [ExpTransform(), AffineTransform(0.0, self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    @property
    def support(self) -> Any:
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Any:
        alpha = self.alpha.clamp(min=1)
        return alpha * self.scale / (alpha - 1)

    @property
    def mode(self) -> Any:
        return self.scale

    @property
    def variance(self) -> Any:
        alpha = self.alpha.clamp(min=2)
        return self.scale.pow(2) * alpha / ((alpha - 1).pow(2) * (alpha - 2))

    def entropy(self) -> Any:
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class InverseGamma(TransformedDistribution):
    """The reciprocal of a number of the gamma distribution."""

    arg_constraints: ClassVar[Any] = {
        "concentration": constraints.positive,
        "rate": constraints.positive,
    }
    support = constraints.positive
    base_dist: Any

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    @property
    def concentration(self) -> Any:
        """The concentration of the gamma distribution."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Any:
        """The rate of the gamma distribution."""
        return self.base_dist.rate

    @property
    def mean(self) -> Any:
        found = self.rate / (self.concentration - 1)
        return nt.where(self.concentration > 1, found, math.inf)

    @property
    def mode(self) -> Any:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Any:
        below = (self.concentration - 1).square() * (self.concentration - 2)
        return nt.where(self.concentration > 2, self.rate.square() / below, math.inf)

    def entropy(self) -> Any:
        slope = (1 + self.concentration) * self.concentration.digamma()
        return self.concentration + self.rate.log() + self.concentration.lgamma() - slope


class Kumaraswamy(TransformedDistribution):
    """A probability, with a simpler density than that of `Beta`."""

    arg_constraints: ClassVar[Any] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval

    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: bool | None = None
    ) -> None:
        both = broadcast_all(concentration1, concentration0)
        self.concentration1, self.concentration0 = both
        low, high = nt.zeros_like(self.concentration0), nt.ones_like(self.concentration0)
        transforms = [
            PowerTransform(self.concentration0.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]
        base = Uniform(low, high, validate_args=False)
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, n: int) -> Any:
        first, b = 1 + n / self.concentration1, self.concentration0
        return b * (nt.lgamma(first) + nt.lgamma(b) - nt.lgamma(first + b)).exp()

    @property
    def mean(self) -> Any:
        return self._moment(1)

    @property
    def mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        found = ((-b).log1p() / b - (-b * a).log1p()).exp()
        return nt.where((a < 1) | (b < 1), math.nan, found)

    @property
    def variance(self) -> Any:
        return self._moment(2) - self._moment(1) ** 2

    def entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        harmonic = nt.digamma(b + 1) + EULER
        return 1 - 1 / b + (1 - 1 / a) * harmonic - a.log() - b.log()
