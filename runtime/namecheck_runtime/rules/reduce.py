"""Ops that remove the dims they reduce over.

Ops that accumulate along a dim and keep it live in `accumulate`, those that sort and choose
elements (`sort`, `topk`) in `sorting`, quantiles and covariances in `statistics`.
"""

from __future__ import annotations

from collections.abc import Sequence

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    drop,
    each_dim,
    element_count,
    fresh,
    position,
    positions,
)
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import (
    UNCHECKED,
    DimRef,
    DimRefs,
    Flag,
    Operand,
    Parsing,
    Shape,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Symbolic,
    Trailing,
    Truth,
    Unknown,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import BadExtent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


def within(shape: Trailing, dim: DimRef | None) -> bool:
    """Whether a dim is certainly one of the known last dims: counted from the right, or named."""
    if isinstance(dim, str):
        return any(d.name == dim for d in shape.dims)
    return isinstance(dim, int) and -len(shape.dims) <= dim < 0


def check_dim(input: Shape, dim: DimRef | None, argument: str = "dim") -> int | Unknown:
    """The place of a dim that an op works along; UNKNOWN if that is not known.

    Raises DimOutOfRange, UnknownName, WildcardLookup.
    """
    if dim is None or isinstance(input, tuple):
        return position(input if isinstance(input, tuple) else (), dim, argument)
    return UNKNOWN


def reduced(input: Shape, dim: DimRefs | None, keepdim: Flag = False) -> Shape:
    """The dims that remain after those at `dim` (None, or an empty list: all) are reduced.

    Raises DimOutOfRange, RepeatedDim, UnknownName, WildcardLookup.  Source: name inference,
    "removes dimensions".
    """
    if dim is None or (isinstance(dim, Sequence) and not isinstance(dim, str) and not dim):
        if keepdim is UNKNOWN:
            return () if input == () else UNKNOWN
        return each_dim(input, lambda d: d.resize(1)) if keepdim else ()
    if isinstance(dim, (int, str, Symbolic, Unknown)):
        dims: Sequence[DimRef | None] | Unknown = UNKNOWN if dim is UNKNOWN else (dim,)
    else:
        dims = tuple(dim)
    if isinstance(input, Trailing):
        if isinstance(dims, Unknown) or not all(within(input, d) for d in dims):
            return UNKNOWN
        left = _reduce(input.dims, dims, keepdim)
        return trailing(left) if isinstance(left, tuple) else UNKNOWN
    return UNKNOWN if isinstance(input, Unknown) else _reduce(input, dims, keepdim)


def _reduce(input: Dims, dims: Sequence[DimRef | None] | Unknown, keepdim: Flag) -> Shape:
    if isinstance(dims, Unknown):
        return _perhaps_reduced(input) if keepdim is not UNKNOWN and keepdim else UNKNOWN
    dropped = positions(input, dims)
    if keepdim is UNKNOWN:
        return input if not input else UNKNOWN
    if isinstance(dropped, Unknown):
        if keepdim:
            return _perhaps_reduced(input)
        return unknown_dims(max(len(input) - len(dims), 0))
    if keepdim:
        return tuple(d.resize(1) if k in dropped else d for k, d in enumerate(input))
    return drop(input, dropped)


def _perhaps_reduced(input: Dims) -> Dims:
    """Every dim either as it was or of size 1."""
    return tuple(d if d.size == 1 else d.resize(UNKNOWN) for d in input)


def require_elements(input: Shape, index: int | Unknown, op: str) -> None:
    """Raise BadExtent if the dim to be reduced is empty and the op has no value for that."""
    if isinstance(input, tuple) and isinstance(index, int) and index < len(input):
        if input[index].size == 0:
            text = f"{op}(): Expected reduction dim {index} to have non-zero size."
            reason = f"dim {index} is empty"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", index),))


_SPECIFY = (
    "Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
    "the 'dim' argument."
)


def require_some(input: Shape, dim: DimRefs | None, op: str, of_all: str) -> None:
    """Raise BadExtent if there is nothing to reduce and the op has no value for that.

    `of_all` is PyTorch's message if the call names no dim.
    """
    if not isinstance(input, tuple) or dim is UNKNOWN:
        return
    if dim is None or dim == ():
        if element_count(input) == 0:
            text = f"{op}(): {of_all}"
            raise BadExtent(shape=input, reason="it is empty", text=text, blame=(Blame("input"),))
        return
    dims = (dim,) if isinstance(dim, (int, str, Symbolic, Unknown)) else dim
    dropped = positions(input, dims)
    for index in () if isinstance(dropped, Unknown) else dropped:
        require_elements(input, index, op)


# One result, several dims.


def _reduction(
    input: Operand, dim: DimRefs | None = None, keepdim: Flag = False, *, dtype: object = None
) -> Shape:
    """Drops the dims reduced over, or keeps them with size 1; without `dim` all of them.

    Source: name inference, "removes dimensions".
    """
    return reduced(input, dim, keepdim)


def numpy_reduction(
    input: Operand, dim: DimRefs | None = None, keepdim: Flag = False, *, dtype: object = None
) -> Shape:
    """As torch's, but an empty tuple of axes reduces nothing.  Source: numpy.sum."""
    return input if dim == () else reduced(input, dim, keepdim)


_BY_NAME: Final[tuple[Parsing, ...]] = ("dim by name", "dims by name")


def reduces(
    *names: str, numpy: str = "", kind: str = "same", parsing: tuple[Parsing, ...] = ()
) -> None:
    """Declare ops that reduce the given dims, or all: `_reduction`.

    `numpy` is NumPy's spelling of it, with its positional order.
    """
    paths = [f"{module}.{name}" for name in names for module in ("torch", "Tensor")]
    if paths:
        op(*paths, out=UNCHECKED, kind=kind, parsing=parsing)(_reduction)
    op(numpy=numpy, out=UNCHECKED, kind=kind)(numpy_reduction)


reduces(
    "sum",
    numpy="sum(input, dim, dtype, out, keepdim, initial, where, promote_integers)",
    kind="counted",
    parsing=_BY_NAME,
)
reduces(
    "mean",
    numpy="mean(input, dim, dtype, out, keepdim, where)",
    kind="float",
    parsing=_BY_NAME,
)
reduces("nansum", numpy="nansum(input, dim, dtype, out, keepdim, initial, where)", kind="counted")
reduces("nanmean", numpy="nanmean(input, dim, dtype, out, keepdim, where)", kind="float")
reduces(numpy="count_nonzero(input, dim, keepdim)", kind="int")
reduces(numpy="amax(input, dim, out, keepdim, initial, where)")
reduces(numpy="amin(input, dim, out, keepdim, initial, where)")
reduces(numpy="max(input, dim, out, keepdim, initial, where)")
reduces(numpy="min(input, dim, out, keepdim, initial, where)")
reduces(numpy="nanmax(input, dim, out, keepdim, initial, where)")
reduces(numpy="nanmin(input, dim, out, keepdim, initial, where)")
reduces(numpy="nanprod(input, dim, dtype, out, keepdim, initial, where)", kind="counted")
reduces(numpy="ptp(input, dim, out, keepdim)")
reduces(numpy="median(input, dim, out, overwrite_input, keepdim)", kind="float")
reduces(numpy="nanmedian(input, dim, out, overwrite_input, keepdim)", kind="float")
reduces(numpy="nanstd(input, dim, dtype, out, ddof, keepdim, where)", kind="float")
reduces(numpy="nanvar(input, dim, dtype, out, ddof, keepdim, where)", kind="float")
op(jax="jax.nn.logsumexp(input, dim, b, keepdim, return_sign, where)")(_reduction)
op(jax="jax.scipy.special.logsumexp(input, dim, b, keepdim, return_sign, where)")(_reduction)


@op(
    "torch.any",
    "Tensor.any",
    numpy="any(input, dim, out, keepdim, where)",
    out=UNCHECKED,
    kind="bool",
    parsing=("dim by name",),
)
@op(
    "torch.all",
    "Tensor.all",
    numpy="all(input, dim, out, keepdim, where)",
    out=UNCHECKED,
    kind="bool",
    parsing=("dim by name",),
)
def truth(input: Operand, dim: DimRefs | None = None, keepdim: Flag = False) -> Shape:
    """Whether any, or all, elements along the dims are true; an empty list reduces nothing.

    Source: name inference, "removes dimensions".
    """
    return input if dim == () else reduced(input, dim, keepdim)


def _declare_extreme(name: str) -> None:
    @op(f"torch.{name}", f"Tensor.{name}", out=UNCHECKED)
    def rule(input: Shape, dim: DimRefs | None = (), keepdim: Flag = False) -> Shape:
        """The largest or smallest over the dims, which must not be empty.

        Raises BadExtent.  Torch refused names; the reduced ones are dropped.
        """
        require_some(input, dim, name, _SPECIFY)
        return reduced(input, dim, keepdim)


_declare_extreme("amax")
_declare_extreme("amin")


reduces(numpy="std(input, dim, dtype, out, ddof, keepdim, where)", kind="float")
reduces(numpy="var(input, dim, dtype, out, ddof, keepdim, where)", kind="float")


@op("torch.std", "Tensor.std", out=UNCHECKED, parsing=_BY_NAME)
@op("torch.var", "Tensor.var", out=UNCHECKED, parsing=_BY_NAME)
def spread(
    input: Operand,
    dim: DimRefs | None = None,
    unbiased: object = True,
    keepdim: Flag = False,
    *,
    correction: object = 1,
) -> Shape:
    """Deviation or variance over the dims.  Source: name inference, "removes dimensions"."""
    return reduced(input, dim, keepdim)


@op("torch.std", "Tensor.std")
@op("torch.var", "Tensor.var")
def spread_of_all(input: Shape, unbiased: bool) -> Shape:
    """Deviation or variance over everything.  Source: name inference, "removes dimensions"."""
    return ()


@op("torch.std_mean", parsing=_BY_NAME)
@op("torch.var_mean", parsing=_BY_NAME)
def spread_mean(
    input: Shape,
    dim: DimRefs | None = None,
    unbiased: object = True,
    keepdim: Flag = False,
    *,
    correction: object = 1,
) -> tuple[Shape, Shape]:
    """Deviation or variance, and mean.  Source: name inference, "removes dimensions"."""
    left = reduced(input, dim, keepdim)
    return left, left


@op("torch.std_mean")
@op("torch.var_mean")
def spread_mean_of_all(input: Shape, unbiased: bool) -> tuple[Shape, Shape]:
    """Deviation or variance, and mean, over everything."""
    return (), ()


@op(
    "torch.logsumexp",
    "Tensor.logsumexp",
    "torch.special.logsumexp",
    out=UNCHECKED,
    kind="float",
    parsing=_BY_NAME,
)
def logsumexp(input: Shape, dim: DimRefs | None, keepdim: Flag = False) -> Shape:
    """As a sum over `dim`, which must be given and not be an empty list.

    Raises BadExtent for an empty list.  Source: name inference, "removes dimensions".
    """
    if dim is None:
        check_dim(input, None)
    if dim == () and isinstance(input, tuple) and input:
        ones = ", ".join("1" for _ in input)
        text = f"output with shape [] doesn't match the broadcast shape [{ones}]"
        reason = "an empty list of dims names none"
        raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("dim"),))
    return reduced(input, dim, keepdim)


