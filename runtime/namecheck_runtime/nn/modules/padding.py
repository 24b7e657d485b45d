"""Pads `[N?, C, *spatial]`.  Source: torch.nn.modules.padding."""

from __future__ import annotations

from typing import Any, ClassVar

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.modules.utils import repeated
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class _Pad(DeclaredLayer):
    """A pad of `count` dims; the last dim comes first."""

    count: ClassVar[int]
    mode: ClassVar[str]

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        result["padding"] = repeated(result["padding"], 2 * self.count)
        return result

    def forward(self, input: Tensor) -> Tensor:
        """The input, with more elements at both ends of its spatial dims."""
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        """How many elements are added."""
        return f"{self.padding}"


class _ConstantPad(_Pad):
    """A pad with one value."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, with the value at both ends of its last dims."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        """How many elements are added, and the value."""
        return f"padding={self.padding}, value={self.value}"


class _ZeroPad(_ConstantPad):
    """A pad with zeros."""

    value: ClassVar[float] = 0.0

    def extra_repr(self) -> str:
        """How many elements are added."""
        return f"{self.padding}"


class ConstantPad1d(_ConstantPad):
    """Adds one value at the ends of `[*, L]`.  Source: torch.nn.ConstantPad1d."""

    count = 1


class ConstantPad2d(_ConstantPad):
    """Adds one value at the ends of `[*, H, W]`.  Source: torch.nn.ConstantPad2d."""

    count = 2


class ConstantPad3d(_ConstantPad):
    """Adds one value at the ends of `[*, D, H, W]`.  Source: torch.nn.ConstantPad3d."""

    count = 3


class ZeroPad1d(_ZeroPad):
    """Adds zeros at the ends of `[*, L]`.  Source: torch.nn.ZeroPad1d."""

    count = 1


class ZeroPad2d(_ZeroPad):
    """Adds zeros at the ends of `[*, H, W]`.  Source: torch.nn.ZeroPad2d."""

    count = 2


class ZeroPad3d(_ZeroPad):
    """Adds zeros at the ends of `[*, D, H, W]`.  Source: torch.nn.ZeroPad3d."""

    count = 3


class ReflectionPad1d(_Pad):
    """Reflects `[N?, C, L]` at its ends.  Source: torch.nn.ReflectionPad1d."""

    count, mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """Reflects `[N?, C, H, W]` at its ends.  Source: torch.nn.ReflectionPad2d."""

    count, mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """Reflects `[N?, C, D, H, W]` at its ends.  Source: torch.nn.ReflectionPad3d."""

    count, mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """Repeats the first and last of `[N?, C, L]`.  Source: torch.nn.ReplicationPad1d."""

    count, mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """Repeats the first and last of `[N?, C, H, W]`.  Source: torch.nn.ReplicationPad2d."""

    count, mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """Repeats the first and last of `[N?, C, D, H, W]`.  Source: torch.nn.ReplicationPad3d."""

    count, mode = 3, "replicate"


class CircularPad1d(_Pad):
    """Goes on at the other end of `[N?, C, L]`.  Source: torch.nn.CircularPad1d."""

    count, mode = 1, "circular"


class CircularPad2d(_Pad):
    """Goes on at the other end of `[N?, C, H, W]`.  Source: torch.nn.CircularPad2d."""

    count, mode = 2, "circular"


class CircularPad3d(_Pad):
    """Goes on at the other end of `[N?, C, D, H, W]`.  Source: torch.nn.CircularPad3d."""

    count, mode = 3, "circular"
