"""Calls of the project's functions: bind the parameters, run the body, remember the result.

A function is evaluated at each call, with the values of its arguments, unless a call of the same
form was evaluated before. A mistake in its body is reported there, with the call as a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking import installed_calls, own_tensors
from namecheck.analysis.asking.driven_notes import call_note, keep_given
from namecheck.analysis.asking.results import rank_claimed
from namecheck.analysis.evidence import annotation, declarations
from namecheck.analysis.gradients import modes
from namecheck.analysis.measuring import call_notes
from namecheck.analysis.objects import endless_calls, generators
from namecheck.analysis.objects.given_away import let_go
from namecheck.analysis.objects.own_objects import ANY_ATTRIBUTE
from namecheck.analysis.python import known_calls
from namecheck.analysis.python.changed_modules import forget_assigned, function_set
from namecheck.analysis.python.steps import call_in_source
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import assigned_on
from namecheck.analysis.reading.walking import is_abstract
from namecheck.analysis.state import memo
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.conversion import sizes_given
from namecheck.analysis.state.evaluate import Exhausted
from namecheck.analysis.state.frames import ALWAYS, Frame, Outcome
from namecheck.analysis.state.joining import join_all, join_paths
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.remembered_calls import CallForm, Remembered, Shared
from namecheck.analysis.state.suppositions import ranks_given
from namecheck.analysis.state.values import (
    CONSTRUCTORS,
    NONE,
    Anything,
    Constant,
    Container,
    Dict,
    Either,
    Function,
    Instance,
    Layer,
    Repeated,
    Tensor,
    Tuple,
    Value,
    same,
    serials,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.broadcasts import MisalignedBroadcast
from namecheck_runtime.mistakes.dims import BadPattern

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def call_function(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Node | None,
    receiver: Value | None = None,
) -> Value:
    """The value that a function of the project returns for these arguments."""
    value = _called(ev, function, arguments, keywords, node, receiver)
    value = own_tensors.declared_by(ev, function, value)
    ev.frame.written.borrowed |= rank_claimed(ev, (Argument(value, None),))
    return value


def _called(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Node | None,
    receiver: Value | None,
) -> Value:
    _note_call(ev, function, arguments, keywords)
    if _is_unseen(ev, function, arguments, keywords):
        return _unseen(ev, function, arguments, keywords)
    if function.owner is not None and is_abstract(function.body):
        return Anything()
    value = known_calls.result_of(ev, function, arguments, keywords, node)
    if value is not None:
        return value
    # In a drive each call leaves its own traces on its objects.
    keyed = None if ev.reach.driven else memo.call_key(ev, function, arguments, keywords)
    if keyed is not None:
        value = _remembered(ev, keyed, arguments, node)
        if value is not None:
            return value
    if arguments is not None and _is_worn_out(ev, function, keyed, arguments):
        return _unseen(ev, function, arguments, keywords)
    return _evaluate(ev, function, arguments, keywords, node, receiver, keyed)


def _note_call(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> None:
    """Note the sizes that a constructor gets, and in a trial the ranks that any function gets."""
    ev.units.note(function)
    if function.name == "__init__" and arguments and keywords is not None:
        built_with = sizes_given(ev, function, arguments[1:], keywords)
        ev.independence.add_construction(function, built_with)
    if ev.trials.calls is not None and not ev.trials.is_on:
        ev.trials.calls.add(ev.frame, function, ranks_given(ev, function, arguments, keywords))


def _is_unseen(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> bool:
    """Whether a call is not evaluated: too deep, recursive, or of an async function."""
    if ev.frame.depth + 1 > ev.reach.deepest:
        return True
    if endless_calls.is_endless(ev, function, arguments, keywords):
        return True
    return isinstance(function.record, ir.FunctionDef) and function.record.is_async


def _unseen(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> Value:
    """The value of a call that is not followed: it may do anything to its lists and dicts.

    What its text assigns to its arguments is unknown too.
    """
    let_go(ev, arguments or (), keywords)
    forget_assigned(ev, function, arguments, keywords)
    function_set(ev, function, arguments, keywords, is_seen=False)
    if ev.reach.driven:
        names = [parameter.name for parameter in function.parameters]
        by_name = [*zip(names, arguments or (), strict=False), *(keywords or {}).items()]
        for name, argument in by_name:
            value = ev.resolve(argument.value)
            if isinstance(value, Instance) and isinstance(function.record, ir.FunctionDef):
                if assigned_on(function.record, name):
                    ev.cells[value, ANY_ATTRIBUTE] = Anything()
    return Anything()


def _remembered(
    ev: Evaluator, keyed: CallForm, arguments: Sequence[Argument] | None, node: ir.Node | None
) -> Value | None:
    """The value of a call of this form that was evaluated before; None if none was."""
    remembered = ev.memory.calls.get(keyed.key)
    if remembered is not None:
        place = node.id if node is not None else -1
        return recall(ev, remembered, keyed, arguments or (), place)
    shared = ev.memory.shared.get(keyed.key)
    if shared is None:
        return None
    for cell, value in shared.cells.items():
        if cell not in ev.cells:
            ev.cells[cell] = value
    return shared.result


def _evaluate(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Node | None,
    receiver: Value | None,
    keyed: CallForm | None,
) -> Value:
    """Run a function for these arguments, and remember the result under the key."""
    frame = _frame_of_call(ev, function)
    facts = ev.facts.copy()
    youngest = sizes.youngest()
    settled = [memo.settled(ev, a.value) for a in arguments] if arguments is not None else []
    outer, changed = ev.cells.touched[0], ev.cells.changed
    ev.cells.touched[0] = born = next(serials)
    if not bind_parameters(ev, frame, function, arguments, keywords):
        ev.cells.touched[0] = min(outer, ev.cells.touched[0])
        return Anything() if ev.units.trace is None else call_notes.refused(ev, function)
    if receiver is None and function.owner is not None and arguments:
        receiver = arguments[0].value
    frame.receiver = receiver
    if ev.reach.driven:
        keep_given(ev, frame, function)
    result: Value | None
    if ev.reach.driven or function.source.file is ev.source.file:
        run = partial(run_frame, ev, frame, function, node)
        result = installed_calls.run_in_package(ev, frame, function, run)
    else:
        result = _run_elsewhere(ev, frame, function, node, arguments)
    keeps = ev.cells.touched[0] >= born and ev.cells.changed == changed
    entered = frame in ev.reach.bodies
    if result is None or (ev.reach.driven and frame.generator and not keeps and not entered):
        # What a generator changes, it changes between the rounds of the loop that goes over it.
        ev.cells.touched[0] = min(outer, ev.cells.touched[0])
        return _unseen(ev, function, arguments, keywords)
    if not ev.reach.driven:  # there what it has set was seen
        function_set(ev, function, arguments, keywords, is_seen=True)
    pure = ev.cells.touched[0] >= born and not frame.generator and ev.cells.changed == changed
    if pure and ev.alive and _gives_nothing(function, ev.resolve(result)):
        if not frame.wrong and not ev.facts.since(facts):
            ev.memory.idle[id(function.record)] = ev.memory.idle.get(id(function.record), 0) + 1
    ev.cells.touched[0] = min(outer, ev.cells.touched[0])
    if keyed is None:
        return result
    key = keyed.key
    if pure and not keyed.symbols and isinstance(result, (Layer, Container, Instance, Either)):
        # What was built of the same sizes computes the same for every caller.
        ev.memory.shared[key] = Shared(result, ev.cells.made_since(born))
    elif not pure or not memo.is_translatable(ev, result):
        ev.memory.forgotten.add(key)
    else:
        refined = _refined(ev, settled, arguments or ())
        wrong = tuple(filter(_holds_again, frame.certain()))
        value, since = memo.settled(ev, result), ev.facts.since(facts)
        ev.memory.calls[key] = Remembered(
            keyed, youngest, value, ev.alive, refined, since, wrong, ev.ranks.square, keyed.named()
        )
    return result


def _frame_of_call(ev: Evaluator, function: Function) -> Frame:
    frame = Frame(function.source, function.scope, function, ev.frame.depth + 1)
    frame.quiet = ev.frame.quiet
    frame.flow.unsure = ev.may_be_skipped(ev.frame) and ev.frame.flow.arm() is None
    frame.flow.doubtful = frame.flow.unsure and ev.may_never_come(ev.frame)
    frame.flow.driven = ev.reach.driven
    frame.builds = frame.builds or ev.frame.builds
    outer_ways = ev.frame.ways
    frame.ways.called_under_tests = outer_ways.called_under_tests or bool(outer_ways.tests)
    return frame


def _refined(
    ev: Evaluator, before: Sequence[Value], arguments: Sequence[Argument]
) -> tuple[tuple[int, Tensor], ...]:
    """The arguments about which a call taught more, by index."""
    refined = []
    for index, old in enumerate(before):
        now = memo.settled(ev, arguments[index].value)
        if isinstance(now, Tensor) and not same(old, now):
            refined.append((index, now))
    return tuple(refined)


def _holds_again(outcome: Outcome) -> bool:
    """Whether a mistake of one call is a mistake of each call of the same form.

    A presumption about the sizes of one call may not hold for another; but a pattern names the dims
    in the same way each time.
    """
    if outcome.level == "error" or outcome.requires is not None:
        return True
    return isinstance(outcome.mistake, (BadPattern, MisalignedBroadcast))


def _run_elsewhere(
    ev: Evaluator,
    frame: Frame,
    function: Function,
    node: ir.Node | None,
    arguments: Sequence[Argument] | None,
) -> Value | None:
    """As `run_frame`, for a function of another file; None if that costs too much."""
    cells, facts = ev.cells.copy(), ev.facts.copy()
    caller, steps, limit = ev.frame, ev.steps, ev.reach.limit
    allowance = LONGEST_INFORMED if _have_tensor(ev, arguments or ()) else LONGEST
    ev.reach.limit = min(limit, steps + allowance)
    spent = ev.memory.spent.get(id(function.record), 0)
    try:
        result = run_frame(ev, frame, function, node)
    except Exhausted:
        if ev.steps > limit:
            raise
        ev.frame, ev.cells, ev.facts, ev.alive = caller, cells, facts, True
        ev.memory.spent[id(function.record)] = MOST_SPENT + 1
        return None
    finally:
        ev.reach.limit = limit
    cost = ev.steps - steps
    if _gives_nothing(function, ev.resolve(result)):
        cost *= USELESS
    ev.memory.spent[id(function.record)] = spent + cost
    return result


def _have_tensor(ev: Evaluator, arguments: Sequence[Argument]) -> bool:
    """Whether one of the arguments is a tensor with some known dims."""
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, Tensor) and value.shape is not UNKNOWN:
            return True
    return False


LONGEST: Final = 400
LONGEST_INFORMED: Final = 2_000
"""The most expressions that one call of another file's function may cost, inner calls included.

