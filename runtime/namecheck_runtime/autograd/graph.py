"""The graph of a run: nodes, what they save, and how tensors lead to them.

Gradients and saved tensors are without names here, so that no derivative depends on names; a
gradient gets the names of its tensor where a program sees it.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import getrefcount
from typing import Any, Final
from weakref import ref

import numpy as np

from namecheck_runtime.autograd.calls import call
from namecheck_runtime.autograd.shapes import zeros
from namecheck_runtime.autograd.table import Step
from namecheck_runtime.strides import Geometry
from namecheck_runtime.tensors.object import Rest, Tensor, fresh
from namecheck_runtime.tensors.values import dtypes
from namecheck_runtime.tensors.values.history import (
    MODE,
    NUMBERS,
    Creation,
    Edge,
    Form,
    History,
    Node,
)
from namecheck_runtime.tensors.values.name_tuples import Names, unnamed

FREED: Final = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)

# -- tensors and their histories -------------------------------------------------------------------


def history_of(tensor: Tensor) -> History | None:
    """The part of a tensor in graphs; None for a plain one."""
    rest = tensor._rest
    return None if rest is None else rest.history


def requires_grad(tensor: Tensor) -> bool:
    """Whether gradients flow to a tensor: it wants one, or it was computed from one that does."""
    history = history_of(tensor)
    while history is not None:
        if history.requires_grad or history.node is not None:
            return True
        if history.view is None:
            return False
        history = history_of(history.view.base)
    return False


def node_of(tensor: Tensor) -> Node | None:
    """The node that leads back to what a tensor was computed from; None for a leaf.

    That of a view is made anew after its memory has been written to.  Raises RuntimeError for a
    view that may not be used after that.
    """
    history = history_of(tensor)
    if history is None:
        return None
    view = history.view
    if view is None or (history.node is None and not requires_grad(view.base)):
        return history.node
    storage = tensor._storage
    version = 0 if storage is None else storage.version
    if view.version != version:
        require_rebasable(history, indirect=True)
        edge = edge_of(view.base)
        history.node = AsStrided(edge, view.base._geometry(), tensor._geometry(), form_of(tensor))
        history.number = 0
        view.version = version
    return history.node


_GIVEN_VIEWS: Final = {
    Creation.SEVERAL: (
        " This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    ),
    Creation.CUSTOM: (
        " This view was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom backward "
        "associated with the custom Function, leading to incorrect gradients. This behavior is "
        "forbidden. You can fix this by cloning the output of the custom Function."
    ),
}
_AMBIGUOUS: Final = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
    "code by moving both the view and the inplace either both inside the {mode} block (if you "
    "don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked)."
)


def require_rebasable(history: History, indirect: bool = False) -> None:
    """Raise RuntimeError for a view whose memory must not be written to while ops are recorded.

    `indirect`: not through the view itself.
    """
    view = history.view
    if view is None or view.creation is Creation.DEFAULT:
        return
    written = "its base or another view of its base has been" if indirect else "is being"
    mode = "inference mode" if view.creation is Creation.INFERENCE else "no_grad mode"
    if history.node is not None:
        made = f"Output {history.number} of {history.node.name()} is a view and {written} "
        made += "modified inplace."
    else:
        made = (
            f"A view was created in {mode} and {written} modified inplace with grad mode enabled."
        )
    block = "inference_mode" if view.creation is Creation.INFERENCE else "no_grad"
    raise RuntimeError(made + _GIVEN_VIEWS.get(view.creation, _AMBIGUOUS.format(mode=block)))


def edge_of(tensor: Tensor) -> Edge | None:
    """Where the gradient of a tensor goes; None if it requires none."""
    node = node_of(tensor)
    history = history_of(tensor)
    if history is None:
        return None
    if node is not None:
        return Edge(node, history.number)
    if not history.requires_grad:
        return None
    accumulator = None if history.accumulator is None else history.accumulator()
    if accumulator is None:
        accumulator = AccumulateGrad(tensor)
        history.accumulator = ref(accumulator)
    return Edge(accumulator, 0)


def form_of(tensor: Tensor) -> Form:
    """The form of the gradient of a tensor."""
    rest = tensor._rest
    if rest is None or rest.geometry is None:
        array = tensor._array
        return Form(array.shape, tensor._names, dtypes.dtype._BY_NUMPY[array.dtype], dtypes.CPU)
    return Form(rest.geometry.sizes, tensor._names, rest.dtype, rest.device)  # type: ignore[arg-type]


def bare(tensor: Tensor, names: Names | None = None) -> Tensor:
    """The same memory in no graph, and without names unless some are passed."""
    alias = fresh(tensor._array, unnamed(len(tensor._names)) if names is None else names)
    alias._storage = tensor._storage
    rest = tensor._rest
    if rest is not None and rest.geometry is not None:
        alias._rest = Rest(rest.device, rest.layout, rest.dtype, rest.geometry)
    return alias


def named(tensor: Tensor, names: Names) -> Tensor:
    """The same tensor of the graph under the names of another one."""
    if tensor._names is names:
        return tensor
    alias = bare(tensor, names)
    edge = edge_of(tensor)
    if edge is not None:
        attach(alias, edge)
    return alias


def attach(tensor: Tensor, edge: Edge) -> None:
    """Make a tensor one of the results of a node."""
    history = tensor._history()
    history.node, history.number = edge
    history.requires_grad = False


def conform(grad: Any, form: Form) -> Any:
    """A gradient in the form of its operand: summed over dims that were broadcast, and cast."""
    if grad is None:
        return None
    sizes = grad._array.shape if grad._rest is None else tuple(grad.shape)
    if sizes != form.sizes:
        grad = call("Tensor.sum_to_size", grad, form.sizes)
    if grad.dtype is not form.dtype:
        if grad.dtype.kind == "complex" and form.dtype.kind != "complex":
            grad = call("torch.real", grad)
        if grad.dtype is not form.dtype:
            grad = call("Tensor.to", grad, form.dtype)
    return grad


# -- what nodes save -------------------------------------------------------------------------------


class Saved:
    """A tensor that the way back needs, which must not be written to before."""

    __slots__ = ("number", "tensor", "version")

    def __init__(self, tensor: Tensor, number: int = -1) -> None:
        """`number`: which of the results of the node it is; -1 for an operand."""
        history = history_of(tensor)
        if history is not None and history.inference:
            raise RuntimeError(
                "Inference tensors cannot be saved for backward. Please do not use Tensors created "
                "in inference mode in computation tracked by autograd. To work around this, you "
                "can make a clone to get a normal tensor and use it in autograd, or use "
                "`torch.no_grad()` instead of `torch.inference_mode()`."
            )
        if number >= 0:
            # The result holds its node: the node must not hold the result.
            tensor._own()
            tensor = bare(tensor, tensor._names)
        self.tensor = tensor
        self.number = number
        storage = tensor._storage
        self.version = 0 if storage is None else storage.version

    def unpack(self, node: Node) -> Tensor:
        """The tensor without names, in the graph if ops are recorded.

        Raises RuntimeError if it was written to.
        """
        tensor = self.tensor
        storage = tensor._storage
        version = 0 if storage is None else storage.version
        if version != self.version:
            raise RuntimeError(self._modified(node, version))
        if not MODE.grad:
            if tensor._rest is None and not any(tensor._names):
                return tensor
            return bare(tensor)
        alias = bare(tensor)
        edge = edge_of(tensor) if self.number < 0 else Edge(node, self.number)
        if edge is not None:
            attach(alias, edge)
        return alias

    def _modified(self, node: Node, version: int) -> str:
        tensor = self.tensor
        made = node if self.number >= 0 else node_of(tensor)
        number = self.number if self.number >= 0 else 0
        if self.number < 0 and made is not None:
            number = history_of(tensor).number  # type: ignore[union-attr]
        kind = dtypes.SPOKEN[tensor.dtype.name]
        origin = "" if made is None else f", which is output {number} of {made.name()},"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: [torch.{kind}Tensor {list(tensor.shape)}]{origin} is at version {version};"
            f" expected version {self.version} instead. Hint: the backtrace further above shows "
            "the operation that failed to compute its gradient. The variable in question was "
            "changed in there or anywhere later. Good luck!"
        )


def save(value: Any, seen: dict[int, Tensor]) -> Any:
    """An argument as a node keeps it; `seen` has the tensors for which others were passed."""
    if isinstance(value, Tensor):
        return Saved(seen.get(id(value), value))
    if isinstance(value, (tuple, list)) and any(isinstance(entry, Tensor) for entry in value):
        return SavedSeveral([save(entry, seen) for entry in value])
    return value


class SavedSeveral(list[Any]):
    """Arguments of which some are saved tensors."""

    __slots__ = ()


def _unpacked(value: Any, node: Node) -> Any:
    kind = value.__class__
    if kind is Saved:
        return value.unpack(node)
    if kind is SavedSeveral:
        return tuple([_unpacked(entry, node) for entry in value])
    return value


def _widened(value: Any, to: dtypes.dtype) -> Any:
    """What a derivative needs, with tensors and forms of dtypes that compute in `to` in that."""
    kind = value.__class__
    if isinstance(value, Tensor):
        return call("Tensor.to", value, to) if value.dtype.computes_in is to else value
    if kind is Form:
        return value._replace(dtype=to) if value.dtype.computes_in is to else value
    if kind is tuple or kind is list:
        return kind([_widened(entry, to) for entry in value])
    return value


# -- nodes -----------------------------------------------------------------------------------------


class Task:
    """One derivative of a node: for an operand, or for several in one argument."""

    __slots__ = ("forms", "places", "several", "step")

    def __init__(self, step: Step, places: Sequence[int], forms: Sequence[Form], several: bool):
        self.step = step
        self.places = places
        """The edges that its gradients go to; -1 for those that want none."""
        self.forms = forms
        self.several = several


class OpNode(Node):
    """The node of an op that was called."""

    __slots__ = ("_name", "forms", "keeps", "operands", "released", "saved", "target", "tasks")

    def __init__(self, name: str, edges: tuple[Edge | None, ...], tasks: Sequence[Task]) -> None:
        super().__init__(edges)
        self._name = name
        self.tasks = tasks
        self.operands: Sequence[str] = ()
        """The parameter that each task is about."""
        self.saved: dict[str, Any] = {}
        """What the derivatives need, by the names of their parameters."""
        self.forms: tuple[Form | None, ...] = ()
        """The forms of the results."""
        self.keeps = False
        """Whether it has saved an operand: a tensor, or a number in place of one."""
        self.released = False
        self.target: int = -1
        """For an op in place the edge of the tensor that it writes to; -1 if there is none."""

    def name(self) -> str:
        is_whole = ":" in self._name or "Backward" in self._name
        return self._name if is_whole else f"{self._name}Backward0"

    def rename(self, name: str) -> None:
        """Take another of PyTorch's names, without its end."""
        self._name = name

    @property
    def count(self) -> int:
        return len(self.forms)

    def form(self, number: int) -> Form | None:
        return self.forms[number]

    def apply(self, grads: list[Any]) -> list[Any]:
        if self.released:
            raise RuntimeError(FREED)
        return self.derive({n: _unpacked(value, self) for n, value in self.saved.items()}, grads)

    def derive(self, needs: dict[str, Any], grads: Sequence[Any]) -> list[Any]:
        """The gradient for each edge from what the derivatives need, and those of the results."""
        first = self.forms[0]
        computes_in = None if first is None else first.dtype.computes_in
        if computes_in is not None:
            # As PyTorch's kernels for half floats do, which round their result alone.
            needs = {name: _widened(value, computes_in) for name, value in needs.items()}
            grads = [_widened(grad, computes_in) for grad in grads]
        needs["grad"] = grads[0]
        collected: list[Any] = [None] * len(self.edges)
        for task in self.tasks:
            step = task.step
            if "grads" in step.needs and "grads" not in needs:
                needs["grads"] = [
                    zeros(form) if grad is None and form is not None else grad
                    for grad, form in zip(grads, self.forms, strict=True)
                ]
            elif needs["grad"] is None and "grad" in step.needs:
                continue
            forms = task.forms
            needs["form"] = forms if task.several else forms[0]
            if computes_in is not None:
                needs["form"] = _widened(needs["form"], computes_in)
            result = step.function(*[needs[name] for name in step.needs])
            for place, form, grad in zip(
                task.places, forms, result if task.several else (result,), strict=True
            ):
                if place >= 0:
                    collected[place] = conform(grad, form)
        return collected

    def release(self) -> None:
        if self.keeps:
            self.saved = {}
            self.released = True

    def __getattr__(self, name: str) -> Any:
        # PyTorch's programs read what a node saved: `y.grad_fn._saved_result`.
        if name.startswith("_saved_") and name[7:] in self.saved:
            return _unpacked(self.saved[name[7:]], self)
        raise AttributeError(name)


