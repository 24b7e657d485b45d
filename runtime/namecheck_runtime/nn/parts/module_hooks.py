"""The hooks of a module, and a call that runs them.

A hook stands in one of the tables of its module (`_forward_hooks`, ...) under a number.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from namecheck_runtime.autograd.attributes import RemovableHandle
from namecheck_runtime.autograd.function import Function
from namecheck_runtime.autograd.modes import is_grad_enabled
from namecheck_runtime.tensors.object import Tensor

Hook: TypeAlias = Callable[..., Any]
Hooks: TypeAlias = "OrderedDict[int, Any]"

TABLES: Final = (
    "_backward_pre_hooks",
    "_backward_hooks",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)
"""The attributes of a module that hold its hooks."""

_numbers: Final = count()

EVERY_FORWARD_PRE: Final[Hooks] = OrderedDict()
EVERY_FORWARD: Final[Hooks] = OrderedDict()
EVERY_BACKWARD_PRE: Final[Hooks] = OrderedDict()
EVERY_BACKWARD: Final[Hooks] = OrderedDict()
"""Hooks of all modules."""


def add_hook(
    table: Hooks,
    hook: Callable[..., Any],
    prepend: bool = False,
    flags: Sequence[Hooks] = (),
) -> RemovableHandle:
    """Add a hook to a table, and its number to the tables of its flags."""
    number = next(_numbers)
    table[number] = hook
    if prepend:
        table.move_to_end(number, last=False)
    for flag in flags:
        flag[number] = True
    return RemovableHandle(partial(_remove, number, (table, *flags)))


def _remove(number: int, tables: Sequence[Hooks]) -> None:
    # Not a closure, so that a module with a handle of its own can be copied.
    for table in tables:
        table.pop(number, None)


class Hooked:
    """The methods of a module that register hooks; each returns a handle that removes it."""

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns replaces the arguments.

        With `with_kwargs` it is `hook(module, args, kwargs)` and returns both.
        """
        flags = (self._forward_pre_hooks_with_kwargs,) if with_kwargs else ()
        return add_hook(self._forward_pre_hooks, hook, prepend, flags)

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns replaces the output.

        With `with_kwargs` it is `hook(module, args, kwargs, output)`.  With `always_call` it is
        called after an exception, too.
        """
        flags = [self._forward_hooks_with_kwargs] if with_kwargs else []
        if always_call:
            flags.append(self._forward_hooks_always_called)
        return add_hook(self._forward_hooks, hook, prepend, flags)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when both gradients are known.

        What it returns replaces `grad_input`.
        """
        return add_hook(self._backward_hooks, hook, prepend)

    register_backward_hook = register_full_backward_hook

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradients of the results are known.

        What it returns replaces them.
        """
        return add_hook(self._backward_pre_hooks, hook, prepend)

    def register_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict` reads the module."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` after `state_dict` has read it.

        It changes the state dict in place.
        """
        return add_hook(self._state_dict_hooks, partial(_without_result, hook))

    def _register_state_dict_hook(self, hook: Hook) -> RemovableHandle:
        """The same; what the hook returns replaces the state dict."""
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata, strict, missing_keys,
        unexpected_keys, error_msgs)` before the module loads.
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(
        self, hook: Hook, with_module: bool = False
    ) -> RemovableHandle:
        bound = partial(hook, self) if with_module else hook
        return add_hook(self._load_state_dict_pre_hooks, bound)

    def register_load_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after the module has loaded."""
        return add_hook(self._load_state_dict_post_hooks, hook)

    if TYPE_CHECKING:
        _backward_pre_hooks: Hooks
        _backward_hooks: Hooks
        _forward_hooks: Hooks
        _forward_hooks_with_kwargs: Hooks
        _forward_hooks_always_called: Hooks
        _forward_pre_hooks: Hooks
        _forward_pre_hooks_with_kwargs: Hooks
        _state_dict_hooks: Hooks
        _state_dict_pre_hooks: Hooks
        _load_state_dict_pre_hooks: Hooks
        _load_state_dict_post_hooks: Hooks


def _without_result(hook: Hook, *arguments: Any) -> None:
    """Call a hook.  Raises RuntimeError if it returns anything."""
    if hook(*arguments) is not None:
        raise RuntimeError("state_dict post-hook must return None")


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, args)` before `forward` of every module."""
    return add_hook(EVERY_FORWARD_PRE, hook)


def register_module_forward_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, args, output)` after `forward` of every module."""
    return add_hook(EVERY_FORWARD, hook)


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_output)` on the way back through every module."""
    return add_hook(EVERY_BACKWARD_PRE, hook)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` on the way back through every module."""
    return add_hook(EVERY_BACKWARD, hook)


def is_hooked(module: Any) -> bool:
    """Whether a call of the module runs any hook."""
    return bool(
        module._forward_hooks
        or module._forward_pre_hooks
        or module._backward_hooks
        or module._backward_pre_hooks
        or EVERY_FORWARD
        or EVERY_FORWARD_PRE
        or EVERY_BACKWARD
        or EVERY_BACKWARD_PRE
    )


def call_with_hooks(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The result of a module's `forward`, with all hooks that belong to the call."""
    done: set[int] = set()
    try:
        return _call(module, arguments, keywords, done)
    except Exception:
        for number in module._forward_hooks_always_called:
            if number not in done and number in module._forward_hooks:
                _after(module, number, arguments, keywords, None)
        raise


