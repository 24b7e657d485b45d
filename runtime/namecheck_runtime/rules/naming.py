"""The names API: rename, refine_names, align_to, the names themselves, and resizing named tensors.

These rules are about names alone; what other ops do to names is in their own modules.
"""

from __future__ import annotations

from types import EllipsisType

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    doubt,
    has_names,
    names_of,
    of_rank,
    require_equal,
    written_one,
)
from namecheck_runtime.declare import Dims, Shape, Shapes, Size, Sizes, op
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Name,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    show,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, counted, name_text, named_list
from namecheck_runtime.mistakes.names import AssertedNames, BadNames, OutNames, OutSize
from namecheck_runtime.mistakes.revealed import RevealedNames
from namecheck_runtime.rules.removed import NAMED_TENSORS, NAMED_TENSORS_ALONE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

Written: TypeAlias = "tuple[object, ...]"
"""Names as they were written: str, None, UNKNOWN, Ellipsis or "..."."""


def check_identifiers(names: Iterable[object], argument: str) -> None:
    """Raise BadNames for a name that is not an identifier.  Source: name inference, "names"."""
    for name in names:
        if isinstance(name, str) and not (name.isascii() and name.isidentifier()):
            raise BadNames(
                text=(
                    "Invalid name: a valid identifier contains only digits, alphabetical "
                    "characters, and/or underscore and starts with a non-digit. got: "
                    f"'{name}'."
                ),
                reason=f"{name!r} is not a name: letters, digits and _, not a digit first",
                blame=(Blame(argument),),
            )


def _is_glob(name: object) -> bool:
    return isinstance(name, EllipsisType) or name == "..."


def _as_name(name: object) -> Name:
    return name if name is None or isinstance(name, str) else UNKNOWN


def _listed(names: Sequence[object]) -> str:
    return "[" + ", ".join(map(name_text, names)) + "]"


def _expanded(names: Written, current: Sequence[Name], function: str) -> tuple[Name, ...]:
    """The names with one `...` replaced by the tensor's names at that place; raises BadNames."""
    globs = [place for place, name in enumerate(names) if _is_glob(name)]
    if len(globs) > 1:
        _raise_two_globs(names, function)
    if not globs:
        return tuple(map(_as_name, names))
    before, after = names[: globs[0]], names[globs[0] + 1 :]
    middle = (
        current[len(before) : len(current) - len(after)] if len(current) >= len(names) - 1 else ()
    )
    return (*map(_as_name, before), *middle, *map(_as_name, after))


def _raise_two_globs(names: Written, function: str) -> None:
    raise BadNames(
        text=(
            f"{function}: More than one Ellipsis ('...') found in names ({names}). This function "
            "supports up to one Ellipsis."
        ),
        reason="more than one '...' in the names",
        blame=(Blame("names"),),
    )


def _set_names(dims: Dims, names: Sequence[Name], argument: str = "names") -> Dims:
    """The dims under these names.  Raises BadNames, DuplicateName."""
    check_identifiers(names, argument)
    if len(names) != len(dims):
        raise BadNames(
            text=(
                f"Number of names ({len(names)}) and number of dimensions in tensor ({len(dims)}) "
                f"do not match. Attempted to create a tensor with names {_listed(names)}"
            ),
            reason=f"{counted(len(names), 'name')} for {counted(len(dims), 'dim')}",
            blame=(Blame("self"), Blame(argument)),
        )
    check_distinct(names, argument)
    return tuple(dim.rename(name) for dim, name in zip(dims, names, strict=True))


def _is_unsure(names: Written) -> bool:
    """Whether it is not known how many names these are: an unknown one may be `...`."""
    return UNKNOWN in names and not any(map(_is_glob, names))


# Renaming.


