"""Products of vectors, and of tensors along some of their dims.

Dot, outer, cross and Kronecker products, tensordot, and distances.  Matrix products live in
`contract`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    drop,
    element_count,
    fresh,
    insert,
    position,
    positions,
    require_equal,
    require_rank,
)
from namecheck_runtime.alignment import broadcast, unify_batch
from namecheck_runtime.declare import DimRef, Operand, Shape, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims, Truth, Unknown
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange, RankMismatch
from namecheck_runtime.mistakes.names import DuplicateDistanceName
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.contract import OUT, contract, over_last
from namecheck_runtime.sizes import multiply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


@op("torch.dot", "Tensor.dot", out=OUT, products=over_last("input"))
def dot(input: Dims, tensor: Dims) -> Shape:
    """The product of two vectors: both dims vanish."""
    return _of_vectors(input, tensor, "tensor")


@op("torch.vdot", "Tensor.vdot", out=OUT, products=over_last("input"))
def vdot(input: Dims, other: Dims) -> Shape:
    """The product of two vectors, the first conjugated: both dims vanish."""
    return _of_vectors(input, other, "other")


def _of_vectors(left: Dims, right: Dims, second: str) -> Dims:
    text = f"1D tensors expected, but got {len(left)}D and {len(right)}D tensors"
    require_rank(left, lambda n: n == 1, "1", "input", text=text)
    require_rank(right, lambda n: n == 1, "1", second, text=text)
    mine, other = left[0].size, right[0].size
    text = (
        f"inconsistent tensor size, expected tensor [{mine}] and src [{other}] to have the same "
        f"number of elements, but got {mine} and {other} elements respectively"
    )
    contract(left, right, 0, 0, ("input", second), text=text)
    return ()


@op(
    "torch.inner",
    "Tensor.inner",
    numpy="inner",
    out=OUT,
    parsing=("tensors only",),
    products=over_last("input"),
)
def inner(input: Operand, other: Operand) -> Shape:
    """Sums over the last dim of both, and keeps all others: `[*a, k], [*b, k] -> [*a, *b]`."""
    if input == () or other == ():
        return other if input == () else input
    if not isinstance(input, tuple) or not isinstance(other, tuple):
        return UNKNOWN
    contract(input, other, -1, -1)
    result = (*input[:-1], *other[:-1])
    check_distinct((dim.name for dim in result), "input")
    return result


@op(
    "torch.outer",
    "Tensor.outer",
    "torch.ger",
    "Tensor.ger",
    numpy="linalg.outer(input, vec2)",
    out=OUT,
)
def outer(input: Dims, vec2: Dims) -> Shape:
    """Every product of two vectors: `[a], [b] -> [a, b]`.  Natural names, which torch refused."""
    for shape, argument in ((input, "input"), (vec2, "vec2")):
        text = f"outer: Expected 1-D argument self, but got {len(shape)}-D"
        require_rank(shape, lambda n: n == 1, "1", argument, text=text)
    check_distinct((input[0].name, vec2[0].name), "vec2")
    return (input[0], vec2[0])


def _flattened(shape: Shape) -> Dim:
    """The dim of a flattened tensor: its own if it has only one."""
    if not isinstance(shape, tuple):
        return Dim(UNKNOWN, UNKNOWN)
    return shape[0] if len(shape) == 1 else fresh(element_count(shape))


@op("numpy.outer", numpy="outer(a, b, out)", out=OUT)
def numpy_outer(a: Shape, b: Shape) -> Shape:
    """NumPy's outer, which flattens both operands first."""
    result = (_flattened(a), _flattened(b))
    check_distinct((dim.name for dim in result), "b")
    return result


