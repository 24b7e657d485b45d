"""`namecheck_runtime.nn.parallel`: what PyTorch spreads over GPUs or computers.

Both classes refuse, in a sentence that names what to do here.  Source: torch.nn.parallel.
"""

from __future__ import annotations

from typing import Any, NoReturn


class DataParallel:
    """Refused: there are no GPUs to spread a batch over.  Source: torch.nn.DataParallel."""

    def __new__(cls, module: Any, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            "DataParallel spreads a batch over GPUs, and there are none here: call the module "
            "itself, or train with several processes that share its parameters, "
            "module.share_memory() and torch.multiprocessing.spawn (docs/sharing.md)"
        )


class DistributedDataParallel:
    """Refused: processes have no groups here.

    Source: torch.nn.parallel.DistributedDataParallel.
    """

    def __new__(cls, module: Any, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(
            "DistributedDataParallel needs a process group, and there are none here: train with "
            "torch.multiprocessing.spawn and module.share_memory(), or average the parameters of "
            "the processes (docs/sharing.md)"
        )
