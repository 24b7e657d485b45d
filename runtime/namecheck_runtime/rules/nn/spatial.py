"""Functions that convolutions, pools, pads and resizes share.

They are about the channels and spatial dims of an input whose batch may be missing, arguments for
every spatial dim, and the places of a window.  No op is declared here.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Shape,
    Size,
    Symbolic,
    Truth,
    known_dims,
    trailing,
)
from namecheck_runtime.layers import layer
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

_ANY = Dim(UNKNOWN, UNKNOWN)


class Spatial(NamedTuple):
    """An input `[N?, C, *spatial]` taken apart."""

    batch: Dims | None
    """The dims before the channels: none or one; None if that is not known."""
    channel: Dim
    dims: Dims
    """The spatial dims: as many as the op has, with unknown dims in front."""

    def put(self, channel: Dim, dims: Dims) -> Shape:
        """The shape with this batch and other channels and spatial dims."""
        if self.batch is None:
            return trailing((channel, *dims))
        return (*self.batch, channel, *dims)


def take_apart(
    input: Shape, count: int, argument: str = "input", unbatched: bool = True, text: str = ""
) -> Spatial:
    """The input of an op over `count` spatial dims; raises RankMismatch for any other rank."""
    dims = known_dims(input)
    least, most = count + (1 if unbatched else 2), count + 2
    has_rank = isinstance(input, tuple)
    # More known dims than the op takes are too many, whatever the rank.
    if len(dims) > most or (has_rank and len(dims) < least):
        words = f"{least} or {most}" if unbatched else f"{most}"
        raise RankMismatch(shape=input, wanted=words, text=text, blame=(Blame(argument),))
    spatial = dims[-count:] if count else ()
    spatial = (_ANY,) * (count - len(spatial)) + spatial
    channel = dims[-count - 1] if len(dims) > count else _ANY
    known = has_rank or len(dims) == most
    return Spatial(dims[: len(dims) - count - 1] if known else None, channel, spatial)


def each(value: Any, count: int) -> tuple[Size, ...]:
    """An argument that is one size for all `count` spatial dims, or one for each."""
    if isinstance(value, (int, Symbolic)):
        return (value,) * count
    if isinstance(value, (tuple, list)):
        entries = tuple(v if isinstance(v, (int, Symbolic)) else UNKNOWN for v in value)
        if len(entries) == 1:
            return entries * count
        if len(entries) == count:
            return entries
    return (UNKNOWN,) * count


def resized(dim: Dim, size: Size) -> Dim:
    """The dim with another size; the dim itself when the size stays."""
    return dim if dim.size == size else dim.resize(size)


def extent(kernel: Size, dilation: Size) -> Size:
    """How much of the input one window spans: `dilation * (kernel - 1) + 1`."""
    return sizes.add(sizes.multiply(dilation, sizes.subtract(kernel, 1)), 1)


class Window(NamedTuple):
    """A window along one dim, as the arguments describe it."""

    kernel: Size
    stride: Size = 1
    padding: Size = 0
    dilation: Size = 1
    ceil: bool = False

    def places(self, size: Size) -> Size:
        """How many places the window has along `size`; UNKNOWN if an argument is.

        Source: the formulas in torch.nn.Conv2d and torch.nn.MaxPool2d.
        """
        padded = sizes.add(size, sizes.multiply(2, self.padding))
        room = sizes.subtract(padded, extent(self.kernel, self.dilation))
        if self.stride == 1:
            return sizes.add(room, 1)
        # (room + stride) // stride, not room // stride + 1: so `kernel == stride` gives size // k.
        if not self.ceil:
            return sizes.floor_divide(sizes.add(room, self.stride), self.stride)
        return self._ceiled(size, room)

    def _ceiled(self, size: Size, room: Size) -> Size:
        """Rounded up, without a last window that would start in the padding after the input."""
        spans = extent(self.kernel, self.dilation)
        # ceil(room / stride) * stride < room + stride, which is where the padding begins at most.
        behind = sizes.subtract(sizes.subtract(spans, self.padding), self.stride)
        if isinstance(behind, int) and behind >= 0 and self.stride != 0:
            return sizes.ceil_divide(sizes.add(room, self.stride), self.stride)
        numbers = (size, room, self.stride, self.padding)
        if not all(isinstance(number, int) for number in numbers) or self.stride == 0:
            known = all(number is not UNKNOWN for number in numbers)
            return sizes.opaque("ceil_places", *numbers) if known else UNKNOWN
        count = sizes.add(sizes.ceil_divide(room, self.stride), 1)
        starts = sizes.multiply(sizes.subtract(count, 1), self.stride)
        past = sizes.at_most(sizes.add(size, self.padding), starts)
        return sizes.subtract(count, 1) if past is Truth.YES else count


def require_room(
    input: Shape, places: Size, back: int, text: Callable[[], str], argument: str = "input"
) -> None:
    """Raise BadExtent if a window certainly has no place along the dim `back` from the right."""
    if isinstance(places, int) and places < 1:
        raise BadExtent(
            shape=input,
            reason="the window is larger than the input with its padding",
            text=text(),
            blame=(Blame(argument, back),),
        )


def is_true(flag: object) -> Truth:
    """Whether a flag is true, as far as it is known."""
    if flag is UNKNOWN:
        return Truth.MAYBE
    return Truth.YES if flag else Truth.NO


def both(left: object, right: object) -> object:
    truths = (is_true(left), is_true(right))
    if Truth.NO in truths:
        return False
    return UNKNOWN if Truth.MAYBE in truths else True


def is_settled(flag: object) -> bool:
    """Whether a flag is known."""
    return is_true(flag) is not Truth.MAYBE


def tensor(*dims: Size) -> Dims:
    """The shape of a parameter that a layer makes: unnamed dims of these sizes."""
    return tuple(Dim(None, size) for size in dims)


def optional(shapes: dict[str, Shape | None], name: str, flag: object, shape: Shape) -> None:
    """Add a parameter, None without `flag`; leave it out if the flag is not known."""
    exists = is_true(flag)
    if exists is not Truth.MAYBE:
        shapes[name] = shape if exists.definite else None


def nn(module: str, *names: str) -> Callable[[type], type]:
    """Declare a layer of torch.nn under its public path and the path of its module."""
    paths = [f"torch.nn.{name}" for name in names]
    paths += [f"torch.nn.modules.{module}.{name}" for name in names]
    return layer(*paths)


def value_of(text: str) -> object:
    """The default that a word of a declaration has behind its `=`: `0.5`, `False`, `mean`, none."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text.lstrip("-").isdigit():
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text


_CONSTANTS = {"": None, "True": True, "False": False}


def size_list(values: Sequence[Size]) -> str:
    """Sizes as PyTorch's texts print them: `3, 3`."""
    return ", ".join(map(str, values))
