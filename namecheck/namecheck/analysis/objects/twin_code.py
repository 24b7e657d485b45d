"""Twins: expressions side by side that are equal but for a name, and for the dim they read (NC306).

`R[:, 0], R[:, 1], R[2, :]`, `a.mean(1) if robust else np.median(a, 0)`, `cos.unsqueeze(1),
sin.unsqueeze(0)`. Two lines that look alike may well read different dims (queries and keys, rows
and columns), so only those count that have to read one: all but one of a tuple, two reductions of
which a test chooses one, the mean and the spread of one tensor, cosines and sines, minima and
maxima, and vectors that get length 1 side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.spelled_values import text_of
from namecheck.analysis.reading.walking import walk
from namecheck_runtime.declare import REGISTRY, Effect, Op
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.dims import MeetsItself, OtherDim
from namecheck_runtime.rules.effects import EFFECTS, PAIRED

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


class Difference(NamedTuple):
    """What tells two expressions apart: names, numbers that are no dims, and the dims they read."""

    names: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[int, int], ...]
    dims: tuple[tuple[str, str], ...]


_DIMS: Final = frozenset({"dim", "dims", "axis", "axes"})
_UNITS: Final = frozenset([path.rpartition(".")[2] for path in EFFECTS["unit"].split()])
"""What functions are called that make vectors of length 1."""
_REDUCES: Final = frozenset({"mean", "sum", "spread", "extent"})


# What the evaluator asks


def check_row(ev: Evaluator, row: Sequence[ir.Expression]) -> None:
    """Check the elements of a tuple, of which all but one may be alike."""
    if ev.frame.depth or not all(isinstance(one, (ir.Call, ir.Subscript)) for one in row):
        return
    if len(row) >= _FEWEST:
        odd = _odd_one(row)
        if odd is not None:
            other, difference = odd
            _blame(ev, row[other], difference.dims[0])


def check_arms(ev: Evaluator, node: ir.Conditional) -> None:
    """Check two reductions of one tensor of which a test chooses one."""
    body, orelse = node.body, node.orelse
    if ev.frame.depth or not isinstance(body, ir.Call) or not isinstance(orelse, ir.Call):
        return
    first, second = _reduction(body), _reduction(orelse)
    if first is not None and second is not None and first.name != second.name:
        _compare(ev, first, second, orelse)


def check_lines(ev: Evaluator, above: ir.Statement | None, statement: ir.Statement) -> None:
    """Check a statement with itself and with the assignment above it."""
    if ev.frame.depth or not isinstance(statement, (ir.Assign, ir.Return)):
        return
    if statement.value is not None and statement.id in _with_twins(ev.frame.source.chunk):
        inside = walk(statement.value)
        if isinstance(statement.value, (ir.Binary, ir.Call, ir.Tuple)):
            _check_within(ev, inside)
        _check_meetings(ev, inside)
    if not isinstance(above, ir.Assign) or not isinstance(statement, ir.Assign):
        return
    left, right = above.value, statement.value
    if type(left) is not type(right) or not isinstance(left, (ir.Call, ir.Subscript)):
        return
    bound = {target.name for target in above.targets if isinstance(target, ir.Name)}
    if any(isinstance(one, ir.Name) and one.name in bound for one in walk(right)):
        return
    if _check_pair(ev, left, right):
        return
    if not isinstance(left, ir.Call) or not isinstance(right, ir.Call):
        return
    first, second = _reduction(left), _reduction(right)
    if first is None or second is None or {first.effect, second.effect} != {"mean", "spread"}:
        return
    _compare(ev, first, second, right)


@ir.read_once
def _with_twins(chunk: ir.Chunk) -> frozenset[int]:
    """The numbers of the statements of a chunk with expressions that `check_lines` compares."""
    numbers: set[int] = set()
    statement = -1
    for outer in chunk.statements:
        for one in walk(outer):
            if isinstance(one, ir.Statement):
                statement = one.id
            elif isinstance(one, ir.Binary):
                if one.operator == "-" and _is_rearranged(one.left):
                    numbers.add(statement)
            elif isinstance(one, ir.Comparison):
                if _is_rearranged(one.left):
                    numbers.add(statement)
            elif isinstance(one, (ir.Call, ir.Subscript)) and _has_paired_name(one):
                numbers.add(statement)
    return frozenset(numbers)


def _check_within(ev: Evaluator, inside: Sequence[ir.Record]) -> None:
    """Check the paired values of one expression: `x * cos[:, None] + turned * sin[:, None]`."""
    multiplied: set[tuple[int, int]] = set()
    parts: list[ir.Expression] = []
    for one in inside:
        if isinstance(one, ir.Binary):
            multiplied.add((one.left.id, one.right.id))
        elif isinstance(one, (ir.Call, ir.Subscript)) and _has_paired_name(one):
            parts.append(one)
    for left, right in combinations(parts[:_MOST_PARTS], 2):
        if type(left) is type(right) and (left.id, right.id) not in multiplied:
            if _check_pair(ev, left, right):
                return


def _check_meetings(ev: Evaluator, inside: Sequence[ir.Record]) -> None:
    """Check the differences and comparisons of a tensor with itself: `x[:, None] - x[:, None]`."""
    for one in inside:
        if not isinstance(one, (ir.Binary, ir.Comparison)):
            continue
        match one:
            case ir.Binary(left, "-", right):
                pass
            case ir.Comparison(left, (_,), (right,)):
                pass
            case _:
                continue
        if _is_rearranged(left) and text_of(left) == text_of(right):
            question = (one.id, "meets")
            ev.frame.look(question)
            mistake = MeetsItself(input=UNKNOWN, text=text_of(left))
            ev.blame(mistake, mistake.level, left, {}, question=question)


def _is_rearranged(expression: ir.Expression) -> bool:
    """Whether an expression only inserts or moves dims of a variable."""
    match expression:
        case ir.Subscript(owner, index):
            elements = index.elements if isinstance(index, ir.Tuple) else (index,)
            return any(isinstance(one, ir.NoneLiteral) for one in elements) and _is_plain(owner)
        case ir.Call(ir.Attribute(owner, name), arguments, ()):
            op = op_named(name)
            moves = op is not None and op.effect == "moves"
            return moves and _is_plain(owner) and all(_number(x) is not None for x in arguments)
    return False


def _is_plain(expression: ir.Expression) -> bool:
    while isinstance(expression, ir.Attribute):
        expression = expression.value
    return isinstance(expression, ir.Name)


def _has_paired_name(expression: ir.Expression) -> bool:
    """Whether a chain of calls and indices begins with, or calls, one of two that are paired."""
    while True:
        if isinstance(expression, ir.Attribute):
            if _is_paired(expression.name):
                return True
            expression = expression.value
        elif isinstance(expression, ir.Call):
            expression = expression.function
        elif isinstance(expression, ir.Subscript):
            expression = expression.value
        else:
            return isinstance(expression, ir.Name) and _is_paired(expression.name)


@lru_cache(maxsize=4096)
def _is_paired(name: str) -> bool:
    return any(word in name for pair in PAIRED for word in pair)


_MOST_PARTS: Final = 8
"""The most paired values of one expression that are compared with each other."""

_FEWEST: Final = 3
"""The elements that it takes for one to be the odd one."""


# Reductions


class _Reduction(NamedTuple):
    """A reduction with its dim written out: which, of what, over which dim."""

    name: str
    effect: Effect
    owner: str
    dim: int


def _reduction(call: ir.Call) -> _Reduction | None:
    function = call.function
    name = _called(call)
    op = op_named(name)
    if op is None or op.effect not in _REDUCES or not isinstance(function, ir.Attribute):
        return None
    dims = [_number(one) for one in _at_dims(call)]
    if len(dims) != 1 or dims[0] is None:
        return None
    method = not call.positional or _number(call.positional[0]) is not None
    owner = function.value if method else call.positional[0]
    return _Reduction(name, op.effect, text_of(owner), dims[0])


def _compare(ev: Evaluator, first: _Reduction, second: _Reduction, node: ir.Expression) -> None:
    """Blame a reduction over another dim than that of its twin, counted from the same end."""
    if first.owner == second.owner and first.dim != second.dim:
        if (first.dim < 0) == (second.dim < 0):
            _blame(ev, node, (str(first.dim), str(second.dim)))


# Pairs and rows


def _check_pair(ev: Evaluator, left: ir.Expression, right: ir.Expression) -> bool:
    found = difference(left, right)
    if found is None or len(found.dims) != 1 or found.numbers or not found.names:
        return False
    if not all(_are_paired(*names) for names in found.names):
        if not _make_units(left, right) or _turns_one(ev, found.names):
            return False
    if len({one.startswith("-") for one in found.dims[0]}) > 1:
        return False  # counted from both ends
    reduction = _reduction(left) if isinstance(left, ir.Call) else None
    if reduction is not None and reduction.effect in {"mean", "spread"}:
        return False  # a summary of rows and columns; lines are compared by `check_lines`
    _blame(ev, right, found.dims[0])
    return True


def _make_units(left: ir.Expression, right: ir.Expression) -> bool:
    """Whether two calls make vectors of length 1, which are compared with each other then."""
    return all(isinstance(one, ir.Call) and _called(one) in _UNITS for one in (left, right))


def _turns_one(ev: Evaluator, names: Sequence[tuple[str, str]]) -> bool:
    """Whether the function moves the dims of some of the variables that differ, and not of all."""
    record = None if ev.frame.function is None else ev.frame.function.record
    turned: set[str] = set()
    for one in () if record is None else walk(record):
        match one:
            case ir.Assign((ir.Name(name),), value):
                ops = [op_named(_called(call)) for call in walk(value) if isinstance(call, ir.Call)]
                if any(op is not None and op.effect == "moves" for op in ops):
                    turned.add(name)
    return any((left in turned) != (right in turned) for left, right in names)


def _are_paired(left: str, right: str) -> bool:
    """Whether two names are those of two values that are paired, in either order."""
    for one, other in PAIRED:
        for first, second in ((one, other), (other, one)):
            if first in left and left.replace(first, second) == right:
                return True
    return False


def _odd_one(row: Sequence[ir.Expression]) -> tuple[int, Difference] | None:
    """The one element that reads another dim than all others, which are alike."""
    for odd, element in enumerate(row):
        others = [one for place, one in enumerate(row) if place != odd]
        if not all(_are_alike(left, right) for left, right in pairwise(others)):
            continue
        found = difference(others[0], element)
        if found is None or len(found.dims) != 1 or found.names or not _tells_apart(found):
            return None
        return (odd, found) if _counts_up(row) else None
    return None


def _are_alike(left: ir.Expression, right: ir.Expression) -> bool:
    """Whether two expressions read the same dims, and numbers tell them apart."""
    found = difference(left, right)
    return found is not None and not found.dims and _tells_apart(found)


def _tells_apart(one: Difference) -> bool:
    return bool(one.numbers) and not one.names


def _counts_up(row: Sequence[ir.Expression]) -> bool:
    """Whether the numbers of elements grow: the parts of a whole, in their order."""
    numbers = [tuple(_numbers(element)) for element in row]
    return all(left < right for left, right in pairwise(numbers))


def _numbers(expression: ir.Expression) -> Iterable[int]:
    """The numbers of an index, in order, but for those that say which dim."""
    match expression:
        case ir.Call(ir.Attribute(owner, _)):
            yield from _numbers(owner)
        case ir.Subscript(owner, index):
            yield from _numbers(owner)
            for one in index.elements if isinstance(index, ir.Tuple) else (index,):
                parts = (one.lower, one.upper) if isinstance(one, ir.Slice) else (one,)
                for part in parts:
                    number = None if part is None else _number(part)
                    if number is not None:
                        yield number


def difference(left: ir.Expression, right: ir.Expression) -> Difference | None:
    """What tells two expressions apart; None if it is more than names, numbers and dims."""
    found = _Found()
    if not _walk(left, right, found):
        return None
    return Difference(tuple(found.names), tuple(found.numbers), tuple(found.dims))


class _Found:
    """The differences that a walk through two expressions has met so far."""

    __slots__ = ("dims", "names", "numbers")

    def __init__(self) -> None:
        self.names: list[tuple[str, str]] = []
        self.numbers: list[tuple[int, int]] = []
        self.dims: list[tuple[str, str]] = []


def _walk(
    left: ir.Expression,
    right: ir.Expression,
    found: _Found,
) -> bool:
    ours, theirs = _number(left), _number(right)
    if ours is not None and theirs is not None:
        if ours != theirs:
            found.numbers.append((ours, theirs))
        return True
    match left, right:
        case ir.Name(first), ir.Name(second):
            if first != second:
                found.names.append((first, second))
            return True
        case ir.Attribute(owner, first), ir.Attribute(other, second):
            if first != second:
                found.names.append((first, second))
            return _walk(owner, other, found)
        case ir.Subscript(owner, index), ir.Subscript(other, place):
            return _walk(owner, other, found) and _walk_index(index, place, found)
        case ir.Call(), ir.Call():
            return _walk_call(left, right, found)
        case ir.Slice(), ir.Slice():
            bounds = zip(
                (left.lower, left.upper, left.step),
                (right.lower, right.upper, right.step),
                strict=True,
            )
            return all(
                one is other
                or ((one is not None and other is not None) and _walk(one, other, found))
                for one, other in bounds
            )
    return type(left) is type(right) and text_of(left) == text_of(right)


def _walk_index(
    left: ir.Expression,
    right: ir.Expression,
    found: _Found,
) -> bool:
    """Compare two indices; what is the same in another order is another dim."""
    ours = left.elements if isinstance(left, ir.Tuple) else (left,)
    theirs = right.elements if isinstance(right, ir.Tuple) else (right,)
    if len(ours) != len(theirs):
        return False
    kinds, others = ([_kind(one) for one in side] for side in (ours, theirs))
    if kinds != others:
        if sorted(kinds) != sorted(others):
            return False
        found.dims.append((f"[{', '.join(kinds)}]", f"[{', '.join(others)}]"))
        ours, theirs = (tuple(sorted(side, key=_kind)) for side in (ours, theirs))
    pairs = zip(ours, theirs, strict=True)
    return all(_walk(one, other, found) for one, other in pairs)


def _kind(one: ir.Expression) -> str:
    """What an element of an index does to its dim: all of it, a new one, or some places of it."""
    match one:
        case ir.Slice(None, None, None):
            return ":"
        case ir.NoneLiteral():
            return "None"
        case ir.EllipsisLiteral():
            return "..."
    return "_"


def _walk_call(
    left: ir.Call,
    right: ir.Call,
    found: _Found,
) -> bool:
    if len(left.positional) != len(right.positional) or len(left.keywords) != len(right.keywords):
        return False
    if not _walk(left.function, right.function, found):
        return False
    axes = {one.id for one in _at_dims(left)}
    pairs = list(zip(left.positional, right.positional, strict=True))
    for ours, theirs in zip(left.keywords, right.keywords, strict=True):
        if ours.name != theirs.name or ours.name is None:
            return False
        pairs.append((ours.value, theirs.value))
    for one, other in pairs:
        if one.id in axes and _number(one) != _number(other):
            found.dims.append((text_of(one), text_of(other)))
        elif not _walk(one, other, found):
            return False
    return True


# Dims that are written out


def _at_dims(call: ir.Call) -> list[ir.Expression]:
    """The arguments of a call that are numbers of dims."""
    op = op_named(_called(call))
    if op is None and _called(call) not in _UNITS:
        return []
    found = [one.value for one in call.keywords if one.name in _DIMS]
    first = 1 if call.positional and _number(call.positional[0]) is not None else 0
    for rule in () if op is None else op.rules:
        order = [parameter.name for parameter in rule.parameters]
        for place, argument in enumerate(call.positional, first):
            if place < len(order) and order[place] in _DIMS and argument not in found:
                found.append(argument)
    return [one for one in found if _number(one) is not None]


def _called(call: ir.Call) -> str:
    return call.function.name if isinstance(call.function, ir.Attribute) else ""


def op_named(name: str) -> Op | None:
    """The op of a method or function of this name, in some library."""
    if not name:
        return None
    for owner in (*frameworks.TENSORS, *frameworks.ARRAY_PACKAGES):
        spelling = REGISTRY.get(f"{owner}.{name}")
        if spelling is not None:
            return spelling.op
    return None


def _number(expression: ir.Expression) -> int | None:
    match expression:
        case ir.Int(value):
            return value
        case ir.Unary("-", ir.Int(value)):
            return -value
    return None


def _blame(ev: Evaluator, node: ir.Expression, dims: tuple[str, str]) -> None:
    question = (node.id, "twin")
    ev.frame.look(question)
    mistake = OtherDim(input=UNKNOWN, dims=dims)
    ev.blame(mistake, mistake.level, node, {}, question=question)


__all__ = ["check_arms", "check_lines", "check_row", "difference", "op_named"]
