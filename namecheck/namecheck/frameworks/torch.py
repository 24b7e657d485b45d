"""PyTorch: where its names are re-exported, its dtypes, its containers.

Its ops are in `namecheck_runtime.rules`.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final

from namecheck.frameworks.python import BUILTIN
from namecheck_runtime.light import memory_orders
from namecheck_runtime.light.regexes import regex
from namecheck_runtime.readers import keyword_names

PACKAGE: Final = "torch"
LAYERS: Final = "torch.nn."
"""How the paths of layers begin."""
PACKAGES: Final = frozenset({PACKAGE, "namecheck_runtime"})
"""Packages with PyTorch's surface; programs move to our runtime by changing one import."""

IMPORTED_LATE: Final = regex(
    r"^[ \t]+(?:import|from) torch\b|[\"']torch[.\"']",
    re.MULTILINE,
    words=("import torch", "from torch", '"torch', "'torch"),
)
"""An import of PyTorch inside a function, or a call that imports it by name."""

SCRIPT: Final = "torch.jit"

SOURCES: Final = {"torch.optim": "optimizers"}
"""Packages of PyTorch's that are Python, and the module here with what they do with dims."""
OWN_SOURCES: Final = {"torch.distributions": "distributions"}
"""Such packages that our runtime library has in Python too, and its package."""

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
    ("torch.distributions.utils.", "torch.distributions.probabilities."),
    ("torch.distributions.relaxed_bernoulli.", "torch.distributions.relaxed."),
    ("torch.distributions.relaxed_categorical.", "torch.distributions.relaxed."),
    ("torch.Tensor.", "Tensor."),
    ("torch.FloatTensor.", "Tensor."),
    ("namecheck_runtime.Tensor.", "Tensor."),
    ("namecheck_runtime.", "torch."),
)
"""Other prefixes of a path, and the usual one."""

WORDS: Final = keyword_names.TORCH

KINDS: Final = {
    "unknown": ("uint8", "byte"),  # an index of this dtype is a mask, and yet it counts as ints
    "bool": ("bool",),
    "int": (
        *("uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
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

PYTHON_TYPES: Final = {
    f"{BUILTIN}float": ("float", "float64"),
    f"{BUILTIN}int": ("int", ""),
    f"{BUILTIN}bool": ("bool", ""),
    f"{BUILTIN}complex": ("complex", "complex128"),
}
"""The kind and the dtype that types of Python stand for; see `exact`."""

DEFAULT_DTYPES: Final = {
    "float": "float32",
    "int": "int64",
    "bool": "bool",
    "complex": "complex64",
}
"""The dtype of each kind that tensors have unless a program says otherwise."""

_EXACT: Final = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "byte": "uint8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "cfloat": "complex64",
    "cdouble": "complex128",
}
"""Other names of dtypes."""

_BYTES: Final = {"bool": 1, "complex32": 4, "complex64": 8, "complex128": 16}


def exact(name: str) -> str:
    """The dtype of a name, "" if it is the one that tensors of its kind have by default."""
    dtype = _EXACT.get(name, name)
    return "" if dtype in DEFAULT_DTYPES.values() else dtype


def bytes_of(dtype: str) -> int | None:
    """How many bytes an element of a dtype takes; None if that is not known."""
    bits = re.search(r"(?<=int|oat)\d+", dtype)
    return _BYTES.get(dtype) or (int(bits[0]) // 8 if bits else None)


def promoted(kind: str, dtypes: Set[str]) -> str:
    """What the dtypes of operands of one kind promote to; "?" if one of them is not known."""
    if len(dtypes) == 1:
        return next(iter(dtypes))
    if "?" in dtypes:
        return "?"
    names = {dtype or DEFAULT_DTYPES[kind] for dtype in dtypes}
    if names == {"float16", "bfloat16"}:
        return ""
    return exact(max(sorted(names), key=lambda name: bytes_of(name) or 0))


MEMORY_ORDERS: Final = {f"torch.{name}": order for name, order in memory_orders.ORDERS.items()}
"""The values of `memory_format`."""

EMPTY: Final = "torch.empty"
INPUT: Final = "torch.zeros({sizes}, dtype=torch.{dtype})"
"""An expression for a tensor of these sizes."""

CONSTRUCTORS: Final = frozenset(
    f"torch.{kind}Tensor"
    for kind in ("", "Float", "Double", "Half", "BFloat16", "Long", "Int", "Bool")
)
"""Classes that make a tensor of sizes or of data."""

CASTS_TO_OTHER: Final = frozenset({"Tensor.to", "Tensor.type_as"})
"""Methods that give a tensor the dtype of another."""

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

COUNTERS: Final = frozenset({"num_batches_tracked"})
"""Those of them that are ints."""

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
    **dict.fromkeys(CONSTRUCTORS, (EMPTY, "torch.tensor")),
    "new": ("new_empty", "new_tensor"),
}
"""The op that a constructor is if its arguments are sizes, and the one if they are data; also of a
tensor's method that is one.
"""

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

FREEZES: Final = "requires_grad_"
"""The method of modules and tensors that sets whether they require a gradient."""
REQUIRES_GRADIENT: Final = "requires_grad"
"""The parameter of ops, and the attribute of tensors, that says so."""

DIFFERENTIATING: Final = regex(
    r"\b(?:requires_grad|backward(?!s?[-_ ]compat)|autograd)",
    words=("requires_grad", "backward", "autograd"),
)
"""A word of functions that compute gradients: not of backward compatibility."""

OWN_DERIVATIVE: Final = "torch.autograd.Function"
SETS_CONTEXT: Final = "setup_context"
CONTEXT: Final = "FunctionCtx"
"""A function with a gradient of its own: its class, the method without which `forward` gets the
context, and the name of that context's class.
"""

RUNNING_BACKWARD: Final = regex(
    r"\.backward\(|\bautograd\.grad\(", words=(".backward(", "autograd.grad(")
)
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
ON_CPU: Final = {"is_cpu": True} | dict.fromkeys(
    ("is_cuda", "is_hpu", "is_mps", "is_mtia", "is_xla", "is_xpu"), False
)
"""Attributes of a tensor that say on which device it is, and their values on a CPU."""
DEVICE_TYPE: Final = "type"
CPU: Final = "cpu"
_OTHER_DEVICES: Final = ("cuda", "hpu", "meta", "mps", "npu", "tpu", "xla", "xpu")
NAMING_DEVICES: Final = regex(
    r"\.(?:cuda|xpu|mps|hpu)\b|accelerator|default_device|default_tensor_type"
    rf"|(?<![=!]=[ ])[\"'](?:{'|'.join(_OTHER_DEVICES)})\b",
    words=(
        *(".cuda", ".xpu", ".mps", ".hpu", "accelerator", "default_"),
        *(quote + name for quote in ("'", '"') for name in _OTHER_DEVICES),
    ),
)
"""A word of programs that may put tensors on another device than the CPU."""

SETTING_MODE: Final = "set_grad_enabled"
TURNING_OFF: Final = regex(r"\b(?:no_grad|inference_mode)\b", words=("no_grad", "inference_mode"))
"""How a file sets the grad mode for what follows, and how it turns it off at all."""

FREEZING: Final = regex(
    r"requires_grad(?!\s*=\s*True)|fr[eo]+ze", words=("requires_grad", "eze", "oze")
)
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
