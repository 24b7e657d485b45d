"""Statements: assignment, branches, exceptions, definitions, imports.

A branch forks the path, and the paths are joined behind it. Loops are in `loops`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from namecheck.analysis.asking import elements, free_tests
from namecheck.analysis.evidence import annotation, moments
from namecheck.analysis.gradients import modes
from namecheck.analysis.objects import (
    context_managers,
    ends_of_tests,
    files_read,
    own_objects,
    shared_names,
    twin_code,
)
from namecheck.analysis.objects.given_away import forget_one_of
from namecheck.analysis.python import alternatives, calls, loops, matching, methods
from namecheck.analysis.python.alternatives import worth_two_ways
from namecheck.analysis.python.assignment import assign, delete, show_targets
from namecheck.analysis.python.definitions import (
    is_followed,
    run_class,
    run_function,
    run_import,
    run_import_from,
)
from namecheck.analysis.python.expressions import combine
from namecheck.analysis.reading import decisions, ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state import inlays
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import BranchLabels
from namecheck.analysis.state.joining import copy, join_paths
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.scalars import truth_of
from namecheck.analysis.state.values import (
    NONE,
    Alias,
    Anything,
    Dict,
    Instance,
    Library,
    List,
    Number,
    Repeated,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
)
from namecheck.analysis.state.values.grad_modes import Following
from namecheck.analysis.usage import forced_sizes, samples
from namecheck.frameworks import EXPECTING, jaxtyping, torch


def run(ev: Evaluator, body: Sequence[ir.Statement], first: int = 0) -> None:
    """Run statements, from the first or a later one, on the current path, while it is alive."""
    source = ev.frame.source
    commented = {} if ev.hearsay.left_out else source.comments
    for index in range(first, len(body)):
        if not ev.alive:
            return
        statement = body[index]
        ev.frame.line = statement.line
        ev.leave_sizes()
        ev.at = (source, statement.line)
        if type(statement) is ir.If:
            if statement.id in commented:
                moments.statement_begins(ev, statement, body[index - 1] if index else None)
            if run_if(ev, statement, body, index):
                return
            continue
        tests = ev.frame.ways.tests
        if statement.id not in commented:
            _TABLE[type(statement)](ev, statement)
            _statement_ends(ev, statement, tests, body, index)
            if ev.frame.written.awaited is not None and type(statement) not in _COMPOUND:
                following = body[index + 1] if index + 1 < len(body) else None
                moments.statement_goes_on(ev, statement, following)
            continue
        moments.statement_begins(ev, statement, body[index - 1] if index else None)
        _TABLE[type(statement)](ev, statement)
        _statement_ends(ev, statement, tests, body, index)
        if type(statement) not in _COMPOUND:
            following = body[index + 1] if index + 1 < len(body) else None
            moments.statement_done(ev, statement, following=following)


# Assignment


def run_assign(ev: Evaluator, node: ir.Assign) -> None:
    if type(node.value) is ir.Tuple:
        moments.tuple_assigned(ev, node)
    value = ev.value(node.value)
    if type(value) is Number:
        moments.size_assigned(ev, node, value)
    elif type(node.value) in _ALIASED:
        value = _alias(ev, node.value, value)
    for target in node.targets:
        assign(ev, target, value, node.value)
    if type(value) in _SIZES:
        forced_sizes.note_ones(ev, node)
    if ev.frame.depth == 0 or ev.inlays.driven is not None:
        for target in node.targets:
            show_targets(ev, target)


_SIZES: Final = frozenset({Number, ShapeOf, Tuple})
"""What an assignment of sizes assigns."""

_ALIASED: Final = frozenset({ir.Subscript, ir.Binary})


def _alias(ev: Evaluator, node: ir.Expression, value: Value) -> Value:
    """The value of `Img = Float[Tensor, "c h w"]`: a name for an annotation."""
    if isinstance(node, ir.Subscript) and not isinstance(value, Library):
        return value
    if isinstance(node, ir.Binary) and (node.operator != "|" or isinstance(value, Tensor)):
        return value
    # jaxtyping refuses a wrong one where it is made.
    made_here = isinstance(value, Library) and value.path.startswith(jaxtyping.TYPES)
    with ev.frame.quietly(not made_here):
        declaration = annotation.read(ev, node)
    return value if declaration is None else Alias(declaration)


def run_annotated(ev: Evaluator, node: ir.AnnotatedAssign) -> None:
    if node.value is None:
        moments.declared(ev, node)
        return
    value = ev.value(node.value)
    if annotation.is_alias(ev, node.annotation):
        alias = annotation.read(ev, node.value)
        if alias is not None:
            value = Alias(alias)
    value = moments.annotated(ev, node, value)
    assign(ev, node.target, value, node.value)
    show_targets(ev, node.target)


def run_augmented(ev: Evaluator, node: ir.AugmentedAssign) -> None:
    left = ev.resolve(ev.value(node.target))
    right = ev.resolve(ev.value(node.value))
    if isinstance(left, List):
        more = elements.iterate(ev, right)
        contents = ev.cells.get(left)
        if isinstance(contents, tuple) and isinstance(more, tuple):
            ev.fill(left, (*contents, *more))
        else:
            ev.cells[left] = Repeated(Anything())
        return
    if isinstance(left, Anything):
        forget_one_of(ev, left)
    if isinstance(left, Dict):  # `|=` adds to the dict itself
        methods.update_dict(ev, left, [right], {})
        return
    written = _is_written(ev, left)
    value = combine(ev, left, node.operator, right, node, node.target, node.value, written)
    assign(ev, node.target, value, None)
    show_targets(ev, node.target)


def _is_written(ev: Evaluator, left: Value) -> bool:
    """Whether an augmented assignment writes to the elements of a value, and makes no new array."""
    if not isinstance(left, Tensor) or left.library == torch.TENSOR:
        return True
    # NumPy cannot write to a scalar: `total += row` makes a new array. JAX never writes, and an
    # unknown value may be one of its arrays, or a number.
    return left.library != "" and left.shape != () and not ev.frame.source.file.has_constant_arrays


def run_expression(ev: Evaluator, node: ir.ExpressionStatement) -> None:
    ev.value(node.value)
    if isinstance(node.value, ir.Call):
        calls.lend(ev, node.value)


def run_delete(ev: Evaluator, node: ir.Delete) -> None:
    for target in node.targets:
        delete(ev, target)


def run_global(ev: Evaluator, node: ir.Global | ir.Nonlocal) -> None:
    for name in node.names:
        outer = ev.frame.parent
        if isinstance(node, ir.Nonlocal) and outer is not None and name in outer.variables:
            if name not in outer.globals_:
                continue  # nothing binds the name again
            if outer.variables[name] is NONE:
                # A cache that the first call fills: all calls get its value.
                ev.frame.variables[name] = NONE
                continue
        ev.frame.globals_ |= {name}
        ev.frame.variables[name] = Anything()
        if isinstance(node, ir.Global):
            shared_names.declare(ev.frame, name)


# Leaving


def run_return(ev: Evaluator, node: ir.Return) -> None:
    value = NONE if node.value is None else moments.returned(ev, node, ev.value(node.value))
    if ev.inlays.driven is not None:
        inlays.note_driven(ev, "", value, "return", ev.frame)
    if ev.inlays.wanted and not ev.frame.depth:
        inlays.note_returned(ev, value)
    if ev.frame.samples:
        samples.check_returned(ev, value)
    moments.statement_done(ev, node, value)
    path = ev.here()
    if path is not None:
        ev.frame.returned.append((value, path))
        ev.frame.ways.ends.append(ev.frame.ways.current)
    ev.alive = False


def run_raise(ev: Evaluator, node: ir.Raise) -> None:
    ev.alive = False


def run_break(ev: Evaluator, node: ir.Break) -> None:
    path = ev.here()
    if ev.frame.flow.loops and path is not None:
        ev.frame.flow.loops[-1][0].append(path)
    ev.alive = False


def run_continue(ev: Evaluator, node: ir.Continue) -> None:
    path = ev.here()
    if ev.frame.flow.loops and path is not None:
        ev.frame.flow.loops[-1][1].append(path)
    ev.alive = False


def run_assert(ev: Evaluator, node: ir.Assert) -> None:
    if alternatives.is_false(ev, node.test):
        ev.raises_in_constructor()
        ev.alive = False  # it raises
        return
    moments.decided(ev, node.test, True, stated=True)


# Branches


def _statement_ends(
    ev: Evaluator,
    statement: ir.Statement,
    tests: decisions.Decided,
    body: Sequence[ir.Statement],
    index: int,
) -> None:
    """Keep what is decided behind a statement; a simple one may have added something to it."""
    if type(statement) not in _COMPOUND:
        tests = ev.frame.ways.tests
    twin_code.check_lines(ev, body[index - 1] if index else None, statement)
    alternatives.statement_ends(ev, tests, body, index)


def run_if(ev: Evaluator, node: ir.If, body: Sequence[ir.Statement], index: int) -> bool:
    """Run a branch, which is statement `index` of `body`.

    True if the statements behind it were run as well, separately on each of the two ways.
    """
    frame = ev.frame
    truth = truth_of(ev, asked := alternatives.value_of_check(ev, node))
    if truth is not None and _trusted(node.test):
        if ev.by_defaults:
            _run_as_left_out(ev, node, truth)
        else:
            run(ev, node.body if truth else node.orelse)
        return False
    truth = decisions.truth(node.test, frame.ways.decided)
    if truth is not None:
        moments.decided(ev, node.test, truth)
        with frame.branch(configured=moments.is_configured(ev, node.test)):
            run(ev, node.body if truth else node.orelse)
        return False
    free = frame.depth > 0 and free_tests.is_free(ev, node.test, asked)
    way, tests = frame.ways.current, frame.ways.tests
    held, failed = ({**tests, **alternatives.outcomes(ev, node.test, k)} for k in (True, False))
    other = ev.fork()
    moments.decided(ev, node.test, True)
    moments.statement_done(ev, node)
    chosen = moments.is_configured(ev, node.test)
    returned, labels = len(frame.returned), BranchLabels(frame.written)
    with frame.branch(configured=chosen, free=free):
        frame.ways.current, frame.ways.tests = (*way, (node.id, True)), held
        ev.alive = ev.alive and not alternatives.are_impossible(held)
        arms = [alternatives.run_arm(ev, node.body)]
        after, held = ev.here(), frame.ways.tests
        ev.go(other)
        labels.turn()
        frame.ways.current, frame.ways.tests = (*way, (node.id, False)), failed
        moments.decided(ev, node.test, False, stated=after is None)
        ev.alive = ev.alive and not alternatives.are_impossible(failed)
        arms.append(alternatives.run_arm(ev, node.orelse))
        frame.ways.current, failed = way, frame.ways.tests
    told = alternatives.tell_arms(ev, arms)
    here = ev.here()
    labels.join(after is not None, here is not None)
    # Where only one branch goes on, the rest of the body belongs to it.
    if after is None or here is None:
        frame.ways.tests = failed if after is None else held
    else:
        frame.ways.tests = alternatives.still_decided(ev, tests, body, index)
    if len(frame.returned) > returned and (after is None) is not (here is None):
        if _goes_on_alone(ev, body, index, [] if told else arms, (after, here), free):
            frame.ways.tests = tests
            return True
    if after is None or here is None or not worth_two_ways(ev, body, index, after, here):
        if after is not None and here is not None:
            moments.met(ev, after, here)
        alternatives.meet(ev, (after, held), (here, failed))
        return False
    _run_two_ways(ev, body, index, way, (after, True, held), (here, False, failed))
    frame.ways.tests = tests
    return True


def _goes_on_alone(
    ev: Evaluator,
    body: Sequence[ir.Statement],
    index: int,
    arms: list[alternatives.Arm | None],
    sides: tuple[Path | None, Path | None],
    free: bool,
) -> bool:
    """Let the statements behind a branch belong to the one side of it that does not return.

    True if they were run, as where a drive makes mistakes on the other side.
    """
    frame, node = ev.frame, body[index]
    assert isinstance(node, ir.If)
    after, here = sides
    chosen = moments.is_configured(ev, node.test)
    is_unsure = frame.flow.unsure or frame.depth > 0 or ev.trials.is_on
    waits = is_unsure and alternatives.awaits_rest(ev, arms, after is None)
    if waits:
        way = frame.ways.current
        ev.go(here if after is None else after)
        frame.ways.current = (*way, (node.id, after is not None))
        with frame.branch(configured=chosen):
            arms[1 if after is None else 0] = alternatives.run_arm(ev, body, index + 1)
        frame.ways.current = way
        alternatives.tell_arms(ev, arms)
    frame.flow.unsure = is_unsure
    frame.flow.doubtful = frame.flow.doubtful or (is_unsure and not free)
    frame.flow.left = frame.flow.left or chosen
    return waits


def _run_two_ways(
    ev: Evaluator,
    body: Sequence[ir.Statement],
    index: int,
    way: tuple[tuple[int, bool], ...],
    *sides: tuple[Path | None, bool, decisions.Decided],
) -> None:
    """Run the statements behind a branch separately on the paths that come from its sides."""
    frame = ev.frame
    node = body[index]
    assert isinstance(node, ir.If)
    outlook = frame.source.outlook(body)
    frame.ways.count += 1
    decided, again = frame.ways.decided, frame.ways.again
    ends: list[tuple[Path | None, decisions.Decided]] = []
    for path, holds, tests in sides:
        ev.go(path)
        frame.ways.decided = {**decided, **decisions.learned(node.test, outlook, index, holds)}
        frame.ways.again = again or not holds
        frame.ways.current, frame.ways.tests = (*way, (node.id, holds)), tests
        run(ev, body, index + 1)
        ends.append((ev.here(), frame.ways.tests))
    frame.ways.decided, frame.ways.again, frame.ways.current = decided, again, way
    alternatives.meet(ev, *ends)


def _run_as_left_out(ev: Evaluator, node: ir.If, truth: bool) -> None:
    """Run the one way through a branch that a class takes as its defaults build it.

    Mistakes on a way that is taken because an argument was left out are not reported: with these
    defaults a caller may always have to pass it. What stands in for it behind the branch, as in
    `if context is None: context = x`, may be what a caller passes, too.
    """
    frame = ev.frame
    asked = moments.is_left_out(ev, node.test)
    before = dict(frame.variables) if asked else {}
    other = node.orelse if truth else node.body
    with frame.branch(asked):
        run(ev, node.body if truth else node.orelse)
    if asked and ev.alive:
        for name in _stand_ins(node.test, other):
            if name in frame.variables and frame.variables[name] is not before.get(name):
                frame.variables[name] = alternatives.stand_in(ev, frame.variables[name])
    if asked and other and isinstance(other[-1], ir.Return):
        frame.flow.unsure = frame.flow.doubtful = True


def _stand_ins(test: ir.Expression, other: Sequence[ir.Statement]) -> set[str]:
    """The variables that a branch tests, and those that the way not taken assigns."""
    names = {inner.name for inner in walk(test) if isinstance(inner, ir.Name)}
    for statement in other:
        for inner in walk(statement):
            if isinstance(inner, ir.Assign):
                names.update(target.name for target in inner.targets if isinstance(target, ir.Name))
    return names


def _trusted(test: ir.Expression) -> bool:
    """Whether a test whose answer is known is followed on one way only."""
    return not isinstance(test, ir.Name) or test.name not in ("TYPE_CHECKING",)


def run_match(ev: Evaluator, node: ir.Match) -> None:
    subject = ev.value(node.subject)
    ends: list[tuple[Path | None, decisions.Decided]] = []
    frame = ev.frame
    returned, way = len(frame.returned), frame.ways.current
    tests = failed = frame.ways.tests
    others: tuple[tuple[int, bool], ...] = way
    labels: list[BranchLabels] = []
    arms: list[alternatives.Arm | None] = []
    for case in node.cases:
        taken = matching.takes(ev, subject, case.pattern)
        if taken is False:
            continue
        sure = taken is True and case.guard is None
        other = None if sure else ev.fork()
        is_branch = not sure or bool(ends)
        frame.ways.current = (*others, (case.pattern.id, True))
        others = (*others, (case.pattern.id, False))
        test = matching.test_of(node.subject, case.pattern)
        if test is not None:
            frame.ways.tests = {**failed, **alternatives.outcomes(ev, test, True)}
            if case.guard is None:
                failed = {**failed, **alternatives.outcomes(ev, test, False)}
        else:
            frame.ways.tests = failed
        matching.learn(ev, node.subject, subject, case.pattern)
        labels.append(BranchLabels(frame.written))
        if ev.alive:
            if case.guard is not None:
                ev.value(case.guard)
                moments.decided(ev, case.guard, True)
            with frame.branch(is_branch, configured=is_branch):
                if is_branch:
                    arms.append(alternatives.run_arm(ev, case.body))
                else:
                    run(ev, case.body)
        ends.append((ev.here(), frame.ways.tests))
        ev.go(other)
        if other is None:
            break
        labels[-1].turn()
        if case.guard is None:
            matching.learn_otherwise(ev, node.subject, case.pattern)
            if not ev.alive:
                break
    frame.ways.current, frame.ways.tests = way, tests
    ends.append((ev.here(), failed))
    alternatives.tell_arms(ev, arms if ends[-1][0] is None else [*arms, []])
    for branch, (end, _) in zip(reversed(labels), ends[-2::-1], strict=True):
        branch.join(end is not None, True)
    if len(frame.returned) > returned and any(end is not None for end, _ in ends):
        frame.flow.unsure = frame.flow.doubtful = frame.flow.unsure or frame.depth > 0
        frame.flow.left = True
    alternatives.meet(ev, *ends)


# Exceptions and contexts


def run_try(ev: Evaluator, node: ir.Try) -> None:
    if node.handlers and is_followed(ev, node.body):
        # The files exist, so no import fails.
        run(ev, (*node.body, *node.orelse, *node.final))
        return
    start = ev.fork()
    quiet = bool(node.handlers)
    with ev.frame.quietly(quiet):
        run(ev, node.body)
    middle = ev.here()
    ends: list[Path | None] = []
    if middle is not None:
        run(ev, node.orelse)
        ends.append(ev.here())
    for handler in node.handlers:
        # An exception may be raised anywhere in the body.
        begin = join_paths(copy(start), copy(middle)) if middle is not None else copy(start)
        ev.go(begin)
        if handler.name is not None:
            ev.frame.variables[handler.name] = Anything()
        run(ev, handler.body)
        ends.append(ev.here())
    ev.meet(ends)
    if node.final:
        alive = ev.alive
        if not alive:
            ev.go(start)
        run(ev, node.final)
        ev.alive = ev.alive and alive


def run_with(ev: Evaluator, node: ir.With) -> None:
    _enter(ev, node, 0)


def _enter(ev: Evaluator, node: ir.With, index: int) -> None:
    """Enter the contexts of a `with` statement from one on, and run its body in them."""
    if index == len(node.items):
        run(ev, node.body)
        return
    item = node.items[index]
    context = ev.resolve(ev.value(item.value))
    before = ev.gradients.following
    mode = modes.of_context(ev, item.value, before.mode)
    swallows = _expects_error(item.value)
    swallows = swallows or ends_of_tests.may_expect(ev, item.value, context)
    swallows = swallows or ends_of_tests.replaces(ev, item.value)

    def inside(given: Value) -> None:
        if item.target is not None:
            assign(ev, item.target, given, None)
        if mode is not before.mode:
            ev.gradients.following = Following(mode, before.graphs)
        with ev.frame.quietly(swallows):
            _enter(ev, node, index + 1)

    if context_managers.is_context(context):
        context_managers.enter(ev, context, inside)
    else:
        given = own_objects.enter(ev, context, node.body)
        plain = context if files_read.is_path(context) else Anything()
        inside(plain if given is None else given)
        if given is not None and isinstance(context, Instance) and ev.alive:
            own_objects.leave(ev, context)
    ev.gradients.following = before
    if swallows:
        ev.alive = True


def _expects_error(context: ir.Expression) -> bool:
    """Whether mistakes inside are intended: `with pytest.raises(...)`."""
    function = context.function if isinstance(context, ir.Call) else context
    name = function.name if isinstance(function, (ir.Attribute, ir.Name)) else ""
    return name.startswith(EXPECTING)


# The rest


def run_alias(ev: Evaluator, node: ir.TypeAliasStatement) -> None:
    declaration = annotation.read(ev, node.value)
    ev.frame.variables[node.name] = Anything() if declaration is None else Alias(declaration)


def run_nothing(ev: Evaluator, node: ir.Statement) -> None:
    pass


_COMPOUND: Final = frozenset(
    {ir.If, ir.For, ir.While, ir.With, ir.Try, ir.Match, ir.FunctionDef, ir.ClassDef, ir.Return}
)
"""Statements whose comments are read at their header."""

_TABLE: Final[dict[type, Callable[[Evaluator, Any], None]]] = {
    ir.Assign: run_assign,
    ir.AnnotatedAssign: run_annotated,
    ir.AugmentedAssign: run_augmented,
    ir.ExpressionStatement: run_expression,
    ir.Delete: run_delete,
    ir.Global: run_global,
    ir.Nonlocal: run_global,
    ir.Return: run_return,
    ir.Raise: run_raise,
    ir.Break: run_break,
    ir.Continue: run_continue,
    ir.Assert: run_assert,
    ir.Match: run_match,
    ir.For: loops.run_for,
    ir.While: loops.run_while,
    ir.Try: run_try,
    ir.With: run_with,
    ir.FunctionDef: run_function,
    ir.ClassDef: run_class,
    ir.Import: run_import,
    ir.ImportFrom: run_import_from,
    ir.TypeAliasStatement: run_alias,
    ir.Pass: run_nothing,
}
