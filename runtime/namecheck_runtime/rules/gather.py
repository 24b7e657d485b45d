"""Ops that read or write at indices held in a tensor: `gather`, `scatter`, `take`, `index_*`."""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    drop,
    element_count,
    fresh,
    of_rank,
    position,
    replace,
    require_equal,
    unify_names,
)
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.declare import EXACT, DimRef, Dims, InPlace, Memory, Operand, Shape, Size, op
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Symbolic,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, size_list
from namecheck_runtime.mistakes.dims import IndexOutOfRange
from namecheck_runtime.mistakes.names import NameMismatch
from namecheck_runtime.mistakes.sizes import (
    BadExtent,
    JoinSize,
)
from namecheck_runtime.rules.index import index_shape, is_shape, refuse_rank, refuse_scalar, setitem


@op("torch.select", "Tensor.select", leading=True, parsing=("dim by name",))
@op("torch.select_copy", leading=True, memory=Memory.NEW)
def select(input: Dims, dim: DimRef | None, index: Size) -> Shape:
    """The elements at one index of a dim, which is dropped.

    Raises IndexOutOfRange, DimOutOfRange, UnknownName, WildcardLookup.
    Source: name inference, "removes dimensions".
    """
    if not input and isinstance(dim, int):
        refuse_scalar(input, "select() cannot be applied to a 0-dim tensor.")
    place = position(input, dim)
    if isinstance(place, Unknown):
        return unknown_dims(len(input) - 1)
    size = input[place].size
    if isinstance(index, int) and isinstance(size, int) and not -size <= index < size:
        named = input[place].name
        raise IndexOutOfRange(
            shape=input,
            dim=place,
            rank=len(input),
            size=size,
            text=(
                f"select(): index {index} out of range for tensor of size {size_list(input)} at "
                f"dimension {named!r}"
                if isinstance(named, str)
                else f"select(): index {index} out of range for tensor of size {size_list(input)} "
                f"at dimension {place}"
            ),
            blame=(Blame("input", place), Blame("index")),
        )
    return drop(input, (place,))


@op("torch.index_select", "Tensor.index_select", out=EXACT, leading=True, parsing=("dim by name",))
def index_select(input: Dims, dim: DimRef | None, index: Shape) -> Shape:
    """As many elements of a dim as there are indices; the dim keeps its name.

    Raises RankMismatch, DimOutOfRange.  Source: torch.index_select, which refused names.
    """
    if isinstance(index, tuple) and len(index) > 1:
        text = "index_select(): Index is supposed to be a vector"
        refuse_rank(index, "0 or 1", text, "index")
    place = position(input, dim)
    if isinstance(place, Unknown):
        return unknown_dims(len(input))
    if not input:
        return input
    return replace(input, place, input[place].resize(element_count(index)))


@op("torch.index_fill", "Tensor.index_fill", inplace=InPlace(shared=True), parsing=("dim by name",))
def index_fill(input: Shape, dim: DimRef | None, index: Shape, value: Operand) -> Shape:
    """Keeps the dims; the elements at some indices of a dim become `value`.

    Raises RankMismatch, UnknownName, WildcardLookup, DimOutOfRange.
    Source: name inference, "keeps input names".
    """
    place = position(input, dim) if isinstance(input, tuple) else UNKNOWN
    if isinstance(index, tuple) and len(index) > 1:
        refuse_rank(index, "0 or 1", "Index has to be a vector/scalar", "index")
    if isinstance(value, tuple) and value:
        text = (
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{len(value)} dimension(s)."
        )
        refuse_rank(value, "0", text, "value")
    count = element_count(index)
    if isinstance(place, int) and input and isinstance(count, int) and count:
        _check_some(known_dims(input), place)
    return input


def _check_some(input: Dims, place: int) -> None:
    """Refuse any index into a dim that is empty."""
    if input[place].size == 0:
        raise IndexOutOfRange(
            shape=input,
            dim=place,
            rank=len(input),
            text=f"index 0 is out of bounds for dimension {place} with size 0",
            blame=(Blame("input", place), Blame("index")),
        )


