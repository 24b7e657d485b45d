"""Sequences of different lengths in one tensor without padding, as recurrent layers read them."""

from __future__ import annotations

from typing import Any

import numpy as np

from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.tensors.making.arrays import from_numpy
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.name_tuples import intern, unnamed
from namecheck_runtime.tensors.views.showing import renamed


class PackedSequence(NamedTuple):
    """Sequences `[T_k, *d]`, the longest first, time step after time step."""

    data: Tensor
    """`[sum of T_k, *d]`: the first step of each, then the second of those that have one."""
    batch_sizes: Tensor
    """`[longest T]`: how many sequences have each step."""
    sorted_indices: Tensor | None = None
    """The original index of each sequence; None if they came in this order."""
    unsorted_indices: Tensor | None = None
    """The place of each original sequence."""

    def to(self, *arguments: Any, **options: Any) -> PackedSequence:
        """The same sequences with their data converted by `Tensor.to`, on one device."""
        data = self.data.to(*arguments, **options)
        orders = (self.sorted_indices, self.unsorted_indices)
        moved = [None if order is None else order.to(device=data.device) for order in orders]
        return PackedSequence(data, self.batch_sizes, *moved)


def _lengths_of(lengths: Any) -> np.ndarray[Any, Any]:
    elements = lengths._elements() if isinstance(lengths, Tensor) else lengths
    return np.asarray(elements, np.int64)


def pack_padded(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack `[T, N, *d]`, or `[N, T, *d]`, where sequence k has `lengths[k]` steps.

    The dims `*d` keep their names.  Raises RuntimeError for lengths that do not fit.
    """
    counts = _lengths_of(lengths)
    rows = input if batch_first else input.transpose(0, 1)
    if len(counts) != rows.shape[0]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} "
            f"(batch_size={rows.shape[0]})"
        )
    if counts.min(initial=1) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' "
            "that is <= 0"
        )
    if counts.max(initial=0) > rows.shape[1]:
        raise RuntimeError(f"a length is {counts.max()}, but there are {rows.shape[1]} steps")
    order = None if enforce_sorted else np.argsort(-counts, kind="stable")
    if order is None and (np.diff(counts) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You "
            "can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to "
            "sidestep this requirement if you do not need ONNX exportability."
        )
    sizes = (counts[:, None] > np.arange(counts.max(initial=0))).sum(0)
    if order is None:
        order = np.arange(len(counts))
    rows_at = np.concatenate([order[:count] for count in sizes] or [order[:0]])
    step = np.repeat(np.arange(len(sizes)), sizes)
    data = renamed(rows, unnamed(rows.ndim))[from_numpy(rows_at), from_numpy(step)]
    packed = PackedSequence(renamed(data, intern((None, *rows.names[2:]))), from_numpy(sizes))
    if enforce_sorted:
        return packed
    inverse = from_numpy(np.argsort(order))
    return packed._replace(sorted_indices=from_numpy(order), unsorted_indices=inverse)


def pad(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Packed sequences as `[T, N, *d]`, or `[N, T, *d]`, and their lengths `[N]`.

    Raises ValueError for a `total_length` below the longest.
    """
    sizes = _lengths_of(sequence.batch_sizes)
    longest = len(sizes)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but "
            f"got total_length={total_length} and max sequence length being {longest}"
        )
    data: Any = renamed(sequence.data, unnamed(sequence.data.ndim))
    count = int(sizes.max(initial=0))
    steps = longest if total_length is None else total_length
    padded = data.new_full((count, steps, *data.shape[1:]), padding_value)
    steps_at = np.concatenate([np.arange(n) for n in sizes] or [sizes])
    padded[from_numpy(steps_at), from_numpy(np.repeat(np.arange(longest), sizes))] = data
    lengths = from_numpy((sizes > np.arange(count)[:, None]).sum(1))
    if sequence.unsorted_indices is not None:
        padded, lengths = padded[sequence.unsorted_indices], lengths[sequence.unsorted_indices]
    padded = renamed(padded, intern((None, None, *sequence.data.names[1:])))
    return (padded if batch_first else padded.transpose(0, 1)), lengths


def unpad(padded_sequences: Tensor, lengths: Any, batch_first: bool = False) -> list[Tensor]:
    """The sequences of `[T, N, *d]`, or of `[N, T, *d]`, without their padding."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(length)] for row, length in zip(rows, _lengths_of(lengths), strict=True)]


def unpack(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed."""
    return unpad(*pad(packed_sequences, batch_first=True), batch_first=True)
