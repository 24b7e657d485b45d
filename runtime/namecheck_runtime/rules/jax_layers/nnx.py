"""Layers of flax.nnx: they are built for the size of their input."""

from __future__ import annotations

from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import Fields, Shape, Size, Sizes
from namecheck_runtime.lattice import Dim
from namecheck_runtime.layers import layer
from namecheck_runtime.rules.jax_layers.channels_last import (
    attended,
    convolved,
    require_last,
    with_last,
)
from namecheck_runtime.rules.nn.embedding import append


@layer("flax.nnx.Linear")
class Linear:
    """Maps the last dim.  Source: flax.nnx.Linear."""

    def __init__(
        self,
        in_features: Size,
        out_features: Size,
        *,
        use_bias: object = True,
        dtype: object = None,
        param_dtype: object = None,
        precision: object = None,
        kernel_init: object = None,
        bias_init: object = None,
        dot_general: object = None,
        promote_dtype: object = None,
        preferred_element_type: object = None,
        rngs: object = None,
        kernel_metadata: object = None,
        bias_metadata: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape, out_sharding: object = None) -> Shape:
        """`[*b, in_features] -> [*b, out_features]`."""
        require_last(inputs, fields["in_features"])
        return with_last(inputs, fields["out_features"])


@layer("flax.nnx.Conv")
class Conv:
    """Slides a kernel over the dims before the last.  Source: flax.nnx.Conv."""

    def __init__(
        self,
        in_features: Size,
        out_features: Size,
        kernel_size: Size | Sizes,
        strides: object = 1,
        *,
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
        conv_general_dilated: object = None,
        promote_dtype: object = None,
        preferred_element_type: object = None,
        rngs: object = None,
        kernel_metadata: object = None,
        bias_metadata: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape, out_sharding: object = None) -> Shape:
        """Channels as built, spatial dims by the arithmetic of windows."""
        result = convolved(fields, inputs, fields["out_features"])
        require_last(inputs, fields["in_features"])
        return result


@layer("flax.nnx.ConvTranspose")
class ConvTranspose:
    """The transpose of a convolution.  Source: flax.nnx.ConvTranspose."""

    def __init__(
        self,
        in_features: Size,
        out_features: Size,
        kernel_size: Size | Sizes,
        strides: object = None,
        *,
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
        rngs: object = None,
        kernel_metadata: object = None,
        bias_metadata: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape) -> Shape:
        """Channels as built; spatial dims grow by the stride."""
        result = convolved(fields, inputs, fields["out_features"], transposed=True)
        if fields["transpose_kernel"] is False:
            require_last(inputs, fields["in_features"])
        return result


@layer("flax.nnx.Embed")
class Embed:
    """Rows of a table: `[*] -> [*, features]`.  Source: flax.nnx.Embed."""

    def __init__(
        self,
        num_embeddings: Size,
        features: Size,
        *,
        dtype: object = None,
        param_dtype: object = None,
        embedding_init: object = None,
        promote_dtype: object = None,
        rngs: object = None,
        embedding_metadata: object = None,
    ) -> None: ...

    @staticmethod
    def forward(fields: Fields, inputs: Shape, out_sharding: object = None) -> Shape:
        """One more dim, of `features`."""
        return append(inputs, Dim(None, fields["features"]))


@layer("flax.nnx.MultiHeadAttention")
class Attention:
    """Attention of queries to keys.  Source: flax.nnx.MultiHeadAttention."""

    def __init__(
        self,
        num_heads: Size,
        in_features: Size,
        qkv_features: Size | None = None,
        out_features: Size | None = None,
        num_kv_heads: Size | None = None,
        in_kv_features: Size | None = None,
        **options: object,
    ) -> None: ...

    @staticmethod
    def forward(
        fields: Fields,
        inputs_q: Shape,
        inputs_k: Shape | None = None,
        inputs_v: Shape | None = None,
        *,
        mask: object = None,
        deterministic: object = None,
        rngs: object = None,
        sow_weights: object = False,
        decode: object = None,
        is_causal: object = False,
        out_sharding: object = None,
        qkv_sharding: object = None,
    ) -> Shape:
        """The queries, `in_features` wide, with `out_features` in place of their last dim."""
        result = attended(inputs_q, inputs_k, inputs_v, fields["out_features"])
        require_last(inputs_q, fields["in_features"], argument="inputs_q")
        return result


def _parameters(kind: str, words: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(word, ("object",), None, kind) for word in words.split())


_WEIGHTS = """
    use_bias use_scale bias_init scale_init scale_metadata bias_metadata epsilon dtype param_dtype
    reduction_axes feature_axes axis_name axis_index_groups use_fast_variance promote_dtype rngs
"""


def _norm(name: str, options: str, called: str = "mask") -> None:
    """Declare a norm that is built for a number of features."""

    def forward(fields: Fields, x: Shape, *rest: object) -> Shape:
        if fields.get("axis", -1) in (None, -1) and fields["feature_axes"] in (None, -1):
            require_last(x, fields["num_features"], "num_features", "x")
        return x

    first = Parameter("num_features", ("Size",), REQUIRED, "positional")
    x = Parameter("x", ("Shape",), REQUIRED, "positional")
    parameters = (first, *_parameters("positional", options), *_parameters("keyword", _WEIGHTS))
    members = {
        "__init__": Rule(forward, parameters, "None", False),
        "forward": Rule(forward, (x, *_parameters("positional", called)), "Shape", False),
        "__module__": __name__,
        "__doc__": f"Keeps the dims of its input.  Source: flax.nnx.{name}.",
    }
    layer(f"flax.nnx.{name}")(type(name, (), members))


_norm("LayerNorm", "")
_norm("RMSNorm", "")
_norm("GroupNorm", "num_groups group_size")
_norm("InstanceNorm", "")
_norm("BatchNorm", "use_running_average axis momentum", "use_running_average mask")


@layer("flax.nnx.Dropout")
class Dropout:
    """Keeps the dims of its input.  Source: flax.nnx.Dropout."""

    def __init__(
        self,
        rate: object,
        *,
        broadcast_dims: object = (),
        deterministic: object = False,
        rng_collection: object = "dropout",
        rngs: object = None,
    ) -> None: ...

    @staticmethod
    def forward(
        fields: Fields, inputs: Shape, *, deterministic: object = None, rngs: object = None
    ) -> Shape:
        """The input."""
        return inputs
