"""Kernels that join, repeat and rotate tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result

Array = Any


def _cat(tensors: Sequence[Array], dim: Any = 0) -> Array:
    # PyTorch skips tensors of shape [0], whatever shapes the others have.
    parts = [tensor for tensor in tensors if tensor.shape != (0,)] or list(tensors)
    return np.concatenate(parts, axis=0 if dim is None else dim)


def _stack(tensors: Sequence[Array], dim: Any = 0) -> Array:
    return np.stack(tensors, axis=0 if dim is None else dim)


def _several(function: Callable[..., Array]) -> Callable[..., Array]:
    def compute(tensors: Sequence[Array]) -> Array:
        return function([np.asarray(tensor) for tensor in tensors])

    return compute


def _dims(dims: Any) -> Any:
    return tuple(dims) if isinstance(dims, (tuple, list)) else dims


def _flip(input: Array, dims: Any) -> Array:
    return np.flip(input, _dims(dims)) if input.ndim else input


def _roll(input: Array, shifts: Any, dims: Any = None) -> Array:
    if dims is None or dims == ():
        return np.roll(input, shifts)
    if not input.ndim:
        first = _dims(dims)[0] if isinstance(dims, (tuple, list)) else dims
        raise IndexError(f"Dimension specified as {first} but tensor has no dimensions")
    return np.roll(input, _dims(shifts), _dims(dims))


def _rot90(input: Array, k: Any = 1, dims: Any = (0, 1)) -> Array:
    return np.rot90(input, 1 if k is None else k, (0, 1) if dims is None else tuple(dims))


def _repeat(self: Array, repeats: Any = None, **others: Any) -> Array:
    return np.tile(self, tuple(repeats) if isinstance(repeats, (tuple, list)) else (repeats,))


def _tile(input: Array, dims: Any) -> Array:
    return np.tile(input, tuple(dims) if isinstance(dims, (tuple, list)) else (dims,))


def _repeat_interleave(repeats: Any, input: Any = None, dim: Any = None) -> Array:
    if input is None:
        return np.repeat(np.arange(len(repeats)), repeats)
    return np.repeat(input, repeats, axis=dim)


def _pad_sequence(
    sequences: Sequence[Array],
    batch_first: Any = False,
    padding_value: Any = 0.0,
    padding_side: Any = "right",
) -> Array:
    longest = max(len(sequence) for sequence in sequences)
    first = sequences[0]
    output = np.full((len(sequences), longest, *first.shape[1:]), padding_value, first.dtype)
    for row, sequence in zip(output, sequences, strict=True):
        row[longest - len(sequence) if padding_side == "left" else 0 :][: len(sequence)] = sequence
    return output if batch_first else output.swapaxes(0, 1)


def _copied(*values: Array) -> Array:
    return np.array(values[0])


KERNELS: Final[dict[str, Kernel]] = {
    "torch.cat": Kernel(_cat, ("tensors", "dim"), moves=True),
    "torch.stack": Kernel(_stack, ("tensors", "dim"), moves=True),
    "torch.hstack": Kernel(_several(np.hstack), ("tensors",), moves=True),
    "torch.vstack": Kernel(_several(np.vstack), ("tensors",), moves=True),
    "torch.row_stack": Kernel(_several(np.vstack), ("tensors",), moves=True),
    "torch.dstack": Kernel(_several(np.dstack), ("tensors",), moves=True),
    "torch.column_stack": Kernel(_several(np.column_stack), ("tensors",), moves=True),
    "torch.flip": Kernel(_flip, ("input", "dims"), moves=True),
    "torch.fliplr": Kernel(np.fliplr, moves=True),
    "torch.flipud": Kernel(np.flipud, moves=True),
    "torch.roll": Kernel(_roll, ("input", "shifts", "dims"), moves=True),
    "torch.rot90": Kernel(_rot90, ("input", "k", "dims"), moves=True),
    "Tensor.repeat": Kernel(_repeat, ("self", "repeats"), moves=True),
    "torch.tile": Kernel(_tile, ("input", "dims"), moves=True),
    "torch.repeat_interleave": Kernel(
        _repeat_interleave, ("input", "repeats", "dim"), result.first, False, moves=True
    ),
    "torch.nn.utils.rnn.pad_sequence": Kernel(
        _pad_sequence, ("sequences", "batch_first", "padding_value", "padding_side")
    ),
    "torch.clone": Kernel(_copied, moves=True),
    "torch.ravel": Kernel(lambda input: np.array(input).reshape(-1), moves=True),
    "Tensor.contiguous": Kernel(_copied, moves=True),
}
"""By the op's name."""
