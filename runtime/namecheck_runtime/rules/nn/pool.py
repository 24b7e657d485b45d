"""Pools: layers and functions over one to three spatial dims; channels and names stay."""

from __future__ import annotations

from functools import partial

from namecheck_runtime import sizes
from namecheck_runtime.declare import Fields, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic
from namecheck_runtime.rules import effects
from namecheck_runtime.rules.nn.spatial import (
    Window,
    each,
    nn,
    require_room,
    resized,
    take_apart,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _pooled(
    input: Shape,
    count: int,
    kernel: object,
    stride: object,
    padding: object,
    dilation: object,
    ceil: object,
) -> Shape:
    """The shape after a pool.  Source: torch.nn.MaxPool2d and torch.nn.AvgPool2d, "Shape"."""
    parts = take_apart(input, count)
    kernels, pads, spread = each(kernel, count), each(padding, count), each(dilation, count)
    steps = kernels if stride is None or stride == () else each(stride, count)
    result: list[Dim] = []
    for index, dim in enumerate(parts.dims):
        window = Window(kernels[index], steps[index], pads[index], spread[index], ceil is True)
        places = UNKNOWN if ceil is UNKNOWN else window.places(dim.size)
        require_room(input, places, index - count, partial(_room_text, dim.size, places))
        result.append(resized(dim, places))
    return parts.put(parts.channel, tuple(result))


def _room_text(size: Size, places: Size) -> str:
    return (
        f"Given input size: ({size}). Calculated output size: ({places}). Output size is too small"
    )


def _with_indices(result: Shape, flag: object) -> Any:
    """The result, and the indices if the flag asks for them."""
    if flag is UNKNOWN:
        return UNKNOWN
    return (result, result) if flag else result


def _adapted(input: Shape, count: int, output_size: object) -> Shape:
    """The shape after an adaptive pool; None keeps a dim.  Source: torch.nn.AdaptiveAvgPool2d."""
    parts = take_apart(input, count)
    wanted = _entries(output_size, count)
    dims = tuple(
        dim if size is None else resized(dim, size)
        for dim, size in zip(parts.dims, wanted, strict=True)
    )
    return parts.put(parts.channel, dims)


def _entries(value: object, count: int) -> tuple[Size | None, ...]:
    """`each`, where None is an entry of its own."""
    if value is None:
        return (None,) * count
    if isinstance(value, (tuple, list)) and len(value) == count:
        return tuple(v if v is None or isinstance(v, (int, Symbolic)) else UNKNOWN for v in value)
    return each(value, count)


def _fractional(input: Shape, count: int, output_size: object, output_ratio: object) -> Shape:
    """The given sizes, or the input's times a ratio, rounded down."""
    if output_size is not None:
        return _adapted(input, count, output_size)
    parts = take_apart(input, count)
    ratios = output_ratio if isinstance(output_ratio, (tuple, list)) else (output_ratio,) * count
    dims = tuple(
        resized(dim, sizes.rounded(int, dim.size * ratio))
        if isinstance(dim.size, int) and isinstance(ratio, (int, float))
        else dim.resize(UNKNOWN)
        for dim, ratio in zip(parts.dims, (*ratios, *(UNKNOWN,) * count), strict=False)
    )
    return parts.put(parts.channel, dims)


def _unpooled(
    input: Shape, count: int, kernel: object, stride: object, padding: object, wanted: object
) -> Shape:
    """The shape that a pool turns into this one: `(size - 1) * stride - 2 * padding + kernel`.

    Source: torch.nn.MaxUnpool2d.
    """
    parts = take_apart(input, count)
    if wanted is not None:
        if isinstance(wanted, (tuple, list)) and len(wanted) > count:
            wanted = wanted[-count:]
        return _adapted(input, count, wanted)
    kernels, pads = each(kernel, count), each(padding, count)
    steps = kernels if stride is None else each(stride, count)
    result = []
    for index, dim in enumerate(parts.dims):
        grown = sizes.multiply(sizes.subtract(dim.size, 1), steps[index])
        cut = sizes.subtract(kernels[index], sizes.multiply(2, pads[index]))
        result.append(resized(dim, sizes.add(grown, cut)))
    return parts.put(parts.channel, tuple(result))


def _declare_functions(count: int) -> None:
    functional = "torch.nn.functional."

    @op(f"{functional}max_pool{count}d", f"torch.max_pool{count}d")
    def max_pool(
        input: Shape,
        kernel_size: Size | Sizes,
        stride: Size | Sizes | None = None,
        padding: Size | Sizes = 0,
        dilation: Size | Sizes = 1,
        ceil_mode: object = False,
        return_indices: object = False,
    ) -> Shape | tuple[Shape, Shape]:
        """The largest element of each window.  Source: torch.nn.MaxPool2d; names stay."""
        pooled = _pooled(input, count, kernel_size, stride, padding, dilation, ceil_mode)
        result: Shape | tuple[Shape, Shape] = _with_indices(pooled, return_indices)
        return result

    @op(f"{functional}max_pool{count}d_with_indices", f"torch.max_pool{count}d_with_indices")
    def max_pool_with_indices(
        input: Shape,
        kernel_size: Size | Sizes,
        stride: Size | Sizes | None = None,
        padding: Size | Sizes = 0,
        dilation: Size | Sizes = 1,
        ceil_mode: object = False,
        return_indices: object = False,
    ) -> tuple[Shape, Shape]:
        """The largest element of each window, and where it was.  Source: torch.nn.MaxPool2d."""
        result = _pooled(input, count, kernel_size, stride, padding, dilation, ceil_mode)
        return result, result

    @op(f"{functional}avg_pool{count}d", f"torch.avg_pool{count}d")
    def avg_pool(
        input: Shape,
        kernel_size: Size | Sizes,
        stride: Size | Sizes | None = None,
        padding: Size | Sizes = 0,
        ceil_mode: object = False,
        count_include_pad: object = True,
        divisor_override: object = None,
    ) -> Shape:
        """The mean of each window.  Source: torch.nn.AvgPool2d; names stay."""
        return _pooled(input, count, kernel_size, stride, padding, 1, ceil_mode)

    @op(f"{functional}lp_pool{count}d")
    def lp_pool(
        input: Shape,
        norm_type: object,
        kernel_size: Size | Sizes,
        stride: Size | Sizes | None = None,
        ceil_mode: object = False,
    ) -> Shape:
        """The norm of each window.  Source: torch.nn.LPPool2d; names stay."""
        return _pooled(input, count, kernel_size, stride, 0, 1, ceil_mode)


def _declare_adaptive_functions(count: int) -> None:
    functional = "torch.nn.functional."

    @op(f"{functional}adaptive_avg_pool{count}d", f"torch.adaptive_avg_pool{count}d")
    def adaptive_avg_pool(input: Shape, output_size: Size | Sizes | object) -> Shape:
        """As many means as asked for.  Source: torch.nn.AdaptiveAvgPool2d; names stay."""
        return _adapted(input, count, output_size)

    @op(f"{functional}adaptive_max_pool{count}d")
    def adaptive_max_pool(
        input: Shape, output_size: Size | Sizes | object, return_indices: object = False
    ) -> Shape | tuple[Shape, Shape]:
        """As many maxima as asked for.  Source: torch.nn.AdaptiveMaxPool2d; names stay."""
        adapted = _adapted(input, count, output_size)
        result: Shape | tuple[Shape, Shape] = _with_indices(adapted, return_indices)
        return result

    @op(f"{functional}adaptive_max_pool{count}d_with_indices", f"torch.adaptive_max_pool{count}d")
    def adaptive_max_pool_with_indices(
        input: Shape, output_size: Size | Sizes | object, return_indices: object = False
    ) -> tuple[Shape, Shape]:
        """As many maxima as asked for, and where they were."""
        result = _adapted(input, count, output_size)
        return result, result

    @op(f"{functional}max_unpool{count}d")
    def max_unpool(
        input: Shape,
        indices: Shape,
        kernel_size: Size | Sizes,
        stride: Size | Sizes | None = None,
        padding: Size | Sizes = 0,
        output_size: Size | Sizes | None = None,
    ) -> Shape:
        """Puts maxima back where they were.  Source: torch.nn.MaxUnpool2d."""
        return _unpooled(input, count, kernel_size, stride, padding, output_size)


def _declare_fractional(count: int) -> None:
    @op(f"torch.nn.functional.fractional_max_pool{count}d")
    def fractional_max_pool(
        input: Shape,
        kernel_size: Size | Sizes,
        output_size: Size | Sizes | None = None,
        output_ratio: object = None,
        return_indices: object = False,
        _random_samples: object = None,
    ) -> Shape | tuple[Shape, Shape]:
        """Maxima of windows at random places.  Source: torch.nn.FractionalMaxPool2d."""
        pooled = _fractional(input, count, output_size, output_ratio)
        result: Shape | tuple[Shape, Shape] = _with_indices(pooled, return_indices)
        return result

    @op(f"torch.nn.functional.fractional_max_pool{count}d_with_indices")
    def fractional_with_indices(
        input: Shape,
        kernel_size: Size | Sizes,
        output_size: Size | Sizes | None = None,
        output_ratio: object = None,
        return_indices: object = False,
        _random_samples: object = None,
    ) -> tuple[Shape, Shape]:
        """Maxima of windows at random places, and where they were."""
        result = _fractional(input, count, output_size, output_ratio)
        return result, result

    @nn("pooling", f"FractionalMaxPool{count}d")
    class FractionalMaxPool:
        """Maxima of windows at random places.  Source: torch.nn.FractionalMaxPool2d."""

        def __init__(
            self,
            kernel_size: Size | Sizes,
            output_size: Size | Sizes | None = None,
            output_ratio: object = None,
            return_indices: object = False,
            _random_samples: object = None,
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape | tuple[Shape, Shape]:
            """Sizes as built, or the input's times a ratio."""
            pooled = _fractional(input, count, fields["output_size"], fields["output_ratio"])
            result: Shape | tuple[Shape, Shape] = _with_indices(pooled, fields["return_indices"])
            return result


def _declare_layers(count: int) -> None:
    @nn("pooling", f"MaxPool{count}d")
    class MaxPool:
        """The largest element of each window.  Source: torch.nn.MaxPool2d, "Shape"."""

        def __init__(
            self,
            kernel_size: Size | Sizes,
            stride: Size | Sizes | None = None,
            padding: Size | Sizes = 0,
            dilation: Size | Sizes = 1,
            return_indices: object = False,
            ceil_mode: object = False,
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape | tuple[Shape, Shape]:
            """Spatial dims by the arithmetic of windows."""
            pooled = _pooled(
                input,
                count,
                fields["kernel_size"],
                fields["stride"],
                fields["padding"],
                fields["dilation"],
                fields["ceil_mode"],
            )
            result: Shape | tuple[Shape, Shape] = _with_indices(pooled, fields["return_indices"])
            return result

    @nn("pooling", f"AvgPool{count}d")
    class AvgPool:
        """The mean of each window.  Source: torch.nn.AvgPool2d, "Shape"."""

        def __init__(
            self,
            kernel_size: Size | Sizes,
            stride: Size | Sizes | None = None,
            padding: Size | Sizes = 0,
            ceil_mode: object = False,
            count_include_pad: object = True,
            divisor_override: object = None,
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """Spatial dims by the arithmetic of windows."""
            kernel, stride = fields["kernel_size"], fields["stride"]
            return _pooled(input, count, kernel, stride, fields["padding"], 1, fields["ceil_mode"])


def _declare_layers_of_norms_and_sizes(count: int) -> None:
    @nn("pooling", f"LPPool{count}d")
    class LPPool:
        """The norm of each window.  Source: torch.nn.LPPool2d, "Shape"."""

        def __init__(
            self,
            norm_type: object,
            kernel_size: Size | Sizes,
            stride: Size | Sizes | None = None,
            ceil_mode: object = False,
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """Spatial dims by the arithmetic of windows."""
            kernel, stride = fields["kernel_size"], fields["stride"]
            return _pooled(input, count, kernel, stride, 0, 1, fields["ceil_mode"])

    @nn("pooling", f"AdaptiveAvgPool{count}d")
    class AdaptiveAvgPool:
        """As many means as asked for; None keeps a dim.  Source: torch.nn.AdaptiveAvgPool2d."""

        def __init__(self, output_size: Size | Sizes | object) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """Spatial dims as built."""
            return _adapted(input, count, fields["output_size"])

    @nn("pooling", f"AdaptiveMaxPool{count}d")
    class AdaptiveMaxPool:
        """As many maxima as asked for; None keeps a dim.  Source: torch.nn.AdaptiveMaxPool2d."""

        def __init__(
            self, output_size: Size | Sizes | object, return_indices: object = False
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape | tuple[Shape, Shape]:
            """Spatial dims as built."""
            adapted = _adapted(input, count, fields["output_size"])
            result: Shape | tuple[Shape, Shape] = _with_indices(adapted, fields["return_indices"])
            return result


def _declare_unpooling_layer(count: int) -> None:
    @nn("pooling", f"MaxUnpool{count}d")
    class MaxUnpool:
        """Puts maxima back where they were.  Source: torch.nn.MaxUnpool2d."""

        def __init__(
            self,
            kernel_size: Size | Sizes,
            stride: Size | Sizes | None = None,
            padding: Size | Sizes = 0,
        ) -> None: ...

        @staticmethod
        def forward(
            fields: Fields,
            input: Shape,
            indices: Shape,
            output_size: Size | Sizes | None = None,
        ) -> Shape:
            """Spatial dims grow by the stride, or to `output_size`."""
            kernel, stride = fields["kernel_size"], fields["stride"]
            return _unpooled(input, count, kernel, stride, fields["padding"], output_size)


for _count in (1, 2, 3):
    _declare_functions(_count)
    _declare_adaptive_functions(_count)
    _declare_layers(_count)
    _declare_layers_of_norms_and_sizes(_count)
    _declare_unpooling_layer(_count)
for _count in (2, 3):
    _declare_fractional(_count)

effects.declare_resampling("pool")
