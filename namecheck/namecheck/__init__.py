"""The linter: finds dimension mistakes in tensor programs by reading them.

It has the command line, the discovery of files, the analysis of a file and the reports. The rules
of ops are in `namecheck_runtime.rules` alone.
"""

from __future__ import annotations

from namecheck_runtime import __version__

__all__ = ["__version__"]