def _renamed(self: Shape, names: Written, rename_map: Mapping[str, object], verb: str) -> Shape:
    if names and rename_map:
        raise BadNames(
            text=(
                f"{verb}: This function takes either positional args or keyword args, but not "
                f"both. Use tensor.{verb}(*names) to name dims and tensor.{verb}(**rename_map) to "
                "rename dims."
            ),
            reason="names are given by position and by keyword",
            blame=(Blame("names"), Blame("rename_map")),
        )
    if rename_map:
        return _renamed_by(self, rename_map, verb)
    if _is_unsure(names):
        return unknown_names(self)
    if names == (None,):
        return _without_names(self)
    if isinstance(self, tuple):
        return _set_names(self, _expanded(names, names_of(self), verb))
    return _renamed_end(self, names, verb)


def _renamed_by(self: Shape, rename_map: Mapping[str, object], verb: str) -> Shape:
    names = [dim.name for dim in known_dims(self)]
    all_known = isinstance(self, tuple) and UNKNOWN not in names
    for name, new in rename_map.items():
        if all_known and name not in names:
            shown = tuple(names)
            raise BadNames(
                text=(
                    f"{verb}: Tried to rename dim '{name}' to dim {new} in Tensor[{shown}] but dim "
                    f"'{name}' does not exist"
                ),
                reason=f"it has no dim named {name!r}",
                blame=(Blame("self"), Blame("rename_map")),
            )
    changed = tuple(
        _as_name(rename_map[n]) if isinstance(n, str) and n in rename_map else n for n in names
    )
    check_identifiers(rename_map.values(), "rename_map")
    check_distinct(changed, "rename_map")
    dims = tuple(dim.rename(n) for dim, n in zip(known_dims(self), changed, strict=True))
    return dims if isinstance(self, tuple) else trailing(dims)


def _renamed_end(self: Trailing | Unknown, names: Written, verb: str) -> Shape:
    """The shape of a tensor of unknown rank under new names, which say how many dims it has."""
    if sum(map(_is_glob, names)) > 1:
        _raise_two_globs(names, verb)
    glob = next((place for place, name in enumerate(names) if _is_glob(name)), None)
    check_identifiers((n for n in names if not _is_glob(n)), "names")
    if glob is None:
        dims = of_rank(self, len(names))
        return _set_names(dims, tuple(map(_as_name, names)))
    known, after = known_dims(self), names[glob + 1 :]
    check_distinct(map(_as_name, after), "names")
    known = unknown_dims(max(len(after) - len(known), 0)) + known
    # A dim before those may be a leading one, which gets a name too.
    sure = len(known) if glob == 0 else len(after)
    named = zip(known[len(known) - len(after) :], after, strict=True)
    front = known[len(known) - sure : len(known) - len(after)]
    return trailing((*front, *(dim.rename(_as_name(name)) for dim, name in named)))


def _without_names(shape: Shape) -> Shape:
    dims = tuple(dim.rename(None) for dim in known_dims(shape))
    return dims if isinstance(shape, tuple) else trailing(dims)


def unknown_names(shape: Shape) -> Shape:
    """The same sizes under names that are not known."""
    dims = tuple(dim.rename(UNKNOWN) for dim in known_dims(shape))
    return dims if isinstance(shape, tuple) else trailing(dims)


@op("Tensor.rename", removed=NAMED_TENSORS)
def rename(self: Shape, *names: object, **rename_map: object) -> Shape:
    """New names, by position or by a map from old names to new ones.

    `...` keeps the names at its place; a single None drops all.  Raises BadNames, DuplicateName.
    Source: name inference, "rename".
    """
    return _renamed(self, names, rename_map, "rename")


@op("Tensor.rename_", inplace=True, reshapes=True, removed=NAMED_TENSORS)
def rename_(self: Shape, *names: object, **rename_map: object) -> Shape:
    """As `rename`, in place.  Raises BadNames, DuplicateName.  Source: name inference, "rename"."""
    return _renamed(self, names, rename_map, "rename_")


