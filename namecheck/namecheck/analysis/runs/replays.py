"""Calls that an earlier run has written down, evaluated again with the functions as they are now.

A result rests on what the calls of other files' functions gave. If such a function was edited and
its calls give and do what they did, the result holds.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from namecheck.analysis.comparing import observations
from namecheck.analysis.comparing.forms import Made
from namecheck.analysis.gradients import modes
from namecheck.analysis.python.functions import run_frame
from namecheck.analysis.python.imports import Definition, Found, Program
from namecheck.analysis.python.interpreter import Interpreter
from namecheck.analysis.reading import ir
from namecheck.analysis.state.evaluate import Evaluator, Exhausted
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.program_pieces import Source, SourceFile
from namecheck.analysis.state.values import Function
from namecheck.analysis.state.values.grad_modes import Following, Mode
from namecheck.findings import EvaluatedCall
from namecheck.text.file_parts import Used
from namecheck_runtime.light.collector import CollectorPaused

__all__ = ["replay"]


def replay(program: Program, call: EvaluatedCall) -> tuple[bool, frozenset[Used]]:
    """Whether a call gives and does the same if it is evaluated again, and what it uses.

    Raises nothing.
    """
    with CollectorPaused():
        try:
            return _replay(program, call)
        except Exception:  # a bug of ours is found when the file is checked
            return _OTHER


_OTHER: Final[tuple[bool, frozenset[Used]]] = (False, frozenset())


def _replay(program: Program, call: EvaluatedCall) -> tuple[bool, frozenset[Used]]:
    file = SourceFile("", "", program)
    ev = Interpreter(Source(file, "", 1, ir.Chunk((), (), 0)), program.tables.world)
    modes.begin_file(ev, file)
    ev.inlays.wanted = False
    at, _, name = call.path.rpartition("/")
    folder = at if name == "__init__.py" else None
    module = program.module(Found(call.module, call.path, folder), "")
    frame = module.load(ev)
    definition = None if frame is None else frame.variables.get(call.name)
    if not isinstance(definition, Definition):
        return _OTHER
    function = definition.give(ev)
    if not isinstance(function, Function) or not observations.is_plain(function):
        return _OTHER
    context, rows = msgspec.msgpack.decode(call.form)
    inner = _frame(ev, function, context)
    made = Made(ev)
    for parameter, form in rows:
        inner.variables[parameter] = made.value(form)
    gave = _run(ev, inner, function, call)
    return gave == call, frozenset(ev.used)


def _frame(ev: Evaluator, function: Function, context: Any) -> Frame:
    """The frame of a call in a context that was written down; the walk is in that of its caller."""
    hearsay, units, walk, flags, (depth, under_tests), square = context
    ev.hearsay.left_out, ev.hearsay.undeclared, ev.hearsay.as_passed = hearsay
    ev.units.drives, ev.units.options_unknown, ev.units.finds_tables, ev.units.imported = units
    ev.by_defaults, ev.spelled, mode = walk
    ev.gradients.following = Following(Mode[mode], False)
    ev.ranks.square = frozenset((left, right) for left, right in square)
    quiet, unsure, doubtful, builds = flags
    ev.frame = Frame(ev.source, ev.module, function, depth - 1)
    frame = Frame(function.source, function.scope, function, depth)
    ev.frame.quiet = frame.quiet = int(quiet)
    frame.flow.unsure, frame.flow.doubtful, frame.builds = unsure, doubtful, builds
    frame.ways.called_under_tests = under_tests
    return frame


def _run(
    ev: Evaluator, frame: Frame, function: Function, call: EvaluatedCall
) -> EvaluatedCall | None:
    """The call as it would be written down now; None if it cannot be compared."""
    compared = ev.compared
    compared.is_on = True
    ev.steps = 0
    ev.reach.limit = call.room if call.room >= 0 else observations.ANY
    facts = ev.facts.copy()
    observed = observations.begin(ev, frame, function, facts)
    if observed is None or observed.form != call.form:
        return None
    compared.current, compared.start, compared.inside = observed, 0, 0
    compared.is_on = False
    compared.planned = list(call.costs)
    try:
        result = run_frame(ev, frame, function, None)
    except Exhausted:
        return observations.cut(ev, observed, function)
    return observations.end(ev, observed, frame, function, result)
