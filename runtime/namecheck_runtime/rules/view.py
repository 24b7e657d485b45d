"""Ops that regroup the elements in row-major order: reshape, flatten, unflatten, unfold, ...

`regrouping` decides what becomes of each dim.
"""

from __future__ import annotations

from namecheck_runtime import sizes
from namecheck_runtime.algebra import (
    check_distinct,
    element_count,
    fresh,
    has_names,
    merge,
    position,
    replace,
    require_equal,
)
from namecheck_runtime.binding import size_of
from namecheck_runtime.declare import (
    DimRef,
    DimRefs,
    Dims,
    Memory,
    Shape,
    Size,
    Sizes,
    op,
)
from namecheck_runtime.lattice import (
    UNKNOWN,
    Dim,
    Name,
    Trailing,
    Truth,
    Unknown,
    known_dims,
    trailing,
    unknown_dims,
)
from namecheck_runtime.mistakes.base import Blame, counted, name_text, named_list
from namecheck_runtime.mistakes.dims import RankMismatch
from namecheck_runtime.mistakes.names import BadNames
from namecheck_runtime.mistakes.sizes import BadExtent, ReshapeSize
from namecheck_runtime.rules.naming import check_identifiers
from namecheck_runtime.rules.permute import as_refs
from namecheck_runtime.rules.regrouping import (
    check_written,
    doubt_order,
    regroup,
    reshaped,
    solved_sizes,
)


@op("torch.reshape", "Tensor.reshape")
def reshape(input: Shape, *shape: Size) -> Shape:
    """The same elements in row-major order, in dims of other sizes; one of them may be -1.

    A dim that stays whole and in order keeps its name; the others have none.  Raises ReshapeSize;
    doubts ScrambledReshape.  Source: torch.reshape, which refused names.
    """
    return reshaped(input, shape)


@op(
    "ndarray.reshape",
    jax=("numpy.reshape(input, shape, order)", "jax.numpy.reshape(input, shape, order)"),
)
def reshape_numpy(input: Shape, *shape: Size, order: str = "C") -> Shape:
    """The same elements in dims of other sizes, in row-major order unless `order` says otherwise.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: numpy.reshape.
    """
    if order == "C":
        return reshaped(input, shape)
    if not isinstance(input, tuple):
        return reshaped(input, shape)
    blame = (Blame("input"), Blame("shape"))
    check_written(input, tuple(shape), blame)
    solved = solved_sizes(input, tuple(shape), blame)
    if order == "F":
        # Column-major is row-major from the right.
        return regroup(input[::-1], solved[::-1])[::-1]
    return tuple(Dim(UNKNOWN, size) for size in solved)


@op("ndarray.shape=")
def set_shape(input: Shape, shape: Sizes) -> Shape:
    """The same elements in dims of other sizes, in place.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: numpy.ndarray.shape.
    """
    return reshaped(input, shape)


@op("jax.lax.reshape")
def reshape_lax(input: Shape, new_sizes: Sizes, dimensions: object = None) -> Shape:
    """The same elements in row-major order, in dims of other sizes.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: jax.lax.reshape.
    """
    if dimensions is None:
        return reshaped(input, new_sizes, argument="new_sizes")
    return tuple(Dim(UNKNOWN, size) for size in new_sizes)


@op("Tensor.view")
def view(self: Shape, *size: Size) -> Shape:
    """As `reshape`, without copying.  Raises ReshapeSize; doubts ScrambledReshape.

    Source: torch.Tensor.view, which refused names.
    """
    return reshaped(self, size, "self", "size")


@op("Tensor.view")
def view_as_dtype(self: Shape, dtype: object) -> Shape:
    """The same memory read as another dtype: the last dim's size changes with the element size.

    Source: torch.Tensor.view.
    """
    if isinstance(dtype, (tuple, list, int, float, str, Unknown)) or dtype is None:
        return UNKNOWN  # not a dtype: a call of another signature
    if isinstance(self, Unknown) or not self:
        return self
    known = known_dims(self)
    changed = (*known[:-1], known[-1].resize(UNKNOWN))
    return changed if isinstance(self, tuple) else trailing(changed)


