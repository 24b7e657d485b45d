"""Normalisation of layers, groups and neighbours.  Source: torch.nn.modules.normalization."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn import init
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class _Scaled(DeclaredLayer):
    """A normalisation with a weight and perhaps a bias."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        result.pop("bias", None)
        shape = result.get("normalized_shape")
        if shape is not None:
            result["normalized_shape"] = (shape,) if isinstance(shape, int) else tuple(shape)
        return result

    def _make_tensors(self, fields: Any) -> None:
        super()._make_tensors(fields)
        for name in ("weight", "bias")[: 2 if "bias" in fields else 1]:
            if name not in self._parameters:
                self.register_parameter(name, None)

    def reset_parameters(self) -> None:
        """Make the weight ones and the bias zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self._parameters.get("bias") is not None:
            init.zeros_(self.bias)


class LayerNorm(_Scaled):
    """Normalises `[*, *normalized_shape]` over the last dims.  Source: torch.nn.LayerNorm."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, normalised over the last dims."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The shape and the options."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class RMSNorm(_Scaled):
    """Divides `[*, *normalized_shape]` by its root mean square.  Source: torch.nn.RMSNorm."""

    def forward(self, x: Tensor) -> Tensor:
        """The input, divided by the root of the mean of squares over the last dims."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The shape and the options."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(_Scaled):
    """Normalises groups of the channels of `[N, C, *]`.  Source: torch.nn.GroupNorm."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["num_channels"] % fields["num_groups"]:
            raise ValueError(
                f"num_channels ({fields['num_channels']}) must be divisible by num_groups "
                f"({fields['num_groups']})"
            )
        return super()._attributes(fields)

    def forward(self, input: Tensor) -> Tensor:
        """The input, normalised over each group of channels."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The numbers and the options."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(DeclaredLayer):
    """Divides `[N, C, *]` by sums over near channels.  Source: torch.nn.LocalResponseNorm."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, divided by a sum over its neighbours among the channels."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The arguments."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class CrossMapLRN2d(LocalResponseNorm):
    """As LocalResponseNorm, for `[N, C, H, W]`.  Source: torch.nn.CrossMapLRN2d."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, divided by a sum over its neighbours among the channels."""
        reach = int((self.size - 1) / 2 + 1) - 1
        padded = F.pad((input**2).rename(None), (0, 0, 0, 0, reach, reach))
        sums = padded.unfold(1, 2 * reach + 1, 1).sum(-1)
        result: Tensor = input * (sums * (self.alpha / self.size) + self.k) ** -self.beta
        return result
