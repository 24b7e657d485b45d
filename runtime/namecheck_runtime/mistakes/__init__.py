"""Mistakes: one immutable class per rule code, in one module per family.

`CODES` maps each code to the class whose docstring documents it and whose attributes say how
readers treat it (`Mistake`).  Subclasses of that class have other sentences for the same code.
"""

from __future__ import annotations

from namecheck_runtime.mistakes import (
    broadcasts,
    claims,
    dims,
    gradients,
    memory,
    migration,
    names,
    revealed,
    sizes,
)
from namecheck_runtime.mistakes.base import Blame, Mistake

_codes: dict[str, type[Mistake]] = {}
for _family in (names, broadcasts, sizes, dims, claims, memory, gradients, migration, revealed):
    for _class in vars(_family).values():
        if (
            isinstance(_class, type)
            and issubclass(_class, Mistake)
            and _class.__module__ == _family.__name__
        ):
            if "code" in vars(_class):
                _codes.setdefault(_class.code, _class)

CODES: dict[str, type[Mistake]] = dict(sorted(_codes.items()))

__all__ = ["CODES", "Blame", "Mistake"]
