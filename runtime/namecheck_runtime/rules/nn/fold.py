"""Regrouping of channels and spatial dims: shuffles, sliding blocks, flatten and unflatten."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import fresh, require_equal
from namecheck_runtime.declare import DimRef, Fields, Memory, Shape, Size, Sizes, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Unknown, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, LayerSize
from namecheck_runtime.rules.nn.spatial import Window, each, nn, resized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_UNKNOWN = Dim(UNKNOWN, UNKNOWN)


def _last_three(input: Shape, op_name: str) -> Dims:
    """The last three dims; those that are not known are unknown dims."""
    dims = known_dims(input)
    if isinstance(input, tuple) and len(input) < 3:
        text = (
            f"{op_name} expects input to have at least 3 dimensions, but got input with "
            f"{len(input)} dimension(s)"
        )
        raise RankMismatch(shape=input, wanted="at least 3", text=text, blame=(Blame("input"),))
    return (_UNKNOWN,) * (3 - len(dims)) + dims[-3:]


def _put_last(input: Shape, dims: Dims) -> Shape:
    """The input with its last three dims replaced."""
    if isinstance(input, tuple):
        return (*input[:-3], *dims)
    return trailing((*known_dims(input)[:-3], *dims))


def _shuffled(input: Shape, factor: Size) -> Shape:
    """`[*, C * r * r, H, W]` to `[*, C, H * r, W * r]`.  Source: torch.nn.PixelShuffle."""
    channel, height, width = _last_three(input, "pixel_shuffle")
    square = sizes.multiply(factor, factor)
    if isinstance(channel.size, int) and isinstance(square, int) and square > 0:
        if channel.size % square:
            text = (
                "pixel_shuffle expects its input's 'channel' dimension to be divisible by the "
                f"square of upscale_factor, but input.size(-3)={channel.size} is not divisible by "
                f"{square}"
            )
            reason = f"{channel.size} channels are not divisible by {square}"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", -3),))
    dims = (
        resized(channel, sizes.divide_exactly(channel.size, square)),
        resized(height, sizes.multiply(height.size, factor)),
        resized(width, sizes.multiply(width.size, factor)),
    )
    return _put_last(input, dims)


def _unshuffled(input: Shape, factor: Size) -> Shape:
    """`[*, C, H * r, W * r]` to `[*, C * r * r, H, W]`.  Source: torch.nn.PixelUnshuffle."""
    channel, height, width = _last_three(input, "pixel_unshuffle")
    for dim, back, word in ((height, 2, "height"), (width, 1, "width")):
        if isinstance(dim.size, int) and isinstance(factor, int) and factor > 0:
            if dim.size % factor:
                text = (
                    f"pixel_unshuffle expects {word} to be divisible by downscale_factor, but "
                    f"input.size(-{back})={dim.size} is not divisible by {factor}"
                )
                reason = f"its {word} {dim.size} is not divisible by {factor}"
                raise BadExtent(
                    shape=input, reason=reason, text=text, blame=(Blame("input", -back),)
                )
    dims = (
        resized(channel, sizes.multiply(channel.size, sizes.multiply(factor, factor))),
        resized(height, sizes.floor_divide(height.size, factor)),
        resized(width, sizes.floor_divide(width.size, factor)),
    )
    return _put_last(input, dims)


@op("torch.nn.functional.pixel_shuffle", "torch.pixel_shuffle")
def pixel_shuffle(input: Shape, upscale_factor: Size) -> Shape:
    """Channels into space: `[*, C * r * r, H, W]` to `[*, C, H * r, W * r]`; names stay."""
    return _shuffled(input, upscale_factor)


@op("torch.nn.functional.pixel_unshuffle", "torch.pixel_unshuffle")
def pixel_unshuffle(input: Shape, downscale_factor: Size) -> Shape:
    """Space into channels: `[*, C, H * r, W * r]` to `[*, C * r * r, H, W]`; names stay."""
    return _unshuffled(input, downscale_factor)


@nn("pixelshuffle", "PixelShuffle")
class PixelShuffle:
    """Channels into space.  Source: torch.nn.PixelShuffle."""

    def __init__(self, upscale_factor: Size) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """`[*, C * r * r, H, W]` to `[*, C, H * r, W * r]`."""
        return _shuffled(input, fields["upscale_factor"])


@nn("pixelshuffle", "PixelUnshuffle")
class PixelUnshuffle:
    """Space into channels.  Source: torch.nn.PixelUnshuffle."""

    def __init__(self, downscale_factor: Size) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """`[*, C, H * r, W * r]` to `[*, C * r * r, H, W]`."""
        return _unshuffled(input, fields["downscale_factor"])


@op(
    "torch.nn.functional.channel_shuffle",
    "torch.channel_shuffle",
    "torch.nn.functional.native_channel_shuffle",
    "torch.native_channel_shuffle",
)
def channel_shuffle(input: Shape, groups: Size) -> Shape:
    """Reorders channels; dims stay.  Source: torch.nn.ChannelShuffle."""
    if not isinstance(input, tuple):
        return input
    if len(input) < 3:
        text = (
            f"channel_shuffle expects input with > 2 dims, but got input with sizes "
            f"{[dim.size for dim in input]}"
        )
        raise RankMismatch(shape=input, wanted="at least 3", text=text, blame=(Blame("input"),))
    channels = input[1].size
    if isinstance(channels, int) and isinstance(groups, int) and groups > 0 and channels % groups:
        text = (
            "Number of channels must be divisible by groups. Got "
            f"{channels} channels and {groups} groups."
        )
        reason = f"{channels} channels do not make {groups} groups"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", 1),))
    return input


@nn("channelshuffle", "ChannelShuffle")
class ChannelShuffle:
    """Reorders channels.  Source: torch.nn.ChannelShuffle."""

    def __init__(self, groups: Size) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input."""
        return channel_shuffle(input, fields["groups"])


