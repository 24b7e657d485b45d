"""Normal distributions of vectors.  Source: torch.distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import namecheck_runtime as nt
from namecheck_runtime.distributions import constraints
from namecheck_runtime.distributions.distribution import Symmetric
from namecheck_runtime.distributions.probabilities import lazy_property, standard_normal


class _Gaussian(Symmetric):
    """A normal distribution of vectors with the mean `loc`, whose covariances have a root."""

    support = constraints.real_vector
    has_rsample = True
    scale_tril: Any

    @property
    def covariance_matrix(self) -> Any:
        """The covariances: `[.., size, size]`."""
        return self.scale_tril @ self.scale_tril.mT

    @property
    def precision_matrix(self) -> Any:
        """The inverse of the covariances: `[.., size, size]`."""
        return nt.cholesky_inverse(self.scale_tril)

    @property
    def variance(self) -> Any:
        return self.scale_tril.pow(2).sum(-1)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        eps = standard_normal(shape, self.loc)
        return self.loc + (self.scale_tril @ eps.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        away = (value - self.loc).unsqueeze(-1)
        scaled = nt.linalg.solve_triangular(self.scale_tril, away, upper=False).squeeze(-1)
        half = self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        size = self._event_shape[0]
        return -0.5 * (size * math.log(2 * math.pi) + scaled.pow(2).sum(-1)) - half

    def entropy(self) -> Any:
        half = self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half


class MultivariateNormal(_Gaussian):
    """The normal distribution of vectors, by one of three matrices."""

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real_vector,
        "scale_tril": constraints.lower_cholesky,
    }

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = (covariance_matrix, scale_tril, precision_matrix)
        if sum(matrix is not None for matrix in matrices) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be "
                "specified."
            )
        if covariance_matrix is not None:
            scale_tril = nt.linalg.cholesky(covariance_matrix)
        elif precision_matrix is not None:
            scale_tril = nt.linalg.cholesky(nt.linalg.inv(precision_matrix))
        batch = nt.broadcast_shapes(scale_tril.shape[:-2], loc.shape[:-1])
        size = loc.shape[-1]
        self.loc = loc.expand((*batch, size))
        self.scale_tril = scale_tril.expand((*batch, size, size))
        super().__init__(batch, (size,), validate_args=validate_args)


class LowRankMultivariateNormal(_Gaussian):
    """The normal distribution of vectors with the covariances `W @ W.mT + diag(d)`.

    `cov_factor` is W, `[.., size, rank]`, and `cov_diag` is d, `[.., size]`.
    """

    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }

    def __init__(
        self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        column, self.cov_factor, diagonal = nt.broadcast_tensors(
            loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
        )
        self.loc, self.cov_diag = column[..., 0], diagonal[..., 0]
        shape = self.loc.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    @property
    def covariance_matrix(self) -> Any:
        return self.cov_factor @ self.cov_factor.mT + nt.diag_embed(self.cov_diag)

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangular root of the covariances: `[.., size, size]`."""
        return nt.linalg.cholesky(self.covariance_matrix)

    @property
    def variance(self) -> Any:
        return self.cov_factor.pow(2).sum(-1) + self.cov_diag

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        rank = self.cov_factor.shape[-1]
        shared = standard_normal((*shape[:-1], rank), self.loc).unsqueeze(-1)
        own = standard_normal(shape, self.loc)
        return self.loc + (self.cov_factor @ shared).squeeze(-1) + self.cov_diag.sqrt() * own
