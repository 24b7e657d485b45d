"""The linter: finds dimension mistakes in tensor programs by reading them.

What lives here: the command line, discovery of files, the analysis of a file and the reports.
What does not: what an op does to dims, which stands in `namecheck_runtime.rules` alone.
"""

from __future__ import annotations

from namecheck_runtime import __version__

__all__ = ["__version__"]
