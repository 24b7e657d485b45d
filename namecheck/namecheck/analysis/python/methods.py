"""The methods of Python's lists, dicts and strings, and of containers of layers."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import TYPE_CHECKING, Any, Final

from namecheck import frameworks
from namecheck.analysis.asking import elements, rows
from namecheck.analysis.objects import files_read, own_objects, parsed_options
from namecheck.analysis.state import lineage
from namecheck.analysis.state.argument import Keywords
from namecheck.analysis.state.joining import alike, element_of
from namecheck.analysis.state.scalars import (
    compare_constants,
    key_of,
    of_sets,
    rests_on_claim,
    wrap,
)
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Class,
    Constant,
    Container,
    Dict,
    Entries,
    Function,
    Held,
    Instance,
    Layer,
    Library,
    List,
    Number,
    Repeated,
    Set,
    ShapeOf,
    Text,
    Tuple,
    Value,
    join,
    known,
    one_of_holders,
    spoiled,
    without_element,
)
from namecheck.frameworks import python, torch
from namecheck.frameworks.command_line import METHODS

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence["Argument"]
Row = tuple[Value, ...]


def call_method(
    ev: Evaluator, receiver: Value, name: str, arguments: Arguments, keywords: Keywords
) -> Value:
    """The value of a method of a list, dict, string or container, which it may change."""
    values = [ev.resolve(argument.value) for argument in arguments]
    match receiver:
        case Set() if name in _SET_METHODS and ev.reach.driven:
            return _set_method(ev, receiver, name, values)
        case List() if (receiver, own_objects.LIMIT) in ev.cells:
            return _deque_method(ev, receiver, name, values)
        case List():
            return _list_method(ev, receiver, name, values)
        case Container():
            if receiver.kind == "dict":
                return _dict_method(ev, receiver, name, values)
            return _list_method(ev, receiver, name, values)
        case Dict():
            if name == "update":
                update_dict(ev, receiver, values, keywords)
                given: Value = NONE
            else:
                given = _dict_method(ev, receiver, name, values)
            if receiver in ev.reach.dicts and name in python.CHANGING_METHODS:
                own_objects.write_back(ev, receiver)
            return given
        case Tuple() if name == "index" and len(values) == 1:
            return _place_in(ev, receiver, values[0])
        case Tuple() if name == python.REPLACE_FIELDS and receiver.fields and not values:
            return _with_fields(receiver, keywords)
        case Constant() if isinstance(receiver.value, str):
            if name == "format":
                return _formatted(ev, receiver.value, values, keywords)
            return _text_method(ev, receiver.value, name, values)
        case Text():
            return Text() if name in ("lower", "upper", "strip", "format", "join") else Anything()
        case Number() | Constant(value=float()) if name == "is_integer":
            exact = known(receiver)
            return Number(kind="bool") if exact is None else wrap(float(exact[0]).is_integer())
        case Instance() if name in files_read.METHODS and files_read.is_path(receiver):
            return files_read.call_method(ev, receiver, name, arguments, keywords)
        case Instance() if name in METHODS and parsed_options.is_parser(receiver):
            return parsed_options.call(ev, receiver, name, arguments, keywords)
        case Instance() if name == frameworks.REPLACE and lineage.is_replaceable(receiver.cls):
            return own_objects.replaced(ev, receiver, keywords)
        case Instance() | Class() | Function() | Layer() | Library():
            return Anything()
    return Anything()


def row_of_layers(ev: Evaluator, kind: str, arguments: Sequence[Argument] | None) -> Container:
    """A container of layers that a library's class makes of its arguments."""
    container = Container(kind)
    contents: Any = ()
    if arguments is None:
        contents = Repeated(Anything())
    elif kind == "sequential" and not (
        len(arguments) == 1 and isinstance(ev.resolve(arguments[0].value), (Dict, List))
    ):
        contents = tuple(argument.value for argument in arguments)
    elif arguments:
        value = ev.resolve(arguments[0].value)
        stored = ev.cells.get(value) if isinstance(value, Dict) else elements.iterate(ev, value)
        contents = Repeated(Anything()) if stored is None else stored
        if kind == "sequential" and isinstance(value, List):
            contents = _named_layers(ev, contents)
    if kind == "dict" and contents == ():
        contents = {}
    if isinstance(contents, tuple):
        ev.fill(container, contents)
    else:
        ev.cells[container] = contents
    return container


