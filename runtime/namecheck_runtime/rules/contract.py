"""Ops that multiply and sum: matrix products, their sums with a bias, distances.

einsum and einops, whose dims are named by a pattern, live in `patterns`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    doubt,
    drop,
    element_count,
    fresh,
    insert,
    names_of,
    position,
    positions,
    require_equal,
    require_rank,
)
from namecheck_runtime.alignment import broadcast, check_names, unify_batch
from namecheck_runtime.declare import DimRef, Memory, Operand, Shape, Tensors, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.names import (
    ContractedNames,
    DuplicateDistanceName,
    DuplicateProductName,
)
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize
from namecheck_runtime.sizes import multiply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PAIR = ("input", "other")


def contract(
    left: Shape,
    right: Shape,
    mine: int,
    other: int,
    arguments: tuple[str, str] = _PAIR,
    text: str | Callable[[], str] = "",
) -> None:
    """Require the dims `mine` of `left` and `other` of `right` to have one size.

    Their names are never compared (the documented contraction); two different ones are doubted
    (NC108).
    """
    first, second = known_dims(left)[mine], known_dims(right)[other]
    blame = (Blame(arguments[0], mine), Blame(arguments[1], other))
    if first.size != second.size:
        require_equal(
            first.size,
            second.size,
            ContractionSize(
                left=left,
                right=right,
                left_size=first.size,
                right_size=second.size,
                text=text if isinstance(text, str) else text(),
                blame=blame,
            ),
        )
    if isinstance(first.name, str) and isinstance(second.name, str) and first.name != second.name:
        doubt(
            ContractedNames(
                left=left, right=right, left_name=first.name, right_name=second.name, blame=blame
            )
        )


def _check_product_names(left: Dims, right: Dims, result: Dims, arguments: tuple[str, str]) -> None:
    """Refuse a product whose two kept dims have one name: `[H, T, D] @ [H, D, T]`."""
    if isinstance(result[-1].name, str) and result[-1].name == result[-2].name:
        raise DuplicateProductName(
            left=left,
            right=right,
            names=names_of(result),
            blame=(Blame(arguments[0]), Blame(arguments[1])),
        )


@op("torch.mm", "Tensor.mm", out=True, memory=Memory.NEW)
def mm(input: Dims, mat2: Dims) -> Shape:
    """The product of two matrices.  Source: name inference, "contracts away dims"; sizes are
    checked before names.
    """
    return _matrices(input, mat2, ("input", "mat2"))


def _matrices(left: Dims, right: Dims, arguments: tuple[str, str]) -> Dims:
    require_rank(left, lambda n: n == 2, "2", arguments[0], text="self must be a matrix")
    require_rank(right, lambda n: n == 2, "2", arguments[1], text="mat2 must be a matrix")
    contract(left, right, -1, -2, arguments)
    result = (left[0], right[1])
    _check_product_names(left, right, result, arguments)
    return result


@op(
    "torch.matmul",
    "Tensor.matmul",
    "torch.linalg.matmul",
    "Tensor.__matmul__",
    numpy=("matmul(input, other, out)", "linalg.matmul(input, other)"),
    operator="matmul",
    out=True,
    memory=Memory.NEW,
)
def matmul(input: Shape, other: Shape) -> Shape:
    """The product over the last dim of `input` and the second last of `other`; leading dims
    broadcast.

    Source: name inference, "contracts away dims": names of batch dims first, then of the kept dims,
    sizes last.
    """
    if isinstance(input, tuple) and isinstance(other, tuple):
        return _product(input, other, _PAIR)
    return _product_from_the_right(input, other)


def _product(left: Dims, right: Dims, arguments: tuple[str, str]) -> Dims:
    for shape, argument in ((left, arguments[0]), (right, arguments[1])):
        if not shape:
            text = (
                f"both arguments to matmul need to be at least 1D, but they are {len(left)}D and "
                f"{len(right)}D"
            )
            raise RankMismatch(
                shape=shape, wanted="at least 1", text=text, blame=(Blame(argument),)
            )
    batch = unify_batch(left[:-2], right[:-2], (left, right), "matmul", arguments)
    result = (*batch, *left[-2:-1], *(right[-1:] if len(right) > 1 else ()))
    if len(left) > 1 and len(right) > 1:
        _check_product_names(left, right, result, arguments)
    place = -2 if len(right) > 1 else -1
    contract(left, right, -1, place, arguments, lambda: _text(left, right, batch))
    # torch compares the last two names only; its documents allow no name twice.
    names = names_of(result)
    given = [name for name in names if isinstance(name, str)]
    if len(set(given)) != len(given):
        raise DuplicateProductName(
            left=left,
            right=right,
            names=names,
            blame=(Blame(arguments[0]), Blame(arguments[1])),
        )
    return result


def _text(left: Dims, right: Dims, batch: Dims) -> str:
    """What PyTorch says of contracted sizes that differ: the sentence of the product that `matmul`
    makes of it, after folding or expanding the batch.
    """
    inner, other = left[-1].size, right[-2 if len(right) > 1 else -1].size
    rows = sizes.product(dim.size for dim in left[:-1])
    if len(right) == 1:
        if len(left) == 1:
            return ""
        return f"size mismatch, got input ({rows}), mat ({rows}x{inner}), vec ({other})"
    if len(right) == 2:
        columns = right[-1].size
        return f"mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {other}x{columns})"
    many = sizes.product(dim.size for dim in batch)
    return (
        f"Expected size for first two dimensions of batch2 tensor to be: [{many}, {inner}] but "
        f"got: [{many}, {other}]."
    )


def _product_from_the_right(left: Shape, right: Shape) -> Shape:
    """The product when the rank of one side is not known: only the last dims of the result are."""
    ours, theirs = known_dims(left), known_dims(right)
    if (isinstance(left, tuple) and not left) or (isinstance(right, tuple) and not right):
        return UNKNOWN
    vector = isinstance(right, tuple) and len(right) == 1
    if ours and vector:
        contract(left, right, -1, -1)
    elif ours and len(theirs) > 1:
        contract(left, right, -1, -2)
    if vector:
        return trailing(ours[:-1])
    if not theirs or (not isinstance(right, tuple) and len(theirs) < 2):
        return UNKNOWN
    columns = theirs[-1:]
    if len(ours) > 1:
        return Trailing((*ours[-2:-1], *columns))
    return Trailing(columns)


@op("numpy.dot", numpy="dot(input, other, out)", out=True)
def numpy_dot(input: Operand, other: Operand) -> Shape:
    """NumPy's dot: a product with a scalar, or over the last dim of `input` and the second last of
    `other`, keeping all other dims of both.  Source: numpy.dot.
    """
    if input == () or other == ():
        return other if input == () else input
    if not isinstance(input, tuple) or not isinstance(other, tuple):
        return UNKNOWN
    contract(input, other, -1, -2 if len(other) > 1 else -1)
    result = (*input[:-1], *other[:-2], *(other[-1:] if len(other) > 1 else ()))
    check_distinct((dim.name for dim in result), "input")
    return result


@op("torch.bmm", "Tensor.bmm", out=True, memory=Memory.NEW)
def bmm(input: Dims, mat2: Dims) -> Shape:
    """A batch of matrix products.  Source: name inference; sizes are checked before names."""
    return _batches(input, mat2, ("input", "mat2"))


def _batches(left: Dims, right: Dims, arguments: tuple[str, str]) -> Dims:
    require_rank(left, lambda n: n == 3, "3", arguments[0], text="batch1 must be a 3D tensor")
    require_rank(right, lambda n: n == 3, "3", arguments[1], text="batch2 must be a 3D tensor")
    wanted = f"[{left[0].size}, {left[2].size}]"
    found = f"[{right[0].size}, {right[1].size}]"
    text = (
        f"Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: {found}."
    )
    for mine, other in ((0, 0), (-1, -2)):
        require_equal(
            left[mine].size,
            right[other].size,
            ContractionSize(
                left=left,
                right=right,
                left_size=left[mine].size,
                right_size=right[other].size,
                text=text,
                blame=(Blame(arguments[0], mine), Blame(arguments[1], other)),
            ),
        )
    size = right[0].size if left[0].size is UNKNOWN else left[0].size
    left, right = ((shape[0].resize(size), *shape[1:]) for shape in (left, right))
    return _product(left, right, arguments)


@op("torch.mv", "Tensor.mv", out=True)
def mv(input: Dims, vec: Dims) -> Shape:
    """A matrix times a vector."""
    return _matrix_vector(input, vec, ("input", "vec"))


def _matrix_vector(left: Dims, right: Dims, arguments: tuple[str, str]) -> Dims:
    text = f"vector + matrix @ vector expected, got 1, {len(left)}, {len(right)}"
    if not left or not right:
        text = "Dimension specified as 0 but tensor has no dimensions"
    require_rank(left, lambda n: n == 2, "2", arguments[0], text=text)
    require_rank(right, lambda n: n == 1, "1", arguments[1], text=text)
    contract(left, right, -1, -1, arguments, text=_vector_text(left, right))
    return (left[0],)


def _vector_text(left: Dims, right: Dims) -> str:
    return (
        f"size mismatch, got input ({left[0].size}), mat ({left[0].size}x{left[1].size}), vec "
        f"({right[0].size})"
    )


@op("torch.dot", "Tensor.dot", out=True)
def dot(input: Dims, tensor: Dims) -> Shape:
    """The product of two vectors: both dims vanish."""
    return _of_vectors(input, tensor, "tensor")


@op("torch.vdot", "Tensor.vdot", out=True)
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


@op("torch.inner", "Tensor.inner", numpy="inner", out=True)
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
    out=True,
)
def outer(input: Dims, vec2: Dims) -> Shape:
    """Every product of two vectors: `[a], [b] -> [a, b]`.  Natural names, which torch refused."""
    for shape, argument in ((input, "input"), (vec2, "vec2")):
        text = f"outer: Expected 1-D argument self, but got {len(shape)}-D"
        require_rank(shape, lambda n: n == 1, "1", argument, text=text)
    check_distinct((input[0].name, vec2[0].name), "vec2")
    return (input[0], vec2[0])


def _flattened(shape: Shape) -> Dim:
    """The one dim that a tensor has after flattening: its own if it has one already."""
    if not isinstance(shape, tuple):
        return Dim(UNKNOWN, UNKNOWN)
    return shape[0] if len(shape) == 1 else fresh(element_count(shape))


@op("numpy.outer", numpy="outer(a, b, out)", out=True)
def numpy_outer(a: Shape, b: Shape) -> Shape:
    """NumPy's outer, which flattens both operands first."""
    result = (_flattened(a), _flattened(b))
    check_distinct((dim.name for dim in result), "b")
    return result