class AccumulateGrad(Node):
    """The end of the way to a leaf: adds to its `grad`."""

    __slots__ = ("variable",)

    def __init__(self, variable: Tensor) -> None:
        # Written out, as each run makes one for each leaf.
        self.edges = ()
        self.sequence = -next(NUMBERS)  # after all others
        self.pre_hooks = self.keepers = self.hooks = None
        self.variable = variable

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def form(self, number: int) -> Form | None:
        return form_of(self.variable)

    def apply(self, grads: list[Any]) -> list[Any]:
        if grads[0] is not None:
            accumulate(self.variable, grads)
        return []


class AsStrided(Node):
    """The node of a view whose memory has been written to: it only knows where the view lies."""

    __slots__ = ("_base", "_form", "_name", "_view")

    def __init__(
        self, edge: Edge | None, base: Geometry, view: Geometry, form: Form, name: str = "AsStrided"
    ) -> None:
        super().__init__((edge,))
        self._name = name
        self._base = base
        self._view = view
        self._form = form

    def name(self) -> str:
        return f"{self._name}Backward0"

    def form(self, number: int) -> Form | None:
        return self._form

    def apply(self, grads: list[Any]) -> list[Any]:
        return [strided_gradient(grads[0], self._base, self._view, self._form)]


def strided_gradient(grad: Tensor, base: Geometry, view: Geometry, form: Form) -> Any:
    """The gradient of the base of a view: each of its elements gets the sum of those shown."""
    places = positions(base, view)
    count = int(np.prod(base.sizes, dtype=np.int64))  # type: ignore[arg-type]
    flat = zeros(form._replace(sizes=(count,)))
    index = fresh(places, unnamed(places.ndim))
    return call("torch.put", flat, index, grad, accumulate=True).reshape(base.sizes)


