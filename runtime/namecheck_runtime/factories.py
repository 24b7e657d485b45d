"""Where pickles find tensors; see `tensors.making.factories`."""

from __future__ import annotations

from namecheck_runtime.tensors.making.factories import rebuild as rebuild