@op("torch.view_copy", memory=Memory.NEW)
def view_copy(input: Shape, *size: Size) -> Shape:
    """As `reshape`.  Raises ReshapeSize; doubts ScrambledReshape.  Source: torch.view_copy."""
    return reshaped(input, size, argument="size")


@op("torch.view_copy")
def view_copy_as_dtype(input: Shape, dtype: object) -> Shape:
    """As `x.view(dtype)`.  Source: torch.view_copy."""
    return view_as_dtype(input, dtype)


@op("Tensor.view_as")
@op("Tensor.reshape_as")
def view_as(self: Shape, other: Shape) -> Shape:
    """As `reshape` to the other's sizes; the other's names are ignored.

    Raises ReshapeSize; doubts ScrambledReshape.  Source: torch.Tensor.view_as.
    """
    if not isinstance(other, tuple):
        return trailing(tuple(Dim(UNKNOWN, dim.size) for dim in known_dims(other)))
    return reshaped(self, tuple(dim.size for dim in other), "self", "other")


@op("Tensor.resize")
def resize(self: Shape, *sizes: Size) -> Shape:
    """As `reshape`, which keeps the number of elements.  Raises ReshapeSize.

    Source: torch.Tensor.resize.
    """
    if not isinstance(self, tuple):
        return UNKNOWN  # images have this method, too
    target = tuple(sizes)
    wanted, count = "x".join(map(str, target)), element_count(self)
    current = "x".join(str(dim.size) for dim in self)
    text = (
        f"requested resize to {wanted} ({element_count(tuple(map(fresh, target)))} elements in "
        f"total), but the given tensor has a size of {current} ({count} elements). autograd's "
        "resize can only change the shape of a given tensor, while preserving the number of "
        "elements."
    )
    require_equal(
        count,
        element_count(tuple(map(fresh, target))),
        ReshapeSize(
            source=self,
            target=target,
            count=count,
            text=text,
            blame=(Blame("self"), Blame("sizes")),
        ),
    )
    return regroup(self, target)


# Merging and splitting neighbours.


@op("torch.ravel", "Tensor.ravel", memory=Memory.NEW)
def ravel(input: Shape) -> Shape:
    """All elements in one dim; a vector stays as it is.

    Source: torch.ravel, which refused names.
    """
    return _raveled(input)


@op("ndarray.flatten", numpy="ravel(input, order)")
def ravel_numpy(input: Shape, order: object = "C") -> Shape:
    """All elements in one dim; a vector stays as it is.  Source: numpy.ravel."""
    return _raveled(input)


def _raveled(input: Shape) -> Shape:
    if isinstance(input, tuple):
        return (merge(input),) if len(input) > 1 else (input or (fresh(1),))
    return (Dim(UNKNOWN, UNKNOWN),)


@op(
    "torch.flatten",
    "Tensor.flatten",
    parsing=(
        "dim by name",
        "dims by name",
        "dims alike",
    ),
)
def flatten(input: Shape, start_dim: DimRef | None = 0, end_dim: DimRef | None = -1) -> Shape:
    """The dims from start to end become one, which is unnamed unless it was a single dim.

    Raises DimOutOfRange, UnknownName, BadNames if start comes after end.
    Source: torch.flatten; names were refused without an `out_dim`.
    """
    if not isinstance(input, tuple):
        return _flattened_end(input, start_dim, end_dim)
    if not input:
        input = (fresh(1),)
    start, end = position(input, start_dim, "start_dim"), position(input, end_dim, "end_dim")
    if isinstance(start, Unknown) or isinstance(end, Unknown):
        return UNKNOWN
    _check_order(input, start, end)
    if start == end:
        return input
    return (*input[:start], merge(input[start : end + 1]), *input[end + 1 :])


def _check_order(input: Dims, start: int, end: int) -> None:
    if start > end:
        raise BadNames(
            text="flatten() has invalid args: start_dim cannot come after end_dim",
            reason=f"dim {start} comes after dim {end}",
            blame=(Blame("start_dim"), Blame("end_dim")),
        )


