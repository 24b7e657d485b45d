"""Views, copies, and ops that join and move elements."""

from __future__ import annotations

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import (
    cleared,
    conj,
    dims_of,
    moved,
    places_of,
    put_back,
    there,
    written,
)
from namecheck_runtime.autograd.table import composite, derivative, kind_of_ops, strided

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _copies(name: str) -> list[str]:
    """An op and its twin that copies."""
    return [f"torch.{name}", f"torch.{name}_copy"]


# -- the same elements in the same order -----------------------------------------------------------


def _reshaped(grad: Any, form: Any) -> Any:
    return grad.reshape(form.sizes)


derivative(
    *("torch.reshape", "Tensor.reshape_as", "Tensor.view_as", "torch.flatten", "torch.ravel"),
    *("torch.unflatten", "torch.view_copy"),
    *("ndarray.reshape", "Tensor.resize"),
    name="View",
    input=_reshaped,
    self=_reshaped,
    other=None,
)


def _viewed(grad: Any, form: Any) -> Any:
    if grad.dtype is not form.dtype:
        raise RuntimeError(
            "Tensor.view(dtype) has no derivative: it reads the bytes of numbers. Call it on "
            "x.detach()"
        )
    return grad.reshape(form.sizes)


derivative("Tensor.view", name="View", self=_viewed)
derivative(*_copies("squeeze"), name="Squeeze", input=_reshaped)
derivative(*_copies("unsqueeze"), name="Unsqueeze", input=_reshaped)
for _op in ("atleast_1d", "atleast_2d", "atleast_3d"):
    derivative(
        f"torch.{_op}",
        input=_reshaped,
        tensors=lambda grads, form: [g.reshape(f.sizes) for g, f in zip(grads, form, strict=True)],
    )
derivative(
    *("Tensor.rename", "Tensor.refine_names", "namecheck_runtime.assert_names"),
    *("torch.alias_copy", "namecheck_runtime.reveal_names"),
    name="Alias",
    self=lambda grad: grad,
    input=lambda grad: grad,
    tensor=lambda grad: grad,
)
derivative("torch.clone", "Tensor.contiguous", name="Clone", input=lambda grad: grad)
derivative("torch.dequantize", "Tensor.to_dense", "Tensor.pin_memory", input=lambda grad: grad)
for _op in (
    *("bfloat16", "cdouble", "cfloat", "chalf", "cpu", "double", "float", "half"),
    *("type", "bool", "byte", "char", "int", "long", "short"),
):
    derivative(f"Tensor.{_op}", name="ToCopy", input=there, self=there)
derivative("Tensor.to", name="ToCopy", self=there, arguments=None)
derivative("Tensor.type_as", name="ToCopy", input=lambda grad: grad, other=None)


def _aligned(grad: Any, form: Any, result_form: Any) -> Any:
    """The dims in the order of the operand; those that it lacks have size 1."""
    names = list(result_form.names)
    free = [k for k, name in enumerate(names) if name is None]
    order = [names.index(n) if n is not None else free.pop(0) for n in form.names]
    order += [k for k in range(len(names)) if k not in order]
    return grad.permute(order).reshape(form.sizes)


derivative("Tensor.align_to", "Tensor.align_as", name="Align", self=_aligned, other=None)
derivative(
    "torch.align_tensors",
    name="Align",
    tensors=lambda grads, form, result_form: [
        _aligned(grad, own, result_form) for grad, own in zip(grads, form, strict=True)
    ],
)

# -- the same elements in another order ------------------------------------------------------------


def _swapped(grad: Any, dim0: Any, dim1: Any) -> Any:
    return grad.transpose(dim0, dim1) if grad.ndim else grad


for _op in ("transpose", "transpose_copy", "swapdims"):
    derivative(f"torch.{_op}", name="Transpose", input=_swapped)
derivative(
    "torch.swapaxes",
    name="Transpose",
    input=lambda grad, axis0, axis1: _swapped(grad, axis0, axis1),
)


def _turned(grad: Any) -> Any:
    return grad.transpose(-2, -1) if grad.ndim > 1 else grad


