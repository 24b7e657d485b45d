"""Questions about a tensor: its sizes, rank and names, and those that only its memory answers.

A question that names and sizes do not decide answers UNKNOWN, after checking what can be checked.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import element_count, has_names, names_of, position, require_pieces
from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import DimRef, Dims, Flag, Operand, Shape, Size, Sizes, op, read_rule
from namecheck_runtime.lattice import UNKNOWN, Symbolic, Trailing, Truth, Unknown
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import DimOutOfRange, RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent
from namecheck_runtime.rules.removed import NAMED_TENSORS

# Sizes.


@op("Tensor.shape", "ndarray.shape", attribute=True)
def shape(self: Dims) -> Sizes:
    """All sizes."""
    return tuple(dim.size for dim in self)


@op("numpy.shape", "jax.numpy.shape")
@op("Tensor.size", parsing=("dim by name",))
def shape_of(input: Dims, dim: None = None) -> Sizes:
    """All sizes."""
    return tuple(dim.size for dim in input)


@op("numpy.shape", "jax.numpy.shape")
def shape_of_number(input: float) -> Sizes:
    """A number has none."""
    return ()


@op("Tensor.size", leading=True)
@op("numpy.size", "jax.numpy.size", leading=True)
def size(input: Dims, dim: DimRef) -> Size:
    """One size.  Raises DimOutOfRange, UnknownName."""
    index = place(input, dim)
    return UNKNOWN if isinstance(index, Unknown) else input[index].size


def place(shape: Dims, dim: DimRef) -> int | Unknown:
    """As `position`, for questions that a 0-d tensor cannot answer.  Raises DimOutOfRange."""
    if not shape and isinstance(dim, int):
        text = f"Dimension specified as {dim} but tensor has no dimensions"
        raise DimOutOfRange(shape=shape, dim=dim, rank=0, text=text, blame=(Blame("dim"),))
    return position(shape, dim)


@op("Tensor.numel", "Tensor.nelement", "torch.numel")
@op("numpy.size", "jax.numpy.size")
def numel(input: Operand) -> Size:
    """How many elements there are."""
    return element_count(input)


op("ndarray.size", attribute=True)(numel)


@op("numpy.isscalar", "jax.numpy.isscalar", kind="bool")
def is_scalar(element: float | Shape | object) -> Flag:
    """Whether it is a number or a string, not an array; something without dims may be either.

    Source: numpy.isscalar.
    """
    if isinstance(element, (int, float, complex, str, Symbolic)):
        return True
    if isinstance(element, Trailing):
        return False if element.dims else UNKNOWN
    return False if isinstance(element, (tuple, list)) and element else UNKNOWN


@op(
    "torch.compiler.is_compiling",
    "torch.compiler.is_dynamo_compiling",
    "torch.compiler.is_exporting",
    "torch.jit.is_scripting",
    "torch.jit.is_tracing",
    "torch.onnx.is_in_onnx_export",
    kind="bool",
)
def is_compiling() -> Flag:
    """Whether a compiler is reading the program; the checker assumes that none is.

    Source: torch.compiler.is_compiling.
    """
    return False


@op("Tensor.dim", "Tensor.ndimension", "numpy.ndim", "jax.numpy.ndim")
def rank(input: Operand) -> Size:
    """How many dims there are."""
    return len(input) if isinstance(input, tuple) else UNKNOWN


op("Tensor.ndim", "ndarray.ndim", attribute=True)(rank)


@op("builtins.len", "Tensor.__len__")
def length(input: Dims) -> Size:
    """The size of the first dim.  Raises RankMismatch if there is none."""
    if not input:
        text = "len() of a 0-d tensor"
        raise RankMismatch(shape=input, wanted="at least 1", text=text, blame=(Blame("input"),))
    return input[0].size


@op("builtins.iter", "Tensor.__iter__")
def parts(input: Dims) -> tuple[Shape, ...]:
    """The parts that iteration yields, one per index of the first dim, which they lack."""
    if not input:
        text = "iteration over a 0-d tensor"
        raise RankMismatch(shape=input, wanted="at least 1", text=text, blame=(Blame("input"),))
    count = input[0].size
    if not isinstance(count, int):
        return UNKNOWN  # type: ignore[return-value]
    require_pieces(count)
    return (input[1:],) * count


# Names.


@op("Tensor.names", attribute=True, removed=NAMED_TENSORS)
def names(self: Dims) -> object:
    """All names; None for a dim that has none, UNKNOWN for one that may have one."""
    return names_of(self)


@op("Tensor.has_names", removed=NAMED_TENSORS)
def named(self: Dims) -> Flag:
    """Whether any dim has a name."""
    answer = has_names(self)
    return UNKNOWN if answer is Truth.MAYBE else answer is Truth.YES


# Comparisons as a whole.


@op(
    "torch.equal",
    "Tensor.equal",
    numpy="array_equal(input, other, equal_nan)",
    parsing=("tensors only",),
)
def equal(input: Operand, other: Operand) -> Flag:
    """False when sizes or names differ; else the elements decide.

    Source: name inference, "equal"; the lists of names are compared, None counting as a value.
    """
    if not isinstance(input, tuple) or not isinstance(other, tuple):
        return UNKNOWN
    if len(input) != len(other):
        return False
    for mine, theirs in zip(input, other, strict=True):
        if sizes.compare(mine.size, theirs.size) is Truth.NO:
            return False
        if UNKNOWN not in (mine.name, theirs.name) and mine.name != theirs.name:
            return False
    return UNKNOWN


@op("torch.is_same_size", "Tensor.is_same_size")
def is_same_size(input: Shape, other: Shape) -> Flag:
    """Whether the sizes are the same; names do not count.  Source: name inference."""
    if not isinstance(input, tuple) or not isinstance(other, tuple):
        return UNKNOWN
    if len(input) != len(other):
        return False
    answers = [sizes.compare(a.size, b.size) for a, b in zip(input, other, strict=True)]
    if Truth.NO in answers:
        return False
    return UNKNOWN if Truth.MAYBE in answers else True


# Single numbers.


@op("Tensor.item", "ndarray.item")
def item(self: Shape, *index: object) -> object:
    """The only element.  Raises BadExtent if there is certainly not exactly one."""
    count = element_count(self)
    if not index and sizes.compare(count, 1) is Truth.NO:
        text = f"a Tensor with {count} elements cannot be converted to Scalar"
        _refuse(self, count, text)
    return UNKNOWN


@op("torch.is_nonzero", "Tensor.is_nonzero")
def is_nonzero(input: Shape) -> Flag:
    """Whether the only element is not zero.  Raises BadExtent if there are none or several."""
    count = element_count(input)
    if sizes.compare(count, 1) is Truth.NO:
        words = "no values" if count == 0 else "more than one value"
        _refuse(input, count, f"Boolean value of Tensor with {words} is ambiguous")
    return UNKNOWN


def _refuse(shape: Shape, count: Size, text: str) -> None:
    reason = f"it has {count} elements, not one"
    raise BadExtent(shape=shape, reason=reason, text=text, blame=(Blame("input"),))


# What names and sizes do not decide.


@op("Tensor.stride", parsing=("dim by name",))
def stride(self: Shape, dim: DimRef | None = None) -> object:
    """How far apart neighbours are in memory.  Raises DimOutOfRange, UnknownName."""
    if dim is not None and isinstance(self, tuple):
        place(self, dim)
    return UNKNOWN


def _undecided(*arguments: object, **options: object) -> object:
    """Elements, memory or autograd decide: UNKNOWN."""
    return UNKNOWN


def undecided(*paths: str, answer: str = "object", attribute: bool = False) -> None:
    """Declare questions that names and sizes do not decide, each by all its paths.

    `answer` is the type of the answer; `DType` is a dtype, or what is known about one.
    """
    rule = read_rule(_undecided)
    question = Rule(_undecided, rule.parameters, answer, rule.leading)
    for path in paths:
        op(*path.split(), attribute=attribute)(question)


undecided(
    "Tensor.is_cpu",
    "Tensor.is_cuda",
    "Tensor.is_leaf",
    "Tensor.is_meta",
    "Tensor.is_mps",
    "Tensor.is_quantized",
    "Tensor.is_sparse",
    "Tensor.is_sparse_csr",
    "Tensor.is_xpu",
    "Tensor.requires_grad",
    "Tensor.retains_grad",
    answer="Flag",
    attribute=True,
)
undecided(
    "Tensor.itemsize",
    "Tensor.nbytes",
    "ndarray.itemsize",
    "ndarray.nbytes",
    answer="int",
    attribute=True,
)
undecided("Tensor.device", answer="Device", attribute=True)
undecided("torch.device", answer="Device")
undecided(
    "Tensor.grad_fn",
    "Tensor.layout",
    "ndarray.base",
    "ndarray.flags",
    "ndarray.strides",
    attribute=True,
)
undecided("Tensor.dtype", "ndarray.dtype", answer="DType", attribute=True)
undecided(
    "Tensor.is_coalesced",
    "Tensor.is_complex",
    "Tensor.is_conj",
    "Tensor.is_floating_point",
    "Tensor.is_inference",
    "Tensor.is_neg",
    "Tensor.is_pinned",
    "Tensor.is_set_to",
    "Tensor.is_shared",
    "Tensor.is_signed",
    "torch.can_cast",
    "torch.is_complex",
    "torch.is_conj",
    "torch.is_floating_point",
    "torch.is_inference",
    "torch.is_signed",
    "torch.is_tensor",
    "numpy.iscomplexobj jax.numpy.iscomplexobj",
    "numpy.isrealobj jax.numpy.isrealobj",
    "numpy.may_share_memory",
    "numpy.shares_memory",
    "numpy.issubdtype jax.numpy.issubdtype jax.dtypes.issubdtype",
    answer="Flag",
)
undecided(
    "Tensor.data_ptr",
    "Tensor.element_size",
    "Tensor.get_device",
    "Tensor.storage_offset",
    "torch.get_device",
    answer="int",
)
undecided("Tensor.retain_grad", answer="None")
undecided(
    "ndarray.fill",
    "Tensor.register_hook",
    "Tensor.storage",
    "Tensor.tolist",
    "Tensor.untyped_storage",
    "ndarray.tolist",
    "torch.manual_seed",
)
undecided(
    "torch.promote_types",
    "torch.result_type",
    "numpy.promote_types jax.numpy.promote_types",
    "numpy.result_type jax.numpy.result_type jax.dtypes.result_type",
    "numpy.min_scalar_type",
    "numpy.dtype jax.numpy.dtype",
    "jax.dtypes.canonicalize_dtype",
    "numpy.finfo jax.numpy.finfo",
    "numpy.iinfo jax.numpy.iinfo",
    answer="DType",
)


@op("Tensor.is_contiguous")
def is_contiguous(self: Shape, memory_format: object = None) -> Flag:
    """Whether the elements lie in row-major order: `memory` answers where strides are known."""
    return UNKNOWN
