"""What a rule leaves to its reader: two sizes that must be equal.

mypyc would make this tuple with `typing`, and importing that takes longer than reading any of the
rules, so it is in a module that it does not compile.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from namecheck_runtime.lattice import Size
    from namecheck_runtime.mistakes.base import Mistake


class Duty(NamedTuple):
    """A requirement that a rule could not decide: its answer needs `left` to equal `right`."""

    left: Size
    right: Size
    or_one: bool
    """Whether one of them may be 1 instead, as in a broadcast; not in a contraction, a `cat`, a
    view or the input of a layer.
    """
    mistake: Mistake
    """The mistake to report if the reader knows that they differ."""
