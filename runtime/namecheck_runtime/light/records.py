"""`typing.NamedTuple` for modules that are imported often: its classes are made in a sixth of the
time, and one that nobody makes a tuple of costs no more than that.

What NumPy is to a large array, `collections.namedtuple` is to many tuples: it compiles a function
that makes them.  Here it is compiled with the first tuple.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import NamedTuple as NamedTuple
else:
    import sys
    from _collections import _tuplegetter as field_at

    _UNEXPECTED = TypeError if sys.version_info >= (3, 13) else ValueError
    """What `_replace` raises for a field that there is not, as `collections.namedtuple` does."""

    class _Maker(type):
        """Makes the classes: the annotations of one are its fields.

        They are plain classes: `isinstance` asks a metaclass before it compares.
        """

        def __new__(
            metaclass: type[_Maker], name: str, bases: tuple[type, ...], members: dict[str, Any]
        ) -> type:
            if bases == (tuple,):
                return type.__new__(metaclass, name, bases, members)
            fields = tuple(members.get("__annotations__", ()))
            defaults = {one: members[one] for one in fields if one in members}
            getters = {one: field_at(at, "") for at, one in enumerate(fields)}
            own = {"__slots__": (), "_fields": fields, "_field_defaults": defaults}
            own |= {"__match_args__": fields}
            return type.__new__(type, name, (tuple,), {**_SHARED, **members, **getters, **own})

    class NamedTuple(tuple, metaclass=_Maker):
        """A tuple whose entries have names."""

        def __new__(cls: type[NamedTuple], *values: Any, **named: Any) -> NamedTuple:
            fields = ", ".join(cls._fields)
            make = eval(f"lambda cls, {fields}: new(cls, ({fields},))", {"new": tuple.__new__})
            make.__defaults__ = tuple(cls._field_defaults.values())
            cls.__new__ = staticmethod(make)
            return make(cls, *values, **named)

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            named = zip(self._fields, self, strict=True)
            return f"{type(self).__name__}({', '.join(f'{name}={one!r}' for name, one in named)})"

        def _replace(self, /, **changes: Any) -> NamedTuple:
            made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise _UNEXPECTED(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        @classmethod
        def _make(cls: type[NamedTuple], values: Any) -> NamedTuple:
            return cls(*values)

    _SHARED = {
        name: vars(NamedTuple)[name]
        for name in ("__new__", "__getnewargs__", "__repr__", "_replace", "_asdict", "_make")
    }


__all__ = ["NamedTuple"]
