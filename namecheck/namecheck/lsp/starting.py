"""How worker processes are begun.  Light, so that this can happen before the server is read."""

from __future__ import annotations

import multiprocessing
import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

__all__ = ["context", "prepare"]

NEEDED: Final = (
    "libcst",
    "namecheck.analysis.runs.file_analysis",
    "namecheck.lsp.actions",
    "namecheck.lsp.hover",
    "namecheck.lsp.worker",
)
"""What each of them reads: none of it starts a thread or opens a file, so copies are safe."""


def context() -> BaseContext:
    """How processes are made: copies of one that has read what all need, where that is safe."""
    # An interpreter that runs a command (`python -c`), as these begin, would take modules out of
    # the folder that the editor has open.
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(list(NEEDED))
    return made


def prepare() -> None:
    """Begins the process that the others are copies of, while this one has other things to do."""
    if context().get_start_method() == "forkserver":
        from multiprocessing.forkserver import ensure_running

        ensure_running()
