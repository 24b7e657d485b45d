"""Matrix products, and their sums with a bias.

Products of vectors live in `vector_products`; einsum and einops, whose patterns name the dims, in
`patterns`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    doubt,
    element_count,
    names_of,
    require_equal,
    require_rank,
)
from namecheck_runtime.alignment import broadcast, check_names, unify_batch
from namecheck_runtime.declare import Memory, Operand, Out, Products, Shape, Size, Tensors, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dims,
    Trailing,
    known_dims,
    trailing,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.names import (
    ContractedNames,
    DuplicateProductName,
)
from namecheck_runtime.mistakes.sizes import ContractionSize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

OUT: Final = Out(overlaps=True, exact=True)
"""What PyTorch asks of the tensor that these ops write to as `out=`."""


_PAIR = ("input", "other")


def over_last(operand: str) -> Products:
    """The multiply-adds of a product that sums over the last dim of an operand."""

    def count(arguments: Mapping[str, Any], result: Any) -> Size:
        dims = known_dims(arguments[operand])
        return sizes.multiply(element_count(result), dims[-1].size if dims else UNKNOWN)

    return count


def _over_batch(arguments: Mapping[str, Any], result: Any) -> Size:
    """Those of a product whose batches are added up."""
    columns = known_dims(arguments["batch2"])
    return sizes.multiply(element_count(arguments["batch1"]), columns[-1].size)


def _over_two(arguments: Mapping[str, Any], result: Any) -> Size:
    """Those of a product that sums over the last dims of two operands, each with each."""
    inner = known_dims(arguments["weight"])[1:]
    return sizes.product((element_count(result), *[dim.size for dim in inner]))


def _in_any_order(arguments: Mapping[str, Any], result: Any) -> Size:
    """Those of several products, which depend on the order that the library takes."""
    return UNKNOWN


def contract(
    left: Shape,
    right: Shape,
    mine: int,
    other: int,
    arguments: tuple[str, str] = _PAIR,
    text: str | Callable[[], str] = "",
) -> None:
    """Require the dims `mine` of `left` and `other` of `right` to have one size.

    Names need not agree (the documented contraction); two different ones are doubted (NC108).
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


@op("torch.mm", "Tensor.mm", out=OUT, memory=Memory.NEW, products=over_last("input"))
def mm(input: Dims, mat2: Dims) -> Shape:
    """The product of two matrices; sizes are checked before names.

    Source: name inference, "contracts away dims".
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
    out=OUT,
    memory=Memory.NEW,
    products=over_last("input"),
)
def matmul(input: Shape, other: Shape) -> Shape:
    """The product over the last dim of `input` and the second last of `other`.

    Leading dims broadcast.  Source: name inference, "contracts away dims": names of batch dims
    first, then of the kept dims, sizes last.
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
    # torch compares the last two names only; its documentation allows no name twice.
    names = names_of(result)
    known_names = [name for name in names if isinstance(name, str)]
    if len(set(known_names)) != len(known_names):
        raise DuplicateProductName(
            left=left,
            right=right,
            names=names,
            blame=(Blame(arguments[0]), Blame(arguments[1])),
        )
    return result


