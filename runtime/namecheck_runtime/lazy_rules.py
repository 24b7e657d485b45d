"""Modules of rules that are imported when somebody asks for one of their paths.

`later` says of a module how the names begin that it declares, `within` the package that all its
paths are in; `Declared` is a dict that reads the
module before it says that something is not there.  Nobody can tell it from one that had all in it
from the start: whoever counts or lists what there is has it all read first.  That every declared
name begins as its module says is a test.
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
    Value = object  # stands in a base

_LATER: Final[dict[tuple[str, ...], tuple[str, ...]]] = {}
"""Modules, by how the last parts of the paths begin that they declare."""
_beginnings: tuple[str, ...] = ()
"""All of them."""
_WITHIN: Final[dict[str, tuple[str, ...]]] = {}
"""Modules, by the package that all paths are in that they declare."""
_packages: tuple[str, ...] = ()
"""All of those packages."""


def later(modules: str, beginnings: str) -> None:
    """Have modules imported when a path is asked for whose last part begins in one of these ways.

    What they declare is under no path that an earlier module has, and no later module either.
    """
    global _beginnings
    _LATER[tuple(beginnings.split())] = tuple(modules.split())
    _beginnings = tuple(one for every in _LATER for one in every)


def within(modules: str, package: str) -> None:
    """Have modules imported when a path in a package is asked for: `flax.`, which no torch program
    names.
    """
    global _packages
    _WITHIN[package] = tuple(modules.split())
    _packages = tuple(_WITHIN)


def read(path: str) -> bool:
    """Import the modules that may declare a path; False if there are none."""
    if path.startswith(_packages):
        _import_packages([package for package in list(_WITHIN) if path.startswith(package)])
        return True
    name = path[path.rfind(".") + 1 :]
    if not name.startswith(_beginnings):
        return False
    _import([beginnings for beginnings in list(_LATER) if name.startswith(beginnings)])
    return True


def read_all() -> None:
    """Import every module that waits."""
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
            # Only now: what another thread asks for meanwhile waits for the import as well.
            _LATER.pop(beginnings, None)
    _beginnings = tuple(one for every in list(_LATER) for one in every)


_ROOM: Final = 200
"""Calls within each other that an import has room for: three modules that import each other."""


def _descend(calls: int) -> None:
    """Raises RecursionError where an import would, which would leave half a module declared."""
    if calls:
        _descend(calls - 1)


def so_far(table: Mapping[str, Value], path: str) -> Value | None:
    """What a table has by a path so far; nothing is read for it."""
    found: Value | None = dict.get(table, path)  # type: ignore[call-overload]
    return found


class Declared(dict[str, Value]):
    """What has been declared by path, with what is read only when it is asked for."""

    __slots__ = ()

    def __missing__(self, path: str) -> Value:
        found = dict.get(self, path) if read(path) else None
        if found is None:
            raise KeyError(path)
        return found

    if TYPE_CHECKING:

        @overload
        def get(self, path: str, default: None = None, /) -> Value | None: ...
        @overload
        def get(self, path: str, default: Value, /) -> Value: ...
        @overload
        def get(self, path: str, default: Default, /) -> Value | Default: ...

    def get(self, path: str, default: Any = None, /) -> Any:
        found = dict.get(self, path)
        if found is None and read(path):
            found = dict.get(self, path)
        return default if found is None else found

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
