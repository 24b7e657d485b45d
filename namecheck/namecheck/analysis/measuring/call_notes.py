"""Notes of the calls of modules in a walk: what goes in and out, and what the calls take.

Every function here is called only while `Units.trace` is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.measuring import dtypes
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.lineage import LAYER, is_module
from namecheck.analysis.state.values import (
    CONSTANT,
    Anything,
    Container,
    Dict,
    Either,
    Entries,
    Function,
    Instance,
    Layer,
    List,
    Repeated,
    Tensor,
    Tuple,
    Value,
    known,
)
from namecheck.analysis.state.values.module_calls import CallTrace, ModuleCall, Passed, passed
from namecheck.frameworks import torch
from namecheck_runtime import declare, sizes
from namecheck_runtime.binding import bind_rule
from namecheck_runtime.infer import infer
from namecheck_runtime.lattice import UNKNOWN, Dim, Shape, Size, Trailing
from namecheck_runtime.mistakes.base import Mistake

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_DEEPEST: Final = 6
"""How deep lists in lists are searched for tensors."""


def begin(
    ev: Evaluator,
    trace: CallTrace,
    callee: Value,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument] | None,
) -> ModuleCall | None:
    """Note the call of a module; `end` has to follow. None of what is no module."""
    if isinstance(callee, Instance) and not is_module(callee.cls):
        return None
    if isinstance(callee, Container) and callee.kind != "sequential":
        return None
    if ev.cells.get((trace.current.module, LAYER)) is callee:
        return None  # `super().forward(x)`
    given: list[Passed] = []
    for argument in (*(arguments or ()), *(keywords or {}).values()):
        given += tensors_of(ev, argument.value)
    call = ModuleCall(callee, tuple(given))
    trace.current.parts.append(call)
    outer, trace.current = trace.current, call
    return outer


def end(ev: Evaluator, trace: CallTrace, outer: ModuleCall, result: Value | None) -> None:
    """Note what a module gave; None if it came to no end."""
    if result is not None:
        trace.current.result = tuple(tensors_of(ev, result, is_result=True))
    trace.current = outer


def tensors_of(
    ev: Evaluator, value: Value, depth: int = 0, is_result: bool = False
) -> list[Passed]:
    """The tensors in a value, as they are now; unknown values of a result may be some."""
    value = ev.resolve(value)
    if isinstance(value, Tensor):
        return [passed(value, ev.current(value.shape))]
    if isinstance(value, (Anything, Either)):
        return [Passed(UNKNOWN)] if is_result else []
    inside: Sequence[Any] = ()
    if isinstance(value, Tuple):
        inside = value.elements
    elif isinstance(value, (List, Dict)):
        contents = ev.cells.get(value)
        if isinstance(contents, dict):
            inside = tuple(contents.values())
        elif isinstance(contents, tuple):
            inside = contents
        elif isinstance(contents, (Repeated, Entries)):
            return [Passed(UNKNOWN)] if is_result else []
    elif isinstance(value, Repeated):
        return [Passed(UNKNOWN)] if is_result else []
    elif isinstance(value, Instance) and not is_module(value.cls):
        inside = tuple(ev.cells.attributes(value).values())
        is_result = False
    if depth > _DEEPEST:
        return []
    found: list[Passed] = []
    for element in inside:
        if isinstance(element, Value):
            found += tensors_of(ev, element, depth + 1, is_result)
    return found


def op_called(
    ev: Evaluator,
    spelling: declare.Spelling,
    asked: tuple[Sequence[Any], Mapping[str, Any], Any],
    by_name: Mapping[str, Argument],
    given: Sequence[Argument],
    value: Value,
) -> None:
    """Note a call of an op; `asked` are its arguments and keywords for the rule, and the answer."""
    trace = ev.units.trace
    assert trace is not None
    dtypes.give(ev, spelling, by_name, given, value)
    arguments, keywords, result = asked
    if spelling.op.products is None:
        return
    count: Size = UNKNOWN
    if not ev.may_be_skipped(ev.frame):
        try:
            bound = declare.bind(spelling, arguments, keywords)
        except declare.Unbindable:
            bound = None
        if bound is not None:
            count = spelling.op.products(bound.values, result)
    trace.current.products = sizes.add(trace.current.products, count)


def layer_called(
    ev: Evaluator,
    layer: Layer,
    asked: tuple[Sequence[Any], Mapping[str, Any], Any],
    arguments: Sequence[Argument],
    value: Value,
) -> None:
    """Note a call of a library's layer: its multiply-adds, and the calls of what it is made of."""
    trace = ev.units.trace
    assert trace is not None
    operand = ev.resolve(arguments[0].value) if arguments else None
    dtype, kind = _dtype_of_weights(trace, layer), "float"
    if dtype is None and isinstance(operand, Tensor):
        dtype, kind = operand.dtype, operand.kind
    for tensor in _tensors_in(value):
        if tensor is not operand:
            tensor.dtype = dtypes.UNKNOWN if dtype is None else dtype
            tensor.kind = kind
    certain = not ev.may_be_skipped(ev.frame)
    _count(trace, trace.current, layer, asked, (kind, dtype or ""), certain)


