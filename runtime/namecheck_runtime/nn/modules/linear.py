"""Layers over the last dim.  Source: torch.nn.modules.linear."""

from __future__ import annotations

import math
from typing import Any

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn import init
from namecheck_runtime.nn.modules.lazy import LazyLayer
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


def reset_fan_in(layer: Any) -> None:
    """Draw a weight `[out, in, *kernel]` and a bias evenly, by the number of inputs."""
    init.kaiming_uniform_(layer.weight, a=math.sqrt(5))
    if layer.bias is not None:
        fan_in, _ = init._calculate_fan_in_and_fan_out(layer.weight)
        bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
        init.uniform_(layer.bias, -bound, bound)


class Identity(DeclaredLayer):
    """Returns its input, whatever it was built with.  Source: torch.nn.Identity."""

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {}

    def forward(self, input: Tensor) -> Tensor:
        """The input."""
        return input


class Linear(DeclaredLayer):
    """Maps the last dim: `[*, in_features] -> [*, out_features]`.  Source: torch.nn.Linear."""

    def reset_parameters(self) -> None:
        """Draw weight and bias evenly, by the number of inputs."""
        reset_fan_in(self)

    def forward(self, input: Tensor) -> Tensor:
        """`[*, in_features] -> [*, out_features]`."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes, and whether there is a bias."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """As Linear; the class of MultiheadAttention's out_proj."""


class LazyLinear(LazyLayer, Linear):
    """As Linear, for a last dim of any size.  Source: torch.nn.LazyLinear."""

    becomes = Linear
    inferred = "in_features"

    def infer_size(self, input: Tensor) -> int:
        """The last size."""
        return input.shape[-1]


class Bilinear(DeclaredLayer):
    """Maps the last dims of two inputs together.  Source: torch.nn.Bilinear."""

    def reset_parameters(self) -> None:
        """Draw weight and bias evenly, by the size of the first input."""
        if self.in1_features <= 0:
            raise ValueError(
                f"in1_features must be > 0, but got (in1_features={self.in1_features})"
            )
        bound = 1 / math.sqrt(self.weight.shape[1])
        init.reset_even((self.weight, self.bias), bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """`[*, in1_features], [*, in2_features] -> [*, out_features]`."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The sizes, and whether there is a bias."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
