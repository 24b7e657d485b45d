"""Classes of the project and their instances: lineage, attributes, construction, `super()`.

Base classes outside the project are known by their paths alone. With a base about which nothing is
known, the attributes that the project's classes do not define are unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from namecheck.analysis.asking.layers import build_layer
from namecheck.analysis.evidence import moments
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import (
    changed_attributes,
    rebound_attributes,
    replaced_attributes,
)
from namecheck.analysis.state import memo
from namecheck.analysis.state.argument import Argument
from namecheck.analysis.state.conversion import sizes_given
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import is_dataclass, is_module, layer_of, lineage_of, look_up
from namecheck.analysis.state.values import (
    CONSTANT,
    NONE,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Decorated,
    Deferred,
    Dict,
    Either,
    Function,
    Instance,
    Layer,
    Library,
    List,
    Method,
    Number,
    Repeated,
    Super,
    Tensor,
    Tuple,
    Value,
    constant,
    serials,
)
from namecheck.frameworks import flax, python, torch
from namecheck_runtime import sizes
from namecheck_runtime.lattice import Shape, Size, known_dims

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

LAYER = "<layer>"
"""The attribute under which an instance of a subclass of a library's layer keeps that layer."""


def make_class(ev: Evaluator, record: ir.ClassDef) -> Class:
    """The class that a class statement makes; its body runs once."""
    bases = [ev.resolve(ev.value(base)) for base in record.bases]
    cls = Class(record, tuple(lineage_of(bases)), ev.frame.source, ev.frame)
    cls.rebound, cls.built, cls.working = rebound_attributes(record)
    cls.updated = cls.rebound - replaced_attributes(record) if cls.rebound else cls.rebound
    cls.changed, cls.assigned_parts = changed_attributes(record)
    for ancestor in cls.lineage[1:]:
        if isinstance(ancestor, Class) and ancestor.source.file is cls.source.file:
            ancestor.replaced |= cls.built
            ancestor.changed |= cls.changed
    for decorator in record.decorators:
        value = ev.resolve(
            ev.value(decorator.function if isinstance(decorator, ir.Call) else decorator)
        )
        cls.decorators += (value.path if isinstance(value, Library) else "?",)
    outer = ev.frame
    frame = Frame(outer.source, outer, None, outer.depth)
    frame.quiet = outer.quiet
    frame.class_body = True
    ev.frame = frame
    ev.run(record.body)
    ev.frame = outer
    ev.alive = True
    outer.wrong.update(frame.wrong)
    outer.seen.update(frame.seen)
    cls.attributes = {
        name: value.give(ev) if isinstance(value, Deferred) else value
        for name, value in frame.variables.items()
    }
    for value in cls.attributes.values():
        function = value.function if isinstance(value, Decorated) else value
        if isinstance(function, Function) and function.owner is None:
            function.owner = cls
    for ancestor in cls.lineage:
        if isinstance(ancestor, Class):
            for name in cls.changed:
                held = ancestor.attributes.get(name)
                if isinstance(held, (List, Dict)):
                    ev.cells[held] = Repeated(Anything())
    return cls


def class_attribute(ev: Evaluator, cls: Class, name: str) -> Value:
    """`Class.name`."""
    attribute = look_up(cls.lineage, name)
    if isinstance(attribute, Function) and attribute.kind == "class":
        return Bound(attribute, cls)
    return Anything() if attribute is None else attribute


def instance_attribute(ev: Evaluator, instance: Instance, name: str) -> Value:
    """`instance.name`."""
    if instance.pending is not None:
        look_into(ev, instance)
    stored = ev.cells.get((instance, name))
    if isinstance(stored, Value):
        if instance.several and name in instance.left and ev.frame.receiver is not instance:
            return Anything()  # the state of another object that the walk has this one for
        return stored
    inherited = look_up(instance.cls.lineage, name)
    if isinstance(inherited, (Tensor, Constant, Number)) and _is_rebound(instance.cls, name):
        inherited = None
    if inherited is not None and not isinstance(inherited, Anything):
        bound = bind(ev, inherited, instance)
        if not isinstance(inherited, Method):
            return bound
        if name == torch.FORWARD and (instance, LAYER) in ev.cells:
            return Method(ev.cells[instance, LAYER], name)
    if name in torch.REGISTERS or (name in torch.SELF and is_module(instance.cls)):
        return Method(instance, name)
    value = moments.attribute_unset(ev, instance, name)
    if value is None:
        value = instance.unseen.get(name)
    if value is None:
        value = instance.unseen[name] = Anything(f"{instance.label}.{name}", True)
    return value


