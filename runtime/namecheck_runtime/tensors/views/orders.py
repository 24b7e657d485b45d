"""The order of a new tensor's elements in memory: by its op, or by `memory_format=`."""

from __future__ import annotations

from typing import Any

from namecheck_runtime import strides
from namecheck_runtime.declare import Memory
from namecheck_runtime.strides import Extents, Geometry
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.values import dtypes


def asked_of(called: Call) -> dtypes.memory_format | None:
    """The order that a call asks for; None if it leaves that to the op."""
    order = called.options.get("memory_format") or called.values.get("memory_format")
    return None if order is dtypes.preserve_format else order


def is_laid_as(g: Geometry, asked: dtypes.memory_format | None) -> bool:
    """Whether elements lie in an order already.

    Raises RuntimeError for an order that is defined for another number of dims.
    """
    if asked is None:
        return True
    if asked.rank is None:
        return strides.is_contiguous(g)
    _require_rank(len(g.sizes), asked)
    return strides.is_channels_last(g, asked.rank)


def strides_for(called: Call, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The strides that PyTorch gives a new result of some sizes.

    Raises RuntimeError for an order that is defined for another number of dims.
    """
    asked = asked_of(called)
    order: Any = None
    if asked is None:
        order = _of_op(called, sizes)
    elif asked.rank is not None:
        _require_rank(len(sizes), asked)
        order = strides.channels_last_strides(sizes)
    return strides.contiguous_strides(sizes) if order is None else order  # type: ignore[return-value]


def _of_op(called: Call, sizes: tuple[int, ...]) -> Extents | None:
    """The strides that follow from those of the operands; None if the operands do not matter."""
    memory = called.op.memory
    if memory is not Memory.SAME and memory is not Memory.POINTWISE:
        return None
    if _are_in_a_row(called, sizes):
        return None
    operands = [t._geometry() for t in called.operands]
    order: Any = None
    try:
        if memory is Memory.SAME and operands and operands[0].sizes == sizes:
            order = strides.clone_strides(operands[0])
        elif memory is Memory.POINTWISE and operands:
            order = strides.fresh_strides(*operands)
    except strides.Undecided:
        pass
    return None if order is None or len(order) != len(sizes) else order


def _are_in_a_row(called: Call, sizes: tuple[int, ...]) -> bool:
    """Whether all operands have the sizes of the result, in row-major order: the usual case."""
    for operand in called.operands:
        array = operand._array
        if operand._rest is not None or array.shape != sizes or not array.flags.c_contiguous:
            return False
    # A copy keeps strides that lead nowhere, which need not be those of row-major order.
    return called.op.memory is Memory.POINTWISE or not (1 in sizes or 0 in sizes)


def _require_rank(rank: int, asked: dtypes.memory_format) -> None:
    if rank != asked.rank:
        raise RuntimeError(f"required rank {asked.rank} tensor to use {asked.name} format")
