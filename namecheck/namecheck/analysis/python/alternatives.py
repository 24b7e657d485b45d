"""Tests that go together: the one that chose a layer, and a later one of the same thing.

`if factor == 4: self.head = Linear(...)` in a constructor and `if factor == 4:` in `forward` are
one choice. Two tests are the same if they compare the same value, or what has the same name, with
the same constant; `self.factor` and the parameter `factor` have one name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck.analysis.reading import decisions, ir
from namecheck.analysis.reading.decisions import Decided, Key
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.joining import resolve
from namecheck.analysis.state.lineage import is_module
from namecheck.analysis.state.paths import ABSENT, Path
from namecheck.analysis.state.scalars import ORDER, rests_on_claim, truth_of
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Constant,
    Container,
    Dict,
    Either,
    Instance,
    Layer,
    List,
    Number,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.frameworks import python
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Unknown, known_dims, unknown_dims
from namecheck_runtime.mistakes.claims import FalseAssertion

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def outcomes(ev: Evaluator, test: ir.Expression, holds: bool) -> Decided:
    """What is decided if `test` holds, or if it does not: by the names in it, and by the values."""
    frame = ev.frame
    decided: dict[Key, bool] = {}
    for form, way in decisions.parts(test, holds):
        decided.update(_condition_of_option(ev, form, way))
        decided[_by_name(frame, form)] = way
        decided[_by_value(ev, form)] = way
    return decided


Ints: TypeAlias = "int | tuple[int, ...]"
"""An int, or a row of ints, as a program has it."""

OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The comparison that holds where one does not."""

Arm: TypeAlias = "list[tuple[Any, Any, Outcome]]"
"""The mistakes that the statements of a branch are sure to make."""


def run_arm(ev: Evaluator, body: Sequence[ir.Statement], first: int = 0) -> Arm | None:
    """Run one side of a branch that is not decided, and give its mistakes in a drive.

    It has the statements of a body from the first or a later one.
    """
    if not ev.frame.flow.driven:  # as in `as_arm`; a chain of `elif` nests less deeply
        ev.run(body, first)
        return []
    return as_arm(ev, lambda: ev.run(body, first))


def as_arm(ev: Evaluator, evaluate: Callable[[], object]) -> Arm | None:
    """Evaluate one side of a choice that is not decided, and give its mistakes in a drive.

    None if the program does not go on from there, since it raises an error or never gets there.
    """
    frame = ev.frame
    if not frame.flow.driven:
        evaluate()
        return []
    begun, returned, left = ev.alive, len(frame.returned), _count_left(ev)
    arms = frame.flow.arms
    arms.begin(frame.flow.branches, frame.flow.rounds)
    try:
        evaluate()
    finally:
        found = arms.end()
    goes_on = ev.alive or len(frame.returned) > returned or _count_left(ev) > left
    return found if begun and (goes_on or found) else None


def run_option(ev: Evaluator, evaluate: Callable[[], object]) -> Arm | None:
    """Evaluate an expression for one of several things that it may be, and give its mistakes."""
    arms = ev.frame.flow.arms
    with ev.frame.branch():
        arms.options += 1
        try:
            return as_arm(ev, evaluate)
        finally:
            arms.options -= 1


def _count_left(ev: Evaluator) -> int:
    """How many paths have left the innermost loop."""
    return sum(map(len, ev.frame.flow.loops[-1])) if ev.frame.flow.loops else 0


def tell_arms(ev: Evaluator, arms: Sequence[Arm | None]) -> bool:
    """Report a mistake of a branch if no side from which a drive goes on is without one.

    True if there is one.
    """
    sides = [arm for arm in arms if arm is not None]
    if not sides or not all(sides) or ev.frame.quiet:
        return False
    key, question, outcome = sides[0][0]
    if not ev.may_be_skipped(ev.frame):
        ev.frame.blame(key, question, outcome)
        return True
    around = ev.frame.flow.arm()
    if around is not None:
        around.append((key, question, outcome))
    return True


def awaits_rest(ev: Evaluator, arms: Sequence[Arm | None], first: bool) -> bool:
    """Whether a side that returns has mistakes, and the other, with the rest of the body, may.

    `first` says that the first side is the one that returns.
    """
    flow = ev.frame.flow
    ended = arms[0 if first else 1] if arms else None
    return flow.driven and not flow.unsure and bool(ended) and not ev.frame.quiet


