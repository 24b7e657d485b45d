"""The dims of the project, and the tensors that it starts from."""

from __future__ import annotations

from typing import Final, Literal as L, TypeAlias

import namecheck_runtime as nt
from namecheck_runtime import Tensor

Rows: TypeAlias = Tensor[L["N"], L["C"]]
CHANNELS: Final = "C"


def rows(count: int) -> Rows:
    return nt.randn(count, 3, names=("N", "C"))


weight = nt.randn(3, 4, names=("C", "E"))