@op("torch.prod", "Tensor.prod", out=UNCHECKED, kind="counted", parsing=("dim by name",))
def prod(input: Shape, *, dtype: object = None) -> Shape:
    """The product of all elements."""
    return ()


@op("torch.prod", "Tensor.prod")
def prod_along(
    input: Shape, dim: DimRef | None, keepdim: Flag = False, *, dtype: object = None
) -> Shape:
    """The product along one dim.  Source: name inference, "removes dimensions"."""
    check_dim(input, dim)
    return reduced(input, dim, keepdim)


@op("torch.count_nonzero", "Tensor.count_nonzero", kind="int")
def count_nonzero(input: Shape, dim: DimRefs | None = None) -> Shape:
    """How many elements along the dims are not zero.

    Torch refused names; the reduced ones are dropped.
    """
    return reduced(input, dim)


_PROD = "prod(input, dim, dtype, out, keepdim, initial, where, promote_integers)"


@op(numpy=_PROD, out=UNCHECKED, kind="counted")
def numpy_prod(input: Operand, dim: DimRefs | None = None, keepdim: Flag = False) -> Shape:
    """The product over the dims of an array.  Source: numpy.prod."""
    # An unknown argument may be sizes, whose product is a size: `np.prod(x.shape)`.
    return UNKNOWN if input is UNKNOWN else numpy_reduction(input, dim, keepdim)


