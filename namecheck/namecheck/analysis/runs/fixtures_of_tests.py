"""Fixtures of pytest: where a test finds them, which of them it is run with, and what they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from namecheck.analysis.objects import own_objects
from namecheck.analysis.objects.marks_of_tests import elements_of
from namecheck.analysis.python.functions import call_function
from namecheck.analysis.python.imports import Definition, Module, from_stars
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.records import lower_chunks
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.runs.decorated_tests import (
    attribute_of,
    decorators_of,
    given,
    keyword_of,
    marks_of,
)
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.program_pieces import Source
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Decorated,
    Deferred,
    Dict,
    Function,
    Instance,
    Value,
    known,
)
from namecheck.frameworks import pytest

Row: TypeAlias = "dict[str, Value]"

PARAM: Final = "param of "
"""How the columns begin that have what fixtures get as `request.param`."""

DEEPEST: Final = 8
"""How many fixtures may ask for each other."""

_FOLDERS: Final = 8
"""How many folders above a test are searched for fixtures."""


class _Scope:
    """A class or a module that may have fixtures."""

    __slots__ = ("cls", "frame", "variables")

    def __init__(self, variables: Mapping[str, Value], frame: Frame | None = None) -> None:
        self.variables = variables
        self.frame = frame
        """The frame of a module."""
        self.cls: Class | None = None

    def get(self, ev: Evaluator, name: str) -> Value | None:
        """What stands under a name."""
        if self.cls is not None:
            return attribute_of(ev, self.cls, name)
        value = given(ev, self.variables.get(name))
        if value is None and self.frame is not None and self.frame.stars:
            value = given(ev, from_stars(ev, self.frame, name))
        return value


class Fixtures:
    """The fixtures that the tests of a class or of a module see, the nearest first."""

    __slots__ = ("owner", "scopes")

    def __init__(self, ev: Evaluator, function: Function, owner: Class | None) -> None:
        self.owner = owner
        self.scopes: list[_Scope] = []
        if owner is not None:
            names: dict[str, Value] = {}
            for base in reversed(owner.lineage):
                if isinstance(base, Class):
                    names.update(base.attributes)
            self.scopes.append(_Scope(names))
            self.scopes[0].cls = owner
        for cls in (owner, function.owner):
            if cls is not None and isinstance(cls.scope, Frame):
                self._add(cls.scope.module())
        self._add(function.scope.module())
        file = ev.module.source.file if owner is None else owner.source.file
        for level in range(1, _FOLDERS):
            module = None if file.program is None else file.program.find(file, level, pytest.SHARED)
            if module is not None:
                self._add_module(ev, module, True)

    def _add(self, frame: Frame) -> None:
        if all(scope.frame is not frame for scope in self.scopes):
            self.scopes.append(_Scope(frame.variables, frame))

    def _add_module(self, ev: Evaluator, module: Module, has_plugins: bool) -> None:
        frame = module.load(ev)
        if frame is None or any(scope.frame is frame for scope in self.scopes):
            return
        self._add(frame)
        for star in frame.stars:
            if isinstance(star, Module):
                self._add_module(ev, star, False)
        plugins = given(ev, frame.variables.get(pytest.PLUGINS)) if has_plugins else None
        for name in () if plugins is None else elements_of(ev, plugins) or (plugins,):
            text = known(ev.resolve(name))
            if text is not None and isinstance(text[0], str) and module.file is not None:
                found = module.program.find(module.file, 0, text[0])
                if found is not None:
                    self._add_module(ev, found, False)

    def find(self, ev: Evaluator, name: str, behind: int = 0) -> tuple[Function, int] | None:
        """The fixture of a name, and the first scope behind its own."""
        for place, scope in enumerate(self.scopes[behind:], behind + 1):
            fixture = as_fixture(ev, scope.get(ev, name))
            if fixture is not None and keyword_of(fixture, pytest.NAME) is None:
                return fixture, place
            for fixture in _with_word(ev, scope, pytest.NAME):
                if name_of(fixture) == name:
                    return fixture, place
        return None

    def of_every_test(self, ev: Evaluator) -> list[tuple[Function, int]]:
        """The fixtures that each test is run with (`autouse=True`), the outermost first."""
        found: list[tuple[Function, int]] = []
        for place in reversed(range(len(self.scopes))):
            for fixture in _with_word(ev, self.scopes[place], pytest.EVERY_TEST):
                word = keyword_of(fixture, pytest.EVERY_TEST)
                if isinstance(word, ir.Bool) and word.value:
                    found.append((fixture, place + 1))
        return found


def _with_word(ev: Evaluator, scope: _Scope, word: str) -> Iterator[Function]:
    """The fixtures of a scope that a keyword says something of."""
    for value in list(scope.variables.values()):
        if isinstance(value, Definition):
            if value.value is None and word not in pytest.searched_words(value.text):
                continue
        elif isinstance(value, Deferred):
            continue  # it is looked for by its name alone
        fixture = as_fixture(ev, given(ev, value))
        if fixture is not None and keyword_of(fixture, word) is not None:
            yield fixture


def name_of(fixture: Function) -> str:
    """The name by which tests ask for a fixture."""
    word = keyword_of(fixture, pytest.NAME)
    return word.value if isinstance(word, ir.Str) else fixture.name


def as_fixture(ev: Evaluator, value: Value | None) -> Function | None:
    """The function that gives a value to tests; None of other values."""
    function = value.function if isinstance(value, Decorated) else value
    if not isinstance(function, Function) or not isinstance(function.record, ir.FunctionDef):
        return None
    if not function.record.decorators or pytest.WORD not in function.source.text:
        return None
    paths = [mark.path for mark in decorators_of(ev, function, ())]
    return None if pytest.FIXTURES.isdisjoint(paths) else function


class NotRun(Exception):
    """A fixture, or a method that prepares, ends the test."""


class Given:
    """What one run of a test is given: each fixture is evaluated once, when it is asked for."""

    __slots__ = ("ev", "fixtures", "made", "receiver", "row")

    def __init__(self, ev: Evaluator, fixtures: Fixtures, receiver: Value | None, row: Row) -> None:
        self.ev = ev
        self.fixtures = fixtures
        self.receiver = receiver
        self.row = row
        self.made: dict[int, Value] = {}

    def prepare(self, function: Function, names: Sequence[str]) -> None:
        """Evaluate what prepares every test, and fixtures of these names. Raises `NotRun`."""
        for before in functions_before(self.ev, function):
            more = [Argument(Anything()) for one in before.parameters if one.default is None]
            self._call(before, more, {})
        for fixture, place in self.fixtures.of_every_test(self.ev):
            self._result(fixture, place, 0)
        for name in names:
            self.value(name)

    def value(self, name: str, behind: int = 0, depth: int = 0) -> Value:
        """What a fixture gives; an unknown value for one of pytest or of a plugin."""
        if behind == 0 and name in self.row:
            return self.row[name]
        found = self.fixtures.find(self.ev, name, behind)
        if found is None or depth >= DEEPEST:
            return Anything(name)
        return self._result(found[0], found[1], depth)

    def _result(self, fixture: Function, behind: int, depth: int) -> Value:
        """What a fixture gives, called on the object of the test if it is a method."""
        made = self.made.get(id(fixture.record))
        if made is not None:
            return made
        own = list(fixture.parameters)
        arguments: list[Argument] = []
        if fixture.owner is not None and fixture.kind == "function" and own:
            arguments.append(Argument(self.receiver or Instance(fixture.owner, "self")))
            del own[0]
        keywords: dict[str, Argument] = {}
        for parameter in own:
            if not parameter.is_required:
                continue
            if parameter.name == pytest.REQUEST:
                value: Value = self.request(fixture, depth)
            else:
                above = behind if parameter.name == name_of(fixture) else 0
                value = self.value(parameter.name, above, depth + 1)
            keywords[parameter.name] = Argument(value)
        made = self.made[id(fixture.record)] = self._call(fixture, arguments, keywords)
        return made

    def _call(
        self, function: Function, arguments: Sequence[Argument], keywords: dict[str, Argument]
    ) -> Value:
        """What a function returns or yields."""
        ev = self.ev
        made = call_function(ev, _returning(function), tuple(arguments), keywords, None)
        made = ev.resolve(made)
        if not ev.alive:
            raise NotRun
        return made

    def request(self, asking: Function, depth: int = 0) -> Value:
        """`request`, as a fixture or a test gets it."""
        ev = self.ev
        request = Instance(own_objects.empty_class(pytest.REQUEST, asking.source), pytest.REQUEST)
        ev.cells[request, own_objects.ANY_ATTRIBUTE] = Anything()
        param = self.row.get(f"{PARAM}{name_of(asking)}")
        if param is not None:
            ev.cells[request, pytest.PARAM] = param
        if self.receiver is not None:
            for name in pytest.OBJECTS:
                # What is set on the class is seen through its object.
                ev.cells[request, name] = self.receiver
        if pytest.VALUE_OF in asking.source.text and depth < DEEPEST:
            made = Dict()
            ev.cells[made] = {
                name: self.value(name, 0, depth + 1) for name in self._names_in(asking)
            }
            ev.cells[request, pytest.VALUE_OF] = _reader_of(made, asking.source)
        return request

    def _names_in(self, asking: Function) -> list[str]:
        """The names of fixtures among the texts that a function spells, or a row holds."""
        texts = [inner.value for inner in walk(asking.record) if isinstance(inner, ir.Str)]
        constants = [known(self.ev.resolve(value)) for value in self.row.values()]
        texts += [str(constant[0]) for constant in constants if constant is not None]
        return [text for text in dict.fromkeys(texts) if self.fixtures.find(self.ev, text)]


def _reader_of(made: Dict, source: Source) -> Function:
    """A function that gives the entries of a dict."""
    ((_, records),) = lower_chunks("def read(name):\n    return made[name]\n")
    piece = Source(source.file, "", 1, records)
    frame = Frame(piece)
    frame.variables["made"] = made
    record = records.statements[0]
    assert isinstance(record, ir.FunctionDef)
    return Function(record, frame, piece)


def used_by(ev: Evaluator, function: Function, owner: Class | None) -> list[str]:
    """The names of the fixtures that marks say a test is run with."""
    names: list[str] = []
    for mark in marks_of(ev, function, owner, (pytest.USES,)):
        if mark.path == pytest.USES:
            constants = [known(ev.resolve(value)) for value in mark.arguments]
            names += [str(constant[0]) for constant in constants if constant is not None]
    return names


def functions_before(ev: Evaluator, function: Function) -> list[Function]:
    """The functions of a module that are called before a test of it."""
    variables = ev.module.variables
    names = [*pytest.BEFORE[0], *(pytest.BEFORE[1] if function.owner is None else ())]
    values = [given(ev, variables.get(name)) for name in names]
    return [value for value in values if isinstance(value, Function)]


def _returning(fixture: Function) -> Function:
    """A fixture that returns what it yields."""
    record = fixture.record
    assert isinstance(record, ir.FunctionDef)
    body = record.body
    if any(isinstance(inner, ir.Yield) for inner in walk(record)):
        body = _until_yield(body)
    if body is record.body:
        return fixture
    returning = Function(record, fixture.scope, fixture.source, fixture.kind)
    returning.owner, returning.body = fixture.owner, body
    return returning


def _until_yield(body: Sequence[ir.Statement]) -> tuple[ir.Statement, ...]:
    """The statements of a fixture with `return` in place of `yield`, up to the first.

    What is done at the end of a `with` or in `finally` comes after the test.
    """
    until: list[ir.Statement] = []
    for one in body:
        if not any(isinstance(inner, ir.Yield) for inner in walk(one)):
            until.append(one)
            continue
        place = one.line, one.end_line, one.id
        match one:
            case ir.ExpressionStatement(value=ir.Yield(value=value)):
                return (*until, ir.Return(value, *place))
            case ir.With():
                inner = _until_yield(one.body)
                return (*until, ir.With(one.items, inner, one.is_async, *place))
            case ir.Try():
                return (*until, *_until_yield(one.body))
            case ir.If():
                arms = _until_yield(one.body), _until_yield(one.orelse)
                until.append(ir.If(one.test, *arms, *place))
            case _:
                until.append(one)
    return tuple(until)


__all__ = [
    "PARAM",
    "Fixtures",
    "Given",
    "NotRun",
    "Row",
    "as_fixture",
    "name_of",
    "used_by",
]
