"""Decompositions, inverses, determinants and solutions of matrices; leading dims are a batch.

Products live in `contract`, norms in `reduce`.  Torch refused names throughout.  Dims that stand
for the argument's rows and columns keep their names; dims that only the decomposition has (ranks,
singular values) are unnamed.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import fresh, position, require_equal, require_rank
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.binding import REQUIRED, Parameter, Rule
from namecheck_runtime.declare import DimRef, Dims, Out, Shape, Shapes, Size, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Truth, Unknown
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RepeatedDim
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize
from namecheck_runtime.rules.pointwise import read_parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_OUT: Final = Out(overlaps=True)
"""What PyTorch asks of the tensor that these ops write to as `out=`."""


def _matrix(shape: Dims, name: str, argument: str = "A") -> None:
    """Raise RankMismatch unless there are at least two dims."""
    text = f"{name}: The input tensor {argument} must have at least 2 dimensions."
    require_rank(shape, lambda n: n >= 2, "at least 2", argument, text)


def _square(shape: Dims, name: str, argument: str = "A") -> None:
    """Raise RankMismatch or BadExtent unless the last two dims make a square."""
    _matrix(shape, name, argument)
    rows, columns = shape[-2].size, shape[-1].size
    text = (
        f"{name}: {argument} must be batches of square matrices, but they are {rows} by {columns} "
        f"matrices"
    )
    reason = f"its matrices are {rows} by {columns}, not square"
    blame = (Blame(argument, -2), Blame(argument, -1))
    require_equal(rows, columns, BadExtent(shape=shape, reason=reason, text=text, blame=blame))


def _rank(shape: Dims) -> Size:
    """The smaller of the two sizes of a matrix."""
    return sizes.minimum(shape[-2].size, shape[-1].size)


# Of a square matrix.


def _matrices(
    *paths: str, numpy: str = "", rest: str = "", kind: str = "same"
) -> Callable[[Callable[[Dims], Shape]], Callable[[Dims], Shape]]:
    """Declare the decorated function of a batch of matrices.

    `rest` are further parameters, which it ignores.  `torch.linalg` and NumPy call the batch `A`,
    torch itself `input`.
    """

    def declare(function: Callable[[Dims], Shape]) -> Callable[[Dims], Shape]:
        def ask(A: Dims, *others: object, **options: object) -> Shape:
            return function(A)

        def rule(matrix: str) -> Rule:
            first = Parameter(matrix, ("Dims",), REQUIRED, "positional")
            return Rule(ask, (first, *read_parameters(rest)), "Shape", True)

        new = [path for path in paths if path.startswith("torch.linalg.")]
        old = [path for path in paths if path not in new]
        if new:
            op(*new, numpy=numpy, out=_OUT, kind=kind)(rule("A"))
        if old:
            op(*old, out=_OUT, kind=kind)(rule("input"))
        return function

    return declare


def _declare_square(name: str, *paths: str, numpy: str = "", rest: str = "") -> None:
    """Declare an op whose result is a square matrix with the same rows and columns."""

    @_matrices(*paths, numpy=numpy, rest=rest)
    def rule(A: Dims) -> Shape:
        """A matrix of the same rows and columns.  Raises RankMismatch, BadExtent."""
        _square(A, name)
        return A


_declare_square(
    "linalg.cholesky",
    "torch.linalg.cholesky",
    "torch.cholesky",
    "Tensor.cholesky",
    numpy="linalg.cholesky(A, upper)",
    rest="upper=",
)
_declare_square(
    "linalg.matrix_exp", "torch.linalg.matrix_exp", "torch.matrix_exp", "Tensor.matrix_exp"
)
_declare_square(
    "linalg.matrix_power",
    "torch.linalg.matrix_power",
    "torch.matrix_power",
    "Tensor.matrix_power",
    numpy="linalg.matrix_power",
    rest="n",
)
_declare_square(
    "cholesky_inverse", "torch.cholesky_inverse", "Tensor.cholesky_inverse", rest="upper="
)


def _declare_numbers(name: str, *paths: str, numpy: str = "") -> None:
    """Declare an op that gives one number per square matrix."""

    @_matrices(*paths, numpy=numpy)
    def rule(A: Dims) -> Shape:
        """A number per matrix of the batch.  Raises RankMismatch, BadExtent."""
        _square(A, name)
        return A[:-2]


_declare_numbers("linalg.det", "torch.linalg.det", "torch.det", "Tensor.det", numpy="linalg.det")
_declare_numbers("logdet", "torch.logdet", "Tensor.logdet")


@op("torch.linalg.slogdet", numpy="linalg.slogdet", out=_OUT, leading=True)
def slogdet(A: Dims) -> tuple[Shape, Shape]:
    """Sign and logarithm of the determinant, each a number per matrix of the batch."""
    _square(A, "linalg.slogdet")
    return A[:-2], A[:-2]


@op("torch.slogdet", "Tensor.slogdet", out=_OUT, leading=True)
def old_slogdet(input: Dims) -> tuple[Shape, Shape]:
    """Sign and logarithm of the determinant, each a number per matrix of the batch."""
    return slogdet(input)


@_matrices("torch.linalg.inv", "torch.inverse", "Tensor.inverse", numpy="linalg.inv")
def inv(A: Dims) -> Shape:
    """The inverse: rows and columns change places."""
    _square(A, "linalg.inv")
    return (*A[:-2], A[-1], A[-2])


@op("torch.linalg.eigh", numpy="linalg.eigh(A, UPLO)", out=_OUT, leading=True)
@op("torch.linalg.eig", numpy="linalg.eig(A)", out=_OUT, leading=True)
def eigh(A: Dims, UPLO: object = "L") -> tuple[Shape, Shape]:
    """Eigenvalues, and the matrix whose columns are the eigenvectors."""
    _square(A, "linalg.eigh")
    value = fresh(A[-1].size)
    return (*A[:-2], value), (*A[:-1], value)


@op("torch.linalg.eigvalsh", numpy="linalg.eigvalsh(A, UPLO)", out=_OUT, leading=True)
@op("torch.linalg.eigvals", numpy="linalg.eigvals(A)", out=_OUT, leading=True)
def eigvalsh(A: Dims, UPLO: object = "L") -> Shape:
    """Eigenvalues."""
    _square(A, "linalg.eigvalsh")
    return (*A[:-2], fresh(A[-1].size))


# Of any matrix.


@_matrices(
    "torch.linalg.pinv",
    "torch.pinverse",
    "Tensor.pinverse",
    numpy="linalg.pinv(A, rcond, hermitian)",
    rest="rcond=, hermitian=, *, atol=, rtol=",
)
def pinv(A: Dims) -> Shape:
    """The pseudo-inverse: rows and columns change places."""
    _matrix(A, "linalg.pinv")
    return (*A[:-2], A[-1], A[-2])


@_matrices("torch.linalg.cond", numpy="linalg.cond", rest="p=")
def cond(A: Dims) -> Shape:
    """A number per matrix of the batch."""
    _matrix(A, "linalg.cond")
    return A[:-2]


@_matrices(
    "torch.linalg.matrix_rank",
    rest="tol=, hermitian=, *, atol=, rtol=",
    kind="int",
)
def matrix_rank(A: Dims) -> Shape:
    """A number per matrix of the batch."""
    _matrix(A, "linalg.matrix_rank")
    return A[:-2]


@op(numpy="linalg.matrix_rank(A, tol, hermitian)", kind="int")
def numpy_matrix_rank(
    A: Dims, tol: object = None, hermitian: object = False, *, rtol: object = None
) -> Shape:
    """A number per matrix of the batch; a vector counts as one.  Source: numpy.linalg."""
    return A[:-2]


@_matrices("torch.linalg.svdvals", numpy="linalg.svdvals", rest="*, driver=")
def svdvals(A: Dims) -> Shape:
    """Singular values."""
    _matrix(A, "linalg.svdvals")
    return (*A[:-2], fresh(_rank(A)))


def _singular(A: Dims, full: bool) -> tuple[Dims, Dims, Dims]:
    """Left vectors, values, and right vectors with their own dim first."""
    rows, columns, rank = fresh(A[-2].size), fresh(A[-1].size), fresh(_rank(A))
    batch = A[:-2]
    return (
        (*batch, A[-2], rows if full else rank),
        (*batch, rank),
        (*batch, columns if full else rank, A[-1]),
    )


@op("torch.linalg.svd", out=_OUT, leading=True)
def svd(
    A: Dims, full_matrices: bool = True, *, driver: object = None
) -> tuple[Shape, Shape, Shape]:
    """`A = U diag(S) Vh`: `[*, m, k]`, `[*, k]`, `[*, k, n]`, or with square U and Vh."""
    _matrix(A, "linalg.svd")
    return _singular(A, full_matrices)


@op("torch.svd", "Tensor.svd", out=_OUT, leading=True)
def old_svd(
    input: Dims, some: bool = True, compute_uv: object = True
) -> tuple[Shape, Shape, Shape]:
    """`A = U diag(S) V.T`: `[*, m, k]`, `[*, k]`, `[*, n, k]`, or with square U and V."""
    _matrix(input, "linalg.svd", "input")
    # Without them, U and V are zeros of the full sizes.
    left, values, right = _singular(input, not some or compute_uv is False)
    return left, values, (*right[:-2], right[-1], right[-2])


@op(numpy="linalg.svd(A, full_matrices, compute_uv, hermitian)")
def numpy_svd(
    A: Dims, full_matrices: bool = True, compute_uv: bool = True
) -> Shape | tuple[Shape, Shape, Shape]:
    """As `torch.linalg.svd`; values alone without `compute_uv`.  Source: numpy.linalg.svd."""
    _matrix(A, "linalg.svd")
    parts = _singular(A, full_matrices)
    return parts if compute_uv else parts[1]


@op("torch.linalg.qr", out=_OUT, leading=True)
def qr(A: Dims, mode: str = "reduced") -> tuple[Shape, Shape]:
    """`A = QR`: `[*, m, k]` and `[*, k, n]`; with `complete` `[*, m, m]` and `[*, m, n]`."""
    _matrix(A, "linalg.qr")
    inner = fresh(A[-2].size if mode == "complete" else _rank(A))
    left: Dims = (fresh(0),) if mode == "r" else (*A[:-1], inner)
    return left, (*A[:-2], inner, A[-1])


@op("torch.qr", "Tensor.qr", out=_OUT, leading=True)
def old_qr(input: Dims, some: bool = True) -> tuple[Shape, Shape]:
    """As `torch.linalg.qr`."""
    return qr(input, "reduced" if some else "complete")


@op(numpy="linalg.qr(A, mode)")
def numpy_qr(A: Dims, mode: str = "reduced") -> Shape | tuple[Shape, Shape]:
    """As `torch.linalg.qr`; R alone for mode `r`.  Source: numpy.linalg.qr.

    For mode `raw` the transposed reflectors and their factors.
    """
    left, right = qr(A, mode)
    if mode == "raw":
        return (*A[:-2], A[-1], A[-2]), (*A[:-2], fresh(_rank(A)))
    return right if mode == "r" else (left, right)


@op("torch.linalg.lu", out=_OUT, leading=True)
def lu(A: Dims, *, pivot: object = True) -> tuple[Shape, Shape, Shape]:
    """`A = PLU`: `[*, m, m]`, `[*, m, k]`, `[*, k, n]`."""
    _matrix(A, "linalg.lu")
    rank = fresh(_rank(A))
    permutation = (*A[:-1], fresh(A[-2].size))
    return permutation, (*A[:-1], rank), (*A[:-2], rank, A[-1])


@op("torch.linalg.lu_factor", out=_OUT, leading=True)
def lu_factor(A: Dims, *, pivot: object = True) -> tuple[Shape, Shape]:
    """L and U in one matrix, and the pivots."""
    _matrix(A, "linalg.lu_factor")
    return A, (*A[:-2], fresh(_rank(A)))


@op("torch.lu", "Tensor.lu", out=_OUT, leading=True)
def lu_with_infos(A: Dims, pivot: object = True, get_infos: object = False) -> Shapes:
    """As `torch.linalg.lu_factor`, on request with a number for each matrix."""
    factors, pivots = lu_factor(A)
    if get_infos is UNKNOWN:
        return UNKNOWN
    return (factors, pivots, A[:-2]) if get_infos else (factors, pivots)


# Equations.


def _solution(A: Dims, B: Dims, vector: bool, arguments: tuple[str, str] = ("A", "B")) -> Dims:
    """The dims of the X of `A @ X = B`, whose rows are the columns of A."""
    _square(A, "linalg.solve", arguments[0])
    row = B[-1] if vector else B[-2]
    place = -1 if vector else -2
    require_equal(
        A[-2].size,
        row.size,
        ContractionSize(
            left=A,
            right=B,
            left_size=A[-2].size,
            right_size=row.size,
            text="linalg.solve: Incompatible shapes of A and B for the equation AX = B",
            blame=(Blame(arguments[0], -2), Blame(arguments[1], place)),
        ),
    )
    if vector:
        return (*A[:-2], A[-1])
    batch = broadcast(A[:-2], B[:-2], arguments, suspicious=False)
    assert isinstance(batch, tuple)
    return (*batch, A[-1], B[-1])


@op("torch.linalg.solve", out=_OUT)
def solve(A: Dims, B: Dims, *, left: bool = True) -> Shape:
    """The X of `A @ X = B`; B is a vector, or a batch of them when it has A's dims but the last."""
    if not B:
        return B
    if not left:
        if len(B) < 2:
            return B
        batch = broadcast(A[:-2], B[:-2], ("A", "B"), suspicious=False)
        assert isinstance(batch, tuple)
        return (*batch, *B[-2:])
    answer = _are_vectors(A, B)
    return UNKNOWN if answer is Truth.MAYBE else _solution(A, B, answer is Truth.YES)


