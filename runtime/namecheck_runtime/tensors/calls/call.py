"""One call of an op, bound to a signature, and the kernels that compute calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import Op
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes, promotion
from namecheck_runtime.tensors.values.dtypes import dtype


class Call(NamedTuple):
    """One call of an op, bound: all that a kernel and the function for its dtype may look at."""

    op: Op
    rule: Rule
    """The signature that it is bound to."""
    values: dict[str, Any]
    """The arguments as the caller passed them, by parameter name; dims by position, not by name."""
    options: dict[str, Any]
    """Keywords that the rule does not look at: `dtype`, `device`, ..."""
    dims: Any
    """The dims of the result, or of each of several."""
    operands: tuple[Tensor, ...]
    numbers: tuple[Any, ...]
    """The Python numbers among the operands."""

    def common(self) -> dtype:
        """The common dtype of the operands."""
        with_dims = [t.dtype for t in self.operands if t.ndim]
        scalars = [t.dtype for t in self.operands if not t.ndim]
        combined = promotion.result_type(with_dims, scalars, self.numbers)
        return dtypes.get_default_dtype() if combined is None else combined


def its_own(call: Call) -> None:
    """The `dtype` of a kernel whose result keeps the dtype of the elements that it returns."""


class Kernel(NamedTuple):
    """How a backend computes an op.

    `function` takes the op's arguments by name, with elements in place of tensors.  It returns the
    elements of the result, or a tuple of several.  Of an op that writes to arguments it returns
    their elements, too, after the result; None for an argument that stays as it is.
    """

    function: Callable[..., Any]
    takes: tuple[str, ...] | None = None
    """The parameters that are passed, by name; None: the operands alone, in order."""
    dtype: Callable[[Call], Any] | None = None
    """The dtype of the result, or of each of several; None: as the op's kind says."""
    converts: bool = True
    """Whether operands are converted to their common dtype."""
    writes: bool = False
    """Whether the function takes `out=`: an array of the result's dtype and sizes.

    It writes there only after all its checks.  NumPy's ufuncs take it, whatever is said here.
    """
    rounds: bool = False
    """Whether fractions that it returns may become whole numbers if the caller names no dtype."""
    moves: bool = False
    """Whether it moves elements and looks at none, so that it serves the elements of any dtype."""
