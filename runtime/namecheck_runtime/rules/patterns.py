"""Ops whose dims are named by a pattern: einsum, and the einops family.

The letters live in the pattern only: dims keep the names that their operands gave them.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import element_count, fresh
from namecheck_runtime.alignment import broadcast
from namecheck_runtime.binding import shape_of, size_of
from namecheck_runtime.declare import Fields, Shape, Tensors, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Size,
    Trailing,
    unknown_dims,
)
from namecheck_runtime.layers import layer
from namecheck_runtime.rules.axes import Axes, Letters, bad_pattern, check_axes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from namecheck_runtime.notation.patterns import Equation, Side
    from namecheck_runtime.notation.syntax import WrittenShape


def _read(reader: str, pattern: str, argument: str = "pattern") -> Any:
    """A pattern as its reader understands it.  Raises BadPattern.

    Readers are imported with the first pattern: most programs have none.
    """
    from namecheck_runtime.notation import patterns
    from namecheck_runtime.notation.syntax import NotationError

    try:
        return getattr(patterns, reader)(pattern)
    except NotationError as error:
        bad_pattern(pattern, error.reason, (error.start, error.end), argument)


# einsum


def _einsum_products(arguments: Mapping[str, Any], result: Any) -> Size:
    """The multiply-adds of an equation with its operands behind it."""
    equation = arguments["equation"]
    if not isinstance(equation, str):
        return UNKNOWN
    return _products(_read("read_einsum", equation), _tensors(arguments["operands"]), result)


def _einops_products(arguments: Mapping[str, Any], result: Any) -> Size:
    """The multiply-adds of operands with their pattern behind them."""
    *tensors, pattern = arguments["tensors_and_pattern"]
    if not isinstance(pattern, str):
        return UNKNOWN
    return _products(_read("read_einops_einsum", pattern), _tensors(tensors), result)


def _products(written: Equation, operands: Sequence[Any] | None, result: Any) -> Size:
    """Each element of the result sums over the letters that two operands share.

    What only one of them has is summed before. Of more operands the library multiplies two at a
    time: in which order is its choice.
    """
    if operands is None or len(operands) > 2:
        return UNKNOWN
    places: list[dict[object, Size]] = []
    for part, shape in zip(written.operands, operands, strict=True):
        if not isinstance(shape, tuple):
            return UNKNOWN
        many = len(shape) - sum(not dim.many for dim in part.dims)
        names = [name for dim in part.dims for name in ([None] * many if dim.many else [dim.term])]
        places.append({name: dim.size for name, dim in zip(names, shape, strict=False)})
    kept = {dim.term for dim in written.result.dims}
    summed = [
        sizes.maximum(size, places[1][name])
        for name, size in places[0].items()
        if len(places) > 1 and name is not None and name in places[1] and name not in kept
    ]
    return sizes.product((element_count(result), *summed)) if summed else 0


@op("torch.einsum", numpy="einsum", products=_einsum_products)
def einsum(equation: object, *operands: object) -> Shape:
    """Sums products over the letters that are not in the result.

    Natural names, which torch refused.  A letter's size is one for all operands (a literal 1
    broadcasts); its names unify. Source: torch.einsum, numpy.einsum.
    """
    if not isinstance(equation, str):
        return UNKNOWN
    if any(letter.isdecimal() for letter in equation):
        return UNKNOWN  # only JAX takes `1` for a letter
    written = _read("read_einsum", equation, "equation")
    return _sum_of_products(written, equation, _tensors(operands), "operands")


@op("einops.einsum", products=_einops_products)
def einops_einsum(*tensors_and_pattern: object) -> Shape:
    """einops' einsum: words instead of letters, the pattern last.  Source: einops.einsum."""
    *tensors, pattern = tensors_and_pattern
    if not isinstance(pattern, str):
        return UNKNOWN
    written = _read("read_einops_einsum", pattern)
    return _sum_of_products(written, pattern, _tensors(tensors), "tensors_and_pattern")


