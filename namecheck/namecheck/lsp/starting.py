"""How worker processes are started. Light, so that they can start before the server is imported."""

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
    "namecheck.lsp.features.actions",
    "namecheck.lsp.features.hover",
    "namecheck.lsp.worker",
)
"""The modules of each process; none starts a thread or opens a file, so that a fork is safe."""


def context() -> BaseContext:
    """How processes are made: on Linux, forks of one that has imported what all need."""
    # These processes begin as `python -c`, which would import modules from the folder that the
    # editor has open.
    os.environ["PYTHONSAFEPATH"] = "1"
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    forkserver = multiprocessing.get_context("forkserver")
    forkserver.set_forkserver_preload(list(NEEDED))
    return forkserver


def prepare() -> None:
    """Start the process that the workers are forks of, while this one is busy."""
    if context().get_start_method() == "forkserver":
        from multiprocessing.forkserver import ensure_running

        ensure_running()