def _are_vectors(A: Dims, B: Dims) -> Truth:
    """Whether B is a vector, or has one for each matrix: A's dims but the last."""
    if len(B) == 1:
        return Truth.YES
    if len(A) - 1 != len(B):
        return Truth.NO
    answers = [sizes.compare(a.size, b.size) for a, b in zip(A[:-1], B, strict=True)]
    if Truth.NO in answers:
        return Truth.NO
    return Truth.MAYBE if Truth.MAYBE in answers else Truth.YES


@op(numpy="linalg.solve(A, B)")
def numpy_solve(A: Dims, B: Dims) -> Shape:
    """The X of `A @ X = B`; B is a vector only if it has one dim.  Source: numpy.linalg.solve."""
    return _solution(A, B, len(B) == 1) if B else B


def _require_rows(
    square: Dims, right: Dims, arguments: tuple[str, str], name: str, place: int = -2
) -> None:
    """Require a right-hand side to have as many rows as the square matrix has."""
    text = (
        f"Incompatible matrix sizes for {name}: each A matrix is {square[-1].size} by "
        f"{square[-1].size} but each b matrix is {right[-2].size} by {right[-1].size}"
    )
    mistake = ContractionSize(
        left=square,
        right=right,
        left_size=square[-1].size,
        right_size=right[place].size,
        text=text,
        blame=(Blame(arguments[0], -1), Blame(arguments[1], place)),
    )
    require_equal(square[-1].size, right[place].size, mistake)


