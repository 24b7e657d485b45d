"""torchtyping: its type of tensors."""

from __future__ import annotations

from typing import Final

TENSOR_TYPE: Final = "torchtyping.TensorType"
