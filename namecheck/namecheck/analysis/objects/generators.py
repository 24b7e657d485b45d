"""What a generator of the project yields, in a drive: `def batches(rows): ... yield rows[:2]`.

A drive evaluates the body of a generator where it is called, and keeps what it yields in a list of
its own, on each path. Where the number of values is known, they are the elements that the caller
gets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.joining import element_of
from namecheck.analysis.state.values import (
    Anything,
    Function,
    List,
    Repeated,
    Tuple,
    Value,
    join,
)

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.frames import Frame

_YIELDED: Final = "<yielded>"
"""The variable of a frame that has the list of what was yielded so far."""


def begin(ev: Evaluator, frame: Frame, function: Function) -> None:
    """Prepare a frame in a drive for what its function may yield."""
    if not ev.reach.driven or not isinstance(function.record, ir.FunctionDef):
        return
    key = id(function.record)
    body = ev.reach.entering.pop(key, None)
    if body is not None:
        ev.reach.bodies[frame] = body
    is_one = ev.memory.generators.get(key)
    if is_one is None:
        is_one = ev.memory.generators[key] = not function.record.is_async and any(
            isinstance(inner, (ir.Yield, ir.YieldFrom)) for inner in walk(function.record)
        )
    if is_one:
        frame.variables[_YIELDED] = row = List()
        ev.cells[row] = ()


def note(ev: Evaluator, more: tuple[Value, ...] | Repeated | None) -> None:
    """Add what is yielded: one value, or all of a row; None for a row that is not known."""
    row = ev.frame.variables.get(_YIELDED)
    if not isinstance(row, List):
        return
    held = ev.cells.get(row)
    if isinstance(held, tuple) and isinstance(more, tuple):
        ev.fill(row, (*held, *more))
    elif more is None or held is None or (isinstance(more, tuple) and not more):
        ev.cells[row] = Repeated(Anything()) if more is None or held is None else held
    else:
        added = element_of(more)
        ev.cells[row] = Repeated(added if held == () else join(element_of(held), added))


def result(ev: Evaluator, frame: Frame, ends: bool) -> Value:
    """What the call of a generator gives, on the path behind it; `ends` if its body does end."""
    row = frame.variables.get(_YIELDED)
    held = ev.cells.get(row) if isinstance(row, List) and ends else None
    if isinstance(held, tuple):
        return Tuple(held, is_generator=True)
    return held if isinstance(held, Repeated) else Anything()
