"""`namecheck_runtime.fx`: marks for programs that record other programs; nothing is recorded here.

Source: torch.fx.
"""

from __future__ import annotations

from typing import Any


def wrap(fn_or_name: Any) -> Any:
    """The function, or its name, itself."""
    return fn_or_name


class Proxy:
    """What a recorded value would be; there is none.  Source: torch.fx.Proxy."""
