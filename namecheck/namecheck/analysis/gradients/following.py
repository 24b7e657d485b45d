"""What ops make of the gradients of their operands: who requires one, and what the graph keeps.

What an op keeps for the way back is read from the table of derivatives, from which the runtime
computes (`namecheck_runtime/autograd/table.py`). Where the checker is not sure of a tensor, its
gradient is unknown, and nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from namecheck.analysis.gradients import checks
from namecheck.analysis.measuring import call_notes
from namecheck.analysis.reading import ir
from namecheck.analysis.state.argument import given_as
from namecheck.analysis.state.conversion import laid
from namecheck.analysis.state.values import (
    CONSTANT,
    PARAMETER,
    TRUE,
    Anything,
    Constant,
    Gradient,
    GraphNode,
    List,
    Memory,
    Saved,
    Tensor,
    Tuple,
    Value,
    Write,
)
from namecheck.analysis.state.values.grad_modes import Mode
from namecheck.frameworks import torch
from namecheck_runtime import declare
from namecheck_runtime.autograd.table import Entry, entries
from namecheck_runtime.readers.layouts import shows_operand
from namecheck_runtime.readers.parameters import name_at, parameter_names
from namecheck_runtime.strides import ROW_MAJOR

if TYPE_CHECKING:
    from namecheck.analysis.state.argument import Argument, Keywords
    from namecheck.analysis.state.evaluate import Evaluator

Asked = tuple[Sequence[Any], Mapping[str, Any], Any]
"""The arguments of a call as its rule takes them, and what it has answered."""

Operands = list[tuple[str, Tensor]]
"""The tensors among the arguments of a call, each with the name of its parameter."""

NOTHING: Final = Gradient()
"""The gradient of a tensor of which nothing is known."""


def follow(
    ev: Evaluator,
    spelling: declare.Spelling,
    given: Sequence[Argument],
    by_name: Mapping[str, Argument],
    asked: Asked,
    value: Value,
    node: ir.Node,
) -> None:
    """Note what the op of a call makes of gradients, in the value that was just made of it.

    `given` are the positional arguments, `by_name` all. Reports NC503 and NC504.
    """
    op = spelling.op
    if not ev.gradients.following.graphs and not _is_traced(ev, by_name):
        return
    if op.effect == "differentiates":
        checks.check_backward(ev, spelling, by_name, node)
        return
    operands = _operands(ev, spelling, given, by_name)
    if "out" in by_name or any(name == "" for name, _ in operands):
        return
    entry = entries().get(op.name)
    if spelling.inplace:
        if isinstance(value, Tensor) and operands:
            value.gradient = _written(ev, spelling, entry, by_name, given, operands, node)
        return
    results = [value] if isinstance(value, Tensor) else _tensors(value)
    results = [one for one in results if one.library == torch.TENSOR]
    if not results:
        return
    if not operands:
        for one in results:
            one.gradient = _made(ev, by_name)
            if one.gradient.leaf is not None and one.kind in _WITHOUT_GRADIENT:
                one.kind = "float"  # the numbers in the call were sizes
        return
    flag = by_name.get("inplace")
    if flag is not None and not _is_false(ev, flag):
        written = _written(ev, spelling, entry, by_name, given, operands, node)
        results[0].gradient = written._replace(memory=None, leaf=None)
        return
    first = operands[0][1]
    arguments, keywords, result = asked
    shows = shows_operand(spelling, arguments, keywords, laid(ev, first), result)
    if _is_itself(op, first, by_name):
        results[0].gradient = first.gradient
        return
    for one in results:
        gradient = _computed(ev, spelling, entry, operands, one, shows)
        followed = ev.gradients.following.graphs or gradient.leaf is not None
        one.gradient = gradient if followed else None


def _is_traced(ev: Evaluator, by_name: Mapping[str, Argument]) -> bool:
    """Whether something is known about the gradient of an argument."""
    for argument in by_name.values():
        value = ev.resolve(argument.value)
        if type(value) is Tensor and value.gradient is not None:
            return True
    return False


_WITHOUT_GRADIENT: Final = ("int", "bool")
"""The kinds of dtype that no gradient has."""


def _made(ev: Evaluator, by_name: Mapping[str, Argument]) -> Gradient:
    """The gradient of a new tensor: a leaf, if the call says that it requires one."""
    memory = Memory()
    flag = by_name.get(torch.REQUIRES_GRADIENT)
    if flag is None or _is_false(ev, flag):
        return Gradient(memory)
    return leaf_of(ev, memory) if ev.resolve(flag.value) is TRUE else NOTHING


def wrapped(ev: Evaluator, path: str, arguments: Sequence[Argument], keywords: Keywords) -> Value:
    """A parameter or a buffer of a model: a parameter requires a gradient."""
    given = arguments[0] if arguments else keywords.get(torch.DATA)
    value = Anything() if given is None else ev.resolve(given.value)
    if isinstance(value, Tensor):
        value = value.remember(PARAMETER if path in torch.PARAMETER else CONSTANT, value.shape)
        value.gradient = None
        flagged = len(arguments) > 1 or torch.REQUIRES_GRADIENT in keywords
        if path in torch.PARAMETER and not flagged:
            # Models that are built alike share one object here: each has memory of its own.
            value.gradient = leaf_of(ev, None)
        elif flagged and ev.units.trace is not None:
            flag = given_as(arguments, keywords, 1, torch.REQUIRES_GRADIENT)
            call_notes.require(ev, ev.units.trace, [value], flag)
    return value


def leaf_of(ev: Evaluator, memory: Memory | None) -> Gradient:
    """The gradient of a leaf that requires one, and that is made here."""
    ev.gradients.is_needed = True
    node = GraphNode("", ev.frame.source, ev.frame.line, ev.frame)
    return Gradient(memory, node, node)


def of_layer(ev: Evaluator, tensor: Tensor) -> None:
    """Let a parameter of a library's layer require a gradient, where gradients are recorded."""
    following = ev.gradients.following
    if following.graphs and following.mode is Mode.ON:
        node = GraphNode("", ev.frame.source, 0, None)
        tensor.gradient = Gradient(None, node, node)


