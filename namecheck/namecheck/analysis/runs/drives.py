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
from typing import Any, Final

from namecheck.analysis.objects.module_rows import enter
from namecheck.analysis.python import classes
from namecheck.analysis.python.imports import Imported, Module, Program, key_of
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.records import lower_chunks
from namecheck.analysis.reading.unreadable import SourceError
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.runs import rows_of_tests
from namecheck.analysis.runs.standalone import run_alone, run_with
from namecheck.analysis.state import lineage
from namecheck.analysis.state.evaluate import Evaluator, Exhausted, Reach
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.independence import Independence
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.values import (
    Anything,
    Class,
    Container,
    Function,
    Instance,
    Layer,
    Tensor,
    Value,
)
from namecheck.frameworks.torch import FORWARD
from namecheck.text.examples import Examples, examples_in_docstrings
from namecheck_runtime.mistakes.claims import FalseAssertion

BOUND: Final = 100_000
"""The expressions that one entry point may cost, all calls included."""

PATIENCE: Final = 15_000
"""The expressions that it may cost without one that is a tensor or a layer.

What computes for so long with other things will hardly say anything about dims.
"""

DEEPEST: Final = 40
"""How deep the calls of a drive may be nested."""

MOST_IDLE: Final = 8
"""How many functions of a file are called with their defaults although they build no module."""

MAIN: Final = "main"
"""The name of functions that are programs although arguments may be passed to them."""

MODULE: Final = "<module>"
"""The name of the statements of a module as an entry point."""

LONGEST: Final = 64
"""The most elements that a loop in a drive takes one by one."""

MOST_LOADED: Final = 60
"""The most modules that are loaded for what their decorators enter in tables."""

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
    # It finds what the modules have put into their tables.
    world, module_cells = ev.cells.world, ev.module_cells
    ev.cells, ev.module_cells = ev.cells.copy(), module_cells.copy()
    program = ev.source.file.program
    if isinstance(program, Program):
        program.load_all = partial(_load_imported, program)
        ev.cells.world = ev.module_cells.world = program.tables.driven_world
    ev.module_cells.recent.update(ev.units.kept)
    try:
        yield
    finally:
        ev.cells.world, ev.module_cells = world, module_cells
        if isinstance(program, Program):
            program.load_all = None
        sys.setrecursionlimit(frames)
        options_set = ev.memory.options_set
        ev.reach, ev.memory = before
        ev.memory.options_set = options_set


def _load_imported(program: Program, ev: Evaluator) -> None:
    """Load the modules that those of the project import: their decorators may enter classes."""
    waiting = list(program.modules.values())
    seen = set(waiting)
    while waiting and len(seen) < MOST_LOADED:
        module = waiting.pop()
        if program.is_installed(key_of(module.found)):
            continue
        frame = module.load(ev)
        for value in list(frame.variables.values()) if frame is not None else ():
            other: Value = value
            if isinstance(value, Imported):
                other = value.module
                if other is module:  # `from . import models`
                    other = value.give(ev)
            if isinstance(other, Module) and other not in seen:
                seen.add(other)
                waiting.append(other)


def _is_finished(ev: Evaluator, evaluate: Callable[[], None], entry: str) -> bool:
    """Evaluate an entry point within the bound; what is certain is kept if that is too little.

    It counts, once under its name, if it calls a function of the project.
    """
    called, ev.units.called = ev.units.called, set()
    ev.steps = 0
    try:
        with driven(ev):
            evaluate()
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
    if _is_finished(ev, run, name):
        return
    frame.variables, ev.cells, ev.facts = variables, cells, facts
    del units.functions[defined[0] :], units.classes[defined[1] :]
    frame.seen, frame.wrong, frame.symbols = {}, {}, {}
    run()


def enter_decorated(ev: Evaluator, pieces: Sequence[Source]) -> None:
    """Let the decorators of a file enter its definitions in tables, where its drives find them."""
    cells, changed = ev.cells, dict[Any, Any]()
    try:
        with driven(ev):
            ev.cells = ev.module_cells = ev.cells.copy()
            ev.cells.recent.update(ev.units.kept)
            before = dict(ev.cells.recent)
            for piece in pieces:
                ev.module.source = piece
                for statement in piece.chunk.statements:
                    value = ev.module.variables.get(getattr(statement, "name", ""))
                    if isinstance(statement, (ir.FunctionDef, ir.ClassDef)) and value is not None:
                        if statement.decorators:
                            enter(ev, statement, ev.resolve(value))
            changed = {
                key: value
                for key, value in ev.cells.recent.items()
                if before.get(key) is not value and not isinstance(key, (Anything, Tensor))
            }
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
            return [partial(_evaluate_driven, ev, function, evaluate)]
        if not _needs_nothing(function):
            return [evaluate]
        if _is_command(ev, function):
            return [evaluate, partial(_build, ev, function, True)]
        return [evaluate, *([partial(_build, ev, function)] if _may_build(function) else [])]
    if not rows_of_tests.is_run(ev, function):
        return []
    if is_entry_point(function):
        if function.owner is None:
            return [partial(_evaluate_driven, ev, function, evaluate)]
        return [partial(_run_prepared, ev, function, evaluate)]
    return [evaluate, partial(_run_rows, ev, function)]


