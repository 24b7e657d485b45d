"""Calls of libraries: ops, layers, containers of layers, methods of tensors.

The registry says which op a spelling means; `frameworks` has the names of everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.asking import (
    elements,
    geometry,
    guesses,
    migration,
    operations,
    packed,
    presumptions,
    rows,
    sparse_matrices,
)
from namecheck.analysis.asking.layers import around_weight, build_layer
from namecheck.analysis.asking.results import of_kind
from namecheck.analysis.gradients import following
from namecheck.analysis.measuring import call_notes
from namecheck.analysis.objects import (
    commands,
    dataclass_fields,
    forward_hooks,
    held_tensors,
    instance_checks,
    marks_of_tests,
    own_derivatives,
    own_objects,
    parsed_options,
)
from namecheck.analysis.objects.given_away import let_go
from namecheck.analysis.python import (
    assignment,
    attributes,
    builtin,
    classes,
    higher_order,
    loaders,
    mathematics,
    methods,
    transforms,
)
from namecheck.analysis.python.changed_modules import (
    let_assign,
    let_load,
    let_set,
    note_change,
    set_mode,
    walk_modules,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.state import conversion, hindsight, lineage
from namecheck.analysis.state.argument import Argument, Keywords, given_as
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    DType,
    Function,
    Instance,
    Layer,
    Library,
    List,
    Method,
    Number,
    OtherArray,
    Partial,
    ShapeOf,
    Super,
    Tensor,
    Transformed,
    Tuple,
    Value,
    kind_of_number,
    known,
)
from namecheck.frameworks import click, numpy, python, scipy, torch
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.readers import parameters
from namecheck_runtime.readers.decorators import TRANSPARENT

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_CALLS: Final = {**loaders.CALLS, **packed.CALLS, **rows.CALLS}
"""The evaluation of functions and classes that have their own, by path."""

_MODULES: Final = (Instance, Container, Layer)

CALLED: Final = (Function, Bound, Partial, Instance, Layer, Container, Transformed, Library)
"""The values that compute with tensors when they are called."""


def let_reshape(ev: Evaluator, receiver: Value, name: str) -> None:
    """Forget the dims of a value if a method of this name gives a tensor others in place."""
    spelling = REGISTRY.get(f"{_library_of(receiver) or torch.TENSOR}.{name}")
    if spelling is not None and spelling.inplace and spelling.op.reshapes:
        ev.forget_dims(receiver)


def pass_on(ev: Evaluator, arguments: Sequence[Argument], keywords: Keywords) -> None:
    """Keep for `show` the classes that were passed to code which may make instances of them."""
    if ev.trials.calls is None:
        return
    for argument in (*arguments, *keywords.values()):
        value = ev.resolve(argument.value)
        if isinstance(value, Class):
            ev.trials.calls.pass_on(value)


def call_library(
    ev: Evaluator,
    path: str,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling something from outside the project."""
    if path in frameworks.ENDING:
        ev.alive = False
        return Anything()
    if path.startswith(python.BUILTIN):
        return builtin.call(ev, path.removeprefix(python.BUILTIN), arguments, keywords, node)
    if path in frameworks.CONTAINERS:
        return methods.row_of_layers(ev, frameworks.CONTAINERS[path], arguments)
    if arguments is None or keywords is None:
        spelling = REGISTRY.get(path)
        if spelling is not None and spelling.op.rules[0].returns == "Shape":
            return Tensor(library=frameworks.owner_of(path))
        return Anything()
    if path in torch.SIZED and arguments and not keywords:
        path = _constructor(ev, path, arguments)
    if path in LAYERS:
        return build_layer(ev, path, arguments, keywords, node)
    if path in torch.FROM_WEIGHTS:
        return around_weight(ev, path, arguments, keywords, node)
    if path in _CALLS:
        return _CALLS[path](ev, arguments, keywords)
    if path in higher_order.CALLS:
        return higher_order.CALLS[path](ev, arguments, keywords, node)
    number = None if keywords else mathematics.of_numbers(ev, path, arguments)
    if number is not None:
        return number
    if path in torch.TYPE_TESTS and len(arguments) == 1:
        tested = ev.resolve(arguments[0].value)
        answer = instance_checks.is_instance(ev, tested, Library(torch.TYPE_TESTS[path]))
        if answer is not None:
            return Constant(answer)
    if path in REGISTRY and node is not None:
        return _ask(ev, path, arguments, keywords, node)
    value = _handed_on(ev, path, arguments, keywords)
    if value is not None:
        return value
    if path in torch.CONSTRUCTORS and _are_sizes(ev, arguments) and node is not None:
        return operations.ask(ev, REGISTRY[torch.EMPTY], arguments, keywords, node)
    let_go(ev, arguments, keywords)
    if frameworks.owner_of(path) == "":
        let_set(ev, arguments, keywords)
    if not path.startswith(python.BUILTIN):  # `isinstance(layer, Block)` makes no instances
        pass_on(ev, arguments, keywords)
    if path.startswith(frameworks.OTHER_ARRAYS) and not path.startswith(scipy.NO_SPARSE):
        return OtherArray()
    name = path.rpartition(".")[2]
    if ev.trials.calls is not None and name not in guesses.MEASURES:
        return guesses.result_of(ev, node, name, arguments, keywords)
    return Anything()


