"""What `torch.distributions` does with dims, as source that the analyzer evaluates.

PyTorch has its distributions in Python: shapes are no rule of an op but follow from what the
constructors and methods compute. Here is as much of that as decides the shape, the kind of number
and whether there is a gradient; the analyzer evaluates it instead (`Program.counterpart`). It is
never imported.

Source: torch.distributions (2.9), measured.
"""

from __future__ import annotations

import copy
from typing import Any

import namecheck_runtime as torch


def broadcast_all(*values: Any) -> Any:
    """Tensors or numbers as tensors of the same sizes."""
    return torch.broadcast_tensors(*[torch.as_tensor(value) * 1.0 for value in values])


def sum_rightmost(value: Any, count: int) -> Any:
    """The sum over the last dims."""
    if count == 0:
        return value
    return value.reshape(*value.shape[:-count], -1).sum(-1)


class Distribution:
    """`_whole` is a tensor of all parameters, whose last `_inner` dims are no batch dims."""

    _whole: Any
    _inner: int
    _batch_shape: Any
    _event_shape: Any

    def __init__(
        self, batch_shape: Any = (), event_shape: Any = (), validate_args: Any = None
    ) -> None:
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)

    @property
    def batch_shape(self) -> Any:
        return self._batch_shape

    @property
    def event_shape(self) -> Any:
        return self._event_shape

    def _extended_shape(self, sample_shape: Any = ()) -> Any:
        return torch.Size(sample_shape) + self._batch_shape + self._event_shape

    @property
    def _at_event(self) -> Any:
        """A tensor of the parameters with all batch and event dims."""
        return self._whole

    @property
    def mean(self) -> Any:
        return self._at_event

    @property
    def mode(self) -> Any:
        return self._at_event

    @property
    def variance(self) -> Any:
        return self._at_event

    @property
    def stddev(self) -> Any:
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = ()) -> Any:
        return torch.empty(self._extended_shape(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        return torch.empty(self._extended_shape(sample_shape)) + self._at_event

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(value + self._at_event, len(self._event_shape))

    def cdf(self, value: Any) -> Any:
        return value + self._at_event

    def icdf(self, value: Any) -> Any:
        return value + self._at_event

    def entropy(self) -> Any:
        return sum_rightmost(self._whole, self._inner)

    def perplexity(self) -> Any:
        return self.entropy().exp()

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        sizes = torch.Size(batch_shape)
        new = copy.copy(self)
        new._whole = self._whole.expand(sizes + self._whole.shape[len(self._batch_shape) :])
        new._batch_shape = sizes
        return new


class ExponentialFamily(Distribution):
    pass


class _Pointwise(Distribution):
    """A distribution of one number, with parameters of the same sizes."""

    def _set(self, *values: Any) -> Any:
        parameters = broadcast_all(*values)
        self._whole = sum(parameters)
        self._inner = 0
        self._batch_shape = self._whole.shape
        self._event_shape = torch.Size()
        return parameters


class _LocationScale(_Pointwise):
    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = self._set(loc, scale)


class Normal(_LocationScale, ExponentialFamily):
    @property
    def stddev(self) -> Any:
        return self.scale


class Laplace(_LocationScale):
    pass


class Cauchy(_LocationScale):
    pass


class Gumbel(_LocationScale):
    pass


class LogNormal(_LocationScale):
    pass


class VonMises(_Pointwise):
    def __init__(self, loc: Any, concentration: Any, validate_args: Any = None) -> None:
        self.loc, self.concentration = self._set(loc, concentration)


class StudentT(_Pointwise):
    def __init__(
        self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: Any = None
    ) -> None:
        self.df, self.loc, self.scale = self._set(df, loc, scale)


class Uniform(_Pointwise):
    def __init__(self, low: Any, high: Any, validate_args: Any = None) -> None:
        self.low, self.high = self._set(low, high)


class HalfNormal(_Pointwise):
    def __init__(self, scale: Any, validate_args: Any = None) -> None:
        (self.scale,) = self._set(scale)


class HalfCauchy(HalfNormal):
    pass


class Weibull(_Pointwise):
    def __init__(self, scale: Any, concentration: Any, validate_args: Any = None) -> None:
        self.scale, self.concentration = self._set(scale, concentration)


class Pareto(_Pointwise):
    def __init__(self, scale: Any, alpha: Any, validate_args: Any = None) -> None:
        self.scale, self.alpha = self._set(scale, alpha)


class Exponential(_Pointwise, ExponentialFamily):
    def __init__(self, rate: Any, validate_args: Any = None) -> None:
        (self.rate,) = self._set(rate)


class Poisson(Exponential):
    pass


class Gamma(_Pointwise, ExponentialFamily):
    def __init__(self, concentration: Any, rate: Any, validate_args: Any = None) -> None:
        self.concentration, self.rate = self._set(concentration, rate)


class InverseGamma(Gamma):
    pass


class Chi2(_Pointwise):
    def __init__(self, df: Any, validate_args: Any = None) -> None:
        (self.df,) = self._set(df)


class Beta(_Pointwise, ExponentialFamily):
    def __init__(self, concentration1: Any, concentration0: Any, validate_args: Any = None) -> None:
        self.concentration1, self.concentration0 = self._set(concentration1, concentration0)


class Kumaraswamy(Beta):
    pass


class _OfOdds(_Pointwise):
    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        (self.probs,) = self._set(logits if probs is None else probs)
        self.logits = self.probs


class Bernoulli(_OfOdds, ExponentialFamily):
    @property
    def param_shape(self) -> Any:
        return self._batch_shape

    def enumerate_support(self, expand: bool = True) -> Any:
        values = torch.arange(2.0).reshape(-1, *(1,) * len(self._batch_shape))
        return values.expand(2, *self._batch_shape) if expand else values


class ContinuousBernoulli(_OfOdds, ExponentialFamily):
    pass


class Geometric(_OfOdds):
    pass


class RelaxedBernoulli(_Pointwise):
    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None
    ) -> None:
        self.temperature = temperature
        (self.probs,) = self._set(logits if probs is None else probs)
        self.logits = self.probs


class LogitRelaxedBernoulli(RelaxedBernoulli):
    pass


class Binomial(_Pointwise):
    def __init__(
        self,
        total_count: Any = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: Any = None,
    ) -> None:
        self.total_count, self.probs = self._set(total_count, logits if probs is None else probs)
        self.logits = self.probs


class NegativeBinomial(Binomial):
    pass


class _OverLastDim(Distribution):
    """A distribution whose probabilities are in the last dim."""

    def _set(self, probs: Any, logits: Any, is_event: bool) -> None:
        self.probs = self.logits = self._whole = torch.softmax(
            logits if probs is None else probs, -1
        )
        self._inner = 1
        self._num_events = self.probs.shape[-1]
        self._batch_shape = self.probs.shape[:-1]
        self._event_shape = self.probs.shape[-1:] if is_event else torch.Size()

    @property
    def param_shape(self) -> Any:
        return self.probs.shape


class Categorical(_OverLastDim):
    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self._set(probs, logits, False)

    @property
    def _at_event(self) -> Any:
        return self.logits.sum(-1)

    def sample(self, sample_shape: Any = ()) -> Any:
        return torch.empty(self._extended_shape(sample_shape), dtype=torch.long)

    @property
    def mode(self) -> Any:
        return self.probs.argmax(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        values = torch.arange(self._num_events).view(-1, *(1,) * len(self._batch_shape))
        return values.expand(-1, *self._batch_shape) if expand else values


class OneHotCategorical(_OverLastDim):
    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self._set(probs, logits, True)

    def enumerate_support(self, expand: bool = True) -> Any:
        n = self._num_events
        values = torch.eye(n).view(n, *(1,) * len(self._batch_shape), n)
        return values.expand(n, *self._batch_shape, n) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    pass


class RelaxedOneHotCategorical(_OverLastDim):
    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: Any = None
    ) -> None:
        self.temperature = temperature
        self._set(probs, logits, True)


class Multinomial(_OverLastDim):
    def __init__(
        self,
        total_count: int = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: Any = None,
    ) -> None:
        self.total_count = total_count
        self._set(probs, logits, True)


class Dirichlet(Distribution):
    def __init__(self, concentration: Any, validate_args: Any = None) -> None:
        self.concentration = self._whole = concentration
        self._inner = 1
        self._batch_shape, self._event_shape = concentration.shape[:-1], concentration.shape[-1:]


class MultivariateNormal(Distribution):
    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: Any = None,
    ) -> None:
        if scale_tril is not None:
            factor = scale_tril
        elif covariance_matrix is not None:
            factor = torch.linalg.cholesky(covariance_matrix)
        else:
            factor = torch.linalg.cholesky(precision_matrix)
        self._batch_shape = torch.broadcast_shapes(factor.shape[:-2], loc.shape[:-1])
        self._event_shape = loc.shape[-1:]
        self.loc = loc.expand((*self._batch_shape, -1))
        self.scale_tril = factor.expand((*self._batch_shape, -1, -1))
        self.covariance_matrix = self.precision_matrix = self.scale_tril
        self._whole = self.loc + (self.scale_tril @ self.loc.unsqueeze(-1)).squeeze(-1)
        self._inner = 1


