"""Maps of other sizes, or read at other places, and borders of maps."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import along_dim, moved
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."

# -- other sizes -----------------------------------------------------------------------------------


@composite(f"{_F}interpolate")
def interpolate(
    input: Any,
    size: Any,
    scale_factor: Any,
    mode: Any,
    align_corners: Any,
    recompute_scale_factor: Any,
    antialias: Any,
) -> Any:
    """By matrices along each dim, which are what the op makes of the unit vectors."""
    keywords = {
        "size": size,
        "scale_factor": scale_factor,
        "mode": mode,
        "align_corners": align_corners,
        "recompute_scale_factor": recompute_scale_factor,
        "antialias": antialias,
    }
    return _separately(input, f"{_F}interpolate", keywords)


def _separately(input: Any, path: str, options: dict[str, Any]) -> Any:
    """Each dim resized by itself; an option that is None was left out."""
    keywords = {word: value for word, value in options.items() if value is not None}
    spatial = list(input.shape[2:])
    for place, size in enumerate(spatial):
        shape = [1] * len(spatial)
        shape[place] = size
        units = call("torch.eye", size, dtype=input.dtype, device=input.device).reshape(
            [size, 1, *shape]
        )
        units = units.expand([size, 1, *spatial]).contiguous()
        spread = call(path, units, **keywords)[:, 0]
        for other in range(len(spatial) - 1, -1, -1):
            if other != place:
                spread = spread.select(1 + other, 0)
        input = along_dim(input, spread.transpose(0, 1), 2 + place)
    return input


@composite(f"{_F}upsample")
def upsample(input: Any, size: Any, scale_factor: Any, mode: Any, align_corners: Any) -> Any:
    """The old name."""
    keywords = {"size": size, "scale_factor": scale_factor, "mode": mode}
    return _separately(input, f"{_F}interpolate", {**keywords, "align_corners": align_corners})


for _op in ("upsample_nearest", "upsample_bilinear"):

    def _compute(input: Any, size: Any, scale_factor: Any, _path: str = f"{_F}{_op}") -> Any:
        return _separately(input, _path, {"size": size, "scale_factor": scale_factor})

    composite(f"{_F}{_op}", function=_compute)


@composite(f"{_F}affine_grid")
def affine_grid(theta: Any, size: Any, align_corners: Any) -> Any:
    """The grid of the identity, moved by each matrix."""
    rank = len(size) - 2
    unit = call("torch.eye", rank, rank + 1, dtype=theta.dtype, device=theta.device).unsqueeze(0)
    grid = call(f"{_F}affine_grid", unit, [1, *size[1:]], align_corners)
    flat = grid.reshape(1, -1, rank)
    ones = call("torch.ones", 1, flat.shape[1], 1, dtype=theta.dtype, device=theta.device)
    points = call("torch.cat", [flat, ones], 2)
    return (points @ theta.transpose(1, 2)).reshape([size[0], *size[2:], rank])


# -- places between elements -----------------------------------------------------------------------


def _clipped(place: Any, size: int) -> Any:
    """Places moved to the nearest element; those that move do not depend on where they were."""
    inside = (place > 0) & (place < size - 1)
    return call("torch.where", inside, place, place.detach().clamp(0, size - 1))


def _reflected(place: Any, size: int, align: bool) -> Any:
    low, high = (0, size - 1) if align else (-0.5, size - 0.5)
    if high == low:
        return place * 0
    span = high - low
    away = call("torch.where", place < low, low - place, place - low)
    turns = (away.detach() / span).floor()
    rest = away - turns * span
    return call("torch.where", turns % 2 == 0, rest + low, high - rest)


def _placed(place: Any, size: int, mode: Any, align: bool) -> Any:
    """Places with those outside of a dim moved inside by the padding mode."""
    if mode == "reflection":
        place = _reflected(place, size, align)
    return _clipped(place, size) if mode in ("border", "reflection") else place


def _cubic_weights(part: Any, a: float = -0.75) -> list[Any]:
    """The weights of the four elements around a place, which is `part` after the second.

    Keys, Cubic convolution interpolation for digital image processing, 1981.
    """

    def near(away: Any) -> Any:
        return ((a + 2) * away - (a + 3)) * away * away + 1

    def far(away: Any) -> Any:
        return ((a * away - 5 * a) * away + 8 * a) * away - 4 * a

    return [far(part + 1), near(part), near(1 - part), far(2 - part)]


def _around(place: Any, size: int, mode: Any, padding: Any, align: bool) -> list[tuple[Any, Any]]:
    """The elements of a dim that a place reads: the place and the weight of each."""
    if mode == "bicubic":
        # The cubic filter moves the four elements around a place inside, not the place.
        low = place.detach().floor()
        weights = _cubic_weights(place - low)
        steps: Any = range(-1, 3)
    else:
        place = _placed(place, size, padding, align)
        if mode == "nearest":
            low, weights, steps = place.detach().round(), [None], (0,)
        else:
            low = place.detach().floor()
            weights, steps = [1 - (place - low), place - low], (0, 1)
    read = []
    for step, weight in zip(steps, weights, strict=True):
        near = low + step
        if mode == "bicubic":
            near = _placed(near, size, padding, align)
        is_there = ((near >= 0) & (near < size)).to(dtype=place.dtype)
        index = near.nan_to_num().clamp(0, size - 1).long()
        read.append((index, is_there if weight is None else weight * is_there))
    return read


@composite(f"{_F}grid_sample")
def grid_sample(input: Any, grid: Any, mode: Any, padding_mode: Any, align_corners: Any) -> Any:
    """`[N, C, *sizes]` read at `[N, *new, dims]`; the place in the last dim comes first there."""
    align = bool(align_corners)
    sizes = list(input.shape[2:])
    batch, channels = input.shape[:2]
    new = list(grid.shape[1:-1])
    read: list[tuple[Any, Any]] = [(0, 1)]
    for dim, size in enumerate(sizes):
        place = grid.select(-1, len(sizes) - 1 - dim)
        place = (place + 1) / 2 * (size - 1) if align else ((place + 1) * size - 1) / 2
        read = [
            (index * size + next_index, weight * next_weight)
            for index, weight in read
            for next_index, next_weight in _around(place, size, mode, padding_mode, align)
        ]
    flat = input.reshape(batch, channels, prod(sizes))
    sampled: Any = 0
    for index, weight in read:
        places = index.reshape(batch, 1, prod(new)).expand((batch, channels, prod(new)))
        values = flat.gather(2, places).reshape([batch, channels, *new])
        sampled = sampled + values * weight.unsqueeze(1)
    return sampled


# -- borders and channels --------------------------------------------------------------------------


def _cropped(grad: Any, pad: Any, mode: Any, again: Any, form: Any) -> Any:
    if mode != "constant":
        return moved(grad, again, form)
    return _without(grad, pad, form)


def _without(grad: Any, pad: Any, form: Any) -> Any:
    """The gradient without its borders; where the operand was cut, zeros."""
    whole = grad
    for place in range(len(pad) // 2):
        dim = grad.ndim - 1 - place
        before, after = pad[2 * place], pad[2 * place + 1]
        begin, end = max(before, 0), grad.shape[dim] - max(after, 0)
        whole = whole.narrow(dim, begin, max(end - begin, 0))
        parts = []
        for cut in (before, None, after):
            if cut is None:
                parts.append(whole)
            elif cut < 0:
                sizes = list(whole.shape)
                sizes[dim] = -cut
                parts.append(call("torch.zeros", sizes, dtype=grad.dtype, device=grad.device))
        whole = call("torch.cat", parts, dim) if len(parts) > 1 else whole
    return whole.reshape(form.sizes)


derivative(f"{_F}pad", name="ConstantPadNd", input=_cropped)
derivative("torch.constant_pad_nd", input=lambda grad, pad, form: _without(grad, pad, form))
for _op in ("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"):
    derivative(f"{_F}{_op}", input=moved)
