"""The fields of dataclasses as a drive reads them: `asdict`, `fields`, `__dataclass_fields__`.

A configuration is often written as a dict and read back: `Config(**{f.name: d[f.name] for f in
fields(Config) if f.name in d})`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.objects.own_objects import ANY_ATTRIBUTE, copied, empty_class
from namecheck.analysis.reading import ir
from namecheck.analysis.state.lineage import fields_of, is_dataclass
from namecheck.analysis.state.values import (
    TRUE,
    Anything,
    Class,
    Constant,
    Dict,
    Instance,
    List,
    Tuple,
    Value,
)
from namecheck.frameworks import python

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

TABLE: Final = "__dataclass_fields__"
"""The attribute of a dataclass with its fields by name."""


def field_names(cls: Class) -> list[str]:
    """The names of the fields of a dataclass, in their order."""
    return [
        name
        for name, owner, _ in fields_of(cls)
        if is_dataclass(owner) and not _is_no_field(owner, name)
    ]


def _is_no_field(owner: Class, name: str) -> bool:
    """Whether what a dataclass declares is no field: `_: KW_ONLY`, `n: InitVar[int]`."""
    for statement in owner.record.body:
        match statement:
            case ir.AnnotatedAssign(ir.Name(declared), annotation, _) if declared == name:
                if isinstance(annotation, ir.Subscript):
                    annotation = annotation.value
                if isinstance(annotation, (ir.Name, ir.Attribute)):
                    return annotation.name in python.NO_FIELDS
                # Postponed by quotes: it may say either.
                return isinstance(annotation, ir.Str) and not python.NO_FIELDS.isdisjoint(
                    annotation.value.replace("[", ".").split(".")
                )
    return False


def _taken_apart(ev: Evaluator, value: Value, path: str, depth: int = 0) -> Value:
    """`asdict` or `astuple` of an object, in which dataclasses are taken apart at every depth."""
    value = ev.resolve(value)
    if depth > _DEEPEST:
        return Anything()
    if isinstance(value, Instance) and is_dataclass(value.cls):
        parts: dict[Any, Value] = {}
        for name in field_names(value.cls):
            held = ev.cells.get((value, name))
            parts[name] = (
                _taken_apart(ev, held, path, depth + 1) if isinstance(held, Value) else Anything()
            )
        if path == python.AS_TUPLE:
            return Tuple(list(parts.values()))
        return _dict_with(ev, parts)
    if isinstance(value, Tuple):
        inside = [_taken_apart(ev, one, path, depth + 1) for one in value.elements]
        return Tuple(inside, value.fields)
    contents = ev.cells.get(value) if isinstance(value, (List, Dict)) else None
    if isinstance(value, List) and isinstance(contents, tuple):
        row = List()
        ev.fill(row, [_taken_apart(ev, one, path, depth + 1) for one in contents])
        return row
    if isinstance(value, Dict) and isinstance(contents, dict):
        entries = {key: _taken_apart(ev, one, path, depth + 1) for key, one in contents.items()}
        return _dict_with(ev, entries)
    return copied(ev, value, deep=True)


def _dict_with(ev: Evaluator, contents: dict[Any, Value]) -> Dict:
    table = Dict()
    ev.cells[table] = contents
    return table


_DEEPEST: Final = 6
"""How deep dataclasses in dataclasses are taken apart."""


def described(ev: Evaluator, value: Value) -> dict[Any, Value] | None:
    """The objects that describe the fields of a dataclass or of its object, by name."""
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, Class) or not is_dataclass(cls):
        return None
    kind = empty_class(python.FIELD, cls.source)
    defaults = {name: default for name, _, default in fields_of(cls)}
    objects: dict[Any, Value] = {}
    for name in field_names(cls):
        objects[name] = described_one = Instance(kind, name)
        ev.cells[described_one, "name"] = Constant(name)
        ev.cells[described_one, ANY_ATTRIBUTE] = Anything()
        default = defaults[name]
        if not isinstance(default, ir.Call) or all(k.name != "init" for k in default.keywords):
            ev.cells[described_one, "init"] = TRUE
    return objects


def table_of(ev: Evaluator, value: Value) -> Value:
    """`Class.__dataclass_fields__`."""
    objects = described(ev, value)
    return Anything() if objects is None else _dict_with(ev, objects)


def call(ev: Evaluator, path: str, values: Sequence[Value]) -> Value | None:
    """The value of a function about the fields of a dataclass; None if that is not known."""
    if len(values) != 1:
        return None
    value = ev.resolve(values[0])
    if path == python.FIELDS:
        objects = described(ev, value)
        return None if objects is None else Tuple(list(objects.values()))
    if not isinstance(value, Instance) or not is_dataclass(value.cls):
        return None
    return _taken_apart(ev, value, path)


__all__ = ["TABLE", "call", "table_of"]
