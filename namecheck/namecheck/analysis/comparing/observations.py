"""What a call of another file's function gives and does, written down for later runs.

After an edit of a function, the next run evaluates the new one with the arguments of each call that
was written down (`runs/replays.py`). If it gives and does the same, what rests on the calls holds.
So a call is only written down if all that it did can be compared: it gave a value that has a form
(`forms.py`), changed nothing that is older than itself, and found nothing wrong. What calls inside
it did counts by what they were called with: they do it again. The other uses of a function depend
on its whole text (`use_whole`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from namecheck.analysis.comparing.forms import Forms, NotComparable, is_known, weak_form
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.evaluate import Exhausted
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.remembered_calls import Observed, coarse
from namecheck.analysis.state.values import Anything, Function, Tensor, Value
from namecheck.findings import EvaluatedCall
from namecheck.text.file_parts import whole
from namecheck_runtime import sizes
from namecheck_runtime.light.digests import blake2b
from namecheck_runtime.sizes import Facts

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def is_plain(function: Function) -> bool:
    """Whether a function is one at the top level of its file, as it is written there."""
    record, scope = function.record, function.scope
    return (
        function.owner is None
        and isinstance(record, ir.FunctionDef)
        and not record.decorators
        and isinstance(scope, Frame)
        and scope.function is None
        and not scope.class_body
        and (scope.parent is None or scope.parent.function is None)
    )


def use_whole(ev: Evaluator, function: Function) -> None:
    """Note that the walk depends on all of a function's text."""
    if function.owner is None and isinstance(function.record, ir.FunctionDef):
        ev.used.add((function.source.file.real, whole(function.name)))


def marks_of(ev: Evaluator) -> tuple[object, ...]:
    """What says whether anything was changed that no value, fact or cell shows."""
    hearsay, memory, units, origins = ev.hearsay, ev.memory, ev.units, ev.origins
    return (
        (hearsay.has_come, hearsay.has_declared, hearsay.has_lent, hearsay.hinted),
        (len(ev.limits), len(ev.found), len(ev.configs), len(ev.learned), sizes.given_up()),
        ev.independence.recorded,
        (len(origins.layers), len(origins.fitting), len(origins.attributes)),
        sum(map(len, memory.assigned.values())) + sum(map(len, memory.waiting.values())),
        (len(memory.modules), len(memory.cells), len(memory.tests), memory.options_set),
        (len(units.built), len(units.nested), len(units.selves), len(units.constructed)),
        (len(units.driven), len(units.written), units.built_nothing, units.reads_options),
        (ev.ranks.square, ev.inlays.runs, ev.by_defaults, ev.spelled, ev.in_row),
        (ev.gradients.following.mode, ev.gradients.following.graphs, ev.gradients.is_needed),
    )


def _state_of(ev: Evaluator) -> tuple[object, ...]:
    """As `marks_of`, and the oldest object that was changed."""
    return (*marks_of(ev), ev.cells.touched[0], ev.cells.changed)


def _context_of(ev: Evaluator, frame: Frame) -> Any:
    """What the evaluation of a call sees of the walk besides its arguments."""
    hearsay, units, flow = ev.hearsay, ev.units, frame.flow
    return (
        (hearsay.left_out, hearsay.undeclared, hearsay.as_passed),
        (units.drives, units.options_unknown, units.finds_tables, units.imported),
        (ev.by_defaults, ev.spelled, ev.gradients.following.mode.name),
        (frame.quiet > 0, flow.unsure, flow.doubtful, frame.builds),
        (frame.depth, frame.ways.called_under_tests),
        sorted(ev.ranks.square),
    )


def begin(ev: Evaluator, frame: Frame, function: Function, facts: Facts) -> Observed | None:
    """Begin to observe a call whose parameters are bound; None if it cannot be compared."""
    if not is_plain(function):
        return None  # its class, or the function around it, is used as a whole
    file = function.source.file
    if not ev.compared.is_on or (file.real, whole(function.name)) in ev.used:
        use_whole(ev, function)
        return None
    written, facts_now = frame.written, ev.facts
    is_odd = (
        written.misfit
        or bool(written.names)
        or ev.in_row
        or ev.gradients.is_needed
        or ev.trials.is_on
        or bool(facts_now.rewrite() and facts_now.stated_configuration())
    )
    forms = Forms(ev, whole=True)
    try:
        if is_odd:
            raise NotComparable
        rows = [(name, forms.of(value)) for name, value in frame.variables.items()]
        form = msgspec.msgpack.encode((_context_of(ev, frame), rows))
    except (NotComparable, OverflowError, ValueError):
        use_whole(ev, function)
        return None
    module = file.module_name
    observed = Observed(file.real, module, function.name, form, forms)
    observed.values = list(frame.variables.values())
    observed.limit = ev.reach.limit
    observed.before = _state_of(ev)
    observed.facts = facts
    observed.inner = blake2b(digest_size=8)
    return observed


