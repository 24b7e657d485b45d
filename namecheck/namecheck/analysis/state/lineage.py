"""The order in which the attributes of a class are looked up, and what it shows of the class."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Function,
    Instance,
    Library,
    Method,
    Partial,
    Value,
    same_class,
)
from namecheck.frameworks import flax, python
from namecheck_runtime import layers
from namecheck_runtime.declare import REGISTRY

LAYER: Final = "<layer>"
"""The attribute under which an instance of a subclass of a library's layer keeps that layer."""


def lineage_of(bases: Sequence[Value]) -> list[Value]:
    """Python's method resolution order; an approximation of it if Python would refuse.

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
    behind = Counter(_identity(base) for row in rows for base in list(row)[1:])
    lineage: list[Value] = []
    taken: set[object] = set()
    while rows := [row for row in rows if row]:
        heads = (row[0] for row in rows)
        head = next((base for base in heads if not behind[_identity(base)]), rows[0][0])
        lineage.append(head)
        taken.add(_identity(head))
        for row in rows:
            while row and _identity(row[0]) in taken:
                row.popleft()
                if row:
                    behind[_identity(row[0])] -= 1
    return lineage


def _identity(base: Value) -> object:
    """A key that two bases share if they are one class.

    One file may be evaluated twice, by itself and for the files that import it.
    """
    if isinstance(base, Library):
        return base.path
    if isinstance(base, Class) and base.source.file.real:
        return base.source.file.real, base.name, base.line + base.source.line
    return id(base)


class ClassKey:
    """A class as a key of a dict, the same one however often its file is evaluated."""

    __slots__ = ("_place", "cls")

    def __init__(self, cls: Value) -> None:
        self.cls = cls
        self._place = _identity(cls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClassKey) and self._place == other._place

    def __hash__(self) -> int:
        return hash(self._place)


def key_of_class(cls: Value) -> tuple[ClassKey] | None:
    """A class as a key; None if one of the same name and place may be another one."""
    if isinstance(cls, Library):
        return (ClassKey(cls),) if cls.path == python.OBJECT else None
    scope = cls.scope if isinstance(cls, Class) else None
    while scope is not None and scope.function is None:
        scope = scope.parent
    return (ClassKey(cls),) if isinstance(cls, Class) and scope is None else None


def look_up(lineage: Sequence[Value], name: str) -> Value | None:
    """The attribute `name` along a lineage; None if it is in no class that is fully known."""
    for base in lineage:
        if isinstance(base, Class):
            if name in base.attributes:
                return base.attributes[name]
        elif isinstance(base, Library) and base.path not in frameworks.HARMLESS:
            if base.path in layers.LAYERS or _runs_a_row(base):
                return Method(base, name)
            return Anything()
    return None


def _runs_a_row(base: Library) -> bool:
    """Whether a class is `nn.Sequential`, of some library."""
    return frameworks.CONTAINERS.get(base.path) == "sequential"


def layer_of(lineage: Sequence[Value]) -> str | None:
    """The path of the library layer in a lineage."""
    for base in lineage:
        if isinstance(base, Library) and base.path in layers.LAYERS:
            return base.path
    return None


def is_row(cls: Class) -> bool:
    """Whether calling an instance runs the modules in it in a row, as `nn.Sequential` does."""
    return any(isinstance(base, Library) and _runs_a_row(base) for base in cls.lineage)


def is_module(cls: Class) -> bool:
    """Whether calling an instance runs `forward`."""
    return any(
        isinstance(base, Library)
        and (
            base.path in frameworks.MODULES
            or base.path in frameworks.CONTAINERS
            or base.path in layers.LAYERS
        )
        for base in cls.lineage
    )


def is_dataclass(cls: Class) -> bool:
    """Whether instances are made of the fields that a class declares."""
    if not frameworks.DATACLASS_DECORATORS.isdisjoint(cls.decorators):
        return True
    for base in cls.lineage:
        if isinstance(base, Library) and base.path in frameworks.DATACLASSES:
            return True
        if isinstance(base, Class) and base is not cls:
            if not python.FIELD_TRANSFORMS.isdisjoint(base.decorators):
                return True
    return False


def is_built_of_fields(cls: Class) -> bool:
    """Whether the constructor of a class is the one that takes its fields, before one of a base."""
    for base in cls.lineage:
        if isinstance(base, Class):
            if "__init__" in base.attributes:
                return False
            if is_dataclass(base):
                return True
    return False


def fields_of(cls: Class) -> list[tuple[str, Class, ir.Expression | None]]:
    """The fields of a dataclass: the name, the class that declares it, the default."""
    by_name: dict[str, tuple[str, Class, ir.Expression | None]] = {}
    for ancestor in reversed(cls.lineage):
        if isinstance(ancestor, Class):
            for statement in ancestor.record.body:
                match statement:
                    case ir.AnnotatedAssign(ir.Name(name), annotation, value):
                        if not _is_class_variable(annotation):
                            by_name[name] = (name, ancestor, value)
    return list(by_name.values())


def _is_class_variable(annotation: ir.Expression) -> bool:
    match annotation:
        case ir.Subscript(ir.Name("ClassVar") | ir.Attribute(_, "ClassVar"), _):
            return True
        case ir.Name("ClassVar") | ir.Attribute(_, "ClassVar"):
            return True
    return False


def after_fields(cls: Class) -> list[Function]:
    """The methods that run when a dataclass has its fields, in their order."""
    methods = [look_up(cls.lineage, python.AFTER_FIELDS)]
    if is_module(cls):
        methods.append(look_up(cls.lineage, flax.SETUP))
    return [method for method in methods if isinstance(method, Function)]


def library_bases(cls: Class) -> set[str]:
    """The paths of the classes of libraries that a class is derived from."""
    return {base.path for base in cls.lineage if isinstance(base, Library)}


def has_fields(cls: Class) -> bool:
    """Whether what a class declares are fields: a first value there is a default, no constant."""
    paths = library_bases(cls)
    return is_dataclass(cls) or is_pytree(cls) or not python.NAMED_TUPLES.isdisjoint(paths)


def is_pytree(cls: Class) -> bool:
    """Whether JAX's transforms map over the fields of an instance, as over those of a tuple."""
    paths = library_bases(cls)
    if not frameworks.PYTREES.isdisjoint(paths):
        return True
    if not python.NAMED_TUPLES.isdisjoint(paths):
        return bool(cls.source.file.has_constant_arrays)
    return not frameworks.PYTREES.isdisjoint(_decorators(cls))


