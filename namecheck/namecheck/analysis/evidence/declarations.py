"""Shape annotations at parameters, calls, assignments and returns: `x: Float[Tensor, "b t c"]`.

Inside a function its names are free sizes, different ones different; at a call they are variables
that the arguments bind. What an annotation says is a declared fact, and `annotations` reads it.
Source: jaxtyping.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from namecheck.analysis import explain, ir
from namecheck.analysis.conversion import Argument
from namecheck.analysis.evidence.annotation import (
    Declaration,
    Declared,
    Each,
    OneOf,
    Several,
    read,
)
from namecheck.analysis.evidence.apart import presume_apart
from namecheck.analysis.evidence.contradictions import Contradiction, contradiction
from namecheck.analysis.evidence.written import beginning, ending, many_name, size_of_term
from namecheck.analysis.values import Anything, List, Repeated, Tensor, Tuple, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.mistakes.claims import AnnotationMismatch, ArgumentMismatch
from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape
from namecheck_runtime.sizes import Fact, Rank, Relation

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator
    from namecheck.analysis.path import Frame

Names = dict[str, Size]
"""What the names of one scope of annotations stand for."""

Note = tuple[str, Any, int]
"""Where something is declared: a text, a source and a line in it."""


# A function by itself


def declared_value(
    ev: Evaluator, names: Names, declaration: Declaration, optional: bool = False
) -> Value:
    """A value that nobody has given yet: its dims are the names in the annotation.

    `optional` says that it may be None although its annotation does not say so.
    """
    match declaration:
        case Several(parts):
            return Tuple(
                Anything() if part is None else declared_value(ev, names, part) for part in parts
            )
        case Each(element):
            return Repeated(declared_value(ev, names, element))
        case OneOf(options, or_none, is_open):
            if is_open:
                return Anything()
            kinds = {one.kind for one in options}
            libraries = {one.library for one in options}
            tensor = Tensor(
                UNKNOWN,
                kinds.pop() if len(kinds) == 1 else "unknown",
                libraries.pop() if len(libraries) == 1 else "",
            )
            return Anything(maybe=tensor) if or_none or optional else tensor
    tensor = Tensor(_declared_shape(names, declaration), declaration.kind, declaration.library)
    return Anything(maybe=tensor) if declaration.optional or optional else tensor


def _declared_shape(names: Names, declared: Declared) -> Shape:
    if declared.written is None:
        return UNKNOWN
    if declared.named is not None:
        return tuple(Dim(name, UNKNOWN) for name in declared.named)
    spelled = _spelled(names, declared.written)
    if spelled is not None:
        return spelled
    dims, whole = ending(declared.written)
    made = tuple(Dim(UNKNOWN, _declared_size(names, dim)) for dim in dims)
    return made if whole else trailing(made)


def _spelled(names: Names, written: WrittenShape) -> Dims | None:
    """The dims where it is known how many the name of several stands for, else None."""
    made: list[Dim] = []
    for dim in written.dims:
        if not dim.many:
            made.append(Dim(UNKNOWN, _declared_size(names, dim)))
            continue
        count = names.get(f"*{many_name(dim)}")
        if not isinstance(count, int):
            return None
        keys = (f"*{dim.term}[{index}]" for index in range(count))
        made += [Dim(UNKNOWN, names.get(key, UNKNOWN)) for key in keys]
    return tuple(made)


def _declared_size(names: Names, dim: WrittenDim, known: bool = False) -> Size:
    """What a dim is declared to have; `known` makes no symbols for names that stand for nothing."""
    if dim.broadcastable or dim.tree:
        return UNKNOWN
    if known:
        return size_of_term(dim.term, lambda name: names.get(name, UNKNOWN))
    return size_of_term(dim.term, lambda name: name_size(names, name))


def name_size(names: Names, name: str) -> Size:
    """What a name of some annotations stands for, a new symbol if nothing yet."""
    found = names.get(name)
    if found is None:
        found = names[name] = sizes.symbol(name)
    return found


def names_differ(ev: Evaluator, frame: Frame) -> None:
    """Two different names in one signature are different sizes inside the function.

    `num_samples` and `num_samples_1` are kin: one may well be made of the other.
    """
    names = {name: size for name, size in frame.names.items() if not isinstance(size, int)}
    for size in names.values():
        explain.named(ev, size)
    presume_apart(ev, names.items(), Rank.DECLARED)


# Calls


def check_argument(
    ev: Evaluator,
    caller: Frame,
    names: Names,
    declaration: Declaration,
    name: str,
    value: Value,
    node: ir.Expression | None,
    note: Note | None = None,
) -> Value:
    """An argument as the parameter's annotation allows it; the names bind to its sizes (NC404)."""
    found = ev.resolve(value)
    match declaration, found:
        case Several(parts), Tuple(elements=elements) if len(parts) == len(elements):
            shown = _elements(node, len(parts))
            return Tuple(
                element
                if part is None
                else check_argument(ev, caller, names, part, name, element, at, note)
                for part, element, at in zip(parts, elements, shown, strict=True)
            )
        case Each(element), Tuple(elements=elements):
            shown = _elements(node, len(elements))
            return Tuple(
                check_argument(ev, caller, names, element, name, one, at, note)
                for one, at in zip(elements, shown, strict=True)
            )
        case ((Several() | Each()), _):
            return value
        case OneOf(options), Tensor():
            reason, chosen = _fits_none(ev, names, options, ev.current(found.shape))
            if chosen is None:
                return value
            declared = chosen
        case OneOf(), _:
            return value
        case Declared(), Tensor() | Anything():
            declared = declaration
            if isinstance(found, Anything):
                return _unknown_argument(ev, names, declared, value)
            reason = mismatch(ev, names, declared, ev.current(found.shape))
        case _:
            return value
    if declared.written is None:
        return value
    if node is not None:
        caller.look((node.id, name))
    shape = ev.current(found.shape)
    if reason is None:
        _fill_in(ev, found, shape, declared, names)
        return value
    if node is not None:
        mistake = ArgumentMismatch(
            parameter=name, found=shape, declared=declared.text, reason=reason
        )
        inner, ev.frame = ev.frame, caller
        ev.blame(
            mistake,
            "error",
            node,
            {"value": Argument(found, node)},
            question=(node.id, name),
            notes=() if note is None else (note,),
        )
        ev.frame = inner
    return Tensor(UNKNOWN, found.kind, found.library)