@op("torch.linalg.solve_triangular", out=_OUT)
def solve_triangular(
    A: Dims, B: Dims, *, upper: object, left: object = True, unitriangular: object = False
) -> Shape:
    """The X of `A @ X = B`, A triangular: the dims of B, batches broadcast."""
    _square(A, "linalg.solve_triangular")
    _matrix(B, "linalg.solve_triangular", "B")
    if isinstance(left, bool):
        _require_rows(A, B, ("A", "B"), "linalg.solve_triangular", -2 if left else -1)
    batch = broadcast(A[:-2], B[:-2], ("A", "B"), suspicious=False)
    assert isinstance(batch, tuple)
    return (*batch, *B[-2:])


@op("torch.triangular_solve", "Tensor.triangular_solve", out=_OUT)
def triangular_solve(
    input: Dims,
    A: Dims,
    upper: object = True,
    transpose: object = False,
    unitriangular: object = False,
) -> tuple[Shape, Shape]:
    """The X of `A @ X = input`, and A."""
    _square(A, "triangular_solve")
    _matrix(input, "triangular_solve", "input")
    _require_rows(A, input, ("A", "input"), "triangular_solve")
    batch = broadcast(A[:-2], input[:-2], ("A", "input"), suspicious=False)
    assert isinstance(batch, tuple)
    return (*batch, *input[-2:]), (*batch, *A[-2:])


