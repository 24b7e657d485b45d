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


def facts(distribution, value):
    """What a distribution says of a value and of itself."""
    found = {"log_prob": distribution.log_prob(value)}
    if distribution.batch_shape:
        larger = distribution.expand((3, *distribution.batch_shape))
        found["larger"] = larger.log_prob(value)
    for name in ("mean", "variance"):
        if type(distribution) is not D.TransformedDistribution:
            found[name] = getattr(distribution, name)
    if hasattr(type(distribution), "entropy") and isinstance(
        distribution, (Normal, D.Gamma, D.Beta, D.Bernoulli, D.Categorical, D.MultivariateNormal)
    ):
        found["entropy"] = distribution.entropy()
    if isinstance(distribution, (Normal, D.Independent, D.LogNormal, D.MultivariateNormal)):
        found["sample"] = distribution.rsample((2,))
    if isinstance(distribution, (Normal, D.Laplace, D.LogNormal, D.TransformedDistribution)):
        found["cdf"] = distribution.cdf(value)
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
