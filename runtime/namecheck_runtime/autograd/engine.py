"""Running a graph backwards: from the gradients of some tensors to those of others.

Nodes run in the order of their numbers, the last first: a node runs after all that use its results,
with the sum of their gradients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import Any
from weakref import ref

from namecheck_runtime.autograd import routes
from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.graph import (
    add_grad,
    bare,
    edge_of,
    form_of,
    history_of,
    named,
    ones,
    requires_grad,
    sum_of,
)
from namecheck_runtime.errors import error_of
from namecheck_runtime.lattice import Dim
from namecheck_runtime.mistakes.gradients import NonscalarBackward
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.history import MODE, Edge, Node
from namecheck_runtime.tensors.values.name_tuples import unnamed


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add to the `grad` of all leaves the sum of the gradients of tensors.

    `grad_tensors` are the gradients that they begin with, 1 for a tensor of one element if left
    out.  With `inputs` only theirs are added to.  Raises RuntimeError for a tensor that requires no
    gradient, for a gradient of other sizes, for a graph that was run before without
    `retain_graph`, and if a saved tensor was written to; NamesError for one of other names.
    """
    if grad_variables is not None:
        raise RuntimeError("backward(): `grad_variables` has become `grad_tensors`: pass that.")
    keep = create_graph if retain_graph is None else retain_graph
    if inputs is grad_tensors is None and isinstance(tensors, Tensor):
        edge = _edge_of_root(tensors)
        alike = None if create_graph else routes.run_from(edge)
        if alike is None:
            run([edge], [_first(tensors)], keep, create_graph, None)
        elif not alike.follow(keep):
            with alike:
                run([edge], [_first(tensors)], keep, create_graph, None)
        return
    roots = _in_sequence(tensors)
    if inputs is not None:
        inputs = _in_sequence(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    edges, grads = _begin(roots, _in_sequence(grad_tensors, len(roots)))
    targets = None
    if inputs is not None:
        targets = [_edge_of_input(tensor) for tensor in inputs]
    results = run(edges, grads, keep, create_graph, targets)
    if targets is not None:
        for tensor, grad in zip(inputs, results, strict=True):
            if grad is not None:
                add_grad(tensor, [grad], create_graph)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of the sum of outputs with respect to inputs, with the names of the inputs.

    An input that is not used has None with `allow_unused`, zeros with `materialize_grads`.  Raises
    what `backward` raises, and RuntimeError for an input that is not used.
    """
    if not only_inputs:
        raise ValueError("only_inputs=False does nothing: backward() adds to all leaves")
    if is_grads_batched:
        raise NotImplementedError(
            "is_grads_batched: there is no vmap here; loop over the gradients"
        )
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    roots, wanted = _in_sequence(outputs), _in_sequence(inputs)
    keep = create_graph if retain_graph is None else retain_graph
    edges, grads = _begin(roots, _in_sequence(grad_outputs, len(roots)))
    results = run(edges, grads, keep, create_graph, [_edge_of_input(t) for t in wanted])
    collected: list[Any] = []
    for tensor, result in zip(wanted, results, strict=True):
        if result is None and materialize_grads:
            result = call("torch.zeros_like", bare(tensor))
        if result is None and not allow_unused:
            raise RuntimeError(
                "One of the differentiated Tensors appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior."
            )
        collected.append(None if result is None else named(result, tensor._names))
    return tuple(collected)


def _in_sequence(value: Any, count: int = 0) -> Sequence[Any]:
    if value is None:
        return [None] * count
    return [value] if isinstance(value, Tensor) else list(value)


def _edge_of_input(tensor: Tensor) -> Edge:
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edge


def _begin(roots: Sequence[Tensor], grads: Sequence[Any]) -> tuple[list[Edge], list[Tensor]]:
    """The edges of the roots, and the gradients that they begin with."""
    edges: list[Edge] = []
    first: list[Tensor] = []
    if len(roots) != len(grads):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")
    for place, (root, grad_) in enumerate(zip(roots, grads, strict=True)):
        if grad_ is not None:
            grad_ = _checked(root, grad_, place)
        elif requires_grad(root):
            grad_ = _first(root)
        edges.append(_edge_of_root(root, place))
        first.append(grad_)
    return edges, first


def _first(root: Tensor) -> Tensor:
    """The gradient that a root begins with if the caller passes none.

    Raises RuntimeError for a root of more elements than one (NC505).
    """
    if root.shape.numel() != 1:
        shape = tuple(map(Dim, root.names, root.shape))
        raise error_of(NonscalarBackward(shape=shape, op="Tensor.backward"))
    return ones(form_of(root))


def _edge_of_root(root: Tensor, place: int = 0) -> Edge:
    """Where a run begins.  Raises RuntimeError for a root in no graph."""
    edge = edge_of(root)
    if edge is None:
        raise RuntimeError(
            f"element {place} of tensors does not require grad and does not have a grad_fn"
        )
    return edge


def _checked(root: Tensor, grad_: Any, place: int) -> Tensor:
    """A gradient that the caller passes, without names.  Raises RuntimeError, NamesError."""
    if not isinstance(grad_, Tensor):
        raise TypeError("gradients can be either Tensors or None, but got " + type(grad_).__name__)
    if tuple(grad_.shape) != tuple(root.shape):
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{place}] has a shape of {grad_.shape} and "
            f"output[{place}] has a shape of {root.shape}."
        )
    if grad_._names is not root._names:
        # The rule of addition: names at the same place from the right have to agree.
        call(
            "torch.add",
            call("torch.empty_like", bare(root, root._names), device="meta"),
            call("torch.empty_like", bare(grad_, grad_._names), device="meta"),
        )
    return named(grad_, unnamed(grad_.ndim))


# -- the run ---------------------------------------------------------------------------------------


def run(
    edges: Sequence[Edge],
    grads: Sequence[Tensor],
    keep: bool,
    create_graph: bool,
    targets: Sequence[Edge] | None,
) -> list[Any]:
    """Run the graph from some edges.

    Returns the gradients at `targets`, without names and without running them; without targets,
    the leaves take theirs.
    """
    pending: dict[Node, list[Any]] = {}
    heap: list[tuple[int, Node]] = []
    for edge, grad_ in zip(edges, grads, strict=True):
        _give(pending, heap, edge, grad_)
    needed = None if targets is None else _needed(edges, targets)
    asked = {} if targets is None else _asked(targets)
    results: list[Any] = [None] * len(targets or ())
    mode = MODE
    before, mode.grad = mode.grad, create_graph
    try:
        while heap:
            node = heappop(heap)[1]
            taken = pending.pop(node)
            if node.pre_hooks is not None or node.keepers is not None:
                _run_pre_hooks(node, taken)
            if needed is not None:
                for number, place in asked.get(node, ()):
                    results[place] = taken[number]
                if not needed[node]:
                    continue
            given = node.apply(taken)
            if node.hooks is not None:
                given = _run_hooks(node, given, taken)
            if not keep:
                node.release()
            for edge_, grad_ in zip(node.edges, given, strict=True):
                if edge_ is not None and grad_ is not None:
                    if needed is None or edge_.node in asked or needed[edge_.node]:
                        _give(pending, heap, edge_, grad_)
            # A leaf takes a gradient as its own if nothing else holds it.
            given = taken = edge_ = grad_ = None  # type: ignore[assignment]
    finally:
        mode.grad = before
    return results


def _give(
    pending: dict[Node, list[Any]], heap: list[tuple[int, Node]], edge: Edge, grad_: Tensor
) -> None:
    """Add a gradient to those that a node takes."""
    node, number = edge
    taken = pending.get(node)
    if taken is None:
        heappush(heap, (-node.sequence, node))
        count = node.count
        if count == 1:
            pending[node] = [grad_]
        else:
            taken = pending[node] = [None] * count
            taken[number] = grad_
        return
    before = taken[number]
    if before is None:
        taken[number] = grad_
    else:
        taken[number] = before + grad_ if before._rest is None else sum_of(before, grad_)


def _asked(targets: Sequence[Edge]) -> dict[Node, list[tuple[int, int]]]:
    asked: dict[Node, list[tuple[int, int]]] = {}
    for place, (node, number) in enumerate(targets):
        asked.setdefault(node, []).append((number, place))
    return asked


def _needed(edges: Sequence[Edge], targets: Sequence[Edge]) -> Mapping[Node, bool]:
    """For each node that some edges lead to whether it leads to one of the targets."""
    order: set[Node] = set()
    open_ = [edge.node for edge in edges]
    while open_:
        node = open_.pop()
        if node not in order:
            order.add(node)
            open_ += [edge.node for edge in node.edges if edge is not None]
    ends = {edge.node for edge in targets}
    needed: dict[Node, bool] = {}
    for node in sorted(order, key=lambda node: node.sequence):
        needed[node] = any(
            edge is not None and (edge.node in ends or needed[edge.node]) for edge in node.edges
        )
    return needed


def _run_pre_hooks(node: Node, taken: list[Any]) -> None:
    for number, hook in (*(node.pre_hooks or ()), *(node.keepers or ())):
        if number < 0:
            changed = hook(tuple(taken))
            if changed is not None:
                taken[:] = changed if isinstance(changed, tuple) else (changed,)
        elif number < len(taken) and taken[number] is not None:
            form = node.form(number)
            names = unnamed(taken[number].ndim) if form is None else form.names
            changed = hook(named(taken[number], names))
            if changed is not None:
                if form is not None and tuple(changed.shape) != form.sizes:
                    raise RuntimeError(
                        f"hook has changed the size of value: {form.sizes} to "
                        f"{tuple(changed.shape)}"
                    )
                taken[number] = named(changed, unnamed(changed.ndim))


def _run_hooks(node: Node, given: list[Any], taken: list[Any]) -> list[Any]:
    for hook in list((node.hooks or {}).values()):
        changed = hook(tuple(given), tuple(taken))
        if changed is not None:
            given = list(changed) if isinstance(changed, tuple) else [changed]
    return given


def retain(tensor: Tensor) -> None:
    """Keep the gradient of a tensor that is no leaf.  Raises RuntimeError if it requires none."""
    if not requires_grad(tensor):
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    edge = edge_of(tensor)
    history = history_of(tensor)
    assert edge is not None
    assert history is not None
    if history.node is None or history.retains_grad:
        return
    history.retains_grad = True
    kept = ref(tensor)

    def keep(grad_: Tensor) -> None:
        variable = kept()
        if variable is not None:
            plain = grad_ if MODE.grad else bare(grad_, grad_._names)
            variable._history().grad = plain

    edge.node.keepers = [*(edge.node.keepers or ()), (edge.number, keep)]
