"""Kernels that copy what is a view elsewhere."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.values import dtypes

Array = Any


def _copied(input: Array) -> Array:
    """Elements in their order: the sizes of the result are the rule's."""
    return np.array(input)


def written(out: Array, elements: Any) -> Array:
    """`out`, which has become equal to what is broadcast to it, in its own dtype."""
    np.copyto(out, np.asarray(elements), casting="unsafe")
    return out


KERNELS: Final[dict[str, Kernel]] = {
    "torch.dequantize": Kernel(_copied, ("input",), lambda call: dtypes.float32, False),
    "Tensor.to_dense": Kernel(_copied, ("input",), result.first, False),
}
"""By the op's name."""
