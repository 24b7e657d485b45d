"""Names that stand beside each other are presumed to be different sizes.

Who writes `B, T = x.shape` or `np.zeros((rows, columns))` means two sizes, not one twice. Names of
one stem (`height0`, `height1`) are left out: two of them are often of one size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from namecheck_runtime.lattice import Size
from namecheck_runtime.sizes import Fact, Rank

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator


def presume_apart(
    ev: Evaluator, named: Iterable[tuple[str, Size]], rank: Rank = Rank.PRESUMED
) -> None:
    """Sizes that go by different names here are presumed to be different ones."""
    named = list(named)
    stems = Counter(stem(name) for name, _ in named)
    apart = [size for name, size in named if stems[stem(name)] == 1]
    if len(apart) > 1:
        ev.facts.presume_distinct(apart, Fact(rank, ev.place()))


def stem(name: str) -> str:
    """What is left of `height0`, `C`, `C_` when the marks that tell them apart are off."""
    return "i" if name in ("i", "j") else name.rstrip("0123456789_'").lower() or name
