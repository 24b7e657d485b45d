"""Modules of rules that are imported when one of their paths is first looked up.

`later` registers a module by the beginnings of the names that it declares, `within` by the package
of all its paths.  `Declared` is a dict that imports the modules of a path before it answers that
the path is missing.  It looks as if everything had been in it from the start: counting or listing
its entries imports all modules first.  A test checks that every declared name begins as its module
says.
"""

from __future__ import annotations

from namecheck_runtime.light.collector import CollectorPaused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _collections_abc import dict_items, dict_keys, dict_values
    from collections.abc import Iterator, Mapping
    from typing import Any, Final, TypeVar, overload

    Value = TypeVar("Value")
    Default = TypeVar("Default")
else:
    Value = object  # for `Declared`'s base

_LATER: Final[dict[tuple[str, ...], tuple[str, ...]]] = {}
"""Modules by the beginnings of the last parts of the paths that they declare."""
_beginnings: tuple[str, ...] = ()
"""All the beginnings in `_LATER`."""
_WITHIN: Final[dict[str, tuple[str, ...]]] = {}
"""Modules by the package of all the paths that they declare."""
_packages: tuple[str, ...] = ()
"""All the packages in `_WITHIN`."""


_DONE: Final[set[str]] = set()
"""Paths for which no module is left: programs look the same ones up again and again."""
_MOST_DONE: Final = 10_000


def later(modules: str, beginnings: str) -> None:
    """Import these modules when a path is looked up whose last part begins in one of these ways.

    No other module may declare one of their paths.
    """
    global _beginnings
    _DONE.clear()
    _LATER[tuple(beginnings.split())] = tuple(modules.split())
    _beginnings = tuple(beginning for beginnings in _LATER for beginning in beginnings)


def within(modules: str, package: str) -> None:
    """Import these modules when a path in a package is looked up.

    For packages such as `flax.`, which programs with only torch never mention.
    """
    global _packages
    _DONE.clear()
    _WITHIN[package] = tuple(modules.split())
    _packages = tuple(_WITHIN)


def read(path: str) -> bool:
    """Import the modules that may declare a path; False if none is left."""
    if path in _DONE:
        return False
    if path.startswith(_packages):
        _import_packages([package for package in list(_WITHIN) if path.startswith(package)])
        return True
    name = path[path.rfind(".") + 1 :]
    if not name.startswith(_beginnings):
        if len(_DONE) > _MOST_DONE:
            _DONE.clear()
        _DONE.add(path)
        return False
    _import([beginnings for beginnings in list(_LATER) if name.startswith(beginnings)])
    return True


def read_all() -> None:
    """Import all the modules that are not imported yet."""
    if _WITHIN:
        _import_packages(list(_WITHIN))
    if _LATER:
        _import(list(_LATER))


def _import_packages(packages: list[str]) -> None:
    global _packages
    _descend(_ROOM)
    with CollectorPaused(keeps=True):
        for package in packages:
            for module in _WITHIN.get(package, ()):
                __import__(module)
            _WITHIN.pop(package, None)
    _packages = tuple(_WITHIN)


def _import(waiting: list[tuple[str, ...]]) -> None:
    global _beginnings
    _descend(_ROOM)
    with CollectorPaused(keeps=True):
        for beginnings in waiting:
            for module in _LATER.get(beginnings, ()):
                __import__(module)
            # Only now, so that a look-up of another thread waits for the import as well.
            _LATER.pop(beginnings, None)
    _beginnings = tuple(beginning for beginnings in list(_LATER) for beginning in beginnings)


_ROOM: Final = 200
"""The nested calls that an import may need: enough for three modules that import each other."""


def _descend(calls: int) -> None:
    """Raises RecursionError before an import does, which would leave a module half declared."""
    if calls:
        _descend(calls - 1)


def so_far(table: Mapping[str, Value], path: str) -> Value | None:
    """The entry of a table under a path, without importing anything; None if there is none."""
    value: Value | None = dict.get(table, path)  # type: ignore[call-overload]
    return value


class Declared(dict[str, Value]):
    """The declarations by path, including those of modules that are not imported yet."""

    __slots__ = ()

    def __missing__(self, path: str) -> Value:
        value = dict.get(self, path) if read(path) else None
        if value is None:
            raise KeyError(path)
        return value

    if TYPE_CHECKING:

        @overload
        def get(self, path: str, default: None = None, /) -> Value | None: ...
        @overload
        def get(self, path: str, default: Value, /) -> Value: ...
        @overload
        def get(self, path: str, default: Default, /) -> Value | Default: ...

    def get(self, path: str, default: Any = None, /) -> Any:
        value = dict.get(self, path)
        if value is None and read(path):
            value = dict.get(self, path)
        return default if value is None else value

    def __contains__(self, path: object) -> bool:
        if dict.__contains__(self, path):
            return True
        return isinstance(path, str) and read(path) and dict.__contains__(self, path)

    def __iter__(self) -> Iterator[str]:
        read_all()
        return dict.__iter__(self)

    def __len__(self) -> int:
        read_all()
        return dict.__len__(self)

    def keys(self) -> dict_keys[str, Value]:
        read_all()
        return dict.keys(self)

    def values(self) -> dict_values[str, Value]:
        read_all()
        return dict.values(self)

    def items(self) -> dict_items[str, Value]:
        read_all()
        return dict.items(self)


__all__ = ["Declared", "later", "read", "read_all", "so_far", "within"]
