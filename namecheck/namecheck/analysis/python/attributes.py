"""Attributes of tensors, instances, classes, modules and libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.asking import elements, operations, own_tensors
from namecheck.analysis.asking.layers import layer_tensors
from namecheck.analysis.gradients import following
from namecheck.analysis.measuring import call_notes
from namecheck.analysis.objects import (
    context_managers,
    dataclass_fields,
    files_read,
    held_tensors,
    own_derivatives,
    own_objects,
    parsed_options,
)
from namecheck.analysis.objects.given_away import forget_one_of
from namecheck.analysis.python import assigned_elsewhere, classes
from namecheck.analysis.python.imports import Module, Program
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.bindings import bindings
from namecheck.analysis.state import lineage
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.joining import join_all
from namecheck.analysis.state.values import (
    MISSING,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Decorated,
    Device,
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
    Partial,
    Repeated,
    ShapeOf,
    Super,
    Tensor,
    Transformed,
    Tuple,
    Value,
    of_module,
)
from namecheck.frameworks import (
    attribute_names,
    configs,
    numpy,
    pillow,
    python,
    torch,
    transformers,
)
from namecheck.frameworks.command_line import METHODS
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.layers import LAYERS

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

SHAPE: Final = "shape"

_NAME_OF_CLASS: Final = "__name__"

COMMON_METHODS: Final = (
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
        if name == "__dict__" and not ev.reach.driven:
            assigned_elsewhere.forget_attributes(ev, value)
        if ev.reach.driven or own_objects.is_made(value):
            read = of_instance(ev, value, name)
            return Anything() if read is MISSING else read
        return classes.instance_attribute(ev, value, name)
    if type(value) is Module:
        return value.attribute(ev, name)
    if type(value) is Library:
        if name == _NAME_OF_CLASS and value.path in LAYERS and ev.reach.driven:
            return Constant(value.path.rpartition(".")[2])
        path = frameworks.canonical(f"{value.path}.{name}")
        return of_library(ev, path)
    match value:
        case Anything():
            return _of_unknown(ev, value, name)
        case Tensor():
            return _of_tensor(ev, value, name, node)
        case Either():
            for option in value.options:
                if isinstance(option, List):
                    ev.cells[option] = Repeated(Anything())  # `append` may be asked for
            there = [option for option in value.options if not isinstance(option, Constant)]
            return join_all([ev.resolve(attribute(ev, option, name, node)) for option in there])
        case Class():
            return _of_class(ev, value, name)
        case Super():
            return _of_super(ev, value, name)
        case Layer() if name == "__class__" and ev.reach.driven:
            return Library(value.path)
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
        case Function():
            return _of_function(value, name) if ev.reach.driven else Anything()
        case Device(on_cpu=True) if name == torch.DEVICE_TYPE:
            return Constant(torch.CPU)
        case Bound() | Device():
            return Anything()
    return Method(value, name)


ALONE: Final = Program()
"""Where a file that is analyzed alone finds our own sources."""


def of_library(ev: Evaluator, path: str) -> Value:
    """An object of a library: what our own source of it has, or the one of this path."""
    file = ev.frame.source.file
    module = (file.program or ALONE).counterpart(file, path)
    value = None if module is None else module.look_up(ev, path.rpartition(".")[2])
    return of_module(path) if value is None else value


def _of_unknown(ev: Evaluator, value: Anything, name: str) -> Value:
    if name == SHAPE:
        return ShapeOf(value)
    if name in python.CHANGING_METHODS:
        forget_one_of(ev, value)
    stored = ev.cells.get((value, name)) if value.config else None
    return stored if isinstance(stored, Value) else value.attribute(name)


def read(ev: Evaluator, value: Value, name: str) -> Value:
    """As `attribute`, where the source does not show it."""
    return attribute(ev, value, name, ir.NoneLiteral(-1))


_READ: Final = "__getattribute__"
_READ_MISSING: Final = "__getattr__"


def of_instance(ev: Evaluator, instance: Instance, name: str) -> Value:
    """An attribute as a drive reads it: methods of the class may say what it is.

    It is `MISSING` if the instance does not have it.
    """
    reader = lineage.look_up(instance.cls.lineage, _READ)
    if isinstance(reader, Function):
        return _read_by(ev, reader, instance, name)
    return stored_in(ev, instance, name)


def _read_by(ev: Evaluator, reader: Function, instance: Instance, name: str) -> Value:
    arguments = (classes.plain_argument(instance), classes.plain_argument(Constant(name)))
    return ev.resolve(ev.call(reader, arguments, {}, None))


def stored_in(ev: Evaluator, instance: Instance, name: str) -> Value:
    """An attribute that an instance, or its class, has under its own name."""
    if name == "__dict__":
        return own_objects.dict_of(ev, instance)
    if name == "__class__":
        return instance.cls
    if name == dataclass_fields.TABLE:
        return dataclass_fields.table_of(ev, instance)
    if name in configs.OF_DICTS and own_objects.is_dict_with_attributes(instance):
        return Method(own_objects.dict_of(ev, instance), name)
    if files_read.is_path(instance):
        if name in files_read.METHODS:
            return Method(instance, name)
        return files_read.attribute(ev, instance, name)
    if name in METHODS and parsed_options.is_parser(instance):
        return Method(instance, name)
    if (instance, own_objects.BY_DEFAULT) in ev.cells and (instance, name) in ev.cells:
        return own_objects.as_given(ev, instance, name, ev.cells[instance, name])
    held = lineage.look_up(instance.cls.lineage, name)
    is_driven = ev.reach.driven and held is None
    if is_driven and name == frameworks.REPLACE and lineage.is_replaceable(instance.cls):
        return Method(instance, name)
    if isinstance(held, Decorated) and (instance, name) not in ev.cells:
        made = undecorated(ev, held)
        if isinstance(made, Function):
            return classes.bind(ev, made, instance)
        return context_managers.bound(made, instance)
    if held is None and lacks(ev, instance, name):
        reader = lineage.look_up(instance.cls.lineage, _READ_MISSING)
        if isinstance(reader, Function):
            return _read_by(ev, reader, instance, name)
        return MISSING
    return classes.instance_attribute(ev, instance, name)


def lacks(ev: Evaluator, instance: Instance, name: str) -> bool:
    """Whether an instance of a class that is known has no attribute of this name.

    `look_up` has found none.
    """
    classes.look_into(ev, instance)
    cls = instance.cls
    stored = ev.cells.get((instance, name))
    if stored is MISSING:
        return True
    if stored is not None or (instance, own_objects.ANY_ATTRIBUTE) in ev.cells:
        return False
    if name.startswith("__") or cls.record.keywords:
        return False
    if any(name == field for field, _, _ in lineage.fields_of(cls)):
        return False  # what a class declares is set somewhere
    if lineage.is_module(cls):
        bases = lineage.library_bases(cls)
        if not bases <= torch.MODULES | python.HARMLESS or name in torch.MODULE_ATTRIBUTES:
            return False
        if ev.units.trace is not None:
            return True
        # Constructors of base classes may be known by what they keep, and not be evaluated.
        return not any(isinstance(one, Class) and name in one.built for one in cls.lineage)
    return not own_tensors.redefines(cls)


def has_attribute(
    ev: Evaluator, instance: Instance | Container | Layer | Tensor, name: str
) -> bool | None:
    """Whether an object has an attribute in a drive; None if that is not known."""
    if isinstance(instance, Tensor):
        return _array_has(ev, instance, name)
    if isinstance(instance, Layer):
        return _layer_has(ev, instance, name)
    if isinstance(instance, Container):
        held = ev.cells.get(instance)
        plain = name in COMMON_METHODS or name in torch.MODULE_ATTRIBUTES or name in torch.OF_ROWS
        return None if plain or isinstance(held, dict) else False
    value = of_instance(ev, instance, name)
    if value is MISSING:
        return False
    row = instance.cls.lineage
    if lineage.look_up(row, _READ) is not None and (instance, name) not in ev.cells:
        return None if type(value) is Anything else True
    if isinstance(lineage.look_up(row, name), (Function, Constant, Number, Tuple, Class)):
        return True
    if (instance, name) not in ev.cells:
        return None
    # Behind a test that is not decided, an attribute may be there on one path only.
    return True if own_objects.is_there(ev, instance, name) else None


def _array_has(ev: Evaluator, array: Tensor, name: str) -> bool | None:
    """Whether an array has an attribute in a drive; None if that is not known.

    A program may set one that the class does not have, and later releases have more.
    """
    if (array, "." + name) in ev.cells:
        return True
    names = attribute_names.NAMES.get(array.library)
    if names is None or name.startswith("_") or array.claimed is not None:
        return None
    return True if name in names else _unless_assigned(ev, name)


def _layer_has(ev: Evaluator, layer: Layer, name: str) -> bool | None:
    if name in layer.instance.fields or name in layer_tensors(layer):
        return True
    if name in torch.MODULE_ATTRIBUTES:
        return True
    of_torch = layer.path.startswith(torch.LAYERS) and (layer, held_tensors.DRESSED) not in ev.cells
    if not of_torch or name.startswith("_") or name in attribute_names.IN_LAYERS:
        return None
    return None if name[-1].isdigit() or "_l" in name else _unless_assigned(ev, name)


def _unless_assigned(ev: Evaluator, name: str) -> bool | None:
    """False for an attribute that its class does not have, if the program sets none such."""
    files = (ev.source.file, ev.frame.source.file)
    return None if any(name in file.assigned_outside() for file in files) else False


def undecorated(ev: Evaluator, value: Value) -> Value:
    """What its decorators make of a function, in a drive; other values as they are."""
    if not isinstance(value, Decorated) or not ev.reach.driven or not value.wrappers:
        return value
    made = ev.reach.decorated.get(value)
    if made is not None:
        return made
    ev.reach.decorated[value] = value  # a decorator may read the function
    made = value.function
    outer, place = ev.frame, value.frame
    for decorator, function in reversed(value.wrappers):
        if _hands_back(function):
            continue
        if isinstance(function, Library) and function.path == python.CONTEXT_MANAGER:
            context = context_managers.made(made)
            if context is None:
                return value
            made = context
            continue
        ev.frame = Frame(place.source, place.parent, None, outer.depth)
        ev.frame.variables, ev.frame.class_body = place.variables, place.class_body
        ev.frame.quiet = 1
        wrapper = ev.resolve(ev.value(decorator)) if isinstance(decorator, ir.Call) else function
        if isinstance(wrapper, (Function, Library, Partial, Bound)):
            made = ev.resolve(ev.call(wrapper, (Argument(made),), {}, None))
        else:
            made = value
        ev.frame = outer
        if not isinstance(made, (Function, Transformed)):
            return value
    ev.reach.decorated[value] = made
    return made


def _hands_back(function: Value) -> bool:
    """Whether a decorator is known to give back the function that it gets."""
    return isinstance(function, Function) and lineage.path_of(function) in transformers.HANDED_BACK


def _of_function(function: Function, name: str) -> Value:
    """An attribute of a function as a drive reads it."""
    if name in ("__name__", "__qualname__"):
        return Constant(function.name)
    return _code_of(function) if name == "__code__" else Anything()


def _code_of(function: Function) -> Value:
    """`function.__code__`, with the names of its variables, the parameters first."""
    names = [parameter.name for parameter in function.parameters]
    if isinstance(function.record, ir.FunctionDef):
        names += [name for name in bindings(function.record) if name not in names]
    return Tuple([Tuple(map(Constant, names))], ("co_varnames",))


def _of_class(ev: Evaluator, cls: Class, name: str) -> Value:
    if name in ("__name__", "__qualname__") and ev.reach.driven:
        return Constant(cls.name)
    if name == python.MRO:
        return Tuple((*cls.lineage, Library(python.OBJECT)))
    if name == dataclass_fields.TABLE and ev.reach.driven:
        return dataclass_fields.table_of(ev, cls)
    if own_derivatives.is_applied(cls, name):
        return Method(cls, name)  # kept in a variable of a module, it is called in a drive
    value = undecorated(ev, classes.class_attribute(ev, cls, name))
    if isinstance(value, Function) and value.kind == "class":
        return Bound(value, cls)
    return value


def _of_super(ev: Evaluator, value: Super, name: str) -> Value:
    attribute = classes.super_attribute(ev, value, name)
    if ev.reach.driven and type(attribute) is Anything:
        if (value.receiver, own_objects.TABLE) in ev.cells:
            return Method(value, name)  # of a dict
    made = undecorated(ev, attribute)
    if made is not attribute and isinstance(made, Function):
        return (
            classes.bind(ev, made, value.receiver) if isinstance(value.receiver, Instance) else made
        )
    return attribute


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
    if (name in torch.ON_CPU or name == torch.DEVICE) and _is_on_cpu(ev, known):
        return Constant(torch.ON_CPU[name]) if name in torch.ON_CPU else Device(on_cpu=True)
    for library in (known,) if known else frameworks.TENSORS:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is not None and spelling.attribute:
            argument = Argument(tensor, node.value if isinstance(node, ir.Attribute) else None)
            return operations.ask(ev, spelling, (argument,), {}, node)
    if f"{known or torch.TENSOR}.{name}" in REGISTRY:
        return Method(tensor, name)
    stored = ev.cells.get((tensor, "." + name))
    return stored if isinstance(stored, Value) else Method(tensor, name)


def _is_on_cpu(ev: Evaluator, library: str) -> bool:
    """Whether a tensor of a drive is on the CPU: nothing in the program's file puts one elsewhere.

    What a drive shows happens on a machine without a GPU.
    """
    return ev.reach.driven and library == torch.TENSOR and not ev.source.file.names_devices


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
        if ev.units.trace is not None:
            call_notes.require(ev, ev.units.trace, [owner], Argument(value))
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
