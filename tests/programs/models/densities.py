"""Distributions of each kind: densities, moments and samples of drawn parameters."""

import torch
import torch.distributions as D
from torch.distributions.categorical import Categorical
from torch.distributions.normal import Normal


def distributions(a, b):
    """One of each kind, of two numbers between 0 and 1, and values that it allows."""
    yield Normal(a, b), torch.tensor([0.1, 0.9])
    yield D.Laplace(a, b), torch.tensor([0.1, 0.9])
    yield D.Uniform(-a, 1 + b), torch.tensor([0.1, 0.9])
    yield D.Exponential(b), torch.tensor([0.1, 0.9])
    yield D.Gamma(a, 1 + b), torch.tensor([0.1, 0.9])
    yield D.Beta(a, 1 + b), torch.tensor([0.1, 0.9])
    yield D.Dirichlet(a), torch.tensor([0.1, 0.9])
    yield D.StudentT(2 + a, b, 1 + a), torch.tensor([0.1, 0.9])
    yield D.Bernoulli(probs=a), torch.tensor([1.0, 0.0])
    yield D.Bernoulli(logits=b), torch.tensor([1.0, 0.0])
    yield D.Categorical(logits=a), torch.tensor([1, 0])
    yield Categorical(probs=a), torch.tensor([1, 0])
    yield D.OneHotCategorical(probs=a), torch.tensor([1.0, 0.0])
    yield D.Poisson(b), torch.tensor([3.0, 0.0])
    yield D.NegativeBinomial(1 + a, logits=b), torch.tensor([3.0, 0.0])
    yield D.MultivariateNormal(a, torch.eye(2) + b[0] ** 2), torch.tensor([1.0, 0.0])
    yield D.Independent(Normal(a, b), 1), torch.tensor([0.1, 0.9])
    yield D.LogNormal(a, b), torch.tensor([0.1, 0.9])
    squashed = [D.AffineTransform(0.3, 2.0), D.TanhTransform()]
    yield D.TransformedDistribution(Normal(a, b), squashed), torch.tensor([0.1, 0.9])
    yield D.TransformedDistribution(D.Laplace(a, b), D.SigmoidTransform()), torch.tensor([0.1, 0.9])
    yield D.TransformedDistribution(Normal(a, b), D.SoftplusTransform()), torch.tensor([0.1, 0.9])
    yield D.MixtureSameFamily(D.Categorical(logits=a), Normal(a, b)), torch.tensor(0.4)


def more_distributions(a, b):
    """Those that are made of others, or used less often."""
    yield D.Cauchy(a, b), torch.tensor([0.1, 0.9])
    yield D.Gumbel(a, b), torch.tensor([0.1, 0.9])
    yield D.HalfNormal(a), torch.tensor([0.1, 0.9])
    yield D.HalfCauchy(b), torch.tensor([0.1, 0.9])
    yield D.Weibull(a, 1 + b), torch.tensor([0.1, 0.9])
    yield D.Pareto(a, 3 + b), 1 + torch.tensor([0.1, 0.9])
    yield D.InverseGamma(3 + a, b), torch.tensor([0.1, 0.9])
    yield D.Chi2(a), torch.tensor([0.1, 0.9])
    yield D.Kumaraswamy(1 + a, 1 + b), torch.tensor([0.1, 0.9])
    yield D.ContinuousBernoulli(a), torch.tensor([0.1, 0.9])
    yield D.ContinuousBernoulli(logits=b), torch.tensor([0.1, 0.9])
    yield D.Geometric(a), torch.tensor([3.0, 0.0])
    yield D.Geometric(logits=b), torch.tensor([3.0, 0.0])
    yield D.Binomial(4, a), torch.tensor([3.0, 0.0])
    yield D.Binomial(torch.tensor([4.0, 4.0]), logits=b), torch.tensor([3.0, 0.0])
    yield D.Multinomial(4, a), torch.tensor([3.0, 1.0])
    yield D.RelaxedBernoulli(a[0], logits=b), torch.tensor([0.1, 0.9])
    yield D.RelaxedOneHotCategorical(a[0], b), torch.tensor([0.1, 0.9])
    spread = D.LowRankMultivariateNormal(a, b[:, None], 1 + a)
    yield spread, torch.tensor([1.0, 0.0])
    bent = [D.AffineTransform(a, 2.0), D.SigmoidTransform(), D.PowerTransform(b + 1)]
    yield D.TransformedDistribution(Normal(0.0, 1.0), bent), torch.tensor([0.1, 0.9])


