"""Activations, and attention of several heads.  Source: torch.nn.modules.activation."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from namecheck_runtime.nn import functional as F
from namecheck_runtime.nn import init
from namecheck_runtime.nn.modules.linear import NonDynamicallyQuantizableLinear
from namecheck_runtime.nn.parameter import Parameter
from namecheck_runtime.nn.parts.declared import DeclaredLayer
from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor


class _Activation(DeclaredLayer):
    """A function of each element; dims stay."""

    function: ClassVar[str]
    """Its name in `nn.functional`."""
    options: ClassVar[tuple[str, ...]] = ()
    """The attributes that the function takes, in its order."""

    def forward(self, input: Tensor) -> Tensor:
        """The function of each element."""
        function = getattr(F, self.function)
        return function(input, *(getattr(self, name) for name in self.options))  # type: ignore[no-any-return]

    def extra_repr(self) -> str:
        """The options; `inplace` if it is set."""
        names = [name for name in self.options if name != "inplace"]
        texts = [f"{name}={getattr(self, name)}" for name in names]
        if getattr(self, "inplace", False):
            texts.append("inplace=True")
        return ", ".join(texts)


class ReLU(_Activation):
    """`max(0, x)`.  Source: torch.nn.ReLU."""

    function, options = "relu", ("inplace",)


class ReLU6(_Activation):
    """`min(max(0, x), 6)`.  Source: torch.nn.ReLU6."""

    function, options = "relu6", ("inplace",)


class ELU(_Activation):
    """`x`, or `alpha * (exp(x) - 1)` below 0.  Source: torch.nn.ELU."""

    function, options = "elu", ("alpha", "inplace")


class SELU(_Activation):
    """A scaled ELU.  Source: torch.nn.SELU."""

    function, options = "selu", ("inplace",)


class CELU(_Activation):
    """An ELU with a continuous slope.  Source: torch.nn.CELU."""

    function, options = "celu", ("alpha", "inplace")


class GELU(_Activation):
    """`x` times the normal distribution function of `x`.  Source: torch.nn.GELU."""

    def forward(self, input: Tensor) -> Tensor:
        """The function of each element."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """How it is approximated."""
        return f"approximate={self.approximate!r}"


class SiLU(_Activation):
    """`x * sigmoid(x)`.  Source: torch.nn.SiLU."""

    function, options = "silu", ("inplace",)


class Mish(_Activation):
    """`x * tanh(softplus(x))`.  Source: torch.nn.Mish."""

    function, options = "mish", ("inplace",)


class Sigmoid(_Activation):
    """`1 / (1 + exp(-x))`.  Source: torch.nn.Sigmoid."""

    function = "sigmoid"


class Tanh(_Activation):
    """The hyperbolic tangent.  Source: torch.nn.Tanh."""

    function = "tanh"


class Softplus(_Activation):
    """`log(1 + exp(beta * x)) / beta`.  Source: torch.nn.Softplus."""

    function, options = "softplus", ("beta", "threshold")


class Softsign(_Activation):
    """`x / (1 + |x|)`.  Source: torch.nn.Softsign."""

    function = "softsign"


class Hardsigmoid(_Activation):
    """A sigmoid of straight pieces.  Source: torch.nn.Hardsigmoid."""

    function, options = "hardsigmoid", ("inplace",)

    def extra_repr(self) -> str:
        """Nothing."""
        return ""


class Hardswish(Hardsigmoid):
    """`x` times a sigmoid of straight pieces.  Source: torch.nn.Hardswish."""

    function, options = "hardswish", ("inplace",)


class Hardtanh(_Activation):
    """`x` between `min_val` and `max_val`.  Source: torch.nn.Hardtanh."""

    function, options = "hardtanh", ("min_val", "max_val", "inplace")

    def _attributes(self, fields: dict[str, Any]) -> dict[str, Any]:
        result = super()._attributes(fields)
        for old, new in (("min_value", "min_val"), ("max_value", "max_val")):
            value = result.pop(old)
            if value is not None:
                warnings.warn(
                    f"keyword argument `{old}` is deprecated and rename to `{new}`",
                    FutureWarning,
                    stacklevel=2,
                )
                result[new] = value
        if result["max_val"] <= result["min_val"]:
            raise AssertionError("max_val must be larger than min_val")
        return result


class LeakyReLU(_Activation):
    """`x`, or `negative_slope * x` below 0.  Source: torch.nn.LeakyReLU."""

    function, options = "leaky_relu", ("negative_slope", "inplace")


class Threshold(_Activation):
    """`x`, or `value` up to `threshold`.  Source: torch.nn.Threshold."""

    function, options = "threshold", ("threshold", "value", "inplace")


class Tanhshrink(_Activation):
    """`x - tanh(x)`.  Source: torch.nn.Tanhshrink."""

    function = "tanhshrink"


class Softshrink(_Activation):
    """`x` moved towards 0 by `lambd`.  Source: torch.nn.Softshrink."""

    function, options = "softshrink", ("lambd",)

    def extra_repr(self) -> str:
        """By how much."""
        return str(self.lambd)


class Hardshrink(Softshrink):
    """`x`, or 0 within `lambd` of 0.  Source: torch.nn.Hardshrink."""

    function, options = "hardshrink", ("lambd",)


class LogSigmoid(_Activation):
    """The logarithm of the sigmoid.  Source: torch.nn.LogSigmoid."""

    function = "logsigmoid"


class RReLU(_Activation):
    """`x`, or `x` times a drawn slope below 0.  Source: torch.nn.RReLU."""

    options = ("lower", "upper", "inplace")

    def forward(self, input: Tensor) -> Tensor:
        """The function of each element; the mean slope outside training."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class Softmax(_Activation):
    """Normalises along a dim, by position or name.  Source: torch.nn.Softmax."""

    function, options = "softmax", ("dim",)


