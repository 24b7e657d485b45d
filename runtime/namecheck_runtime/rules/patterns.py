"""Ops whose dims are named by a pattern: einsum, and the einops family.

The letters live in the pattern only: dims keep the names that their operands gave them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    broadcast,
    check_distinct,
    fresh,
    merge,
    require_equal,
    unify,
    unify_names,
)
from namecheck_runtime.declare import Fields, Shape, Tensors, layer, op
from namecheck_runtime.infer import apply
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Size,
    Trailing,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import BadPattern
from namecheck_runtime.mistakes.names import NameMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize

if TYPE_CHECKING:
    from namecheck_runtime.notation.patterns import Equation, Group, Side
    from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape


def _bad(
    pattern: str, reason: str, span: tuple[int, int] | None = None, argument: str = ""
) -> NoReturn:
    blame = (Blame(argument),) if argument else ()
    raise BadPattern(pattern=pattern, reason=reason, span=span, blame=blame)


def _read(reader: str, pattern: str, argument: str = "pattern") -> Any:
    """What a pattern says.  Raises BadPattern.

    Readers are imported with the first pattern: most programs have none.
    """
    from namecheck_runtime.notation import patterns
    from namecheck_runtime.notation.syntax import NotationError

    try:
        return getattr(patterns, reader)(pattern)
    except NotationError as error:
        _bad(pattern, error.reason, (error.start, error.end), argument)


# einsum


@op("torch.einsum", numpy="einsum")
def einsum(equation: object, *operands: object) -> Shape:
    """Sums products over the letters that are not in the result.  Natural names, which torch
    refused.

    A letter's size is one for all operands (a literal 1 broadcasts); its names unify.
    Source: torch.einsum, numpy.einsum.
    """
    if not isinstance(equation, str):
        return UNKNOWN
    if any(letter.isdecimal() for letter in equation):
        return UNKNOWN  # JAX, alone of the three, takes `1` for a letter
    written = _read("read_einsum", equation, "equation")
    return _sum_of_products(written, equation, _tensors(operands), "operands")


@op("einops.einsum")
def einops_einsum(*tensors_and_pattern: object) -> Shape:
    """einops' einsum: words instead of letters, the pattern last.  Source: einops.einsum."""
    *tensors, pattern = tensors_and_pattern
    if not isinstance(pattern, str):
        return UNKNOWN
    written = _read("read_einops_einsum", pattern)
    return _sum_of_products(written, pattern, _tensors(tensors), "tensors_and_pattern")


def _tensors(operands: Sequence[Any]) -> Sequence[Any] | None:
    """The operands, which may come as one list; None when one of them is no tensor that we know."""
    if len(operands) == 1 and isinstance(operands[0], list):
        operands = operands[0]
    shapes = [o if not isinstance(o, int | float) else () for o in operands]
    taken = all(
        s is UNKNOWN
        or isinstance(s, Trailing)
        or (isinstance(s, tuple) and all(isinstance(d, Dim) for d in s))
        for s in shapes
    )
    return shapes if taken else None


def _sum_of_products(
    written: Equation, pattern: str, operands: Sequence[Any] | None, argument: str
) -> Shape:
    if operands is None:
        return UNKNOWN
    if len(operands) != len(written.operands):
        if any(shape is UNKNOWN for shape in operands) and len(operands) == 1:
            return UNKNOWN  # one unknown argument may be the list of all
        _bad(pattern, f"it has {len(written.operands)} operands, but {len(operands)} are given")
    letters = _Letters(pattern, argument)
    lead: Shape = ()
    for part, shape in zip(written.operands, operands, strict=True):
        extra = letters.bind(part, shape)
        lead = broadcast(lead, extra, arguments=(argument, argument), suspicious=False)
    return letters.result(written.result, lead)


