"""Whether the program itself contradicts what the checker presumes or suspects.

After `H, W = x.shape[-2:]` the checker presumes that H and W differ; `assert H == W` anywhere in
the function says that the author knows better, and the presumption is dropped. Code that slices a
scrambled tensor and puts it into its old shape skews it on purpose: the relative shift of
attention. Code that shifts the bits of a scrambled tensor packs consecutive elements into words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import assigned_once, bindings
from namecheck.analysis.reading.packing import is_packed
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.values import (
    Container,
    Either,
    Instance,
    Layer,
    Role,
    Tensor,
    Value,
)
from namecheck.analysis.usage import blank_tensors, undone_views
from namecheck.analysis.usage.marks import role_of
from namecheck_runtime import sizes
from namecheck_runtime.declare import REGISTRY, Effect
from namecheck_runtime.lattice import UNKNOWN, Size, known_dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.broadcasts import ExpandSize, MisalignedBroadcast, SizeMismatch
from namecheck_runtime.mistakes.sizes import JoinSize, ScrambledReshape
from namecheck_runtime.rules.scrambling import scrambled
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument
    from namecheck.analysis.state.evaluate import Evaluator


def symmetric(ev: Evaluator, left: ir.Node | None, right: ir.Node | None) -> bool:
    """Whether one side is the other one transposed: `x + x.T`, `x * x.transpose(0, 1)`.

    It may stand in a variable: `y = x.T`. The output of a module, as in `x + self.block(x)`, is not
    the other side transposed.
    """
    if left is None or right is None:
        return False
    if _is_of(ev, left, right) or _is_of(ev, right, left):
        return True
    return any(
        held is not None and _is_of(ev, held, other)
        for held, other in ((_held(ev, left), right), (_held(ev, right), left))
    )


def takes_own_transpose(
    mistake: Mistake, target: ir.Node, operands: Mapping[str, Argument]
) -> bool:
    """Whether something is assigned to a value that was computed from it, with two dims swapped.

    `m[0] = m[0].T`, `m[0] = m.swapaxes(1, 2)[0]` and `m.copy_(m.T)` say that m is square.
    """
    if not isinstance(mistake, ExpandSize) or not isinstance(mistake.source, tuple):
        return False
    pairs = list(zip((dim.size for dim in mistake.source), mistake.target, strict=False))
    swapped = [pair for pair in pairs if pair[0] != pair[1]]
    if len(mistake.source) != len(mistake.target) or len(swapped) != 2:
        return False
    if swapped[0] != swapped[1][::-1] or not operands:
        return False
    nodes = [argument.node for argument in operands.values()]
    owner, value = target if isinstance(target, ir.Subscript) else nodes[0], nodes[-1]
    if not isinstance(owner, ir.Expression) or value is None:
        return False
    if _mentions(value, _text(owner)):
        return True
    # The same part of both: what is taken of the whole array may be transposed first.
    match owner, value:
        case ir.Subscript(whole), ir.Subscript(turned) if _index(owner) == _index(value):
            return _mentions(turned, _text(whole))
    return False


def _mentions(value: ir.Node, text: str) -> bool:
    return any(isinstance(one, ir.Expression) and _text(one) == text for one in walk(value))


def _text(expression: ir.Expression) -> str:
    """The text of an expression, without slices that take everything: `m[0]` of `m[0, :, :]`."""
    if not isinstance(expression, ir.Subscript):
        return ir.describe(expression, width=_LONGEST)
    texts = _index(expression)
    return _text(expression.value) + (f"[{', '.join(texts)}]" if texts else "")


def _index(subscript: ir.Subscript) -> list[str]:
    index = subscript.index
    parts = list(index.elements) if isinstance(index, ir.Tuple) else [index]
    while parts and _takes_all(parts[-1]):
        parts.pop()
    return [ir.describe(part, width=_LONGEST) for part in parts]


def _takes_all(index: ir.Expression) -> bool:
    match index:
        case ir.EllipsisLiteral() | ir.Slice(None, None, None):
            return True
    return False


_LONGEST: Final = 400
"""The longest expressions that are compared by their text in full."""


def _held(ev: Evaluator, node: ir.Node) -> ir.Expression | None:
    """The call of a library or of a method that a variable holds; it is bound once.

    None if there is none. What a function or a method of the instance returns is another value.
    """
    function = ev.frame.function
    if function is None or not isinstance(node, ir.Name):
        return None
    value = assigned_once(function.record).get(node.name)
    called = value.function if isinstance(value, ir.Call) else value
    if not isinstance(called, ir.Attribute):
        return None
    operands = [called.value, *(value.positional[:1] if isinstance(value, ir.Call) else ())]
    names = [one.name for one in operands if isinstance(one, ir.Name)]
    times = bindings(function.record)
    if any(isinstance(ev.frame.variables.get(name), Instance) for name in names):
        return None
    return value if all(times[name] <= 1 for name in names) else None


def _is_module(ev: Evaluator, function: ir.Expression) -> bool:
    """Whether a function is a module, by a name or as an attribute of the instance."""
    match function:
        case ir.Name(name):
            value = ev.frame.variables.get(name)
        case ir.Attribute(ir.Name(name), attribute):
            owner = ev.frame.variables.get(name)
            value = ev.cells.get((owner, attribute)) if isinstance(owner, Instance) else None
        case _:
            return False
    value = ev.resolve(value) if isinstance(value, Value) else None
    return isinstance(value, (Instance, Layer, Container, Either))


_PLAIN: Final = (ir.Int, ir.Unary, ir.Str, ir.Tuple)


def _is_of(ev: Evaluator, whole: ir.Node, part: ir.Node) -> bool:
    """Whether `whole` is an attribute of `part`, or a call of it with plain arguments.

    The call is that of a method of `part`, or of a function.
    """
    if isinstance(whole, ir.Call):
        arguments = whole.positional
        if arguments and not whole.keywords and alike(arguments[0], part):
            rest = all(isinstance(one, _PLAIN) for one in arguments[1:])
            return rest and not _is_module(ev, whole.function)
        if whole.keywords or not all(isinstance(one, _PLAIN) for one in arguments):
            return False
        whole = whole.function
    return isinstance(whole, ir.Attribute) and alike(whole.value, part)


def alike(left: ir.Node, right: ir.Node) -> bool:
    """Whether two names are the same, attributes of them, or calls of these."""
    if isinstance(left, ir.Name) and isinstance(right, ir.Name):
        return left.name == right.name
    if isinstance(left, ir.Attribute) and isinstance(right, ir.Attribute):
        return left.name == right.name and alike(left.value, right.value)
    if isinstance(left, ir.Call) and isinstance(right, ir.Call):
        if left.keywords or right.keywords or len(left.positional) != len(right.positional):
            return False
        pairs = zip(left.positional, right.positional, strict=True)
        return alike(left.function, right.function) and all(alike(*pair) for pair in pairs)
    return isinstance(left, ir.Int) and isinstance(right, ir.Int) and left.value == right.value


def meant(
    ev: Evaluator, doubt: Mistake, node: object, operands: Mapping[str, Argument] | None = None
) -> bool:
    """Whether a suspicious call is one step of something that people do on purpose."""
    function = ev.frame.function
    if isinstance(doubt, MisalignedBroadcast):
        nameless = _is_nameless(ev, doubt.size) and not _is_reduced(ev, doubt, operands or {})
        return nameless or _has_square(ev, doubt)
    if not isinstance(doubt, ScrambledReshape):
        return False
    operand = ev.resolve(next(iter(operands.values())).value) if operands else None
    if operand is not None and (blank_tensors.is_blank(operand) or _is_learned(operand)):
        return True
    if _is_dropped(doubt) or undone_views.is_undoing(ev, doubt, operands or {}):
        return True
    if _is_right_by_default(ev, doubt) or _is_right_for_squares(ev, doubt):
        return True
    if function is None or not _swaps(doubt) or not isinstance(node, ir.Call):
        return False
    if is_packed(function.record, node):
        return True
    called = _called(node).removesuffix("_as")
    calls = cuts = 0
    for record in walk(function.record):
        if isinstance(record, ir.Call):
            # Padding is part of a shift too: it fills what is cut off.
            calls += _called(record).removesuffix("_as") in (called, "pad")
        elif isinstance(record, ir.Subscript):
            index = record.index
            parts = index.elements if isinstance(index, ir.Tuple) else (index,)
            cuts += any(isinstance(part, ir.Slice) and part.lower is not None for part in parts)
    return calls > 1 and cuts > 0


def _is_learned(value: Value) -> bool:
    """Whether a value is a parameter with a number for a size, to which nobody gave a meaning.

    It is learned in the order in which it is read.
    """
    if not isinstance(value, Tensor) or role_of(value) is not Role.CONSTANT:
        return False
    return any(isinstance(dim.size, int) and dim.size > 1 for dim in known_dims(value.shape))


def fits_otherwise(ev: Evaluator, mistake: JoinSize) -> bool:
    """Whether two joined tensors agree in all dims but one, where one of them has size 1.

    An example is a class token `[B, 1, C]` that is joined to `[B, N, C]` along the channels.
    """
    left, right = (ev.current(shape) for shape in (mistake.left, mistake.right))
    if not isinstance(left, tuple) or not isinstance(right, tuple) or len(left) != len(right):
        return False
    place = mistake.dim % max(len(left), 1)
    if len(left) < 3 or mistake.op == "stack":
        return False
    pair = (left[place].size, right[place].size)
    if pair.count(1) != 1 or not any(isinstance(size, sizes.Polynomial) for size in pair):
        return False
    return all(
        mine.size == other.size and mine.size is not UNKNOWN
        for k, (mine, other) in enumerate(zip(left, right, strict=True))
        if k != place
    )


def joins_turned(ev: Evaluator, mistake: Mistake, node: ir.Node) -> bool:
    """Whether a map that is turned by a quarter is joined with others: they are all squares.

    It may be turned on the line before.
    """
    if not isinstance(mistake, JoinSize):
        return False
    function = ev.frame.function
    held = {} if function is None else assigned_once(function.record)
    names = [one.name for one in walk(node) if isinstance(one, ir.Name)]
    parts = (node, *[held[name] for name in names if held.get(name) is not None])
    calls = (one for part in parts for one in walk(part) if isinstance(one, ir.Call))
    return any(has_effect(_called(call), "turns") for call in calls)


def has_effect(name: str, effect: Effect) -> bool:
    """Whether a method or function of this name has an effect on the elements, in some library."""
    owners = (*frameworks.TENSORS, *frameworks.ARRAY_PACKAGES)
    spellings = (REGISTRY.get(f"{owner}.{name}") for owner in owners)
    return any(one is not None and one.op.effect == effect for one in spellings)


def has_twin(mistake: Mistake) -> bool:
    """Whether a size of a broadcast is a dim of the other operand too, at another place.

    There its own operand has a 1 or nothing: `[N, L, H, D]` beside `[N, 1, L, 1]`.
    """
    if not isinstance(mistake, SizeMismatch):
        return False
    left, right, here = mistake.left, mistake.right, -mistake.position
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return False
    for ours, theirs in ((left, right), (right, left)):
        size = theirs[-here].size
        twins = [k for k, dim in enumerate(reversed(ours), 1) if dim.size == size and k != here]
        if len(twins) == 1 and (len(theirs) < twins[0] or theirs[-twins[0]].size == 1):
            return True
    return False


_REDUCED: Final = frozenset({"mean", "sum", "spread", "extent"})


def _is_reduced(ev: Evaluator, doubt: Mistake, operands: Mapping[str, Argument]) -> bool:
    """Whether one operand is the other one's mean or sum over some of three or more dims.

    The row means of a matrix may stand for its column means, since it may be symmetric.
    """
    values = [ev.resolve(argument.value) for argument in operands.values()]
    for one, other in permutations(values, 2):
        if not isinstance(one, Tensor) or not isinstance(other, Tensor) or one.history is None:
            continue
        statistic = one.history.statistic
        if statistic is None or statistic.kind not in _REDUCED:
            continue
        many = isinstance(other.shape, tuple) and len(other.shape) > 2
        if many and ev.resolve(statistic.of) is other:
            return True
    return False


def _is_nameless(ev: Evaluator, size: Size) -> bool:
    """Whether the program never named the size nor counted its places: it was only passed on."""
    atoms = sizes.symbols(size)
    return bool(atoms) and all(_is_ignored(a.label) and a not in ev.counted for a in atoms)


def _is_ignored(label: str) -> bool:
    """Whether a label is no name: `_` and `_1` of an unpacking are what the program ignores."""
    return not label.strip("?_0123456789")


def _has_square(ev: Evaluator, doubt: MisalignedBroadcast) -> bool:
    """Whether the function computes with two dims of one size.

    It holds a tensor with the size at two dims, or an operand with its dims in another order.
    """
    turned = {
        tuple(sorted(dims, key=hash))
        for dims in (doubt.left, doubt.right)
        if isinstance(dims, tuple)
    }
    operands = (doubt.left, doubt.right)
    for value in ev.frame.variables.values():
        value = ev.resolve(value)
        if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
            continue
        dims = ev.current(value.shape)
        assert isinstance(dims, tuple)
        if sum(dim.size == doubt.size for dim in dims) > 1:
            return True
        if dims not in operands and tuple(sorted(dims, key=hash)) in turned:
            return True
    return False


def _is_dropped(doubt: ScrambledReshape) -> bool:
    """Whether a dim of the source was unpacked into `_`.

    Its size does not matter, or is known to be 1.
    """
    atoms = [plain_symbol(dim.size) for dim in known_dims(doubt.source)]
    return any(atom is not None and atom.label != "?" and _is_ignored(atom.label) for atom in atoms)


def _is_right_by_default(ev: Evaluator, doubt: ScrambledReshape) -> bool:
    """Whether the order is right because a configured size is 1 by default, as `num_heads` may be.

    The program is right as it stands, whatever it would do for two heads.
    """
    dims, wanted = known_dims(doubt.source), known_dims(doubt.target)
    atoms = {atom for dim in dims for atom in sizes.symbols(dim.size)}
    ones: dict[sizes.Symbol, Size] = {
        atom: 1 for atom in atoms if ev.independence.is_one_by_default(atom)
    }
    if not ones:
        return False
    source = tuple([dim.resize(sizes.substitute(dim.size, ones)) for dim in dims])
    target = [sizes.substitute(dim.size, ones) for dim in wanted]
    return scrambled(source, target, frozenset().union(*map(sizes.symbols, target))) is None


def _is_right_for_squares(ev: Evaluator, doubt: ScrambledReshape) -> bool:
    """Whether the order is right but for two sizes that the function compares somewhere.

    `if x.shape[2] != x.shape[3]: raise` may stand below: the author knows that they may differ.
    """
    wanted = [dim.size for dim in known_dims(doubt.target)]
    involved = {atom for dim in known_dims(doubt.source) for atom in sizes.symbols(dim.size)}
    for pair in {*ev.frame.may_agree, *_compared(ev)}:
        atoms = [plain_symbol(ev.facts.representative(size)) for size in pair]
        if len(atoms) < 2 or atoms[0] is None or atoms[1] is None:
            continue
        if not involved.issuperset((atoms[0], atoms[1])):
            continue
        one, other = sizes.of_symbol(atoms[0]), sizes.of_symbol(atoms[1])
        exchanged: dict[sizes.Symbol, Size] = {atoms[0]: other, atoms[1]: one}
        target = [sizes.substitute(size, exchanged) for size in wanted]
        written = frozenset().union(*map(sizes.symbols, target))
        if scrambled(known_dims(doubt.source), target, written) is None:
            return True
    return False


def _compared(ev: Evaluator) -> Iterator[frozenset[Size]]:
    """The pairs of sizes that the function compares for equality, above or below."""
    function = ev.frame.function
    if function is None:
        return
    for record in walk(function.record):
        match record:
            case ir.Comparison(left, ("==" | "!=",), (right,)):
                if _reads_size(left) and _reads_size(right):
                    with ev.frame.quietly():
                        pair = frozenset(as_size(ev, ev.value(side)) for side in (left, right))
                    if UNKNOWN not in pair:
                        yield pair


def _reads_size(node: ir.Expression) -> bool:
    """Whether an expression is a variable, or an entry of the shape of one."""
    match node:
        case ir.Name():
            return True
        case ir.Subscript(ir.Attribute(ir.Name(), "shape"), ir.Int() | ir.Unary(_, ir.Int())):
            return True
        case ir.Call(ir.Attribute(ir.Name(), "size"), (ir.Int() | ir.Unary(_, ir.Int()),), ()):
            return True
    return False


def _swaps(doubt: ScrambledReshape) -> bool:
    """Whether the sizes only change places, so that nothing is merged or split."""
    if not isinstance(doubt.source, tuple) or not isinstance(doubt.target, tuple):
        return False
    before, after = ([dim.size for dim in dims] for dims in (doubt.source, doubt.target))
    if UNKNOWN in before or UNKNOWN in after:
        return len(before) == len(after)
    return Counter(before) == Counter(after)


def _called(call: ir.Call) -> str:
    function = call.function
    return function.name if isinstance(function, (ir.Attribute, ir.Name)) else ""
