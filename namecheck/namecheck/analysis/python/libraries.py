"""Calls of what lives outside the file: ops, layers, containers of layers, methods of tensors.

Which op a spelling means is looked up in the registry; what a library calls things stands in
`frameworks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from namecheck import frameworks
from namecheck.analysis.asking import elements, geometry, guesses, migration, operations, packed
from namecheck.analysis.asking.layers import build_layer
from namecheck.analysis.python import (
    builtin,
    classes,
    higher_order,
    loaders,
    mathematics,
    methods,
    transforms,
)
from namecheck.analysis.reading import ir
from namecheck.analysis.state import conversion, hindsight
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.values import (
    NONE,
    Anything,
    Bound,
    Constant,
    Container,
    Dict,
    Function,
    Instance,
    Layer,
    Library,
    List,
    Method,
    Number,
    Partial,
    Repeated,
    ShapeOf,
    Super,
    Tensor,
    Transformed,
    Tuple,
    Value,
    constant,
    kind_of_number,
    known,
)
from namecheck.frameworks import torch
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.lattice import UNKNOWN
from namecheck_runtime.layers import LAYERS
from namecheck_runtime.readers import parameters
from namecheck_runtime.readers.decorators import TRANSPARENT

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

_CALLS = {**loaders.CALLS, **packed.CALLS}
"""Functions and classes of libraries with an evaluation of their own, by path."""

CALLED = (Function, Bound, Partial, Instance, Layer, Container, Transformed, Library)
"""What computes with tensors when it is called."""

PROGRESS = frozenset(
    {
        "tqdm.tqdm",
        "tqdm.auto.tqdm",
        "tqdm.notebook.tqdm",
        "tqdm.tqdm_notebook",
        "rich.progress.track",
    }
)
"""Give what they are given, element by element, and show how far they are."""


def mutate_unknown(ev: Evaluator, receiver: Value) -> None:
    """A list or dict was changed in a way that we cannot follow."""
    receiver = ev.resolve(receiver)
    if isinstance(receiver, (List, Dict, Container)):
        ev.cells[receiver] = Repeated(Anything())


def let_go(ev: Evaluator, arguments: Sequence[Argument]) -> None:
    """Lists and dicts were given to something that may change them."""
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, (List, Dict)):
            ev.cells[value] = Repeated(Anything())


def call_library(
    ev: Evaluator,
    path: str,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """Calling something that lives outside the file."""
    if path.startswith("builtins."):
        return builtin.call(ev, path[9:], arguments, keywords, node)
    if path in frameworks.CONTAINERS:
        return _container(ev, frameworks.CONTAINERS[path], arguments)
    if arguments is None or keywords is None:
        spelling = REGISTRY.get(path)
        if spelling is not None and spelling.op.rules[0].returns == "Shape":
            return Tensor(library=frameworks.owner_of(path))
        return Anything()
    if path in torch.SIZED and arguments and not keywords:
        given = ev.resolve(arguments[0].value)
        # One argument may be data, several are sizes.
        sized, filled = torch.SIZED[path]
        if len(arguments) > 1 or (isinstance(given, Number) and given.kind == "int"):
            path = sized
        elif isinstance(given, (Tensor, List)) or (isinstance(given, Tuple) and not given.of_shape):
            path = filled
    if path in LAYERS:
        return build_layer(ev, path, arguments, keywords)
    if path in _CALLS:
        return _CALLS[path](ev, arguments, keywords)
    if path in higher_order.CALLS:
        return higher_order.CALLS[path](ev, arguments, keywords, node)
    if path in REGISTRY and node is not None:
        if len(arguments) == 1 and parameters.asks_sizes(REGISTRY[path].op.rules):
            asked = ev.resolve(arguments[0].value)
            if isinstance(asked, (Anything, Tensor)):
                return ShapeOf(asked)
            if kind_of_number(asked):
                return Tuple((), of_shape=True)
        return operations.ask(ev, REGISTRY[path], arguments, keywords, node)
    if path in PROGRESS:
        return arguments[0].value if arguments else Anything()
    if path in torch.DRESSES or path in TRANSPARENT:
        dressed = ev.resolve(arguments[0].value) if arguments else NONE
        return dressed if isinstance(dressed, CALLED) else Anything()
    if path in frameworks.TRANSFORMS:
        return transforms.transformed(ev, path, arguments, keywords)
    if path in torch.WRAPPERS:
        return constant(ev.resolve(arguments[0].value)) if arguments else Anything()
    if path == "functools.partial" and arguments:
        return Partial(
            arguments[0].value,
            tuple(a.value for a in arguments[1:]),
            {name: a.value for name, a in keywords.items()},
        )
    if mathematics.is_function(path):
        return mathematics.call(ev, path, [ev.resolve(a.value) for a in arguments])
    if path in ("copy.deepcopy", "copy.copy") and arguments:
        original = ev.resolve(arguments[0].value)
        # A config is copied in order to change it.
        return Anything() if isinstance(original, Anything) and original.config else original
    if path in ("collections.OrderedDict", "typing.cast") and arguments:
        return ev.resolve(arguments[-1].value)
    if path in torch.CONSTRUCTORS and _are_sizes(ev, arguments) and node is not None:
        return operations.ask(ev, REGISTRY["torch.empty"], arguments, keywords, node)
    let_go(ev, arguments)
    if ev.trials.calls is not None:
        return guesses.result_of(ev, node, path.rpartition(".")[2], arguments, keywords)
    return Anything()


def _are_sizes(ev: Evaluator, arguments: Sequence[Argument]) -> bool:
    """Whether a tensor's constructor is given its sizes, and not what is to be in it."""
    values = [ev.resolve(argument.value) for argument in arguments]
    if len(values) == 1:
        return isinstance(values[0], Number)
    return bool(values) and all(
        isinstance(value, Number) or (isinstance(value, Anything) and value.sized)
        for value in values
    )


