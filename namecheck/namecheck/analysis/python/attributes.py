"""Attributes of tensors, instances, classes, modules and libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from namecheck import frameworks
from namecheck.analysis.asking import elements, operations, own_tensors
from namecheck.analysis.gradients import following
from namecheck.analysis.python import assigned_elsewhere, classes
from namecheck.analysis.python.imports import Module
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.joining import join_all
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    DType,
    Either,
    Function,
    Instance,
    Layer,
    Library,
    List,
    Method,
    Number,
    OtherArray,
    Repeated,
    ShapeOf,
    Super,
    Tensor,
    Tuple,
    Value,
    of_module,
)
from namecheck.frameworks import numpy, pillow, python, torch
from namecheck_runtime.declare import REGISTRY

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

SHAPE = "shape"

COMMON_METHODS = (
    frozenset(
        name for cls in (dict, list, str, set) for name in dir(cls) if not name.startswith("_")
    )
    | pillow.METHODS
)
"""Methods that lists, dicts, strings or pictures have: they do not make their receiver a tensor."""


def attribute(ev: Evaluator, value: Value, name: str, node: ir.Expression) -> Value:
    """`value.name`, read and not called."""
    value = ev.resolve(value)
    # The most common first: every dot in the source comes here.
    if type(value) is Instance:
        if name == "__dict__":
            assigned_elsewhere.forget_attributes(ev, value)
        return classes.instance_attribute(ev, value, name)
    if type(value) is Module:
        return value.attribute(ev, name)
    if type(value) is Library:
        path = frameworks.canonical(f"{value.path}.{name}")
        return of_module(path)
    match value:
        case Anything():
            if name == SHAPE:
                return ShapeOf(value)
            stored = ev.cells.get((value, name)) if value.config else None
            return stored if isinstance(stored, Value) else value.attribute(name)
        case Tensor():
            return _of_tensor(ev, value, name, node)
        case Either():
            for option in value.options:
                if isinstance(option, List):
                    ev.cells[option] = Repeated(Anything())  # `append` may be asked for
            there = [option for option in value.options if not isinstance(option, Constant)]
            return join_all([ev.resolve(attribute(ev, option, name, node)) for option in there])
        case Class():
            return classes.class_attribute(ev, value, name)
        case Super():
            return classes.super_attribute(ev, value, name)
        case Layer():
            return classes.layer_attribute(ev, value, name)
        case Constant(value=str()) | Number() if name == "value":
            return value  # of a member of an enumeration
        case Tuple() if name in value.fields:
            return value.elements[value.fields.index(name)]
        case Container(kind="dict"):
            # The layers of a ModuleDict are its attributes too: `self.transformer.wte`.
            held = ev.cells.get(value)
            if isinstance(held, dict) and name in held:
                return held[name]  # type: ignore[no-any-return]
        case OtherArray() if value.is_tensor:
            return own_tensors.method_of(name) or Anything()
        case OtherArray():
            return Anything() if name in frameworks.AS_ARRAY else value
        case DType() if name in numpy.LIMITS:
            return Number(kind=numpy.LIMITS[name])
        case Function() | Bound():
            return Anything()
    return Method(value, name)


def has_attribute(ev: Evaluator, instance: Instance | Container, name: str) -> bool | None:
    """Whether an instance that a drive has built has an attribute; None if that is not known."""
    if isinstance(instance, Container):
        held = ev.cells.get(instance)
        plain = name in COMMON_METHODS or name in torch.OF_MODULES or name in torch.OF_ROWS
        return None if plain or isinstance(held, dict) else False
    stored = ev.cells.get((instance, name))
    if stored is not None:
        return None if type(ev.resolve(stored)) is Anything and not stored.label else True
    lineage = instance.cls.lineage
    if any(isinstance(one, Class) and name in one.attributes for one in lineage):
        return True
    bases = {one.path for one in lineage if isinstance(one, Library)}
    may_set = any(isinstance(one, Class) and one.set_by_name for one in lineage)
    if may_set or not bases <= (python.HARMLESS | torch.MODULES) or name in torch.OF_MODULES:
        return None
    return False


def _of_tensor(ev: Evaluator, tensor: Tensor, name: str, node: ir.Expression) -> Value:
    if name == SHAPE:
        return ShapeOf(tensor)
    if name in numpy.RANK:
        return elements.rank_of(ev, tensor)
    if name in numpy.SAME_TENSOR:
        # NumPy's `data` is a buffer, and that of a sparse matrix its elements in a row.
        if name != torch.ELEMENTS:
            return tensor
        return Anything() if tensor.library != torch.TENSOR else tensor.untraced()
    known = tensor.library or ev.tensor_class
    for library in (known,) if known else frameworks.TENSORS:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is not None and spelling.attribute:
            argument = Argument(tensor, node.value if isinstance(node, ir.Attribute) else None)
            return operations.ask(ev, spelling, (argument,), {}, node)
    if f"{known or torch.TENSOR}.{name}" in REGISTRY:
        return Method(tensor, name)
    stored = ev.cells.get((tensor, "." + name))
    return stored if isinstance(stored, Value) else Method(tensor, name)


def set_tensor_attribute(
    ev: Evaluator,
    owner: Tensor,
    name: str,
    value: Value,
    node: ir.Attribute,
    origin: ir.Expression | None,
) -> None:
    """Let a tensor be what `x.names = value` makes of it, for all names that the program has of it.

    The rulebook says what it is then, or the method that does the same to another tensor.
    """
    if name == torch.REQUIRES_GRADIENT:
        following.require(ev, owner, value)
        return
    libraries = (owner.library,) if owner.library else frameworks.TENSORS
    if numpy.TENSOR in libraries and name in numpy.RELAID_BY:
        ev.change(owner, Tensor(owner.shape, owner.kind, owner.library, owner.claimed))
        return
    known = [REGISTRY.get(f"{library}.{name}=") for library in libraries]
    if numpy.TENSOR in libraries and name in numpy.REREAD_BY:
        known.append(REGISTRY[numpy.REREAD_BY[name]])
    spelling = next((one for one in known if one is not None), None)
    if spelling is None:
        return
    arguments = (Argument(owner, node.value), Argument(value, origin))
    result = operations.ask(ev, spelling, arguments, {}, node)
    if not isinstance(result, Tensor):
        ev.forget_dims(owner)
    elif name in numpy.REREAD_BY:
        ev.change(owner, Tensor(result.shape, "unknown", owner.library, result.claimed))
    else:
        ev.change(owner, result)