def _elements(node: ir.Expression | None, count: int) -> tuple[ir.Expression | None, ...]:
    if isinstance(node, ir.Tuple | ir.List) and len(node.elements) == count:
        return node.elements
    return (node,) * count


def _unknown_argument(ev: Evaluator, names: Names, declared: Declared, value: Value) -> Value:
    """Who passes something unknown passes what is declared."""
    if declared.optional or declared.written is None or ev.resolve(value) is not value:
        return value
    return declared_value(ev, names, declared)


def _fits_none(
    ev: Evaluator, names: Names, options: tuple[Declared, ...], shape: Shape
) -> tuple[str | None, Declared | None]:
    """Why a shape fits none of several annotations, with the last of them; else None, with the one
    that it fits if there is only one. The names of that one are bound.
    """
    reasons: list[str] = []
    fitting: list[Declared] = []
    for option in options:
        reason = mismatch(ev, dict(names), option, shape, learn=False)
        if reason is None:
            fitting.append(option)
        else:
            reasons.append(reason)
    if len(fitting) == 1:
        return mismatch(ev, names, fitting[0], shape), fitting[0]
    if fitting:
        return None, None
    return reasons[-1], options[-1]


def mismatch(
    ev: Evaluator, names: Names, declared: Declared, shape: Shape, learn: bool = True
) -> str | None:
    """Why a shape does not fit what is written, None if it may; new names take its sizes."""
    written = declared.written
    if written is None:
        return None
    _, whole = ending(written)
    found = known_dims(shape)
    if isinstance(shape, tuple):
        fixed = len(written.dims) - (not whole)
        if whole and len(shape) != fixed:
            return f"it has {_counted(len(shape))} instead of {fixed}"
        if not whole and len(shape) < fixed:
            return f"it has {_counted(len(shape))}, fewer than {fixed}"
        if declared.named is not None:
            return _other_name(declared.named, shape)
    for place, dim in _pairs(written, shape):
        reason = _other_size(ev, names, dim, found[place].size, place, learn)
        if reason is not None:
            return reason
    if isinstance(shape, tuple) and not whole:
        return _other_batch(ev, names, written.dims, shape, learn)
    return None


def _pairs(written: WrittenShape, shape: Shape) -> list[tuple[int, WrittenDim]]:
    """The dims that are written of known dims, by their places counted from the right."""
    dims, whole = ending(written)
    count = min(len(dims), len(known_dims(shape)))
    pairs = [(-back, dims[-back]) for back in range(1, count + 1)]
    if isinstance(shape, tuple) and not whole:
        pairs += [(index - len(shape), dim) for index, dim in enumerate(beginning(written))]
    return pairs


