"""Kernels that look up rows of a table by index."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.normalization import renorm

Array = Any


def _embedding(
    input: Array, weight: Array, max_norm: Any = None, norm_type: Any = 2.0
) -> tuple[Array, Any]:
    """Rows of the weight, and the new weight if `max_norm` shortens some of the rows, else None."""
    if input.size and not 0 <= input.min() <= input.max() < len(weight):
        raise IndexError("index out of range in self")
    if max_norm is None:
        return weight[input], None
    used = np.unique(input)
    cut = np.array(weight)
    cut[used] = renorm(weight[used], 2.0 if norm_type is None else norm_type, 0, max_norm)
    return cut[input], cut


_BAGS: Final[dict[str, Any]] = {"sum": np.sum, "mean": np.mean, "max": np.max}


def _embedding_bag(
    input: Array,
    weight: Array,
    offsets: Any = None,
    mode: Any = "mean",
    per_sample_weights: Any = None,
    include_last_offset: Any = False,
    padding_idx: Any = None,
) -> Array:
    """The rows of the weight for each bag of indices, reduced to one."""
    flat = input.reshape(-1)
    if input.ndim == 2:
        bounds = np.arange(input.shape[0] + 1) * input.shape[1]
    else:
        bounds = offsets if include_last_offset else np.append(offsets, flat.size)
    begins, ends = bounds[:-1], bounds[1:]
    output = np.zeros((len(begins), weight.shape[1]), weight.dtype)
    for k, (low, high) in enumerate(zip(begins, ends, strict=True)):
        places = np.arange(low, high)
        if padding_idx is not None:
            places = places[flat[places] != padding_idx % weight.shape[0]]
        rows = weight[flat[places]]
        if per_sample_weights is not None:
            rows = rows * per_sample_weights.reshape(-1)[places][:, None]
        if rows.size:
            output[k] = _BAGS[mode](rows, axis=0)
    return output


def _one_hot(tensor: Array, num_classes: Any = -1) -> Array:
    if tensor.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.size and tensor.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes is None or num_classes == -1:
        num_classes = int(tensor.max()) + 1
    if tensor.size and tensor.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor[..., None] == np.arange(num_classes)).astype(np.int64)


def _of_weight(call: Call) -> Any:
    return call.values["weight"].dtype


KERNELS: Final[dict[str, Kernel]] = {
    "torch.nn.functional.embedding": Kernel(
        _embedding, ("input", "weight", "max_norm", "norm_type"), _of_weight, False
    ),
    "torch.embedding": Kernel(
        lambda weight, indices: weight[indices], ("weight", "indices"), _of_weight, False
    ),
    "torch.nn.functional.embedding_bag": Kernel(
        _embedding_bag,
        (
            *("input", "weight", "offsets", "mode", "per_sample_weights"),
            *("include_last_offset", "padding_idx"),
        ),
        _of_weight,
        False,
    ),
    "torch.nn.functional.one_hot": Kernel(_one_hot, ("tensor", "num_classes"), result.int64),
}
"""By the op's name."""
