"""`namecheck_runtime.backends`: how a third party lets a device, a layout or a dtype compute.

`docs/runtime.md` shows one of each.
"""

from __future__ import annotations

from typing import Any

from namecheck_runtime.tensors.backends import BACKENDS as BACKENDS
from namecheck_runtime.tensors.backends import Backend as Backend
from namecheck_runtime.tensors.backends import backend_of as backend_of
from namecheck_runtime.tensors.backends import make as make
from namecheck_runtime.tensors.backends import register as register
from namecheck_runtime.tensors.calls.call import Call as Call
from namecheck_runtime.tensors.calls.call import Kernel as Kernel
from namecheck_runtime.tensors.calls.call import its_own as its_own
from namecheck_runtime.tensors.values.dtypes import register_dtype as register_dtype


def __getattr__(name: str) -> Any:
    if name == "cudnn":
        from importlib import import_module

        return import_module(f"{__name__}.cudnn")
    from namecheck_runtime.backends.gpu_switches import SWITCHES

    if name not in SWITCHES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return SWITCHES[name]