# Sliding blocks: `[N?, C, H, W]` to `[N?, C * kernel, places]`.


def _blocks(input: Shape, fields: Mapping[str, object]) -> Shape:
    """The blocks that a kernel slides over.  Source: torch.nn.Unfold, "Shape"."""
    dims = known_dims(input)
    if isinstance(input, tuple) and len(input) not in (3, 4):
        text = f"Expected 3D or 4D (batch mode) tensor for input, but got {len(input)}D"
        raise RankMismatch(shape=input, wanted="3 or 4", text=text, blame=(Blame("input"),))
    channel, height, width = (_UNKNOWN,) * (3 - len(dims)) + dims[-3:]
    kernel = each(fields["kernel_size"], 2)
    counts = _block_counts((height.size, width.size), fields)
    for count in counts:
        if isinstance(count, int) and count < 1:
            text = (
                f"Given input with spatial size ({height.size}, {width.size}), kernel_size="
                f"({kernel[0]}, {kernel[1]}), calculated shape of the array of sliding blocks as "
                f"({counts[0]}, {counts[1]}), but its components must be at least one."
            )
            reason = "the kernel is larger than the input with its padding"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input"),))
    result = (
        Dim(None, sizes.multiply(channel.size, sizes.product(kernel))),
        Dim(None, sizes.product(counts)),
    )
    if isinstance(input, tuple):
        return (*input[:-3], *result)
    return trailing(result)


def _block_counts(spatial: tuple[Size, ...], fields: Mapping[str, object]) -> tuple[Size, ...]:
    named = ("kernel_size", "stride", "padding", "dilation")
    kernel, stride, padding, dilation = (each(fields[name], 2) for name in named)
    # A quotient by a symbol counts as exact; a product of such quotients need not be.
    return tuple(
        Window(kernel[k], stride[k], padding[k], dilation[k]).places(size)
        if isinstance(stride[k], int)
        else UNKNOWN
        for k, size in enumerate(spatial)
    )


