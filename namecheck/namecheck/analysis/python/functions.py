"""Calls of the file's own functions: parameters bound, the body run, the answer remembered.

A function is evaluated at each call with the abstract arguments, unless a call of the same form was
evaluated before; what is wrong in it is reported there, with the call as a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from namecheck.analysis.evidence import annotation, declarations
from namecheck.analysis.python import known_calls
from namecheck.analysis.python.libraries import let_go
from namecheck.analysis.reading import ir
from namecheck.analysis.state import memo
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.conversion import sizes_given
from namecheck.analysis.state.evaluate import DEEPEST, Exhausted
from namecheck.analysis.state.joining import join_all, join_paths
from namecheck.analysis.state.paths import Frame, Outcome, Path
from namecheck.analysis.state.remembered_calls import Remembered, Shared
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
    """What a function of the file returns for these arguments."""
    depth = ev.frame.depth + 1
    if function.name == "__init__" and arguments and keywords is not None:
        built_with = sizes_given(ev, function, arguments[1:], keywords)
        ev.independence.add_construction(function, built_with)
    if ev.trials.calls is not None and not ev.trials.is_on:
        ev.trials.calls.add(ev.frame, function, ranks_given(ev, function, arguments, keywords))
    unseen = depth > DEEPEST or id(function.record) in ev.stack
    if unseen or (isinstance(function.record, ir.FunctionDef) and function.record.is_async):
        # It is not looked into: what it does to the lists that it is given is not known.
        let_go(ev, (*(arguments or ()), *(keywords or {}).values()))
        return Anything()
    if function.owner is not None and is_abstract(function.body):
        return Anything()
    told = known_calls.result_of(ev, function, arguments, keywords, node)
    if told is not None:
        return told
    place = node.id if node is not None else -1
    keyed = memo.call_key(ev, function, arguments, keywords)
    if keyed is not None:
        remembered = ev.memory.calls.get(keyed[0])
        if remembered is not None:
            return recall(ev, remembered, keyed[1], arguments or (), place)
        shared = ev.memory.shared.get(keyed[0])
        if shared is not None:
            for cell, value in shared.cells.items():
                if cell not in ev.cells:
                    ev.cells[cell] = value
            return shared.result
    if arguments is not None and _is_worn_out(ev, function, keyed, arguments):
        let_go(ev, arguments)
        return Anything()
    frame = Frame(function.source, function.scope, function, depth)
    frame.quiet = ev.frame.quiet
    frame.unsure = ev.may_be_skipped(ev.frame)
    before = ev.facts.copy()
    first = sizes.youngest()
    given = [memo.settled(ev, a.value) for a in arguments] if arguments is not None else []
    outer = ev.cells.touched[0]
    ev.cells.touched[0] = born = next(serials)
    bound = bind_parameters(ev, frame, function, arguments, keywords)
    if not bound:
        ev.cells.touched[0] = min(outer, ev.cells.touched[0])
        return Anything()
    if receiver is None and function.owner is not None and arguments:
        receiver = arguments[0].value
    frame.receiver = receiver
    if function.source.file is ev.source.file:
        result = run_frame(ev, frame, function, node)
    else:
        elsewhere = _run_elsewhere(ev, frame, function, node, arguments)
        if elsewhere is None:
            ev.cells.touched[0] = outer
            let_go(ev, arguments or ())
            return Anything()
        result = elsewhere
    pure = ev.cells.touched[0] >= born and not frame.generator
    if pure and ev.alive and _tells_nothing(function, ev.resolve(result)):
        if not frame.wrong and not ev.facts.since(before):
            ev.memory.idle[id(function.record)] = ev.memory.idle.get(id(function.record), 0) + 1
    ev.cells.touched[0] = min(outer, ev.cells.touched[0])
    if keyed is None:
        return result
    if pure and not keyed[1] and isinstance(result, (Layer, Container, Instance, Either)):
        # What was built of the same sizes is the same to whoever computes with it.
        ev.memory.shared[keyed[0]] = Shared(result, ev.cells.made_since(born))
    elif not pure or not memo.tellable(ev, result):
        ev.memory.forgotten.add(keyed[0])
    else:
        refined = []
        for index, old in enumerate(given):
            now = memo.settled(ev, (arguments or ())[index].value)
            if isinstance(now, Tensor) and not same(old, now):
                refined.append((index, now))
        ev.memory.calls[keyed[0]] = Remembered(
            keyed[1],
            first,
            memo.settled(ev, result),
            ev.alive,
            tuple(refined),
            ev.facts.since(before),
            tuple(filter(_holds_again, frame.certain())),
        )
    return result


def _holds_again(outcome: Outcome) -> bool:
    """Whether what was wrong in a call is wrong in each that is like it: what was only presumed of
    one may not be, but what a pattern calls the dims is the same each time.
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
    """As `run_frame`, of a function of another file; None when that costs more than it may."""
    cells, facts = ev.cells.copy(), ev.facts.copy()
    caller, steps, limit = ev.frame, ev.steps, ev.limit
    allowance = LONGEST_INFORMED if _tells_of_tensor(ev, arguments or ()) else LONGEST
    ev.limit = min(limit, steps + allowance)
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
        ev.limit = limit
    cost = ev.steps - steps
    if _tells_nothing(function, ev.resolve(result)):
        cost *= USELESS
    ev.memory.spent[id(function.record)] = spent + cost
    return result


