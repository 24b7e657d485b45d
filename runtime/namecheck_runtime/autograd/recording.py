"""Calls of ops on tensors in graphs: the op is called without the graph, then a node is made.

The op sees the same memory in tensors that are plain (`graph.bare`), so plans and kernels know
nothing of gradients.  Without a wanted gradient only views are noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.graph import (
    AsStrided,
    OpNode,
    Saved,
    SavedSeveral,
    Task,
    attach,
    edge_of,
    form_of,
    history_of,
    named,
    node_of,
    require_rebasable,
    requires_grad,
    save,
)
from namecheck_runtime.autograd.plain_operands import Barer, write_back
from namecheck_runtime.autograd.rebasing import rebase
from namecheck_runtime.autograd.recipes import Recipe, Unrecorded, recipe_of
from namecheck_runtime.autograd.table import Entry, entries, parameters_of
from namecheck_runtime.declare import OPS, Op
from namecheck_runtime.tensors.calls.call import Call
from namecheck_runtime.tensors.calls.operands import is_dims, names_of, tensors_in
from namecheck_runtime.tensors.computing.destinations import set_item
from namecheck_runtime.tensors.computing.named_results import type_of
from namecheck_runtime.tensors.kernels import kernel_of
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.history import MODE, Creation, Edge, Node, View
from namecheck_runtime.tensors.values.name_tuples import unnamed

if TYPE_CHECKING:
    from typing import Protocol

    from namecheck_runtime.autograd.recipes import Plan as Repeatable

    class Plan(Repeatable, Protocol):
        """What is known about a call before it runs, see `call_plans.Plan`."""

        answered: bool

        def filled(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Call: ...

    class Plans(Protocol):
        """The plans for calls of a spelling, see `dispatch.Plans`."""

        def plan(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Plan: ...
        def call(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> Any: ...


def in_graph(arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a tensor of a call is in a graph."""
    for value in (*arguments, *keywords.values()):
        if isinstance(value, Tensor):
            if history_of(value) is not None:
                return True
        elif isinstance(value, (tuple, list)):
            if any(history_of(tensor) is not None for tensor in tensors_in(value)):
                return True
    return False


