"""Kernels of ops whose result shows memory, by the op's name.

It shows or is an operand, or it is new memory in a layout of its own.

Other view ops have a layout function, see `showing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime import strides
from namecheck_runtime.binding import Rule
from namecheck_runtime.declare import LAYOUTS, Memory, Op
from namecheck_runtime.lattice import Dim
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.backends import backend_of, extent, make, moved
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import dims_of, names_of
from namecheck_runtime.tensors.making.factories import tensor
from namecheck_runtime.tensors.object import Rest, Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.storage import Storage
from namecheck_runtime.tensors.views import broadcasting
from namecheck_runtime.tensors.views.orders import asked_of, is_laid_as
from namecheck_runtime.tensors.views.reinterpreted import as_complex, as_real, part, view_as_dtype
from namecheck_runtime.tensors.views.showing import copied, pieces, renamed, show, shown_at, strided


def _pin(called: Call) -> Tensor:
    """Refuse: no device is registered that reads memory by itself."""
    raise NotImplementedError(
        "pin_memory() would move the elements to where a device reads them by itself, and no such "
        "device is registered here"
    )


def _same(called: Call) -> Tensor:
    """The operand itself."""
    return called.operands[0]


def _revealed(called: Call) -> Tensor:
    """The operand itself, whose names are printed."""
    base = called.operands[0]
    print(f"names={base.names!r}")
    return base


def _alias(called: Call) -> Tensor:
    """Another tensor over the same memory, with the dims of the result in their order."""
    base = called.operands[0]
    return shown_at(base, _arranged(base, called.dims), names_of(called.dims))


def _arranged(base: Tensor, dims: Any) -> Geometry:
    """The dims of a tensor in the order of the names of `dims`, and new ones of size 1."""
    geometry = base._geometry()
    if len(dims) == len(geometry.sizes) and not any(base._names):
        return geometry
    names = list(base._names)
    if len(dims) == len(geometry.sizes) and [d.size for d in dims] == list(geometry.sizes):
        moved = [d.name for d in dims]
        if sorted(map(str, moved)) != sorted(map(str, names)) or moved == names:
            return geometry
    sizes: list[Any] = []
    places: list[Any] = []
    unnamed = iter([position for position, name in enumerate(names) if name is None])
    for dim in dims:
        position = names.index(dim.name) if dim.name in names and dim.name is not None else None
        if position is None and dim.name is None:
            position = next(unnamed, None)
        sizes.append(1 if position is None else geometry.sizes[position])
        places.append(None if position is None else geometry.strides[position])
    for back in range(len(sizes) - 1, -1, -1):
        if places[back] is None:
            behind = back + 1
            places[back] = 1 if behind == len(sizes) else sizes[behind] * places[behind]
    return Geometry(tuple(sizes), tuple(places), geometry.offset)


def _rename(called: Call) -> Tensor:
    return renamed(called.operands[0], names_of(called.dims))


def _align_tensors(called: Call) -> tuple[Tensor, ...]:
    return tuple(
        shown_at(base, _arranged(base, dims), names_of(dims))
        for base, dims in zip(called.operands, called.dims, strict=True)
    )


def _contiguous(called: Call) -> Tensor | None:
    base = called.operands[0]
    asked = asked_of(called) or dtypes.contiguous_format
    return base if is_laid_as(base._geometry(), asked) else None


def _ravel(called: Call) -> Tensor | None:
    base = called.operands[0]
    base._own()
    view = strides.ravel(base._geometry())
    return shown_at(base, view, names_of(called.dims)) if isinstance(view, Geometry) else None


def _flatten(called: Call) -> Tensor | None:
    """Where one dim is flattened nothing changes but its name."""
    base = called.operands[0]
    names = names_of(called.dims)
    if len(names) != base.ndim:
        return None
    return base if names is base._names else renamed(base, names)


def _broadcast_in_dim(called: Call) -> Tensor:
    base = called.operands[0]
    base._own()
    places = called.values["broadcast_dimensions"]
    view = broadcasting.placed(base, called.dims, places)
    return shown_at(base, view, names_of(called.dims))


def _detach(called: Call) -> Tensor:
    """The same memory, and not a view: it has the very array of the operand."""
    base = called.operands[0]
    base._own()
    detached = fresh(base._array, base._names)
    detached._storage = base._storage
    rest = base._rest
    if rest is not None and rest.geometry is not None:
        detached._rest = Rest(rest.device, rest.layout, rest.dtype, rest.geometry)
    return detached


def _converted(called: Call) -> Tensor | None:
    """`x.to(...)`, `x.float()`: the tensor itself where nothing changes."""
    from namecheck_runtime.tensors.kernels.conversion import target_of

    base = called.operands[0]
    where, dtype = target_of(called)
    unchanged = (
        dtype is base.dtype
        and where is base.device
        and is_laid_as(base._geometry(), asked_of(called))
    )
    if where is dtypes.META is not base.device and base.layout is dtypes.strided:
        # Nothing is computed on meta: only the dims go there.
        lies = strides.clone_strides(base._geometry())
        geometry = Geometry(tuple(base.shape), lies)
        return make(where, dtypes.strided, dtype, geometry, base._names, None)
    if where is not base.device:
        if base.layout is not dtypes.strided:
            raise NotImplementedError(
                f"a tensor of layout {base.layout.name} does not move from {base.device} to "
                f"{where}: make it dense with to_dense() first"
            )
        return moved(base, where, dtype)
    if dtype is not base.dtype and base.layout is dtypes.strided:
        if backend_of(where).find(called.op, base.dtype) is None:
            return moved(base, where, dtype)  # by way of the CPU
    return base if unchanged and not called.values.get("copy") else None


def _typed(called: Call) -> Any:
    """`x.type()`: PyTorch's name for the dtype; `x.type(dtype)` converts."""
    if "dtype" in called.values:
        return _converted(called)
    return f"torch.{dtypes.SPOKEN[called.operands[0].dtype.name]}Tensor"


