"""Named tensors: mean and spread over the same dim."""

import namecheck_runtime as nt


def channel_statistics(batch: int):
    images = nt.randn(batch, 3, 32, 32, names=("N", "C", "H", "W"))
    flat = images.flatten(["H", "W"], "pixels")
    mean = flat.mean("pixels")
    spread = flat.std("pixels")
    return mean, spread