derivative(*_copies("t"), name="T", input=_turned)
derivative("Tensor.mT", name="Transpose", input=_turned)
derivative(
    "Tensor.H",
    "Tensor.mH",
    "torch.adjoint",
    name="Transpose",
    input=lambda grad: conj(_turned(grad)),
)
derivative(
    "Tensor.T",
    name="Permute",
    input=lambda grad: grad.permute(list(range(grad.ndim))[::-1]) if grad.ndim else grad,
)


def _permuted_back(grad: Any, dims: Any) -> Any:
    rank = grad.ndim
    order = [d % rank for d in dims]
    return grad.permute([order.index(k) for k in range(rank)]) if rank else grad


derivative(*_copies("permute"), name="Permute", input=_permuted_back)
derivative(
    *("torch.movedim", "torch.moveaxis"),
    name="Permute",
    input=lambda grad, source, destination: (
        call("torch.movedim", grad, destination, source) if grad.ndim else grad
    ),
)
derivative(
    "torch.flip", input=lambda grad, dims: call("torch.flip", grad, dims) if grad.ndim else grad
)
for _op in ("fliplr", "flipud", "roll", "rot90"):
    derivative(f"torch.{_op}", input=moved)

# -- parts -----------------------------------------------------------------------------------------

derivative(
    *_copies("select"),
    name="Select",
    input=lambda grad, dim, index, form: written(lambda x: x.select(dim, index), grad, form),
)
derivative(
    *_copies("narrow"),
    name="Slice",
    input=lambda grad, dim, start, length, form: written(
        lambda x: x.narrow(dim, start, length), grad, form
    ),
)


