"""Products that sum over dims."""

from __future__ import annotations

from math import prod

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import conj, scaled, zeros
from namecheck_runtime.autograd.table import composite, derivative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_F = "torch.nn.functional."


def transposed(matrix: Any) -> Any:
    """A stack of matrices, transposed and conjugated."""
    return conj(matrix).transpose(-2, -1)


def _left(grad: Any, other: Any, form: Any) -> Any:
    rank = len(form.sizes)
    if other.ndim == 1:
        return grad.unsqueeze(-1) * conj(other) if rank > 1 else grad * conj(other)
    if rank == 1:
        product = grad.unsqueeze(-2) @ transposed(other)
        return product.squeeze(-2)
    return grad @ transposed(other)


def _right(grad: Any, input: Any, form: Any) -> Any:
    rank = len(form.sizes)
    if input.ndim == 1:
        if rank == 1:
            return grad * conj(input)
        return conj(input).unsqueeze(-1) * grad.unsqueeze(-2)
    if rank == 1:
        return (transposed(input) @ grad.unsqueeze(-1)).squeeze(-1)
    return transposed(input) @ grad


def _name(input: Any, other: Any, **others: Any) -> str:
    return {(1, 1): "Dot", (2, 1): "Mv", (2, 2): "Mm"}.get((input.ndim, other.ndim), "Bmm")


derivative("torch.matmul", name=_name, input=_left, other=_right)
for _op in ("mm", "bmm"):
    derivative(
        f"torch.{_op}",
        input=lambda grad, mat2: grad @ transposed(mat2),
        mat2=lambda grad, input: transposed(input) @ grad,
    )
derivative(
    "torch.mv",
    input=lambda grad, vec: grad.unsqueeze(-1) * conj(vec),
    vec=lambda grad, input: transposed(input) @ grad,
)
derivative(
    "torch.dot",
    input=lambda grad, tensor: grad * conj(tensor),
    tensor=lambda grad, input: grad * conj(input),
)
derivative(
    "torch.vdot",
    input=lambda grad, other: conj(grad) * other,
    other=lambda grad, input: grad * input,
)
derivative(
    "torch.outer",
    input=lambda grad, vec2: grad @ conj(vec2),
    vec2=lambda grad, input: grad.transpose(0, 1) @ conj(input),
)
derivative(
    "torch.addmm",
    input=lambda grad, beta: scaled(grad, beta),
    mat1=lambda grad, mat2, alpha: scaled(grad @ transposed(mat2), alpha),
    mat2=lambda grad, mat1, alpha: scaled(transposed(mat1) @ grad, alpha),
)
derivative(
    "torch.addmv",
    input=lambda grad, beta: scaled(grad, beta),
    mat=lambda grad, vec, alpha: scaled(grad.unsqueeze(-1) * conj(vec), alpha),
    vec=lambda grad, mat, alpha: scaled(transposed(mat) @ grad, alpha),
)
derivative(
    "torch.baddbmm",
    input=lambda grad, beta: scaled(grad, beta),
    batch1=lambda grad, batch2, alpha: scaled(grad @ transposed(batch2), alpha),
    batch2=lambda grad, batch1, alpha: scaled(transposed(batch1) @ grad, alpha),
)


def _of_sum(grad: Any) -> Any:
    """The gradient of the sum over the batch, to which an operand of more dims may be added."""
    return grad.sum_to_size(grad.shape[-2:])


derivative(
    "torch.addbmm",
    input=lambda grad, beta: scaled(grad, beta),
    batch1=lambda grad, batch2, alpha: scaled(_of_sum(grad) @ transposed(batch2), alpha),
    batch2=lambda grad, batch1, alpha: scaled(transposed(batch1) @ _of_sum(grad), alpha),
)
derivative(
    "torch.addr",
    input=lambda grad, beta: scaled(grad, beta),
    vec1=lambda grad, vec2, alpha: scaled(grad @ conj(vec2), alpha),
    vec2=lambda grad, vec1, alpha: scaled(grad.transpose(0, 1) @ conj(vec1), alpha),
)


def _of_weight(grad: Any, input: Any, form: Any) -> Any:
    if len(form.sizes) == 1:
        return (grad.unsqueeze(-1) * conj(input)).reshape(prod(grad.shape), form.sizes[0]).sum(0)
    height, (out, width) = prod(input.shape[:-1]), form.sizes
    rows = grad.reshape(height, out)
    return rows.transpose(0, 1) @ conj(input).reshape(height, width)


derivative(
    f"{_F}linear",
    name="Addmm",
    input=lambda grad, weight: (
        grad @ conj(weight) if weight.ndim > 1 else grad.unsqueeze(-1) * conj(weight)
    ),
    weight=_of_weight,
    bias=lambda grad: grad,
)


@composite(f"{_F}bilinear")
def bilinear(input1: Any, input2: Any, weight: Any, bias: Any) -> Any:
    """For each output the product with a matrix from both sides."""
    product = call("torch.einsum", "...i,oij,...j->...o", input1, weight, input2)
    return product if bias is None else product + bias


@composite("torch.linalg.multi_dot")
def multi_dot(tensors: Any) -> Any:
    """The product of all matrices."""
    return _chained(tensors)


@composite("torch.chain_matmul")
def chain_matmul(matrices: Any) -> Any:
    """The product of all matrices."""
    return _chained(matrices)


def _chained(matrices: Any) -> Any:
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


@composite("torch.inner")
def inner(input: Any, other: Any) -> Any:
    """The sums of products along the last dims."""
    if not input.ndim or not other.ndim:
        return input * other
    return call("torch.tensordot", input, other, ((-1,), (-1,)))


