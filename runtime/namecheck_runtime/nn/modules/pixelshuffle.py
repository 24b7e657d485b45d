"""Channels as pixels.  Source: torch.nn.modules.pixelshuffle."""

from __future__ import annotations

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class PixelShuffle(DeclaredLayer):
    """`[*, C * r * r, H, W] -> [*, C, H * r, W * r]`.  Source: torch.nn.PixelShuffle."""

    shown = ("upscale_factor",)

    def forward(self, input: Tensor) -> Tensor:
        """Channels become pixels."""
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(DeclaredLayer):
    """`[*, C, H * r, W * r] -> [*, C * r * r, H, W]`.  Source: torch.nn.PixelUnshuffle."""

    shown = ("downscale_factor",)

    def forward(self, input: Tensor) -> Tensor:
        """Pixels become channels."""
        return F.pixel_unshuffle(input, self.downscale_factor)
