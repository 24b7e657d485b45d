"""Convolutions `[N?, C, *spatial]`.  Source: torch.nn.modules.conv."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from namecheck_runtime.layers import LAYERS
from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.modules.lazy import LazyLayer
from namecheck_runtime.nn.modules.linear import reset_fan_in
from namecheck_runtime.nn.modules.utils import _reverse_repeat_tuple, repeated
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor

_PADDING_MODES: Final = {"zeros", "reflect", "replicate", "circular"}


class _ConvNd(DeclaredLayer):
    """A convolution over `count` spatial dims."""

    count: int
    transposed: bool = False

    def _bind(self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
        if hasattr(type(self), "declaration"):
            return super()._bind(arguments, keywords)
        # A class of a program, derived from this one, with PyTorch's arguments of it.
        fields = _of_base(*arguments, **keywords)
        kind = "ConvTranspose" if fields["transposed"] else "Conv"
        self.count = len(fields["kernel_size"])
        self.__dict__["declaration"] = LAYERS[f"torch.nn.{kind}{self.count}d"]
        self.__dict__["checks"] = False
        return fields

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        _require_groups(fields)
        result = super()._attributes(fields)
        result.setdefault("output_padding", 0)
        for name in ("kernel_size", "stride", "padding", "dilation", "output_padding"):
            if not isinstance(result[name], str):
                result[name] = repeated(result[name], self.count)
        _require_padding(result["padding"], result["stride"])
        mode = result["padding_mode"]
        if mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {_PADDING_MODES}, but got padding_mode='{mode}'"
            )
        result["_reversed_padding_repeated_twice"] = self._padded(result)
        return result

    def _padded(self, fields: dict[str, Any]) -> list[int]:
        """The padding as `F.pad` takes it."""
        padding = fields["padding"]
        if not isinstance(padding, str):
            return list(_reverse_repeat_tuple(padding, 2))
        result: list[int] = []
        for spread, size in zip(
            reversed(fields["dilation"]), reversed(fields["kernel_size"]), strict=True
        ):
            total = spread * (size - 1) if padding == "same" else 0
            result += [total // 2, total - total // 2]
        return result

    def reset_parameters(self) -> None:
        """Draw weight and bias evenly, by the number of inputs."""
        reset_fan_in(self)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        convolve = getattr(F, f"conv{self.count}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            padded = self._reversed_padding_repeated_twice
            input = F.pad(input, padded, mode=self.padding_mode)
            padding = (0,) * self.count
        options = (self.stride, padding, self.dilation, self.groups)
        return convolve(input, weight, bias, *options)  # type: ignore[no-any-return]

    def forward(self, input: Tensor) -> Tensor:
        """`[N?, in_channels, *spatial] -> [N?, out_channels, *spatial]`."""
        return self._conv_forward(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """The channels, and the options that are not the default."""
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"
        text += f", stride={self.stride}"
        usual = {"padding": (0,), "dilation": (1,), "output_padding": (0,)}
        for name, value in usual.items():
            if getattr(self, name) != value * len(getattr(self, name)):
                text += f", {name}={getattr(self, name)}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


def _of_base(
    in_channels: int,
    out_channels: int,
    kernel_size: tuple[int, ...],
    stride: tuple[int, ...],
    padding: Any,
    dilation: tuple[int, ...],
    transposed: bool,
    output_padding: tuple[int, ...],
    groups: int,
    bias: bool,
    padding_mode: str = "zeros",
    device: Any = None,
    dtype: Any = None,
) -> dict[str, Any]:
    """The arguments of PyTorch's base class of convolutions, by name."""
    return dict(locals())


def _require_groups(fields: dict[str, Any]) -> None:
    groups = fields["groups"]
    if groups <= 0:
        raise ValueError("groups must be a positive integer")
    for name in ("in_channels", "out_channels"):
        if fields[name] % groups:
            raise ValueError(f"{name} must be divisible by groups")


def _require_padding(padding: Any, stride: Sequence[int]) -> None:
    if not isinstance(padding, str):
        return
    if padding not in ("same", "valid"):
        raise ValueError(
            f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}"
        )
    if padding == "same" and any(step != 1 for step in stride):
        raise ValueError("padding='same' is not supported for strided convolutions")


