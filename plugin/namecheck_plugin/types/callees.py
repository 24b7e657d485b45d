"""What is called: an op under one of its spellings, and how its parameters take arguments."""

from __future__ import annotations

from typing import Final

from namecheck_plugin.types import surface
from namecheck_runtime.declare import Spelling
from namecheck_runtime.readers.parameters import Plain, name_at, parameter_names, returned, takes

_SEVERAL: Final = frozenset({"Shapes", "tuple[Shape, ...]"})
"""What rules return that give tensors of any number."""


class Callee:
    """An op as one spelling calls it.  What is asked at every call is found out once."""

    __slots__ = ("_keywords", "_plains", "gives_several", "names", "spelling")

    def __init__(self, spelling: Spelling) -> None:
        rules = spelling.op.rules
        self.spelling: Final = spelling
        self.names: Final = parameter_names(spelling, rules[0])
        """The parameters that positional arguments stand for."""
        self.gives_several: Final = returned(rules) in _SEVERAL
        self._plains: Final[list[Plain]] = []
        self._keywords: Final[dict[str, tuple[str, Plain]]] = {}

    def plain(self, place: int) -> Plain:
        """How an argument at a place is taken."""
        plains = self._plains
        while place >= len(plains):
            name = name_at(self.names, len(plains))
            plains.append(takes(self.spelling.op.rules, name))
        return plains[place]

    def keyword(self, name: str) -> tuple[str, Plain]:
        """What the rules call a keyword, and how it is taken."""
        found = self._keywords.get(name)
        if found is None:
            own = surface.rule_keyword(self.spelling, name)
            found = self._keywords[name] = own, takes(self.spelling.op.rules, own, True)
        return found


_CALLEES: Final[dict[str, Callee]] = {}


def callee_of(spelling: Spelling) -> Callee:
    """The one callee of a spelling."""
    found = _CALLEES.get(spelling.path)
    if found is None:
        found = _CALLEES[spelling.path] = Callee(spelling)
    return found