def record(
    op_name: str, plans: Plans, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[Any, Recipe | Unrecorded | None]:
    """Call an op on tensors of which some are in a graph.

    Returns the result, and the recipe for calls like this one if there is one.  Raises what the op
    raises, RuntimeError for a write that would break the graph, and NotImplementedError for an op
    without a derivative if a gradient is wanted.
    """
    entry = entries().get(op_name)
    barer = Barer()
    plain_arguments, plain_keywords = barer.of_call(arguments, keywords)
    plan = plans.plan(plain_arguments, plain_keywords)
    if plan.answered:
        return plan.run(plain_arguments, plain_keywords, None), None
    called = plan.filled(plain_arguments, plain_keywords)
    out = keywords.get("out")
    if out is not None:
        return _write_out(plan, called, barer, keywords, plain_keywords), None
    if plan.inplace:
        result, node = _write(entry, plan, called, barer)
        if not MODE.grad:
            return result, _unrecorded(plan, called, arguments)
        usual = partial(_usually, op_name, plans)
        return result, _recipe_of_write(node, plan, called, barer, arguments, usual)
    wanted = MODE.grad and any(map(requires_grad, barer.originals.values()))
    if wanted and entry is not None and entry.kind == "composite":
        return _compose(entry, called, barer), None
    if plan.shows:
        barer.share()
    result = plan.run(plain_arguments, plain_keywords, called)
    recipe: Recipe | Unrecorded | None = None
    several = isinstance(result, tuple)
    results = list(result) if several else [result]
    new = [place for place, part in enumerate(results) if id(part) not in barer.originals]
    if entry is None or entry.kind not in ("constant", "detached"):
        fitting = [p for p in new if _has_gradient(results[p])]
        if wanted and fitting:
            _attach(entry, called, barer, results, fitting)
            if len(new) == len(results) and not MODE.inference and _has_arrays(results):
                recipe = _recipe_of(entry, plan, called, barer, results, fitting, len(arguments))
            _let_repeat(results[fitting[0]], plans, plain_arguments, plain_keywords, barer)
        if plan.shows:
            _note_views(entry, barer, [results[p] for p in new])
        elif not wanted and not several and isinstance(result, Tensor):
            recipe = _unrecorded(plan, called, arguments)
    for place, part in enumerate(results):
        results[place] = barer.originals.get(id(part), part)
        if MODE.inference and place in new and isinstance(part, Tensor):
            part._history().inference = True
    return (type(result)(results) if several else results[0]), recipe


def _unrecorded(plan: Plan, called: Call, arguments: Sequence[Any]) -> Unrecorded | None:
    """What repeats a call that records nothing; None if there is more to do."""
    first = arguments[0] if arguments else None
    if MODE.inference or plan.template is None or not isinstance(first, Tensor):
        return None
    return None if called.options.get("requires_grad") else Unrecorded(plan)


def _usually(
    op_name: str, plans: Plans, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    return record(op_name, plans, arguments, keywords)[0]


def _recipe_of_write(
    node: OpNode | None,
    plan: Plan,
    called: Call,
    barer: Barer,
    arguments: Sequence[Any],
    usual: Callable[[Sequence[Any], Mapping[str, Any]], Any],
) -> Recipe | None:
    """The recipe of a call in place; None if it has none."""
    target = barer.originals.get(id(called.operands[0]))
    if node is None or target is None or arguments[0] is not target or called.op.reshapes:
        return None
    return _recipe(None, node, plan, called, barer, (0,), len(arguments), usual)


def _recipe_of(
    entry: Entry | None,
    plan: Plan,
    called: Call,
    barer: Barer,
    results: Sequence[Any],
    places: Sequence[int],
    count: int,
) -> Recipe | None:
    """The recipe of a call that has made a node; None if it has none."""
    node = node_of(results[places[0]])
    if not isinstance(node, OpNode):
        return None
    return _recipe(entry, node, plan, called, barer, places, count)


def _recipe(
    entry: Entry | None,
    node: OpNode,
    plan: Plan,
    called: Call,
    barer: Barer,
    places: Sequence[int],
    count: int,
    usual: Callable[[Sequence[Any], Mapping[str, Any]], Any] | None = None,
) -> Recipe | None:
    wants: dict[str, list[int]] = {}
    for name in node.operands:
        value = called.values[name]
        if isinstance(value, Tensor):
            wants[name] = [-1]
        else:
            tensors = [barer.originals.get(id(t), t) for t in value]
            wants[name] = [k for k, t in enumerate(tensors) if requires_grad(t)]
    several = entry is not None and entry.several
    return recipe_of(plan, called, node, places, count, wants, several, usual)


def _has_arrays(results: Sequence[Any]) -> bool:
    """Whether all results are on the CPU, as those of a recipe are."""
    return all(
        part._rest is None or part._rest.geometry is None
        for part in results
        if isinstance(part, Tensor)
    )


def _has_gradient(result: Any) -> bool:
    return isinstance(result, Tensor) and result.dtype.kind in ("float", "complex")


def _attach(
    entry: Entry | None,
    called: Call,
    barer: Barer,
    results: Sequence[Any],
    places: Sequence[int],
) -> None:
    """Make the node of a call, and let the results lead to it."""
    if entry is not None and entry.kind == "strided":
        (operand,) = barer.originals.values()
        for place in places:
            _lead_along_strides(entry, operand, results[place])
        return
    node = make_node(entry, called, barer, results)
    for place in places:
        attach(results[place], Edge(node, place))


def _lead_along_strides(entry: Entry, operand: Tensor, view: Tensor) -> None:
    """Make the node of a view of which only its strides are known."""
    assert isinstance(entry.name, str)
    base, shown = operand._geometry(), view._geometry()
    node = AsStrided(edge_of(operand), base, shown, form_of(view), entry.name)
    attach(view, Edge(node, 0))


def _let_repeat(
    result: Tensor,
    plans: Plans,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    barer: Barer,
) -> None:
    """Give a derivative that needs it the function that calls the op on another tensor."""
    node = node_of(result)
    if not isinstance(node, OpNode) or "again" not in node.saved:
        return
    (stands_for,) = barer.originals
    places = [None if id(a) == stands_for else a for a in arguments]
    words = {word: None if id(a) == stands_for else a for word, a in keywords.items()}

    def again(tensor: Tensor) -> Any:
        filled = [tensor if argument is None else argument for argument in places]
        named_ = {word: tensor if a is None else a for word, a in words.items()}
        return plans.call(filled, named_)

    node.saved["again"] = again


def make_node(
    entry: Entry | None,
    called: Call,
    barer: Barer,
    results: Sequence[Any],
    copies: Mapping[str, Tensor] | None = None,
    target: Tensor | None = None,
) -> OpNode:
    """The node of a call.

    `copies` stand for operands that the op writes to.  Raises NotImplementedError for an operand
    without a derivative.
    """
    edges: list[Edge | None] = []
    tasks: list[Task] = []
    parameters: list[str] = []
    values = called.values
    place_of_target = -1
    for name, value in values.items():
        tensors = [value] if isinstance(value, Tensor) else list(tensors_in(value))
        originals = [barer.originals.get(id(tensor), tensor) for tensor in tensors]
        if not any(map(requires_grad, originals)):
            continue
        if entry is not None and name in entry.forms:
            continue
        step = None if entry is None else entry.steps.get(name)
        if step is None:
            raise NotImplementedError(refusal(called.op.name, name))
        places = []
        for tensor in originals:
            edge = edge_of(tensor)
            places.append(-1 if edge is None else len(edges))
            if edge is not None:
                if tensor is target and place_of_target < 0:
                    place_of_target = len(edges)
                edges.append(edge)
        forms = [form_of(tensor) for tensor in originals]
        parameters.append(name)
        tasks.append(Task(step, places, forms, not isinstance(value, Tensor)))
    assert entry is not None
    text = entry.name if isinstance(entry.name, str) else entry.name(**values)
    node = OpNode(text, tuple(edges), tasks)
    node.target = place_of_target
    node.operands = parameters
    node.forms = tuple([form_of(r) if isinstance(r, Tensor) else None for r in results])
    operands = {p.name for p in called.rule.parameters if "Operand" in p.takes}
    for task in tasks:
        for need in task.step.needs:
            if need not in node.saved and need not in _OF_RUN:
                kept = node.saved[need] = _kept(need, called, barer, results, copies or {})
                is_saved = kept.__class__ in (Saved, SavedSeveral)
                node.keeps = node.keeps or is_saved or (need in operands and kept is not None)
    return node


_OF_RUN = frozenset({"grad", "grads", "form"})


def _kept(
    need: str, called: Call, barer: Barer, results: Sequence[Any], copies: Mapping[str, Tensor]
) -> Any:
    """What a derivative needs, as a node keeps it."""
    if need == "result":
        return Saved(results[0], 0)
    if need == "results":
        # Results that are positions or counts have no gradient, and so do not lead to the node.
        kept = [
            Saved(r, k if _has_gradient(r) else -1) if isinstance(r, Tensor) else r
            for k, r in enumerate(results)
        ]
        return SavedSeveral(kept)
    if need == "result_form":
        return form_of(results[0])
    if need.endswith("_form"):
        value = called.values[need.removesuffix("_form")]
        return form_of(value) if isinstance(value, Tensor) else None
    if need in copies:
        return Saved(copies[need])
    return save(_argument(called, need), barer.originals)


def _argument(called: Call, name: str) -> Any:
    """An argument of a call; if the caller left it out, what the kernel takes for it."""
    value = called.values[name] if name in called.values else called.options.get(name)
    if value is None or (value.__class__ is tuple and not value):
        return _defaults(called.op).get(name, value)
    return value


@cache
def _defaults(op: Op) -> Mapping[str, Any]:
    """The defaults that the kernel of an op has, other than None."""
    kernel = kernel_of(op)
    if kernel is None:
        return {}
    try:
        parameters = signature(kernel.function).parameters.values()
    except ValueError:  # not all NumPy's functions have a signature
        return {}
    return {p.name: p.default for p in parameters if p.default not in (None, p.empty)}


def refusal(op: str, operand: str) -> str:
    """What to say of an op that has no derivative."""
    return (
        f"{op} has no derivative with respect to '{operand}': call it on x.detach(), or within "
        "no_grad(), if its result needs no gradient"
    )


def _compose(entry: Entry, called: Call, barer: Barer) -> Any:
    """The result of an op that is computed by others, with the names that its rule answers."""
    function = entry.function
    assert function is not None
    originals = barer.originals

    def unnamed_of(value: Any) -> Any:
        if isinstance(value, Tensor):
            tensor = originals.get(id(value), value)
            return named(tensor, unnamed(tensor.ndim))
        kind = value.__class__
        return kind(map(unnamed_of, value)) if kind is tuple or kind is list else value

    result = function(*[unnamed_of(_argument(called, n)) for n in parameters_of(function)])
    result = _with_names(result, called.dims)
    if entry.name:
        name = entry.name if isinstance(entry.name, str) else entry.name(**called.values)
        _name_nodes(result, name, originals.values())
    if called.op.fields and isinstance(result, tuple):
        return type_of(called.op.name, called.op.fields)(result)
    return result


def _name_nodes(result: Any, name: str, operands: Iterable[Tensor]) -> None:
    """Name the nodes of the results of an op, other than those that lead to its operands."""
    before = {node_of(tensor) for tensor in operands}
    for part in result if isinstance(result, (tuple, list)) else (result,):
        node = node_of(part) if isinstance(part, Tensor) else None
        if isinstance(node, OpNode) and node not in before:
            node.rename(name)


def _with_names(result: Any, dims: Any) -> Any:
    if isinstance(result, Tensor):
        return named(result, names_of(dims)) if is_dims(dims) else result
    if isinstance(result, (tuple, list)) and isinstance(dims, tuple):
        return type(result)(map(_with_names, result, dims))
    return result


def _note_views(entry: Entry | None, barer: Barer, results: Sequence[Any]) -> None:
    """Let results that show the memory of an operand know that one."""
    by_storage = {
        id(tensor._storage): tensor
        for tensor in barer.originals.values()
        if tensor._storage is not None
    }
    for part in results:
        if not isinstance(part, Tensor):
            continue
        operand = by_storage.get(id(part._storage))
        if operand is None:
            continue
        history = history_of(operand)
        assert history is not None
        base, before = operand, Creation.DEFAULT
        if history.view is not None:
            base, before = history.view.base, history.view.creation
        if base is operand and not requires_grad(base):
            continue
        creation = Creation.SEVERAL if entry is not None and entry.several else before
        if not MODE.grad:
            creation = Creation.INFERENCE if MODE.inference else Creation.NO_GRAD
        version = 0 if part._storage is None else part._storage.version
        part._history().view = View(base, creation, version)


# -- writing ---------------------------------------------------------------------------------------


def _write_out(
    plan: Plan,
    called: Call,
    barer: Barer,
    keywords: Mapping[str, Any],
    plain_keywords: Mapping[str, Any],
) -> Any:
    if MODE.grad and any(map(requires_grad, barer.originals.values())):
        raise RuntimeError(
            f"{called.op.name.rpartition('.')[2]}(): functions with out=... arguments don't "
            "support automatic differentiation, but one of the arguments requires grad."
        )
    barer.share()
    plan.run((), plain_keywords, called)
    for alias in barer.originals:
        write_back(barer.originals[alias], barer)
    return keywords["out"]


def require_writable(target: Tensor, through_view: bool = False) -> None:
    """Raise RuntimeError for a tensor that must not be written to while ops are recorded.

    That is a leaf that requires a gradient, or a view of one.
    """
    history = history_of(target)
    if history is not None and history.view is not None:
        require_rebasable(history)
        through_view = through_view or node_of(history.view.base) is None
        is_leaf = through_view and node_of(history.view.base) is None
    else:
        is_leaf = node_of(target) is None
    if is_leaf and requires_grad(target):
        view = "a view of " * through_view
        raise RuntimeError(
            f"{view}a leaf Variable that requires grad is being used in an in-place operation."
        )


def _write(
    entry: Entry | None, plan: Plan, called: Call, barer: Barer
) -> tuple[Any, OpNode | None]:
    """Call an op in place; the node that it has made, if no view is written to."""
    alias = called.operands[0]
    target = barer.originals.get(id(alias), alias)
    kind = "" if entry is None else entry.kind
    if kind == "fixed" and requires_grad(target):
        raise RuntimeError("cannot resize variables that require grad")
    wanted = (
        MODE.grad
        and kind not in ("unchanged", "fixed", "constant")
        and any(map(requires_grad, (target, *barer.originals.values())))
    )
    node = shaped = None
    target._own()
    barer.share()
    if wanted:
        require_writable(target, entry is not None and entry.through_view)
        wanted = target.dtype.kind in ("float", "complex")
        if wanted and kind == "composite":
            assert entry is not None
            call("Tensor.copy_", target, _compose(entry, called, barer))
            return target, None
    if wanted and not called.op.reshapes:
        # Whether there is a derivative has to be known before anything is written.
        copies = _copied_before(entry, called, barer, alias, target)
        node = make_node(entry, called, barer, (alias,), copies, target)
    elif wanted and target._history().view is None:
        shaped = _node_of_dims(entry, called, barer, alias, target)
    plan.run((), {}, called)
    write_back(target, barer)
    if node is not None:
        node.forms = (form_of(target),)
        rebase(target, node)
        if "result" in node.saved:  # there is one only now
            node.saved["result"] = Saved(target, 0)
        if target._history().view is None:
            return target, node
    elif wanted:
        _lead_to_view(shaped, target)
    return target, None


_SET_ITEM: Final = "operator.setitem"


def record_assignment(target: Tensor, key: Any, value: Any) -> None:
    """`x[key] = value` if one of the tensors is in a graph.  Raises what `set_item` raises."""
    barer = Barer()
    alias, written = barer.of(target), barer.of(value)
    target._own()
    barer.share()
    wanted = MODE.grad and any(map(requires_grad, barer.originals.values()))
    node = None
    if wanted:
        entries_of_key = key if isinstance(key, tuple) else (key,)
        picks = any(isinstance(entry, (Tensor, list, np.ndarray)) for entry in entries_of_key)
        require_writable(target, through_view=not picks)
        if target.dtype.kind in ("float", "complex"):
            values = {"input": alias, "index": key, "value": written}
            called = Call(OPS[_SET_ITEM], OPS[_SET_ITEM].rules[0], values, {}, None, (), ())
            node = make_node(entries()[_SET_ITEM], called, barer, (alias,), None, target)
    set_item(alias, key, written)
    if node is not None:
        rebase(target, node)


def _node_of_dims(
    entry: Entry | None, called: Call, barer: Barer, alias: Tensor, target: Tensor
) -> Callable[[], Node]:
    """How to make the node of an op that is about to change the dims of a tensor in place.

    The node has the dims of before, and learns those of after when it is made.
    """
    if entry is not None and entry.kind == "strided":
        edge, base, name = edge_of(target), target._geometry(), str(entry.name)
        return lambda: AsStrided(edge, base, target._geometry(), form_of(target), name)
    node = make_node(entry, called, barer, (alias,), None, target)

    def finished() -> Node:
        node.forms = (form_of(target),)
        return node

    return finished


def _lead_to_view(node: Callable[[], Node] | None, target: Tensor) -> None:
    """Attach the node of an op that has changed the dims of a tensor, and no element.

    That of a view is made anew, from its strides.
    """
    if node is not None:
        attach(target, Edge(node(), 0))
        return
    target._history().view.version = -1  # type: ignore[union-attr]
    node_of(target)


def _copied_before(
    entry: Entry | None, called: Call, barer: Barer, alias: Tensor, target: Tensor
) -> dict[str, Tensor]:
    """Copies of what an op in place writes to, where a derivative needs it as it was."""
    copies: dict[str, Tensor] = {}
    if entry is None:
        return copies
    for name, step in entry.steps.items():
        value = called.values.get(name)
        if not isinstance(value, Tensor):
            continue
        if not requires_grad(barer.originals.get(id(value), value)):
            continue
        for need in step.needs:
            if called.values.get(need) is alias and need not in copies:
                copies[need] = named(target, unnamed(target.ndim)).clone()
    return copies
