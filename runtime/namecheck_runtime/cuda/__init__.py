"""`namecheck_runtime.cuda`: what programs ask before they use a GPU; there is none.

Source: torch.cuda.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, NoReturn

from namecheck_runtime.cuda import amp as amp
from namecheck_runtime.cuda.graphs import CUDAGraph as CUDAGraph
from namecheck_runtime.cuda.graphs import StreamContext as StreamContext
from namecheck_runtime.cuda.graphs import graph as graph
from namecheck_runtime.tensors.values.dtypes import device as _Device


def is_available() -> bool:
    """False: there is no GPU here."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False."""
    return False


def device_count() -> int:
    """0: the number of GPUs."""
    return 0


def init() -> None:
    """Nothing: there is no GPU to prepare."""


def is_current_stream_capturing() -> bool:
    """False."""
    return False


def empty_cache() -> None:
    """Nothing: there is no memory of a GPU."""


def ipc_collect() -> None:
    """Nothing."""


def manual_seed(seed: int) -> None:
    """Nothing: there are no generators of a GPU."""


def manual_seed_all(seed: int) -> None:
    """Nothing: there are no generators of GPUs."""


def memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


def max_memory_allocated(device: Any = None) -> int:
    """0 bytes."""
    return 0


def memory_reserved(device: Any = None) -> int:
    """0 bytes."""
    return 0


def max_memory_reserved(device: Any = None) -> int:
    """0 bytes."""
    return 0


def reset_peak_memory_stats(device: Any = None) -> None:
    """Nothing."""


def _refuse() -> NoReturn:
    raise AssertionError(
        "namecheck_runtime has no CUDA: tensors are on the CPU; ask torch.cuda.is_available(), "
        "which is False"
    )


def current_device() -> int:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def set_device(device: Any) -> None:
    """Raises AssertionError, except for a negative number, which is ignored."""
    if not isinstance(device, int) or device >= 0:
        _refuse()


def synchronize(device: Any = None) -> None:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def get_device_name(device: Any = None) -> str:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def get_device_properties(device: Any = None) -> Any:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def current_stream(device: Any = None) -> Any:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


class device:  # the public name is PyTorch's
    """A GPU for the time of a block; -1 and None change nothing.  Source: torch.cuda.device.

    Raises AssertionError when the block is entered with another one.
    """

    def __init__(self, device: Any) -> None:
        if device is None or (isinstance(device, int) and device < 0):
            self.idx = -1
        else:
            self.idx = _Device(device).index or 0

    def __enter__(self) -> None:
        if self.idx >= 0:
            _refuse()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
