"""Named tensors: a total per sample is taken off every sample, but lines up with the channels."""

import namecheck_runtime as nt


def take_off_total(samples: int):
    x = nt.randn(samples, 10, names=("N", "C"))
    total = x.sum("C")
    # NC102 here:
    return x.rename(C=None) - total