def _named_layers(ev: Evaluator, contents: Any) -> Any:
    """The layers of `OrderedDict([("name", layer), ...])`; other contents as they are."""
    if isinstance(contents, tuple):
        pairs = [ev.resolve(value) for value in contents]
        if all(isinstance(pair, Tuple) and len(pair.elements) == 2 for pair in pairs):
            rows = [pair.elements for pair in pairs if isinstance(pair, Tuple)]
            names = [ev.resolve(name) for name, _ in rows]
            if ev.units.trace is not None and all(isinstance(name, Constant) for name in names):
                keys = [name.value for name in names if isinstance(name, Constant)]
                return {key: one for key, (_, one) in zip(keys, rows, strict=True)}
            return tuple(one for _, one in rows)
    return contents


def _with_fields(row: Tuple, keywords: Keywords) -> Value:
    """A named tuple with other values for some of its fields."""
    if not set(keywords) <= set(row.fields):
        return Anything()
    pairs = zip(row.fields, row.elements, strict=True)
    elements = [keywords[name].value if name in keywords else old for name, old in pairs]
    return Tuple(elements, row.fields)


def _place_in(ev: Evaluator, row: Tuple, value: Value) -> Value:
    """The first place of a value in a tuple of known values."""
    wanted = known(value)
    held = [known(ev.resolve(element)) for element in row.elements]
    if wanted is not None and None not in held and wanted in held:
        return Number(held.index(wanted))
    return Number(ev.some_int())


def _deque_method(ev: Evaluator, row: List, name: str, values: list[Value]) -> Value:
    """The value of a method of a deque, which a list stands for."""
    at_left = name in python.ENDS
    given = _list_method(
        ev, row, python.ENDS.get(name, name), [Number(0), *values] if at_left else values
    )
    rows.shorten(ev, row, at_left or name == "insert")
    return given


def add_named(ev: Evaluator, row: Container, contents: Any, name: object, module: Value) -> None:
    """Add a module to a row under its name, which only a summary asks for."""
    if isinstance(contents, tuple):
        contents = {str(place): one for place, one in enumerate(contents)}
    ev.cells[row] = {**contents, name: module}


def _list_method(ev: Evaluator, receiver: Held, name: str, values: list[Value]) -> Value:
    contents = ev.cells.get(receiver)
    if name in ("append", "add") and len(values) == 1:
        if isinstance(contents, tuple):
            ev.fill(receiver, (*contents, values[0]))
        elif isinstance(contents, Repeated) and not alike(contents.element, values[0], ev.cells):
            ev.cells[receiver] = Repeated(join(ev.resolve(contents.element), values[0]))
        return NONE
    if name == torch.ADDS and len(values) == 2 and isinstance(receiver, Container):
        word = known(ev.resolve(values[0]))
        if ev.units.trace is not None and word is not None and isinstance(contents, (tuple, dict)):
            add_named(ev, receiver, contents, word[0], values[1])
            return NONE
        return _list_method(ev, receiver, "append", values[1:])
    if name == "extend" and len(values) == 1:
        more = elements.iterate(ev, values[0])
        if isinstance(contents, tuple) and isinstance(more, tuple):
            ev.fill(receiver, (*contents, *more))
        elif contents == () and more is not None:
            ev.cells[receiver] = more
        else:
            ev.cells[receiver] = Repeated(join(element_of(contents), element_of(more)))
        return NONE
    if name == "insert" and len(values) == 2 and isinstance(contents, tuple):
        place = known(values[0])
        if place is not None and isinstance(place[0], int):
            gap = slice(place[0], place[0])
            changed = list(contents)
            changed[gap] = [values[1]]
            ev.fill(receiver, changed)
            return NONE
    if name == "pop" and isinstance(contents, tuple) and contents and len(values) < 2:
        place = known(values[0]) if values else (-1,)
        left = without_element(contents, place[0]) if place is not None else None
        if place is not None and left is not None:
            popped: Value = contents[place[0]]
            ev.cells[receiver] = left
            return popped
    if name == "pop" and isinstance(contents, Repeated):
        return contents.element
    if ev.reach.driven and isinstance(contents, (tuple, Repeated)):
        given = _in_drive(ev, receiver, contents, name, values)
        if given is not None:
            return given
    if name == "reverse" and isinstance(contents, tuple):
        ev.cells[receiver] = contents[::-1]
        return NONE
    if name in ("index", "count"):
        return Number(ev.some_int())
    if name == "copy":
        copied = List()
        ev.cells[copied] = contents if contents is not None else Repeated(Anything())
        return copied
    if name not in torch.READING:
        ev.cells[receiver] = Repeated(Anything())
    return Anything()