The second holds if an argument is a tensor with some known dims.
"""


def _gives_nothing(function: Function, result: Value) -> bool:
    """Whether a call gave nothing to compute with: no result, and no attributes of an instance."""
    if function.name in CONSTRUCTORS:
        return False
    return (isinstance(result, Anything) and result.maybe is None) or (
        isinstance(result, Constant) and result.value is None
    )


USELESS: Final = 4
"""The factor by which the cost of a call counts that gave nothing to compute with."""

MOST_SPENT: Final = 3_000
"""The most expressions that one function of another file may cost a file, inner calls included.

It holds for calls without tensors: every file calls functions that build, load and register models.
"""

MOST_IDLE: Final = 24
"""How often a file evaluates one function that gives nothing and gets no tensors.

One example is a function that builds the models of a family by their names.
"""

MOST_TIMES: Final = 12
"""How often one function is evaluated within another if its arguments have no tensors."""


def _is_worn_out(
    ev: Evaluator, function: Function, keyed: Any, arguments: Sequence[Argument]
) -> bool:
    """Whether one more evaluation of a function would probably teach nothing.

    None of the arguments is a tensor with some known dims, and the function was evaluated
    often, at great cost, or for a call of this form that could not be remembered.
    """
    if ev.reach.driven or _have_tensor(ev, arguments):
        return False
    if ev.memory.spent.get(id(function.record), 0) > MOST_SPENT:
        return True
    if ev.memory.idle.get(id(function.record), 0) >= MOST_IDLE:
        return True
    count = ev.memory.evaluated.get(id(function.record), 0) + 1
    ev.memory.evaluated[id(function.record)] = count
    return count > MOST_TIMES or (keyed is not None and keyed.key in ev.memory.forgotten)


def recall(
    ev: Evaluator,
    remembered: Remembered,
    form: CallForm,
    arguments: Sequence[Argument],
    place: int,
) -> Value:
    """The value of an earlier call of the same form, in the sizes of this call."""
    translation = memo.Translation(ev, remembered, form, place)
    translation.name_sizes()
    for index, known_now in remembered.refined:
        tensor = translation.value(known_now)
        if isinstance(tensor, Tensor):
            ev.refine(arguments[index].value, tensor)
    for left, right, fact in remembered.equations:
        ev.facts.settle(translation.size(left), translation.size(right), fact.place)
    result = translation.value(remembered.result)
    ev.alive = remembered.alive
    ev.ranks.square |= remembered.square
    _blame_caller(ev, remembered.wrong, ev.frame, place)
    return result


def run_frame(ev: Evaluator, frame: Frame, function: Function, node: ir.Node | None) -> Value:
    """The value that a function's body returns in its frame, on the path behind the call."""
    caller = ev.frame
    using = ev.units.enter(function)
    following = modes.begin_call(ev, function, caller, node)
    ev.units.called.add(id(function.record))
    presumed = ev.facts.copy()
    frame.line = function.line
    ev.frame = frame
    ev.stack.append(id(function.record))
    try:
        if isinstance(function.record, ir.Lambda):
            frame.line = caller.line
            value = ev.value(function.record.body)
            frame.returned.append((value, ev.fork()))
        else:
            generators.begin(ev, frame, function)
            ev.run(function.body)
            here = ev.here()
            if here is not None:
                frame.returned.append((NONE, here))
                frame.ways.ends.append(frame.ways.current)
    except Exhausted:
        if ev.reach.driven:
            ev.frame = caller
            _keep_certain(ev, frame, caller, node)
        raise
    finally:
        ev.stack.pop()
        ev.frame = caller
        ev.gradients.following = following
        ev.units.leave(using)
    ev.alive = True
    joined = None
    results = []
    for value, path in frame.returned:
        ev.cells = path.cells
        results.append(ev.resolve(value))
        joined = join_paths(joined, Path({}, path.cells, path.facts))
    if joined is not None:
        ev.cells, ev.facts = joined.cells, joined.facts.presuming_as(presumed)
    else:
        if not frame.generator:
            ev.raises_in_constructor()
        ev.alive = frame.generator or bool(frame.quiet)
    # As often as the call is evaluated.
    _blame_caller(ev, frame.certain(), caller, node.id if node is not None else -1, frame)
    if frame.generator:
        return generators.result(ev, frame, joined is not None)
    return join_all(results) if results else Anything()