def facts(distribution, value):
    """What a distribution says of a value and of itself."""
    found = {"log_prob": distribution.log_prob(value)}
    if distribution.batch_shape:
        larger = distribution.expand((3, *distribution.batch_shape))
        found["larger"] = larger.log_prob(value)
    relaxed = (D.RelaxedBernoulli, D.RelaxedOneHotCategorical)
    for name in ("mean", "variance"):
        is_known = type(distribution) is not D.TransformedDistribution
        if is_known and not isinstance(distribution, relaxed):
            found[name] = getattr(distribution, name)
    if hasattr(type(distribution), "entropy") and isinstance(
        distribution, (Normal, D.Gamma, D.Beta, D.Bernoulli, D.Categorical, D.MultivariateNormal)
    ):
        found["entropy"] = distribution.entropy()
    if isinstance(distribution, (Normal, D.Independent, D.LogNormal, D.MultivariateNormal)):
        found["sample"] = distribution.rsample((2,))
    has_cdf = isinstance(distribution, (Normal, D.Laplace, D.LogNormal, D.TransformedDistribution))
    if has_cdf and not isinstance(distribution, (*relaxed, D.Gumbel, D.InverseGamma)):
        found["cdf"] = distribution.cdf(value)
    return found


def more_facts(distribution, value):
    """The same of those that are used less often."""
    found = facts(distribution, value)
    has_no_mode = (D.ContinuousBernoulli, D.Kumaraswamy, D.Multinomial, D.RelaxedOneHotCategorical)
    if type(distribution) not in (*has_no_mode, D.RelaxedBernoulli, D.TransformedDistribution):
        found["mode"] = distribution.mode
    if isinstance(distribution, (D.Cauchy, D.HalfNormal, D.HalfCauchy, D.Weibull)):
        found["quantile"] = distribution.icdf(torch.tensor([0.3, 0.6]))
        found["below"] = distribution.cdf(value)
    closed = (D.Pareto, D.InverseGamma, D.Chi2, D.Kumaraswamy, D.ContinuousBernoulli)
    others = (D.Geometric, D.Binomial, D.Multinomial, D.LowRankMultivariateNormal, D.Gumbel)
    if isinstance(distribution, (D.Cauchy, D.HalfNormal, D.HalfCauchy, *closed, *others)):
        found["entropy"] = distribution.entropy()
    if isinstance(distribution, D.LowRankMultivariateNormal):
        found["matrices"] = distribution.covariance_matrix, distribution.precision_matrix
    if isinstance(distribution, (D.Binomial, D.OneHotCategorical)):
        found["values"] = distribution.enumerate_support()
    found["sizes"] = torch.zeros(distribution.sample((7,)).shape)
    return found


def divergences(a, b):
    """How far distributions are from others of their kind."""
    pairs = [
        (Normal(a, b), Normal(b, 1 + a)),
        (D.Laplace(a, b), D.Laplace(b, 1 + a)),
        (D.Bernoulli(a), D.Bernoulli(logits=b)),
        (D.Categorical(a), D.Categorical(logits=b)),
        (D.Gamma(a, b), D.Gamma(b, 1 + a)),
        (D.Beta(a, b), D.Beta(b, 1 + a)),
        (D.Exponential(a), D.Exponential(b)),
        (D.Uniform(a - 1, b + 1), D.Uniform(a - 2, b + 2)),
        (D.Poisson(a), D.Poisson(b)),
        (D.Independent(Normal(a, b), 1), D.Independent(Normal(b, a), 1)),
    ]
    return [D.kl_divergence(p, q) for p, q in pairs]


def more_divergences(a, b):
    """Of kinds that are used less often."""
    plain = D.MultivariateNormal(a, torch.eye(2) + b[0] ** 2)
    spread = D.LowRankMultivariateNormal(b, a[:, None], 1 + a)
    pairs = [
        (D.Cauchy(a, b), D.Cauchy(b, 1 + a)),
        (D.Gumbel(a, b), D.Gumbel(b, 1 + a)),
        (D.HalfNormal(a), D.HalfNormal(b)),
        (D.Pareto(a, b), D.Pareto(a / 2, 1 + a)),
        (D.ContinuousBernoulli(a), D.ContinuousBernoulli(logits=b)),
        (D.Geometric(a), D.Geometric(b)),
        (D.Binomial(4, a), D.Binomial(4, b)),
        (D.OneHotCategorical(a), D.OneHotCategorical(logits=b)),
        (D.LogNormal(a, b), D.LogNormal(b, 1 + a)),
        (plain, spread),
        (spread, plain),
        (spread, D.LowRankMultivariateNormal(a, b[:, None], 1 + b)),
    ]
    kept = [D.StudentT(3 + a, b, 1 + a), D.Beta(1 + a, 2 + b), D.Dirichlet(1 + a)]
    return [D.kl_divergence(p, q) for p, q in pairs], kept[0].entropy(), [x.mode for x in kept]
