"""Calls: the callee and its arguments, and the calls of instances and of containers of layers.

`functions` runs the project's functions, `classes` makes instances of its classes, and `libraries`
calls everything else.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from namecheck import frameworks
from namecheck.analysis.asking import elements, guesses, operations, sparse_matrices
from namecheck.analysis.measuring import call_notes
from namecheck.analysis.objects import (
    context_managers,
    ends_of_tests,
    files_read,
    forward_hooks,
    own_objects,
    shared_names,
)
from namecheck.analysis.objects.given_away import forget_one_of, let_go, mutate_unknown
from namecheck.analysis.python import alternatives, attributes, builtin, classes, transforms
from namecheck.analysis.python.changed_modules import begin_call, let_set
from namecheck.analysis.python.functions import call_function
from namecheck.analysis.python.imports import from_stars
from namecheck.analysis.python.libraries import (
    call_library,
    call_method,
    let_reshape,
    pass_on,
)
from namecheck.analysis.python.steps import STEPS, call_step
from namecheck.analysis.reading import ir
from namecheck.analysis.state import lineage
from namecheck.analysis.state.argument import Argument, Keywords
from namecheck.analysis.state.conversion import sizes_given
from namecheck.analysis.state.frames import Frame
from namecheck.analysis.state.joining import copy, join_all
from namecheck.analysis.state.paths import Path
from namecheck.analysis.state.unknown_ranks import Called, is_open
from namecheck.analysis.state.values import (
    Anything,
    Bound,
    Class,
    Constant,
    Container,
    Deferred,
    Dict,
    Either,
    Entries,
    Function,
    Instance,
    Layer,
    Library,
    Method,
    OtherArray,
    Partial,
    Repeated,
    Tensor,
    Transformed,
    Value,
    join,
)
from namecheck.analysis.state.values.module_calls import CallTrace
from namecheck.analysis.usage.roles import forces_configured
from namecheck.frameworks import python, torch
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.mistakes.sizes import LayerSize

if TYPE_CHECKING:
    from namecheck.analysis.state.evaluate import Evaluator

NOWHERE: Final = ir.NoneLiteral(-1)
"""The place of a call that the source does not show."""


def look_up(ev: Evaluator, name: str) -> Value:
    """The value of a name in this frame."""
    frame: Frame | None = ev.frame
    outermost = ev.frame
    first = True
    while frame is not None:
        if first or not frame.class_body:
            value = frame.variables.get(name)
            if value is not None and frame.shared:
                value = shared_names.find(ev, frame, name, value)
            if value is not None:
                value = value.give(ev) if isinstance(value, Deferred) else value
                if ev.units.uses is not None and frame.parent is None:
                    ev.units.uses.note_name(value)
                return value
        outermost, frame = frame, frame.parent
        first = False
    if name in builtin.NAMES:
        if name == "Ellipsis":
            return Constant(...)
        return Library(f"{python.BUILTIN}{name}")
    if name == files_read.THIS_FILE and (ev.reach.driven or ev.units.imported):
        return files_read.this_file(ev)
    value = from_stars(ev, outermost, name) if outermost.stars else None
    return Anything(name) if value is None else value


def _called(ev: Evaluator, function: ir.Expression) -> tuple[Value | None, Value]:
    """The receiver of a method, and what is called."""
    if not isinstance(function, ir.Attribute):
        return None, ev.resolve(ev.value(function))
    receiver = ev.resolve(ev.value(function.value))
    if not isinstance(receiver, (Anything, Tensor)):
        return receiver, attributes.attribute(ev, receiver, function.name, function)
    if function.name in python.CHANGING_METHODS:
        forget_one_of(ev, receiver)
    return receiver, Method(receiver, function.name)


def evaluate_call(ev: Evaluator, node: ir.Call) -> Value:
    """The value of a call expression."""
    function = node.function
    receiver, callee = _called(ev, function)
    arguments: list[Argument] | None = []
    spelled: list[Argument] = []
    for positional in node.positional:
        if isinstance(positional, ir.Starred):
            contents = elements.iterate(ev, ev.value(positional.value))
            if isinstance(contents, tuple) and arguments is not None:
                arguments.extend(Argument(value) for value in contents)
            else:
                arguments = None
        else:
            spelled.append(Argument(ev.value(positional), positional))
            if arguments is not None:
                arguments.append(spelled[-1])
    keywords: dict[str, Argument] | None = {}
    named: dict[str, Argument] = {}
    partly: list[Entries] = []
    for keyword in node.keywords:
        value = ev.value(keyword.value)
        if keyword.name is not None:
            named[keyword.name] = argument = Argument(value, keyword.value)
            if keywords is not None:
                keywords[keyword.name] = argument
            continue
        if isinstance(value, Instance) and own_objects.is_dict_with_attributes(value):
            value = own_objects.dict_of(ev, value)
        items = ev.cells.get(ev.resolve(value)) if isinstance(value, Dict) else None
        if isinstance(items, Entries):
            partly.append(items)
        elif isinstance(items, dict) and keywords is not None:
            keywords.update({str(key): Argument(item) for key, item in items.items()})
        else:
            keywords = None
    for items in partly:
        if keywords is not None:
            keywords = _with_entries(ev, callee, arguments, keywords, items)
    if keywords is None and ev.trials.calls is not None and guesses.ignores_rest(callee):
        keywords = named
    if ev.reach.driven and (arguments is None or keywords is None):
        let_go(ev, spelled, named)  # the others are not known
    counted = ev.frame.count(node.id)
    value = call_value(ev, callee, arguments, keywords, node)
    ev.frame.look_once(node.id, counted)
    if receiver is not None:
        ends_of_tests.let_end(ev, receiver, function, callee, arguments)
    if isinstance(value, Instance) and value.pending is not None and ev.trials.calls is not None:
        return classes.made_of_default(ev, value, function)
    return value


def _with_entries(
    ev: Evaluator,
    callee: Value,
    arguments: Sequence[Argument] | None,
    keywords: Mapping[str, Argument],
    items: Entries,
) -> dict[str, Argument] | None:
    """Keywords with those of a dict of which some entries are known; None if any may be given.

    A parameter that the dict may or may not give gets an unknown value.
    """
    function: Value | None = callee
    if isinstance(callee, Class):
        function = lineage.look_up(callee.lineage, "__init__")
    bound = 1 if isinstance(callee, (Class, Bound)) else 0
    if isinstance(function, Bound):
        function = function.function
    given = {**keywords, **{str(key): Argument(item) for key, item in items.certain.items()}}
    if not isinstance(function, Function):
        return None
    if isinstance(callee, Class) and items.before and arguments is not None:
        before = {str(key): Argument(item) for key, item in items.before.items()}
        sizes = sizes_given(ev, function, arguments, {**before, **given})
        ev.independence.likely.setdefault(function, []).append(sizes)
    count = bound + (len(arguments) if arguments is not None else 0)
    for parameter in function.parameters[count:]:
        name = parameter.name
        if parameter.kind == "variadic keyword":
            return None
        if not parameter.kind.startswith("variadic") and name not in given:
            if items.possible is None or name in items.possible:
                given[name] = Argument(Anything(name))
    names = {parameter.name for parameter in function.parameters}
    # An entry that no parameter takes is one of another branch.
    return {name: argument for name, argument in given.items() if name in names}


_HARMLESS: Final = sys.stdlib_module_names.union(frameworks.LIBRARIES)
"""Libraries that give no tensor they get other dims, but for ops that the rulebook has."""


def lend(ev: Evaluator, call: ir.Call) -> None:
    """Note the tensors that a call gives to unknown code for its effect: nothing reads a result.

    The code may give them another number of dims, as `workspace.FeedBlob("x", x)` lets later
    operators do.
    """
    given = [*call.positional, *[keyword.value for keyword in call.keywords]]
    values = [ev.resolve(ev.value(one)) for one in given if isinstance(one, ir.Name)]
    tensors = [value for value in values if isinstance(value, Tensor)]
    if tensors and _may_reshape(ev, call.function):
        ev.frame.lent.update(tensors)


def _may_reshape(ev: Evaluator, callee: ir.Expression) -> bool:
    """Whether a callee is a function of a library without tensors, or may call one."""
    match callee:
        case ir.Name() | ir.Attribute(ir.Name()):
            value = ev.resolve(ev.value(callee))
        case _:
            root = callee
            while isinstance(root, ir.Attribute):
                root = root.value
            value = ev.resolve(ev.value(root)) if isinstance(root, ir.Name) else Anything()
    if isinstance(value, Bound):
        value = value.function
    if isinstance(value, Function):
        return id(value.record) in ev.memory.handing
    return isinstance(value, Library) and value.path.partition(".")[0] not in _HARMLESS


def call_value(
    ev: Evaluator,
    callee: Value,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling `callee`; arguments or keywords are None if they are not all known."""
    callee = attributes.undecorated(ev, ev.resolve(callee))
    if isinstance(callee, (Instance, Container, Layer)) and ev.reach.driven:
        if ev.units.trace is not None:
            return _call_traced(ev, ev.units.trace, callee, arguments, keywords, node)
        return _call_hooked(ev, callee, arguments, keywords, node)
    return _call_callee(ev, callee, arguments, keywords, node)


