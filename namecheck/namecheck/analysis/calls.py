"""Calls: of the file's own functions, of its classes and their instances, of layers, of ops.

A function of the file is evaluated at each call with the abstract arguments; what is wrong in it is
reported there, with the call as a note. How a class makes an instance stands in `classes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from namecheck import frameworks
from namecheck.analysis import builtin, classes, ir, members, memo, operations
from namecheck.analysis.evaluate import DEEPEST
from namecheck.analysis.evidence import declarations
from namecheck.analysis.operations import Argument
from namecheck.analysis.path import Frame, Outcome, Path, copy, join_all, join_paths
from namecheck.analysis.values import (
    NONE,
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Dict,
    Either,
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
    Tuple,
    Value,
    join,
    known,
    same,
    serials,
)
from namecheck.frameworks import torch
from namecheck_runtime import sizes
from namecheck_runtime.declare import LAYERS, REGISTRY

if TYPE_CHECKING:
    from namecheck.analysis.evaluate import Evaluator

Keywords = Mapping[str, Argument]

NOWHERE = ir.NoneLiteral(-1)
"""The place of a call that the source does not show: `map(self.norm, (q, k))`."""


def look_up(ev: Evaluator, name: str) -> Value:
    """What a name means here."""
    frame: Frame | None = ev.frame
    first = True
    while frame is not None:
        if first or not frame.class_body:
            found = frame.variables.get(name)
            if found is not None:
                return found
        frame = frame.parent
        first = False
    if name in builtin.NAMES:
        return Library(f"builtins.{name}")
    return Anything(name)


def evaluate_call(ev: Evaluator, node: ir.Call) -> Value:
    """The value of a call expression."""
    function = node.function
    receiver: Value | None = None
    if isinstance(function, ir.Attribute):
        receiver = ev.resolve(ev.value(function.value))
        if isinstance(receiver, Anything | Tensor):
            callee: Value = Method(receiver, function.name)
        else:
            callee = members.attribute(ev, receiver, function.name, function)
    else:
        callee = ev.resolve(ev.value(function))
    arguments: list[Argument] | None = []
    for positional in node.positional:
        if isinstance(positional, ir.Starred):
            contents = members.iterate(ev, ev.value(positional.value))
            if isinstance(contents, tuple) and arguments is not None:
                arguments.extend(Argument(value) for value in contents)
            else:
                arguments = None
        else:
            value = ev.value(positional)
            if arguments is not None:
                arguments.append(Argument(value, positional))
    keywords: dict[str, Argument] | None = {}
    for keyword in node.keywords:
        value = ev.value(keyword.value)
        if keyword.name is not None:
            if keywords is not None:
                keywords[keyword.name] = Argument(value, keyword.value)
            continue
        items = ev.cells.get(ev.resolve(value)) if isinstance(value, Dict) else None
        if isinstance(items, dict) and keywords is not None:
            keywords.update({str(key): Argument(item) for key, item in items.items()})
        else:
            keywords = None
    return call_value(ev, callee, arguments, keywords, node)


def call_value(
    ev: Evaluator,
    callee: Value,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling `callee`; arguments or keywords are None when they are not all known."""
    callee = ev.resolve(callee)
    if type(callee) is Library:
        return call_library(ev, callee.path, arguments, keywords, node)
    match callee:
        case Function():
            return call_function(ev, callee, arguments, keywords, node)
        case Bound():
            first = Argument(callee.receiver)
            whole = None if arguments is None else (first, *arguments)
            return call_function(ev, callee.function, whole, keywords, node, callee.receiver)
        case Class():
            if arguments is None:
                return Instance(callee)
            return classes.instantiate(ev, callee, arguments, keywords, node)
        case Either():
            return call_either(ev, callee, arguments, keywords, node)
        case Partial():
            if arguments is None or keywords is None:
                return Anything()
            return call_value(
                ev,
                callee.function,
                (*map(Argument, callee.arguments), *arguments),
                {**{k: Argument(v) for k, v in callee.keywords.items()}, **keywords},
                node,
            )
    if arguments is None or keywords is None:
        return _unknown_call(ev, callee)
    match callee:
        case Method():
            return call_method(ev, callee, arguments, keywords, node)
        case Instance():
            return call_instance(ev, callee, arguments, keywords, node)
        case Layer():
            if node is not None:
                return operations.ask_layer(ev, callee, arguments, keywords, node)
            ev.frame.quiet += 1
            found = operations.ask_layer(ev, callee, arguments, keywords, NOWHERE)
            ev.frame.quiet -= 1
            return found
        case Container():
            return call_container(ev, callee, arguments, node)
    _let_go(ev, arguments)
    return Anything()


