"""Ops that only jax.lax has.

General contractions and convolutions, broadcasting in front, reductions of listed axes, padding
between elements.  Slices live in `index`, `broadcast_in_dim` in `xla`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    drop,
    fresh,
    merge,
    positions,
    require_equal,
    require_rank,
)
from namecheck_runtime.alignment import broadcast as broadcast_dims
from namecheck_runtime.declare import Dims, Operand, Shape, Size, Sizes, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import UNKNOWN, Dim, Symbolic
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.sizes import BadExtent, ContractionSize
from namecheck_runtime.rules.pointwise import keeps, unifies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

keeps(
    "jax.lax.acos",
    "jax.lax.acosh",
    "jax.lax.asin",
    "jax.lax.asinh",
    "jax.lax.atan",
    "jax.lax.atanh",
    "jax.lax.bessel_i0e",
    "jax.lax.bitwise_not",
    "jax.lax.cbrt",
    "jax.lax.clz",
    "jax.lax.erf_inv",
    "jax.lax.integer_pow (y)",
    "jax.lax.population_count",
    inplace=False,
    out=False,
)
unifies(
    "jax.lax.bitwise_and",
    "jax.lax.bitwise_or",
    "jax.lax.bitwise_xor",
    "jax.lax.shift_left",
    "jax.lax.shift_right_arithmetic",
    "jax.lax.shift_right_logical",
    inplace=False,
)


@op("jax.lax.select_n")
def select_n(which: Operand, *cases: Operand) -> Shape:
    """Elements of the case that `which` selects; all cases have one shape.  Source: jax.lax."""
    result: Shape = ()
    for case in cases:
        result = broadcast_dims(result, case, arguments=("cases", "cases"), suspicious=False)
    return result


# Made from sizes.


@op("jax.lax.iota")
def iota(dtype: object, size: Size) -> Shape:
    """Counts from 0: `[size]`.  Source: jax.lax.iota."""
    return (fresh(size),)


@op("jax.lax.broadcasted_iota")
def broadcasted_iota(
    dtype: object, shape: Sizes, dimension: object, *, out_sharding: object = None
) -> Shape:
    """Counts from 0 along one dim of the shape.  Source: jax.lax.broadcasted_iota."""
    return tuple(map(fresh, shape))


@op("jax.lax.broadcast")
def broadcast(operand: Operand, sizes: Sizes, *, out_sharding: object = None) -> Shape:
    """New dims of these sizes in front.  Source: jax.lax.broadcast."""
    if not isinstance(operand, tuple):
        return operand
    return (*map(fresh, sizes), *operand)


@op("jax.lax.broadcast_shapes")
def broadcast_shapes(*shapes: object) -> Sizes:
    """Source: jax.lax.broadcast_shapes, which broadcasts as NumPy does."""
    result: Sizes = apply("torch.broadcast_shapes", *shapes)
    return result


@op("jax.lax.collapse")
def collapse(operand: Dims, start_dimension: int, stop_dimension: int | None = None) -> Shape:
    """The dims from start to stop (not included) as one.  Source: jax.lax.collapse."""
    rank = len(operand)
    start = start_dimension + rank if start_dimension < 0 else start_dimension
    stop = rank if stop_dimension is None else stop_dimension
    stop = stop + rank if stop < 0 else stop
    if not 0 <= start < stop <= rank:
        return UNKNOWN
    return (*operand[:start], merge(operand[start:stop]), *operand[stop:])


# Reductions.


@op("jax.lax.reduce_sum")
@op("jax.lax.reduce_max")
@op("jax.lax.reduce_min")
def reduce(operand: Dims, axes: Sizes) -> Shape:
    """Drops the axes.  Raises DimOutOfRange, RepeatedDim.  Source: jax.lax.reduce_sum_p."""
    listed = tuple(axis if isinstance(axis, int) else UNKNOWN for axis in axes)
    dropped = positions(operand, listed, "axes")
    return drop(operand, dropped) if isinstance(dropped, tuple) else UNKNOWN


# Padding, between elements too.


@op("jax.lax.pad")
def pad(operand: Dims, padding_value: object, padding_config: object) -> Shape:
    """`(low, high, interior)` for each dim.  Source: jax.lax.pad."""
    if not isinstance(padding_config, (tuple, list)):
        return tuple(dim.resize(UNKNOWN) for dim in operand)
    if len(padding_config) != len(operand):
        wanted = str(len(padding_config))
        blame = (Blame("operand"), Blame("padding_config"))
        raise RankMismatch(shape=operand, wanted=wanted, blame=blame)
    result: list[Dim] = []
    for dim, entry in zip(operand, padding_config, strict=True):
        size: Size = UNKNOWN
        if isinstance(entry, (tuple, list)) and len(entry) == 3:
            low, high, between = map(_size, entry)
            gaps = sizes.multiply(between, sizes.subtract(dim.size, 1))
            if dim.size == 0:
                gaps = 0
            size = sizes.total((dim.size, low, high, gaps))
        if isinstance(size, int) and size < 0:
            text = f"padding {entry} gives a dim of size {dim.size} a negative size"
            raise BadExtent(shape=operand, reason=text, text=text, blame=(Blame("padding_config"),))
        result.append(dim if size == dim.size else dim.resize(size))
    return tuple(result)


def _size(value: object) -> Size:
    return value if isinstance(value, (int, Symbolic)) else UNKNOWN


# Contractions.


def _contract(left: Dims, right: Dims, mine: int, other: int) -> None:
    first, second = left[mine].size, right[other].size
    if first == second:
        return
    mistake = ContractionSize(
        left=left,
        right=right,
        left_size=first,
        right_size=second,
        blame=(Blame("lhs", mine), Blame("rhs", other)),
    )
    require_equal(first, second, mistake)


@op("jax.lax.dot")
def dot(
    lhs: Dims, rhs: Dims, precision: object = None, preferred_element_type: object = None
) -> Shape:
    """The product of vectors and matrices.  Source: jax.lax.dot."""
    for shape, argument in ((lhs, "lhs"), (rhs, "rhs")):
        require_rank(shape, lambda n: n in (1, 2), "1 or 2", argument)
    _contract(lhs, rhs, -1, 0)
    return (*lhs[:-1], *rhs[1:])


@op("jax.lax.batch_matmul")
def batch_matmul(lhs: Dims, rhs: Dims, precision: object = None) -> Shape:
    """`[*b, m, k], [*b, k, n] -> [*b, m, n]`.  Source: jax.lax.batch_matmul."""
    require_rank(lhs, lambda n: n >= 2, "at least 2", "lhs")
    require_rank(rhs, lambda n: n == len(lhs), str(len(lhs)), "rhs")
    for place in range(len(lhs) - 2):
        _contract(lhs, rhs, place, place)
    _contract(lhs, rhs, -1, -2)
    return (*lhs[:-1], rhs[-1])


@op("jax.lax.dot_general")
def dot_general(
    lhs: Dims,
    rhs: Dims,
    dimension_numbers: object,
    precision: object = None,
    preferred_element_type: object = None,
    *,
    out_sharding: object = None,
) -> Shape:
    """Batch dims first, then the remaining dims of lhs, then those of rhs.

    `dimension_numbers` is `((lhs contracting, rhs contracting), (lhs batch, rhs batch))`.
    Source: jax.lax.dot_general.
    """
    read = _dimension_numbers(dimension_numbers)
    if read is None:
        return UNKNOWN
    (mine, other), (mine_batch, other_batch) = read
    for left, right in ((mine, other), (mine_batch, other_batch)):
        if len(left) != len(right):
            raise RankMismatch(
                shape=rhs, wanted="equally many contracted", blame=(Blame("dimension_numbers"),)
            )
    ours = positions(lhs, (*mine_batch, *mine), "dimension_numbers")
    theirs = positions(rhs, (*other_batch, *other), "dimension_numbers")
    if not isinstance(ours, tuple) or not isinstance(theirs, tuple):
        return UNKNOWN
    for first, second in zip(ours, theirs, strict=True):
        _contract(lhs, rhs, first, second)
    batch = tuple(lhs[place] for place in ours[: len(mine_batch)])
    return (*batch, *drop(lhs, ours), *drop(rhs, theirs))


_Places = tuple[int, ...]


def _dimension_numbers(
    value: Any,
) -> tuple[tuple[_Places, _Places], tuple[_Places, _Places]] | None:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    pairs: list[tuple[_Places, _Places]] = []
    for pair in value:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            return None
        if not all(isinstance(side, (tuple, list)) for side in pair):
            return None
        if not all(isinstance(place, int) for side in pair for place in side):
            return None
        pairs.append((tuple(pair[0]), tuple(pair[1])))
    return pairs[0], pairs[1]


# Convolutions.


class _Layout(NamedTuple):
    """The places of an operand's dims: two that are not spatial, and the spatial ones in order."""

    first: int
    second: int
    spatial: tuple[int, ...]


