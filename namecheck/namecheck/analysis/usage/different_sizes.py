"""Names that stand beside each other are presumed to be different sizes.

`B, T = x.shape` and `np.zeros((rows, columns))` mean two sizes each, not one twice. Names of one
stem (`height0`, `height1`) are left out: two of them are often of one size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from namecheck.analysis.state.values import Tensor, Value
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Size
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.mistakes.broadcasts import SizeMismatch
from namecheck_runtime.notation.matching import groups_apart
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


def is_read_from_data(size: Size) -> bool:
    return any(atom.origin is not sizes.Origin.CONFIG for atom in sizes.symbols(size))