def _check_source(input: Shape, dim: DimRef | None, index: Shape, source: Shape, name: str) -> None:
    """Check the source of elements for the places in `index` along `dim`."""
    if isinstance(index, tuple) and len(index) > 1:
        text = (
            f"{name}_(): Index is supposed to be a vector, but got dim: {len(index)} with type: "
            f"Long and size: {size_list(index)}"
        )
        refuse_rank(index, "0 or 1", text, "index")
    if not isinstance(input, tuple):
        return
    place = position(input, dim)
    if not isinstance(source, tuple) or not source or not input or isinstance(place, Unknown):
        return
    if len(source) != len(input):
        text = (
            f"{name}_(): When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({len(source)}), destination dimensionality "
            f"({len(input)})"
        )
        refuse_rank(source, str(len(input)), text, "source")
    if isinstance(index, tuple):
        count = element_count(index)
        size = source[place].size
        detail = f"({size})" if name == "index_copy" else f": ({size}), for dim: {place}"
        gap = " " if name == "index_copy" else ""
        text = (
            f"{name}_(): Number of indices ({count}) should be equal to source.size(dim){gap}"
            f"{detail}"
        )
        _require_same(input, source, count, source[place].size, place, text, "index")
    for k, (ours, theirs) in enumerate(zip(input, source, strict=True)):
        if k != place:
            text = (
                f"{name}_(): Source/destination tensor must have same slice shapes. Destination "
                f"slice shape: {ours.size} at dimension {k} and source slice shape: {theirs.size} "
                f"at dimension {k}."
            )
            _require_same(input, source, ours.size, theirs.size, k, text, "input")


def _require_same(
    left: Shape, right: Shape, ours: Size, theirs: Size, dim: int, text: str, argument: str
) -> None:
    blame = (Blame(argument, None if argument == "index" else dim), Blame("source", dim))
    require_equal(ours, theirs, JoinSize(left=left, right=right, dim=dim, text=text, blame=blame))


@op("torch.index_add", "Tensor.index_add", inplace=True, out=EXACT, parsing=("dim by name",))
def index_add(
    input: Shape, dim: DimRef | None, index: Shape, source: Shape, *, alpha: object = 1
) -> Shape:
    """Keeps the dims; slices of `source` are added at the indices of a dim.

    Raises RankMismatch, JoinSize, DimOutOfRange.  Source: torch.index_add.
    """
    _check_source(input, dim, index, source, "index_add")
    return input


@op("torch.index_copy", "Tensor.index_copy", inplace=True, out=EXACT, parsing=("dim by name",))
def index_copy(input: Shape, dim: DimRef | None, index: Shape, source: Shape) -> Shape:
    """Keeps the dims; slices of `source` go to the indices of a dim.

    Raises RankMismatch, JoinSize, DimOutOfRange.  Source: torch.index_copy.
    """
    _check_scalar_source(index, source)
    _check_source(input, dim, index, source, "index_copy")
    return input


def _check_scalar_source(index: Shape, source: Shape) -> None:
    count = element_count(index)
    if source == () and isinstance(count, int) and count != 1:
        text = f"index_copy_(): When source is scalar, index should have one element (got {count})"
        raise IndexOutOfRange(shape=source, dim=0, rank=0, text=text, blame=(Blame("index"),))


@op("torch.index_reduce", "Tensor.index_reduce", inplace=True, out=EXACT)
def index_reduce(
    input: Shape,
    dim: DimRef | None,
    index: Shape,
    source: Shape,
    reduce: object,
    *,
    include_self: object = True,
) -> Shape:
    """Keeps the dims; slices of `source` are reduced into the indices of a dim.

    Raises RankMismatch, JoinSize, DimOutOfRange.  Source: torch.index_reduce.
    """
    _check_source(input, dim, index, source, "index_reduce")
    return input


@op("torch.index_put", "Tensor.index_put", inplace=InPlace(shared=True))
def index_put(input: Shape, indices: object, values: Operand, accumulate: object = False) -> Shape:
    """As `input[indices] = values`.  Raises what that raises.  Source: torch.index_put."""
    if not isinstance(indices, (tuple, list)) or is_shape(indices):
        return input
    return setitem(input, tuple(indices), values)


# An index for every element.


@op("torch.gather", "Tensor.gather", out=EXACT, parsing=("dim by name",))
def gather(input: Shape, dim: DimRef | None, index: Shape, *, sparse_grad: object = False) -> Shape:
    """For every place of `index`, the element of `input` that it points to along `dim`.

    The sizes are the index's; in the other dims its names unify with the input's.
    Raises RankMismatch, BadExtent, NameMismatch, DimOutOfRange.
    Source: torch.gather, which refused names.
    """
    _check_same_rank(input, index, "input")
    if isinstance(input, tuple):
        place = position(input, dim)
        index_dims = of_rank(index, len(input))
        if not isinstance(place, Unknown):
            _check_within(input, index, place)
        # A scalar counts as one dim.
        if len(index_dims) != len(input) or (len(input) < 2 and not isinstance(index, tuple)):
            return index
        return tuple(
            _gathered(
                input, index_dims, k, sure=not isinstance(place, Unknown), is_indexed=k == place
            )
            for k in range(len(input))
        )
    dims = tuple(d if isinstance(d.name, str) else d.rename(UNKNOWN) for d in known_dims(index))
    return dims if isinstance(index, tuple) else trailing(dims)