@op("torch.cholesky_solve", "Tensor.cholesky_solve", out=_OUT)
def cholesky_solve(input: Dims, input2: Dims, upper: object = False) -> Shape:
    """The X of `L @ L.T @ X = input`: the dims of input, batches broadcast."""
    _square(input2, "cholesky_solve", "input2")
    _matrix(input, "cholesky_solve", "input")
    _require_rows(input2, input, ("input2", "input"), "cholesky_solve")
    batch = broadcast(input[:-2], input2[:-2], ("input", "input2"), suspicious=False)
    assert isinstance(batch, tuple)
    return (*batch, *input[-2:])


@op("torch.linalg.lstsq", numpy="linalg.lstsq(A, B, rcond)")
def lstsq(
    A: Dims, B: Dims, rcond: object = None, *, driver: object = None
) -> tuple[Shape, Shape, Shape, Shape]:
    """The X that makes `A @ X` closest to B; residuals, ranks and singular values.

    How many residuals and singular values there are depends on elements and driver: UNKNOWN.
    """
    _matrix(A, "linalg.lstsq")
    text = "torch.linalg.lstsq: other must have at least 1 dimension."
    require_rank(B, lambda n: n > 0, "at least 1", "B", text)
    answer = _are_vectors(A, B)
    if answer is Truth.MAYBE:
        return UNKNOWN, UNKNOWN, A[:-2], UNKNOWN
    vector = answer is Truth.YES
    row = B[-1] if vector else B[-2]
    text = "linalg.lstsq: input.size(-2) should match other.size(-2)"
    blame = (Blame("A", -2), Blame("B", -1 if vector else -2))
    require_equal(
        A[-2].size,
        row.size,
        ContractionSize(
            left=A, right=B, left_size=A[-2].size, right_size=row.size, text=text, blame=blame
        ),
    )
    unsure: Shape = UNKNOWN
    if not vector and len(B) != len(A):
        return unsure, unsure, A[:-2], unsure
    batch = broadcast(A[:-2], B[:-1] if vector else B[:-2], ("A", "B"), suspicious=False)
    if not isinstance(batch, tuple):
        return unsure, unsure, unsure, unsure
    return (*batch, A[-1], *(() if vector else B[-1:])), unsure, A[:-2], unsure


