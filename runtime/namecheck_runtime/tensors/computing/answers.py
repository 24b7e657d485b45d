"""Kernels of ops that answer a question about tensors, and compute none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.backends import require_one_device
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.layouts.sparse_rows import is_merged, sparse_coo
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.shared_memory import memory_of


def _array(value: Any) -> Any:
    """The elements of an operand.  Raises TypeError on a device without NumPy's memory."""
    if isinstance(value, Tensor):
        return value._elements()
    return value


def _require_one_device(call: Call) -> None:
    for operand in call.operands:
        require_one_device(call.operands[0].device, operand.device)


def _equal(call: Call) -> bool:
    _require_one_device(call)
    return bool(np.array_equal(_array(call.values["input"]), _array(call.values["other"])))


def _allclose(call: Call) -> bool:
    _require_one_device(call)
    values = call.values
    return bool(
        np.allclose(
            _array(values["input"]),
            _array(values["other"]),
            _array(values.get("rtol", 1e-5)),
            _array(values.get("atol", 1e-8)),
            bool(values.get("equal_nan", False)),
        )
    )


def _is_nonzero(call: Call) -> bool:
    return bool(call.operands[0])


def _of_dtype(ask: Callable[[dtypes.dtype], bool]) -> Callable[[Call], bool]:
    return lambda call: ask(call.operands[0].dtype)


def _no(call: Call) -> bool:
    return False


def _is_set_to(call: Call) -> bool:
    left, right = call.operands
    return left.untyped_storage() is right.untyped_storage() and (
        left._geometry() == right._geometry()
    )


def _is_shared(call: Call) -> bool:
    """Whether other processes see its memory."""
    storage = call.operands[0]._storage
    return storage is not None and memory_of(storage) is not None


def _device_number(call: Call) -> int:
    return -1


ANSWERS: Final[dict[str, Callable[[Call], Any]]] = {
    "torch.equal": _equal,
    "torch.allclose": _allclose,
    "torch.is_nonzero": _is_nonzero,
    "Tensor.is_floating_point": _of_dtype(lambda d: d.is_floating_point),
    "Tensor.is_complex": _of_dtype(lambda d: d.is_complex),
    "Tensor.is_signed": _of_dtype(lambda d: d.is_signed),
    "Tensor.is_set_to": _is_set_to,
    "Tensor.is_shared": _is_shared,
    "Tensor.get_device": _device_number,
    "torch.get_device": _device_number,
    "Tensor.grad": lambda call: call.operands[0].grad,
    "Tensor.retain_grad": lambda call: call.operands[0].retain_grad(),
    "Tensor.grad_fn": lambda call: call.operands[0].grad_fn,
    "Tensor.is_leaf": lambda call: call.operands[0].is_leaf,
    "Tensor.retains_grad": lambda call: call.operands[0].retains_grad,
    "Tensor.is_sparse": lambda call: call.operands[0].layout is sparse_coo,
    "Tensor.is_coalesced": lambda call: is_merged(call.operands[0]),
    "Tensor.sparse_dim": lambda call: int(call.operands[0].layout is sparse_coo),
    "Tensor.dense_dim": lambda call: (
        call.operands[0].ndim - (call.operands[0].layout is sparse_coo)
    ),
    "Tensor.is_cpu": lambda call: call.operands[0].device.type == "cpu",
    "Tensor.is_meta": lambda call: call.operands[0].device.type == "meta",
}
"""By the op's name: the answer to a call, without an array."""

for _name in ("cuda", "mps", "quantized", "sparse_csr", "xpu"):
    ANSWERS[f"Tensor.is_{_name}"] = _no
for _name in ("conj", "inference", "neg", "pinned"):
    ANSWERS[f"Tensor.is_{_name}"] = _no
for _name in ("is_conj", "is_inference"):
    ANSWERS[f"torch.{_name}"] = _no
