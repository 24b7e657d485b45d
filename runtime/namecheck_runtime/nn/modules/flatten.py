"""Dims joined and split.  Source: torch.nn.modules.flatten."""

from __future__ import annotations

from typing import Any

from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class Flatten(DeclaredLayer):
    """Joins neighbouring dims.  Source: torch.nn.Flatten."""

    shown = ("start_dim", "end_dim")

    def forward(self, input: Tensor) -> Tensor:
        """The input with one dim in the place of several."""
        return input.flatten(self.start_dim, self.end_dim)


class Unflatten(DeclaredLayer):
    """Splits a dim into several.  Source: torch.nn.Unflatten."""

    shown = ("dim", "unflattened_size")

    def forward(self, input: Tensor) -> Tensor:
        """The input with several dims in the place of one."""
        result: Any = input.unflatten(self.dim, self.unflattened_size)
        return result  # type: ignore[no-any-return]