def positions(base: Geometry, view: Geometry) -> Any:
    """For each element of a view its place among the elements of its base, in row-major order."""
    sizes: Any = base.sizes
    reach = 1 + sum((n - 1) * s for n, s in zip(sizes, base.strides, strict=True) if n)
    count = int(np.prod(sizes, dtype=np.int64))
    places = np.zeros(max(int(reach), 1), np.int64)
    if count:
        strides = [8 * s for s in base.strides]  # type: ignore[operator]
        np.ndarray(sizes, np.int64, places, 0, strides)[...] = np.arange(count).reshape(sizes)
    begin: Any = view.offset - base.offset  # type: ignore[operator]
    shown = [8 * s for s in view.strides]  # type: ignore[operator]
    if 0 in view.sizes:
        return np.zeros(view.sizes, np.int64)
    return np.ndarray(view.sizes, np.int64, places, 8 * begin, shown).copy()  # type: ignore[arg-type]


# -- leaves ----------------------------------------------------------------------------------------


def ones(form: Form) -> Tensor:
    """Ones in the form of a tensor, without names."""
    if form.device is dtypes.CPU:
        array = np.empty(form.sizes, form.dtype.numpy)
        array.fill(1)
        return fresh(array, unnamed(len(form.sizes)))
    return call("torch.ones", form.sizes, dtype=form.dtype, device=form.device)  # type: ignore[no-any-return]


