"""Distributions made of others.  Source: torch.distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.discrete import Categorical
from namecheck_runtime.distributions.distribution import Distribution
from namecheck_runtime.distributions.transforms import (
    ComposeTransform,
    Transform,
    sum_rightmost,
)


class Independent(Distribution):
    """A distribution whose last batch dims are event dims."""

    def __init__(
        self,
        base_distribution: Distribution,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        batch, event = base_distribution.batch_shape, base_distribution.event_shape
        if reinterpreted_batch_ndims > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch)}"
            )
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        place = len(batch) - reinterpreted_batch_ndims
        super().__init__(batch[:place], (*batch[place:], *event), validate_args=validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @property
    def support(self) -> Any:
        found = self.base_dist.support
        count = self.reinterpreted_batch_ndims
        return constraints.independent(found, count) if count else found

    @property
    def mean(self) -> Any:
        return self.base_dist.mean

    @property
    def mode(self) -> Any:
        return self.base_dist.mode

    @property
    def variance(self) -> Any:
        return self.base_dist.variance

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        inner = (*batch_shape, *self.event_shape[: self.reinterpreted_batch_ndims])
        return Independent(self.base_dist.expand(inner), self.reinterpreted_batch_ndims)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """What transforms make of the samples of a distribution."""

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Transform | Sequence[Transform],
        validate_args: bool | None = None,
    ) -> None:
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        whole = ComposeTransform(self.transforms)
        before = (*base_distribution.batch_shape, *base_distribution.event_shape)
        needed = whole.inverse_shape(whole.forward_shape(before))
        if before != needed:
            place = len(needed) - len(base_distribution.event_shape)
            base_distribution = base_distribution.expand(needed[:place])
        missing = whole.event_dim - len(base_distribution.event_shape)
        if missing > 0:
            base_distribution = Independent(base_distribution, missing)
        self.base_dist = base_distribution
        batch, event = base_distribution.batch_shape, base_distribution.event_shape
        super().__init__(batch, event, validate_args=validate_args)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @property
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        count = len(self._event_shape) - found.event_dim
        return constraints.independent(found, count) if count > 0 else found

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = super().expand(batch_shape)
        new.base_dist = self.base_dist.expand(batch_shape)
        return new

    def icdf(self, value: Any) -> Any:
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return self._transformed(self.base_dist.icdf(sign * (value - 0.5) + 0.5))

    def _transformed(self, x: Any) -> Any:
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with nt.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Any) -> Any:
        event = len(self._event_shape)
        total: Any = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            slope = transform.log_abs_det_jacobian(x, y)
            total = total - sum_rightmost(slope, event - transform.event_dim)
            y = x
        inner = self.base_dist.log_prob(y)
        return total + sum_rightmost(inner, event - len(self.base_dist.event_shape))

    def cdf(self, value: Any) -> Any:
        sign: Any = 1
        for transform in reversed(self.transforms):
            sign = sign * transform.sign
            value = transform.inv(value)
        return sign * (self.base_dist.cdf(value) - 0.5) + 0.5


class MixtureSameFamily(Distribution):
    """One of several distributions of a family, those along its last batch dim."""

    arg_constraints: ClassVar[Any] = {}

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                "The Mixture distribution needs to be an instance of torch.distributions."
                "Categorical"
            )
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        batch, event = component_distribution.batch_shape[:-1], component_distribution.event_shape
        super().__init__(batch, event, validate_args=validate_args)

    @property
    def mixture_distribution(self) -> Categorical:
        """Which one is drawn."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """What they are."""
        return self._component_distribution

    @property
    def support(self) -> Any:
        return self._component_distribution.support

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        logits = self._mixture_distribution.logits
        count = logits.shape[-1]
        chosen = Categorical(logits=logits.expand((*batch_shape, count)), validate_args=False)
        inner = self._component_distribution.expand((*batch_shape, count))
        return MixtureSameFamily(chosen, inner, validate_args=False)

    def cdf(self, value: Any) -> Any:
        inner = self._component_distribution.cdf(value.unsqueeze(-1))
        return (inner * self._mixture_distribution.probs).sum(-1)

    def _weights(self) -> Any:
        probs = self._mixture_distribution.probs
        return probs.reshape(*probs.shape, *(1,) * len(self._event_shape))

    @property
    def mean(self) -> Any:
        place = -1 - len(self._event_shape)
        return (self._weights() * self._component_distribution.mean).sum(dim=place)

    @property
    def variance(self) -> Any:
        place = -1 - len(self._event_shape)
        weights, inner = self._weights(), self._component_distribution
        within = (weights * inner.variance).sum(dim=place)
        between = (weights * (inner.mean - self.mean.unsqueeze(place)).pow(2)).sum(dim=place)
        return within + between

    def log_prob(self, value: Any) -> Any:
        value = value.unsqueeze(-1 - len(self._event_shape))
        inner = self._component_distribution.log_prob(value)
        weights = nt.log_softmax(self._mixture_distribution.logits, dim=-1)
        return nt.logsumexp(inner + weights, dim=-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with nt.no_grad():
            drawn = self._component_distribution.sample(sample_shape)
            place = len(sample_shape) + len(self._batch_shape)
            chosen = self._mixture_distribution.sample(sample_shape)
            chosen = chosen.reshape(*chosen.shape, *(1,) * (1 + len(self._event_shape)))
            sizes = [*chosen.shape[: place + 1], *self._event_shape]
            return drawn.gather(place, chosen.expand(sizes)).squeeze(place)