def register(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
) -> None:
    """Make the attribute of `self.register_buffer("mean", tensor)`; None is a placeholder."""
    name = ev.resolve(arguments[0].value) if arguments else None
    rest = [*arguments[1:], *(keywords[word] for word in torch.REGISTERED if word in keywords)]
    if isinstance(name, Constant) and isinstance(name.value, str) and rest:
        value = ev.resolve(rest[0].value)
        ev.cells[instance, name.value] = Anything() if value is NONE else constant(value)
        instance.version += 1


def _is_rebound(cls: Class, name: str) -> bool:
    """Whether a method assigns an attribute to which the class gives a first value."""
    return any(isinstance(one, Class) and name in one.rebound for one in cls.lineage)


def bind(ev: Evaluator, found: Value, instance: Instance) -> Value:
    """An attribute of a class as its instance has it: functions become methods."""
    if not isinstance(found, Function):
        return found
    match found.kind:
        case "property":
            return ev.call(found, (plain_argument(instance),), {}, None)
        case "static":
            return found
        case "class":
            return Bound(found, instance.cls)
    return Bound(found, instance)


def plain_argument(value: Value) -> Argument:
    """The argument of a call that the source does not show."""
    return Argument(value)


def super_attribute(ev: Evaluator, value: Super, name: str) -> Value:
    """`super().name`."""
    receiver = value.receiver
    if not isinstance(receiver, Instance):
        return Anything()
    lineage = receiver.cls.lineage
    start = lineage.index(value.owner) + 1 if value.owner in lineage else 0
    inherited = look_up(lineage[start:], name)
    if isinstance(inherited, Function):
        return bind(ev, inherited, receiver)
    if isinstance(inherited, Method):
        return Method(value, name)
    if inherited is None:
        return Method(value, name)
    return inherited


def layer_attribute(ev: Evaluator, layer: Layer, name: str) -> Value:
    """A parameter of a library's layer, or an argument of its constructor."""
    tensors = layer_tensors(layer)
    if name in tensors and layer.replaced:
        return Anything()
    if name in tensors:
        return tensor_of_layer(ev, tensors[name])
    fields = layer.instance.fields
    if name in fields:
        return field_value(fields[name])
    return Method(layer, name)


def layer_tensors(layer: Layer) -> Mapping[str, Shape | None]:
    """The shapes of a layer's tensors by attribute; empty if its arguments are not known."""
    return layer.instance.layer.parameters(layer.instance.fields)


def tensor_of_layer(ev: Evaluator, shape: Shape | None) -> Value:
    """A layer's tensor; None for one that the layer was built without."""
    return NONE if shape is None else Tensor(shape, "float", torch.TENSOR, history=CONSTANT)


def replace_parameter(ev: Evaluator, layer: Layer, before: Value, value: Value) -> None:
    """Forget what a layer computes if a parameter gets other sizes, or some that are not known."""
    before, now = ev.resolve(before), ev.resolve(value)
    if not isinstance(before, Tensor) or now is NONE:
        return
    if isinstance(now, Tensor) and isinstance(now.shape, tuple):
        had, has = known_dims(ev.current(before.shape)), known_dims(ev.current(now.shape))
        pairs = zip(had, has, strict=False)
        if len(had) == len(has) and all(ev.facts.known_equal(a.size, b.size) for a, b in pairs):
            return
    layer.replaced = True


def field_value(value: object) -> Value:
    """A constructor argument that a layer keeps."""
    if isinstance(value, (int, sizes.Polynomial)) and not isinstance(value, bool):
        return Number(value)
    return Anything()


