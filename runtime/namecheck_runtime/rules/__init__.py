"""The rulebook: one declaration per op, in one module per family of rules.

Importing this package fills `declare.REGISTRY` and `layers.LAYERS`.  Some families are imported
only when a program asks for one of their paths: see `lazy_rules`.  A rule is a pure function from
dims to dims; see `declare` for how one is written and `algebra` for the functions it is built from.
"""

from __future__ import annotations

from namecheck_runtime.lazy_rules import later, within
from namecheck_runtime.light.collector import CollectorPaused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

with CollectorPaused(keeps=True):
    from namecheck_runtime.rules import fields

    fields.declare_fields()

    from namecheck_runtime.rules import (
        accumulate,
        activation,
        contract,
        conversion,
        counting,
        diagonal,
        effects,
        expand,
        factory,
        gather,
        gradients,
        index,
        join,
        lax,
        memory,
        naming,
        nn,
        numpy_only,
        patterns,
        permute,
        pieces,
        pointwise,
        questions,
        reduce,
        sorting,
        sparse,
        squeeze,
        view,
    )

    effects.declare_effects()

SELDOM: Final = {
    "decomposition linear_algebra": """
        block_diag cholesky cond det eig geqrf householder_product inv ldl logdet lstsq lu
        matrix_exp matrix_power matrix_rank orgqr ormqr pca_lowrank pinv qr slogdet solve svd
        tensorinv tensorsolve trace triangular_solve
    """,
    "fourier": "fft hfft ifft ihfft irfft rfft stft istft polyval",
    "numpy_lists": """
        block choose histogram2d intersect1d ix_ packbits put_along_axis ravel_multi_index resize
        segment_reduce select trim_zeros unpackbits unravel_index view
    """,
    "random": """
        bernoulli beta binomial categorical cauchy chisquare choice dirichlet exponential gamma
        geometric gumbel integers laplace log_normal logistic lognormal logseries multinomial
        multivariate_normal negative_binomial normal pareto permutation poisson rand rayleigh
        standard_ truncated_normal uniform vonmises wald weibull zipf
    """,
    "statistics": "corrcoef cov dist nanpercentile nanquantile percentile quantile",
    "vector_products": "cdist cross dot ger inner kron outer tensordot vdot vecdot",
    "xla": "add broadcast_",
}
"""Families that few programs use, with the beginnings of the names that they declare."""

for _families, _beginnings in SELDOM.items():
    later(" ".join(f"{__name__}.{family}" for family in _families.split()), _beginnings)

PACKAGES: Final = {"equinox": "equinox.nn.", "linen nnx channels_last": "flax."}
"""Layers of libraries other than torch, by the package that their paths are in."""

for _families, _package in PACKAGES.items():
    within(" ".join(f"{__name__}.jax_layers.{family}" for family in _families.split()), _package)

__all__ = [
    "PACKAGES",
    "SELDOM",
    "accumulate",
    "activation",
    "contract",
    "conversion",
    "counting",
    "diagonal",
    "effects",
    "expand",
    "factory",
    "fields",
    "gather",
    "gradients",
    "index",
    "join",
    "lax",
    "memory",
    "naming",
    "nn",
    "numpy_only",
    "patterns",
    "permute",
    "pieces",
    "pointwise",
    "questions",
    "reduce",
    "sorting",
    "sparse",
    "squeeze",
    "view",
]
