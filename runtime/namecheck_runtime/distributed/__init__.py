"""`namecheck_runtime.distributed`: what programs ask before they use several machines.

Source: torch.distributed.  There is one process, and no group of them.
"""

from __future__ import annotations

from typing import Any, NoReturn


def is_available() -> bool:
    """False: there are no groups of processes."""
    return False


def is_initialized() -> bool:
    """False."""
    return False


def is_torchelastic_launched() -> bool:
    """False."""
    return False


def get_rank(group: Any = None) -> int:
    """0: the number of this process."""
    return 0


def get_world_size(group: Any = None) -> int:
    """1: how many processes there are."""
    return 1


def init_process_group(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises NotImplementedError: there are no groups of processes."""
    raise NotImplementedError(
        "namecheck_runtime has no groups of processes: run the program in one process, or share "
        "parameters between processes (see docs/training.md)"
    )
