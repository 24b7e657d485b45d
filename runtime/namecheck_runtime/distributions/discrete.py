"""Distributions over whole numbers.  Source: torch.distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.distribution import Distribution, ExponentialFamily
from namecheck_runtime.distributions.probabilities import (
    broadcast_all,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
    standard_gamma,
)


def _require_one(probs: Any, logits: Any) -> None:
    if (probs is None) == (logits is None):
        raise ValueError("Either `probs` or `logits` must be specified, but not both.")


class _OfOdds(Distribution):
    """A distribution of a probability, which is passed itself or as log-odds."""

    @lazy_property
    def logits(self) -> Any:
        """The log-odds of a success."""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> Any:
        """The probability of a success."""
        return logits_to_probs(self.logits, is_binary=True)


class Bernoulli(_OfOdds, ExponentialFamily):
    """1 with a probability, else 0."""

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.boolean
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        _require_one(probs, logits)
        if probs is not None:
            (self.probs,) = broadcast_all(probs)
        else:
            (self.logits,) = broadcast_all(logits)
        known = self.__dict__["probs"] if probs is not None else self.__dict__["logits"]
        super().__init__(known.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.probs

    @property
    def mode(self) -> Any:
        mode = (self.probs >= 0.5).to(self.probs.dtype)
        return nt.where(self.probs == 0.5, nt.nan, mode)

    @property
    def variance(self) -> Any:
        return self.probs * (1 - self.probs)

    @property
    def param_shape(self) -> nt.Size:
        """The sizes of the parameter."""
        return self._batch_shape

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with nt.no_grad():
            return nt.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -nt.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        logits, probs = self.logits, self.probs
        return nt.nn.functional.binary_cross_entropy_with_logits(logits, probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Any:
        """0 and 1 in a new first dim."""
        values = nt.arange(2, dtype=self.logits.dtype).reshape(-1, *(1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class Categorical(Distribution):
    """One of several indices, with the probabilities of the last dim."""

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.simplex,
        "logits": constraints.real_vector,
    }
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        _require_one(probs, logits)
        known = probs if probs is not None else logits
        if known.dim() < 1:
            name = "probs" if probs is not None else "logits"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = known.size()[-1]
        super().__init__(known.size()[:-1], validate_args=validate_args)

    @property
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self) -> Any:
        """The probabilities."""
        return logits_to_probs(self.logits)

    @property
    def param_shape(self) -> nt.Size:
        """The sizes of the parameter."""
        return nt.Size((*self._batch_shape, self._num_events))

    @property
    def mean(self) -> Any:
        return nt.full(self._batch_shape, nt.nan, dtype=self.probs.dtype)

    @property
    def mode(self) -> Any:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Any:
        return self.mean

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        count = nt.Size(sample_shape).numel()
        with nt.no_grad():
            probs = self.probs.reshape(-1, self._num_events)
            drawn = nt.multinomial(probs, count, True).T
            return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, log_pmf = nt.broadcast_tensors(value, self.logits)
        return log_pmf.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        logits = self.logits.clamp(min=nt.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        """All indices in a new first dim."""
        values = nt.arange(self._num_events).reshape(-1, *(1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values


class OneHotCategorical(Distribution):
    """One of several, as 1 at its index in a last dim of zeros."""

    arg_constraints: ClassVar[Any] = Categorical.arg_constraints
    support = constraints.one_hot

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        logits = self.logits.expand((*batch_shape, *self._event_shape))
        return type(self)(logits=logits, validate_args=False)

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def param_shape(self) -> nt.Size:
        """The sizes of the parameter."""
        return self._categorical.param_shape

    @property
    def mean(self) -> Any:
        return self.probs

    @property
    def mode(self) -> Any:
        return self._one_hot(self._categorical.mode)

    @property
    def variance(self) -> Any:
        return self.probs * (1 - self.probs)

    def _one_hot(self, index: Any) -> Any:
        return nt.nn.functional.one_hot(index, self._event_shape[0]).to(self.probs.dtype)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self._one_hot(self._categorical.sample(sample_shape))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        return (value * self.logits).sum(-1)

    def entropy(self) -> Any:
        return self._categorical.entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same, whose samples have the gradients of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


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


class NegativeBinomial(_OfOdds):
    """How often something succeeds before it has failed `total_count` times."""

    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        _require_one(probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
            self.total_count = self.total_count.to(self.probs.dtype)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
            self.total_count = self.total_count.to(self.logits.dtype)
        super().__init__(self.total_count.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.total_count * nt.exp(self.logits)

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
