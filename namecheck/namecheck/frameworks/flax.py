"""flax: linen's modules are dataclasses with a `setup`, nnx's are plain classes.

Its layers are in `namecheck_runtime.rules.jax_layers`.
"""

from __future__ import annotations

from typing import Final

from namecheck.frameworks import jax

TENSOR: Final[str] = jax.TENSOR

ALIASES: Final[tuple[tuple[str, str], ...]] = ()

SHARED: Final = (("flax.linen.", "jax.nn."), ("flax.nnx.", "jax.nn."))
"""Modules that re-export functions, and the prefix under which the rulebook has them."""

WORDS: Final[dict[str, tuple[str, ...]]] = jax.WORDS

DTYPES: Final[dict[str, str]] = {}

TENSOR_TYPES: Final[frozenset[str]] = frozenset()

MODULES: Final[frozenset[str]] = frozenset(
    {"flax.linen.Module", "flax.linen.module.Module", "flax.nnx.Module"}
)
STRUCTS: Final = frozenset({"flax.struct.dataclass", "flax.struct.PyTreeNode"})
"""The decorator and the base class of dataclasses with a method `replace`."""

DATACLASSES: Final[frozenset[str]] = frozenset(
    {"flax.linen.Module", "flax.linen.module.Module", "flax.struct.PyTreeNode"}
)
PYTREES: Final = frozenset(
    {
        "flax.nnx.Module",
        "flax.nnx.Object",
        "flax.nnx.Pytree",
    }
    | STRUCTS
)
"""Base classes and decorators that make a tree of each instance of a class, as in `jax`."""

SETUP: Final = "setup"
"""The method of linen's modules that makes their layers."""

CONTAINERS: Final[dict[str, str]] = {
    "flax.linen.Sequential": "sequential",
    "flax.nnx.Sequential": "sequential",
    "flax.nnx.List": "list",
    "flax.nnx.Dict": "dict",
}