class _ConvTransposeNd(_ConvNd):
    """A transposed convolution over `count` spatial dims."""

    transposed = True

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["padding_mode"] != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        return super()._attributes(fields)

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """`[N?, in_channels, *spatial] -> [N?, out_channels, *spatial]`."""
        convolve = getattr(F, f"conv_transpose{self.count}d")
        extra = self._output_padding(input, output_size)
        options = (self.stride, self.padding, extra, self.groups, self.dilation)
        return convolve(input, self.weight, self.bias, *options)  # type: ignore[no-any-return]

    def _output_padding(self, input: Tensor, output_size: Sequence[int] | None) -> Sequence[int]:
        """How much is added to the smallest result, so that it has the size that is wanted."""
        if output_size is None:
            return self.output_padding  # type: ignore[no-any-return]
        count = self.count
        before = input.ndim - count
        wanted = list(output_size)
        if len(wanted) == before + count:
            wanted = wanted[before:]
        if len(wanted) != count:
            raise ValueError(
                f"ConvTranspose{count}D: for {input.ndim}D input, output_size must have {count} or "
                f"{before + count} elements (got {len(wanted)})"
            )
        sizes = tuple(input.shape)[before:]
        least = [
            (size - 1) * step - 2 * pad + spread * (kernel - 1) + 1
            for size, step, pad, spread, kernel in zip(
                sizes, self.stride, self.padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        most = [size + step - 1 for size, step in zip(least, self.stride, strict=True)]
        for low, size, high in zip(least, wanted, most, strict=True):
            if not low <= size <= high:
                raise ValueError(
                    f"requested an output size of {wanted}, but valid sizes range from {least} to "
                    f"{most} (for an input of {input.shape[2:]})"
                )
        return [size - low for size, low in zip(wanted, least, strict=True)]


class Conv1d(_ConvNd):
    """Slides a kernel over `[N?, C, L]`.  Source: torch.nn.Conv1d."""

    count = 1


class Conv2d(_ConvNd):
    """Slides a kernel over `[N?, C, H, W]`.  Source: torch.nn.Conv2d."""

    count = 2


class Conv3d(_ConvNd):
    """Slides a kernel over `[N?, C, D, H, W]`.  Source: torch.nn.Conv3d."""

    count = 3


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of a convolution of `[N?, C, L]`.  Source: torch.nn.ConvTranspose1d."""

    count = 1


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of a convolution of `[N?, C, H, W]`.  Source: torch.nn.ConvTranspose2d."""

    count = 2


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of a convolution of `[N?, C, D, H, W]`.  Source: torch.nn.ConvTranspose3d."""

    count = 3


class _LazyConv(LazyLayer, _ConvNd):
    """A convolution for any number of input channels."""

    inferred = "in_channels"

    def infer_size(self, input: Tensor) -> int:
        """The size of the channels."""
        ranks = (self.count + 1, self.count + 2)
        if input.ndim not in ranks:
            raise RuntimeError(
                f"Expected {ranks[0]}D (unbatched) or {ranks[1]}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        channels = input.shape[input.ndim - self.count - 1]
        _require_groups({**self.__dict__, "in_channels": channels})
        return channels


class LazyConv1d(_LazyConv, Conv1d):
    """As Conv1d, for any number of input channels.  Source: torch.nn.LazyConv1d."""

    becomes = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """As Conv2d, for any number of input channels.  Source: torch.nn.LazyConv2d."""

    becomes = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """As Conv3d, for any number of input channels.  Source: torch.nn.LazyConv3d."""

    becomes = Conv3d


class LazyConvTranspose1d(_LazyConv, ConvTranspose1d):
    """As ConvTranspose1d, for any number of channels.  Source: torch.nn.LazyConvTranspose1d."""

    becomes = ConvTranspose1d


class LazyConvTranspose2d(_LazyConv, ConvTranspose2d):
    """As ConvTranspose2d, for any number of channels.  Source: torch.nn.LazyConvTranspose2d."""

    becomes = ConvTranspose2d


class LazyConvTranspose3d(_LazyConv, ConvTranspose3d):
    """As ConvTranspose3d, for any number of channels.  Source: torch.nn.LazyConvTranspose3d."""

    becomes = ConvTranspose3d