class LogSoftmax(_Activation):
    """The logarithm of Softmax.  Source: torch.nn.LogSoftmax."""

    function, options = "log_softmax", ("dim",)


class Softmin(_Activation):
    """Softmax of the negative.  Source: torch.nn.Softmin."""

    function, options = "softmin", ("dim",)


class Softmax2d(_Activation):
    """Normalises over the channels of `[N?, C, H, W]`.  Source: torch.nn.Softmax2d."""

    def forward(self, input: Tensor) -> Tensor:
        """The input, normalised over the channels."""
        return F.softmax(input, -3)


class GLU(_Activation):
    """The first half of a dim gated by the second.  Source: torch.nn.GLU."""

    function, options = "glu", ("dim",)


class PReLU(DeclaredLayer):
    """`x`, or `x` times a learned slope below 0.  Source: torch.nn.PReLU."""

    def reset_parameters(self) -> None:
        """Make all slopes `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """The function of each element, with one slope or one for each of `[N, C, *]`'s C."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"


class MultiheadAttention(DeclaredLayer):
    """Attention of several heads.  Source: torch.nn.MultiheadAttention.

    `[L, N, E], [S, N, K], [S, N, V]` to `[L, N, E]` and the weights `[N, L, S]`; with
    `batch_first` N comes first, and N may be missing.
    """

    def _build(self, fields: dict[str, Any]) -> None:
        width, heads = fields["embed_dim"], fields["num_heads"]
        if width <= 0 or heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={width} and "
                f"num_heads={heads} instead"
            )
        self.embed_dim, self.num_heads = width, heads
        self.kdim = width if fields["kdim"] is None else fields["kdim"]
        self.vdim = width if fields["vdim"] is None else fields["vdim"]
        self._qkv_same_embed_dim = self.kdim == width and self.vdim == width
        self.dropout, self.batch_first = fields["dropout"], fields["batch_first"]
        self.head_dim = width // heads
        if self.head_dim * heads != width:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self._make_tensors(fields)
        self.add_zero_attn = fields["add_zero_attn"]
        self._reset_parameters()

    def _make_tensors(self, fields: Any) -> None:
        options = self._tensor_options(fields)
        declared = self.declaration.parameters(fields)
        names = ["q_proj_weight", "k_proj_weight", "v_proj_weight", "in_proj_weight"]
        if self._qkv_same_embed_dim:
            names = ["in_proj_weight", *names[:3]]
        for name in (*names, "in_proj_bias", "bias_k", "bias_v"):
            if name == "bias_k":
                bias, width = fields["bias"], self.embed_dim
                linear = NonDynamicallyQuantizableLinear(width, width, bias=bias, **options)
                self.out_proj = linear
            shape = declared.get(name)
            if isinstance(shape, tuple):
                sizes = tuple(dim.size for dim in shape)
                self.register_parameter(
                    name, Parameter(call_path("torch.empty", (sizes,), options))
                )
            else:
                self.register_parameter(name, None)

    def _reset_parameters(self) -> None:
        names = ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight")
        for name in names:
            if getattr(self, name) is not None:
                init.xavier_uniform_(getattr(self, name))
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """The attended values, and the weights if they are needed."""
        swaps = self.batch_first and query.ndim == 3
        if swaps:
            query, key, value = (t.transpose(0, 1) for t in (query, key, value))
        own = {}
        if not self._qkv_same_embed_dim:
            own = {"use_separate_proj_weight": True} | {
                f"{part}_proj_weight": getattr(self, f"{part}_proj_weight") for part in "qkv"
            }
        output, weights = F.multi_head_attention_forward(
            *(query, key, value, self.embed_dim, self.num_heads),
            *(self.in_proj_weight, self.in_proj_bias, self.bias_k, self.bias_v),
            *(self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias),
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            **own,
        )
        return (output.transpose(0, 1) if swaps else output), weights
