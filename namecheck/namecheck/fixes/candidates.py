"""The fixes that might remove a finding, in the order of preference: one module per kind of fix.

A candidate is a guess from the syntax alone; `proof` decides whether it holds.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from namecheck.findings import Applicability, Finding, Fix
from namecheck_runtime.light.records import NamedTuple

if TYPE_CHECKING:
    from namecheck.fixes.code import Code
    from namecheck_runtime.mistakes.base import Mistake

__all__ = ["MAKERS", "Maker", "all_or_none", "candidates"]


class Maker(NamedTuple):
    """The module of this package that makes the fixes of a code, by its function
    `candidates(finding, mistake, code)`; `applicability` is that of its best fix.
    """

    module: str
    applicability: Applicability


KEEPDIM: Final = Maker("keepdim", Applicability.UNSAFE)

MAKERS: Final = {
    "NC101": KEEPDIM,
    "NC102": KEEPDIM,
    "NC201": KEEPDIM,
    "NC202": KEEPDIM,
    "NC402": Maker("corrected_comments", Applicability.UNSAFE),
    "NC501": Maker("contiguous", Applicability.SAFE),
    "NC601": Maker("named_tensors", Applicability.UNSAFE),
}
"""The codes that have fixes."""


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterable[Fix]:
    """The fixes that might remove a finding; `mistake` is the mistake behind it, if known."""
    maker = MAKERS.get(finding.code)
    if maker is None or code.tree is None:
        return ()
    module = importlib.import_module(f"namecheck.fixes.{maker.module}")
    fixes: Iterable[Fix] = module.candidates(finding, mistake, code)
    return fixes


def all_or_none(mistake: Mistake) -> bool:
    """Whether a mistake can only be fixed together with all of its kind in the file.

    The names of a tensor can be removed only if no code uses them any more. A name can be replaced
    by a position one call at a time.
    """
    return mistake.code == "NC601" and not getattr(mistake, "names", ())
