"""Whether what was computed over one axis is scaled by the root of another one's size (NC307).

Scores that are summed over D are divided by the root of D, what is normalised to length 1 over C is
multiplied by the root of C. This module decides what a number is the root of, and whether that is
the size of another dim. Configured sizes may scale scores in any way: by the width of the model, or
by that of a head although the sum is over positions. The root of N belongs to a sum over N that
follows, if there is one: it makes a mean of the sum.

What is divided by the root of the mean of its squares over one dim, as an RMS norm does, has a
weight along that dim. A norm of batches, or of maps, has a weight for each channel, and takes its
means over all other dims.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.values import Number, Role, Statistic, Tensor, Value
from namecheck.analysis.usage.carriers import comes_from
from namecheck.analysis.usage.marks import statistic_of
from namecheck_runtime import sizes
from namecheck_runtime.declare import Effect
from namecheck_runtime.lattice import UNKNOWN, Size, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import ScaleAxis, WeightAxis
from namecheck_runtime.sizes import Opaque, Origin, Polynomial, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_HALVES: Final = (sizes.opaque("float", 1, 2), sizes.opaque("float", -1, 2))
_NEAREST: Final = 4
"""Dims counted from either end of a tensor of unknown rank."""


def check_scale(
    ev: Evaluator,
    divides: bool,
    operands: Sequence[Value],
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> None:
    """Check a product or quotient of a tensor and a number (NC307)."""
    if len(operands) != 2:
        return
    for tensor, number in (operands, operands[::-1]):
        if type(tensor) is Tensor and tensor.history is not None and type(number) is Number:
            root = root_of(number.size)
            if root is not UNKNOWN and not (divides and number is operands[0]):
                # Scores become smaller, and what has length 1 becomes larger.
                smaller = is_inverse(number.size) is not divides
                if smaller is (tensor.history.role is Role.SCORES):
                    _check(ev, tensor, ev.facts.representative(root), node, name, arguments)


def excuse_scales(ev: Evaluator, operand: ir.Node | None, summed: Sequence[Size]) -> None:
    """Answer the doubts about scales again: a product sums over the axes that they belong to."""
    for root, scaling, question in ev.frame.written.scales:
        if any(ev.facts.known_equal(size, root) for size in summed):
            if comes_from(ev.frame, scaling, operand):
                ev.frame.look(question)


def still_summed(ev: Evaluator, effect: Effect, operands: Sequence[Value], over: Size) -> Size:
    """What the result of an elementwise op was summed over, if scores were summed `over` a size.

    A scale belongs to a sum only if it may as well stand before what was done to the sum since:
    `exp(scores) / sqrt(m)` is the mean of m features. What was scaled by its own root is done with.
    """
    if effect in ("maps", "powers", "exponential"):
        return UNKNOWN
    sums = [_over(one) for one in operands if type(one) is Tensor and _is_sum(one)]
    if len(sums) > 1:
        if effect in ("product", "quotient") or not ev.facts.known_equal(*sums[:2]):
            return UNKNOWN
    elif effect in ("product", "quotient"):
        other = [one for one in operands if type(one) is Number]
        if effect == "quotient" and not (type(operands[0]) is Tensor and _is_sum(operands[0])):
            return UNKNOWN  # the sum divides
        if any(ev.facts.known_equal(root_of(one.size), over) for one in other):
            return UNKNOWN
    return over


def _is_sum(tensor: Tensor) -> bool:
    return tensor.history is not None and tensor.history.role is Role.SCORES


def _over(tensor: Tensor) -> Size:
    return UNKNOWN if tensor.history is None else tensor.history.over


def root_of(size: Size) -> Size:
    """What a number is the square root of, or 1 over the root; UNKNOWN if it is not."""
    if not isinstance(size, Polynomial) or len(size.terms) != 1:
        return UNKNOWN
    ((monomial, coefficient),) = size.terms
    if coefficient != 1 or len(monomial) != 1:
        return UNKNOWN
    ((atom, exponent),) = monomial
    if exponent != 1 or not isinstance(atom, Opaque) or len(atom.operands) != 2:
        return UNKNOWN
    left, right = atom.operands
    if atom.function == "**." and right in _HALVES:
        return left
    if atom.function in ("/.", "*."):
        if _is_number(left):
            return root_of(right)
        if _is_number(right):
            return root_of(left)
    return UNKNOWN


def is_inverse(size: Size) -> bool:
    """Whether a number that `root_of` reads is 1 over the root."""
    ((monomial, _),) = size.terms if isinstance(size, Polynomial) else ()
    ((atom, _),) = monomial
    assert isinstance(atom, Opaque)
    left, right = atom.operands
    if atom.function == "**.":
        return right == _HALVES[1]
    if _is_number(left):
        return is_inverse(right) is not (atom.function == "/.")
    return is_inverse(left)


def _is_number(size: Size) -> bool:
    return not sizes.symbols(size)


def _check(
    ev: Evaluator,
    tensor: Tensor,
    root: Size,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> None:
    history = tensor.history
    assert history is not None
    over = ""
    if history.role is Role.SCORES:
        if _is_data(root) and _is_another(ev, tensor, root, history.over):
            over = f"summed over {history.over}"
    elif history.statistic is not None and history.statistic.kind == "unit":
        (dim,) = history.statistic.dims
        other = _other_dim(ev, tensor, history.statistic.of, dim, root)
        if other is not None:
            over = f"normalised over dim {dim}, not {other}"
    if not over:
        return
    mistake = ScaleAxis(
        shape=ev.current(tensor.shape),
        mean_dims=(),
        spread_dims=(),
        scale=root,
        over=over,
        op=name,
        blame=(Blame("input"), Blame("other")),
    )
    question = (node.id, "scale")
    ev.frame.look(question)
    doubt = (root, node.id, question)
    if doubt not in ev.frame.written.scales:
        ev.frame.written.scales.append(doubt)
    named = dict(zip(("input", "other"), arguments, strict=False))
    ev.blame(mistake, mistake.level, node, named, question=question)


def _is_data(size: Size) -> bool:
    """Whether a size was read from a tensor."""
    atoms = sizes.symbols(size)
    return bool(atoms) and all(atom.origin is sizes.Origin.DATA for atom in atoms)


def _is_another(ev: Evaluator, tensor: Tensor, root: Size, over: Size) -> bool:
    """Whether a size is that of a dim of the scores, not what they were summed over."""
    if over is UNKNOWN or ev.facts.known_equal(root, over):
        return False
    shape = ev.current(tensor.shape)
    return any(ev.facts.known_equal(dim.size, root) for dim in known_dims(shape))


def _other_dim(ev: Evaluator, tensor: Tensor, source: Value, dim: int, root: Size) -> int | None:
    """The dim of a normalised tensor whose size a number is the root of, if it is another one."""
    source = ev.resolve(source)
    shapes = [ev.current(tensor.shape)]
    if isinstance(source, Tensor):
        shapes.append(ev.current(source.shape))
    for shape in shapes:
        dims = known_dims(shape)
        if dim >= 0 and not isinstance(shape, tuple):
            continue
        if not dims or not -len(dims) <= dim < len(dims):
            continue
        place = dim if dim < 0 else dim - len(dims)
        held = [k for k in range(-len(dims), 0) if ev.facts.known_equal(dims[k].size, root)]
        others = [k for k in held if k != place]
        if len(others) == 1 and place not in held:
            return others[0] + (len(dims) if dim >= 0 else 0)
    read = [k for k in range(-_NEAREST, _NEAREST) if _is_read(ev, source, k, root)]
    alike = [k for k in read if (k < 0) is (dim < 0)]
    return alike[0] if len(alike) == 1 and alike[0] != dim else None


def _is_read(ev: Evaluator, source: Value, dim: int, root: Size) -> bool:
    """Whether a size was read as that of a dim of a tensor of unknown rank."""
    stored = ev.cells.get((source, dim))
    return isinstance(stored, Number) and ev.facts.known_equal(stored.size, root)


# The weight of a norm

SCALED: Final = "scaled"
"""What is divided by the root of the mean of its squares; its dims are those of the mean."""


def scaled_by_squares(
    ev: Evaluator, is_product: bool, left: Value, right: Value
) -> Statistic | None:
    """What a value is that is divided by the root of the mean of its squares."""
    pairs = ((left, right), (right, left)) if is_product else ((left, right),)
    for value, scale in pairs:
        statistic = statistic_of(scale)
        if statistic is not None and statistic.kind == "scale":
            if ev.resolve(statistic.of) is ev.resolve(value):
                return Statistic(SCALED, value, statistic.dims)
    return None


def check_weight(
    ev: Evaluator,
    value: Value,
    weight: Value,
    node: ir.Node,
    name: str,
    arguments: Sequence[Argument],
) -> None:
    """Compare the dim that a value was normalised over with that of the weight (NC307)."""
    statistic = statistic_of(value)
    if statistic is None or statistic.kind != SCALED or len(statistic.dims) != 1:
        return
    if not isinstance(value, Tensor) or not _is_weight(weight):
        return
    (dim,) = statistic.dims
    rank = len(value.shape) if isinstance(value.shape, tuple) else 0
    if dim >= 0 and not rank:
        return  # it may be the last
    place = dim - rank if dim >= 0 else dim
    if place == -1 or place == -rank:
        return  # the first dim is that of a batch, of which a norm may take the mean
    mistake = WeightAxis(
        shape=ev.current(value.shape),
        mean_dims=(dim,),
        spread_dims=(rank - 1 if dim >= 0 else -1,),
        op=name,
        blame=(Blame("input"), Blame("other")),
    )
    named = dict(zip(("input", "other"), arguments, strict=False))
    ev.blame(mistake, mistake.level, node, named)


def _is_weight(value: Value) -> bool:
    """Whether a value has one dim of a configured size, as the weight of a norm has."""
    if not isinstance(value, Tensor) or not isinstance(value.shape, tuple):
        return False
    if len(value.shape) != 1:
        return False
    (dim,) = value.shape
    atom = plain_symbol(dim.size)
    return isinstance(dim.size, int) or (atom is not None and atom.origin is Origin.CONFIG)


__all__ = [
    "SCALED",
    "check_scale",
    "check_weight",
    "excuse_scales",
    "is_inverse",
    "root_of",
    "scaled_by_squares",
    "still_summed",
]
