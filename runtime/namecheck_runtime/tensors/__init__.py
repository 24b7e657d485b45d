"""Named tensors on NumPy: what they are made of, how they are called, computed and shown.

From below: `values` (dtypes, storages, names), the `object`, `calls`, `kernels`, `backends`,
`making` of tensors, `views`, `computing`, `dispatch`, and the `methods`, which are given to the
class.  The package imports them, so that the class has its methods as soon as it can be seen.
"""

from __future__ import annotations

from namecheck_runtime.tensors import methods as methods
from namecheck_runtime.tensors.object import Size as Size
from namecheck_runtime.tensors.object import Tensor as Tensor
