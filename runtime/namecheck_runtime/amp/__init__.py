"""`namecheck_runtime.amp`: blocks that PyTorch computes with fewer digits.

Source: torch.amp.  Here they compute as usual: the dtypes of tensors decide.
"""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType
from typing import Any, Self


class autocast(ContextDecorator):  # the public name is PyTorch's
    """A block, or a function, that computes as usual.  Source: torch.amp.autocast."""

    def __init__(
        self,
        device_type: str = "cpu",
        dtype: Any = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device, self.fast_dtype = device_type, dtype

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


class GradScaler:
    """Leaves losses and gradients as they are.  Source: torch.amp.GradScaler."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None: ...

    def scale(self, outputs: Any) -> Any:
        """The losses themselves."""
        return outputs

    def unscale_(self, optimizer: Any) -> None:
        """Nothing: gradients are not scaled."""

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """A step of the optimizer."""
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale: Any = None) -> None:
        """Nothing."""

    def get_scale(self) -> float:
        """1."""
        return 1.0

    def is_enabled(self) -> bool:
        """False, as in PyTorch without a GPU."""
        return False

    def state_dict(self) -> dict[str, Any]:
        """Empty, as in PyTorch without a GPU."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Nothing."""


def custom_fwd(fwd: Any = None, *, device_type: str = "cuda", cast_inputs: Any = None) -> Any:
    """The function itself: a `forward` that PyTorch would call in a block with fewer digits."""
    return (lambda function: function) if fwd is None else fwd


def custom_bwd(bwd: Any = None, *, device_type: str = "cuda") -> Any:
    """The function itself: a `backward` that PyTorch would call in a block with fewer digits."""
    return (lambda function: function) if bwd is None else bwd


def is_autocast_available(device_type: str) -> bool:
    """Whether blocks of a device type are accepted: on the CPU."""
    return device_type == "cpu"


def is_autocast_enabled(device_type: str | None = None) -> bool:
    """False: no block computes with fewer digits."""
    return False