@op(numpy=_PROD, out=UNCHECKED, kind="counted")
def product_of_sizes(input: Sizes) -> Size:
    """The product of sizes, from which programs make other sizes: `np.prod(x.shape[1:])`."""
    return sizes.product(input)


@op("torch.norm", "Tensor.norm", out=UNCHECKED, kind="float")
def norm(
    input: Shape,
    p: object = "fro",
    dim: DimRefs | None = None,
    keepdim: Flag = False,
    *,
    dtype: object = None,
) -> Shape:
    """The norm over the dims.  Torch refused names; the reduced ones are dropped."""
    return reduced(input, dim, keepdim)


@op("torch.linalg.norm", numpy="linalg.norm(input, ord, dim, keepdim)", out=UNCHECKED, kind="float")
def linalg_norm(
    input: Shape,
    ord: object = None,
    dim: DimRefs | None = None,
    keepdim: Flag = False,
    *,
    dtype: object = None,
) -> Shape:
    """The norm over one or two dims, or all.  Torch refused names; the reduced ones are dropped."""
    return reduced(input, dim, keepdim)


@op("torch.linalg.vector_norm", numpy="linalg.vector_norm(x, dim, keepdim, ord)", out=UNCHECKED)
def vector_norm(
    x: Shape,
    ord: object = 2,
    dim: DimRefs | None = None,
    keepdim: Flag = False,
    *,
    dtype: object = None,
) -> Shape:
    """The vector norm over the dims, or all.  Torch refused names; the reduced ones are dropped."""
    return reduced(x, dim, keepdim)


