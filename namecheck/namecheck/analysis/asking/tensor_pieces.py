"""The pieces of a tensor as values, as `namecheck_runtime.readers.pieces` cuts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from namecheck.analysis.state.values import Repeated, Tensor, Tuple, Value
from namecheck_runtime import declare
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.readers.pieces import pieces_of


def several(
    spelling: declare.Spelling,
    asked: Sequence[Any],
    keywords: Mapping[str, Any],
    names: Sequence[str],
    kind: str,
    library: str,
) -> Value:
    """The pieces of a tensor, as far as they are known."""
    cut = pieces_of(spelling, asked, keywords, names)
    if cut is None:
        return Repeated(Tensor(UNKNOWN, kind, library))
    if cut.all is None:
        return Repeated(Tensor(cut.each, kind, library), cut.along)
    return Tuple([Tensor(one, kind, library) for one in cut.all])