def _tensors(operands: Sequence[Any]) -> Sequence[Any] | None:
    """The operands, which may come as one list; None if one of them is not known to be a tensor."""
    if len(operands) == 1 and isinstance(operands[0], list):
        operands = operands[0]
    shapes = [o if not isinstance(o, (int, float)) else () for o in operands]
    are_shapes = all(
        s is UNKNOWN
        or isinstance(s, Trailing)
        or (isinstance(s, tuple) and all(isinstance(d, Dim) for d in s))
        for s in shapes
    )
    return shapes if are_shapes else None


def _sum_of_products(
    written: Equation, pattern: str, operands: Sequence[Any] | None, argument: str
) -> Shape:
    if operands is None:
        return UNKNOWN
    if len(operands) != len(written.operands):
        if any(shape is UNKNOWN for shape in operands) and len(operands) == 1:
            return UNKNOWN  # one unknown argument may be the list of all
        bad_pattern(
            pattern, f"it has {len(written.operands)} operands, but {len(operands)} are given"
        )
    letters = Letters(pattern, argument)
    lead: Shape = ()
    for part, shape in zip(written.operands, operands, strict=True):
        extra = letters.bind(part, shape)
        lead = broadcast(lead, extra, arguments=(argument, argument), suspicious=False)
    return letters.result(written.result, lead)


# einops


@op("einops.rearrange")
def rearrange(tensor: Shape | Tensors, pattern: str, **axes_lengths: object) -> Shape:
    """Transposes, splits and merges dims by a pattern.  Source: einops.rearrange."""
    return _transform("rearrange", tensor, pattern, axes_lengths)


@op("einops.reduce")
def reduce(
    tensor: Shape | Tensors, pattern: str, reduction: object, **axes_lengths: object
) -> Shape:
    """As rearrange; dims that are not on the right are reduced away.

    The reductions "repeat" and "rearrange" are those functions.  Source: einops.reduce.
    """
    return _transform(_function(reduction), tensor, pattern, axes_lengths)


@op("einops.repeat")
def repeat(tensor: Shape | Tensors, pattern: str, **axes_lengths: object) -> Shape:
    """As rearrange; dims only on the right are new, of given lengths.  Source: einops.repeat."""
    return _transform("repeat", tensor, pattern, axes_lengths)


@layer("einops.layers.torch.Rearrange")
class Rearrange:
    """rearrange as a layer."""

    def __init__(self, pattern: str, **axes_lengths: object) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The pattern applied to the input."""
        return _transform("rearrange", input, fields["pattern"], fields["axes_lengths"])


@layer("einops.layers.torch.Reduce")
class Reduce:
    """reduce as a layer."""

    def __init__(self, pattern: str, reduction: object = None, **axes_lengths: object) -> None: ...

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The pattern applied to the input."""
        function = _function(fields["reduction"])
        return _transform(function, input, fields["pattern"], fields["axes_lengths"])


