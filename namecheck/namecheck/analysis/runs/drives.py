"""Drives: entry points of a program, with all inputs known, that are followed to their end.

The statements of a module, a function without parameters, each row of a test and each example in
prose are concrete programs: every size behind them is a number, and a contradiction is a crash. The
budgets of calls are for code that is evaluated on speculation; a drive has one bound for all that
it reaches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from namecheck.analysis.objects import commands
from namecheck.analysis.objects.module_rows import World
from namecheck.analysis.python.imports import Program
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.records import lower_chunks
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.runs import built_modules, registries, rows_of_tests
from namecheck.analysis.runs.by_defaults import CallsByName
from namecheck.analysis.runs.standalone import run_with
from namecheck.analysis.state import inlays, lineage
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator, Exhausted, Reach
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.independence import Independence
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.values import Class, Container, Function, Instance, Layer, Value
from namecheck.frameworks.torch import FORWARD, TRAINING
from namecheck.text.examples import Examples, examples_in_docstrings
from namecheck.text.file_parts import BYTES
from namecheck.times import DRIVES

BOUND: Final = 100_000
"""The expressions that one entry point may cost, all calls included."""

PATIENCE: Final = 20_000
"""The expressions that it may cost without one that is a tensor or a layer.

What computes for so long with other things will hardly say anything about dims.
"""

DEEPEST: Final = 40
"""How deep the calls of a drive may be nested."""

MOST_IDLE: Final = 8
"""How many functions of a file are called with their defaults although they build no module."""

MOST_COMMANDS: Final = 6
"""How many commands of a command line are tried, one after the other."""

MAIN: Final = "main"
"""The name of functions that are programs although arguments may be passed to them."""

MODULE: Final = "<module>"
"""The name of the statements of a module as an entry point."""

MOST_BUILT: Final = 4
"""How many modules of one class are called that drives have built."""

LONGEST: Final = 64
"""The most elements that a loop in a drive takes one by one."""

MOST_FRAMES: Final = 10_000
"""How deep Python's own calls may be nested meanwhile, where this code is not compiled."""


def is_entry_point(function: Function) -> bool:
    """Whether nothing is given to a function: it is a test, or a program by itself."""
    record = function.record
    if not isinstance(record, ir.FunctionDef) or record.is_async:
        return False
    parameters = list(function.parameters)
    if function.owner is not None and function.kind != "static":
        if function.kind == "class" or not rows_of_tests.is_test(function):
            return False
        parameters = parameters[1:]
    return not parameters


@contextmanager
def driven(ev: Evaluator) -> Iterator[None]:
    """Evaluate what follows as a drive."""
    before = ev.reach, ev.memory
    frames = sys.getrecursionlimit()
    sys.setrecursionlimit(max(frames, MOST_FRAMES))
    # A file whose drives are cut off has few left: each may cost little.
    bound = BOUND if ev.units.wasted < BOUND else PATIENCE
    ev.reach = Reach(PATIENCE, DEEPEST, True, bound, PATIENCE, LONGEST)
    ev.memory = ev.memory.for_drives()
    world, module_cells = ev.cells.world, ev.module_cells
    ev.cells, ev.module_cells = ev.cells.copy(), module_cells.copy()
    if ev.units.finds_tables:
        _find_tables(ev)
    try:
        yield
    finally:
        ev.cells.world, ev.module_cells = world, module_cells
        sys.setrecursionlimit(frames)
        options_set = ev.memory.options_set
        ev.reach, ev.memory = before
        ev.memory.options_set = options_set


def _find_tables(ev: Evaluator) -> None:
    """Let a drive find what the modules have put into their tables."""
    program = ev.source.file.program
    if isinstance(program, Program):
        if ev.units.world is None:
            ev.units.world = World(program.tables, partial(registries.enter_imported, ev, program))
        ev.cells.world = ev.module_cells.world = ev.units.world
    ev.module_cells.recent.update(ev.units.kept)


def _is_finished(ev: Evaluator, evaluate: Callable[[], None], entry: str) -> bool:
    """Evaluate an entry point within the bound; what is certain is kept if that is too little.

    It counts, once under its name, if it calls a function of the project.
    """
    called, ev.units.called = ev.units.called, set()
    ev.steps = 0
    try:
        with driven(ev):
            _timed(ev, evaluate)
            ev.units.built += ev.reach.built
    except (Exhausted, RecursionError):
        ev.units.wasted += ev.steps
        ev.units.cut_off.add(entry)
        ev.stopped = None
        ev.inlays.seen = {}
        _begin_again(ev)
        return False
    finally:
        # A function is called by its own drive, too.
        if len(ev.units.called) > (not entry.startswith(MODULE)):
            ev.units.driven.add(entry)
        reached = set(ev.units.called)
        ev.units.called |= called
    ev.units.reached |= reached
    return True


