"""Rows standardised with NumPy: the mean of every row has lost the dim it was taken over."""

import numpy as np


def standardise(x: np.ndarray) -> np.ndarray:
    n, d = x.shape
    # NC202 here:
    centred = x - x.mean(axis=1)
    spread = np.sqrt((centred**2).sum(axis=1, keepdims=True) / (d - 1))
    return centred / spread


def run():
    return standardise(np.random.default_rng(0).normal(size=(7, 7)))