def _tells_of_tensor(ev: Evaluator, arguments: Sequence[Argument]) -> bool:
    """Whether one of the arguments is a tensor of known dims."""
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, Tensor) and value.shape is not UNKNOWN:
            return True
    return False


LONGEST = 400
LONGEST_INFORMED = 2_000
"""Expressions that one call of another file's function may cost, calls included; the second when an
argument is a tensor of known dims.
"""


def _tells_nothing(function: Function, result: Value) -> bool:
    """Whether a call was for something else than its result or the attributes of an instance."""
    if function.name in CONSTRUCTORS:
        return False
    return (isinstance(result, Anything) and result.maybe is None) or (
        isinstance(result, Constant) and result.value is None
    )


USELESS = 4
"""How much more than its cost a call of another file's function counts that told nothing."""

MOST_SPENT = 3_000
"""Expressions that one function of another file may cost a file, calls included, when its arguments
tell of no tensor: what builds, loads and registers models is called by everything.
"""

MOST_IDLE = 24
"""How often one function is evaluated in a file when that tells nothing, nor its arguments of a
tensor: what builds the models of a family by their names.
"""

MOST_TIMES = 12
"""How often one function is evaluated within another when its arguments tell of no tensor."""


def _is_worn_out(
    ev: Evaluator, function: Function, keyed: Any, arguments: Sequence[Argument]
) -> bool:
    """Whether evaluating a function once more would tell nothing: it was evaluated for such
    arguments before, none of which is a tensor of known dims, and could not be remembered.
    """
    if _tells_of_tensor(ev, arguments):
        return False
    if ev.memory.spent.get(id(function.record), 0) > MOST_SPENT:
        return True
    if ev.memory.idle.get(id(function.record), 0) >= MOST_IDLE:
        return True
    count = ev.memory.evaluated.get(id(function.record), 0) + 1
    ev.memory.evaluated[id(function.record)] = count
    return count > MOST_TIMES or (keyed is not None and keyed[0] in ev.memory.forgotten)


def recall(
    ev: Evaluator,
    remembered: Remembered,
    symbols: Sequence[sizes.Symbol],
    arguments: Sequence[Argument],
    place: int,
) -> Value:
    """What a call gave before, told in the sizes of this one."""
    telling = memo.Telling(ev, remembered, symbols, place)
    for index, known_now in remembered.refined:
        told = telling.value(known_now)
        if isinstance(told, Tensor):
            ev.refine(arguments[index].value, told)
    for left, right, fact in remembered.equations:
        ev.facts.settle(telling.size(left), telling.size(right), fact.place)
    result = telling.value(remembered.result)
    ev.alive = remembered.alive
    _blame_caller(ev, remembered.wrong, ev.frame, place)
    return result


