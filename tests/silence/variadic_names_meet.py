import jax.numpy as jnp
from jaxtyping import Array, Float


def masked(
    pred: Float[Array, "*a"], target: Float[Array, "*a"], visible: Float[Array, "*b"]
) -> Float[Array, "*a"]:
    error = jnp.abs(pred - target)
    error *= visible
    return error


def scaled(x: Float[Array, "*batch c"], weight: Float[Array, "*group c"]):
    return x * weight