def _diagonal(grad: Any, form: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    first, second = 0 if dim1 is None else dim1, 1 if dim2 is None else dim2
    return written(lambda x: x.diagonal(offset, first, second), grad, form)


derivative(*_copies("diagonal"), name="Diagonal", input=_diagonal)
derivative(
    "torch.linalg.diagonal",
    name="Diagonal",
    A=lambda grad, form, offset, dim1, dim2: _diagonal(grad, form, offset, dim1, dim2),
)
strided("Tensor.unfold", name="Unfold")
derivative("torch.unfold_copy", name="Unfold", input=moved)
strided("torch.as_strided", name="AsStrided")


@composite("torch.as_strided_copy")
def as_strided_copy(input: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    """A copy of the view."""
    return _strided(input, size, stride, storage_offset).clone()


strided("torch.tensor_split", "torch.hsplit", "torch.vsplit", "torch.dsplit", name="Slice")


def _joined(grads: Any, dim: Any) -> Any:
    return call("torch.cat", grads, 0 if dim is None else dim)


derivative("torch.chunk", "torch.split", name="Split", several=True, input=_joined, tensor=_joined)
derivative("Tensor.split", name="Split", several=True, self=_joined)
derivative("torch.split_with_sizes", several=True, input=_joined)
derivative(
    *("torch.unsafe_chunk", "torch.unsafe_split", "torch.unsafe_split_with_sizes"), input=_joined
)
derivative("torch.unbind_copy", input=lambda grads, dim: call("torch.stack", grads, dim))
derivative("torch.unbind", several=True, input=lambda grads, dim: call("torch.stack", grads, dim))


def _name_of_index(index: Any, **others: Any) -> str:
    """The last of PyTorch's steps for a subscript."""
    entries = index if isinstance(index, tuple) else (index,)
    last = "Alias"
    for entry in entries:
        if isinstance(entry, bool) or entry is Ellipsis:
            continue
        if entry is None:
            last = "Unsqueeze"
        elif isinstance(entry, slice):
            last = "Slice" if entry != slice(None) else last
        elif isinstance(entry, int):
            last = "Select"
        else:
            return "Index"
    return last


def _picked(grad: Any, index: Any, form: Any) -> Any:
    entries = index if isinstance(index, tuple) else (index,)
    if all(entry is None or isinstance(entry, (int, slice)) or entry is ... for entry in entries):
        return written(lambda x: x[index], grad, form)
    return put_back(grad, places_of(form)[index], form)


derivative("Tensor.__getitem__", name=_name_of_index, self=_picked)
derivative("operator.getitem", name=_name_of_index, input=_picked)


def _kept(grad: Any, index: Any) -> Any:
    rest = grad.clone()
    rest[index] = 0
    return rest


def _written(grad: Any, index: Any, form: Any) -> Any:
    """The gradient of what was written, which may have dims of 1 in front."""
    picked = grad[index]
    more = len(form.sizes) - picked.ndim
    return picked.reshape((*[1] * more, *picked.shape)) if more > 0 else picked


derivative(
    "operator.setitem",
    name="torch::autograd::CopySlices",
    input=_kept,
    value=_written,
)

# -- repeated --------------------------------------------------------------------------------------

derivative(
    *("Tensor.expand", "torch.expand_copy", "torch.broadcast_to", "Tensor.expand_as"),
    name="Expand",
    input=lambda grad: grad,
    self=lambda grad: grad,
    other=None,
)
derivative("torch.broadcast_tensors", name="Expand", tensors=lambda grads: grads)


def _of_grids(grads: Any, form: Any, indexing: Any) -> list[Any]:
    parts = []
    for place, (grad, own) in enumerate(zip(grads, form, strict=True)):
        swapped = indexing == "xy" and len(form) > 1 and place < 2
        kept = 1 - place if swapped else place
        others = tuple(k for k in range(grad.ndim) if k != kept)
        parts.append((grad.sum(others) if others else grad).reshape(own.sizes))
    return parts


derivative("torch.meshgrid", name="Expand", tensors=_of_grids)


def _repeated(grad: Any, repeats: Any, form: Any) -> Any:
    times = repeats[0] if len(repeats) == 1 and isinstance(repeats[0], (tuple, list)) else repeats
    sizes = (1,) * (len(times) - len(form.sizes)) + tuple(form.sizes)
    times = (1,) * (len(sizes) - len(times)) + tuple(times)
    if not sizes:
        return grad
    split = [n for pair in zip(times, sizes, strict=True) for n in pair]
    return grad.reshape(split).sum(tuple(range(0, 2 * len(sizes), 2))).reshape(form.sizes)


derivative("Tensor.repeat", name="Repeat", self=_repeated)
derivative("torch.tile", name="Repeat", input=lambda grad, dims, form: _repeated(grad, dims, form))


@composite("torch.repeat_interleave")
def repeat_interleave(input: Any, repeats: Any, dim: Any) -> Any:
    """The elements by repeated indices."""
    if dim is None:
        input, dim = input.reshape(-1), 0
    places = call("torch.arange", 0, input.shape[dim], device=input.device)
    return input.index_select(dim, call("torch.repeat_interleave", places, repeats))


# -- joined ----------------------------------------------------------------------------------------


def _cut(grad: Any, form: Any, dim: Any) -> list[Any]:
    place = 0 if dim is None else dim
    sizes = [0 if f.sizes == (0,) else f.sizes[place] for f in form]
    parts = list(call("torch.split", grad, sizes, place))
    return [
        part.reshape(own.sizes) if own.sizes == (0,) else part
        for part, own in zip(parts, form, strict=True)
    ]


derivative("torch.cat", tensors=_cut)
derivative(
    "torch.stack",
    tensors=lambda grad, dim: list(call("torch.unbind", grad, 0 if dim is None else dim)),
)


@composite("torch.hstack")
def hstack(tensors: Any) -> Any:
    """Joined along the second dim, or the only one."""
    parts = [t.reshape(1) if not t.ndim else t for t in tensors]
    return call("torch.cat", parts, 0 if parts[0].ndim == 1 else 1)


@composite("torch.vstack", "torch.row_stack")
def vstack(tensors: Any) -> Any:
    """Joined along the first dim."""
    return call("torch.cat", [t.reshape(1, -1) if t.ndim < 2 else t for t in tensors], 0)


@composite("torch.dstack")
def dstack(tensors: Any) -> Any:
    """Joined along the third dim."""
    return call("torch.cat", list(call("torch.atleast_3d", list(tensors))), 2)


@composite("torch.column_stack")
def column_stack(tensors: Any) -> Any:
    """Joined along the second dim; vectors are columns."""
    return call("torch.cat", [t.reshape(-1, 1) if t.ndim < 2 else t for t in tensors], 1)


@composite("torch.cartesian_prod")
def cartesian_prod(tensors: Any) -> Any:
    """Each combination of elements."""
    if len(tensors) == 1:
        return tensors[0]
    grids = call("torch.meshgrid", *tensors, indexing="ij")
    return call("torch.stack", [grid.reshape(-1) for grid in grids], 1)


@composite("torch.combinations")
def combinations(input: Any, r: Any, with_replacement: Any) -> Any:
    """The elements by the combinations of their places."""
    places = call("torch.arange", 0, input.shape[0], device=input.device)
    return input[call("torch.combinations", places, r, with_replacement)]


@composite("torch.block_diag")
def block_diag(tensors: Any) -> Any:
    """Zeros, into which the matrices are written."""
    blocks = [t.reshape(1, -1) if t.ndim < 2 else t for t in tensors]
    height, width = (sum(b.shape[k] for b in blocks) for k in (0, 1))
    whole = call("torch.zeros", height, width, dtype=blocks[0].dtype, device=blocks[0].device)
    row = column = 0
    for block in blocks:
        whole[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return whole


@composite("torch.nn.utils.rnn.pad_sequence")
def pad_sequence(sequences: Any, batch_first: Any, padding_value: Any, padding_side: Any) -> Any:
    """Joined after each is filled up to the longest."""
    longest = max(sequence.shape[0] for sequence in sequences)
    parts = []
    for sequence in sequences:
        gap = longest - sequence.shape[0]
        if gap:
            sizes = (gap, *sequence.shape[1:])
            rest = call(
                "torch.full",
                sizes,
                padding_value or 0.0,
                dtype=sequence.dtype,
                device=sequence.device,
            )
            pair = [rest, sequence] if padding_side == "left" else [sequence, rest]
            sequence = call("torch.cat", pair, 0)
        parts.append(sequence)
    return call("torch.stack", parts, 0 if batch_first else 1)


# -- diagonals -------------------------------------------------------------------------------------

derivative("torch.tril", input=lambda grad, diagonal: call("torch.tril", grad, diagonal))
derivative("torch.triu", input=lambda grad, diagonal: call("torch.triu", grad, diagonal))
for _op in ("diag", "diagflat", "diag_embed"):
    derivative(f"torch.{_op}", input=moved)
derivative(
    "torch.trace", input=lambda grad, form: written(lambda x: x.diagonal(), grad.unsqueeze(0), form)
)


def _filled_diagonal(grad: Any, wrap: Any) -> Any:
    rest = grad.clone()
    rest.fill_diagonal_(0, bool(wrap))
    return rest


derivative("Tensor.fill_diagonal_", through_view=True, input=_filled_diagonal)


def _strided(x: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    return call("torch.as_strided", x, size, stride, storage_offset)


@composite("torch.as_strided_scatter")
def as_strided_scatter(input: Any, src: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    """A copy with the strides of the operand, of which a view is written."""
    whole = input.clone()
    _strided(whole, size, stride, storage_offset).copy_(src)
    return whole


derivative(
    "torch.diagonal_scatter",
    input=lambda grad, offset, dim1, dim2: cleared(lambda x: x.diagonal(offset, dim1, dim2), grad),
    src=lambda grad, offset, dim1, dim2: grad.diagonal(offset, dim1, dim2),
)
derivative(
    "torch.select_scatter",
    input=lambda grad, dim, index: cleared(lambda x: x.select(dim, index), grad),
    src=lambda grad, dim, index: grad.select(dim, index),
)


def _range(x: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    place = dims_of(dim, x.ndim)[0]
    return x[(slice(None),) * place + (slice(start, end, step),)]


derivative(
    "torch.slice_scatter",
    input=lambda grad, dim, start, end, step: cleared(
        lambda x: _range(x, dim, start, end, step), grad
    ),
    src=lambda grad, dim, start, end, step: _range(grad, dim, start, end, step),
)

kind_of_ops("constant", "torch.tril_indices", "torch.triu_indices")

# -- parts of complex numbers ----------------------------------------------------------------------

derivative(
    *_copies("view_as_real"),
    name="ViewAsReal",
    input=lambda grad: call("torch.view_as_complex", grad.contiguous()),
)
derivative(
    *_copies("view_as_complex"),
    name="ViewAsComplex",
    input=lambda grad: call("torch.view_as_real", grad.contiguous()),
)
