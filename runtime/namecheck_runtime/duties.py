"""What a rule leaves to its reader: a size that it needs to equal another one.

mypyc would make this tuple with `typing`, and importing that takes longer than reading any of the
rules: so it stands in a module that it does not compile.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from namecheck_runtime.lattice import Size
    from namecheck_runtime.mistakes.base import Mistake


class Duty(NamedTuple):
    """What a rule needed and could not decide: it holds only if `left` equals `right`."""

    left: Size
    right: Size
    or_one: bool
    """False: equal (contraction, cat, view, layer input).  True: equal, or one of them is 1
    (broadcast).
    """
    mistake: Mistake
    """What to say when the reader knows that it does not hold."""