def _constructor(ev: Evaluator, path: str, arguments: Sequence[Argument]) -> str:
    """The op that `torch.Tensor(..)` or `x.new(..)` is, of sizes or of data; itself if unclear.

    A `torch.Size` is sizes, any other tuple is data.
    """
    first = ev.resolve(arguments[0].value)
    from_sizes, from_data = torch.SIZED[path]
    if len(arguments) > 1 or (isinstance(first, Number) and first.kind == "int"):
        return from_sizes
    if isinstance(first, (Tensor, List)) or (isinstance(first, Tuple) and not first.of_shape):
        return from_data
    if isinstance(first, ShapeOf) and first.plain:
        return path
    of_torch = isinstance(first, ShapeOf) and _library_of(first.tensor) == torch.TENSOR
    if of_torch or (isinstance(first, (Tuple, ShapeOf)) and not ev.frame.source.file.has_arrays):
        return from_sizes  # the shape of an array would be data
    return path


def _ask(
    ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords, node: ir.Call
) -> Value:
    """The value of a function that the rulebook has; of `torch.Size(n)` sizes without an op."""
    if len(arguments) == 1 and parameters.asks_sizes(REGISTRY[path].op.rules):
        argument = ev.resolve(arguments[0].value)
        if isinstance(argument, (Anything, Tensor)):
            return ShapeOf(argument)
        if kind_of_number(argument):
            return Tuple((), of_shape=True)
    return operations.ask(ev, REGISTRY[path], arguments, keywords, node)


