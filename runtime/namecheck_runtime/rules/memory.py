"""What view ops do to memory: the function of `strides` for each of their rules.

The declaration of an op that makes new memory says in which order (`op(.., memory=..)`).
"""

from __future__ import annotations

from namecheck_runtime import strides
from namecheck_runtime.declare import layout_of
from namecheck_runtime.lattice import Truth
from namecheck_runtime.rules import (
    diagonal,
    expand,
    gather,
    index,
    naming,
    permute,
    pieces,
    questions,
    squeeze,
    view,
)
from namecheck_runtime.strides import Geometry, contiguity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_VIEWS: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (permute.permute, strides.permute),
    (permute.transpose, strides.transpose),
    (permute.swapaxes, strides.swapaxes),
    (permute.reverse, strides.T),
    (permute.t, strides.t),
    (permute.conjugate_transpose, strides.H),
    (permute.matrix_transpose, strides.mT),
    (permute.matrix_conjugate_transpose, strides.mH),
    (permute.adjoint, strides.mH),
    (permute.movedim, strides.movedim),
    (squeeze.squeeze, strides.squeeze),
    (squeeze.squeeze_dim, strides.squeeze),
    (squeeze.unsqueeze, strides.unsqueeze),
    (view.unfold, strides.unfold),
    (gather.select, strides.select),
    (pieces.narrow, strides.narrow),
    (diagonal.diagonal, strides.diagonal),
)
for _rule, _layout in _VIEWS:
    layout_of(_rule)(_layout)

layout_of(view.view, to_sizes=True)(strides.view)


@layout_of(naming.rename)
def _rename(g: Geometry, *names: object) -> Geometry:
    return g


@layout_of(diagonal.diagonal_of_matrices)
def _diagonal_of_matrices(g: Geometry, offset: Any, dim1: Any, dim2: Any) -> Geometry:
    return strides.diagonal(g, offset, dim1, dim2)


@layout_of(diagonal.diagonal_named)
def _diagonal_named(g: Geometry, outdim: object, dim1: Any, dim2: Any, offset: Any) -> Geometry:
    return strides.diagonal(g, offset, dim1, dim2)


# These copy where no view is possible.
for _rule in (
    view.reshape,
    view.view_as,
    view.view_copy,
    view.flatten,
    view.flatten_to,
    view.flatten_dims,
    view.unflatten,
    view.unflatten_names,
):
    layout_of(_rule, to_sizes=True)(strides.reshape)

# An expanded dim has stride 0, whatever the others have.
for _rule in (expand.expand, expand.broadcast_to, expand.expand_as, expand.expand_copy):
    layout_of(_rule, to_sizes=True, partial=True)(strides.expand)


def _piece(g: Geometry, *_: Any) -> Geometry:
    """Every piece along a dim has the strides of the whole."""
    return g


for _rule in (
    pieces.chunk,
    pieces.tensor_split,
    pieces.tensor_split_at,
    pieces.tensor_split_by,
    pieces.split,
    pieces.split_method,
    pieces.unsafe_split,
    pieces.split_with_sizes,
):
    layout_of(_rule)(_piece)


@layout_of(pieces.unbind)
def _slice(g: Geometry, dim: int) -> Geometry:
    return strides.select(g, dim, 0)


@layout_of(index.getitem)
@layout_of(index.getitem_torch)
def _part(g: Geometry, key: Any) -> Geometry:
    """A subscript of numbers and slices; one with tensors copies."""
    for item in key if isinstance(key, tuple) else (key,):
        plain = item is None or item is Ellipsis or isinstance(item, (int, slice))
        if not plain or isinstance(item, bool):
            raise strides.Undecided
    part = strides.index(g, key)
    if not isinstance(part, Geometry):
        raise strides.Undecided
    return part


@layout_of(questions.is_contiguous)
def _contiguity(g: Geometry, memory_format: object) -> Truth:
    return contiguity(g) if memory_format is None else Truth.MAYBE
