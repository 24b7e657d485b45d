"""Calls on tensors in graphs that record nothing, on plain tensors over the same memory.

That is what most calls under `no_grad` are: the steps of an optimizer, an evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck_runtime.autograd.graph import bare, history_of
from namecheck_runtime.tensors.object import Tensor

if TYPE_CHECKING:
    from namecheck_runtime.autograd.recipes import Plan


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


class Unrecorded:
    """What repeats a call that records nothing: its plan."""

    __slots__ = ("_plan",)

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def run(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The result of a call: a plain tensor, or the one that it has written to."""
        plan = self._plan
        known = plan.kernel_call
        if known is not None:
            return plan.repeated(known, arguments, keywords)
        barer = Barer()
        given = [barer.of(argument) for argument in arguments]
        words = {word: barer.of(value) for word, value in keywords.items()}
        if not plan.inplace:
            result = plan.run(given, words)
            return barer.originals.get(id(result), result)
        target = arguments[0]
        target._own()
        barer.share()
        plan.run(given, words)
        write_back(target, barer)
        return target
