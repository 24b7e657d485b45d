"""JAX's calling habits: where its names are reached, its words, its dtypes.

No op stands here; see `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

from namecheck.frameworks import numpy
from namecheck.frameworks.transforms import MAP, Transform

TENSOR: Final = "ndarray"

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

DTYPES: Final = {"jax." + path: kind for path, kind in numpy.DTYPES.items()} | {
    "jax.numpy.bfloat16": "float"
}

TENSOR_TYPES: Final = frozenset({"jax.Array", "jax.numpy.ndarray"})

TRANSPARENT: Final = frozenset(
    {
        "jax.jit",
        "jax.checkpoint",
        "jax.remat",
        "jax.named_scope",
        "jax.named_call",
        "jax.custom_jvp",
        "jax.custom_vjp",
    }
)

TRANSFORMS: Final = {
    "jax.vmap": Transform(MAP, ("fun", "in_axes", "out_axes")),
}
