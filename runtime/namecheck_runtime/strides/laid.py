"""How the operands of a call lie, and each of its results.

mypyc would make these tuples with `typing`, and importing that takes longer than reading any of the
rules: so they stand in a module that it does not compile.
"""

from __future__ import annotations

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from namecheck_runtime.lattice import Shape
    from namecheck_runtime.strides.geometry import Strides


class Laid(NamedTuple):
    """A tensor operand: its shape, and how it lies."""

    shape: Shape
    strides: Strides


class Several(NamedTuple):
    """How each of several results lies."""

    results: tuple[Strides, ...]
