"""Library layers: what builds them and what calling them does to dims."""

from __future__ import annotations

from namecheck_runtime.declare import Size, layer
from namecheck_runtime.signature import signature


@layer("torch.nn.Linear")
class Linear:
    """Maps the last dim.  Source: torch.nn.Linear."""

    def __init__(
        self, in_features: Size, out_features: Size, bias: object = True, device: object = None, dtype: object = None
    ) -> None: ...

    parameters = {"weight": "out_features in_features", "bias": "out_features"}
    forward = signature("*b in_features -> *b out_features")
