"""Ops that keep the dims of their one tensor, and ops that unify the dims of several."""

from __future__ import annotations

from namecheck_runtime.algebra import broadcast
from namecheck_runtime.declare import Operand, Shape, op


def _keep(input: Shape) -> Shape:
    return input


def keeps(*names: str, inplace: bool = True, numpy: str = "", kind: str = "same") -> None:
    """Declare ops of one tensor that keep its dims.  Source: name inference, "keeps input names"."""
    for name in names:
        op(f"torch.{name}", f"Tensor.{name}", numpy=numpy or name, inplace=inplace, out=True, kind=kind)(_keep)


keeps("abs", "exp", "tanh")


@op("torch.add", "Tensor.add", numpy="add", operator="add", inplace=True, out=True)
def add(input: Operand, other: Operand, *, alpha: object = 1) -> Shape:
    """Adds elementwise.  Source: name inference, "unifies names from inputs"."""
    return broadcast(input, other)
