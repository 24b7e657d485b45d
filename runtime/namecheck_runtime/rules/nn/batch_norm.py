"""Normalisations of each channel: batch and instance, as layers and functions.

Normalisations of groups of channels live in `group_norm`, those over the last dims in
`layer_norm`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import require_equal
from namecheck_runtime.declare import Fields, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, known_dims, unknown_dims
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize, LayerSize
from namecheck_runtime.rules.nn.spatial import both, is_true, nn, optional, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _of_rank(input: Shape, ranks: tuple[int, ...]) -> Shape:
    """The input, with a rank if there is only one; raises RankMismatch for any other."""
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


def require_channels(
    input: Shape, place: int, wanted: Size, text: str = "", role: str = "num_features"
) -> None:
    channels = known_dims(input)[place].size
    if wanted == channels:
        return
    mistake = LayerSize(
        input=input, wanted=wanted, found=channels, role=role, blame=(Blame("input", place),)
    )
    require_equal(wanted, channels, mistake)


def _batch_normed(fields: Fields, input: Shape, ranks: tuple[int, ...]) -> Shape:
    """The input; its dim 1 must have the number of features."""
    checked = _of_rank(input, ranks)
    if isinstance(checked, tuple):
        flags = (fields["affine"], fields["track_running_stats"])
        if any(is_true(flag).definite for flag in flags):
            require_channels(checked, 1, fields.get("num_features", UNKNOWN))
    return checked


def _statistics(fields: Fields) -> Mapping[str, Shape | None]:
    count = tensor(fields.get("num_features", UNKNOWN))
    shapes: dict[str, Shape | None] = {}
    optional(shapes, "weight", fields["affine"], count)
    bias = fields["affine"] if fields["bias"] is True else both(fields["affine"], fields["bias"])
    optional(shapes, "bias", bias, count)
    for name in ("running_mean", "running_var"):
        optional(shapes, name, fields["track_running_stats"], count)
    optional(shapes, "num_batches_tracked", fields["track_running_stats"], ())
    return shapes


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
                require_channels(input, 1, fields["num_features"])
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
            checked = _of_rank(input, (count + 1, count + 2))
            if len(known_dims(checked)) > count and is_true(fields["affine"]).definite:
                require_channels(checked, -count - 1, fields.get("num_features", UNKNOWN))
            return checked

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


def require_vector(input: Shape, shape: Shape | None, argument: str, place: int) -> None:
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


_RUNNING = ("running_mean", "running_var")


@op("torch.nn.functional.batch_norm", writes=_RUNNING)
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
        require_vector(input, shape, argument, 1)
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


@op("torch.batch_norm", writes=_RUNNING)
@op("torch.instance_norm", writes=_RUNNING)
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


@op("torch.nn.functional.instance_norm", writes=_RUNNING)
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
        require_vector(input, shape, argument, 1)
    return input