def _timed(ev: Evaluator, evaluate: Callable[[], None]) -> None:
    """Evaluate what belongs to a drive; a profile of the run tells it from what does not."""
    program = ev.module.source.file.program
    if isinstance(program, Program) and program.times is not None:
        program.times.inside(DRIVES, evaluate)
    else:
        evaluate()


def call_built(ev: Evaluator) -> None:
    """Call the modules that drives have built and no drive has called, with unknown inputs."""
    built, ev.units.built = ev.units.built, []
    if ev.units.wasted > BOUND:
        return  # what they need takes too long in this file
    for instance, source, line in built:
        if not isinstance(instance, Instance) or (instance, TRAINING) not in ev.cells:
            continue
        forward = lineage.look_up(instance.cls.lineage, FORWARD)
        if not isinstance(forward, Function) or id(forward.record) in ev.units.reached:
            continue
        if ev.units.tried.count(instance.cls) >= MOST_BUILT:
            continue
        ev.units.tried.append(instance.cls)
        cells, facts = ev.cells.copy(), ev.facts.copy()
        note = (f"{instance.cls.name} is built here", source, line)
        _call_unknown(ev, instance, note)
        ev.cells, ev.facts = cells, facts


def _call_unknown(ev: Evaluator, instance: Instance, note: tuple[str, Source, int]) -> bool:
    """Call a module with unknown inputs; what is wrong with any of them is a warning.

    Returns whether the bound was enough for it.
    """
    count = len(ev.found)
    called, ev.units.called = ev.units.called, set()
    ev.steps, ev.alive, ev.frame = 0, True, ev.module
    try:
        with driven(ev):
            _timed(ev, partial(built_modules.call_with_unknown, ev, instance))
    except (Exhausted, RecursionError):
        ev.units.wasted += ev.steps
        ev.stopped = None
        ev.inlays.seen = {}
        _begin_again(ev)
        del ev.found[count:]
        return False
    finally:
        reached = set(ev.units.called)
        ev.units.called |= called
    ev.frame = ev.module
    ev.units.reached |= reached
    wrong = ev.found[count:]
    del ev.found[count:]
    ev.found += built_modules.as_warnings(wrong, note)
    return True


def _begin_again(ev: Evaluator) -> None:
    ev.frame, ev.alive, ev.stack, ev.steps = ev.module, True, [], 0


# The module


def is_program(piece: Source) -> bool:
    """Whether a piece of a module does more than to define and to import."""
    return any(
        isinstance(record, ir.Call)
        for statement in piece.chunk.statements
        if not isinstance(statement, (ir.FunctionDef, ir.ClassDef))
        for record in walk(statement)
    )


def name_of_piece(piece: Source, prose: Examples | None) -> str:
    """The name of a piece of a module as an entry point: those of one example share it."""
    if prose is None or not piece.chunk.statements:
        return MODULE
    return f"{MODULE}:{prose.example_at(piece.line + piece.chunk.statements[0].line - 1)}"


def run_driven(ev: Evaluator, run: Callable[[], None], name: str) -> None:
    """Run a piece of the module as a drive, or, if it costs more than the bound, in parts."""
    frame, units = ev.module, ev.units
    variables, cells, facts = dict(frame.variables), ev.cells.copy(), ev.facts.copy()
    defined = len(units.functions), len(units.classes)

    def begin() -> None:
        frame.variables, ev.cells, ev.facts = dict(variables), cells.copy(), facts.copy()
        del units.functions[defined[0] :], units.classes[defined[1] :]
        frame.seen, frame.wrong, frame.symbols = {}, {}, {}

    if not _is_finished(ev, run, name):
        begin()
        run()
        return
    for number in _other_commands(ev):
        begin()
        ev.units.command, ev.alive = number, True
        _is_finished(ev, run, name)
    ev.units.command = 0


def _other_commands(ev: Evaluator) -> range:
    """The numbers of the commands that the user of a program may name besides the first."""
    count, ev.units.commands = ev.units.commands, 0
    return range(1, min(count, MOST_COMMANDS))


def enter_decorated(ev: Evaluator, pieces: Sequence[Source]) -> None:
    """Let the decorators of a file enter its definitions in tables, where its drives find them."""
    cells = ev.cells
    changed: dict[object, object] = {}
    try:
        with driven(ev):
            changed = registries.enter_own(ev, pieces)
    except (Exhausted, RecursionError):
        _begin_again(ev)
    ev.cells = cells
    ev.units.kept.update(changed)


# Functions


