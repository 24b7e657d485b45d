"""Sizes in annotations: mypy forgets those of variables, and refuses none."""

from __future__ import annotations

from typing import Annotated, Literal as L

import namecheck_runtime as nt
from namecheck_runtime import Tensor


def by_text(x: Annotated[Tensor, "N 3"]) -> Tensor[L["N"]]:
    return x.sum(1)


def by_types(x: Tensor[L["N"], L[3]]) -> Tensor[L["N"]]:
    return x.sum(1)


x = nt.zeros(5, 3, names=("N", None))
assert by_text(x).shape == by_types(x).shape == (5,)