@op("Tensor.names=", inplace=False, removed=NAMED_TENSORS)
def set_names(self: Shape, names: object) -> Shape:
    """The tensor after `x.names = names`: None drops all names.

    Raises BadNames, DuplicateName.  Source: name inference, "names".
    """
    if names is None:
        return _without_names(self)
    if isinstance(names, Unknown):
        return unknown_names(self)
    first_fits = isinstance(names, (tuple, list)) and (
        not names or names[0] is None or isinstance(names[0], (str, Unknown))
    )
    if not isinstance(names, (tuple, list)) or not first_fits:
        raise BadNames(
            text="names must either be None or a tuple of dim names", blame=(Blame("names"),)
        )
    return _set_names(of_rank(self, len(names)), tuple(map(_as_name, names)))


# Making names more specific.


@op("Tensor.refine_names", removed=NAMED_TENSORS_ALONE)
def refine_names(self: Shape, *names: object) -> Shape:
    """Names for unnamed dims; the names that are there must be repeated, or covered by `...`.

    Raises BadNames, DuplicateName.  Source: name inference, "refine_names".
    """
    if _is_unsure(names):
        dims = tuple(
            dim if isinstance(dim.name, str) else dim.rename(UNKNOWN) for dim in known_dims(self)
        )
        return dims if isinstance(self, tuple) else trailing(dims)
    if not isinstance(self, tuple):
        return _refined_end(self, names)
    wanted = _expanded(names, names_of(self), "refine_names")
    check_identifiers(wanted, "names")
    prefix = f"refine_names: cannot coerce Tensor{named_list(self)} to Tensor{_listed(wanted)}"
    if len(wanted) != len(self):
        raise BadNames(
            text=(
                f"{prefix} because they have a different number of dims ({len(self)} and "
                f"{len(wanted)} respectively)."
            ),
            reason=f"{counted(len(wanted), 'name')} for {counted(len(self), 'dim')}",
            blame=(Blame("self"), Blame("names")),
        )
    check_distinct(wanted, "names")
    for index, (dim, name) in enumerate(zip(self, wanted, strict=True)):
        _check_refines(dim.name, name, index, prefix)
    return tuple(
        dim if name is UNKNOWN and isinstance(dim.name, str) else dim.rename(name)
        for dim, name in zip(self, wanted, strict=True)
    )


def _check_refines(current: Name, name: Name, index: int, prefix: str) -> None:
    if not isinstance(current, str) or isinstance(name, Unknown) or current == name:
        return
    how = "more specific than" if name is None else "different from"
    raise BadNames(
        text=f"{prefix} because '{current}' is {how} {name_text(name)} at index {index}",
        reason=f"dim {index} is already named {current!r}, not {name_text(name)}",
        blame=(Blame("self", index), Blame("names")),
    )


def _refined_end(self: Trailing | Unknown, names: Written) -> Shape:
    """As `refine_names` of a tensor of unknown rank; the names say how many dims it has."""
    known = known_dims(self)
    globs = [place for place, name in enumerate(names) if _is_glob(name)]
    if len(globs) > 1:
        _raise_two_globs(names, "refine_names")
    if not globs:
        return refine_names(of_rank(self, len(names)), *names)
    after = names[globs[0] + 1 :]
    padded = unknown_dims(max(len(after) - len(known), 0)) + known
    tail = refine_names(padded[len(padded) - len(after) :], *after)
    front = padded[: len(padded) - len(after)] if globs[0] == 0 else ()
    return trailing((*front, *known_dims(tail)))


# Asking for names, and stating them.


@op("namecheck_runtime.reveal_names", itself=True)
def reveal_names(tensor: Shape) -> Shape:
    """The tensor itself.  A run prints its names.

    The checker reports what it knows of the dims without running the program (NC803).
    """
    doubt(RevealedNames(shape=tensor))
    return tensor