def ways_to_run(
    ev: Evaluator, function: Function, evaluate: Callable[[], None]
) -> list[Callable[[], None]]:
    """How a function is evaluated: by itself, or as an entry point, once for each row of a test."""
    record = function.record
    if ev.trials.calls is not None and is_entry_point(function):
        return [partial(_evaluate_driven, ev, function, evaluate)]
    if not ev.units.drives or not isinstance(record, ir.FunctionDef) or record.is_async:
        return [evaluate]
    if not rows_of_tests.is_test(function):
        if id(record) in ev.units.reached:
            return [evaluate]  # another entry point calls it, with all that it needs
        if is_entry_point(function):
            return [partial(_evaluate_called, ev, function, evaluate)]
        if commands.is_command(ev, function):
            return [evaluate, partial(_run_command, ev, function)]
        if not _needs_nothing(function):
            if function.owner is None and not function.name.startswith("_"):
                if built_modules.builds_parts(ev, function):
                    return [evaluate, partial(_build, ev, function)]
            return [evaluate]
        if _is_command(ev, function):
            return [evaluate, partial(_build, ev, function, True)]
        return [evaluate, *([partial(_build, ev, function)] if _may_build(function) else [])]
    if not rows_of_tests.is_run(ev, function, function.owner):
        return []
    if not rows_of_tests.is_as_written(ev, function, function.owner):
        return [evaluate]
    is_prepared = rows_of_tests.is_prepared(ev, function, function.owner)
    if is_entry_point(function):
        run = partial(_run_rows, ev, function, function.owner) if is_prepared else None
        return [partial(_evaluate_driven, ev, function, evaluate, run)]
    return [evaluate, partial(_run_test, ev, function, function.owner)]


def _evaluate_driven(
    ev: Evaluator,
    function: Function,
    evaluate: Callable[[], None],
    run: Callable[[], None] | None = None,
) -> None:
    """Run an entry point to its end, or, if it costs more than the bound, evaluate it in parts."""
    if _is_finished(ev, run or evaluate, _name(function)):
        call_built(ev)
    else:
        evaluate()
        return
    for number in _other_commands(ev):
        ev.units.command, ev.alive, ev.frame = number, True, ev.module
        _is_finished(ev, run or evaluate, _name(function))
    ev.units.command = 0


def _evaluate_called(ev: Evaluator, function: Function, evaluate: Callable[[], None]) -> None:
    """Run a function without parameters: a program, or something that one calls at any time."""
    ev.units.finds_tables = function.name == MAIN
    try:
        _evaluate_driven(ev, function, evaluate)
    finally:
        ev.units.finds_tables = True


def _name(function: Function) -> str:
    """The name of an entry point, which no other of its file has."""
    owner = "" if function.owner is None else f"{function.owner.name}."
    return f"{owner}{function.name}:{function.source.line + function.line}"


def _run_rows(ev: Evaluator, function: Function, owner: Class | None) -> None:
    """Run a test once for each of its rows, with the values of its fixtures."""
    rows_of_tests.run_rows(ev, function, owner, partial(_fresh, ev), run_with)


def _run_test(ev: Evaluator, function: Function, owner: Class | None) -> None:
    name = _name(function)
    if owner is not None and owner is not function.owner:
        name = f"{owner.name} {name}"
    if _is_finished(ev, partial(_run_rows, ev, function, owner), name):
        call_built(ev)


def inherited_tests(ev: Evaluator, cls: Class) -> list[Callable[[], None]]:
    """How the tests are run that a class has from its bases."""
    if not ev.units.drives or not rows_of_tests.is_collected(cls):
        return []
    return [
        partial(_run_test, ev, function, cls)
        for function in rows_of_tests.inherited(ev, cls)
        if rows_of_tests.is_run(ev, function, cls)
        and rows_of_tests.is_as_written(ev, function, cls)
    ]


def _needs_nothing(function: Function) -> bool:
    """Whether a function may be called without the arguments that it takes."""
    if function.owner is not None or not function.parameters:
        return False
    return not any(parameter.is_required for parameter in function.parameters)


def _is_command(ev: Evaluator, function: Function) -> bool:
    """Whether a function is a program by itself: a `main`, or what a command calls."""
    if function.name == MAIN:
        return True
    file = function.source.file
    if not isinstance(file.program, Program):
        return False
    names, read = file.program.project.commands(file.real)
    ev.used |= {(place, BYTES) for place in read}
    return function.name in names


def _run_command(ev: Evaluator, function: Function) -> None:
    """Call a function that a library calls with the options of the command line."""

    def run() -> None:
        _fresh(ev)
        run_with(ev, function, None, commands.given(ev, function))

    _is_finished(ev, run, _name(function))


def _may_build(function: Function) -> bool:
    """Whether a function may return what it builds."""
    if function.name.startswith("_"):
        return False
    end = function.body[-1] if function.body else None
    return isinstance(end, ir.Return) and any(
        isinstance(record, ir.Call) for record in walk(function.record)
    )


