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
    from namecheck_runtime.rules import (
        accumulate,
        activation,
        contract,
        conversion,
        counting,
        decomposition,
        diagonal,
        effects,
        expand,
        factory,
        fields,
        gather,
        index,
        join,
        lax,
        linear_algebra,
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
        squeeze,
        statistics,
        vector_products,
        view,
    )

    effects.declare_effects()
    fields.declare_fields()

SELDOM: Final = {
    "fourier": "fft hfft ifft ihfft irfft rfft stft istft polyval",
    "numpy_lists": """
        block choose histogram2d intersect1d ix_ put_along_axis ravel_multi_index resize
        segment_reduce select trim_zeros unravel_index view
    """,
    "random": """
        bernoulli binomial categorical cauchy choice exponential geometric gumbel laplace log_normal
        logistic lognormal multinomial normal permutation poisson rand standard_normal
        truncated_normal uniform
    """,
    "xla": "add broadcast_",
}
"""Families that few programs use, with the beginnings of the names that they declare."""

for _family, _beginnings in SELDOM.items():
    later(f"{__name__}.{_family}", _beginnings)

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
    "decomposition",
    "diagonal",
    "effects",
    "expand",
    "factory",
    "fields",
    "gather",
    "index",
    "join",
    "lax",
    "linear_algebra",
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
    "squeeze",
    "statistics",
    "vector_products",
    "view",
]
