"""The rulebook: one declaration per op, in one module per family of rules.

Importing this package fills `declare.REGISTRY` and `declare.LAYERS`.  A rule is a pure function
from dims to dims; see `declare` for how one is written and `algebra` for the moves it is made of.
"""

from __future__ import annotations

from namecheck_runtime.collector import CollectorPaused

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
        fourier,
        index,
        join,
        lax,
        linear_algebra,
        memory,
        naming,
        nn,
        numpy_lists,
        numpy_only,
        patterns,
        permute,
        pieces,
        pointwise,
        questions,
        random,
        reduce,
        sorting,
        view,
        xla,
    )

    effects.declare_effects()
    fields.declare_fields()

__all__ = [
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
    "fourier",
    "index",
    "join",
    "lax",
    "linear_algebra",
    "memory",
    "naming",
    "nn",
    "numpy_lists",
    "numpy_only",
    "patterns",
    "permute",
    "pieces",
    "pointwise",
    "questions",
    "random",
    "reduce",
    "sorting",
    "view",
    "xla",
]