class _Letters:
    """The dims that the letters of one equation stand for."""

    def __init__(self, pattern: str, argument: str) -> None:
        self.pattern = pattern
        self.argument = argument
        self.dims: dict[str, Dim] = {}
        self.shapes: dict[str, Shape] = {}

    def bind(self, part: WrittenShape, shape: Shape) -> Shape:
        """Bind the letters of one operand; returns the dims under its `...`."""
        many = next((k for k, dim in enumerate(part.dims) if dim.many), None)
        fixed = len(part.dims) - (many is not None)
        if isinstance(shape, tuple) and (
            len(shape) != fixed if many is None else len(shape) < fixed
        ):
            words = "at least " * (many is not None) + str(fixed)
            _bad(
                self.pattern,
                f"this operand is written with {words} dims, but it has {len(shape)}",
                (part.start, part.end),
                self.argument,
            )
        if isinstance(shape, tuple):
            dims = shape
        else:
            known = known_dims(shape)[-fixed:] if fixed else ()
            dims = unknown_dims(fixed - len(known)) + known
            if many not in (None, 0):
                dims = unknown_dims(fixed)  # what is known from the right may be under the dots
        stop = len(dims) - (len(part.dims) - many - 1) if many is not None else len(dims)
        front = part.dims if many is None else part.dims[:many]
        back = () if many is None else part.dims[many + 1 :]
        for written, dim in zip(front, dims, strict=False):
            self._take(written, dim, shape)
        for written, dim in zip(back, dims[stop:], strict=True):
            self._take(written, dim, shape)
        if many is None:
            return ()
        return shape[many:stop] if isinstance(shape, tuple) else UNKNOWN

    def _take(self, written: WrittenDim, dim: Dim, shape: Shape) -> None:
        letter = str(written.term)
        earlier = self.dims.get(letter)
        if earlier is None:
            self.dims[letter] = dim
            self.shapes[letter] = shape
            return
        if earlier.size != dim.size and earlier.size != 1 and dim.size != 1:
            require_equal(
                earlier.size,
                dim.size,
                ContractionSize(
                    left=self.shapes[letter],
                    right=shape,
                    left_size=earlier.size,
                    right_size=dim.size,
                    text=f"einsum(): operands do not broadcast with remapped shapes: '{letter}' is "
                    f"{earlier.size} and {dim.size}",
                    blame=(Blame(self.argument),),
                ),
            )
        if isinstance(earlier.name, str) and isinstance(dim.name, str) and earlier.name != dim.name:
            raise NameMismatch(
                left=self.shapes[letter],
                right=shape,
                position=-1,
                left_name=earlier.name,
                right_name=dim.name,
                action=f"contract '{letter}' of",
                blame=(Blame(self.argument),),
            )
        self.dims[letter] = _agreed(earlier, dim)

    def result(self, part: WrittenShape, lead: Shape) -> Shape:
        """The result's dims; a letter that no operand has is refused by the notation already."""
        dims: list[Dim] = []
        led = False
        for written in part.dims:
            if written.many:
                if not isinstance(lead, tuple):
                    led, dims = True, []
                dims.extend(known_dims(lead))
            else:
                dims.append(self.dims[str(written.term)])
        check_distinct((dim.name for dim in dims), self.argument)
        return trailing(tuple(dims)) if led else tuple(dims)


def _agreed(earlier: Dim, dim: Dim) -> Dim:
    """One dim out of two that are required to be one."""
    if earlier.size == dim.size or earlier.size == 1 or dim.size == 1:
        return unify(earlier, dim)
    name = unify_names(earlier.name, dim.name)
    if earlier.size is UNKNOWN or isinstance(dim.size, int):
        return Dim(name, dim.size, dim.trace)
    return Dim(name, earlier.size, earlier.trace)


# einops


@op("einops.rearrange")
def rearrange(tensor: Shape | Tensors, pattern: str, **axes_lengths: object) -> Shape:
    """Transposes, splits and merges dims by a pattern.  Source: einops.rearrange."""
    return _transform("rearrange", tensor, pattern, axes_lengths)


@op("einops.reduce")
def reduce(
    tensor: Shape | Tensors, pattern: str, reduction: object, **axes_lengths: object
) -> Shape:
    """As rearrange; dims that are not on the right are reduced away.  Source: einops.reduce."""
    return _transform("reduce", tensor, pattern, axes_lengths)