def _forced(
    ev: Evaluator, names: Names, written: WrittenShape, shape: Shape
) -> Contradiction | None:
    """Where a number is returned for what may have any size, or what may have any for a number.

    Inside the function a name of the parameters' annotations is any size.
    """
    dims, whole = known_dims(shape), isinstance(shape, tuple)
    if whole and len(dims) < len(written.dims) - 1:
        return None
    declared = {ev.facts.representative(size) for size in names.values()}
    for place, dim in _pairs(written, shape):
        size = ev.facts.representative(dims[place].size)
        wanted = ev.facts.representative(_declared_size(names, dim, known=True))
        if UNKNOWN in (size, wanted) or isinstance(wanted, int) == isinstance(size, int):
            continue
        free = size if isinstance(wanted, int) else wanted
        if free in declared and sizes.plain_symbol(free) is not None:
            return Contradiction(f"dim {place + len(dims) * whole} is {size}, and not {wanted}")
    return _configured_batch(ev, names, written, dims) if whole else None


def _configured_batch(
    ev: Evaluator, names: Names, written: WrittenShape, dims: Dims
) -> Contradiction | None:
    """Where a size that a module is built with is returned for a leading dim."""
    at = next((index for index, dim in enumerate(written.dims) if dim.many), None)
    name = None if at is None else many_name(written.dims[at])
    if at is None or name is None:
        return None
    for index in range(at, len(dims) - (len(written.dims) - at - 1)):
        wanted = ev.facts.representative(names.get(f"*{name}[{index - at}]", UNKNOWN))
        size = ev.facts.representative(dims[index].size)
        atoms = sizes.symbols(size)
        configured = atoms and all(atom.origin is sizes.Origin.CONFIG for atom in atoms)
        if sizes.plain_symbol(wanted) is not None and (configured or isinstance(size, int)):
            return Contradiction(f"dim {index} is {size}, and not {wanted}")
    return None


def _other_name(names: tuple[str | None, ...], shape: Dims) -> str | None:
    for index, (name, dim) in enumerate(zip(names, shape, strict=True)):
        if name is not None and isinstance(dim.name, str) and dim.name != name:
            return f"dim {index} is '{dim.name}', not '{name}'"
    return None


def _other_size(
    ev: Evaluator, names: Names, dim: WrittenDim, size: Size, place: int, learn: bool
) -> str | None:
    if size is UNKNOWN or dim.tree:
        return None
    if isinstance(dim.term, str) and dim.term not in names:
        if not dim.broadcastable:
            names[dim.term] = size
        return None
    wanted = size_of_term(dim.term, lambda name: names.get(name, UNKNOWN))
    if wanted is UNKNOWN or (dim.broadcastable and sizes.possibly_one(size).possible):
        return None
    relation = ev.facts.relate(wanted, size)
    if relation is Relation.NO or _declared_apart(ev, wanted, size, relation):
        said = dim.term if isinstance(dim.term, str | int) else "it"
        said = f"'{said}' is {wanted}" if str(said) != str(wanted) else f"'{said}'"
        return f"dim {place} has size {ev.facts.representative(size)}, but {said}" + (
            " is declared there" if said.startswith("'") and " is " not in said else ""
        )
    if relation is Relation.MAYBE and learn:
        ev.facts.learn_equal(wanted, size, Fact(Rank.DECLARED, ev.place()))
    return None


def _other_batch(
    ev: Evaluator, names: Names, dims: tuple[WrittenDim, ...], shape: Dims, learn: bool
) -> str | None:
    """`*batch` stands for the same dims wherever it stands in one signature."""
    at = next(index for index, dim in enumerate(dims) if dim.many)
    many = dims[at]
    if many_name(many) is None:
        return None
    stand_for = shape[at : len(shape) - (len(dims) - at - 1)]
    count = names.setdefault(f"*{many.term}", len(stand_for))
    if count != len(stand_for):
        return f"'*{many.term}' stands for {len(stand_for)} dims here and for {count} elsewhere"
    for index, dim in enumerate(stand_for):
        key = f"*{many.term}[{index}]"
        if dim.size is UNKNOWN:
            continue
        known = names.setdefault(key, dim.size)
        relation = ev.facts.relate(known, dim.size)
        if relation is Relation.MAYBE and learn:
            ev.facts.learn_equal(known, dim.size, Fact(Rank.DECLARED, ev.place()))
        if relation is Relation.NO or _declared_apart(ev, known, dim.size, relation):
            return f"dim {at + index} has size {dim.size}, but '*{many.term}' has {known} there"
    return None


def _counted(rank: int) -> str:
    return "1 dim" if rank == 1 else f"{rank} dims"


def _declared_apart(ev: Evaluator, wanted: Size, size: Size, relation: Relation) -> bool:
    """Whether two sizes are different names of one signature."""
    if relation is not Relation.COINCIDENT:
        return False
    settlement = ev.facts.copy().settle(wanted, size, None)
    return settlement.verdict is sizes.Verdict.CONTRADICTED


