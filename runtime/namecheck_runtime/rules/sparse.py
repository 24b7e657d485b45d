"""Ops on sparse tensors: how one is made, and what it stores.

Their dims are those of dense tensors; how many elements are stored is not known from dims.
"""

from __future__ import annotations

from namecheck_runtime.declare import Dims, Names, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.rules.factory import dims_of, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard


@op("torch.sparse_coo_tensor")
def sparse_coo_tensor(
    indices: object,
    values: object,
    size: Sizes | None = None,
    *,
    names: Names | None = None,
    check_invariants: object = None,
    is_coalesced: object = None,
) -> Shape:
    """A tensor of `size` that stores `values` at `indices`; without a size the indices decide it.

    Source: torch.sparse_coo_tensor.
    """
    if size is not None:
        return named(dims_of(size), names)
    if not _is_shape(indices) or not _is_shape(values) or not isinstance(indices[0].size, int):
        return UNKNOWN
    sparse = tuple(Dim(None, UNKNOWN) for _ in range(indices[0].size))
    dense = tuple(Dim(None, dim.size) for dim in values[1:])
    return named((*sparse, *dense), names)


def _is_shape(value: object) -> TypeGuard[Dims]:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], Dim)


@op("Tensor.indices")
def indices(self: Shape) -> Shape:
    """The places of the stored elements: one row for each sparse dim.  Source: Tensor.indices."""
    return (Dim(None, UNKNOWN), Dim(None, UNKNOWN))


@op("Tensor.values")
def values(self: Shape) -> Shape:
    """The stored elements: one, or one slice, for each place.  Source: Tensor.values."""
    return UNKNOWN


@op("Tensor.sparse_dim")
def sparse_dim(self: Shape) -> Size:
    """How many dims are sparse: UNKNOWN."""
    return UNKNOWN


@op("Tensor.dense_dim")
def dense_dim(self: Shape) -> Size:
    """How many dims of a sparse tensor are dense: UNKNOWN."""
    return UNKNOWN