def _text(left: Dims, right: Dims, batch: Dims) -> str:
    """PyTorch's message for contracted sizes that differ.

    It is the message of the product that `matmul` calls after folding or expanding the batch.
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
    """The product when the rank of one side is not known: then only its last dims are known."""
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


@op("numpy.dot", numpy="dot(input, other, out)", out=OUT, products=over_last("input"))
def numpy_dot(input: Operand, other: Operand) -> Shape:
    """NumPy's dot: a product with a scalar, or a contraction that keeps all other dims of both.

    It sums over the last dim of `input` and the second last of `other`.  Source: numpy.dot.
    """
    if input == () or other == ():
        return other if input == () else input
    if not isinstance(input, tuple) or not isinstance(other, tuple):
        return UNKNOWN
    contract(input, other, -1, -2 if len(other) > 1 else -1)
    result = (*input[:-1], *other[:-2], *(other[-1:] if len(other) > 1 else ()))
    check_distinct((dim.name for dim in result), "input")
    return result


@op("torch.bmm", "Tensor.bmm", out=OUT, memory=Memory.NEW, products=over_last("input"))
def bmm(input: Dims, mat2: Dims) -> Shape:
    """A batch of matrix products.  Source: name inference; sizes are checked before names."""
    return _batches(input, mat2, ("input", "mat2"))


def _batches(left: Dims, right: Dims, arguments: tuple[str, str]) -> Dims:
    require_rank(left, lambda n: n == 3, "3", arguments[0], text="batch1 must be a 3D tensor")
    require_rank(right, lambda n: n == 3, "3", arguments[1], text="batch2 must be a 3D tensor")
    expected = f"[{left[0].size}, {left[2].size}]"
    actual = f"[{right[0].size}, {right[1].size}]"
    text = (
        f"Expected size for first two dimensions of batch2 tensor to be: {expected} but got: "
        f"{actual}."
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
    left, right = (
        shape if shape[0].size == size else (shape[0].resize(size), *shape[1:])
        for shape in (left, right)
    )
    return _product(left, right, arguments)


@op("torch.mv", "Tensor.mv", out=OUT, products=over_last("input"))
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


def _bias(product: Shape, bias: Shape, argument: str = "input") -> Shape:
    """The product with a bias added, which may broadcast but not make the product larger."""
    check_names(product, bias, arguments=("mat1", argument))
    return broadcast(product, bias, arguments=("mat1", argument), names=False, suspicious=False)


@op("torch.addmm", "Tensor.addmm", inplace=True, out=OUT, products=over_last("mat1"))
def addmm(input: Operand, mat1: Dims, mat2: Dims, *, beta: object = 1, alpha: object = 1) -> Shape:
    """`input + mat1 @ mat2`: checks sizes, then names of the product, then names of the bias.

    Source: name inference.
    """
    return _bias(_matrices(mat1, mat2, ("mat1", "mat2")), input)


@op("torch.addmv", "Tensor.addmv", inplace=True, out=OUT, products=over_last("mat"))
def addmv(input: Operand, mat: Dims, vec: Dims, *, beta: object = 1, alpha: object = 1) -> Shape:
    """`input + mat @ vec`."""
    return _bias(_matrix_vector(mat, vec, ("mat", "vec")), input)


@op("torch.baddbmm", "Tensor.baddbmm", inplace=True, out=OUT, products=over_last("batch1"))
def baddbmm(
    input: Operand, batch1: Dims, batch2: Dims, *, beta: object = 1, alpha: object = 1
) -> Shape:
    """`input + batch1 @ batch2`, batch by batch.  Natural names, which torch refused."""
    return _bias(_batches(batch1, batch2, ("batch1", "batch2")), input)


@op("torch.addbmm", "Tensor.addbmm", inplace=True, out=OUT, products=_over_batch)
def addbmm(
    input: Operand, batch1: Dims, batch2: Dims, *, beta: object = 1, alpha: object = 1
) -> Shape:
    """`input` plus the sum over the batch of `batch1 @ batch2`.

    Natural names, which torch refused.
    """
    return _bias(_batches(batch1, batch2, ("batch1", "batch2"))[1:], input)


@op("torch.addr", "Tensor.addr", inplace=True, out=OUT)
def addr(input: Operand, vec1: Dims, vec2: Dims, *, beta: object = 1, alpha: object = 1) -> Shape:
    """`input` plus the outer product of two vectors.  Natural names, which torch refused."""
    return _bias(apply("torch.outer", vec1, vec2, blame={"input": "vec1", "vec2": "vec2"}), input)


@op("torch.nn.functional.linear", products=over_last("input"))
def linear(input: Shape, weight: Shape, bias: Shape | None = None) -> Shape:
    """`input @ weight.T + bias`, with the names of the product with the transpose.

    Source: name inference.
    """
    flipped = weight[::-1] if isinstance(weight, tuple) else UNKNOWN
    input_dims, weight_dims = known_dims(input), known_dims(weight)
    if input_dims and weight_dims:
        # The product would show the transpose, which the caller did not write.
        mine, other = input_dims[-1].size, weight_dims[-1].size
        of_product = ContractionSize(left=input, right=flipped, left_size=mine, right_size=other)
        blame = Blame("input", -1), Blame("weight", -1)
        mistake = of_product.but(right=weight, text=of_product.sentence(), blame=blame)
        require_equal(mine, other, mistake)
    result: Shape = apply("torch.matmul", input, flipped, blame={"other": "weight"})
    return result if bias is None else _bias(result, bias, "bias")


@op("torch.nn.functional.bilinear", "torch.bilinear", products=_over_two)
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


@op("torch.linalg.multi_dot", "jax.numpy.linalg.multi_dot", out=OUT, products=_in_any_order)
def multi_dot(tensors: Tensors) -> Shape:
    """The product of several matrices; the first and the last may be vectors.

    Raises RankMismatch, ContractionSize.  Source: torch.linalg.multi_dot, numpy.linalg.multi_dot.
    """
    last = len(tensors) - 1
    for place, shape in enumerate(tensors):
        if isinstance(shape, tuple):
            if 0 < place < last:
                require_rank(shape, lambda n: n == 2, "2", "tensors")
            else:
                require_rank(shape, lambda n: 1 <= n <= 2, "1 or 2", "tensors")
    return _chained(tensors)


@op("numpy.linalg.multi_dot", out=OUT, products=_in_any_order)
def numpy_multi_dot(tensors: Tensors) -> Shape:
    """NumPy's product of several matrices, which is `numpy.dot` for two arrays of any rank.

    Raises RankMismatch, ContractionSize.  Source: numpy.linalg.multi_dot.
    """
    if len(tensors) != 2:
        return multi_dot(tensors)
    first, second = tensors
    blame = {"input": "tensors", "other": "tensors"}
    result: Shape = apply("numpy.dot", first, second, blame=blame)
    return result


@op("torch.chain_matmul", out=OUT, products=_in_any_order)
def chain_matmul(*matrices: Shape) -> Shape:
    """The product of several matrices.

    Raises RankMismatch, ContractionSize.  Source: torch.chain_matmul.
    """
    for shape in matrices:
        if isinstance(shape, tuple):
            require_rank(shape, lambda n: n == 2, "2", "matrices")
    return _chained(matrices, "matrices")


def _chained(tensors: Tensors, argument: str = "tensors") -> Shape:
    """The product of tensors from left to right."""
    if not tensors:
        return UNKNOWN
    result = tensors[0]
    for shape in tensors[1:]:
        result = apply("torch.matmul", result, shape, blame={"input": argument, "other": argument})
    return result