def _bias(product: Shape, bias: Shape, argument: str = "input") -> Shape:
    """The product with a bias added, which may broadcast but not make the product larger."""
    check_names(product, bias, arguments=("mat1", argument))
    return broadcast(product, bias, arguments=("mat1", argument), names=False, suspicious=False)


@op("torch.addmm", "Tensor.addmm", inplace=True, out=True)
def addmm(input: Operand, mat1: Dims, mat2: Dims, *, beta: object = 1, alpha: object = 1) -> Shape:
    """`input + mat1 @ mat2`.  Source: name inference; sizes, then names of the product, then of the
    bias.
    """
    return _bias(_matrices(mat1, mat2, ("mat1", "mat2")), input)


@op("torch.addmv", "Tensor.addmv", inplace=True, out=True)
def addmv(input: Operand, mat: Dims, vec: Dims, *, beta: object = 1, alpha: object = 1) -> Shape:
    """`input + mat @ vec`."""
    return _bias(_matrix_vector(mat, vec, ("mat", "vec")), input)


@op("torch.baddbmm", "Tensor.baddbmm", inplace=True, out=True)
def baddbmm(
    input: Operand, batch1: Dims, batch2: Dims, *, beta: object = 1, alpha: object = 1
) -> Shape:
    """`input + batch1 @ batch2`, batch by batch.  Natural names, which torch refused."""
    return _bias(_batches(batch1, batch2, ("batch1", "batch2")), input)


