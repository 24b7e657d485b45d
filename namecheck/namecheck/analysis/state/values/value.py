"""What every abstract value is: the bases of the classes beside this module."""

from __future__ import annotations

from itertools import count

serials = count()
"""Numbers the values with an identity that the program can see, in the order of their creation."""


class Value:
    """Base of all values."""

    __slots__ = ()


class Held(Value):
    """A value about which a path holds something: contents, attributes."""

    __slots__ = ("count", "serial")

    def __init__(self) -> None:
        self.serial = next(serials)
        self.count = 1
        """The largest `count_of` its contents so far."""
