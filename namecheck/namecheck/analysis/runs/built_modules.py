"""Modules that a program builds with numbers: they are called as their own code describes inputs.

A factory, a script or a class whose arguments have defaults says every size of a module, and often
nothing calls it. Its input is unknown then, but what the module was built with is not: the first
layer knows its channels, an unpacking the number of dims, an assertion the size of an image. All
else of the input are symbols, so that what does not fit fits no input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from namecheck.analysis.python import assigned_elsewhere
from namecheck.analysis.runs.standalone import run_alone
from namecheck.analysis.state import lineage
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Outcome
from namecheck.analysis.state.values import Function, Instance, Value
from namecheck.frameworks.torch import FORWARD
from namecheck_runtime.mistakes.claims import FalseAssertion

LAST: Final = 100
"""A number of calls above those that lead to what a program shows."""


def call_with_unknown(ev: Evaluator, instance: Instance) -> None:
    """Call a module that was built with numbers, with an unknown input; keep what is wrong.

    If later lines teach the ranks of what earlier ones have, it is called once more.
    """
    forward = lineage.look_up(instance.cls.lineage, FORWARD)
    assert isinstance(forward, Function)
    for part in _parts(ev, instance):
        assigned_elsewhere.forget_rebound(ev, part)
        assigned_elsewhere.forget_replaced(ev, part)
    saved = ev.inlays.known, ev.assigned, ev.expressions
    ev.inlays.known, ev.assigned, ev.expressions = {}, {}, {}
    cells, facts = ev.cells.copy(), ev.facts.copy()
    ev.learned = {}
    try:
        run_alone(ev, forward, instance, keep=True, ranks={})
        if ev.learned:
            ev.cells, ev.facts, ev.alive = cells, facts, True
            run_alone(ev, forward, instance, keep=True, ranks=ev.learned)
    finally:
        ev.inlays.known, ev.assigned, ev.expressions = saved


def _parts(ev: Evaluator, module: Instance) -> list[Instance]:
    """A module and those that were built since its constructor began."""
    owners = {
        key[0] for key in ev.cells.made_since(module.serial) if type(key) is tuple and len(key) == 2
    }
    parts = [one for one in owners if isinstance(one, Instance) and lineage.is_module(one.cls)]
    return sorted({*parts, module}, key=lambda one: one.serial)


def is_callable(instance: Value) -> bool:
    """Whether a value is a module of the project that says what it does with an input."""
    if not isinstance(instance, Instance) or not lineage.is_module(instance.cls):
        return False
    return isinstance(lineage.look_up(instance.cls.lineage, FORWARD), Function)


def as_warnings(wrong: Sequence[Outcome], note: tuple[str, object, int]) -> list[Outcome]:
    """What is wrong in a module that was built so: who builds it may change it before a call.

    What the file shows otherwise comes first.
    """
    return [
        outcome._replace(level="warning", calls=outcome.calls + LAST, notes=(*outcome.notes, note))
        for outcome in wrong
        if outcome.level == "error" and outcome.requires is None and is_of_sizes(outcome)
    ]


def is_of_sizes(outcome: Outcome) -> bool:
    """Whether a mistake is one of tensors: what is asserted of defaults asks for others."""
    return not isinstance(outcome.mistake, FalseAssertion)


__all__ = ["as_warnings", "call_with_unknown", "is_callable", "is_of_sizes"]
