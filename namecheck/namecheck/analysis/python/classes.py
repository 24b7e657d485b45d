"""Classes of the project and their instances: lineage, attributes, construction, `super()`.

Base classes outside the project are known by their paths alone. With a base about which nothing is
known, the attributes that the project's classes do not define are unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from namecheck.analysis.asking import own_tensors
from namecheck.analysis.asking.layers import (
    as_set,
    build_layer,
    field_value,
    layer_tensors,
    tensor_of_layer,
)
from namecheck.analysis.evidence import moments
from namecheck.analysis.gradients import following
from namecheck.analysis.measuring.call_notes import tensors_of_layer
from namecheck.analysis.objects import own_objects
from namecheck.analysis.python import methods
from namecheck.analysis.python.assigned_elsewhere import (
    forget_rebound,
    may_be_changed,
    unknown_attribute,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.reading.assigned_attributes import (
    add_texts,
    annotated_in_body,
    called_back_attributes,
    changed_attributes,
    rebound_attributes,
    replaced_attributes,
    spelled_in_body,
)
from namecheck.analysis.state import memo
from namecheck.analysis.state.argument import Argument, given_as
from namecheck.analysis.state.conversion import sizes_given
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.lineage import (
    LAYER,
    after_fields,
    fields_of,
    has_fields,
    is_built_of_fields,
    is_dataclass,
    is_module,
    is_row,
    layer_of,
    library_bases,
    lineage_of,
    look_up,
)
from namecheck.analysis.state.values import (
    NONE,
    TRUE,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Decorated,
    Deferred,
    Either,
    Function,
    Instance,
    Layer,
    Library,
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
from namecheck.frameworks import python, torch
from namecheck_runtime.lattice import Size

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator


def make_class(ev: Evaluator, record: ir.ClassDef) -> Class:
    """The class that a class statement makes; its body runs once."""
    bases = [ev.resolve(ev.value(base)) for base in record.bases]
    cls = Class(record, tuple(lineage_of(bases)), ev.frame.source, ev.frame)
    cls.metaclasses = [
        ev.resolve(ev.value(one.value)) for one in record.keywords if one.name == "metaclass"
    ]
    assigned = rebound_attributes(record)
    cls.rebound, cls.built, cls.working = assigned.rebound, assigned.built, assigned.working
    cls.set_by_name = assigned.by_name
    if cls.rebound:
        cls.updated = frozenset(cls.rebound.keys() - replaced_attributes(record))
    changed, cls.assigned_parts = changed_attributes(record)
    cls.changed = set(changed)  # subclasses add to it
    cls.called_back = called_back_attributes(record)
    annotated = annotated_in_body(record)
    for ancestor in cls.lineage[1:]:
        if isinstance(ancestor, Class) and ancestor.source.file is cls.source.file:
            for spelled in (cls.built, cls.rebound, spelled_in_body(record)):
                add_texts(ancestor.replaced, spelled)
            ancestor.changed |= cls.changed
            ancestor.has_subclasses = True
            ancestor.redeclared |= annotated
    cls.decorators = _decorators(ev, record)
    ev.units.note_lineage(cls, None)
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
            if function.setter is not None:
                function.setter.owner = cls
    own_objects.let_bases_set(cls)
    own_objects.name_members(ev, cls)
    own_objects.forget_tables(ev, cls)
    return cls


def _decorators(ev: Evaluator, record: ir.ClassDef) -> tuple[str, ...]:
    """The paths of the decorators of a class; "?" for one that is not of a library."""
    paths: list[str] = []
    for decorator in record.decorators:
        called = decorator.function if isinstance(decorator, ir.Call) else decorator
        maker = ev.resolve(ev.value(called))
        if isinstance(maker, Library) and maker.path == python.PARTIAL:
            if isinstance(decorator, ir.Call) and decorator.positional:
                maker = ev.resolve(ev.value(decorator.positional[0]))
        paths.append(maker.path if isinstance(maker, Library) else "?")
    return tuple(paths)


def class_attribute(ev: Evaluator, cls: Class, name: str) -> Value:
    """`Class.name`."""
    attribute = look_up(cls.lineage, name)
    own_objects.forget_filled(ev, cls, name, attribute)
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
    own_objects.forget_filled(ev, instance.cls, name, inherited)
    is_class_level = isinstance(inherited, (Tensor, Constant, Number))
    if is_class_level and not ev.reach.driven and _is_rebound(instance.cls, name):
        inherited = None
    if isinstance(inherited, Tensor) and has_fields(instance.cls):
        inherited = None
    if inherited is not None and not isinstance(inherited, Anything):
        bound = bind(ev, inherited, instance)
        if not isinstance(inherited, Method):
            return bound
        if name == torch.FORWARD and (instance, LAYER) in ev.cells:
            return Method(ev.cells[instance, LAYER], name)
    if name in torch.REGISTERS or (name in torch.FOLLOWED and is_module(instance.cls)):
        return Method(instance, name)
    if ev.reach.driven and name in torch.OF_MODULES and is_module(instance.cls):
        return Method(instance, name)
    if ev.reach.driven and name in python.ATTRIBUTE_METHODS:
        return Method(instance, name)
    if name not in torch.READING and not (ev.reach.driven and name in python.OF_CLASSES):
        forget_row(ev, instance)
    value = own_tensors.method_of(name) if own_tensors.redefines(instance.cls) else None
    value = value or moments.attribute_unset(ev, instance, name) or instance.unseen.get(name)
    if value is None:
        value = instance.unseen[name] = unknown_attribute(instance, name)
    return value


def register(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument],
) -> None:
    """Make the attribute of `self.register_buffer("mean", tensor)`; None is a placeholder."""
    first = given_as(arguments, keywords, 0, "name")
    name = ev.resolve(first.value) if first is not None else None
    rest = [*arguments[1:], *(keywords[word] for word in torch.REGISTERED if word in keywords)]
    if isinstance(name, Constant) and isinstance(name.value, str) and rest:
        value = ev.resolve(rest[0].value)
        hold_module(ev, instance, name.value, value)
        later = value is NONE and not ev.reach.driven
        ev.cells[instance, name.value] = Anything() if later else constant(value)
        instance.version += 1
    else:
        forget_row(ev, instance)
        if ev.reach.driven:
            ev.cells[instance, own_objects.ANY_ATTRIBUTE] = Anything()


def _is_rebound(cls: Class, name: str) -> bool:
    """Whether a method assigns an attribute to which the class gives a first value."""
    return any(isinstance(one, Class) and name in one.rebound for one in cls.lineage)


def bind(ev: Evaluator, found: Value, instance: Instance) -> Value:
    """An attribute of a class as its instance has it: functions become methods."""
    getter = look_up(found.cls.lineage, python.GET) if isinstance(found, Instance) else None
    if isinstance(getter, Function):
        return ev.call(getter, tuple(map(Argument, (found, instance, instance.cls))), {}, None)
    if not isinstance(found, Function) or found.kind == "static":
        return found
    match found.kind:
        case "property":
            return ev.call(found, (plain_argument(instance),), {}, None)
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
    if isinstance(inherited, Function) and own_objects.is_rewritten(ev, value.owner, inherited):
        return Anything()
    if isinstance(inherited, (Function, Instance)):
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
        trace = ev.units.trace
        if trace is not None and tensors[name] is not None:
            return tensors_of_layer(trace, layer)[name]
        tensor = tensor_of_layer(ev, tensors[name])
        if ev.gradients.is_needed and isinstance(tensor, Tensor) and name in torch.PARAMETERS:
            following.of_layer(ev, tensor)
        return tensor
    layer_now = as_set(ev, layer)
    if name in layer_now.instance.fields:
        held = layer_now.instance.layer.attribute(layer_now.instance.fields, name)
        if ev.reach.driven and (held is None or isinstance(held, (bool, str))):
            return _option_kept(layer_now, name, held)
        return field_value(layer_now, name)
    return Method(layer, name)


def _option_kept(layer: Layer, name: str, held: bool | str | None) -> Value:
    """An option that a layer keeps as it is; pooling moves by its kernel if no stride is given."""
    if held is None and name in torch.BY_DEFAULT:
        return field_value(layer, torch.BY_DEFAULT[name])
    return Constant(held)


def instantiate(
    ev: Evaluator,
    cls: Class,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
    node: ir.Call | None,
) -> Value:
    """The instance that calling a class makes; `keywords` is None if some are not known."""
    if ev.reach.driven and own_objects.is_called_otherwise(cls):
        return Anything()
    init = look_up(cls.lineage, "__init__")
    ev.units.note_lineage(cls, init)
    if isinstance(init, Function) and own_objects.is_rewritten(ev, cls, init):
        return Anything()
    paths = library_bases(cls)
    if python.NAMED_TUPLES & paths:
        return _named_tuple(ev, cls, arguments, keywords)
    # `self` is another object where the instance is made: its attributes bear the class's name.
    if python.ENUMS & paths:
        return own_objects.member(ev, cls, arguments)
    instance = Instance(cls, cls.name)
    if ev.reach.driven:
        instance.several = ev.frame.flow.rounds > 0
        if is_module(cls):
            ev.cells[instance, torch.TRAINING] = TRUE
    if not is_module(cls) or ev.reach.driven:
        built = len(ev.reach.built)
        _run_constructor(ev, instance, arguments, keywords, node, paths)
        if is_module(cls) and not ev.frame.quiet and not ev.may_be_skipped(ev.frame):
            if isinstance(look_up(cls.lineage, torch.FORWARD), Function):
                # Its parts are called by itself.
                ev.reach.built[built:] = [(instance, ev.frame.source, ev.frame.line)]
        return instance
    if isinstance(init, Function) and keywords is not None:
        widths = sizes_given(ev, init, arguments, keywords)
        ev.independence.add_construction(init, widths)
    # Instances that are made with unknown keywords may differ in their widths: no key.
    key = memo.class_key(ev, cls, arguments, keywords)
    if key is not None and not may_be_changed(ev, cls):
        # Modules made of the same arguments share one instance: they compute the same.
        shared = ev.memory.modules.get(key)
        if shared is not None:
            shared.several = True
            return shared
        ev.memory.modules[key] = instance
    instance.pending = (tuple(arguments), keywords)
    instance.several = bool(ev.frame.flow.loops)
    for argument in (*arguments, *(keywords or {}).values()):
        given = ev.resolve(argument.value)
        if isinstance(given, Instance) or (isinstance(given, Anything) and given.config):
            ev.memory.waiting.setdefault(given, []).append(instance)
    return instance


def build_waiting(ev: Evaluator, given: Value) -> None:
    """Build the modules whose constructors read an object that is about to change."""
    for instance in ev.memory.waiting.pop(given, ()):
        look_into(ev, instance)


def made_of_default(ev: Evaluator, instance: Instance, callee: ir.Expression) -> Instance:
    """A module that was just made, as one of its own if its class is a parameter's default.

    That is so in a constructor that is evaluated by itself. Its caller may pass another class.
    """
    function = ev.frame.function
    if ev.frame.depth or function is None or not isinstance(callee, ir.Name):
        return instance
    if not any(one.name == callee.name and one.default is not None for one in function.parameters):
        return instance
    own = Instance(instance.cls, instance.label)
    own.pending, own.replaceable = instance.pending, True
    return own


MADE: Final = "<made>"
"""The attribute that marks an instance whose constructor has been run on this path."""


def construction_of(ev: Evaluator, instance: Instance) -> tuple[object, ...]:
    """The key of what the constructor of a module has filled: its tests may state what it is."""
    return instance, ev.facts.stated_configuration()


def look_into(ev: Evaluator, instance: Instance) -> None:
    """Run the constructor of a module when its contents are first needed.

    The contents of most modules that a constructor makes are never needed, since their class is
    evaluated alone. Mistakes in the constructor are reported there. Where a test of the caller says
    how the module is configured, its constructor goes the same way.
    """
    if instance.pending is None or (instance, MADE) in ev.cells:
        return
    touched, alive = ev.cells.touched[0], ev.alive
    key = construction_of(ev, instance)
    cells = ev.memory.cells.get(key)
    if cells is None:
        first = next(serials)
        ev.cells[instance, MADE] = instance
        arguments, keywords = instance.pending
        outer = ev.frame
        ev.frame = Frame(outer.source, outer.parent, None, outer.depth)
        ev.frame.quiet = 1
        paths = library_bases(instance.cls)
        _run_constructor(ev, instance, arguments, keywords, None, paths)
        ev.frame = outer
        ev.memory.cells[key] = ev.cells.made_since(first, instance)
    else:
        for cell, value in cells.items():
            if cell not in ev.cells:
                ev.cells[cell] = value
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
    if ev.reach.driven and is_built_of_fields(cls):
        init = None
    if isinstance(init, Function):
        ev.call(init, (plain_argument(instance), *arguments), keywords, node)
    elif isinstance(init, Method):
        initialise_layer(ev, instance, arguments, keywords)
    elif is_dataclass(cls):
        left = _fill_fields(ev, instance, arguments, keywords)
        for begin in after_fields(cls):
            # What it takes besides are fields that only it sees.
            plain = [one for one in begin.parameters[1:] if one.kind != "variadic keyword"]
            unseen = [plain_argument(Anything()) for _ in plain]
            rest = left if len(plain) < len(begin.parameters) - 1 else {}
            ev.call(begin, (plain_argument(instance), *unseen), rest, node)
    elif own_objects.is_table(cls):
        made = Library(python.DICT)
        ev.cells[instance, own_objects.TABLE] = ev.call(made, arguments, keywords, None)
    elif "?" in paths or init is not None:
        # A base of a library has the constructor: what the class shows are defaults.
        names = [name for name, _, _ in fields_of(cls)] if arguments or keywords is None else []
        for name in (*names, *(keywords or {})):
            ev.cells[instance, name] = unknown_attribute(instance, name)
        return
    elif arguments or keywords != {}:
        # A decorator has made the constructor: what the class shows are defaults.
        for name, _, _ in fields_of(cls):
            ev.cells[instance, name] = unknown_attribute(instance, name)
    if not ev.reach.driven:
        forget_rebound(ev, instance)


def initialise_layer(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> None:
    """`super().__init__(...)` of a subclass of a library's layer."""
    if is_row(instance.cls):
        given = arguments if keywords == {} else None
        ev.cells[instance, LAYER] = methods.row_of_layers(ev, "sequential", given)
        return
    path = layer_of(instance.cls.lineage)
    if path is not None and keywords is not None:
        built = build_layer(ev, path, arguments, keywords)
        if isinstance(built, Layer):
            ev.cells[instance, LAYER] = built
            for name in built.instance.fields:
                ev.cells[instance, name] = field_value(built, name)
            for name, shape in layer_tensors(built).items():
                ev.cells[instance, name] = tensor_of_layer(ev, shape)
            if ev.units.trace is not None:
                for name, tensor in tensors_of_layer(ev.units.trace, built).items():
                    ev.cells[instance, name] = tensor