def _folded(input: Shape, fields: Mapping[str, object]) -> Shape:
    """Blocks put back: `[N?, C * kernel, places]` to `[N?, C, *output]`.  Source: torch.nn.Fold."""
    dims = known_dims(input)
    if isinstance(input, tuple) and len(input) not in (2, 3):
        text = (
            "Input Error: Only unbatched (2D) or batched (3D) input Tensors are supported, got "
            f"{len(input)}D"
        )
        raise RankMismatch(shape=input, wanted="2 or 3", text=text, blame=(Blame("input"),))
    blocks, places = (_UNKNOWN,) * (2 - len(dims)) + dims[-2:]
    output = each(fields["output_size"], 2)
    kernel = sizes.product(each(fields["kernel_size"], 2))
    counts = sizes.product(_block_counts(output, fields))
    if isinstance(blocks.size, int) and isinstance(kernel, int) and kernel > 0:
        if blocks.size % kernel:
            text = (
                "Expected size of input's dimension 1 to be divisible by the product of "
                f"kernel_size, but got input.size(1)={blocks.size} and kernel_size="
                f"{each(fields['kernel_size'], 2)}."
            )
            reason = f"its {blocks.size} rows are not divisible by the kernel's {kernel}"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", -2),))
    mistake = LayerSize(
        input=input,
        wanted=counts,
        found=places.size,
        role="number of blocks",
        blame=(Blame("input", -1),),
    )
    require_equal(counts, places.size, mistake)
    result = (Dim(None, sizes.divide_exactly(blocks.size, kernel)), *map(fresh, output))
    if isinstance(input, tuple):
        return (*input[:-2], *result)
    return trailing(result)


@op("torch.nn.functional.unfold")
def unfold(
    input: Shape,
    kernel_size: Size | Sizes,
    dilation: Size | Sizes = 1,
    padding: Size | Sizes = 0,
    stride: Size | Sizes = 1,
) -> Shape:
    """Sliding blocks as columns: `[N?, C, H, W]` to `[N?, C * kernel, places]`."""
    options = {
        "kernel_size": kernel_size,
        "dilation": dilation,
        "padding": padding,
        "stride": stride,
    }
    return _blocks(input, options)


@op("torch.nn.functional.fold")
def fold(
    input: Shape,
    output_size: Size | Sizes,
    kernel_size: Size | Sizes,
    dilation: Size | Sizes = 1,
    padding: Size | Sizes = 0,
    stride: Size | Sizes = 1,
) -> Shape:
    """Columns put back as sliding blocks: `[N?, C * kernel, places]` to `[N?, C, *output]`."""
    options = {
        "output_size": output_size,
        "kernel_size": kernel_size,
        "dilation": dilation,
        "padding": padding,
        "stride": stride,
    }
    return _folded(input, options)


@nn("fold", "Unfold")
class Unfold:
    """Sliding blocks as columns.  Source: torch.nn.Unfold, "Shape"."""

    def __init__(
        self,
        kernel_size: Size | Sizes,
        dilation: Size | Sizes = 1,
        padding: Size | Sizes = 0,
        stride: Size | Sizes = 1,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """`[N?, C, H, W]` to `[N?, C * kernel, places]`."""
        return _blocks(input, fields)


@nn("fold", "Fold")
class Fold:
    """Columns put back as sliding blocks.  Source: torch.nn.Fold, "Shape"."""

    def __init__(
        self,
        output_size: Size | Sizes,
        kernel_size: Size | Sizes,
        dilation: Size | Sizes = 1,
        padding: Size | Sizes = 0,
        stride: Size | Sizes = 1,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """`[N?, C * kernel, places]` to `[N?, C, *output]`."""
        return _folded(input, fields)


# Layers of the ops flatten and unflatten.


@nn("flatten", "Flatten")
class Flatten:
    """Merges dims, by default all but the first.  Source: torch.nn.Flatten."""

    memory = Memory.FOLLOWS

    def __init__(self, start_dim: DimRef = 1, end_dim: DimRef = -1) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """As torch.flatten."""
        result: Shape = apply("torch.flatten", input, fields["start_dim"], fields["end_dim"])
        return result


@nn("flatten", "Unflatten")
class Unflatten:
    """Splits one dim into several.  Source: torch.nn.Unflatten."""

    memory = Memory.FOLLOWS

    def __init__(self, dim: DimRef, unflattened_size: Size | Sizes | object) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """As torch.unflatten."""
        wanted = fields["unflattened_size"]
        if isinstance(wanted, Unknown):
            return UNKNOWN
        result: Shape = apply("torch.unflatten", input, fields["dim"], wanted)
        return result
