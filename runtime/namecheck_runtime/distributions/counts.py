"""Distributions of how often something happens.  Source: torch.distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.discrete import Categorical, OfCategories, OfOdds
from namecheck_runtime.distributions.distribution import ExponentialFamily
from namecheck_runtime.distributions.probabilities import (
    broadcast_all,
    require_one,
    standard_gamma,
)


class Geometric(OfOdds):
    """How often something fails before it succeeds."""

    support = constraints.nonnegative_integer

    @property
    def mean(self) -> Any:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Any:
        return nt.zeros_like(self.probs)

    @property
    def variance(self) -> Any:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with nt.no_grad():
            u = nt.rand(shape, dtype=self.probs.dtype, device=self.probs.device)
            u = u.clamp(min=nt.finfo(u.dtype).tiny)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        return nt.special.xlog1py(value, -probs) + self.probs.log()

    def entropy(self) -> Any:
        logits, probs = self.logits, self.probs
        cross = nt.nn.functional.binary_cross_entropy_with_logits
        return cross(logits, probs, reduction="none") / probs


class Poisson(ExponentialFamily):
    """The number of events that happen at a rate."""

    arg_constraints: ClassVar[Any] = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.rate

    @property
    def mode(self) -> Any:
        return self.rate.floor()

    @property
    def variance(self) -> Any:
        return self.rate

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with nt.no_grad():
            return nt.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        return nt.xlogy(value, self.rate) - self.rate - nt.lgamma(value + 1)


class _OfCounts(OfOdds):
    """A distribution of a probability, and of a number of trials."""

    def __init__(
        self,
        total_count: Any = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        require_one(probs, logits)
        total_count, known = broadcast_all(total_count, logits if probs is None else probs)
        self.total_count = total_count.to(known.dtype)
        if probs is not None:
            super().__init__(probs=known, validate_args=validate_args)
        else:
            super().__init__(logits=known, validate_args=validate_args)


class Binomial(_OfCounts):
    """How often something succeeds in `total_count` trials."""

    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True

    @property
    def support(self) -> Any:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Any:
        return self.total_count * self.probs

    @property
    def mode(self) -> Any:
        return nt.minimum(((self.total_count + 1) * self.probs).floor(), self.total_count)

    @property
    def variance(self) -> Any:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with nt.no_grad():
            return nt.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        rest = self.total_count - value
        ways = nt.lgamma(self.total_count + 1) - nt.lgamma(value + 1) - nt.lgamma(rest + 1)
        log = nt.nn.functional.logsigmoid
        return ways + value * log(self.logits) + rest * log(-self.logits)

    def entropy(self) -> Any:
        total = self._only_count()
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(log_prob.exp() * log_prob).sum(0) if total else nt.zeros_like(self.probs)

    def enumerate_support(self, expand: bool = True) -> Any:
        """All numbers in a new first dim."""
        values = nt.arange(1 + self._only_count(), dtype=self.total_count.dtype)
        values = values.reshape(-1, *(1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values

    def _only_count(self) -> int:
        total = int(self.total_count.max())
        if not bool((self.total_count == total).all()):
            raise NotImplementedError("Inhomogeneous total count not supported")
        return total


class NegativeBinomial(_OfCounts):
    """How often something succeeds before it has failed `total_count` times."""

    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    @property
    def mean(self) -> Any:
        return self.total_count * nt.exp(self.logits)

    @property
    def mode(self) -> Any:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Any:
        return self.mean / nt.sigmoid(-self.logits)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with nt.no_grad():
            count = self.total_count.expand(self._extended_shape(sample_shape))
            return nt.poisson(standard_gamma(count) * nt.exp(self.logits))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        log = nt.nn.functional.logsigmoid
        plain = self.total_count * log(-self.logits) + value * log(self.logits)
        constant = (
            -nt.lgamma(self.total_count + value)
            + nt.lgamma(1.0 + value)
            + nt.lgamma(self.total_count)
        )
        zero = nt.tensor(0.0, dtype=constant.dtype)
        return plain - nt.where(self.total_count + value == 0.0, zero, constant)


class Multinomial(OfCategories):
    """How often each of several things happens in `total_count` trials."""

    def __init__(
        self,
        total_count: int = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(Categorical(probs, logits), validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        logits = self.logits.expand((*batch_shape, *self._event_shape))
        return Multinomial(self.total_count, logits=logits, validate_args=False)

    @property
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Any:
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with nt.no_grad():
            drawn = self._categorical.sample((self.total_count, *sample_shape))
            rows = nt.nn.functional.one_hot(drawn, self._event_shape[0])
            return rows.sum(0).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        ways = nt.lgamma(value.sum(-1) + 1) - nt.lgamma(value + 1).sum(-1)
        return ways + nt.where(value == 0, 0.0, value * logits).sum(-1)

    def entropy(self) -> Any:
        count = nt.tensor(float(self.total_count), dtype=self.probs.dtype)
        each = Binomial(self.total_count, probs=self.probs, validate_args=False)
        values = each.enumerate_support(False)[1:]
        expected = (each.log_prob(values).exp() * nt.lgamma(values + 1)).sum((0, -1))
        return count * self._categorical.entropy() - nt.lgamma(count + 1) + expected
