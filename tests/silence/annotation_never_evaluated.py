from __future__ import annotations

import jax.numpy as jnp
from jaxtyping import Array, Float


class Likelihood:
    def link(self, f: Float[Array, ...]) -> Float[Array, ...]:
        return jnp.exp(f)
