"""NumPy's ops over lists of arrays, tuples of indices and given shapes.

Ops that join arrays as PyTorch does live in `join`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import each_dim, fresh, require_equal, require_rank
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.binding import shape_of
from namecheck_runtime.declare import DimRef, Dims, Operand, Shape, Size, Sizes, Unbindable, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic, Unknown
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.sizes import JoinSize
from namecheck_runtime.rules.reduce import check_dim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _is_size(value: object) -> bool:
    return isinstance(value, (int, Symbolic)) and not isinstance(value, bool)


@op("torch.unravel_index", numpy="unravel_index(indices, shape, order)", kind="int")
def unravel_index(indices: Operand, shape: Sizes, order: object = "C") -> tuple[Shape, ...]:
    """One array of indices per dim of the shape.  Source: numpy.unravel_index."""
    return (indices,) * len(shape)


@op(numpy="ravel_multi_index(multi_index, dims, mode, order)", kind="int")
def ravel_multi_index(
    multi_index: object, dims: object, mode: object = "raise", order: object = "C"
) -> Shape:
    """One flat index for several.  Source: numpy.ravel_multi_index."""
    if not isinstance(multi_index, (tuple, list)) or any(isinstance(d, Dim) for d in multi_index):
        array = shape_of(multi_index)
        return array[1:] if isinstance(array, tuple) else UNKNOWN
    result: Shape = ()
    arguments = ("multi_index", "multi_index")
    for index in multi_index:
        result = broadcast(result, shape_of(index), arguments=arguments, suspicious=False)
    return result


@op(numpy="ix_", kind="int")
def ix_(*args: object) -> object:
    """Vectors as an open mesh: each along its own dim.  Source: numpy.ix_."""
    count = len(args)
    result: list[Shape] = []
    for place, vector in enumerate(args):
        if not isinstance(vector, tuple) or not all(isinstance(d, Dim) for d in vector):
            listed = isinstance(vector, (tuple, list)) and not _is_mask(vector)
            length = fresh(_length(vector)) if listed else Dim(UNKNOWN, UNKNOWN)
        else:
            text = "Cross index must be 1 dimensional"
            require_rank(vector, lambda n: n == 1, "1", "args", text=text)
            length = vector[0]
        ones = fresh(1)
        result.append((*(ones,) * place, length, *(ones,) * (count - place - 1)))
    return tuple(result)


def _length(values: Any) -> int:
    return len(values)


def _is_mask(values: Any) -> bool:
    """Whether a list may be a mask, which stands for the indices where it is true."""
    return any(value is UNKNOWN or isinstance(value, bool) for value in values)


@op(numpy="select(condlist, choicelist, default)")
def select(condlist: object, choicelist: object, default: object = 0) -> Shape:
    """Elements of the first choice whose condition holds.  Source: numpy.select."""
    result: Shape = ()
    for group in (condlist, choicelist):
        if not isinstance(group, (tuple, list)) or any(isinstance(d, Dim) for d in group):
            return UNKNOWN
        for entry in group:
            arguments = ("condlist", "choicelist")
            result = broadcast(result, shape_of(entry), arguments=arguments, suspicious=False)
    return result


@op("ndarray.resize", inplace=True, reshapes=True)
def resize_in_place(self: Shape, *new_shape: Size, refcheck: object = True) -> Shape:
    """The array itself with another shape.  Source: numpy.ndarray.resize."""
    return tuple(map(fresh, new_shape))


@op(numpy="resize(input, new_shape)")
def resize(input: Shape, new_shape: Sizes) -> Shape:
    """The elements, repeated to fill the new shape.  Source: numpy.resize."""
    return tuple(map(fresh, new_shape))


@op(numpy="unpackbits(input, dim, count, bitorder)", kind="int")
def unpackbits(
    input: Shape, dim: DimRef | None = None, count: Size | None = None, bitorder: object = "big"
) -> Shape:
    """The 8 bits of each byte along a dim, or of all, in a row.  Source: numpy.unpackbits.

    With `count`, as many bits as it says; less than 0 leaves off so many. Raises DimOutOfRange.
    """
    return _with_bits(input, dim, lambda size: _bits(size, count))


@op(numpy="packbits(input, dim, bitorder)", kind="int")
def packbits(input: Shape, dim: DimRef | None = None, bitorder: object = "big") -> Shape:
    """Bytes of 8 elements each along a dim, or of all, in a row.  Source: numpy.packbits.

    The last byte is filled up with zeros. Raises DimOutOfRange.
    """
    return _with_bits(input, dim, lambda size: sizes.ceil_divide(size, 8))


def _with_bits(input: Shape, dim: DimRef | None, resize: Callable[[Size], Size]) -> Shape:
    if not isinstance(input, tuple):
        return (fresh(UNKNOWN),) if dim is None else UNKNOWN
    if dim is None:
        return (fresh(resize(sizes.product(one.size for one in input))),)
    input = input or (fresh(1),)
    place = check_dim(input, dim)
    if isinstance(place, Unknown):
        return UNKNOWN
    return (*input[:place], fresh(resize(input[place].size)), *input[place + 1 :])


def _bits(size: Size, count: Size | None) -> Size:
    if count is None:
        return sizes.multiply(size, 8)
    if not isinstance(count, int):
        return UNKNOWN
    return count if count >= 0 else sizes.add(sizes.multiply(size, 8), count)


@op(numpy="histogram2d(input, y, bins, range, density, weights)")
def histogram2d(
    input: Dims,
    y: Dims,
    bins: Size | Sizes | object = 10,
    range: object = None,
    density: object = None,
    weights: object = None,
) -> tuple[Shape, Shape, Shape]:
    """Counts `[a, b]` and the edges `[a + 1]` and `[b + 1]`.  Source: numpy.histogram2d."""
    for shape, argument in ((input, "input"), (y, "y")):
        require_rank(shape, lambda n: n == 1, "1", argument)
    mistake = JoinSize(
        left=input, right=y, dim=0, text="x and y must have the same length.", blame=(Blame("y"),)
    )
    require_equal(input[0].size, y[0].size, mistake)
    counts: tuple[Size, ...] = (UNKNOWN, UNKNOWN)
    if _is_size(bins):
        counts = (bins, bins)  # type: ignore[assignment]
    elif isinstance(bins, (tuple, list)) and len(bins) == 2:
        counts = tuple(entry if _is_size(entry) else UNKNOWN for entry in bins)
    first, second = map(fresh, counts)
    edges = tuple((fresh(sizes.add(count, 1)),) for count in counts)
    return (first, second), edges[0], edges[1]


@op(numpy="trim_zeros(input)")
def trim_zeros(input: Shape, trim: object = "fb", dim: object = None) -> Shape:
    """How many elements remain along each dim depends on them.  Source: numpy.trim_zeros."""
    return each_dim(input, lambda dim: dim.resize(UNKNOWN))


@op(numpy="intersect1d(input, other, assume_unique, return_indices)")
def some_of(
    input: Shape,
    other: object = None,
    assume_unique: object = False,
    return_indices: bool = False,
    **options: object,
) -> Shape | tuple[Shape, Shape, Shape]:
    """How many elements remain depends on them; their indices in both arrays, if asked for.

    Source: numpy.intersect1d.
    """
    common = (fresh(UNKNOWN),)
    return (common, common, common) if return_indices else common


@op("torch.segment_reduce")
def segment_reduce(
    data: Shape,
    reduce: object,
    *,
    lengths: Shape | None = None,
    indices: object = None,
    offsets: Shape | None = None,
    axis: object = 0,
    unsafe: object = False,
    initial: object = None,
) -> Shape:
    """One row per segment: `axis` becomes the last dim of `lengths`.

    The last dim of `offsets` is longer by one, so that the result does not take its name.  Source:
    torch.segment_reduce.
    """
    bounds = offsets if lengths is None else lengths
    if not isinstance(data, tuple) or not isinstance(bounds, tuple) or not bounds:
        return UNKNOWN
    if not isinstance(axis, int) or len(bounds) != axis + 1 or len(data) < len(bounds):
        return UNKNOWN
    last = bounds[-1]
    segments = fresh(sizes.subtract(last.size, 1)) if lengths is None else last
    return (*data[:axis], segments, *data[axis + 1 :])


@op(numpy="block(arrays)")
def block(arrays: object) -> Shape:
    """Nested lists of arrays joined: the innermost along the last dim, outer ones before it.

    Source: numpy.block.
    """
    depth = _depth(arrays)
    if depth is None:
        return UNKNOWN
    rank = max(depth, _greatest_rank(arrays))
    return _assembled(arrays, depth, rank)


def _is_array(value: Any) -> bool:
    """A tuple of dims is an array, not a list of arrays."""
    is_shape = isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value)
    return is_shape or isinstance(value, (int, float))


def _depth(arrays: Any) -> int | None:
    """How deep the lists are nested; None if an entry is not an array of known rank."""
    if _is_array(arrays):
        return 0
    if not isinstance(arrays, (tuple, list)):
        return None
    depths = {_depth(entry) for entry in arrays}
    if len(depths) != 1:
        return None
    (inner,) = depths
    return None if inner is None else inner + 1


def _greatest_rank(arrays: Any) -> int:
    if _is_array(arrays):
        return len(arrays) if isinstance(arrays, tuple) else 0
    return max(map(_greatest_rank, arrays))


def _assembled(arrays: Any, depth: int, rank: int) -> Shape:
    if not depth:
        dims: Dims = arrays if isinstance(arrays, tuple) else ()
        return (*(fresh(1),) * (rank - len(dims)), *dims)
    parts = [_assembled(entry, depth - 1, rank) for entry in arrays]
    joined: Shape = apply("numpy.concatenate", tuple(parts), -depth, blame={"arrays": "arrays"})
    return joined


@op(numpy="choose(input, choices, out, mode)", out=True)
def choose(input: Operand, choices: object, mode: object = "raise") -> Shape:
    """For each index the element of that choice.  Source: numpy.choose."""
    return select((input,), choices)


@op(numpy="put_along_axis(input, indices, values, dim)", writes=("input",))
def put_along_axis(input: Shape, indices: object, values: object, dim: object = -1) -> Shape:
    """Writes into the input, and returns nothing: the dims of the input afterwards."""
    return input


@op("ndarray.view")
def view(self: Shape, *args: object, **kwargs: object) -> Shape:
    """The same memory, perhaps as another dtype, which may change the last dim.

    There is one dim more if its elements are arrays.  Raises Unbindable for sizes, which are
    PyTorch's.  Source: numpy.ndarray.view.
    """
    if any(isinstance(argument, (int, Symbolic)) for argument in args):
        raise Unbindable("ndarray.view takes a dtype, not sizes")
    if not args and not kwargs:
        return self
    arrays = any(isinstance(argument, (tuple, list)) for argument in (*args, *kwargs.values()))
    if not isinstance(self, tuple) or not self or arrays:
        return UNKNOWN
    return (*self[:-1], self[-1].resize(UNKNOWN))
