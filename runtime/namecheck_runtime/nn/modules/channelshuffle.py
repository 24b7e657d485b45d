"""Channels in another order.  Source: torch.nn.modules.channelshuffle."""

from __future__ import annotations

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class ChannelShuffle(DeclaredLayer):
    """Mixes groups of the channels of `[N, C, *]`.  Source: torch.nn.ChannelShuffle."""

    shown = ("groups",)

    def forward(self, input: Tensor) -> Tensor:
        """The channels of all groups in turn."""
        return F.channel_shuffle(input, self.groups)
