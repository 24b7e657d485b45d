"""`namecheck_runtime.random`: random numbers, and the generators that they come from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from namecheck_runtime.tensors.kernels.generators import Generator as Generator
from namecheck_runtime.tensors.kernels.generators import default_generator as default_generator
from namecheck_runtime.tensors.kernels.generators import get_rng_state as get_rng_state
from namecheck_runtime.tensors.kernels.generators import initial_seed as initial_seed
from namecheck_runtime.tensors.kernels.generators import manual_seed as manual_seed
from namecheck_runtime.tensors.kernels.generators import seed as seed
from namecheck_runtime.tensors.kernels.generators import set_rng_state as set_rng_state


@contextmanager
def fork_rng(
    devices: Any = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str = "cuda",
) -> Iterator[None]:
    """A block after which the default generator goes on as if the block had drawn nothing.

    Source: torch.random.fork_rng.
    """
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)