def is_false(ev: Evaluator, test: ir.Expression) -> bool:
    """Whether an assertion is false; in a drive it is reported if that is so for its ints (NC405).

    The ints, and the rows of ints, of a drive are those of the program.
    """
    if not ev.reach.driven:
        return truth_of(ev, ev.value(test)) is False
    value, seen = _watched(ev, test)
    truth = truth_of(ev, value)
    decisive = _decisive(ev, test, False, truth, seen)
    if decisive is not None:
        left, operator, right = decisive
        mistake = FalseAssertion(left=left, operator=OPPOSITE[operator], right=right)
        ev.blame(mistake, "error", test, {}, question=("assertion", test.id))
    return truth is False or decisive is not None


def value_of_check(ev: Evaluator, node: ir.If) -> Value:
    """The value of a test; in a drive it is reported if it is true for ints, and raises (NC405)."""
    raised = _raised(node.body) if ev.reach.driven else ""
    if not raised:
        return ev.value(node.test)
    value, seen = _watched(ev, node.test)
    decisive = _decisive(ev, node.test, True, truth_of(ev, value), seen)
    if decisive is not None:
        left, operator, right = decisive
        mistake = FalseAssertion(left=left, operator=operator, right=right, raised=raised)
        ev.blame(mistake, "error", node.test, {}, question=("assertion", node.test.id))
    return value


def _raised(body: Sequence[ir.Statement]) -> str:
    """The error that a body raises, if it ends so; "" for one that may steer the program."""
    match body[-1]:
        case ir.Raise(ir.Name(name) | ir.Call(ir.Name(name))) if name in python.REFUSALS:
            return name
    return ""


def _watched(ev: Evaluator, test: ir.Expression) -> tuple[Value, dict[int, Value]]:
    """The value of a test, and those of the expressions in it by their numbers."""
    frame, seen = ev.frame, dict[int, Value]()
    frame.look(("assertion", test.id))  # the program may come here on several ways
    outer, frame.watched = frame.watched, seen
    value = ev.value(test)
    frame.watched = outer
    if outer is not None:
        outer.update(seen)
    return value, seen


def _decisive(
    ev: Evaluator, test: ir.Expression, holds: bool, truth: bool | None, seen: Mapping[int, Value]
) -> tuple[str, str, str] | None:
    """A comparison of ints, as it is, by which a test holds or does not; None if there is none.

    `truth` is whether the test holds as far as the evaluation knows, which cannot compare all rows.
    In a loop that may have no rounds, or whose round stands for several, no test is sure to be
    reached with these ints.
    """
    if (truth is not holds and truth is not None) or ev.frame.flow.rounds > 0:
        return None
    match test:
        case ir.Unary("not", operand):
            inner = None if truth is None else not truth
            return _decisive(ev, operand, not holds, inner, seen)
        case ir.Boolean(left, operator, right):
            first, second = (_decisive(ev, one, holds, None, seen) for one in (left, right))
            # One side decides that `or` holds, and that `and` does not; else both sides do.
            if truth is not None or (operator == "or") is holds:
                return first or second
            return None if first is None or second is None else first
        case ir.Comparison(left, (operator,), (right,)) if operator in OPPOSITE:
            ours, theirs = (_ints(ev, seen.get(side.id)) for side in (left, right))
            if ours is None or theirs is None or _compares(ours, operator, theirs) is not holds:
                return None
            if ev.frame.depth == 0 and any(_reads_state(ev, side, seen) for side in (left, right)):
                return None
            return str(ours), operator if holds else OPPOSITE[operator], str(theirs)
    return None


def _reads_state(ev: Evaluator, side: ir.Expression, seen: Mapping[int, Value]) -> bool:
    """Whether a number is read off the state of an object.

    A test has handed the object on before it looks at it: to code that prunes its layers, counts
    its steps or empties its lists, and of which not all may have been followed. What a forward pass
    returns is no such state. A list or dict that a function inside the test names is one: whoever
    was given the function may have called it.
    """
    for inner in walk(side):
        if isinstance(inner, ir.Name) and _is_shared(ev, inner, seen):
            return True
        if isinstance(inner, ir.Attribute):
            owner, value = (seen.get(one.id) for one in (inner.value, inner))
            owner = None if owner is None else ev.resolve(owner)
            if isinstance(owner, (Layer, Container)):
                return True
            if isinstance(owner, Instance):
                is_tensor = value is not None and isinstance(ev.resolve(value), (Tensor, ShapeOf))
                if is_module(owner.cls) or not is_tensor:
                    return True
    return False


