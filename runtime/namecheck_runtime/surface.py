"""The names of the package: `nt.zeros`, `nt.float32`, `nn.functional.relu`, ...

Names that are written in Python are listed here with their modules; all other functions come from
the registry when they are first used.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from namecheck_runtime.declare import Spelling

HOMES: Final[dict[str, str]] = {
    **dict.fromkeys(("Tensor", "Size"), "tensors.object"),
    **dict.fromkeys(("tensor", "as_tensor", "asarray"), "tensors.making.factories"),
    **dict.fromkeys(("from_numpy", "frombuffer"), "tensors.making.arrays"),
    **dict.fromkeys(
        (
            *("dtype", "device", "layout", "strided", "memory_format", "contiguous_format"),
            *("preserve_format", "channels_last", "channels_last_3d"),
            *("get_default_dtype", "set_default_dtype"),
            *("set_default_device", "get_default_device", "set_default_tensor_type"),
        ),
        "tensors.values.dtypes",
    ),
    **dict.fromkeys(
        (
            *("FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor", "IntTensor"),
            *("ShortTensor", "CharTensor", "ByteTensor", "BoolTensor", "BFloat16Tensor"),
        ),
        "tensors.typed_constructors",
    ),
    **dict.fromkeys(
        (
            *("TypedStorage", "UntypedStorage", "is_storage", "DoubleStorage", "FloatStorage"),
            *("HalfStorage", "LongStorage", "IntStorage", "ShortStorage", "CharStorage"),
            *("ByteStorage", "BoolStorage", "ComplexDoubleStorage", "ComplexFloatStorage"),
            "BFloat16Storage",
        ),
        "tensors.storages",
    ),
    **dict.fromkeys(("iinfo", "finfo"), "tensors.values.limits"),
    **dict.fromkeys(
        ("Generator", "default_generator", "manual_seed", "seed", "initial_seed"),
        "tensors.kernels.generators",
    ),
    **dict.fromkeys(("get_rng_state", "set_rng_state"), "tensors.kernels.generators"),
    **dict.fromkeys(("set_printoptions", "get_printoptions"), "tensors.printing"),
    **dict.fromkeys(("TensorError", "NamesError", "SizesError", "DimsError"), "errors"),
    "LayoutError": "errors",
    "linalg.LinAlgError": "errors",
    "nn.utils.rnn.PackedSequence": "tensors.computing.packing",
    **dict.fromkeys(
        (
            *("nn.Parameter", "nn.Buffer"),
            *("nn.UninitializedParameter", "nn.UninitializedBuffer"),
        ),
        "nn.parameter",
    ),
    "nn.Module": "nn.modules.module",
    "nn.DataParallel": "nn.parallel",
    **dict.fromkeys(("nn.RNNBase", "nn.RNNCellBase"), "nn.modules.rnn"),
    **dict.fromkeys(
        (
            *("nn.Sequential", "nn.ModuleList", "nn.ModuleDict"),
            *("nn.ParameterList", "nn.ParameterDict"),
        ),
        "nn.modules.container",
    ),
    **dict.fromkeys(
        (
            *("nn.utils.clip_grad_norm_", "nn.utils.clip_grad_value_", "nn.utils.get_total_norm"),
            *("nn.utils.clip_grads_with_norm_", "nn.utils.clip_grad_norm"),
        ),
        "nn.utils.clip_grad",
    ),
    **dict.fromkeys(
        ("nn.utils.parameters_to_vector", "nn.utils.vector_to_parameters"),
        "nn.utils.convert_parameters",
    ),
    "sparse_coo": "tensors.layouts.sparse_rows",
    **dict.fromkeys(
        (
            *("nn.utils.weight_norm", "nn.utils.remove_weight_norm"),
            *("nn.utils.spectral_norm", "nn.utils.remove_spectral_norm"),
        ),
        "nn.utils.norm_hooks",
    ),
    "strict_broadcasting": "tensors.views.broadcasting",
    "broadcast_in_dim": "tensors.functions",
    **dict.fromkeys(
        (
            *("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"),
            *("is_grad_enabled", "is_inference_mode_enabled"),
        ),
        "autograd.modes",
    ),
    **dict.fromkeys(("autocast", "is_autocast_enabled", "is_autocast_available"), "amp"),
    "compile": "compiler",
    **dict.fromkeys(("from_dlpack", "from_xarray"), "tensors.protocols"),
    "to_xarray": "tensors.making.foreign",
    **dict.fromkeys(("save", "load"), "saving.save_and_load"),
    **dict.fromkeys(
        (
            *("is_tensor", "set_num_threads", "get_num_threads", "promote_types"),
            *("result_type", "can_cast", "is_floating_point", "is_complex", "is_signed"),
        ),
        "tensors.computing.questions",
    ),
}
"""The modules of the names that are written in Python, by their path in the package."""

MODULES: Final = {
    "nn": ("init", "modules", "parallel", "parameter"),
    "nn.utils": ("clip_grad", "convert_parameters", "parametrizations", "parametrize"),
}
"""The modules of functions and classes that are written in Python, by the package they are in."""

CONSTANTS: Final[dict[str, float | None]] = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "newaxis": None,
}

_ROOTS: Final = ("torch.", "namecheck_runtime.")
"""The beginnings of the registry's paths of functions of the package: those that PyTorch has, too,
and those that only this package has.
"""


def spelled() -> dict[str, Spelling]:
    """The functions of the registry by their paths in the package."""
    from namecheck_runtime.declare import REGISTRY

    return {
        path.removeprefix(root): spelling
        for path, spelling in REGISTRY.items()
        for root in _ROOTS
        if path.startswith(root)
    }


def find(name: str) -> Any:
    """The object of a name of the package.  Raises AttributeError if there is none."""
    if name in HOMES:
        return _at_home(name)
    if name in CONSTANTS:
        return CONSTANTS[name]
    from namecheck_runtime.tensors.values import dtypes

    dtype = dtypes.DTYPES.get(name)
    if dtype is not None:
        return dtype
    function = _of_registry(name)
    if function is None:
        raise AttributeError(f"module 'namecheck_runtime' has no attribute '{name}'")
    return function


def _at_home(name: str) -> Any:
    """The object that is written in Python, by its name or its path in the package."""
    home = importlib.import_module(f"namecheck_runtime.{HOMES[name]}")
    return getattr(home, name.rpartition(".")[2])


def _of_registry(path: str) -> Any:
    """The function that the registry has under a path in the package; None if there is none."""
    from namecheck_runtime.tensors.dispatch import function_of

    return next(filter(None, (function_of(f"{root}{path}") for root in _ROOTS)), None)


def _of_layers(path: str) -> Any:
    """The class of a layer, by its path in the package (`nn.Linear`); None if there is none.

    It is written in the module of the same name as PyTorch's.
    """
    from namecheck_runtime import rules  # noqa: F401  (fills the registry)
    from namecheck_runtime.layers import LAYERS

    layer = LAYERS.get(f"torch.{path}")
    if layer is None:
        return None
    home, _, name = layer.paths[-1].removeprefix("torch.").rpartition(".")
    return getattr(importlib.import_module(f"namecheck_runtime.{home}"), name)


def layer_names() -> list[str]:
    """The names of the layers of `nn`."""
    from namecheck_runtime import rules  # noqa: F401  (fills the registry)
    from namecheck_runtime.layers import LAYERS

    names = (path.removeprefix("torch.nn.") for path in LAYERS if path.startswith("torch.nn."))
    return sorted(name for name in names if "." not in name)


def public() -> list[str]:
    """All names of the package except those of its modules."""
    from namecheck_runtime.tensors.values import dtypes

    plain = (name for name in spelled() if "." not in name)
    written = {name for name in HOMES if "." not in name}
    return sorted({*written, *CONSTANTS, *dtypes.DTYPES, *plain})


def namespace(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a module whose functions come from the registry.

    Such a module is `namecheck_runtime.nn.functional`.
    """
    inside = module.removeprefix("namecheck_runtime.")

    def find_here(name: str) -> Any:
        path = f"{inside}.{name}"
        if not name.startswith("__"):
            value = _at_home(path) if path in HOMES else _of_registry(path)
            if value is None and inside == "nn":
                value = _of_layers(path)
            if value is None and name in names():
                value = importlib.import_module(f"{module}.{name}")
            if value is not None:
                setattr(sys.modules[module], name, value)
                return value
        raise AttributeError(f"module '{module}' has no attribute '{name}'")

    def names() -> list[str]:
        paths = (*HOMES, *spelled())
        below = (path.removeprefix(f"{inside}.") for path in paths if path.startswith(f"{inside}."))
        more = (*MODULES.get(inside, ()), *(layer_names() if inside == "nn" else ()))
        return sorted({*(path.partition(".")[0] for path in below), *more})

    return find_here, names