_SET_METHODS: Final = {
    "difference": "-",
    "intersection": "&",
    "symmetric_difference": "^",
    "union": "|",
    "update": "|",
    "add": "|",
    "issubset": "<=",
    "issuperset": ">=",
}
"""The methods of sets, and the operators that do the same."""


def _set_method(ev: Evaluator, receiver: Set, name: str, values: list[Value]) -> Value:
    symbol = _SET_METHODS[name]
    if name == "add":
        values = [Tuple(values)]
    made: Value = receiver
    for value in values:
        contents = elements.iterate(ev, value)
        row = List()
        ev.cells[row] = Repeated(Anything()) if contents is None else contents
        other = elements.as_set(ev, row)
        if name.startswith("is"):
            holds = compare_constants(ev, receiver, symbol, other)
            return Number(kind="bool") if holds is None else Constant(holds)
        made = of_sets(ev, made, symbol, other) or made
    if name in ("update", "add"):
        ev.cells[receiver] = ev.cells.get(made)
        return NONE
    if made is receiver:
        made = Set()
        ev.cells[made] = ev.cells.get(receiver)
    return made


def _in_drive(
    ev: Evaluator, receiver: Held, contents: Row | Repeated, name: str, values: list[Value]
) -> Value | None:
    """The value of a method of a list or a set as a drive calls it; None if it is not known."""
    if name == "clear":
        ev.cells[receiver] = ()
        return NONE
    if not isinstance(contents, tuple):
        return None
    place = _first_place(ev, contents, values[0]) if len(values) == 1 else None
    if name == "index" and place is not None:
        return Number(place)
    if name in ("remove", "discard") and place is not None:
        ev.cells[receiver] = (*contents[:place], *contents[place + 1 :])
        return NONE
    return None


def _first_place(ev: Evaluator, contents: Row, value: Value) -> int | None:
    """The first place of a known value among others; None if it is not known to be there."""
    wanted = known(value)
    for place, element in enumerate(contents):
        held = known(ev.resolve(element))
        if held is None or wanted is None:
            return None
        if held == wanted:
            return place
    return None


def update_dict(ev: Evaluator, receiver: Dict, values: list[Value], keywords: Keywords) -> None:
    """Update a dict, as in `kwargs.update(context=x)`: it keeps the entries with other keys."""
    contents = ev.cells.get(receiver)
    for value in values:
        more = ev.cells.get(value) if isinstance(value, Dict) else None
        contents = _updated(contents, more)
    named = {name: argument.value for name, argument in keywords.items()}
    ev.cells[receiver] = _updated(contents, named) if named else contents


def _updated(contents: Any, more: Any) -> Any:
    """The contents of a dict after an update with those of another."""
    if isinstance(contents, dict) and isinstance(more, dict):
        return {**contents, **more}
    if isinstance(contents, Entries) and isinstance(more, dict):
        for key, value in more.items():
            contents = contents.put(key, value, join(contents.element, value))
        return contents
    if not isinstance(more, Entries) or more.possible is None:
        return spoiled(contents, Anything())
    if isinstance(contents, dict):
        contents = Entries(Anything(), contents, frozenset(), {})
    if not isinstance(contents, Entries):
        return spoiled(contents, Anything())
    # What the other may have takes the place of what this one has.
    for key in more.possible:
        contents = contents.without(key)
    possible = None if contents.possible is None else contents.possible | more.possible
    before = {**contents.certain, **more.certain}
    merged = Entries(Anything(), contents.certain, possible, before)
    return _updated(merged, dict(more.certain))


