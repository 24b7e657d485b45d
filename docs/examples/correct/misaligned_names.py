"""Named tensors: a total per sample is taken off every sample, lined up by name."""

import namecheck_runtime as nt


def take_off_total(samples: int):
    x = nt.randn(samples, 10, names=("N", "C"))
    total = x.sum("C")
    return x - total.align_as(x)