def is_abstract(body: Sequence[ir.Statement]) -> bool:
    """Whether a method does nothing but raise, or nothing at all: it is for others to define."""
    return bool(body) and all(
        isinstance(statement, (ir.Raise, ir.Pass))
        or (
            isinstance(statement, ir.ExpressionStatement)
            and isinstance(statement.value, (ir.Str, ir.EllipsisLiteral))
        )
        for statement in body
    )


def run_frame(ev: Evaluator, frame: Frame, function: Function, node: ir.Node | None) -> Value:
    """Run a function's body in its frame, and stand behind the call afterwards."""
    caller = ev.frame
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
            ev.run(function.body)
            here = ev.here()
            if here is not None:
                frame.returned.append((NONE, here))
                frame.ends.append(frame.way)
    finally:
        ev.stack.pop()
        ev.frame = caller
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
        ev.alive = frame.generator or bool(frame.quiet)
    _hand_on(ev, frame, caller, node)
    if frame.generator:
        return Anything()
    return join_all(results) if results else Anything()


def _hand_on(ev: Evaluator, frame: Frame, caller: Frame, node: ir.Node | None) -> None:
    """What was certainly wrong in a callee is wrong at the call, as often as that is evaluated."""
    _blame_caller(ev, frame.certain(), caller, node.id if node is not None else -1)


_CALLS_SHOWN = 6
"""Calls inside each other of which notes tell, the innermost first."""


def _blame_caller(ev: Evaluator, outcomes: Sequence[Outcome], caller: Frame, number: int) -> None:
    caller.seen[number] = caller.seen.get(number, 0) + 1
    if ev.may_be_skipped(caller):
        return
    for outcome in outcomes:
        if outcome.requires is not None and (caller.chosen or caller.left):
            continue
        note = ("called with these arguments", caller.source, caller.line)
        told = outcome._replace(calls=outcome.calls + 1)
        if outcome.calls < _CALLS_SHOWN:
            told = told._replace(notes=(*outcome.notes, note))
        caller.blame((number, outcome.node, outcome.mistake.code), number, told)


def bind_parameters(
    ev: Evaluator,
    frame: Frame,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> bool:
    """Give parameters their values; False when the call does not fit."""
    caller = ev.frame
    rest = list(arguments) if arguments is not None else None
    left = dict(keywords) if keywords is not None else None
    variables = frame.variables
    for parameter in function.parameters:
        name = parameter.name
        declared: annotation.Declaration | None = None
        if parameter.annotation is not None:
            ev.frame = frame
            with frame.quietly():
                declared = annotation.read(ev, parameter.annotation)
            ev.frame = caller
        match parameter.kind:
            case "variadic positional":
                variables[name] = (
                    Tuple([a.value for a in rest]) if rest is not None else Repeated(Anything())
                )
                rest = [] if rest is not None else None
                continue
            case "variadic keyword":
                made = Dict()
                ev.cells[made] = (
                    {key: a.value for key, a in left.items()}
                    if left is not None
                    else Repeated(Anything())
                )
                variables[name] = made
                left = {} if left is not None else None
                continue
            case "keyword-only":
                positional = False
            case _:
                positional = True
        given: Argument | None = None
        if positional and rest:
            given = rest.pop(0)
        elif left is not None and name in left and parameter.kind != "positional-only":
            given = left.pop(name)
        if given is not None:
            value = given.value
            if declared is not None:
                note = (f"'{name}' is declared here", function.source, function.line)
                value = declarations.check_argument(
                    ev, caller, frame.names, declared, name, value, given.node, note
                )
            variables[name] = value
        elif rest is None or left is None:
            variables[name] = Anything(name)
        elif parameter.default is not None:
            variables[name] = default_value(ev, function, parameter.default)
        else:
            return False
    return not rest and not left


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