def _computed(
    ev: Evaluator,
    spelling: declare.Spelling,
    entry: Entry | None,
    operands: Operands,
    result: Tensor,
    shows: bool,
) -> Gradient:
    """The gradient of a result that is not written in place; `shows`: it is a view."""
    op = spelling.op
    first = operands[0][1].gradient or NOTHING
    kind = "" if entry is None else entry.kind
    memory: Memory | None = Memory()
    if shows or kind == "detached":
        memory = first.memory
    elif op.effect == "keeps":
        memory = None  # it may be the operand itself: `x.to(device)`
    following = ev.gradients.following
    records = following.mode is Mode.ON or following.mode is Mode.CALLERS
    if not following.graphs:
        is_view = shows and records and entry is not None and not entry.several
        return Gradient(None, None, first.leaf if is_view else None, is_view)
    if not records or entry is None or kind in ("detached", "constant"):
        return Gradient(memory)
    if result.kind in _WITHOUT_GRADIENT and (op.effect == "keeps" or op.kind in _WITHOUT_GRADIENT):
        return Gradient(memory)
    node = _node(ev, spelling, entry, operands, memory)
    is_view = shows and first.leaf is not None and not entry.several
    return Gradient(memory, node, first.leaf if is_view else None, is_view)


def _node(
    ev: Evaluator,
    spelling: declare.Spelling,
    entry: Entry,
    operands: Operands,
    memory: Memory | None,
    written: str = "",
) -> GraphNode | None:
    """The node of an op; None if no operand is known to require a gradient.

    `memory` is that of the result, `written` the operand that it is written to: PyTorch keeps a
    copy of that.
    """
    before: list[GraphNode] = []
    names: dict[str, None] = {}
    for name, operand in operands:
        gradient = operand.gradient
        if gradient is None or gradient.node is None:
            continue
        step = entry.steps.get(name)
        if step is not None:
            names.update(dict.fromkeys(step.saves))
        elif entry.kind == "derivative":
            continue
        before.append(gradient.node)
    if not before:
        return None
    saved: list[Saved] = []
    for name, operand in operands:
        gradient = operand.gradient
        if name in names and name != written and gradient is not None:
            if gradient.memory is not None:
                saved.append(_saved(ev, name, gradient.memory))
    if "result" in names and memory is not None:
        saved.append(_saved(ev, "result", memory))
    frame = ev.frame
    return GraphNode(spelling.path, frame.source, frame.line, frame, tuple(saved), tuple(before))


def _saved(ev: Evaluator, name: str, memory: Memory) -> Saved:
    return Saved(name, memory, len(ev.cells.get(memory, ())))


def _written(
    ev: Evaluator,
    spelling: declare.Spelling,
    entry: Entry | None,
    by_name: Mapping[str, Argument],
    given: Sequence[Argument],
    operands: Operands,
    node: ir.Node,
) -> Gradient:
    """The gradient of a tensor that was written in place, which is the first operand."""
    name, target = operands[0]
    gradient = target.gradient or NOTHING
    if not given or target is not ev.resolve(given[0].value):
        return NOTHING
    if torch.REQUIRES_GRADIENT in spelling.op.parameters:
        return _required(ev, by_name, gradient)
    kind = "" if entry is None else entry.kind
    if kind == "unchanged" or kind == "fixed":
        return NOTHING
    if kind == "constant":
        return Gradient(gradient.memory)
    op = _shown(spelling)
    checks.check_leaf(ev, op, target, gradient, by_name, node)
    write(ev, gradient, op)
    following = ev.gradients.following
    if not following.graphs or entry is None or gradient.leaf is not None:
        return gradient
    if following.mode is Mode.OFF or following.mode is Mode.UNKNOWN:
        return gradient
    if gradient is NOTHING:
        return NOTHING
    after = _node(ev, spelling, entry, operands, gradient.memory, name)
    return gradient if after is None else gradient._replace(node=after)


