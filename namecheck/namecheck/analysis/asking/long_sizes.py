"""Formulas that are too long to read, as messages and notes show them.

A size that was computed in many steps is a long formula. A message shows a short name in its place,
and a note says which sizes it was computed from.
"""

from __future__ import annotations

from typing import Any, Final

from namecheck_runtime import sizes
from namecheck_runtime.lattice import Dim, Size, Trailing
from namecheck_runtime.mistakes.base import Mistake

LONGEST: Final = 80
"""Characters of the longest formula that is shown."""

_NAMED: Final = 4
"""How many of the sizes that a formula was computed from a note names."""


class ShortNames:
    """The short names of the long formulas in one finding."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        self._names: dict[sizes.Polynomial, sizes.Polynomial] = {}

    def mistake(self, mistake: Mistake) -> Mistake:
        """The mistake with short names."""
        fields = mistake.fields()
        changed = {
            name: short for name, value in fields.items() if (short := self.of(value)) is not value
        }
        return mistake.but(**changed) if changed else mistake

    def of(self, value: Any) -> Any:
        """A size, a dim, a shape or several of them, with short names; itself if all are short."""
        if isinstance(value, sizes.Polynomial):
            return self._size(value)
        if isinstance(value, Dim):
            size = self.of(value.size)
            return value if size is value.size else Dim(value.name, size, value.trace)
        if isinstance(value, Trailing):
            dims = self.of(value.dims)
            return value if dims is value.dims else Trailing(dims)
        if isinstance(value, Mistake):
            return self.mistake(value)
        if type(value) is tuple:
            parts = tuple([self.of(part) for part in value])
            same = all(old is new for old, new in zip(value, parts, strict=True))
            return value if same else parts
        return value

    def _size(self, size: sizes.Polynomial) -> Size:
        if size not in self._names:
            if len(str(size)) <= LONGEST:
                return size
            self._names[size] = sizes.symbol(f"size{len(self._names) + 1}")
        return self._names[size]

    def notes(self) -> list[str]:
        """What each short name stands for: `size1 is computed from h, w and patch`."""
        return [f"{name} is computed from {_parts(size)}" for size, name in self._names.items()]


def _parts(size: sizes.Polynomial) -> str:
    atoms = sizes.in_order(size.symbols())
    labels = [text for text in dict.fromkeys(map(str, atoms)) if text != "?"]
    if not labels:
        return "unknown sizes"
    if len(labels) > _NAMED:
        labels = [*labels[: _NAMED - 1], f"{len(labels) - _NAMED + 1} other sizes"]
    return " and ".join(filter(None, (", ".join(labels[:-1]), labels[-1])))


__all__ = ["LONGEST", "ShortNames"]
