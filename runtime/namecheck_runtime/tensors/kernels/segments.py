"""Kernels that reduce segments of a dim."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result

Array = Any

_EMPTY: Final = {"sum": 0, "mean": np.nan, "max": -np.inf, "min": np.inf, "prod": 1}
"""The result of a segment without elements, unless `initial` is given."""
_STEP: Final[dict[str, np.ufunc]] = {
    "sum": np.add,
    "mean": np.add,
    "max": np.maximum,
    "min": np.minimum,
    "prod": np.multiply,
}


def _segment_reduce(
    data: Array,
    reduce: str,
    lengths: Any = None,
    offsets: Any = None,
    axis: Any = 0,
    unsafe: Any = False,
    initial: Any = None,
) -> Array:
    """One row per segment of `axis`; each index of the dims before it has segments of its own."""
    if reduce not in _STEP:
        raise RuntimeError(f"segment_reduce(): Unsupported reduction type {reduce!r}")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    if offsets is None:
        if lengths.min(initial=0) < 0:
            raise RuntimeError("lengths contains negative value!")
        ends = np.cumsum(lengths, -1)
        if not unsafe and (ends[..., -1:] != data.shape[axis]).any():
            raise RuntimeError(
                "segment_reduce(): Expected all rows of lengths along axis to sum to "
                "data.size(lengths.dim()-1) when !unsafe."
            )
        begins = ends - lengths
    else:
        begins, ends = offsets[..., :-1], offsets[..., 1:]
    count = begins.shape[-1]
    output = np.empty((*data.shape[:axis], count, *data.shape[axis + 1 :]), data.dtype)
    for index in np.ndindex(*data.shape[:axis], count):
        rows = data[index[:-1]][int(begins[index]) : int(ends[index])]
        output[index] = _reduced(rows, reduce, initial)
    return output


def _reduced(rows: Array, reduce: str, initial: Any) -> Array:
    """A segment reduced together with `initial`, which does not count in the divisor of a mean."""
    if not len(rows):
        return np.full(rows.shape[1:], _EMPTY[reduce] if initial is None else initial)
    output = _STEP[reduce].reduce(rows, 0)
    if initial is not None:
        output = _STEP[reduce](output, initial)
    return output / len(rows) if reduce == "mean" else output


KERNELS: Final[dict[str, Kernel]] = {
    "torch.segment_reduce": Kernel(
        _segment_reduce,
        ("data", "reduce", "lengths", "offsets", "axis", "unsafe", "initial"),
        result.first,
        converts=False,
    ),
}
"""By the op's name."""