@op("torch.linalg.matrix_norm", numpy="linalg.matrix_norm(A, keepdim, ord)", out=UNCHECKED)
def matrix_norm(
    A: Shape,
    ord: object = "fro",
    dim: DimRefs = (-2, -1),
    keepdim: Flag = False,
    *,
    dtype: object = None,
) -> Shape:
    """The matrix norm over two dims.  Torch refused names; the reduced ones are dropped."""
    return reduced(A, dim, keepdim)


@op(numpy="average(input, dim, weights, returned, keepdim)", kind="float")
def average(
    input: Operand,
    dim: DimRefs | None = None,
    weights: object = None,
    returned: bool = False,
    *,
    keepdim: Flag = False,
) -> Shape | tuple[Shape, Shape]:
    """The mean, weighted if `weights` are given.  Source: numpy.average."""
    left = numpy_reduction(input, dim, keepdim)
    return (left, left) if returned else left


# One dim.


def _declare_place(name: str) -> None:
    @op(
        f"torch.{name}",
        f"Tensor.{name}",
        numpy=f"{name}(input, dim, out, keepdim)",
        jax=f"jax.lax.{name}(input, dim, index_dtype)",
        out=UNCHECKED,
        kind="int",
    )
    def rule(input: Operand, dim: DimRef | None = None, keepdim: Flag = False) -> Shape:
        """Where the largest or smallest is along a dim, or in the flattened tensor.

        Raises BadExtent for an empty one.  Torch refused names; the reduced one is dropped.
        """
        text = "Expected reduction dim to be specified for input.numel() == 0."
        require_some(input, dim, name, text)
        return reduced(input, dim, keepdim)