def _decorators(cls: Class) -> set[str]:
    return {path for base in cls.lineage if isinstance(base, Class) for path in base.decorators}


def is_replaceable(cls: Class) -> bool:
    """Whether a library gives the objects of a class a method `replace`."""
    paths = library_bases(cls)
    return not frameworks.REPLACING.isdisjoint(paths | _decorators(cls))


def builds_layers(value: Value) -> bool:
    """Whether a default is a class of layers: its replacement is built and called the same way.

    This does not hold for a layer that takes anything and does nothing, such as `Identity`.
    """
    if isinstance(value, Partial):
        return builds_layers(value.function)
    if isinstance(value, Library) and value.path in layers.LAYERS:
        return all(p.kind != "variadic" for p in layers.LAYERS[value.path].constructor.parameters)
    return isinstance(value, Class) and is_module(value)


def same_definition(left: Value, right: Value) -> bool | None:
    """Whether two classes, functions or members of enumerations are the same one.

    None if that is not known, and for other values. Two names of a library may stand for one
    function, and two functions of a project for one definition that ran twice.
    """
    if is_member(left) and is_member(right):
        assert isinstance(left, Instance)
        assert isinstance(right, Instance)
        return left.label == right.label and same_class(left.cls, right.cls)
    if isinstance(left, Class) and isinstance(right, Class):
        return same_class(left, right)
    if isinstance(left, Function) and isinstance(right, Function):
        mine, other = (path_of(left), left.record.id), (path_of(right), right.record.id)
        return False if mine != other else True if left.scope is right.scope else None
    if not all(isinstance(side, (Class, Function)) or is_code(side) for side in (left, right)):
        return None
    if isinstance(left, Library) and isinstance(right, Library):
        ops = [REGISTRY[side.path].op for side in (left, right) if side.path in REGISTRY]
        if left.path != right.path and len(ops) == 2 and ops[0] is ops[1]:
            return None
        return left.path == right.path
    return False


def is_code(value: Value) -> bool:
    """Whether a value is a function or a class of a library that the rulebook knows."""
    if not isinstance(value, Library):
        return False
    if value.path in layers.LAYERS or value.path in frameworks.CONTAINERS:
        return True
    return value.path in REGISTRY and not REGISTRY[value.path].attribute


def is_member(value: Value) -> bool:
    """Whether a value is one of the objects of an enumeration."""
    return isinstance(value, Instance) and any(
        isinstance(base, Library) and base.path in python.ENUMS for base in value.cls.lineage
    )


def path_of(value: Function | Class) -> str:
    """The dotted path of a function or class, beginning with the name of its module."""
    module, _ = os.path.splitext(os.path.basename(value.source.file.path))
    if isinstance(value, Function) and value.owner is not None:
        return f"{module}.{value.owner.name}.{value.name}"
    return f"{module}.{value.name}"
