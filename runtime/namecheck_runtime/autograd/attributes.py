"""What a tensor offers for gradients: `requires_grad`, `grad`, `backward()`, hooks.

`tensors.methods` gives these to the class.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, Final, NoReturn

from namecheck_runtime.autograd import engine
from namecheck_runtime.autograd.graph import edge_of, history_of, node_of, requires_grad
from namecheck_runtime.autograd.rebasing import adopt, base_of, is_view
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.history import History, Node

_keys: Final = count()


class RemovableHandle:
    """Removes a hook: `handle.remove()`, or at the end of a `with` block."""

    def __init__(self, remove: Callable[[], object]) -> None:
        self._remove: Callable[[], object] | None = remove

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        if self._remove is not None:
            self._remove()
            self._remove = None

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *failure: object) -> None:
        self.remove()


def _requires_grad(self: Tensor) -> bool:
    """Whether gradients flow to it: it wants one, or it was computed from one that does."""
    return self._rest is not None and requires_grad(self)


def _set_requires_grad(self: Tensor, wanted: bool) -> None:
    require_grad(self, wanted)


def require_grad(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Say whether gradients are wanted.  Returns the tensor.

    Raises RuntimeError for dtypes that have none, and if that of a result is to be turned off.
    """
    if requires_grad and self.dtype.kind not in ("float", "complex"):
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    if node_of(self) is not None:
        if not requires_grad:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a "
                "computed variable in a subgraph that doesn't require differentiation use "
                "var_no_grad = var.detach()."
            )
        return self
    history = history_of(self)
    if history is not None and history.inference and requires_grad:
        raise RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
        )
    if requires_grad:
        is_new = history is None
        self._history().requires_grad = True
        if is_new:
            adopt(self)
    elif history is not None:
        history.requires_grad = False
        _leave(self, history)
    return self


def _leave(self: Tensor, history: History) -> None:
    """Make a tensor plain again if it is in no graph and keeps nothing of one."""
    rest = self._rest
    if history.grad is not None or history.view is not None or history.hooks:
        return
    if rest is not None and not history.inference:
        rest.history = None
        if rest.geometry is None:
            self._rest = None


def _is_leaf(self: Tensor) -> bool:
    """Whether no op of a graph computed it."""
    return self._rest is None or node_of(self) is None


def _grad_fn(self: Tensor) -> Node | None:
    """The node that leads back to what it was computed from; None for a leaf."""
    return None if self._rest is None else node_of(self)


def _grad(self: Tensor) -> Tensor | None:
    """The sum of its gradients from `backward()` so far; None if there was none."""
    history = history_of(self)
    return None if history is None else history.grad


def _set_grad(self: Tensor, grad: Tensor | None) -> None:
    if grad is None:
        history = history_of(self)
        if history is not None:
            history.grad = None
        return
    if not isinstance(grad, Tensor):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type {type(grad)}"
        )
    if tuple(grad.shape) != tuple(self.shape):
        raise RuntimeError(
            f"assigned grad has data of a different size: {list(grad.shape)} beside "
            f"{list(self.shape)}"
        )
    if grad.dtype is not self.dtype:
        raise RuntimeError("assigned grad has data of a different type")
    self._history().grad = grad


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add its gradients to the `grad` of all leaves that it was computed from.

    See `autograd.backward`.
    """
    engine.backward(self, gradient, retain_graph, create_graph, inputs=inputs)


def _retain_grad(self: Tensor) -> None:
    """Keep its gradient in `grad` though it is no leaf.  Raises RuntimeError if it has none."""
    engine.retain(self)


def _retains_grad(self: Tensor) -> bool:
    """Whether `retain_grad()` was called on a result."""
    history = history_of(self)
    return history is not None and history.retains_grad


def _register_hook(self: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """Call a function with the tensor's gradient; the gradient that it returns replaces it.

    Raises RuntimeError for a tensor that requires no gradient.
    """
    edge = edge_of(self)
    if edge is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    node = edge.node
    entry = (edge.number, hook)
    if node.pre_hooks is None:
        node.pre_hooks = []
    node.pre_hooks.append(entry)
    hooks = self._history()
    key = next(_keys)
    if hooks.hooks is None:
        hooks.hooks = {}
    hooks.hooks[key] = node  # the node of a leaf lives as long as its hooks

    def remove() -> None:
        if node.pre_hooks and entry in node.pre_hooks:
            node.pre_hooks.remove(entry)
        if hooks.hooks:
            hooks.hooks.pop(key, None)

    return RemovableHandle(remove)


def _register_post_accumulate_grad_hook(
    self: Tensor, hook: Callable[[Tensor], object]
) -> RemovableHandle:
    """Call a function with the tensor after a gradient has been added to its `grad`.

    Raises RuntimeError for a tensor that is no leaf or requires no gradient.
    """
    if not requires_grad(self):
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if node_of(self) is not None:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    history = self._history()
    if history.accumulator_hooks is None:
        history.accumulator_hooks = {}
    hooks, key = history.accumulator_hooks, next(_keys)
    hooks[key] = hook
    return RemovableHandle(lambda: hooks.pop(key, None))


def _detach_(self: Tensor) -> Tensor:
    """Take it out of its graph: it becomes a leaf without gradient.

    Raises RuntimeError for a view, whose base would not know.
    """
    history = history_of(self)
    if history is None:
        return self
    if history.view is not None:
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using "
            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as "
            "True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
            "these gradients. To fix this error, please refer to the Optimizer.zero_grad() "
            "function in torch/optim/optimizer.py as a solution."
        )
    history.node, history.number, history.requires_grad = None, 0, False
    _leave(self, history)
    return self


def _output_nr(self: Tensor) -> int:
    """Which of the results of its node it is."""
    node_of(self)
    history = history_of(self)
    return 0 if history is None else history.number


def _is_inference(self: Tensor) -> bool:
    """Whether it was made in inference mode."""
    history = history_of(self)
    return history is not None and history.inference


def _volatile(self: Tensor) -> NoReturn:
    """Removed: `no_grad` replaced it."""
    raise AttributeError(
        "'volatile' was removed from PyTorch: compute within `with nt.no_grad():` instead"
    )


def _creator(self: Tensor) -> NoReturn:
    """Removed: `grad_fn` replaced it."""
    raise AttributeError("'creator' was renamed in PyTorch: read 'grad_fn' instead")


def variable(data: Any = None, requires_grad: bool = False, volatile: Any = None) -> NoReturn:
    """Removed: a tensor is its own Variable."""
    raise TypeError(
        "Variable was merged with Tensor in PyTorch: use the tensor itself, with "
        "`requires_grad_()` if it is to have a gradient"
        + ("; volatile=True is `with nt.no_grad():` now" if volatile is not None else "")
    )


ATTRIBUTES: Final[dict[str, Any]] = {
    "requires_grad": property(_requires_grad, _set_requires_grad),
    "requires_grad_": require_grad,
    "is_leaf": property(_is_leaf),
    "grad_fn": property(_grad_fn),
    "grad": property(_grad, _set_grad),
    "backward": _backward,
    "retain_grad": _retain_grad,
    "retains_grad": property(_retains_grad),
    "register_hook": _register_hook,
    "register_post_accumulate_grad_hook": _register_post_accumulate_grad_hook,
    "detach_": _detach_,
    "output_nr": property(_output_nr),
    "is_inference": _is_inference,
    "_is_view": is_view,
    "_base": property(base_of),
    "volatile": property(_volatile),
    "creator": property(_creator),
}
"""By their names in the class."""
