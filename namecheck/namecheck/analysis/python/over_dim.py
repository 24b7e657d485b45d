"""Calls of a function for each index along a dim: `jax.vmap` maps over it, `jax.lax.scan` scans it.

The function gets its arguments without the dim, and the dim comes back into the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from namecheck import frameworks
from namecheck.analysis.asking import elements, rulings
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.values import (
    Anything,
    Constant,
    Dict,
    List,
    Number,
    Tensor,
    Text,
    Tuple,
    Value,
    inherited,
    kind_of_number,
    known,
    trees,
)
from namecheck_runtime import sizes
from namecheck_runtime.algebra import Duty
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Truth
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import MappedSizes
from namecheck_runtime.mistakes.dims import DimOutOfRange
from namecheck_runtime.readers import mapping

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


class _Mapped(NamedTuple):
    """A mapped dim: its argument, the shape that has it, and its position."""

    argument: str
    shape: Shape
    axis: int
    dim: Dim


class DoesNotFit(Exception):
    """The arguments or a result do not fit; the mistake has been blamed."""


class OverDim:
    """One call that maps over a dim; `op` is its name in messages."""

    def __init__(
        self, ev: Evaluator, node: ir.Call | None, op: str, arrays_only: bool = False
    ) -> None:
        self.ev = ev
        self.node = node
        self.op = op
        self.arrays_only = arrays_only
        """Whether the function gets arguments that are not arrays as they are."""
        self.over: list[_Mapped] = []
        """The mapped dims about which something is known."""
        self.seen: list[tuple[Value, Value, int]] = []
        """Arguments of unknown rank, the part that the function gets, and the dim's position."""
        self.by_name: dict[str, Argument] = {}
        if node is not None:
            ev.frame.seen[node.id] = ev.frame.seen.get(node.id, 0) + 1

    def take(self, name: str, argument: Argument, spec: Value) -> Argument:
        """An argument as the function gets it; `spec` says which dim of each tensor is mapped.

        Raises DoesNotFit.
        """
        self.by_name[name] = argument
        return Argument(self._part(name, argument.value, spec))

    def _part(self, name: str, value: Value, spec: Value) -> Value:
        spec, value = self.ev.resolve(spec), self.ev.resolve(value)
        if isinstance(spec, Constant) and spec.value is None:
            return value
        axis = known(spec)
        if axis is not None and type(axis[0]) is int:
            return trees.mapped(self.ev, lambda one: self._leaf(name, one[0], axis[0]), [value])
        if isinstance(spec, (Tuple, List, Dict)) and isinstance(value, (Tuple, List, Dict)):
            inside, contents = trees.parts(self.ev, spec), trees.parts(self.ev, value)
            if inside is not None and contents is not None and inside.keys() == contents.keys():
                return trees.rebuilt(
                    self.ev,
                    value,
                    {key: self._part(name, contents[key], inside[key]) for key in contents},
                )
        return Anything()

    def _leaf(self, name: str, value: Value, axis: int) -> Value:
        """A tensor, or an unknown value, as the function gets it."""
        value = self.ev.resolve(value)
        if isinstance(value, Tensor):
            return self._slice(name, value, axis)
        if type(value) is Anything:
            part = Anything()
            if axis >= 0 and not value.config:
                size = as_size(self.ev, elements.dim_size(self.ev, value, axis))
                self.over.append(_Mapped(name, UNKNOWN, axis, Dim(UNKNOWN, size)))
                self.seen.append((value, part, axis))
            return part
        plain = isinstance(value, (Number, Constant, Text))
        return value if self.arrays_only and plain else Anything()

    def _slice(self, name: str, tensor: Tensor, axis: int) -> Value:
        ev = self.ev
        shape = ev.current(tensor.shape)
        try:
            dim, rest = mapping.without(shape, axis, name)
        except DimOutOfRange as mistake:
            # A tensor without dims may be a number that was presumed: the program knows better.
            if shape and not tensor.rank_claimed and self.node is not None:
                ev.blame(mistake.with_op(self.op), "error", self.node, self.by_name)
            raise DoesNotFit from None
        if dim.size is UNKNOWN:
            dim = dim.resize(as_size(ev, elements.dim_size(ev, tensor, axis)))
        self.over.append(_Mapped(name, shape, axis, dim))
        part = Tensor(rest, tensor.kind, tensor.library, inherited(tensor.claimed))
        if not isinstance(shape, tuple):
            self.seen.append((tensor, part, axis))
        return part

    def dim(self, count: Value) -> Dim:
        """The dim that comes back into the result, of size `count` if no argument has it.

        Raises DoesNotFit.
        """
        if not self.over:
            return Dim(UNKNOWN, as_size(self.ev, count))
        first, *others = self.over
        for other in others:
            self._require_equal(first, other)
            if first.dim.size is UNKNOWN or not isinstance(first.shape, tuple):
                first = other
        return first.dim

    def _require_equal(self, first: _Mapped, other: _Mapped) -> None:
        left, right = first.dim.size, other.dim.size
        if left is UNKNOWN or right is UNKNOWN or self.node is None:
            return
        if sizes.compare(left, right) is Truth.YES:
            return
        mistake = MappedSizes(
            left=first.shape,
            right=other.shape,
            position=-1,
            left_size=left,
            right_size=right,
            left_dim=first.axis,
            right_dim=other.axis,
            op=self.op,
            blame=(Blame(first.argument, first.axis), Blame(other.argument, other.axis)),
        )
        duty = Duty(left, right, False, mistake)
        if not rulings.settle(self.ev, duty, self.node, self.by_name):
            raise DoesNotFit

    def teach(self, dim: Dim) -> None:
        """Let the arguments learn the ranks that the function learned of their parts."""
        ev = self.ev
        for value, part, axis in self.seen:
            now, before = ev.resolve(part), ev.resolve(value)
            if not isinstance(now, Tensor) or not isinstance(now.shape, tuple) or now.rank_claimed:
                continue
            if isinstance(before, Tensor) and isinstance(before.shape, tuple):
                continue
            try:
                shape = mapping.within(now.shape, axis, dim)
            except DimOutOfRange:
                continue
            learned = ev.give_shape(before, shape)
            if now in ev.ranks.from_here:
                ev.ranks.from_here.add(learned)

    def put(self, value: Value, spec: Value, dim: Dim) -> Value:
        """A result with the dim in every tensor, at the positions of `spec`.  Raises DoesNotFit."""
        spec, value = self.ev.resolve(spec), self.ev.resolve(value)
        axis = known(spec)
        if axis is not None and type(axis[0]) is int:
            return trees.mapped(self.ev, lambda one: self._back(one[0], axis[0], dim), [value])
        if isinstance(spec, Constant) and spec.value is None:
            return value
        if isinstance(spec, (Tuple, List, Dict)) and isinstance(value, (Tuple, List, Dict)):
            inside, contents = trees.parts(self.ev, spec), trees.parts(self.ev, value)
            if inside is not None and contents is not None and inside.keys() == contents.keys():
                return trees.rebuilt(
                    self.ev,
                    value,
                    {key: self.put(contents[key], inside[key], dim) for key in contents},
                )
        return Anything()

    def _back(self, value: Value, axis: int, dim: Dim) -> Value:
        value = self.ev.resolve(value)
        kind = kind_of_number(value)
        if kind and not self.arrays_only:
            value = Tensor((), kind, frameworks.jax.TENSOR)
        if not isinstance(value, Tensor):
            return value if self.arrays_only and kind else Anything()
        shape = self.ev.current(value.shape)
        try:
            mapped = mapping.within(shape, axis, dim)
        except DimOutOfRange as mistake:
            if not value.rank_claimed and self.node is not None:
                self.ev.blame(mistake.with_op(self.op), "error", self.node, {})
            raise DoesNotFit from None
        return Tensor(mapped, value.kind, value.library, inherited(value.claimed))