def _call(module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], done: set[int]) -> Any:
    arguments, keywords = _before(module, arguments, keywords)
    backward = None
    if _listens(module) and is_grad_enabled():
        backward = _Backward(module)
        arguments = backward.of_inputs(arguments)
    result = module.forward(*arguments, **keywords)
    for hook in EVERY_FORWARD.values():
        changed = hook(module, arguments, result)
        result = result if changed is None else changed
    for number in list(module._forward_hooks):
        done.add(number)
        changed = _after(module, number, arguments, keywords, result)
        result = result if changed is None else changed
    return result if backward is None else backward.of_results(result)


def _before(
    module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    for number, hook in (*EVERY_FORWARD_PRE.items(), *module._forward_pre_hooks.items()):
        if number not in module._forward_pre_hooks_with_kwargs:
            changed = hook(module, arguments)
            if changed is not None:
                arguments = changed if isinstance(changed, tuple) else (changed,)
            continue
        changed = hook(module, arguments, keywords)
        if changed is None:
            continue
        if not isinstance(changed, tuple) or len(changed) != 2:
            raise RuntimeError(
                f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                f"{changed}."
            )
        arguments, keywords = changed
    return arguments, keywords


def _after(
    module: Any, number: int, arguments: tuple[Any, ...], keywords: dict[str, Any], result: Any
) -> Any:
    hook = module._forward_hooks[number]
    if number in module._forward_hooks_with_kwargs:
        return hook(module, arguments, keywords, result)
    return hook(module, arguments, result)


# -- the way back ----------------------------------------------------------------------------------


def _listens(module: Any) -> bool:
    return bool(
        module._backward_hooks or module._backward_pre_hooks or EVERY_BACKWARD or EVERY_BACKWARD_PRE
    )


class _Watched(Function):
    """Its tensors as they are: a step of the way back that shows their gradients to `watch`."""

    @staticmethod
    def forward(ctx: Any, watch: Callable[[Any], Any], *tensors: Tensor) -> Any:
        ctx.watch = watch
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(
            *(tensor for tensor in tensors if tensor.dtype.kind not in ("float", "complex"))
        )
        return tuple(tensor.detach() for tensor in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return None, *ctx.watch(grads)


class _Backward:
    """The hooks of one call for the way back: gradients of results come in, of inputs go out."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.count = 0
        """How many arguments there are."""
        self.inputs_have_grad = False
        self.grads_of_results: Any = None

    def of_inputs(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments; their gradients run the hooks."""
        self.count = len(arguments)
        watched, self.inputs_have_grad = _watched(arguments, self._leave)
        return watched

    def of_results(self, results: Any) -> Any:
        """The results; their gradients are seen first."""
        alone = not isinstance(results, tuple)
        every = (results,) if alone else results
        watched, _ = _watched(every, self._enter)
        return watched[0] if alone else watched

    def _enter(self, grads: tuple[Any, ...]) -> Any:
        for hook in (*EVERY_BACKWARD_PRE.values(), *self.module._backward_pre_hooks.values()):
            changed = hook(self.module, grads)
            if changed is not None:
                grads = _of_length(changed, len(grads), "Backward pre hook", "grad_output")
        self.grads_of_results = grads
        if not self.inputs_have_grad:
            self._leave((None,) * self.count)
        return grads

    def _leave(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.grads_of_results is None:
            return grads  # they did not come through the result of the module
        for hook in (*EVERY_BACKWARD.values(), *self.module._backward_hooks.values()):
            changed = hook(self.module, grads, self.grads_of_results)
            if changed is not None:
                grads = _of_length(changed, self.count, "Backward hook", "grad_input")
        self.grads_of_results = None
        return grads


def _watched(
    values: tuple[Any, ...], watch: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> tuple[tuple[Any, ...], bool]:
    """The values with tensors whose gradients `watch` sees, and whether any has a gradient."""
    places = [k for k, value in enumerate(values) if isinstance(value, Tensor)]
    if not any(values[place].requires_grad for place in places):
        return values, False

    def of_all(grads: tuple[Any, ...]) -> Any:
        every: list[Any] = [None] * len(values)
        for place, grad in zip(places, grads, strict=True):
            every[place] = grad
        seen = watch(tuple(every))
        return [seen[place] for place in places]

    result = list(values)
    seen = _Watched.apply(of_all, *(values[place] for place in places))
    for place, tensor in zip(places, seen, strict=True):
        result[place] = tensor
    return tuple(result), True


def _of_length(changed: Any, count: int, hook: str, what: str) -> tuple[Any, ...]:
    """What a hook returned, as a tuple.  Raises RuntimeError if there are too many or too few."""
    given = changed if isinstance(changed, tuple) else (changed,)
    if len(given) != count:
        raise RuntimeError(
            f"{hook} returned an invalid number of {what}, got {len(given)}, but expected {count}"
        )
    return given