def _layouts(numbers: Any, rank: int) -> tuple[_Layout, _Layout, _Layout] | None:
    """The places in lhs, rhs and the result; None if they are not known."""
    if numbers is None:
        usual = _Layout(0, 1, tuple(range(2, rank)))
        return usual, usual, usual
    if not isinstance(numbers, (tuple, list)) or len(numbers) != 3:
        return None
    if not all(isinstance(text, str) and len(text) == rank for text in numbers):
        return None
    left, right, out = numbers
    if not all(letter in left and letter in out for letter in "NC") or "O" not in right:
        return None
    if "I" not in right:
        return None
    letters = [letter for letter in left if letter not in "NC"]
    if any(letter not in right or letter not in out for letter in letters):
        return None
    return (
        _Layout(left.index("N"), left.index("C"), tuple(map(left.index, letters))),
        _Layout(right.index("O"), right.index("I"), tuple(map(right.index, letters))),
        _Layout(out.index("N"), out.index("C"), tuple(map(out.index, letters))),
    )


@op("jax.lax.conv_general_dilated")
def conv_general_dilated(
    lhs: Dims,
    rhs: Dims,
    window_strides: Sizes,
    padding: object,
    lhs_dilation: Sizes | None = None,
    rhs_dilation: Sizes | None = None,
    dimension_numbers: object = None,
    feature_group_count: Size = 1,
    batch_group_count: object = 1,
    precision: object = None,
    preferred_element_type: object = None,
) -> Shape:
    """A convolution whose dims are where `dimension_numbers` says.

    Source: jax.lax.conv_general_dilated.
    """
    require_rank(lhs, lambda n: n >= 2, "at least 2", "lhs")
    require_rank(rhs, lambda n: n == len(lhs), str(len(lhs)), "rhs")
    layouts = _layouts(dimension_numbers, len(lhs))
    if layouts is None or batch_group_count != 1:
        return (Dim(UNKNOWN, UNKNOWN),) * len(lhs)
    left, right, out = layouts
    wanted = sizes.multiply(rhs[right.second].size, feature_group_count)
    mistake = ContractionSize(
        left=lhs,
        right=rhs,
        left_size=lhs[left.second].size,
        right_size=wanted,
        blame=(Blame("lhs", left.second), Blame("rhs", right.second)),
    )
    require_equal(lhs[left.second].size, wanted, mistake)
    result: list[Dim] = [Dim(UNKNOWN, UNKNOWN)] * len(lhs)
    result[out.first] = lhs[left.first]
    result[out.second] = rhs[right.first]
    for index, place in enumerate(left.spatial):
        dim = lhs[place]
        window = _Window(
            rhs[right.spatial[index]].size,
            _entry(window_strides, index),
            _entry(lhs_dilation, index),
            _entry(rhs_dilation, index),
        )
        size = window.places(dim.size, _ends(padding, index))
        result[out.spatial[index]] = dim if size == dim.size else dim.resize(size)
    return tuple(result)