def accumulate(variable: Tensor, grads: list[Any]) -> None:
    """Add a gradient to a leaf's, and run the hooks that wait for that."""
    add_grad(variable, grads, MODE.grad)
    hooks = variable._history().accumulator_hooks
    if hooks:
        for hook in list(hooks.values()):
            hook(variable)


def add_grad(variable: Tensor, grads: list[Any], in_graph: bool) -> None:
    """Add a gradient, the one in a list, to that of a tensor.

    In place, unless the sum is to be part of a graph.
    """
    grad_ = grads.pop()
    array, rest = variable._array, variable._rest
    if (
        grad_._rest is not None
        or (rest is not None and rest.geometry is not None)
        or grad_._array.shape != array.shape
        or grad_._array.dtype is not array.dtype
    ):
        grad_ = conform(grad_, form_of(variable))
    history = variable._history()
    before = history.grad
    if before is None:
        if in_graph:
            history.grad = named(grad_.clone(), variable._names)
        else:
            if not _is_owned(grad_):
                grad_ = bare(grad_).clone() if _is_dense(grad_) else _copied(grad_)
            history.grad = _taken(grad_, variable)
    elif in_graph:
        total = named(before, unnamed(before.ndim)) + grad_
        history.grad = named(total, variable._names)
    else:
        # Elements of another layout or device are no memory that a sum could be written to.
        if requires_grad(before) or not isinstance(before._array, np.ndarray):
            total = sum_of(bare(before), bare(grad_))
            history.grad = _taken(total, variable)
        else:
            call("operator.iadd", bare(before), bare(grad_))


