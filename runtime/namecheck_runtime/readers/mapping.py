"""A function that is mapped over a dim: what it sees of a tensor, and where the dim comes back.

`jax.vmap(f)` calls `f` once for all places of a dim that each tensor lacks inside. How a reader
finds the tensors and calls `f` is its own business.
"""

from __future__ import annotations

from namecheck_runtime.algebra import drop, insert
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange, ResultDim


def without(shape: Shape, axis: int, argument: str) -> tuple[Dim, Shape]:
    """The dim that is mapped over, and what is left for the function.

    Raises DimOutOfRange.  Source: jax.vmap, "requested to map its argument along axis".
    """
    dims = known_dims(shape)
    rank = len(dims)
    if isinstance(shape, tuple):
        if not -rank <= axis < rank:
            raise DimOutOfRange(shape=shape, dim=axis, rank=rank, blame=(Blame(argument),))
        return shape[axis], drop(shape, (axis % rank,))
    if axis >= 0:
        # Counted from the right, what stands behind it keeps its place.
        return Dim(UNKNOWN, UNKNOWN), trailing(dims[axis + 1 :])
    if -axis > rank:
        return Dim(UNKNOWN, UNKNOWN), trailing(dims)
    return dims[axis], trailing(drop(dims, (rank + axis,)))


def within(shape: Shape, axis: int, dim: Dim) -> Shape:
    """A result of the function with the mapped dim put back at `axis`.

    Raises ResultDim.  Source: jax.vmap, "axis is out of bounds for array of dimension".
    """
    dims = known_dims(shape)
    rank = len(dims) + 1
    if isinstance(dim.name, str) and any(other.name == dim.name for other in dims):
        dim = dim.rename(UNKNOWN)
    if isinstance(shape, tuple):
        if not -rank <= axis < rank:
            raise ResultDim(shape=shape, dim=axis, rank=rank)
        return insert(shape, axis % rank, dim)
    if axis >= 0:
        # As many dims of those behind the place as there are for certain.
        return trailing(dims[axis:]) if axis < len(dims) else UNKNOWN
    if -axis > rank:
        return shape
    return trailing(insert(dims, rank + axis, dim))
