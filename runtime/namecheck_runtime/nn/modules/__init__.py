"""`namecheck_runtime.nn.modules`: the layers, one module per family, named as PyTorch's."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name.islower():
        try:
            return import_module(f"{__name__}.{name}")
        except ModuleNotFoundError:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'") from None
    return getattr(import_module("namecheck_runtime.nn"), name)
