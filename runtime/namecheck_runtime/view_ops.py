"""Ops whose result shows or is an operand without a layout function saying where it lies, and those
that make memory of a layout of their own: how each is answered, by the op's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from namecheck_runtime import broadcasting, dtypes, strides
from namecheck_runtime.asking import names_of
from namecheck_runtime.backends import Call, extent
from namecheck_runtime.declare import Memory
from namecheck_runtime.lattice import Dim
from namecheck_runtime.orders import asked_of, is_laid_as
from namecheck_runtime.storage import Storage
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors import Tensor, fresh
from namecheck_runtime.views import copied, pieces, renamed, seen_as, show, shown_at, strided


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
    from namecheck_runtime.kernels.conversion import target_of

    base = called.operands[0]
    where, of = target_of(called)
    unchanged = (
        of is base.dtype and where is base.device and is_laid_as(base._geometry(), asked_of(called))
    )
    return base if unchanged and not called.values.get("copy") else None


def _as_float32(called: Call) -> Tensor | None:
    """What holds no quantized numbers is taken as float32."""
    base = called.operands[0]
    return base if base.dtype is dtypes.float32 else None


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
    """The view that the transpose is; of complex numbers their conjugates in new memory."""
    from namecheck_runtime.dispatch import call_path

    base = called.operands[0]
    if base.dtype.kind != "complex":
        return _of_matrices(called)
    return call_path("torch.conj_physical", (show(called) if base.ndim else base,), {})


def _copied_view(called: Call) -> Any:
    """A copy of what the op shows that it is named after."""
    shown = show(called)
    if not isinstance(shown, Tensor):
        return None
    return copied(shown, tuple(shown.shape), shown._names)


def _as_strided(called: Call) -> Tensor:
    values = called.values
    base = called.operands[0]
    g = strided(called, base, values["size"], values["stride"], values.get("storage_offset"))
    return shown_at(base, g, names_of(called.dims))


def _expanded(called: Call) -> tuple[Tensor, ...]:
    """Each operand expanded to the dims that they have together."""
    return tuple(
        shown_at(base, strides.expand(base._geometry(), [d.size for d in dims]), names_of(dims))
        for base, dims in zip(called.operands, called.dims, strict=True)
    )


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
    found = strides.reshape(base._geometry(), sizes)
    assert isinstance(found, Geometry)
    return shown_at(base, found, names_of(dims))


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
    from namecheck_runtime.kernels.activation import drops

    training = called.values.get("training", called.values.get("train"))
    return None if drops(called.values["p"], training) else called.operands[0]


def _split_along(called: Call) -> tuple[Tensor, ...]:
    """`hsplit` and its kin: which dim is divided shows in the sizes."""
    base = called.operands[0]
    base._own()
    g = base._geometry()
    along = {"torch.hsplit": 1 if base.ndim > 1 else 0, "torch.vsplit": 0, "torch.dsplit": 2}
    return pieces(called._replace(values={"dim": along[called.op.name]}), base, g)


VIEWS: Final[dict[str, Callable[[Call], Any]]] = {
    "namecheck_runtime.assert_names": _same,
    "namecheck_runtime.reveal_names": _revealed,
    "Tensor.rename": _rename,
    "Tensor.refine_names": _rename,
    "Tensor.align_to": _alias,
    "Tensor.align_as": _alias,
    "torch.align_tensors": _align_tensors,
    "Tensor.contiguous": _contiguous,
    "torch.ravel": _ravel,
    "torch.flatten": _flatten,
    "jax.lax.broadcast_in_dim": _broadcast_in_dim,
    "torch.detach": _detach,
    "Tensor.data": _data,
    "torch.positive": _same,
    "torch.conj": _real,
    "torch.resolve_conj": _same,
    "torch.resolve_neg": _same,
    "torch.as_strided": _as_strided,
    "Tensor.resize": _resized,
    "torch.broadcast_tensors": _expanded,
    "torch.atleast_1d": _at_least,
    "torch.atleast_2d": _at_least,
    "torch.atleast_3d": _at_least,
    "torch.hsplit": _split_along,
    "torch.vsplit": _split_along,
    "torch.dsplit": _split_along,
}


def _laid_out(called: Call) -> Tensor:
    """New memory with given strides, filled with 0."""
    values, options = called.values, called.options
    like = called.operands[0].dtype if called.operands else dtypes.get_default_dtype()
    of = like if options.get("dtype") is None else dtypes.as_dtype(options["dtype"])
    sizes, places = tuple(values["size"]), tuple(values["stride"])
    geometry = Geometry(sizes, places)
    buffer = np.zeros(extent(geometry), of.numpy)
    made = fresh(None, names_of(called.dims))
    made._storage = Storage(buffer, buffer.nbytes)
    made._array = made._storage.show(geometry, of.numpy)
    return made


def _new_tensor(called: Call) -> Tensor:
    from namecheck_runtime.factories import tensor

    values = called.values
    own = called.operands[0]
    of = own.dtype if values.get("dtype") is None else values["dtype"]
    where = own.device if values.get("device") is None else values["device"]
    return tensor(values["data"], dtype=of, device=where)


def _scalar_tensor(called: Call) -> Tensor:
    from namecheck_runtime.factories import tensor

    of = called.options.get("dtype") or dtypes.get_default_dtype()
    return tensor(called.values["s"], dtype=of, device=called.options.get("device"))


def _as_real(called: Call) -> Tensor:
    """Real and imaginary parts as a last dim of size 2, over the same memory."""
    base = called.operands[0]
    base._own()
    g = base._geometry()
    half = dtypes.float64 if base.dtype is dtypes.complex128 else dtypes.float32
    places = tuple([stride * 2 for stride in g.strides])  # type: ignore[operator]
    geometry = Geometry((*g.sizes, 2), (*places, 1), g.offset * 2)  # type: ignore[operator]
    return seen_as(base, geometry, half, names_of(called.dims))


def _as_complex(called: Call) -> Tensor:
    """A last dim of size 2 as complex numbers, over the same memory."""
    base = called.operands[0]
    base._own()
    g = base._geometry()
    strides_: Any = g.strides
    if strides_[-1] != 1 or g.offset % 2 or any(n % 2 for n in strides_[:-1]):  # type: ignore[operator]
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    whole = dtypes.complex128 if base.dtype is dtypes.float64 else dtypes.complex64
    places = tuple([stride // 2 for stride in strides_[:-1]])
    geometry = Geometry(g.sizes[:-1], places, g.offset // 2)  # type: ignore[operator]
    return seen_as(base, geometry, whole, names_of(called.dims))


def _part(place: int) -> Callable[[Call], Tensor]:
    """`x.real`, `x.imag` of complex numbers: every other float of their memory."""

    def show_part(called: Call) -> Tensor:
        base = called.operands[0]
        if base.dtype.kind != "complex":
            if place:
                raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
            return base
        base._own()
        g = base._geometry()
        half = dtypes.float64 if base.dtype is dtypes.complex128 else dtypes.float32
        places = tuple([stride * 2 for stride in g.strides])  # type: ignore[operator]
        geometry = Geometry(g.sizes, places, g.offset * 2 + place)  # type: ignore[operator]
        return seen_as(base, geometry, half, names_of(called.dims))

    return show_part


def _view(called: Call) -> Tensor | None:
    """`x.view(dtype)`: the same bytes as elements of another dtype; None for a view by sizes."""
    if "dtype" not in called.values:
        return None
    base = called.operands[0]
    if not isinstance(called.values["dtype"], dtypes.dtype):
        kind = type(called.values["dtype"]).__name__
        raise TypeError(f"view() received an invalid combination of arguments - got ({kind})")
    of: dtypes.dtype = called.values["dtype"]
    own, wanted = base.itemsize, of.itemsize
    base._own()
    g = base._geometry()
    if own == wanted:
        return seen_as(base, g, of, base._names)
    told = f"to view {dtypes.SPOKEN[base.dtype.name]} as {dtypes.SPOKEN[of.name]}"
    told += " (different element sizes)"
    sizes: Any = g.sizes
    places: Any = g.strides
    offset: Any = g.offset
    if not sizes:
        raise RuntimeError(f"self.dim() cannot be 0 {told}")
    if places[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {told}, but got {places[-1]}")
    more = max(wanted // own, 1)
    if sizes[-1] % more:
        raise RuntimeError(f"self.size(-1) must be divisible by {more} {told}, but got {sizes[-1]}")
    if any(place % more for place in places[:-1]) or offset % more:
        raise RuntimeError(f"strides and storage offset must be divisible by {more} {told}")
    scaled = tuple([place * own // wanted for place in places[:-1]])
    last = sizes[-1] * own // wanted
    geometry = Geometry((*sizes[:-1], last), (*scaled, 1), offset * own // wanted)
    return seen_as(base, geometry, of, base._names)


def _set_names(called: Call) -> Tensor:
    target = called.operands[0]
    target._names = names_of(called.dims)
    return target


VIEWS["Tensor.view"] = _view
VIEWS["torch.empty_strided"] = VIEWS["Tensor.new_empty_strided"] = _laid_out
VIEWS["Tensor.new_tensor"] = _new_tensor
VIEWS["torch.scalar_tensor"] = _scalar_tensor
VIEWS["torch.view_as_real"], VIEWS["torch.view_as_complex"] = _as_real, _as_complex
VIEWS["torch.real"] = VIEWS["Tensor.real"] = _part(0)
VIEWS["torch.imag"] = VIEWS["Tensor.imag"] = _part(1)
VIEWS["torch.dequantize"] = _as_float32
VIEWS["Tensor.pin_memory"] = VIEWS["Tensor.to_dense"] = _same
VIEWS["torch.conj_physical"] = _real
VIEWS["Tensor.type"] = _typed
VIEWS["Tensor.mT"] = _of_matrices
for _name in ("Tensor.mH", "Tensor.H", "torch.adjoint"):
    VIEWS[_name] = _adjoint
for _name in ("diagonal", "narrow", "permute", "select", "squeeze", "t", "unsqueeze", "view"):
    VIEWS[f"torch.{_name}_copy"] = _copied_view
for _name in (
    *("bfloat16", "bool", "byte", "cdouble", "cfloat", "chalf", "char", "double", "float", "half"),
    *("int", "long", "short", "cpu", "type_as", "to"),
):
    VIEWS[f"Tensor.{_name}"] = _converted
for _name in ("", "1d", "2d", "3d"):
    VIEWS[f"torch.nn.functional.dropout{_name}"] = _undropped
for _name in ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"):
    VIEWS[f"torch.{_name}"] = _undropped
for _name in ("alpha_dropout", "feature_alpha_dropout"):
    VIEWS[f"torch.nn.functional.{_name}"] = _undropped

VIEWS["Tensor.names="] = _set_names


def shown(called: Call) -> Any:
    """The result of an op that shows its operand's memory; None where it has to be computed."""
    own = VIEWS.get(called.op.name)
    found = None if own is None else own(called)
    if found is None and called.op.memory is Memory.VIEW:
        return show(called)
    return found