@op("torch.addbmm", "Tensor.addbmm", inplace=True, out=True)
def addbmm(
    input: Operand, batch1: Dims, batch2: Dims, *, beta: object = 1, alpha: object = 1
) -> Shape:
    """`input` plus the sum over the batch of `batch1 @ batch2`.  Natural names, which torch
    refused.
    """
    return _bias(_batches(batch1, batch2, ("batch1", "batch2"))[1:], input)


@op("torch.addr", "Tensor.addr", inplace=True, out=True)
def addr(input: Operand, vec1: Dims, vec2: Dims, *, beta: object = 1, alpha: object = 1) -> Shape:
    """`input` plus the outer product of two vectors.  Natural names, which torch refused."""
    return _bias(apply("torch.outer", vec1, vec2, blame={"input": "vec1", "vec2": "vec2"}), input)


@op("torch.nn.functional.linear")
def linear(input: Shape, weight: Shape, bias: Shape | None = None) -> Shape:
    """`input @ weight.T + bias`.  Source: name inference: the names are those of the product with
    the transpose.
    """
    flipped = weight[::-1] if isinstance(weight, tuple) else UNKNOWN
    given, maps = known_dims(input), known_dims(weight)
    if given and maps:
        # The product would say it of the transpose, which nobody has written.
        mine, other = given[-1].size, maps[-1].size
        told = ContractionSize(left=input, right=flipped, left_size=mine, right_size=other)
        blame = Blame("input", -1), Blame("weight", -1)
        mistake = told.but(right=weight, text=told.sentence(), blame=blame)
        require_equal(mine, other, mistake)
    result: Shape = apply("torch.matmul", input, flipped, blame={"other": "weight"})
    return result if bias is None else _bias(result, bias, "bias")