@op("torch.cdist")
def cdist(x1: Dims, x2: Dims, p: object = 2.0, compute_mode: object = None) -> Shape:
    """Distances between the rows of two matrices: `[*b, n, k], [*b, m, k] -> [*b, n, m]`."""
    arguments = ("x1", "x2")
    for shape, argument in ((x1, "x1"), (x2, "x2")):
        text = f"cdist only supports at least 2D tensors, {argument.upper()} got: {len(shape)}D"
        require_rank(shape, lambda n: n >= 2, "at least 2", argument, text=text)
    text = f"X1 and X2 must have the same number of columns. X1: {x1[-1].size} X2: {x2[-1].size}"
    contract(x1, x2, -1, -1, arguments, text=text)
    batch = unify_batch(x1[:-2], x2[:-2], (x1, x2), "cdist", arguments)
    result = (*batch, x1[-2], x2[-2])
    names = tuple(dim.name for dim in result)
    if (isinstance(names[-1], str) and names[-1] in names[:-1]) or (
        isinstance(names[-2], str) and names[-2] in names[:-2]
    ):
        raise DuplicateDistanceName(
            names=names, left=x1, right=x2, blame=(Blame("x1"), Blame("x2"))
        )
    return result


def _tensordot_products(arguments: Mapping[str, Any], result: Any) -> Size:
    """Each element of the result sums over all the pairs of dims."""
    a, b = arguments["a"], arguments["b"]
    pairs = _contracted(a, b, arguments.get("dims", 2))
    if pairs is None:
        return UNKNOWN
    return sizes.product((element_count(result), *[a[mine].size for mine, _ in pairs]))


@op(
    "torch.tensordot",
    numpy=("tensordot(a, b, dims)", "linalg.tensordot(a, b)"),
    out=OUT,
    products=_tensordot_products,
)
def tensordot(a: Dims, b: Dims, dims: object = 2) -> Shape:
    """Sums over several dims of both, and keeps all others, a's first.

    Names are the natural ones, which torch refused.
    """
    pairs = _contracted(a, b, dims)
    if pairs is None:
        return UNKNOWN
    for mine, other in pairs:
        if a[mine].size != 1 and b[other].size != 1:  # torch sums a 1 away against any size
            contract(a, b, mine, other, ("a", "b"))
    summed_of_a, summed_of_b = {m for m, _ in pairs}, {o for _, o in pairs}
    result = (
        *(dim for k, dim in enumerate(a) if k not in summed_of_a),
        *(dim for k, dim in enumerate(b) if k not in summed_of_b),
    )
    check_distinct((dim.name for dim in result), "b")
    return result


def _contracted(a: Dims, b: Dims, dims: object) -> list[tuple[int, int]] | None:
    """The pairs of dims that tensordot sums over; None if they are not known."""
    if isinstance(dims, int) and not isinstance(dims, bool):
        if not 0 <= dims <= min(len(a), len(b)):
            raise RankMismatch(shape=a, wanted=f"at least {dims}", blame=(Blame("dims"),))
        return [(len(a) - dims + k, k) for k in range(dims)]
    if not isinstance(dims, (tuple, list)) or len(dims) != 2:
        return None
    left, right = ((d,) if isinstance(d, int) else d for d in dims)
    if not isinstance(left, (tuple, list)) or not isinstance(right, (tuple, list)):
        return None
    if any(not isinstance(d, (int, str)) for d in (*left, *right)):
        return None
    if len(left) != len(right):
        raise RankMismatch(shape=b, wanted="equally many contracted", blame=(Blame("dims"),))
    for shape, argument in ((a, "a"), (b, "b")) if left else ():
        if not shape:  # reductions take 0 and -1 for a dim of such a tensor; a contraction does not
            text = "Dimension specified as 0 but tensor has no dimensions"
            raise DimOutOfRange(shape=shape, dim=0, rank=0, text=text, blame=(Blame(argument),))
    ours, theirs = positions(a, tuple(left), "dims"), positions(b, tuple(right), "dims")
    if not isinstance(ours, tuple) or not isinstance(theirs, tuple):
        return None
    return list(zip(ours, theirs, strict=True))


@op("torch.kron", "Tensor.kron", numpy="kron", out=OUT)
def kron(input: Dims, other: Dims) -> Shape:
    """Every product of two elements, dim by dim: sizes multiply, names are lost."""
    rank = max(len(input), len(other))
    ours, theirs = ((fresh(1),) * (rank - len(s)) + s for s in (input, other))
    return tuple(fresh(multiply(m.size, o.size)) for m, o in zip(ours, theirs, strict=True))


