"""Loops: the body runs until nothing changes, three times at most; what still changes is unknown.

A loop over known elements takes them one by one. Only the changes that the next round reads matter:
a variable that each round binds before reading it carries nothing over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from namecheck.analysis.asking import elements
from namecheck.analysis.evidence import moments
from namecheck.analysis.python.alternatives import still_decided
from namecheck.analysis.python.assignment import assign_in_loop, show_targets
from namecheck.analysis.python.changed_modules import loop_set
from namecheck.analysis.reading import decisions, ir
from namecheck.analysis.reading.loop_variables import Carried
from namecheck.analysis.reading.walking import target_names, walk
from namecheck.analysis.state.evaluate import Evaluator
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.joining import (
    copy,
    element_of,
    join_all,
    join_paths,
    resolve,
    same_path,
)
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.scalars import truth_of
from namecheck.analysis.state.values import (
    Anything,
    Constant,
    Container,
    Either,
    Function,
    Instance,
    Layer,
    Number,
    Repeated,
    Tensor,
    Text,
    Tuple,
    Value,
    Walked,
    inherited,
    same,
)
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, known_dims, trailing

PASSES: Final = 3
"""How often a loop's body runs before what still changes becomes unknown."""


def run_for(ev: Evaluator, node: ir.For) -> None:
    contents = elements.iterate(ev, ev.value(node.iterable))
    if isinstance(contents, Walked):
        contents = contents.found
    if isinstance(contents, tuple) and takes_one_by_one(ev, contents) and not node.orelse:
        _run_unrolled(ev, node, contents)
        if not ev.reach.driven:  # there each round has set what it sets
            loop_set(ev, node)
        return
    element = _any_element(ev, contents)

    def once() -> None:
        ev.frame.line = node.line
        assign_in_loop(ev, node.target, element)
        show_targets(ev, node.target)
        moments.statement_done(ev, node)
        ev.run(node.body)

    _loop(ev, node, once, some=_holds_modules(ev, element))
    loop_set(ev, node)


def _any_element(ev: Evaluator, contents: tuple[Value, ...] | Repeated | None) -> Value:
    """The value that stands for each element of what a loop goes over."""
    if contents is None:
        return Anything()
    if isinstance(contents, tuple) and len(contents) > ev.reach.unrolled:
        if all(isinstance(one, Number) and one.kind == "int" for one in contents):
            return Number(ev.some_int("i"))  # as the loop over a range of unknown length has it
    return element_of(contents)


def _holds_modules(ev: Evaluator, element: Value) -> bool:
    """Whether a loop goes over modules: models do not have empty rows, so it runs at least once."""
    element = ev.resolve(element)
    if isinstance(element, Tuple):
        return any(_holds_modules(ev, one) for one in element.elements)
    return isinstance(element, (Instance, Layer, Container)) or (
        isinstance(element, Either)
        and all(isinstance(o, (Instance, Layer, Container)) for o in element.options)
    )


def _run_unrolled(ev: Evaluator, node: ir.For, contents: tuple[Value, ...]) -> None:
    left: list[Path | None] = []
    outer = _begin_loop(ev)
    again, turn = ev.frame.ways.again, ev.frame.flow.turn
    tests = still_decided(ev, ev.frame.ways.tests, node.body)
    rounds = ev.frame.flow.rounds
    carried = _carried(ev.frame, node) if _may_repeat(ev, node, contents) else None
    for number, element in enumerate(contents):
        if not ev.alive:
            break
        tried = carried is not None and 0 < number <= PASSES and number + 1 < len(contents)
        start = ev.fork() if tried else None
        ev.frame.ways.tests = tests
        ev.frame.ways.again = again or number > 0
        ev.frame.flow.turn = (*turn, number)
        ev.frame.flow.loops.append(([], []))
        ev.frame.line = node.line
        ev.assign(node.target, element, None)
        show_targets(ev, node.target)
        ev.run(node.body)
        breaks, continues = ev.frame.flow.loops.pop()
        left += breaks
        if breaks:
            ev.frame.flow.entry = -1
            ev.frame.flow.rounds = rounds + 1
        ev.meet([ev.here(), *continues])
        if start is not None and not left and _is_repeated(ev, start, carried):
            ev.assign(node.target, contents[-1], None)
            break
    ev.frame.flow.entry, ev.frame.flow.rounds = outer, rounds
    ev.frame.ways.again, ev.frame.flow.turn = again, turn
    ev.meet([ev.here(), *left])


