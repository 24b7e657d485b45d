"""NC501: `x.transpose(1, 2).view(...)`, which raises, with `.contiguous()` before the view."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from namecheck.findings import Applicability, Edit, Finding, Fix
from namecheck.fixes.code import Code
from namecheck_runtime.mistakes.base import Mistake

__all__ = ["candidates"]


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterator[Fix]:
    """A copy before the view. Safe: the view raises without it, and the values are the same."""
    for call in code.at(finding.span, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "view":
            _, end = code.stretch_of(call.func)
            before = code.span(end - len("view"), end - len("view"))
            edit = Edit(before, "contiguous().")
            yield Fix(Applicability.SAFE, "Call `contiguous()` before the view", (edit,))
