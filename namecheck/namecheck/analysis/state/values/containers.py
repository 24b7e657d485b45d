"""Tuples, lists and dicts, and how many values they hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from namecheck.analysis.state.values.tensors import Claimed, Tensor
from namecheck.analysis.state.values.value import Held, Value
from namecheck_runtime.lattice import Dims, Shape


class Tuple(Value):
    """A tuple whose elements are known one by one.

    `of_shape` says that they are a part of a shape. `of_op` is the op that returned them, if it
    returns exactly that many, and the shape of its operand. `is_generator` says that they are the
    elements of a generator, which no library takes for an array of them. `claimed` is the comment
    that says how many they are: a part of a shape has as many sizes as the rank leaves.
    """

    __slots__ = ("claimed", "count", "elements", "fields", "is_generator", "of_op", "of_shape")

    def __init__(
        self,
        elements: Iterable[Value],
        fields: tuple[str, ...] = (),
        of_shape: bool = False,
        of_op: tuple[str, Shape] | None = None,
        is_generator: bool = False,
        claimed: Claimed | None = None,
    ) -> None:
        self.elements = tuple(elements)
        self.count = 1 + counts_of(self.elements)
        self.fields = fields
        self.of_shape = of_shape
        self.of_op = of_op
        self.is_generator = is_generator
        self.claimed = claimed


class SliceObject(Value):
    """`slice(start, stop, step)`, with None for what is not given."""

    __slots__ = ("bounds",)

    def __init__(self, bounds: tuple[Value, ...]) -> None:
        self.bounds = bounds


class List(Held):
    """A list. The path has its contents: a tuple of values, or `Repeated`."""

    __slots__ = ()


class Iterator(List):
    """An iterator over known elements, in a drive: `next` takes the first from its contents."""

    __slots__ = ()


class Set(List):
    """A set. Its contents are those of a list in which no element is twice."""

    __slots__ = ()


class Dict(Held):
    """A dict. The path has its contents: a dict from constants to values, or `Repeated`."""

    __slots__ = ()


def _untraced(value: Value) -> Value:
    """A value that stands for many, with nothing known about gradients of tensors in it."""
    if not isinstance(value, Tuple) or not any(map(_is_traced, value.elements)):
        return value
    inside = [one.untraced() if isinstance(one, Tensor) else one for one in value.elements]
    generator = value.is_generator
    return Tuple(inside, value.fields, value.of_shape, value.of_op, generator)


def _is_traced(value: Value) -> bool:
    return isinstance(value, Tensor) and value.gradient is not None


class Repeated(Value):
    """An unknown number of values, each of which is `element`: an iterator, a list's contents."""

    __slots__ = ("cut", "element")

    def __init__(self, element: Value, cut: tuple[Dims, int] | None = None) -> None:
        # It stands for many tensors, each with memory of its own.
        self.element = element.untraced() if isinstance(element, Tensor) else _untraced(element)
        self.cut = cut
        """For the slices of a tensor: its dims, and the index of the dim along which it was cut."""


class Walked(Repeated):
    """The modules inside a module, of which some are not known: `found` are the others, in order.

    What a loop does to each module, it does to those.
    """

    __slots__ = ("found",)

    def __init__(self, element: Value, found: Iterable[Value]) -> None:
        super().__init__(element)
        self.found = tuple(found)


class Entries(Repeated):
    """The contents of a dict of which some entries are known; each value is `element`.

    `certain` are the entries that it has. `possible` are the keys that it may have besides, None if
    any may be there. `before` are entries that it had before code that is not followed changed it.
    """

    __slots__ = ("before", "certain", "possible")

    def __init__(
        self,
        element: Value,
        certain: Mapping[Any, Value],
        possible: frozenset[Any] | None,
        before: Mapping[Any, Value],
    ) -> None:
        super().__init__(element)
        self.certain = certain
        self.possible = possible
        self.before = before

    def put(self, key: object, value: Value, element: Value) -> Entries:
        """The contents with another entry."""
        possible = None if self.possible is None else self.possible - {key}
        return Entries(element, {**self.certain, key: value}, possible, self.before)

    def without(self, key: object) -> Entries:
        """The contents without an entry."""
        certain = {k: value for k, value in self.certain.items() if k != key}
        possible = None if self.possible is None else self.possible - {key}
        return Entries(self.element, certain, possible, self.before)


def spoiled(contents: object, unknown: Value) -> Repeated:
    """The contents of a dict after code that may have changed any of its entries."""
    if isinstance(contents, dict):
        return Entries(unknown, {}, None, contents)
    if isinstance(contents, Entries):
        return Entries(unknown, {}, None, {**contents.before, **contents.certain})
    return Repeated(unknown)


MOST_VALUES: Final = 4096
"""Values that a sequence or dict may hold, counting those inside its values: each line of
`t = (t, t)` doubles them.
"""


def count_of(value: Value) -> int:
    """How many values a value holds, itself included; one that occurs twice counts twice."""
    return value.count if isinstance(value, (Tuple, Held)) else 1


def without_element(contents: tuple[Value, ...], index: object) -> tuple[Value, ...] | None:
    """The contents of a list without the element at an index; None if that is no place in it."""
    if not isinstance(index, int) or not -len(contents) <= index < len(contents):
        return None
    place = index % len(contents)
    return (*contents[:place], *contents[place + 1 :])


def counts_of(values: Iterable[Value]) -> int:
    """The sum of `count_of`."""
    return sum([count_of(value) for value in values])
