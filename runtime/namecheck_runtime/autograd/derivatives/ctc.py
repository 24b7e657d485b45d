"""The loss over all alignments of labels with a longer sequence (CTC).

Graves et al., Connectionist Temporal Classification, 2006.
"""

from __future__ import annotations

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.table import composite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

_NEVER: Final = -1e30
"""The logarithm of a probability of 0: finite, as differences of infinite ones are NaN."""


def _padded(targets: Any, counts: Any, batch: int) -> Any:
    """The labels as `[N, S]`; those of all samples may be in one vector."""
    if targets.ndim != 1 or not batch:
        return targets.reshape(batch, -1 if batch else 0)
    longest = int(counts.max())
    ends = counts.cumsum(0)
    places = (ends - counts).unsqueeze(1) + call("torch.arange", longest)
    if not targets.shape[0]:
        return places * 0
    return call("torch.take", targets, places.clamp(max=targets.shape[0] - 1))


def _losses(probs: Any, targets: Any, frames: Any, counts: Any, blank: int) -> Any:
    """The negative log likelihoods of `[T, N, C]`, by the forward recursion.

    Each step stays, goes on by one, or skips the blank between two different labels.
    """
    time, batch, _ = probs.shape
    labels = _padded(targets, counts, batch)
    width = labels.shape[1]
    blanks = call("torch.full", (batch, width, 1), blank, dtype=labels.dtype, device=labels.device)
    states = call("torch.cat", [blanks, labels.unsqueeze(2)], 2).reshape(batch, 2 * width)
    states = call("torch.cat", [states, blanks.new_full((batch, 1), blank)], 1)
    # Labels beyond those of a sample are reached, and not read.
    states = states.long().clamp(0, probs.shape[2] - 1)
    skips = call("torch.zeros", (batch, 2 * width + 1), device=labels.device).bool()
    if width > 1:
        skips[:, 3::2] = labels[:, 1:] != labels[:, :-1]
    ways = call(
        "torch.full", (batch, 2 * width + 1), _NEVER, dtype=probs.dtype, device=probs.device
    )
    ways[:, 0] = 0
    edge = call("torch.full", (batch, 2), _NEVER, dtype=probs.dtype, device=probs.device)
    for step in range(time):
        before = call("torch.cat", [edge, ways], 1)
        on = call("torch.logaddexp", ways, before[:, 1:-1])
        skipped = before[:, :-2].masked_fill(~skips, _NEVER)
        on = call("torch.logaddexp", on, skipped) + probs[step].gather(1, states)
        ways = call("torch.where", (step < frames).unsqueeze(1), on, ways)
    last = (counts * 2).unsqueeze(1)
    end = ways.gather(1, last)
    before_end = ways.gather(1, (last - 1).clamp(min=0)).masked_fill(last == 0, _NEVER)
    return -call("torch.logaddexp", end, before_end).squeeze(1)


@composite("torch.nn.functional.ctc_loss")
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: Any,
    reduction: Any,
    zero_infinity: Any,
) -> Any:
    """The loss of `[T, N, C]`, or of one sample `[T, C]`.

    This is the derivative of the loss as it is computed.  PyTorch's is that of logits whose
    `log_softmax` was passed, which is the same only behind `log_softmax`.
    """
    from namecheck_runtime.tensors.values import dtypes

    single = log_probs.ndim == 2
    # In double precision, as the op itself.
    probs = (log_probs.unsqueeze(1) if single else log_probs).to(dtype=dtypes.float64)
    if single:
        targets = targets.reshape(1, -1)
    frames, counts = (
        _lengths(value).to(device=probs.device) for value in (input_lengths, target_lengths)
    )
    losses = _losses(probs.clamp(min=_NEVER), targets, frames, counts, int(blank or 0))
    endless = 0.0 if zero_infinity else float("inf")
    losses = losses.masked_fill(losses.detach() > -_NEVER / 2, endless)
    if reduction == "mean":
        losses = (losses / counts.clamp(min=1)).mean()
    elif reduction == "sum":
        losses = losses.sum()
    elif single:
        losses = losses[0]
    return losses.to(dtype=log_probs.dtype)


def _lengths(value: Any) -> Any:
    """Lengths as a vector: they may be numbers, or one."""
    if hasattr(value, "dtype"):
        return value.long().reshape(-1)
    numbers = value if isinstance(value, (tuple, list)) else (value,)
    parts = [call("torch.full", (1,), int(number)) for number in numbers]
    return call("torch.cat", parts).long() if parts else call("torch.zeros", 0).long()