@op("torch.nn.functional.bilinear", "torch.bilinear")
def bilinear(input1: Shape, input2: Shape, weight: Dims, bias: Shape | None = None) -> Shape:
    """`[*b, i], [*b, j], [o, i, j] -> [*b, o]`."""
    require_rank(weight, lambda n: n == 3, "3", "weight")
    for shape, place, argument in ((input1, 1, "input1"), (input2, 2, "input2")):
        if known_dims(shape):
            contract(shape, weight, -1, place, (argument, "weight"))
    lead: Shape = UNKNOWN
    if isinstance(input1, tuple) and isinstance(input2, tuple):
        lead = broadcast(input1[:-1], input2[:-1], arguments=("input1", "input2"))
    return (*lead, weight[0]) if isinstance(lead, tuple) else Trailing((weight[0],))


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


@op(
    "torch.tensordot",
    numpy=("tensordot(a, b, dims)", "linalg.tensordot(a, b)"),
    out=True,
)
def tensordot(a: Dims, b: Dims, dims: object = 2) -> Shape:
    """Sums over several dims of both, and keeps all others, a's first.  Natural names, which torch
    refused.
    """
    pairs = _contracted(a, b, dims)
    if pairs is None:
        return UNKNOWN
    for mine, other in pairs:
        if a[mine].size != 1 and b[other].size != 1:  # torch sums a 1 away against any size
            contract(a, b, mine, other, ("a", "b"))
    gone, also = {m for m, _ in pairs}, {o for _, o in pairs}
    result = (
        *(dim for k, dim in enumerate(a) if k not in gone),
        *(dim for k, dim in enumerate(b) if k not in also),
    )
    check_distinct((dim.name for dim in result), "b")
    return result


def _contracted(a: Dims, b: Dims, dims: object) -> list[tuple[int, int]] | None:
    """The pairs of dims that tensordot sums over; None when that is not known."""
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
        raise RankMismatch(shape=b, wanted="as many contracted", blame=(Blame("dims"),))
    ours, theirs = positions(a, tuple(left), "dims"), positions(b, tuple(right), "dims")
    if not isinstance(ours, tuple) or not isinstance(theirs, tuple):
        return None
    return list(zip(ours, theirs, strict=True))


@op("torch.linalg.multi_dot", numpy="linalg.multi_dot", out=True)
def multi_dot(tensors: Tensors) -> Shape:
    """The product of several matrices; the first and the last may be vectors."""
    if not tensors:
        return UNKNOWN
    result = tensors[0]
    for shape in tensors[1:]:
        result = apply(
            "torch.matmul", result, shape, blame={"input": "tensors", "other": "tensors"}
        )
    return result


@op("torch.chain_matmul", out=True)
def chain_matmul(*matrices: Shape) -> Shape:
    """The product of several matrices."""
    return multi_dot(matrices)


@op("torch.kron", "Tensor.kron", numpy="kron", out=True)
def kron(input: Dims, other: Dims) -> Shape:
    """Every product of two elements, dim by dim: sizes multiply, names are lost."""
    rank = max(len(input), len(other))
    ours, theirs = ((fresh(1),) * (rank - len(s)) + s for s in (input, other))
    return tuple(fresh(multiply(m.size, o.size)) for m, o in zip(ours, theirs, strict=True))


@op("torch.cross", "Tensor.cross", out=True)
def cross(input: Dims, other: Dims, dim: DimRef | None = None) -> Shape:
    """The vector product over a dim of size 3, by default the first; all others broadcast."""
    if dim is not None:
        return _cross(input, other, dim)
    if input and all(sizes.compare(d.size, 3) is Truth.NO for d in input):
        text = "no dimension of size 3 in input"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("input"),))
    return broadcast(input, other)


@op("torch.linalg.cross", out=True)
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


@op(numpy=("vecdot(x, y, out)", "linalg.vecdot(x, y)"), out=True)
def numpy_vecdot(x: Dims, y: Dims, *, dim: int = -1) -> Shape:
    """The product of vectors along the dim of either operand; the others broadcast.

    Source: numpy.vecdot.
    """
    mine, theirs = position(x, dim), position(y, dim)
    if isinstance(mine, Unknown) or isinstance(theirs, Unknown) or not x or not y:
        return UNKNOWN
    contract(x, y, mine, theirs, ("x", "y"))
    return broadcast(drop(x, (mine,)), drop(y, (theirs,)), arguments=("x", "y"))


@op("torch.linalg.vecdot", out=True)
def vecdot(x: Dims, y: Dims, *, dim: int = -1) -> Shape:
    """The product of vectors along one dim."""
    whole = broadcast(x, y, arguments=("x", "y"))
    if not isinstance(whole, tuple):
        return UNKNOWN
    place = position(whole, dim)
    return drop(whole, (place,)) if isinstance(place, int) else UNKNOWN
