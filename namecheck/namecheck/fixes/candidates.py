"""Which fixes might remove a finding: asked of a module per rule, in the order of preference.

A candidate is a guess that looks at the syntax alone; whether it helps is found out by `proof`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from namecheck.findings import Finding, Fix

if TYPE_CHECKING:
    from namecheck.fixes.code import Code
    from namecheck_runtime.mistakes.base import Mistake

__all__ = ["MAKERS", "all_or_none", "candidates"]

MAKERS: Final = {
    "NC101": "keepdim",
    "NC102": "keepdim",
    "NC201": "keepdim",
    "NC202": "keepdim",
    "NC402": "claims",
    "NC501": "contiguous",
    "NC601": "named_tensors",
}
"""The codes for which there are fixes, each with the module of this package that makes them: its
`candidates(finding, mistake, code)` gives them."""


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterable[Fix]:
    """The fixes that might remove a finding; `mistake` is what it was made of, where known."""
    maker = MAKERS.get(finding.code)
    if maker is None or code.tree is None:
        return ()
    module = importlib.import_module(f"namecheck.fixes.{maker}")
    made: Iterable[Fix] = module.candidates(finding, mistake, code)
    return made


def all_or_none(mistake: Mistake) -> bool:
    """Whether a mistake can only be mended together with all of its kind in the file.

    Names can be taken from a tensor when nobody asks for them any more; to write a position where
    a name is asked for, each time can be looked at by itself.
    """
    return mistake.code == "NC601" and not getattr(mistake, "names", ())
