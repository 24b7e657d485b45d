"""Distributions around a place.  Source: torch.distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.distribution import ExponentialFamily, Symmetric
from namecheck_runtime.distributions.probabilities import (
    broadcast_all,
    standard_gamma,
    standard_normal,
)


class _LocationScale(Symmetric):
    """A distribution that a location moves and a scale stretches."""

    arg_constraints: ClassVar[Any] = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.size(), validate_args=validate_args)


class Normal(_LocationScale, ExponentialFamily):
    """The normal distribution with mean `loc` and standard deviation `scale`."""

    @property
    def stddev(self) -> Any:
        return self.scale

    @property
    def variance(self) -> Any:
        return self.stddev.pow(2)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with nt.no_grad():
            return nt.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        eps = standard_normal(shape, self.loc)
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        away = (value - self.loc) ** 2 / (2 * self.variance)
        return -away - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Any) -> Any:
        return 0.5 * (1 + nt.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value: Any) -> Any:
        return self.loc + self.scale * nt.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Any:
        return 0.5 + 0.5 * math.log(2 * math.pi) + nt.log(self.scale)


class Laplace(_LocationScale):
    """The distribution of `exp(-|x - loc| / scale) / (2 * scale)`."""

    @property
    def variance(self) -> Any:
        return 2 * self.scale.pow(2)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        u = nt.rand(shape, dtype=self.loc.dtype, device=self.loc.device)
        u = (u * 2 - 1).clamp(min=nt.finfo(u.dtype).eps - 1)
        return self.loc - self.scale * u.sign() * nt.log1p(-u.abs())

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        return -nt.log(2 * self.scale) - (value - self.loc).abs() / self.scale

    def cdf(self, value: Any) -> Any:
        away = value - self.loc
        return 0.5 - 0.5 * away.sign() * nt.expm1(-away.abs() / self.scale)

    def icdf(self, value: Any) -> Any:
        term = value - 0.5
        return self.loc - self.scale * term.sign() * nt.log1p(-2 * term.abs())

    def entropy(self) -> Any:
        return 1 + nt.log(2 * self.scale)


class Cauchy(_LocationScale):
    """The distribution of `1 / (1 + x ** 2)`, moved and stretched, which has no mean."""

    @property
    def mean(self) -> Any:
        return nt.full_like(self.loc, math.nan)

    @property
    def variance(self) -> Any:
        return nt.full_like(self.loc, math.inf)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        options = {"dtype": self.loc.dtype, "device": self.loc.device}
        eps = nt.empty(self._extended_shape(sample_shape), **options).cauchy_()
        return self.loc + eps * self.scale

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        away = (value - self.loc) / self.scale
        return -math.log(math.pi) - self.scale.log() - away.square().log1p()

    def cdf(self, value: Any) -> Any:
        return nt.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Any) -> Any:
        return nt.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Any:
        return math.log(4 * math.pi) + self.scale.log()


class StudentT(Symmetric):
    """Student's distribution with `df` degrees of freedom."""

    arg_constraints: ClassVar[Any] = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True

    def __init__(
        self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return nt.where(self.df > 1, self.loc, math.nan)

    @property
    def variance(self) -> Any:
        finite = self.scale.pow(2) * self.df / (self.df - 2)
        rest = nt.where(self.df > 1, nt.full_like(self.df, math.inf), math.nan)
        return nt.where(self.df > 2, finite, rest)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        x = standard_normal(shape, self.df)
        z = 2 * standard_gamma((self.df / 2).expand(shape))
        return self.loc + self.scale * x * nt.rsqrt(z / self.df)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        z = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + nt.lgamma(0.5 * self.df)
            - nt.lgamma(0.5 * (self.df + 1.0))
        )
        return -0.5 * (self.df + 1.0) * nt.log1p(y**2.0 / self.df) - z

    def entropy(self) -> Any:
        half = 0.5 * (self.df + 1)
        beta = nt.lgamma(0.5 * self.df) + math.lgamma(0.5) - nt.lgamma(half)
        slope = nt.digamma(half) - nt.digamma(0.5 * self.df)
        return self.scale.log() + half * slope + 0.5 * self.df.log() + beta


class VonMises(Symmetric):
    """A distribution of angles, the more around `loc` the larger the concentration."""

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "concentration": constraints.positive,
    }
    support = constraints.real

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.size(), validate_args=validate_args)

    @property
    def variance(self) -> Any:
        kappa = self.concentration
        return 1 - nt.special.i1e(kappa) / nt.special.i0e(kappa)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Source: D. J. Best and N. I. Fisher, Efficient simulation of the von Mises distribution
        (1979).
        """
        shape = self._extended_shape(sample_shape)
        with nt.no_grad():
            kappa = self.concentration.double().expand(shape)
            tau = 1 + (1 + 4 * kappa**2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * kappa)
            exact = (1 + rho**2) / (2 * rho)
            r = nt.where(kappa < 1e-5, 1 / kappa + kappa, exact)
            found, missing = nt.zeros_like(kappa), nt.ones_like(kappa, dtype=nt.bool)
            while bool(missing.any()):
                z = nt.cos(math.pi * nt.rand_like(kappa))
                f = (1 + r * z) / (r + z)
                c = kappa * (r - f)
                u = nt.rand_like(kappa)
                is_fit = (c * (2 - c) > u) | ((c / u).log() + 1 >= c)
                angle = (nt.rand_like(kappa) - 0.5).sign() * f.clamp(-1, 1).acos()
                found = nt.where(missing & is_fit, angle, found)
                missing = missing & ~is_fit
            turned = (found + math.pi + self.loc) % (2 * math.pi) - math.pi
            return turned.to(self.loc.dtype)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        kappa = self.concentration
        scaled = kappa * (nt.cos(value - self.loc) - 1)
        return scaled - math.log(2 * math.pi) - nt.special.i0e(kappa).log()
