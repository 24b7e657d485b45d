"""`typing.NamedTuple` for modules that are imported often: a class is made in a sixth of the time.

`collections.namedtuple` compiles a function that makes the tuples of a class together with the
class.  Here it is compiled when the first tuple is made.
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
    """The exception of `_replace` for an unknown field, as in `collections.namedtuple`."""

    class _Maker(type):
        """Makes the classes; the annotations of a class are its fields.

        The classes are not instances of this metaclass, which would make `isinstance` slower.
        """

        def __new__(
            metaclass: type[_Maker], name: str, bases: tuple[type, ...], members: dict[str, Any]
        ) -> type:
            if bases == (tuple,):
                return type.__new__(metaclass, name, bases, members)
            fields = tuple(members.get("__annotations__", ()))
            defaults = {field: members[field] for field in fields if field in members}
            getters = {field: field_at(index, "") for index, field in enumerate(fields)}
            added = {"__slots__": (), "_fields": fields, "_field_defaults": defaults}
            added |= {"__match_args__": fields}
            return type.__new__(type, name, (tuple,), {**_SHARED, **members, **getters, **added})

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
            items = zip(self._fields, self, strict=True)
            fields = ", ".join(f"{name}={value!r}" for name, value in items)
            return f"{type(self).__name__}({fields})"

        def _replace(self, /, **changes: Any) -> NamedTuple:
            changed = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise _UNEXPECTED(f"Got unexpected field names: {list(changes)!r}")
            return changed

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
