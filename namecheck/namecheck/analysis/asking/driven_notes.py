"""The notes on the calls that led to a mistake: in a drive, with the numbers of each call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck.analysis.state import inlays
from namecheck.analysis.state.frames import CALLED, Frame
from namecheck.analysis.state.values import Number, Tensor
from namecheck_runtime.lattice import UNKNOWN, show

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.analysis.state.values import Function

_SHOWN: Final = 4
"""The most arguments of a call that are shown."""

_LONGEST: Final = 72
"""The most characters of a statement that are quoted."""


def call_note(ev: Evaluator, caller: Frame, callee: Frame | None) -> str:
    """The note on a call that has shown a mistake of its callee, or of what that has called."""
    if not ev.reach.driven:
        return CALLED
    numbers = "" if callee is None else _numbers(ev, callee)
    called = f"called with {numbers}" if numbers else CALLED
    if caller.depth:
        return called
    code = caller.source.code_of(caller.line)
    if not code:
        return called
    if len(code) > _LONGEST:
        code = f"{code[: _LONGEST - 3]}..."
    return f"driven by `{code}`" + (f", {called}" if numbers else "")


def keep_given(ev: Evaluator, frame: Frame, function: Function) -> None:
    """Keep what a call in a drive was given, for the notes on it and for `show --driven`."""
    frame.given, frame.line = frame.variables.copy(), function.line
    driven = ev.inlays.driven
    if driven is not None:
        if driven.seen is not None and not inlays.is_sure(driven, ev.frame):
            driven.unsure.add(frame)
        for name, value in frame.given.items():
            inlays.note_driven(ev, name, value, "parameter", frame)


def _numbers(ev: Evaluator, callee: Frame) -> str:
    """The dims and numbers that a call has passed, by the names of the parameters."""
    shown = []
    for name, given in callee.given.items():
        value = ev.resolve(given)
        if isinstance(value, Tensor):
            shape = ev.current(value.shape)
            if shape is not UNKNOWN:
                shown.append(f"{name} {show(shape)}")
        elif isinstance(value, Number) and isinstance(value.size, int):
            shown.append(f"{name} {value.size}")
    more = ", ..." if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more


__all__ = ["call_note", "keep_given"]
