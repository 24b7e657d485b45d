"""`autograd.Function`: an op with a derivative that a program writes itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

from namecheck_runtime.autograd.graph import (
    FREED,
    Saved,
    attach,
    bare,
    conform,
    edge_of,
    form_of,
    history_of,
    named,
    node_of,
    requires_grad,
)
from namecheck_runtime.autograd.modes import grad_mode
from namecheck_runtime.autograd.rebasing import rebase
from namecheck_runtime.autograd.shapes import zeros
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.history import MODE, Creation, Edge, Form, Node
from namecheck_runtime.tensors.values.name_tuples import unnamed


class FunctionNode(Node):
    """The node of a call of a `Function`, and the context that its methods get.

    Programs set attributes of their own on it.
    """

    def __init__(self, function: type[Function]) -> None:
        super().__init__(())
        self._function = function
        self.forms: tuple[Form | None, ...] = ()
        self.needs_input_grad: tuple[bool, ...] = ()
        """For each argument of `forward` whether its gradient is wanted."""
        self.materialize_grads: bool = True
        self.target: int = -1
        self._input_forms: tuple[Form | None, ...] = ()
        self._to_save: tuple[Any, ...] = ()
        self._saved: list[Any] | None = None
        self._dirty: tuple[Tensor, ...] = ()
        self._constant: tuple[Tensor, ...] = ()

    def name(self) -> str:
        return f"{self._function.__name__}Backward"

    @property
    def count(self) -> int:
        return len(self.forms)

    def form(self, number: int) -> Form | None:
        return self.forms[number]

    # -- what `forward` and `setup_context` call ---------------------------------------------------

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save arguments and results, which `backward` reads as `ctx.saved_tensors`."""
        self._to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which arguments `forward` writes to; it has to return them."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which results have no gradient."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros, not None, for results that were not used."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was saved.  Raises RuntimeError after the way back, or if it was written to."""
        if self._saved is None:
            raise RuntimeError(FREED)
        return tuple(
            named(saved.unpack(self), saved.tensor._names) if isinstance(saved, Saved) else saved
            for saved in self._saved
        )

    # -- what the graph calls ----------------------------------------------------------------------

    def finish(self, outputs: tuple[Any, ...]) -> None:
        """Save what is to be saved, now that the results are known."""
        numbers = {id(output): number for number, output in enumerate(outputs)}
        self._saved = [
            Saved(t, numbers.get(id(t), -1)) if isinstance(t, Tensor) else t for t in self._to_save
        ]
        self._to_save = ()

    def apply(self, grads: list[Any]) -> list[Any]:
        given = []
        for grad, form in zip(grads, self.forms, strict=True):
            if grad is None and form is not None and self.materialize_grads:
                grad = zeros(form)
            given.append(None if grad is None or form is None else named(grad, form.names))
        result = self._function.backward(self, *given)
        parts = list(result) if isinstance(result, (tuple, list)) else [result]
        count = len(self._input_forms)
        if len(parts) < count or any(part is not None for part in parts[count:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected "
                f"{count}, got {len(parts)})"
            )
        return [
            None if part is None or form is None else self._checked(part, form)
            for part, form in zip(parts, self._input_forms, strict=False)
            if form is not None
        ]

    def _checked(self, part: Any, form: Form) -> Any:
        if not isinstance(part, Tensor):
            kind = type(part).__name__
            raise TypeError(f"{self.name()} returned a gradient of type {kind}: expected a Tensor")
        return conform(named(part, unnamed(part.ndim)), form)

    def release(self) -> None:
        if self._saved:
            self._saved = None


FunctionCtx: TypeAlias = FunctionNode
"""What `forward` and `backward` get as `ctx`, by the name that annotations use."""


class Function:
    """An op with a derivative: a class with the static methods `forward` and `backward`.

    `forward(ctx, *inputs)` computes, or `forward(*inputs)` with `setup_context(ctx, inputs,
    output)`; `backward(ctx, *grads)` returns a gradient, or None, for each input.  `apply` calls
    it.
    """

    @staticmethod
    def forward(*arguments: Any, **keywords: Any) -> Any:
        """Compute the result; the ops in it are not recorded."""
        raise NotImplementedError("a Function needs the static method forward()")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Save what `backward` needs, where `forward` takes no context."""
        raise NotImplementedError("setup_context")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradient for each input."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom "
            "autograd.Function to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        """Call `forward`, and record it if an argument requires a gradient."""
        node = FunctionNode(cls)
        wanted = [isinstance(a, Tensor) and requires_grad(a) for a in arguments]
        node.needs_input_grad = tuple(wanted)
        is_recorded = MODE.grad and any(wanted)
        edges = [edge_of(a) for a, want in zip(arguments, wanted, strict=True) if want]
        with grad_mode(False):
            if cls.setup_context is Function.setup_context:
                output = cls.forward(node, *arguments)
            else:
                output = cls.forward(*arguments)
                cls.setup_context(node, arguments, output)
        outputs = output if isinstance(output, tuple) else (output,)
        node._input_forms = tuple(
            form_of(a) if want else None for a, want in zip(arguments, wanted, strict=True)
        )
        if is_recorded:
            outputs = _recorded(node, edges, arguments, wanted, outputs)
        node.finish(outputs)
        if not is_recorded:
            node._saved = None
        return outputs if isinstance(output, tuple) else outputs[0]


def _recorded(
    node: FunctionNode,
    edges: list[Edge | None],
    arguments: tuple[Any, ...],
    wanted: list[bool],
    outputs: tuple[Any, ...],
) -> tuple[Any, ...]:
    """The results, which lead to the node."""
    node.edges = tuple(edges)
    positions = [k for k, want in enumerate(wanted) if want]
    results: list[Any] = []
    for output in outputs:
        is_input = any(output is argument for argument in arguments)
        if is_input and not any(output is dirty for dirty in node._dirty):
            output = bare(output, output._names)  # another tensor, so that the input stays as it is
        results.append(output)
    node.forms = tuple([form_of(r) if isinstance(r, Tensor) else None for r in results])
    for number, result in enumerate(results):
        if not isinstance(result, Tensor) or result.dtype.kind not in ("float", "complex"):
            continue
        if any(result is constant for constant in node._constant):
            continue
        if any(result is dirty for dirty in node._dirty):
            _write(node, result, number, arguments, positions)
            continue
        history = history_of(result)
        if history is not None and history.view is not None:
            history.view.creation = Creation.CUSTOM
        attach(result, Edge(node, number))
    return tuple(results)


def _write(
    node: FunctionNode,
    target: Tensor,
    number: int,
    arguments: tuple[Any, ...],
    positions: list[int],
) -> None:
    """Let an argument that was written to lead to the node."""
    if requires_grad(target) and node_of(target) is None:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )
    history = history_of(target)
    if history is not None and history.view is not None:
        place = next(k for k, argument in enumerate(arguments) if argument is target)
        node.target = positions.index(place) if place in positions else -1
        rebase(target, node)  # type: ignore[arg-type]
        return
    attach(target, Edge(node, number))


class _Once(Node):
    """The node of gradients that have no derivative themselves."""

    def __init__(self, edges: tuple[Edge | None, ...], count: int) -> None:
        super().__init__(edges)
        self._count = count

    @property
    def count(self) -> int:
        return self._count

    def name(self) -> str:
        return "ErrorBackward"

    def apply(self, grads: list[Any]) -> list[Any]:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Declare that a `backward` computes with something that has no derivative.

    Its ops are not recorded, and a second derivative raises RuntimeError.
    """

    @wraps(backward)
    def run(ctx: Any, *grads: Any) -> Any:
        with grad_mode(False):
            result = backward(ctx, *grads)
        if not MODE.grad or not any(isinstance(g, Tensor) and requires_grad(g) for g in grads):
            return result
        parts = result if isinstance(result, tuple) else (result,)
        edges = tuple([edge_of(g) for g in grads if isinstance(g, Tensor)])
        node = _Once(edges, len(parts))
        for number, part in enumerate(parts):
            if isinstance(part, Tensor):
                attach(part, Edge(node, number))
        return result

    return run
