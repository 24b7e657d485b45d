"""Resizes `[N, C, *spatial]`.  Source: torch.nn.modules.upsampling."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class Upsample(DeclaredLayer):
    """Resizes the spatial dims, to a size or by a factor.  Source: torch.nn.Upsample."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        factor = result["scale_factor"]
        if isinstance(factor, (tuple, list)):
            result["scale_factor"] = tuple(float(part) for part in factor)
        elif factor:
            result["scale_factor"] = float(factor)
        return {"name": type(self).__name__, **result}

    def forward(self, input: Tensor) -> Tensor:
        """The input with other spatial sizes."""
        return F.interpolate(
            *(input, self.size, self.scale_factor, self.mode, self.align_corners),
            recompute_scale_factor=self.recompute_scale_factor,
        )

    def extra_repr(self) -> str:
        """The size or the factor, and how it is interpolated."""
        what = "size" if self.scale_factor is None else "scale_factor"
        return f"{what}={getattr(self, what)!r}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resizes `[N, C, H, W]` by repeating pixels.  Source: torch.nn.UpsamplingNearest2d."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        return {**result, "mode": "nearest", "align_corners": None, "recompute_scale_factor": None}


class UpsamplingBilinear2d(Upsample):
    """Resizes `[N, C, H, W]` by straight lines.  Source: torch.nn.UpsamplingBilinear2d."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        return {**result, "mode": "bilinear", "align_corners": True, "recompute_scale_factor": None}