def _dense(called: Call) -> Tensor | None:
    """The elements of a tensor of another layout in a strided one; None if a kernel has them."""
    base = called.operands[0]
    if base.layout is dtypes.strided:
        return base
    backend = backend_of(base.device, base.layout)
    if backend.find(called.op, base.dtype) is not None:
        return None
    return backend_of(base.device).from_array(backend.to_array(base), base._names)


def _merged(called: Call) -> Tensor | None:
    """The operand itself if each of its elements is stored once already."""
    base = called.operands[0]
    if base.layout is dtypes.strided:
        raise RuntimeError("coalesce expected sparse coordinate tensor layout but got Strided")
    return base if base.is_coalesced() else None


def _of_matrices(called: Call) -> Tensor | None:
    """Without dims there is nothing to transpose."""
    base = called.operands[0]
    return None if base.ndim else base


def _adjoint(called: Call) -> Any:
    """The dims in another order; of complex elements a copy, as no view is marked conjugate."""
    base = called.operands[0]
    turned = show(called) if base.ndim else base
    return turned if base.dtype.kind != "complex" else turned.conj()


def _floats(called: Call) -> Tensor | None:
    """The operand itself if it is float32 already."""
    base = called.operands[0]
    return base if base.dtype is dtypes.float32 else None


def _as_strided(called: Call) -> Tensor:
    values = called.values
    base = called.operands[0]
    g = strided(called, base, values["size"], values["stride"], values.get("storage_offset"))
    return shown_at(base, g, names_of(called.dims))


def _expanded(called: Call) -> tuple[Tensor, ...]:
    """Each operand expanded to their common dims; itself if it has these."""
    return tuple(
        base if dims == dims_of(base) else _expanded_to(base, dims)
        for base, dims in zip(called.operands, called.dims, strict=True)
    )


def _expanded_to(base: Tensor, dims: Any) -> Tensor:
    base._own()
    view = strides.expand(base._geometry(), [d.size for d in dims])
    assert isinstance(view, Geometry)
    return shown_at(base, view, names_of(dims))


def _grids(called: Call) -> tuple[Tensor, ...]:
    """`meshgrid`: each vector along a dim of its own, with stride 0 along those of the others."""
    swapped = called.values["indexing"] == "xy" and len(called.operands) > 1
    grids = []
    for number, (base, dims) in enumerate(zip(called.operands, called.dims, strict=True)):
        base._own()
        place = 1 - number if swapped and number < 2 else number
        alone = [1] * len(dims)
        alone[place] = dims[place].size
        lined_up = strides.view(base._geometry(), alone)
        assert isinstance(lined_up, Geometry)
        geometry = strides.expand(lined_up, [dim.size for dim in dims])
        grids.append(shown_at(base, geometry, names_of(dims)))
    return tuple(grids)


def _rearranged(called: Call) -> Tensor | None:
    """`einsum` of one tensor that sums nothing: its dims in another order, or a diagonal."""
    from namecheck_runtime.tensors.kernels.contract import spelled_out

    if len(called.operands) != 1:
        return None
    base = called.operands[0]
    inputs, arrow, output = str(called.values["equation"]).replace(" ", "").partition("->")
    letters = "".join(sorted(inputs.replace(".", "")))
    if not arrow and len(set(letters)) == len(letters):
        output = "..." * ("..." in inputs) + letters
    inputs, others = spelled_out(inputs, [base.ndim])
    output = output.replace("...", others)
    if set(inputs) != set(output):
        return None
    base._own()
    g = base._geometry()
    places: Any = [
        sum(place for letter, place in zip(inputs, g.strides, strict=True) if letter == kept)
        for kept in output
    ]
    geometry = Geometry(tuple([d.size for d in called.dims]), tuple(places), g.offset)
    return shown_at(base, geometry, names_of(called.dims))


