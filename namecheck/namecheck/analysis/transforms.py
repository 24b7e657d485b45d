"""Functions that a transform has made of others: `jax.vmap(f)` is called as `f` would be, for every
place of a dim.

The function is evaluated once, for what it sees at any of those places; which transforms there are
stands in `frameworks`. Anything that is not understood gives something unknown, and is silent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from namecheck import frameworks
from namecheck.analysis import ir, members, operations, trees
from namecheck.analysis.conversion import Argument, as_size
from namecheck.analysis.values import (
    NONE,
    Anything,
    Constant,
    Dict,
    Library,
    List,
    Number,
    Partial,
    Tensor,
    Text,
    Transformed,
    Tuple,
    Value,
    kind_of_number,
    known,
    number,
)
from namecheck.frameworks.transforms import MAP
from namecheck_runtime import mapping, sizes
from namecheck_runtime.algebra import Duty
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Truth
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange
from namecheck_runtime.mistakes.sizes import MappedSizes

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator

Keywords = Mapping[str, Argument]


def transformed(
    ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """What a call of a transform gives: the function that it has made, or what makes one with these
    options.
    """
    transform = frameworks.TRANSFORMS[path]
    names = transform.parameters
    if len(arguments) > len(names):
        return Anything()
    given = {
        name: ev.resolve(argument.value) for name, argument in zip(names, arguments, strict=False)
    }
    given.update((name, ev.resolve(argument.value)) for name, argument in keywords.items())
    function = given.pop(names[0], None)
    if function is None:
        return Partial(Library(path), (), given)
    return Transformed(path, function, given)


def call(
    ev: Evaluator,
    callee: Transformed,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling what a transform has made."""
    if arguments is None or keywords is None:
        return Anything()
    if frameworks.TRANSFORMS[callee.path].does == MAP:
        return _Map(ev, callee, node).call(arguments, keywords)
    return Anything()


class _Mapped(NamedTuple):
    """A dim that is mapped over: of which argument, of what shape, at which place."""

    argument: str
    shape: Shape
    axis: int
    dim: Dim


class _Wrong(Exception):
    """It was told that a call does not fit."""


class _Map:
    """One call of a mapped function."""

    def __init__(self, ev: Evaluator, callee: Transformed, node: ir.Call | None) -> None:
        self.ev = ev
        self.callee = callee
        self.node = node
        self.arrays_only = frameworks.TRANSFORMS[callee.path].arrays_only
        self.over: list[_Mapped] = []
        """The dims that are mapped over, as far as anything is known of them."""
        self.seen: list[tuple[Value, Value, int]] = []
        """Values of unknown rank, what the function sees of each, and the place of the dim."""
        self.by_name: dict[str, Argument] = {}

    def call(self, arguments: Sequence[Argument], keywords: Keywords) -> Value:
        """The value of the call."""
        specs = self._specs(len(arguments))
        if specs is None or (keywords and self.arrays_only):
            return Anything()
        if self.node is not None:
            self.ev.frame.seen[self.node.id] = self.ev.frame.seen.get(self.node.id, 0) + 1
        try:
            given = [
                self._take(str(index), argument, spec)
                for index, (argument, spec) in enumerate(zip(arguments, specs, strict=True))
            ]
            named = {
                name: self._take(name, argument, number(0)) for name, argument in keywords.items()
            }
            dim = self._dim()
        except _Wrong:
            return Anything()
        from namecheck.analysis.calls import call_value, step

        inner = None if self.node is None else step(self.node, 1)
        result = self.ev.resolve(call_value(self.ev, self.callee.function, given, named, inner))
        self._teach(dim)
        try:
            return self._put(result, self.callee.options.get("out_axes", number(0)), dim)
        except _Wrong:
            return Anything()

    def _specs(self, count: int) -> Sequence[Value] | None:
        """What `in_axes` says of each argument; None where that does not fit."""
        axes = self.ev.resolve(self.callee.options.get("in_axes", number(0)))
        if isinstance(axes, (Tuple, List)):
            rows = trees.parts(self.ev, axes)
            if rows is None or ... in rows:
                return [Anything()] * count
            return list(rows.values()) if len(rows) == count else None
        return [axes] * count

    def _take(self, name: str, argument: Argument, spec: Value) -> Argument:
        """What the function sees of an argument."""
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
                return trees.made(
                    self.ev,
                    value,
                    {key: self._part(name, contents[key], inside[key]) for key in contents},
                )
        return Anything()

    def _leaf(self, name: str, value: Value, axis: int) -> Value:
        """What the function sees of a tensor, or of something unknown."""
        value = self.ev.resolve(value)
        if isinstance(value, Tensor):
            return self._slice(name, value, axis)
        if type(value) is Anything:
            part = Anything()
            if axis >= 0 and not value.config:
                size = as_size(self.ev, members.dim_size(self.ev, value, axis))
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
            # Without dims is what was taken for a number: who maps over it knows better.
            if shape and not tensor.claimed and self.node is not None:
                ev.blame(mistake, "error", self.node, self.by_name)
            raise _Wrong from None
        if dim.size is UNKNOWN:
            dim = dim.resize(as_size(ev, members.dim_size(ev, tensor, axis)))
        self.over.append(_Mapped(name, shape, axis, dim))
        part = Tensor(rest, tensor.kind, tensor.library, tensor.claimed)
        if not isinstance(shape, tuple):
            self.seen.append((tensor, part, axis))
        return part

    def _dim(self) -> Dim:
        """The dim that comes back into the result."""
        if not self.over:
            return Dim(UNKNOWN, as_size(self.ev, self.callee.options.get("axis_size", NONE)))
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
            op="vmap",
            blame=(Blame(first.argument, first.axis), Blame(other.argument, other.axis)),
        )
        duty = Duty(left, right, False, mistake)
        if not operations.settle(self.ev, duty, self.node, self.by_name):
            raise _Wrong

    def _teach(self, dim: Dim) -> None:
        """What the function has learned of what it sees holds of the argument."""
        ev = self.ev
        for value, part, axis in self.seen:
            now, before = ev.resolve(part), ev.resolve(value)
            if not isinstance(now, Tensor) or not isinstance(now.shape, tuple) or now.claimed:
                continue
            if isinstance(before, Tensor) and isinstance(before.shape, tuple):
                continue
            try:
                shape = mapping.within(now.shape, axis, dim)
            except DimOutOfRange:
                continue
            learned = ev.give_shape(before, shape)
            if now in ev.presumed:
                ev.presumed.add(learned)

    def _put(self, value: Value, spec: Value, dim: Dim) -> Value:
        """A result with the dim in every tensor."""
        spec, value = self.ev.resolve(spec), self.ev.resolve(value)
        axis = known(spec)
        if axis is not None and type(axis[0]) is int:
            return trees.mapped(self.ev, lambda one: self._back(one[0], axis[0], dim), [value])
        if isinstance(spec, Constant) and spec.value is None:
            return value
        if isinstance(spec, (Tuple, List, Dict)) and isinstance(value, (Tuple, List, Dict)):
            inside, contents = trees.parts(self.ev, spec), trees.parts(self.ev, value)
            if inside is not None and contents is not None and inside.keys() == contents.keys():
                return trees.made(
                    self.ev,
                    value,
                    {key: self._put(contents[key], inside[key], dim) for key in contents},
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
            whole = mapping.within(shape, axis, dim)
        except DimOutOfRange as mistake:
            if not value.claimed and self.node is not None:
                self.ev.blame(mistake, "error", self.node, {})
            raise _Wrong from None
        return Tensor(whole, value.kind, value.library, value.claimed)
