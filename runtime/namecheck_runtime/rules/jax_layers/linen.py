"""Layers of flax.linen: they learn the size of their input from the first call."""

from __future__ import annotations

from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Fields, Shape, Size, Sizes
from namecheck_runtime.lattice import UNKNOWN, Dim
from namecheck_runtime.layers import layer
from namecheck_runtime.rules.jax_layers.channels_last import (
    attended,
    contracted,
    convolved,
    require_last,
    with_last,
)
from namecheck_runtime.rules.nn.embedding import append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def linen(module: str, *names: str) -> Callable[[type], type]:
    """Declare a layer of flax.linen under its public path and the path of its module."""
    paths = [f"flax.linen.{name}" for name in names]
    return layer(*paths, *(f"flax.linen.{module}.{name}" for name in names))


@linen("linear", "Dense")
class Dense:
    """Maps the last dim.  Source: flax.linen.Dense."""

    def __init__(
        self,
        features: Size,
        use_bias: object = True,
        dtype: object = None,
        param_dtype: object = None,
        precision: object = None,
        kernel_init: object = None,
        bias_init: object = None,
        promote_dtype: object = None,
        dot_general: object = None,
        dot_general_cls: object = None,
        parent: object = None,
        name: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape) -> Shape:
        """The last dim becomes `features`, whatever it was."""
        require_last(inputs, UNKNOWN)
        return with_last(inputs, fields["features"])


@linen("linear", "DenseGeneral")
class DenseGeneral:
    """Maps some dims together to others.  Source: flax.linen.DenseGeneral."""

    def __init__(
        self,
        features: Size | Sizes,
        axis: object = -1,
        batch_dims: object = (),
        use_bias: object = True,
        dtype: object = None,
        param_dtype: object = None,
        kernel_init: object = None,
        bias_init: object = None,
        precision: object = None,
        promote_dtype: object = None,
        dot_general: object = None,
        dot_general_cls: object = None,
        parent: object = None,
        name: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape) -> Shape:
        """The dims `axis` are dropped; the dims `features` come last."""
        return contracted(inputs, fields["features"], fields["axis"], fields["batch_dims"])


@linen("linear", "Conv")
class Conv:
    """Slides a kernel over the dims before the last.  Source: flax.linen.Conv."""

    def __init__(
        self,
        features: Size,
        kernel_size: Size | Sizes,
        strides: object = 1,
        padding: object = "SAME",
        input_dilation: object = 1,
        kernel_dilation: object = 1,
        feature_group_count: object = 1,
        use_bias: object = True,
        mask: object = None,
        dtype: object = None,
        param_dtype: object = None,
        precision: object = None,
        kernel_init: object = None,
        bias_init: object = None,
        promote_dtype: object = None,
        conv_general_dilated: object = None,
        conv_general_dilated_cls: object = None,
        parent: object = None,
        name: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape) -> Shape:
        """Channels as built, spatial dims by the arithmetic of windows."""
        return convolved(fields, inputs, fields["features"])


@linen("linear", "ConvLocal")
class ConvLocal(Conv):
    """As Conv, with a kernel of its own at each place."""


@linen("linear", "ConvTranspose")
class ConvTranspose:
    """The transpose of a convolution.  Source: flax.linen.ConvTranspose."""

    def __init__(
        self,
        features: Size,
        kernel_size: Size | Sizes,
        strides: object = None,
        padding: object = "SAME",
        kernel_dilation: object = None,
        use_bias: object = True,
        mask: object = None,
        dtype: object = None,
        param_dtype: object = None,
        precision: object = None,
        kernel_init: object = None,
        bias_init: object = None,
        transpose_kernel: object = False,
        promote_dtype: object = None,
        preferred_element_type: object = None,
        parent: object = None,
        name: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape) -> Shape:
        """Channels as built; spatial dims grow by the stride."""
        return convolved(fields, inputs, fields["features"], transposed=True)


@linen("linear", "Embed")
class Embed:
    """Rows of a table: `[*] -> [*, features]`.  Source: flax.linen.Embed."""

    def __init__(
        self,
        num_embeddings: Size,
        features: Size,
        dtype: object = None,
        param_dtype: object = None,
        embedding_init: object = None,
        promote_dtype: object = None,
        parent: object = None,
        name: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape) -> Shape:
        """One more dim, of `features`."""
        return append(inputs, Dim(None, fields["features"]))


