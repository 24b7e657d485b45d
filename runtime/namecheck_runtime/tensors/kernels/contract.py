"""Kernels that sum products: matrix products, einsum, distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from string import ascii_letters
from typing import Any, Final

import numpy as np

from namecheck_runtime.tensors.calls.call import Kernel
from namecheck_runtime.tensors.kernels import result
from namecheck_runtime.tensors.kernels.reduce import softmax

Array = Any


def _added(product: Any) -> Any:
    """`beta * input + alpha * (a @ b)`, for any product of two."""

    def compute(input: Array, *pair: Array, beta: Any = 1, alpha: Any = 1) -> Array:
        beta, alpha = (1 if beta is None else beta), (1 if alpha is None else alpha)
        output = alpha * product(*pair)
        # With beta 0, `input` does not count, even if it is NaN.
        return output if beta == 0 else beta * input + output

    return compute


def _addmm(input: Array, mat1: Array, mat2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    return _added(np.matmul)(input, mat1, mat2, beta=beta, alpha=alpha)


def _addmv(input: Array, mat: Array, vec: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    return _added(np.matmul)(input, mat, vec, beta=beta, alpha=alpha)


def _addr(input: Array, vec1: Array, vec2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    return _added(np.outer)(input, vec1, vec2, beta=beta, alpha=alpha)


def _baddbmm(input: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    return _added(np.matmul)(input, batch1, batch2, beta=beta, alpha=alpha)


def _addbmm(input: Array, batch1: Array, batch2: Array, beta: Any = 1, alpha: Any = 1) -> Array:
    def total(a: Array, b: Array) -> Array:
        return np.matmul(a, b).sum(0)

    return _added(total)(input, batch1, batch2, beta=beta, alpha=alpha)


def _linear(input: Array, weight: Array, bias: Any = None) -> Array:
    output = _batched(input, weight.T)
    return output if bias is None else output + bias


def _bilinear(input1: Array, input2: Array, weight: Array, bias: Any = None) -> Array:
    output = np.einsum("...i,oij,...j->...o", input1, weight, input2)
    return output if bias is None else output + bias


_MANY: Final = 1 << 12
"""Operands with so many elements are worth the time to look for an order of products."""


def _summed(equation: str, operands: Sequence[Array]) -> Array:
    """NumPy's `einsum`; large operands go through BLAS, pair by pair, in the cheapest order.

    NumPy finds that order as opt_einsum does, from which it has the code.
    """
    large = len(operands) > 1 and max(operand.size for operand in operands) >= _MANY
    return np.einsum(equation, *operands, optimize=large)


def _einsum(equation: str, operands: Sequence[Array]) -> Array:
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = operands[0]
    if not isinstance(equation, str):
        return np.einsum(equation, *operands)  # each tensor is followed by the numbers of its dims
    equation = equation.replace(" ", "")
    taken, arrow, given = equation.partition("->")
    if not arrow or "..." not in taken or "..." in given:
        return _summed(equation, operands)
    # An ellipsis that the result lacks is summed over; NumPy refuses such an equation.
    output = _summed(f"{taken}->...{given}", operands)
    return output.sum(tuple(range(output.ndim - len(given))))


def spelled_out(inputs: str, ranks: Sequence[int]) -> tuple[str, str]:
    """The operands' side of an equation with letters in place of its ellipses, and the letters of
    the longest ellipsis.
    """
    free = [letter for letter in ascii_letters if letter not in inputs]
    parts = []
    longest = 0
    for part, rank in zip(inputs.split(","), ranks, strict=True):
        count = rank - len(part.replace("...", ""))
        longest = max(longest, count if "..." in part else 0)
        parts.append(part.replace("...", "".join(free[:count][::-1])))
    return ",".join(parts), "".join(free[:longest][::-1])


def _tensordot(a: Array, b: Array, dims: Any = 2) -> Array:
    if isinstance(dims, int):
        dims = tuple(range(a.ndim - dims, a.ndim)), tuple(range(dims))
    each = [axes if isinstance(axes, (tuple, list)) else (axes,) for axes in dims]
    left, right = ([axis % x.ndim for axis in axes] for x, axes in zip((a, b), each, strict=True))
    for mine, other in zip(left, right, strict=True):
        # A size of 1 fits any size: the other side is summed.
        if a.shape[mine] == 1 != b.shape[other]:
            b = b.sum(other, keepdims=True)
        elif b.shape[other] == 1 != a.shape[mine]:
            a = a.sum(mine, keepdims=True)
    return np.tensordot(a, b, (left, right))


def _cdist(x1: Array, x2: Array, p: Any = 2.0) -> Array:
    apart = np.abs(x1[..., :, None, :] - x2[..., None, :, :])
    p = 2.0 if p is None else p
    if p == 0:
        return (apart != 0).sum(-1).astype(x1.dtype)
    if p == math.inf:
        return apart.max(-1)
    return (apart**p).sum(-1) ** (1 / p)


def _attention(
    query: Array,
    key: Array,
    value: Array,
    attn_mask: Any = None,
    dropout_p: Any = 0.0,
    is_causal: Any = False,
    scale: Any = None,
    enable_gqa: Any = False,
) -> Array:
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = np.repeat(key, times, -3), np.repeat(value, times, -3)
    scale = 1 / math.sqrt(max(query.shape[-1], 1)) if scale is None else scale
    scores = np.matmul(query, np.swapaxes(key, -1, -2)) * scale
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:]) > 0, scores, -np.inf)
    if attn_mask is not None:
        masked = attn_mask.dtype == bool
        scores = np.where(attn_mask, scores, -np.inf) if masked else scores + attn_mask
    # A query that may attend to no key gets zeros.
    weights = np.where((scores == -np.inf).all(-1, keepdims=True), 0, softmax(scores, -1))
    return np.matmul(weights, value)


def _batched(a: Array, b: Array) -> Array:
    # Of matrices they are the same, and `dot` has less to find out.
    return a.dot(b) if a.ndim == 2 == b.ndim else np.matmul(a, b)


KERNELS: Final[dict[str, Kernel]] = {
    "torch.matmul": Kernel(_batched),
    "torch.mm": Kernel(_batched),
    "torch.bmm": Kernel(_batched),
    "torch.mv": Kernel(_batched),
    "torch.dot": Kernel(lambda a, b: np.dot(a, b)),
    "torch.vdot": Kernel(lambda a, b: np.vdot(a, b)),
    "torch.inner": Kernel(lambda a, b: np.inner(a, b)),
    "torch.outer": Kernel(lambda a, b: np.outer(a, b)),
    "torch.addmm": Kernel(_addmm, ("input", "mat1", "mat2", "beta", "alpha")),
    "torch.addmv": Kernel(_addmv, ("input", "mat", "vec", "beta", "alpha")),
    "torch.addr": Kernel(_addr, ("input", "vec1", "vec2", "beta", "alpha")),
    "torch.baddbmm": Kernel(_baddbmm, ("input", "batch1", "batch2", "beta", "alpha")),
    "torch.addbmm": Kernel(_addbmm, ("input", "batch1", "batch2", "beta", "alpha")),
    "torch.einsum": Kernel(_einsum, ("equation", "operands")),
    "torch.tensordot": Kernel(_tensordot, ("a", "b", "dims")),
    "torch.nn.functional.linear": Kernel(_linear, ("input", "weight", "bias")),
    "torch.nn.functional.bilinear": Kernel(_bilinear, ("input1", "input2", "weight", "bias")),
    "torch.cdist": Kernel(_cdist, ("x1", "x2", "p")),
    "torch.nn.functional.scaled_dot_product_attention": Kernel(
        _attention,
        (
            *("query", "key", "value", "attn_mask", "dropout_p", "is_causal"),
            *("scale", "enable_gqa"),
        ),
        result.first,
        False,
    ),
}
"""By the op's name."""
