"""Softmax over many classes, the rare ones in clusters.  Source: torch.nn.modules.adaptive."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.modules.container import ModuleList, Sequential
from namecheck_runtime.nn.modules.linear import Linear
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor


class ASMoutput(NamedTuple):
    """The log probabilities of the targets, and their mean with the other sign."""

    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(DeclaredLayer):
    """The log probabilities of classes: `[N?, in_features], [N?]` to `[N?]` and a loss.

    Source: torch.nn.AdaptiveLogSoftmaxWithLoss.
    """

    def _build(self, fields: dict[str, Any]) -> None:
        self.in_features, self.n_classes = fields["in_features"], fields["n_classes"]
        cutoffs = list(fields["cutoffs"])
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        ordered = cutoffs == sorted(set(cutoffs))
        whole = all(int(cutoff) == cutoff for cutoff in cutoffs)
        if not ordered or not whole or cutoffs[0] <= 0 or cutoffs[-1] > self.n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing "
                "order, where each value is between 1 and n_classes-1"
            )
        self.cutoffs = [*cutoffs, self.n_classes]
        self.div_value, self.head_bias = fields["div_value"], fields["head_bias"]
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        options = self._tensor_options(fields)
        self.head = Linear(self.in_features, self.head_size, bias=self.head_bias, **options)
        self.tail = ModuleList()
        for place, (first, last) in enumerate(pairwise(self.cutoffs)):
            inner = int(self.in_features // self.div_value ** (place + 1))
            self.tail.append(
                Sequential(
                    Linear(self.in_features, inner, bias=False, **options),
                    Linear(inner, last - first, bias=False, **options),
                )
            )

    def reset_parameters(self) -> None:
        """Draw all parameters anew."""
        self.head.reset_parameters()
        for inner, outer in self.tail:
            inner.reset_parameters()
            outer.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> ASMoutput:
        """The log probabilities of the targets, and the loss."""
        _require_ranks(input_, target_)
        batched = target_.ndim > 0
        rows = input_ if batched else input_.unsqueeze(0)
        classes = target_ if batched else target_.unsqueeze(0)
        count = classes.shape[0]
        output = rows.new_zeros(count)
        chosen = classes.new_zeros(count)
        used = 0
        for place, (low, high) in enumerate(pairwise([0, *self.cutoffs])):
            picked = _rows_of((classes >= low) & (classes < high))
            used += picked.shape[0]
            if not picked.shape[0]:
                continue
            own = classes.index_select(0, picked)
            if place == 0:
                chosen = chosen.index_copy(0, picked, own)
                continue
            cluster = self.tail[place - 1](rows.index_select(0, picked))
            relative = (own - low).unsqueeze(1)
            local = F.log_softmax(cluster, dim=1).gather(1, relative).squeeze(1)
            chosen = chosen.index_fill(0, picked, self.shortlist_size + place - 1)
            output = output.index_copy(0, picked, local)
        if used != count and classes.device.type != "meta":
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{classes.min().item()}, {classes.max().item()}] were found. "
            )
        head = F.log_softmax(self.head(rows), dim=1)
        output = output + head.gather(1, chosen.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return ASMoutput(output if batched else output.squeeze(0), loss)

    def _get_full_log_prob(self, input: Tensor, head_output: Tensor) -> Tensor:
        head = F.log_softmax(head_output, dim=1)
        parts = [head[:, : self.shortlist_size]]
        for place, cluster in enumerate(self.tail):
            own = head[:, self.shortlist_size + place].unsqueeze(1)
            parts.append(F.log_softmax(cluster(input), dim=1) + own)
        return call_path("torch.cat", (parts, 1), {})  # type: ignore[no-any-return]

    def log_prob(self, input: Tensor) -> Tensor:
        """The log probability of each class: `[N, n_classes]`."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input: Tensor) -> Tensor:
        """The most probable class of each row: `[N]`."""
        head = self.head(input)
        output = call_path("torch.argmax", (head,), {"dim": 1})
        rare = output >= self.shortlist_size
        if not rare.any():
            return output  # type: ignore[no-any-return]
        every = call_path("torch.argmax", (self._get_full_log_prob(input, head),), {"dim": 1})
        return call_path("torch.where", (rare, every, output), {})  # type: ignore[no-any-return]


def _rows_of(mask: Tensor) -> Tensor:
    """The places where a mask holds; all places where its elements are not known."""
    if mask.device.type == "meta":
        return call_path("torch.arange", (mask.shape[0],), {"device": "meta"})  # type: ignore[no-any-return]
    return mask.nonzero().squeeze(1)


def _require_ranks(input: Tensor, target: Tensor) -> None:
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if target.ndim == 1 and input.shape[0] != target.shape[0]:
        raise RuntimeError("Input and target should have the same size in the batch dimension.")
    if input.ndim != target.ndim + 1:
        raise RuntimeError(
            f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found "
            f"inputs with size {input.shape}"
        )