def _container(ev: Evaluator, kind: str, arguments: Sequence[Argument] | None) -> Value:
    made = Container(kind)
    contents: Any = ()
    if arguments is None:
        contents = Repeated(Anything())
    elif kind == "sequential" and not (
        len(arguments) == 1 and isinstance(ev.resolve(arguments[0].value), (Dict, List))
    ):
        contents = tuple(argument.value for argument in arguments)
    elif arguments:
        value = ev.resolve(arguments[0].value)
        stored = ev.cells.get(value) if isinstance(value, Dict) else elements.iterate(ev, value)
        contents = Repeated(Anything()) if stored is None else stored
        if kind == "sequential" and isinstance(value, List):
            contents = _pairs(ev, contents)
    if kind == "dict" and contents == ():
        contents = {}
    if isinstance(contents, tuple):
        ev.fill(made, contents)
    else:
        ev.cells[made] = contents
    return made


def _pairs(ev: Evaluator, contents: Any) -> Any:
    """The layers of `OrderedDict([("name", layer), ...])`."""
    if isinstance(contents, tuple):
        pairs = [ev.resolve(value) for value in contents]
        if all(isinstance(pair, Tuple) and len(pair.elements) == 2 for pair in pairs):
            return tuple(pair.elements[1] for pair in pairs if isinstance(pair, Tuple))
    return contents