def _keep_certain(ev: Evaluator, frame: Frame, caller: Frame, node: ir.Node | None) -> None:
    """Keep what is wrong in a frame whose drive is cut off, if it is so whatever would follow."""
    sure = [
        outcome
        for count, _, outcome in frame.wrong.values()
        if count >= ALWAYS and outcome.level == "error" and outcome.requires is None
    ]
    if not frame.depth:
        ev.found += sure
    elif node is not None:
        _blame_caller(ev, sure, caller, node.id, frame)


_CALLS_SHOWN: Final = 6
"""The most calls inside each other that get a note, the innermost first."""


def _blame_caller(
    ev: Evaluator,
    outcomes: Sequence[Outcome],
    caller: Frame,
    number: int,
    callee: Frame | None = None,
) -> None:
    """Keep the mistakes of a callee in the caller's frame, at the expression of this number."""
    caller.look(number)
    arm = caller.flow.arm() if ev.may_be_skipped(caller) else None
    refused = callee is not None and callee.written.misfit
    skipped = ev.may_be_skipped(caller) and arm is None
    if (skipped and ev.may_never_come(caller)) or (refused and ev.reach.driven):
        return  # an argument that does not fit was reported
    for outcome in outcomes:
        if skipped and (outcome.level != "error" or outcome.requires is not None):
            continue
        if outcome.requires is not None and (caller.flow.configured or caller.flow.left):
            continue
        if installed_calls.leaves_package(outcome, caller):
            moved = installed_calls.at_call(outcome, caller, number, call_in_source(outcome.node))
            if moved is not None and arm is None:
                moved = moved._replace(calls=outcome.calls + 1)
                caller.blame((number, moved.node, moved.mistake.code), number, moved)
            continue
        begins = ev.reach.driven and not caller.depth
        handed_on = outcome._replace(calls=outcome.calls + 1)
        if begins:
            handed_on = handed_on._replace(driver=(caller.source, caller.line))
        if begins or outcome.calls < _CALLS_SHOWN:
            note = (call_note(ev, caller, callee), caller.source, caller.line)
            handed_on = handed_on._replace(notes=(*outcome.notes, note))
        if arm is not None:
            if outcome.level == "error" and outcome.requires is None:
                arm.append(((number, outcome.node, outcome.mistake.code), number, handed_on))
            continue
        caller.blame((number, outcome.node, outcome.mistake.code), number, handed_on)


