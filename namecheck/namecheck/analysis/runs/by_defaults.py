"""A class built with its defaults: flags as they are set, lists of the length that they have.

Evaluated by itself, a class has any flags and any number of stages, and much is unknown. Its author
means that the defaults work: what is wrong with them is wrong, in the class or in its parts. Ints
are symbols here too, so that no finding needs two of them to be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from namecheck.analysis.python import assigned_elsewhere
from namecheck.analysis.python.functions import default_value, run_frame
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.runs.standalone import bind_alone
from namecheck.analysis.state import hindsight, lineage
from namecheck.analysis.state.evaluate import Evaluator, NeverBuilt
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.unknown_ranks import Ranks
from namecheck.analysis.state.values import (
    LEFT_OUT,
    NONE,
    Class,
    Constant,
    Function,
    Instance,
    List,
    Number,
    Tuple,
    Value,
)
from namecheck.analysis.usage.roles import forces_configured
from namecheck.frameworks.torch import FORWARD
from namecheck_runtime import sizes
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.sizes import LayerSize, ReshapeSize

CallsByName: TypeAlias = "Mapping[str, Sequence[ir.Call]]"


def evaluate_by_defaults(ev: Evaluator, cls: Class, calls: Callable[[], CallsByName]) -> None:
    """Build a module with its defaults and call it; keep what is wrong, with a note about them.

    Nothing is said of a class that the `calls` of its file build with other flags only.
    """
    init = lineage.look_up(cls.lineage, "__init__")
    forward = lineage.look_up(cls.lineage, FORWARD)
    if not isinstance(init, Function) or not isinstance(forward, Function):
        return
    if cls not in (init.owner, forward.owner):
        return
    ev.cells, ev.facts = ev.module_cells.copy(), ev.module_facts.copy()
    decided = _decided(ev, init)
    if not decided or not _matters(init, decided):
        return
    if _is_built_otherwise(init, decided, calls().get(cls.name, ())):
        return
    instance = Instance(cls, "self")
    built = _frame(init, instance)
    built.quiet = 1
    ev.frame = built
    bind_alone(ev, built, init, config=True)
    built.variables.update(decided)
    ev.by_defaults = True
    try:
        _run(ev, built, init)
        if not built.returned:
            return  # it raises: "size must be given"
        assigned_elsewhere.forget_rebound(ev, instance)
        cells, facts = ev.cells.copy(), ev.facts.copy()
        wrong = _call(ev, forward, instance, {})
        if ev.learned:
            ev.cells, ev.facts = cells, facts
            wrong += _call(ev, forward, instance, ev.learned)
    except NeverBuilt:
        return
    finally:
        ev.by_defaults = False
    note = (f"{cls.name} is built with its defaults", init.source, init.line)
    for outcome in wrong:
        if _is_wrong_for_any_flags(outcome):
            notes = (*outcome.notes, note)
            ev.found.append(outcome._replace(calls=outcome.calls + 1, notes=notes))


def is_placeholder(parameter: ir.Parameter) -> bool:
    """Whether a default stands for sizes that must be given: 0, -1 or ()."""
    match parameter.default:
        case ir.Int(value=0) | ir.Unary() | ir.Tuple(elements=()):
            return True
    return False


def calls_by_name(statements: Iterable[ir.Statement]) -> CallsByName:
    """The calls of plain names in some statements."""
    calls: dict[str, list[ir.Call]] = {}
    for statement in statements:
        for record in walk(statement):
            if isinstance(record, ir.Call) and isinstance(record.function, ir.Name):
                calls.setdefault(record.function.name, []).append(record)
    return calls


def _is_built_otherwise(
    init: Function, decided: Mapping[str, Value], calls: Sequence[ir.Call]
) -> bool:
    """Whether there are calls of a class, and each gives one of these parameters."""
    names = [parameter.name for parameter in init.parameters[1:]]
    for call in calls:
        words = {*names[: len(call.positional)], *[keyword.name for keyword in call.keywords]}
        spread = any(isinstance(one, ir.Starred) for one in call.positional)
        if words.isdisjoint(decided) and not spread and None not in words:
            return False
    return bool(calls)


def _call(
    ev: Evaluator, forward: Function, instance: Instance, ranks: Mapping[int | str, int]
) -> list[Outcome]:
    """What is wrong in `forward` for certain, given what is known about ranks (`hindsight`)."""
    called = _frame(forward, instance)
    ev.frame = called
    bind_alone(ev, called, forward)
    called.variables.update(left_out(ev, forward))
    table = ev.on_expression
    ev.ranks = Ranks()
    ev.ranks.hindsight = hindsight.begin(ev, called, ranks)
    try:
        _run(ev, called, forward)
        ev.learned = hindsight.learned(ev)
    finally:
        ev.ranks.hindsight, ev.on_expression = None, table
    return called.certain()


def _is_wrong_for_any_flags(outcome: Outcome) -> bool:
    """Whether an outcome is wrong whatever the flags are.

    It is so too in sizes that defaults may keep equal.
    """
    if _needs_none_more(outcome.mistake) or is_for_no_elements(outcome.mistake):
        return False
    if outcome.level == "error" or outcome.requires is not None:
        return True
    return outcome.mistake.in_any_configuration or forces_configured(outcome.mistake)


def _needs_none_more(mistake: Mistake) -> bool:
    """Whether a layer fits if it is built for no more channels than its input has.

    `planes + extra` channels of a block are right for an input without the extra ones, which is an
    argument left out, if the block is built with `extra=0`.
    """
    if not isinstance(mistake, LayerSize):
        return False
    more = sizes.subtract(mistake.wanted, mistake.found)
    if not isinstance(more, sizes.Polynomial) or len(more.terms) != 1 or more.opaque:
        return False
    extra = more.symbols() - sizes.symbols(mistake.found)
    return more.terms[0][1] > 0 and any(atom.origin is sizes.Origin.CONFIG for atom in extra)


def is_for_no_elements(mistake: Mistake) -> bool:
    """Whether a tensor is given a dim of 0: that size is a placeholder, which callers replace."""
    return isinstance(mistake, ReshapeSize) and 0 in mistake.target


def left_out(ev: Evaluator, forward: Function) -> dict[str, Value]:
    """The parameters that a call with only the required arguments leaves out: None, and flags."""
    if len(forward.parameters) < 2 or forward.parameters[1].default is not None:
        return {}
    decided = _decided(ev, forward)
    return {name: LEFT_OUT if value is NONE else value for name, value in decided.items()}


def _decided(ev: Evaluator, init: Function) -> dict[str, Value]:
    """The defaults that decide how an instance is built: flags, None, 0, text, lists."""
    defaults: dict[str, Value] = {}
    for parameter in init.parameters[1:]:
        if parameter.default is None:
            continue
        value = default_value(ev, init, parameter.default)
        none = isinstance(value, Number) and isinstance(value.size, int) and value.size <= 0
        # A default of 0 or less is a flag, not a size.
        if none or isinstance(value, (Constant, Tuple, List)):
            defaults[parameter.name] = value
    return defaults


def _matters(init: Function, decided: Mapping[str, Value]) -> bool:
    """Whether a constructor chooses, counts or calls by one of these parameters.

    A rate of 0 (`dropout=0.0`) that is only handed on does not decide a dim.
    """
    names = decided.keys()
    telling = {name for name, value in decided.items() if not _is_no_rate(value)}
    for record in walk(init.record):
        deciding: tuple[ir.Expression, ...] = ()
        which: Collection[str] = names
        if isinstance(record, ir.Call):
            if isinstance(record.function, ir.Name):
                deciding = (*record.positional, *[keyword.value for keyword in record.keywords])
                which = telling
        elif isinstance(record, (ir.If, ir.Conditional)):
            deciding = (record.test,)
        elif isinstance(record, ir.Boolean):
            deciding = (record.left, record.right)
        elif isinstance(record, (ir.For, ir.Clause)):
            deciding = (record.iterable,)
        for expression in deciding:
            if any(isinstance(r, ir.Name) and r.name in which for r in walk(expression)):
                return True
    return False


def _is_no_rate(value: Value) -> bool:
    return isinstance(value, Constant) and type(value.value) is float and value.value == 0


def _frame(function: Function, instance: Instance) -> Frame:
    frame = Frame(function.source, function.scope, function, 1)
    frame.receiver = instance
    frame.line = function.line
    return frame


def _run(ev: Evaluator, frame: Frame, function: Function) -> None:
    ev.frame = Frame(ev.module.source, ev.module.parent)
    ev.frame.variables = ev.module.variables
    run_frame(ev, frame, function, None)


__all__ = [
    "calls_by_name",
    "evaluate_by_defaults",
    "is_for_no_elements",
    "is_placeholder",
    "left_out",
]
