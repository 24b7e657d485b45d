"""The values that pytest and unittest give to a test: the rows of its table, and its fixtures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from namecheck import frameworks
from namecheck.analysis.python.functions import call_function
from namecheck.analysis.reading import ir
from namecheck.analysis.state import lineage
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.program_pieces import Source
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Decorated,
    Function,
    Instance,
    Library,
    List,
    Tuple,
    Value,
)
from namecheck.frameworks import pytest, python

Row: TypeAlias = "dict[str, Value]"

MOST_ROWS: Final = 24
"""The most rows of one test that are run."""

DEEPEST: Final = 5
"""How many fixtures may ask for each other."""

_FOLDERS: Final = 8
"""How many folders above a test are searched for fixtures."""

_SET_UP: Final = (*pytest.SET_UP, *python.SET_UP)
_NOT_RUN: Final = pytest.NOT_RUN | python.NOT_RUN


def is_test(function: Function) -> bool:
    """Whether a function is a test by its name."""
    return function.name.startswith(pytest.TEST)


def is_run(ev: Evaluator, function: Function) -> bool:
    """Whether a test is run and expected to pass."""
    decorators = list(_decorators(ev, function.record, function.source))
    if function.owner is not None:
        decorators += _decorators(ev, function.owner.record, function.owner.source)
    return not any(path in _NOT_RUN for path, _ in decorators)


def prepared(ev: Evaluator, function: Function) -> Value | None:
    """The object that a test is a method of, with what the methods before it have set.

    None if no method prepares its class.
    """
    owner = function.owner
    if owner is None or function.kind != "function":
        return None
    before = [lineage.look_up(owner.lineage, name) for name in _SET_UP]
    methods = [method for method in before if isinstance(method, Function)]
    fixtures = list(_of_every_test(ev, owner))
    if not methods and not fixtures:
        return None
    instance = Instance(owner, "self")
    for fixture in fixtures:
        _fixture_result(ev, fixture, instance, {}, 0)
    for method in methods:
        # What a class method sets is seen through the instance.
        call_function(ev, method, (Argument(instance),), {}, None, instance)
        ev.alive = True
    return instance


def _of_every_test(ev: Evaluator, owner: Class) -> Iterator[Function]:
    """The fixtures of a class that each of its tests is run with: `autouse=True`."""
    names = {name: None for base in owner.lineage for name in getattr(base, "attributes", ())}
    for name in names:
        fixture = _as_fixture(ev, lineage.look_up(owner.lineage, name))
        if fixture is not None and fixture.kind == "function":
            for path, call in _decorators(ev, fixture.record, fixture.source):
                word = None if call is None else _word(call, pytest.EVERY_TEST)
                if path in pytest.FIXTURES and isinstance(word, ir.Bool) and word.value:
                    yield fixture


def rows_of(ev: Evaluator, function: Function) -> Iterator[Row]:
    """The arguments of each run of a test; none if it is not known what it is given."""
    names = [parameter.name for parameter in function.parameters if parameter.default is None]
    if function.owner is not None and function.kind == "function":
        names = names[1:]
    tables = _tables(ev, function)
    if not tables and not any(_fixture(ev, function, name) for name in names):
        return
    given = {name for table in tables for name in table[0]}
    for name in names:
        if name not in given:
            tables += _tables_of_fixture(ev, function, name, given, 0)
    for count, row in enumerate(_joined(tables)):
        if count >= MOST_ROWS:
            return
        for name in names:
            if name not in row:
                row[name] = _fixture_value(ev, function, name, row, 0)
        if set(row).issuperset(names):
            yield {name: value for name, value in row.items() if not name.startswith(_PARAM)}


# Tables

_Table: TypeAlias = "tuple[tuple[str, ...], list[tuple[Value, ...]]]"


def _tables(ev: Evaluator, function: Function) -> list[_Table]:
    """The names and rows of each `parametrize` of a test and its class, as far as it is known."""
    calls = list(_decorators(ev, function.record, function.source))
    if function.owner is not None:
        calls += _decorators(ev, function.owner.record, function.owner.source)
    tables: list[_Table] = []
    for path, call in calls:
        if path != pytest.PARAMETRIZE or call is None:
            continue
        columns, values = [*call.positional, None, None][:2]
        columns, values = columns or _word(call, pytest.NAMES), values or _word(call, pytest.VALUES)
        names = () if columns is None else _names(columns)
        rows = _rows(ev, function, values, len(names)) if names and values is not None else []
        if rows:
            passed = _word(call, pytest.INDIRECT)
            tables.append((tuple([_column(name, passed) for name in names]), rows))
    return tables


def _word(call: ir.Call, name: str) -> ir.Expression | None:
    """A keyword argument of a call."""
    return next((word.value for word in call.keywords if word.name == name), None)


_PARAM: Final = "param of "
"""How the columns begin that have what fixtures get as `request.param`."""


def _column(name: str, passed: ir.Expression | None) -> str:
    """The column of a name, which may be that of a fixture to which the value is passed."""
    match passed:
        case ir.Bool(value=True):
            return f"{_PARAM}{name}"
        case ir.List() | ir.Tuple() if name in _names(passed):
            return f"{_PARAM}{name}"
    return name


def _tables_of_fixture(
    ev: Evaluator, function: Function, name: str, given: set[str], depth: int
) -> list[_Table]:
    """The params of a fixture, and of those that it asks for, as tables; each fixture once."""
    fixture = _fixture(ev, function, name)
    column = f"{_PARAM}{name}"
    if fixture is None or depth >= DEEPEST or column in given:
        return []
    given.add(column)
    tables: list[_Table] = []
    for path, call in _decorators(ev, fixture.record, fixture.source, fixture.scope.module()):
        params = None if call is None else _word(call, pytest.PARAMS)
        if path in pytest.FIXTURES and params is not None:
            rows = _rows(ev, fixture, params, 1)
            tables += [((column,), rows)] if rows else []
    for parameter in fixture.parameters:
        if parameter.default is None and parameter.name != name:
            tables += _tables_of_fixture(ev, fixture, parameter.name, given, depth + 1)
    return tables


def _names(node: ir.Expression) -> tuple[str, ...]:
    """The names of the columns: `"a, b"` or `["a", "b"]`."""
    match node:
        case ir.Str(value=text):
            return tuple([name.strip() for name in text.split(",") if name.strip()])
        case ir.List(elements=elements) | ir.Tuple(elements=elements):
            return tuple([one.value for one in elements if isinstance(one, ir.Str)])
    return ()


def _rows(
    ev: Evaluator, function: Function, node: ir.Expression, width: int
) -> list[tuple[Value, ...]]:
    """The rows of a table; those that are not run, or not known, are left out."""
    rows: list[tuple[Value, ...]] = []
    if isinstance(node, (ir.List, ir.Tuple)):
        for element in node.elements:
            if isinstance(element, ir.Call) and _called(element) == pytest.ROW:
                marks = [word.value for word in element.keywords if word.name == "marks"]
                if not any(_is_of_marks(ev, function, mark) for mark in marks):
                    rows.append(tuple([_value(ev, function, one) for one in element.positional]))
            elif not isinstance(element, ir.Starred):
                rows.append(_cells(ev, _value(ev, function, element), width))
    else:
        for value in _elements(ev, _value(ev, function, node)):
            rows.append(_cells(ev, ev.resolve(value), width))
    return [row for row in rows if len(row) == width]


def _cells(ev: Evaluator, value: Value, width: int) -> tuple[Value, ...]:
    return (value,) if width == 1 else tuple(_elements(ev, value))


def _elements(ev: Evaluator, value: Value) -> Sequence[Value]:
    contents: object = value.elements if isinstance(value, Tuple) else None
    if isinstance(value, List):
        contents = ev.cells.get(value)
    return contents if isinstance(contents, tuple) else ()


def _is_of_marks(ev: Evaluator, function: Function, node: ir.Expression) -> bool:
    """Whether one of the marks of a row says that it is not run, or is expected to fail."""
    marks = node.elements if isinstance(node, (ir.List, ir.Tuple)) else (node,)
    return any(_path(ev, function.source, mark) in _NOT_RUN for mark in marks)


def _joined(tables: Sequence[_Table]) -> Iterator[Row]:
    """Each row of a table with each row of the others."""
    if not tables:
        yield {}
        return
    names, rows = tables[0]
    for rest in _joined(tables[1:]):
        for row in rows:
            yield {**rest, **dict(zip(names, row, strict=True))}


# Fixtures


def _fixture(ev: Evaluator, function: Function, name: str) -> Function | None:
    """The fixture of this name that a test sees: in its class, its file, or a folder above."""
    values: list[Value | None] = []
    if function.owner is not None:
        values.append(lineage.look_up(function.owner.lineage, name))
    values.append(function.scope.module().variables.get(name))
    found = next((one for value in values if (one := _as_fixture(ev, value))), None)
    if found is not None:
        return found
    file = function.source.file
    if file.program is None:
        return None
    for level in range(1, _FOLDERS):
        module = file.program.find(file, level, pytest.SHARED)
        if module is not None:
            shared = _as_fixture(ev, module.look_up(ev, name))
            if shared is not None:
                return shared
    return None


def _as_fixture(ev: Evaluator, value: Value | None) -> Function | None:
    value = None if value is None else ev.resolve(value)
    function = value.function if isinstance(value, Decorated) else value
    if not isinstance(function, Function) or not isinstance(function.record, ir.FunctionDef):
        return None
    decorators = _decorators(ev, function.record, function.source, function.scope.module())
    return function if any(path in pytest.FIXTURES for path, _ in decorators) else None


def _fixture_value(ev: Evaluator, function: Function, name: str, row: Row, depth: int) -> Value:
    """What a fixture gives; an unknown value for one of pytest or of a plugin."""
    fixture = _fixture(ev, function, name)
    if fixture is None or depth >= DEEPEST:
        return Anything(name)
    receiver = Instance(fixture.owner, "self") if fixture.owner is not None else None
    return _fixture_result(ev, fixture, receiver, row, depth)


def _fixture_result(
    ev: Evaluator, fixture: Function, receiver: Instance | None, row: Row, depth: int
) -> Value:
    """What a fixture gives with the params of a row; it is called on the object of its test."""
    own = list(fixture.parameters)
    arguments: list[Argument] = []
    if receiver is not None and fixture.kind == "function" and own:
        arguments.append(Argument(receiver))
        del own[0]
    for parameter in own:
        if parameter.default is not None:
            break
        if parameter.name == pytest.REQUEST:
            request = Anything(pytest.REQUEST, True)
            param = row.get(f"{_PARAM}{fixture.name}")
            if param is not None:
                ev.cells[request, pytest.PARAM] = param
            arguments.append(Argument(request))
        else:
            value = _fixture_value(ev, fixture, parameter.name, row, depth + 1)
            arguments.append(Argument(value))
    value = call_function(ev, _returning(fixture), tuple(arguments), {}, None)
    ev.alive = True
    return ev.resolve(value)


def _returning(fixture: Function) -> Function:
    """A fixture that returns what it yields."""
    record = fixture.record
    assert isinstance(record, ir.FunctionDef)
    body = _until_yield(record.body)
    if body is None:
        return fixture
    returning = Function(record, fixture.scope, fixture.source, fixture.kind)
    returning.owner, returning.body = fixture.owner, body
    return returning


def _until_yield(body: Sequence[ir.Statement]) -> tuple[ir.Statement, ...] | None:
    """The statements of a fixture with `return` in place of its `yield`; None if it has none."""
    for place, statement in enumerate(body):
        if isinstance(statement, ir.ExpressionStatement) and isinstance(statement.value, ir.Yield):
            given = statement.value.value
            end = ir.Return(given, statement.line, statement.end_line, statement.id)
            return (*body[:place], end)
        if isinstance(statement, ir.With):
            inner = _until_yield(statement.body)
            if inner is not None:
                return (*body[:place], *inner)
    return None


# Decorators


def _decorators(
    ev: Evaluator,
    record: ir.Record,
    source: Source,
    module: Frame | None = None,
) -> Iterator[tuple[str, ir.Call | None]]:
    """The paths of the decorators of a definition, and their calls if they are called."""
    if isinstance(record, (ir.FunctionDef, ir.ClassDef)):
        for decorator in record.decorators:
            call = decorator if isinstance(decorator, ir.Call) else None
            yield _path(ev, source, decorator, module), call


def _called(node: ir.Call) -> str:
    function = node.function
    return function.name if isinstance(function, (ir.Attribute, ir.Name)) else ""


def _path(ev: Evaluator, source: Source, node: ir.Expression, module: Frame | None = None) -> str:
    """The path of what is named, or called, in a library; "" of anything else."""
    function = node.function if isinstance(node, ir.Call) else node
    if not isinstance(function, (ir.Name, ir.Attribute)):
        return ""
    value = _at_top(ev, source, function, module)
    return frameworks.canonical(value.path) if isinstance(value, Library) else ""


def _value(ev: Evaluator, function: Function, node: ir.Expression) -> Value:
    return _at_top(ev, function.source, node, None)


def _at_top(ev: Evaluator, source: Source, node: ir.Expression, module: Frame | None) -> Value:
    """The value of an expression at the top of the module."""
    before = ev.frame
    ev.frame = Frame(source, module or ev.module)
    ev.frame.quiet = 1
    try:
        return ev.resolve(ev.value(node))
    finally:
        ev.frame = before


__all__ = ["Row", "is_run", "is_test", "prepared", "rows_of"]