def _handed_on(
    ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value | None:
    """The value of a call that hands on its arguments, or wraps them; None of other functions."""
    if mathematics.is_function(path):
        return mathematics.call(ev, path, [ev.resolve(a.value) for a in arguments])
    if path in frameworks.TRANSFORMS:
        return transforms.transformed(ev, path, arguments, keywords)
    if path in frameworks.TRACKERS:
        return arguments[0].value if arguments else Anything()
    if path.startswith(torch.INITIALIZERS) and path.endswith("_"):
        filled = arguments[0] if arguments else keywords.get("tensor")
        return Anything() if filled is None else filled.value
    if path in torch.DRESSES or path in TRANSPARENT:
        wrapped = ev.resolve(arguments[0].value) if arguments else NONE
        if ev.reach.driven:
            held_tensors.note_dressed(ev, wrapped)
        return wrapped if isinstance(wrapped, CALLED) else Anything()
    if path in numpy.GENERATORS:
        return Library(numpy.GENERATORS[path])
    if path in torch.WRAPPERS:
        return following.wrapped(ev, path, arguments, keywords)
    if path in parsed_options.MADE and (ev.reach.driven or ev.units.imported):
        return parsed_options.make(ev, path, arguments, keywords)
    if path in click.RUNS and ev.reach.driven:
        return commands.run(ev, arguments)
    if marks_of_tests.is_made(path):
        return marks_of_tests.make(ev, path, arguments, keywords)
    if not arguments and path == python.ORDERED:
        return ev.call(Library(python.DICT), arguments, keywords, None)
    if not arguments:
        return None
    if path in python.OF_DATACLASSES and ev.reach.driven:
        return dataclass_fields.call(ev, path, [argument.value for argument in arguments])
    if path == python.REPLACE and ev.reach.driven:
        given = ev.resolve(arguments[0].value)
        if isinstance(given, Instance) and lineage.is_dataclass(given.cls):
            return own_objects.replaced(ev, given, keywords)
    if path == python.PARTIAL:
        return Partial(
            arguments[0].value,
            tuple(a.value for a in arguments[1:]),
            {name: a.value for name, a in keywords.items()},
        )
    if path in frameworks.PYTREES:
        made = ev.resolve(arguments[0].value)
        if isinstance(made, Class) and path not in made.decorators:
            made.decorators += (path,)  # `register_dataclass(State, ...)`, below the class
        return made
    if path in python.COPIES:
        original = ev.resolve(arguments[0].value)
        if isinstance(original, Anything) and original.config:
            return Anything()  # a config is copied in order to change it
        return own_objects.copied(ev, original, path == python.DEEP_COPY)
    if path in numpy.WITH_LIMITS:
        return DType()
    if path in python.LAST_ARGUMENT:
        return ev.resolve(arguments[-1].value)
    return None


def _are_sizes(ev: Evaluator, arguments: Sequence[Argument]) -> bool:
    """Whether the arguments of a tensor's constructor are its sizes, not its data."""
    values = [ev.resolve(argument.value) for argument in arguments]
    if len(values) == 1:
        return isinstance(values[0], Number)
    return bool(values) and all(
        isinstance(one, Number) or (isinstance(one, Anything) and one.sized) for one in values
    )


def call_method(
    ev: Evaluator,
    method: Method,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """The value of a method whose class is not in the project."""
    receiver = ev.resolve(method.receiver)
    name = method.name
    if isinstance(receiver, (Instance, Container, Layer)) and ev.reach.driven:
        if name == torch.HOOKS:
            return forward_hooks.register(ev, receiver, arguments, keywords)
    if isinstance(receiver, Tuple) and name == "remove" and forward_hooks.is_handle(receiver):
        return forward_hooks.remove(ev, receiver)
    if isinstance(receiver, (Tensor, Anything)):
        return call_tensor_method(ev, receiver, name, arguments, keywords, node)
    if isinstance(receiver, Class) and own_derivatives.is_applied(receiver, name):
        if ev.reach.driven:
            return own_derivatives.applied(ev, receiver, arguments, node)
        let_go(ev, arguments, keywords)
        return Anything()
    if isinstance(receiver, Super):
        return _method_of_super(ev, receiver, name, arguments, keywords, node)
    if isinstance(receiver, (Layer, Container)) and name in torch.CALLED and node is not None:
        return ev.call(receiver, arguments, keywords, node)
    if ev.units.trace is not None and name in torch.SELF and isinstance(receiver, _MODULES):
        note_change(ev, receiver, name, arguments, keywords)
    if isinstance(receiver, Layer):
        if name in torch.WALKS | torch.TENSORS_INSIDE:
            return _inside(ev, receiver, name, arguments, keywords) or Anything()
        return receiver if name in torch.SELF else Anything()
    if isinstance(receiver, Instance) and name in torch.REGISTERS:
        classes.register(ev, receiver, arguments, keywords)
        if name == torch.BUFFER and ev.reach.driven:
            held_tensors.note_buffer(ev, receiver, arguments, keywords)
        return NONE
    if isinstance(receiver, (Instance, Container)) and name == torch.LOADS:
        if torch.LOADS_NEW in keywords or len(arguments) > 2:
            let_load(ev, receiver)
    if isinstance(receiver, (Instance, Container)) and name in torch.SELF:
        if name == torch.APPLY and arguments:
            let_assign(ev, receiver, ev.resolve(arguments[0].value))
        set_mode(ev, receiver, name, arguments, keywords)
        return receiver
    if ev.reach.driven and isinstance(receiver, Instance) and name in python.ATTRIBUTE_METHODS:
        return _of_base(ev, receiver, name, arguments)
    inside = None
    if isinstance(receiver, (Instance, Container)):
        inside = _inside(ev, receiver, name, arguments, keywords)
    return inside or methods.call_method(ev, receiver, name, arguments, keywords)


def _method_of_super(
    ev: Evaluator,
    receiver: Super,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """The value of a method that a class of the project inherits from a library's."""
    if name == "__init__" and isinstance(receiver.receiver, Instance):
        classes.initialise_layer(ev, receiver.receiver, arguments, keywords)
        return NONE
    stored = ev.cells.get((receiver.receiver, lineage.LAYER))
    if name in torch.CALLED and isinstance(stored, (Layer, Container)) and node is not None:
        return ev.call(stored, arguments, keywords, node)
    if ev.reach.driven and isinstance(receiver.receiver, Instance):
        if name == torch.TRAIN:
            set_mode(ev, receiver.receiver, name, arguments, keywords)
        return _of_base(ev, receiver.receiver, name, arguments)
    return Anything()


def _inside(
    ev: Evaluator,
    module: Layer | Instance | Container,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
) -> Value | None:
    """The modules or the tensors inside a module, if a drive asks for them and they are known."""
    if not ev.reach.driven:
        return None
    if name in torch.WALKS:
        return walk_modules(ev, module, name)
    if name in torch.TENSORS_INSIDE and not arguments and not keywords:
        walked = walk_modules(ev, module, "named_modules")
        return held_tensors.tensors_inside(ev, walked, name)
    return None


def _of_base(ev: Evaluator, instance: Instance, name: str, arguments: Sequence[Argument]) -> Value:
    """The value of a method that a class inherits from outside the project, in a drive."""
    if name in torch.SELF and lineage.is_module(instance.cls):
        return instance
    table = ev.cells.get((instance, own_objects.TABLE))
    if table is not None:
        if name == "__getitem__" and len(arguments) == 1:
            return own_objects.entry(ev, table, arguments[0].value)
        return methods.call_method(ev, table, name, arguments, {})
    word = known(ev.resolve(arguments[0].value)) if arguments else None
    if word is not None and isinstance(word[0], str):
        if name == "__getattribute__" and len(arguments) == 1:
            return attributes.stored_in(ev, instance, word[0])
        if name == "__getattr__" and (instance, word[0]) in ev.cells:
            return classes.instance_attribute(ev, instance, word[0])
        if name == "__getattr__" and attributes.lacks(ev, instance, word[0]):
            ev.alive = False  # it raises
            return Anything()
        if name == "__setattr__" and len(arguments) == 2:
            assignment.store_in(ev, instance, word[0], arguments[1].value, None)
            return NONE
    return Anything()


def _says_tensor(
    ev: Evaluator, receiver: Anything, name: str, arguments: Sequence[Argument]
) -> bool:
    """Whether a method call says that its unknown receiver is a tensor: `x.view(b, -1)`.

    `model.norm(x)` does not, since it may call a layer of a model. Nor does `text.split(1)`, nor
    `point.dist(other)`, where both may be of any class.
    """
    if receiver.config or name in attributes.COMMON_METHODS or not arguments:
        return False
    plain = (Number, Constant, Tuple)
    values = [ev.resolve(argument.value) for argument in arguments]
    return isinstance(values[0], plain) or all(
        isinstance(value, plain)
        or (isinstance(value, Anything) and value.sized and not _takes_tensor(ev, name, index))
        for index, value in enumerate(values)
    )


def _takes_tensor(ev: Evaluator, name: str, index: int) -> bool:
    """Whether a tensor's method takes another tensor as this argument."""
    for library in (ev.tensor_class,) if ev.tensor_class else frameworks.TENSORS:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is not None:
            rules = spelling.op.rules
            names = parameters.parameter_names(spelling, rules[0])[1:]
            return parameters.takes(rules, parameters.name_at(names, index)).as_tensor
    return False


def call_tensor_method(
    ev: Evaluator,
    receiver: Value,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """The value of a method of a tensor, or of an unknown value with a method of this name."""
    value = _measured(ev, receiver, name, arguments, keywords, node)
    if value is not None:
        return value
    if name in torch.SIZED and isinstance(receiver, Tensor) and arguments and not keywords:
        name = _constructor(ev, name, arguments)
    if name == torch.FREEZES and ev.units.trace is not None:
        flag = given_as(arguments, keywords, 0, torch.REQUIRES_GRADIENT)
        call_notes.require(ev, ev.units.trace, [receiver], flag)
    kind = torch.CASTS.get(name)
    if kind is not None and isinstance(receiver, Tensor) and not arguments and not keywords:
        made = Tensor(
            receiver.shape,
            kind,
            receiver.library,
            receiver.claimed,
            geometry.copied(ev, receiver),
            receiver.turned,
            receiver.history,
        )
        made.dtype = torch.exact(name)
        return made
    if node is None:
        return Anything()
    libraries: tuple[str, ...] = frameworks.TENSORS
    if _library_of(receiver):
        libraries = (_library_of(receiver),)
    elif ev.tensor_class:
        libraries = (ev.tensor_class,)
    if isinstance(receiver, Anything) and receiver.scalar:
        return _method_of_scalar(ev, receiver, name, arguments, keywords, node)
    if isinstance(receiver, Anything) and not _says_tensor(ev, receiver, name, arguments):
        return _method_of_unknown(ev, receiver, name, arguments, keywords, node)
    if not _library_of(receiver) and sparse_matrices.are_used(ev):
        let_go(ev, arguments, keywords)
        return Anything()  # a sum of a sparse matrix keeps the dim
    if ev.mixed and len(libraries) > 1 and f"{numpy.TENSOR}.{name}" in REGISTRY:
        let_go(ev, arguments, keywords)
        return Anything()  # `x.repeat(3, 0)` means one thing for a tensor, another for an array
    value = _ask_method(ev, receiver, name, arguments, keywords, node, libraries)
    if isinstance(value, Tensor) and _is_guessed(ev, receiver):
        if value.shape == ():
            return Anything()  # a method of another class with this name need not give a number
        if type(value.shape) is not tuple:
            ev.ranks.guessed.add(value)
    if isinstance(value, Tensor) and type(value.shape) is tuple and len(libraries) == 1:
        if _is_open(receiver) and guesses.has_other_meaning(
            ev, name, arguments, keywords, libraries[0]
        ):
            ev.ranks.guessed.add(value)
    return value if kind is None else of_kind(value, kind)


def _is_guessed(ev: Evaluator, receiver: Value) -> bool:
    """Whether only the names of methods say that a value is a tensor, or of which library."""
    return isinstance(receiver, Anything) or receiver in ev.ranks.guessed


def _is_open(receiver: Value) -> bool:
    """Whether neither the library nor the rank of a value is known."""
    if not isinstance(receiver, Tensor):
        return True
    return not receiver.library and type(receiver.shape) is not tuple


def _library_of(value: Value) -> str:
    return value.library if isinstance(value, Tensor) else ""


def _measured(
    ev: Evaluator,
    receiver: Value,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value | None:
    """The sizes or the rank that `x.size()`, `x.size(1)` and `x.dim()` give; None of others."""
    alone = not arguments and not keywords
    if name in torch.RANKS and isinstance(receiver, Tensor) and alone:
        return elements.rank_of(ev, receiver)
    if name in torch.AS_NUMBERS and isinstance(receiver, Tensor) and alone and ev.reach.driven:
        return elements.numbers_in(ev, receiver, name)
    if name != torch.SIZE:
        return None
    if alone:
        return ShapeOf(receiver)
    index = known(ev.resolve(arguments[0].value)) if len(arguments) == 1 else None
    if index is not None and isinstance(index[0], int):
        if node is not None:
            elements.check_dim(ev, receiver, index[0], node, elements.owner_of_call(node))
        return elements.dim_size(ev, receiver, index[0])
    return None


def _method_of_scalar(
    ev: Evaluator,
    receiver: Anything,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call,
) -> Value:
    """The value of a method of what is a number by presumption: a number, if it keeps dims."""
    for library in frameworks.TENSORS:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is not None and presumptions.is_elementwise(spelling):
            return operations.ask(ev, spelling, (Argument(receiver), *arguments), keywords, node)
    let_go(ev, arguments, keywords)
    return Anything()


def _method_of_unknown(
    ev: Evaluator,
    receiver: Anything,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call,
) -> Value:
    """The value of a method that does not say that its unknown receiver is a tensor."""
    let_go(ev, arguments, keywords)
    let_set(ev, arguments, keywords)
    if sparse_matrices.gives_one(ev, name, keywords):
        return OtherArray()
    if ev.trials.calls is not None:
        return guesses.result_of(ev, node, name, arguments, keywords)
    if ev.ranks.hindsight is not None and isinstance(node.function, ir.Attribute):
        hindsight.miss(ev, {name: Argument(receiver, node.function.value)}, UNKNOWN)
    let_reshape(ev, receiver, name)
    return Anything()


def _ask_method(
    ev: Evaluator,
    receiver: Value,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call,
    libraries: tuple[str, ...],
) -> Value:
    """The value of the first of these classes' methods that the rulebook has."""
    origin = node.function.value if isinstance(node.function, ir.Attribute) else None
    for library in libraries:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is None or spelling.attribute:
            continue
        certain = isinstance(receiver, Tensor) and receiver not in ev.ranks.guessed
        if not isinstance(receiver, Tensor) and conversion.of_another_class(
            ev, spelling, arguments
        ):
            return Anything()
        if _is_guessed(ev, receiver) and not migration.is_tensor(
            ev, spelling, arguments, keywords, node
        ):
            return Anything()
        with ev.frame.quietly(not certain):
            return operations.ask(
                ev, spelling, (Argument(receiver, origin), *arguments), keywords, node
            )
    return Anything()