@op("einops.repeat")
def repeat(tensor: Shape | Tensors, pattern: str, **axes_lengths: object) -> Shape:
    """As rearrange; dims that are not on the left are made, of the given lengths.  Source:
    einops.repeat.
    """
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
        return _transform("reduce", input, fields["pattern"], fields["axes_lengths"])


@layer("einops.layers.torch.EinMix")
class EinMix:
    """A weight over named axes: those on the left only are summed, others on the right are made.

    Source: einops.layers.torch.EinMix.
    """

    def __init__(
        self, pattern: str, weight_shape: object, bias_shape: object = None, **axes_lengths: object
    ) -> None: ...

    @staticmethod
    def parameters(fields: Fields) -> Mapping[str, Shape | None]:
        """weight `[*weight_shape]`, bias as the result with 1s for all other axes."""
        names, lengths = fields["weight_shape"], fields["axes_lengths"]
        found: dict[str, Shape | None] = {}
        if isinstance(names, str):
            found["weight"] = tuple(fresh(lengths.get(name, UNKNOWN)) for name in names.split())
        kept = fields["bias_shape"]
        if kept is None:
            found["bias"] = None
        elif isinstance(kept, str) and isinstance(fields["pattern"], str):
            right = _read("read_einops", fields["pattern"]).right
            found["bias"] = tuple(
                fresh(
                    sizes.product(
                        lengths.get(dim.term, UNKNOWN)
                        for dim in group.dims
                        if dim.term in kept.split()
                    )
                )
                for group in right.groups
            )
        return found

    @staticmethod
    def forward(fields: Fields, input: Shape) -> Shape:
        """The axes on the right."""
        return _transform("mix", input, fields["pattern"], fields["axes_lengths"])


def _transform(
    function: str, tensor: Shape | Tensors, pattern: object, lengths: Mapping[str, Any]
) -> Shape:
    if not isinstance(pattern, str):
        return UNKNOWN
    left, right = _read("read_einops", pattern)
    _check_axes(function, pattern, left, right, lengths)
    axes = _Axes(pattern, lengths)
    axes.bind(left, _stacked(tensor))
    return axes.result(right)


def _stacked(tensor: Shape | Tensors) -> Shape:
    """A list of tensors is one tensor with a dim in front, as einops takes it."""
    if isinstance(tensor, tuple | list) and tensor and not isinstance(tensor[0], Dim):
        stacked: Shape = apply("torch.stack", tensor, blame={"tensors": "tensor"})
        return stacked
    return tensor  # type: ignore[return-value]  # its members are dims


def _axis_names(side: Side) -> dict[str, WrittenDim]:
    return {
        str(dim.term): dim
        for group in side.groups
        for dim in group.dims
        if isinstance(dim.term, str) and not dim.many
    }


def _check_axes(
    function: str, pattern: str, left: Side, right: Side, lengths: Mapping[str, Any]
) -> None:
    """Which names may stand on one side only depends on the function."""
    ours, theirs = _axis_names(left), _axis_names(right)
    if function not in ("repeat", "mix"):
        for name, dim in theirs.items():
            if name not in ours:
                _bad(pattern, f"'{name}' is not on the left", (dim.start, dim.end), "pattern")
    else:
        for name, dim in theirs.items():
            if name not in ours and name not in lengths:
                _bad(
                    pattern, f"the length of '{name}' is not given", (dim.start, dim.end), "pattern"
                )
    if function not in ("reduce", "mix"):
        for name, dim in ours.items():
            if name not in theirs:
                _bad(pattern, f"'{name}' is not on the right", (dim.start, dim.end), "pattern")
    for name in lengths:
        if name not in ours and name not in theirs:
            _bad(
                pattern,
                f"a length is given for '{name}', which is not in the pattern",
                None,
                "pattern",
            )


