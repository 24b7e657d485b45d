"""Normalisations over the last dims: layer and RMS, as layers and functions."""

from __future__ import annotations

from namecheck_runtime.algebra import require_equal
from namecheck_runtime.declare import Fields, Shape, Size, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Trailing, known_dims
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize, LayerSize
from namecheck_runtime.rules.nn.spatial import both, nn, optional, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _normalized(input: Shape, wanted: object, argument: str = "input") -> Shape:
    """The input; its last dims must be `normalized_shape`.  Source: torch.nn.LayerNorm, "Shape"."""
    last = _last(wanted)
    if last is None:
        return input
    dims = known_dims(input)
    if isinstance(input, tuple) and len(dims) < max(len(last), 1):
        least = f"at least {len(last)}"
        text = _text(input, last)
        raise RankMismatch(shape=input, wanted=least, text=text, blame=(Blame(argument),))
    result = list(dims)
    for back, size in enumerate(reversed(last), 1):
        if back > len(dims):
            break
        actual = dims[-back].size
        if actual == size:
            continue
        if actual is UNKNOWN:
            result[-back] = dims[-back].resize(size)
            continue
        mistake = LayerSize(
            input=input,
            wanted=size,
            found=actual,
            role="normalized_shape",
            text=_text(input, last),
            blame=(Blame(argument, -back),),
        )
        require_equal(size, actual, mistake)
    if isinstance(input, tuple):
        return tuple(result)
    missing = tuple(Dim(UNKNOWN, size) for size in last[: max(len(last) - len(dims), 0)])
    return Trailing((*missing, *result)) if missing or result else input


def _text(input: Shape, last: tuple[Size, ...]) -> str:
    listed = ", ".join(map(str, last))
    return (
        f"Given normalized_shape=[{listed}], expected input with shape [*, {listed}], but got "
        f"input of size{size_list(input)}"
    )


def _last(wanted: object) -> tuple[Size, ...] | None:
    """The sizes of normalized_shape; None if their number is not known."""
    if isinstance(wanted, (int, Symbolic)):
        return (wanted,)
    if isinstance(wanted, (tuple, list)):
        return tuple(v if isinstance(v, (int, Symbolic)) else UNKNOWN for v in wanted)
    return None


def _attribute(fields: Fields, option: str) -> object:
    """An option as a layer keeps it: the normalized shape is a tuple."""
    return fields[option] if option != "normalized_shape" else _last(fields[option])


def _require_same(shape: Shape | None, wanted: object, argument: str) -> None:
    """Require a parameter to have the normalized shape."""
    last = _last(wanted)
    if last is None or not isinstance(shape, tuple):
        return
    if last == tuple(dim.size for dim in shape):
        return  # the usual case needs no message
    text = (
        f"Expected {argument} to be of same shape as normalized_shape, but got {argument} of shape "
        f"{size_list(shape)} and normalized_shape = [{', '.join(map(str, last))}]"
    )
    if len(shape) != len(last):
        raise RankMismatch(shape=shape, wanted=str(len(last)), text=text, blame=(Blame(argument),))
    for place, (dim, size) in enumerate(zip(shape, last, strict=True)):
        mistake = ContractionSize(
            left=shape,
            right=tensor(*last),
            left_size=dim.size,
            right_size=size,
            text=text,
            blame=(Blame(argument, place), Blame("normalized_shape")),
        )
        require_equal(dim.size, size, mistake)


def _require_some(input: Shape, wanted: object) -> None:
    if wanted == ():
        text = (
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
        reason = "normalized_shape is empty"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("normalized_shape"),))


@op("torch.nn.functional.layer_norm", "torch.layer_norm")
def layer_norm(
    input: Shape,
    normalized_shape: Size | Sizes,
    weight: Shape | None = None,
    bias: Shape | None = None,
    eps: object = 1e-5,
    cudnn_enable: object = True,
) -> Shape:
    """Normalises over the last dims.  Source: torch.nn.LayerNorm, "Shape"; names stay."""
    _require_some(input, normalized_shape)
    _require_same(weight, normalized_shape, "weight")
    _require_same(bias, normalized_shape, "bias")
    return _normalized(input, normalized_shape)


@op("torch.nn.functional.rms_norm", "torch.rms_norm")
def rms_norm(
    input: Shape,
    normalized_shape: Size | Sizes,
    weight: Shape | None = None,
    eps: object = None,
) -> Shape:
    """Normalises over the last dims.  Source: torch.nn.RMSNorm, "Shape"; names stay."""
    _require_some(input, normalized_shape)
    _require_same(weight, normalized_shape, "weight")
    return _normalized(input, normalized_shape)


def _affine(fields: Fields) -> dict[str, Shape | None]:
    last = _last(fields["normalized_shape"])
    shapes: dict[str, Shape | None] = {}
    if last is not None:
        optional(shapes, "weight", fields["elementwise_affine"], tensor(*last))
    return shapes


@nn("normalization", "LayerNorm")
class LayerNorm:
    """Normalises over the last dims.  Source: torch.nn.LayerNorm, "Shape"."""

    def __init__(
        self,
        normalized_shape: Size | Sizes,
        eps: object = 1e-5,
        elementwise_affine: object = True,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    attribute = staticmethod(_attribute)

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight and bias of the normalized shape."""
        shapes = _affine(fields)
        last = _last(fields["normalized_shape"])
        if last is not None:
            flag = both(fields["elementwise_affine"], fields["bias"])
            optional(shapes, "bias", flag, tensor(*last))
        return shapes

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input; its last dims must be the normalized shape."""
        _require_some(input, fields["normalized_shape"])
        return _normalized(input, fields["normalized_shape"])


@nn("normalization", "RMSNorm")
class RMSNorm:
    """Normalises over the last dims.  Source: torch.nn.RMSNorm, "Shape"."""

    def __init__(
        self,
        normalized_shape: Size | Sizes,
        eps: object = None,
        elementwise_affine: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    attribute = staticmethod(_attribute)

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight of the normalized shape."""
        return _affine(fields)

    @staticmethod
    def forward(fields: Fields, x: Shape) -> Shape:
        """The input; its last dims must be the normalized shape."""
        _require_some(x, fields["normalized_shape"])
        return _normalized(x, fields["normalized_shape"], "x")
