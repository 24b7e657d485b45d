"""Resizing spatial dims: interpolate and its layers, sampling on a grid."""

from __future__ import annotations

from math import floor, isfinite

from namecheck_runtime import sizes
from namecheck_runtime.algebra import fresh, require_equal
from namecheck_runtime.declare import Fields, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Symbolic, known_dims, unknown_dims
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize, LayerSize
from namecheck_runtime.rules import effects
from namecheck_runtime.rules.nn.spatial import nn, resized

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_RANKS = {"linear": 3, "bilinear": 4, "bicubic": 4, "lanczos": 4, "trilinear": 5}
"""Modes that exist for one number of spatial dims."""


def _interpolated(input: Shape, size: object, scale: object, mode: object) -> Shape:
    """The shape `[N, C, *spatial]` with other spatial sizes.  Source: torch.nn.Upsample, "Shape".

    Raises RankMismatch for a rank that the mode does not take, or a wrong number of sizes.
    """
    if not isinstance(input, tuple):
        input = _with_rank(input, size, mode)
        if not isinstance(input, tuple):
            return UNKNOWN
    _check_mode(input, mode)
    spatial = input[2:]
    if size is not None:
        if isinstance(size, (tuple, list)):
            _check_count(input, len(size), f"output size of {list(size)}", "size")
            wanted = tuple(size)
        else:
            wanted = (size,) * len(spatial)
        dims = tuple(
            resized(dim, entry if isinstance(entry, (int, Symbolic)) else UNKNOWN)
            for dim, entry in zip(spatial, wanted, strict=True)
        )
        return (*input[:2], *dims)
    if isinstance(scale, (tuple, list)):
        _check_count(input, len(scale), f"scale_factor of {list(scale)}", "scale_factor")
        factors = tuple(scale)
    else:
        factors = (scale,) * len(spatial)
    dims = tuple(_scaled(dim, factor) for dim, factor in zip(spatial, factors, strict=True))
    return (*input[:2], *dims)


def _with_rank(input: Shape, size: object, mode: object) -> Shape:
    """An input of unknown rank, with the rank that the mode or the number of sizes implies."""
    rank = _RANKS.get(mode) if isinstance(mode, str) else None
    if rank is None and isinstance(size, (tuple, list)) and len(size) in (1, 2, 3):
        rank = len(size) + 2
    dims = known_dims(input)
    if rank is None or len(dims) > rank:
        return UNKNOWN
    return (*unknown_dims(rank - len(dims)), *dims)


def _check_mode(input: Dims, mode: object) -> None:
    wanted = _RANKS.get(mode) if isinstance(mode, str) else None
    if wanted is not None and len(input) != wanted:
        text = (
            f"Got {len(input)}D input, but {mode} mode needs {wanted}D input"
            if 3 <= len(input) <= 5
            else "Input Error: Only 3D, 4D and 5D input Tensors supported (got "
            f"{len(input)}D) for the modes: nearest | linear | bilinear | bicubic | trilinear"
        )
        raise RankMismatch(shape=input, wanted=f"{wanted}", text=text, blame=(Blame("input"),))
    if not 3 <= len(input) <= 5:
        text = (
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {len(input)}D) for the "
            f"modes: nearest | linear | bilinear | bicubic | trilinear (got {mode})"
        )
        raise RankMismatch(shape=input, wanted="3, 4 or 5", text=text, blame=(Blame("input"),))


def _check_count(input: Dims, count: int, words: str, argument: str) -> None:
    if count != len(input) - 2:
        spatial = [dim.size for dim in input[2:]]
        text = (
            "Input and output must have the same number of spatial dimensions, but got input with "
            f"spatial dimensions of {spatial} and {words}. Please provide input tensor in (N, C, "
            "d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
        )
        blame = (Blame("input"), Blame(argument))
        raise RankMismatch(shape=input, wanted=str(count + 2), text=text, blame=blame)


def _scaled(dim: Dim, factor: object) -> Dim:
    """The dim times a factor, rounded down."""
    if isinstance(factor, (int, Symbolic)):
        return resized(dim, sizes.multiply(dim.size, factor))
    if isinstance(factor, float) and isinstance(dim.size, int):
        return resized(dim, sizes.rounded(floor, dim.size * factor))
    if isinstance(factor, float) and dim.size is not UNKNOWN:
        return _scaled_by_float(dim, factor)
    return dim.resize(UNKNOWN)


def _scaled_by_float(dim: Dim, factor: float) -> Dim:
    """A symbolic size times 2.0 or 0.5: the factors that stand for an int or its inverse."""
    if not isfinite(factor):
        return dim.resize(UNKNOWN)
    if factor == int(factor):
        return resized(dim, sizes.multiply(dim.size, int(factor)))
    if factor and isfinite(1 / factor) and 1 / factor == int(1 / factor):
        return resized(dim, sizes.floor_divide(dim.size, int(1 / factor)))
    return dim.resize(UNKNOWN)


@op("torch.nn.functional.interpolate")
def interpolate(
    input: Shape,
    size: Size | Sizes | object = None,
    scale_factor: Size | Sizes | object = None,
    mode: object = "nearest",
    align_corners: object = None,
    recompute_scale_factor: object = None,
    antialias: object = False,
) -> Shape:
    """Other spatial sizes.  Source: torch.nn.Upsample, "Shape"."""
    return _interpolated(input, size, scale_factor, mode)