def _flattened_end(
    input: Trailing | Unknown, start: DimRef | None, end: DimRef | None, name: Name = UNKNOWN
) -> Shape:
    """What is known about a flattened tensor of unknown rank."""
    known = known_dims(input)
    if not isinstance(start, int) or not isinstance(end, int):
        return UNKNOWN
    if start >= 0 and end == -1:
        return unknown_dims(start + 1)
    if end >= 0:
        return trailing(known[end + 1 :])
    if start < 0 and -start <= len(known):
        first, last = len(known) + start, len(known) + end
        if first > last:
            _check_order(known, first, last)
        merged = merge(known[first : last + 1], known[first].name if first == last else None)
        return trailing((*known[:first], merged, *known[last + 1 :]))
    kept = known[len(known) + end + 1 :] if len(known) + end + 1 >= 0 else known
    return trailing((Dim(name, UNKNOWN), *kept)) if len(kept) == -end - 1 else trailing(kept)


@op("torch.flatten", "Tensor.flatten")
def flatten_to(
    input: Dims, start_dim: DimRef | None, end_dim: DimRef | None, out_dim: object
) -> Shape:
    """The dims from start to end become one dim named `out_dim`, or unnamed for None.

    Raises DimOutOfRange, UnknownName, WildcardLookup, DuplicateName, BadNames.
    Source: name inference, "flatten".
    """
    name = _out_name(out_dim)
    start, end = position(input, start_dim, "start_dim"), position(input, end_dim, "end_dim")
    if isinstance(start, Unknown) or isinstance(end, Unknown):
        return UNKNOWN
    _check_order(input, start, end)
    return _merged_as(input, start, end, name)


@op("torch.flatten", "Tensor.flatten")
def flatten_dims(input: Dims, dims: DimRefs, out_dim: object) -> Shape:
    """The listed dims, neighbours in order, become one dim named `out_dim`.

    Raises UnknownName, WildcardLookup, DuplicateName, BadNames.  Source: name inference, "flatten".
    """
    name, refs = _out_name(out_dim), as_refs(dims)
    if isinstance(refs, Unknown):
        return UNKNOWN
    prefix = "flatten(tensor, dims, out_dim): dims"
    if not refs:
        raise BadNames(text=f"{prefix} cannot be empty", blame=(Blame("dims"),))
    indices = [position(input, ref, "dims") for ref in refs]
    known = [index for index in indices if not isinstance(index, Unknown)]
    if len(known) < len(indices):
        return UNKNOWN
    if known != list(range(known[0], known[0] + len(known))):
        listed = "[" + ", ".join(name_text(ref) for ref in refs) + "]"
        raise BadNames(
            text=f"{prefix} {listed} must be consecutive in Tensor{named_list(input)}",
            blame=(Blame("input"), Blame("dims")),
        )
    return _merged_as(input, known[0], known[-1], name)


def _out_name(out_dim: object) -> Name:
    check_identifiers((out_dim,), "out_dim")
    return out_dim if isinstance(out_dim, str) or out_dim is None else UNKNOWN


def _merged_as(input: Dims, start: int, end: int, name: Name) -> Shape:
    if input:
        merged = merge(input[start : end + 1], name)
        result: Dims = (*input[:start], merged, *input[end + 1 :])
    else:
        result = (Dim(name, 1),)
    check_distinct((dim.name for dim in result), "out_dim")
    return result