@op("namecheck_runtime.assert_names", itself=True)
def assert_names(tensor: Shape, *names: object) -> Shape:
    """The tensor itself, which must have these names.

    There is one name for each dim; None is a dim without a name, and `...` covers any dims.  Names
    that were not known are known from here on.  Raises AssertedNames (an AssertionError) if a name
    or the number of dims differs.
    """
    open_ended = not isinstance(tensor, tuple) and any(map(_is_glob, names))
    if _is_unsure(names) or open_ended:
        return tensor
    dims = of_rank(tensor, len(names))
    current = names_of(dims)
    wanted = _expanded(names, current, "assert_names")
    if len(current) != len(wanted) or any(map(_differ, current, wanted)):
        raise AssertedNames(
            text=f"the names are {_as_tuple(current)}, not {_as_tuple(wanted)}",
            reason=f"assert_names expects the names {_listed(wanted)} of {show(tensor)}",
            blame=(Blame("tensor"),),
        )
    return tuple(
        dim if name is UNKNOWN else dim.rename(name) for dim, name in zip(dims, wanted, strict=True)
    )


def _differ(current: Name, wanted: Name) -> bool:
    return UNKNOWN not in (current, wanted) and current != wanted


def _as_tuple(names: Sequence[object]) -> str:
    """Names as Python prints them: `('N', None)`."""
    listed = ", ".join(map(name_text, names))
    return f"({listed},)" if len(names) == 1 else f"({listed})"


# Aligning by name.


def _aligned(self: Dims, target: Sequence[Name], argument: str) -> Dims:
    """The dims in the order of `target`, which names every one of them; new names become 1s."""
    names = names_of(self)
    if None in names:
        index = names.index(None)
        raise BadNames(
            text=(
                "align_to: All input dims must be named. Found unnamed dim at index "
                f"{index} of Tensor{named_list(self)}"
            ),
            reason=f"its dim {index} has no name",
            blame=(Blame("self", index),),
        )
    unsure = UNKNOWN in names or UNKNOWN in target
    check_distinct(target, argument)
    for index, name in enumerate(names):
        if name not in target and not unsure:
            raise BadNames(
                text=(
                    f"align_to: Cannot find dim {name_text(name)} from Tensor{_listed(target)} in "
                    f"desired alignment {_listed(target)}."
                ),
                reason=f"{name_text(name)} is not among {_listed(target)}",
                blame=(Blame("self", index), Blame(argument)),
            )
    return tuple(_dim_of(self, name, unsure) for name in target)


def _dim_of(self: Dims, name: Name, unsure: bool) -> Dim:
    for dim in self:
        if isinstance(name, str) and dim.name == name:
            return dim
    return Dim(name, UNKNOWN) if unsure and name is not None else written_one().rename(name)


@op("Tensor.align_to", removed=NAMED_TENSORS_ALONE, parsing=("names apart",))
def align_to(self: Shape, *names: object) -> Shape:
    """The dims in the order of the names; a new name becomes a dim of size 1.

    `...` stands for all dims not mentioned.  Raises BadNames, DuplicateName.  Source: name
    inference, "align_to".
    """
    if _is_unsure(names):
        return UNKNOWN
    globs = [place for place, name in enumerate(names) if _is_glob(name)]
    if len(globs) > 1:
        _raise_two_globs(names, "align_to")
    target = tuple(_as_name(name) for name in names if not _is_glob(name))
    check_identifiers(target, "names")
    if not globs:
        if isinstance(self, tuple):
            return _aligned(self, target, "names")
        return tuple(known_dims(_aligned_end(self, target)))
    if None in target:
        raise BadNames(
            text=(
                "align_to: the desired order of dimensions cannot contain a None name, got "
                f"{_listed(target)}"
            ),
            reason="beside '...' every entry must be a name",
            blame=(Blame("names"),),
        )
    place = globs[0]
    if not isinstance(self, tuple) or UNKNOWN in target or UNKNOWN in names_of(self):
        check_distinct(target, "names")
        return _aligned_end(self, target[place:]) if place < len(target) else UNKNOWN
    rest = tuple(dim for dim in self if dim.name not in target)
    order = (*target[:place], *names_of(rest), *target[place:])
    check_distinct(order, "names")
    front = tuple(_dim_of(self, name, False) for name in target[:place])
    back = tuple(_dim_of(self, name, False) for name in target[place:])
    return (*front, *rest, *back)


def _aligned_end(self: Shape, target: Sequence[Name]) -> Shape:
    """The last dims, under these names, of a tensor whose names are not all known."""
    check_distinct(target, "names")
    dims = tuple(_dim_of(known_dims(self), name, True) for name in target)
    return trailing(dims)