def hold_module(ev: Evaluator, instance: Instance, name: str, value: Value) -> None:
    """Add a module to those that an instance of a subclass of `nn.Sequential` runs in a row.

    It does so for each module that becomes an attribute, before the attribute is set. A name that
    is set again replaces the module that it had, whose place is not known.
    """
    row = ev.cells.get((instance, LAYER))
    if isinstance(row, Container) and isinstance(value, _MODULES):
        if (instance, name) in ev.cells:
            ev.cells[row] = Repeated(Anything())
        elif ev.units.trace is not None:
            given = (plain_argument(Constant(name)), plain_argument(value))
            methods.call_method(ev, row, torch.ADDS, given, {})
        else:
            methods.call_method(ev, row, "append", (plain_argument(value),), {})


_MODULES: Final = (Layer, Container, Instance, Either)


def forget_row(ev: Evaluator, instance: Instance) -> None:
    """Forget what a subclass of `nn.Sequential` holds: something else may have changed it."""
    row = ev.cells.get((instance, LAYER))
    if isinstance(row, Container):
        ev.cells[row] = Repeated(Anything())


def field_default(ev: Evaluator, cls: Class, default: ir.Expression) -> Value:
    """A field's default, evaluated in the scope of its class."""
    outer = ev.frame
    ev.frame = Frame(cls.source, cls.scope, None, outer.depth)
    ev.frame.quiet = 1
    try:
        return ev.resolve(ev.value(default))
    finally:
        ev.frame = outer


