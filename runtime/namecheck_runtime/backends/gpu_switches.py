"""Switches of libraries for other processors, which programs set; nothing reads them.

Source: torch.backends.cuda, torch.backends.mps and others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final


def _no() -> bool:
    return False


@contextmanager
def _sdp_kernel(*args: Any, **kwargs: Any) -> Iterator[None]:
    yield


def _switch(on: bool = True) -> None:
    return None


_BY_NAME: Final[dict[str, dict[str, Any]]] = {
    "cuda": {
        "matmul": SimpleNamespace(
            allow_tf32=False,
            allow_fp16_reduced_precision_reduction=True,
            allow_bf16_reduced_precision_reduction=True,
        ),
        "is_built": _no,
        "sdp_kernel": _sdp_kernel,
        "flash_sdp_enabled": _no,
        "mem_efficient_sdp_enabled": _no,
        "math_sdp_enabled": lambda: True,
        **dict.fromkeys(
            ("enable_flash_sdp", "enable_mem_efficient_sdp", "enable_math_sdp", "enable_cudnn_sdp"),
            _switch,
        ),
    },
    "mps": {"is_available": _no, "is_built": _no},
    "mkldnn": {"is_available": _no, "enabled": False, "allow_tf32": False},
    "mkl": {"is_available": _no},
    "openmp": {"is_available": _no},
    "opt_einsum": {"is_available": _no, "enabled": False, "strategy": None},
    "quantized": {"engine": "none", "supported_engines": ["none"]},
    "xnnpack": {"enabled": False},
}

SWITCHES: Final = {name: SimpleNamespace(**values) for name, values in _BY_NAME.items()}
"""What `backends.cuda` and others are, by name; programs may set any attribute."""
