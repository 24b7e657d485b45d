"""The shape of a tensor as it is unpacked: `B, T, C = x.shape`, `*_, h, w = x.shape`.

Unknown sizes become symbols with the names of the variables, and the names bound by one unpacking
are presumed to be different sizes. A tensor of unknown rank learns its rank.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from namecheck.analysis.asking import elements, presumed_batches, stated_squares
from namecheck.analysis.asking.refuted_claims import refute
from namecheck.analysis.evidence.labels import known_label
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.walking import walk
from namecheck.analysis.state import reasons
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.frames import Frame, Outcome
from namecheck.analysis.state.independence import BATCH
from namecheck.analysis.state.places import Place
from namecheck.analysis.state.values import (
    Anything,
    Claimed,
    List,
    Number,
    Repeated,
    ShapeOf,
    Tensor,
    Value,
    inherited,
    read_off,
    sizes_claimed,
)
from namecheck.analysis.usage.different_sizes import Read, is_read_from_data, presume_apart
from namecheck_runtime import sizes
from namecheck_runtime.lattice import MOST_DIMS, UNKNOWN, Dim, Dims, Size, Trace, known_dims
from namecheck_runtime.mistakes.base import Blame, counted
from namecheck_runtime.mistakes.claims import CommentMismatch
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import LayerSize
from namecheck_runtime.notation.matching import stem
from namecheck_runtime.sizes import Rank, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def labels_of(targets: Sequence[ir.Expression]) -> list[str]:
    """The names that targets give to sizes; `?` for a target without a name."""
    return [
        target.name
        if isinstance(target, ir.Name)
        else target.name
        if isinstance(target, ir.Attribute)
        else "?"
        for target in targets
    ]


def unpack_shape(
    ev: Evaluator,
    targets: Sequence[ir.Expression],
    value: ShapeOf,
    target: ir.Expression,
    origin: ir.Expression | None,
) -> None:
    """Bind targets to the sizes of a tensor, which has as many dims (NC303)."""
    tensor = ev.resolve(value.tensor)
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    starred = [k for k, item in enumerate(targets) if isinstance(item, ir.Starred)]
    names = labels_of(targets)
    count = len(targets)
    if starred:
        _unpack_starred(ev, targets, starred[0], value, origin)
        return
    doubtful = _rests_on_comment(tensor) or tensor in ev.frame.lent
    if doubtful and len(known_dims(shape)) != count and isinstance(tensor, Tensor):
        _refute(ev, tensor, names, target, origin)
        # The comment is about another path through the function, or other code gave it other dims.
        tensor = Tensor(UNKNOWN, tensor.kind, tensor.library)
        ev.refine(value.tensor, tensor)
        shape = UNKNOWN
    if isinstance(shape, tuple) and len(shape) != count:
        claimed = inherited(tensor.claimed) if isinstance(tensor, Tensor) else None
        wrong_rank(ev, shape, count, target, origin, claimed)
        for item in targets:
            ev.assign(item, Anything(), None)
        # The program ends here, so nothing that follows from these dims is reported.
        if isinstance(tensor, Tensor):
            ev.refine(value.tensor, Tensor(UNKNOWN, tensor.kind, tensor.library))
        return
    if count > MOST_DIMS:  # not a tensor, and each name would be compared with all others
        for item in targets:
            ev.assign(item, Anything(), None)
        return
    is_open = not isinstance(tensor, Tensor) and not is_of_parameter(ev, origin)
    dims = learn_rank(ev, tensor, count, names, target.id)
    dims = _with_words(ev, targets, dims, value.tensor)
    ev.roles.add_map(dim.size for dim in dims)
    if is_open:
        labelled = ev.frame.written.labels.values()
        read = (dim.size for dim in dims if dim.size not in labelled)
        ev.roles.open.update(atom for size in read for atom in sizes.symbols(size))
    if contradict_labels(ev, names, dims, target):
        # Either may be right, so nothing that follows from either is reported.
        if isinstance(tensor, Tensor):
            ev.refine(value.tensor, Tensor(UNKNOWN, tensor.kind, tensor.library))
        for item in targets:
            ev.assign(item, Anything(), None)
        return
    for index, dim in enumerate(dims):
        reasons.dim_named(ev, dim.size, index, origin)
    tensor = ev.resolve(value.tensor)
    parts = [read_off(tensor, ev.facts.representative(dim.size)) for dim in dims]
    for item, part in zip(targets, parts, strict=True):
        ev.assign(item, part, None)
    _doubt_assumed(ev, targets, dims, target)
    presume_different(ev, targets, parts)
    stated_squares.allow(ev, [part.size for part in parts])


def _refute(
    ev: Evaluator,
    tensor: Tensor,
    names: Sequence[str],
    target: ir.Expression,
    origin: ir.Expression | None,
) -> None:
    """Report that a parameter is unpacked into more or fewer dims than are written (NC402).

    What is written may leave out the batch, and then the code has one dim more. And `h*c` may be
    written for two dims.
    """
    dims = known_dims(tensor.shape)
    labels = [atom.label.lower() for dim in dims for atom in sizes.symbols(dim.size)]
    leaves_out = names[0].lower() in BATCH and not BATCH.intersection(labels)
    factors = sum(max(1, len(sizes.symbols(dim.size))) for dim in dims)
    if not isinstance(tensor.shape, tuple) or factors == len(names):
        return
    if not (leaves_out and len(names) == len(dims) + 1):
        need = f"the code unpacks {counted(len(names), 'dim')}"
        refute(ev, (Argument(tensor),), need, origin or target, unpacking(target))


def is_of_parameter(ev: Evaluator, shape: ir.Expression | None) -> bool:
    """Whether an expression is the shape of a parameter of the function, or one of its sizes."""
    function = ev.frame.function
    match shape:
        case ir.Subscript(ir.Attribute(owner)) | ir.Call(ir.Attribute(owner, "size")):
            pass
        case ir.Expression():
            owner = elements.owner_of_shape(shape) or shape
        case _:
            return False
    if function is None or not isinstance(owner, ir.Name):
        return False
    return any(parameter.name == owner.name for parameter in function.parameters)


def _with_words(ev: Evaluator, targets: Sequence[ir.Expression], dims: Dims, tensor: Value) -> Dims:
    """The dims of a tensor that is unpacked: numbers are called after the variables.

    A called function has its own words for the sizes of its caller.
    """
    named: list[Dim] = []
    for target, dim in zip(targets, dims, strict=True):
        word = target.name if isinstance(target, ir.Name) else "_"
        if isinstance(dim.size, int) and dim.size > 1 and not word.startswith("_"):
            dim = Dim(dim.name, dim.size, (dim.trace or Trace())._replace(word=word))
        named.append(dim)
    held = ev.resolve(tensor)
    if ev.frame.depth or not isinstance(held, Tensor) or all(map(operator.is_, named, dims)):
        return dims
    ev.give_shape(held, tuple(named))
    return tuple(named)


def _doubt_assumed(
    ev: Evaluator, targets: Sequence[ir.Expression], dims: Dims, target: ir.Expression
) -> None:
    """Warn where names are bound to sizes that are equal only since a layer got the wrong one.

    The layer was built for one of them and was given the other: then its input is wrong. A layer
    whose input had unknown dims was given neither, and one that fixes several dims was built for
    such an input.
    """
    frame = ev.frame
    question = (target.id, "assumed")
    frame.look(question)
    named = [
        (one.name, dim.size)
        for one, dim in zip(targets, dims, strict=True)
        if isinstance(one, ir.Name) and not one.name.startswith("_")
    ]
    for (left, mine), (right, other) in combinations(named, 2):
        if mine == other or not ev.facts.known_equal(mine, other):
            continue
        if stem(left) == stem(right) or ev.links(sizes.symbol(left), sizes.symbol(right)):
            continue
        places = [f.place for f in ev.facts.reasons(mine, other) if f.rank is Rank.ASSUMED]
        place = places[0] if len(places) == 1 else None
        if isinstance(place, Place) and isinstance(place.mistake, LayerSize) and place.node:
            if not isinstance(place.mistake.input, tuple) or _fixes_several(ev, place, dims):
                continue
            if frame.flow.configured or frame.flow.left or frame.quiet or frame.flow.unsure:
                continue
            text = (
                f"{left} and {right} are bound together, so they are assumed to be different sizes"
            )
            outcome = Outcome(
                place.source,
                place.node.id,
                place.mistake,
                "warning",
                (),
                ((text, frame.source, frame.line),),
                requires=(mine, other),
            )
            frame.blame((*question, place.node.id), question, outcome)


def _fixes_several(ev: Evaluator, layer: Place, dims: Dims) -> bool:
    """Whether a layer requires more than one of these dims, as `LayerNorm((8, 8))` does."""
    required = {
        fact.place.equation
        for dim in dims
        for fact in ev.facts.reasons(dim.size)
        if isinstance(fact.place, Place) and fact.place.node is layer.node
    }
    return len(required) > 1


def contradict_labels(
    ev: Evaluator, names: Sequence[str], dims: Dims, target: ir.Expression
) -> bool:
    """Whether two names from a comment are bound the other way round (NC402).

    The comment gave them to dims of this value, of which `dims` are those that are unpacked.
    """
    places: dict[int, int] = {}
    for index, name in enumerate(names):
        size = known_label(ev, name)
        if size is None:
            size = ev.frame.written.names.get(ev.frame.source.file.terms.name(name))
        if size is not None:
            matches = [k for k, dim in enumerate(dims) if dim.size == size]
            if len(matches) == 1 and matches[0] != index:
                places[index] = matches[0]
    frame = ev.frame
    frame.look(target.id)
    for index, place in places.items():
        if dims[index].size == dims[place].size or not _claimed_otherwise(
            ev, names, dims, places, index
        ):
            continue
        if _compared(frame, names[index]) and _compared(frame, names[place]):
            continue
        if _is_bound_to(ev, names[index], dims[place].size):
            continue  # the program has used these names, and now swaps them
        claimed = "(" + ", ".join(str(dim.size) for dim in dims) + ")"
        line, source = _said_at(frame, names[index])
        reason = f"'{names[index]}' is bound to dim {index}, where the {source} says"
        reason += f" '{dims[index].size}'"
        mistake = CommentMismatch(
            found=tuple(Dim(None, sizes.symbol(name)) for name in names),
            claimed=claimed,
            reason=reason,
            said=source,
        )
        notes = ((f"the {source} says so", frame.source, line),) if line else ()
        ev.blame(mistake, mistake.level, target, {}, notes=notes)
        return True
    return False


def contradict_label(ev: Evaluator, read: Read, target: ir.Expression) -> bool:
    """Whether `n = x.shape[1]` names a dim that a comment beside `x` calls otherwise (NC402).

    The comment has the name at another dim of this very value, and a label of its own at this one.
    A letter may be another one than in the comment.
    """
    frame = ev.frame
    if len(read.name) < 2:
        return False
    value = frame.variables.get(read.owner)
    tensor = None if value is None else ev.resolve(value)
    if frame.depth or not isinstance(tensor, Tensor) or tensor.claimed is None:
        return False
    claimed = tensor.claimed
    if not claimed.rank or claimed.source is not frame.source:
        return False
    if not isinstance(tensor.shape, tuple):
        return False
    if read.name in frame.variables or _compared(frame, read.name):
        return False  # the name is used for several sizes
    dims, index = tensor.shape, read.place
    index += len(dims) if index < 0 else 0
    if not 0 <= index < len(dims) or not _is_labelled(ev, dims[index].size):
        return False
    named = frame.written.labels.get(frame.label(read.name))
    places = [k for k, dim in enumerate(dims) if named is not None and dim.size == named]
    if len(places) != 1 or places[0] == index or dims[index].size == named:
        return False
    atom = plain_symbol(dims[index].size)
    if atom is None or atom.label.lower() == read.name.lower():
        return False
    mistake = CommentMismatch(
        found=tuple(
            [Dim(None, sizes.symbol(read.name if k == index else "?")) for k in range(len(dims))]
        ),
        claimed="(" + ", ".join(str(dim.size) for dim in dims) + ")",
        reason=f"'{read.name}' is dim {index} here, where the {_said_at(frame, read.name)[1]} says"
        f" '{dims[index].size}'",
        said=_said_at(frame, read.name)[1],
    )
    frame.look((target.id, "label"))
    notes = ((claimed.said, frame.source, claimed.line),)
    ev.blame(mistake, mistake.level, target, {}, question=(target.id, "label"), notes=notes)
    # Either may be right, so nothing that follows from either is reported.
    ev.refine(tensor, Tensor(UNKNOWN, tensor.kind, tensor.library))
    return True


def _is_labelled(ev: Evaluator, size: Size) -> bool:
    """Whether a size is known from a comment alone, which gave it a label."""
    atom = plain_symbol(size)
    return atom is not None and atom.comments > 0 and size in ev.frame.written.labels.values()


def _said_at(frame: Frame, name: str) -> tuple[int, str]:
    for label in (frame.label(name), frame.label(name.swapcase())):
        if label in frame.written.label_lines:
            line, source = frame.written.label_lines[label]
            return line, source
    return 0, "annotation" if name in frame.written.names else "comment"


def _compared(frame: Frame, name: str) -> bool:
    """Whether the function tests a name for equality: then its author has thought of its size."""
    if frame.function is None:
        return False
    return any(
        isinstance(record, ir.Comparison)
        and record.operators[0] in ("==", "!=")
        and any(isinstance(one, ir.Name) and one.name == name for one in walk(record))
        for record in walk(frame.function.record)
    )


def _is_bound_to(ev: Evaluator, name: str, size: Size) -> bool:
    """Whether a variable of this name may be that size already.

    An example is `m, n = a.shape`, and then `m, n = a.T.shape`.
    """
    value = ev.frame.variables.get(name)
    if isinstance(value, Number):
        return ev.facts.representative(value.size) == size
    return isinstance(value, Anything)  # it may be


def _claimed_otherwise(
    ev: Evaluator, names: Sequence[str], dims: Dims, places: dict[int, int], index: int
) -> bool:
    """Whether a name that a claim gave to another dim is not merely reused.

    Two names are swapped, or more in a circle, or the dim that it is bound to has a label of its
    own and the other dim is dropped.
    """
    place = places[index]
    there: int | None = place
    for _ in places:
        there = None if there is None else places.get(there)
        if there == index:
            return True
    atom = plain_symbol(dims[index].size)
    if atom is None or not names[place].startswith("_"):
        return False
    return ev.frame.label(atom.label) in ev.frame.written.labels


def are_letters_in_a_row(names: Sequence[str]) -> bool:
    """Whether names say no more than a place: `a, b, c, d = x.shape`."""
    return all(len(name) == 1 for name in names) and "abcdefgh".startswith("".join(names).lower())


def learn_rank(ev: Evaluator, tensor: Value, count: int, names: Sequence[str], key: int) -> Dims:
    """The dims of a tensor that is now known to have `count` of them, each with a size."""
    shape = tensor.shape if isinstance(tensor, Tensor) else UNKNOWN
    ending = known_dims(shape)
    dims: list[Dim] = []
    for index in range(count):
        place = index - count
        dim = ending[place] if -place <= len(ending) else Dim(UNKNOWN, UNKNOWN)
        if dim.size is UNKNOWN:
            stored = ev.cells.get((tensor, index))
            size = stored.size if isinstance(stored, Number) else UNKNOWN
            read = plain_symbol(ev.facts.representative(size))
            if read is not None and read.label == "?":
                read.label = names[index]
            if size is UNKNOWN:
                # A variable with the name of a label is the size of that label.
                labelled = ev.frame.written.labels.get(ev.frame.label(names[index]))
                size = ev.frame.symbol((key, index), names[index]) if labelled is None else labelled
            dim = Dim(dim.name, size, dim.trace)
        else:
            atom = plain_symbol(dim.size)
            if atom is not None and atom.label == "?":
                atom.label = names[index]
            if atom is not None:
                ev.ranks.batches.discard(atom)
        dims.append(dim)
    if are_letters_in_a_row(names):
        for atom in filter(None, [plain_symbol(dim.size) for dim in dims]):
            atom.of_row = atom.of_row or atom.label in names
    if isinstance(tensor, Tensor) and tensor.rank_claimed:
        ev.refine(tensor, tensor.with_shape(tuple(dims), sizes_claimed(tensor.claimed)))
    elif not isinstance(shape, tuple) or tuple(dims) != shape:
        ev.give_shape(tensor, tuple(dims))
    ev.roles.add_shape(tuple(dims))
    return tuple(dims)


def _unpack_starred(
    ev: Evaluator,
    targets: Sequence[ir.Expression],
    first: int,
    value: ShapeOf,
    origin: ir.Expression | None,
) -> None:
    numbers = ev.numbers_of(value)
    behind = len(targets) - first - 1
    if numbers is not None and len(numbers) >= len(targets) - 1:
        rest = List()
        ev.cells[rest] = tuple(numbers[first : len(numbers) - behind])
        parts = [*numbers[:first], rest, *numbers[len(numbers) - behind :]]
    else:
        names = labels_of(targets)
        rest = List()
        ev.cells[rest] = Repeated(Number(ev.some_int()))
        front = [elements.dim_size(ev, value.tensor, k, names[k]) for k in range(first)]
        back = [elements.dim_size(ev, value.tensor, -k, names[-k]) for k in range(behind, 0, -1)]
        parts = [*front, rest, *back]
    for index, part in enumerate(parts):
        if isinstance(part, Number):
            place = index if index < first else index - len(parts)
            reasons.dim_named(ev, part.size, place, origin)
    ev.roles.add_map(part.size for part in parts if isinstance(part, Number))
    for item, part in zip(targets, parts, strict=True):
        ev.assign(item.value if isinstance(item, ir.Starred) else item, part, None)
    plain = [(t, p) for t, p in zip(targets, parts, strict=True) if not isinstance(t, ir.Starred)]
    presume_different(ev, [t for t, _ in plain], [p for _, p in plain])


def _rests_on_comment(tensor: Value) -> bool:
    """Whether the rank is known from a comment, or from what another class may declare."""
    claimed = tensor.claimed if isinstance(tensor, Tensor) else None
    return claimed is not None and claimed.rank and (claimed.open or not claimed.result)


def wrong_rank(
    ev: Evaluator,
    shape: Dims,
    count: int,
    target: ir.Expression,
    origin: ir.Expression | None,
    claimed: Claimed | None = None,
) -> None:
    """Report that a tensor has another number of dims than it is unpacked into (NC303)."""
    fewer = presumed_batches.without(ev, shape)
    if fewer is not None and len(fewer) == count:
        return
    node = origin if origin is not None else target
    mistake = RankMismatch(shape=shape, wanted=str(count), blame=(Blame("input"),), op="unpack")
    operand = None if origin is None else elements.owner_of_shape(origin) or origin
    tensor = Tensor(shape, claimed=claimed)
    named = {"input": Argument(tensor, operand)} if operand is not None else {}
    ev.blame(mistake, "error", node, named, question=unpacking(target))


def unpacking(target: ir.Expression) -> tuple[int, str]:
    """The question whether a value has as many elements as a target unpacks."""
    return target.id, "unpack"


def presume_different(
    ev: Evaluator, targets: Sequence[ir.Expression], parts: Sequence[Value]
) -> None:
    """Presume that names bound together are different sizes; a name bound twice counts once."""
    members: dict[str, Size] = {}
    for target, part in zip(targets, parts, strict=True):
        if isinstance(target, ir.Name) and isinstance(part, Number):
            if not target.name.startswith("_") and _is_one_thing(part.size):
                members[target.name] = part.size
    # Beside the sizes of a tensor, `self.dim` may be what one of them has to be.
    read = {name: s for name, s in members.items() if is_read_from_data(s)}
    presume_apart(ev, (read or members).items())


def _is_one_thing(size: Size) -> bool:
    """Whether a size is something that can be counted.

    It is a symbol, or a number of patches, `h*w/(p*p)`.
    """
    if not isinstance(size, sizes.Polynomial) or len(size.terms) != 1 or size.opaque:
        return False
    return plain_symbol(size) is not None or is_read_from_data(size)


def presume_different_parameters(
    ev: Evaluator, frame: Frame, parameters: Sequence[ir.Parameter]
) -> None:
    """Presume that the int parameters of a function are different sizes.

    A function that needs one size does not ask for two.
    """
    members: dict[str, Size] = {}
    for parameter in parameters:
        match parameter.annotation, parameter.default:
            case ir.Name("int"), None:
                value = frame.variables.get(parameter.name)
                if isinstance(value, Number) and plain_symbol(value.size) is not None:
                    members[parameter.name] = value.size
    presume_apart(ev, members.items())
