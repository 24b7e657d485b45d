"""The evaluation of one function or class by itself, so that a failure costs nothing else.

A bug of ours, or code that is too large or nested too deeply, becomes a finding.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable

from namecheck.analysis.python.imports import Program
from namecheck.analysis.runs.by_code_alone import key
from namecheck.analysis.state import inlays
from namecheck.analysis.state.evaluate import Evaluator, Exhausted
from namecheck.analysis.state.program_pieces import Modules
from namecheck.analysis.state.values import Class, Function
from namecheck.analysis.state.values.uses import ALONE
from namecheck.codes.coverage import left_unread
from namecheck.codes.troubles import INTERNAL_ERROR, TROUBLES
from namecheck.findings import Finding, Note, Span
from namecheck.times import BY_ITSELF, Part, Times, cpu_time
from namecheck_runtime.mistakes.sizes import ForcedLiteral

__all__ = ["check_wanted", "guarded", "times_of"]


def guarded(
    ev: Evaluator,
    path: str,
    troubles: list[Finding],
    unit: Function | Class | str,
    evaluate: Callable[[], None],
) -> None:
    """Evaluate something; a bug of ours is a finding, and the rest of the file is evaluated."""
    check_wanted(ev)
    name = unit if isinstance(unit, str) else unit.name
    before = len(ev.found)
    ev.steps = 0
    ev.memory.evaluated.clear()
    ev.stack = []
    ev.inlays.seen = {}
    ev.alive = True
    times = times_of(ev.module.source.file.program)
    begun = _begin(ev, unit)
    try:
        evaluate() if times is None else times.of(_part(path, unit), evaluate)
    except (Exhausted, RecursionError) as end:
        inlays.describe(ev, None)
        source, line = ev.stopped or ev.at
        ev.stopped = None
        large = "is too large to be evaluated as a whole"
        reason = large if isinstance(end, Exhausted) else "is nested too deeply"
        troubles.append(left_unread(path, source.whole_line(line), f"{name} {reason}"))
    except Exception as failure:  # a bug of ours must not keep the rest from being checked
        troubles.append(_internal(path, name, ev, failure))
    ev.frame = ev.module
    ev.alive = True
    if not isinstance(unit, str):
        for outcome in ev.found[before:]:
            ev.units.found_in.setdefault(key(outcome), set()).add(unit.source.line)
        _end(ev, unit, before, begun)


def _begin(ev: Evaluator, unit: Function | Class | str) -> float:
    """Note that a unit is evaluated now. Returns the time."""
    uses = ev.units.uses
    if uses is None:
        return 0.0
    if isinstance(unit, Class):
        uses.unit = unit.source, ALONE
    elif isinstance(unit, Function) and id(unit.record) not in ev.units.nested_done:
        uses.unit = unit.source, ALONE + unit.name
    uses.current = uses.unit
    return cpu_time()


def _end(ev: Evaluator, unit: Function | Class, before: int, begun: float) -> None:
    """Note how long the evaluation of a unit took, and what it has found: all after `before`."""
    uses = ev.units.uses
    if uses is None:
        return
    uses.seconds[uses.unit] = uses.seconds.get(uses.unit, 0.0) + cpu_time() - begun
    stamp = uses.stage, unit.source, unit.line, uses.unit[1]
    for place in range(before, len(ev.found)):
        outcome = ev.found[place]
        ev.found[place] = outcome._replace(unit=stamp)
        if outcome.requires is not None or isinstance(outcome.mistake, ForcedLiteral):
            uses.sized |= {unit.source, outcome.source}


def times_of(program: Modules | None) -> Times | None:
    """What takes down the times of an analysis; None if nothing does."""
    return program.times if isinstance(program, Program) else None


def _part(path: str, unit: Function | Class | str) -> Part:
    """What is evaluated, for a profile of the run."""
    if isinstance(unit, str):
        return Part(BY_ITSELF, path, unit, 0)
    owner = unit.owner if isinstance(unit, Function) else None
    name = unit.name if owner is None else f"{owner.name}.{unit.name}"
    return Part(BY_ITSELF, path, name, unit.source.line + unit.line - 1)


def check_wanted(ev: Evaluator) -> None:
    """Raise `Unwanted` if the text has changed while it was being analysed."""
    program = ev.module.source.file.program
    if program is not None:
        program.check_wanted()


def _internal(path: str, name: str, ev: Evaluator, failure: Exception) -> Finding:
    source, line = ev.at
    line += source.line - 1
    frames = traceback.extract_tb(failure.__traceback__)[-1:]
    notes = tuple(Note(f"raised in {f.filename.rpartition('/')[2]}:{f.lineno}") for f in frames)
    return Finding(
        path,
        Span(line, 1, line, 1),
        INTERNAL_ERROR,
        TROUBLES[INTERNAL_ERROR].name,
        TROUBLES[INTERNAL_ERROR].level,
        f"namecheck failed in {name}: {type(failure).__name__}: {failure}",
        notes=notes,
        hint="this is a bug in namecheck, not in your code; please report it",
    )