@op("torch.nn.functional.upsample")
def upsample(
    input: Shape,
    size: Size | Sizes | object = None,
    scale_factor: Size | Sizes | object = None,
    mode: object = "nearest",
    align_corners: object = None,
) -> Shape:
    """Other spatial sizes.  Source: torch.nn.Upsample, "Shape"."""
    return _interpolated(input, size, scale_factor, mode)


def _declare_mode(name: str, layer: str, mode: str) -> None:
    @op(f"torch.nn.functional.{name}")
    def upsample_with(
        input: Shape,
        size: Size | Sizes | object = None,
        scale_factor: Size | Sizes | object = None,
    ) -> Shape:
        """Other spatial sizes.  Source: torch.nn.Upsample, "Shape"."""
        return _interpolated(input, size, scale_factor, mode)

    @nn("upsampling", layer)
    class UpsamplingWith:
        """Other spatial sizes.  Source: torch.nn.Upsample, "Shape"."""

        def __init__(
            self,
            size: Size | Sizes | object = None,
            scale_factor: Size | Sizes | object = None,
        ) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """Spatial sizes as built."""
            return _interpolated(input, fields["size"], fields["scale_factor"], mode)


_declare_mode("upsample_nearest", "UpsamplingNearest2d", "nearest")
_declare_mode("upsample_bilinear", "UpsamplingBilinear2d", "bilinear")


@nn("upsampling", "Upsample")
class Upsample:
    """Other spatial sizes.  Source: torch.nn.Upsample, "Shape"."""

    def __init__(
        self,
        size: Size | Sizes | object = None,
        scale_factor: Size | Sizes | object = None,
        mode: object = "nearest",
        align_corners: object = None,
        recompute_scale_factor: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """Spatial sizes as built."""
        return _interpolated(input, fields["size"], fields["scale_factor"], fields["mode"])


# Sampling on a grid.


@op("torch.nn.functional.grid_sample")
def grid_sample(
    input: Shape,
    grid: Shape,
    mode: object = "bilinear",
    padding_mode: object = "zeros",
    align_corners: object = None,
) -> Shape:
    """`[N, C, *in]` sampled at `[N, *out, k]`: `[N, C, *out]`.

    Source: torch.nn.functional.grid_sample.
    """
    if not isinstance(input, tuple) or not isinstance(grid, tuple):
        return UNKNOWN
    for shape, argument in ((input, "input"), (grid, "grid")):
        if len(shape) not in (4, 5):
            raise RankMismatch(shape=shape, wanted="4 or 5", blame=(Blame(argument),))
    if len(input) != len(grid):
        text = (
            "grid_sampler(): expected grid and input to have same number of dimensions, but got "
            f"input with sizes {size_list(input)} and grid with sizes {size_list(grid)}"
        )
        blame = (Blame("grid"), Blame("input"))
        raise RankMismatch(shape=grid, wanted=str(len(input)), text=text, blame=blame)
    _require_pair(input, grid, 0, 0, lambda: "expected grid and input to have same batch size")
    axes = len(input) - 2
    mistake = LayerSize(
        input=grid,
        wanted=axes,
        found=grid[-1].size,
        role="spatial dims",
        blame=(Blame("grid", -1),),
    )
    require_equal(axes, grid[-1].size, mistake)
    return (*input[:2], *grid[1:-1])


def _require_pair(
    left: Dims,
    right: Dims,
    mine: int,
    other: int,
    text: Callable[[], str],
    names: tuple[str, str] = ("input", "grid"),
) -> None:
    first, second = left[mine].size, right[other].size
    if first == second:
        return
    mistake = ContractionSize(
        left=left,
        right=right,
        left_size=first,
        right_size=second,
        text=text(),
        blame=(Blame(names[0], mine), Blame(names[1], other)),
    )
    require_equal(first, second, mistake)


@op("torch.nn.functional.affine_grid")
def affine_grid(theta: Shape, size: Sizes, align_corners: object = None) -> Shape:
    """A grid for grid_sample: `[N, k, k + 1]` and a size `[N, C, *out]` give `[N, *out, k]`.

    Source: torch.nn.functional.affine_grid.
    """
    axes = len(size) - 2
    if axes not in (2, 3):
        return UNKNOWN
    dims = known_dims(theta)
    for back, wanted in ((1, axes + 1), (2, axes)):
        if back <= len(dims):
            mistake = LayerSize(
                input=theta,
                wanted=wanted,
                found=dims[-back].size,
                role="the affine matrices' size",
                blame=(Blame("theta", -back),),
            )
            require_equal(wanted, dims[-back].size, mistake)
    result = tuple(fresh(entry) for entry in (*size[2:], axes))
    if isinstance(theta, tuple):
        if len(theta) != 3:
            raise RankMismatch(shape=theta, wanted="3", blame=(Blame("theta"),))
        batch = fresh(size[0])
        _require_pair((batch,), theta, 0, 0, lambda: "", ("size", "theta"))
        return (theta[0], *result)
    return (Dim(UNKNOWN, size[0]), *result)


effects.declare_resampling("resize")