@op(
    "torch.unflatten",
    "Tensor.unflatten",
    parsing=(
        "dim by name",
        "named parts",
    ),
)
def unflatten(input: Shape, dim: DimRef, sizes: Sizes) -> Shape:
    """One dim becomes several of the listed sizes, one of which may be -1.

    Raises ReshapeSize, BadNames (a named tensor needs names for them, too), DimOutOfRange; doubts
    ScrambledReshape.
    Source: torch.unflatten.
    """
    if not sizes:
        _refuse_no_sizes((Blame("input"), Blame("sizes")))
    if not isinstance(input, tuple):
        last = known_dims(input) or (Dim(UNKNOWN, UNKNOWN),)
        if isinstance(dim, int) and -len(last) <= dim < 0:
            return trailing(_unflattened(last, len(last) + dim, tuple(sizes)))
        return UNKNOWN
    index = position(input, dim)
    if UNKNOWN in sizes and input and not isinstance(index, Unknown):
        # It may be a pair of name and size.
        pieces = tuple(Dim(UNKNOWN, UNKNOWN if size == -1 else size) for size in sizes)
        return (*input[:index], *pieces, *input[index + 1 :])
    if has_names(input) is Truth.YES:
        raise BadNames(
            text=(
                "unflatten: input is a named tensor but no names were given for unflattened sizes"
            ),
            blame=(Blame("input"), Blame("sizes")),
        )
    if not input:
        raise BadNames(
            text=(
                f"unflatten got an unexpected error:\nDimension specified as {dim} but tensor has "
                "no dimensions"
            ),
            blame=(Blame("input"),),
        )
    if isinstance(index, Unknown):
        return unknown_dims(len(input) - 1 + len(sizes))
    return _unflattened(input, index, tuple(sizes))


@op("torch.unflatten", "Tensor.unflatten")
def unflatten_names(input: Dims, dim: DimRef | None, sizes: object) -> Shape:
    """One dim becomes several, each given as a pair of name and size; one size may be -1.

    Raises ReshapeSize, DuplicateName, UnknownName, BadNames; doubts ScrambledReshape.
    Source: name inference, "unflatten".
    """
    if not isinstance(sizes, (tuple, list)) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in sizes
    ):
        return UNKNOWN
    if not sizes:
        _refuse_no_sizes((Blame("input"), Blame("sizes")))
    index = position(input, dim)
    names = tuple(pair[0] for pair in sizes)
    check_identifiers(names, "sizes")
    if isinstance(index, Unknown):
        return unknown_dims(len(input) - 1 + len(sizes))
    pieces = _unflattened(input, index, tuple(size_of(pair[1]) for pair in sizes))
    named = tuple(
        pieces[index + k].rename(name if name is None or isinstance(name, str) else UNKNOWN)
        for k, name in enumerate(names)
    )
    result = (*input[:index], *named, *input[index + 1 :])
    check_distinct((d.name for d in result), "sizes")
    return result


def _refuse_no_sizes(blame: tuple[Blame, ...]) -> None:
    raise BadNames(text="unflatten: sizes must be non-empty", blame=blame)


def _unflattened(input: Dims, index: int, wanted: tuple[Size, ...]) -> Dims:
    """`input` with the dim at `index` split into dims of these sizes."""
    blame = (Blame("input", index), Blame("sizes"))
    dim = input[index]
    if wanted.count(-1) > 1:
        raise BadNames(
            text="unflatten got an unexpected error:\nonly one dimension can be inferred",
            blame=blame,
        )
    listed = "[" + ", ".join(map(str, wanted)) + "]"
    place = f"{name_text(dim.name)}: {dim.size}" if isinstance(dim.name, str) else f"{dim.size}"
    where = f"Tensor{named_list(input)}" if has_names(input) is Truth.YES else "the input tensor"
    text = (
        f"unflatten: Provided sizes {listed} don't multiply up to the size of dim {index} "
        f"({place}) in {where}"
    )
    mistake = ReshapeSize(source=(dim,), target=wanted, count=dim.size, text=text, blame=blame)
    known = [size for size in wanted if size != -1]
    solved = wanted
    if UNKNOWN in known or dim.size is UNKNOWN:
        solved = tuple(UNKNOWN if size == -1 else size for size in wanted)
    elif -1 not in wanted:
        require_equal(dim.size, sizes.product(wanted), mistake)
    else:
        part = sizes.product(known)
        if isinstance(dim.size, int) and isinstance(part, int):
            if part == 0 or dim.size % part:
                raise mistake
        rest = sizes.divide_exactly(dim.size, part)
        solved = tuple(rest if size == -1 else size for size in wanted)
    split = tuple(piece.rename(None) for piece in regroup((dim,), solved))
    doubt_order((dim,), wanted, solved, split, blame)
    return (*input[:index], *split, *input[index + 1 :])


