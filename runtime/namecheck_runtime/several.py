"""Where pickles find results of several tensors; see `tensors.computing.named_results`."""

from __future__ import annotations

from namecheck_runtime.tensors.computing.named_results import rebuild as rebuild
