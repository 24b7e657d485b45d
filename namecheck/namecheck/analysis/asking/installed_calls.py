"""Calls into installed packages: how far a drive follows them, and the mistakes inside them.

These are reported at the call that leads to them, if they are certain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.evaluate import Exhausted
from namecheck.analysis.state.frames import Frame, Outcome

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.program_pieces import Source, SourceFile
    from namecheck.analysis.state.values import Function, Value

PATIENCE: Final = 3_000
"""The expressions that a call into a package may cost without one that is a tensor or a layer."""


def run_in_package(
    ev: Evaluator, frame: Frame, function: Function, run: Callable[[], Value]
) -> Value | None:
    """What a call in a drive gives; None if one into a package computes too long without a tensor.

    It may be bookkeeping of the package, which a drive need not follow to get to its end.
    """
    if not ev.reach.driven or ev.units.trace is not None or not _enters_package(frame, ev.frame):
        return run()
    number = id(function.record)
    if number in ev.memory.given_up:
        return None
    cells, facts, caller = ev.cells.copy(), ev.facts.copy(), ev.frame
    limit, patience = ev.reach.limit, ev.reach.patience
    ev.reach.patience = PATIENCE
    ev.reach.limit = min(limit, ev.steps + PATIENCE)
    try:
        return run()
    except Exhausted:
        if ev.steps >= ev.reach.bound:
            raise
        ev.frame, ev.cells, ev.facts, ev.alive = caller, cells, facts, True
        ev.memory.given_up.add(number)
        return None
    finally:
        ev.reach.patience = patience
        ev.reach.limit = max(limit, ev.reach.limit)


def leaves_package(outcome: Outcome, caller: Frame) -> bool:
    """Whether a mistake is in an installed package, and the code that calls it is not."""
    return _is_installed(outcome.source.file) and not _is_installed(caller.source.file)


def at_call(outcome: Outcome, caller: Frame, number: int, inside: int) -> Outcome | None:
    """A mistake in a package as one of the caller's expression with this number.

    `inside` is the number of the expression of the package.

    None if it is merely suspicious: what the authors of a package wrote is not the caller's to
    mend.
    """
    if outcome.level != "error" or outcome.requires is not None:
        return None
    line = _line_of(outcome.source, inside)
    note = ("inside this call", outcome.source, line)
    return outcome._replace(source=caller.source, node=number, labels=(), notes=(note,), roots=())


def _enters_package(frame: Frame, caller: Frame) -> bool:
    """Whether a call leads from the project into an installed package."""
    here, there = caller.source.file, frame.source.file
    return here is not there and _is_installed(there) and not _is_installed(here)


def _is_installed(file: SourceFile) -> bool:
    program = file.program
    return program is not None and program.is_installed(file.real)


def _line_of(source: Source, number: int) -> int:
    """The line, in its piece of a file, of the statement with an expression."""
    line = 1
    for statement in source.chunk.statements:
        for record in walk(statement):
            if isinstance(record, ir.Statement):
                line = record.line
            elif isinstance(record, ir.Expression) and record.id == number:
                return line
    return line
