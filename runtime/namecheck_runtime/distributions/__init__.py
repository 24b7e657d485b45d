"""`namecheck_runtime.distributions`: probabilities of values, and samples with gradients.

Source: torch.distributions.  Samples of the gamma family have no gradients here.
"""

from __future__ import annotations

from namecheck_runtime.distributions import constraints as constraints
from namecheck_runtime.distributions import transforms as transforms
from namecheck_runtime.distributions.composite import Independent as Independent
from namecheck_runtime.distributions.composite import LogNormal as LogNormal
from namecheck_runtime.distributions.composite import MixtureSameFamily as MixtureSameFamily
from namecheck_runtime.distributions.composite import (
    TransformedDistribution as TransformedDistribution,
)
from namecheck_runtime.distributions.continuous import Beta as Beta
from namecheck_runtime.distributions.continuous import Dirichlet as Dirichlet
from namecheck_runtime.distributions.continuous import Exponential as Exponential
from namecheck_runtime.distributions.continuous import Gamma as Gamma
from namecheck_runtime.distributions.continuous import Laplace as Laplace
from namecheck_runtime.distributions.continuous import MultivariateNormal as MultivariateNormal
from namecheck_runtime.distributions.continuous import Normal as Normal
from namecheck_runtime.distributions.continuous import StudentT as StudentT
from namecheck_runtime.distributions.continuous import Uniform as Uniform
from namecheck_runtime.distributions.discrete import Bernoulli as Bernoulli
from namecheck_runtime.distributions.discrete import Categorical as Categorical
from namecheck_runtime.distributions.discrete import NegativeBinomial as NegativeBinomial
from namecheck_runtime.distributions.discrete import OneHotCategorical as OneHotCategorical
from namecheck_runtime.distributions.discrete import (
    OneHotCategoricalStraightThrough as OneHotCategoricalStraightThrough,
)
from namecheck_runtime.distributions.discrete import Poisson as Poisson
from namecheck_runtime.distributions.distribution import Distribution as Distribution
from namecheck_runtime.distributions.distribution import ExponentialFamily as ExponentialFamily
from namecheck_runtime.distributions.kl import kl_divergence as kl_divergence
from namecheck_runtime.distributions.kl import register_kl as register_kl
from namecheck_runtime.distributions.transforms import AffineTransform as AffineTransform
from namecheck_runtime.distributions.transforms import ComposeTransform as ComposeTransform
from namecheck_runtime.distributions.transforms import ExpTransform as ExpTransform
from namecheck_runtime.distributions.transforms import SigmoidTransform as SigmoidTransform
from namecheck_runtime.distributions.transforms import SoftplusTransform as SoftplusTransform
from namecheck_runtime.distributions.transforms import TanhTransform as TanhTransform
from namecheck_runtime.distributions.transforms import Transform as Transform
