"""Objects of the project's classes that a drive indexes, measures or goes over, as rows.

Their special methods say what that gives: `__getitem__`, `__len__`, `__iter__`. Some libraries have
objects with fields that are rows of those fields which are not None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import assigned_in
from namecheck.analysis.reading.changed_contents import changed_contents
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.lineage import fields_of, is_module, library_bases, look_up, path_of
from namecheck.analysis.state.values import (
    MISSING,
    NONE,
    Anything,
    Class,
    Constant,
    Dict,
    Entries,
    Function,
    Instance,
    Library,
    List,
    Number,
    Repeated,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import configs, python, transformers

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.program_pieces import Source


def is_row_of_fields(instance: Instance) -> bool:
    """Whether an object is a row of its fields."""
    return any(
        isinstance(one, Class) and path_of(one) in transformers.ROWS_OF_FIELDS
        for one in instance.cls.lineage
    )


def row_of_fields(ev: Evaluator, instance: Instance) -> tuple[tuple[Value, ...], bool]:
    """The fields that are not None, and whether that are all.

    They end where it is not known whether a field is None.
    """
    row: list[Value] = []
    for name, _, _ in fields_of(instance.cls):
        value = ev.resolve(ev.cells.get((instance, name), NONE))
        if isinstance(value, Anything):
            return tuple(row), False
        if value is not NONE and not (isinstance(value, Constant) and value.value is None):
            row.append(value)
    return tuple(row), True


ANY_ATTRIBUTE: Final = "*"
"""The name under which an instance has what code may have set that a drive does not follow."""

BY_DEFAULT: Final = "<by default>"
"""The attribute that has, as a dict, what the user of a program may have said otherwise."""

LIMIT: Final = "*maxlen"
"""The name under which a list has the most elements of the deque that it stands for, or None."""

PERHAPS: Final = "?"
"""How the names of cells begin that say of an attribute that it may not be there."""


def note_set(ev: Evaluator, instance: Instance, name: str) -> None:
    """Note whether an attribute that is set now is there on every path."""
    mark = instance, f"{PERHAPS}{name}"
    if ev.frame.flow.unsure or ev.frame.flow.branches:
        if (instance, name) not in ev.cells:
            ev.cells[mark] = Anything()
    elif mark in ev.cells:
        ev.cells[mark] = NONE


def is_there(ev: Evaluator, instance: Instance, name: str) -> bool:
    """Whether an attribute that is set on some path is there on every one."""
    return ev.cells.get((instance, f"{PERHAPS}{name}"), NONE) is NONE


def is_called_otherwise(cls: Class) -> bool:
    """Whether a class has a metaclass of the project that says what calling the class gives."""
    return any(
        isinstance(metaclass, Class) and look_up(metaclass.lineage, "__call__") is not None
        for one in cls.lineage
        if isinstance(one, Class)
        for metaclass in one.metaclasses
    )


def let_bases_set(cls: Class) -> None:
    """Forget the attributes of a class that `__init_subclass__` of a base sets on it.

    One that the class does not have itself is set only if that stands under no test.
    """
    for base in cls.lineage[1:]:
        begin = base.attributes.get("__init_subclass__") if isinstance(base, Class) else None
        if not isinstance(begin, Function) or not begin.parameters:
            continue
        if path_of(begin) in transformers.HANDED_BACK:
            continue
        receiver = begin.parameters[0].name
        always = [part for part in begin.body if not isinstance(part, (ir.If, ir.For, ir.Try))]
        for body, is_sure in ((begin.body, False), (always, True)):
            for name in assigned_in(body, receiver):
                if is_sure or name in cls.attributes:
                    cls.attributes[name] = Anything()


TABLE: Final = "<table>"
"""The attribute that holds what an object of a subclass of `dict` has as one."""


def is_table(cls: Class) -> bool:
    """Whether the objects of a class are dicts."""
    return any(isinstance(one, Library) and one.path in python.TABLES for one in cls.lineage)


def subscript(ev: Evaluator, instance: Instance, node: ir.Expression) -> Value:
    """`instance[index]`."""
    if is_row_of_fields(instance):
        return _part_of_row(ev, instance, node)
    method = look_up(instance.cls.lineage, "__getitem__")
    if is_dict_with_attributes(instance):
        return entry(ev, dict_of(ev, instance), ev.value(node))
    if isinstance(node, ir.Slice):
        return Anything()
    index = ev.value(node)
    table = ev.cells.get((instance, TABLE))
    if table is not None and not isinstance(method, Function):
        return entry(ev, table, index)
    if not isinstance(method, Function):
        return Anything()
    return ev.call(method, (Argument(instance), Argument(index, node)), {}, None)


def entry(ev: Evaluator, table: Value, index: Value) -> Value:
    """The entry of a dict under a key."""
    key, contents = known(ev.resolve(index)), ev.cells.get(table)
    if isinstance(contents, dict) and key is not None and key[0] in contents:
        value: Value = contents[key[0]]
        return value
    return Anything()


def _part_of_row(ev: Evaluator, instance: Instance, node: ir.Expression) -> Value:
    row, is_all = row_of_fields(ev, instance)
    if isinstance(node, ir.Slice):
        bounds = [
            known(ev.resolve(ev.value(part))) if part is not None else (None,)
            for part in (node.lower, node.upper, node.step)
        ]
        if not is_all or None in bounds:
            return Anything()
        return Tuple(row[slice(*[bound[0] for bound in bounds if bound is not None])])
    key = known(ev.resolve(ev.value(node)))
    if key is not None and isinstance(key[0], str):
        value: Value = ev.cells.get((instance, key[0]), Anything())
        return value
    if key is None or not isinstance(key[0], int):
        return Anything()
    if 0 <= key[0] < len(row) or (is_all and -len(row) <= key[0] < 0):
        return row[key[0]]
    return Anything()


def length(ev: Evaluator, instance: Instance) -> Value | None:
    """`len(instance)`; None if the class does not say it."""
    method = look_up(instance.cls.lineage, "__len__")
    if isinstance(method, Function):
        return ev.resolve(ev.call(method, (Argument(instance),), {}, None))
    return None


def iterator(ev: Evaluator, instance: Instance) -> Value | None:
    """What goes over an object; None if the class does not say it."""
    method = look_up(instance.cls.lineage, "__iter__")
    if isinstance(method, Function):
        return ev.resolve(ev.call(method, (Argument(instance),), {}, None))
    return None


def elements(ev: Evaluator, instance: Instance) -> tuple[Value, ...] | None:
    """The elements of an object that Python takes by their index, if their number is known."""
    method = look_up(instance.cls.lineage, "__getitem__")
    count = length(ev, instance)
    if not isinstance(method, Function) or not isinstance(count, Number):
        return None
    if not isinstance(count.size, int) or not 0 <= count.size <= ev.reach.unrolled:
        return None
    return tuple(
        [
            ev.resolve(ev.call(method, (Argument(instance), Argument(Number(index))), {}, None))
            for index in range(count.size)
        ]
    )


def dict_of(ev: Evaluator, instance: Instance) -> Value:
    """`instance.__dict__`: a dict of the attributes as they are now; see `write_back`."""
    table = Dict()
    contents: dict[Any, Value] = {
        name: as_given(ev, instance, name, value)
        for name, value in ev.cells.attributes(instance).items()
        if name.isidentifier() and value is not MISSING
    }
    ev.cells[table] = contents
    if (instance, ANY_ATTRIBUTE) in ev.cells or is_module(instance.cls):
        ev.cells[table] = Entries(Anything(), contents, None, {})
    ev.reach.dicts[table] = instance
    return table


def as_given(ev: Evaluator, instance: Instance, name: str, value: Value) -> Value:
    """The value of an attribute, unknown where it is one that the user may have said otherwise.

    Only a drive takes the defaults, and notes the first place where it does. A function by itself
    may be called with any.
    """
    by_default = ev.cells.get((instance, BY_DEFAULT))
    contents = None if by_default is None else ev.cells.get(by_default)
    is_by_default = isinstance(contents, dict) and contents.get(name) is value
    if not is_by_default:
        return value
    if ev.units.options_unknown or not ev.reach.driven:
        return Anything(name)
    if ev.units.reads_options is None:
        ev.units.reads_options = ev.at
    return value


def write_back(ev: Evaluator, table: Value) -> None:
    """Change the attributes of an object as the program has changed the dict that has them."""
    instance = ev.reach.dicts.get(table)
    if not isinstance(instance, Instance):
        return
    contents = ev.cells.get(table)
    if isinstance(contents, dict):
        for name in ev.cells.attributes(instance):
            if name.isidentifier() and name not in contents:
                ev.cells[instance, name] = MISSING
        for name, value in contents.items():
            ev.cells[instance, name] = value
    else:
        ev.cells[instance, ANY_ATTRIBUTE] = Anything()
        for name in ev.cells.attributes(instance):
            if name.isidentifier():
                ev.cells[instance, name] = Anything()
    instance.version += 1


_OF_LIBRARY: Final = -1
"""The number of the class statement that there is not."""


def empty_class(name: str, source: Source) -> Class:
    """A class of which nothing is written, for objects that a library makes."""
    return Class(ir.ClassDef(name, (), (), (), (), (), 1, 1, _OF_LIBRARY), (), source)


def is_made(instance: Instance) -> bool:
    """Whether an object is one that a library makes, see `empty_class`."""
    return bool(instance.cls.record.id == _OF_LIBRARY)


def namespace(ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords) -> Value:
    """The object that `SimpleNamespace(dim=3)` makes, or `EasyDict({"dim": 3})`."""
    contents: dict[Any, Value] = {}
    for argument in arguments:
        given = ev.cells.get(ev.resolve(argument.value))
        if not isinstance(given, dict):
            return Anything()
        contents.update(given)
    contents.update({name: argument.value for name, argument in keywords.items()})
    name = path.rpartition(".")[2]
    cls = empty_class(name, ev.frame.source)
    cls.decorators = (path,)
    instance = Instance(cls, name)
    for key, value in contents.items():
        if isinstance(key, str):
            ev.cells[instance, key] = _with_attributes(ev, path, value)
    return instance


def _with_attributes(ev: Evaluator, path: str, value: Value) -> Value:
    """A dict in a dict with attributes, which has attributes, too."""
    value = ev.resolve(value)
    if path in configs.DICTS and isinstance(value, Dict):
        return namespace(ev, path, (Argument(value),), {})
    return value


def is_dict_with_attributes(instance: Instance) -> bool:
    """Whether the entries of a dict are its attributes."""
    return not configs.DICTS.isdisjoint(instance.cls.decorators)


def replaced(ev: Evaluator, instance: Instance, keywords: Keywords) -> Value:
    """`dataclasses.replace(instance, dim=3)`."""
    given = {
        name: Argument(ev.cells[instance, name])
        for name, _, _ in fields_of(instance.cls)
        if (instance, name) in ev.cells
    }
    return ev.call(instance.cls, (), {**given, **keywords}, None)


def copied(ev: Evaluator, value: Value, deep: bool, depth: int = 0) -> Value:
    """A copy of a value, which later changes of the value do not reach.

    Modules and their containers are rarely changed after that, and their copies compute the same.
    """
    value = ev.resolve(value)
    if depth > _DEEPEST:
        return Anything()  # objects may hold each other
    if isinstance(value, Tuple) and deep:
        inside = [copied(ev, inner, deep, depth + 1) for inner in value.elements]
        return Tuple(inside, value.fields)
    if isinstance(value, Instance) and not is_module(value.cls):
        instance = Instance(value.cls, value.label)
        instance.names, instance.unseen = value.names, value.unseen
        for name, held in ev.cells.attributes(value).items():
            ev.cells[instance, name] = copied(ev, held, deep, depth + 1) if deep else held
        return instance
    if not isinstance(value, (List, Dict)):
        return value
    contents = ev.cells.get(value, Repeated(Anything()))
    if deep and isinstance(contents, tuple):
        contents = tuple([copied(ev, inner, deep, depth + 1) for inner in contents])
    elif deep and isinstance(contents, dict):
        contents = {key: copied(ev, inner, deep, depth + 1) for key, inner in contents.items()}
    row = List() if isinstance(value, List) else Dict()
    row.count = value.count
    ev.cells[row] = contents
    return row


_DEEPEST: Final = 4
"""How deep lists in lists are copied."""


def is_enumeration(cls: Class) -> bool:
    """Whether a class is an enumeration whose members are no texts and no numbers."""
    paths = library_bases(cls)
    return python.ENUM in paths and paths.isdisjoint((python.STRING, python.INT))


def name_members(ev: Evaluator, cls: Class) -> None:
    """Let the attributes of an enumeration be its objects, unless they are texts or numbers too."""
    if not is_enumeration(cls):
        return
    for name, value in cls.attributes.items():
        if isinstance(value, (Constant, Number, Tuple)) and not name.startswith("_"):
            member = cls.attributes[name] = Instance(cls, f"{cls.name}.{name}")
            ev.cells[member, "value"], ev.cells[member, "name"] = value, Constant(name)


def member(ev: Evaluator, cls: Class, arguments: Sequence[Argument]) -> Value:
    """The member of an enumeration for a value, or itself."""
    given = ev.resolve(arguments[0].value) if len(arguments) == 1 else Anything()
    constant = known(given)
    for member in cls.attributes.values():
        value = ev.cells.get((member, "value")) if isinstance(member, Instance) else member
        if member is given or (constant is not None and isinstance(value, Value)):
            if member is given or known(ev.resolve(value)) == constant:
                return member
    return Anything()


def enter(ev: Evaluator, context: Value, body: Sequence[ir.Statement]) -> Value | None:
    """What `with context as x:` binds, by the class's own `__enter__`; None if that is not known.

    A body that may leave early would leave without the effects of `__exit__`.
    """
    if not ev.reach.driven or not isinstance(context, Instance):
        return None
    method = look_up(context.cls.lineage, "__enter__")
    leaving = (ir.Return, ir.Break, ir.Continue)
    if not isinstance(method, Function) or any(
        isinstance(inner, leaving) for statement in body for inner in walk(statement)
    ):
        return None
    return ev.resolve(ev.call(method, (Argument(context),), {}, None))


def leave(ev: Evaluator, context: Instance) -> None:
    """Call the `__exit__` of an object whose `with` block has ended without an exception."""
    method = look_up(context.cls.lineage, "__exit__")
    if isinstance(method, Function):
        ev.call(method, (Argument(context), *(Argument(NONE),) * 3), {}, None)


def forget_tables(ev: Evaluator, cls: Class) -> None:
    """Forget the lists and dicts of a class, or its bases, that methods without an instance fill.

    Other modules may call these before a program begins: `@Registry.register("name")`.
    """
    held = [
        (name, value)
        for name in cls.changed
        for one in cls.lineage
        if isinstance(one, Class) and isinstance(value := one.attributes.get(name), (List, Dict))
    ]
    if not held:
        return
    changed: set[str] = set()
    for method in cls.attributes.values():
        if isinstance(method, Function) and method.kind in ("class", "static"):
            changed |= changed_contents(method.record).attributes
    for name, value in held:
        if name in changed:
            ev.cells[value] = Repeated(Anything())


def forget_filled(ev: Evaluator, cls: Class, name: str, held: Value | None) -> None:
    """Forget what a list or dict of a class has if methods fill it and no program is followed."""
    if isinstance(held, (List, Dict)) and not ev.reach.driven:
        if any(isinstance(one, Class) and name in one.changed for one in cls.lineage):
            ev.cells[held] = Repeated(Anything())


# Constructors that a converter rewrites


def is_rewritten(ev: Evaluator, cls: Class, inherited: Function) -> bool:
    """Whether a converter writes another constructor for a class than the one that it inherits.

    What the class assigns itself stands there in the place of what its base assigns, and the base
    goes on with that. And where the base builds a class, the one of this file is built that derives
    from it, or that has its name with the prefix of this file.
    """
    base = inherited.owner
    if inherited.name != "__init__" or base is None or base.source.file is cls.source.file:
        return False
    if not transformers.CONVERTED.search(cls.source.file.path):
        return False
    if not transformers.CONVERTED_WITH.search(base.source.file.path):
        return False
    records = list(walk(inherited.record))
    used = Counter(one.name for one in records if isinstance(one, ir.Attribute))
    if any(used[name] > 1 for name in cls.built.keys() & base.built.keys()):
        return True
    names = {one.name for one in records if isinstance(one, ir.Name)}
    derived = [
        (own.name, parent.name)
        for own in ev.units.classes
        for parent in own.lineage[1:]
        if isinstance(parent, Class) and parent.source.file is base.source.file
    ]
    prefixes = set(starmap(_prefixes, derived))
    renamed = {new + name.removeprefix(old) for old, new in prefixes for name in names}
    return any(parent in names for _, parent in derived) or any(
        own.name in renamed for own in ev.units.classes
    )


def _prefixes(name: str, parent: str) -> tuple[str, str]:
    """What stands before the common end of a base's name, and of its subclass's."""
    same = 0
    for ours, theirs in zip(reversed(name), reversed(parent), strict=False):
        if ours != theirs:
            break
        same += 1
    return parent[: len(parent) - same], name[: len(name) - same]
