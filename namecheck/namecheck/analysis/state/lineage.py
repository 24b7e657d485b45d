"""The order in which a class's attributes are looked up, and what it says of the class."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

from namecheck import frameworks
from namecheck.analysis.state.values import Anything, Class, Library, Method, Partial, Value
from namecheck_runtime import layers

DATACLASS = frozenset({"dataclasses.dataclass"})


def lineage_of(bases: Sequence[Value]) -> list[Value]:
    """Python's order of a class's ancestors; the plain one where Python would refuse.

    https://docs.python.org/3/howto/mro.html
    """
    rows: list[deque[Value]] = []
    for base in bases:
        match base:
            case Class():
                rows.append(deque(base.lineage))
            case Library():
                rows.append(deque([base]))
            case _:
                rows.append(deque([Library("?")]))
    rows.append(deque([row[0] for row in rows]))
    behind = Counter(_identity(one) for row in rows for one in list(row)[1:])
    lineage: list[Value] = []
    taken: set[object] = set()
    while rows := [row for row in rows if row]:
        heads = (row[0] for row in rows)
        head = next((one for one in heads if not behind[_identity(one)]), rows[0][0])
        lineage.append(head)
        taken.add(_identity(head))
        for row in rows:
            while row and _identity(row[0]) in taken:
                row.popleft()
                if row:
                    behind[_identity(row[0])] -= 1
    return lineage


def _identity(base: Value) -> object:
    """What two bases have in common that are one class: a file is evaluated by itself and for
    others.
    """
    if isinstance(base, Library):
        return base.path
    if isinstance(base, Class) and base.source.file.real:
        return base.source.file.real, base.name, base.line + base.source.line
    return id(base)


def look_up(lineage: Sequence[Value], name: str) -> Value | None:
    """The attribute `name` along a lineage; None when it is in no class that we know all of."""
    for one in lineage:
        if isinstance(one, Class):
            if name in one.attributes:
                return one.attributes[name]
        elif isinstance(one, Library) and one.path not in HARMLESS:
            if one.path in layers.LAYERS:
                return Method(one, name)
            return Anything()
    return None


HARMLESS = frameworks.MODULES | {"object", "abc.ABC", "typing.Generic", "typing.Protocol"}
"""Bases that bring no attribute that tensor code computes with."""


def layer_of(lineage: Sequence[Value]) -> str | None:
    """The path of the library layer in a lineage."""
    for one in lineage:
        if isinstance(one, Library) and one.path in layers.LAYERS:
            return one.path
    return None


def is_module(cls: Class) -> bool:
    """Whether calling an instance runs `forward`."""
    return any(
        isinstance(one, Library)
        and (
            one.path in frameworks.MODULES
            or one.path in frameworks.CONTAINERS
            or one.path in layers.LAYERS
        )
        for one in cls.lineage
    )


def is_dataclass(cls: Class) -> bool:
    """Whether instances are made of the fields that a class declares."""
    if not DATACLASS.isdisjoint(cls.decorators):
        return True
    paths = (one.path for one in cls.lineage if isinstance(one, Library))
    return any(path in frameworks.DATACLASSES for path in paths)


def builds_layers(value: Value) -> bool:
    """Whether a default is a class of layers: what is given in its place is built and called alike.

    Not so of a layer that takes anything and does nothing: what is given then does something.
    """
    if isinstance(value, Partial):
        return builds_layers(value.function)
    if isinstance(value, Library) and value.path in layers.LAYERS:
        return all(p.kind != "variadic" for p in layers.LAYERS[value.path].constructor.parameters)
    return isinstance(value, Class) and is_module(value)