@op("Tensor.align_as", removed=NAMED_TENSORS)
def align_as(self: Shape, other: Shape) -> Shape:
    """As `align_to` with the names of the other tensor.  Raises BadNames, DuplicateName.

    Source: name inference, "align_as".
    """
    if not isinstance(other, tuple):
        return UNKNOWN
    if not isinstance(self, tuple):
        return tuple(_dim_of(known_dims(self), dim.name, True) for dim in other)
    return _aligned(self, names_of(other), "other")


@op("torch.align_tensors", removed=NAMED_TENSORS)
def align_tensors(*tensors: Shape) -> Shapes:
    """Every tensor aligned to the names of the one with the most dims.

    Raises BadNames.  Source: the documentation of named tensors; PyTorch never had it.
    """
    if not all(isinstance(tensor, tuple) for tensor in tensors):
        return (UNKNOWN,) * len(tensors)
    longest = max(tensors, key=lambda tensor: len(known_dims(tensor)), default=())
    order = names_of(known_dims(longest))
    return tuple(_aligned(known_dims(tensor), order, "tensors") for tensor in tensors)


# Resizing.


@op("Tensor.resize_", inplace=True, reshapes=True)
def resize_(self: Shape, *size: Size) -> Shape:
    """New sizes, in place; a named tensor must keep its sizes.

    Raises OutSize.  Source: name inference, "resize_".
    """
    return _resized(self, tuple(Dim(None, wanted) for wanted in size), "size")


@op("Tensor.resize_as_", "torch.resize_as_", inplace=True, reshapes=True)
def resize_as_(self: Shape, the_template: Shape) -> Shape:
    """The template's sizes, in place.

    An unnamed tensor takes the template's names; a named one must have them.  Raises OutSize,
    OutNames.  Source: name inference, "resize_as_".
    """
    if not isinstance(the_template, tuple):
        return UNKNOWN
    result = _resized(self, the_template, "the_template")
    if not isinstance(self, tuple):
        return result
    if has_names(self) is not Truth.YES:
        return the_template if has_names(self) is Truth.NO else unknown_names(the_template)
    for dim, other in zip(self, the_template, strict=True):
        if UNKNOWN not in (dim.name, other.name) and dim.name != other.name:
            raise OutNames(
                destination=self,
                computed=the_template,
                blame=(Blame("self"), Blame("the_template")),
            )
    return self


@op("Tensor.set_", inplace=True, reshapes=True)
def set_(
    self: Shape,
    source: object = None,
    storage_offset: object = 0,
    size: Sizes | None = None,
    stride: object = None,
) -> Shape:
    """The dims of the source, in place, or unnamed dims of `size`; one empty dim without both.

    Source: torch.Tensor.set_, which refused names.
    """
    if size is not None:
        return tuple(Dim(None, wanted) for wanted in size)
    if source is None:
        return (Dim(None, 0),)
    if isinstance(source, Trailing) or (
        isinstance(source, tuple) and all(isinstance(dim, Dim) for dim in source)
    ):
        return source
    return UNKNOWN


def _resized(self: Shape, wanted: Dims, argument: str) -> Shape:
    if not isinstance(self, tuple):
        return tuple(Dim(UNKNOWN, dim.size) for dim in wanted)
    named = has_names(self)
    if named is Truth.NO:
        return tuple(Dim(None, dim.size) for dim in wanted)
    mistake = OutSize(destination=self, computed=wanted, blame=(Blame("self"), Blame(argument)))
    if named is Truth.YES:
        if len(self) != len(wanted):
            raise mistake
        for dim, other in zip(self, wanted, strict=True):
            require_equal(dim.size, other.size, mistake)
        return self
    same = len(self) == len(wanted) and all(
        sizes.compare(dim.size, other.size) is Truth.YES
        for dim, other in zip(self, wanted, strict=True)
    )
    return self if same else tuple(Dim(UNKNOWN, dim.size) for dim in wanted)
