"""The names of the package: `nt.zeros`, `nt.float32`, `nn.functional.relu`, ...

What is written out stands in its module and is listed here; all other functions come from the
registry when they are first asked for.
"""

from __future__ import annotations

import importlib
import math
from types import ModuleType
from typing import Any, Final

_HOMES: Final[dict[str, str]] = {
    **dict.fromkeys(("Tensor", "Size"), "tensors"),
    **dict.fromkeys(("tensor", "from_numpy", "frombuffer", "as_tensor", "asarray"), "factories"),
    **dict.fromkeys(
        (
            *("dtype", "device", "layout", "strided", "memory_format", "contiguous_format"),
            *("preserve_format", "channels_last", "channels_last_3d"),
            *("get_default_dtype", "set_default_dtype"),
        ),
        "dtypes",
    ),
    **dict.fromkeys(
        ("Generator", "default_generator", "manual_seed", "seed", "initial_seed"), "random"
    ),
    **dict.fromkeys(("get_rng_state", "set_rng_state"), "random"),
    **dict.fromkeys(("set_printoptions", "get_printoptions"), "printing"),
    **dict.fromkeys(("TensorError", "NamesError", "SizesError", "DimsError"), "errors"),
    "LayoutError": "errors",
    "nn.utils.rnn.PackedSequence": "packing",
    **dict.fromkeys(("strict_broadcasting", "broadcast_in_dim"), "broadcasting"),
    **dict.fromkeys(("from_dlpack", "from_xarray", "to_xarray"), "protocols"),
    **dict.fromkeys(
        (
            *("is_tensor", "set_num_threads", "get_num_threads", "reveal_names", "assert_names"),
            *("save", "load", "promote_types", "result_type", "can_cast", "is_floating_point"),
            *("is_complex", "is_signed"),
        ),
        "questions",
    ),
}
"""What is written out: the module that it stands in."""

_CONSTANTS: Final = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None}
_NAMESPACES: Final = ("nn", "linalg", "fft", "special")


def find(name: str) -> Any:
    """What a name of the package stands for.  Raises AttributeError for one that it has not."""
    if name in _HOMES:
        return _at_home(name)
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    if name in _NAMESPACES:
        return Namespace(f"torch.{name}")
    from namecheck_runtime import dtypes
    from namecheck_runtime.dispatch import function_of

    dtype = dtypes.DTYPES.get(name)
    if dtype is not None:
        return dtype
    function = function_of(f"torch.{name}")
    if function is None:
        raise AttributeError(f"module 'namecheck_runtime' has no attribute '{name}'")
    return function


def _at_home(name: str) -> Any:
    """What is written out, by its name or by its path in the package."""
    home = importlib.import_module(f"namecheck_runtime.{_HOMES[name]}")
    return getattr(home, name.rpartition(".")[2])


def public() -> list[str]:
    """All names of the package."""
    from namecheck_runtime import dtypes
    from namecheck_runtime.declare import REGISTRY

    functions = (path.removeprefix("torch.") for path in REGISTRY if path.startswith("torch."))
    plain = (name for name in functions if "." not in name)
    written = {name for name in _HOMES if "." not in name}
    return sorted({*written, *_CONSTANTS, *_NAMESPACES, *dtypes.DTYPES, *plain})


class Namespace(ModuleType):
    """A part of the surface, such as `nn.functional`."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._path = path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from namecheck_runtime.declare import REGISTRY
        from namecheck_runtime.dispatch import function_of

        path = f"{self._path}.{name}"
        inside = path.removeprefix("torch.")
        found = _at_home(inside) if inside in _HOMES else function_of(path)
        if found is None:
            if not any(one.startswith(f"{path}.") for one in REGISTRY):
                raise AttributeError(f"'{self._path}' has no attribute '{name}'")
            found = Namespace(path)
        setattr(self, name, found)
        return found
