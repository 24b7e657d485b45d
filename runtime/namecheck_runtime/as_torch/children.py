"""Lets the processes that a program spawns import `torch` as the program does."""

from __future__ import annotations

from multiprocessing import spawn
from typing import Any

from namecheck_runtime.as_torch import install


class _Install:
    """Calls `install()` where it is unpickled: in a new process, before it runs the program."""

    def __reduce__(self) -> tuple[Any, ...]:
        return install, ()


def follow() -> None:
    """Prepare every process that is spawned from now on; a forked one is prepared already."""
    prepare = spawn.get_preparation_data

    def prepare_with_torch(name: str) -> dict[str, Any]:
        return {**prepare(name), "namecheck_runtime": _Install()}

    spawn.get_preparation_data = prepare_with_torch
