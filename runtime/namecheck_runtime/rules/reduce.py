"""Ops that remove the dims they reduce over."""

from __future__ import annotations

from namecheck_runtime.algebra import drop, positions
from namecheck_runtime.declare import DimRefs, Shape, op
from namecheck_runtime.lattice import UNKNOWN, unknown_dims
from namecheck_runtime.declare import Dims


@op("torch.sum", "Tensor.sum", numpy="sum(input, dim, dtype, out, keepdim)", out=True, leading=True)
def sum(input: Dims, dim: DimRefs | None = None, keepdim: bool = False) -> Shape:
    """Drops the dims summed over, or keeps them with size 1.  Source: name inference, "removes dimensions"."""
    gone = positions(input, (dim,) if isinstance(dim, int | str) else dim) if dim is not None else tuple(range(len(input)))
    if gone is UNKNOWN:
        return unknown_dims(len(input)) if keepdim else UNKNOWN
    if keepdim:
        return tuple(d.resize(1) if k in gone else d for k, d in enumerate(input))
    return drop(input, gone)
