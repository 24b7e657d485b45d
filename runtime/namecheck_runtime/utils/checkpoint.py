"""Parts of a model whose results PyTorch computes twice to save memory.

Source: torch.utils.checkpoint.  Here they are computed once: the numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    determinism_check: str = "default",
    debug: bool = False,
    context_fn: Callable[..., Any] | None = None,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """What the function returns.  Source: torch.utils.checkpoint.checkpoint."""
    return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Sequence[Callable[..., Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """What the functions return, each applied to the result of the one before.

    Source: torch.utils.checkpoint.checkpoint_sequential.
    """
    children = getattr(functions, "children", None)
    for function in functions if children is None else children():
        input = function(input)
    return input


def get_device_states(*args: Any) -> tuple[list[int], list[Any]]:
    """The GPUs of tensors, and the states of their generators: none of either.

    Source: torch.utils.checkpoint.get_device_states.
    """
    return [], []


def set_device_states(devices: Sequence[int], states: Sequence[Any], **options: Any) -> None:
    """Nothing: there are no generators of a GPU.

    Source: torch.utils.checkpoint.set_device_states.
    """
