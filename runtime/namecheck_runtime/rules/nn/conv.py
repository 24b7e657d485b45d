"""Convolutions and transposed convolutions: layers and functions over one to three spatial dims."""

from __future__ import annotations

from functools import partial

from namecheck_runtime import sizes
from namecheck_runtime.algebra import element_count, require_equal
from namecheck_runtime.declare import Fields, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, known_dims
from namecheck_runtime.mistakes.base import Blame, Mistake, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize, LayerSize
from namecheck_runtime.rules.nn.spatial import (
    Spatial,
    Window,
    each,
    extent,
    nn,
    optional,
    require_room,
    resized,
    take_apart,
    tensor,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _rank_text(input: Shape, count: int, function: str) -> str:
    return (
        f"Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to {function}, but got "
        f"input of size: {size_list(input)}"
    )


def _room_text(size: Size, pad: Size, kernel: Size) -> str:
    padded = sizes.add(size, sizes.multiply(2, pad))
    return (
        f"Calculated padded input size per channel: ({padded}). Kernel size: ({kernel}). Kernel "
        "size can't be greater than actual input size"
    )


def _convolved(
    input: Shape,
    parts: Spatial,
    channels: Dim,
    kernel: tuple[Size, ...],
    stride: object,
    padding: object,
    dilation: object,
) -> Shape:
    """The shape after a convolution that makes `channels`.  Source: torch.nn.Conv2d, "Shape"."""
    count = len(kernel)
    if padding == "same":
        return parts.put(channels, parts.dims)
    pads = (0,) * count if padding == "valid" else each(padding, count)
    steps, spread = each(stride, count), each(dilation, count)
    result: list[Dim] = []
    for index, dim in enumerate(parts.dims):
        window = Window(kernel[index], steps[index], pads[index], spread[index])
        places = window.places(dim.size)
        require_room(
            input, places, index - count, partial(_room_text, dim.size, pads[index], kernel[index])
        )
        result.append(resized(dim, places))
    return parts.put(channels, tuple(result))


def _enlarged(
    parts: Spatial,
    channels: Dim,
    kernel: tuple[Size, ...],
    stride: object,
    padding: object,
    output_padding: object,
    dilation: object,
    output_size: object = None,
) -> Shape:
    """The shape after a transposed convolution.  Source: torch.nn.ConvTranspose2d, "Shape"."""
    count = len(kernel)
    if output_size is not None:
        if isinstance(output_size, (tuple, list)) and len(output_size) > count:
            output_size = output_size[-count:]  # the batch and the channels may come first
        wanted = each(output_size, count)
        dims = tuple(resized(d, s) for d, s in zip(parts.dims, wanted, strict=True))
        return parts.put(channels, dims)
    steps, pads, extra = each(stride, count), each(padding, count), each(output_padding, count)
    spread = each(dilation, count)
    result: list[Dim] = []
    for index, dim in enumerate(parts.dims):
        grown = sizes.multiply(sizes.subtract(dim.size, 1), steps[index])
        spans = sizes.add(extent(kernel[index], spread[index]), extra[index])
        cut = sizes.multiply(2, pads[index])
        result.append(resized(dim, sizes.subtract(sizes.add(grown, spans), cut)))
    return parts.put(channels, tuple(result))


# Multiply-adds.


def _products(arguments: Mapping[str, Any], result: Any) -> Size:
    """Each element of the result sums over a kernel, for each channel of its group."""
    return _each_sums(result, arguments["weight"])


def _transposed_products(arguments: Mapping[str, Any], result: Any) -> Size:
    """Each element of the input goes into a kernel, for each channel that its group makes."""
    return _each_sums(arguments["input"], arguments["weight"])


def _each_sums(elements: Shape, weight: Shape | None) -> Size:
    if not isinstance(weight, tuple):
        return UNKNOWN
    return sizes.product((element_count(elements), *[dim.size for dim in weight[1:]]))


def _layer_products(fields: Fields, arguments: Mapping[str, Any], result: Any, count: int) -> Size:
    return _each_sums(result, _parameters(fields, count)["weight"])


def _transposed_layer_products(
    fields: Fields, arguments: Mapping[str, Any], result: Any, count: int
) -> Size:
    return _each_sums(arguments["input"], _transposed_parameters(fields, count)["weight"])


# Functions: the weight gives the channels and the kernel.


def _require_channels(
    input: Shape, weight: Shape, parts: Spatial, wanted: Size, lead: str, back: int
) -> None:
    """Require the channels that the weight takes; PyTorch's message begins with `lead`."""
    channels = parts.channel.size
    if channels == wanted or channels is UNKNOWN:
        return
    text = (
        f"Given {lead}, weight of size {size_list(weight)}, expected input{size_list(input)} to "
        f"have {wanted} channels, but got {channels} channels instead"
    )
    mistake = ContractionSize(
        left=input,
        right=weight,
        left_size=channels,
        right_size=wanted,
        text=text,
        blame=(Blame("input", back), Blame("weight", 1)),
    )
    require_equal(wanted, channels, mistake)


def _weight(weight: Shape, count: int) -> Dims | None:
    """The dims of a weight; raises RankMismatch unless they are two and the kernel's."""
    dims = known_dims(weight)
    if not isinstance(weight, tuple) and len(dims) <= count + 2:
        return dims if len(dims) == count + 2 else None
    if len(dims) != count + 2:
        raise RankMismatch(shape=weight, wanted=str(count + 2), blame=(Blame("weight"),))
    return dims


def _check_bias(bias: Shape | None, weight: Shape, channels: Size) -> None:
    if not isinstance(bias, tuple):
        return
    if len(bias) == 1 and bias[0].size == channels:
        return
    text = (
        f"Given weight of size {size_list(weight)}, expected bias to be 1-dimensional with "
        f"{channels} elements, but got bias of size {size_list(bias)} instead"
    )
    if len(bias) != 1:
        raise RankMismatch(shape=bias, wanted="1", text=text, blame=(Blame("bias"),))
    mistake: Mistake = ContractionSize(
        left=weight,
        right=bias,
        left_size=channels,
        right_size=bias[0].size,
        text=text,
        blame=(Blame("weight", 0), Blame("bias", 0)),
    )
    require_equal(channels, bias[0].size, mistake)


def _convolve(
    count: int,
    input: Shape,
    weight: Shape,
    bias: Shape | None,
    stride: object,
    padding: object,
    dilation: object,
    groups: Size,
) -> Shape:
    parts = take_apart(input, count, text=_rank_text(input, count, f"conv{count}d"))
    dims = _weight(weight, count)
    if dims is None:
        unknown = Dim(UNKNOWN, UNKNOWN)
        return parts.put(unknown, tuple(resized(dim, UNKNOWN) for dim in parts.dims))
    wanted = sizes.multiply(dims[1].size, groups)
    _require_channels(input, weight, parts, wanted, f"groups={groups}", -count - 1)
    _check_bias(bias, weight, dims[0].size)
    kernel = tuple(dim.size for dim in dims[2:])
    return _convolved(input, parts, dims[0], kernel, stride, padding, dilation)


def _convolve_transposed(
    count: int,
    input: Shape,
    weight: Shape,
    bias: Shape | None,
    stride: object,
    padding: object,
    output_padding: object,
    groups: Size,
    dilation: object,
) -> Shape:
    parts = take_apart(input, count, text=_rank_text(input, count, f"conv_transpose{count}d"))
    dims = _weight(weight, count)
    if dims is None:
        unknown = Dim(UNKNOWN, UNKNOWN)
        return parts.put(unknown, tuple(resized(dim, UNKNOWN) for dim in parts.dims))
    _require_channels(input, weight, parts, dims[0].size, "transposed=1", -count - 1)
    channels = dims[1]
    if groups != 1:
        is_known = isinstance(groups, int) or channels.name is None
        channels = Dim(None if is_known else UNKNOWN, sizes.multiply(channels.size, groups))
    _check_bias(bias, weight, channels.size)
    kernel = tuple(dim.size for dim in dims[2:])
    return _enlarged(parts, channels, kernel, stride, padding, output_padding, dilation)


def _declare_functions(count: int) -> None:
    @op(f"torch.nn.functional.conv{count}d", f"torch.conv{count}d", products=_products)
    def convolve(
        input: Shape,
        weight: Shape,
        bias: Shape | None = None,
        stride: Size | Sizes = 1,
        padding: Size | Sizes | str = 0,
        dilation: Size | Sizes = 1,
        groups: Size = 1,
    ) -> Shape:
        """Slides a kernel over the spatial dims.  Source: torch.nn.Conv2d, "Shape"."""
        return _convolve(count, input, weight, bias, stride, padding, dilation, groups)

    @op(
        f"torch.nn.functional.conv_transpose{count}d",
        f"torch.conv_transpose{count}d",
        products=_transposed_products,
    )
    def convolve_transposed(
        input: Shape,
        weight: Shape,
        bias: Shape | None = None,
        stride: Size | Sizes = 1,
        padding: Size | Sizes = 0,
        output_padding: Size | Sizes = 0,
        groups: Size = 1,
        dilation: Size | Sizes = 1,
    ) -> Shape:
        """The transpose of a convolution.  Source: torch.nn.ConvTranspose2d, "Shape"."""
        return _convolve_transposed(
            count, input, weight, bias, stride, padding, output_padding, groups, dilation
        )


def _tbc_products(arguments: Mapping[str, Any], result: Any) -> Size:
    """Those of a weight `[k, C, O]`."""
    kernel = [dim.size for dim in known_dims(arguments["weight"])[:2]]
    return sizes.product((element_count(result), *kernel))


@op("torch.nn.functional.conv_tbc", "torch.conv_tbc", "Tensor.conv_tbc", products=_tbc_products)
def conv_tbc(input: Dims, weight: Dims, bias: object, pad: Size = 0) -> Shape:
    """`[T, B, C]` with a weight `[k, C, O]`.  Source: torch.nn.functional.conv_tbc."""
    for shape, argument in ((input, "input"), (weight, "weight")):
        if len(shape) != 3:
            raise RankMismatch(shape=shape, wanted="3", blame=(Blame(argument),))
    parts = Spatial((), input[2], input[:1])
    _require_channels(input, weight, parts, weight[1].size, "", 2)
    places = Window(weight[0].size, 1, pad).places(input[0].size)
    return (resized(input[0], places), input[1], weight[2])


# Layers.


def _channels(input: Shape, wanted: Size, parts: Spatial, count: int) -> None:
    if wanted == parts.channel.size or parts.channel.size is UNKNOWN:
        return
    mistake = LayerSize(
        input=input,
        wanted=wanted,
        found=parts.channel.size,
        role="in_channels",
        blame=(Blame("input", -count - 1),),
    )
    require_equal(wanted, parts.channel.size, mistake)


def _parameters(fields: Fields, count: int) -> Mapping[str, Shape | None]:
    """weight `[out, in / groups, *kernel]`, bias `[out]`."""
    out = fields["out_channels"]
    inner = sizes.floor_divide(fields.get("in_channels", UNKNOWN), fields["groups"])
    kernel = each(fields["kernel_size"], count)
    shapes: dict[str, Shape | None] = {"weight": tensor(out, inner, *kernel)}
    optional(shapes, "bias", fields["bias"], tensor(out))
    return shapes


def _transposed_parameters(fields: Fields, count: int) -> Mapping[str, Shape | None]:
    """weight `[in, out / groups, *kernel]`, bias `[out]`."""
    out = fields["out_channels"]
    inner = fields.get("in_channels", UNKNOWN)
    kernel = each(fields["kernel_size"], count)
    each_group = sizes.floor_divide(out, fields["groups"])
    shapes: dict[str, Shape | None] = {"weight": tensor(inner, each_group, *kernel)}
    optional(shapes, "bias", fields["bias"], tensor(out))
    return shapes


def _reads(fields: Fields, option: str) -> bool:
    """All options but the padding, if the constructor has computed from it how to reflect."""
    return option != "padding" or fields["padding_mode"] == "zeros"


_PER_DIM = frozenset({"kernel_size", "stride", "padding", "dilation", "output_padding"})


def _attribute(count: int, fields: Fields, option: str) -> object:
    """An option as a layer keeps it: one size for each spatial dim, unless it is a word."""
    value = fields[option]
    return value if option not in _PER_DIM or isinstance(value, str) else each(value, count)


def _declare_layers(count: int) -> None:
    @nn("conv", f"Conv{count}d")
    class Convolution:
        """Slides a kernel over the spatial dims.  Source: torch.nn.Conv2d, "Shape"."""

        reads = staticmethod(_reads)

        def __init__(
            self,
            in_channels: Size,
            out_channels: Size,
            kernel_size: Size | Sizes,
            stride: Size | Sizes = 1,
            padding: Size | Sizes | str = 0,
            dilation: Size | Sizes = 1,
            groups: Size = 1,
            bias: object = True,
            padding_mode: object = "zeros",
            device: object = None,
            dtype: object = None,
        ) -> None: ...

        @staticmethod
        def parameters(fields: Fields) -> Mapping[str, Shape | None]:
            """weight `[out, in / groups, *kernel]`, bias `[out]`."""
            return _parameters(fields, count)

        products = staticmethod(partial(_layer_products, count=count))
        attribute = staticmethod(partial(_attribute, count))

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """Channels as built, spatial dims by the arithmetic of windows."""
            parts = take_apart(input, count, text=_rank_text(input, count, f"conv{count}d"))
            _channels(input, fields.get("in_channels", UNKNOWN), parts, count)
            return _convolved(
                input,
                parts,
                Dim(None, fields["out_channels"]),
                each(fields["kernel_size"], count),
                fields["stride"],
                fields["padding"],
                fields["dilation"],
            )

    _declare_lazy_layer(count, Convolution)


def _declare_lazy_layer(count: int, convolution: type) -> None:
    @nn("conv", f"LazyConv{count}d")
    class LazyConvolution(convolution):  # type: ignore[misc]
        """As the convolution, for any number of input channels."""

        def __init__(
            self,
            out_channels: Size,
            kernel_size: Size | Sizes,
            stride: Size | Sizes = 1,
            padding: Size | Sizes | str = 0,
            dilation: Size | Sizes = 1,
            groups: Size = 1,
            bias: object = True,
            padding_mode: object = "zeros",
            device: object = None,
            dtype: object = None,
        ) -> None: ...


def _declare_transposed_layers(count: int) -> None:
    @nn("conv", f"ConvTranspose{count}d")
    class Transposed:
        """The transpose of a convolution.  Source: torch.nn.ConvTranspose2d, "Shape"."""

        def __init__(
            self,
            in_channels: Size,
            out_channels: Size,
            kernel_size: Size | Sizes,
            stride: Size | Sizes = 1,
            padding: Size | Sizes = 0,
            output_padding: Size | Sizes = 0,
            groups: Size = 1,
            bias: object = True,
            dilation: Size | Sizes = 1,
            padding_mode: object = "zeros",
            device: object = None,
            dtype: object = None,
        ) -> None: ...

        @staticmethod
        def parameters(fields: Fields) -> Mapping[str, Shape | None]:
            """weight `[in, out / groups, *kernel]`, bias `[out]`."""
            return _transposed_parameters(fields, count)

        products = staticmethod(partial(_transposed_layer_products, count=count))
        attribute = staticmethod(partial(_attribute, count))

        @staticmethod
        def forward(fields: Fields, input: Shape, output_size: Size | Sizes | None = None) -> Shape:
            """Channels as built; spatial dims grow by the stride, or to `output_size`."""
            text = _rank_text(input, count, f"conv_transpose{count}d")
            parts = take_apart(input, count, text=text)
            _channels(input, fields.get("in_channels", UNKNOWN), parts, count)
            channels, kernel = Dim(None, fields["out_channels"]), each(fields["kernel_size"], count)
            stride, padding = fields["stride"], fields["padding"]
            extra, dilation = fields["output_padding"], fields["dilation"]
            return _enlarged(parts, channels, kernel, stride, padding, extra, dilation, output_size)

    @nn("conv", f"LazyConvTranspose{count}d")
    class LazyTransposed(Transposed):
        """As the transposed convolution, for any number of input channels."""

        def __init__(
            self,
            out_channels: Size,
            kernel_size: Size | Sizes,
            stride: Size | Sizes = 1,
            padding: Size | Sizes = 0,
            output_padding: Size | Sizes = 0,
            groups: Size = 1,
            bias: object = True,
            dilation: Size | Sizes = 1,
            padding_mode: object = "zeros",
            device: object = None,
            dtype: object = None,
        ) -> None: ...


for _count in (1, 2, 3):
    _declare_functions(_count)
    _declare_layers(_count)
    _declare_transposed_layers(_count)