def _dict_method(ev: Evaluator, receiver: Value, name: str, values: list[Value]) -> Value:
    contents = ev.cells.get(receiver)
    key = key_of(ev, values[0]) if values else None
    if isinstance(contents, (dict, Entries)) and key is not None:
        found = _entry(ev, receiver, contents, name, key[0], values[1:])
        if found is not None:
            return found
    if isinstance(contents, Entries) and name == "copy":
        copied = Dict()
        ev.cells[copied] = contents
        return copied
    if isinstance(contents, dict):
        match name:
            case "values":
                return Tuple(contents.values())
            case "keys":
                return Tuple(map(elements.wrap_key, contents))
            case "items":
                return Tuple(
                    [Tuple((elements.wrap_key(key), value)) for key, value in contents.items()]
                )
            case "get" if values:
                return one_of_holders(map(ev.resolve, contents.values()))
            case "copy":
                copied = Dict()
                ev.cells[copied] = contents
                return copied
    if name in ("update", "pop", "setdefault", "clear", "popitem"):
        ev.cells[receiver] = spoiled(contents, Anything())
    return Anything()


def _entry(
    ev: Evaluator,
    receiver: Value,
    contents: dict[Any, Value] | Entries,
    name: str,
    key: Any,
    rest: list[Value],
) -> Value | None:
    """The value of a method that reads, adds or removes one entry; None if it is no such method."""
    if name not in ("get", "pop", "setdefault"):
        return None
    certain = contents.certain if isinstance(contents, Entries) else contents
    default = rest[0] if rest else NONE
    value = certain.get(key)
    is_open = isinstance(contents, Entries) and (
        contents.possible is None or key in contents.possible
    )
    held: Value = Anything() if is_open else default
    if value is not None:
        held = value
    if name == "pop":
        if isinstance(contents, Entries):
            ev.cells[receiver] = contents.without(key)
        else:
            ev.cells[receiver] = {k: one for k, one in contents.items() if k != key}
        return held if value is not None or is_open or rest else Anything()
    if name == "setdefault" and value is None:
        ev.cells[receiver] = _updated(contents, {key: held})
    return held


def text_of(ev: Evaluator, value: Value) -> Value:
    """`str(value)`."""
    if files_read.is_path(value):
        return value
    if isinstance(value, ShapeOf):
        return elements.text_of_shape(ev, value)
    constant = known(value)
    if constant is None or rests_on_claim(ev, value):
        return Text()
    plain = isinstance(constant[0], (str, int, float, type(None)))
    return wrap(str(constant[0])) if plain else Text()


def _joined(ev: Evaluator, text: str, row: Value) -> Value:
    """`text.join(row)`."""
    contents = elements.iterate(ev, row)
    if not isinstance(contents, tuple) or len(contents) > _MOST_PARTS:
        return Text()
    parts = [known(ev.resolve(part)) for part in contents]
    words = [part[0] for part in parts if part is not None and isinstance(part[0], str)]
    if len(words) < len(contents):
        return Text()
    return wrap(text.join(words))


def _formatted(ev: Evaluator, text: str, values: list[Value], keywords: Keywords) -> Value:
    """`text.format(...)` of ints and texts; a width is not followed, as it may be a long one."""
    given = {name: known(ev.resolve(argument.value)) for name, argument in keywords.items()}
    constants = [known(value) for value in values]
    parts = [one[0] for one in (*constants, *given.values()) if one is not None]
    if len(parts) < len(values) + len(given) or not all(type(p) in (int, str) for p in parts):
        return Text()
    if any(rests_on_claim(ev, value) for value in values) or len(text) > _MOST_PARTS:
        return Text()
    try:
        if any(spec or kind for _, _, spec, kind in Formatter().parse(text)):
            return Text()
        words = {name: one[0] for name, one in given.items() if one is not None}
        return wrap(text.format(*[one[0] for one in constants if one is not None], **words))
    except (ValueError, LookupError, AttributeError):
        return Text()


_MOST_PARTS: Final = 64
_MOST_CHARACTERS: Final = 1 << 20
"""The most characters of a result: `replace` may put a long text for each character."""


def _text_method(ev: Evaluator, text: str, name: str, values: list[Value]) -> Value:
    constants = [known(value) for value in values]
    if name == "join" and len(values) == 1:
        return _joined(ev, text, values[0])
    if name in python.TEXT_METHODS:
        texts = [c[0] for c in constants if c is not None and isinstance(c[0], str)]
        longest = max(map(len, texts), default=1)
        if len(texts) == len(values) and len(text) * longest <= _MOST_CHARACTERS:
            try:
                result = getattr(text, name)(*[c[0] for c in constants if c is not None])
            except (TypeError, ValueError):
                return Anything()
            return wrap(tuple(result) if isinstance(result, list) else result)
    return Text() if name in ("format", "join") else Anything()
