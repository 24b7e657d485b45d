"""Dims held against what is written of them: the names of one scope bind to sizes, and a name that
is bound stands for the same size wherever it stands again.

The scope is a signature: inside its function the names are symbols, at a call they are what the
arguments gave.  Source: jaxtyping.
"""

from __future__ import annotations

from collections import Counter

from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Shape, Size, known_dims, trailing
from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape
from namecheck_runtime.notation.written import beginning, ending, many_name, size_of_term
from namecheck_runtime.sizes import Fact, Facts, Relation, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Names = dict[str, Size]
"""What the names of one scope of annotations stand for."""


def declared_shape(names: Names, written: WrittenShape) -> Shape:
    """The dims that are written, with what the names stand for; a new name is a new symbol."""
    spelled = _spelled(names, written)
    if spelled is not None:
        return spelled
    dims, whole = ending(written)
    made = tuple(Dim(UNKNOWN, declared_size(names, dim)) for dim in dims)
    return made if whole else trailing(made)


def _spelled(names: Names, written: WrittenShape) -> Dims | None:
    """The dims where it is known how many the name of several stands for, else None."""
    made: list[Dim] = []
    for dim in written.dims:
        if not dim.many:
            made.append(Dim(UNKNOWN, declared_size(names, dim)))
            continue
        count = names.get(f"*{many_name(dim)}")
        if not isinstance(count, int):
            return None
        keys = (f"*{dim.term}[{index}]" for index in range(count))
        made += [Dim(UNKNOWN, names.get(key, UNKNOWN)) for key in keys]
    return tuple(made)


def declared_size(names: Names, dim: WrittenDim, known: bool = False) -> Size:
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


def differing(named: Iterable[tuple[str, Size]]) -> list[Size]:
    """The sizes whose names say that they are different ones.

    `num_samples` and `num_samples_1` are kin: one may well be made of the other.
    """
    named = list(named)
    stems = Counter(stem(name) for name, _ in named)
    return [size for name, size in named if stems[stem(name)] == 1]


def stem(name: str) -> str:
    """What is left of `height0`, `C`, `C_` when the marks that tell them apart are off."""
    return "i" if name in ("i", "j") else name.rstrip("0123456789_'").lower() or name


def mismatch(
    facts: Facts, names: Names, written: WrittenShape, shape: Shape, fact: Fact | None
) -> str | None:
    """Why a shape does not fit what is written, None if it may; new names take its sizes.

    What has to hold for it to fit is learned as `fact`, if there is one.
    """
    reason = wrong_rank(written, shape)
    if reason is not None:
        return reason
    found = known_dims(shape)
    for place, dim in pairs(written, shape):
        reason = _other_size(facts, names, dim, found[place].size, place, fact)
        if reason is not None:
            return reason
    if isinstance(shape, tuple) and any(dim.many for dim in written.dims):
        return _other_batch(facts, names, written.dims, shape, fact)
    return None


def forced(facts: Facts, names: Names, written: WrittenShape, shape: Shape) -> str | None:
    """Where a number is what may have any size, or what may have any size is to be a number.

    Inside the function a name of the parameters' annotations (`names`) is any size.
    """
    dims, whole = known_dims(shape), isinstance(shape, tuple)
    declared = {facts.representative(size) for size in names.values()}
    for place, dim in pairs(written, shape):
        size = facts.representative(dims[place].size)
        wanted = facts.representative(declared_size(names, dim, known=True))
        if UNKNOWN in (size, wanted) or isinstance(wanted, int) == isinstance(size, int):
            continue
        free = size if isinstance(wanted, int) else wanted
        if free in declared and sizes.plain_symbol(free) is not None:
            return f"dim {place + len(dims) * whole} is {size}, and not {wanted}"
    return None


def wrong_rank(written: WrittenShape, shape: Shape) -> str | None:
    """Why a shape has not the number of dims that is written."""
    if isinstance(shape, tuple):
        _, whole = ending(written)
        fixed = len(written.dims) - (not whole)
        if whole and len(shape) != fixed:
            return f"it has {_counted(len(shape))} instead of {fixed}"
        if not whole and len(shape) < fixed:
            return f"it has {_counted(len(shape))}, fewer than {fixed}"
    return None


def pairs(written: WrittenShape, shape: Shape) -> list[tuple[int, WrittenDim]]:
    """The dims that are written of known dims, by their places counted from the right."""
    dims, whole = ending(written)
    count = min(len(dims), len(known_dims(shape)))
    pairs = [(-back, dims[-back]) for back in range(1, count + 1)]
    if isinstance(shape, tuple) and not whole:
        pairs += [(index - len(shape), dim) for index, dim in enumerate(beginning(written))]
    return pairs


def _other_size(
    facts: Facts, names: Names, dim: WrittenDim, size: Size, place: int, fact: Fact | None
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
    relation = facts.relate(wanted, size)
    if relation is Relation.NO or _declared_apart(facts, wanted, size, relation):
        said = dim.term if isinstance(dim.term, (str, int)) else "it"
        said = f"'{said}' is {wanted}" if str(said) != str(wanted) else f"'{said}'"
        return f"dim {place} has size {facts.representative(size)}, but {said}" + (
            " is declared there" if said.startswith("'") and " is " not in said else ""
        )
    if relation is Relation.MAYBE and fact is not None:
        facts.learn_equal(wanted, size, fact)
    return None


def _other_batch(
    facts: Facts, names: Names, dims: tuple[WrittenDim, ...], shape: Dims, fact: Fact | None
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
        relation = facts.relate(known, dim.size)
        if relation is Relation.MAYBE and fact is not None:
            facts.learn_equal(known, dim.size, fact)
        if relation is Relation.NO or _declared_apart(facts, known, dim.size, relation):
            return f"dim {at + index} has size {dim.size}, but '*{many.term}' has {known} there"
    return None


def _counted(rank: int) -> str:
    return "1 dim" if rank == 1 else f"{rank} dims"


def _declared_apart(facts: Facts, wanted: Size, size: Size, relation: Relation) -> bool:
    """Whether two sizes are different names of one signature."""
    if relation is not Relation.COINCIDENT:
        return False
    settlement = facts.copy().settle(wanted, size, None)
    return settlement.verdict is Verdict.CONTRADICTED


def filled(names: Names, written: WrittenShape, shape: Shape) -> Shape:
    """A shape with the sizes that what is written adds to it."""
    dims, whole = ending(written)
    have = known_dims(shape)
    made: list[Dim] = []
    for back in range(1, len(dims) + 1):
        dim = have[-back] if back <= len(have) else Dim(UNKNOWN, UNKNOWN)
        if dim.size is UNKNOWN:
            dim = Dim(dim.name, declared_size(names, dims[-back]), dim.trace)
        made.append(dim)
    made.reverse()
    if isinstance(shape, tuple):
        return (*shape[: len(shape) - len(made)], *made)
    return tuple(made) if whole else trailing((*have[: len(have) - len(made)], *made))
