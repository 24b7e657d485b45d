"""Drives: entry points of a program, with all inputs known, that are followed to their end.

A test without parameters, and the statements of a module, are concrete programs: every size behind
them is a number, and a contradiction is a crash. The budgets of calls are for code that is
evaluated on speculation; a drive has one bound for all that it reaches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.evaluate import Evaluator, Exhausted, Reach
from namecheck.analysis.state.values import Function

BOUND: Final = 400_000
"""The expressions that one entry point may cost, all calls included."""

DEEPEST: Final = 40
"""How deep the calls of a drive may be nested."""


LONGEST: Final = 64
"""The most elements that a loop in a drive takes one by one."""


def is_entry_point(function: Function) -> bool:
    """Whether nothing is given to a function: it is a test, or a program by itself."""
    record = function.record
    if not isinstance(record, ir.FunctionDef) or record.is_async:
        return False
    parameters = list(function.parameters)
    if function.owner is not None and function.kind != "static":
        if function.kind == "class" or not function.name.startswith("test"):
            return False
        parameters = parameters[1:]
    return not parameters


MOST_FRAMES: Final = 10_000
"""How deep Python's own calls may be nested meanwhile, where this code is not compiled."""


@contextmanager
def driven(ev: Evaluator) -> Iterator[None]:
    """Evaluate what follows as a drive."""
    before = ev.reach, ev.memory
    frames = sys.getrecursionlimit()
    sys.setrecursionlimit(max(frames, MOST_FRAMES))
    ev.reach = Reach(BOUND, DEEPEST, driven=True, unrolled=LONGEST)
    ev.memory = ev.memory.for_drives()
    try:
        yield
    finally:
        sys.setrecursionlimit(frames)
        options_set = ev.memory.options_set
        ev.reach, ev.memory = before
        ev.memory.options_set = options_set


def evaluate_driven(ev: Evaluator, evaluate: Callable[[], None]) -> None:
    """Evaluate an entry point to its end, or, if it costs more than the bound, in parts."""
    count = len(ev.found)
    try:
        with driven(ev):
            evaluate()
    except (Exhausted, RecursionError):
        ev.stopped = None
        del ev.found[count:]
        ev.frame, ev.alive, ev.stack, ev.steps = ev.module, True, [], 0
        ev.inlays.seen = {}
        evaluate()
