"""`namecheck_runtime.distributions`: probabilities of values, and samples with gradients.

Source: torch.distributions.  The checker evaluates these modules for PyTorch's, too.
"""

from __future__ import annotations

from namecheck_runtime.distributions import constraints as constraints
from namecheck_runtime.distributions import transforms as transforms
from namecheck_runtime.distributions.composite import Independent as Independent
from namecheck_runtime.distributions.composite import MixtureSameFamily as MixtureSameFamily
from namecheck_runtime.distributions.composite import (
    TransformedDistribution as TransformedDistribution,
)
from namecheck_runtime.distributions.continuous import Beta as Beta
from namecheck_runtime.distributions.continuous import Chi2 as Chi2
from namecheck_runtime.distributions.continuous import Dirichlet as Dirichlet
from namecheck_runtime.distributions.continuous import Exponential as Exponential
from namecheck_runtime.distributions.continuous import Gamma as Gamma
from namecheck_runtime.distributions.continuous import Uniform as Uniform
from namecheck_runtime.distributions.counts import Binomial as Binomial
from namecheck_runtime.distributions.counts import Geometric as Geometric
from namecheck_runtime.distributions.counts import Multinomial as Multinomial
from namecheck_runtime.distributions.counts import NegativeBinomial as NegativeBinomial
from namecheck_runtime.distributions.counts import Poisson as Poisson
from namecheck_runtime.distributions.discrete import Bernoulli as Bernoulli
from namecheck_runtime.distributions.discrete import Categorical as Categorical
from namecheck_runtime.distributions.discrete import OneHotCategorical as OneHotCategorical
from namecheck_runtime.distributions.discrete import (
    OneHotCategoricalStraightThrough as OneHotCategoricalStraightThrough,
)
from namecheck_runtime.distributions.distribution import Distribution as Distribution
from namecheck_runtime.distributions.distribution import ExponentialFamily as ExponentialFamily
from namecheck_runtime.distributions.kl import kl_divergence as kl_divergence
from namecheck_runtime.distributions.kl import register_kl as register_kl
from namecheck_runtime.distributions.location_scale import Cauchy as Cauchy
from namecheck_runtime.distributions.location_scale import Laplace as Laplace
from namecheck_runtime.distributions.location_scale import Normal as Normal
from namecheck_runtime.distributions.location_scale import StudentT as StudentT
from namecheck_runtime.distributions.location_scale import VonMises as VonMises
from namecheck_runtime.distributions.relaxed import ContinuousBernoulli as ContinuousBernoulli
from namecheck_runtime.distributions.relaxed import RelaxedBernoulli as RelaxedBernoulli
from namecheck_runtime.distributions.relaxed import (
    RelaxedOneHotCategorical as RelaxedOneHotCategorical,
)
from namecheck_runtime.distributions.transformed import Gumbel as Gumbel
from namecheck_runtime.distributions.transformed import HalfCauchy as HalfCauchy
from namecheck_runtime.distributions.transformed import HalfNormal as HalfNormal
from namecheck_runtime.distributions.transformed import InverseGamma as InverseGamma
from namecheck_runtime.distributions.transformed import Kumaraswamy as Kumaraswamy
from namecheck_runtime.distributions.transformed import LogNormal as LogNormal
from namecheck_runtime.distributions.transformed import Pareto as Pareto
from namecheck_runtime.distributions.transformed import Weibull as Weibull
from namecheck_runtime.distributions.transforms import AbsTransform as AbsTransform
from namecheck_runtime.distributions.transforms import AffineTransform as AffineTransform
from namecheck_runtime.distributions.transforms import ComposeTransform as ComposeTransform
from namecheck_runtime.distributions.transforms import ExpTransform as ExpTransform
from namecheck_runtime.distributions.transforms import PowerTransform as PowerTransform
from namecheck_runtime.distributions.transforms import SigmoidTransform as SigmoidTransform
from namecheck_runtime.distributions.transforms import SoftplusTransform as SoftplusTransform
from namecheck_runtime.distributions.transforms import TanhTransform as TanhTransform
from namecheck_runtime.distributions.transforms import Transform as Transform
from namecheck_runtime.distributions.vectors import (
    LowRankMultivariateNormal as LowRankMultivariateNormal,
)
from namecheck_runtime.distributions.vectors import MultivariateNormal as MultivariateNormal
