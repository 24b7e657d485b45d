# NC206: an array that takes a part of its own transpose is a cube; seen 4 times in escnn rdupsampling.py
import numpy as np

def mask(out):
    b, c, h, w, d = out.shape      # always a cube: the caller resizes to (n, n, n)
    m = np.zeros((3, h, w, d))
    m[1, ...] = np.arange(0, w) - w / 2
    m[1, ...] = np.swapaxes(m, 3, 2)[1, ...]
    return m
