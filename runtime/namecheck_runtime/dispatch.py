"""Calling an op on tensors: the rule first, then a view or a kernel, then the destination.

`call` asks `infer` with the dims of all operands, so names and sizes are checked before a byte is
written.  What shows the same memory goes by the op's layout function; what computes goes to the
table (device, layout) -> kernels by op and dtype, which third parties extend with `Backend`.
Nothing here knows an op: what each does to dims stands in `rules`, how its elements are computed in
`kernels`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from inspect import signature
from typing import Any, Final, NamedTuple

import numpy as np

import namecheck_runtime.rules  # noqa: F401  (fills the registry)
from namecheck_runtime import broadcasting, dtypes, promotion, questions, strides, words
from namecheck_runtime.algebra import position
from namecheck_runtime.arguments import check_names, check_types
from namecheck_runtime.declare import (
    REGISTRY,
    Memory,
    Op,
    Rule,
    Spelling,
    Unbindable,
    bind,
    name_arguments,
)
from namecheck_runtime.dtypes import device, dtype, layout
from namecheck_runtime.errors import error_of
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Dims
from namecheck_runtime.mistakes.base import Mistake
from namecheck_runtime.rules.index import IndexTensor
from namecheck_runtime.storage import Storage
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors import Names, Rest, Tensor, fresh, intern, unnamed

# -- the table -------------------------------------------------------------------------------------


class Call(NamedTuple):
    """One call of an op, bound: what a kernel and the rule of its dtype may look at."""

    op: Op
    rule: Rule
    """The signature that it has bound to."""
    values: dict[str, Any]
    """The arguments as they were given, by parameter name; dims by position, not by name."""
    options: dict[str, Any]
    """Keywords that the rule does not look at: `dtype`, `device`, ..."""
    dims: Any
    """The dims of the result, or of each of several."""
    operands: tuple[Tensor, ...]
    numbers: tuple[Any, ...]
    """Python numbers that stand where a tensor may."""

    def common(self) -> dtype:
        """The dtype in which operands meet."""
        with_dims = [t.dtype for t in self.operands if t.ndim]
        scalars = [t.dtype for t in self.operands if not t.ndim]
        found = promotion.result_type(with_dims, scalars, self.numbers)
        return dtypes.get_default_dtype() if found is None else found


class Kernel(NamedTuple):
    """How a backend computes an op: a function of the op's arguments by name, elements in place of
    tensors, that gives the elements of the result or a tuple of several.
    """

    function: Callable[..., Any]
    takes: tuple[str, ...] | None = None
    """The parameters that are passed, by name; None: the operands alone, in order."""
    dtype: Callable[[Call], Any] | None = None
    """The dtype of the result, or of each of several; None: as the op's kind says."""
    converts: bool = True
    """Whether operands are brought to the dtype in which they meet."""


class Backend:
    """What a (device, layout) does: its kernels, and how memory is made there.

    To add one, make it, give it kernels (`backend.kernels[op] = Kernel(...)`, or with a dtype
    `backend.kernels[op, dtype]`), and `register` it.
    """

    def __init__(self, device_type: str, layout: layout = dtypes.strided) -> None:
        self.device_type = device_type
        self.layout = layout
        self.kernels: dict[Any, Kernel] = {}

    def find(self, op: Op, of: dtype) -> Kernel | None:
        """The kernel of an op for elements of a dtype."""
        return self.kernels.get((op.name, of)) or self.kernels.get(op.name)

    def take(self, tensor: Tensor, to: dtype | None) -> Any:
        """The elements of a tensor as kernels get them, converted to a dtype."""
        return tensor._array

    def show(self, base: Tensor, geometry: Geometry) -> Any:
        """The elements of a view of a tensor.  Raises NotImplementedError where there are none."""
        raise NotImplementedError(f"device '{self.device_type}' shows no views")

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: dtype) -> Tensor:
        """The tensor of what a kernel gave."""
        geometry = Geometry(sizes, strides.contiguous_strides(sizes))
        return make(device(self.device_type), self.layout, of, geometry, names, elements)


class Cpu(Backend):
    """NumPy's arrays."""

    def find(self, op: Op, of: dtype) -> Kernel | None:
        from namecheck_runtime.kernels import kernel_of

        return super().find(op, of) or kernel_of(op)

    def take(self, tensor: Tensor, to: dtype | None) -> Any:
        array = tensor._array
        return array if to is None else array.astype(to.numpy, copy=False)

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: dtype) -> Tensor:
        array = np.asarray(elements, of.numpy)
        if array.shape != sizes:
            array = array.reshape(sizes)
        return fresh(array, names)