def _is_shared(ev: Evaluator, name: ir.Name, seen: Mapping[int, Value]) -> bool:
    """Whether a name is that of a list or dict that a function inside the function names, too."""
    value = seen.get(name.id)
    function = ev.frame.function
    if value is None or function is None or not isinstance(ev.resolve(value), (List, Dict)):
        return False
    return any(
        isinstance(record, (ir.FunctionDef, ir.Lambda, ir.ClassDef))
        and record is not function.record
        and any(isinstance(one, ir.Name) and one.name == name.name for one in walk(record))
        for record in walk(function.record)
    )


def _compares(left: Ints, operator: str, right: Ints) -> bool | None:
    """Whether a comparison holds; None of an int and a row in an order."""
    if operator in ("==", "!="):
        return (left == right) is (operator == "==")
    if isinstance(left, int) and isinstance(right, int):
        return bool(ORDER[operator](left, right))
    return None


def _ints(ev: Evaluator, seen: Value | None) -> Ints | None:
    """An int, or a row of ints, as the program has it; None for all else."""
    if seen is None:
        return None
    value = ev.resolve(seen)
    if rests_on_claim(ev, value):
        return None
    if isinstance(value, ShapeOf):
        tensor = ev.resolve(value.tensor)
        dims = ev.current(tensor.shape) if isinstance(tensor, Tensor) else UNKNOWN
        row = [dim.size for dim in dims] if isinstance(dims, tuple) else []
        whole = [size for size in row if isinstance(size, int)]
        return tuple(whole) if isinstance(dims, tuple) and len(whole) == len(row) else None
    contents = value.elements if isinstance(value, Tuple) else ev.cells.get(value)
    if isinstance(value, (Tuple, List)) and isinstance(contents, tuple):
        elements = [known(ev.resolve(element)) for element in contents]
        ints = [one[0] for one in elements if one is not None and type(one[0]) is int]
        return tuple(ints) if len(ints) == len(elements) else None
    constant = known(value)
    return constant[0] if constant is not None and type(constant[0]) is int else None


MOST_WAYS: Final = 4
"""The most ways through a function that are run separately; further ones are joined."""


def worth_two_ways(
    ev: Evaluator, body: Sequence[ir.Statement], index: int, left: Path, right: Path
) -> bool:
    """Whether a join behind a branch would forget something that the rest of the body needs.

    That is the shape of a variable, or the outcome of a test that is made again.
    """
    frame = ev.frame
    branch = body[index]
    assert isinstance(branch, ir.If)
    if (
        index + 1 == len(body)
        or frame.quiet
        or frame.ways.count >= (2 if frame.depth else MOST_WAYS)
    ):
        return False
    outlook = frame.source.outlook(body)
    if decisions.asked_again(branch.test, outlook, index):
        return _know_different(outlook, index, left, right)
    for name, mine in left.variables.items():
        other = right.variables.get(name)
        if other is None or outlook.used.get(name, -1) <= index:
            continue
        mine, other = resolve(mine, left.cells), resolve(other, right.cells)
        if mine is other:
            continue
        if isinstance(mine, Tensor) and isinstance(other, Tensor):
            if (
                isinstance(mine.shape, tuple)
                and isinstance(other.shape, tuple)
                and mine.shape != other.shape
            ):
                return True
    return False


def _know_different(outlook: decisions.Outlook, index: int, left: Path, right: Path) -> bool:
    """Whether a join would forget something that is known on one of two ways through a branch."""
    for name, mine in left.variables.items():
        other = right.variables.get(name)
        if other is mine or other is None or outlook.used.get(name, -1) <= index:
            continue
        mine, other = resolve(mine, left.cells), resolve(other, right.cells)
        if mine is not other and not (_is_unknown(mine) and _is_unknown(other)):
            return True
    if left.facts.since(right.facts) or right.facts.since(left.facts):
        return True
    ours, theirs = left.cells, right.cells
    if ours.base is not theirs.base:
        return True
    for key in ours.recent.keys() | theirs.recent.keys():
        value, another = ours.get(key), theirs.get(key)
        if value is not another and not (_is_unknown(value) and _is_unknown(another)):
            return True
    return False


def _is_unknown(value: Any) -> bool:
    """Whether nothing is known about a value, or about the two values that it may be."""
    match value:
        case None | Tensor(shape=Unknown.UNKNOWN) | Constant(value=None):
            return True
        case Anything(maybe=None | Tensor(shape=Unknown.UNKNOWN)):
            return value.unused and not value.config
    return False


