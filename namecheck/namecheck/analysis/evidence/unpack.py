"""Binding several targets at once: `a, b = pair`, `B, T, C = x.shape`, `n = x.size(0)`.

`unpacked_shapes` does so for the shape of a tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from namecheck import frameworks
from namecheck.analysis.asking import elements
from namecheck.analysis.asking.results import claimed_of
from namecheck.analysis.evidence import guards
from namecheck.analysis.evidence.unpacked_shapes import (
    are_letters_in_a_row,
    contradict_label,
    contradict_labels,
    is_of_parameter,
    labels_of,
    learn_rank,
    presume_different,
    unpack_shape,
    unpacking,
    wrong_rank,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.state import reasons
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import as_size
from namecheck.analysis.state.joining import element_of
from namecheck.analysis.state.values import (
    Anything,
    List,
    Number,
    Repeated,
    ShapeOf,
    Tensor,
    Tuple,
    Value,
    inherited,
)
from namecheck.analysis.usage import different_sizes, slices
from namecheck_runtime.lattice import UNKNOWN, Dim, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.sizes import plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def label(ev: Evaluator, node: ir.Assign, value: Number) -> None:
    """`T = x.shape[1]`: a symbol that was just made for a size gets the name of the variable."""
    read = different_sizes.read_of(node.targets[0], node.value)
    above = None if read is None else different_sizes.read_above(ev, read, node)
    if read is not None and above is not None:
        _check_reads(ev, (above, read), node.targets[0])
    if read is not None and contradict_label(ev, read, node.targets[0]):
        return
    atom = plain_symbol(value.size)
    if atom is not None and atom.label == "?":
        names = [target.name for target in node.targets if isinstance(target, ir.Name)]
        if names:
            atom.label = names[0]
            if not is_of_parameter(ev, node.value):
                ev.roles.open.add(atom)
            reasons.named(ev, value.size, "is named")


def assign_several(
    ev: Evaluator,
    targets: Sequence[ir.Expression],
    value: Value,
    target: ir.Expression,
    origin: ir.Expression | None,
) -> None:
    """Bind the elements of a tuple or list target."""
    ev.frame.look(unpacking(target))
    value = ev.resolve(value)
    if isinstance(value, ShapeOf):
        unpack_shape(ev, targets, value, target, origin)
        return
    contents = elements.iterate(ev, value)
    if isinstance(contents, Repeated) or contents is None:
        _assign_unknown(ev, targets, value, contents, target, origin)
        return
    starred = [k for k, item in enumerate(targets) if isinstance(item, ir.Starred)]
    if starred and len(contents) >= len(targets) - 1:
        first = starred[0]
        behind = len(targets) - first - 1
        rest = List()
        ev.cells[rest] = contents[first : len(contents) - behind]
        parts: list[Value] = [*contents[:first], rest, *contents[len(contents) - behind :]]
        for item, part in zip(targets, parts, strict=True):
            ev.assign(
                item.value if isinstance(item, ir.Starred) else item,
                part,
                None,
            )
        return
    if len(contents) != len(targets):
        if isinstance(value, Tuple) and value.of_shape and not starred:
            dims = tuple(Dim(None, as_size(ev, part)) for part in contents)
            claimed = claimed_of(ev, (Argument(value),))
            wrong_rank(ev, dims, len(targets), target, origin, claimed)
        elif isinstance(value, Tuple) and value.of_op and not starred:
            _wrong_count(ev, value, len(targets), target, origin)
        for item in targets:
            ev.assign(item, Anything(), None)
        return
    origins: Sequence[ir.Expression | None] = (None,) * len(targets)
    if isinstance(origin, (ir.Tuple, ir.List)) and len(origin.elements) == len(targets):
        origins = origin.elements
    if _is_of_one_shape(value, origin) and not starred:
        sizes_read = tuple(Dim(None, as_size(ev, part)) for part in contents)
        if contradict_labels(ev, labels_of(targets), sizes_read, target):
            for item in targets:
                ev.assign(item, Anything(), None)
            return
    _check_pair(ev, targets, origin, target)
    in_a_row = are_letters_in_a_row(labels_of(targets))
    for item, part, written in zip(targets, contents, origins, strict=True):
        kept = written if type(written) in guards.TESTS else None
        ev.assign(item, _named(ev, item, part, in_a_row), kept)
    if _is_of_one_shape(value, origin):
        ev.roles.add_map(part.size for part in contents if isinstance(part, Number))
    presume_different(ev, *_with_inner(ev, targets, _without_twins(contents, origin)))


def _assign_unknown(
    ev: Evaluator,
    targets: Sequence[ir.Expression],
    value: Value,
    contents: Repeated | None,
    target: ir.Expression,
    origin: ir.Expression | None,
) -> None:
    """Bind targets to the elements of something of unknown length."""
    if contents is not None and not any(isinstance(item, ir.Starred) for item in targets):
        slices.check(ev, contents, len(targets), target, origin)
    element = element_of(contents) if contents is not None else None
    after = False
    for index, item in enumerate(targets):
        if isinstance(item, ir.Starred):
            rest = List()
            ev.cells[rest] = Repeated(element or Anything())
            ev.assign(item.value, rest, None)
            after = True
        elif isinstance(value, Anything) and value.config:
            place = index - len(targets) if after else index
            ev.assign(item, value.attribute(f"[{place}]"), None)
        else:
            ev.assign(item, _again(element), None)


def _is_of_one_shape(value: Value, origin: ir.Expression | None) -> bool:
    """Whether a tuple is a part of one shape: `x.shape[-2:]`, `x.size(1), x.size(2)`."""
    if isinstance(value, Tuple) and value.of_shape:
        return True
    if isinstance(origin, ir.Subscript) and isinstance(origin.index, ir.Slice):
        return _owner_of_size(origin) is not None
    if not isinstance(origin, (ir.Tuple, ir.List)):
        return False
    owners = [_owner_of_size(element) for element in origin.elements]
    names = {owner.name for owner in owners if isinstance(owner, ir.Name)}
    return len(names) == 1 and all(isinstance(owner, ir.Name) for owner in owners)


def _owner_of_size(expression: ir.Expression) -> ir.Expression | None:
    match expression:
        case ir.Subscript(ir.Attribute(owner, "shape")) | ir.Call(ir.Attribute(owner, "size")):
            return owner
    return None


def _without_twins(parts: Sequence[Value], origin: ir.Expression | None) -> Sequence[Value]:
    """The parts without those that are the same dim of another tensor.

    Two names for `q.shape[1], k.shape[1]` do not say that the sizes differ.
    """
    if not isinstance(origin, (ir.Tuple, ir.List)) or len(origin.elements) != len(parts):
        return parts
    places = [different_sizes.place_of(element) for element in origin.elements]
    alone = [place is None or place not in places[:k] for k, place in enumerate(places)]
    return [part if one else Anything() for part, one in zip(parts, alone, strict=True)]


def _check_pair(
    ev: Evaluator,
    targets: Sequence[ir.Expression],
    origin: ir.Expression | None,
    target: ir.Expression,
) -> None:
    """Check two sizes of one assignment; of three, two may well be one: `batch, queries, keys`."""
    if isinstance(origin, (ir.Tuple, ir.List)) and len(origin.elements) == len(targets) == 2:
        reads = map(different_sizes.read_of, targets, origin.elements)
        _check_reads(ev, [one for one in reads if one is not None], target)


def _check_reads(ev: Evaluator, reads: Sequence[different_sizes.Read], node: ir.Node) -> None:
    """Check sizes that are read one by one, side by side (NC306)."""
    if len(reads) > 1 and not ev.frame.depth:
        tensor = ev.resolve(ev.frame.variables.get(reads[0].owner, Anything()))
        shape = ev.current(tensor.shape) if isinstance(tensor, Tensor) else UNKNOWN
        different_sizes.check_reads(ev, reads, shape, node)


def _with_inner(
    ev: Evaluator, targets: Sequence[ir.Expression], parts: Sequence[Value]
) -> tuple[Sequence[ir.Expression], Sequence[Value]]:
    """Targets and their values, with the names of a shape that is unpacked among them.

    An example is `(b, n, _), k = x.size(), s.size(-1)`.
    """
    inner = [item.elements for item in targets if isinstance(item, (ir.Tuple, ir.List))]
    if len(inner) != 1 or len(targets) < 2:
        return targets, parts
    pairs = list(zip(targets, parts, strict=True))
    for item in inner[0]:
        bound = ev.frame.variables.get(item.name) if isinstance(item, ir.Name) else None
        if bound is not None:
            pairs.append((item, bound))
    return [item for item, _ in pairs], [part for _, part in pairs]


def expect_rank(ev: Evaluator, node: ir.Assign) -> None:
    """`b, n, _, h = *x.shape, self.heads`: the number of targets says how many dims x has."""
    value, target = node.value, node.targets[-1]
    if not isinstance(value, ir.Tuple) or not isinstance(target, (ir.Tuple, ir.List)):
        return
    targets = target.elements
    starred = [k for k, element in enumerate(value.elements) if isinstance(element, ir.Starred)]
    count = len(targets) - len(value.elements) + 1
    if (
        len(starred) != 1
        or count < 1
        or any(isinstance(element, ir.Starred) for element in targets)
    ):
        return
    inside = value.elements[starred[0]]
    assert isinstance(inside, ir.Starred)
    shape = inside.value
    if not isinstance(shape, ir.Attribute) or not isinstance(shape.value, ir.Name):
        return
    shape_value = ev.value(shape)
    if not isinstance(shape_value, ShapeOf):
        return
    tensor = ev.resolve(shape_value.tensor)
    known_shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    if not isinstance(known_shape, tuple) and len(known_dims(known_shape)) <= count:
        names = labels_of(targets[starred[0] : starred[0] + count])
        learn_rank(ev, tensor, count, names, target.id)


def _again(element: Value | None) -> Value:
    """One of several values of which only what they have in common is known."""
    if isinstance(element, Tensor):
        return element.with_shape(element.shape, inherited(element.claimed))
    if element is None or isinstance(element, Anything):
        return Anything()
    return element


def _named(ev: Evaluator, target: ir.Expression, part: Value, in_a_row: bool) -> Value:
    if isinstance(target, ir.Name) and isinstance(part, Number):
        atom = plain_symbol(part.size)
        if atom is not None and atom.label == "?":
            atom.label, atom.of_row = target.name, in_a_row
    return part


def _wrong_count(
    ev: Evaluator, value: Tuple, count: int, target: ir.Expression, origin: ir.Expression | None
) -> None:
    """`q, k, v = x.split(n, dim=2)` of a dim of size 2*n: Python wants as many targets as parts."""
    assert value.of_op is not None
    op, shape = value.of_op
    parts = len(value.elements)
    question = (target.id, "count")
    ev.frame.look(question)
    operand = None
    if isinstance(origin, ir.Call) and op.partition(".")[0] in frameworks.TENSORS:
        operand = elements.owner_of_call(origin)
    reason = f"it gives {parts} {'part' if parts == 1 else 'parts'}, but {count} are unpacked"
    few = f"not enough values to unpack (expected {count}, got {parts})"
    text = few if parts < count else f"too many values to unpack (expected {count})"
    mistake = BadExtent(shape=shape, reason=reason, text=text, blame=(Blame("input"),), op=op)
    named = {"input": Argument(Tensor(shape), operand)} if operand is not None else {}
    ev.blame(mistake, "error", origin or target, named, question=question)


__all__ = ["assign_several", "label"]
