"""A hint about sizes proposes the change that would mend the code."""

from __future__ import annotations

import pytest

from namecheck_runtime import sizes
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Trailing
from namecheck_runtime.mistakes.broadcasts import MisalignedBroadcast

B, T, C = (sizes.symbol(name, sizes.Origin.DATA) for name in "BTC")


def shape(*dims: sizes.Size) -> Shape:
    return tuple(Dim(None, dim) for dim in dims)


def hint_of(left: Shape, right: Shape) -> str:
    mistake = MisalignedBroadcast(left=left, right=right, result=UNKNOWN, size=T, op="mul")
    return mistake.hint() or ""


@pytest.mark.parametrize(
    ("left", "right"), [((B, T, C), (B, T)), ((B, T), (B, T, C)), ((B,), (B, T))]
)
def test_a_last_dim_that_is_missing(
    left: tuple[sizes.Size, ...], right: tuple[sizes.Size, ...]
) -> None:
    """`x * x.mean(-1)`: `[:, None]` would line T up with C."""
    hint = hint_of(shape(*left), shape(*right))
    assert "`[..., None]`" in hint
    assert "keepdim=True" in hint


@pytest.mark.parametrize(
    ("left", "right"),
    [((B, 1), (B,)), ((B, T, C), (T, B)), ((B, T, C), (B,)), ((B, T), (T, B))],
)
def test_a_dim_too_many(left: tuple[sizes.Size, ...], right: tuple[sizes.Size, ...]) -> None:
    assert "`squeeze(-1)`" in hint_of(shape(*left), shape(*right))


def test_partly_known_shapes() -> None:
    assert "`squeeze(-1)`" in hint_of(Trailing((Dim(None, T),)), shape(B, T))
    assert "`squeeze(-1)`" in hint_of(shape(B, T), UNKNOWN)
