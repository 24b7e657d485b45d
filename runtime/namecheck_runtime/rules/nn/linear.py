"""Layers over the last dim: linear maps, and the layer that does nothing."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import element_count, require_equal
from namecheck_runtime.declare import Fields, Memory, Shape, Size
from namecheck_runtime.lattice import UNKNOWN, known_dims
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import UnequalShapes
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.rules.nn.spatial import nn, optional, tensor
from namecheck_runtime.rules.signature import signature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


@nn("linear", "Linear")
class Linear:
    """Maps the last dim.  Source: torch.nn.Linear."""

    def __init__(
        self,
        in_features: Size,
        out_features: Size,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[out, in]`, bias `[out]`."""
        out = fields["out_features"]
        shapes: dict[str, Shape | None] = {
            "weight": tensor(out, fields.get("in_features", UNKNOWN))
        }
        optional(shapes, "bias", fields["bias"], tensor(out))
        return shapes

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Each element of the result sums over the features of the input."""
        dims = known_dims(arguments["input"])
        return sizes.multiply(element_count(result), dims[-1].size if dims else UNKNOWN)

    forward = signature("*b in_features -> *b out_features")
    memory = Memory.FOLLOWS


@nn("linear", "LazyLinear")
class LazyLinear(Linear):
    """As Linear, for a last dim of any size."""

    def __init__(
        self, out_features: Size, bias: object = True, device: object = None, dtype: object = None
    ) -> None: ...

    forward = signature("*b k -> *b out_features")


@nn("linear", "NonDynamicallyQuantizableLinear")
class PlainLinear(Linear):
    """As Linear; the class of MultiheadAttention's out_proj."""


@nn("linear", "Bilinear")
class Bilinear:
    """Maps the last dims of two inputs together.  Source: torch.nn.Bilinear."""

    def __init__(
        self,
        in1_features: Size,
        in2_features: Size,
        out_features: Size,
        bias: object = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[out, in1, in2]`, bias `[out]`."""
        out = fields["out_features"]
        shapes: dict[str, Shape | None] = {
            "weight": tensor(out, fields["in1_features"], fields["in2_features"])
        }
        optional(shapes, "bias", fields["bias"], tensor(out))
        return shapes

    @staticmethod
    def products(fields: Fields, arguments: Mapping[str, Any], result: Any) -> Size:
        """Each element of the result sums over both features, each with each."""
        inner = fields["in1_features"], fields["in2_features"]
        return sizes.product((element_count(result), *inner))

    @staticmethod
    def forward(fields: Fields, input1: Shape, input2: Shape) -> Shape:
        """`[*b, in1_features], [*b, in2_features] -> [*b, out_features]`, with equal `*b`."""
        _require_one_batch(input1, input2)
        shapes = (input1, input2)
        result: Shape = _BILINEAR.function(fields, *shapes)
        return result


_BILINEAR = signature(
    "*b in1_features, *b in2_features -> *b out_features", arguments=("input1", "input2")
)


def _require_one_batch(input1: Shape, input2: Shape) -> None:
    """Require equal leading dims: they are not broadcast."""
    if not isinstance(input1, tuple) or not isinstance(input2, tuple):
        return
    blame = (Blame("input1"), Blame("input2"))
    if len(input1) != len(input2):
        text = f"bilinear(): input dimensions do not match: got {len(input1)} and {len(input2)}"
        raise RankMismatch(shape=input2, wanted=str(len(input1)), text=text, blame=blame)
    for place, (mine, other) in enumerate(zip(input1[:-1], input2[:-1], strict=True)):
        if mine.size == other.size:
            continue
        text = (
            f"bilinear(): input batch dimensions do not match at dim {place}: got {mine.size} and "
            f"{other.size}"
        )
        mistake = UnequalShapes(
            left=input1,
            right=input2,
            position=place - len(input1),
            left_size=mine.size,
            right_size=other.size,
            text=text,
            blame=blame,
        )
        require_equal(mine.size, other.size, mistake)


@nn("linear", "Identity")
class Identity:
    """Returns its input, whatever it was built with.  Source: torch.nn.Identity."""

    memory = Memory.SAME

    def __init__(self, *args: object, **kwargs: object) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input."""
        return input
