"""`namecheck_runtime.utils`: loading data, and checkpoints of memory.  Source: torch.utils."""

from __future__ import annotations

from namecheck_runtime.utils import checkpoint as checkpoint
from namecheck_runtime.utils import data as data

__all__ = ["checkpoint", "data"]
