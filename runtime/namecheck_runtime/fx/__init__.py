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


class _Recorded:
    """Raises NotImplementedError: no program is recorded here."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        raise NotImplementedError(
            f"namecheck_runtime records no programs: it has no torch.fx.{type(self).__name__}"
        )


class Graph(_Recorded):
    """What a recorded program would be.  Source: torch.fx.Graph."""


class GraphModule(_Recorded):
    """What a module of a recorded program would be.  Source: torch.fx.GraphModule."""


class Node(_Recorded):
    """What a call of a recorded program would be.  Source: torch.fx.Node."""


class Tracer(_Recorded):
    """What would record a program.  Source: torch.fx.Tracer."""


def symbolic_trace(root: Any, *arguments: Any, **options: Any) -> GraphModule:
    """Raises NotImplementedError: no program is recorded here."""
    return GraphModule(root)
