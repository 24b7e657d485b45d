"""What Python's functions make of rows whose elements are known one by one: `filter`, `sorted`.

Those of its `itertools` are here, too. Where one element or its place is not known, nothing is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.objects.given_away import let_go
from namecheck.analysis.objects.own_objects import LIMIT
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.joining import element_of
from namecheck.analysis.state.scalars import rests_on_claim, truth_of
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Bound,
    Constant,
    Dict,
    Function,
    Layer,
    Library,
    List,
    Method,
    Partial,
    Repeated,
    ShapeOf,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import python, torch

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

Arguments = Sequence[Argument]
Row = tuple[Value, ...]

MOST: Final = 1024
"""The most elements of a row that is made here."""


def _filter(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    """`filter(predicate, row)`: the elements that the predicate keeps, if it decides each."""
    if len(values) != 2:
        return Anything()
    predicate, row = values
    contents = elements.iterate(ev, row)
    if not isinstance(contents, tuple):
        return Anything() if contents is None else contents
    kept = []
    for element in contents:
        answer = element
        if predicate is not NONE:
            answer = ev.call(predicate, (Argument(element),), {}, None)
        truth = truth_of(ev, answer)
        if truth is None:
            return Repeated(element_of(contents))
        if truth:
            kept.append(element)
    return Tuple(kept)


def _sorted(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
    """`sorted(row, key=..., reverse=...)`: a list, in its order if the keys are known numbers."""
    ordered = List()
    contents = elements.iterate(ev, values[0]) if len(values) == 1 else None
    ev.cells[ordered] = contents if isinstance(contents, Repeated) else Repeated(Anything())
    if not isinstance(contents, tuple):
        return ordered
    in_order = _in_order(ev, contents, keywords)
    if in_order is None:
        if contents:
            ev.cells[ordered] = Repeated(element_of(contents))
        return ordered
    ev.fill(ordered, in_order)
    return ordered


def _in_order(ev: Evaluator, contents: Row, keywords: Mapping[str, Value]) -> list[Value] | None:
    """The elements of a row in their order; None if that is not known."""
    by = keywords.get("key", NONE)
    reverse = known(keywords["reverse"]) if "reverse" in keywords else (False,)
    if reverse is None or not keywords.keys() <= {"key", "reverse"}:
        return None
    keys = []
    for element in contents:
        key = element if by is NONE else ev.call(by, (Argument(element),), {}, None)
        plain = _plain(ev, key)
        if plain is None:
            return None
        keys.append(plain[0])
    try:
        places = sorted(range(len(keys)), key=keys.__getitem__, reverse=bool(reverse[0]))
    except TypeError:
        return None
    return [contents[place] for place in places]


def first_by_key(ev: Evaluator, contents: Row, key: Value, reverse: bool) -> Value:
    """`min(row, key=...)` or, reversed, `max(row, key=...)`."""
    given = {"key": key, "reverse": Constant(reverse)}
    in_order = _in_order(ev, contents, given)
    return in_order[0] if in_order else Anything()


def _plain(ev: Evaluator, value: Value) -> tuple[Any] | None:
    """The Python value of a number, a text, or a tuple of them; None if it is not known."""
    value = ev.resolve(value)
    if rests_on_claim(ev, value):
        return None
    if isinstance(value, Tuple):
        parts = [_plain(ev, element) for element in value.elements]
        if None in parts:
            return None
        return (tuple([part[0] for part in parts if part is not None]),)
    return known(value)


def _as_kind(kind: str) -> Callable[[Any, list[Value], dict[str, Value]], Value]:
    """`staticmethod(f)` and its like, as a call in the body of a class."""

    def make(ev: Evaluator, values: list[Value], keywords: dict[str, Value]) -> Value:
        if len(values) != 1 or keywords:
            return Anything()
        (value,) = values
        if isinstance(value, Function):
            method = Function(value.record, value.scope, value.source, kind)
            method.mapped = value.mapped
            return method
        # A function of a library is no method in any case.
        return value if kind == "static" and isinstance(value, (Library, Partial)) else Anything()

    return make


BUILTINS: Final[dict[str, Callable[[Any, list[Value], dict[str, Value]], Value]]] = {
    "filter": _filter,
    "staticmethod": _as_kind("static"),
    "classmethod": _as_kind("class"),
    "property": _as_kind("property"),
    "sorted": _sorted,
}
"""The builtins that are evaluated here, by name."""


def _contents(ev: Evaluator, arguments: Arguments) -> list[Row] | None:
    """The elements of several rows; None if those of one are not known."""
    found: list[Row] = []
    for argument in arguments:
        contents = elements.iterate(ev, argument.value)
        if not isinstance(contents, tuple):
            return None
        found.append(contents)
    return found


def _repeat(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.repeat(x, n)`."""
    if not arguments:
        return Anything()
    times = arguments[1] if len(arguments) > 1 else keywords.get("times")
    count = None if times is None else known(ev.resolve(times.value))
    if count is None or not isinstance(count[0], int) or count[0] > MOST:
        return Repeated(arguments[0].value)
    return Tuple([arguments[0].value] * count[0])


