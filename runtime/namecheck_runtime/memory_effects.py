"""What ops do to memory: where a result lies, and how an op writes into a tensor.

A rule's author imports these words from `declare`.
"""

from __future__ import annotations

from enum import Enum

from namecheck_runtime.light.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TypeVar

    Function = TypeVar("Function")


class Memory(Enum):
    """Where the result of an op lies in memory; an op without one may put it in any order."""

    NEW = "in new memory, in row-major order whatever its operands are"
    FOLLOWS = "in row-major order if all its operands are"
    POINTWISE = "in new memory, in its operands' order of dims; in place each element is written"
    SAME = (
        "where its first operand lies, or in a copy with the same strides if that has no gaps; in "
        "place each element is written"
    )
    VIEW = "in its operand's memory: a function says how, see `layout_of`"


class Layout(NamedTuple):
    """The function of `strides` that computes the layout for the rule of a view op.

    `to_sizes`: it takes the sizes of the result instead of the arguments of the call.  `partial`:
    it has an answer even if the strides of the operand are not known.
    """

    function: Callable[..., Any]
    to_sizes: bool = False
    partial: bool = False


LAYOUTS: Final[dict[Callable[..., Any], Layout]] = {}
"""The layout of the result of a view op, by the function of its rule."""


def layout_of(
    function: Callable[..., Any], *, to_sizes: bool = False, partial: bool = False
) -> Callable[[Function], Function]:
    """Declare the decorated function as what the op of a rule does to memory.

    It takes a `strides.Geometry` and the other parameters of the rule in order; see `Layout`.
    """

    def declare(layout: Any) -> Any:
        LAYOUTS[function] = Layout(layout, to_sizes, partial)
        return layout

    return declare


class InPlace(NamedTuple):
    """What PyTorch asks of a tensor that an op changes in place."""

    shared: bool = False
    """Whether its elements may share memory, with each other and with what the op reads."""
    doubles: bool = False
    """Whether they have to be in double precision."""
    holds: bool = False
    """Whether its dtype has to hold a number that is written."""


class Out(NamedTuple):
    """What PyTorch asks of a tensor that an op writes to as `out=`."""

    shared: bool = False
    """Whether its elements may share memory with each other."""
    overlaps: bool = False
    """Whether they may lie over those of the operands."""
    exact: bool = False
    """Whether it has to have the dtype of the result."""
    booleans: bool = False
    """Whether it has to be bool, which is looked at before names and sizes are."""


EXACT: Final = Out(exact=True)
"""The tensor must have the dtype of the result."""

UNCHECKED: Final = Out(shared=True, overlaps=True)
"""PyTorch does not look where it lies."""
