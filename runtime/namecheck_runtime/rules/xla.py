"""XLA's broadcasting: the program places every dim, and no rank is promoted from the right.

NumPy's implicit rank promotion is one named rule (`numpy.broadcast_shapes`, and
`alignment.broadcast`, which doubts it as NC209); XLA has no such rule.  Source: XLA's broadcasting
semantics, jax.lax.broadcast_in_dim.
"""

from __future__ import annotations

from itertools import pairwise

from namecheck_runtime.algebra import fresh, require_equal
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.binding import size_of
from namecheck_runtime.declare import Dims, Shape, Sizes, op
from namecheck_runtime.lattice import UNKNOWN, Dim, Size, Truth
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.broadcasts import ExplicitBroadcast
from namecheck_runtime.sizes import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def _refuse(
    left: Shape,
    right: Shape,
    text: str,
    argument: str = "broadcast_dimensions",
    is_lifted: bool = False,
) -> NoReturn:
    blame = (Blame(argument),)
    raise ExplicitBroadcast(text=text, left=left, right=right, is_lifted=is_lifted, blame=blame)


def _ints(sizes: Sizes | None) -> tuple[int, ...] | None:
    """The entries; None unless all of them are known."""
    if sizes is None:
        return ()
    return (
        tuple(s for s in sizes if isinstance(s, int))
        if all(isinstance(s, int) for s in sizes)
        else None
    )


def _fits(left: Shape, right: Shape, small: Dim, large: Size, text: str, both: bool) -> None:
    """Require two sizes to be equal, or the placed one (with `both`: either) to be 1."""
    if small.size == 1 or (both and large == 1):
        return
    mistake = ExplicitBroadcast(text=text, left=left, right=right, blame=(Blame("operand"),))
    if compare(small.size, 1) is Truth.MAYBE or (both and compare(large, 1) is Truth.MAYBE):
        return  # a size that may be 1 fits
    require_equal(small.size, large, mistake)


@op("xla.add")
def add(lhs: Dims, rhs: Dims, broadcast_dimensions: Sizes | None = None) -> Shape:
    """A binary op of XLA, of a scalar and anything, or of equal ranks, whose sizes may be 1.

    Other ranks need `broadcast_dimensions`, which place the dims of the lower-rank operand.
    """
    places = _ints(broadcast_dimensions)
    if places is None:
        return UNKNOWN
    low, high = (lhs, rhs) if len(lhs) <= len(rhs) else (rhs, lhs)
    if len(lhs) == len(rhs):
        if places and places != tuple(range(len(lhs))):
            text = (
                "Broadcast dimensions field must either be not set or be the identity on binary "
                "operations with operands of the same rank."
            )
            _refuse(lhs, rhs, text)
        return _combine(lhs, rhs, lhs, rhs)
    if not places and not low:
        return high
    if not places:
        _refuse(
            lhs, rhs, f"Shapes must be equal rank, but are {_sizes(low)} and {_sizes(high)}", "lhs"
        )
    return _combine(_place(low, high, places), high, lhs, rhs)


def _sizes(shape: Dims) -> str:
    return "[" + ",".join(str(dim.size) for dim in shape) + "]"


def _place(low: Dims, high: Dims, places: tuple[int, ...]) -> Dims:
    """The lower-rank operand with its dims where `places` says, and dims of size 1 elsewhere."""
    if len(places) != len(low):
        text = (
            "Size of broadcast_dimensions has to match lower-rank operand's rank;  lower-rank "
            f"operand's rank is {len(low)}, size of broadcast_dimensions is {len(places)}."
        )
        _refuse(low, high, text)
    placed = [fresh(1)] * len(high)
    previous = -1
    for index, place in enumerate(places):
        if place < 0:
            _refuse(low, high, f"Broadcast dimension number ({place}) cannot be negative.")
        if place >= len(high):
            text = (
                f"Broadcast dimension number ({place}) too large; higher-rank operand has rank "
                f"{len(high)}."
            )
            _refuse(low, high, text)
        text = f"Broadcast dimension {index} mismatch: {low[index].size} != {high[place].size}; "
        _fits(
            low,
            high,
            low[index],
            high[place].size,
            text + f"{_sizes(low)} and {_sizes(high)}.",
            True,
        )
        if index and place <= previous:
            _refuse(
                low, high, f"Broadcast dimensions order is wrong: {place} comes after {previous}."
            )
        placed[place] = low[index]
        previous = place
    return tuple(placed)


def _combine(left: Dims, right: Dims, lhs: Dims, rhs: Dims) -> Dims:
    """Equal ranks: sizes are equal or 1, and the other size is taken (so 1 with 0 gives 0)."""
    text = f"Binary op with incompatible shapes: {_sizes(lhs)} and {_sizes(rhs)}."
    for mine, other in zip(left, right, strict=True):
        _fits(lhs, rhs, mine, other.size, text, True)
    result = broadcast(left, right, arguments=("lhs", "rhs"), suspicious=False)
    assert isinstance(result, tuple)
    return result


