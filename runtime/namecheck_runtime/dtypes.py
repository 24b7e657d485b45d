"""Where pickles find dtypes, devices, layouts and orders; see `tensors.values.dtypes`."""

from __future__ import annotations

from namecheck_runtime.tensors.values.dtypes import channels_last as channels_last
from namecheck_runtime.tensors.values.dtypes import channels_last_3d as channels_last_3d
from namecheck_runtime.tensors.values.dtypes import contiguous_format as contiguous_format
from namecheck_runtime.tensors.values.dtypes import device as device
from namecheck_runtime.tensors.values.dtypes import dtype as dtype
from namecheck_runtime.tensors.values.dtypes import layout as layout
from namecheck_runtime.tensors.values.dtypes import memory_format as memory_format
from namecheck_runtime.tensors.values.dtypes import named_dtype as named_dtype
from namecheck_runtime.tensors.values.dtypes import preserve_format as preserve_format