@composite("torch.tensordot")
def tensordot(a: Any, b: Any, dims: Any) -> Any:
    """A product of matrices, of which the summed dims are one."""
    if isinstance(dims, int):
        left, right = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        left, right = ([d] if isinstance(d, int) else list(d) for d in dims)
    left, right = [d % a.ndim for d in left], [d % b.ndim for d in right]
    for d, e in zip(left, right, strict=True):
        if a.shape[d] != b.shape[e]:  # the one of size 1 meets all of the other
            a, b = (a, b.sum(e, True)) if a.shape[d] == 1 else (a.sum(d, True), b)
    rows = [d for d in range(a.ndim) if d not in left]
    columns = [d for d in range(b.ndim) if d not in right]
    sizes = [a.shape[d] for d in rows] + [b.shape[d] for d in columns]
    summed, height = (prod(a.shape[d] for d in dims) for dims in (left, rows))
    width = prod(b.shape[d] for d in columns)
    first = a.permute(rows + left).reshape(height, summed)
    second = b.permute(right + columns).reshape(summed, width)
    return (first @ second).reshape(sizes)


@composite("torch.kron")
def kron(input: Any, other: Any) -> Any:
    """Each element of one times all of the other."""
    rank = max(input.ndim, other.ndim)
    left = (1,) * (rank - input.ndim) + tuple(input.shape)
    right = (1,) * (rank - other.ndim) + tuple(other.shape)
    spread = [size for n in left for size in (n, 1)]
    along = [size for n in right for size in (1, n)]
    product = input.reshape(spread) * other.reshape(along)
    return product.reshape([n * m for n, m in zip(left, right, strict=True)])


def _crossed(left: Any, right: Any, dim: int) -> Any:
    a = [left.select(dim, k) for k in range(3)]
    b = [right.select(dim, k) for k in range(3)]
    parts = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return call("torch.stack", parts, dim)


@composite("torch.cross", "torch.linalg.cross")
def cross(input: Any, other: Any, dim: Any) -> Any:
    """The differences of products of the other two elements."""
    left, right = call("torch.broadcast_tensors", input, other)
    if dim is None:
        dim = next((k for k, n in enumerate(left.shape) if n == 3), -1)
    return _crossed(left, right, dim % left.ndim)


@composite("torch.linalg.vecdot")
def vecdot(x: Any, y: Any, dim: Any) -> Any:
    """The sums of products along a dim."""
    return (conj(x) * y).sum(-1 if dim is None else dim)


# -- einsum ----------------------------------------------------------------------------------------


def _einsum(grad: Any, equation: Any, operands: Any, form: Any) -> list[Any]:
    """For each operand the product of the gradient with the others."""
    inputs, output = _letters(str(equation), [len(f.sizes) for f in form])
    grads: list[Any] = []
    for place, letters in enumerate(inputs):
        others = [k for k in range(len(inputs)) if k != place]
        known = set(output).union(*(inputs[k] for k in others))
        unique = "".join(dict.fromkeys(letters))
        reached = "".join(letter for letter in unique if letter in known)
        terms = ",".join([output, *(inputs[k] for k in others)])
        part = call(
            "torch.einsum", f"{terms}->{reached}", grad, *(conj(operands[k]) for k in others)
        )
        grads.append(_spread(part, reached, letters, form[place]))
    return grads


def _spread(part: Any, reached: str, letters: str, form: Any) -> Any:
    """A gradient with the dims that nothing else has, and on the diagonal of those named twice."""
    unique = "".join(dict.fromkeys(letters))
    sizes = [form.sizes[letters.index(letter)] for letter in unique]
    places = {letter: place for place, letter in enumerate(reached)}
    shape = [part.shape[places[letter]] if letter in places else 1 for letter in unique]
    whole = part.reshape(shape)
    # An operand of size 1 meets all elements of the others.
    broadcast = [k for k, n in enumerate(sizes) if n == 1 != shape[k]]
    whole = (whole.sum(broadcast, True) if broadcast else whole).expand(sizes)
    if unique == letters:
        return whole
    target = zeros(form, part.dtype)
    view = target
    kept = list(letters)
    for letter in unique:
        while kept.count(letter) > 1:
            first = kept.index(letter)
            second = kept.index(letter, first + 1)
            view = view.diagonal(0, first, second)
            kept = [k for p, k in enumerate(kept) if p not in (first, second)] + [letter]
    view.permute([kept.index(letter) for letter in unique]).copy_(whole)
    return target


def _letters(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """The letters of the operands and of the result, with letters in place of `...`."""
    left, arrow, output = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    free = [chr(c) for c in range(ord("A"), ord("Z") + 1) if chr(c) not in equation]
    free += [chr(c) for c in range(ord("a"), ord("z") + 1) if chr(c) not in equation]
    most = max((r - len(t) + 3 for t, r in zip(terms, ranks, strict=True) if "..." in t), default=0)
    dots = "".join(free[:most])
    spelled = []
    for term, rank in zip(terms, ranks, strict=True):
        number = rank - len(term) + 3
        spelled.append(term.replace("...", dots[most - number :] if "..." in term else ""))
    if arrow:
        return spelled, output.replace("...", dots)
    joined = "".join(terms).replace(".", "")
    alone = sorted(letter for letter in set(joined) if joined.count(letter) == 1)
    return spelled, dots + "".join(alone)


derivative("torch.einsum", operands=_einsum)


@composite("torch.cdist")
def cdist(x1: Any, x2: Any, p: Any) -> Any:
    """The norms of all differences."""
    difference = x1.unsqueeze(-2) - x2.unsqueeze(-3)
    return call("torch.linalg.vector_norm", difference, 2 if p is None else p, -1)