def _may_repeat(ev: Evaluator, node: ir.For, contents: Sequence[Value]) -> bool:
    """Whether rounds of a loop in a drive may do the same, as their elements do not differ."""
    if not ev.reach.driven or len(contents) <= 2:
        return False
    if not _reads(node):
        return True
    # Equal tensors are changed one by one.
    first = contents[0]
    plain = isinstance(first, (Constant, Number))
    return all(one is first or (plain and same(one, first)) for one in contents[1:])


def _reads(node: ir.For) -> bool:
    """Whether the body of a loop reads the element; `_` is bound again by the loops in it."""
    targets = set(target_names(node.target))
    found = [inner for statement in node.body for inner in walk(statement)]
    bound = {inner.target.id for inner in found if isinstance(inner, ir.For)}
    return any(
        isinstance(inner, ir.Name) and inner.name in targets and inner.id not in bound
        for inner in found
    )


def _is_repeated(ev: Evaluator, start: Path, carried: Carried | None) -> bool:
    """Whether a round ends as it has begun, so that those behind it would do the same."""
    end = ev.here()
    if end is None or carried is None or ev.facts.since(start.facts):
        return False
    return same_path(start, end, carried.read)


def _begin_loop(ev: Evaluator) -> int:
    """Begin the first pass of a loop, and give the previous `Frame.entry`."""
    frame = ev.frame
    outer = frame.flow.entry
    if not frame.flow.loops:
        frame.flow.entry = frame.flow.branches
    return outer


def run_while(ev: Evaluator, node: ir.While) -> None:
    truth = truth_of(ev, ev.value(node.test))
    entered = decisions.truth(node.test, ev.frame.ways.decided)
    ev.frame.ways.decided = still_decided(ev, ev.frame.ways.decided, node.body)
    if entered is False:
        ev.run(node.orelse)
        return

    last = [truth]

    def once() -> None:
        # A round whose test fails does not begin; `_loop` goes on from its start.
        last[0] = truth_of(ev, ev.value(node.test))
        if last[0] is False:
            ev.alive = False
            return
        moments.decided(ev, node.test, True)
        ev.run(node.body)

    _loop(ev, node, once, is_endless=lambda: truth is True and last[0] is True)


def _loop(
    ev: Evaluator,
    node: ir.For | ir.While,
    once: Callable[[], None],
    is_endless: Callable[[], bool] | None = None,
    some: bool = False,
) -> None:
    """Run a loop's body until its start is stable; the path behind joins the start and the breaks.

    `some` says that the loop runs at least once, so that the effects of its body are certain;
    `is_endless` whether the test also holds at the start that all rounds have in common.
    """
    breaks: list[Path] = []
    returned = len(ev.frame.returned)
    outer = _begin_loop(ev)
    ev.frame.flow.rounds += 1
    tests = still_decided(ev, ev.frame.ways.tests, node.body)
    for number in range(PASSES):
        if number:
            ev.frame.flow.entry = -1
        ev.frame.ways.tests = tests
        start = ev.fork()
        ev.frame.flow.loops.append(([], []))
        once()
        stopped, continued = ev.frame.flow.loops.pop()
        breaks += stopped
        end: Path | None = ev.here()
        for path in continued:
            end = join_paths(end, path)
        if end is None:
            ev.go(start)
            break
        again = join_paths(copy(start), end)
        assert again is not None
        if some and not number:
            # The facts that the body presumed about sizes do not hold for what follows.
            again = Path(end.variables, end.cells, again.facts)
            if not continued and _is_left_as_found(ev, start, end):
                ev.go(again)
                break
        if number == PASSES - 1:
            again = _widen(start, again)
        ev.go(again)
        carried = _carried(ev.frame, node)
        read = None if carried is None else carried.read
        # The second round has replaced what the first added to a row; a third would do the same.
        grown = () if carried is None or not number else _rows(start, carried.grown)
        if same_path(start, again, read, grown):
            break
    ev.frame.flow.entry = outer
    ev.frame.flow.rounds -= 1
    flow = ev.frame.flow
    if len(ev.frame.returned) > returned and not flow.unsure:
        # A round may have returned, so the program may not get to what follows.
        flow.unsure = flow.doubtful = ev.frame.depth > 0 or ev.trials.is_on
    if breaks and is_endless is not None and is_endless():
        ev.alive = False
    ev.run(node.orelse)
    ev.meet([ev.here(), *breaks])


