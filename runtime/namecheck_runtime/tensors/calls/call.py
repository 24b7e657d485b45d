"""One call of an op, bound to a signature, and the kernels that compute such calls."""

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
    """One call of an op, bound: what a kernel and the rule of its dtype may look at."""

    op: Op
    rule: Rule
    """The signature that it has bound to."""
    values: dict[str, Any]
    """The arguments as they were given, by parameter name; dims by position, not by name."""
    options: dict[str, Any]
    """Keywords that the rule does not look at: `dtype`, `device`, ..."""
    dims: Any
    """The dims of the result, or of each of several."""
    operands: tuple[Tensor, ...]
    numbers: tuple[Any, ...]
    """Python numbers that stand where a tensor may."""

    def common(self) -> dtype:
        """The dtype in which operands meet."""
        with_dims = [t.dtype for t in self.operands if t.ndim]
        scalars = [t.dtype for t in self.operands if not t.ndim]
        found = promotion.result_type(with_dims, scalars, self.numbers)
        return dtypes.get_default_dtype() if found is None else found


def its_own(call: Call) -> None:
    """The dtype of a result that has the dtype of its elements, which a kernel names."""


class Kernel(NamedTuple):
    """How a backend computes an op: a function of the op's arguments by name, elements in place of
    tensors, that gives the elements of the result or a tuple of several.  Of an op that writes to
    arguments, the elements of these come behind, None for one that stays as it is.
    """

    function: Callable[..., Any]
    takes: tuple[str, ...] | None = None
    """The parameters that are passed, by name; None: the operands alone, in order."""
    dtype: Callable[[Call], Any] | None = None
    """The dtype of the result, or of each of several; None: as the op's kind says."""
    converts: bool = True
    """Whether operands are brought to the dtype in which they meet."""
    writes: bool = False
    """Whether the function takes `out=`: an array of the result's dtype and sizes that it writes to
    when it has refused what it refuses.  NumPy's ufuncs do without saying so.
    """
    rounds: bool = False
    """Whether fractions that it gives may become whole numbers, though nobody asked for these."""