def _gathered(input: Dims, index: Dims, k: int, sure: bool, is_indexed: bool) -> Dim:
    if is_indexed:
        return index[k]
    ours, theirs = input[k].name, index[k].name
    if not sure:
        return index[k] if ours == theirs else index[k].rename(UNKNOWN)
    if isinstance(ours, str) and isinstance(theirs, str) and ours != theirs:
        raise NameMismatch(
            left=input,
            right=index,
            position=k - len(input),
            left_name=ours,
            right_name=theirs,
            blame=(Blame("input", k), Blame("index", k)),
        )
    return index[k].rename(unify_names(theirs, ours))


def _check_same_rank(input: Shape, index: Shape, role: str) -> None:
    if not isinstance(input, tuple) or not isinstance(index, tuple):
        return
    if max(len(input), 1) != max(len(index), 1) and element_count(index) != 0:
        text = f"Index tensor must have the same number of dimensions as {role} tensor"
        refuse_rank(index, str(len(input)), text, "input", "index")


def _check_within(input: Dims, index: Shape, place: int) -> None:
    if not isinstance(index, tuple) or len(index) != len(input):
        return
    for k, (ours, theirs) in enumerate(zip(input, index, strict=True)):
        if k != place and _exceeds(theirs.size, ours.size):
            text = (
                f"Size does not match at dimension {k} expected index {size_list(index)} to be no "
                f"larger than self {size_list(input)} apart from dimension {place}"
            )
            reason = f"index has {theirs.size} in dim {k}, more than {ours.size}"
            blame = (Blame("input", k), Blame("index", k))
            raise BadExtent(shape=input, reason=reason, text=text, blame=blame)


def _exceeds(inner: Size, outer: Size) -> bool:
    return sizes.at_most(inner, outer) is Truth.NO


def _check_scatter(input: Shape, dim: DimRef | None, index: Shape, source: Shape) -> None:
    _check_same_rank(input, index, "self")
    if not isinstance(input, tuple):
        return
    place = position(input, dim)
    if isinstance(place, Unknown) or not isinstance(index, tuple):
        return
    # A scalar counts as a vector of one element.
    source_dims = known_dims(source) or (fresh(1),)
    same_rank = isinstance(source, tuple) and len(source_dims) == len(index)
    for k, theirs in enumerate(index):
        beyond = k != place and k < len(input) and _exceeds(theirs.size, input[k].size)
        if beyond or (same_rank and _exceeds(theirs.size, source_dims[k].size)):
            rest = f" and to be no larger size than src {size_list(source)}" if same_rank else ""
            text = (
                f"Expected index {size_list(index)} to be no larger than self {size_list(input)} "
                f"apart from dimension {place}{rest}"
            )
            reason = f"index has {theirs.size} in dim {k}, more than there is"
            blame = (Blame("input", k), Blame("index", k))
            raise BadExtent(shape=input, reason=reason, text=text, blame=blame)


@op("torch.scatter", "Tensor.scatter", inplace=True, out=EXACT, parsing=("dim by name",))
def scatter(
    input: Shape, dim: DimRef | None, index: Shape, src: object, *, reduce: object = None
) -> Shape:
    """Keeps the dims; elements of `src`, or a number, go where `index` points to along `dim`.

    Raises RankMismatch, BadExtent, DimOutOfRange.  Source: torch.scatter, which refused names.
    """
    tensor = is_shape(src) or src == ()
    _check_scatter(input, dim, index, index_shape(src) if tensor else UNKNOWN)
    return input


@op("torch.scatter", "Tensor.scatter", inplace=True, out=EXACT)
def scatter_value(
    input: Shape, dim: DimRef | None, index: Shape, *, value: object, reduce: object = None
) -> Shape:
    """Keeps the dims; a number goes to the places that `index` points to along `dim`.

    Raises RankMismatch, BadExtent, DimOutOfRange.  Source: torch.scatter, which refused names.
    """
    _check_scatter(input, dim, index, UNKNOWN)
    return input


