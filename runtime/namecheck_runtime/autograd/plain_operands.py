"""Plain tensors over the memory of tensors in graphs, on which an op computes unrecorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from namecheck_runtime.autograd.graph import bare, history_of
from namecheck_runtime.tensors.object import Tensor


class Barer:
    """Replaces the tensors of a call that are in graphs by plain ones over the same memory."""

    __slots__ = ("originals", "plain")

    def __init__(self) -> None:
        self.originals: dict[int, Tensor] = {}
        """By the identity of the tensor that stands for it."""
        self.plain: dict[int, Tensor] = {}
        """By the identity of the tensor that it stands for."""

    def of(self, value: Any) -> Any:
        """A value with plain tensors."""
        if isinstance(value, Tensor):
            if history_of(value) is None:
                return value
            alias = self.plain.get(id(value))
            if alias is None:
                alias = self.plain[id(value)] = bare(value, value._names)
                self.originals[id(alias)] = value
            return alias
        kind = value.__class__
        if kind is tuple or kind is list:
            return kind([self.of(entry) for entry in value])
        return value

    def of_call(
        self, arguments: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call with plain tensors."""
        given = [self.of(argument) for argument in arguments]
        return given, {word: self.of(value) for word, value in keywords.items()}

    def share(self) -> None:
        """Give all of them storages, which views and writes need."""
        for tensor in self.originals.values():
            alias = self.plain[id(tensor)]
            tensor._own()
            alias._array, alias._storage = tensor._array, tensor._storage


def write_back(target: Tensor, barer: Barer) -> None:
    """Give a tensor what an op in place has changed of the plain one that stands for it."""
    alias = barer.plain.get(id(target))
    if alias is None or alias is target:
        return
    target._names = alias._names
    if alias._array is not target._array:
        target._show(alias._array)
    target._storage = alias._storage
    if target._rest is not None and alias._rest is not None:
        target._rest.geometry = alias._rest.geometry