def begin_inner(
    ev: Evaluator,
    observed: Observed,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> None:
    """Note a call inside the one that is observed."""
    if function.source.file is ev.source.file:
        observed.fails = True  # how would another run come by this function?
        return
    named = sorted((keywords or {}).items())
    given = (
        arguments is None,
        keywords is None,
        [weak_form(ev, argument.value) for argument in arguments or ()],
        [(name, weak_form(ev, argument.value)) for name, argument in named],
    )
    owner = "" if function.owner is None else function.owner.name
    if _state_of(ev) != observed.before:
        observed.fails = True
    observed.is_inside, observed.own = True, ev.compared.own(ev.steps)
    event = (function.source.file.real, owner, function.name, given, _where(ev, observed))
    try:
        observed.inner.update(msgspec.msgpack.encode(event))
    except (OverflowError, ValueError, TypeError):
        observed.fails = True
    _follow_plan(ev, observed)


def _where(ev: Evaluator, observed: Observed) -> int:
    """About how many expressions the call had cost itself, if the limit is near; else -1."""
    if observed.limit - ev.steps >= _NEAR:
        return -1
    observed.is_near = True
    return coarse(ev.compared.own(ev.steps))


_NEAR = 128
ANY = 1_000_000


def _follow_plan(ev: Evaluator, observed: Observed) -> None:
    """Let a call inside one that is evaluated again cost what it did before."""
    planned = ev.compared.planned
    if planned is None:
        return
    if len(observed.costs) < len(planned):
        ev.reach.limit = ANY
    elif observed.limit < ANY:
        raise Exhausted  # it was cut off inside


def end_inner(ev: Evaluator, observed: Observed, begun: int) -> None:
    """Note the end of that call, which began after so many expressions."""
    planned = ev.compared.planned
    if planned is not None:
        if len(observed.costs) < len(planned):
            ev.steps = begun + planned[len(observed.costs)]
        ev.reach.limit = observed.limit
    observed.costs.append(ev.steps - begun)
    # What a call inside does, it does again if it is called with the same.
    observed.is_inside, observed.before = False, _state_of(ev)


def end(
    ev: Evaluator, observed: Observed, frame: Frame, function: Function, result: Value
) -> EvaluatedCall | None:
    """What is written down of a call that has come to its end; None if it cannot be compared."""
    if observed.fails or frame.generator or frame.certain():
        return None
    if not ev.facts.same_as(observed.facts) or not _has_left_all(ev, observed, function):
        return None
    forms = Forms(ev, whole=False)
    forms.values, forms.symbols = dict(observed.forms.values), dict(observed.forms.symbols)
    try:
        after = [forms.of(value) for value in observed.values]
        own = coarse(ev.compared.own(ev.steps))
        seen = ev.alive, _is_handing(ev, function), own, _where(ev, observed)
        gave = (after, forms.of(result), forms.order(len(observed.forms.symbols)), seen)
        digest = _digest(observed, gave)
    except (NotComparable, OverflowError, ValueError):
        return None
    if any(is_known(ev, atom) for atom in forms.symbols) or any(
        map(ev.ranks.concern, forms.values)
    ):
        return None
    room = observed.limit - ev.compared.start if observed.is_near else -1
    return _call(observed, room, digest)


def cut(ev: Evaluator, observed: Observed, function: Function) -> EvaluatedCall | None:
    """What is written down of a call that was cut off; None if it cannot be compared."""
    if observed.fails or not _has_left_all(ev, observed, function):
        return None
    own = coarse(observed.own) if observed.is_inside else -1
    digest = _digest(observed, (own, _is_handing(ev, function)))
    return _call(observed, observed.limit - ev.compared.start, digest)


def _call(observed: Observed, room: int, digest: bytes) -> EvaluatedCall:
    costs = tuple(observed.costs)
    name = observed.path, observed.module, observed.name
    return EvaluatedCall(*name, observed.form, room, costs, digest)


def _digest(observed: Observed, gave: object) -> bytes:
    total = observed.inner.copy()
    total.update(msgspec.msgpack.encode(gave))
    digest: bytes = total.digest()
    return digest


def _is_handing(ev: Evaluator, function: Function) -> bool:
    return id(function.record) in ev.memory.handing


def _has_left_all(ev: Evaluator, observed: Observed, function: Function) -> bool:
    """Whether a call itself has changed nothing older, but perhaps its arguments."""
    if not observed.is_inside and _state_of(ev) != observed.before:
        return False
    return not any(
        (type(value) is Anything or type(value) is Tensor) and value in ev.cells
        for value in function.scope.module().variables.values()
    )


def keep(ev: Evaluator, function: Function, call: EvaluatedCall | None) -> None:
    """Write down a call; without one the walk depends on all of the function's text."""
    if call is None:
        use_whole(ev, function)
    else:
        ev.compared.calls[call] = None


def observed_calls(
    ev: Evaluator, names: Mapping[str, Collection[str]]
) -> tuple[EvaluatedCall, ...]:
    """The calls that were written down of functions that were used in no other way.

    `names` are the definitions that the walk has used, by the paths of their files.
    """
    return tuple(
        call
        for call in ev.compared.calls
        if call.path in names and whole(call.name) not in names[call.path]
    )


__all__ = [
    "begin",
    "begin_inner",
    "cut",
    "end",
    "end_inner",
    "is_plain",
    "keep",
    "observed_calls",
    "use_whole",
]