_declare_place("argmax")
_declare_place("argmin")
reduces(numpy="nanargmax(input, dim, out, keepdim)", kind="int")
reduces(numpy="nanargmin(input, dim, out, keepdim)", kind="int")


@op("torch.aminmax", "Tensor.aminmax", out=UNCHECKED)
def aminmax(
    input: Shape, *, dim: DimRef | None = None, keepdim: Flag = False
) -> tuple[Shape, Shape]:
    """Smallest and largest.  Torch refused names; the reduced one is dropped."""
    text = "cannot compute aminmax over an empty dimension as the operation has no identity."
    require_some(input, dim, "aminmax", text)
    left = reduced(input, dim, keepdim)
    return left, left


def _pair(input: Shape, dim: DimRef | None, keepdim: Flag, op: str) -> tuple[Shape, Shape]:
    """Values and indices along one dim, which must not be empty."""
    require_elements(input, check_dim(input, dim), op)
    left = reduced(input, dim, keepdim)
    return left, left


def _declare_pairs(name: str) -> None:
    """Declare an op that gives one number for all, or values and indices along a dim."""
    paths = (f"torch.{name}", f"Tensor.{name}")

    @op(*paths, out=UNCHECKED, parsing=("dim by name",))
    def of_all(input: Shape) -> Shape:
        """Over all elements.  Source: name inference, "removes dimensions"."""
        if name in ("max", "min"):
            require_some(input, None, name, _SPECIFY)
        return ()

    @op(*paths)
    def along(input: Shape, dim: DimRef | None, keepdim: Flag = False) -> tuple[Shape, Shape]:
        """Values and indices along one dim.  Source: name inference, "removes dimensions"."""
        # Torch says "median" of an empty dim for both.
        return _pair(input, dim, keepdim, name.removeprefix("nan"))


for _name in ("max", "min", "median", "nanmedian"):
    _declare_pairs(_name)


@op("torch.max", "Tensor.max")
@op("torch.min", "Tensor.min")
def of_two(input: Shape, other: Shape) -> Shape:
    """The larger or smaller of two, element by element.  Torch refused names; they unify."""
    return broadcast(input, other)


@op("torch.mode", "Tensor.mode", out=UNCHECKED, parsing=("dim by name",))
def mode(input: Shape, dim: DimRef | None = -1, keepdim: Flag = False) -> tuple[Shape, Shape]:
    """The most frequent along a dim.  Source: name inference, "removes dimensions"."""
    return _pair(input, dim, keepdim, "mode")


@op("torch.kthvalue", "Tensor.kthvalue", out=UNCHECKED, parsing=("dim by name",))
def kthvalue(
    input: Shape, k: Size, dim: DimRef | None = -1, keepdim: Flag = False
) -> tuple[Shape, Shape]:
    """The k-th smallest along a dim.  Raises BadExtent if there are fewer.

    Source: name inference, "removes dimensions".
    """
    index = check_dim(input, dim)
    require_elements(input, index, "kthvalue")
    if isinstance(input, tuple) and isinstance(index, int):
        size = input[index].size if input else 1
        if sizes.at_most(k, size) is Truth.NO or sizes.at_most(1, k) is Truth.NO:
            text = f"kthvalue(): selected number k out of range for dimension {index}"
            reason = f"value {k} of {size} does not exist"
            raise BadExtent(shape=input, reason=reason, text=text, blame=(Blame("k"),))
    left = reduced(input, dim, keepdim)
    return left, left


def dims_of_numbers(value: object) -> Shape:
    """The dims of a number, a list of numbers, or a tensor."""
    if isinstance(value, (int, float, Symbolic)):
        return ()
    if isinstance(value, (tuple, list)):
        if all(isinstance(part, Dim) for part in value):
            return tuple(value)
        if all(isinstance(part, (int, float, Symbolic)) for part in value):
            return (fresh(len(value)),)
    return UNKNOWN
