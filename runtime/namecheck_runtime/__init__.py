"""The rulebook of namecheck: one declaration per tensor op, a pure function from dims to dims.

Three readers ask it: the linter (`namecheck`), the mypy plugin (`namecheck_plugin`) and, when it
comes, the runtime's strided tensor in this package.  Importing this package, its rules or anything
below them imports no NumPy; what needs NumPy is exported lazily.
"""

from __future__ import annotations

__version__ = "0.1.0.dev0"

__all__ = ["__version__"]