def instantiate(
    ev: Evaluator,
    cls: Class,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
    node: ir.Call | None,
) -> Value:
    """The instance that calling a class makes; `keywords` is None if some are not known."""
    paths = {one.path for one in cls.lineage if isinstance(one, Library)}
    if python.NAMED_TUPLES & paths:
        return _named_tuple(ev, cls, arguments, keywords)
    # `self` is another object where the instance is made: its attributes bear the class's name.
    instance = Instance(cls, cls.name)
    if not is_module(cls):
        _run_constructor(ev, instance, arguments, keywords, node, paths)
        return instance
    init = look_up(cls.lineage, "__init__")
    if isinstance(init, Function) and keywords is not None:
        widths = sizes_given(ev, init, arguments, keywords)
        ev.independence.add_construction(init, widths)
    # Instances that are made with unknown keywords may differ in their widths: no key.
    key = memo.class_key(ev, cls, arguments, keywords)
    if key is not None:
        # Modules made of the same arguments share one instance: they compute the same.
        shared = ev.memory.modules.get(key)
        if shared is not None:
            shared.several = True
            return shared
        ev.memory.modules[key] = instance
    instance.pending = (tuple(arguments), keywords)
    instance.several = bool(ev.frame.flow.loops)
    return instance


MADE = "<made>"
"""The attribute that marks an instance whose constructor has been run on this path."""


def look_into(ev: Evaluator, instance: Instance) -> None:
    """Run the constructor of a module when its contents are first needed.

    The contents of most modules that a constructor makes are never needed, since their class is
    evaluated alone. Mistakes in the constructor are reported there.
    """
    if instance.pending is None or (instance, MADE) in ev.cells:
        return
    touched, alive = ev.cells.touched[0], ev.alive
    cells = ev.memory.cells.get(instance)
    if cells is None:
        first = next(serials)
        ev.cells[instance, MADE] = instance
        arguments, keywords = instance.pending
        outer = ev.frame
        ev.frame = Frame(outer.source, outer.parent, None, outer.depth)
        ev.frame.quiet = 1
        paths = {one.path for one in instance.cls.lineage if isinstance(one, Library)}
        _run_constructor(ev, instance, arguments, keywords, None, paths)
        ev.frame = outer
        ev.memory.cells[instance] = ev.cells.made_since(first, instance)
    else:
        for key, value in cells.items():
            if key not in ev.cells:
                ev.cells[key] = value
    # The call that needs the contents has not made them.
    ev.cells.touched[0], ev.alive = touched, alive


def _run_constructor(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
    node: ir.Call | None,
    paths: set[str],
) -> None:
    cls = instance.cls
    init = look_up(cls.lineage, "__init__")
    if isinstance(init, Function):
        ev.call(init, (plain_argument(instance), *arguments), keywords, node)
    elif isinstance(init, Method):
        initialise_layer(ev, instance, arguments, keywords)
    elif is_dataclass(cls):
        _fill_fields(ev, instance, arguments, keywords)
        for begin in after_fields(cls):
            # What it takes besides are fields that only it sees.
            unseen = [plain_argument(Anything()) for _ in begin.parameters[1:]]
            ev.call(begin, (plain_argument(instance), *unseen), {}, node)
    elif "?" in paths or init is not None:
        return
    forget_rebound(ev, instance)


def after_fields(cls: Class) -> list[Function]:
    """The methods that run when a dataclass has its fields, in their order."""
    methods = [look_up(cls.lineage, python.AFTER_FIELDS)]
    if is_module(cls):
        methods.append(look_up(cls.lineage, flax.SETUP))
    return [method for method in methods if isinstance(method, Function)]


def forget_rebound(ev: Evaluator, instance: Instance) -> None:
    """Forget attributes that other methods assign, and the contents of lists that begin empty.

    By the time that they are read, a method may have assigned them, or filled the lists.
    """
    for ancestor in instance.cls.lineage:
        if isinstance(ancestor, Class):
            for name in ancestor.rebound:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, (Layer, Container, Instance, Either)):
                    if name not in ancestor.working:
                        continue  # only code outside the class replaces a module
                if isinstance(stored, Tensor) and name in ancestor.updated:
                    if isinstance(stored.shape, tuple) and stored.shape:
                        continue
                if (instance, name) in ev.cells:
                    ev.cells[instance, name] = Anything(f"{instance.label}.{name}", True)
            for name, part in ancestor.assigned_parts:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, Layer) and part in layer_tensors(stored):
                    ev.cells[instance, name] = Anything(f"{instance.label}.{name}", True)
                elif isinstance(stored, Container) and part in torch.PARAMETERS:
                    ev.cells[stored] = Repeated(Anything())
            for name in ancestor.changed:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, (List, Dict, Container)):
                    ev.cells[stored] = Repeated(Anything())
            for name in ancestor.built - ancestor.rebound:
                stored = ev.cells.get((instance, name))
                if isinstance(stored, (List, Dict, Container)) and ev.cells.get(stored) in ((), {}):
                    ev.cells[stored] = Repeated(Anything())


