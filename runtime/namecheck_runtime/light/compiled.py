"""Instructions for mypyc, which compiles the modules that a check spends its time in.

They do nothing in interpreted code.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: Any) -> Any:
        """Marks a class for mypyc."""
        return lambda cls: cls


__all__ = ["mypyc_attr"]
