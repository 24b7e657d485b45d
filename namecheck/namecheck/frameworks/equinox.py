"""equinox: its modules are dataclasses, called through `__call__`.

Its layers are in `namecheck_runtime.rules.jax_layers`.
"""

from __future__ import annotations

from typing import Final

from namecheck.frameworks import jax
from namecheck.frameworks.transforms import GRADIENT, MAP, VALUE_AND_GRADIENT, Transform

TENSOR: Final[str] = jax.TENSOR

ALIASES: Final[tuple[tuple[str, str], ...]] = ()

WORDS: Final[dict[str, tuple[str, ...]]] = jax.WORDS

DTYPES: Final[dict[str, str]] = {}

TENSOR_TYPES: Final[frozenset[str]] = frozenset()

MODULES: Final[frozenset[str]] = frozenset({"equinox.Module"})
DATACLASSES: Final[frozenset[str]] = MODULES
PYTREES: Final[frozenset[str]] = MODULES
"""Base classes that make a tree of each instance of a class, as in `jax`."""

CONTAINERS: Final[dict[str, str]] = {"equinox.nn.Sequential": "sequential"}

TRANSFORMS: Final[dict[str, Transform]] = {
    "equinox.filter_vmap": Transform(MAP, ("fun",), arrays_only=True),
    "equinox.filter_grad": Transform(GRADIENT, ("fun",)),
    "equinox.filter_value_and_grad": Transform(VALUE_AND_GRADIENT, ("fun",)),
}
