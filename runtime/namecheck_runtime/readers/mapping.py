"""A function that is mapped over a dim: the tensors without it inside, and with it in the results.

`jax.vmap(f)` calls `f` once for all indices of a dim, which the tensors do not have inside `f`.
Readers find the tensors and call `f` themselves.
"""

from __future__ import annotations

from namecheck_runtime.algebra import drop, insert
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange, ResultDim


def without(shape: Shape, axis: int, argument: str) -> tuple[Dim, Shape]:
    """The dim that is mapped over, and the shape that the function sees.

    Raises DimOutOfRange.  Source: jax.vmap, "requested to map its argument along axis".
    """
    dims = known_dims(shape)
    rank = len(dims)
    if isinstance(shape, tuple):
        if not -rank <= axis < rank:
            raise DimOutOfRange(shape=shape, dim=axis, rank=rank, blame=(Blame(argument),))
        return shape[axis], drop(shape, (axis % rank,))
    if axis >= 0:
        # Counted from the right, the dims after it keep their places.
        return Dim(UNKNOWN, UNKNOWN), trailing(dims[axis + 1 :])
    if -axis > rank:
        return Dim(UNKNOWN, UNKNOWN), trailing(dims)
    return dims[axis], trailing(drop(dims, (rank + axis,)))


def within(shape: Shape, axis: int, dim: Dim) -> Shape:
    """The shape of a result of the function with the mapped dim inserted at `axis`.

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
        # Of the dims after the place, those that are certainly there.
        return trailing(dims[axis:]) if axis < len(dims) else UNKNOWN
    if -axis > rank:
        return shape
    return trailing(insert(dims, rank + axis, dim))
