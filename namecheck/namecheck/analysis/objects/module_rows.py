"""Lists and dicts at the top of a module that functions of the module change: tables and caches.

    _STREAMS = [(nn.Conv1d, ConvStream)]
    _TABLES = {}

Code that is looked at alone may find anything in them. A drive is one run of the program: it finds
what the top level has put there, and follows the calls that change it. That holds as long as no
top level calls such a function, as a decorator that registers a class does: what is imported for
its effects alone is not evaluated. An empty one is known only if it is a cache, which each function
that fills it reads, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.changed_contents import changed_in_texts
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Dict,
    Function,
    List,
    Repeated,
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
    for name in changed_in_texts(held, definitions):
        row = held[name]
        contents = ev.cells.get(row)
        changing = [text for text in definitions if changed_in_texts((name,), (text,))]
        if contents or all(_reads(text, name) for text in changing):
            kept[row] = Kept(contents, frozenset(map(_name_of, changing)))
        if contents and isinstance(contents, dict):
            if all(isinstance(ev.resolve(v), (Function, Class)) for v in contents.values()):
                continue
        ev.cells[row] = Repeated(Anything())
    return kept


def _reads(text: str, name: str) -> bool:
    """Whether a text takes an element out of a dict or list."""
    return (
        regex(rf"(?:return|=|\(|,)\s*{name}\[|\b{name}\.(?:get|setdefault|pop)\(").search(text)
        is not None
    )


def _name_of(definition: str) -> str:
    match = _HEADER.search(definition)
    return "" if match is None else match[1]


def called_at_top(statements: Iterable[ir.Record], definitions: Iterable[str]) -> set[str]:
    """The names of what the top level of a module calls, also as decorators of its definitions."""
    names = {name.rpartition(".")[2] for text in definitions for name in _DECORATOR.findall(text)}
    for statement in statements:
        for inner in walk(statement):
            match inner:
                case ir.Call(ir.Name(name)) | ir.Call(ir.Attribute(_, name)):
                    names.add(name)
                case ir.FunctionDef(decorators=decorators) | ir.ClassDef(decorators=decorators):
                    for decorator in decorators:
                        if isinstance(decorator, (ir.Name, ir.Attribute)):
                            names.add(decorator.name)
    return names


_HEADER = regex(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_DECORATOR = regex(r"^[ \t]*@([\w.]+)", re.MULTILINE)

__all__ = ["Kept", "called_at_top", "forget_changed"]
