"""Functions that the layers of flax.linen and flax.nnx share, and the pools of both.

Features are the last dim, windows slide over the dims before it, and the dims in front are batch.

Facts were measured on flax 0.12.8 (`tests/data/exact_answers.txt` has them).
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import positions, require_equal
from namecheck_runtime.declare import Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import UnequalShapes
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import LayerSize
from namecheck_runtime.rules.nn.spatial import Window, each, extent, resized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from namecheck_runtime.declare import Fields
    from namecheck_runtime.lattice import Dims


def require_last(
    input: Shape, wanted: Size, role: str = "in_features", argument: str = "inputs"
) -> None:
    """Require a last dim of the size that a layer was built for."""
    if input == ():
        raise RankMismatch(shape=input, wanted="at least 1", blame=(Blame(argument),))
    dims = known_dims(input)
    if not dims or dims[-1].size == wanted or dims[-1].size is UNKNOWN:
        return
    size = dims[-1].size
    mistake = LayerSize(
        input=input, wanted=wanted, found=size, role=role, blame=(Blame(argument, -1),)
    )
    require_equal(wanted, size, mistake)


def with_last(input: Shape, *features: Size) -> Shape:
    """The shape with other dims in place of the last one."""
    new_dims = tuple(Dim(None, size) for size in features)
    kept = known_dims(input)[:-1]
    return (*kept, *new_dims) if isinstance(input, tuple) else trailing((*kept, *new_dims))


def features_of(value: object) -> tuple[Size, ...] | None:
    """The sizes of `features`: one, or several; None if their number is not known."""
    if isinstance(value, (int, Symbolic)):
        return (value,)
    if isinstance(value, (tuple, list)):
        return tuple(entry if isinstance(entry, (int, Symbolic)) else UNKNOWN for entry in value)
    return None


def contracted(input: Shape, features: object, axis: object, batched: object) -> Shape:
    """The dims `axis` become the dims `features`, which come last."""
    new_sizes = features_of(features)
    if new_sizes is None or batched != ():
        return UNKNOWN
    if axis == -1:
        require_last(input, UNKNOWN)
        return with_last(input, *new_sizes)
    places = axis if isinstance(axis, (tuple, list)) else (axis,)
    if not isinstance(input, tuple) or not all(isinstance(place, int) for place in places):
        return UNKNOWN
    dropped: Any = positions(input, tuple(places), "inputs")
    kept = (dim for place, dim in enumerate(input) if place not in dropped)
    return (*kept, *(Dim(None, size) for size in new_sizes))


# Windows.


def kernel_sizes(value: object) -> tuple[Size, ...] | None:
    """The kernel along each spatial dim; it has an entry for each."""
    return features_of(value)


def _split(input: Shape, count: int, argument: str) -> tuple[Dims, Dims, bool]:
    """The dims in front, the spatial ones, and whether those in front are all that there are."""
    dims = known_dims(input)
    if isinstance(input, tuple) and len(dims) <= count:
        least = f"at least {count + 1}"
        raise RankMismatch(shape=input, wanted=least, blame=(Blame(argument),))
    if len(dims) <= count:
        dims = (Dim(UNKNOWN, UNKNOWN),) * (count + 1 - len(dims)) + dims
    return dims[: -count - 1], dims[-count - 1 : -1], isinstance(input, tuple)


def slid(
    input: Shape,
    channels: Dim | None,
    kernel: tuple[Size, ...],
    places: Callable[[int, Size], Size],
    argument: str = "inputs",
) -> Shape:
    """The shape after windows over the spatial dims; `channels` None keeps the last dim."""
    front, spatial, has_rank = _split(input, len(kernel), argument)
    if channels is None:
        known = known_dims(input)
        channels = known[-1] if known else Dim(UNKNOWN, UNKNOWN)
    moved = tuple(resized(dim, places(k, dim.size)) for k, dim in enumerate(spatial))
    result = (*front, *moved, channels)
    return result if has_rank else trailing(result)


def pads_of(padding: object, count: int) -> tuple[tuple[Size, Size], ...] | None:
    """The padding before and after each spatial dim; None unless it is given in numbers."""
    if isinstance(padding, (int, Symbolic)):
        return ((padding, padding),) * count
    if not isinstance(padding, (tuple, list)) or len(padding) != count:
        return None
    pads: list[tuple[Size, Size]] = []
    for entry in padding:
        if isinstance(entry, (int, Symbolic)):
            pads.append((entry, entry))
        elif isinstance(entry, (tuple, list)) and len(entry) == 2:
            before, behind = (end if isinstance(end, (int, Symbolic)) else UNKNOWN for end in entry)
            pads.append((before, behind))
        else:
            pads.append((UNKNOWN, UNKNOWN))
    return tuple(pads)


_AS_SAME = frozenset({"SAME", "CIRCULAR", "REFLECT", "CAUSAL"})
"""Paddings that leave every stride one place: the size divided by the stride, rounded up."""


def windows(
    kernel: tuple[Size, ...],
    strides: object,
    padding: object,
    dilation: object = 1,
    spread: object = 1,
) -> Callable[[int, Size], Size]:
    """How many places a window has along dim k of a size; `spread` is the dilation of the input.

    The answer for a `spread` other than 1 is UNKNOWN.
    """
    count = len(kernel)
    steps = each(1 if strides is None else strides, count)
    dilations = each(1 if dilation is None else dilation, count)
    pads = pads_of(padding, count)

    def places(k: int, size: Size) -> Size:
        if spread is not None and spread != 1:
            return UNKNOWN
        if isinstance(padding, str):
            word = padding.upper()
            if word in _AS_SAME:
                return sizes.ceil_divide(size, steps[k])
            if word != "VALID":
                return UNKNOWN
            padded = size
        elif pads is None:
            return UNKNOWN
        else:
            padded = sizes.add(size, sizes.add(*pads[k]))
        number = Window(kernel[k], steps[k], 0, dilations[k]).places(padded)
        # JAX gives an empty dim if the window has no place, and does not raise.
        return max(number, 0) if isinstance(number, int) else number

    return places


def enlarged(
    kernel: tuple[Size, ...], strides: object, padding: object, dilation: object
) -> Callable[[int, Size], Size]:
    """The size of dim k, of a given size, after a transposed convolution.

    Source: jax.lax.conv_transpose.
    """
    count = len(kernel)
    steps = each(1 if strides is None else strides, count)
    dilations = each(1 if dilation is None else dilation, count)
    pads = pads_of(padding, count)

    def places(k: int, size: Size) -> Size:
        grown = sizes.multiply(size, steps[k])
        spans = extent(kernel[k], dilations[k])
        if isinstance(padding, str):
            word = padding.upper()
            if word == "SAME":
                return grown
            if word != "VALID" or not isinstance(spans, int) or not isinstance(steps[k], int):
                return UNKNOWN
            return sizes.add(grown, sizes.maximum(sizes.subtract(spans, steps[k]), 0))
        if pads is None:
            return UNKNOWN
        # (size - 1) * stride + 1, padded, then a window of one stride.
        padded = sizes.add(sizes.subtract(grown, steps[k]), sizes.add(*pads[k]))
        return sizes.add(sizes.subtract(padded, spans), 2)

    return places


def convolved(fields: Fields, inputs: Shape, features: Size, *, transposed: bool = False) -> Shape:
    """Channels as built, spatial dims by the arithmetic of windows.

    The spatial dims of a transposed convolution grow by the stride.
    """
    channels, kernel = Dim(None, features), kernel_sizes(fields["kernel_size"])
    if kernel is None:
        return trailing((channels,))
    steps, padding, dilation = fields["strides"], fields["padding"], fields["kernel_dilation"]
    if transposed:
        places = enlarged(kernel, steps, padding, dilation)
    else:
        places = windows(kernel, steps, padding, dilation, fields["input_dilation"])
    return slid(inputs, channels, kernel, places)


# Attention.


def attended(query: Shape, key: Shape | None, value: Shape | None, features: Size | None) -> Shape:
    """`[*b, T, D], [*b, S, K], [*b, S, V] -> [*b, T, features]`; None: as wide as the query."""
    if isinstance(query, tuple) and len(query) < 2:
        blame = (Blame("inputs_q"),)
        raise RankMismatch(shape=query, wanted="at least 2", blame=blame)
    _require_one_batch(query, key, "inputs_q", "inputs_k", 2)
    _require_one_batch(key, value, "inputs_k", "inputs_v", 1)
    return query if features is None else with_last(query, features)


def _require_one_batch(
    left: Shape | None, right: Shape | None, first: str, second: str, count: int
) -> None:
    """Require all but the last `count` dims to be the same."""
    if not isinstance(left, tuple) or not isinstance(right, tuple) or len(left) != len(right):
        return
    for place in range(len(left) - count):
        mine, other = left[place].size, right[place].size
        text = (
            f"{first} and {second} must have the same size at dim {place}: got {mine} and {other}"
        )
        mistake = UnequalShapes(
            text=text,
            left=left,
            right=right,
            position=place - len(left),
            left_size=mine,
            right_size=other,
            blame=(Blame(first), Blame(second)),
        )
        require_equal(mine, other, mistake)


# Pools.


def _declare_pool(name: str, *modules: str) -> None:
    @op(*(f"{module}.{name}" for module in modules))
    def pool(
        inputs: Shape,
        window_shape: object,
        strides: object = None,
        padding: object = "VALID",
        count_include_pad: object = True,
    ) -> Shape:
        """Windows over the dims before the last one.  Source: flax.linen.pooling."""
        kernel = kernel_sizes(window_shape)
        if kernel is None:
            return UNKNOWN
        return slid(inputs, None, kernel, windows(kernel, strides, padding))


for _name in ("avg_pool", "max_pool"):
    _declare_pool(_name, "flax.linen", "flax.linen.pooling", "flax.nnx")
_declare_pool("min_pool", "flax.nnx", "flax.linen.pooling")
