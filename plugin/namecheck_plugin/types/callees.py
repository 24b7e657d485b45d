"""The callee of a call: an op under one of its spellings, and how its parameters take arguments."""

from __future__ import annotations

from typing import Final

from namecheck_plugin.types import surface
from namecheck_runtime.declare import Spelling
from namecheck_runtime.readers.parameters import Plain, name_at, parameter_names, returned, takes

_SEVERAL: Final = frozenset({"Shapes", "tuple[Shape, ...]"})
"""The return annotations of rules that give any number of tensors."""


class Callee:
    """An op as one spelling calls it; what every call asks is looked up once."""

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
        """How the parameter at a place takes its argument."""
        plains = self._plains
        while place >= len(plains):
            name = name_at(self.names, len(plains))
            plains.append(takes(self.spelling.op.rules, name))
        return plains[place]

    def keyword(self, name: str) -> tuple[str, Plain]:
        """The parameter of the rules that a keyword stands for, and how it takes its argument."""
        keyword = self._keywords.get(name)
        if keyword is None:
            parameter = surface.rule_keyword(self.spelling, name)
            keyword = self._keywords[name] = (
                parameter,
                takes(self.spelling.op.rules, parameter, True),
            )
        return keyword


_CALLEES: Final[dict[str, Callee]] = {}


def callee_of(spelling: Spelling) -> Callee:
    """The one callee of a spelling."""
    callee = _CALLEES.get(spelling.path)
    if callee is None:
        callee = _CALLEES[spelling.path] = Callee(spelling)
    return callee
