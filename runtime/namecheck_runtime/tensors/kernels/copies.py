"""Kernels that copy where other libraries return a view."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.values import dtypes

Array = Any


def _copied(input: Array) -> Array:
    """A copy of the elements in their order; the rule gives the sizes."""
    return np.array(input)


def written(out: Array, elements: Any) -> Array:
    """`out`, with the elements copied into it: broadcast, and converted to its dtype."""
    np.copyto(out, np.asarray(elements), casting="unsafe")
    return out


KERNELS: Final[dict[str, Kernel]] = {
    "torch.dequantize": Kernel(_copied, ("input",), lambda call: dtypes.float32, False),
    "Tensor.to_dense": Kernel(_copied, ("input",), result.first, False, moves=True),
}
"""By the op's name."""