class _Axes:
    """The dims that the names of one einops pattern stand for."""

    def __init__(self, pattern: str, lengths: Mapping[str, Any]) -> None:
        self.pattern = pattern
        self.lengths = lengths
        self.dims: dict[str, Dim] = {}
        self.dots: Shape = ()

    def _length(self, dim: WrittenDim) -> Size:
        """The length of a name that is given or bound; UNKNOWN else."""
        if isinstance(dim.term, int):
            return dim.term
        name = str(dim.term)
        if name in self.dims:
            return self.dims[name].size
        value = self.lengths.get(name, UNKNOWN)
        plain = isinstance(value, int | sizes.Polynomial) and not isinstance(value, bool)
        return value if plain else UNKNOWN

    def bind(self, side: Side, shape: Shape) -> None:
        """Bind the names on the left to the tensor's dims."""
        many = next((k for k, group in enumerate(side.groups) if _is_dots(group)), None)
        fixed = len(side.groups) - (many is not None)
        inner = any(dim.many for group in side.groups for dim in group.dims if not _is_dots(group))
        if isinstance(shape, tuple) and (
            len(shape) != fixed if many is None else len(shape) < fixed
        ):
            words = "at least " * (many is not None) + str(fixed)
            dims = "dim" if fixed == 1 else "dims"
            _bad(
                self.pattern,
                f"the left side has {words} {dims}, but the tensor has {len(shape)}",
                (side.start, side.end),
                "tensor",
            )
        if inner:
            self.dots = UNKNOWN  # `(... d)` merges dims of unknown number
        known = known_dims(shape)
        behind = len(side.groups) - 1 - many if many is not None else len(side.groups)
        for index, group in enumerate(side.groups):
            if _is_dots(group):
                continue
            back = len(side.groups) - index
            if isinstance(shape, tuple) and many is not None and index < many:
                dim = shape[index]
            elif back <= len(known) and (isinstance(shape, tuple) or many is None or index > many):
                dim = known[-back]
            else:
                dim = Dim(UNKNOWN, UNKNOWN)
            self._split(group, dim)
        if many is not None:
            self.dots = shape[many : len(shape) - behind] if isinstance(shape, tuple) else UNKNOWN

    def _split(self, group: Group, dim: Dim) -> None:
        """Let the names of one group stand for the factors of one dim."""
        if any(part.many for part in group.dims):
            return
        lengths = [self._length(part) for part in group.dims]
        unknown = [k for k, length in enumerate(lengths) if length is UNKNOWN]
        product = sizes.product(length for length in lengths if length is not UNKNOWN)
        if not unknown:
            self._require(group, product, dim)
        elif len(unknown) == 1:
            lengths[unknown[0]] = self._solve(group, dim.size, product)
        if len(group.dims) == 1 and isinstance(group.dims[0].term, str):
            size = dim.size if dim.size is not UNKNOWN else lengths[0]
            self.dims[str(group.dims[0].term)] = (
                dim if size is dim.size else Dim(dim.name, size, dim.trace)
            )
            return
        for part, length in zip(group.dims, lengths, strict=True):
            if isinstance(part.term, str):
                self.dims[part.term] = fresh(length)

    def _require(self, group: Group, product: Size, dim: Dim) -> None:
        if product == dim.size or dim.size is UNKNOWN:
            return
        text = self.pattern[group.start : group.end]
        require_equal(
            product,
            dim.size,
            BadPattern(
                pattern=self.pattern,
                reason=f"'{text}' has size {product}, but the dim has {dim.size}",
                span=(group.start, group.end),
                blame=(Blame("tensor"),),
            ),
        )

    def _solve(self, group: Group, total: Size, product: Size) -> Size:
        """The one length that is not given; ints that do not divide are a mistake."""
        if isinstance(total, int) and isinstance(product, int) and product and total % product:
            text = self.pattern[group.start : group.end]
            _bad(
                self.pattern,
                f"'{text}' needs a multiple of {product}, but the dim has {total}",
                (group.start, group.end),
                "tensor",
            )
        return sizes.divide_exactly(total, product)

    def result(self, side: Side) -> Shape:
        """The dims of the right side."""
        dims: list[Dim] = []
        led = False
        for group in side.groups:
            if _is_dots(group):
                if not isinstance(self.dots, tuple):
                    led, dims = True, []
                dims.extend(known_dims(self.dots))
                continue
            dims.append(self._merge(group))
        check_distinct((dim.name for dim in dims), "tensor")
        return trailing(tuple(dims)) if led else tuple(dims)

    def _merge(self, group: Group) -> Dim:
        parts: list[Dim] = []
        for part in group.dims:
            if part.many:
                if not isinstance(self.dots, tuple):
                    return fresh(UNKNOWN)
                parts.extend(self.dots)
            elif isinstance(part.term, str) and part.term in self.dims:
                parts.append(self.dims[part.term])
            else:
                parts.append(fresh(self._length(part)))
        merged: Dims = tuple(parts)
        return merged[0] if len(merged) == 1 else merge(merged) if merged else fresh(1)


