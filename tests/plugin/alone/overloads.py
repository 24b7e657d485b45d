"""The dims that a type checker knows without the plugin, from the overloads of the stubs.

pyright checks this file; mypy does not read the overloads, and the plugin knows more.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar
from typing import Literal as L

from typing_extensions import TypeVarTuple, assert_type

import namecheck_runtime as nt
from namecheck_runtime import Tensor

Ds = TypeVarTuple("Ds")
Es = TypeVarTuple("Es")
D = TypeVar("D")

Unknown: TypeAlias = Tensor[*tuple[Any, ...]]
Scalar: TypeAlias = Tensor[*tuple[()]]
N: TypeAlias = Tensor[L["N"]]
C: TypeAlias = Tensor[L["C"]]
NC: TypeAlias = Tensor[L["N"], L["C"]]
NTC: TypeAlias = Tensor[L["N"], L["T"], L["C"]]


def of_same_dims(x: NC, y: NC, c: C) -> None:
    assert_type(x + y, NC)
    assert_type(x * 2 - 1.5, NC)
    assert_type(2 / x, NC)
    assert_type((x > 0) & (x <= y), NC)
    assert_type(x == y, NC)
    assert_type(x * x.mean(), NC)
    assert_type(x.where(x > 0, y), NC)
    assert_type(nt.where(x > 0, x, 0.0), NC)
    assert_type(nt.add(x, y, alpha=2), NC)
    assert_type(nt.maximum(x, y), NC)
    assert_type(x.sum("C") + x.mean("C"), N)
    # These broadcast, or may.
    assert_type(x + c, Unknown)
    assert_type(c + x, Unknown)
    assert_type(nt.add(x, c), Unknown)
    assert_type(x.add(y, out=y), Unknown)


def of_sizes(
    x: Tensor[L[1], L[3]], y: Tensor[L[2], L[3]], z: Tensor[int, int], open_: Tensor[Any, L[3]]
) -> None:
    assert_type(x + x, Tensor[L[1], L[3]])
    assert_type(z + z, Tensor[int, int])
    assert_type(x + y, Unknown)
    assert_type(z + y, Unknown)
    assert_type(y + z, Unknown)
    assert_type(x + open_, Unknown)
    assert_type(nt.mul(open_, x), Unknown)


def of_unknown_dims(x: NC, unknown: Tensor) -> None:
    assert_type(x + unknown, Unknown)
    assert_type(unknown + x, Unknown)
    assert_type(x.where(unknown > 0, x), Unknown)
    assert_type(nt.where(x > 0, x, unknown), Unknown)
    assert_type(unknown.sum("C"), Unknown)
    assert_type(unknown.sum(-1), Unknown)


def of_variables(t: Tensor[*Ds], u: Tensor[*Es], d: Tensor[D], e: Tensor[*Ds, D]) -> None:
    assert_type(t + 1, Tensor[*Ds])
    assert_type(t - t, Tensor[*Ds])
    assert_type(t + t.sum(), Tensor[*Ds])
    assert_type(e.sum(-1), Tensor[*Ds])
    assert_type(d * d, Tensor[D])
    assert_type(t + u, Unknown)
    assert_type(t + d, Unknown)
    assert_type(t.sum(-1), Unknown)
    assert_type(t.sum("C"), Unknown)


def of_one_dim_less(x: NTC, two: Tensor[int, L[3]], some: Tensor[L["N"], Any]) -> None:
    assert_type(x.sum(), Scalar)
    assert_type(nt.amax(x), Scalar)
    assert_type(x.sum("C"), Tensor[L["N"], L["T"]])
    assert_type(x.mean("N"), Tensor[L["T"], L["C"]])
    assert_type(x.mean("N").std("C"), Tensor[L["T"]])
    assert_type(x.argmax(-1), Tensor[L["N"], L["T"]])
    assert_type(x.any(0), Tensor[L["T"], L["C"]])
    assert_type(x.select("N", 3), Tensor[L["T"], L["C"]])
    assert_type(nt.sum(x, "C", dtype=nt.float64), Tensor[L["N"], L["T"]])
    assert_type(nt.linalg.norm(x, dim=-1), Tensor[L["N"], L["T"]])
    assert_type(nt.linalg.norm(x, 2), Scalar)
    assert_type(two.amin(0), Tensor[L[3]])
    assert_type(some.sum(-1), N)
    # The types cannot express which dim these calls remove, or whether they remove one.
    assert_type(x.sum("T"), Unknown)
    assert_type(x.sum(1), Unknown)
    assert_type(x.sum(("N", "C")), Unknown)
    assert_type(x.sum("C", keepdim=True), Unknown)
    assert_type(x.sum("C", True), Unknown)
    assert_type(x.sum(axis=-1), Unknown)
    assert_type(some.sum("N"), Unknown)
    assert_type(two.sum(3), Unknown)
    assert_type(nt.linalg.norm(x, -1, 0), Unknown)


def of_ends(
    first: Tensor[D, *Ds], b: Tensor[L["B"], *Ds], last: Tensor[*Ds, L["B"]], sized: Tensor[L[3], D]
) -> None:
    assert_type(first.sum(0), Tensor[*Ds])
    assert_type(b.sum(0), Tensor[*Ds])
    assert_type(b.sum("B"), Tensor[*Ds])
    assert_type(last.sum(-1), Tensor[*Ds])
    assert_type(last.sum("B"), Tensor[*Ds])
    assert_type(sized.sum(0), Tensor[D])
    assert_type(b.sum(-1), Unknown)
    assert_type(b.sum("D"), Unknown)
    assert_type(last.sum(0), Unknown)
    assert_type(last.sum("D"), Unknown)
