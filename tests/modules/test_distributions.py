"""Distributions: what `tests/programs` cannot compare with PyTorch element by element."""

from __future__ import annotations

import math

import pytest

import namecheck_runtime as nt
import namecheck_runtime.distributions as D
from namecheck_runtime.distributions.probabilities import slope_of_gamma

DRAWS = 20_000


def doubles(*values: float) -> nt.Tensor:
    return nt.tensor(values, dtype=nt.float64)


def test_angles() -> None:
    """PyTorch approximates the Bessel functions."""
    angles = D.VonMises(doubles(0.3, -1.0), doubles(0.5, 4.0))
    found = [*angles.log_prob(doubles(0.1, 2.0)).tolist(), *angles.variance.tolist()]
    torch = [-1.4093934715241028, -8.222819867620938, 0.7575003832967004, 0.13647740531006647]
    assert found == pytest.approx(torch, rel=1e-6)
    nt.manual_seed(0)
    drawn = angles.sample((DRAWS,)) - angles.loc
    assert drawn.cos().mean(0).tolist() == pytest.approx((1 - angles.variance).tolist(), abs=0.02)
    assert drawn.sin().mean(0).tolist() == pytest.approx([0, 0], abs=0.02)


def test_slopes_of_gamma_are_those_of_pytorch() -> None:
    concentration, values = doubles(0.1, 0.7, 1, 5, 200), doubles(1e-3, 0.5, 2, 4, 210)
    torch = [0.06490724738374094, 1.042099234, 1.6317224955, 0.9227530487, 1.0254378683]
    assert slope_of_gamma(concentration, values).tolist() == pytest.approx(torch, rel=1e-4)


def test_samples_of_the_gamma_family_have_gradients() -> None:
    nt.manual_seed(0)
    concentration = nt.tensor([0.5, 1.5, 8.0], requires_grad=True)
    drawn = D.Gamma(concentration, nt.tensor(2.0)).rsample((DRAWS,))
    drawn.mean(0).sum().backward()
    assert concentration.grad is not None
    assert concentration.grad.tolist() == pytest.approx([0.5, 0.5, 0.5], abs=0.02)
    concentration.grad = None
    D.Dirichlet(concentration).rsample((DRAWS,)).mean(0)[1].backward()
    assert concentration.grad is not None
    wanted = [-0.015, 0.085, -0.015]
    assert concentration.grad.tolist() == pytest.approx(wanted, abs=0.005)
    assert not D.Beta(concentration, concentration).sample().requires_grad
    assert D.StudentT(concentration).rsample().requires_grad


MOMENTS = [
    D.Gumbel(0.5, 2.0),
    D.HalfNormal(2.0),
    D.Weibull(2.0, 3.0),
    D.Pareto(1.5, 6.0),
    D.InverseGamma(6.0, 2.0),
    D.Chi2(3.0),
    D.Kumaraswamy(2.0, 3.0),
    D.Beta(2.0, 3.0),
    D.StudentT(6.0, 1.0, 2.0),
    D.ContinuousBernoulli(0.2),
    D.ContinuousBernoulli(0.5),
    D.Geometric(0.3),
    D.Binomial(7, 0.3),
    D.NegativeBinomial(4, 0.3),
]


@pytest.mark.parametrize("distribution", MOMENTS, ids=lambda one: type(one).__name__)
def test_samples_have_the_mean_and_the_variance(distribution: D.Distribution) -> None:
    nt.manual_seed(0)
    drawn = distribution.sample((DRAWS,))
    spread = math.sqrt(float(distribution.variance))
    assert float(drawn.mean()) == pytest.approx(float(distribution.mean), abs=0.05 * spread)
    assert float(drawn.std()) == pytest.approx(spread, rel=0.1)


def test_counts_and_relaxed_choices() -> None:
    nt.manual_seed(0)
    probs = nt.tensor([0.2, 0.3, 0.5])
    counts = D.Multinomial(10, probs).sample((DRAWS,))
    assert bool((counts.sum(-1) == 10).all())
    assert counts.mean(0).tolist() == pytest.approx([2, 3, 5], abs=0.1)
    cold = D.RelaxedOneHotCategorical(nt.tensor(0.01), probs).sample((DRAWS,))
    assert cold.mean(0).tolist() == pytest.approx(probs.tolist(), abs=0.02)
    bits = D.RelaxedBernoulli(nt.tensor(0.01), probs).sample((DRAWS,))
    assert bits.mean(0).tolist() == pytest.approx(probs.tolist(), abs=0.02)


def test_expanding_keeps_the_class() -> None:
    for made in (
        *(D.Gumbel(nt.zeros(3), 1.0), D.HalfCauchy(nt.ones(3)), D.Pareto(nt.ones(3), 1.0)),
        *(D.InverseGamma(nt.ones(3), 1.0), D.Chi2(nt.ones(3)), D.Binomial(2, nt.ones(3) / 2)),
        D.RelaxedBernoulli(nt.tensor(0.5), nt.ones(3) / 2),
        D.LowRankMultivariateNormal(nt.zeros(3, 2), nt.ones(3, 2, 1), nt.ones(3, 2)),
        D.Multinomial(2, nt.ones(3, 2)),
    ):
        wide = made.expand((5, 3))
        assert type(wide) is type(made)
        assert (wide.batch_shape, wide.event_shape) == ((5, 3), made.event_shape)
        assert wide.sample((2,)).shape == (2, 5, 3, *made.event_shape)
        assert wide.log_prob(made.sample()).shape == (5, 3)


def test_a_base_is_as_large_as_its_transforms() -> None:
    move = D.AffineTransform(nt.zeros(3), 2.0)
    flow = D.TransformedDistribution(D.Normal(0.0, 1.0), [move, D.PowerTransform(nt.ones(2, 1))])
    assert flow.batch_shape == (2, 3)
    assert flow.sample((4,)).shape == (4, 2, 3)


def test_transforms_that_do_the_same_are_equal() -> None:
    assert D.ExpTransform() == D.ExpTransform() != D.TanhTransform()
    assert D.ExpTransform().inv == D.ExpTransform().inv
    assert D.AffineTransform(nt.zeros(2), 1.0) == D.AffineTransform(0.0, 1.0)
    assert D.PowerTransform(2.0) != D.PowerTransform(3.0)
    both = D.LogNormal(0.0, 1.0), D.TransformedDistribution(D.Normal(0.0, 1.0), D.TanhTransform())
    with pytest.raises(NotImplementedError):
        D.kl_divergence(*both)


def test_sizes_that_do_not_agree() -> None:
    with pytest.raises(NotImplementedError, match="inhomogeneous"):
        D.Multinomial(nt.tensor(3), nt.ones(2))  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="Inhomogeneous"):
        D.Binomial(nt.tensor([2.0, 3.0]), nt.ones(2) / 2).enumerate_support()
    with pytest.raises(ValueError, match="cov_factor"):
        D.LowRankMultivariateNormal(nt.zeros(3), nt.ones(3), nt.ones(3))
    with pytest.raises(NotImplementedError, match="KL between Binomials"):
        D.kl_divergence(D.Binomial(2, nt.ones(1) / 2), D.Binomial(3, nt.ones(1) / 2))