def _call_hooked(
    ev: Evaluator,
    callee: Instance | Container | Layer,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling a module behind its hooks, if it has any."""
    if (callee, forward_hooks.HOOKS) not in ev.cells:
        return _call_callee(ev, callee, arguments, keywords, node)
    result = ev.resolve(_call_callee(ev, callee, arguments, keywords, node))
    return forward_hooks.called(ev, callee, arguments or (), result) if ev.alive else result


def _call_traced(
    ev: Evaluator,
    trace: CallTrace,
    callee: Instance | Container | Layer,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling a module, noted for a summary."""
    outer = call_notes.begin(ev, trace, callee, arguments, keywords)
    if outer is None:
        return _call_hooked(ev, callee, arguments, keywords, node)
    result: Value | None = None
    try:
        result = _call_hooked(ev, callee, arguments, keywords, node)
    finally:
        call_notes.end(ev, trace, outer, result if ev.alive else None)
    return result


def _call_callee(
    ev: Evaluator,
    callee: Value,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    if type(callee) is Library:
        return call_library(ev, callee.path, arguments, keywords, node)
    if isinstance(callee, Function):
        return call_function(ev, callee, arguments, keywords, node)
    if isinstance(callee, Bound):
        return _call_bound(ev, callee, arguments, keywords, node)
    if isinstance(callee, Class):
        if arguments is None:
            return Instance(callee)
        return classes.instantiate(ev, callee, arguments, keywords, node)
    if isinstance(callee, Either):
        return call_either(ev, callee, arguments, keywords, node)
    if isinstance(callee, Partial):
        if arguments is None or keywords is None:
            return Anything()
        return call_value(
            ev,
            callee.function,
            (*map(Argument, callee.arguments), *arguments),
            {**{k: Argument(v) for k, v in callee.keywords.items()}, **keywords},
            node,
        )
    if isinstance(callee, Transformed):
        if context_managers.is_one(callee):
            return context_managers.called(callee, arguments, keywords)
        return transforms.call(ev, callee, arguments, keywords, node)
    if arguments is None or keywords is None:
        if arguments is not None and isinstance(callee, Instance):
            return call_instance(ev, callee, arguments, keywords, node)
        let_go(ev, arguments or (), keywords)
        let_set(ev, arguments or (), keywords)
        return _unknown_call(ev, callee)
    if isinstance(callee, Method):
        return call_method(ev, callee, arguments, keywords, node)
    if isinstance(callee, Instance):
        return call_instance(ev, callee, arguments, keywords, node)
    if isinstance(callee, Layer):
        if node is not None:
            return operations.ask_layer(ev, callee, arguments, keywords, node)
        with ev.frame.quietly():
            return operations.ask_layer(ev, callee, arguments, keywords, NOWHERE)
    if isinstance(callee, Container):
        return call_container(ev, callee, arguments, node)
    let_go(ev, arguments, keywords)
    let_set(ev, arguments, keywords)
    pass_on(ev, arguments, keywords)
    if isinstance(callee, OtherArray):
        return callee
    result = _unknown_result(ev, node, arguments, keywords)
    if isinstance(callee, Anything) and callee.callees:
        _note_options(ev, result, (*callee.callees, Anything()), arguments, keywords, ())
    return result


def _call_bound(
    ev: Evaluator,
    callee: Bound,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling a method of the project on its receiver."""
    receiver = callee.receiver
    if isinstance(receiver, Instance) and receiver.several:
        begin_call(ev, receiver)
    with_receiver = None if arguments is None else (Argument(receiver), *arguments)
    return call_function(ev, callee.function, with_receiver, keywords, node, receiver)


def call_either(
    ev: Evaluator,
    callee: Either,
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling any of several alternatives.

    Which one is called is not known, so an alternative is wrong only if its layers do not fit each
    other, or if its layer fits for no sizes.
    """
    start = ev.fork()
    results: list[Value] = []
    ends: list[Path | None] = []
    options = alternatives.possible(ev, callee)
    for number, option in enumerate(options):
        if alternatives.may_be_chosen(ev, callee):
            break
        if isinstance(option, Container) and isinstance(node, ir.Call):
            ev.go(copy(start))
            _check_row(ev, option, node, number)
        elif isinstance(option, Layer) and isinstance(node, ir.Call) and arguments and not keywords:
            ev.go(copy(start))
            _check_option(ev, option, arguments[0], node, number)
    in_turn = ev.reach.driven and not ev.frame.quiet

    def call_one(option: Value) -> None:
        result = call_value(ev, option, arguments, keywords, node)
        if ev.alive:
            results.append(ev.resolve(result))

    arms = []
    for option in options:
        if isinstance(option, Constant):
            continue  # None is not called: the program calls one of the others
        ev.go(copy(start))
        if in_turn:
            arms.append(alternatives.run_option(ev, partial(call_one, option)))
        else:
            with ev.frame.quietly():
                call_one(option)
        ends.append(ev.here())
    alternatives.tell_arms(ev, arms)
    ev.meet(ends)
    result = join_all(results) if results else Anything()
    if len(results) > 1:
        _note_options(ev, result, options, arguments, keywords, results)
    return result


def _note_options(
    ev: Evaluator,
    result: Value,
    options: Sequence[Value],
    arguments: Sequence[Argument] | None,
    keywords: Keywords | None,
    results: Sequence[Value],
) -> None:
    """Note which options gave a result of unknown rank: a comment may be about some of them."""
    if not is_open(result) or any(result is one for one in results):
        return
    operand: Value | None = None
    if arguments is not None and len(arguments) == 1 and keywords is not None and not keywords:
        operand = arguments[0].value
    called = tuple([one for one in options if not isinstance(one, Constant)])
    ev.ranks.called[result] = Called(called, operand, tuple(results))


def _check_row(ev: Evaluator, row: Container, node: ir.Call, number: int) -> None:
    """Blame layers of a row that do not fit each other, whatever the input.

    Kept are mistakes that are certain, and those where only independent sizes would have to agree.
    """
    contents = ev.cells.get(row)
    if isinstance(contents, dict):
        contents = tuple(contents.values())
    if row.kind != "sequential" or not isinstance(contents, tuple) or len(contents) > STEPS - 2:
        return
    frame = ev.frame
    before = dict(frame.wrong)
    value: Value = Anything()
    with frame.branch(configured=True):
        for index, layer in enumerate(contents):
            value = call_member(ev, layer, Argument(value), node, STEPS * (number + 1) + index)
    for key in frame.wrong.keys() - before.keys():
        outcome = frame.wrong[key][2]
        sure = outcome.level == "error" or outcome.requires is not None
        if not sure and not forces_configured(outcome.mistake):
            del frame.wrong[key]


def _check_option(
    ev: Evaluator, layer: Layer, argument: Argument, node: ir.Call, number: int
) -> None:
    """Blame a layer that may be called if it takes the argument for no sizes at all."""
    frame = ev.frame
    before = dict(frame.wrong)
    with frame.branch(configured=True):
        call_member(ev, layer, argument, node, STEPS * (number + 1))
    for key in frame.wrong.keys() - before.keys():
        outcome = frame.wrong[key][2]
        if outcome.level != "error" or not isinstance(outcome.mistake, LayerSize):
            del frame.wrong[key]


def _unknown_call(ev: Evaluator, callee: Value) -> Value:
    """The value of a call whose arguments are not all known."""
    if isinstance(callee, Method):
        mutate_unknown(ev, callee.receiver)
        let_reshape(ev, ev.resolve(callee.receiver), callee.name)
        if isinstance(ev.resolve(callee.receiver), Tensor):
            name = f"{torch.TENSOR}.{callee.name}"
            if name in REGISTRY and REGISTRY[name].op.rules[0].returns == "Shape":
                return Tensor(library=torch.TENSOR)
    if isinstance(callee, Layer):
        return Tensor(library=torch.TENSOR)
    return Anything()


# Instances, containers, layers


def call_instance(
    ev: Evaluator,
    instance: Instance,
    arguments: Sequence[Argument],
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling an instance: of `__call__`, or of a module's `forward`."""
    classes.look_into(ev, instance)
    begin_call(ev, instance)
    method = _special(ev, instance, "__call__")
    if not isinstance(method, Function):
        stored = ev.cells.get((instance, lineage.LAYER))
        method = _special(ev, instance, torch.FORWARD)
        if not isinstance(method, Function) and node is not None and keywords is not None:
            if isinstance(stored, Layer):
                return operations.ask_layer(ev, stored, arguments, keywords, node)
            if isinstance(stored, Container):
                return call_container(ev, stored, arguments, node)
        if not lineage.is_module(instance.cls) and not isinstance(method, Function):
            return Anything()
    if not isinstance(method, Function):
        return Anything()
    with_receiver = (Argument(instance), *arguments)
    if instance.replaceable and arguments:
        return _call_replaceable(ev, method, with_receiver, keywords, node)
    return call_function(ev, method, with_receiver, keywords, node, instance)


def _special(ev: Evaluator, instance: Instance, name: str) -> Value | None:
    """A method that calling an instance runs, behind its decorators."""
    held = lineage.look_up(instance.cls.lineage, name)
    return None if held is None else attributes.undecorated(ev, held)


def _call_replaceable(
    ev: Evaluator,
    method: Function,
    arguments: Sequence[Argument],
    keywords: Keywords | None,
    node: ir.Call | None,
) -> Value:
    """The value of calling a layer of a parameter's default class, for `show`.

    The author means that the default works, so what is wrong with it is wrong. But its rank is not
    that of every operand: the class in its place may take another one.
    """
    receiver, *rest = arguments
    operand = ev.resolve(rest[0].value)
    start = ev.fork()
    value = call_function(ev, method, arguments, keywords, node, receiver.value)
    now = ev.resolve(operand)
    if is_open(operand) and isinstance(now, Tensor) and isinstance(now.shape, tuple) and ev.alive:
        ev.go(start)
        return _unknown_result(ev, node, rest, keywords)
    return value


def _unknown_result(
    ev: Evaluator,
    node: ir.Call | None,
    arguments: Sequence[Argument],
    keywords: Keywords | None,
) -> Value:
    """The result of something unknown: for `show` the likely one."""
    if keywords is not None and sparse_matrices.gives_one(ev, "", keywords):
        return OtherArray()
    if ev.trials.calls is not None and keywords is not None:
        return guesses.result_of(ev, node, "", arguments, keywords)
    return Anything()


def call_container(
    ev: Evaluator, container: Container, arguments: Sequence[Argument], node: ir.Call | None
) -> Value:
    """The value of calling a row of layers: each takes the result of the one before."""
    contents = ev.cells.get(container)
    if container.kind != "sequential" or len(arguments) != 1:
        return Anything()
    value = arguments[0].value
    origin = arguments[0].node
    if isinstance(contents, Repeated):
        # Their number is not known: what one layer keeps, all of them keep.
        once = call_value(ev, contents.element, [Argument(value, origin)], {}, node)
        return join(ev.resolve(value), ev.resolve(once))
    if isinstance(contents, dict):
        contents = tuple(contents.values())
    if not isinstance(contents, tuple):
        return Anything()
    for index, layer in enumerate(contents):
        ev.spend(1)
        value = call_member(ev, layer, Argument(value, origin if index == 0 else None), node, index)
    return value


def call_member(
    ev: Evaluator, layer: Value, argument: Argument, node: ir.Call | None, index: int
) -> Value:
    """The value of calling one layer of a row; its mistakes are at the call of the row."""
    if node is None:
        return Anything()
    layer = ev.resolve(layer)
    ev.in_row = index > 0 and isinstance(layer, Layer)
    try:
        return call_step(ev, layer, [argument], node, index)
    finally:
        ev.in_row = False