def call_method(
    ev: Evaluator,
    method: Method,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """A method of a value whose class is not in the file."""
    receiver = ev.resolve(method.receiver)
    name = method.name
    if isinstance(receiver, (Tensor, Anything)):
        return call_tensor_method(ev, receiver, name, arguments, keywords, node)
    if isinstance(receiver, Super):
        if name == "__init__" and isinstance(receiver.receiver, Instance):
            classes.initialise_layer(ev, receiver.receiver, arguments, keywords)
            return NONE
        stored = ev.cells.get((receiver.receiver, classes.LAYER))
        if name in ("forward", "__call__") and isinstance(stored, Layer) and node is not None:
            return operations.ask_layer(ev, stored, arguments, keywords, node)
        return Anything()
    if isinstance(receiver, Layer):
        if name in ("forward", "__call__") and node is not None:
            return operations.ask_layer(ev, receiver, arguments, keywords, node)
        return receiver if name in torch.SELF else Anything()
    if isinstance(receiver, Instance) and name in torch.REGISTERS:
        classes.register(ev, receiver, arguments, keywords)
        return NONE
    if isinstance(receiver, (Instance, Container)) and name in torch.SELF:
        return receiver
    return methods.call_method(ev, receiver, name, arguments, keywords)


def _says_tensor(
    ev: Evaluator, receiver: Anything, name: str, arguments: Sequence[Argument]
) -> bool:
    """Whether a method call tells that its unknown receiver is a tensor: `x.view(b, -1)`.

    `model.norm(x)` does not: what takes a tensor may be a layer of a model. Nor `text.split(1)`.
    """
    if receiver.config or name in builtin.COMMON_METHODS or not arguments:
        return False
    plain = (Number, Constant, Tuple)
    found = [ev.resolve(argument.value) for argument in arguments]
    return isinstance(found[0], plain) or all(
        isinstance(value, plain) or (isinstance(value, Anything) and value.sized) for value in found
    )


def call_tensor_method(
    ev: Evaluator,
    receiver: Value,
    name: str,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """A method of a tensor, or of something that is one if it has this method."""
    kind = torch.CASTS.get(name)
    if isinstance(receiver, Tensor) and not arguments and not keywords:
        if name == "size" and receiver.library != "ndarray":
            return ShapeOf(receiver)
        if name in ("dim", "ndimension"):
            return elements.rank_of(ev, receiver)
    if name == "size":
        index = known(ev.resolve(arguments[0].value)) if len(arguments) == 1 else None
        if index is not None and isinstance(index[0], int):
            if node is not None:
                elements.check_dim(ev, receiver, index[0], node, elements.owner_of_call(node))
            return elements.dim_size(ev, receiver, index[0])
        if not arguments and not keywords:
            return ShapeOf(receiver)
    if kind is not None and isinstance(receiver, Tensor) and not arguments:
        strides = geometry.copied(ev, receiver)
        return Tensor(
            receiver.shape,
            kind,
            receiver.library,
            receiver.claimed,
            strides,
            receiver.turned,
            receiver.history,
        )
    if node is None:
        return Anything()
    libraries: tuple[str, ...] = ("Tensor", "ndarray")
    if isinstance(receiver, Tensor) and receiver.library:
        libraries = (receiver.library,)
    elif ev.tensor_class:
        libraries = (ev.tensor_class,)
    if isinstance(receiver, Anything) and not _says_tensor(ev, receiver, name, arguments):
        let_go(ev, arguments)
        if ev.trials.calls is not None:
            return guesses.result_of(ev, node, name, arguments, keywords)
        if ev.ranks.hindsight is not None and isinstance(node.function, ir.Attribute):
            hindsight.miss(ev, {name: Argument(receiver, node.function.value)}, UNKNOWN)
        return Anything()
    origin = node.function.value if isinstance(node.function, ir.Attribute) else None
    if ev.mixed and len(libraries) > 1 and f"ndarray.{name}" in REGISTRY:
        let_go(ev, arguments)
        return Anything()  # `x.repeat(3, 0)` is one thing of a tensor, another of an array
    for library in libraries:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is None or spelling.attribute:
            continue
        certain = isinstance(receiver, Tensor)
        if not certain and (
            conversion.of_another_class(ev, spelling, arguments)
            or not migration.is_tensor(ev, spelling, arguments, keywords, node)
        ):
            return Anything()
        with ev.frame.quietly(not certain):
            return operations.ask(
                ev, spelling, (Argument(receiver, origin), *arguments), keywords, node
            )
    return Anything()
