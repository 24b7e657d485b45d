"""Functions of the package that are written out; each calls one op."""

from __future__ import annotations

from collections.abc import Sequence

from namecheck_runtime.tensors.dispatch import call_path
from namecheck_runtime.tensors.object import Tensor


def broadcast_in_dim(
    operand: Tensor, shape: Sequence[int], broadcast_dimensions: Sequence[int]
) -> Tensor:
    """The operand spread over `shape`, over the same memory.

    Its dim `k` becomes dim `broadcast_dimensions[k]`; the others are new and unnamed.

    Raises SizesError (NC210) for a call that XLA refuses.
    """
    return call_path(  # type: ignore[no-any-return]
        "jax.lax.broadcast_in_dim", (operand, tuple(shape), tuple(broadcast_dimensions)), {}
    )