def _carried(frame: Frame, node: ir.For | ir.While) -> Carried | None:
    """The variables that one round hands to the next; None if that may be any."""
    for value in frame.variables.values():
        if type(value) is Function and value.scope is frame:
            return None  # a function may read any variable when it is called
    carried: Carried = frame.source.carried(node)
    return carried


def _rows(path: Path, names: Iterable[tuple[str, str]]) -> list[Any]:
    """The values of variables or attributes to which a round only adds."""
    values = []
    for name, attribute in names:
        value = path.variables.get(name)
        if value is not None and attribute:
            value = path.cells.get((resolve(value, path.cells), attribute))
        if isinstance(value, Value):
            values.append(resolve(value, path.cells))
    return values


def _is_left_as_found(ev: Evaluator, start: Path, end: Path) -> bool:
    """Whether each variable is as before the first round, with what the round learned of it.

    Then further rounds do the same. The current path is `end`.
    """
    for name, before in start.variables.items():
        after = end.variables.get(name)
        if after is before:
            continue
        if after is None:
            return False
        before, after = resolve(before, end.cells), resolve(after, end.cells)
        if before is after:
            continue
        if not isinstance(before, Tensor) or not isinstance(after, Tensor):
            return False
        if not isinstance(after.shape, tuple) or before.kind not in (after.kind, "unknown"):
            return False
        if after.strides is not UNKNOWN and before.strides != after.strides:
            return False
        if ev.current(before.shape) != ev.current(after.shape):
            return False
    return all(
        after is start.cells.get(key, after)
        for key, after in end.cells.recent.items()
        if not isinstance(key, (Tensor, Anything))
    )


def _widen(start: Path, end: Path) -> Path:
    """The path, with everything that the last pass changed unknown."""
    for name, value in end.variables.items():
        before = start.variables.get(name)
        if before is None or not same(before, value):
            end.variables[name] = _forget(before, value)
    return end


def _forget(before: Value | None, value: Value) -> Value:
    if not isinstance(value, Tensor):
        return Anything()
    if isinstance(before, Tensor) and same(before.anywhere(), value.anywhere()):
        return value.anywhere()
    return Tensor(UNKNOWN, "unknown", value.library)


# Comprehensions


MODULES_IN_DRIVES: Final = 1024
"""The most modules, each with its own state, that a loop in a drive takes one by one."""


def takes_one_by_one(ev: Evaluator, contents: Sequence[Value]) -> bool:
    """Whether a comprehension or a loop takes elements one by one."""
    if len(contents) <= ev.reach.unrolled:
        return True
    if not ev.reach.driven or len(contents) > MODULES_IN_DRIVES:
        return False
    return _holds_modules(ev, contents[-1])


def run_clauses(
    ev: Evaluator, clauses: tuple[ir.Clause, ...], element: Callable[[], Value]
) -> tuple[Value, ...] | Value:
    """The elements of a comprehension one by one, or one value that stands for each of them."""
    outer = dict(ev.frame.variables)
    born = sizes.youngest()
    first = clauses[0]
    iterable = ev.value(first.iterable)
    contents = elements.iterate(ev, iterable)
    chosen = None
    if isinstance(contents, tuple) and takes_one_by_one(ev, contents):
        chosen = _selected(ev, first, contents)
    if chosen is not None and len(clauses) == 1:
        results: list[Value] = []
        turn = ev.frame.flow.turn
        for number, item in enumerate(chosen):
            ev.frame.flow.turn = (*turn, number)
            ev.assign(first.target, item, None)
            results.append(element())
        ev.frame.flow.turn = turn
        _leave(ev, outer, clauses)
        return tuple(results)
    if isinstance(contents, tuple) and not contents:
        return ()
    if chosen is not None:
        return _run_each(ev, outer, clauses, chosen, element)
    any_one = _any_element(ev, contents)
    assign_in_loop(ev, first.target, any_one)
    unselected = ev.fork() if first.conditions else None
    if not _selects(ev, first.conditions):
        ev.go(unselected)
        _leave(ev, outer, clauses)
        return Anything()
    ev.frame.flow.rounds += 1
    result: Value
    if len(clauses) > 1:
        inner = run_clauses(ev, clauses[1:], element)
        result = element_of(inner) if isinstance(inner, tuple) else inner
    else:
        result = _any_one(ev, element(), born)
    ev.frame.flow.rounds -= 1
    if unselected is not None:
        ev.meet((ev.here(), unselected))
    _leave(ev, outer, clauses)
    if isinstance(contents, tuple) and len(clauses) == 1 and not first.conditions:
        return _as_many(result, len(contents)) or result
    return result


