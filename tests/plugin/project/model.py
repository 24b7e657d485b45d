from __future__ import annotations

from layers import Linear, normalized
from shapes import CHANNELS, rows


class Model:
    def __init__(self) -> None:
        self.layer = Linear()

    def __call__(self, count: int) -> float:
        hidden = self.layer(normalized(rows(count)))
        hidden.sum(CHANNELS)
        return float(hidden.sum())