def _chain(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.chain(*rows)`."""
    found = _contents(ev, arguments)
    if found is None or sum(map(len, found)) > MOST:
        return Repeated(Anything())
    return Tuple(itertools.chain(*found))


def _chain_of(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.chain.from_iterable(rows)`."""
    found = _contents(ev, arguments)
    if found is None or len(found) != 1:
        return Repeated(Anything())
    return _chain(ev, [Argument(row) for row in found[0]], {})


def _pairwise(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.pairwise(row)`."""
    found = _contents(ev, arguments)
    if found is None or len(found) != 1:
        return Repeated(Anything())
    return Tuple([Tuple(pair) for pair in itertools.pairwise(found[0])])


def _all_pairs(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.product(*rows, repeat=n)`."""
    found = _contents(ev, arguments)
    given = keywords.get("repeat")
    times = (1,) if given is None else known(ev.resolve(given.value))
    if found is None or times is None or not isinstance(times[0], int) or times[0] > 4:
        return Repeated(Anything())
    count = 1
    for row in found * times[0]:
        count *= len(row)
    if count > MOST:
        return Repeated(Anything())
    return Tuple([Tuple(choice) for choice in itertools.product(*found, repeat=times[0])])


def _combinations(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.combinations(row, n)`."""
    found = _contents(ev, arguments[:1])
    count = known(ev.resolve(arguments[1].value)) if len(arguments) == 2 else None
    if not found or count is None or not isinstance(count[0], int) or not 0 <= count[0] <= 4:
        return Repeated(Anything())
    chosen = itertools.combinations(found[0], count[0])
    rows = [Tuple(choice) for choice in itertools.islice(chosen, MOST + 1)]
    return Tuple(rows) if len(rows) <= MOST else Repeated(Anything())


def _first_of(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`itertools.islice(row, stop)` and `itertools.islice(row, start, stop, step)`."""
    found = _contents(ev, arguments[:1])
    bounds = [known(ev.resolve(argument.value)) for argument in arguments[1:]]
    if not found or not bounds or None in bounds:
        return Repeated(Anything())
    try:
        return Tuple(itertools.islice(found[0], *[one[0] for one in bounds if one is not None]))
    except (TypeError, ValueError):
        return Anything()


def _reduce(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`functools.reduce(function, row, first)`."""
    found = _contents(ev, arguments[1:2])
    if not found or len(found[0]) > MOST or keywords or len(arguments) > 3:
        return Anything()
    row = (*[first.value for first in arguments[2:]], *found[0])
    if not row:
        return Anything()
    result = row[0]
    for element in row[1:]:
        result = ev.call(arguments[0].value, (Argument(result), Argument(element)), {}, None)
    return result


def _signature(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`inspect.signature(f)`, with the names of the parameters in `parameters`."""
    called = ev.resolve(arguments[0].value) if len(arguments) == 1 else NONE
    names: list[str] = []
    match called:
        case Function():
            names = [parameter.name for parameter in called.parameters]
        case Bound():
            names = [parameter.name for parameter in called.function.parameters[1:]]
        case Method(receiver=Layer() as layer, name=name) if name in torch.CALLED:
            names = [parameter.name for parameter in layer.instance.layer.forward.parameters]
        case _:
            return Anything()
    table = Dict()
    ev.cells[table] = {name: Anything() for name in names}
    return Tuple((table,), ("parameters",))


def _named_tuple(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`collections.namedtuple(name, fields)`: what makes tuples with these fields."""
    fields = ev.resolve(arguments[1].value) if len(arguments) == 2 else NONE
    words = known(fields)
    contents: Any = elements.iterate(ev, fields)
    if words is not None and isinstance(words[0], str):
        contents = tuple(map(Constant, words[0].replace(",", " ").split()))
    if keywords or not isinstance(contents, tuple):
        return Anything()
    return Partial(Library(python.OF_FIELDS), (Tuple(contents),), {})


def _of_fields(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """A tuple with the fields that the first argument names."""
    names = elements.iterate(ev, arguments[0].value)
    words = [known(ev.resolve(name)) for name in names] if isinstance(names, tuple) else []
    fields = [str(word[0]) for word in words if word is not None]
    given = dict(zip(fields, [argument.value for argument in arguments[1:]], strict=False))
    given.update((name, argument.value) for name, argument in keywords.items())
    if not fields or len(fields) < len(words) or given.keys() != set(fields):
        return Anything()
    return Tuple([given[name] for name in fields], tuple(fields))


def _deque(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`collections.deque(row, maxlen)` in a drive: a list."""
    given = arguments[1] if len(arguments) > 1 else keywords.get(python.LONGEST)
    most = NONE if given is None else ev.resolve(given.value)
    contents = elements.iterate(ev, arguments[0].value) if arguments else ()
    if not ev.reach.driven or known(most) is None or not isinstance(contents, tuple):
        return Anything()
    row = List()
    ev.fill(row, contents)
    ev.cells[row, LIMIT] = most
    shorten(ev, row, False)
    return row


def shorten(ev: Evaluator, row: Value, at_end: bool) -> None:
    """Drop the elements at one end of a deque that are more than it may have."""
    limit = known(ev.cells.get((row, LIMIT), NONE))
    contents = ev.cells.get(row)
    if limit is not None and isinstance(limit[0], int) and isinstance(contents, tuple):
        if len(contents) > limit[0]:
            kept = contents[: limit[0]] if at_end else contents[len(contents) - limit[0] :]
            ev.cells[row] = kept


def _with_default(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`collections.defaultdict(factory)` in a drive."""
    if not ev.reach.driven or len(arguments) > 1 or keywords:
        return Anything()
    table = Dict()
    ev.cells[table] = {}
    if arguments:
        ev.cells[table, elements.FACTORY] = ev.resolve(arguments[0].value)
    return table


def _one_of(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`random.choice(row)`: any of its elements."""
    contents = elements.iterate(ev, arguments[0].value) if len(arguments) == 1 else None
    return Anything() if contents is None else elements.one_of(_any(ev, contents))


def _several_of(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`random.sample(row, k)`: so many of its elements."""
    contents = elements.iterate(ev, arguments[0].value) if arguments else None
    given = arguments[1] if len(arguments) > 1 else keywords.get(python.COUNT)
    count = known(ev.resolve(given.value)) if given is not None else None
    if contents is None:
        return Anything()
    element = _any(ev, contents)
    row = List()
    ev.cells[row] = Repeated(element)
    if count is not None and isinstance(count[0], int) and count[0] <= MOST:
        ev.fill(row, tuple([elements.one_of(element) for _ in range(count[0])]))
    return row


def _shuffle(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`random.shuffle(row)`: each place may have any of the elements."""
    row = ev.resolve(arguments[0].value) if arguments else NONE
    contents = ev.cells.get(row) if isinstance(row, List) else None
    if isinstance(row, List) and isinstance(contents, tuple) and contents:
        element = _any(ev, contents)
        ev.fill(row, tuple([elements.one_of(element) for _ in contents]))
    elif not isinstance(row, List):
        let_go(ev, arguments, keywords)
    return NONE


def _any(ev: Evaluator, contents: Any) -> Value:
    """What the elements of a row have in common."""
    if isinstance(contents, tuple):
        contents = tuple([ev.resolve(one) for one in contents])
    return element_of(contents)


def _sizes(ev: Evaluator, arguments: Arguments, keywords: Keywords) -> Value:
    """`torch.Size(numbers)`."""
    given = ev.resolve(arguments[0].value) if arguments else Tuple(())
    if isinstance(given, ShapeOf):
        return ShapeOf(given.tensor)
    contents = elements.iterate(ev, given)
    return Tuple(contents, of_shape=True) if isinstance(contents, tuple) else Anything()


CALLS: Final[Mapping[str, Callable[[Evaluator, Arguments, Keywords], Value]]] = {
    python.REPEAT: _repeat,
    python.CHAIN: _chain,
    python.CHAIN_OF: _chain_of,
    python.PAIRWISE: _pairwise,
    python.ALL_PAIRS: _all_pairs,
    python.COMBINATIONS: _combinations,
    python.FIRST_OF: _first_of,
    python.REDUCE: _reduce,
    python.SIGNATURE: _signature,
    python.NAMED_TUPLE: _named_tuple,
    python.OF_FIELDS: _of_fields,
    torch.SIZES: _sizes,
    python.DEQUE: _deque,
    python.WITH_DEFAULT: _with_default,
    python.ONE_OF: _one_of,
    **dict.fromkeys(python.SEVERAL_OF, _several_of),
    python.SHUFFLES: _shuffle,
}
"""The evaluation of these functions, by path."""