def _scattered(called: Call) -> Tensor:
    """A copy of `input` with the same strides, and `src` written where `size` and `stride` say."""
    values = called.values
    copy: Tensor = values["input"].clone()
    copy._own()
    size, stride, offset = values["size"], values["stride"], values.get("storage_offset")
    view = shown_at(copy, strided(called, copy, size, stride, offset), unnamed(len(size)))
    if isinstance(view._array, np.ndarray):
        np.copyto(view._array, values["src"]._array, casting="unsafe")
    return copy


def _joined(called: Call) -> Tensor | None:
    """The operand itself if it is the only one."""
    return called.operands[0] if len(called.operands) == 1 else None


def _unsummed(called: Call) -> Tensor | None:
    """The operand itself if it has the sizes that it is summed to."""
    base = called.operands[0]
    unchanged = [dim.size for dim in called.dims] == list(base.shape)
    return base if unchanged and base.dtype.kind not in ("bool", "int") else None


def _at_least(called: Call) -> Any:
    """The tensor, or each of several, with dims of size 1 around it until it has enough."""
    if called.dims and not all(type(dim) is Dim for dim in called.dims):
        return tuple(
            _reshaped(base, dims) for base, dims in zip(called.operands, called.dims, strict=True)
        )
    return _reshaped(called.operands[0], called.dims)


def _resized(called: Call) -> Tensor:
    """The elements in row-major order under other sizes: the same memory if that is possible."""
    base = called.operands[0]
    sizes = tuple([dim.size for dim in called.dims])
    view = strides.reshape(base._geometry(), sizes)
    if not isinstance(view, Geometry):
        return copied(base, sizes, names_of(called.dims))
    return shown_at(base, view, names_of(called.dims))


def _reshaped(base: Tensor, dims: Any) -> Tensor:
    sizes = tuple([dim.size for dim in dims])
    if len(sizes) == base.ndim:
        return base
    base._own()
    geometry = base._geometry()
    if len(geometry.sizes) == 1:
        geometry = strides.unsqueeze(geometry, 0)
    while len(geometry.sizes) < len(sizes):
        geometry = strides.unsqueeze(geometry, -1)
    return shown_at(base, geometry, names_of(dims))


def _data(called: Call) -> Tensor:
    """The same memory under a version counter of its own."""
    alias = _detach(called)
    storage = alias._storage
    if storage is not None:
        alias._storage = Storage(storage.buffer, storage.nbytes())
        alias._storage.roots = (alias._array,)
    return alias


def _real(called: Call) -> Tensor | None:
    base = called.operands[0]
    return base if base.dtype.kind != "complex" else None


def _undropped(called: Call) -> Tensor | None:
    """The operand itself if the dropout drops nothing."""
    from namecheck_runtime.tensors.kernels.activation import drops

    training = called.values.get("training", called.values.get("train"))
    base = called.operands[0]
    return base if not drops(called.values["p"], training) or not base.shape.numel() else None


def _split_along(called: Call) -> tuple[Tensor, ...]:
    """`hsplit`, `vsplit`, `dsplit`: the parts along the dim that each divides."""
    base = called.operands[0]
    base._own()
    g = base._geometry()
    along = {"torch.hsplit": 1 if base.ndim > 1 else 0, "torch.vsplit": 0, "torch.dsplit": 2}
    return pieces(called._replace(values={**called.values, "dim": along[called.op.name]}), base, g)


def _laid_out(called: Call) -> Tensor:
    """New memory with given strides, filled with 0."""
    values, options = called.values, called.options
    like = called.operands[0].dtype if called.operands else dtypes.get_default_dtype()
    dtype = like if options.get("dtype") is None else dtypes.as_dtype(options["dtype"])
    sizes, places = tuple(values["size"]), tuple(values["stride"])
    geometry = Geometry(sizes, places)
    where = options.get("device") or (called.operands[0].device if called.operands else "cpu")
    if device(where) is not dtypes.CPU:
        return make(device(where), dtypes.strided, dtype, geometry, names_of(called.dims), None)
    buffer = np.zeros(extent(geometry), dtype.numpy)
    result = fresh(None, names_of(called.dims))
    result._storage = Storage(buffer, buffer.nbytes)
    result._array = result._storage.show(geometry, dtype.numpy)
    result._storage.roots = (result._array,)
    return result


def _new_tensor(called: Call) -> Tensor:
    values = called.values
    base = called.operands[0]
    dtype = base.dtype if values.get("dtype") is None else values["dtype"]
    where = base.device if values.get("device") is None else values["device"]
    return tensor(values["data"], dtype=dtype, device=where)


