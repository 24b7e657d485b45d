"""jaxtyping annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis import ir
from namecheck.analysis.values import Value

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator


def check_value(
    ev: Evaluator,
    annotation: ir.Expression,
    value: Value,
    node: ir.Expression,
    code: str,
    returned: bool = False,
) -> Value:
    """The value as its annotation allows it."""
    return value
