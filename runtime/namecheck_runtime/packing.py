"""Where pickles find packed sequences; see `tensors.computing.packing`."""

from __future__ import annotations

from namecheck_runtime.tensors.computing.packing import PackedSequence as PackedSequence
