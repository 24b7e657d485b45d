"""Ops whose result shows or is an operand without a layout function saying where it lies, and those
that make memory of a layout of their own: how each is answered, by the op's name.
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
from namecheck_runtime.tensors.backends import extent, make
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import dims_of, names_of
from namecheck_runtime.tensors.making.factories import tensor
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.dtypes import device
from namecheck_runtime.tensors.values.name_tuples import unnamed
from namecheck_runtime.tensors.values.storage import Storage
from namecheck_runtime.tensors.views import broadcasting
from namecheck_runtime.tensors.views.orders import asked_of, is_laid_as
from namecheck_runtime.tensors.views.reinterpreted import as_complex, as_real, part, view_as_dtype
from namecheck_runtime.tensors.views.showing import copied, pieces, renamed, show, shown_at, strided


def _pin(called: Call) -> Tensor:
    """Memory that a device reads by itself is not there: there is no such device."""
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
    """Dims of a tensor in the order in which names ask for them, and new ones of size 1."""
    g = base._geometry()
    if len(dims) == len(g.sizes) and not any(base._names):
        return g
    own = list(base._names)
    if len(dims) == len(g.sizes) and [d.size for d in dims] == list(g.sizes):
        moved = [d.name for d in dims]
        if sorted(map(str, moved)) != sorted(map(str, own)) or moved == own:
            return g
    sizes: list[Any] = []
    places: list[Any] = []
    unnamed = iter([k for k, name in enumerate(own) if name is None])
    for dim in dims:
        k = own.index(dim.name) if dim.name in own and dim.name is not None else None
        if k is None and dim.name is None:
            k = next(unnamed, None)
        sizes.append(1 if k is None else g.sizes[k])
        places.append(None if k is None else g.strides[k])
    for back in range(len(sizes) - 1, -1, -1):
        if places[back] is None:
            behind = back + 1
            places[back] = 1 if behind == len(sizes) else sizes[behind] * places[behind]
    return Geometry(tuple(sizes), tuple(places), g.offset)


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
    found = strides.ravel(base._geometry())
    return shown_at(base, found, names_of(called.dims)) if isinstance(found, Geometry) else None


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
    found = broadcasting.placed(base, called.dims, places)
    return shown_at(base, found, names_of(called.dims))


def _detach(called: Call) -> Tensor:
    made = renamed(called.operands[0], called.operands[0]._names)
    if made._rest is not None:
        made._rest.requires_grad = False
        if made._rest.device is dtypes.CPU and made._rest.layout is dtypes.strided:
            made._rest = None
    return made


def _converted(called: Call) -> Tensor | None:
    """`x.to(...)`, `x.float()`: the tensor itself where nothing changes."""
    from namecheck_runtime.tensors.kernels.conversion import target_of

    base = called.operands[0]
    where, of = target_of(called)
    unchanged = (
        of is base.dtype and where is base.device and is_laid_as(base._geometry(), asked_of(called))
    )
    if where is dtypes.META is not base.device:
        # Nothing is computed there: the dims alone go.
        lies = strides.clone_strides(base._geometry())
        geometry = Geometry(tuple(base.shape), lies)
        return make(where, dtypes.strided, of, geometry, base._names, None)
    if base.device is dtypes.META is not where:
        raise NotImplementedError("Cannot copy out of meta tensor; no data!")
    return base if unchanged and not called.values.get("copy") else None


def _typed(called: Call) -> Any:
    """`x.type()`: what PyTorch calls the dtype; `x.type(dtype)` converts."""
    if "dtype" in called.values:
        return _converted(called)
    return f"torch.{dtypes.SPOKEN[called.operands[0].dtype.name]}Tensor"


def _of_matrices(called: Call) -> Tensor | None:
    """Without dims there is nothing to transpose."""
    base = called.operands[0]
    return None if base.ndim else base


def _adjoint(called: Call) -> Any:
    """The dims in another order; of complex numbers a copy: nothing marks elements as conjugate."""
    base = called.operands[0]
    turned = show(called) if base.ndim else base
    return turned if base.dtype.kind != "complex" else turned.conj()


def _floats(called: Call) -> Tensor | None:
    """The operand itself, which is in no need of a scale."""
    base = called.operands[0]
    return base if base.dtype is dtypes.float32 else None


def _as_strided(called: Call) -> Tensor:
    values = called.values
    base = called.operands[0]
    g = strided(called, base, values["size"], values["stride"], values.get("storage_offset"))
    return shown_at(base, g, names_of(called.dims))


def _expanded(called: Call) -> tuple[Tensor, ...]:
    """Each operand expanded to the dims that they have together; itself where it has them."""
    return tuple(
        base if dims == dims_of(base) else _expanded_to(base, dims)
        for base, dims in zip(called.operands, called.dims, strict=True)
    )


def _expanded_to(base: Tensor, dims: Any) -> Tensor:
    base._own()
    found = strides.expand(base._geometry(), [d.size for d in dims])
    assert isinstance(found, Geometry)
    return shown_at(base, found, names_of(dims))


def _grids(called: Call) -> tuple[Tensor, ...]:
    """`meshgrid`: each vector along a dim of its own, with stride 0 along those of the others."""
    swapped = called.values["indexing"] == "xy" and len(called.operands) > 1
    made = []
    for own, (base, dims) in enumerate(zip(called.operands, called.dims, strict=True)):
        base._own()
        place = 1 - own if swapped and own < 2 else own
        alone = [1] * len(dims)
        alone[place] = dims[place].size
        lined_up = strides.view(base._geometry(), alone)
        assert isinstance(lined_up, Geometry)
        geometry = strides.expand(lined_up, [dim.size for dim in dims])
        made.append(shown_at(base, geometry, names_of(dims)))
    return tuple(made)


def _rearranged(called: Call) -> Tensor | None:
    """`einsum` of one tensor that sums nothing: its dims in another order, or a diagonal."""
    from namecheck_runtime.tensors.kernels.contract import spelled_out

    if len(called.operands) != 1:
        return None
    base = called.operands[0]
    inputs, arrow, output = str(called.values["equation"]).replace(" ", "").partition("->")
    rest = "".join(sorted(inputs.replace(".", "")))
    if not arrow and len(set(rest)) == len(rest):
        output = "..." * ("..." in inputs) + rest
    inputs, others = spelled_out(inputs, [base.ndim])
    output = output.replace("...", others)
    if set(inputs) != set(output):
        return None
    base._own()
    g = base._geometry()
    places: Any = [
        sum(place for letter, place in zip(inputs, g.strides, strict=True) if letter == own)
        for own in output
    ]
    geometry = Geometry(tuple([d.size for d in called.dims]), tuple(places), g.offset)
    return shown_at(base, geometry, names_of(called.dims))


def _scattered(called: Call) -> Tensor:
    """A copy with the same strides, and a source written where others say that its elements lie."""
    values = called.values
    made: Tensor = values["input"].clone()
    made._own()
    size, stride, offset = values["size"], values["stride"], values.get("storage_offset")
    part = shown_at(made, strided(called, made, size, stride, offset), unnamed(len(size)))
    if isinstance(part._array, np.ndarray):
        np.copyto(part._array, values["src"]._array, casting="unsafe")
    return made


def _joined(called: Call) -> Tensor | None:
    """The operand itself where nothing is there to be combined with it."""
    return called.operands[0] if len(called.operands) == 1 else None


def _unsummed(called: Call) -> Tensor | None:
    """The operand itself, which has the sizes that it is summed to."""
    base = called.operands[0]
    same = [dim.size for dim in called.dims] == list(base.shape)
    return base if same and base.dtype.kind not in ("bool", "int") else None


def _at_least(called: Call) -> Any:
    """Dims of size 1 put around a tensor until it has enough."""
    if called.dims and not all(type(one) is Dim for one in called.dims):
        return tuple(
            _reshaped(base, dims) for base, dims in zip(called.operands, called.dims, strict=True)
        )
    return _reshaped(called.operands[0], called.dims)


def _resized(called: Call) -> Tensor:
    """The elements in row-major order under other sizes: the same memory if they lie so."""
    base = called.operands[0]
    sizes = tuple([dim.size for dim in called.dims])
    found = strides.reshape(base._geometry(), sizes)
    if not isinstance(found, Geometry):
        return copied(base, sizes, names_of(called.dims))
    return shown_at(base, found, names_of(called.dims))


def _reshaped(base: Tensor, dims: Any) -> Tensor:
    sizes = tuple([dim.size for dim in dims])
    if len(sizes) == base.ndim:
        return base
    base._own()
    g = base._geometry()
    if len(g.sizes) == 1:
        g = strides.unsqueeze(g, 0)
    while len(g.sizes) < len(sizes):
        g = strides.unsqueeze(g, -1)
    return shown_at(base, g, names_of(dims))


def _data(called: Call) -> Tensor:
    """The same memory under a version counter of its own."""
    made = _detach(called)
    storage = made._storage
    if storage is not None:
        made._storage = Storage(storage.buffer, storage.nbytes())
    return made


def _real(called: Call) -> Tensor | None:
    base = called.operands[0]
    return base if base.dtype.kind != "complex" else None


def _undropped(called: Call) -> Tensor | None:
    """The operand itself, where a dropout drops nothing."""
    from namecheck_runtime.tensors.kernels.activation import drops

    training = called.values.get("training", called.values.get("train"))
    base = called.operands[0]
    return base if not drops(called.values["p"], training) or not base.shape.numel() else None


def _split_along(called: Call) -> tuple[Tensor, ...]:
    """`hsplit` and its kin: which dim is divided shows in the sizes."""
    base = called.operands[0]
    base._own()
    g = base._geometry()
    along = {"torch.hsplit": 1 if base.ndim > 1 else 0, "torch.vsplit": 0, "torch.dsplit": 2}
    return pieces(called._replace(values={**called.values, "dim": along[called.op.name]}), base, g)


def _laid_out(called: Call) -> Tensor:
    """New memory with given strides, filled with 0."""
    values, options = called.values, called.options
    like = called.operands[0].dtype if called.operands else dtypes.get_default_dtype()
    of = like if options.get("dtype") is None else dtypes.as_dtype(options["dtype"])
    sizes, places = tuple(values["size"]), tuple(values["stride"])
    geometry = Geometry(sizes, places)
    where = options.get("device") or (called.operands[0].device if called.operands else "cpu")
    if device(where) is not dtypes.CPU:
        return make(device(where), dtypes.strided, of, geometry, names_of(called.dims), None)
    buffer = np.zeros(extent(geometry), of.numpy)
    made = fresh(None, names_of(called.dims))
    made._storage = Storage(buffer, buffer.nbytes)
    made._array = made._storage.show(geometry, of.numpy)
    return made


def _new_tensor(called: Call) -> Tensor:
    values = called.values
    own = called.operands[0]
    of = own.dtype if values.get("dtype") is None else values["dtype"]
    where = own.device if values.get("device") is None else values["device"]
    return tensor(values["data"], dtype=of, device=where)


def _scalar_tensor(called: Call) -> Tensor:
    of = called.options.get("dtype") or dtypes.get_default_dtype()
    return tensor(called.values["s"], dtype=of, device=called.options.get("device"))


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
    "Tensor.to_dense": _same,
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
        )
    },
}
"""How an op shows memory, by its name; None from one of them: the elements have to be computed."""


def shown(called: Call) -> Any:
    """The result of an op that shows its operand's memory; None where it has to be computed."""
    own = VIEWS.get(called.op.name)
    found = show_copied(called) if own is None else own(called)
    if found is None and called.op.memory is Memory.VIEW:
        return show(called)
    return found


def copied_by(rule: Rule, op: Op) -> Callable[[Call], Any] | None:
    """What shows the memory that an op copies because it is a view's twin (`torch.t_copy`)."""
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
    """A copy of what the op's twin shows; None if it has none."""
    shows = copied_by(called.rule, called.op)
    found = None if shows is None else shows(called)
    if isinstance(found, tuple):
        return tuple(copied(one, tuple(one.shape), one._names) for one in found)
    return None if found is None else copied(found, tuple(found.shape), found._names)
