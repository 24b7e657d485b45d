"""PyTorch: where its names are re-exported, its dtypes, its containers.

Its ops are in `namecheck_runtime.rules`.
"""

from __future__ import annotations

import re
from typing import Final

from namecheck_runtime.light import memory_orders
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.readers import keyword_names

PACKAGE: Final = "torch"
LAYERS: Final = "torch.nn."
"""How the paths of layers begin."""
PACKAGES: Final = frozenset({PACKAGE, "namecheck_runtime"})
"""Packages with PyTorch's surface; programs move to our runtime by changing one import."""

IMPORTED_LATE: Final = regex(r"^[ \t]+(?:import|from) torch\b|[\"']torch[.\"']", re.MULTILINE)
"""An import of PyTorch inside a function, or a call that imports it by name."""

SCRIPT: Final = "torch.jit"

SOURCES: Final = {"torch.distributions": "distributions", "torch.optim": "optimizers"}
"""Packages of PyTorch's that are Python, and the module here with what they do with dims."""

TENSOR: Final = "Tensor"
WRITTEN_SHAPE: Final = "torch.Size({})"
"""How a shape is written, around the list of its sizes."""
TENSOR_TYPE: Final = "torch.Tensor"
NAMED_TYPES: Final = frozenset({TENSOR_TYPE, "namecheck_runtime.Tensor"})
"""Types that take the names of a tensor's dims: `Tensor[L["N"], L["C"]]`."""

ALIASES: Final = (
    ("torch.nn.modules.container.", "torch.nn."),
    ("torch.nn.modules.module.", "torch.nn."),
    ("torch.functional.", "torch."),
    ("torch.utils.data.dataloader.", "torch.utils.data."),
    ("torch.utils.data.dataset.", "torch.utils.data."),
    ("torch.Tensor.", "Tensor."),
    ("torch.FloatTensor.", "Tensor."),
    ("namecheck_runtime.Tensor.", "Tensor."),
    ("namecheck_runtime.", "torch."),
)
"""Other prefixes of a path, and the usual one."""

WORDS: Final = keyword_names.TORCH