def _is_dots(group: Group) -> bool:
    """Whether a group is just `...`, outside parentheses."""
    return len(group.dims) == 1 and group.dims[0].many and group.end - group.start == len("...")


@op("einops.parse_shape")
def parse_shape(x: Shape, pattern: object) -> object:
    """A dict from names to sizes, which the reader makes; here only its pattern is checked.

    Source: einops.parse_shape.
    """
    if isinstance(pattern, str):
        side: Side = _read("read_einops_shape", pattern)
        dots = any(dim.many for group in side.groups for dim in group.dims)
        if isinstance(x, tuple) and not dots and len(x) != len(side.groups):
            _bad(pattern, f"it has {len(side.groups)} dims, but the tensor has {len(x)}", None, "x")
    return UNKNOWN


@op("einops.pack")
def pack(tensors: object, pattern: object) -> tuple[Shape, object]:
    """Joins tensors over `*`, where each may have any number of dims; also answers their sizes
    there.  Raises what joining raises, BadPattern.  Source: einops.pack.
    """
    if not isinstance(pattern, str) or not isinstance(tensors, tuple | list) or not tensors:
        return UNKNOWN, UNKNOWN
    written: WrittenShape = _read("read_einops_pack", pattern)
    place = next(k for k, dim in enumerate(written.dims) if dim.many)
    behind = len(written.dims) - place - 1
    flat: list[Dims] = []
    packed: list[tuple[Size, ...]] = []
    for shape in tensors:
        if not isinstance(shape, tuple) or len(shape) < place + behind:
            return unknown_dims(len(written.dims)), UNKNOWN
        stop = len(shape) - behind
        middle = tuple(dim.size for dim in shape[place:stop])
        flat.append((*shape[:place], fresh(sizes.product(middle)), *shape[stop:]))
        packed.append(middle)
    return apply("torch.cat", tuple(flat), place, blame={"dim": "pattern"}), tuple(packed)


@op("einops.unpack")
def unpack(tensor: object, packed_shapes: object, pattern: object) -> object:
    """The tensors that pack joined, with the sizes around `*` and in its place those that pack
    answered.  Raises BadPattern.  Source: einops.unpack.
    """
    if not isinstance(pattern, str):
        return UNKNOWN
    written: WrittenShape = _read("read_einops_pack", pattern)
    place = next(k for k, dim in enumerate(written.dims) if dim.many)
    if not isinstance(packed_shapes, tuple | list) or not isinstance(tensor, tuple):
        return UNKNOWN
    if not all(isinstance(packed, tuple | list) for packed in packed_shapes):
        return UNKNOWN
    if len(tensor) != len(written.dims):
        return UNKNOWN
    found = _unpacked_sizes([list(packed) for packed in packed_shapes], tensor[place].size)
    return tuple((*tensor[:place], *map(fresh, packed), *tensor[place + 1 :]) for packed in found)


def _unpacked_sizes(packed: list[list[Size]], whole: Size) -> list[list[Size]]:
    """The sizes of each tensor at `*`, with the one that is -1 computed from what is left."""
    if any(size is UNKNOWN for listed in packed for size in listed):
        # Any of them may be the -1.
        return [[UNKNOWN if size == -1 else size for size in listed] for listed in packed]
    for listed in packed:
        if -1 in listed:
            others = sizes.total(sizes.product(other) for other in packed if other is not listed)
            rest = sizes.product(size for size in listed if size != -1)
            listed[listed.index(-1)] = sizes.divide_exactly(sizes.subtract(whole, others), rest)
    return packed
