"""Pools of `[N?, C, *spatial]`.  Source: torch.nn.modules.pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn.modules.utils import repeated
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.object import Tensor


class _Pool(DeclaredLayer):
    """A pool over `count` spatial dims, by the function of `nn.functional` with this name."""

    count: ClassVar[int]
    function: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()
    """The attributes that the function takes, in its order."""

    def forward(self, *tensors: Any, **keywords: Any) -> Any:
        """The pooled input."""
        return self._pooled(*tensors, **keywords)

    def _pooled(self, *tensors: Any, **keywords: Any) -> Any:
        function = getattr(F, f"{self.function}{self.count}d")
        return function(*tensors, *(getattr(self, name) for name in self.options), **keywords)


class _Windowed(_Pool):
    """A pool over windows; the stride is the kernel's size if none is given."""

    always_repeated: ClassVar[bool] = False

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        if result["stride"] is None:
            result["stride"] = result["kernel_size"]
        if self.always_repeated:
            for name in ("kernel_size", "stride", "padding"):
                result[name] = repeated(result[name], self.count)
        return result


class _MaxPoolNd(_Windowed):
    """The largest element of each window."""

    function = "max_pool"
    options = ("kernel_size", "stride", "padding", "dilation")
    shown = (*options, "ceil_mode")

    def forward(self, input: Tensor) -> Any:
        """The largest elements, and their places if the layer was built with `return_indices`."""
        flags = {"ceil_mode": self.ceil_mode, "return_indices": self.return_indices}
        return self._pooled(input, **flags)


class MaxPool1d(_MaxPoolNd):
    """The largest of each window of `[N?, C, L]`.  Source: torch.nn.MaxPool1d."""

    count = 1


class MaxPool2d(_MaxPoolNd):
    """The largest of each window of `[N?, C, H, W]`.  Source: torch.nn.MaxPool2d."""

    count = 2


class MaxPool3d(_MaxPoolNd):
    """The largest of each window of `[N?, C, D, H, W]`.  Source: torch.nn.MaxPool3d."""

    count = 3


class _MaxUnpoolNd(_Windowed):
    """Puts the largest elements back to their places."""

    function = "max_unpool"
    options = ("kernel_size", "stride", "padding")
    shown = options
    always_repeated = True

    def forward(
        self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None
    ) -> Tensor:
        """The elements at their places, zeros elsewhere."""
        return self._pooled(input, indices, output_size=output_size)  # type: ignore[no-any-return]


class MaxUnpool1d(_MaxUnpoolNd):
    """The inverse of MaxPool1d, with zeros.  Source: torch.nn.MaxUnpool1d."""

    count = 1


class MaxUnpool2d(_MaxUnpoolNd):
    """The inverse of MaxPool2d, with zeros.  Source: torch.nn.MaxUnpool2d."""

    count = 2


class MaxUnpool3d(_MaxUnpoolNd):
    """The inverse of MaxPool3d, with zeros.  Source: torch.nn.MaxUnpool3d."""

    count = 3


class _AvgPoolNd(_Windowed):
    """The mean of each window."""

    function = "avg_pool"
    options: ClassVar[tuple[str, ...]] = (
        *("kernel_size", "stride", "padding", "ceil_mode"),
        *("count_include_pad", "divisor_override"),
    )
    shown = ("kernel_size", "stride", "padding")


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of `[N?, C, L]`.  Source: torch.nn.AvgPool1d."""

    count = 1
    options = _AvgPoolNd.options[:-1]
    always_repeated = True

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["divisor_override"] is not None:
            raise TypeError(
                "AvgPool1d.__init__() got an unexpected keyword argument 'divisor_override'"
            )
        result = super()._attributes(fields)
        del result["divisor_override"]
        return result


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of `[N?, C, H, W]`.  Source: torch.nn.AvgPool2d."""

    count = 2


class AvgPool3d(_AvgPoolNd):
    """The mean of each window of `[N?, C, D, H, W]`.  Source: torch.nn.AvgPool3d."""

    count = 3


class _LPPoolNd(_Pool):
    """The norm of each window."""

    function = "lp_pool"
    options = ("kernel_size", "stride", "ceil_mode")
    shown = ("norm_type", *options)

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        if fields["norm_type"] == 0:
            raise ValueError("norm_type must be a non-zero value, but got 0")
        return super()._attributes(fields)

    def forward(self, input: Tensor) -> Tensor:
        """The norms."""
        return self._pooled(input, float(self.norm_type))  # type: ignore[no-any-return]


class LPPool1d(_LPPoolNd):
    """The norm of each window of `[N?, C, L]`.  Source: torch.nn.LPPool1d."""

    count = 1


class LPPool2d(_LPPoolNd):
    """The norm of each window of `[N?, C, H, W]`.  Source: torch.nn.LPPool2d."""

    count = 2


class LPPool3d(_LPPoolNd):
    """The norm of each window of `[N?, C, D, H, W]`.  Source: torch.nn.LPPool3d."""

    count = 3


class _AdaptiveMaxPoolNd(_Pool):
    """The largest of each window, to a size that is given."""

    function = "adaptive_max_pool"
    options = ("output_size", "return_indices")
    shown = ("output_size",)


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """`[N?, C, L] -> [N?, C, output_size]`.  Source: torch.nn.AdaptiveMaxPool1d."""

    count = 1


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """`[N?, C, H, W] -> [N?, C, *output_size]`.  Source: torch.nn.AdaptiveMaxPool2d."""

    count = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """`[N?, C, D, H, W] -> [N?, C, *output_size]`.  Source: torch.nn.AdaptiveMaxPool3d."""

    count = 3


class _AdaptiveAvgPoolNd(_Pool):
    """The mean of each window, to a size that is given."""

    function = "adaptive_avg_pool"
    options = shown = ("output_size",)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """`[N?, C, L] -> [N?, C, output_size]`.  Source: torch.nn.AdaptiveAvgPool1d."""

    count = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """`[N?, C, H, W] -> [N?, C, *output_size]`.  Source: torch.nn.AdaptiveAvgPool2d."""

    count = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """`[N?, C, D, H, W] -> [N?, C, *output_size]`.  Source: torch.nn.AdaptiveAvgPool3d."""

    count = 3


class _FractionalMaxPoolNd(_Pool):
    """The largest of windows at drawn places."""

    function = "fractional_max_pool"
    options = ("kernel_size", "output_size", "output_ratio", "return_indices")

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        size, ratio, name = result["output_size"], result["output_ratio"], type(self).__name__
        if size is None and ratio is None:
            raise ValueError(
                f"{name} requires specifying either an output size, or a pooling ratio"
            )
        if size is not None and ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        result["kernel_size"] = repeated(result["kernel_size"], self.count)
        for option in ("output_size", "output_ratio"):
            if result[option] is not None:
                result[option] = repeated(result[option], self.count)
        if ratio is not None and not all(0 < part < 1 for part in result["output_ratio"]):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {ratio})")
        self.register_buffer("_random_samples", result.pop("_random_samples"))
        return result

    def forward(self, input: Tensor) -> Any:
        """The largest elements, and their places if the layer was built with `return_indices`."""
        return self._pooled(input, _random_samples=self._random_samples)


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """`[N?, C, H, W]` with windows at drawn places.  Source: torch.nn.FractionalMaxPool2d."""

    count = 2


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """`[N?, C, D, H, W]` with windows at drawn places.  Source: torch.nn.FractionalMaxPool3d."""

    count = 3