def still_decided(
    ev: Evaluator, decided: Decided, body: Sequence[ir.Statement], index: int | None = None
) -> Decided:
    """What is decided before statement `index` of a body and still holds behind it.

    Without an index, what is decided before a loop over the body and holds in each of its rounds.
    """
    if not decided:
        return decided  # most often, and then nobody reads the body
    return decisions.without_assigned(decided, ev.frame.source.outlook(body), index)


def _condition_of_option(ev: Evaluator, form: Key, holds: bool) -> Decided:
    """What chose the option that a value has to be if it is None, or if it is not."""
    if isinstance(form, tuple) and len(form) == 3 and form[1:] == ("is", (None,)):
        value = _value_of(ev, form[0])
        if isinstance(value, Either) and value.conditions:
            left = [k for k, option in enumerate(value.options) if (option is NONE) == holds]
            if len(left) == 1:
                return value.conditions[left[0]]
    return {}


def are_impossible(decided: Decided) -> bool:
    """Whether tests cannot turn out so together: not `a and b`, but `a`, and `b`."""
    return any(
        decisions.is_whole(form) and decisions.truth_of_form(form, decided) is (not holds)
        for form, holds in decided.items()
    )


def _receiver(frame: Frame) -> str:
    """The name of the receiver in a method, usually `self`; "" elsewhere."""
    function = frame.function
    if function is None or frame.receiver is None or not function.parameters:
        return ""
    return str(function.parameters[0].name)


def _by_name(frame: Frame, form: Any) -> Any:
    """A form without the receiver: `self.factor` has the name of the parameter that it keeps."""
    if not isinstance(form, tuple) or _is_literal(form):
        return form
    if len(form) == 3 and form[1] == "." and form[0] == _receiver(frame):
        return form[2]
    return tuple([_by_name(frame, part) for part in form])


def _by_value(ev: Evaluator, form: Any) -> Any:
    """A form with the configured values themselves in the place of their names."""
    if isinstance(form, str) or (isinstance(form, tuple) and len(form) == 3 and form[1] == "."):
        value = _value_of(ev, form)
        if isinstance(value, Number) or (isinstance(value, Anything) and value.config):
            return value
        return form
    if not isinstance(form, tuple) or _is_literal(form):
        return form
    return tuple([_by_value(ev, part) for part in form])


def _is_literal(form: tuple[Any, ...]) -> bool:
    return len(form) < 3


def _value_of(ev: Evaluator, form: Any) -> Value | None:
    """The value of a variable, or of an attribute, as the path has it."""
    if isinstance(form, str):
        value = ev.frame.variables.get(form)
        return None if value is None else ev.resolve(value)
    owner = _value_of(ev, form[0]) if isinstance(form, tuple) and len(form) == 3 else None
    if isinstance(owner, Instance):
        stored = ev.cells.get((owner, form[2]))
        return ev.resolve(stored) if isinstance(stored, Value) else None
    if isinstance(owner, Anything) and owner.config:
        return owner.attribute(form[2])
    return None


def meet(ev: Evaluator, *sides: tuple[Path | None, Decided]) -> None:
    """Join paths, each with what was decided on it; the joined path is the current one.

    A layer that is one of several afterwards knows on which of the paths it was chosen, and a
    variable that not all of them have bound, on which of them it was bound.
    """
    alive = [(path, decided) for path, decided in sides if path is not None]
    first = alive[0][0].variables.keys() if alive else set()
    partly = {name for path, _ in alive[1:] for name in path.variables.keys() ^ first}
    chosen: dict[Any, list[tuple[Value, Decided]]] = {}
    if len(alive) > 1:
        for key in _apart([path.cells.recent for path, _ in alive]):
            if type(key) is tuple and isinstance(key[0], Instance):
                values = [(path.cells.get(key), decided) for path, decided in alive]
                chosen[key] = [(v, decided) for v, decided in values if isinstance(v, Value)]
    ev.meet([path for path, _ in sides])
    for key, values in chosen.items():
        joined = ev.cells.get(key)
        if isinstance(joined, Either):
            if any(value is not joined for value, _ in values):
                # As part of the join, this changes no object.
                ev.cells.recent[key] = either(ev, joined, *values)
        elif len(values) < len(alive) and isinstance(joined, (Layer, Container)):
            # The other paths have no such attribute.
            for value, decided in values:
                if value is joined:
                    known = ev.frame.ways.chosen.get(joined, {})
                    ev.frame.ways.chosen[joined] = {**known, **decided}
    for name in partly:
        decided = _agreed([decided for path, decided in alive if name in path.variables])
        if decided:
            ev.frame.ways.bound[name] = (ev.frame.variables[name], decided)