# Diagonals.


@op("torch.trace", "Tensor.trace", kind="counted")
def trace(input: Dims) -> Shape:
    """The sum of the diagonal of a matrix.  Raises RankMismatch."""
    text = f"trace: expected a matrix, but got tensor with dim {len(input)}"
    require_rank(input, lambda n: n == 2, "2", "input", text)
    return ()


@op(numpy="trace(input, offset, dim1, dim2, dtype, out)", out=_OUT, kind="counted")
def numpy_trace(input: Dims, offset: object = 0, dim1: DimRef = 0, dim2: DimRef = 1) -> Shape:
    """The sum of the diagonal of two dims.  Raises RepeatedDim.  Source: numpy.trace."""
    places = (position(input, dim1, "dim1"), position(input, dim2, "dim2"))
    if places[0] == places[1] and isinstance(places[0], int):
        raise RepeatedDim(
            shape=input,
            dim=places[0],
            text="axis1 and axis2 cannot be the same",
            blame=(Blame("dim1"), Blame("dim2")),
        )
    if any(isinstance(index, Unknown) for index in places):
        return tuple(Dim(UNKNOWN) for _ in input[2:])
    return tuple(dim for index, dim in enumerate(input) if index not in places)


@op(numpy="linalg.trace(input, offset)", kind="counted")
def linalg_trace(input: Dims, *, offset: object = 0) -> Shape:
    """The sum of the diagonal of the last two dims.  Source: numpy.linalg.trace."""
    _matrix(input, "linalg.trace", "input")
    return input[:-2]


@op("torch.block_diag")
def block_diag(*tensors: Shape) -> Shape:
    """Matrices along the diagonal of one: sizes add up.  Raises RankMismatch."""
    rows: Size = 0
    columns: Size = 0
    for index, shape in enumerate(tensors):
        if not isinstance(shape, tuple):
            return (fresh(UNKNOWN), fresh(UNKNOWN))
        text = (
            f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {index} has "
            f"{len(shape)} dimensions"
        )
        require_rank(shape, lambda n: n <= 2, "at most 2", "tensors", text)
        rows = sizes.add(rows, shape[0].size if len(shape) == 2 else 1)
        columns = sizes.add(columns, shape[-1].size if shape else 1)
    return (fresh(rows), fresh(columns)) if tensors else (fresh(1), fresh(0))
