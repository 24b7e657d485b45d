"""The rulebook: one declaration per op, in one module per family of rules.

Importing this package fills `declare.REGISTRY` and `declare.LAYERS`.  A rule is a pure function
from dims to dims; see `declare` for how one is written and `algebra` for the moves it is made of.
"""

from __future__ import annotations

import gc

_collects = gc.isenabled()
gc.disable()  # nothing that is made here goes again: to look for it takes a fourth of the import
try:
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
    if _collects and not gc.get_freeze_count():
        # To the oldest generation with all of it, so that nobody looks through it next.
        gc.freeze()
        gc.unfreeze()
finally:
    if _collects:
        gc.enable()

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