def sum_of(before: Tensor, grad_: Tensor) -> Any:
    """The sum of two gradients.

    One of another layout comes last, so that it is added to the other's elements.
    """
    if before.layout is not dtypes.strided:
        before, grad_ = grad_, before
    return before + grad_


def _taken(grad_: Tensor, variable: Tensor) -> Tensor:
    if grad_._rest is None and grad_._storage is None:
        return fresh(grad_._array, variable._names)
    return bare(grad_, variable._names)


def _copied(grad_: Tensor) -> Tensor:
    return call("Tensor.contiguous", bare(grad_)).clone()  # type: ignore[no-any-return]


def _is_dense(grad_: Tensor) -> bool:
    array = grad_._array
    return not isinstance(array, np.ndarray) or bool(array.flags.c_contiguous)


def _is_owned(grad_: Tensor) -> bool:
    """Whether nothing else holds the elements of a gradient, which this frame's callers hold."""
    array = grad_._array
    return (
        isinstance(array, np.ndarray)
        and grad_._storage is None
        and array.base is None
        and bool(array.flags.owndata)
        and getrefcount(array) <= _OF_ARRAY
        and getrefcount(grad_) <= _OF_GRAD
    )


_OF_ARRAY = 3  # the tensor, the local variable, the argument of getrefcount
_OF_GRAD = 4  # a variable here and in the caller, the arguments


class save_on_cpu:
    """A block in which ops save on the CPU, as they do everywhere here.

    Source: torch.autograd.graph.save_on_cpu.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        self.pin_memory = pin_memory

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: Any) -> None:
        return None
