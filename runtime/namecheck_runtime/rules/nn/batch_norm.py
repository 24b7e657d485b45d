"""Normalisations over channels: batch, instance, group and local response, as layers and functions.

Those over the last dims live in `layer_norm`.
"""

from __future__ import annotations

from collections.abc import Mapping

from namecheck_runtime import sizes
from namecheck_runtime.algebra import require_equal
from namecheck_runtime.declare import Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, known_dims, unknown_dims
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize, LayerSize
from namecheck_runtime.rules.nn.spatial import both, is_true, nn, optional, tensor


def _of_rank(input: Shape, ranks: tuple[int, ...]) -> Shape:
    """The input, with its rank if only one is taken; raises RankMismatch for another one."""
    dims = known_dims(input)
    if isinstance(input, tuple):
        if len(input) not in ranks:
            wanted = " or ".join(map(str, ranks))
            text = f"expected {wanted}D input (got {len(input)}D input)"
            raise RankMismatch(shape=input, wanted=wanted, text=text, blame=(Blame("input"),))
        return input
    if len(dims) > max(ranks):
        wanted = " or ".join(map(str, ranks))
        raise RankMismatch(shape=input, wanted=wanted, blame=(Blame("input"),))
    if len(ranks) == 1:
        return (*unknown_dims(ranks[0] - len(dims)), *dims)
    return input


def _require_channels(
    input: Shape, place: int, wanted: Size, text: str = "", role: str = "num_features"
) -> None:
    found = known_dims(input)[place].size
    if wanted == found:
        return
    mistake = LayerSize(
        input=input, wanted=wanted, found=found, role=role, blame=(Blame("input", place),)
    )
    require_equal(wanted, found, mistake)


def _batch_normed(fields: Fields, input: Shape, ranks: tuple[int, ...]) -> Shape:
    """The input; its dim 1 must have the number of features."""
    whole = _of_rank(input, ranks)
    if isinstance(whole, tuple):
        flags = (fields["affine"], fields["track_running_stats"])
        if any(is_true(flag).definite for flag in flags):
            _require_channels(whole, 1, fields.get("num_features", UNKNOWN))
    return whole


def _statistics(fields: Fields) -> Mapping[str, Shape | None]:
    count = tensor(fields.get("num_features", UNKNOWN))
    found: dict[str, Shape | None] = {}
    optional(found, "weight", fields["affine"], count)
    bias = fields["affine"] if fields["bias"] is True else both(fields["affine"], fields["bias"])
    optional(found, "bias", bias, count)
    for name in ("running_mean", "running_var"):
        optional(found, name, fields["track_running_stats"], count)
    optional(found, "num_batches_tracked", fields["track_running_stats"], ())
    return found


def _declare_batch_norm(name: str, ranks: tuple[int, ...], lazy: str = "") -> None:
    @nn("batchnorm", name)
    class BatchNorm:
        """Normalises each channel over the batch.  Source: torch.nn.BatchNorm2d, "Shape"."""

        def __init__(
            self,
            num_features: Size,
            eps: object = 1e-5,
            momentum: object = 0.1,
            affine: object = True,
            track_running_stats: object = True,
            device: object = None,
            dtype: object = None,
            *,
            bias: object = True,
        ) -> None: ...

        @staticmethod
        def parameters(fields: Fields) -> Mapping[str, Shape | None]:
            """weight and bias, running_mean and running_var: `[num_features]`."""
            return _statistics(fields)

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """The input; dim 1 must have num_features."""
            return _batch_normed(fields, input, ranks)

    if lazy:

        @nn("batchnorm", lazy)
        class LazyBatchNorm(BatchNorm):
            """As the batch norm, for any number of features."""

            def __init__(
                self,
                eps: object = 1e-5,
                momentum: object = 0.1,
                affine: object = True,
                track_running_stats: object = True,
                device: object = None,
                dtype: object = None,
                *,
                bias: object = True,
            ) -> None: ...


_declare_batch_norm("BatchNorm1d", (2, 3), "LazyBatchNorm1d")
_declare_batch_norm("BatchNorm2d", (4,), "LazyBatchNorm2d")
_declare_batch_norm("BatchNorm3d", (5,), "LazyBatchNorm3d")


