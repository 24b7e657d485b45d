"""Distributions of numbers between the values of others.  Source: torch.distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.composite import TransformedDistribution
from namecheck_runtime.distributions.discrete import Categorical, OfCategories, OfOdds
from namecheck_runtime.distributions.distribution import ExponentialFamily
from namecheck_runtime.distributions.probabilities import (
    broadcast_all,
    clamp_probs,
    lazy_property,
    logits_to_probs,
)
from namecheck_runtime.distributions.transforms import ExpTransform, SigmoidTransform


class LogitRelaxedBernoulli(OfOdds):
    """The log-odds of `RelaxedBernoulli`."""

    support = constraints.real
    has_rsample = True

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        super().__init__(probs, logits, validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(nt.rand(shape, dtype=probs.dtype, device=probs.device))
        odds = u.log() - (-u).log1p() + probs.log() - (-probs).log1p()
        return odds / self.temperature

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        away = logits - value * self.temperature
        return self.temperature.log() + away - 2 * away.exp().log1p()


class _Relaxed(TransformedDistribution):
    """What a transform makes of a distribution that has a temperature."""

    base_dist: Any

    @property
    def temperature(self) -> Any:
        """How far the samples are from a definite choice."""
        return self.base_dist.temperature

    @property
    def probs(self) -> Any:
        """The probability of a success, or those of the choices."""
        return self.base_dist.probs

    @property
    def logits(self) -> Any:
        """The log-odds of a success, or the logarithms of the probabilities."""
        return self.base_dist.logits


class RelaxedBernoulli(_Relaxed):
    """A number between 0 and 1, near to one of both if the temperature is low."""

    arg_constraints: ClassVar[Any] = OfOdds.arg_constraints

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args=validate_args)


class ExpRelaxedCategorical(OfCategories):
    """The logarithms of `RelaxedOneHotCategorical`."""

    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self.temperature = temperature
        super().__init__(Categorical(probs, logits), validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        logits = self.logits.expand((*batch_shape, *self._event_shape))
        return ExpRelaxedCategorical(self.temperature, logits=logits, validate_args=False)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape, logits = self._extended_shape(sample_shape), self.logits
        u = clamp_probs(nt.rand(shape, dtype=logits.dtype, device=logits.device))
        scores = (logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(-1, keepdim=True)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        count = self._event_shape[0]
        score = logits - value * self.temperature
        score = (score - score.logsumexp(-1, keepdim=True)).sum(-1)
        return score + math.lgamma(count) + (count - 1) * self.temperature.log()


class RelaxedOneHotCategorical(_Relaxed):
    """Probabilities that add up to 1, nearly all at one place if the temperature is low."""

    arg_constraints: ClassVar[Any] = Categorical.arg_constraints

    def __init__(
        self,
        temperature: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    @property
    def support(self) -> Any:
        return constraints.simplex


class ContinuousBernoulli(OfOdds, ExponentialFamily):
    """A number between 0 and 1 with the density of `Bernoulli`, scaled to be one.

    Source: G. Loaiza-Ganem and J. P. Cunningham, The continuous Bernoulli (2019).
    """

    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        self._lims = lims
        super().__init__(probs, logits, validate_args)
        if probs is not None:
            self.probs = clamp_probs(self.probs)

    @lazy_property
    def probs(self) -> Any:
        """The probability of a success."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _is_far(self) -> Any:
        """Where the formulas hold, which divide by zero at 1/2."""
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _far(self) -> Any:
        return nt.where(self._is_far(), self.probs, self._lims[0])

    def _log_norm(self) -> Any:
        far = self._far()
        ratio = ((-far).log1p() - far.log()).abs() / (1 - 2 * far).abs()
        x = (self.probs - 0.5).square()
        near = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return nt.where(self._is_far(), ratio.log(), near)

    @property
    def mean(self) -> Any:
        far, x = self._far(), self.probs - 0.5
        exact = far / (2.0 * far - 1.0) + 1.0 / ((-far).log1p() - far.log())
        return nt.where(self._is_far(), exact, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x)

    @property
    def variance(self) -> Any:
        far, x = self._far(), (self.probs - 0.5).square()
        exact = far * (far - 1.0) / (1.0 - 2.0 * far) ** 2
        exact = exact + 1.0 / ((-far).log1p() - far.log()) ** 2
        near = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return nt.where(self._is_far(), exact, near)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        return self.icdf(nt.rand(shape, dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        cross = nt.nn.functional.binary_cross_entropy_with_logits
        return self._log_norm() - cross(logits, value, reduction="none")

    def cdf(self, value: Any) -> Any:
        far = self._far()
        inside = (far**value * (1.0 - far) ** (1.0 - value) + far - 1.0) / (2.0 * far - 1.0)
        return nt.where(self._is_far(), inside, value).clamp(min=0.0, max=1.0)

    def icdf(self, value: Any) -> Any:
        far = self._far()
        exact = (-far + value * (2.0 * far - 1.0)).log1p() - (-far).log1p()
        return nt.where(self._is_far(), exact / (far.log() - (-far).log1p()), value)

    def entropy(self) -> Any:
        none, one = (-self.probs).log1p(), self.probs.log()
        return self.mean * (none - one) - self._log_norm() - none
