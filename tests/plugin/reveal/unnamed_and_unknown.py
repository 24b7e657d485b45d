"""An unnamed dim matches any name; an unknown one is never reported; a rank may be unknown."""

from typing import Any
from typing import Literal as L

import namecheck_runtime as nt
from namecheck_runtime import Tensor


def unnamed(t: Tensor[L["N"], int], u: Tensor[L["N"], L["C"]]) -> None:
    reveal_type(t + u)  # Tensor[N, C]
    reveal_type(t.sum(1))  # Tensor[N]
    reveal_type(t.T)  # Tensor[int, N]
    reveal_type(t[0])  # Tensor[int]
    reveal_type(t.rename("N", "C"))  # Tensor[N, C]
    reveal_type(t.refine_names("N", "C"))  # Tensor[N, C]


def unknown(t: Tensor[L["N"], Any], u: Tensor[L["N"], L["C"]]) -> None:
    reveal_type(t + u)  # Tensor[N, C]
    reveal_type(t.sum("N"))  # Tensor[Any]
    reveal_type(t.sum("C"))  # Tensor[Any]
    reveal_type(t.sum(1))  # Tensor[N]
    reveal_type(t.T)  # Tensor[Any, N]
    reveal_type(t[:, 0])  # Tensor[N]


def unknown_rank(t: Tensor, u: Tensor[L["N"], L["C"]]) -> None:
    reveal_type(t)  # Tensor[...]
    reveal_type(t + u)  # Tensor[..., N, C]
    reveal_type(t.sum("C"))  # Tensor[...]
    reveal_type(t.T)  # Tensor[...]
    reveal_type(t[0])  # Tensor[...]
    reveal_type(t.rename("A", "B"))  # Tensor[A, B]
    reveal_type(t.refine_names("N", "C"))  # Tensor[N, C]
    reveal_type(t @ u)  # Tensor[..., C]
    reveal_type(t.flatten())  # Tensor[Any]
    reveal_type(t.sum())  # Tensor[()]


def last_dims(t: Tensor[*tuple[Any, ...], L["T"], L["C"]]) -> None:
    reveal_type(t)  # Tensor[..., T, C]
    reveal_type(t.sum(-1))  # Tensor[..., T]
    reveal_type(t.softmax(-1))  # Tensor[..., T, C]
    reveal_type(t + 1)  # Tensor[..., T, C]
    reveal_type(t[..., 0])  # Tensor[..., T]
    reveal_type(t.transpose(-1, -2))  # Tensor[..., C, T]
    reveal_type(t.mT)  # Tensor[..., C, T]
    reveal_type(t.unsqueeze(-1))  # Tensor[..., T, C, 1]


def sizes(t: Tensor[L[2], L[3]], u: Tensor[L[3]]) -> None:
    reveal_type(t + u)  # Tensor[2, 3]
    reveal_type(t.reshape(6))  # Tensor[6]
    reveal_type(t @ u)  # Tensor[2]
    reveal_type(t.sum(0))  # Tensor[3]
    reveal_type(t.size(1))  # 3
    reveal_type(nt.cat([t, t]))  # Tensor[4, 3]


named = nt.randn(2, 3, names=("N", "C"))
half = nt.randn(2, 3, names=("N", None))
unnamed(half, named)
unknown(named, named)
square = nt.randn(3, 3, names=("N", "C"))
unknown_rank(square, square)
last_dims(nt.randn(2, 3, 4, names=("N", "T", "C")))
sizes(nt.zeros(2, 3), nt.zeros(3))
