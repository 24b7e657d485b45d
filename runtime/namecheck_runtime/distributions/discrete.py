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
    require_one,
)


class OfOdds(Distribution):
    """A distribution of a probability, which is passed itself or as log-odds."""

    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        require_one(probs, logits)
        if probs is not None:
            (self.probs,) = broadcast_all(probs)
            shape = self.probs.size()
        else:
            (self.logits,) = broadcast_all(logits)
            shape = self.logits.size()
        super().__init__(shape, validate_args=validate_args)

    @lazy_property
    def logits(self) -> Any:
        """The log-odds of a success."""
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> Any:
        """The probability of a success."""
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self) -> nt.Size:
        """The sizes of the parameter."""
        return self._batch_shape


class Bernoulli(OfOdds, ExponentialFamily):
    """1 with a probability, else 0."""

    support = constraints.boolean
    has_enumerate_support = True

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
        require_one(probs, logits)
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


class OfCategories(Distribution):
    """A distribution with the parameters of a `Categorical`, whose last dim is its event dim."""

    arg_constraints: ClassVar[Any] = Categorical.arg_constraints

    def __init__(self, categorical: Categorical, validate_args: bool | None = None) -> None:
        self._categorical = categorical
        shape = categorical.param_shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

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


class OneHotCategorical(OfCategories):
    """One of several, as 1 at its index in a last dim of zeros."""

    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(Categorical(probs, logits), validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        logits = self.logits.expand((*batch_shape, *self._event_shape))
        return type(self)(logits=logits, validate_args=False)

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

    def enumerate_support(self, expand: bool = True) -> Any:
        """All rows in a new first dim."""
        count = self._event_shape[0]
        values = nt.eye(count, dtype=self.probs.dtype)
        values = values.reshape(count, *(1,) * len(self._batch_shape), count)
        return values.expand((count, *self._batch_shape, count)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """The same, whose samples have the gradients of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
