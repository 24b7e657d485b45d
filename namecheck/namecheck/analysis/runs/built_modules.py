"""Modules that a program builds with numbers: they are called as their own code describes inputs.

A factory, a script or a class whose arguments have defaults says every size of a module, and often
nothing calls it. Its input is unknown then, but what the module was built with is not: the first
layer knows its channels, an unpacking the number of dims, an assertion the size of an image. All
else of the input are symbols, so that what does not fit fits no input.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from namecheck.analysis.evidence import moments
from namecheck.analysis.python import assigned_elsewhere
from namecheck.analysis.python.functions import run_frame
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.runs.by_defaults import is_for_no_elements, is_placeholder, left_out
from namecheck.analysis.runs.standalone import alone, bind_alone
from namecheck.analysis.state import hindsight, inlays, lineage
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.unknown_ranks import Ranks
from namecheck.analysis.state.values import (
    LEFT_OUT,
    Anything,
    Class,
    Function,
    Instance,
    Value,
)
from namecheck.frameworks import transformers
from namecheck.frameworks.torch import FORWARD
from namecheck_runtime.mistakes.claims import FalseAssertion

MOST_FOLLOWED: Final = 16
"""How many functions are looked at for what one of them builds."""

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
    cells, facts = ev.cells.copy(), ev.facts.copy()
    ev.learned = {}
    with inlays.unseen(ev):
        ev.found += _call(ev, forward, instance, {})
        if ev.learned:
            ev.cells, ev.facts, ev.alive = cells, facts, True
            ev.found += _call(ev, forward, instance, ev.learned)


def _call(
    ev: Evaluator, forward: Function, instance: Instance, ranks: Mapping[int | str, int]
) -> list[Outcome]:
    """What is wrong if a module is called with what its method requires.

    What has a default is left out; what says so by None may be passed as well.
    """
    frame = Frame(forward.source, forward.scope, forward)
    frame.receiver, frame.line, frame.flow.driven = instance, forward.line, True
    ev.frame = frame
    bind_alone(ev, frame, forward)
    passed = _placeholders_passed(forward)
    for name, value in left_out(ev, forward).items():
        if value is not LEFT_OUT and name not in passed:
            frame.variables[name] = value
    moments.function_begins(ev, frame, False)
    before = ev.ranks, ev.on_expression
    ev.ranks = Ranks()
    ev.ranks.hindsight = hindsight.begin(ev, frame, ranks)
    ev.frame = Frame(ev.module.source, ev.module.parent)
    ev.frame.variables = ev.module.variables
    try:
        run_frame(ev, frame, forward, None)
        ev.learned = hindsight.learned(ev)
    finally:
        ev.ranks, ev.on_expression = before
        ev.frame = ev.module
    return frame.certain()


def _placeholders_passed(forward: Function) -> frozenset[str]:
    """The parameters with a placeholder by default to which its file passes something by name.

    `blocks: int = -1` and `layer(x, blocks=len(rows))`: no call may get along with the default.
    """
    names = {one.name for one in forward.parameters if is_placeholder(one)}
    if not names:
        return frozenset()
    return frozenset(
        keyword.name
        for statement in forward.source.file.statements()
        for record in walk(statement)
        if isinstance(record, ir.Call)
        for keyword in record.keywords
        if keyword.name in names and not isinstance(keyword.value, (ir.Int, ir.Unary, ir.Tuple))
    )


def _parts(ev: Evaluator, module: Instance) -> list[Instance]:
    """A module and those that were built since its constructor began."""
    owners = {
        key[0] for key in ev.cells.made_since(module.serial) if type(key) is tuple and len(key) == 2
    }
    parts = [one for one in owners if isinstance(one, Instance) and lineage.is_module(one.cls)]
    return sorted({*parts, module}, key=lambda one: one.serial)


def given_to(
    ev: Evaluator, function: Function, skipped: int = 0, named: Collection[str] = ()
) -> dict[str, Value]:
    """What is passed to a function for the parameters that have no default, and for some others.

    It is any value, or, if it is declared to be of a class that needs no arguments, an instance.
    """
    given: dict[str, Value] = {}
    for parameter in function.parameters[skipped:]:
        if parameter.is_required or parameter.name in named:
            value = _configuration(ev, parameter)
            given[parameter.name] = value or alone(ev, function, parameter, True)
    return given


def always_given(cls: Class, calls: Sequence[ir.Call]) -> frozenset[str]:
    """The parameters that are None by default and that each call of a class gives.

    The program builds the class with other values only, and it may have to.
    """
    init = lineage.look_up(cls.lineage, "__init__")
    if not isinstance(init, Function) or not calls:
        return frozenset()
    names = [parameter.name for parameter in init.parameters[1:]]
    given = {one.name for one in init.parameters if isinstance(one.default, ir.NoneLiteral)}
    for call in calls:
        if any(isinstance(one, ir.Starred) for one in call.positional):
            continue  # it may give any of them
        values: dict[str | None, ir.Expression]
        values = dict(zip(names, call.positional, strict=False))
        values.update({keyword.name: keyword.value for keyword in call.keywords})
        if None not in values:
            given &= {name for name, one in values.items() if not isinstance(one, ir.NoneLiteral)}
    return frozenset(given)


def _configuration(ev: Evaluator, parameter: ir.Parameter) -> Value | None:
    """An instance of the class that a parameter is declared to be of, with its defaults.

    A negative number stands for what has to be given; it may be any.
    """
    declared = parameter.annotation
    if not isinstance(declared, (ir.Name, ir.Attribute)):
        return None
    cls = ev.resolve(ev.value(declared))
    if not isinstance(cls, Class) or lineage.is_module(cls) or not _needs_nothing(cls):
        return None
    given = {
        name: Argument(Anything(f"{parameter.name}.{name}"))
        for name, default in _defaults(cls)
        if isinstance(default, ir.Unary)
    }
    return ev.resolve(ev.call(cls, (), given, None))


def _defaults(cls: Class) -> list[tuple[str, ir.Expression | None]]:
    """What an instance holds, with the defaults."""
    init = lineage.look_up(cls.lineage, "__init__")
    if isinstance(init, Function):
        return [(parameter.name, parameter.default) for parameter in init.parameters[1:]]
    return [(name, default) for name, _, default in lineage.fields_of(cls)]


def _needs_nothing(cls: Class) -> bool:
    """Whether all that an instance holds has a default."""
    init = lineage.look_up(cls.lineage, "__init__")
    if isinstance(init, Function):
        return not any(parameter.is_required for parameter in init.parameters[1:])
    if not lineage.is_dataclass(cls):
        return False
    return all(default is not None for _, _, default in lineage.fields_of(cls))


def worded(function: Function, symbols: Sequence[str]) -> str:
    """How a function is called: `symbols` are the parameters that may be anything."""
    if not symbols:
        return "with its defaults"
    listed = " and ".join([*([", ".join(symbols[:-1])] if symbols[1:] else []), symbols[-1]])
    has_defaults = any(parameter.default is not None for parameter in function.parameters)
    return f"with any {listed}" + (", and its defaults" if has_defaults else "")


def builds_parts(ev: Evaluator, function: Function) -> bool:
    """Whether a function calls module classes of the project, itself or in others of its file."""
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if id(one.record) in seen or len(seen) > MOST_FOLLOWED:
            continue
        seen.add(id(one.record))
        for record in walk(one.record):
            if not isinstance(record, ir.Call):
                continue
            called: Value | None = None
            if isinstance(record.function, ir.Name):
                called = ev.module.variables.get(record.function.name)
                called = None if called is None else ev.resolve(called)
            elif isinstance(record.function, ir.Attribute) and one.owner is not None:
                called = lineage.look_up(one.owner.lineage, record.function.name)
            if isinstance(called, Class) and lineage.is_module(called):
                return True
            if isinstance(called, Function) and called.source.file is ev.source.file:
                waiting.append(called)
    return False


def may_be_built(ev: Evaluator, cls: Class) -> bool:
    """Whether a module of this file may be built with its defaults, and symbols for what has none.

    Without defaults that is worth while only for one that builds other modules.
    """
    init = lineage.look_up(cls.lineage, "__init__")
    forward = lineage.look_up(cls.lineage, FORWARD)
    if not isinstance(init, Function) or not isinstance(forward, Function):
        return False
    if cls not in (init.owner, forward.owner) or len(init.parameters) < 2:
        return False
    if any(map(is_placeholder, init.parameters[1:])) or _is_converted(ev):
        return False
    if not any(parameter.is_required for parameter in init.parameters[1:]):
        return True
    # Another program may have called one that was built with more numbers.
    return id(forward.record) not in ev.units.reached and builds_parts(ev, init)


def _is_converted(ev: Evaluator) -> bool:
    """Whether the classes of this file are only what a converter writes others from."""
    if transformers.CONVERTED.search(ev.source.file.path) is None:
        return False
    bases = (base for cls in ev.units.classes for base in cls.lineage)
    return any(
        isinstance(base, Class)
        and base.source.file is not ev.source.file
        and transformers.CONVERTED_WITH.search(base.source.file.path) is not None
        for base in bases
    )


def as_warnings(wrong: Sequence[Outcome], note: tuple[str, object, int]) -> list[Outcome]:
    """What is wrong in a module that was built so: who builds it may change it before a call.

    What the file shows otherwise comes first. What is asserted of defaults asks for others,
    and a size of 0 is a placeholder.
    """
    return [
        outcome._replace(level="warning", calls=outcome.calls + LAST, notes=(*outcome.notes, note))
        for outcome in wrong
        if outcome.level == "error"
        and outcome.requires is None
        and not isinstance(outcome.mistake, FalseAssertion)
        and not is_for_no_elements(outcome.mistake)
    ]


__all__ = [
    "as_warnings",
    "builds_parts",
    "call_with_unknown",
    "given_to",
    "may_be_built",
    "worded",
]
