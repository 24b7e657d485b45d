"""Declared against computed types: mypy's own errors, for types that the rules compute."""

from __future__ import annotations

from typing import Annotated, Literal as L, TypeAlias

import namecheck_runtime as nt
from namecheck_runtime import Tensor

Rows: TypeAlias = Tensor[L["N"], L["C"]]
x = nt.randn(2, 3, names=("N", "C"))


def total(t: Rows) -> Tensor[L["N"]]:
    return t.sum("N")  # type: ignore[return-value]
    #      ^


def first(t: Rows) -> Tensor[L["C"]]:
    return t  # type: ignore[return-value]
    #      ^


def generic(t: Rows) -> Rows:
    return t.T  # type: ignore[return-value]
    #      ^


total(x.T)  # type: ignore[arg-type]
#     ^
total(x.sum("N"))  # type: ignore[arg-type]
#     ^
total(nt.zeros(2, 3))  # type: ignore[arg-type]
#     ^
total(x[:, None])  # type: ignore[arg-type]
#     ^
rows: Rows = x.T  # type: ignore[assignment]
#            ^
late: Tensor[L["N"]] = x.mean("N")  # type: ignore[assignment]
#                      ^
listed: list[Tensor[L["N"]]] = [x.sum("N")]  # type: ignore[list-item]
#                               ^


class Layer:
    weight: Tensor[L["C"], L["E"]]

    def __init__(self) -> None:
        self.weight = nt.randn(4, 3, names=("E", "C"))  # type: ignore[assignment]
        #             ^

    def __call__(self, t: Rows) -> Tensor[L["N"], L["E"]]:
        return t @ self.weight.T  # type: ignore[return-value]
        #      ^


def optional(t: Rows | None) -> None:
    t.sum("N")  # type: ignore[union-attr]
   #^
    if t is not None:
        t.sum("Q")  # type: ignore[named-tensor-NC103]
        #     ^


def union(t: Rows | Tensor[L["C"]]) -> None:
    t.sum("N")  # type: ignore[named-tensor-NC103]
    #     ^
    t.sum("C")


def rebound() -> None:
    y = x
    y = y.sum("N")  # type: ignore[assignment]
    #   ^


def written(t: Annotated[Tensor, "N 3"]) -> Annotated[Tensor, "N 4"]:
    return t  # type: ignore[named-tensor-NC401]
    #      ^