def call_either(
    ev: Evaluator,
    callee: Either,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """What any of several alternatives gives; which one it is is not known, so none is wrong."""
    start = ev.fork()
    results: list[Value] = []
    ends: list[Path | None] = []
    ev.frame.quiet += 1
    for option in callee.options:
        ev.go(copy(start))
        result = call_value(ev, option, arguments, keywords, node)
        if ev.alive:
            results.append(ev.resolve(result))
        ends.append(ev.here())
    ev.frame.quiet -= 1
    ev.meet(ends)
    return join_all(results) if results else Anything()


def _unknown_call(ev: Evaluator, callee: Value) -> Value:
    if isinstance(callee, Method):
        mutate_unknown(ev, callee.receiver)
        if isinstance(ev.resolve(callee.receiver), Tensor):
            name = f"Tensor.{callee.name}"
            if name in REGISTRY and REGISTRY[name].op.rules[0].returns == "Shape":
                return Tensor(library="Tensor")
    if isinstance(callee, Layer):
        return Tensor(library="Tensor")
    return Anything()


def mutate_unknown(ev: Evaluator, receiver: Value) -> None:
    """A list or dict was changed in a way that we cannot follow."""
    receiver = ev.resolve(receiver)
    if isinstance(receiver, List | Dict | Container):
        ev.cells[receiver] = Repeated(Anything())


def _let_go(ev: Evaluator, arguments: Sequence[Argument]) -> None:
    """Lists and dicts were given to something that may change them."""
    for argument in arguments:
        value = ev.resolve(argument.value)
        if isinstance(value, List | Dict):
            ev.cells[value] = Repeated(Anything())


# The file's own functions


def call_function(
    ev: Evaluator,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Expression | None,
    receiver: Value | None = None,
) -> Value:
    """What a function of the file returns for these arguments."""
    depth = ev.frame.depth + 1
    if depth > DEEPEST or id(function.record) in ev.stack:
        return Anything()
    if isinstance(function.record, ir.FunctionDef) and function.record.is_async:
        return Anything()
    place = node.id if node is not None else -1
    keyed = memo.call_key(ev, function, arguments, keywords)
    if keyed is not None:
        remembered = ev.remembered.get(keyed[0])
        if remembered is not None:
            return recall(ev, remembered, keyed[1], arguments or (), place)
    frame = Frame(function.source, function.scope, function, depth)
    frame.quiet = ev.frame.quiet
    before = ev.facts.copy()
    first = sizes.symbol("").terms[0][0][0][0].serial
    given = [memo.settled(ev, a.value) for a in arguments] if arguments is not None else []
    outer = ev.cells.touched[0]
    ev.cells.touched[0] = born = next(serials)
    bound = bind_parameters(ev, frame, function, arguments, keywords)
    if not bound:
        ev.cells.touched[0] = min(outer, ev.cells.touched[0])
        return Anything()
    if receiver is None and function.owner is not None and arguments:
        receiver = arguments[0].value
    frame.receiver = receiver
    result = run_frame(ev, frame, function, node)
    pure = ev.cells.touched[0] >= born
    ev.cells.touched[0] = min(outer, ev.cells.touched[0])
    if keyed is not None and pure and not frame.generator and memo.tellable(ev, result):
        refined = []
        for index, old in enumerate(given):
            now = memo.settled(ev, (arguments or ())[index].value)
            if isinstance(now, Tensor) and not same(old, now):
                refined.append((index, now))
        ev.remembered[keyed[0]] = memo.Remembered(
            keyed[1],
            first,
            memo.settled(ev, result),
            ev.alive,
            tuple(refined),
            ev.facts.since(before),
            tuple(o for o in frame.certain() if o.level == "error"),
        )
    return result


def recall(
    ev: Evaluator,
    remembered: memo.Remembered,
    symbols: Sequence[sizes.Symbol],
    arguments: Sequence[Argument],
    place: int,
) -> Value:
    """What a call gave before, told in the sizes of this one."""
    telling = memo.Telling(ev, remembered, symbols, place)
    for index, known_now in remembered.refined:
        told = telling.value(known_now)
        if isinstance(told, Tensor):
            ev.refine(arguments[index].value, told)
    for left, right, fact in remembered.equations:
        ev.facts.settle(telling.size(left), telling.size(right), fact.place)
    result = telling.value(remembered.result)
    ev.alive = remembered.alive
    _blame_caller(ev, remembered.wrong, ev.frame, place)
    return result


def run_frame(ev: Evaluator, frame: Frame, function: Function, node: ir.Expression | None) -> Value:
    """Run a function's body in its frame, and stand behind the call afterwards."""
    from namecheck.analysis.statements import run

    caller = ev.frame
    presumed = ev.facts.copy()
    frame.line = function.line
    ev.frame = frame
    ev.stack.append(id(function.record))
    try:
        if isinstance(function.record, ir.Lambda):
            frame.line = caller.line
            value = ev.value(function.record.body)
            frame.returned.append((value, ev.fork()))
        else:
            run(ev, function.body)
            here = ev.here()
            if here is not None:
                frame.returned.append((NONE, here))
    finally:
        ev.stack.pop()
        ev.frame = caller
    ev.alive = True
    joined = None
    results = []
    for value, path in frame.returned:
        ev.cells = path.cells
        results.append(ev.resolve(value))
        joined = join_paths(joined, path._replace(variables={}))
    if joined is not None:
        ev.cells, ev.facts = joined.cells, joined.facts.presuming_as(presumed)
    else:
        ev.alive = frame.generator or bool(frame.quiet)
    _hand_on(ev, frame, caller, node)
    if frame.generator:
        return Anything()
    return join_all(results) if results else Anything()


def _hand_on(ev: Evaluator, frame: Frame, caller: Frame, node: ir.Expression | None) -> None:
    """What was certainly wrong in a callee is wrong at the call, as often as that is evaluated."""
    _blame_caller(ev, frame.certain(), caller, node.id if node is not None else -1)


def _blame_caller(ev: Evaluator, outcomes: Sequence[Outcome], caller: Frame, number: int) -> None:
    caller.seen[number] = caller.seen.get(number, 0) + 1
    for outcome in outcomes:
        note = ("called with these arguments", caller.source, caller.line)
        told = outcome if len(outcome.notes) > 6 else outcome._replace(notes=(*outcome.notes, note))
        caller.blame((number, outcome.node, outcome.mistake.code), number, told)


def bind_parameters(
    ev: Evaluator,
    frame: Frame,
    function: Function,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
) -> bool:
    """Give parameters their values; False when the call does not fit."""
    caller = ev.frame
    rest = list(arguments) if arguments is not None else None
    left = dict(keywords) if keywords is not None else None
    variables = frame.variables
    for parameter in function.parameters:
        name = parameter.name
        declared: declarations.Declared | None = None
        if parameter.annotation is not None:
            ev.frame = frame
            frame.quiet += 1
            declared = declarations.read(ev, parameter.annotation)
            frame.quiet -= 1
            ev.frame = caller
        match parameter.kind:
            case "variadic positional":
                variables[name] = (
                    Tuple([a.value for a in rest]) if rest is not None else Repeated(Anything())
                )
                rest = [] if rest is not None else None
                continue
            case "variadic keyword":
                made = Dict()
                ev.cells[made] = (
                    {key: a.value for key, a in left.items()}
                    if left is not None
                    else Repeated(Anything())
                )
                variables[name] = made
                left = {} if left is not None else None
                continue
            case "keyword-only":
                positional = False
            case _:
                positional = True
        given: Argument | None = None
        if positional and rest:
            given = rest.pop(0)
        elif left is not None and name in left and parameter.kind != "positional-only":
            given = left.pop(name)
        if given is not None:
            value = given.value
            if declared is not None:
                value = declarations.check_argument(
                    ev, caller, frame, declared, name, value, given.node
                )
            variables[name] = value
        elif rest is None or left is None:
            variables[name] = Anything(name)
        elif parameter.default is not None:
            variables[name] = default_value(ev, function, parameter.default)
        else:
            return False
    return not rest and not left


def default_value(ev: Evaluator, function: Function, default: ir.Expression) -> Value:
    """A parameter's default, evaluated where the function was defined."""
    caller = ev.frame
    if not isinstance(function.scope, Frame):
        return Anything()
    frame = Frame(function.source, function.scope, None, caller.depth)
    frame.quiet = 1
    ev.frame = frame
    try:
        return ev.resolve(ev.value(default))
    finally:
        ev.frame = caller


# Instances, containers, layers


def call_instance(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Keywords,
    node: ir.Call | None,
) -> Value:
    """Calling an instance: `__call__`, or `forward` of a module."""
    found = classes.look_up(instance.cls.lineage, "__call__")
    if not isinstance(found, Function):
        stored = ev.cells.get((instance, classes.LAYER))
        found = classes.look_up(instance.cls.lineage, "forward")
        if isinstance(stored, Layer) and not isinstance(found, Function) and node is not None:
            return operations.ask_layer(ev, stored, arguments, keywords, node)
        if not classes.is_module(instance.cls) and not isinstance(found, Function):
            return Anything()
    if not isinstance(found, Function):
        return Anything()
    whole = (Argument(instance), *arguments)
    return call_function(ev, found, whole, keywords, node, instance)


def call_container(
    ev: Evaluator, container: Container, arguments: Sequence[Argument], node: ir.Call | None
) -> Value:
    """Calling a row of layers: each takes what the one before gave."""
    contents = ev.cells.get(container)
    if container.kind != "sequential" or len(arguments) != 1:
        return Anything()
    value = arguments[0].value
    origin = arguments[0].node
    if isinstance(contents, Repeated):
        # How many there are is not known: what one of them keeps, all of them keep.
        once = call_value(ev, contents.element, [Argument(value, origin)], {}, node)
        return join(ev.resolve(value), ev.resolve(once))
    if isinstance(contents, dict):
        contents = tuple(contents.values())
    if not isinstance(contents, tuple):
        return Anything()
    for index, layer in enumerate(contents):
        value = call_member(ev, layer, Argument(value, origin if index == 0 else None), node, index)
    return value


def call_member(
    ev: Evaluator, layer: Value, argument: Argument, node: ir.Call | None, index: int
) -> Value:
    """One layer of a row: what is wrong in it is wrong at the call of the row, layer by layer."""
    if node is None:
        return Anything()
    step = node if index == 0 else _Step(node, index)
    return call_value(ev, layer, [argument], {}, step)  # type: ignore[arg-type]


class _Step:
    """The call of a row of layers, seen from one of them."""

    __slots__ = ("id", "real")

    def __init__(self, node: ir.Call, index: int) -> None:
        self.id = -(node.id * 1000 + index + 2)
        self.real = node.id


def build_layer(
    ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords
) -> Value:
    """A layer of a library; unknown when its constructor does not take the arguments."""
    layer = LAYERS[path]
    names = operations.positional_names(layer.constructor)

    def asked(name: str, argument: Argument, keyword: bool) -> Any:
        plain = operations.takes((layer.constructor,), name, keyword)
        value = operations.convert(ev, argument.value, plain)
        if plain.as_size:
            operations.positive(value)
        return value

    built = layer.build(
        [asked(operations.name_at(names, k), a, False) for k, a in enumerate(arguments)],
        {name: asked(name, argument, True) for name, argument in keywords.items()},
    )
    return Anything() if built is None else Layer(path, built)


# Libraries


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
    if path in torch.CONTAINERS:
        return _container(ev, torch.CONTAINERS[path], arguments)
    if arguments is None or keywords is None:
        spelling = REGISTRY.get(path)
        if spelling is not None and spelling.op.rules[0].returns == "Shape":
            return Tensor(library=frameworks.owner_of(path))
        return Anything()
    if path in LAYERS:
        return build_layer(ev, path, arguments, keywords)
    if path in REGISTRY and node is not None:
        return operations.ask(ev, REGISTRY[path], arguments, keywords, node)
    if path in torch.WRAPPERS:
        return ev.resolve(arguments[0].value) if arguments else Anything()
    if path == "functools.partial" and arguments:
        return Partial(
            arguments[0].value,
            tuple(a.value for a in arguments[1:]),
            {name: a.value for name, a in keywords.items()},
        )
    if path == "copy.deepcopy" and arguments:
        return ev.resolve(arguments[0].value)
    if path in ("collections.OrderedDict", "typing.cast") and arguments:
        return ev.resolve(arguments[-1].value)
    _let_go(ev, arguments)
    return Anything()


def _container(ev: Evaluator, kind: str, arguments: Sequence[Argument] | None) -> Value:
    made = Container(kind)
    contents: Any = ()
    if arguments is None:
        contents = Repeated(Anything())
    elif kind == "sequential" and not (
        len(arguments) == 1 and isinstance(ev.resolve(arguments[0].value), Dict | List)
    ):
        contents = tuple(argument.value for argument in arguments)
    elif arguments:
        value = ev.resolve(arguments[0].value)
        stored = ev.cells.get(value) if isinstance(value, Dict) else members.iterate(ev, value)
        contents = Repeated(Anything()) if stored is None else stored
        if kind == "sequential" and isinstance(value, List):
            contents = _pairs(ev, contents)
    if kind == "dict" and contents == ():
        contents = {}
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
    if isinstance(receiver, Tensor | Anything):
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
        return receiver if name in ("to", "cuda", "cpu", "eval", "train", "half") else Anything()
    return builtin.call_method(ev, receiver, name, arguments, keywords)


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
            return members.rank_of(ev, receiver)
    if name == "size":
        index = known(ev.resolve(arguments[0].value)) if len(arguments) == 1 else None
        if index is not None and isinstance(index[0], int):
            return members.dim_size(ev, receiver, index[0])
        if not arguments and not keywords:
            return ShapeOf(receiver)
    if kind is not None and isinstance(receiver, Tensor) and not arguments:
        return Tensor(receiver.shape, kind, receiver.library)
    if node is None:
        return Anything()
    libraries: tuple[str, ...] = ("Tensor", "ndarray")
    if isinstance(receiver, Tensor) and receiver.library:
        libraries = (receiver.library,)
    elif ev.tensor_class:
        libraries = (ev.tensor_class,)
    if isinstance(receiver, Anything) and not _says_tensor(ev, receiver, name, arguments):
        _let_go(ev, arguments)
        return Anything()
    origin = node.function.value if isinstance(node.function, ir.Attribute) else None
    for library in libraries:
        spelling = REGISTRY.get(f"{library}.{name}")
        if spelling is None or spelling.attribute:
            continue
        certain = isinstance(receiver, Tensor)
        if not certain and operations.of_another_class(ev, spelling, arguments):
            return Anything()
        ev.frame.quiet += not certain
        found = operations.ask(
            ev, spelling, (Argument(receiver, origin), *arguments), keywords, node
        )
        ev.frame.quiet -= not certain
        return found
    return Anything()
