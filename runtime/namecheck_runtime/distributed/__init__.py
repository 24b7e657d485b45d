"""`namecheck_runtime.distributed`: what programs ask before they use several machines.

Source: torch.distributed.  There is one process, and no group of them.
"""

from __future__ import annotations

import enum
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


class ReduceOp(enum.Enum):
    """How processes would put their values together.  Source: torch.distributed.ReduceOp."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


def _refuse_without_group(*args: Any, **kwargs: Any) -> NoReturn:
    """Raises ValueError: there is no group of processes."""
    raise ValueError(
        "Default process group has not been initialized, please make sure to call "
        "init_process_group."
    )


all_reduce = all_gather = all_gather_object = all_gather_into_tensor = _refuse_without_group
broadcast = broadcast_object_list = barrier = reduce = gather = scatter = _refuse_without_group
reduce_scatter = send = recv = isend = irecv = new_group = get_backend = _refuse_without_group
destroy_process_group = _refuse_without_group
