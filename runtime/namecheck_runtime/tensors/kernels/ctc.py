"""The kernel of the loss over all alignments of labels with a longer sequence (CTC).

Graves et al., Connectionist Temporal Classification, 2006.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result

Array = Any


def _ctc(
    log_probs: Array,
    targets: Array,
    input_lengths: Any,
    target_lengths: Any,
    blank: Any = 0,
    reduction: Any = "mean",
    zero_infinity: Any = False,
) -> Array:
    """The loss of `[T, N, C]` and the labels: `[N, S]`, or those of all samples in one vector."""
    single = log_probs.ndim == 2
    probs = log_probs[:, None] if single else log_probs
    time, batch, classes = probs.shape
    frames = np.asarray(input_lengths, np.int64).reshape(-1)
    counts = np.asarray(target_lengths, np.int64).reshape(-1)
    _check(frames, counts, time, batch, classes, blank)
    labels = _labels(targets.reshape(1, -1) if single else targets, counts)
    losses = np.array(
        [
            _loss(probs[: frames[k], k].astype(np.float64), labels[k], int(blank))
            for k in range(batch)
        ]
    )
    if zero_infinity:
        losses = np.where(np.isinf(losses), 0, losses)
    if reduction == "mean":
        return (losses / np.maximum(counts, 1)).mean()
    if reduction == "sum":
        return losses.sum()
    return losses[0] if single else losses


def _check(frames: Array, counts: Array, time: int, batch: int, classes: int, blank: int) -> None:
    """Raise RuntimeError for lengths or a blank that do not fit, in PyTorch's words."""
    for name, lengths in (("input_lengths", frames), ("target_lengths", counts)):
        if len(lengths) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
        if lengths.min(initial=0) < 0:
            raise RuntimeError(f"{name} must be non-negative, but are {lengths.tolist()}")
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    most = frames.max(initial=0)
    if most > time:
        raise RuntimeError(
            f"Expected input_lengths to have value at most {time}, but got value {most}"
        )


def _labels(targets: Array, counts: Array) -> list[Array]:
    """The labels of each sample.  Raises RuntimeError if there are too few."""
    if targets.ndim == 1:
        expected, actual, dim = int(counts.sum()), targets.shape[0], 0
        fits = expected == actual
    else:
        expected, actual, dim = int(counts.max(initial=0)), targets.shape[1], 1
        fits = expected <= actual
    if not fits:
        least = "" if dim == 0 else " at least"
        raise RuntimeError(
            f"Expected tensor to have size{least} {expected} at dimension {dim}, but got size "
            f"{actual} for argument #2 'targets'"
        )
    if targets.ndim == 1:
        return np.split(targets, np.cumsum(counts)[:-1])
    return [row[:count] for row, count in zip(targets, counts, strict=True)]


def _loss(probs: Array, labels: Array, blank: int) -> float:
    """The negative log likelihood of `labels` over all alignments with `[T, C]`, blanks included.

    This is the forward recursion: each step stays, goes on by one, or skips the blank between two
    different labels.
    """
    if labels.size and not 0 <= labels.min() <= labels.max() < probs.shape[1]:
        raise RuntimeError(
            f"the targets have to be labels from 0 to {probs.shape[1] - 1}, but they range from "
            f"{labels.min()} to {labels.max()}"
        )
    states = np.full(2 * len(labels) + 1, blank)
    states[1::2] = labels
    if not len(probs):
        return 0.0 if not len(labels) else float("inf")
    skips = np.zeros(len(states), bool)
    skips[3::2] = labels[1:] != labels[:-1]
    ways = np.full(len(states), -np.inf)
    ways[:2] = probs[0, states[:2]]
    for row in probs[1:]:
        before = np.concatenate([[-np.inf, -np.inf], ways])
        stay_or_step = np.logaddexp(before[2:], before[1:-1])
        ways = np.logaddexp(stay_or_step, np.where(skips, before[:-2], -np.inf)) + row[states]
    return float(-np.logaddexp.reduce(ways[-2:]))


KERNELS: Final[dict[str, Kernel]] = {
    "torch.nn.functional.ctc_loss": Kernel(
        _ctc,
        (
            *("log_probs", "targets", "input_lengths", "target_lengths", "blank", "reduction"),
            "zero_infinity",
        ),
        result.first,
        converts=False,
    ),
}
"""By the op's name."""
