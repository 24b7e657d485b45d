# NC201: a rank known only from a return annotation over an unknown body decides a branch on .ndim; seen in dynamax ssm.py
from typing import Tuple

import jax.numpy as jnp
from jax import vmap
from jaxtyping import Array, Float

from draws import model_params


class SSM:
    def sample(self, params, num_timesteps: int) -> Tuple[Float[Array, "num_timesteps k"], Float[Array, "num_timesteps d"]]:
        return params.draw(num_timesteps)

    def fit(self, emissions: Float[Array, "n d"], inputs: Float[Array, "n i"]):
        e = emissions if emissions.ndim == 2 else emissions[None]
        return vmap(lambda a, b: a.sum() + b.sum())(e, inputs[None])


if __name__ == "__main__":
    m = SSM()
    z, y = m.sample(model_params, 20)
    m.fit(y, jnp.zeros((20, 10)))
