"""Dims compared with written dims: the names of one scope bind to sizes.

A bound name stands for the same size wherever it occurs again.  The scope is a signature: inside
its function the names are symbols, at a call they are the sizes of the arguments.  Source:
jaxtyping.
"""

from __future__ import annotations

from collections import Counter

from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.notation.spelled import operands
from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape, render_term
from namecheck_runtime.notation.written import beginning, ending, many_name, size_of_term
from namecheck_runtime.sizes import Fact, Facts, Relation, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Names = dict[str, Size]
"""The sizes that the names of one scope of annotations stand for."""


def declared_shape(names: Names, written: WrittenShape) -> Shape:
    """The written dims with the sizes of their names; a new name gets a new symbol."""
    spelled = _spelled(names, written)
    if spelled is not None:
        return spelled
    dims, is_whole = ending(written)
    declared = tuple(Dim(UNKNOWN, declared_size(names, dim)) for dim in dims)
    return declared if is_whole else trailing(declared)


def _spelled(names: Names, written: WrittenShape) -> Dims | None:
    """The dims, if it is known how many dims each `*name` stands for; else None."""
    spelled: list[Dim] = []
    for dim in written.dims:
        if not dim.many:
            spelled.append(Dim(UNKNOWN, declared_size(names, dim)))
            continue
        count = names.get(f"*{many_name(dim)}")
        if not isinstance(count, int):
            return None
        keys = (f"*{dim.term}[{index}]" for index in range(count))
        spelled += [Dim(UNKNOWN, names.get(key, UNKNOWN)) for key in keys]
    return tuple(spelled)


def declared_size(names: Names, dim: WrittenDim, known: bool = False) -> Size:
    """The declared size of a dim; `known` makes no symbols for new names."""
    if dim.broadcastable or dim.tree:
        return UNKNOWN
    if known:
        return size_of_term(dim.term, lambda name: names.get(name, UNKNOWN))
    return size_of_term(dim.term, lambda name: name_size(names, name))


def name_size(names: Names, name: str) -> Size:
    """The size that a name stands for; a new name gets a new symbol."""
    size = names.get(name)
    if size is None:
        size = names[name] = sizes.symbol(name)
    return size


def differing(named: Iterable[tuple[str, Size]]) -> list[Size]:
    """The sizes that differ by their names.

    `num_samples` and `num_samples_1` are left out: one may be computed from the other.
    """
    named = list(named)
    stems = Counter(stem(name) for name, _ in named)
    return [size for name, size in named if stems[stem(name)] == 1]


def groups_apart(named: Iterable[tuple[str, Size]]) -> list[list[Size]]:
    """Groups of sizes that differ by their names.

    `batch_minus_one` may be what a program makes of `batch`. It differs only from the others.
    """
    named = list(named)
    names = [name for name, _ in named]
    spelled = {name: made_of for name in names if (made_of := operands(name, names)) is not None}
    plain = [(name, size) for name, size in named if name not in spelled]
    groups = [differing(plain)]
    for name, size in named:
        made_of = spelled.get(name)
        if made_of:
            groups += [[size, other] for term, other in plain if term not in made_of]
    return [group for group in groups if len(group) > 1]


def stem(name: str) -> str:
    """A name without the marks that distinguish it from others: of `height0`, `C`, `C_`."""
    return "i" if name in ("i", "j") else name.rstrip("0123456789_'").lower() or name


def mismatch(
    facts: Facts, names: Names, written: WrittenShape, shape: Shape, fact: Fact | None
) -> str | None:
    """Why a shape does not fit the written one, None if it may; new names take its sizes.

    Conditions for a fit are learned as `fact`, if there is one.
    """
    reason = wrong_rank(written, shape)
    if reason is not None:
        return reason
    dims = known_dims(shape)
    for place, dim in pairs(written, shape):
        reason = _other_size(facts, names, dim, dims[place].size, place, fact)
        if reason is not None:
            return reason
    if isinstance(shape, tuple) and any(dim.many for dim in written.dims):
        return _other_batch(facts, names, written.dims, shape, fact)
    return None


def forced(facts: Facts, names: Names, written: WrittenShape, shape: Shape) -> str | None:
    """A dim in which a number meets a size that may be any; None if there is none.

    Inside the function a name in the parameters' annotations (`names`) may be any size.
    """
    dims, has_rank = known_dims(shape), isinstance(shape, tuple)
    declared = {facts.representative(size) for size in names.values()}
    for place, dim in pairs(written, shape):
        size = facts.representative(dims[place].size)
        expected = facts.representative(declared_size(names, dim, known=True))
        if UNKNOWN in (size, expected) or isinstance(expected, int) == isinstance(size, int):
            continue
        free = size if isinstance(expected, int) else expected
        if free in declared and sizes.plain_symbol(free) is not None:
            return f"dim {place + len(dims) * has_rank} is {size}, not {expected}"
    return None


