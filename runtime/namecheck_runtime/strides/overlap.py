"""Elements that share memory: within one tensor, and between two."""

from __future__ import annotations

from enum import Enum

from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.memory import OverlappingWrite, WriteToExpanded
from namecheck_runtime.sizes import add
from namecheck_runtime.strides.contiguity import is_non_overlapping_and_dense
from namecheck_runtime.strides.geometry import (
    Geometry,
    alike,
    is_empty,
    less,
    numel,
    same,
    unnamed_dims,
)


class Overlap(Enum):
    """How the memory of two tensors of one storage meets."""

    NONE = "none"
    FULL = "full"
    """The same elements at the same indices."""
    PARTIAL = "partial"
    UNSURE = "unsure"
    """One of them has gaps or shares memory within itself, so no cheap test decides."""


def has_internal_overlap(g: Geometry) -> bool:
    """Whether some dim of size > 1 has stride 0, so that several elements share one place.

    Other overlaps of a tensor with itself (`as_strided((2, 2), (1, 1))`) are not detected, as in
    PyTorch.
    """
    return shared_dim(g) is not None


def shared_dim(g: Geometry) -> int | None:
    """The first dim of size > 1 with stride 0; None if there is none, or no element at all."""
    if is_empty(numel(g.sizes)):
        return None
    for k, (size, stride) in enumerate(zip(g.sizes, g.strides, strict=True)):
        if stride == 0 and less(1, size):
            return k
    return None


def overlap(a: Geometry, b: Geometry) -> Overlap:
    """How two tensors over one storage meet.  Two tensors of different storages never do."""
    if same(a.offset, b.offset) and alike(a.sizes, b.sizes) and alike(a.strides, b.strides):
        return Overlap.FULL
    count_a, count_b = numel(a.sizes), numel(b.sizes)
    if is_empty(count_a) or is_empty(count_b):
        return Overlap.NONE
    if not is_non_overlapping_and_dense(a) or not is_non_overlapping_and_dense(b):
        return Overlap.UNSURE
    if same(a.offset, b.offset) and same(count_a, count_b):
        return Overlap.FULL if alike(a.strides, b.strides) else Overlap.PARTIAL
    if less(a.offset, add(b.offset, count_b)) and less(b.offset, add(a.offset, count_a)):
        return Overlap.PARTIAL
    return Overlap.NONE


def require_writable(g: Geometry) -> None:
    """Raises WriteToExpanded if writing to one element would write to others."""
    dim = shared_dim(g)
    if dim is not None:
        raise WriteToExpanded(target=unnamed_dims(g.sizes), dim=dim, blame=(Blame("self", dim),))


def require_apart(written: Geometry, read: Geometry) -> None:
    """Raises OverlappingWrite if an op that writes one tensor would read its writes in the other.

    Both are in one storage.  Exactly the same elements are fine.
    """
    if overlap(written, read) is Overlap.PARTIAL:
        raise OverlappingWrite(written=unnamed_dims(written.sizes), read=unnamed_dims(read.sizes))
