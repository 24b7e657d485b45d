"""PyTorch's calling habits: where its names are re-exported, its dtypes, its containers.

No op stands here; see `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

from namecheck_runtime import keyword_names

TENSOR: Final = "Tensor"

ALIASES: Final = (
    ("torch.nn.modules.container.", "torch.nn."),
    ("torch.nn.modules.module.", "torch.nn."),
    ("torch.functional.", "torch."),
    ("torch.utils.data.dataloader.", "torch.utils.data."),
    ("torch.utils.data.dataset.", "torch.utils.data."),
    ("torch.Tensor.", "Tensor."),
    ("torch.FloatTensor.", "Tensor."),
    # Our own runtime has torch's surface: programs move to it by changing one import.
    ("namecheck_runtime.Tensor.", "Tensor."),
    ("namecheck_runtime.", "torch."),
)
"""Prefixes under which the same things are reached, and the usual one."""

WORDS: Final = keyword_names.TORCH

KINDS: Final = {
    "bool": ("bool",),
    "int": ("uint8", "int8", "int16", "int32", "int64", "short", "int", "long"),
    "float": ("float16", "float32", "float64", "bfloat16", "half", "float", "double"),
    "complex": ("complex32", "complex64", "complex128", "cfloat", "cdouble"),
}

DTYPES: Final[dict[str, str]] = {
    f"torch.{name}": kind for kind, names in KINDS.items() for name in names
}

CASTS: Final[dict[str, str]] = {name: kind for kind, names in KINDS.items() for name in names} | {
    "bfloat16": "float"
}
"""Methods that keep the dims and change the dtype."""

MEMORY_ORDERS: Final = {
    "torch.contiguous_format": True,
    "torch.channels_last": False,
    "torch.channels_last_3d": False,
}
"""What may be said to an op's `memory_format`, and whether that is row-major order."""

CONSTRUCTORS: Final = frozenset(
    f"torch.{kind}Tensor" for kind in ("", "Float", "Double", "Half", "Long", "Int", "Bool")
)
"""Make a tensor of the sizes that they are given, or of the data."""

LEAVING: Final = {"Tensor.numpy": "ndarray", "Tensor.__array__": "ndarray"}
"""Methods whose result has another library's methods."""

MODULES: Final[frozenset[str]] = frozenset({"torch.nn.Module"})
"""Base classes whose instances are called through `forward`."""

CONTAINERS: Final[dict[str, str]] = {
    "torch.nn.Sequential": "sequential",
    "torch.nn.ModuleList": "list",
    "torch.nn.ParameterList": "list",
    "torch.nn.ModuleDict": "dict",
    "torch.nn.ParameterDict": "dict",
}

REGISTERS: Final = frozenset(
    {"register_buffer", "register_parameter", "register_module", "add_module"}
)
"""Methods of a module that make their second argument an attribute named by the first."""

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
"""Methods of a module that give the module back: `Net().to(device)`."""

SIZED: Final = {
    "torch.Tensor": ("torch.empty", "torch.tensor"),
    "torch.FloatTensor": ("torch.empty", "torch.tensor"),
    "torch.LongTensor": ("torch.empty", "torch.tensor"),
    "torch.BoolTensor": ("torch.empty", "torch.tensor"),
}
"""Constructors that are given sizes as one op is, or else data as another is."""

WRAPPERS: Final = frozenset(
    {"torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer"}
)
"""Give their first argument back, as a tensor of their own."""

DRESSES: Final = frozenset(
    {
        "torch.compile",
        "torch.jit.script",
        "torch.jit.trace",
        "torch.nn.DataParallel",
        "torch.nn.parallel.DataParallel",
        "torch.nn.parallel.DistributedDataParallel",
        "torch.optim.swa_utils.AveragedModel",
    }
)
"""Give a module that computes what their first argument computes."""


LOADER: Final = "torch.utils.data.DataLoader"
TENSORS: Final = "torch.utils.data.TensorDataset"
SUBSET: Final = "torch.utils.data.Subset"
SPLIT: Final = "torch.utils.data.random_split"
"""Datasets and what stacks their elements; see `analysis.python.loaders`."""

PACK: Final = "torch.nn.utils.rnn.pack_padded_sequence"
PAD: Final = "torch.nn.utils.rnn.pad_packed_sequence"
"""See `analysis.asking.packed`."""

TENSOR_TYPES: Final = frozenset(
    {
        "torch.Tensor",
        "torch.FloatTensor",
        "torch.LongTensor",
        "torch.BoolTensor",
        "torch.nn.Parameter",
    }
)