# Windows, strides, complex numbers.


@op("Tensor.unfold")
@op("torch.unfold_copy", memory=Memory.NEW)
def unfold(input: Dims, dimension: DimRef, size: Size, step: Size) -> Shape:
    """Windows of `size` elements along a dim, every `step` elements, as a new last dim.

    Raises BadExtent, DimOutOfRange.  Source: torch.Tensor.unfold, which refused names; here the dim
    keeps its name and the windows have none.
    """
    blame = (Blame("input"), Blame("size"))
    if isinstance(step, int) and step < 1:
        text = f"step is {step} but must be > 0"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("step"),))
    if isinstance(size, int) and size < 0:
        text = f"size is {size} but must be >= 0"
        raise BadExtent(shape=input, reason=text, text=text, blame=(Blame("size"),))
    index = position(input, dimension, "dimension")
    if isinstance(index, Unknown):
        return (*unknown_dims(len(input)), fresh(size))
    dim_size = input[index].size if input else 1
    if sizes.at_most(size, dim_size) is Truth.NO:
        text = f"maximum size for tensor at dimension {index} is {dim_size} but size is {size}"
        reason = f"the window of {size} is longer than dim {index}, which has {dim_size}"
        raise BadExtent(shape=input, reason=reason, text=text, blame=blame)
    if not input:
        return (fresh(size),)
    count = sizes.add(sizes.floor_divide(sizes.subtract(dim_size, size), step), 1)
    kept = input[index] if count == dim_size else input[index].resize(count)
    return (*replace(input, index, kept), fresh(size))


@op(
    *("torch.as_strided", "Tensor.as_strided"),
    inplace=True,
    reshapes=True,
)
@op("torch.as_strided_copy", memory=Memory.NEW)
def as_strided(input: object, size: Sizes, stride: Sizes, storage_offset: object = None) -> Shape:
    """Dims of the listed sizes, unnamed.  Raises BadExtent.

    Source: name inference, "as_strided: result unnamed".
    """
    if len(size) != len(stride):
        raise BadExtent(
            shape=tuple(map(fresh, size)),
            reason=f"{counted(len(size), 'size')}, but {counted(len(stride), 'stride')}",
            text="mismatch in length of strides and shape",
            blame=(Blame("size"), Blame("stride")),
        )
    if any(isinstance(step, int) and step < 0 for step in stride):
        listed = ", ".join(map(str, stride))
        raise BadExtent(
            shape=tuple(map(fresh, size)),
            reason="a stride is negative",
            text=(
                "as_strided: Negative strides are not supported at the moment, got strides: "
                f"[{listed}]"
            ),
            blame=(Blame("stride"),),
        )
    return tuple(map(fresh, size))


@op("torch.view_as_real", kind="float")
@op("torch.view_as_real_copy", kind="float", memory=Memory.NEW)
def view_as_real(input: Shape) -> Shape:
    """A new last dim of size 2: real and imaginary part.  Source: torch.view_as_real."""
    if isinstance(input, tuple):
        return (*input, fresh(2))
    return trailing((*known_dims(input), fresh(2)))


@op("torch.view_as_complex", kind="complex")
@op("torch.view_as_complex_copy", kind="complex", memory=Memory.NEW)
def view_as_complex(input: Shape) -> Shape:
    """The last dim, which must have size 2, becomes the parts of complex numbers.

    Raises RankMismatch, BadExtent.  Source: torch.view_as_complex.
    """
    known = known_dims(input)
    if not known:
        if isinstance(input, tuple):
            raise RankMismatch(
                shape=input,
                wanted="at least 1",
                text="Input tensor must have one or more dimensions",
                blame=(Blame("input"),),
            )
        return UNKNOWN
    text = "Tensor must have a last dimension of size 2"
    reason = f"the last dim has size {known[-1].size}, not 2"
    require_equal(
        known[-1].size,
        2,
        BadExtent(shape=input, reason=reason, text=text, blame=(Blame("input", -1),)),
    )
    return known[:-1] if isinstance(input, tuple) else trailing(known[:-1])
