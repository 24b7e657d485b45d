"""How tensors are sent to another process: their memory is shared, and what is sent is its handle.

Importing this module teaches Python's `multiprocessing` (its queues, pipes, pools and arguments of
processes); pickles elsewhere stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import reduction
from typing import Any

from namecheck_runtime.tensors.computing.writing import share, share_storage
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.dtypes import is_of_third_party
from namecheck_runtime.tensors.values.shared_memory import memory_of, received
from namecheck_runtime.tensors.values.storage import Storage


def _arrived(handle: Any, nbytes: int, of: Any) -> Storage:
    """The storage whose handle was sent: the one that this process has already, if it has."""
    return received(handle.detach(), nbytes, of)


def reduce_storage(storage: Storage) -> tuple[Any, ...]:
    """What is sent of a storage: the handle of its memory, which is shared from then on.

    On `meta` there is none.
    """
    share_storage(storage)
    memory = memory_of(storage)
    if memory is None:
        return Storage, (None, storage.nbytes())
    assert storage.buffer is not None
    handle = reduction.DupFd(memory.handle)
    # NumPy's texts do not tell the dtypes of third parties apart; each of those pickles itself.
    of = storage.buffer.dtype
    return _arrived, (handle, storage.nbytes(), of if is_of_third_party(of) else of.str)


def reduce_tensor(tensor: Tensor) -> tuple[Any, ...]:
    """What is sent of a tensor, whose memory is moved to where the other process sees it.

    Raises RuntimeError for a result that a graph leads to: graphs stay in their process.
    """
    if tensor.requires_grad and tensor.grad_fn is not None:
        raise RuntimeError(
            "Cowardly refusing to serialize non-leaf tensor which requires_grad, since autograd "
            "does not support crossing process boundaries.  If you just want to transfer the data, "
            "call detach() on the tensor before serializing (e.g., putting it on the queue)."
        )
    if tensor.device.type == "cpu":
        share(tensor)
    return tensor.__reduce_ex__(4)


def teach() -> None:
    """Let `multiprocessing` send tensors without copies."""
    register: Callable[[Any, Any], None] = reduction.ForkingPickler.register
    register(Storage, reduce_storage)
    register(Tensor, reduce_tensor)


teach()
