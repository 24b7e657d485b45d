"""The result of an op in new memory: the kernel that a backend has for it, and its arguments.

Names and sizes are checked before, so a kernel never sees a call that its rule refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import Any, Final

import numpy as np

from namecheck_runtime.declare import Op
from namecheck_runtime.errors import LinAlgError
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.backends import (
    Backend,
    backend_of,
    extent,
    maker_of,
    require_one_device,
)
from namecheck_runtime.tensors.calls.arguments import check_options
from namecheck_runtime.tensors.calls.call import Call, Kernel
from namecheck_runtime.tensors.calls.operands import holds, is_dims, names_of
from namecheck_runtime.tensors.computing import widening
from namecheck_runtime.tensors.computing.writing import write_arguments
from namecheck_runtime.tensors.object import Tensor, fresh
from namecheck_runtime.tensors.values import dtypes, promotion
from namecheck_runtime.tensors.values.dtypes import device, dtype
from namecheck_runtime.tensors.values.errstate import quietly
from namecheck_runtime.tensors.values.name_tuples import Names, unnamed
from namecheck_runtime.tensors.values.storage import Storage
from namecheck_runtime.tensors.views.orders import strides_for


class Form(NamedTuple):
    """The form of one result, known before it is computed."""

    names: Names
    sizes: tuple[int, ...]
    order: tuple[int, ...]
    """The strides that PyTorch gives it, in elements."""
    strides: tuple[int, ...]
    """The same in bytes."""
    dtype: np.dtype[Any]


class Computation:
    """How to compute a call, and all calls of its kind: the kernel, its arguments, its dtypes.

    The form of the result depends on sizes: see `forms_of`.

    Raises NotImplementedError where the backend has no kernel.
    """

    __slots__ = (
        "_arrays",
        "_backend",
        "_fixed",
        "_function",
        "_kernel",
        "_positional",
        "_rounds",
        "_taken",
        "_to",
        "_words",
        "_writes",
        "of",
    )

    def __init__(self, called: Call) -> None:
        op = called.op
        self._backend = backend = _backend_for(called)
        refusal: RuntimeError | None = None
        try:
            common = called.common()
        except RuntimeError as error:  # indices need not combine with what they pick
            common, refusal = called.operands[0].dtype, error
        kernel = backend.find(op, common)
        if refusal is not None:
            usual = kernel or backend.find(op, dtypes.float32)
            if usual is not None and usual.converts:
                raise refusal
        if kernel is None:
            maker = maker_of(device(backend.device_type), op)
            if maker is not None:
                self._backend = backend = maker
                kernel = maker.find(op, common)
        if kernel is None:
            raise _without_kernel(op, common, backend)
        self.of: Any = dtype_of(called, kernel)
        """The dtype of the result, or of each of several; None: that of its elements."""
        self._rounds = kernel.rounds or _asked_dtype(called) is not None
        self._to: dtype | None = None
        if kernel.converts and called.operands:
            self._to = promotion.floating(common) if op.kind == "float" else common
            # Operands of a result with fractions become floats first: -2 beside bytes is not 254.
            fractions = isinstance(self.of, dtype) and self.of.kind in ("float", "complex")
            if fractions and common.kind in ("bool", "int"):
                self._to = promotion.real(self.of)
        self._fixed: tuple[tuple[str, Any], ...] = ()
        if backend.computes:
            self._fixed = _require_heeded(called, kernel)
        self._kernel = kernel
        self._function = kernel.function
        self._writes = kernel.writes or isinstance(kernel.function, np.ufunc)
        if backend.holds_arrays and not kernel.moves:
            if widening.is_needed(called, self.of) and not backend.has_own(op, common):
                asked = _asked_dtype(called)
                if self._to is not None and asked is not None and "dtype" in (kernel.takes or ()):
                    self._to = dtypes.as_dtype(asked)  # operands are rounded to it before
                self._function = widening.widened(kernel.function, self.of, common)
                self._writes = False
        self._positional = kernel.takes is None
        self._taken = _taken_by(kernel, called)
        self._words = tuple([name for name, _, _ in self._taken])
        self._arrays = backend.holds_arrays

    @property
    def backend(self) -> Backend:
        """The backend whose kernel computes."""
        return self._backend

    @property
    def function(self) -> Callable[..., Any]:
        """The function of the kernel."""
        return self._function

    @property
    def positional(self) -> bool:
        """Whether the function takes its arguments by position alone."""
        return self._positional

    @property
    def to(self) -> dtype | None:
        """The dtype that operands are converted to; None if they stay as they are."""
        return self._to

    @property
    def hows(self) -> dict[str, str]:
        """For each parameter of the kernel that is passed: is it a `tensor`, `several`, `plain`?"""
        return {name: how for name, _, how in self._taken}

    def is_self(self, name: str) -> bool:
        """Whether a parameter of the kernel gets the first operand, by whatever name."""
        return any(name == word and source is _SELF for word, source, _ in self._taken)

    def serves(self, called: Call) -> bool:
        """Whether another call of the same kind is computed in this way, too."""
        for name, value in self._fixed:
            if called.values[name] is not value:
                return False
        if self._kernel.dtype is None:
            return True  # types and options decide, which are those of the kind
        return bool(self._kernel.dtype(called) == self.of)

    def forms_of(self, called: Call) -> Any:
        """The form of the result of a call, or of each of several.

        None for one with a size that the elements decide.
        """
        return _forms_of(called, self.of)

    def run(self, called: Call, forms: Any) -> Any:
        """The result of a call of this kind, which has some forms."""
        elements = self._elements(called)
        if called.op.writes and elements is not None:
            elements, *changed = elements
            write_arguments(called, changed)
            if elements is None:
                return None  # NumPy's functions that write return None
        return self.given(called, elements, forms)

    def ufunc_of(self, array: Any) -> np.ufunc | None:
        """NumPy's function that is all of this computation, of an array of the operand's dtype.

        None if there is more to do.
        """
        function: Any = self._function
        if array.dtype in _WITH_FRACTIONS:
            function = getattr(function, "__wrapped__", function)  # see `pointwise.with_floats`
        alone = isinstance(function, np.ufunc) and function.nin == function.nout == 1
        if not (alone and self._arrays and self._positional and len(self._taken) == 1):
            return None
        if not isinstance(self.of, dtype) or (self._to and self._to.numpy is not array.dtype):
            return None
        *_, result = function.resolve_dtypes((array.dtype, None))
        return function if result == self.of.numpy else None

    def writes_to(self, target: Tensor) -> bool:
        """Whether `write` can compute straight into a tensor that has the sizes of the result."""
        held = target._array.__class__ is np.ndarray
        return self._writes and held and self._backend.computes and self.of is target.dtype

    def write(self, called: Call, target: Tensor) -> None:
        """Compute to the memory of a tensor."""
        self._elements(called, out=target._array)

    def _elements(self, called: Call, **out: Any) -> Any:
        """The elements that the kernel returns."""
        if called.numbers and isinstance(self.of, dtype) and self.of.kind == "int":
            for number in called.numbers:
                dtypes.require_held(number, self.of)
        values, take, to = called.values, self._backend.take, self._to
        taken: list[Any] = []
        for name, source, how in self._taken:
            if source is _VALUES:
                value = values[name]
            else:
                value = called.operands[0] if source is _SELF else called.options[name]
            if how is _TENSOR:
                value = take(value, to)
            elif how is _SEVERAL:
                value = _each_taken(value, take, to)
            taken.append(value)
        try:
            if self._positional:
                return quietly(self._function, *taken, **out)
            return quietly(self._function, **dict(zip(self._words, taken, strict=True)), **out)
        except TypeError as refusal:
            if not str(refusal).startswith("ufunc "):
                raise
            # NumPy has no such function of these elements.
            name = called.op.name.rpartition(".")[2]
            kind = dtypes.SPOKEN[called.common().name]
            raise NotImplementedError(f"\"{name}\" not implemented for '{kind}'") from None
        except np.linalg.LinAlgError as error:
            raise LinAlgError(f"{called.op.name}: {error}") from error

    def given(self, called: Call, elements: Any, all_forms: Any) -> Any:
        """The tensors of the elements from a kernel, with the dims of the rule.

        The elements themselves if the result is not a tensor.
        """
        dims, of = called.dims, self.of
        if all_forms.__class__ is Form:
            return self._one(called, elements, of, dims, all_forms)
        if dims is UNKNOWN and called.rule.answers and self._arrays:
            return elements
        if isinstance(elements, (int, float, complex)):
            elements = np.asarray(elements)
        if is_dims(dims) or (dims is UNKNOWN and not isinstance(elements, (tuple, list))):
            return self._one(called, elements, of, dims, None)
        if dims is UNKNOWN:
            dims = (UNKNOWN,) * len(elements)
        parts = elements if elements is not None else (None,) * len(dims)
        each = of if isinstance(of, tuple) else (of,) * len(dims)
        forms = all_forms or (None,) * len(dims)
        return tuple(
            self._one(called, part, kind, part_dims, form) if part_dims is not None else None
            for part, kind, part_dims, form in zip(parts, each, dims, forms, strict=True)
        )

    def _one(self, called: Call, elements: Any, of: dtype, dims: Any, form: Form | None) -> Tensor:
        backend = self._backend
        if form is None:
            shape = getattr(elements, "shape", None)
            if shape is None:
                raise RuntimeError(
                    f"how many elements {called.op.name} gives depends on the elements of its "
                    f"operands, which device '{backend.device_type}' does not have"
                )
            names = unnamed(len(shape)) if dims is UNKNOWN else names_of(dims)
            result = backend.give(elements, names, tuple(shape), of)
            return _in_order(result, strides_for(called, result.shape))
        if (
            self._arrays
            and elements.__class__ is np.ndarray
            and elements.dtype is form.dtype
            and elements.strides == form.strides
            and elements.shape == form.sizes
            and elements.base is None
        ):
            for operand in called.operands:
                if operand._array is elements:
                    break
            else:
                return fresh(elements, form.names)  # it has the form, and memory of its own
        if of.kind in ("int", "bool") and not self._rounds and _has_fractions(elements):
            spoken = dtypes.SPOKEN[called.common().name]
            raise NotImplementedError(f"{called.op.name} is not implemented for '{spoken}'")
        result = _apart(called, backend.give(elements, form.names, form.sizes, of))
        if self._arrays and result._array.strides == form.strides and result._array.size:
            return result
        return _in_order(result, form.order)


def _without_kernel(op: Op, of: dtype, backend: Backend) -> NotImplementedError:
    """What to say of an op that a backend does not compute for a dtype."""
    if of.has_kernels or not backend.holds_arrays:
        return NotImplementedError(
            f"{op.name} has no kernel for dtype {of.name} on device "
            f"'{backend.device_type}' and layout {backend.layout.name}"
        )
    return NotImplementedError(
        f"\"{op.name.rpartition('.')[2]}\" not implemented for '{dtypes.SPOKEN[of.name]}'\n"
        "hint: register a kernel, nt.backends.backend_of('cpu').kernels"
        f"['{op.name}', nt.{of.name}] = Kernel(..), or the dtype with computes_in="
    )


_WITH_FRACTIONS: Final = dtypes.numpys("fc")
_VALUES: Final = "values"
_OPTIONS: Final = "options"
_SELF: Final = "self"
_TENSOR: Final = "tensor"
_SEVERAL: Final = "several"
_PLAIN: Final = "plain"


def _taken_by(kernel: Kernel, called: Call) -> tuple[tuple[str, str, str], ...]:
    """The arguments of a kernel: the name of each, its source, and whether it has tensors."""
    values, options = called.values, called.options
    if kernel.takes is None:
        return tuple(
            (parameter.name, _VALUES, _how(values[parameter.name]))
            for parameter in called.rule.parameters
            if not _OPERAND_WORDS.isdisjoint(parameter.takes) and parameter.name in values
        )
    left_out = _defaults(kernel.function)
    # Rules see a number as a shape without dims.  If that is the default, the kernel has its own.
    numbers = {p.name for p in called.rule.parameters if p.default == () and "Operand" in p.takes}
    taken: list[tuple[str, str, str]] = []
    for name in kernel.takes:
        if name in numbers and values[name].__class__ is tuple:
            continue
        if name == "self" and called.operands:
            taken.append((name, _SELF, _TENSOR))
        elif name in values or name in options:
            source = _VALUES if name in values else _OPTIONS
            value = values[name] if name in values else options[name]
            if value is not None or name not in left_out:
                taken.append((name, source, _how(value)))
    return tuple(taken)


_ASIDE: Final = frozenset(
    {
        # About the result: the rule decides its dims and dtype, the backend its place.
        *("self", "input", "names", "shape", "dtype", "device", "stride", "physical_layout"),
        *("out_int32", "inplace"),
        # About the method of computing, or about gradients.
        *("driver", "niter", "compute_mode", "stable", "output_size", "_stacklevel"),
        *("cudnn_enable", "cudnn_enabled", "sparse", "sparse_grad", "masked_grad"),
        *("scale_grad_by_freq", "padding_idx", "norm_type", "alpha", "beta"),
    }
)
"""Parameters that change no element of a result, so that kernels do not take them."""


def _require_heeded(called: Call, kernel: Kernel) -> tuple[tuple[str, Any], ...]:
    """Raise NotImplementedError for an argument that the kernel does not take.

    The caller passes it, and it would change the result.  Returns the arguments that do not change
    it as they are, and would with another value.
    """
    check_options(called.op.name, called.options, kernel.takes or ())
    if kernel.takes is None:
        return ()
    neutral: list[tuple[str, Any]] = []
    for parameter in called.rule.parameters:
        name, default = parameter.name, parameter.default
        if name in kernel.takes or name in _ASIDE or name not in called.values:
            continue
        value = called.values[name]
        neutral.append((name, value))
        if value is default or value is None or value == () or value == {}:
            continue
        if isinstance(value, (Tensor, np.ndarray)) or value != default:
            raise NotImplementedError(
                f"{called.op.name} does not support the argument '{name}' here"
            )
    return tuple(neutral)


def _how(value: Any) -> str:
    """Whether an argument is a tensor, may hold some, or is neither."""
    if isinstance(value, Tensor):
        return _TENSOR
    return _SEVERAL if holds(value) else _PLAIN


def _each_taken(value: Any, take: Callable[..., Any], to: dtype | None) -> Any:
    """An argument with elements in place of the tensors in it."""
    if isinstance(value, Tensor):
        return take(value, to)
    if isinstance(value, (tuple, list)):
        return type(value)([_each_taken(entry, take, to) for entry in value])
    return value


def _forms_of(called: Call, of: Any) -> Any:
    """The form of the result, or of each of several.

    None for one with a size that the elements decide.
    """
    dims = called.dims
    if dims is UNKNOWN:
        return None
    if is_dims(dims):
        return _form_of(called, dims, of)
    each = of if isinstance(of, tuple) else (of,) * len(dims)
    return tuple(
        None if part_dims is None else _form_of(called, part_dims, kind)
        for part_dims, kind in zip(dims, each, strict=True)
    )


def _form_of(called: Call, dims: Any, of: Any) -> Form | None:
    if of is None or dims is UNKNOWN:
        return None
    sizes = tuple([dim.size for dim in dims])
    for size in sizes:
        if size.__class__ is not int and not isinstance(size, int):
            return None
    order = strides_for(called, sizes)
    item = of.itemsize
    places = tuple([stride * item for stride in order])
    return _new_form(Form, (names_of(dims), sizes, order, places, of.numpy))


_new_form: Final = tuple.__new__  # Form's own does the same in Python


def _backend_for(called: Call) -> Backend:
    """The backend of the operands, which have to be on one device; without any, that of `device=`.

    Raises RuntimeError for operands on several devices.
    """
    where, how = called.options.get("device"), called.options.get("layout")
    if called.operands:
        first = called.operands[0]
        for operand in called.operands:
            if operand._rest is first._rest is None:
                continue
            mixed = operand.device is not first.device
            if mixed and not any(not t.ndim and t.device is dtypes.CPU for t in (first, operand)):
                require_one_device(first.device, operand.device)
            if first.device is dtypes.CPU:
                first = operand
        where = first.device if where is None else where
        if how is None:
            layouts = [operand.layout for operand in called.operands]
            how = next((kind for kind in layouts if kind is not dtypes.strided), dtypes.strided)
    return backend_of(device("cpu" if where is None else where), how or dtypes.strided)


def _asked_dtype(called: Call) -> Any:
    return called.options.get("dtype", called.values.get("dtype"))


def _has_fractions(elements: Any) -> bool:
    return getattr(getattr(elements, "dtype", None), "kind", "") in ("f", "c")


def dtype_of(called: Call, kernel: Kernel) -> Any:
    """The dtype of the result, or of each of several."""
    asked = _asked_dtype(called)
    if kernel.dtype is not None:
        return kernel.dtype(called)
    if asked is not None:
        return dtypes.as_dtype(asked)
    match called.op.kind:
        case "bool":
            return dtypes.bool_
        case "int":
            return dtypes.int64
        case "float":
            return promotion.floating(called.common())
        case "complex":
            common = called.common()
            return dtypes.complex128 if common is dtypes.float64 else dtypes.complex64
    return called.common()


@cache
def _defaults(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters with a default other than None in the kernel: there None means left out."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # not all NumPy's functions have a signature
        return frozenset()
    return frozenset(p.name for p in parameters if p.default not in (None, p.empty))


_OPERAND_WORDS: Final = frozenset({"Operand", "Dims", "Shape", "Tensors"})


def _apart(called: Call, result: Tensor) -> Tensor:
    """A result in memory of its own: a kernel may return its argument."""
    array = result._array
    if isinstance(array, np.ndarray):
        for operand in called.operands:
            if not isinstance(operand._array, np.ndarray):
                continue
            if np.may_share_memory(array, operand._array):
                result._array = array.copy()
                break
    return result


def _in_order(result: Tensor, order: tuple[int, ...]) -> Tensor:
    """A fresh result with its elements where `order` puts them."""
    return result if order == result._geometry().strides else _laid(result, order)


def _laid(result: Tensor, order: tuple[int, ...]) -> Tensor:
    """The same elements in new memory with other strides."""
    if result._rest is not None:
        result._rest.geometry = Geometry(tuple(result.shape), order)
        return result
    array = result._array
    geometry = Geometry(array.shape, order)
    buffer = np.empty(extent(geometry), array.dtype)
    storage = result._storage = Storage(buffer, buffer.nbytes)
    result._array = storage.show(geometry, array.dtype)
    storage.roots = (result._array,)
    result._array[...] = array
    return result