def _evaluate_driven(
    ev: Evaluator,
    function: Function,
    evaluate: Callable[[], None],
    run: Callable[[], None] | None = None,
) -> None:
    """Run an entry point to its end, or, if it costs more than the bound, evaluate it in parts."""
    if not _is_finished(ev, run or evaluate, _name(function)):
        evaluate()


def _name(function: Function) -> str:
    """The name of an entry point, which no other of its file has."""
    owner = "" if function.owner is None else f"{function.owner.name}."
    return f"{owner}{function.name}:{function.source.line + function.line}"


def _run_prepared(ev: Evaluator, function: Function, evaluate: Callable[[], None]) -> None:
    """Run a test method on the object that its class prepares."""

    def run() -> None:
        _fresh(ev)
        receiver = rows_of_tests.prepared(ev, function)
        if receiver is not None:
            run_with(ev, function, receiver, {})
        else:
            evaluate()

    _evaluate_driven(ev, function, evaluate, run)


def _run_rows(ev: Evaluator, function: Function) -> None:
    """Run a test once for each of its rows, with the values of its fixtures."""
    rows: list[rows_of_tests.Row] = []

    def run() -> None:
        _fresh(ev)
        receiver = rows_of_tests.prepared(ev, function)
        if receiver is None and function.owner is not None and function.kind == "function":
            receiver = Instance(function.owner, "self")
        rows.extend(rows_of_tests.rows_of(ev, function))
        module_cells, module_facts = ev.cells, ev.facts
        for row in rows:
            ev.cells, ev.facts = module_cells.copy(), module_facts.copy()
            ev.alive = True
            run_with(ev, function, receiver, row)
            ev.frame = ev.module

    _is_finished(ev, run, _name(function))


def _needs_nothing(function: Function) -> bool:
    """Whether a function may be called without the arguments that it takes."""
    if function.owner is not None or not function.parameters:
        return False
    return not any(
        parameter.default is None and not parameter.kind.startswith("variadic")
        for parameter in function.parameters
    )


def _is_command(ev: Evaluator, function: Function) -> bool:
    """Whether a function is a program by itself: a `main`, or what a command calls."""
    if function.name == MAIN:
        return True
    file = function.source.file
    if not isinstance(file.program, Program):
        return False
    names, read = file.program.project.commands(file.real)
    ev.used |= read
    return function.name in names


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

    def run() -> None:
        _fresh(ev)
        values.append(run_with(ev, function, None, None))

    is_finished = _is_finished(ev, run, _name(function))
    if is_finished and is_command:
        return
    if not is_finished or not isinstance(values[0], (Layer, Container, Instance)):
        del ev.found[count:]
        ev.units.built_nothing += 1
        ev.units.driven.discard(_name(function))
        ev.units.cut_off.discard(_name(function))


def evaluate_built(ev: Evaluator, cls: Class) -> None:
    """Build a module with its defaults, as numbers, and call it with unknown arguments.

    Who builds it may have to give some of them: what is wrong is a warning.
    """
    count = len(ev.found)
    init = lineage.look_up(cls.lineage, "__init__")
    forward = lineage.look_up(cls.lineage, FORWARD)
    assert isinstance(init, Function)
    assert isinstance(forward, Function)

    def run() -> None:
        _fresh(ev)
        caller = ev.frame = Frame(ev.module.source, ev.module.parent)
        caller.variables, caller.flow.driven = ev.module.variables, True
        instance = ev.call(cls, (), {}, None)
        ev.found += filter(_is_of_sizes, caller.certain())
        ev.frame = ev.module
        if not isinstance(instance, Instance):
            return
        classes.look_into(ev, instance)
        if ev.alive:
            run_alone(ev, forward, instance, keep=True)

    # Defaults that agree do not prove that the program builds the class with equal sizes.
    before, ev.independence = ev.independence, Independence(ev.units.classes)
    try:
        _is_finished(ev, run, f"{cls.name}:{cls.source.line + cls.line}")
    finally:
        ev.independence = before
    note = (f"{cls.name} is built with its defaults", init.source, init.line)
    wrong = ev.found[count:]
    del ev.found[count:]
    ev.found += [
        outcome._replace(level="warning", calls=outcome.calls + 1, notes=(*outcome.notes, note))
        for outcome in wrong
        if outcome.level == "error" and outcome.requires is None
    ]


def _is_of_sizes(outcome: Outcome) -> bool:
    """Whether a mistake is one of tensors: what is asserted of defaults asks for others."""
    return not isinstance(outcome.mistake, FalseAssertion)


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
    "evaluate_built",
    "example_pieces",
    "is_entry_point",
    "is_program",
    "name_of_piece",
    "of_prose",
    "run_driven",
    "ways_to_run",
]