def _selected(
    ev: Evaluator, clause: ir.Clause, contents: tuple[Value, ...]
) -> tuple[Value, ...] | None:
    """The elements for which the conditions of a clause hold; None if one may be left out."""
    if not clause.conditions:
        return contents
    if any(isinstance(inner, ir.Walrus) for one in clause.conditions for inner in walk(one)):
        return None
    chosen = []
    for item in contents:
        ev.assign(clause.target, item, None)
        taken: bool | None = True
        for condition in clause.conditions:
            taken = truth_of(ev, ev.value(condition))
            if not taken:
                break
        if taken is None:
            return None
        if taken:
            chosen.append(item)
    return tuple(chosen)


def _as_many(value: Value, count: int) -> tuple[Value, ...] | None:
    """As many values as a comprehension has elements, of which one is like the others.

    None if they may share what they hold.
    """
    rows: list[Value] = []
    for _ in range(count):
        match value:
            case Number():
                known_one = isinstance(value.size, int)
                rows.append(value if known_one else Number(UNKNOWN, value.kind))
            case Tensor():
                rows.append(elements.one_of(value))
            case Constant() | Text():
                rows.append(value)
            case _:
                return None
    return tuple(rows)


def _selects(ev: Evaluator, conditions: Sequence[ir.Expression]) -> bool:
    """Take all conditions of a clause for true; False if one of them cannot be."""
    for condition in conditions:
        if truth_of(ev, ev.value(condition)) is False:
            return False
        moments.decided(ev, condition, True)
        if not ev.alive:
            return False
    return True


def _run_each(
    ev: Evaluator,
    outer: dict[str, Value],
    clauses: tuple[ir.Clause, ...],
    contents: tuple[Value, ...],
    element: Callable[[], Value],
) -> tuple[Value, ...] | Value:
    """The elements of a comprehension whose first clause iterates over known elements."""
    results = []
    for item in contents:
        ev.assign(clauses[0].target, item, None)
        results.append(run_clauses(ev, clauses[1:], element))
    _leave(ev, outer, clauses)
    if all(isinstance(part, tuple) for part in results):
        together = tuple(one for part in results if isinstance(part, tuple) for one in part)
        if len(together) <= (MODULES_IN_DRIVES if ev.reach.driven else ev.reach.unrolled):
            return together
    filled = [part for part in results if part != ()]
    return join_all([element_of(part) if isinstance(part, tuple) else part for part in filled])


def _any_one(ev: Evaluator, value: Value, born: int) -> Value:
    """The value that stands for each element of a comprehension over unknown elements.

    Sizes that are younger than `born` may differ from element to element, and are unknown.
    """
    match value:
        case Tensor():
            shape = ev.current(value.shape)
            dims = tuple(
                Dim(dim.name, UNKNOWN)
                if any(atom.serial > born for atom in sizes.symbols(dim.size))
                else dim
                for dim in known_dims(shape)
            )
            new_shape = dims if isinstance(shape, tuple) else trailing(dims)
            return Tensor(new_shape, value.kind, value.library, inherited(value.claimed))
        case Tuple():
            return Tuple([_any_one(ev, one, born) for one in value.elements], value.fields)
        case Instance():
            value.several = True
    return value


def _leave(ev: Evaluator, outer: dict[str, Value], clauses: tuple[ir.Clause, ...]) -> None:
    """Restore the variables that the targets of a comprehension have hidden."""
    for clause in clauses:
        for name in target_names(clause.target):
            if name in outer:
                ev.frame.variables[name] = outer[name]
            else:
                ev.frame.variables.pop(name, None)


__all__ = ["run_clauses", "run_for", "run_while"]