def bind_parameters(
    ev: Evaluator,
    frame: Frame,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> bool:
    """Give parameters their values; False if the arguments do not fit them."""
    rest = list(arguments) if arguments is not None else None
    left = dict(keywords) if keywords is not None else None
    for parameter in function.parameters:
        name = parameter.name
        declared = _declared(ev, frame, parameter)
        value: Value
        match parameter.kind:
            case "variadic positional":
                value = Repeated(Anything())
                if rest is not None:
                    value = Tuple([a.value for a in rest])
                    rest = []
            case "variadic keyword":
                value = Dict()
                if left is not None:
                    ev.cells[value] = {key: a.value for key, a in left.items()}
                    left = {}
                else:
                    ev.cells[value] = Repeated(Anything())
            case _:
                argument = _argument_of(parameter, rest, left)
                if argument is not None:
                    value = _checked(ev, frame, function, parameter, declared, argument)
                elif rest is None or left is None:
                    value = Anything(name)
                elif parameter.default is not None:
                    value = default_value(ev, function, parameter.default)
                else:
                    return False
        frame.variables[name] = value
    return not rest and not left


def _declared(
    ev: Evaluator, frame: Frame, parameter: ir.Parameter
) -> annotation.Declaration | None:
    """What the annotation of a parameter declares, read in the frame of its function."""
    if parameter.annotation is None or (frame.function is not None and frame.function.mapped):
        return None
    caller = ev.frame
    ev.frame = frame
    with frame.quietly():
        declared = annotation.read(ev, parameter.annotation)
    ev.frame = caller
    return declared


def _argument_of(
    parameter: ir.Parameter, rest: list[Argument] | None, left: dict[str, Argument] | None
) -> Argument | None:
    """The argument of a parameter, removed from those that are left; None if there is none."""
    if rest and parameter.kind != "keyword-only":
        return rest.pop(0)
    if left is not None and parameter.kind != "positional-only":
        return left.pop(parameter.name, None)
    return None


def _checked(
    ev: Evaluator,
    frame: Frame,
    function: Function,
    parameter: ir.Parameter,
    declared: annotation.Declaration | None,
    argument: Argument,
) -> Value:
    """The value of an argument, compared with what its parameter declares."""
    if declared is None:
        return argument.value
    name = parameter.name
    note = (f"'{name}' is declared here", function.source, function.line)
    value = declarations.check_argument(
        ev, ev.frame, frame.written.names, declared, name, argument.value, argument.node, note
    )
    refused = declarations.was_refused(ev, argument.value, value)
    frame.written.misfit |= refused
    # What a drive computes with numbers is certain, whatever is declared.
    return argument.value if refused and ev.reach.driven else value


def default_value(ev: Evaluator, function: Function, default: ir.Expression) -> Value:
    """A parameter's default, evaluated where the function was defined."""
    caller = ev.frame
    if not isinstance(function.scope, Frame):
        return Anything()
    frame = Frame(function.source, function.scope, None, caller.depth)
    frame.quiet = 1
    ev.frame = frame
    try:
        return ev.resolve(ev.value(default))
    finally:
        ev.frame = caller