@op("torch.scatter_add", "Tensor.scatter_add", inplace=True, out=EXACT, parsing=("dim by name",))
def scatter_add(input: Shape, dim: DimRef | None, index: Shape, src: Shape) -> Shape:
    """Keeps the dims; elements of `src` are added where `index` points to along `dim`.

    Raises RankMismatch, BadExtent, DimOutOfRange.  Source: torch.scatter_add, which refused names.
    """
    _check_scatter(input, dim, index, src)
    return input


@op("torch.scatter_reduce", "Tensor.scatter_reduce", inplace=True, out=EXACT)
def scatter_reduce(
    input: Shape,
    dim: DimRef | None,
    index: Shape,
    src: Shape,
    reduce: object,
    *,
    include_self: object = True,
) -> Shape:
    """Keeps the dims; elements of `src` are reduced into where `index` points to along `dim`.

    Raises RankMismatch, BadExtent, DimOutOfRange.  Source: torch.scatter_reduce.
    """
    _check_scatter(input, dim, index, src)
    return input


@op("torch.take", "Tensor.take", out=EXACT)
def take(input: Shape, index: Shape) -> Shape:
    """The elements of the flattened input at the indices: the index's dims.

    Source: torch.take.
    """
    return index


@op(numpy="take(input, indices, dim, out, mode)", out=EXACT)
def take_numpy(
    input: Shape, indices: object, dim: DimRef | None = None, mode: object = None, **options: object
) -> Shape:
    """The elements at the indices along a dim, which the indices' dims replace.

    Without a dim, the array is flattened first.  Raises DimOutOfRange.  Source: numpy.take.
    """
    index_dims = index_shape(indices)
    if dim is None:
        return index_dims
    if dim is UNKNOWN:
        return UNKNOWN  # None gives the index's dims alone
    if not isinstance(input, tuple):
        return _taken_end(input, index_dims, dim)
    place = position(input, dim)
    if isinstance(place, Unknown):
        return (
            unknown_dims(len(input) - 1 + len(index_dims))
            if isinstance(index_dims, tuple)
            else UNKNOWN
        )
    if isinstance(index_dims, tuple):
        return (*input[:place], *index_dims, *input[place + 1 :])
    return trailing((*known_dims(index_dims), *input[place + 1 :]))


def _taken_end(input: Trailing | Unknown, index_dims: Shape, dim: DimRef) -> Shape:
    known = known_dims(input)
    if not isinstance(dim, int):
        return UNKNOWN
    if dim >= 0:
        return trailing(known[dim + 1 :])
    behind = known[len(known) + dim + 1 :] if -dim <= len(known) + 1 else known
    if -dim > len(known) or not isinstance(index_dims, tuple):
        end = known_dims(index_dims) if len(behind) == -dim - 1 else ()
        return trailing((*end, *behind))
    return trailing((*known[:dim], *index_dims, *behind))


@op("torch.take_along_dim", "Tensor.take_along_dim", out=EXACT)
def take_along_dim(input: Shape, indices: Shape, dim: DimRef | None = None) -> Shape:
    """The elements at the indices along a dim; the other dims broadcast.

    Without a dim, both are flattened first.  Raises RankMismatch, SizeMismatch, NameMismatch,
    DimOutOfRange.  Source: torch.take_along_dim, which refused names.
    """
    return _along(input, indices, dim)


@op(numpy="take_along_axis")
def take_along_axis(input: Shape, indices: Shape, dim: DimRef | None = -1) -> Shape:
    """The elements at the indices along a dim; the other dims broadcast.

    For None, the array is flattened first.  Raises RankMismatch, SizeMismatch, DimOutOfRange.
    Source: numpy.take_along_axis.
    """
    return _along(input, indices, dim)


def _along(input: Shape, indices: Shape, dim: DimRef | None) -> Shape:
    if dim is None:
        return (fresh(element_count(indices)),)
    if dim is UNKNOWN:
        return UNKNOWN  # None flattens
    if isinstance(input, tuple) and isinstance(indices, tuple) and len(input) != len(indices):
        text = (
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {len(input)} dimensions for input, and {len(indices)} dimensions for indices"
        )
        refuse_rank(indices, str(len(input)), text, "input", "indices")
    rank = next((len(s) for s in (input, indices) if isinstance(s, tuple)), None)
    if rank is None:
        return UNKNOWN
    ours, theirs = of_rank(input, rank), of_rank(indices, rank)
    if len(ours) != rank or len(theirs) != rank:
        return UNKNOWN
    place = position(ours, dim)
    if isinstance(place, Unknown):
        return unknown_dims(rank)
    if not rank:
        return ()
    combined = broadcast(
        replace(ours, place, Dim(UNKNOWN, 1)),
        replace(theirs, place, Dim(UNKNOWN, 1)),
        ("input", "indices"),
        suspicious=False,
    )
    return replace(known_dims(combined), place, theirs[place])