def _scalar_tensor(called: Call) -> Tensor:
    dtype = called.options.get("dtype") or dtypes.get_default_dtype()
    return tensor(called.values["s"], dtype=dtype, device=called.options.get("device"))


def _set_names(called: Call) -> Tensor:
    target = called.operands[0]
    target._names = names_of(called.dims)
    return target


VIEWS: Final[dict[str, Callable[[Call], Any]]] = {
    "Tensor.view": view_as_dtype,
    "torch.view_as_real": as_real,
    "torch.view_as_complex": as_complex,
    "torch.real": part(0),
    "Tensor.real": part(0),
    "torch.imag": part(1),
    "Tensor.imag": part(1),
    "namecheck_runtime.assert_names": _same,
    "namecheck_runtime.reveal_names": _revealed,
    "Tensor.rename": _rename,
    "Tensor.refine_names": _rename,
    "Tensor.align_to": _alias,
    "Tensor.align_as": _alias,
    "torch.align_tensors": _align_tensors,
    "Tensor.names=": _set_names,
    "Tensor.contiguous": _contiguous,
    "torch.ravel": _ravel,
    "torch.flatten": _flatten,
    "jax.lax.broadcast_in_dim": _broadcast_in_dim,
    "torch.detach": _detach,
    "Tensor.data": _data,
    "torch.positive": _same,
    "torch.conj": _real,
    "torch.conj_physical": _real,
    "torch.resolve_conj": _same,
    "torch.resolve_neg": _same,
    "Tensor.pin_memory": _pin,
    "Tensor.to_dense": _dense,
    "Tensor.coalesce": _merged,
    "torch.dequantize": _floats,
    "torch.as_strided": _as_strided,
    "torch.as_strided_scatter": _scattered,
    "Tensor.resize": _resized,
    "torch.broadcast_tensors": _expanded,
    "torch.meshgrid": _grids,
    "torch.einsum": _rearranged,
    "torch.cartesian_prod": _joined,
    "Tensor.sum_to_size": _unsummed,
    "torch.atleast_1d": _at_least,
    "torch.atleast_2d": _at_least,
    "torch.atleast_3d": _at_least,
    "torch.hsplit": _split_along,
    "torch.vsplit": _split_along,
    "torch.dsplit": _split_along,
    "Tensor.mT": _of_matrices,
    "Tensor.H": _adjoint,
    "Tensor.mH": _adjoint,
    "torch.adjoint": _adjoint,
    "torch.empty_strided": _laid_out,
    "Tensor.new_empty_strided": _laid_out,
    "Tensor.new_tensor": _new_tensor,
    "torch.scalar_tensor": _scalar_tensor,
    "Tensor.type": _typed,
    **dict.fromkeys(
        (
            *(f"torch.nn.functional.dropout{dims}" for dims in ("", "1d", "2d", "3d")),
            *("torch.nn.functional.alpha_dropout", "torch.nn.functional.feature_alpha_dropout"),
            *("torch.dropout", "torch.alpha_dropout"),
            *("torch.feature_dropout", "torch.feature_alpha_dropout"),
        ),
        _undropped,
    ),
    **{
        f"Tensor.{name}": _converted
        for name in (
            *("bfloat16", "bool", "byte", "cdouble", "cfloat", "chalf", "char", "double", "float"),
            *("half", "int", "long", "short", "cpu", "type_as", "to"),
            *("cuda", "ipu", "xpu"),
        )
    },
}
"""By the op's name; one that returns None leaves the elements to be computed."""


def shown(called: Call) -> Any:
    """The result of an op that shows its operand's memory; None if it has to be computed."""
    show_own = VIEWS.get(called.op.name)
    result = show_copied(called) if show_own is None else show_own(called)
    if result is None and called.op.memory is Memory.VIEW:
        return show(called)
    return result


def copied_by(rule: Rule, op: Op) -> Callable[[Call], Any] | None:
    """The function that shows what a view's twin copies (`torch.t_copy`); None for other ops."""
    if op.memory is not Memory.NEW:
        return None
    if rule.function in LAYOUTS:
        return show
    name = op.name.rpartition(".")[2]
    twin = name.removesuffix("_copy")
    if twin == name:
        return None
    return VIEWS.get(f"torch.{twin}") or VIEWS.get(f"Tensor.{twin}")


def show_copied(called: Call) -> Any:
    """A copy of the view that the op's twin returns; None if it has none."""
    shows = copied_by(called.rule, called.op)
    view = None if shows is None else shows(called)
    if isinstance(view, tuple):
        return tuple(copied(part, tuple(part.shape), part._names) for part in view)
    return None if view is None else copied(view, tuple(view.shape), view._names)
