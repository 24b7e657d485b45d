"""Shape comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck.analysis import ir
from namecheck.analysis.values import Value

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator


def after(ev: Evaluator, statement: ir.Statement, value: Value | None = None) -> None:
    """What the comments of a statement that was just run say of its value."""