@op("torch.put", "Tensor.put", inplace=True)
def put(input: Shape, index: Shape, source: Shape, accumulate: object = False) -> Shape:
    """Keeps the dims; elements of `source` go to places of the flattened tensor.  Raises JoinSize.

    Source: torch.put.
    """
    source_count, index_count = element_count(source), element_count(index)
    text = (
        "put_(): Expected source and index to have the same number of elements, but got "
        f"source.numel() = {source_count}, index.numel() = {index_count}"
    )
    blame = (Blame("index"), Blame("source"))
    require_equal(
        source_count, index_count, JoinSize(left=index, right=source, dim=0, text=text, blame=blame)
    )
    return input


# NumPy's and JAX's own.


@op("numpy.put", writes=("a",))
def put_flat(a: Shape, ind: object, v: object, mode: object = "raise") -> object:
    """Writes to places of the flattened array, and returns nothing.  Source: numpy.put."""
    return UNKNOWN


@op("numpy.place", writes=("arr",))
def place(arr: Shape, mask: object, vals: object) -> object:
    """Writes where a mask of the same size holds, and returns nothing.  Source: numpy.place."""
    return UNKNOWN


@op("numpy.putmask", writes=("a",))
def putmask(a: Shape, mask: object, values: object) -> object:
    """Writes where a mask of the same size holds, and returns nothing.  Source: numpy.putmask."""
    return UNKNOWN


@op("numpy.fill_diagonal", writes=("a",))
def fill_diagonal_of(a: Shape, val: object, wrap: object = False) -> object:
    """Writes to the main diagonal, and returns nothing.  Source: numpy.fill_diagonal."""
    return UNKNOWN


@op(numpy="compress(condition, input, dim, out)", out=EXACT)
def compress(condition: object, input: Shape, dim: DimRef | None = None) -> Shape:
    """The elements along a dim where the condition holds; without a dim, of the flattened array.

    Raises DimOutOfRange.  Source: numpy.compress.
    """
    if dim is None:
        return (fresh(UNKNOWN),)
    return _some(input, dim, UNKNOWN)


@op(numpy="extract(condition, input)")
def extract(condition: object, input: Shape) -> Shape:
    """The elements where the condition holds.  Source: numpy.extract."""
    return (fresh(UNKNOWN),)


@op(numpy="delete(input, obj, dim)")
def delete(input: Shape, obj: object, dim: DimRef | None = None) -> Shape:
    """A dim without some of its elements; without a dim, the flattened array.

    Raises DimOutOfRange.  Source: numpy.delete.
    """
    is_single = isinstance(obj, (int, Symbolic))
    if dim is None:
        count = sizes.subtract(element_count(input), 1) if is_single else UNKNOWN
        return (fresh(count),)
    return _some(input, dim, 1 if is_single else UNKNOWN)


@op(numpy="insert(input, obj, values, dim)")
def insert_values(input: Shape, obj: object, values: object, dim: DimRef | None = None) -> Shape:
    """A dim with more elements; without a dim, the flattened array.  Raises DimOutOfRange.

    Source: numpy.insert.
    """
    return (fresh(UNKNOWN),) if dim is None else _some(input, dim, UNKNOWN)


def _some(input: Shape, dim: DimRef, fewer: Size) -> Shape:
    """`input` without `fewer` of its elements along `dim`."""
    if dim is UNKNOWN:
        return UNKNOWN  # None flattens
    if isinstance(input, tuple):
        place = position(input, dim)
        if isinstance(place, Unknown):
            return unknown_dims(len(input))
        if not input:
            return (fresh(UNKNOWN),)
        kept = input[place].resize(sizes.subtract(input[place].size, fewer))
        return replace(input, place, kept)
    known = known_dims(input)
    if isinstance(dim, int) and -len(known) <= dim < 0:
        return trailing(known_dims(_some(known, dim, fewer)))
    return trailing(known[dim + 1 :]) if isinstance(dim, int) and dim >= 0 else UNKNOWN