KINDS: Final = {
    "bool": ("bool",),
    "int": (
        *("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
        *("short", "int", "long"),
    ),
    "float": (
        *("float16", "float32", "float64", "bfloat16", "half", "float", "double"),
        *(f"float8_{form}" for form in ("e4m3fn", "e5m2", "e4m3fnuz", "e5m2fnuz", "e8m0fnu")),
    ),
    "complex": ("complex32", "complex64", "complex128", "cfloat", "cdouble"),
}

DTYPES: Final[dict[str, str]] = {
    f"torch.{name}": kind for kind, names in KINDS.items() for name in names
}

CASTS: Final[dict[str, str]] = {name: kind for kind, names in KINDS.items() for name in names}
"""Methods that keep the dims and change the dtype."""

MEMORY_ORDERS: Final = {f"torch.{name}": order for name, order in memory_orders.ORDERS.items()}
"""The values of `memory_format`."""

EMPTY: Final = "torch.empty"

CONSTRUCTORS: Final = frozenset(
    f"torch.{kind}Tensor"
    for kind in ("", "Float", "Double", "Half", "BFloat16", "Long", "Int", "Bool")
)
"""Classes that make a tensor of sizes or of data."""

LEAVING: Final = {"Tensor.numpy": "ndarray", "Tensor.__array__": "ndarray"}
"""Methods whose result has another library's methods."""

MODULES: Final[frozenset[str]] = frozenset({"torch.nn.Module"})
"""Base classes whose instances run `forward` when they are called."""

FORWARD: Final = "forward"
CALLED: Final = (FORWARD, "__call__")
"""The methods that calling a layer runs."""

BASES_OF_LAYERS: Final = ("Hardtanh", "Upsample", "Linear", "Conv", "Norm", "RNNBase", "Loss")
"""Words in the names of layers from which a library derives others: `LazyLinear`, `ReLU6`."""

BY_DEFAULT: Final = {"stride": "kernel_size"}
"""The options of layers that have the value of another if they are left out."""

DERIVED: Final[dict[str, str]] = {
    "NonDynamicallyQuantizableLinear": "Linear",
    "ReLU6": "Hardtanh",
    "UpsamplingBilinear2d": "Upsample",
    "UpsamplingNearest2d": "Upsample",
    **{f"ZeroPad{rank}d": f"ConstantPad{rank}d" for rank in (1, 2, 3)},
    **{f"LazyConv{rank}d": f"Conv{rank}d" for rank in (1, 2, 3)},
    **{f"LazyConvTranspose{rank}d": f"ConvTranspose{rank}d" for rank in (1, 2, 3)},
    "LazyLinear": "Linear",
}
"""The layers of PyTorch that are subclasses of another, by their names."""

FAMILIES: Final[dict[str, str]] = {
    "torch.nn.modules.batchnorm._BatchNorm": "BatchNorm",
    "torch.nn.modules.conv._ConvNd": "Conv",
    "torch.nn.modules.conv._ConvTransposeNd": "ConvTranspose",
    "torch.nn.modules.dropout._DropoutNd": "Dropout",
    "torch.nn.modules.instancenorm._InstanceNorm": "InstanceNorm",
}
"""Classes that stand for several layers, and the word in the names of exactly these."""

TYPE_TESTS: Final[dict[str, str]] = {"torch.is_tensor": TENSOR_TYPE}
"""Functions that ask whether a value is of a class."""

CONTAINERS: Final[dict[str, str]] = {
    "torch.nn.Sequential": "sequential",
    "torch.nn.ModuleList": "list",
    "torch.nn.ParameterList": "list",
    "torch.nn.ModuleDict": "dict",
    "torch.nn.ParameterDict": "dict",
}

ADDS: Final = "add_module"
"""The method of a module that adds another, by a name."""

REGISTERS: Final = frozenset({"register_buffer", "register_parameter", "register_module", ADDS})
"""Methods of a module that make an attribute of their second argument, named by the first."""

REGISTERED: Final = ("tensor", "param", "module")
"""The keywords of that second argument."""

PARAMETERS: Final = frozenset({"weight", "bias"})
"""The usual names of a layer's parameters."""

ELEMENTS: Final = "data"
"""The attribute of a tensor by which it gets other elements, also of other dims."""

RESIZING_ATTRIBUTES: Final = frozenset({ELEMENTS, "dtype", "shape"})
"""Attributes of a tensor or an array that give it other dims when they are assigned."""

HELD_MODULES: Final = "_modules"
"""The attribute of a module with the modules inside it, by name."""

WALKS: Final = frozenset({"modules", "named_modules", "children", "named_children"})
"""Methods of a module that give the modules inside it."""

TENSORS_INSIDE: Final = frozenset(
    {"parameters", "named_parameters", "buffers", "named_buffers", "state_dict"}
)
"""Methods of a module that give the tensors inside it."""

STATE: Final = "state_dict"
COMPOSITES: Final = ("torch.nn.Transformer", "torch.nn.AdaptiveLogSoftmax")
"""That of them which gives a dict, and how layers begin that are made of others."""

BUFFER: Final = "register_buffer"
KEPT: Final = "persistent"
"""The method that makes a buffer, and the argument that says whether a file of weights has it."""

STATISTICS: Final = frozenset({"running_mean", "running_var", "num_batches_tracked"})
"""The buffers of layers."""

TRAINING: Final = "training"
TRAIN: Final = "train"
EVAL: Final = "eval"
"""The attribute of a module for its mode, and the methods that set it."""

FROM_WEIGHTS: Final = {
    f"torch.nn.{name}.from_pretrained": f"torch.nn.{name}" for name in ("Embedding", "EmbeddingBag")
}
"""The methods that build a layer around a tensor, which has the sizes of its constructor."""

FIRST_OF_WEIGHTS: Final = "embeddings"
"""The parameter of these methods that is the tensor."""

LOADS: Final = "load_state_dict"
"""The method of a module that writes other values into its parameters."""

LOADS_NEW: Final = "assign"
"""The argument by which it puts other tensors in their place."""

HOOKS: Final = "register_forward_hook"
"""The method of a module that registers a function which is called behind it."""

OF_MODULES: Final = WALKS | TENSORS_INSIDE | {HOOKS}
"""Methods of modules that a drive evaluates."""

READING: Final = WALKS | {
    "apply",
    "buffers",
    "cuda",
    "eval",
    "named_buffers",
    "named_parameters",
    "parameters",
    "state_dict",
    "to",
    "train",
    "zero_grad",
    LOADS,
}
"""Methods of a container that leave its layers as they are."""

SELF: Final = frozenset(
    {
        "to",
        "cuda",
        "cpu",
        "xpu",
        "train",
        "eval",
        "half",
        "float",
        "double",
        "bfloat16",
        "type",
        "apply",
        "requires_grad_",
        "share_memory",
        "to_empty",
    }
)
"""Methods of a module that return it: `Net().to(device)`."""

FOLLOWED: Final = SELF | {LOADS}
"""Methods of a module that return it, or change what it holds."""

MODULE_ATTRIBUTES: Final = (
    SELF
    | REGISTERS
    | {
        *("training", "call_super_init", "dump_patches", "forward", "T_destination"),
        *("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"),
        *("_backward_hooks", "_backward_pre_hooks", "_is_full_backward_hook", "_forward_hooks"),
        *("_forward_hooks_always_called", "_forward_hooks_with_kwargs", "_forward_pre_hooks"),
        *("_forward_pre_hooks_with_kwargs", "_load_state_dict_post_hooks", "_state_dict_hooks"),
        *("_load_state_dict_pre_hooks", "_state_dict_pre_hooks", "_compiled_call_impl", "_version"),
        *(
            "_apply",
            "_call_impl",
            "_wrapped_call_impl",
            "_slow_forward",
            "_get_name",
            "_named_members",
        ),
        *("_load_from_state_dict", "_save_to_state_dict", "_register_state_dict_hook"),
        *("_register_load_state_dict_pre_hook", "_replicate_for_data_parallel"),
        *("apply", "buffers", "children", "compile", "extra_repr", "get_buffer", "get_extra_state"),
        *("get_parameter", "get_submodule", "load_state_dict", "modules", "named_buffers"),
        *("named_children", "named_modules", "named_parameters", "parameters", "set_extra_state"),
        *("register_backward_hook", "register_forward_hook", "register_forward_pre_hook"),
        *("register_full_backward_hook", "register_full_backward_pre_hook", "set_submodule"),
        *("register_load_state_dict_post_hook", "register_load_state_dict_pre_hook"),
        *("register_state_dict_post_hook", "register_state_dict_pre_hook", "state_dict"),
        *("ipu", "mtia", "share_memory", "to_empty", "type", "zero_grad"),
    }
)
"""The attributes that every module has."""
OF_ROWS: Final = frozenset({ADDS, "add_modules", "get_submodule", "register_forward_hook"})
"""Further attributes of a row of modules."""

APPLY: Final = "apply"
"""The method of a module that calls a function with each of its modules."""

SIZED: Final = {
    "torch.Tensor": (EMPTY, "torch.tensor"),
    "torch.FloatTensor": (EMPTY, "torch.tensor"),
    "torch.LongTensor": (EMPTY, "torch.tensor"),
    "torch.BoolTensor": (EMPTY, "torch.tensor"),
}
"""The op that a constructor is if its arguments are sizes, and the one if they are data."""

OF_NUMBERS: Final = frozenset(
    {"torch.tensor", "torch.as_tensor", "torch.asarray", "Tensor.new_tensor"}
)
"""The functions for which a tensor in a list is a number: it must have one element.

An array of NumPy's in a list is a list itself.
"""

WRAPPERS: Final = frozenset(
    {"torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"}
)
"""Classes that make their own tensor of their first argument."""

DATA: Final = ELEMENTS
"""The name of that argument."""

INITIALIZERS: Final = "torch.nn.init."
"""The module whose functions fill a tensor, and return it."""

DRESSES: Final = frozenset(
    {
        "torch.compile",
        "torch.jit.script",
        "torch.jit.trace",
        "torch.nn.DataParallel",
        "torch.nn.utils.parametrizations.spectral_norm",
        "torch.nn.utils.parametrizations.weight_norm",
        "torch.nn.utils.spectral_norm",
        "torch.nn.utils.weight_norm",
        "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.optim.swa_utils.AveragedModel",
    }
)
"""Functions and classes that give a module which computes what their first argument computes."""

CHANGING: Final = frozenset({"torch.vmap", "torch.func.vmap"})
"""Decorators that change what a function takes or gives."""

CALLING: Final = {"checkpoint": 1}
"""Functions that call their first argument with their arguments from this place on."""

SIZE: Final = "size"
ITEM: Final = "item"
AS_NUMBERS: Final = frozenset({ITEM, "tolist"})
"""Methods of a tensor that give its elements as numbers of Python."""

RANKS: Final = frozenset({"dim", "ndimension"})
"""The methods of a tensor that give its sizes, and the number of its dims."""

SIZES_TYPE: Final = "Size"
"""What PyTorch calls its class of the sizes of a tensor."""
SIZES: Final = f"torch.{SIZES_TYPE}"
"""That class: it makes sizes of numbers."""

LOADER: Final = "torch.utils.data.DataLoader"
TENSORS: Final = "torch.utils.data.TensorDataset"
SUBSET: Final = "torch.utils.data.Subset"
SPLIT: Final = "torch.utils.data.random_split"
"""Datasets, and the loader that stacks their elements; see `analysis.python.loaders`."""

PACK: Final = "torch.nn.utils.rnn.pack_padded_sequence"
PAD: Final = "torch.nn.utils.rnn.pad_packed_sequence"
"""See `analysis.asking.packed`."""

PARAMETER: Final = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
"""The wrappers whose tensor requires a gradient."""

REQUIRES_GRADIENT: Final = "requires_grad"
"""The parameter of ops, and the attribute of tensors, that says so."""

DIFFERENTIATING: Final = regex(r"\b(?:requires_grad|backward|autograd)", 0)
"""A word of functions that compute gradients."""

OWN_DERIVATIVE: Final = "torch.autograd.Function"
SETS_CONTEXT: Final = "setup_context"
CONTEXT: Final = "FunctionCtx"
"""A function with a gradient of its own: its class, the method without which `forward` gets the
context, and the name of that context's class.
"""

RUNNING_BACKWARD: Final = regex(r"\.backward\(|\bautograd\.grad\(", 0)
"""A call that needs gradients to be recorded."""

MODES_OFF: Final = frozenset({"no_grad", "inference_mode"})
MODES_ON: Final = frozenset({"enable_grad"})
"""Context managers and decorators that set the grad mode, by name."""

MODE_TESTS: Final = frozenset(
    {"is_autocast_enabled", "is_grad_enabled", "is_inference_mode_enabled", "is_scripting"}
)
"""Functions that say how a program is run, whatever its tensors are."""

HALF_TYPES: Final = frozenset({"float16", "half", "bfloat16"})
"""The dtypes that a model may be run in instead of `float32`."""

DTYPE: Final = "dtype"
DEVICE: Final = "device"
NO_DTYPE: Final = frozenset({DEVICE, "non_blocking", "memory_format", "generator"})
"""Arguments whose value says nothing of the dtype of a result, whatever it is."""
PLACE_FLAGS: Final = frozenset({"is_cuda", REQUIRES_GRADIENT})
"""Attributes of tensors that say nothing about their sizes."""

SETTING_MODE: Final = "set_grad_enabled"
TURNING_OFF: Final = regex(r"\b(?:no_grad|inference_mode)\b", 0)
"""How a file sets the grad mode for what follows, and how it turns it off at all."""

FREEZING: Final = regex(r"requires_grad(?!\s*=\s*True)|fr[eo]+ze", 0)
"""A word of files in which a parameter may require no gradient."""

CHANGING_GRAPHS: Final = ("amp", "autocast", "autograd.graph", "grad_mode", "func", "no_grad")
"""Words in the paths of PyTorch's contexts in which ops keep other tensors, or none."""

TENSOR_TYPES: Final = frozenset(
    {
        TENSOR_TYPE,
        "torch.FloatTensor",
        "torch.LongTensor",
        "torch.BoolTensor",
        "torch.nn.Parameter",
    }
)

OF_TENSORS: Final = """
H T abs abs_ absolute absolute_ acos acos_ acosh acosh_ add add_ addbmm addbmm_ addcdiv addcdiv_
addcmul addcmul_ addmm addmm_ addmv addmv_ addr addr_ adjoint all allclose amax amin aminmax angle
any apply_ arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2 arctan2_
arctan_ arctanh arctanh_ argmax argmin argsort argwhere as_strided as_strided_ as_strided_scatter
as_subclass asin asin_ asinh asinh_ atan atan2 atan2_ atan_ atanh atanh_ backward baddbmm baddbmm_
bernoulli bernoulli_ bfloat16 bincount bitwise_and bitwise_and_ bitwise_left_shift
bitwise_left_shift_ bitwise_not bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift
bitwise_right_shift_ bitwise_xor bitwise_xor_ bmm bool broadcast_to byte cauchy_ ccol_indices
cdouble ceil ceil_ cfloat chalf char cholesky cholesky_inverse cholesky_solve chunk clamp clamp_
clamp_max clamp_max_ clamp_min clamp_min_ clip clip_ clone coalesce col_indices conj conj_physical
conj_physical_ const_data_ptr contiguous copy_ copysign copysign_ corrcoef cos cos_ cosh cosh_
count_nonzero cov cpu cross crow_indices cuda cummax cummin cumprod cumprod_ cumsum cumsum_ data
data_ptr deg2rad deg2rad_ dense_dim dequantize det detach detach_ device diag diag_embed diagflat
diagonal diagonal_scatter diff digamma digamma_ dim dim_order dist div div_ divide divide_ dot
double dsplit dtype eig element_size eq eq_ equal erf erf_ erfc erfc_ erfinv erfinv_ exp exp2
exp2_ exp_ expand expand_as expm1 expm1_ exponential_ fill_ fill_diagonal_ fix fix_ flatten flip
fliplr flipud float float_power float_power_ floor floor_ floor_divide floor_divide_ fmax fmin
fmod fmod_ frac frac_ frexp gather gcd gcd_ ge ge_ geometric_ geqrf ger get_device grad grad_dtype
grad_fn greater greater_ greater_equal greater_equal_ gt gt_ half hardshrink hash_tensor heaviside
heaviside_ histc histogram hsplit hypot hypot_ i0 i0_ igamma igamma_ igammac igammac_ imag index
index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_put index_put_
index_reduce index_reduce_ index_select indices inner int int_repr inverse ipu is_coalesced
is_complex is_conj is_contiguous is_cpu is_cuda is_distributed is_floating_point is_inference
is_ipu is_leaf is_maia is_meta is_mkldnn is_mps is_mtia is_neg is_nested is_nonzero is_pinned
is_quantized is_same_size is_set_to is_shared is_signed is_sparse is_sparse_csr is_vulkan is_xla
is_xpu isclose isfinite isinf isnan isneginf isposinf isreal istft item itemsize kron kthvalue
layout lcm lcm_ ldexp ldexp_ le le_ lerp lerp_ less less_ less_equal less_equal_ lgamma lgamma_
log log10 log10_ log1p log1p_ log2 log2_ log_ log_normal_ log_softmax logaddexp logaddexp2
logcumsumexp logdet logical_and logical_and_ logical_not logical_not_ logical_or logical_or_
logical_xor logical_xor_ logit logit_ logsumexp long lstsq lt lt_ lu lu_solve mH mT map2_ map_
masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul matrix_exp
matrix_power max maximum mean median min minimum mm mode module_load moveaxis movedim msort mtia
mul mul_ multinomial multiply multiply_ mv mvlgamma mvlgamma_ name nan_to_num nan_to_num_ nanmean
nanmedian nanquantile nansum narrow narrow_copy nbytes ndim ndimension ne ne_ neg neg_ negative
negative_ nelement new new_empty new_empty_strided new_full new_ones new_tensor new_zeros
nextafter nextafter_ nonzero nonzero_static norm normal_ not_equal not_equal_ numel numpy orgqr
ormqr outer output_nr permute pin_memory pinverse polygamma polygamma_ positive pow pow_ prelu
prod put put_ q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale
q_zero_point qr qscheme quantile rad2deg rad2deg_ random_ ravel real reciprocal reciprocal_
record_stream register_hook register_post_accumulate_grad_hook reinforce relu relu_ remainder
remainder_ renorm renorm_ repeat repeat_interleave requires_grad requires_grad_ reshape reshape_as
resize resize_ resize_as resize_as_ resize_as_sparse_ resolve_conj resolve_neg retain_grad
retains_grad roll rot90 round round_ row_indices rsqrt rsqrt_ scatter scatter_ scatter_add
scatter_add_ scatter_reduce scatter_reduce_ select select_scatter set_ sgn sgn_ shape
share_memory_ short sigmoid sigmoid_ sign sign_ signbit sin sin_ sinc sinc_ sinh sinh_ size
slice_inverse slice_scatter slogdet smm softmax solve sort sparse_dim sparse_mask sparse_resize_
sparse_resize_and_clear_ split split_with_sizes sqrt sqrt_ square square_ squeeze squeeze_
sspaddmm std stft storage storage_offset storage_type stride sub sub_ subtract subtract_ sum
sum_to_size svd swapaxes swapaxes_ swapdims swapdims_ symeig t t_ take take_along_dim tan tan_
tanh tanh_ tensor_split tile to to_dense to_mkldnn to_padded_tensor to_sparse to_sparse_bsc
to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr tolist topk trace transpose transpose_
triangular_solve tril tril_ triu triu_ true_divide true_divide_ trunc trunc_ type type_as unbind
unflatten unfold uniform_ unique unique_consecutive unsafe_chunk unsafe_split
unsafe_split_with_sizes unsqueeze unsqueeze_ untyped_storage values var vdot view view_as volatile
vsplit where xlogy xlogy_ xpu zero_
"""
"""The public names of all attributes of tensors, with rules or without: `hasattr(x, "as_tensor")`.

Written by `tests/data/write_attribute_names.py`. Source: `dir` of the class.
"""

IN_LAYERS: Final = """
activation activation_relu_or_gelu add_zero_attn affine align_corners all_weights alpha append
approximate batch_first beta bias bias_hh bias_hh_l0 bias_ih bias_ih_l0 bias_k bias_v
bidirectional blank ceil_mode check_forward_args check_hidden_size check_input clear cls_to_become
convert_sync_batchnorm copy count_include_pad cutoffs d_model decoder delta device_ids dilation
dim distance_function div_value divisor_override downscale_factor dropout dropout1 dropout2
dropout3 elementwise_affine embed_dim embedding_dim encoder end_dim eps extend flatten_parameters
freeze from_pretrained fromkeys full gather generate_square_subsequent_mask get
get_expected_cell_size get_expected_hidden_size groups has_uninitialized_params head head_bias
head_dim head_size hidden_size ignore_index in1_features in2_features in_channels in_features
in_proj_bias in_proj_weight include_last_offset init initialize_parameters inplace input_size
insert items k k_proj_weight kdim keepdim kernel_size keys label_smoothing lambd layers linear
linear1 linear2 log_input log_prob log_target lower margin mask_check max_norm max_val merge_masks
min_val mode module momentum multihead_attn n_classes n_clusters name negative_slope nhead
nonlinearity norm norm1 norm2 norm3 norm_first norm_type normalized_shape num_batches_tracked
num_channels num_classes num_embeddings num_features num_groups num_heads num_layers
num_parameters options out_channels out_features out_proj output_padding output_ratio output_size
p padding padding_idx padding_mode parallel_apply permute_hidden pop popitem pos_weight predict
process_group proj_size q_proj_weight recompute_scale_factor reduction replicate reset_parameters
reset_running_stats return_indices running_mean running_var scale_factor scale_grad_by_freq
scatter self_attn setdefault shortlist_size size sparse start_dim stride swap tail threshold
track_running_stats transposed unflattened_size update upper upscale_factor use_nested_tensor
v_proj_weight value values vdim weight weight_hh weight_hh_l0 weight_ih weight_ih_l0 zero_infinity
"""
"""The public names that some of the layers have, and not every module."""

NAMES: Final = frozenset(OF_TENSORS.split())
NAMES_IN_LAYERS: Final = frozenset(IN_LAYERS.split())