def forget_replaced(ev: Evaluator, instance: Instance) -> None:
    """Forget layers and tensors that a subclass replaces: the instance may be of the subclass."""
    for name in instance.cls.replaced:
        stored = ev.cells.get((instance, name))
        if isinstance(stored, (Instance, Layer, Container, Tensor)):
            ev.cells[instance, name] = Anything(f"{instance.label}.{name}", True)


def initialise_layer(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> None:
    """`super().__init__(...)` of a subclass of a library's layer."""
    path = layer_of(instance.cls.lineage)
    if path is not None and keywords is not None:
        built = build_layer(ev, path, arguments, keywords)
        if isinstance(built, Layer):
            ev.cells[instance, LAYER] = built
            for name, field in built.instance.fields.items():
                ev.cells[instance, name] = field_value(field)
            for name, shape in layer_tensors(built).items():
                ev.cells[instance, name] = tensor_of_layer(ev, shape)


def field_default(ev: Evaluator, cls: Class, default: ir.Expression) -> Value:
    """A field's default, evaluated in the scope of its class."""
    outer = ev.frame
    ev.frame = Frame(cls.source, cls.scope, None, outer.depth)
    ev.frame.quiet = 1
    try:
        return ev.resolve(ev.value(default))
    finally:
        ev.frame = outer


def _fields(cls: Class) -> list[tuple[str, Class, ir.Expression | None]]:
    """The fields of a dataclass: the name, the class that declares it, the default."""
    by_name: dict[str, tuple[str, Class, ir.Expression | None]] = {}
    for ancestor in reversed(cls.lineage):
        if isinstance(ancestor, Class):
            for statement in ancestor.record.body:
                match statement:
                    case ir.AnnotatedAssign(ir.Name(name), annotation, value):
                        if not _is_class_variable(annotation):
                            by_name[name] = (name, ancestor, value)
    return list(by_name.values())


def _is_class_variable(annotation: ir.Expression) -> bool:
    match annotation:
        case ir.Subscript(ir.Name("ClassVar") | ir.Attribute(_, "ClassVar"), _):
            return True
        case ir.Name("ClassVar") | ir.Attribute(_, "ClassVar"):
            return True
    return False


def _fill_fields(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> None:
    declared = _fields(instance.cls)
    by_name = dict(keywords or {})
    for (name, _, _), argument in zip(declared, arguments, strict=False):
        by_name.setdefault(name, argument)
    for name, cls, default in declared:
        if name in by_name:
            value = moments.field_given(ev, instance.cls, instance.names, name, by_name[name])
            ev.cells[instance, name] = value
        elif keywords is None:  # `**settings` may override the default
            ev.cells[instance, name] = Anything(f"{instance.label}.{name}", True)
        elif default is not None and not isinstance(default, ir.Call):
            ev.cells[instance, name] = field_default(ev, cls, default)


def _named_tuple(
    ev: Evaluator,
    cls: Class,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> Value:
    if keywords is None:
        return Anything()
    declared = _fields(cls)
    by_name = dict(keywords)
    for (name, _, _), argument in zip(declared, arguments, strict=False):
        by_name.setdefault(name, argument)
    elements: list[Value] = []
    names: dict[str, Size] = {}
    for name, owner, default in declared:
        if name in by_name:
            elements.append(moments.field_given(ev, cls, names, name, by_name[name]))
        else:
            elements.append(Anything() if default is None else field_default(ev, owner, default))
    return Tuple(elements, tuple(name for name, _, _ in declared))