def refused(ev: Evaluator, function: Function) -> Anything:
    """Note that the program itself calls a function with arguments that do not fit."""
    if ev.units.trace is not None and ev.frame is ev.module:
        ev.units.trace.refusing = function
    return Anything()


def unknown_called(ev: Evaluator, trace: CallTrace, given: Sequence[Value]) -> None:
    """Note that unknown code was given some values: with a tensor it may multiply."""
    if any(tensors_of(ev, value) for value in given):
        trace.current.products = UNKNOWN


def _count(
    trace: CallTrace,
    call: ModuleCall,
    layer: Layer,
    asked: tuple[Sequence[Any], Mapping[str, Any], Any],
    types: tuple[str, str],
    certain: bool,
) -> None:
    """Add the multiply-adds of a layer to a call of it, and the calls of its parts."""
    arguments, keywords, result = asked
    kind_of = layer.instance.layer
    fields = layer.instance.fields
    bound = bind_rule(kind_of.forward, arguments, keywords)
    if bound is None or not certain:
        call.products = UNKNOWN if _may_multiply(layer) else call.products
        return
    call.products = sizes.add(call.products, kind_of.products(fields, bound.values, result))
    parts = trace.inside(layer)
    for name, given in kind_of.steps(fields, bound.values):
        part = parts.get(name)
        if part is None:
            continue
        inner = ModuleCall(part, tuple(Passed(one, *types) for one in given if _is_shape(one)))
        call.parts.append(inner)
        try:
            answer = infer(part.instance, given).result
        except (Mistake, declare.Unbindable):
            answer = UNKNOWN
        inner.result = tuple(Passed(one, *types) for one in _shapes_in(answer))
        _count(trace, inner, part, (given, {}, answer), types, certain)


def _may_multiply(layer: Layer) -> bool:
    """Whether a call of a layer may sum products: by its sizes, most do not."""
    shapes = layer.instance.layer.parameters(layer.instance.fields).values()
    return any(isinstance(shape, tuple) and len(shape) > 1 for shape in shapes)


def _is_shape(value: object) -> bool:
    if isinstance(value, Trailing):
        return True
    return isinstance(value, tuple) and all(isinstance(dim, Dim) for dim in value)


def _shapes_in(answer: Any) -> list[Shape]:
    """The shapes in the answer of a rule."""
    if answer is UNKNOWN:
        return [UNKNOWN]
    if _is_shape(answer):
        return [answer]
    if isinstance(answer, (tuple, list)):
        return [shape for part in answer if part is not None for shape in _shapes_in(part)]
    return []


def _tensors_in(value: Value) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, Tuple):
        return [tensor for element in value.elements for tensor in _tensors_in(element)]
    return []


# The tensors that modules hold.


def tensors_of_layer(trace: CallTrace, layer: Layer) -> dict[str, Value]:
    """The tensors that a library's layer has itself, by name; see `CallTrace.tensor_of`."""
    tensors: dict[str, Value] = {}
    dtype = layer.instance.fields.get(torch.DTYPE)
    for name, shape in layer.instance.layer.parameters(layer.instance.fields).items():
        if shape is not None:
            kind = "int" if name in torch.COUNTERS else "float"
            made = Tensor(shape, kind, torch.TENSOR, history=CONSTANT)
            if kind == "float" and isinstance(dtype, str):
                made.dtype = dtype
            tensors[name] = trace.tensor_of(layer, name, made)
    return tensors


def _dtype_of_weights(trace: CallTrace, layer: Layer) -> str | None:
    for tensor in tensors_of_layer(trace, layer).values():
        if isinstance(tensor, Tensor) and tensor.kind == "float":
            return tensor.dtype
    for part in trace.inside(layer).values():
        dtype = _dtype_of_weights(trace, part)
        if dtype is not None:
            return dtype
    return None


def cast(ev: Evaluator, tensors: Sequence[Value], dtype: str) -> None:
    """Give the tensors of modules another dtype, as `net.half()` does with all that are floats."""
    for held in tensors:
        tensor = ev.resolve(held)
        if isinstance(tensor, Tensor) and tensor.kind == "float":
            tensor.dtype = dtype


def require(
    ev: Evaluator, trace: CallTrace, tensors: Sequence[Value], flag: Argument | None
) -> None:
    """Note whether tensors require a gradient from now on: they do if there is no flag."""
    said = (True,) if flag is None else known(ev.resolve(flag.value))
    for tensor in map(ev.resolve, tensors):
        if said is not None and said[0]:
            trace.frozen.pop(tensor, None)
        else:
            trace.frozen[tensor] = None if said is None else True


__all__ = [
    "begin",
    "cast",
    "end",
    "layer_called",
    "op_called",
    "require",
    "tensors_of",
    "tensors_of_layer",
    "unknown_called",
]
