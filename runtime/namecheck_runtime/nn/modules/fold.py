"""Windows as columns, and back.  Source: torch.nn.modules.fold."""

from __future__ import annotations

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class Fold(DeclaredLayer):
    """`[N?, C * kernel, L] -> [N?, C, *output_size]`.  Source: torch.nn.Fold."""

    shown = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def forward(self, input: Tensor) -> Tensor:
        """The sums of the windows, each at its place."""
        options = (self.kernel_size, self.dilation, self.padding, self.stride)
        return F.fold(input, self.output_size, *options)


class Unfold(DeclaredLayer):
    """`[N?, C, *spatial] -> [N?, C * kernel, L]`.  Source: torch.nn.Unfold."""

    shown = ("kernel_size", "dilation", "padding", "stride")

    def forward(self, input: Tensor) -> Tensor:
        """The windows as columns."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
