"""The linter: finds dimension mistakes in tensor programs by reading them.

It has the command line, the discovery of files, the analysis of a file and the reports. The rules
of ops are in `namecheck_runtime.rules` alone.
"""

from __future__ import annotations

from namecheck_runtime import __version__

__all__ = ["__version__", "load_ipython_extension", "unload_ipython_extension"]


def load_ipython_extension(ipython: object) -> None:
    """Give an IPython shell the cell magic `%%namecheck`: called for `%load_ext namecheck`."""
    from namecheck.jupyter.extension import load

    load(ipython)


def unload_ipython_extension(ipython: object) -> None:
    """Take the magic away again: called for `%unload_ext namecheck`."""
    from namecheck.jupyter.extension import unload

    unload(ipython)
