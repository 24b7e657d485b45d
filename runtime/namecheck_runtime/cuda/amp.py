"""`namecheck_runtime.cuda.amp`: blocks that PyTorch computes with fewer digits on a GPU.

Source: torch.cuda.amp.  Here they compute as usual.
"""

from __future__ import annotations

from typing import Any

from namecheck_runtime import amp as _amp
from namecheck_runtime.amp import custom_bwd as custom_bwd
from namecheck_runtime.amp import custom_fwd as custom_fwd


class autocast(_amp.autocast):
    """A block, or a function, that computes as usual.  Source: torch.cuda.amp.autocast."""

    def __init__(self, enabled: bool = True, dtype: Any = None, cache_enabled: bool = True) -> None:
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(_amp.GradScaler):
    """Leaves losses and gradients as they are.  Source: torch.cuda.amp.GradScaler."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        super().__init__(
            "cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )
