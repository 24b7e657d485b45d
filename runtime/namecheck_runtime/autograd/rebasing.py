"""Views and writes: which tensors share memory, and the node of a tensor that was written to."""

from __future__ import annotations

import gc
from sys import getrefcount
from typing import Any, Final

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.graph import (
    OpNode,
    attach,
    edge_of,
    form_of,
    history_of,
    node_of,
    positions,
)
from namecheck_runtime.autograd.shapes import zeros
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values.history import Creation, Edge, Form, Node, View
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.storage import Storage


class CopySlices(Node):
    """The node of a tensor of which a view was written to: all views lead to it."""

    __slots__ = ("_base", "_form", "_inner", "_view")

    def __init__(self, base: Tensor, view: Geometry, inner: OpNode) -> None:
        own = inner.target
        others = tuple([edge for place, edge in enumerate(inner.edges) if place != own])
        super().__init__((edge_of(base), *others))
        self._base = base._geometry()
        self._form = form_of(base)
        self._view = view
        self._inner = inner

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def form(self, number: int) -> Form | None:
        return self._form

    def apply(self, grads: list[Any]) -> list[Any]:
        places = positions(self._base, self._view)
        index = fresh(places, unnamed(places.ndim))
        flat = grads[0].reshape(-1)
        inner = self._inner
        collected = inner.apply([call("torch.take", flat, index)])
        own = collected[inner.target] if inner.target >= 0 else None
        others = [grad for place, grad in enumerate(collected) if place != inner.target]
        if self.edges[0] is None:
            return [None, *others]
        if own is None:
            own = zeros(self._form._replace(sizes=places.shape))
        written = call("torch.put", flat, index, own)
        return [written.reshape(self._form.sizes), *others]

    def release(self) -> None:
        self._inner.release()


def is_view(tensor: Tensor) -> bool:
    """Whether it shows the memory of another tensor; one that is only detached does not."""
    history = history_of(tensor)
    if history is not None and history.view is not None:
        return True
    storage = tensor._storage
    return storage is not None and not storage.is_root(tensor._array)


def base_of(tensor: Tensor) -> Tensor | None:
    """The tensor whose memory a view shows; None for one that is no view.

    A view that is in no graph does not know its base: the garbage collector does.
    """
    history = history_of(tensor)
    if history is not None and history.view is not None:
        return history.view.base  # type: ignore[no-any-return]
    if not is_view(tensor):
        return None
    storage = tensor._storage
    assert storage is not None
    for other in sharing(storage):
        if storage.is_root(other._array):
            return other
    root = storage.roots[0]
    base = fresh(root, unnamed(root.ndim))
    base._storage = storage
    return base


def sharing(storage: Storage) -> list[Tensor]:
    """All tensors over a storage."""
    return [holder for holder in gc.get_referrers(storage) if isinstance(holder, Tensor)]


def adopt(base: Tensor) -> None:
    """Let the views of a tensor that enters a graph know it.

    While it was plain nobody needed to know.
    """
    storage = base._storage
    if storage is None or not storage.roots or getrefcount(storage) <= _OF_STORAGE:
        return  # nothing shares it
    for other in sharing(storage):
        if other is not base and not storage.is_root(other._array):
            history = other._history()
            if history.view is None:
                history.view = View(base, Creation.DEFAULT, storage.version)


_OF_STORAGE: Final = 4
"""The references to a storage of one tensor, with those of the functions that ask."""


def rebase(target: Tensor, node: OpNode) -> None:
    """Make a node that of a tensor that was written to; of a view, that of its base."""
    base = base_of(target)
    if base is None:
        if history_of(target) is None:
            adopt(target)
        attach(target, Edge(node, 0))
        return
    if history_of(base) is None:
        base._history()
        adopt(base)
    history = target._history()
    if history.view is None:
        history.view = View(base, Creation.DEFAULT, 0)
    attach(base, Edge(CopySlices(base, target._geometry(), node), 0))
    history.view.version = -1
    node_of(target)