@op("xla.broadcast_in_dim")
def broadcast_in_dim(operand: Dims, shape: Sizes, broadcast_dimensions: Sizes) -> Shape:
    """XLA's BroadcastInDim: dim k of the operand is dim `broadcast_dimensions[k]` of the result.

    Its size must be 1 or the result's.  Checked in XLA's order: count, rank, then each
    entry.
    """
    places = _ints(broadcast_dimensions)
    if places is None:
        return tuple(fresh(size) for size in shape)
    target = tuple(fresh(size) for size in shape)
    if len(places) != len(operand):
        text = (
            "Size of broadcast_dimensions has to match operand's rank; operand rank: "
            f"{len(operand)}, size of broadcast_dimensions {len(places)}."
        )
        _refuse(operand, target, text)
    if len(operand) > len(target):
        text = (
            "InDim style broadcast must be to an equal or higher ranked shape; operand rank: "
            f"{len(operand)}; output rank: {len(target)}"
        )
        _refuse(operand, target, text, "operand")
    for index, place in enumerate(places):
        if not 0 <= place < len(target):
            _refuse(operand, target, f"Broadcast dimension {place} is out of bound")
        text = (
            "Input dimension should be either 1 or equal to the output dimension it is "
            f"broadcasting into; the {index}th operand dimension is {operand[index].size}, the "
            f"{place}th output dimension is {target[place].size}."
        )
        _fits(operand, target, operand[index], target[place].size, text, False)
        if index and place <= places[index - 1]:
            text = f"Broadcast dimensions order is wrong: {place} comes after {places[index - 1]}."
            _refuse(operand, target, text)
    return _placed(operand, target, places)


def _placed(operand: Dims, target: Dims, places: tuple[int, ...]) -> Dims:
    """The target with the operand's own dims where they were placed unchanged."""
    result = list(target)
    for dim, place in zip(operand, places, strict=True):
        if dim.size == target[place].size:
            result[place] = dim
        else:
            result[place] = Dim(dim.name, target[place].size)
    return tuple(result)


@op("jax.lax.broadcast_in_dim")
def lax_broadcast_in_dim(
    operand: Dims, shape: Sizes, broadcast_dimensions: Sizes, *, out_sharding: object = None
) -> Shape:
    """As XLA's BroadcastInDim, with JAX's messages in JAX's order.

    The order is shape, count, rank, subset, sizes, increasing.
    """
    target = tuple(fresh(size) for size in shape)
    places = _ints(broadcast_dimensions)
    if places is None:
        return target
    sizes, wanted = tuple(d.size for d in operand), tuple(shape)
    for argument, listed in (("shape", wanted), ("broadcast_dimensions", places)):
        if any(isinstance(entry, int) and entry < 0 for entry in listed):
            text = (
                f"broadcast_in_dim {argument} must have every element be nonnegative, got {listed}."
            )
            _refuse(operand, target, text, argument)
    if len(places) != len(operand):
        text = (
            "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim; got "
            f"broadcast_dimensions {places} for operand ndim {len(operand)}."
        )
        _refuse(operand, target, text)
    if len(target) < len(operand):
        text = (
            "broadcast_in_dim target broadcast shape must have equal or higher rank to the "
            f"operand shape; got operand ndim {len(operand)} and target broadcast ndim "
            f"{len(target)}."
        )
        _refuse(operand, target, text, "operand")
    if any(not 0 <= place < len(target) for place in places):
        text = (
            "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got "
            f"{places} for operand ndim {len(operand)} and shape {wanted}."
        )
        _refuse(operand, target, text)
    text = (
        "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their "
        f"corresponding dimensions in the target broadcast shape; got operand of shape {sizes}, "
        f"target broadcast shape {wanted}, broadcast_dimensions {places} "
    )
    for dim, place in zip(operand, places, strict=True):
        _fits(operand, target, dim, target[place].size, text, False)
    if any(b <= a for a, b in pairwise(places)):
        text = (
            "broadcast_in_dim broadcast_dimensions must be strictly increasing; got "
            f"broadcast_dimensions {places}"
        )
        # JAX 0.10 takes them in any order, older versions do not.
        _refuse(operand, target, text, is_lifted=len(set(places)) == len(places))
    return _placed(operand, target, places)


@op("torch.broadcast_shapes", numpy="broadcast_shapes")
def broadcast_shapes(*shapes: object) -> Sizes:
    """NumPy's implicit rank promotion: the sizes of shapes lined up from the right."""
    result: Shape = ()
    for sizes in shapes:
        listed = (sizes,) if isinstance(sizes, int) else sizes
        if not isinstance(listed, (tuple, list)):
            return UNKNOWN  # type: ignore[return-value]
        result = broadcast(
            result,
            tuple(fresh(size_of(s)) for s in listed),
            arguments=("shapes", "shapes"),
            suspicious=False,
        )
    assert isinstance(result, tuple)
    return tuple(dim.size for dim in result)
