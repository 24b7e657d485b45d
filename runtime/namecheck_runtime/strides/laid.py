"""How the operands and the results of a call lie in memory.

mypyc would make these tuples with `typing`, and importing that takes longer than reading any of the
rules, so they are in a module that it does not compile.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from namecheck_runtime.lattice import Shape
    from namecheck_runtime.strides.geometry import Strides


class Laid(NamedTuple):
    """A tensor operand: its shape and its strides."""

    shape: Shape
    strides: Strides


class Several(NamedTuple):
    """The strides of each of several results."""

    results: tuple[Strides, ...]
