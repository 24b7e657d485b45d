"""Results of several tensors: tuples with named parts, as `x.max(1).values`.

The names of the parts are declared, see `rules.fields`.
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any, ClassVar


class Several(tuple[Any, ...]):
    """The parts of a result, by place and by name."""

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    _op: ClassVar[str] = ""
    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        parts = zip(self._fields, self, strict=True)
        return f"{type(self).__name__}(\n" + ",\n".join(f"{n}={part!r}" for n, part in parts) + ")"

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuild, (self._op, self._fields, tuple(self))


@cache
def type_of(op: str, fields: tuple[str, ...]) -> type[Several]:
    """The class of the results of an op."""
    parts: dict[str, Any] = {
        field: property(itemgetter(place), doc=f"The part at {place}.")
        for place, field in enumerate(fields)
    }
    name = f"torch.return_types.{op.removeprefix('torch.').replace('.', '_')}"
    return type(name, (Several,), {**parts, "_op": op, "_fields": fields, "__match_args__": fields})


def rebuild(op: str, fields: tuple[str, ...], parts: tuple[Any, ...]) -> Several:
    """A result from its pickle."""
    return type_of(op, fields)(parts)
