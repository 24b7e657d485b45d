"""Padding: layers over one to three spatial dims, and torch.nn.functional.pad."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import each_dim
from namecheck_runtime.declare import Fields, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Truth, known_dims, trailing
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.nn.spatial import each, nn, resized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MODES = {"reflect": 1, "circular": 0}
"""Modes that copy from the dim itself, and by how much the padding must be smaller than it."""


def _padded(input: Shape, pads: Sequence[Size], mode: object, argument: str = "input") -> Shape:
    """The shape with `pads` added, two per dim, the last dim first.

    Source: torch.nn.functional.pad.  Raises BadExtent if a dim would get a negative size, or if
    the padding reflects or wraps more elements than there are.
    """
    dims = list(known_dims(input))
    for place in range(len(pads) // 2):
        if place >= len(dims):
            break
        dim = dims[-1 - place]
        before, after = pads[2 * place], pads[2 * place + 1]
        if mode in _MODES:
            for pad in (before, after):
                _require_source(input, dim, pad, _MODES[str(mode)], place, argument)
        size = sizes.add(dim.size, sizes.add(before, after))
        if isinstance(size, int) and size < 0:
            text = (
                f"The input size {dim.size}, plus negative padding {before} and {after} resulted "
                "in a negative output size, which is invalid. Check dimension "
                f"{len(dims) - 1 - place} of your input."
            )
            reason = f"padding by {before} and {after} gives dim {-1 - place} a negative size"
            raise BadExtent(
                shape=input, reason=reason, text=text, blame=(Blame(argument, -1 - place),)
            )
        dims[-1 - place] = resized(dim, size)
    return tuple(dims) if isinstance(input, tuple) else trailing(tuple(dims))


def _require_source(
    input: Shape, dim: Dim, pad: Size, least: int, place: int, argument: str
) -> None:
    needed = sizes.add(pad, least)
    if sizes.at_most(needed, dim.size) is not Truth.NO:
        return
    text = (
        "Argument #4: Padding size should be less than the corresponding input dimension, but got: "
        f"padding ({pad}) at dimension {-1 - place} of input {size_list(input)}"
    )
    if not least:
        text = "Padding value causes wrapping around more than once."
    reason = f"padding by {pad} needs more elements than dim {-1 - place} has"
    raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame(argument, -1 - place),))


@op("torch.nn.functional.pad")
def pad(
    input: Shape, pad: Size | Sizes | None, mode: object = "constant", value: object = None
) -> Shape:
    """Adds to both ends of the last dims.  Torch refused names; they are kept.

    Source: torch.nn.functional.pad; `constant` pads any dims, the other modes the last one to three
    after the channels.
    """
    if not isinstance(pad, tuple):
        return each_dim(input, lambda dim: dim.resize(UNKNOWN))
    dims = known_dims(input)
    if isinstance(input, tuple):
        if isinstance(mode, str) and mode != "constant" and len(pad) in (2, 4, 6):
            ranks = (len(pad) // 2 + 1, len(pad) // 2 + 2)
            if len(dims) not in ranks:
                words = f"{ranks[0]} or {ranks[1]}"
                text = "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now"
                raise RankMismatch(shape=input, wanted=words, text=text, blame=(Blame("input"),))
    if len(pad) % 2:
        text = "Padding length must be divisible by 2"
        reason = "it needs two entries per dim, one for each end"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("pad"),))
    return _padded_any(input, pad, mode)


def _padded_any(input: Shape, pad: tuple[Size, ...], mode: object = "constant") -> Shape:
    if isinstance(input, tuple) and len(pad) // 2 > len(input):
        text = "Padding length should be less than or equal to two times the input dimension"
        least = f"at least {len(pad) // 2}"
        raise RankMismatch(shape=input, wanted=least, text=text, blame=(Blame("input"),))
    return _padded(input, pad, mode)


@op("torch.constant_pad_nd")
def constant_pad_nd(input: Shape, pad: Sizes, value: object = 0) -> Shape:
    """As `pad`, with one value."""
    return _padded_any(input, tuple(pad))


def _check_rank(input: Shape, count: int) -> Dims:
    dims = known_dims(input)
    has_rank = isinstance(input, tuple)
    if len(dims) > count + 2 or (has_rank and len(dims) <= count):
        words = f"{count + 1} or {count + 2}"
        text = f"expected {count + 1}D or {count + 2}D input (got {len(dims)}D input)"
        raise RankMismatch(shape=input, wanted=words, text=text, blame=(Blame("input"),))
    return dims


def _declare_layers(prefix: str, mode: str, any_rank: bool) -> None:
    for count in (1, 2, 3):
        _declare_layer(prefix, mode, count, any_rank)


def _declare_layer(prefix: str, mode: str, count: int, any_rank: bool) -> None:
    def forward(fields: Fields, input: Shape) -> Shape:
        """Adds to both ends of the spatial dims."""
        pads = each(fields["padding"], 2 * count)
        if not any_rank:
            _check_rank(input, count)
        elif isinstance(input, tuple) and len(input) < count:
            raise RankMismatch(shape=input, wanted=f"at least {count}", blame=(Blame("input"),))
        return _padded(input, pads, mode)

    if prefix == "Constant":

        def build(self: object, padding: Size | Sizes, value: object) -> None: ...

    else:

        def build(self: object, padding: Size | Sizes) -> None: ...  # type: ignore[misc]

    members = {"__init__": build, "forward": staticmethod(forward), "__module__": __name__}
    nn("padding", f"{prefix}Pad{count}d")(type(f"{prefix}Pad", (), members))


_declare_layers("Constant", "constant", True)
_declare_layers("Zero", "constant", True)
_declare_layers("Reflection", "reflect", False)
_declare_layers("Replication", "replicate", False)
_declare_layers("Circular", "circular", False)
