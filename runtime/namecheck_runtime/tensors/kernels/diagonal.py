"""Kernels that read, build or overwrite diagonals and other parts of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result

Array = Any


def _diag(input: Array, diagonal: int = 0) -> Array:
    return np.diag(input, diagonal)


def _diagflat(input: Array, offset: int = 0) -> Array:
    return np.diagflat(input, offset)


def _diag_embed(input: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    """Matrices with the last dim on a diagonal, at the places of `dim1` and `dim2`."""
    side = input.shape[-1] + abs(offset)
    rank = input.ndim + 1
    output = np.zeros((*input.shape[:-1], side, side), input.dtype)
    first, second = dim1 % rank, dim2 % rank
    if first > second:
        first, second, offset = second, first, -offset
    places = np.arange(input.shape[-1])
    output[..., places + max(-offset, 0), places + max(offset, 0)] = input
    return np.moveaxis(output, (-2, -1), (first, second))


def _diagonal_scatter(
    input: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1
) -> Array:
    output = np.array(input)
    moved = np.moveaxis(output, (dim1, dim2), (-2, -1))
    places = np.arange(src.shape[-1])
    moved[..., places + max(-offset, 0), places + max(offset, 0)] = src
    return output


def _fill_diagonal(input: Array, fill_value: Any, wrap: bool = False) -> Array:
    output = np.array(input)
    if not output.size:
        return output
    if output.ndim == 2:
        rows, columns = output.shape
        step = columns + 1
        flat = output.reshape(-1)
        end = flat.size if wrap else min(rows, columns) * step
        flat[:end:step] = fill_value
        return flat.reshape(output.shape)
    places = np.arange(output.shape[0])
    output[(places,) * output.ndim] = fill_value
    return output


def _trace(input: Array) -> Array:
    return np.trace(input)


def _block_diag(tensors: Sequence[Array]) -> Array:
    blocks = [np.atleast_2d(block) for block in tensors]
    output = np.zeros(
        (sum(block.shape[0] for block in blocks), sum(block.shape[1] for block in blocks)),
        np.result_type(*blocks),
    )
    row = column = 0
    for block in blocks:
        rows, columns = block.shape
        output[row : row + rows, column : column + columns] = block
        row, column = row + rows, column + columns
    return output


def _select_scatter(input: Array, src: Array, dim: int, index: int) -> Array:
    output = np.array(input)
    np.moveaxis(output, dim, 0)[index] = src
    return output


def _slice_scatter(
    input: Array, src: Array, dim: int = 0, start: Any = None, end: Any = None, step: int = 1
) -> Array:
    output = np.array(input)
    np.moveaxis(output, dim, 0)[start:end:step] = np.moveaxis(src, dim, 0)
    return output


def _sum_to_size(self: Array, size: Any) -> Array:
    leading = self.ndim - len(size)
    axes = tuple([k for k, n in enumerate(size) if n == 1 and self.shape[k + leading] != 1])
    summed = np.add.reduce(self, axis=tuple(range(leading))) if leading or not axes else self
    return np.add.reduce(summed, axis=axes, keepdims=True) if axes else summed


def _cartesian_prod(tensors: Sequence[Array]) -> Array:
    return np.stack([part.reshape(-1) for part in np.meshgrid(*tensors, indexing="ij")], axis=1)


def _summed_to_size(call: Call) -> Any:
    """The dtype of a sum; that of the operand if nothing is summed."""
    same = tuple(dim.size for dim in call.dims) == tuple(call.operands[0].shape)
    return result.first(call) if same else result.accumulated(call)


def _combinations(input: Array, r: int = 2, with_replacement: bool = False) -> Array:
    from itertools import combinations, combinations_with_replacement

    choose = combinations_with_replacement if with_replacement else combinations
    if r == 0:
        return input[:0]
    places = np.array(list(choose(range(len(input)), r)), np.int64).reshape(-1, r)
    return input[places]


_OFFSETS: Final = ("input", "src", "offset", "dim1", "dim2")

KERNELS: Final[dict[str, Kernel]] = {
    "torch.diag": Kernel(_diag, ("input", "diagonal")),
    "torch.diagflat": Kernel(_diagflat, ("input", "offset")),
    "torch.diag_embed": Kernel(_diag_embed, ("input", "offset", "dim1", "dim2")),
    "torch.diagonal_scatter": Kernel(_diagonal_scatter, _OFFSETS, result.first, False, moves=True),
    "Tensor.fill_diagonal_": Kernel(
        _fill_diagonal, ("input", "fill_value", "wrap"), result.first, False
    ),
    "torch.trace": Kernel(_trace, None, result.accumulated),
    "torch.block_diag": Kernel(_block_diag, ("tensors",)),
    "torch.select_scatter": Kernel(
        _select_scatter, ("input", "src", "dim", "index"), result.first, False, moves=True
    ),
    "torch.slice_scatter": Kernel(
        _slice_scatter,
        ("input", "src", "dim", "start", "end", "step"),
        result.first,
        False,
        moves=True,
    ),
    "torch.cartesian_prod": Kernel(_cartesian_prod, ("tensors",)),
    "torch.combinations": Kernel(_combinations, ("input", "r", "with_replacement")),
    "Tensor.sum_to_size": Kernel(_sum_to_size, ("self", "size"), _summed_to_size),
}
"""By the op's name."""
for _name in ("torch.alias_copy", "torch.detach_copy"):
    KERNELS[_name] = Kernel(lambda input: np.array(input), moves=True)
