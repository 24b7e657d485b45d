"""Named tensors: the dim to average over is asked for by a name that is not there."""

import namecheck_runtime as nt


def channel_statistics(batch: int):
    images = nt.randn(batch, 3, 32, 32, names=("N", "C", "H", "W"))
    flat = images.flatten(["H", "W"], "pixels")
    mean = flat.mean("pixels")
    # NC103 here:
    spread = flat.std("positions")
    return mean, spread