def _build(ev: Evaluator, function: Function, is_command: bool = False) -> None:
    """Call a function with its defaults; what is wrong is kept if it is a command, or builds a
    module.
    """
    if ev.units.built_nothing >= MOST_IDLE:
        return
    count = len(ev.found)
    values: list[Value] = []
    symbols: list[str] = []

    def run() -> None:
        _fresh(ev)
        given = built_modules.given_to(ev, function)
        symbols.extend(given)
        values.append(run_with(ev, function, None, given))

    # Symbols and defaults that agree do not prove that the program builds with equal sizes.
    before = ev.independence
    if _needs_nothing(function):
        is_finished = _is_finished(ev, run, _name(function))
    else:
        ev.independence = Independence(ev.units.classes)
        with inlays.unseen(ev):
            is_finished = _is_finished(ev, run, _name(function))
    ev.independence = before
    wrong = ev.found[count:]
    del ev.found[count:]
    builds = is_finished and isinstance(values[0], (Layer, Container, Instance))
    if (is_finished and is_command) or builds:
        if symbols:
            called = f"{function.name} is called {built_modules.worded(function, symbols)}"
            note = (called, function.source, function.line)
            wrong = built_modules.as_warnings(wrong, note)
        ev.found += wrong
    else:
        ev.units.built_nothing += 1
        ev.units.driven.discard(_name(function))
        ev.units.cut_off.discard(_name(function))
    if is_finished:
        call_built(ev)


def evaluate_built(ev: Evaluator, cls: Class, calls: Callable[[], CallsByName]) -> None:
    """Build a module with its defaults, as numbers, and call it with unknown arguments.

    Who builds it may have to give some of them: what is wrong is a warning. `calls` of the file
    show which ones are given wherever it is built there.
    """
    init = lineage.look_up(cls.lineage, "__init__")
    assert isinstance(init, Function)
    count = len(ev.found)
    built: list[Instance] = []
    symbols: list[str] = []

    def run() -> None:
        _fresh(ev)
        caller = ev.frame = Frame(ev.module.source, ev.module.parent)
        caller.variables, caller.flow.driven = ev.module.variables, True
        always = built_modules.always_given(cls, calls().get(cls.name, ()))
        given = built_modules.given_to(ev, init, 1, always)
        symbols.extend(given)
        keywords = {name: Argument(value) for name, value in given.items()}
        instance = ev.call(cls, (), keywords, None)
        ev.found += caller.certain()
        ev.frame = ev.module
        ev.reach.built.clear()
        if isinstance(instance, Instance):
            built.append(instance)

    entry = f"{cls.name}:{cls.source.line + cls.line}"
    # Defaults that agree do not prove that the program builds the class with equal sizes.
    before, ev.independence = ev.independence, Independence(ev.units.classes)
    try:
        with inlays.unseen(ev):
            _is_finished(ev, run, entry)
        wrong = ev.found[count:]
        del ev.found[count:]
        text = f"{cls.name} is built {built_modules.worded(init, symbols)}"
        note = (text, init.source, init.line)
        ev.found += built_modules.as_warnings(wrong, note)
        if built and ev.alive and _call_unknown(ev, built[0], note):
            ev.units.driven.add(entry)
    finally:
        ev.independence = before


def _fresh(ev: Evaluator) -> None:
    ev.frame, ev.alive = ev.module, True
    ev.cells, ev.facts = ev.module_cells.copy(), ev.module_facts.copy()


# Examples in prose


def example_pieces(file: SourceFile, text: str) -> list[Source]:
    """The examples in the docstrings of a file, as functions without parameters."""
    examples = examples_in_docstrings(text)
    if examples is None:
        return []
    try:
        chunks = lower_chunks(examples.text)
    except SourceError:
        return []
    return [
        Source(file, chunk.text, chunk.line, records, examples.columns)
        for chunk, records in chunks
        if records.statements
    ]


def of_prose(outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """The outcomes of code, and those that examples in prose alone show, as warnings."""
    code: list[Outcome] = []
    prose: list[Outcome] = []
    for outcome in outcomes:
        if outcome.source.is_prose or _is_driven_by_prose(outcome):
            level = "warning" if outcome.level == "error" else outcome.level
            prose.append(outcome._replace(level=level))
        else:
            code.append(outcome)
    return code, prose


def _is_driven_by_prose(outcome: Outcome) -> bool:
    return outcome.driver is not None and bool(outcome.driver[0].is_prose)


__all__ = [
    "call_built",
    "evaluate_built",
    "example_pieces",
    "is_entry_point",
    "is_program",
    "name_of_piece",
    "of_prose",
    "run_driven",
    "ways_to_run",
]
