"""Calls of Python's builtins. The methods of lists, dicts and strings are in `methods`."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from namecheck import frameworks
from namecheck.analysis.asking import elements, rows
from namecheck.analysis.asking.layers import set_layer_attribute, set_option
from namecheck.analysis.objects import (
    files_read,
    instance_checks,
    literal_texts,
    own_objects,
)
from namecheck.analysis.python import (
    assigned_elsewhere,
    assignment,
    attributes,
    classes,
    methods,
)
from namecheck.analysis.python.imports import Module
from namecheck.analysis.python.steps import call_step
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.annotation_strings import read_forward
from namecheck.analysis.state import lineage
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.joining import element_of
from namecheck.analysis.state.scalars import arithmetic, carrying, rests_on_claim, truth_of, wrap
from namecheck.analysis.state.values import (
    FALSE,
    FEATURE,
    NONE,
    TRUE,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Deferred,
    Dict,
    Function,
    Instance,
    Iterator,
    Layer,
    Library,
    List,
    Method,
    Number,
    Partial,
    Repeated,
    ShapeOf,
    SliceObject,
    Super,
    Tensor,
    Text,
    Transformed,
    Tuple,
    Value,
    kind_of_number,
    known,
)
from namecheck.analysis.usage import sequences
from namecheck.frameworks import python, torch
from namecheck_runtime import sizes
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import UNKNOWN, Size
from namecheck_runtime.layers import LAYERS

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

NAMES: Final = frozenset(dir(builtins))


LONGEST_IN_DRIVES: Final = 1024
"""The longest range whose numbers a drive knows one by one: its length is that of what it makes."""

Arguments = Sequence["Argument"]


def call(
    ev: Evaluator,
    name: str,
    arguments: Arguments | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling a builtin."""
    function = _FUNCTIONS.get(name) or rows.BUILTINS.get(name)
    if name == "super":
        return _super(ev)
    if name == "map" and arguments and not keywords:
        return _map(ev, [ev.resolve(argument.value) for argument in arguments], node)
    if name in ("exec", "globals"):
        _forget_variables(ev)
    if arguments is None or keywords is None:
        return Anything()
    if name == "open" and (ev.reach.driven or ev.units.imported):
        return files_read.call(ev, f"{python.BUILTIN}{name}", arguments, keywords)
    values = [ev.resolve(argument.value) for argument in arguments]
    if name == "eval" and values and not keywords and node is not None:
        return _eval(ev, values, node)
    if function is None:
        return Anything()
    return function(ev, values, {k: ev.resolve(a.value) for k, a in keywords.items()})


def _eval(ev: Evaluator, values: Sequence[Value], node: ir.Call) -> Value:
    """`eval("self.layer1")`: what a drive finds under a name that the program puts together.

    A text of literals means the same in every namespace: `eval("[(512, 3)] * 2", {})`.
    """
    constant = known(values[0])
    if not ev.reach.driven or constant is None or not isinstance(constant[0], str):
        return Anything()
    read = read_forward(constant[0], node.id)
    if len(values) > 1 or not isinstance(read, (ir.Name, ir.Attribute, ir.Subscript)):
        return literal_texts.value_of(ev, values[0])
    with ev.frame.quietly():
        return ev.value(read)


def _forget_variables(ev: Evaluator) -> None:
    """Forget the variables that `exec` or `globals()` may assign."""
    for frame in (ev.frame, ev.module_frame()):
        for name, value in frame.variables.items():
            if not isinstance(value, (Library, Function, Class, Deferred)):
                frame.variables[name] = Anything()


def _super(ev: Evaluator) -> Value:
    """The value of `super()` in a method of this frame or of one around it."""
    frame = ev.frame
    while frame.receiver is None and frame.parent is not None and frame.function is not None:
        frame = frame.parent
    owner = frame.function.owner if frame.function is not None else None
    if owner is None or frame.receiver is None:
        return Anything()
    return Super(owner, frame.receiver)