class _Heads:
    """The constructor of both attention layers."""

    def __init__(
        self,
        num_heads: Size,
        dtype: object = None,
        param_dtype: object = None,
        qkv_features: Size | None = None,
        out_features: Size | None = None,
        broadcast_dropout: object = True,
        dropout_rate: object = 0.0,
        deterministic: object = None,
        precision: object = None,
        kernel_init: object = None,
        out_kernel_init: object = None,
        bias_init: object = None,
        out_bias_init: object = None,
        use_bias: object = True,
        attention_fn: object = None,
        decode: object = False,
        normalize_qk: object = False,
        force_fp32_for_softmax: object = False,
        qkv_dot_general: object = None,
        out_dot_general: object = None,
        qkv_dot_general_cls: object = None,
        out_dot_general_cls: object = None,
        qk_attn_weights_einsum_cls: object = None,
        attn_weights_value_einsum_cls: object = None,
        parent: object = None,
        name: object = None,
    ) -> None: ...


@linen("attention", "MultiHeadDotProductAttention", "MultiHeadAttention")
class Attention(_Heads):
    """Attention of queries to keys.  Source: flax.linen.MultiHeadDotProductAttention."""

    @staticmethod
    def forward(
        fields: Fields,
        inputs_q: Shape,
        inputs_k: Shape | None = None,
        inputs_v: Shape | None = None,
        inputs_kv: object = None,
        mask: object = None,
        deterministic: object = None,
        dropout_rng: object = None,
        sow_weights: object = False,
    ) -> Shape:
        """The queries, with `out_features` in place of their last dim."""
        # The third argument was the mask before flax 0.7; a mask has one more dim.
        return attended(inputs_q, inputs_k, inputs_v, fields["out_features"])


@linen("attention", "SelfAttention")
class SelfAttention(_Heads):
    """Attention of one sequence to itself.  Source: flax.linen.SelfAttention."""

    @staticmethod
    def forward(
        fields: Fields,
        inputs_q: Shape,
        mask: object = None,
        deterministic: object = None,
        dropout_rng: object = None,
        sow_weights: object = False,
    ) -> Shape:
        """The input, with `out_features` in place of its last dim."""
        return attended(inputs_q, None, None, fields["out_features"])


def _keep(fields: Fields, input: Shape) -> Shape:
    return input


def _parameters(words: str, takes: str = "object") -> tuple[Parameter, ...]:
    return tuple(Parameter(word, (takes,), None, "positional") for word in words.split())


_AXES = "axis_name axis_index_groups use_fast_variance force_float32_reductions parent name"


def _keeps(module: str, name: str, first: str, options: str, called: str) -> None:
    """Declare a layer that keeps its input's dims.

    It is built with `options` and called with `first` and `called`; the rule reads only `first`.
    """
    arguments = (Parameter(first, ("Shape",), REQUIRED, "positional"), *_parameters(called))
    members = {
        "__init__": Rule(_keep, _parameters(options), "None", False),
        "forward": Rule(lambda fields, input, *rest: input, arguments, "Shape", False),
        "__module__": __name__,
        "__doc__": "Keeps the dims of its input.",
    }
    linen(module, name)(type(name, (), members))


_WEIGHTS = "dtype param_dtype use_bias use_scale bias_init scale_init"
for _name, _options in (
    ("LayerNorm", f"epsilon {_WEIGHTS} reduction_axes feature_axes {_AXES}"),
    (
        "RMSNorm",
        f"epsilon dtype param_dtype use_scale scale_init reduction_axes feature_axes {_AXES}",
    ),
    ("GroupNorm", f"num_groups group_size epsilon {_WEIGHTS} reduction_axes {_AXES}"),
    ("InstanceNorm", f"epsilon {_WEIGHTS} feature_axes {_AXES}"),
):
    _keeps("normalization", _name, "x", _options, "mask")
_keeps(
    "normalization",
    "BatchNorm",
    "x",
    f"use_running_average axis momentum epsilon {_WEIGHTS} {_AXES}",
    "use_running_average mask",
)
_keeps(
    "stochastic",
    "Dropout",
    "inputs",
    "rate broadcast_dims deterministic rng_collection parent name",
    "deterministic rng",
)
