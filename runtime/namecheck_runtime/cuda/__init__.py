"""`namecheck_runtime.cuda`: what programs ask before they use a GPU; there is none.

Source: torch.cuda.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import AbstractContextManager, nullcontext
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


def memory_stats(device: Any = None) -> OrderedDict[str, Any]:
    """Nothing is counted."""
    return OrderedDict()


def get_arch_list() -> list[str]:
    """The architectures that the library computes for: none."""
    return []


def get_rng_state_all() -> list[Any]:
    """The states of the generators of all GPUs: none."""
    return []


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


def default_stream(device: Any = None) -> Any:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def get_rng_state(device: Any = "cuda") -> Any:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Raises AssertionError, as PyTorch does without CUDA."""
    _refuse()


class OutOfMemoryError(RuntimeError):
    """The memory of a GPU is full: programs catch it, and it is never raised here."""


class Stream:
    """A queue of work on a GPU.  Raises AssertionError: there is none."""

    def __new__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse()


class Event:
    """A mark in a queue of a GPU.  Raises AssertionError when it is recorded or waited for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def record(self, stream: Any = None) -> None:
        """Raises AssertionError, as PyTorch does without CUDA."""
        _refuse()

    def wait(self, stream: Any = None) -> None:
        """Raises AssertionError, as PyTorch does without CUDA."""
        _refuse()

    def synchronize(self) -> None:
        """Raises AssertionError, as PyTorch does without CUDA."""
        _refuse()

    def elapsed_time(self, end_event: Any) -> float:
        """Raises AssertionError, as PyTorch does without CUDA."""
        _refuse()


def stream(stream: Any) -> AbstractContextManager[None]:
    """A block in which work goes to a stream; None changes nothing, and there is no other."""
    if stream is not None:
        _refuse()
    return nullcontext()


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


class device_of(device):  # the public name is PyTorch's
    """The GPU of a tensor for the time of a block; a tensor on the CPU changes nothing.

    Source: torch.cuda.device_of.
    """

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.get_device() if obj.is_cuda else -1)