def _apart(sides: Sequence[dict[Any, Any]]) -> list[Any]:
    """The cells that paths may not agree on, by what each of them has written."""
    first, *others = sides
    if len(others) != 1:
        return list(dict.fromkeys(key for side in sides for key in side))
    other = others[0]
    return [
        *[key for key, value in first.items() if other.get(key, ABSENT) is not value],
        *[key for key in other if key not in first],
    ]


def name_is_read(ev: Evaluator, name: str, value: Value) -> None:
    """The program reads a variable: the tests on the way here turned out so that it is bound."""
    ways = ev.frame.ways
    bound, decided = ways.bound[name]
    if value is bound:
        ways.tests = {**decided, **ways.tests}


def statement_ends(ev: Evaluator, tests: Decided, body: Sequence[ir.Statement], index: int) -> None:
    """Keep of `tests`, and of what decides which names are bound, what holds behind a statement."""
    ways = ev.frame.ways
    ways.tests = still_decided(ev, tests, body, index) if tests else tests
    if not ways.bound:
        return
    for name, (value, decided) in list(ways.bound.items()):
        decided = still_decided(ev, decided, body, index)
        if decided and ev.frame.variables.get(name) is value:
            ways.bound[name] = (value, decided)
        else:
            del ways.bound[name]


def _agreed(ways: Sequence[Decided]) -> Decided:
    """What is decided alike on all of these ways."""
    first = ways[0] if ways else {}
    return {
        form: holds
        for form, holds in first.items()
        if all(way.get(form) is holds for way in ways[1:])
    }


def either(ev: Evaluator, joined: Either, *sides: tuple[Value, Decided]) -> Either:
    """One of several values, with what was decided where each of them was chosen."""
    conditions: list[Decided] = []
    for option in joined.options:
        ways = [
            {**way, **decided}
            for value, decided in sides
            for way in _ways_of(ev, value, option)
            if not any(decisions.contradicts(decided, form, way[form]) for form in way)
        ]
        conditions.append(_agreed(ways))
    return Either(joined.options, tuple(conditions))


def _ways_of(ev: Evaluator, value: Value, option: Value) -> Iterable[Decided]:
    """What was decided where a value is this option; nothing if it never is."""
    if value is option:
        yield ev.frame.ways.chosen.get(value, {})
    elif isinstance(value, Either) and option in value.options:
        place = value.options.index(option)
        yield value.conditions[place] if value.conditions else {}


def possible(ev: Evaluator, value: Either) -> tuple[Value, ...]:
    """The options of a value that the tests before this point leave; all if they leave none."""
    decided = ev.frame.ways.tests
    if not decided or not value.conditions:
        return value.options
    left = tuple(
        option
        for option, condition in zip(value.options, value.conditions, strict=True)
        if not any(decisions.contradicts(decided, form, holds) for form, holds in condition.items())
    )
    return left or value.options


def stand_in(ev: Evaluator, value: Value) -> Value:
    """What a caller may pass instead of the value that stands in for an argument left out.

    A tensor for a tensor, of as many dims, but of other sizes: `context if given else x`. Sizes
    that were read together off the one have the same roles in the other: batch, positions, width.
    """
    value = ev.resolve(value)
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return Anything()
    dims = list(unknown_dims(len(value.shape)))
    held = [ev.facts.representative(dim.size) for dim in known_dims(ev.current(value.shape))]
    for read in range(len(held)):
        apart = [ev.facts.told_apart(held[read], other) for other in held]
        group = next((one for one in apart if one is not None), None)
        if group is not None:
            places = [k for k, one in enumerate(apart) if one is group or k == read]
            for place in places:
                dims[place] = Dim(None, sizes.symbol(str(held[place])))
            ev.facts.presume_distinct([dims[place].size for place in places], group.fact)
            break
    return Tensor(tuple(dims), value.kind, value.library)


def may_be_chosen(ev: Evaluator, value: Either) -> bool:
    """Whether a caller of the running function may have tested which option the value is."""
    return bool(value.conditions) and ev.frame.ways.called_under_tests


__all__ = [
    "are_impossible",
    "as_arm",
    "either",
    "may_be_chosen",
    "meet",
    "name_is_read",
    "outcomes",
    "possible",
    "run_option",
    "stand_in",
    "statement_ends",
    "still_decided",
    "worth_two_ways",
]