class Meta(Backend):
    """Dims without elements: nothing is computed."""

    def find(self, op: Op, of: dtype) -> Kernel | None:
        from namecheck_runtime.kernels import kernel_of

        known = kernel_of(op)
        return None if known is None else known._replace(function=_nothing, takes=())

    def give(self, elements: Any, names: Names, sizes: tuple[int, ...], of: dtype) -> Tensor:
        geometry = Geometry(sizes, strides.contiguous_strides(sizes))
        return make(dtypes.META, dtypes.strided, of, geometry, names, None)


def _nothing() -> None:
    return None


BACKENDS: Final[dict[tuple[str, layout], Backend]] = {
    ("cpu", dtypes.strided): Cpu("cpu"),
    ("meta", dtypes.strided): Meta("meta"),
}


def register(backend: Backend) -> None:
    """Let a backend answer for its device and layout; the device becomes known."""
    if backend.device_type not in device.TYPES:
        device.TYPES.append(backend.device_type)
    BACKENDS[backend.device_type, backend.layout] = backend


def backend_of(where: device, how: layout) -> Backend:
    """What answers for a device and a layout.  Raises NotImplementedError if nothing does."""
    found = BACKENDS.get((where.type, how))
    if found is None:
        raise NotImplementedError(f"nothing is registered for layout {how} on device '{where}'")
    return found


def make(
    where: device, how: layout, of: dtype, geometry: Geometry, names: Names, elements: Any
) -> Tensor:
    """A tensor of what a backend holds."""
    made = fresh(elements, names)
    if where is not dtypes.CPU or how is not dtypes.strided:
        made._rest = Rest(where, how, of, geometry)
        if elements is None:
            made._storage = Storage(None, extent(geometry) * of.itemsize)
    return made


def extent(g: Geometry) -> int:
    sizes: Any = g.sizes
    places: Any = g.strides
    if 0 in sizes:
        return 0
    reach: int = sum((size - 1) * place for size, place in zip(sizes, places, strict=True))
    return 1 + reach


# -- what rules see --------------------------------------------------------------------------------


def dims_of(tensor: Tensor) -> Dims:
    """The dims of a tensor: names and sizes."""
    return tuple(map(Dim, tensor._names, tensor.shape))


def for_rules(value: Any) -> Any:
    """An argument as rules take it."""
    if isinstance(value, Tensor):
        return dims_of(value)
    kind = type(value)
    if kind is tuple or kind is list:
        return kind(map(for_rules, value))
    if isinstance(value, np.ndarray):
        return tuple([Dim(None, size) for size in value.shape])
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, OrderedDict):
        return tuple(value.items())
    return value


