"""Names that stand beside each other are presumed to be different sizes.

`B, T = x.shape` and `np.zeros((rows, columns))` mean two sizes each, not one twice. Names of one
stem (`height0`, `height1`) are left out: two of them are often of one size. So two names that are
given one dim, `B, T = x.shape[0], x.shape[0]`, are a slip (NC306).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from namecheck.analysis.reading import ir
from namecheck.analysis.state.values import Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Shape, Size
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.broadcasts import SizeMismatch
from namecheck_runtime.mistakes.dims import DimReadTwice
from namecheck_runtime.notation.matching import groups_apart, stem
from namecheck_runtime.sizes import Fact, Rank, plain_symbol

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator
    from namecheck.terms import Terms


def _presume_in_terms(
    ev: Evaluator, terms: Terms, named: list[tuple[str, Size]], rank: Rank
) -> None:
    """As `presume_apart`, in a project that declares words that are one, or that may meet."""
    names = {size: name for name, size in named}
    for group in groups_apart(named):
        for left, right in combinations(group, 2):
            if left != right and not terms.may_meet(names[left], names[right]):
                ev.facts.presume_distinct([left, right], Fact(rank, ev.place()))


def presume_apart(
    ev: Evaluator, named: Iterable[tuple[str, Size]], rank: Rank = Rank.PRESUMED
) -> None:
    """Presume that sizes with different names are different."""
    terms = ev.frame.source.file.terms
    if terms.words or terms.pairs:
        _presume_in_terms(ev, terms, [(terms.name(name), size) for name, size in named], rank)
        return
    for group in groups_apart(named):
        ev.facts.presume_distinct(group, Fact(rank, ev.place()))


def presume_different_sizes(ev: Evaluator, new_sizes: Sequence[Size]) -> None:
    """Presume that the sizes of a new tensor are different: `np.zeros((rows, columns))`."""
    named = {
        atom: size for size in new_sizes if (atom := plain_symbol(size)) is not None and atom.label
    }
    read = ((atom, size) for atom, size in named.items() if is_read_from_data(size))
    presume_apart(ev, ((atom.label, size) for atom, size in read))


def are_names_of_one(
    ev: Evaluator, mistake: Mistake, left: Size, right: Size, operands: Iterable[Value]
) -> bool:
    """Whether two sizes that meet in an elementwise op are two names of one size.

    Only comments of different parameters put them into shapes, and all that tells them apart is
    that the function takes both as an int: `num_tokens` of a caller is the `M` of a kernel.
    """
    function = ev.frame.function
    if not isinstance(mistake, SizeMismatch) or function is None:
        return False
    atoms = [plain_symbol(ev.facts.representative(size)) for size in (left, right)]
    if not {atom.label if atom is not None else "" for atom in atoms} <= {
        parameter.name for parameter in function.parameters
    }:
        return False
    claims = [one.claimed for one in operands if isinstance(one, Tensor)]
    said = {(id(one.source), one.node) for one in claims if one is not None and not one.firm}
    return len(said) > 1 and ev.facts.times_apart(left, right) == 1


class Read(NamedTuple):
    """A variable that is given a size of a tensor: `T = x.shape[1]`."""

    name: str
    owner: str
    """The variable of the tensor."""
    place: int


def read_of(target: ir.Expression, value: ir.Expression) -> Read | None:
    """The size that a target is given, if the dim is written out."""
    place = place_of(value)
    if place is None or not isinstance(target, ir.Name) or target.name.startswith("_"):
        return None
    match value:
        case ir.Subscript(ir.Attribute(ir.Name(owner), _), _) | ir.Call(
            ir.Attribute(ir.Name(owner), _), _, _
        ):
            return Read(target.name, owner, place)
    return None


def place_of(expression: ir.Expression) -> int | None:
    """Which dim's size `x.shape[1]` or `x.size(1)` is; None if it is none, or not written out."""
    match expression:
        case ir.Subscript(ir.Attribute(_, "shape"), index):
            place = index
        case ir.Call(ir.Attribute(_, "size"), (index,), ()):
            place = index
        case _:
            return None
    match place:
        case ir.Int(count):
            return count
        case ir.Unary("-", ir.Int(count)):
            return -count
    return None


def check_reads(ev: Evaluator, reads: Sequence[Read], shape: Shape, node: ir.Node) -> None:
    """Blame two names side by side that are given one size (NC306): one is that of another dim."""
    question = (node.id, "reads")
    ev.frame.look(question)
    for first, second in combinations(reads, 2):
        if first.owner != second.owner:
            continue
        if first.place == second.place and not _are_alike(first.name, second.name):
            names = first.name, second.name
            mistake = DimReadTwice(input=shape, names=names, place=first.place)
            ev.blame(mistake, mistake.level, node, {}, question=question)
            return


def read_above(ev: Evaluator, read: Read, node: ir.Assign) -> Read | None:
    """The size that the line above a statement gives a variable; the statement is remembered."""
    above, line = ev.frame.written.size_read
    ev.frame.written.size_read = read, node.end_line
    return above if isinstance(above, Read) and line + 1 == node.line else None


def _are_alike(left: str, right: str) -> bool:
    """Whether two names may well mean one size: `qlen` and `klen`, `all_rows` and `new_rows`."""
    if stem(left) == stem(right) or (len(left) > 2 and left[1:] == right[1:]):
        return True
    words, others = (set(name.lower().split("_")) for name in (left, right))
    return words <= others or others <= words or bool((words & others) - _SIZE_WORDS)


_SIZE_WORDS: Final = frozenset({"size", "len", "length", "dim", "dims", "num", "n", "count", ""})
"""Words that only say that a name is one of a size."""


def is_read_from_data(size: Size) -> bool:
    return any(atom.origin is not sizes.Origin.CONFIG for atom in sizes.symbols(size))
