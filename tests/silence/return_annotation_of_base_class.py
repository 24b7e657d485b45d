# NC303, NC404: the base class's return annotation, whose dims no argument binds, is taken for the exact rank in a subclass; seen in dynamax categorical_glm_hmm_demo.py
import jax.numpy as jnp
from jaxtyping import Array, Float
from draws import make


class SSM:
    def sample(self, n: int) -> Float[Array, "num_timesteps emission_dim"]:
        return self.draw(n)

class CountHMM(SSM):
    def draw(self, n):
        return make(n)  # an unknown call: one number per step

    def fit(self, emissions: Float[Array, " num_timesteps"]):
        return emissions.mean()

m = CountHMM()
emissions = m.sample(50)
m.fit(emissions)
both = jnp.vstack((emissions[None, :], jnp.zeros(50)[None, :]))