class LowRankMultivariateNormal(Distribution):
    def __init__(self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: Any = None) -> None:
        loc, self.cov_diag = torch.broadcast_tensors(loc, cov_diag)
        self._batch_shape = torch.broadcast_shapes(cov_factor.shape[:-2], loc.shape[:-1])
        self._event_shape = loc.shape[-1:]
        self.loc = self._whole = loc.expand((*self._batch_shape, -1))
        self.cov_factor = cov_factor.expand((*self._batch_shape, -1, -1))
        self._inner = 1


class Independent(Distribution):
    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: Any = None
    ) -> None:
        shape = base_distribution.batch_shape + base_distribution.event_shape
        event = reinterpreted_batch_ndims + len(base_distribution.event_shape)
        self._batch_shape = shape[: len(shape) - event]
        self._event_shape = shape[len(shape) - event :]
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self._whole = base_distribution._whole
        self._inner = base_distribution._inner + reinterpreted_batch_ndims

    @property
    def mean(self) -> Any:
        return self.base_dist.mean

    @property
    def mode(self) -> Any:
        return self.base_dist.mode

    @property
    def variance(self) -> Any:
        return self.base_dist.variance

    def sample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        inner = self.event_shape[: self.reinterpreted_batch_ndims]
        base = self.base_dist.expand(torch.Size(batch_shape) + inner)
        return Independent(base, self.reinterpreted_batch_ndims)


