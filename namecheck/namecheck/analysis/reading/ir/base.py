"""What all records have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar


class Record:
    """A piece of a program: compact, compared by content, and never changed once it is made.

    A class with slots and no dataclass: mypyc reads those of the analyzer as C does, and nobody
    makes anything as often as lowering makes these.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def fields(self) -> list[object]:
        """What it holds, in the order in which it is written."""
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
        return f"{type(self).__name__}({', '.join([f'{name}={one!r}' for name, one in named])})"


class Node(Record):
    """A record that has a number, by which findings know where it stands."""

    __slots__ = ("id",)

    id: int


class Expression(Node):
    """What has a value."""

    __slots__ = ()


class Pattern(Node):
    """What a `case` holds a value against."""

    __slots__ = ()


class Statement(Node):
    """What a block is made of."""

    __slots__ = ("end_line", "line")

    line: int
    end_line: int


def children(record: Record) -> Iterator[Record]:
    """The records directly inside `record`, in the order of its fields."""
    for one in record.fields():
        yield from _records(one)


def _records(value: object) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _records(item)
