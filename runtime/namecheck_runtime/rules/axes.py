"""The dims that the letters of an einsum equation and the names of an einops pattern stand for.

Letters and names are bound to dims on one side, and make dims on the other.  The ops themselves are
declared in `patterns`.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import check_distinct, fresh, merge, require_equal, unify_names
from namecheck_runtime.alignment import unify
from namecheck_runtime.declare import Shape
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Dims,
    Size,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame
from namecheck_runtime.mistakes.dims import BadPattern
from namecheck_runtime.mistakes.names import NameMismatch
from namecheck_runtime.mistakes.sizes import ContractionSize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

    from namecheck_runtime.notation.patterns import Group, Side
    from namecheck_runtime.notation.syntax import WrittenDim, WrittenShape


def bad_pattern(
    pattern: str, reason: str, span: tuple[int, int] | None = None, argument: str = ""
) -> NoReturn:
    """Raises BadPattern: what is wrong with a pattern, and where in it."""
    blame = (Blame(argument),) if argument else ()
    raise BadPattern(pattern=pattern, reason=reason, span=span, blame=blame)


class Letters:
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
            noun = "dim" if fixed == 1 else "dims"
            bad_pattern(
                self.pattern,
                f"this operand is written with {words} {noun}, but it has {len(shape)}",
                (part.start, part.end),
                self.argument,
            )
        if isinstance(shape, tuple):
            dims = shape
        else:
            known = known_dims(shape)[-fixed:] if fixed else ()
            dims = unknown_dims(fixed - len(known)) + known
            if many not in (None, 0):
                dims = unknown_dims(fixed)  # the known last dims may be under the dots
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
        """The result's dims; the notation has refused letters that no operand has."""
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
    """One dim for two that must be equal."""
    if earlier.size == dim.size or earlier.size == 1 or dim.size == 1:
        return unify(earlier, dim)
    name = unify_names(earlier.name, dim.name)
    if earlier.size is UNKNOWN or isinstance(dim.size, int):
        return Dim(name, dim.size, dim.trace)
    return Dim(name, earlier.size, earlier.trace)


def _axis_names(side: Side) -> dict[str, WrittenDim]:
    return {
        str(dim.term): dim
        for group in side.groups
        for dim in group.dims
        if isinstance(dim.term, str) and not dim.many
    }


def check_axes(
    function: str, pattern: str, left: Side, right: Side, lengths: Mapping[str, Any]
) -> None:
    """Raise BadPattern for a name on one side only, or a length, that `function` does not take."""
    ours, theirs = _axis_names(left), _axis_names(right)
    if function not in ("repeat", "mix"):
        for name, dim in theirs.items():
            if name not in ours:
                bad_pattern(
                    pattern, f"'{name}' is not on the left", (dim.start, dim.end), "pattern"
                )
    else:
        for name, dim in theirs.items():
            if name not in ours and name not in lengths:
                bad_pattern(
                    pattern, f"the length of '{name}' is not given", (dim.start, dim.end), "pattern"
                )
    if function not in ("reduce", "mix"):
        for name, dim in ours.items():
            if name not in theirs:
                bad_pattern(
                    pattern, f"'{name}' is not on the right", (dim.start, dim.end), "pattern"
                )
    for name in lengths:
        if name not in ours and name not in theirs:
            bad_pattern(
                pattern,
                f"a length is given for '{name}', which is not in the pattern",
                None,
                "pattern",
            )


class Axes:
    """The dims that the names of one einops pattern stand for."""

    def __init__(self, pattern: str, lengths: Mapping[str, Any]) -> None:
        self.pattern = pattern
        self.lengths = lengths
        self.dims: dict[str, Dim] = {}
        self.dots: Shape = ()

    def _length(self, dim: WrittenDim) -> Size:
        """The length of a name if it is given or bound; otherwise UNKNOWN."""
        if isinstance(dim.term, int):
            return dim.term
        name = str(dim.term)
        if name in self.dims:
            return self.dims[name].size
        value = self.lengths.get(name, UNKNOWN)
        if isinstance(value, bool):
            return UNKNOWN
        return value if isinstance(value, int) or isinstance(value, sizes.Polynomial) else UNKNOWN

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
            bad_pattern(
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
        """The one length that is not given; raises BadPattern for ints that do not divide."""
        if isinstance(total, int) and isinstance(product, int) and product and total % product:
            text = self.pattern[group.start : group.end]
            bad_pattern(
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
