"""How far a distribution is from another.  Source: torch.distributions.kl."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import namecheck_runtime as nt
from namecheck_runtime.distributions.composite import Independent, TransformedDistribution
from namecheck_runtime.distributions.continuous import (
    Beta,
    Dirichlet,
    Exponential,
    Gamma,
    Uniform,
)
from namecheck_runtime.distributions.counts import Binomial, Geometric, Poisson
from namecheck_runtime.distributions.discrete import Bernoulli, Categorical, OneHotCategorical
from namecheck_runtime.distributions.distribution import Distribution
from namecheck_runtime.distributions.location_scale import Cauchy, Laplace, Normal
from namecheck_runtime.distributions.relaxed import ContinuousBernoulli
from namecheck_runtime.distributions.transformed import EULER, Gumbel, HalfNormal, Pareto
from namecheck_runtime.distributions.transforms import sum_rightmost
from namecheck_runtime.distributions.vectors import LowRankMultivariateNormal, MultivariateNormal


def register_kl(type_p: Any, type_q: Any) -> Callable[[Any], Any]:
    """A decorator: the function is used for `kl_divergence` of these classes."""
    for kind in (type_p, type_q):
        if not (isinstance(kind, type) and issubclass(kind, Distribution)):
            raise TypeError(f"Expected a Distribution subclass but got {kind}")

    def register(function: Any) -> Any:
        _RULES[type_p, type_q] = function
        return function

    return register


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """The Kullback-Leibler divergence of `q` from `p`: the batch dims of both.

    Raises NotImplementedError for classes that have no rule.
    """
    for kind_p in type(p).__mro__:
        for kind_q in type(q).__mro__:
            rule = _RULES.get((kind_p, kind_q))
            if rule is not None:
                return rule(p, q)
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )


def _normals(p: Normal, q: Normal) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    away = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + away - 1 - ratio.log())


def _laplaces(p: Laplace, q: Laplace) -> Any:
    ratio = p.scale / q.scale
    away = (p.loc - q.loc).abs()
    return -ratio.log() + away / q.scale + ratio * nt.exp(-away / p.scale) - 1


def _uniforms(p: Uniform, q: Uniform) -> Any:
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return nt.where((q.low > p.low) | (q.high < p.high), math.inf, result)


def _exponentials(p: Exponential, q: Exponential) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


def _gammas(p: Gamma, q: Gamma) -> Any:
    return (
        q.concentration * (p.rate / q.rate).log()
        + nt.lgamma(q.concentration)
        - nt.lgamma(p.concentration)
        + (p.concentration - q.concentration) * nt.digamma(p.concentration)
        + (q.rate - p.rate) * (p.concentration / p.rate)
    )


def _dirichlets(p: Dirichlet, q: Dirichlet) -> Any:
    sums = p.concentration.sum(-1), q.concentration.sum(-1)
    first = sums[0].lgamma() - sums[1].lgamma()
    second = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    third = p.concentration - q.concentration
    fourth = p.concentration.digamma() - sums[0].digamma().unsqueeze(-1)
    return first - second + (third * fourth).sum(-1)


def _betas(p: Beta, q: Beta) -> Any:
    return _dirichlets(p._dirichlet, q._dirichlet)


def _vectors(p: Any, q: Any) -> Any:
    logs = [x.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1) for x in (q, p)]
    solve = nt.linalg.solve_triangular
    spread = solve(q.scale_tril, p.scale_tril, upper=False).pow(2).sum((-2, -1))
    away = solve(q.scale_tril, (q.loc - p.loc).unsqueeze(-1), upper=False).pow(2).sum((-2, -1))
    return logs[0] - logs[1] + 0.5 * (spread + away - p.event_shape[0])


def _bernoullis(p: Bernoulli, q: Bernoulli) -> Any:
    softplus = nt.nn.functional.softplus
    first = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    second = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return first + second


def _categoricals(p: Categorical, q: Categorical) -> Any:
    t = p.probs * (p.logits - q.logits)
    t = nt.where(q.probs == 0, math.inf, t)
    return nt.where(p.probs == 0, 0.0, t).sum(-1)


def _poissons(p: Poisson, q: Poisson) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


def _cauchys(p: Cauchy, q: Cauchy) -> Any:
    away = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return away.log() - (4 * p.scale * q.scale).log()


def _gumbels(p: Gumbel, q: Gumbel) -> Any:
    ratio, away = p.scale / q.scale, (q.loc - p.loc) / q.scale
    grown = (away + (1 + ratio).lgamma()).exp()
    return ratio * EULER - ratio.log() - away + grown - (1 + EULER)


def _half_normals(p: HalfNormal, q: HalfNormal) -> Any:
    return _normals(p.base_dist, q.base_dist)


def _paretos(p: Pareto, q: Pareto) -> Any:
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return nt.where(p.scale < q.scale, math.inf, result)


def _continuous_bernoullis(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Any:
    mine, theirs = (x._log_norm() + (-x.probs).log1p() for x in (p, q))
    return p.mean * (p.logits - q.logits) + mine - theirs


def _geometrics(p: Geometric, q: Geometric) -> Any:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


def _binomials(p: Binomial, q: Binomial) -> Any:
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    each = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return nt.where(p.total_count > q.total_count, math.inf, p.total_count * each)


def _one_hots(p: OneHotCategorical, q: OneHotCategorical) -> Any:
    return _categoricals(p._categorical, q._categorical)


def _transformed(p: TransformedDistribution, q: TransformedDistribution) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


def _independents(p: Independent, q: Independent) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    inner = kl_divergence(p.base_dist, q.base_dist)
    return sum_rightmost(inner, p.reinterpreted_batch_ndims)


_RULES: Final[dict[tuple[type, type], Callable[[Any, Any], Any]]] = {
    (Normal, Normal): _normals,
    (Laplace, Laplace): _laplaces,
    (Uniform, Uniform): _uniforms,
    (Exponential, Exponential): _exponentials,
    (Gamma, Gamma): _gammas,
    (Dirichlet, Dirichlet): _dirichlets,
    (Beta, Beta): _betas,
    (MultivariateNormal, MultivariateNormal): _vectors,
    (Bernoulli, Bernoulli): _bernoullis,
    (Categorical, Categorical): _categoricals,
    (Poisson, Poisson): _poissons,
    (Independent, Independent): _independents,
    (Cauchy, Cauchy): _cauchys,
    (Gumbel, Gumbel): _gumbels,
    (HalfNormal, HalfNormal): _half_normals,
    (Pareto, Pareto): _paretos,
    (ContinuousBernoulli, ContinuousBernoulli): _continuous_bernoullis,
    (Geometric, Geometric): _geometrics,
    (Binomial, Binomial): _binomials,
    (OneHotCategorical, OneHotCategorical): _one_hots,
    (TransformedDistribution, TransformedDistribution): _transformed,
    (MultivariateNormal, LowRankMultivariateNormal): _vectors,
    (LowRankMultivariateNormal, MultivariateNormal): _vectors,
    (LowRankMultivariateNormal, LowRankMultivariateNormal): _vectors,
}
