# NC301: JAX takes the nearest element, and the default is a placeholder; seen in diffusionjax solvers.py
import jax.numpy as jnp

class Solver:
    def __init__(self, ts=jnp.empty((1, 1))):
        self.dt = ts[1] - ts[0]     # JAX clamps the index: dt is [0.], no error

s = Solver()