def wrong_rank(written: WrittenShape, shape: Shape) -> str | None:
    """Why a shape does not have the written number of dims; None if it may."""
    if isinstance(shape, tuple):
        _, is_whole = ending(written)
        fixed = len(written.dims) - (not is_whole)
        if is_whole and len(shape) != fixed:
            return f"it has {_counted(len(shape))}, not {fixed}"
        if not is_whole and len(shape) < fixed:
            return f"it has {_counted(len(shape))}, fewer than {fixed}"
    return None


def pairs(written: WrittenShape, shape: Shape) -> list[tuple[int, WrittenDim]]:
    """The written dims of the known dims of a shape, by their places counted from the right."""
    dims, is_whole = ending(written)
    count = min(len(dims), len(known_dims(shape)))
    pairs = [(-back, dims[-back]) for back in range(1, count + 1)]
    if isinstance(shape, tuple) and not is_whole:
        pairs += [(index - len(shape), dim) for index, dim in enumerate(beginning(written))]
    return pairs


def _other_size(
    facts: Facts, names: Names, dim: WrittenDim, size: Size, place: int, fact: Fact | None
) -> str | None:
    if size is UNKNOWN or dim.tree or dim.term is None:
        return None
    if isinstance(dim.term, str) and dim.term not in names:
        if not dim.broadcastable:
            names[dim.term] = size
        return None
    expected = size_of_term(dim.term, lambda name: names.get(name, UNKNOWN))
    if expected is UNKNOWN or (dim.broadcastable and sizes.possibly_one(size).possible):
        return None
    relation = facts.relate(expected, size)
    if relation is Relation.NO or _declared_apart(facts, expected, size, relation):
        term = render_term(dim.term)
        shown = "declared there" if term == str(expected) else str(expected)
        return f"dim {place} has size {facts.representative(size)}, but '{term}' is {shown}"
    if relation is Relation.MAYBE and fact is not None:
        facts.learn_equal(expected, size, fact)
    return None


def _other_batch(
    facts: Facts, names: Names, dims: tuple[WrittenDim, ...], shape: Dims, fact: Fact | None
) -> str | None:
    """Why `*batch` is not the same dims as elsewhere in the signature; None if it may be."""
    place = next(index for index, dim in enumerate(dims) if dim.many)
    many = dims[place]
    if many_name(many) is None:
        return None
    stand_for = shape[place : len(shape) - (len(dims) - place - 1)]
    count = names.setdefault(f"*{many.term}", len(stand_for))
    if count != len(stand_for):
        return (
            f"'*{many.term}' stands for {_counted(len(stand_for))} here and for {count} elsewhere"
        )
    for index, dim in enumerate(stand_for):
        key = f"*{many.term}[{index}]"
        if dim.size is UNKNOWN:
            continue
        known = names.setdefault(key, dim.size)
        relation = facts.relate(known, dim.size)
        if relation is Relation.MAYBE and fact is not None:
            facts.learn_equal(known, dim.size, fact)
        if relation is Relation.NO or _declared_apart(facts, known, dim.size, relation):
            return f"dim {place + index} has size {dim.size}, but '*{many.term}' has {known} there"
    return None


def _counted(rank: int) -> str:
    return "1 dim" if rank == 1 else f"{rank} dims"


def _declared_apart(facts: Facts, expected: Size, size: Size, relation: Relation) -> bool:
    """Whether two sizes are different names in one signature."""
    if relation is not Relation.COINCIDENT:
        return False
    settlement = facts.copy().settle(expected, size, None)
    return settlement.verdict in (Verdict.CONTRADICTED, Verdict.CONTRADICTS_DECLARED)


def filled(names: Names, written: WrittenShape, shape: Shape) -> Shape:
    """A shape with the unknown sizes filled in from the written dims."""
    dims, is_whole = ending(written)
    have = known_dims(shape)
    ends: list[Dim] = []
    for back in range(1, len(dims) + 1):
        dim = have[-back] if back <= len(have) else Dim(UNKNOWN, UNKNOWN)
        if dim.size is UNKNOWN:
            dim = Dim(dim.name, declared_size(names, dims[-back]), dim.trace)
        ends.append(dim)
    ends.reverse()
    if isinstance(shape, tuple):
        return (*shape[: len(shape) - len(ends)], *ends)
    return tuple(ends) if is_whole else trailing((*have[: len(have) - len(ends)], *ends))
