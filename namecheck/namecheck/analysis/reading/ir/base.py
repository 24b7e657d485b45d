"""The bases of all records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, TypeAlias

Readings: TypeAlias = dict[object, Any]
"""What was read off a record, by the function that has read it (`readings.py`)."""


class Record:
    """A piece of a program: compact, compared by content, and never changed once it is made.

    It has slots and is not a dataclass, so that compiled code reads a field as C does: no objects
    are made as often as these.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def fields(self) -> list[object]:
        """The values of its fields, in the order of the source."""
        return [getattr(self, name) for name in self.__match_args__]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Record) or type(other) is not type(self):
            return False
        return self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash(tuple(self.fields()))

    def __repr__(self) -> str:
        named = zip(self.__match_args__, self.fields(), strict=True)
        return f"{type(self).__name__}({', '.join([f'{name}={value!r}' for name, value in named])})"


class Node(Record):
    """A record with a number, by which a finding finds its place."""

    __slots__ = ("id",)

    id: int


class Expression(Node):
    """A record of something with a value."""

    __slots__ = ()


class Pattern(Node):
    """A pattern that a `case` compares a value with."""

    __slots__ = ()


class Statement(Node):
    """A statement of a block."""

    __slots__ = ("end_line", "line")

    line: int
    end_line: int


def children(record: Record) -> Iterator[Record]:
    """The records directly inside `record`, in the order of its fields."""
    for value in record.fields():
        yield from _records(value)


def _records(value: object) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _records(item)
