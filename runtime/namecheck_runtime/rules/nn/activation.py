"""Activation and dropout layers: they keep the dims of their input.

Their functions live in `rules.activation`.
"""

from __future__ import annotations

from namecheck_runtime.algebra import require_equal
from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import DimRef, Fields, Memory, Shape, Size
from namecheck_runtime.infer import apply
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import LayerSize
from namecheck_runtime.rules.nn.spatial import nn, tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _keep(fields: Fields, input: Shape) -> Shape:
    return input


def _keeps(module: str, *words: str, memory: Memory = Memory.SAME) -> None:
    """Declare layers that keep their input's dims: `"ELU alpha= inplace="`.

    After the name come the constructor's arguments, which the rule ignores; one with `=` may be
    left out.
    """
    for word in words:
        name, *options = word.split()
        parameters = tuple(
            Parameter(
                option.rstrip("="),
                ("object",),
                None if option.endswith("=") else REQUIRED,
                "positional",
            )
            for option in options
        )
        members = {
            "__init__": Rule(_keep, parameters, "None", False),
            "forward": staticmethod(_keep),
            "__module__": __name__,
            "__doc__": "Keeps the dims of its input.",
            "memory": memory,
        }
        nn(module, name)(type(name, (), members))


_keeps(
    "activation",
    "ReLU inplace=",
    "ReLU6 inplace=",
    "ELU alpha= inplace=",
    "SELU inplace=",
    "CELU alpha= inplace=",
    "GELU approximate=",
    "SiLU inplace=",
    "Mish inplace=",
    "Sigmoid",
    "Tanh",
    "Softplus beta= threshold=",
    "Softsign",
    "Hardsigmoid inplace=",
    "Hardswish inplace=",
    "Hardtanh min_val= max_val= inplace= min_value= max_value=",
    "LeakyReLU negative_slope= inplace=",
    "Threshold threshold value inplace=",
    "Tanhshrink",
    "Softshrink lambd=",
    "Hardshrink lambd=",
)
_keeps("activation", "LogSigmoid", "RReLU lower= upper= inplace=", memory=Memory.FOLLOWS)
_keeps(
    "dropout",
    "Dropout p= inplace=",
    "Dropout1d p= inplace=",
    "Dropout2d p= inplace=",
    "Dropout3d p= inplace=",
    "AlphaDropout p= inplace=",
    "FeatureAlphaDropout p= inplace=",
)


def _declare_softmax(name: str, function: str) -> None:
    @nn("activation", name)
    class Softmax:
        """Normalises along a dim.  Source: name inference, "keeps input names"."""

        memory = Memory.FOLLOWS

        def __init__(self, dim: DimRef | None = None) -> None: ...

        @staticmethod
        def forward(fields: Fields, input: Shape) -> Shape:
            """The input, which must have the dim."""
            result: Shape = apply(f"torch.nn.functional.{function}", input, fields["dim"])
            return result


_declare_softmax("Softmax", "softmax")
_declare_softmax("LogSoftmax", "log_softmax")
_declare_softmax("Softmin", "softmin")


@nn("activation", "Softmax2d")
class Softmax2d:
    """Normalises over the channels of an image.  Source: torch.nn.Softmax2d."""

    def __init__(self) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input, of three or four dims."""
        if isinstance(input, tuple) and len(input) not in (3, 4):
            text = f"Softmax2d: expected input to be 3D or 4D, got {len(input)}D instead"
            raise RankMismatch(shape=input, wanted="3 or 4", text=text, blame=(Blame("input"),))
        return input


@nn("activation", "GLU")
class GLU:
    """The first half of a dim gated by the second.  Source: torch.nn.GLU."""

    def __init__(self, dim: DimRef = -1) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """As torch.nn.functional.glu."""
        result: Shape = apply("torch.nn.functional.glu", input, fields["dim"])
        return result


@nn("activation", "PReLU")
class PReLU:
    """One slope, or one for each channel.  Source: torch.nn.PReLU."""

    def __init__(
        self,
        num_parameters: Size = 1,
        init: object = 0.25,
        device: object = None,
        dtype: object = None,
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[num_parameters]`."""
        return {"weight": tensor(fields["num_parameters"])}

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The input; its dim 1 must have num_parameters unless that is 1."""
        count = fields["num_parameters"]
        if isinstance(input, tuple) and isinstance(count, int) and count > 1:
            channels = input[1].size if len(input) > 1 else 1
            mistake = LayerSize(
                input=input,
                wanted=count,
                found=channels,
                role="num_parameters",
                blame=(Blame("input", 1 if len(input) > 1 else None),),
            )
            require_equal(count, channels, mistake)
        return input
