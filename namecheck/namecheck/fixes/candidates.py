"""Which fixes might remove a finding: asked of a module per rule, in the order of preference.

A candidate is a guess that looks at the syntax alone; whether it helps is found out by `proof`.
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
    """Who makes the fixes of a code: a module of this package, whose `candidates(finding, mistake,
    code)` gives them, none of which may be trusted further than `applicability`.
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
"""The codes for which there are fixes."""


def candidates(finding: Finding, mistake: Mistake | None, code: Code) -> Iterable[Fix]:
    """The fixes that might remove a finding; `mistake` is what it was made of, where known."""
    maker = MAKERS.get(finding.code)
    if maker is None or code.tree is None:
        return ()
    module = importlib.import_module(f"namecheck.fixes.{maker.module}")
    made: Iterable[Fix] = module.candidates(finding, mistake, code)
    return made


def all_or_none(mistake: Mistake) -> bool:
    """Whether a mistake can only be mended together with all of its kind in the file.

    Names can be taken from a tensor when nobody asks for them any more; to write a position where
    a name is asked for, each time can be looked at by itself.
    """
    return mistake.code == "NC601" and not getattr(mistake, "names", ())