@nn("batchnorm", "SyncBatchNorm")
class SyncBatchNorm:
    """As BatchNorm, over several processes and for any rank.  Source: torch.nn.SyncBatchNorm."""

    def __init__(
        self,
        num_features: Size,
        eps: object = 1e-5,
        momentum: object = 0.1,
        affine: object = True,
        track_running_stats: object = True,
        process_group: object = None,
        device: object = None,
        dtype: object = None,
        *,
        bias: object = True,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight and bias, running_mean and running_var: `[num_features]`."""
        return _statistics(fields)

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input; dim 1 must have num_features."""
        if isinstance(input, tuple):
            if len(input) < 2:
                text = f"expected at least 2D input (got {len(input)}D input)"
                raise RankMismatch(
                    shape=input, wanted="at least 2", text=text, blame=(Blame("input"),)
                )
            flags = (fields["affine"], fields["track_running_stats"])
            if any(is_true(flag).definite for flag in flags):
                _require_channels(input, 1, fields["num_features"])
        return input


def _declare_instance_norm(count: int) -> None:
    @nn("instancenorm", f"InstanceNorm{count}d")
    class InstanceNorm:
        """Normalises each channel of each sample.  Source: torch.nn.InstanceNorm2d, "Shape"."""

        def __init__(
            self,
            num_features: Size,
            eps: object = 1e-5,
            momentum: object = 0.1,
            affine: object = False,
            track_running_stats: object = False,
            device: object = None,
            dtype: object = None,
            *,
            bias: object = True,
        ) -> None: ...

        @staticmethod
        def parameters(fields: Fields) -> Mapping[str, Shape | None]:
            """weight and bias, running_mean and running_var: `[num_features]`."""
            return _statistics(fields)

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """The input; with parameters its channels must be num_features."""
            whole = _of_rank(input, (count + 1, count + 2))
            if len(known_dims(whole)) > count and is_true(fields["affine"]).definite:
                _require_channels(whole, -count - 1, fields.get("num_features", UNKNOWN))
            return whole

    @nn("instancenorm", f"LazyInstanceNorm{count}d")
    class LazyInstanceNorm(InstanceNorm):
        """As the instance norm, for any number of features."""

        def __init__(
            self,
            eps: object = 1e-5,
            momentum: object = 0.1,
            affine: object = True,
            track_running_stats: object = True,
            device: object = None,
            dtype: object = None,
            *,
            bias: object = True,
        ) -> None: ...


for _count in (1, 2, 3):
    _declare_instance_norm(_count)


def _grouped(input: Shape, groups: Size, channels: Size = UNKNOWN) -> Shape:
    """The input; its dim 1 is split into groups."""
    if not isinstance(input, tuple):
        return input
    if len(input) < 2:
        text = f"Expected at least 2 dimensions for input tensor but received {len(input)}"
        raise RankMismatch(shape=input, wanted="at least 2", text=text, blame=(Blame("input"),))
    found = input[1].size
    if channels is UNKNOWN and isinstance(found, int) and isinstance(groups, int) and groups > 0:
        if found % groups:
            text = (
                "Expected number of channels in input to be divisible by num_groups, but got input "
                f"of shape {size_list(input)} and num_groups={groups}"
            )
            reason = f"{found} channels do not make {groups} groups"
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
        found: dict[str, Shape | None] = {}
        optional(found, "weight", fields["affine"], tensor(fields["num_channels"]))
        flag = both(fields["affine"], fields["bias"])
        optional(found, "bias", flag, tensor(fields["num_channels"]))
        return found

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input; dim 1 must have num_channels."""
        _require_groups(fields["num_groups"], fields["num_channels"])
        checked = is_true(fields["affine"]).definite
        _grouped(input, fields["num_groups"], fields["num_channels"] if checked else UNKNOWN)
        if isinstance(input, tuple) and checked:
            _require_channels(input, 1, fields["num_channels"], role="num_channels")
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
        _require_vector(input, shape, argument, 1)
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


def _require_vector(input: Shape, shape: Shape | None, argument: str, place: int) -> None:
    """Require a parameter to have one dim, of the size of the input's dim `place`."""
    if not isinstance(shape, tuple) or not isinstance(input, tuple) or len(input) <= place:
        return
    channels = input[place].size
    if len(shape) != 1:
        raise RankMismatch(shape=shape, wanted="1", blame=(Blame(argument),))
    if shape[0].size == channels:
        return
    text = f"{argument} should contain {channels} elements not {shape[0].size}"
    mistake = ContractionSize(
        left=input,
        right=shape,
        left_size=channels,
        right_size=shape[0].size,
        text=text,
        blame=(Blame("input", place), Blame(argument, 0)),
    )
    require_equal(channels, shape[0].size, mistake)


@op("torch.nn.functional.batch_norm")
def batch_norm(
    input: Shape,
    running_mean: Shape | None,
    running_var: Shape | None,
    weight: Shape | None = None,
    bias: Shape | None = None,
    training: object = False,
    momentum: object = 0.1,
    eps: object = 1e-5,
) -> Shape:
    """Normalises dim 1 over the batch.  Source: torch.nn.BatchNorm2d; names stay.

    In training each channel needs more than one value.
    """
    vectors = (running_mean, running_var, weight, bias)
    for shape, argument in zip(vectors, _VECTORS, strict=True):
        _require_vector(input, shape, argument, 1)
    if training is True and isinstance(input, tuple) and len(input) > 1:
        if sizes.product(d.size for k, d in enumerate(input) if k != 1) == 1:
            text = (
                "Expected more than 1 value per channel when training, got input size "
                f"torch.Size({size_list(input)})"
            )
            reason = "it has one value per channel, and training needs several"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input"),))
    return input


_VECTORS = ("running_mean", "running_var", "weight", "bias")


@op("torch.batch_norm", "torch.instance_norm")
def batch_norm_with_flag(
    input: Shape,
    weight: Shape | None,
    bias: Shape | None,
    running_mean: Shape | None,
    running_var: Shape | None,
    training: object,
    momentum: object,
    eps: object,
    cudnn_enabled: object,
) -> Shape:
    """Normalises dim 1.  Source: torch.nn.BatchNorm2d; names stay."""
    return batch_norm(input, running_mean, running_var, weight, bias)


@op("torch.nn.functional.instance_norm")
def instance_norm(
    input: Shape,
    running_mean: Shape | None = None,
    running_var: Shape | None = None,
    weight: Shape | None = None,
    bias: Shape | None = None,
    use_input_stats: object = True,
    momentum: object = 0.1,
    eps: object = 1e-5,
) -> Shape:
    """Normalises dim 1 of each sample.  Source: torch.nn.InstanceNorm2d; names stay."""
    vectors = (running_mean, running_var, weight, bias)
    for shape, argument in zip(vectors, _VECTORS, strict=True):
        _require_vector(input, shape, argument, 1)
    return input


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
