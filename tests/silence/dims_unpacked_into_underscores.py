# NC202: two dims that were unpacked into `_` were taken for two names; seen in generax conv.py
import jax.numpy as jnp

def f(v, x):
    H, W, C = x.shape
    w = v / jnp.linalg.norm(v)
    Kx, Ky, _, _ = w.shape
    p = jnp.pad(w, ((0, H - Kx), (0, W - Ky), (0, 0), (0, 0)))
    return p - p.conj().transpose((0, 1, 3, 2))