def _fill_fields(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> Mapping[str, Argument] | None:
    """Set the fields of a dataclass, and give the keywords that are no fields."""
    declared = fields_of(instance.cls)
    by_name = dict(keywords or {})
    for (name, _, _), argument in zip(declared, arguments, strict=False):
        by_name.setdefault(name, argument)
    stacked = moments.fields_stacked(ev, instance.cls, by_name)
    for name, cls, default in declared:
        if name in stacked:
            ev.cells[instance, name] = stacked[name]
        elif name in by_name:
            value = moments.field_given(ev, instance.cls, instance.names, name, by_name[name])
            ev.cells[instance, name] = value
        elif keywords is None:  # `**settings` may override the default
            ev.cells[instance, name] = unknown_attribute(instance, name)
        elif default is not None and not isinstance(default, ir.Call):
            ev.cells[instance, name] = field_default(ev, cls, default)
        elif default is not None and ev.reach.driven:
            ev.cells[instance, name] = _made_by_field(ev, cls, default)
    if keywords is None:
        return None
    names = {name for name, _, _ in declared}
    return {name: argument for name, argument in keywords.items() if name not in names}


def _made_by_field(ev: Evaluator, cls: Class, default: ir.Expression) -> Value:
    """The default of `field(default=3)` or `field(default_factory=list)`."""
    if isinstance(default, ir.Call):
        function = field_default(ev, cls, default.function)
        if isinstance(function, Library) and function.path == python.FIELD:
            for keyword in default.keywords:
                if keyword.name == "default":
                    return field_default(ev, cls, keyword.value)
                if keyword.name == "default_factory":
                    return ev.resolve(ev.call(field_default(ev, cls, keyword.value), (), {}, None))
    return Anything()


def _named_tuple(
    ev: Evaluator,
    cls: Class,
    arguments: Sequence[Argument],
    keywords: Mapping[str, Argument] | None,
) -> Value:
    if keywords is None:
        return Anything()
    declared = fields_of(cls)
    by_name = dict(keywords)
    for (name, _, _), argument in zip(declared, arguments, strict=False):
        by_name.setdefault(name, argument)
    elements: list[Value] = []
    names: dict[str, Size] = {}
    stacked = moments.fields_stacked(ev, cls, by_name)
    for name, owner, default in declared:
        if name in stacked:
            elements.append(stacked[name])
        elif name in by_name:
            elements.append(moments.field_given(ev, cls, names, name, by_name[name]))
        else:
            elements.append(Anything() if default is None else field_default(ev, owner, default))
    return Tuple(elements, tuple(name for name, _, _ in declared))
