"""Where pickles find storages; see `tensors.values.storage`."""

from __future__ import annotations

from namecheck_runtime.tensors.values.storage import Storage as Storage
