"""Names that stand beside each other are presumed to be different sizes.

Who writes `B, T = x.shape` or `np.zeros((rows, columns))` means two sizes, not one twice. Names of
one stem (`height0`, `height1`) are left out: two of them are often of one size.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from namecheck_runtime.lattice import Size
from namecheck_runtime.notation.matching import differing
from namecheck_runtime.sizes import Fact, Rank

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator


def presume_apart(
    ev: Evaluator, named: Iterable[tuple[str, Size]], rank: Rank = Rank.PRESUMED
) -> None:
    """Sizes that go by different names here are presumed to be different ones."""
    apart = differing(named)
    if len(apart) > 1:
        ev.facts.presume_distinct(apart, Fact(rank, ev.place()))
