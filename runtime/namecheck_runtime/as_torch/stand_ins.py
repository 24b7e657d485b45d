"""Small modules of PyTorch of which programs use a word or two."""

from __future__ import annotations

import builtins
import enum
import numbers
from collections.abc import Callable
from contextlib import contextmanager
from typing import Any, Final

import namecheck_runtime as nt
from namecheck_runtime.as_torch.more_modules import MORE_MODULES
from namecheck_runtime.as_torch.more_names import refusal

VERSION: Final = "2.15.0+namecheck"
"""The version of PyTorch whose results the tests compare."""


def _same(value: Any = None, *_: Any, **__: Any) -> Any:
    """The function that is decorated, with or without brackets."""
    return value if callable(value) else lambda function: function


@contextmanager
def _block(*_: Any, **__: Any) -> Any:
    yield


def _no(*_: Any, **__: Any) -> bool:
    return False


class ProfilerActivity(enum.Enum):
    """What PyTorch's profiler would look at.  Source: torch.profiler.ProfilerActivity."""

    CPU, CUDA, XPU, MTIA = range(4)


def _types() -> dict[str, Any]:
    return {
        "Tensor": nt.Tensor,
        "Device": object,
        "Number": builtins.int | builtins.float | builtins.bool,
        "_size": builtins.list[builtins.int] | builtins.tuple[builtins.int, ...],
        "_dtype": nt.dtype,
        "_TensorOrTensors": object,
        "Storage": object,
    }


def _profiler() -> dict[str, Any]:
    return {
        "record_function": _block,
        "profile": _block,
        "ProfilerActivity": ProfilerActivity,
        "schedule": refusal("profiler.schedule"),
    }


def _c() -> dict[str, Any]:
    from namecheck_runtime import overrides

    return {
        "DisableTorchFunctionSubclass": overrides.DisableTorchFunctionSubclass,
        "DisableTorchFunction": overrides.DisableTorchFunctionSubclass,
        "_disabled_torch_function_impl": overrides._disabled_torch_function_impl,
    }


def _onnx() -> dict[str, Any]:
    return {"is_in_onnx_export": _no, "export": refusal("onnx.export")}


STAND_INS: Final[dict[str, Callable[[], dict[str, Any]]]] = {
    "version": lambda: {"__version__": VERSION, "cuda": None, "hip": None, "git_version": ""},
    "types": _types,
    "_C": _c,
    "onnx": _onnx,
    "profiler": _profiler,
    "autograd.profiler": _profiler,
    "mps": lambda: {"is_available": _no, "device_count": lambda: 0},
    "xpu": lambda: {"is_available": _no, "device_count": lambda: 0},
    "accelerator": lambda: {"is_available": _no, "current_accelerator": lambda *_: None},
    "nn.attention": lambda: {"sdpa_kernel": _block, "SDPBackend": _Backends},
    **MORE_MODULES,
    "numbers": lambda: {"Number": numbers.Number},
}
"""What each holds, by its path in `torch`."""


class _Backends:
    """Ways to compute attention, which programs choose; there is one."""

    MATH = FLASH_ATTENTION = EFFICIENT_ATTENTION = CUDNN_ATTENTION = 0