# Assignments and returns


def check_value(
    ev: Evaluator,
    annotation: ir.Expression,
    value: Value,
    node: ir.Expression,
    returned: bool = False,
) -> Value:
    """A value as its annotation allows it (NC401), with what the annotation adds to it."""
    declaration = read(ev, annotation)
    if declaration is None:
        return value
    return check_declared(ev, declaration, value, node, ev.frame.names, returned)


def check_declared(
    ev: Evaluator,
    declaration: Declaration,
    value: Value,
    node: ir.Expression,
    names: Names,
    returned: bool = False,
    note: Note | None = None,
) -> Value:
    """As `check_value`, of an annotation that was read."""
    found = ev.resolve(value)
    level = "error"
    used: Contradiction | None = None
    match declaration, found:
        case Several(parts), Tuple(elements=elements) if len(parts) == len(elements):
            shown = _elements(node, len(parts))
            return Tuple(
                [
                    element
                    if part is None
                    else check_declared(ev, part, element, at or node, names, returned, note)
                    for part, element, at in zip(parts, elements, shown, strict=True)
                ],
                found.fields,
            )
        case ((Several() | Each()), Anything(maybe=None)):
            return declared_value(ev, names, declaration)
        case Each(element), Tuple(elements=elements):
            shown = _elements(node, len(elements))
            return Tuple(
                check_declared(ev, element, one, at or node, names, returned, note)
                for one, at in zip(elements, shown, strict=True)
            )
        case Each(element), List():
            contents = ev.cells.get(found)
            if isinstance(contents, tuple):
                for one in contents:
                    check_declared(ev, element, one, node, names, returned, note)
            return value
        case OneOf(options), Tensor():
            reason, chosen = _fits_none(ev, names, options, ev.current(found.shape))
            if chosen is None or reason is None:
                return value
            declared = chosen
        case Declared(), Tensor() | Anything():
            declared = declaration
            if isinstance(found, Anything) or found.shape is UNKNOWN:
                if declared.written is None or (isinstance(found, Anything) and declared.optional):
                    return value
                # What is declared of an unknown tensor that may be None may also be None.
                if isinstance(found, Anything) and found.maybe is not None:
                    return value
                return declared_value(ev, names, declared._replace(optional=False))
            if declared.written is None:
                return value
            # The names of the signature are not bound by what one return gives.
            bound = dict(names) if returned else names
            shape = ev.current(found.shape)
            if not ev.frame.depth:
                # What the function itself calls a size says which dim is meant by the name.
                used = contradiction(ev, declared.written, shape, labels_only=True)
                if used is None and returned:
                    used = _forced(ev, bound, declared.written, shape)
            reason = mismatch(ev, dict(bound) if used else bound, declared, shape, used is None)
            if reason is None and used is not None:
                reason, level = used.reason, "warning"
        case _:
            return value
    shape = ev.current(found.shape)
    code = (node.id, "NC401")
    ev.frame.look(code)
    if reason is None:
        return _filled(ev, found, shape, declared, names)
    what = "returned value" if returned else "value"
    ev.blame(
        AnnotationMismatch(found=shape, declared=declared.text, reason=reason, what=what),
        level,
        node,
        {"value": Argument(found, node)},
        question=code,
        notes=() if note is None else (note,),
    )
    return Tensor(UNKNOWN, found.kind, found.library)


def _fill_in(ev: Evaluator, found: Tensor, shape: Shape, declared: Declared, names: Names) -> None:
    """Learn of a tensor what an annotation adds to it."""
    filled = _filled(ev, found, shape, declared, names)
    if filled is not found:
        ev.refine(found, filled)


def _filled(ev: Evaluator, found: Tensor, shape: Shape, declared: Declared, names: Names) -> Value:
    """The value with the sizes that the annotation adds."""
    if declared.written is None or declared.named is not None:
        return found
    dims, whole = ending(declared.written)
    have = known_dims(shape)
    made: list[Dim] = []
    for back in range(1, len(dims) + 1):
        dim = have[-back] if back <= len(have) else Dim(UNKNOWN, UNKNOWN)
        if dim.size is UNKNOWN:
            dim = Dim(dim.name, _declared_size(names, dims[-back]), dim.trace)
        made.append(dim)
    made.reverse()
    if isinstance(shape, tuple):
        result: Dims = (*shape[: len(shape) - len(made)], *made)
        filled: Shape = result
    else:
        filled = tuple(made) if whole else trailing((*have[: len(have) - len(made)], *made))
    if filled == shape:
        return found
    return Tensor(filled, found.kind, found.library, found.claimed)
