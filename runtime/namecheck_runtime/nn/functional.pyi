"""The functions of `namecheck_runtime.nn.functional`, as type checkers read them.

Written by `tests/data/write_surface.py` from the registry.
"""

# mypy: disable-error-code="overload-overlap"

from builtins import bool as _bool
from builtins import str as _str
from typing import Any, Literal, overload

from namecheck_runtime._surface import (
    Array,
    DimRef,
    DimRefs,
    Dims,
    DTypeLike,
    Index,
    Number,
    Out,
    Sizes,
)
from namecheck_runtime.tensors.object import Tensor

def adaptive_avg_pool1d(input: Tensor | Array, output_size: Any) -> Tensor: ...
def adaptive_avg_pool2d(input: Tensor | Array, output_size: Any) -> Tensor: ...
def adaptive_avg_pool3d(input: Tensor | Array, output_size: Any) -> Tensor: ...
@overload
def adaptive_max_pool1d(
    input: Tensor | Array, output_size: Any, return_indices: Literal[False] = False
) -> Tensor: ...
@overload
def adaptive_max_pool1d(
    input: Tensor | Array, output_size: Any, *, return_indices: Literal[True]
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool1d(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> Any: ...
def adaptive_max_pool1d_with_indices(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool2d(
    input: Tensor | Array, output_size: Any, return_indices: Literal[False] = False
) -> Tensor: ...
@overload
def adaptive_max_pool2d(
    input: Tensor | Array, output_size: Any, *, return_indices: Literal[True]
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool2d(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> Any: ...
def adaptive_max_pool2d_with_indices(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool3d(
    input: Tensor | Array, output_size: Any, return_indices: Literal[False] = False
) -> Tensor: ...
@overload
def adaptive_max_pool3d(
    input: Tensor | Array, output_size: Any, *, return_indices: Literal[True]
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool3d(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> Any: ...
def adaptive_max_pool3d_with_indices(
    input: Tensor | Array, output_size: Any, return_indices: Any = False
) -> tuple[Tensor, Tensor]: ...
def affine_grid(theta: Tensor | Array, size: Sizes, align_corners: Any = None) -> Tensor: ...
def alpha_dropout(
    input: Tensor[*Dims] | Array | Number, p: Any = 0.5, training: Any = False, inplace: Any = False
) -> Tensor[*Dims]: ...
def alpha_dropout_(
    input: Tensor[*Dims] | Array | Number, p: Any = None, training: Any = False, inplace: Any = None
) -> Tensor[*Dims]: ...
def avg_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Tensor: ...
def avg_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Tensor: ...
def avg_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Tensor: ...
def batch_norm(
    input: Tensor[*Dims] | Array,
    running_mean: Tensor | Array | None,
    running_var: Tensor | Array | None,
    weight: Tensor | Array | None = None,
    bias: Tensor | Array | None = None,
    training: Any = False,
    momentum: Any = 0.1,
    eps: Any = 1e-05,
) -> Tensor[*Dims]: ...
def bilinear(
    input1: Tensor | Array,
    input2: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
) -> Tensor: ...
def binary_cross_entropy(
    input: Tensor | Array,
    target: Tensor | Array,
    weight: Tensor | Array | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def binary_cross_entropy_with_logits(
    input: Tensor | Array,
    target: Tensor | Array,
    weight: Tensor | Array | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    pos_weight: Tensor | Array | None = None,
) -> Tensor: ...
def celu(
    input: Tensor[*Dims] | Array | Number, alpha: Any = 1.0, inplace: Any = False
) -> Tensor[*Dims]: ...
def celu_(
    input: Tensor[*Dims] | Array | Number, alpha: Any = 1.0, inplace: Any = None
) -> Tensor[*Dims]: ...
def channel_shuffle(input: Tensor[*Dims] | Array, groups: Index) -> Tensor[*Dims]: ...
def conv1d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes | _str = 0,
    dilation: Sizes = 1,
    groups: Index = 1,
) -> Tensor: ...
def conv2d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes | _str = 0,
    dilation: Sizes = 1,
    groups: Index = 1,
) -> Tensor: ...
def conv3d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes | _str = 0,
    dilation: Sizes = 1,
    groups: Index = 1,
) -> Tensor: ...
def conv_tbc(
    input: Tensor | Array, weight: Tensor | Array, bias: Any, pad: Index = 0
) -> Tensor: ...
def conv_transpose1d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: Index = 1,
    dilation: Sizes = 1,
) -> Tensor: ...
def conv_transpose2d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: Index = 1,
    dilation: Sizes = 1,
) -> Tensor: ...
def conv_transpose3d(
    input: Tensor | Array,
    weight: Tensor | Array,
    bias: Tensor | Array | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: Index = 1,
    dilation: Sizes = 1,
) -> Tensor: ...
def cosine_embedding_loss(
    input1: Tensor | Array,
    input2: Tensor | Array,
    target: Tensor | Array,
    margin: Any = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def cosine_similarity(
    x1: Tensor | Array, x2: Tensor | Array, dim: DimRef = 1, eps: Any = 1e-08, *, axis: DimRef = 1
) -> Tensor: ...
def cross_entropy(
    input: Tensor | Array,
    target: Tensor | Array,
    weight: Tensor | Array | None = None,
    size_average: Any = None,
    ignore_index: Any = -100,
    reduce: Any = None,
    reduction: Any = "mean",
    label_smoothing: Any = 0.0,
) -> Tensor: ...
def ctc_loss(
    log_probs: Tensor | Array,
    targets: Tensor | Array,
    input_lengths: Any,
    target_lengths: Any,
    blank: Any = 0,
    reduction: Any = "mean",
    zero_infinity: Any = False,
) -> Tensor: ...
def dropout(
    input: Tensor[*Dims] | Array | Number, p: Any = 0.5, training: Any = True, inplace: Any = False
) -> Tensor[*Dims]: ...
def dropout1d(
    input: Tensor[*Dims] | Array | Number, p: Any = 0.5, training: Any = True, inplace: Any = False
) -> Tensor[*Dims]: ...
def dropout1d_(
    input: Tensor[*Dims] | Array | Number, p: Any = None, training: Any = None, inplace: Any = None
) -> Tensor[*Dims]: ...
def dropout2d(
    input: Tensor[*Dims] | Array | Number, p: Any = 0.5, training: Any = True, inplace: Any = False
) -> Tensor[*Dims]: ...
def dropout2d_(
    input: Tensor[*Dims] | Array | Number, p: Any = None, training: Any = None, inplace: Any = None
) -> Tensor[*Dims]: ...
def dropout3d(
    input: Tensor[*Dims] | Array | Number, p: Any = 0.5, training: Any = True, inplace: Any = False
) -> Tensor[*Dims]: ...
def dropout3d_(
    input: Tensor[*Dims] | Array | Number, p: Any = None, training: Any = None, inplace: Any = None
) -> Tensor[*Dims]: ...
def dropout_(
    input: Tensor[*Dims] | Array | Number, p: Any = None, training: Any = None, inplace: Any = None
) -> Tensor[*Dims]: ...
def elu(
    input: Tensor[*Dims] | Array | Number, alpha: Any = 1.0, inplace: Any = False
) -> Tensor[*Dims]: ...
def elu_(
    input: Tensor[*Dims] | Array | Number, alpha: Any = 1.0, inplace: Any = None
) -> Tensor[*Dims]: ...
def embedding(
    input: Tensor | Array,
    weight: Tensor | Array,
    padding_idx: Any = None,
    max_norm: Any = None,
    norm_type: Any = 2.0,
    scale_grad_by_freq: Any = False,
    sparse: Any = False,
) -> Tensor: ...
def embedding_bag(
    input: Tensor | Array,
    weight: Tensor | Array,
    offsets: Tensor | Array | None = None,
    max_norm: Any = None,
    norm_type: Any = 2,
    scale_grad_by_freq: Any = False,
    mode: Any = "mean",
    sparse: Any = False,
    per_sample_weights: Any = None,
    include_last_offset: Any = False,
    padding_idx: Any = None,
) -> Tensor: ...
def feature_alpha_dropout(
    input: Tensor[*Dims] | Array | Number, p: Any = 0.5, training: Any = False, inplace: Any = False
) -> Tensor[*Dims]: ...
def feature_alpha_dropout_(
    input: Tensor[*Dims] | Array | Number, p: Any = None, training: Any = False, inplace: Any = None
) -> Tensor[*Dims]: ...
def fold(
    input: Tensor | Array,
    output_size: Sizes,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor: ...
@overload
def fractional_max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    return_indices: Literal[False] = False,
    _random_samples: Any = None,
) -> Tensor: ...
@overload
def fractional_max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    _random_samples: Any = None,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    return_indices: Any = False,
    _random_samples: Any = None,
) -> Any: ...
def fractional_max_pool2d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    return_indices: Any = False,
    _random_samples: Any = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    return_indices: Literal[False] = False,
    _random_samples: Any = None,
) -> Tensor: ...
@overload
def fractional_max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    _random_samples: Any = None,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    return_indices: Any = False,
    _random_samples: Any = None,
) -> Any: ...
def fractional_max_pool3d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: Any = None,
    return_indices: Any = False,
    _random_samples: Any = None,
) -> tuple[Tensor, Tensor]: ...
def gaussian_nll_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    var: Tensor | Array,
    full: Any = False,
    eps: Any = 1e-06,
    reduction: Any = "mean",
) -> Tensor: ...
def gelu(input: Tensor[*Dims] | Array | Number, approximate: Any = "none") -> Tensor[*Dims]: ...
def gelu_(input: Tensor[*Dims] | Array | Number, approximate: Any = None) -> Tensor[*Dims]: ...
def glu(input: Tensor | Array, dim: DimRef = -1, *, axis: DimRef = -1) -> Tensor: ...
def grid_sample(
    input: Tensor | Array,
    grid: Tensor | Array,
    mode: Any = "bilinear",
    padding_mode: Any = "zeros",
    align_corners: Any = None,
) -> Tensor: ...
def group_norm(
    input: Tensor[*Dims] | Array,
    num_groups: Index,
    weight: Tensor | Array | None = None,
    bias: Tensor | Array | None = None,
    eps: Any = 1e-05,
) -> Tensor[*Dims]: ...
def gumbel_softmax(
    logits: Tensor[*Dims] | Array,
    tau: Any = 1,
    hard: Any = False,
    eps: Any = 1e-10,
    dim: DimRef = -1,
    *,
    axis: DimRef = -1,
) -> Tensor[*Dims]: ...
def hardshrink(input: Tensor[*Dims] | Array | Number, lambd: Any = 0.5) -> Tensor[*Dims]: ...
def hardshrink_(input: Tensor[*Dims] | Array | Number, lambd: Any = None) -> Tensor[*Dims]: ...
def hardsigmoid(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def hardsigmoid_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def hardswish(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def hardswish_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def hardtanh(
    input: Tensor[*Dims] | Array | Number,
    min_val: Any = -1.0,
    max_val: Any = 1.0,
    inplace: Any = False,
) -> Tensor[*Dims]: ...
def hardtanh_(
    input: Tensor[*Dims] | Array | Number,
    min_val: Any = -1.0,
    max_val: Any = 1.0,
    inplace: Any = None,
) -> Tensor[*Dims]: ...
def hinge_embedding_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    margin: Any = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def huber_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    reduction: Any = "mean",
    delta: Any = 1.0,
    weight: Tensor | Array | None = None,
) -> Tensor: ...
def instance_norm(
    input: Tensor[*Dims] | Array,
    running_mean: Tensor | Array | None = None,
    running_var: Tensor | Array | None = None,
    weight: Tensor | Array | None = None,
    bias: Tensor | Array | None = None,
    use_input_stats: Any = True,
    momentum: Any = 0.1,
    eps: Any = 1e-05,
) -> Tensor[*Dims]: ...
def interpolate(
    input: Tensor | Array,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
    recompute_scale_factor: Any = None,
    antialias: Any = False,
) -> Tensor: ...
def kl_div(
    input: Tensor | Array,
    target: Tensor | Array,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    log_target: Any = False,
) -> Tensor: ...
def l1_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    weight: Tensor | Array | None = None,
) -> Tensor: ...
def layer_norm(
    input: Tensor[*Dims] | Array,
    normalized_shape: Sizes,
    weight: Tensor | Array | None = None,
    bias: Tensor | Array | None = None,
    eps: Any = 1e-05,
    cudnn_enable: Any = True,
) -> Tensor[*Dims]: ...
def leaky_relu(
    input: Tensor[*Dims] | Array | Number, negative_slope: Any = 0.01, inplace: Any = False
) -> Tensor[*Dims]: ...
def leaky_relu_(
    input: Tensor[*Dims] | Array | Number, negative_slope: Any = 0.01, inplace: Any = None
) -> Tensor[*Dims]: ...
def linear(
    input: Tensor | Array, weight: Tensor | Array, bias: Tensor | Array | None = None
) -> Tensor: ...
def local_response_norm(
    input: Tensor[*Dims] | Array, size: Any, alpha: Any = 0.0001, beta: Any = 0.75, k: Any = 1.0
) -> Tensor[*Dims]: ...
def log_softmax(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = None,
    _stacklevel: Any = 3,
    dtype: DTypeLike | None = None,
    *,
    axis: DimRef | None = None,
) -> Tensor[*Dims]: ...
def logsigmoid(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def logsigmoid_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def lp_pool1d(
    input: Tensor | Array,
    norm_type: Any,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: Any = False,
) -> Tensor: ...
def lp_pool2d(
    input: Tensor | Array,
    norm_type: Any,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: Any = False,
) -> Tensor: ...
def lp_pool3d(
    input: Tensor | Array,
    norm_type: Any,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: Any = False,
) -> Tensor: ...
def margin_ranking_loss(
    input1: Tensor | Array,
    input2: Tensor | Array,
    target: Tensor | Array,
    margin: Any = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
@overload
def max_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool1d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any: ...
def max_pool1d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool2d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any: ...
def max_pool2d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> Any: ...
def max_pool3d_with_indices(
    input: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: Any = False,
    return_indices: Any = False,
) -> tuple[Tensor, Tensor]: ...
def max_unpool1d(
    input: Tensor | Array,
    indices: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sizes | None = None,
) -> Tensor: ...
def max_unpool2d(
    input: Tensor | Array,
    indices: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sizes | None = None,
) -> Tensor: ...
def max_unpool3d(
    input: Tensor | Array,
    indices: Tensor | Array,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sizes | None = None,
) -> Tensor: ...
def mish(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def mish_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def mse_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    weight: Tensor | Array | None = None,
) -> Tensor: ...
def multi_head_attention_forward(
    query: Tensor | Array,
    key: Tensor | Array,
    value: Tensor | Array,
    embed_dim_to_check: Index,
    num_heads: Index,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: Any,
    dropout_p: Any,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: Any = True,
    key_padding_mask: Tensor | Array | None = None,
    need_weights: Any = True,
    attn_mask: Tensor | Array | None = None,
    use_separate_proj_weight: Any = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: Any = True,
    is_causal: Any = False,
) -> tuple[Tensor, Any]: ...
def multi_margin_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    p: Any = 1,
    margin: Any = 1.0,
    weight: Tensor | Array | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def multilabel_margin_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def multilabel_soft_margin_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    weight: Tensor | Array | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def native_channel_shuffle(input: Tensor[*Dims] | Array, groups: Index) -> Tensor[*Dims]: ...
def nll_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    weight: Tensor | Array | None = None,
    size_average: Any = None,
    ignore_index: Any = -100,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def normalize(
    input: Tensor[*Dims] | Array,
    p: Any = 2.0,
    dim: DimRefs = 1,
    eps: Any = 1e-12,
    out: Out | None = None,
    *,
    axis: DimRefs = 1,
) -> Tensor[*Dims]: ...
def one_hot(tensor: Tensor | Array, num_classes: Index = -1) -> Tensor: ...
def pad(
    input: Tensor | Array, pad: Sizes | None, mode: Any = "constant", value: Any = None
) -> Tensor: ...
def pairwise_distance(
    x1: Tensor | Array,
    x2: Tensor | Array,
    p: Any = 2.0,
    eps: Any = 1e-06,
    keepdim: _bool = False,
    *,
    keepdims: _bool = False,
) -> Tensor: ...
def pdist(input: Tensor | Array, p: Any = 2) -> Tensor: ...
def pixel_shuffle(input: Tensor | Array, upscale_factor: Index) -> Tensor: ...
def pixel_unshuffle(input: Tensor | Array, downscale_factor: Index) -> Tensor: ...
def poisson_nll_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    log_input: Any = True,
    full: Any = False,
    size_average: Any = None,
    eps: Any = 1e-08,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def prelu(input: Tensor[*Dims] | Array | Number, weight: Any) -> Tensor[*Dims]: ...
def prelu_(input: Tensor[*Dims] | Array | Number, weight: Any) -> Tensor[*Dims]: ...
def relu(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def relu6(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def relu6_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def relu_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def rms_norm(
    input: Tensor[*Dims] | Array,
    normalized_shape: Sizes,
    weight: Tensor | Array | None = None,
    eps: Any = None,
) -> Tensor[*Dims]: ...
def rrelu(
    input: Tensor[*Dims] | Array | Number,
    lower: Any = 0.125,
    upper: Any = 0.3333333333333333,
    training: Any = False,
    inplace: Any = False,
) -> Tensor[*Dims]: ...
def rrelu_(
    input: Tensor[*Dims] | Array | Number,
    lower: Any = None,
    upper: Any = None,
    training: Any = False,
    inplace: Any = None,
) -> Tensor[*Dims]: ...
def scaled_dot_product_attention(
    query: Tensor | Array,
    key: Tensor | Array,
    value: Tensor | Array,
    attn_mask: Tensor | Array | None = None,
    dropout_p: Any = 0.0,
    is_causal: Any = False,
    scale: Any = None,
    enable_gqa: Any = False,
) -> Tensor: ...
def selu(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def selu_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def sigmoid(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def sigmoid_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def silu(input: Tensor[*Dims] | Array | Number, inplace: Any = False) -> Tensor[*Dims]: ...
def silu_(input: Tensor[*Dims] | Array | Number, inplace: Any = None) -> Tensor[*Dims]: ...
def smooth_l1_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
    beta: Any = 1.0,
) -> Tensor: ...
def soft_margin_loss(
    input: Tensor | Array,
    target: Tensor | Array,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def softmax(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = None,
    _stacklevel: Any = 3,
    dtype: DTypeLike | None = None,
    *,
    axis: DimRef | None = None,
) -> Tensor[*Dims]: ...
def softmin(
    input: Tensor[*Dims] | Array,
    dim: DimRef | None = None,
    _stacklevel: Any = 3,
    dtype: DTypeLike | None = None,
    *,
    axis: DimRef | None = None,
) -> Tensor[*Dims]: ...
def softplus(
    input: Tensor[*Dims] | Array | Number, beta: Any = 1, threshold: Any = 20
) -> Tensor[*Dims]: ...
def softplus_(
    input: Tensor[*Dims] | Array | Number, beta: Any = None, threshold: Any = None
) -> Tensor[*Dims]: ...
def softshrink(input: Tensor[*Dims] | Array | Number, lambd: Any = 0.5) -> Tensor[*Dims]: ...
def softshrink_(input: Tensor[*Dims] | Array | Number, lambd: Any = None) -> Tensor[*Dims]: ...
def softsign(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def softsign_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def tanh(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def tanh_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def tanhshrink(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def tanhshrink_(input: Tensor[*Dims] | Array | Number) -> Tensor[*Dims]: ...
def threshold(
    input: Tensor[*Dims] | Array | Number, threshold: Any, value: Any, inplace: Any = False
) -> Tensor[*Dims]: ...
def threshold_(
    input: Tensor[*Dims] | Array | Number, threshold: Any, value: Any, inplace: Any = None
) -> Tensor[*Dims]: ...
def triplet_margin_loss(
    anchor: Tensor | Array,
    positive: Tensor | Array,
    negative: Tensor | Array,
    margin: Any = 1.0,
    p: Any = 2,
    eps: Any = 1e-06,
    swap: Any = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: Any = "mean",
) -> Tensor: ...
def triplet_margin_with_distance_loss(
    anchor: Tensor | Array,
    positive: Tensor | Array,
    negative: Tensor | Array,
    *,
    distance_function: Any = None,
    margin: Any = 1.0,
    swap: Any = False,
    reduction: Any = "mean",
) -> Tensor: ...
def unfold(
    input: Tensor | Array,
    kernel_size: Sizes,
    dilation: Sizes = 1,
    padding: Sizes = 0,
    stride: Sizes = 1,
) -> Tensor: ...
def upsample(
    input: Tensor | Array,
    size: Any = None,
    scale_factor: Any = None,
    mode: Any = "nearest",
    align_corners: Any = None,
) -> Tensor: ...
def upsample_bilinear(
    input: Tensor | Array, size: Any = None, scale_factor: Any = None
) -> Tensor: ...
def upsample_nearest(
    input: Tensor | Array, size: Any = None, scale_factor: Any = None
) -> Tensor: ...