@op("torch.cross", "Tensor.cross", out=OUT)
def cross(input: Dims, other: Dims, dim: DimRef | None = None) -> Shape:
    """The vector product over a dim of size 3, by default the first; all others broadcast."""
    if dim is not None:
        return _cross(input, other, dim)
    if input and all(sizes.compare(d.size, 3) is Truth.NO for d in input):
        text = "no dimension of size 3 in input"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("input"),))
    return broadcast(input, other)


@op("torch.linalg.cross", out=OUT)
def linalg_cross(input: Dims, other: Dims, *, dim: DimRef = -1) -> Shape:
    """The vector product over a dim of size 3; all others broadcast."""
    return _cross(input, other, dim)


def _cross(input: Dims, other: Dims, dim: DimRef) -> Shape:
    text = "linalg.cross: inputs must have the same number of dimensions."
    require_rank(other, lambda n: n == len(input), str(len(input)), "other", text)
    for shape, argument in ((input, "input"), (other, "other")):
        index = position(shape, dim)
        if isinstance(index, int) and shape:
            size = shape[index].size
            text = (
                f"linalg.cross: inputs dimension {dim} must have length 3. Got {input[index].size} "
                f"and {other[index].size}"
            )
            reason = f"dim {dim} has size {size}, not 3"
            blame = (Blame(argument, index),)
            require_equal(size, 3, BadExtent(shape=shape, reason=reason, text=text, blame=blame))
    return broadcast(input, other)


@op(numpy="linalg.cross(input, other)")
def numpy_linalg_cross(input: Dims, other: Dims, *, dim: int = -1) -> Shape:
    """As `numpy.cross` of vectors of size 3.  Source: numpy.linalg.cross."""
    return numpy_cross(input, other, dim=dim)


@op(numpy="cross(input, other, axisa, axisb, axisc, dim)")
def numpy_cross(
    input: Dims,
    other: Dims,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    dim: int | None = None,
) -> Shape:
    """The vector product over the last dims, of size 3, or 2 for both: then the dim vanishes.

    Source: numpy.cross.
    """
    if dim is not None:
        axisa = axisb = axisc = dim
    mine, theirs = position(input, axisa, "axisa"), position(other, axisb, "axisb")
    if isinstance(mine, Unknown) or isinstance(theirs, Unknown) or not input or not other:
        return UNKNOWN
    rest = broadcast(drop(input, (mine,)), drop(other, (theirs,)))
    extents = (input[mine].size, other[theirs].size)
    if not isinstance(rest, tuple) or not all(size in (2, 3) for size in extents):
        return UNKNOWN
    if extents == (2, 2):
        return rest
    kept = input[mine] if extents[0] == 3 else other[theirs]
    place = axisc if axisc >= 0 else axisc + len(rest) + 1
    return insert(rest, place, kept) if 0 <= place <= len(rest) else UNKNOWN


@op(numpy=("vecdot(x, y, out)", "linalg.vecdot(x, y)"), out=OUT)
def numpy_vecdot(x: Dims, y: Dims, *, dim: int = -1) -> Shape:
    """The product of vectors along the dim of either operand; the others broadcast.

    Source: numpy.vecdot.
    """
    mine, theirs = position(x, dim), position(y, dim)
    if isinstance(mine, Unknown) or isinstance(theirs, Unknown) or not x or not y:
        return UNKNOWN
    contract(x, y, mine, theirs, ("x", "y"))
    return broadcast(drop(x, (mine,)), drop(y, (theirs,)), arguments=("x", "y"))


@op("torch.linalg.vecdot", out=OUT)
def vecdot(x: Dims, y: Dims, *, dim: int = -1) -> Shape:
    """The product of vectors along one dim."""
    combined = broadcast(x, y, arguments=("x", "y"))
    if not isinstance(combined, tuple):
        return UNKNOWN
    place = position(combined, dim)
    return drop(combined, (place,)) if isinstance(place, int) else UNKNOWN