@layer("einops.layers.torch.EinMix")
class EinMix:
    """A weight over named axes: those only on the left are summed, those only on the right are new.

    Source: einops.layers.torch.EinMix.
    """

    def __init__(
        self, pattern: str, weight_shape: object, bias_shape: object = None, **axes_lengths: object
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[*weight_shape]`, bias as the result with 1s for all other axes."""
        names, lengths = fields["weight_shape"], fields["axes_lengths"]
        shapes: dict[str, Shape | None] = {}
        if isinstance(names, str):
            shapes["weight"] = tuple(fresh(lengths.get(name, UNKNOWN)) for name in names.split())
        bias_axes = fields["bias_shape"]
        if bias_axes is None:
            shapes["bias"] = None
        elif isinstance(bias_axes, str) and isinstance(fields["pattern"], str):
            right = _read("read_einops", fields["pattern"]).right
            shapes["bias"] = tuple(
                fresh(
                    sizes.product(
                        lengths.get(dim.term, UNKNOWN)
                        for dim in group.dims
                        if dim.term in bias_axes.split()
                    )
                )
                for group in right.groups
            )
        return shapes

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The axes on the right."""
        return _transform("mix", input, fields["pattern"], fields["axes_lengths"])


def _function(reduction: object) -> str:
    """The function whose patterns a reduction has; "" if it is not known."""
    if reduction is UNKNOWN:
        return ""
    return reduction if reduction in ("rearrange", "repeat") else "reduce"


def _transform(
    function: str, tensor: Shape | Tensors, pattern: object, lengths: Mapping[str, Any]
) -> Shape:
    if not isinstance(pattern, str):
        return UNKNOWN
    left, right = _read("read_einops", pattern)
    if function:
        check_axes(function, pattern, left, right, lengths)
    axes = Axes(pattern, lengths)
    axes.bind(left, _stacked(tensor))
    return axes.result(right)


def _stacked(tensor: Shape | Tensors) -> Shape:
    """A tensor, or a list of tensors stacked along a new first dim, as einops does."""
    if isinstance(tensor, (tuple, list)) and tensor and not isinstance(tensor[0], Dim):
        stacked: Shape = apply("torch.stack", tensor, blame={"tensors": "tensor"})
        return stacked
    return tensor  # type: ignore[return-value]  # its members are dims


@op("einops.parse_shape")
def parse_shape(x: Shape, pattern: object) -> object:
    """A dict from names to sizes, which the checker makes; here only its pattern is checked.

    Source: einops.parse_shape.
    """
    if isinstance(pattern, str):
        side: Side = _read("read_einops_shape", pattern)
        dots = any(dim.many for group in side.groups for dim in group.dims)
        if isinstance(x, tuple) and not dots and len(x) != len(side.groups):
            bad_pattern(
                pattern, f"it has {len(side.groups)} dims, but the tensor has {len(x)}", None, "x"
            )
    return UNKNOWN


@op("einops.pack")
def pack(tensors: object, pattern: object) -> tuple[Shape, object]:
    """Joins tensors over `*`, where each may have any number of dims, and answers the sizes there.

    Raises what joining raises, BadPattern.  Source: einops.pack.
    """
    if not isinstance(pattern, str) or not isinstance(tensors, (tuple, list)) or not tensors:
        return UNKNOWN, UNKNOWN
    written: WrittenShape = _read("read_einops_pack", pattern)
    place = next(k for k, dim in enumerate(written.dims) if dim.many)
    behind = len(written.dims) - place - 1
    flat: list[Dims] = []
    packed: list[tuple[Size, ...]] = []
    for tensor in tensors:
        shape = shape_of(tensor)
        if not isinstance(shape, tuple) or len(shape) < place + behind:
            return unknown_dims(len(written.dims)), UNKNOWN
        stop = len(shape) - behind
        middle = tuple(dim.size for dim in shape[place:stop])
        flat.append((*shape[:place], fresh(sizes.product(middle)), *shape[stop:]))
        packed.append(middle)
    return apply("torch.cat", tuple(flat), place, blame={"dim": "pattern"}), tuple(packed)


@op("einops.unpack")
def unpack(tensor: object, packed_shapes: object, pattern: object) -> object:
    """The tensors that `pack` joined, with the sizes at `*` that it answered.

    Raises BadPattern.  Source: einops.unpack.
    """
    if not isinstance(pattern, str):
        return UNKNOWN
    written: WrittenShape = _read("read_einops_pack", pattern)
    place = next(k for k, dim in enumerate(written.dims) if dim.many)
    tensor = shape_of(tensor)
    if not isinstance(packed_shapes, (tuple, list)) or not isinstance(tensor, tuple):
        return UNKNOWN
    if not all(isinstance(packed, (tuple, list)) for packed in packed_shapes):
        return UNKNOWN
    if len(tensor) != len(written.dims):
        return UNKNOWN
    middles = _unpacked_sizes(
        [[size_of(size) for size in packed] for packed in packed_shapes], tensor[place].size
    )
    return tuple((*tensor[:place], *map(fresh, middle), *tensor[place + 1 :]) for middle in middles)


def _unpacked_sizes(packed: list[list[Size]], total: Size) -> list[list[Size]]:
    """The sizes of each tensor at `*`, with a -1 computed from the others."""
    if any(size is UNKNOWN for listed in packed for size in listed):
        # Any of them may be the -1.
        return [[UNKNOWN if size == -1 else size for size in listed] for listed in packed]
    for listed in packed:
        if -1 in listed:
            others = sizes.total(sizes.product(other) for other in packed if other is not listed)
            rest = sizes.product(size for size in listed if size != -1)
            listed[listed.index(-1)] = sizes.divide_exactly(sizes.subtract(total, others), rest)
    return packed
