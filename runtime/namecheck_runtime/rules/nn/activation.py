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
from namecheck_runtime.rules.nn.spatial import nn, tensor, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _keep(fields: Fields, input: Shape) -> Shape:
    return input


def _keeps(module: str, *words: str, memory: Memory = Memory.SAME) -> None:
    """Declare layers that keep their input's dims: `"ELU alpha=1.0 inplace=False"`.

    After the name come the constructor's arguments with their defaults, which the rule ignores.
    """
    for word in words:
        name, *options = word.split()
        parameters = []
        for option in options:
            argument, has_default, text = option.partition("=")
            default = value_of(text) if has_default else REQUIRED
            parameters.append(Parameter(argument, ("object",), default, "positional"))
        members = {
            "__init__": Rule(_keep, tuple(parameters), "None", False),
            "forward": staticmethod(_keep),
            "__module__": __name__,
            "__doc__": "Keeps the dims of its input.",
            "memory": memory,
        }
        nn(module, name)(type(name, (), members))


_keeps(
    "activation",
    "ReLU inplace=False",
    "ReLU6 inplace=False",
    "ELU alpha=1.0 inplace=False",
    "SELU inplace=False",
    "CELU alpha=1.0 inplace=False",
    "GELU approximate=none",
    "SiLU inplace=False",
    "Mish inplace=False",
    "Sigmoid",
    "Tanh",
    "Softplus beta=1.0 threshold=20.0",
    "Softsign",
    "Hardsigmoid inplace=False",
    "Hardswish inplace=False",
    "Hardtanh min_val=-1.0 max_val=1.0 inplace=False min_value= max_value=",
    "LeakyReLU negative_slope=0.01 inplace=False",
    "Threshold threshold value inplace=False",
    "Tanhshrink",
    "Softshrink lambd=0.5",
    "Hardshrink lambd=0.5",
)
_keeps(
    "activation",
    "LogSigmoid",
    "RReLU lower=0.125 upper=0.3333333333333333 inplace=False",
    memory=Memory.FOLLOWS,
)
_keeps(
    "dropout",
    "Dropout p=0.5 inplace=False",
    "Dropout1d p=0.5 inplace=False",
    "Dropout2d p=0.5 inplace=False",
    "Dropout3d p=0.5 inplace=False",
    "AlphaDropout p=0.5 inplace=False",
    "FeatureAlphaDropout p=0.5 inplace=False",
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
