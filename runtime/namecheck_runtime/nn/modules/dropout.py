"""Dropout.  Source: torch.nn.modules.dropout."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class _DropoutNd(DeclaredLayer, as_declared="Dropout"):
    """A layer that leaves elements or channels out while it is trained; dims stay."""

    shown = ("p", "inplace")
    function: str

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        p = fields["p"]
        if p < 0.0 or p > 1.0:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        return super()._attributes(fields)

    def forward(self, input: Tensor) -> Tensor:
        """The input with some elements left out, in training."""
        function = getattr(F, self.function)
        return function(input, self.p, self.training, self.inplace)  # type: ignore[no-any-return]


class Dropout(_DropoutNd):
    """Leaves elements out.  Source: torch.nn.Dropout."""

    function = "dropout"


class Dropout1d(_DropoutNd):
    """Leaves channels of `[N, C, L]` out.  Source: torch.nn.Dropout1d."""

    function = "dropout1d"


class Dropout2d(_DropoutNd):
    """Leaves channels of `[N, C, H, W]` out.  Source: torch.nn.Dropout2d."""

    function = "dropout2d"


class Dropout3d(_DropoutNd):
    """Leaves channels of `[N, C, D, H, W]` out.  Source: torch.nn.Dropout3d."""

    function = "dropout3d"


class AlphaDropout(_DropoutNd):
    """Leaves elements out and keeps mean and variance.  Source: torch.nn.AlphaDropout."""

    def forward(self, input: Tensor) -> Tensor:
        """The input with some elements left out, in training."""
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """Leaves channels out and keeps mean and variance.  Source: torch.nn.FeatureAlphaDropout."""

    def forward(self, input: Tensor) -> Tensor:
        """The input with some channels left out, in training."""
        return F.feature_alpha_dropout(input, self.p, self.training)