def for_rules_in_brackets(value: Any) -> Any:
    """An entry of a subscript as rules take it: a tensor says whether it is a mask."""
    if isinstance(value, tuple):
        return tuple(map(for_rules_in_brackets, value))
    if isinstance(value, Tensor | np.ndarray):
        kind = value.dtype.kind
        return IndexTensor(for_rules(value), "bool" if kind in ("bool", "b") else "int")
    if isinstance(value, list):
        return [for_rules_in_brackets(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _tensors_in(value: Any) -> Iterable[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _tensors_in(one)


def names_of(dims: Iterable[Dim]) -> Names:
    """The names of dims that a rule gave; what it cannot tell is unnamed."""
    return intern(tuple([d.name if isinstance(d.name, str) else None for d in dims]))


# -- calling ---------------------------------------------------------------------------------------


def call_path(path: str, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op by one of its spellings."""
    return call(REGISTRY[path], arguments, keywords)


def operate(path: str, operands: tuple[Any, ...]) -> Any:
    """A Python operator; NotImplemented for what is no operand of ours."""
    for operand in operands:
        if not isinstance(operand, Tensor | int | float | complex | np.ndarray | np.generic):
            return NotImplemented
    return call_path(path, operands, {})


def call(spelling: Spelling, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Call an op: check names and sizes by its rule, then show or compute the result.

    Raises what `errors.class_of` says for the rule's mistake, TypeError for arguments that no
    signature of the op takes, NotImplementedError where the backend has no kernel.
    """
    from namecheck_runtime import destinations

    op = spelling.op
    keywords = _in_our_words(op, keywords)
    out = keywords.pop("out", None)
    if "broadcast_dimensions" in keywords and op.memory is Memory.POINTWISE:
        places = keywords.pop("broadcast_dimensions")
        left, right, *rest = arguments
        arguments = (*broadcasting.aligned(left, right, places), *rest)
    subscript = op.name in _SUBSCRIPTS
    seen = [for_rules(argument) for argument in arguments]
    if subscript and len(seen) > 1:
        seen[1] = for_rules_in_brackets(arguments[1])
    named = {name: for_rules(value) for name, value in keywords.items()}
    try:
        bound = bind(spelling, seen, named)
        assert bound is not None, spelling.path
        values, options = name_arguments(bound.rule, arguments, keywords, spelling.order)
        check_types(spelling, bound.rule, arguments, {**keywords, "out": out}, values)
        whole = named if out is None else {**named, "out": for_rules(out)}
        answer = infer(spelling, seen, whole, bound)
        if _is_answer(answer.result, bound.rule):
            return _told(answer.result)
        values = _with_positions(bound.rule, values, bound.values)
    except Mistake as mistake:
        raise error_of(mistake) from None
    except Unbindable as refusal:
        if keywords.get("names") is not None:
            check_names(keywords["names"], f"{spelling.path}(): argument 'names'")
        raise TypeError(str(refusal)) from None
    operands = tuple(_tensors_in(list(values.values())))
    numbers = tuple(_numbers_in(bound.rule, values))
    called = Call(op, bound.rule, values, options, answer.result, operands, numbers)
    if answer.doubts and broadcasting.STRICT.get():
        promoted = broadcasting.refused(answer)
        if promoted is not None:
            raise error_of(promoted)
    if spelling.inplace:
        return destinations.write_in_place(called, arguments[0])
    question = questions.QUESTIONS.get(op.name)
    if question is not None:
        return question(called)
    view = shown(called)
    if view is not None:
        return view
    if out is None:
        result = computed(called)
        if options.get("requires_grad") and isinstance(result, Tensor):
            result.requires_grad_(True)
        return result
    return destinations.write_out(called, out)


def _in_our_words(op: Op, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a call, `dim` for `axis`: PyTorch takes NumPy's words too."""
    own = op.parameters
    return {words.translated(words.TORCH, name, own): value for name, value in keywords.items()}


def checked(path: str, arguments: Sequence[Any]) -> Any:
    """What a rule answers.  Raises what `errors.class_of` says for its mistake."""
    try:
        return infer(path, arguments).result
    except Mistake as mistake:
        raise error_of(mistake) from None


_SUBSCRIPTS: Final = frozenset({"operator.getitem", "Tensor.__getitem__", "operator.setitem"})


def _is_answer(result: Any, rule: Rule) -> bool:
    """Whether what a rule said is what the caller asked: a number, a flag, names."""
    return rule.returns in ("Size", "Sizes", "object") and result is not UNKNOWN


def _told(result: Any) -> Any:
    from namecheck_runtime.tensors import Size

    if isinstance(result, tuple) and all(isinstance(one, int) for one in result):
        return Size(result)
    return result


def _with_positions(rule: Rule, values: dict[str, Any], seen: Mapping[str, Any]) -> dict[str, Any]:
    """Dims that are spoken of by name, by position."""
    shape: Any = None
    for parameter in rule.parameters:
        value = values[parameter.name]
        if shape is None and isinstance(value, Tensor):
            shape = dims_of(value)
        elif shape is None and isinstance(value, tuple | list) and value:
            shape = dims_of(value[0]) if isinstance(value[0], Tensor) else None
        if {"DimRef", "DimRefs"}.isdisjoint(parameter.takes):
            continue
        if isinstance(value, str):
            values[parameter.name] = position(shape, value)
        elif isinstance(value, tuple | list):
            values[parameter.name] = tuple(
                [position(shape, one) if isinstance(one, str) else one for one in value]
            )
    return values


def _numbers_in(rule: Rule, values: Mapping[str, Any]) -> Iterable[Any]:
    for parameter in rule.parameters:
        if "Operand" in parameter.takes:
            value = values[parameter.name]
            if isinstance(value, int | float | complex):
                yield value


# -- what shows the same memory --------------------------------------------------------------------


def shown(called: Call) -> Any:
    """The result of an op that shows its operand's memory; None where it has to be computed."""
    from namecheck_runtime import views

    own = views.VIEWS.get(called.op.name)
    found = None if own is None else own(called)
    if found is not None:
        return found
    if called.op.memory is Memory.VIEW:
        return views.show(called)
    return None


# -- what computes ---------------------------------------------------------------------------------


def computed(called: Call) -> Any:
    """The result of an op in new memory."""
    op = called.op
    backend = _backend_for(called)
    common = called.common()
    kernel = backend.find(op, common)
    if kernel is None:
        raise NotImplementedError(
            f"{op.name} has no kernel for dtype {common.name} on device '{backend.device_type}' "
            f"and layout {backend.layout.name}"
        )
    of = dtype_of(called, kernel)
    to = None
    if kernel.converts and called.operands:
        to = promotion.floating(common) if op.kind == "float" else common
    given = _elements_of(called, kernel, backend, to)
    with np.errstate(all="ignore"):
        elements = kernel.function(*given) if isinstance(given, list) else kernel.function(**given)
    return _given(called, backend, elements, of)


def _backend_for(called: Call) -> Backend:
    """The backend of the operands, which have to be on one device; of a factory, what it says."""
    where, how = called.options.get("device"), called.options.get("layout")
    if called.operands:
        first = called.operands[0]
        for other in called.operands:
            if other._rest is first._rest is None:
                continue
            if other.device is not first.device and other.ndim and first.ndim:
                raise RuntimeError(
                    "Expected all tensors to be on the same device, but found at least two "
                    f"devices, {first.device} and {other.device}!"
                )
            if first.device is dtypes.CPU:
                first = other
        where = first.device if where is None else where
        how = first.layout if how is None else how
    return backend_of(device("cpu" if where is None else where), how or dtypes.strided)


def dtype_of(called: Call, kernel: Kernel) -> Any:
    """The dtype of the result, or of each of several."""
    asked = called.options.get("dtype", called.values.get("dtype"))
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
            found = called.common()
            return dtypes.complex128 if found is dtypes.float64 else dtypes.complex64
    return called.common()


def _elements_of(called: Call, kernel: Kernel, backend: Backend, to: dtype | None) -> Any:
    """What a kernel is called with."""

    def take(value: Any) -> Any:
        if isinstance(value, Tensor):
            return backend.take(value, to)
        if isinstance(value, tuple | list):
            return type(value)(map(take, value))
        return value

    if kernel.takes is None:
        return [
            take(called.values[parameter.name])
            for parameter in called.rule.parameters
            if not _OPERAND_WORDS.isdisjoint(parameter.takes) and parameter.name in called.values
        ]
    own = {**called.options, **called.values}
    if called.operands and "self" in kernel.takes:
        own["self"] = called.operands[0]
    left_out = _defaults(kernel.function)
    return {
        name: take(own[name])
        for name in kernel.takes
        if name in own and not (own[name] is None and name in left_out)
    }


@cache
def _defaults(function: Callable[..., Any]) -> frozenset[str]:
    """The parameters for which a kernel has a value of its own: None is what was left out."""
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # NumPy's own do not all tell
        return frozenset()
    return frozenset(p.name for p in parameters if p.default not in (None, p.empty))


_OPERAND_WORDS: Final = frozenset({"Operand", "Dims", "Shape", "Tensors"})


def _given(called: Call, backend: Backend, elements: Any, of: Any) -> Any:
    """The tensors of what a kernel gave, with the dims that the rule said."""
    dims = called.dims
    if is_dims(dims) or (dims is UNKNOWN and not isinstance(elements, tuple | list)):
        return _one(called, backend, elements, of, dims)
    if dims is UNKNOWN:
        dims = (UNKNOWN,) * len(elements)
    parts = elements if elements is not None else (None,) * len(dims)
    each = of if isinstance(of, tuple) else (of,) * len(dims)
    return tuple(
        _one(called, backend, part, kind, one) if one is not None else None
        for part, kind, one in zip(parts, each, dims, strict=True)
    )


def is_dims(value: Any) -> bool:
    return isinstance(value, tuple) and all(type(one) is Dim for one in value)


def _one(called: Call, backend: Backend, elements: Any, of: dtype, dims: Any) -> Tensor:
    if dims is UNKNOWN or any(not isinstance(dim.size, int) for dim in dims):
        shape = getattr(elements, "shape", None)
        if shape is None:
            raise RuntimeError(
                f"how many elements {called.op.name} gives depends on the elements of its "
                f"operands, which device '{backend.device_type}' does not have"
            )
        names = unnamed(len(shape)) if dims is UNKNOWN else names_of(dims)
        return _in_order(called, backend.give(elements, names, tuple(shape), of))
    sizes = tuple([dim.size for dim in dims])
    made = backend.give(elements, names_of(dims), sizes, of)
    return _in_order(called, _apart(called, made))


def _apart(called: Call, made: Tensor) -> Tensor:
    """A result in memory of its own: a kernel may give back what it was given."""
    array = made._array
    if isinstance(array, np.ndarray):
        for operand in called.operands:
            if np.may_share_memory(array, operand._array):
                made._array = array.copy()
                break
    return made


def _in_order(called: Call, made: Tensor) -> Tensor:
    """A fresh result in the memory order that PyTorch gives it."""
    memory = called.op.memory
    order: Any = None
    operands = [t._geometry() for t in called.operands]
    try:
        if memory is Memory.SAME and operands and operands[0].sizes == made.shape:
            order = strides.clone_strides(operands[0])
        elif memory is Memory.POINTWISE and operands:
            order = strides.fresh_strides(*operands)
    except strides.Undecided:
        pass
    g = made._geometry()
    if order is None or len(order) != len(g.sizes):
        order = strides.contiguous_strides(g.sizes)
    return made if order == g.strides else _laid(made, order)


def _laid(made: Tensor, order: tuple[int, ...]) -> Tensor:
    """The same elements in other places of new memory."""
    if made._rest is not None:
        made._rest.geometry = Geometry(made._rest.geometry.sizes, order)
        return made
    array = made._array
    geometry = Geometry(array.shape, order)
    room = np.empty(extent(geometry), array.dtype)
    storage = made._storage = Storage(room, room.nbytes)
    made._array = storage.show(geometry, array.dtype)
    made._array[...] = array
    return made


# -- for the fast paths ----------------------------------------------------------------------------


def names_without_sizes(
    path: str, operands: Sequence[Names], rest: Sequence[Any] = ()
) -> Names | None:
    """The names of a result when nothing is known of sizes; None if that does not decide them, or
    if the call is refused.
    """
    shapes = [tuple([Dim(name, UNKNOWN) for name in names]) for names in operands]
    try:
        result = infer(path, [*shapes, *rest]).result
    except (Mistake, Unbindable):
        return None
    if not is_dims(result) or any(dim.name is UNKNOWN for dim in result):
        return None
    return names_of(result)


def positions_without_sizes(names: Names, refs: Sequence[Any]) -> tuple[int, ...] | None:
    """The positions of dims by the names of a tensor alone."""
    shape = tuple([Dim(name, UNKNOWN) for name in names])
    try:
        return tuple([position(shape, ref) for ref in refs])  # type: ignore[misc]
    except Mistake:
        return None


def position_of(tensor: Tensor, dim: int | str) -> int:
    """The position of a dim.  Raises for one that is not there."""
    try:
        return position(dims_of(tensor), dim)  # type: ignore[return-value]
    except Mistake as mistake:
        raise error_of(mistake) from None


# -- the surface -----------------------------------------------------------------------------------


def method_of(name: str) -> Any:
    """The method or property of tensors that an op of the registry is."""
    found = REGISTRY[f"Tensor.{name}"]
    if found.attribute:
        return property(lambda self: call(found, (self,), {}), doc=found.op.name)
    return _callable(found, name)


def function_of(path: str) -> Any:
    """The function that a spelling of the registry is; None if there is none."""
    found = REGISTRY.get(path)
    if found is None or found.attribute:
        return None
    return _callable(found, path.rpartition(".")[2])


def _callable(spelling: Spelling, name: str) -> Any:
    """A function that calls an op, the short way where there is one."""
    from namecheck_runtime.elementwise import quick

    short = quick(spelling)
    if short is None:

        def function(*arguments: Any, **keywords: Any) -> Any:
            return call(spelling, arguments, keywords)
    else:
        compute = short

        def function(*arguments: Any, **keywords: Any) -> Any:
            if len(arguments) == 1 and not keywords and arguments[0].__class__ is Tensor:
                made = compute(arguments[0])
                if made is not None:
                    return made
            return call(spelling, arguments, keywords)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = spelling.op.rules[0].function.__doc__
    return function