def _shown(spelling: declare.Spelling) -> str:
    """How people write an in-place op: `x += 1` is `add_`."""
    if not spelling.inplace or spelling.path.startswith(torch.TENSOR):
        return spelling.path
    return spelling.op.name.rstrip("_") + "_"


def write(ev: Evaluator, gradient: Gradient, op: str) -> None:
    """Note a write to the memory of a tensor."""
    memory = gradient.memory
    if memory is not None:
        before = ev.cells.get(memory, ())
        ev.cells[memory] = (*before, Write(op, ev.frame.source, ev.frame.line))


def write_part(
    ev: Evaluator,
    spelling: declare.Spelling,
    by_name: Mapping[str, Argument],
    node: ir.Node,
) -> None:
    """Note the write of `x[index] = value`, as `follow` does of other writes.

    `by_name` are the tensor and the value.
    """
    operands = _operands(ev, spelling, (), by_name)
    if operands and operands[0][1].gradient is not None:
        target = operands[0][1]
        entry = entries().get(spelling.op.name)
        given = tuple(by_name.values())
        after = _written(ev, spelling, entry, by_name, given, operands, node)
        if after is not target.gradient:
            ev.refine(target, target.with_gradient(after))


def _required(ev: Evaluator, by_name: Mapping[str, Argument], gradient: Gradient) -> Gradient:
    """The gradient behind `x.requires_grad_(flag)`."""
    flag = by_name.get(torch.REQUIRES_GRADIENT)
    if flag is None or ev.resolve(flag.value) is TRUE:
        return _requiring(ev, gradient)
    return gradient._replace(node=None, leaf=None)


def _requiring(ev: Evaluator, gradient: Gradient) -> Gradient:
    """The gradient of a tensor that requires one from here on."""
    if gradient.node is not None:
        return gradient
    if gradient.memory is None:  # the result of an op may require one already, and is no leaf then
        return NOTHING
    return leaf_of(ev, gradient.memory)


def require(ev: Evaluator, owner: Tensor, value: Value) -> None:
    """Follow `x.requires_grad = value`."""
    gradient = owner.gradient or NOTHING
    if ev.resolve(value) is TRUE:
        after = _requiring(ev, gradient)
    else:
        after = gradient._replace(node=None, leaf=None)
    if after is not gradient:
        ev.refine(owner, owner.with_gradient(after))


def _is_itself(op: declare.Op, first: Tensor, by_name: Mapping[str, Argument]) -> bool:
    """Whether a result is the operand itself: a tensor in the order that is asked for."""
    is_ordering = op.effect == "keeps" and op.memory is declare.Memory.NEW
    return is_ordering and len(by_name) == 1 and first.strides is ROW_MAJOR


def _is_false(ev: Evaluator, argument: Argument) -> bool:
    value = ev.resolve(argument.value)
    return isinstance(value, Constant) and value.value is False


def _operands(
    ev: Evaluator,
    spelling: declare.Spelling,
    given: Sequence[Argument],
    by_name: Mapping[str, Argument],
) -> Operands:
    """The tensors among the arguments; the name of one is "" if its parameter is not known.

    An op with several signatures may have others than the first one for later arguments.
    """
    operands: Operands = []
    rule = spelling.op.rules[0]
    names = parameter_names(spelling, rule)
    variadic = bool(rule.parameters) and rule.parameters[-1].kind == "variadic"
    for index, argument in enumerate(given):
        known = variadic or index < len(names)
        _add(ev, operands, name_at(names, index) if known else "", argument.value)
    positional = {name_at(names, index) for index in range(len(given))}
    for name, argument in by_name.items():
        if name not in positional and "[" not in name:
            _add(ev, operands, name, argument.value)
    return operands


def _add(ev: Evaluator, operands: Operands, name: str, value: Value) -> None:
    """Add a tensor to operands, or those in a sequence."""
    value = ev.resolve(value)
    if isinstance(value, Tensor):
        operands.append((name, value))
    elif isinstance(value, (Tuple, List)):
        contents = value.elements if isinstance(value, Tuple) else ev.cells.get(value)
        for one in contents if isinstance(contents, tuple) else ():
            inside = ev.resolve(one)
            if isinstance(inside, Tensor):
                operands.append((name, inside))


def _tensors(value: Value) -> list[Tensor]:
    """The tensors in a result of several."""
    inside: Iterable[Value] = value.elements if isinstance(value, Tuple) else ()
    return [one for one in inside if isinstance(one, Tensor)]


__all__ = ["follow", "leaf_of", "of_layer", "require", "write_part"]