@op("jax.lax.conv")
def conv(
    lhs: Dims,
    rhs: Dims,
    window_strides: Sizes,
    padding: object,
    precision: object = None,
    preferred_element_type: object = None,
) -> Shape:
    """`[N, C, *in], [O, C, *k] -> [N, O, *out]`.  Source: jax.lax.conv."""
    return conv_general_dilated(lhs, rhs, window_strides, padding)


def _entry(values: Sizes | None, index: int) -> Size:
    if values is None:
        return 1
    return values[index] if index < len(values) else UNKNOWN


def _ends(padding: Any, index: int) -> str | tuple[Size, Size]:
    """The padding of one dim: "SAME", "VALID" or both ends."""
    if isinstance(padding, str):
        return padding.upper()
    if isinstance(padding, (tuple, list)) and index < len(padding):
        pair = padding[index]
        if isinstance(pair, (tuple, list)) and len(pair) == 2:
            return _size(pair[0]), _size(pair[1])
    return UNKNOWN, UNKNOWN


class _Window(NamedTuple):
    kernel: Size
    stride: Size
    spread_input: Size
    spread_kernel: Size

    def places(self, size: Size, padding: str | tuple[Size, Size]) -> Size:
        """How many places the window has.  Source: XLA's ConvGeneralDilated."""
        size = _spread(size, self.spread_input)
        if padding in ("SAME", "SAME_LOWER"):
            return size if self.stride == 1 else sizes.ceil_divide(size, self.stride)
        low, high = padding if isinstance(padding, tuple) else (0, 0)
        room = sizes.subtract(
            sizes.total((size, low, high)), _spread(self.kernel, self.spread_kernel)
        )
        if self.stride == 1:
            return sizes.add(room, 1)
        return sizes.floor_divide(sizes.add(room, self.stride), self.stride)


def _spread(size: Size, dilation: Size) -> Size:
    if dilation == 1:
        return size
    return sizes.add(sizes.multiply(sizes.subtract(size, 1), dilation), 1)


# Keys of random numbers.  `jax.random.PRNGKey` makes a different array for each generator.


@op("jax.random.key", kind="unknown")
def random_key(seed: object, *, impl: object = None) -> Shape:
    """A key has no dims.  Source: jax.random.key."""
    return ()


@op("jax.random.split", kind="unknown")
def split_key(key: Dims, num: Sizes = (2,)) -> Shape:
    """`num` new keys, as dims in front.  Source: jax.random.split."""
    return (*map(fresh, num), *key)


@op("jax.random.fold_in", kind="unknown")
def fold_in(key: Shape, data: object) -> Shape:
    """A new key from a key and data.  Source: jax.random.fold_in."""
    return key
