"""The values that pytest and unittest give to a test: the rows of its tables, and its fixtures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from namecheck.analysis.asking.elements import iterate
from namecheck.analysis.objects.ends_of_tests import is_replaced_by
from namecheck.analysis.objects.marks_of_tests import Mark, marks_in
from namecheck.analysis.python.functions import call_function
from namecheck.analysis.reading import ir
from namecheck.analysis.runs.decorated_tests import (
    NOT_RUN,
    attribute_of,
    decorators_of,
    is_collected,
    is_run,
    is_test,
    keyword_of,
    marks_of,
)
from namecheck.analysis.runs.fixtures_of_tests import (
    PARAM,
    Fixtures,
    Given,
    NotRun,
    Row,
    functions_before,
    name_of,
    used_by,
)
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Decorated,
    Dict,
    Function,
    Instance,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import parameterized, pytest, python

MOST_ROWS: Final = 24
"""The most rows of one test that are run."""

_SET_UP: Final = (*pytest.SET_UP, *python.SET_UP)
_TABLES: Final = parameterized.MARKS | {pytest.PARAMETRIZE}

Run = Callable[[Evaluator, Function, "Value | None", Mapping[str, Value]], Value]


def is_as_written(ev: Evaluator, function: Function, owner: Class | None) -> bool:
    """Whether a test is run with its class and the code of the project as they are written."""
    if owner is not None and not is_collected(owner):
        return False
    return not any(is_replaced_by(mark.path) for mark in marks_of(ev, function, owner, ()))


def is_prepared(ev: Evaluator, function: Function, owner: Class | None) -> bool:
    """Whether a test is run with more than itself: rows, fixtures, or what its class prepares."""
    if owner is not None and any(attribute_of(ev, owner, name) for name in _SET_UP):
        return True
    if any(mark.path in _TABLES for mark in marks_of(ev, function, owner, ())):
        return True
    if used_by(ev, function, owner) or functions_before(ev, function):
        return True
    return bool(Fixtures(ev, function, owner).of_every_test(ev))


def inherited(ev: Evaluator, cls: Class) -> list[Function]:
    """The tests that a class has from other classes of the project."""
    found: list[Function] = []
    for name in {name: None for base in cls.lineage for name in getattr(base, "attributes", ())}:
        if name.startswith(pytest.TEST) and name not in cls.attributes:
            value = attribute_of(ev, cls, name)
            function = value.function if isinstance(value, Decorated) else value
            if isinstance(function, Function) and not is_async(function):
                found.append(function)
    return found


def is_async(function: Function) -> bool:
    """Whether a function is a coroutine."""
    return isinstance(function.record, ir.FunctionDef) and function.record.is_async


def run_rows(
    ev: Evaluator, function: Function, owner: Class | None, begin: Callable[[], None], run: Run
) -> None:
    """Run a test for each of its rows, which `begin` begins and `run` runs.

    It is not run if it is not known what it is given.
    """
    names = [p.name for p in function.parameters if p.default is None and "variadic" not in p.kind]
    is_method = owner is not None and function.kind == "function"
    if is_method:
        names = names[1:]
    fixtures = Fixtures(ev, function, owner)
    marks = list(marks_of(ev, function, owner, _TABLES))
    tables = [table for mark in marks for table in _tables(ev, function, mark, is_method)]
    asks = pytest.VALUE_OF in function.source.text
    if not (tables or not names or asks or any(fixtures.find(ev, name) for name in names)):
        return
    used = used_by(ev, function, owner)
    asked = {name for table in tables for row in table for name in row}
    always = [name_of(fixture) for fixture, _ in fixtures.of_every_test(ev)]
    for name in [*always, *used, *names]:
        if name not in asked:
            tables += _tables_of_fixture(ev, fixtures, name, asked, 0)
    of_class = [row for mark in marks for row in _rows_of_class(ev, mark)] or [{}]
    count = 0
    for attributes in of_class:
        for row in _joined(tables):
            count += 1
            if count > MOST_ROWS:
                return
            begin()
            receiver = Instance(owner, "self") if is_method and owner is not None else None
            if receiver is not None:
                for name, value in attributes.items():
                    ev.cells[receiver, name] = value
            _run_row(ev, function, Given(ev, fixtures, receiver, row), (names, used), run)
            ev.frame = ev.module


def _run_row(
    ev: Evaluator,
    function: Function,
    given: Given,
    asked: tuple[Sequence[str], Sequence[str]],
    run: Run,
) -> None:
    caller = ev.frame = Frame(ev.module.source, ev.module.parent)
    variables = ev.module.variables
    caller.variables, caller.flow.driven = variables, True
    names, used = asked
    before = dict(variables)
    try:
        given.prepare(function, used)
        if isinstance(given.receiver, Instance):
            _set_up(ev, given.receiver)
        values = {
            name: given.request(function) if name == pytest.REQUEST else given.value(name)
            for name in names
        }
        ev.found += caller.certain()
        ev.frame = ev.module
        run(ev, function, given.receiver, {**given.row, **values})
    except NotRun:
        ev.found += caller.certain()
    finally:
        ev.frame, ev.alive = ev.module, True
        variables.update(before)


def _set_up(ev: Evaluator, receiver: Instance) -> None:
    """Call the methods that prepare each test of a class. Raises `NotRun`."""
    for name in _SET_UP:
        method = attribute_of(ev, receiver.cls, name)
        if isinstance(method, Function):
            own = method.parameters[1:]
            more = [Argument(Anything()) for one in own if one.default is None]
            # What a class method sets is seen through the instance.
            call_function(ev, method, (Argument(receiver), *more), {}, None, receiver)
            if not ev.alive or any(isinstance(one, ir.Raise) for one in method.body):
                raise NotRun


# Tables


def _tables(ev: Evaluator, function: Function, mark: Mark, is_method: bool) -> list[list[Row]]:
    """The rows of a mark, as far as they are known; those of a product are several tables."""
    names = [parameter.name for parameter in function.parameters][1 if is_method else 0 :]
    tables: list[list[Row]] = []
    if mark.path == pytest.PARAMETRIZE:
        tables.append(_parametrized(ev, mark))
    elif mark.path in parameterized.LISTED:
        listed = mark.argument(0, "input")
        if listed is not None:
            tables.append([_row(ev, one, names) for one in _elements(ev, listed)])
    elif mark.path in parameterized.SPELLED or mark.path in parameterized.NAMED:
        spelled = mark.arguments
        if len(spelled) == 1 and not isinstance(ev.resolve(spelled[0]), Tuple):
            spelled = _elements(ev, spelled[0]) or spelled
        is_named = mark.path in parameterized.NAMED
        tables.append([_row(ev, one, names, is_named) for one in spelled])
    elif mark.path in parameterized.PRODUCTS:
        tables += [[_row(ev, one, names) for one in _elements(ev, a)] for a in mark.arguments]
        for name, values in mark.keywords.items():
            tables.append([{name: one} for one in _elements(ev, values)])
    return [rows for table in tables if (rows := [row for row in table if row])]


def _parametrized(ev: Evaluator, mark: Mark) -> list[Row]:
    """The rows of `parametrize("a, b", [(1, 2), ...])`."""
    columns, values = mark.argument(0, pytest.NAMES), mark.argument(1, pytest.VALUES)
    passed = mark.keywords.get(pytest.INDIRECT)
    if columns is None or values is None:
        return []
    to_fixtures = _texts(ev, passed)
    constant = None if passed is None else known(ev.resolve(passed))
    is_passed = constant is not None and constant[0] is True
    columns = ev.resolve(columns)
    names = [
        f"{PARAM}{name}" if is_passed or name in to_fixtures else name
        for name in _texts(ev, columns)
    ]
    is_one = len(names) == 1 and not isinstance(columns, Tuple)
    return [
        dict(zip(names, cells, strict=True))
        for cells in _run_cells(ev, values, is_one)
        if len(cells) == len(names)
    ]


def _run_cells(ev: Evaluator, values: Value, is_one: bool) -> Iterator[tuple[Value, ...]]:
    """The values of each row that is run and expected to pass."""
    for value in _elements(ev, values):
        element = ev.resolve(value)
        if isinstance(element, Tuple) and element.fields == pytest.ROW_FIELDS:
            cells, marks, _ = element.elements
            if NOT_RUN.isdisjoint(mark.path for mark in marks_in(ev, marks)):
                yield _elements(ev, cells)
        else:
            yield (element,) if is_one else _elements(ev, element)


def _texts(ev: Evaluator, value: Value | None) -> list[str]:
    """The names in `"a, b"` or `["a", "b"]`."""
    if value is None:
        return []
    constant = known(ev.resolve(value))
    if constant is not None and isinstance(constant[0], str):
        return [name.strip() for name in constant[0].split(",") if name.strip()]
    constants = [known(ev.resolve(one)) for one in _elements(ev, value)]
    return [str(one[0]) for one in constants if one is not None]


def _row(ev: Evaluator, value: Value, names: Sequence[str], is_named: bool = False) -> Row:
    """The arguments of a row: a list of them, keywords, both, or a single one; {} if unclear."""
    value = ev.resolve(value)
    keywords: Row = {}
    if isinstance(value, Tuple) and value.fields == parameterized.ROW_FIELDS:
        keywords = _entries(ev, value.elements[1])
        cells = _elements(ev, value.elements[0])
    elif isinstance(value, Dict):
        keywords, cells = _entries(ev, value), ()
    else:
        cells = _elements(ev, value) if _is_several(ev, value) else (value,)
    if is_named:
        cells = cells[1:]
        keywords.pop(parameterized.NAME, None)
    if len(cells) > len(names):
        return {}
    return {**dict(zip(names, cells, strict=False)), **keywords}


def _is_several(ev: Evaluator, value: Value) -> bool:
    return known(value) is None and isinstance(iterate(ev, value), tuple)


def _entries(ev: Evaluator, value: Value) -> Row:
    contents = ev.cells.get(ev.resolve(value))
    if not isinstance(contents, dict):
        return {}
    return {name: one for name, one in contents.items() if isinstance(name, str)}


def _elements(ev: Evaluator, value: Value) -> tuple[Value, ...]:
    """The elements of what is gone over, if they are known."""
    contents = iterate(ev, value)
    return contents if isinstance(contents, tuple) else ()


def _rows_of_class(ev: Evaluator, mark: Mark) -> list[Row]:
    """The attributes that a class is given: rows under names, or dicts."""
    if mark.path != parameterized.OF_CLASSES or not mark.arguments:
        return []
    if len(mark.arguments) == 1:
        return [_entries(ev, one) for one in _elements(ev, mark.arguments[0])]
    names = _texts(ev, mark.arguments[0])
    return [_row(ev, one, names) for one in _elements(ev, mark.arguments[1])]


def _tables_of_fixture(
    ev: Evaluator, fixtures: Fixtures, name: str, asked: set[str], depth: int
) -> list[list[Row]]:
    """The params of a fixture, and of those that it asks for, as tables; each fixture once."""
    found = fixtures.find(ev, name)
    column = f"{PARAM}{name}"
    if found is None or depth >= MOST_ROWS or column in asked:
        return []
    asked.add(column)
    fixture, _ = found
    tables: list[list[Row]] = []
    params = keyword_of(fixture, pytest.PARAMS)
    if params is not None:
        for mark in decorators_of(ev, fixture, pytest.FIXTURES):
            values = mark.keywords.get(pytest.PARAMS)
            if values is not None:
                rows = [{column: cells[0]} for cells in _run_cells(ev, values, True) if cells]
                tables += [rows] if rows else []
    for parameter in fixture.parameters:
        if parameter.default is None and parameter.name != name:
            tables += _tables_of_fixture(ev, fixtures, parameter.name, asked, depth + 1)
    return tables


def _joined(tables: Sequence[list[Row]]) -> Iterator[Row]:
    """Each row of a table with each row of the others."""
    if not tables:
        yield {}
        return
    for rest in _joined(tables[1:]):
        for row in tables[0]:
            yield {**rest, **row}


__all__ = [
    "inherited",
    "is_as_written",
    "is_collected",
    "is_prepared",
    "is_run",
    "is_test",
    "run_rows",
]
