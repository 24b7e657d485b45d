"""JAX: where its names are re-exported, its keywords, its dtypes, its functions of functions.

Its ops are in `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

from namecheck.frameworks import numpy
from namecheck.frameworks.transforms import GRADIENT, MAP, VALUE_AND_GRADIENT, Transform

PACKAGE: Final = "jax"
PACKAGES: Final = frozenset({PACKAGE})
USING: Final = frozenset({PACKAGE, "equinox", "flax", "haiku", "optax"})
"""Packages whose programs compute with JAX's arrays, to which nothing can be written."""

TENSOR: Final[str] = numpy.TENSOR

CLAMPS: Final = "JAX does not raise, it reads index {index}"
"""What an index does that a dim does not have.  Source: "Out-of-bounds indexing" of the docs."""

ALIASES: Final = (("jax.numpy.ndarray.", "ndarray."), ("jax.Array.", "ndarray."))

WORDS: Final[dict[str, tuple[str, ...]]] = {
    **numpy.WORDS,
    "operand": ("input",),
    "y": ("other", "exponent", "values"),
    "pred": ("condition",),
    "dimension": ("dim",),
    "dimensions": ("dim",),
    "lhs": ("input",),
    "rhs": ("other",),
}

DTYPES: Final[dict[str, str]] = {"jax." + path: kind for path, kind in numpy.DTYPES.items()} | {
    "jax.numpy.bfloat16": "float"
}

TENSOR_TYPES: Final = frozenset({"jax.Array", "jax.numpy.ndarray"})

TRANSFORMS: Final[dict[str, Transform]] = {
    "jax.vmap": Transform(MAP, ("fun", "in_axes", "out_axes")),
    "jax.grad": Transform(GRADIENT, ("fun", "argnums", "has_aux")),
    "jax.value_and_grad": Transform(VALUE_AND_GRADIENT, ("fun", "argnums", "has_aux")),
}

PYTREES: Final = frozenset(
    {
        "jax.tree_util.register_dataclass",
        "jax.tree_util.register_pytree_node",
        "jax.tree_util.register_pytree_node_class",
        "jax.tree_util.register_pytree_with_keys",
        "jax.tree_util.register_pytree_with_keys_class",
    }
)
"""Functions and decorators that make a tree of each instance of a class: `jax.vmap`, `jax.lax.scan`
and the like take a dim off all arrays in it.
"""

TREE_MAPS: Final = frozenset({"jax.tree.map", "jax.tree_map", "jax.tree_util.tree_map"})
TREE_LEAVES: Final = frozenset({"jax.tree.leaves", "jax.tree_leaves", "jax.tree_util.tree_leaves"})
MAP_ALONG: Final = "jax.lax.map"
SCAN: Final = "jax.lax.scan"
COUNTED_LOOP: Final = "jax.lax.fori_loop"
LOOP: Final = "jax.lax.while_loop"
BRANCH: Final = "jax.lax.cond"
SWITCH: Final = "jax.lax.switch"
PREFIXES: Final = "jax.lax.associative_scan"
CALLS: Final = frozenset({"jax.eval_shape", "equinox.filter_eval_shape"})
"""Functions that call their arguments; see `analysis.python.higher_order`."""