def _len(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if len(values) != 1:
        return Anything()
    (value,) = values
    if isinstance(value, ShapeOf):
        return elements.rank_of(ev, value.tensor)
    if isinstance(value, Tensor):
        return elements.dim_size(ev, value, 0)
    if isinstance(value, Constant) and isinstance(value.value, (str, bytes)):
        return Number(len(value.value))
    if isinstance(value, Instance) and ev.reach.driven:
        length = own_objects.length(ev, value)
        if length is not None:
            return length
    contents = elements.iterate(ev, value)
    return Number(len(contents) if isinstance(contents, tuple) else ev.some_int("len"))


def _int(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if len(values) != 1:
        return Number(ev.some_int())
    (value,) = values
    constant = known(value)
    if isinstance(value, Number) and value.kind == "int" and constant is not None:
        return value
    if constant is not None:
        try:
            return Number(int(constant[0]))
        except (TypeError, ValueError, OverflowError):
            return Anything()
    if isinstance(value, Anything) and value.sized:
        return Number(value.size() if value.whole else sizes.opaque("int", value.size()))
    if isinstance(value, Number) and value.size is not UNKNOWN:
        return value if value.kind == "int" else Number(sizes.opaque("int", value.size))
    return Number(ev.some_int())


def _round(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    constant = known(values[0]) if len(values) == 1 and not keywords else None
    if constant is not None and type(constant[0]) is float and isfinite(constant[0]):
        return Number(round(constant[0]))
    return _int(ev, values, keywords)


def _range(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    # How often a loop runs is a decision, which no comment makes.
    bounds = [None if rests_on_claim(ev, value) else known(value) for value in values]
    if bounds and all(b is not None and isinstance(b[0], int) for b in bounds) and len(bounds) < 4:
        try:
            numbers = range(*[b[0] for b in bounds if b is not None])
        except ValueError:
            return Anything()
        longest = LONGEST_IN_DRIVES if ev.reach.driven else ev.reach.unrolled
        if not numbers[longest:]:  # the length of a range may exceed a C integer
            return Tuple(map(Number, numbers))
    for value in values[:2]:
        if isinstance(value, Number):
            sequences.count(ev, value.size)
    return Repeated(Number(ev.some_int("i")))


def _hasattr(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    """`hasattr(nn, "GELU")` is true at the top of a module if the rulebook has the name.

    Inside a function both branches are read: the code for the missing name is meant to run too.
    """
    owner = ev.resolve(values[0]) if values else None
    name = known(ev.resolve(values[1])) if len(values) == 2 else None
    if isinstance(owner, _WITH_ATTRIBUTES) and name is not None and ev.reach.driven:
        there = attributes.has_attribute(ev, owner, str(name[0]))
        return Number(kind="bool") if there is None else TRUE if there else FALSE
    if isinstance(owner, Library) and name is not None and ev.frame.function is None:
        path = frameworks.canonical(f"{owner.path}.{name[0]}")
        if path in REGISTRY or path in LAYERS:
            return TRUE
    if ev.reach.driven and isinstance(owner, Class) and name is not None:
        if type(attributes.read(ev, owner, str(name[0]))) is not Anything:
            return TRUE
    return FEATURE if isinstance(owner, Library) else Number(kind="bool")


_WITH_ATTRIBUTES: Final = (Instance, Container, Layer, Tensor)
"""The objects of which a drive knows what attributes they have."""


def _isinstance(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if len(values) == 2:
        answer = instance_checks.is_instance(ev, values[0], values[1])
        if answer is not None:
            return TRUE if answer else FALSE
    return Number(kind="bool")


def _extreme(name: str) -> Callable[[Any, list[Value], dict[str, Value]], Value]:
    compute = sizes.minimum if name == "min" else sizes.maximum

    def find(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
        if len(values) == 1:
            contents = elements.iterate(ev, values[0])
            if contents == ():
                return keywords.get("default", Anything())
            values = list(contents) if isinstance(contents, tuple) else []
        if "key" in keywords:
            return rows.first_by_key(ev, tuple(values), keywords["key"], name == "max")
        constants = [known(ev.resolve(value)) for value in values]
        if constants and all(c is not None for c in constants):
            chosen = min if name == "min" else max
            try:
                return carrying(wrap(chosen([c[0] for c in constants if c is not None])), values)
            except TypeError:
                return Anything()
        extreme: Size = UNKNOWN
        for index, value in enumerate(values):
            size = as_size(ev, value)
            extreme = size if index == 0 else compute(extreme, size)
        if extreme is not UNKNOWN:
            return carrying(Number(extreme), values)
        kinds = set(map(kind_of_number, values))
        if not kinds or "" in kinds:
            return Anything()
        return carrying(_some_number(ev, kinds.pop() if len(kinds) == 1 else "number"), values)

    return find


def _some_number(ev: Evaluator, kind: str) -> Value:
    return Number(ev.some_int()) if kind == "int" else Number(UNKNOWN, kind)


def _sum(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    contents = elements.iterate(ev, values[0]) if values else None
    if not isinstance(contents, tuple):
        return Anything()
    total: Value = values[1] if len(values) > 1 else Number(0)
    for element in contents:
        element = ev.resolve(element)
        if isinstance(element, Tensor) or isinstance(total, Tensor):
            if not isinstance(total, Tensor):
                total = element
            elif not isinstance(element, Tensor) or element.shape != total.shape:
                return Anything()
            continue
        total = arithmetic(ev, total, "+", element)
    return total


def _zip(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    columns = [elements.iterate(ev, value) for value in values]
    if columns and all(isinstance(column, tuple) for column in columns):
        whole = [column for column in columns if isinstance(column, tuple)]
        return Tuple([Tuple(row) for row in zip(*whole, strict=False)])
    return Repeated(Tuple([element_of(column) for column in columns]))


def _enumerate(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if not values:
        return Anything()
    contents = elements.iterate(ev, values[0])
    given = values[1] if len(values) == 2 else keywords.get("start", Number(0))
    first = known(ev.resolve(given))
    if isinstance(contents, tuple) and first is not None and isinstance(first[0], int):
        return Tuple([Tuple((Number(k), one)) for k, one in enumerate(contents, first[0])])
    return Repeated(Tuple((Number(ev.some_int("i")), element_of(contents))))


def _map(ev: Evaluator, values: list[Value], node: ir.Call | None) -> Value:
    if len(values) < 2:
        return Repeated(Anything())
    rows = values[1] if len(values) == 2 else _zip(ev, values[1:], {})
    contents = elements.iterate(ev, rows)
    items: list[Value] = [element_of(contents)]
    one_by_one = isinstance(contents, tuple) and len(contents) <= ev.reach.unrolled
    if isinstance(contents, tuple) and one_by_one:
        items = list(contents)
    results = []
    for index, item in enumerate(items):
        parts = item.elements if len(values) > 2 and isinstance(item, Tuple) else (item,)
        result = call_step(ev, values[0], list(map(Argument, parts)), node, index)
        results.append(ev.resolve(result))
    return Tuple(results) if one_by_one else Repeated(results[0])


def _list(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> List:
    row = List()
    contents = elements.iterate(ev, values[0]) if values else ()
    ev.cells[row] = Repeated(Anything()) if contents is None else contents
    return row


def _set(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    return elements.as_set(ev, _list(ev, values, keywords))


def _slice(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if not 1 <= len(values) <= 3:
        return Anything()
    bounds = (NONE, *values) if len(values) == 1 else tuple(values)
    return SliceObject((*bounds, NONE)[:3])


def _iter(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    contents = elements.iterate(ev, values[0]) if len(values) == 1 and ev.reach.driven else None
    if not isinstance(contents, tuple):
        return values[0] if values else Anything()
    iterator = Iterator()
    ev.fill(iterator, contents)
    return iterator


def _next(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    left = ev.cells.get(values[0]) if values and isinstance(values[0], Iterator) else None
    if isinstance(left, tuple):
        if not left and len(values) == 1:
            ev.alive = False  # it raises
            return Anything()
        ev.cells[values[0]] = left[1:]
        return ev.resolve(left[0]) if left else values[1]
    contents = elements.iterate(ev, values[0]) if len(values) == 1 else None
    return Anything() if contents is None else elements.one_of(element_of(contents))


def _tuple(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    contents = elements.iterate(ev, values[0]) if values else ()
    given = values[0] if values else None
    if isinstance(given, ShapeOf):
        return ShapeOf(given.tensor, plain=True)
    if isinstance(contents, tuple):
        return Tuple(contents)
    return contents if contents is not None else Anything()


def _dict(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    table = Dict()
    ev.cells[table] = dict(keywords) if not values else Repeated(Anything())
    if len(values) != 1:
        return table
    given = {name: Argument(value) for name, value in keywords.items()}
    pairs = elements.iterate(ev, values[0])
    if isinstance(values[0], Dict):
        ev.cells[table] = {}
        methods.update_dict(ev, table, values, given)
    elif isinstance(pairs, tuple):
        entries = elements.entries_of(ev, pairs)
        ev.cells[table] = {**entries, **keywords} if isinstance(entries, dict) else entries
    return table


def _from_keys(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    """`dict.fromkeys(keys, value)`."""
    table = Dict()
    value = values[1] if len(values) > 1 else NONE
    contents = elements.iterate(ev, values[0]) if values else None
    ev.cells[table] = Repeated(Anything())
    if isinstance(contents, tuple):
        ev.cells[table] = elements.entries_of(ev, tuple([Tuple((k, value)) for k in contents]))
    return table


def _reversed(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    contents = elements.iterate(ev, values[0]) if values else None
    if isinstance(contents, tuple):
        return Tuple(contents[::-1])
    return contents if contents is not None else Anything()


def _float(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    constant = known(values[0]) if values else None
    if constant is not None and isinstance(constant[0], (int, float, str)):
        try:
            return Constant(float(constant[0]))
        except ValueError:
            return Anything()
    return Number(UNKNOWN, "float")


def _callable(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    value = values[0] if len(values) == 1 else Anything()
    is_code = isinstance(value, (Function, Class, Layer, Bound, Partial, Transformed))
    if is_code or lineage.is_code(value):
        return TRUE
    if isinstance(value, (Tensor, Number, Constant, Text, Tuple, List, Dict)):
        return FALSE
    if isinstance(value, Instance):
        method = lineage.look_up(value.cls.lineage, "__call__")
        if lineage.is_module(value.cls) or isinstance(method, Function):
            return TRUE
        return FALSE if method is None else Number(kind="bool")
    return Number(kind="bool")


def _bool(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    truth = truth_of(ev, values[0]) if len(values) == 1 else None
    return Number(kind="bool") if truth is None else TRUE if truth else FALSE


def _str(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    return methods.text_of(ev, values[0]) if len(values) == 1 else Text()


def _abs(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    constant = known(values[0]) if values else None
    if constant is not None and type(constant[0]) in (int, float, bool):
        return carrying(wrap(abs(constant[0])), values)
    return values[0] if values and isinstance(values[0], Tensor) else Anything()


def _getattr(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    """An attribute by its name; the default where a drive finds that there is none."""
    name = known(values[1]) if len(values) > 1 else None
    if not ev.reach.driven or name is None or not isinstance(name[0], str):
        return Anything()
    owner = values[0]
    if isinstance(owner, Library) and len(values) == 3:
        value = attributes.read(ev, owner, name[0])
        there = isinstance(value, Library) and (value.path in REGISTRY or value.path in LAYERS)
        return value if there else Anything()
    if isinstance(owner, Layer):
        held = attributes.read(ev, owner, name[0])
        return Anything() if isinstance(held, Method) and len(values) == 3 else held
    if isinstance(owner, (Instance, Tensor)) and len(values) == 3:
        has = attributes.has_attribute(ev, owner, name[0])
        if has is False:
            return values[2]
        value = attributes.read(ev, owner, name[0])
        return value if has else Anything()
    if isinstance(owner, (Instance, Module, Class, Library, Tensor)) and len(values) == 2:
        return attributes.read(ev, owner, name[0])
    return Anything()


def _setattr(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    """Set an attribute; with an unknown name, any may have changed that is no module.

    A layer may have taken the place of any of its class.
    """
    if len(values) != 3:
        return NONE
    instance, name, value = values
    constant = known(name)
    if isinstance(instance, Layer):
        if constant is not None and isinstance(constant[0], str):
            before = classes.layer_attribute(ev, instance, constant[0])
            set_layer_attribute(ev, instance, constant[0], before, value)
        else:
            for option in instance.instance.fields:
                set_option(ev, instance, option, None)
    if isinstance(instance, (Tensor, Anything)) and constant is not None:
        if constant[0] in torch.RESIZING_ATTRIBUTES:
            ev.forget_dims(instance)
    if not isinstance(instance, Instance):
        if constant is not None and isinstance(constant[0], str):
            assignment.forget_attribute_of_one(ev, instance, constant[0])
        return NONE
    if ev.reach.driven and constant is not None and isinstance(constant[0], str):
        assignment.set_attribute(ev, instance, constant[0], value, None)
        return NONE
    if ev.reach.driven:
        assigned_elsewhere.forget_attributes(ev, instance)
        ev.cells[instance, own_objects.ANY_ATTRIBUTE] = Anything()
    if constant is not None and isinstance(constant[0], str):
        ev.cells[instance, constant[0]] = value
        extended = ev.cells.get((instance, lineage.LAYER))
        if isinstance(extended, Layer):
            set_option(ev, extended, constant[0], value)
    elif isinstance(value, Layer):
        for attribute, held in ev.cells.attributes(instance).items():
            if isinstance(held, Layer) and held.path == value.path:
                ev.cells[instance, attribute] = Anything()
    elif not isinstance(value, (Container, Instance)):
        assigned_elsewhere.forget_attributes(ev, instance)
    instance.version += 1
    return NONE


def _type(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if len(values) == 1 and isinstance(values[0], (Instance, Layer)) and ev.reach.driven:
        return attributes.read(ev, values[0], "__class__")
    return Anything()


def _issubclass(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    if len(values) == 2:
        answer = instance_checks.is_subclass(ev, values[0], values[1])
        if answer is not None:
            return TRUE if answer else FALSE
    return Number(kind="bool")


def _vars(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    for value in values:
        if isinstance(value, Instance) and ev.reach.driven and len(values) == 1:
            return own_objects.dict_of(ev, value)
        if isinstance(value, Instance):
            assigned_elsewhere.forget_attributes(ev, value)
    return Anything()


def _all_any(which: str) -> Callable[[Any, list[Value], dict[str, Value]], Value]:
    def answer(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
        contents = elements.iterate(ev, values[0]) if values else None
        if not isinstance(contents, tuple):
            return Number(kind="bool")
        truths = [truth_of(ev, value) for value in contents]
        if (which == "any") in truths:
            return TRUE if which == "any" else FALSE
        if None in truths:
            return Number(kind="bool")
        return FALSE if which == "any" else TRUE

    return answer


_FUNCTIONS: Final[dict[str, Callable[[Any, list[Value], dict[str, Value]], Value]]] = {
    "abs": _abs,
    "all": _all_any("all"),
    "any": _all_any("any"),
    "bool": _bool,
    "callable": _callable,
    "dict": _dict,
    "dict.fromkeys": _from_keys,
    "enumerate": _enumerate,
    "float": _float,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "int": _int,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "iter": _iter,
    "len": _len,
    "object.__setattr__": _setattr,
    "setattr": _setattr,
    "type": _type,
    "vars": _vars,
    "list": _list,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "next": _next,
    "print": lambda ev, values, keywords: NONE,
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "set": _set,
    "frozenset": _set,
    "slice": _slice,
    "str": _str,
    "sum": _sum,
    "tuple": _tuple,
    "zip": _zip,
}
