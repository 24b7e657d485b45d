"""Lists and dicts at the top of a module that functions of the module change: tables and caches.

    _STREAMS = [(nn.Conv1d, ConvStream)]
    _TABLES = {}

Code that is looked at alone may find anything in them. A drive is one run of the program: it finds
what the top level has put there, and what decorators have entered, and follows the calls that
change it. That holds as long as no top level calls such a function otherwise: what is imported for
its effects alone is not evaluated. An empty one is known only if it is a cache, which each function
that fills it reads, too, or if decorators fill it. What other code may have entered in the table of
a module that a file imports is not known, but for the decorators of modules that it imports, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.changed_contents import changed_in_texts
from namecheck.analysis.reading.walking import walk_for
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Constant,
    Dict,
    Entries,
    Function,
    Instance,
    List,
    Number,
    Repeated,
    Tensor,
    Text,
    Value,
)
from namecheck_runtime.light.regexes import regex

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame


class Kept(NamedTuple):
    """What a list or dict has in it at the end of its module, and the names of what changes it."""

    contents: Any
    changers: frozenset[str]
    is_cache: bool
    """Whether each of these reads an element of it, too."""


def forget_changed(ev: Evaluator, frame: Frame, definitions: Sequence[str]) -> dict[Value, Kept]:
    """Forget the lists and dicts of a module that its definitions change, given their texts.

    A table of functions keeps those that it has: a function that enters more changes none of them.
    What comes back is for drives.
    """
    held = {
        name: value
        for name, value in frame.variables.items()
        if isinstance(value, (List, Dict)) and not isinstance(ev.cells.get(value), Repeated)
    }
    kept: dict[Value, Kept] = {}
    by_name: dict[str, list[str]] = {}
    for text in definitions:
        for name in changed_in_texts(held, (text,)):
            by_name.setdefault(name, []).append(text)
    for name, changing in by_name.items():
        row = held[name]
        contents = ev.cells.get(row)
        is_cache = all(reads(text, name) for text in changing)
        kept[row] = Kept(contents, frozenset(map(_name_of, changing)), is_cache)
        if contents and isinstance(contents, dict):
            if all(isinstance(ev.resolve(v), (Function, Class)) for v in contents.values()):
                continue
        ev.cells[row] = Repeated(Anything())
    return kept


def reads(text: str, name: str) -> bool:
    """Whether a text takes an element out of a dict or list."""
    read = rf"(?:return|=|\(|,)\s*{name}\[|\b{name}\.(?:get|setdefault|pop)\("
    return regex(read, words=(f"{name}[", f"{name}.")).search(text) is not None


def _name_of(definition: str) -> str:
    match = _HEADER.search(definition)
    return "" if match is None else match[1]


def decorators_of(definition: str) -> set[str]:
    """The names of the decorators of a class or function at the top level, and their roots."""
    # Faster than the expression, which would look at each character.
    if not definition.startswith("@") and "\n@" not in definition:
        return set()
    found = DECORATOR_AT_TOP.findall(definition)
    return {
        name for dotted in found for name in (dotted.partition(".")[0], dotted.rpartition(".")[2])
    }


def as_drives_find(kept: Kept, called: Set[str], decorators: Set[str]) -> Any:
    """What the drives of a file find in a table of its own that functions change.

    Other code may enter more by a decorator, and in one that is empty. Where the top level calls
    such a function otherwise, nothing is known.
    """
    if not called.isdisjoint(kept.changers):
        return Repeated(Anything())
    if (kept.contents or kept.is_cache) and decorators.isdisjoint(kept.changers):
        return kept.contents
    return _open(kept.contents)


def as_importers_find(kept: Kept, called: Set[str], decorators: Set[str]) -> Any:
    """What the drives of other files find in a table of a module: that module alone decides it.

    Any code may have called what changes it. A cache has no less and nothing else for that; of
    other dicts the entries are known that are no settings.
    """
    if not called.isdisjoint(kept.changers):
        return Repeated(Anything())
    if kept.is_cache and decorators.isdisjoint(kept.changers):
        return kept.contents
    contents = kept.contents
    if isinstance(contents, dict):
        contents = {k: v for k, v in contents.items() if not isinstance(v, _SETTINGS)}
    return _open(contents)


_SETTINGS: Final = (Constant, Number, Text)


def _open(contents: Any) -> Any:
    """The contents of a dict with any other entries; nothing is known of a list."""
    if isinstance(contents, dict):
        return Entries(Anything(), contents, None, {})
    return Repeated(Anything())


class Tables:
    """What the top levels of the modules of one run leave in lists, dicts and objects."""

    def __init__(self) -> None:
        self.world: dict[Any, Any] = {}
        """The cells of the top level of the modules."""
        self.kept: dict[Value, Any] = {}
        """What a drive finds in the lists and dicts instead that functions of their module change.

        Each module has decided that alone: the result of a file depends on what it imports, not on
        what the same run has evaluated before.
        """
        self.entangled = False
        """Whether the top level of a module has changed an object of another module."""

    def publish(self, inner: Evaluator) -> None:
        """Share the contents of lists, dicts and instances of the top level with all importers."""
        world = self.world
        for key, owner, known in _rows_in(inner):
            # Another element of a list of unknown length changes nothing.
            if key in world and world[key] != known and not isinstance(known, Repeated):
                self.entangled = True
            world[key] = known
            if isinstance(owner, Instance):
                world.setdefault(owner, {})[key[1]] = known

    def keep(
        self, inner: Evaluator, kept: Mapping[Value, Kept], called: Set[str], decorators: Set[str]
    ) -> None:
        """Let drives find what is in the tables of a module whose top level was evaluated."""
        for row, one in kept.items():
            settled = one._replace(contents=_settled(inner, one.contents))
            found = self.kept[row] = as_importers_find(settled, called, decorators)
            if isinstance(found, Entries):
                self._keep_open(found.certain.values())

    def _keep_open(self, values: Iterable[Value]) -> None:
        """Open the dicts and lists in an open dict: `TABLES = {"heads": {}, "bodies": {}}`."""
        for value in values:
            if isinstance(value, (List, Dict)) and value in self.world:
                if value not in self.kept:
                    contents = self.world[value]
                    self.kept[value] = _open(contents)
                    if isinstance(contents, dict):
                        self._keep_open(contents.values())


class World(Mapping[Any, Any]):
    """What the drives of one file find in lists, dicts and objects of the modules that it imports.

    The modules' tables, and what the decorators of modules that the file imports enter in them,
    which `fill` finds out when an open table is read first.
    """

    def __init__(self, tables: Tables, fill: Callable[[World], None]) -> None:
        self.tables = tables
        self.entered: dict[Any, Any] = {}
        self._fill = fill
        self._is_filled = False

    def get(self, key: Any, default: Any = None) -> Any:
        """The contents of a list or a dict, or the attribute of an instance."""
        if key not in self.tables.kept and key not in self.entered:
            return self.tables.world.get(key, default)
        found = self.tables.kept.get(key, default)
        if isinstance(found, Entries) and not self._is_filled:
            self._is_filled = True
            self._fill(self)
        return self.entered.get(key, found)

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        return self.get(key)

    def __contains__(self, key: object) -> bool:
        tables = self.tables
        return key in tables.world or key in tables.kept or key in self.entered

    def __iter__(self) -> Iterator[Any]:
        return iter({**self.tables.world, **self.tables.kept, **self.entered})

    def __len__(self) -> int:
        return len(self.tables.world) + len(self.tables.kept) + len(self.entered)

    def note_entered(self, inner: Evaluator) -> None:
        """Note what a decorator has entered in lists and dicts."""
        for key, owner, known in _rows_in(inner):
            if isinstance(owner, (List, Dict)):
                self.entered[key] = known


def _rows_in(inner: Evaluator) -> Iterator[tuple[Any, Any, Any]]:
    """The cells of lists, dicts and instances, with their owners."""
    for part in (inner.cells.base, inner.cells.recent):
        for key, value in part.items():
            owner = key[0] if type(key) is tuple else key
            if not isinstance(owner, (Anything, Tensor)):
                yield key, owner, _settled(inner, value)


def _settled(ev: Evaluator, contents: Any) -> Any:
    if isinstance(contents, Value):
        return ev.resolve(contents)
    if isinstance(contents, tuple):
        return tuple([ev.resolve(one) for one in contents])
    if isinstance(contents, dict):
        return {key: ev.resolve(one) for key, one in contents.items()}
    return contents


_CALLS: Final = frozenset({ir.Call})


def called_at_top(statements: Iterable[ir.Record], definitions: Iterable[str]) -> set[str]:
    """The names of what the top level of a module calls, and of decorators inside its classes."""
    names = {name.rpartition(".")[2] for text in definitions for name in DECORATOR.findall(text)}
    for statement in statements:
        for inner in walk_for(statement, _CALLS):
            match inner:
                case ir.Call(ir.Name(name)) | ir.Call(ir.Attribute(_, name)):
                    names.add(name)
    return names


_HEADER: Final = regex(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
DECORATOR: Final = regex(r"^[ \t]+@([\w.]+)", re.MULTILINE, ("@",))
DECORATOR_AT_TOP: Final = regex(r"^@([\w.]+)", re.MULTILINE, ("@",))

__all__ = [
    "DECORATOR",
    "DECORATOR_AT_TOP",
    "Kept",
    "Tables",
    "World",
    "as_drives_find",
    "as_importers_find",
    "called_at_top",
    "decorators_of",
    "forget_changed",
    "reads",
]
