"""Normalisations of groups of channels and of neighbouring channels, as layers and functions."""

from __future__ import annotations

from namecheck_runtime.declare import Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.nn.batch_norm import require_channels, require_vector
from namecheck_runtime.rules.nn.spatial import both, is_true, nn, optional, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _grouped(input: Shape, groups: Size, channels: Size = UNKNOWN) -> Shape:
    """The input; its dim 1 is split into groups."""
    if not isinstance(input, tuple):
        return input
    if len(input) < 2:
        text = f"Expected at least 2 dimensions for input tensor but received {len(input)}"
        raise RankMismatch(shape=input, wanted="at least 2", text=text, blame=(Blame("input"),))
    actual = input[1].size
    if channels is UNKNOWN and isinstance(actual, int) and isinstance(groups, int) and groups > 0:
        if actual % groups:
            text = (
                "Expected number of channels in input to be divisible by num_groups, but got input "
                f"of shape {size_list(input)} and num_groups={groups}"
            )
            reason = f"{actual} channels do not make {groups} groups"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", 1),))
    return input


def _require_groups(groups: Size, channels: Size) -> None:
    if isinstance(groups, int) and isinstance(channels, int) and groups > 0 and channels % groups:
        text = f"num_channels ({channels}) must be divisible by num_groups ({groups})"
        raise BadExtent(
            shape=tensor(channels), reason=text, text=text, blame=(Blame("num_groups"),)
        )


@nn("normalization", "GroupNorm")
class GroupNorm:
    """Normalises groups of channels.  Source: torch.nn.GroupNorm, "Shape"."""

    def __init__(
        self,
        num_groups: Size,
        num_channels: Size,
        eps: object = 1e-5,
        affine: object = True,
        device: object = None,
        dtype: object = None,
        *,
        bias: object = True,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight and bias `[num_channels]`."""
        shapes: dict[str, Shape | None] = {}
        optional(shapes, "weight", fields["affine"], tensor(fields["num_channels"]))
        flag = both(fields["affine"], fields["bias"])
        optional(shapes, "bias", flag, tensor(fields["num_channels"]))
        return shapes

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input; dim 1 must have num_channels."""
        _require_groups(fields["num_groups"], fields["num_channels"])
        checked = is_true(fields["affine"]).definite
        _grouped(input, fields["num_groups"], fields["num_channels"] if checked else UNKNOWN)
        if isinstance(input, tuple) and checked:
            require_channels(input, 1, fields["num_channels"], role="num_channels")
        return input


@op("torch.nn.functional.group_norm")
def group_norm(
    input: Shape,
    num_groups: Size,
    weight: Shape | None = None,
    bias: Shape | None = None,
    eps: object = 1e-5,
) -> Shape:
    """Normalises groups of channels.  Source: torch.nn.GroupNorm, "Shape"; names stay."""
    _grouped(input, num_groups)
    for shape, argument in ((weight, "weight"), (bias, "bias")):
        require_vector(input, shape, argument, 1)
    return input


@op("torch.group_norm")
def group_norm_with_flag(
    input: Shape,
    num_groups: Size,
    weight: Shape | None = None,
    bias: Shape | None = None,
    eps: object = 1e-5,
    cudnn_enabled: object = True,
) -> Shape:
    """Normalises groups of channels.  Source: torch.nn.GroupNorm, "Shape"; names stay."""
    return group_norm(input, num_groups, weight, bias)


@op("torch.nn.functional.local_response_norm")
def local_response_norm(
    input: Shape,
    size: object,
    alpha: object = 1e-4,
    beta: object = 0.75,
    k: object = 1.0,
) -> Shape:
    """Normalises over neighbouring channels; needs three dims.  Names stay.

    Source: torch.nn.functional.local_response_norm.
    """
    if isinstance(input, tuple) and len(input) < 3:
        text = f"Expected 3D or higher dimensionality input (got {len(input)} dimensions)"
        raise RankMismatch(shape=input, wanted="at least 3", text=text, blame=(Blame("input"),))
    return input


@nn("normalization", "LocalResponseNorm")
class LocalResponseNorm:
    """Normalises over neighbouring channels.  Source: torch.nn.LocalResponseNorm."""

    def __init__(
        self, size: object, alpha: object = 1e-4, beta: object = 0.75, k: object = 1.0
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input."""
        return local_response_norm(input, None)


@nn("normalization", "CrossMapLRN2d")
class CrossMapLRN2d(LocalResponseNorm):
    """Normalises over neighbouring channels.  Source: torch.nn.CrossMapLRN2d."""

    def __init__(
        self, size: object, alpha: object = 1e-4, beta: object = 0.75, k: object = 1
    ) -> None: ...
