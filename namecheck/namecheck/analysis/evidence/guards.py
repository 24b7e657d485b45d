"""Asserts and guards: what a test says about shapes on the path where it holds.

`assert x.shape == (B, T)`, `assert x.ndim == 3`, `if x.shape[1] != n: raise`. What is stated wins
over what was presumed; if a test contradicts what is known, this path is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq, ne
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.asking import elements, stated_squares
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.any_rank import ranked, read_for
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.frames import Frame, HeldTest
from namecheck.analysis.state.scalars import ORDER
from namecheck.analysis.state.unknown_ranks import is_open
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Bound,
    Constant,
    Function,
    Held,
    Instance,
    List,
    Number,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
    inherited,
    known,
)
from namecheck.frameworks import torch
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Size, known_dims
from namecheck_runtime.sizes import Rank, Relation, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_OPPOSITE: Final = {
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}

_AT_MOST: Final = {"<=": (False, 0), "<": (False, 1), ">=": (True, 0), ">": (True, 1)}
"""Operators that bound one side from above: whether that is the right one, and how far below the
other side it stays at least.
"""

TESTS: Final = frozenset({ir.Comparison, ir.Boolean, ir.Unary, ir.Call})
"""Expressions that may be tests."""


def hold(ev: Evaluator, test: ir.Expression, value: Value) -> None:
    """Keep a test whose result a variable or an attribute has: `single = t == 1`."""
    value = ev.resolve(value)
    if type(test) not in TESTS or not _is_outcome(test, value):
        return
    if not _is_test(ev, test) and not (isinstance(test, ir.Call) and isinstance(value, Number)):
        return
    variables: dict[str, Value] = {}
    contents: list[tuple[Any, Any]] = []
    read: set[int] = set()
    for inner in walk(test):
        match inner:
            case ir.Attribute(ir.Name(owner) as name, attribute):
                operand = ev.frame.variables.get(owner)
                if isinstance(operand, Instance) and (operand, attribute) in ev.cells:
                    if ev.cells[operand, attribute] is value:
                        return
                    read.add(name.id)
                    contents.append(((operand, attribute), ev.cells[operand, attribute]))
            case ir.Name(owner) if owner in ev.frame.variables:
                operand = variables[owner] = ev.frame.variables[owner]
                if operand is value:
                    return
                if isinstance(operand, Held) and inner.id not in read:
                    contents.append((operand, _contents(ev, operand)))
    held = HeldTest(test, variables, tuple(contents))
    ev.frame.tests[value] = held
    if ev.frame.receiver is not None:
        ev.memory.tests[value] = held


def _is_outcome(test: ir.Expression, value: Value) -> bool:
    """Whether a value is the unknown result of a test, and nothing but that."""
    if isinstance(value, Number):
        return value.kind == "bool" and value.size is UNKNOWN
    if type(value) is not Anything:
        return False
    # One of two values has been made for this result: `groups == 1 and squeeze`.
    return not value.config or (isinstance(test, ir.Boolean) and len(value.choices) > 1)


def _is_test(ev: Evaluator, node: ir.Expression) -> bool:
    match node:
        case ir.Comparison():
            return True
        case ir.Name(name):
            return ev.frame.variables.get(name) in ev.frame.tests
        case ir.Attribute(ir.Name(owner), name):
            return ev.cells.get((ev.frame.variables.get(owner), name)) in ev.memory.tests
        case ir.Boolean(left, _, right):
            return _is_test(ev, left) or _is_test(ev, right)
        case ir.Unary(operator, operand):
            return operator == "not" or _is_test(ev, operand)
        case ir.Call(ir.Name("bool"), (operand,), ()):
            return _is_test(ev, operand)
    return False


def _contents(ev: Evaluator, held: Any) -> Any:
    return held.version if isinstance(held, Instance) else ev.cells.get(held)


def _differs(now: Any, before: Any) -> bool:
    return bool(now != before) if isinstance(now, int) else now is not before


def _assume_held(ev: Evaluator, result: ir.Expression, holds: bool, stated: bool) -> None:
    """Learn from the result of a test that was made before, with the values of then."""
    frame: Frame | None = ev.frame
    while frame is not None and not frame.tests:
        frame = frame.parent
    if frame is None and not ev.memory.tests:
        return
    value = _quietly(ev, result)
    while frame is not None and value not in frame.tests:
        frame = frame.parent
    test = ev.memory.tests.get(value) if frame is None else frame.tests[value]
    if test is None:
        return
    if any(_differs(_contents(ev, held), before) for held, before in test.contents):
        return
    now = ev.frame.variables
    ev.frame.variables = {**now, **test.variables}
    assume(ev, test.expression, holds, stated)
    then, ev.frame.variables = ev.frame.variables, now
    for name, before in test.variables.items():
        if now.get(name) is before and then[name] is not before:
            now[name] = then[name]


def assume(ev: Evaluator, test: ir.Expression, holds: bool, stated: bool = False) -> None:
    """Learn what follows from `test` being true (or false) on this path.

    `stated` says that the program insists on it: an assert, or a guard that raises.
    """
    if isinstance(test, (ir.Name, ir.Attribute)):
        if _repeatable(test):
            _assume_held(ev, test, holds, stated)
        return
    if isinstance(test, ir.Comparison):
        _assume_compared(ev, test, holds, stated)
        return
    if isinstance(test, ir.Unary):
        if test.operator == "not":
            assume(ev, test.operand, not holds, stated)
        return
    if isinstance(test, ir.Boolean):
        if (test.operator == "and") == holds:
            assume(ev, test.left, holds, stated)
            if ev.alive:
                assume(ev, test.right, holds, stated)
        return
    match test:
        case ir.Walrus(_, inner):
            assume(ev, inner, holds, stated)
        case ir.Call(ir.Name("bool"), (operand,), ()):
            assume(ev, operand, holds, stated)
        case ir.Call(ir.Name("isinstance"), (ir.Name(name), ir.Name("int")), ()) if holds:
            known = ev.resolve(ev.value(test.positional[0]))
            if isinstance(known, Anything) and known.sized:
                ev.frame.variables[name] = Number(known.size())
        case ir.Call(function, _, ()) as call:
            predicate = _returned_test(ev, function)
            if predicate is not None:
                _assume_call(ev, *predicate, call, holds, stated)


def _assume_compared(ev: Evaluator, test: ir.Comparison, holds: bool, stated: bool) -> None:
    if len(test.operators) != 1 or len(test.comparators) != 1:
        return
    left, operator, right = test.left, test.operators[0], test.comparators[0]
    if operator in ("in", "not in") and isinstance(right, (ir.Tuple, ir.List)):
        _may_be_one_of(ev, left, right.elements)
        return
    symbol = operator if holds else _OPPOSITE.get(operator, "")
    if operator in ("==", "!="):
        _may_be_one_of(ev, left, (right,), symbols=True)
    _doubt_ranks(ev, left, symbol, right)
    if symbol in ("==", "is"):
        _equal(ev, left, right, stated)
    elif symbol == "is not" and isinstance(right, ir.NoneLiteral):
        _exists(ev, left)
    elif symbol in _AT_MOST:
        _at_most(ev, left, _AT_MOST[symbol], right)


def _returned_test(ev: Evaluator, node: ir.Expression) -> tuple[Function, ir.Expression] | None:
    """A function that does nothing but return a test, `return x is not None`, and that test."""
    match node:
        case ir.Name():
            pass
        case ir.Attribute(ir.Name(owner)) if owner in ev.frame.variables:
            pass
        case _:
            return None
    value = _quietly(ev, node)
    function = value.function if isinstance(value, Bound) else value
    if not isinstance(function, Function) or ev.frame.depth >= ev.reach.deepest:
        return None
    match function.record:
        case ir.Lambda(body=test):
            pass
        case ir.FunctionDef(body=body):
            last = body[-1] if body else None
            if not isinstance(last, ir.Return) or last.value is None:
                return None
            # mypyc cannot match `(*notes, ir.Return(test))`.
            if not all(isinstance(note, ir.ExpressionStatement) for note in body[:-1]):
                return None
            test = last.value
        case _:
            return None
    return (function, test) if _is_test(ev, test) else None


def _assume_call(
    ev: Evaluator,
    function: Function,
    test: ir.Expression,
    call: ir.Call,
    holds: bool,
    stated: bool,
) -> None:
    """Learn from the result of a function that returns a test of its parameters."""
    parameters = [parameter.name for parameter in function.parameters]
    nodes: Sequence[ir.Expression] = call.positional
    if len(parameters) == len(nodes) + 1 and isinstance(call.function, ir.Attribute):
        nodes = (call.function.value, *nodes)
    if len(parameters) != len(nodes) or not all(map(_repeatable, nodes)):
        return
    with ev.frame.quietly():
        given = [ev.value(node) for node in nodes]
    frame = Frame(function.source, function.scope, function, ev.frame.depth + 1)
    frame.line = function.line
    frame.variables.update(zip(parameters, given, strict=True))
    caller, ev.frame = ev.frame, frame
    with frame.quietly():
        assume(ev, test, holds, stated)
    ev.frame = caller
    for name, node, before in zip(parameters, nodes, given, strict=True):
        if isinstance(node, ir.Name) and frame.variables[name] is not before:
            ev.frame.variables[node.name] = frame.variables[name]


def _quietly(ev: Evaluator, node: ir.Expression) -> Value:
    with ev.frame.quietly():
        return ev.resolve(ev.value(node))


def _repeatable(node: ir.Expression) -> bool:
    """Whether an expression may be evaluated once more to learn from it: a size, a shape, a name.

    A call may have effects, and text or a float is not a size.
    """
    if isinstance(node, (ir.Name, ir.Int, ir.NoneLiteral)):
        return True
    if isinstance(node, ir.Attribute):
        return _repeatable(node.value)
    match node:
        case ir.Subscript(value, index):
            return _repeatable(value) and (isinstance(index, ir.Slice) or _repeatable(index))
        case ir.Unary(_, operand):
            return _repeatable(operand)
        case ir.Binary(left, _, right):
            return _repeatable(left) and _repeatable(right)
        case ir.Tuple(elements) | ir.List(elements):
            return all(map(_repeatable, elements))
        case ir.Starred(value):
            return _repeatable(value)
        case ir.Call(ir.Name("len" | "tuple" | "list" | "int"), (only,), ()):
            return _repeatable(only)
        case ir.Call(ir.Attribute(value, "size" | "dim" | "ndimension"), positional, ()):
            return _repeatable(value) and all(map(_repeatable, positional))
        case ir.Call(ir.Attribute(ir.Name(torch.PACKAGE), torch.SIZES_TYPE), (only,), ()):
            return _repeatable(only)
    return False


def _exists(ev: Evaluator, node: ir.Expression) -> None:
    if not _repeatable(node):
        return
    value = _quietly(ev, node)
    if value is NONE or (isinstance(value, Constant) and value.value is None):
        ev.alive = False
    elif isinstance(value, Anything) and value.maybe is not None:
        ev.refine(value, value.maybe)


def _equal(ev: Evaluator, left: ir.Expression, right: ir.Expression, stated: bool) -> None:
    if not _repeatable(left) or not _repeatable(right):
        return
    for owner, number in ((ranked(left), right), (ranked(right), left)):
        if owner is not None:
            _rank(ev, owner, _quietly(ev, number))
            return
    if isinstance(right, ir.NoneLiteral):
        value = _quietly(ev, left)
        if isinstance(left, ir.Name) and isinstance(value, Anything):
            ev.frame.variables[left.name] = NONE
        return
    mine, other = _quietly(ev, left), _quietly(ev, right)
    if _corrects_claim(ev, left, mine, other) or _corrects_claim(ev, right, other, mine):
        return
    if isinstance(mine, ShapeOf):
        shape_equals(ev, mine, other)
        return
    if isinstance(other, ShapeOf):
        shape_equals(ev, other, mine)
        return
    if isinstance(mine, (Number, Anything)) and isinstance(other, (Number, Anything)):
        _size_equals(ev, mine, other, stated)


def _corrects_claim(ev: Evaluator, node: ir.Expression, value: Value, other: Value) -> bool:
    """Whether a test gives a number that a comment claims another value: it counts from here on.

    The comment is about another run of the function.
    """
    if not isinstance(value, Number) or not isinstance(other, Number):
        return False
    if value.claimed is None or ev.facts.relate(value.size, other.size) is not Relation.NO:
        return False
    match node:
        case ir.Name(name):
            ev.frame.variables[name] = other
        case ir.Subscript(owner) | ir.Call(ir.Attribute(owner)):
            shape = _quietly(ev, owner)
            tensor = ev.resolve(shape.tensor) if isinstance(shape, ShapeOf) else shape
            if isinstance(tensor, Tensor) and isinstance(tensor.shape, tuple):
                dims = tuple([_without_number(dim) for dim in tensor.shape])
                ev.refine(tensor, tensor.with_shape(dims, tensor.claimed))
    return True


def _without_number(dim: Dim) -> Dim:
    return Dim(dim.name, UNKNOWN) if isinstance(dim.size, int) else dim


def _size_equals(ev: Evaluator, mine: Value, other: Value, stated: bool) -> None:
    left, right = as_size(ev, mine), as_size(ev, other)
    if left is UNKNOWN or right is UNKNOWN:
        return
    place = ev.place(equation=(left, right))
    if stated:
        stated_squares.state(ev, left, right)
    if not ev.learn_equal(left, right, Rank.STATED, place):
        ev.alive = False


def _may_be_one_of(
    ev: Evaluator, tested: ir.Expression, options: Sequence[ir.Expression], symbols: bool = False
) -> None:
    """Note that a size may be any of several, as `x.shape[0] not in (1, b)` asks.

    With `symbols` a number is none of them: `t == 1` is about the number.
    """
    if not all(map(_repeatable, (tested, *options))):
        return
    size = as_size(ev, _quietly(ev, tested))
    if plain_symbol(size) is None:
        return
    others = [as_size(ev, _quietly(ev, option)) for option in options]
    for other in others:
        if other is not UNKNOWN and not (symbols and plain_symbol(other) is None):
            ev.frame.may_agree.add(frozenset((size, other)))


def _at_most(
    ev: Evaluator, left: ir.Expression, bound: tuple[bool, int], right: ir.Expression
) -> None:
    """Learn a size from a bound that leaves one value for it: `if t > 1: raise`.

    A parameter that is at most 0 on a path is no size there, although it may be one elsewhere: an
    offset `k`, of which the program makes `zeros(k)` or `zeros(-k)`.
    """
    is_right, less = bound
    above, below = (left, right) if is_right else (right, left)
    if not isinstance(above, ir.Int) or not _repeatable(below):
        return
    tested = _quietly(ev, below)
    if above.value - less <= 0 and _is_no_size(ev, below, tested):
        return
    size = as_size(ev, tested)
    atom = plain_symbol(size)
    if atom is not None and atom.least == above.value - less > 0:
        if not ev.learn_equal(size, atom.least, Rank.STATED, ev.place(equation=(size, atom.least))):
            ev.alive = False


def _is_no_size(ev: Evaluator, node: ir.Expression, value: Value) -> bool:
    """Forget, on this path, that an expression is a size, if it is a parameter or an attribute."""
    if isinstance(value, Anything) and value.maybe is None:
        ev.refine(value, Anything())
        return True
    if not isinstance(value, Number) or plain_symbol(value.size) is None:
        return False
    match node:
        case ir.Name(name):
            ev.frame.variables[name] = Number()
            return True
        case ir.Attribute(ir.Name(owner), name):
            instance = ev.resolve(ev.frame.variables.get(owner, NONE))
            if isinstance(instance, Instance):
                ev.cells[instance, name] = Number()
                return True
    return False


def _rank(ev: Evaluator, owner: ir.Expression, value: Value) -> None:
    count = known(value)
    if count is None or not isinstance(count[0], int) or not 0 <= count[0] < 12:
        return
    tensor = _quietly(ev, owner)
    if not isinstance(tensor, (Tensor, Anything)):
        return
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    if isinstance(shape, tuple):
        if len(shape) != count[0]:
            if isinstance(tensor, Tensor) and tensor.rank_claimed:
                ev.refine(tensor, Tensor(UNKNOWN, tensor.kind, tensor.library))
                return
            ev.alive = False
        return
    ending = known_dims(shape)
    if len(ending) > count[0]:
        ev.alive = False
        return
    front = _front(ev, tensor, count[0] - len(ending))
    ev.give_shape(tensor, ev.named_sizes((*front, *ending)))


def _doubt_ranks(ev: Evaluator, node: ir.Expression, symbol: str, right: ir.Expression) -> None:
    """Forget what comments say of the ranks of values that are computed from a tensor, or from what
    that is computed from, if a test of its own rank does not hold for these ranks.

    In `if x.ndim == 1:` a value that a comment gave three dims has as few as x.
    """
    compare = _COMPARED.get(symbol)
    owner = ranked(node)
    function = ev.frame.function
    if compare is None or not isinstance(owner, ir.Name) or function is None:
        return
    count = known(_quietly(ev, right)) if _repeatable(right) else None
    tensor = _quietly(ev, owner)
    if count is None or not isinstance(count[0], int) or not _is_of_unknown_rank(tensor):
        return
    variables = {name: ev.resolve(value) for name, value in ev.frame.variables.items()}
    doubtful = {
        name: held
        for name, held in variables.items()
        if isinstance(held, Tensor) and held.rank_claimed and isinstance(held.shape, tuple)
        if name != owner.name and not compare(len(held.shape), count[0])
    }
    if not doubtful:
        return
    read = read_for(function.record)
    near = [owner.name, *read.get(owner.name, ())]
    sources = {n for n in near if n in variables and _is_of_unknown_rank(variables[n])}
    for name, held in doubtful.items():
        if not sources.isdisjoint(read.get(name, ())):
            doubted = held.with_shape(UNKNOWN)
            ev.ranks.doubted.add(doubted)
            ev.refine(held, doubted)


def _is_of_unknown_rank(value: Value) -> bool:
    """Whether the program does not show how many dims a value has that may be a tensor."""
    return is_open(value) or (isinstance(value, Tensor) and value.rank_claimed)


_COMPARED: Final[dict[str, Callable[[Any, Any], Any]]] = {"==": eq, "!=": ne, **ORDER}


def _front(ev: Evaluator, tensor: Value, count: int) -> Dims:
    """The first dims of a tensor, with the sizes that were read of them before."""
    dims = []
    for index in range(count):
        stored = ev.cells.get((tensor, index))
        size = stored.size if isinstance(stored, Number) else UNKNOWN
        dims.append(Dim(UNKNOWN, size))
    return tuple(dims)


def _share_shape(ev: Evaluator, mine: Value, other: Value) -> None:
    """Let two values of unknown rank have one shape: what is learned about one holds for both."""
    if mine is other or not isinstance(mine, (Tensor, Anything)):
        return
    if isinstance(other, Anything) or (
        isinstance(other, Tensor) and other.shape is UNKNOWN and isinstance(mine, Tensor)
    ):
        ev.refine(other, mine)
    elif isinstance(mine, Anything):
        ev.refine(mine, other)


def shape_equals(ev: Evaluator, mine: ShapeOf, other: Value) -> None:
    """Learn that a shape is `other`; if it cannot be, this path is not taken."""
    if not isinstance(other, (Tuple, List, ShapeOf)):
        return
    contents = elements.iterate(ev, other)
    if not isinstance(contents, tuple):
        if isinstance(other, ShapeOf):
            known_sizes = ev.sizes_of(mine)
            if known_sizes is not None:
                ev.give_shape(other.tensor, tuple(Dim(UNKNOWN, size) for size in known_sizes))
            else:
                _share_shape(ev, ev.resolve(mine.tensor), ev.resolve(other.tensor))
        return
    wanted_sizes = [as_size(ev, value) for value in contents]
    tensor = ev.resolve(mine.tensor)
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    ending = known_dims(shape)
    if isinstance(shape, tuple) and len(shape) != len(wanted_sizes):
        _contradict(ev, tensor, wanted_sizes)
        return
    if not isinstance(shape, tuple):
        if len(ending) > len(wanted_sizes):
            _contradict(ev, tensor, wanted_sizes)
            return
        ending = (*_front(ev, tensor, len(wanted_sizes) - len(ending)), *ending)
    dims: list[Dim] = []
    for dim, size in zip(ending, wanted_sizes, strict=True):
        if size is UNKNOWN:
            dims.append(dim)
        elif dim.size is UNKNOWN:
            dims.append(Dim(dim.name, size, dim.trace))
        else:
            place = ev.place(equation=(dim.size, size))
            if not ev.learn_equal(dim.size, size, Rank.STATED, place):
                _contradict(ev, tensor, wanted_sizes)
                return
            dims.append(dim)
    if tuple(dims) != shape:
        ev.give_shape(tensor, tuple(dims))


def _contradict(ev: Evaluator, tensor: Value, tested: Sequence[Size]) -> None:
    """Leave a path on which a tensor has another shape; if a comment claims it, it is `tested`."""
    if not isinstance(tensor, Tensor) or inherited(tensor.claimed) is None:
        ev.alive = False
        return
    ev.refine(tensor, tensor.with_shape(tuple([Dim(UNKNOWN, size) for size in tested])))
