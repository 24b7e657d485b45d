"""`namecheck_runtime.multiprocessing`: Python's `multiprocessing`, which shares tensors' memory.

All names of Python's module are here.  Processes are started by `spawn` unless `set_start_method`
says otherwise.  See docs/sharing.md.
"""

from __future__ import annotations

import multiprocessing as _python
from typing import Any

from namecheck_runtime.sharing import sent_tensors as sent_tensors
from namecheck_runtime.sharing.processes import CONTEXT as _CONTEXT
from namecheck_runtime.sharing.processes import ProcessExitedException as ProcessExitedException
from namecheck_runtime.sharing.processes import ProcessRaisedException as ProcessRaisedException
from namecheck_runtime.sharing.processes import SpawnContext as SpawnContext
from namecheck_runtime.sharing.processes import spawn as spawn


def get_all_sharing_strategies() -> set[str]:
    """How memory can be shared: by file descriptors alone, which leave nothing behind."""
    return {"file_descriptor"}


def get_sharing_strategy() -> str:
    """How memory is shared."""
    return "file_descriptor"


def set_sharing_strategy(new_strategy: str) -> None:
    """Accept the one strategy that there is.  Raises ValueError for any other."""
    if new_strategy not in get_all_sharing_strategies():
        raise ValueError(
            f"memory is shared by 'file_descriptor' alone, not by {new_strategy!r}: names in the "
            "file system would be left behind by a crash"
        )


def __getattr__(name: str) -> Any:
    if name in _python.__all__:
        return getattr(_CONTEXT, name) if hasattr(_CONTEXT, name) else getattr(_python, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *_python.__all__})