class MixtureSameFamily(Distribution):
    def __init__(
        self,
        mixture_distribution: Any,
        component_distribution: Any,
        validate_args: Any = None,
    ) -> None:
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        self._batch_shape = component_distribution.batch_shape[:-1]
        self._event_shape = component_distribution.event_shape
        count = len(self._event_shape)
        weights = mixture_distribution.probs.reshape(
            mixture_distribution.probs.shape + (1,) * count
        )
        self._whole = (component_distribution.mean + weights).sum(-1 - count)
        self._inner = count

    def log_prob(self, value: Any) -> Any:
        value = value.unsqueeze(-1 - len(self._event_shape))
        inner = self.component_distribution.log_prob(value)
        return torch.logsumexp(inner + self.mixture_distribution.logits, -1)


class Transform:
    """A transform of single numbers, for all that a subclass does not say."""

    bijective = True
    event_dim = 0
    sign = 1

    def __init__(self, cache_size: int = 0) -> None:
        self._cache_size = cache_size

    def __call__(self, x: Any) -> Any:
        return self._call(x)

    def _call(self, x: Any) -> Any:
        return x * 1.0

    def _inverse(self, y: Any) -> Any:
        return y * 1.0

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x * 1.0

    @property
    def inv(self) -> Any:
        return _Inverse(self)


class _Inverse(Transform):
    def __init__(self, transform: Any) -> None:
        self._transform = transform

    def _call(self, x: Any) -> Any:
        return self._transform._inverse(x)

    def _inverse(self, y: Any) -> Any:
        return self._transform(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return self._transform.log_abs_det_jacobian(y, x)

    @property
    def inv(self) -> Any:
        return self._transform


class TanhTransform(Transform):
    pass


class ExpTransform(Transform):
    pass


class SigmoidTransform(Transform):
    pass


class SoftplusTransform(Transform):
    pass


class AbsTransform(Transform):
    pass


class PowerTransform(Transform):
    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        self.exponent = exponent

    def _call(self, x: Any) -> Any:
        return x + self.exponent


class AffineTransform(Transform):
    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        self.loc, self.scale, self.event_dim = loc, scale, event_dim

    def _call(self, x: Any) -> Any:
        return x * self.scale + self.loc

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return sum_rightmost(x * self.scale, self.event_dim)


class TransformedDistribution(Distribution):
    def __init__(self, base_distribution: Any, transforms: Any, validate_args: Any = None) -> None:
        self.transforms = (
            list(transforms) if isinstance(transforms, (list, tuple)) else [transforms]
        )
        event = max([transform.event_dim for transform in self.transforms] + [0])
        missing = event - len(base_distribution.event_shape)
        if missing > 0:
            base_distribution = Independent(base_distribution, missing)
        self.base_dist = base_distribution
        self._batch_shape = base_distribution.batch_shape
        self._event_shape = base_distribution.event_shape
        self._whole = base_distribution._whole
        self._inner = base_distribution._inner

    def sample(self, sample_shape: Any = ()) -> Any:
        x = self.base_dist.sample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def rsample(self, sample_shape: Any = ()) -> Any:
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value: Any) -> Any:
        event = len(self._event_shape)
        total = 0.0
        for transform in reversed(self.transforms):
            x = transform.inv(value)
            slope = transform.log_abs_det_jacobian(x, value)
            total = total - sum_rightmost(slope, event - transform.event_dim)
            value = x
        return total + self.base_dist.log_prob(value)


def kl_divergence(p: Any, q: Any) -> Any:
    """The batch dims of both."""
    return sum_rightmost(p._whole + q._whole, p._inner)


def register_kl(type_p: Any, type_q: Any) -> Any:
    def register(function: Any) -> Any:
        return function

    return register
