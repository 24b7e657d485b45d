"""The base of optimizers: groups of parameters, the state of each, hooks.

Source: torch.optim.optimizer.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import wraps
from itertools import chain, count
from typing import Any, ClassVar, Final, TypeAlias

import namecheck_runtime as nt
from namecheck_runtime.autograd.attributes import RemovableHandle
from namecheck_runtime.autograd.modes import enable_grad, set_grad_enabled
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values import dtypes

Params: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
"""What an optimizer takes: parameters, pairs of names and parameters, or groups as dicts."""
Group: TypeAlias = dict[str, Any]
"""A group: its `params`, and the options for them."""
Closure: TypeAlias = Callable[[], Any]
"""Computes the loss and its gradients anew, and returns the loss."""
Hook: TypeAlias = Callable[..., Any]

required: Final = object()
"""The default of an option that every group must give."""

_numbers: Final = count()
_HOOKS: Final = (
    "_optimizer_step_pre_hooks",
    "_optimizer_step_post_hooks",
    "_optimizer_state_dict_pre_hooks",
    "_optimizer_state_dict_post_hooks",
    "_optimizer_load_state_dict_pre_hooks",
    "_optimizer_load_state_dict_post_hooks",
)

EVERY_STEP_PRE: Final[OrderedDict[int, Hook]] = OrderedDict()
EVERY_STEP_POST: Final[OrderedDict[int, Hook]] = OrderedDict()
"""Hooks of all optimizers."""


def _add_hook(hooks: OrderedDict[int, Hook], hook: Hook, prepend: bool = False) -> RemovableHandle:
    number = next(_numbers)
    hooks[number] = hook
    if prepend:
        hooks.move_to_end(number, last=False)
    return RemovableHandle(lambda: hooks.pop(number, None))


def register_optimizer_step_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` before each step of each optimizer."""
    return _add_hook(EVERY_STEP_PRE, hook)


def register_optimizer_step_post_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(optimizer, args, kwargs)` after each step of each optimizer."""
    return _add_hook(EVERY_STEP_POST, hook)


def _hooked(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step with the hooks around it."""

    @wraps(step)
    def hooked_step(*args: Any, **kwargs: Any) -> Any:
        optimizer: Optimizer = args[0]
        if "_opt_called" in optimizer.__dict__:
            optimizer._opt_called = True
        for hook in (*EVERY_STEP_PRE.values(), *optimizer._optimizer_step_pre_hooks.values()):
            result = hook(optimizer, args, kwargs)
            if result is not None:
                if not isinstance(result, tuple) or len(result) != 2:
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got "
                        f"{result}."
                    )
                args, kwargs = result
        result = step(*args, **kwargs)
        for hook in (*optimizer._optimizer_step_post_hooks.values(), *EVERY_STEP_POST.values()):
            hook(optimizer, args, kwargs)
        return result

    hooked_step.hooked = True  # type: ignore[attr-defined]
    return hooked_step


class Optimizer:
    """The base of all optimizers.  Source: torch.optim.Optimizer.

    `params` are parameters, pairs of names and parameters, or dicts with a group of them each;
    `defaults` are the options of groups that do not say otherwise.
    """

    defaults: dict[str, Any]
    """The options of groups that do not say otherwise."""
    state: defaultdict[Any, Any]
    """What the optimizer keeps for each parameter, by the parameter."""
    param_groups: list[Group]
    """The groups: dicts of `params` and their options, which a program may change."""

    _optimizer_step_pre_hooks: OrderedDict[int, Hook]
    _optimizer_step_post_hooks: OrderedDict[int, Hook]
    _optimizer_state_dict_pre_hooks: OrderedDict[int, Hook]
    _optimizer_state_dict_post_hooks: OrderedDict[int, Hook]
    _optimizer_load_state_dict_pre_hooks: OrderedDict[int, Hook]
    _optimizer_load_state_dict_post_hooks: OrderedDict[int, Hook]

    _opt_called: bool
    """Whether `step` was called; only an optimizer with a scheduler has it."""

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._make_hooks()
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {params.type()}"
            )
        if isinstance(params, set):
            warnings.warn(
                "optimizer parameters need to be organized in ordered collections, but the "
                "ordering of tensors in sets will change between runs. Please use a list instead. "
                "This will be an error in a future release.",
                FutureWarning,
                stacklevel=2,
            )
        self.state = defaultdict(dict)
        self.param_groups = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _make_hooks(self) -> None:
        for table in _HOOKS:
            self.__dict__.setdefault(table, OrderedDict())
        step = type(self).step
        if not getattr(step, "hooked", False):
            type(self).step = _hooked(step)  # type: ignore[method-assign]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_hooks()
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"\nParameter Group {number}" if number else f"Parameter Group {number}")
            lines.extend(f"    {key}: {group[key]}" for key in sorted(group) if key != "params")
        return "\n".join([*lines, ")"])

    # -- groups ------------------------------------------------------------------------------------

    def add_param_group(self, param_group: Group) -> None:
        """Optimize more parameters, with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        _read_params(param_group)
        tensors = param_group["params"]
        for tensor in tensors:
            self._require_leaf(tensor)
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    f"{name}"
                )
            param_group.setdefault(name, default)
        own = {id(tensor) for tensor in tensors}
        if len(own) != len(tensors):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                stacklevel=3,
            )
        named = "param_names" in param_group
        for group in self.param_groups:
            if named != ("param_names" in group):
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {'with names' if named else 'without names'} to the optimizer"
                )
        if any(id(tensor) in own for group in self.param_groups for tensor in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    def _require_leaf(self, tensor: Any) -> None:
        if not isinstance(tensor, Tensor):
            kind = type(tensor)
            name = kind.__name__ if kind.__module__ == "builtins" else _full_name(kind)
            raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {name}")
        if not self.defaults.get("differentiable") and not (tensor.is_leaf or tensor.retains_grad):
            raise ValueError("can't optimize a non-leaf Tensor")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Remove the gradients of all parameters, or fill them with zeros."""
        for group in self.param_groups:
            for parameter in group["params"]:
                gradient = parameter.grad
                if gradient is None:
                    continue
                if set_to_none:
                    parameter.grad = None
                    continue
                if gradient.grad_fn is not None:
                    gradient.detach_()
                else:
                    gradient.requires_grad_(False)
                gradient.zero_()

    def step(self, closure: Closure | None = None) -> Any:
        """Change the parameters by their gradients; returns the loss that `closure` computes."""
        raise NotImplementedError

    # -- hooks -------------------------------------------------------------------------------------

    def register_step_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return others."""
        return _add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return _add_hook(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer)` before `state_dict`."""
        return _add_hook(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` after `state_dict`; it may return another one."""
        return _add_hook(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer, state_dict)` before it is loaded; it may return another one."""
        return _add_hook(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call `hook(optimizer)` after a state dict is loaded."""
        return _add_hook(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    # -- state dicts -------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """The state of each parameter by its number, and the groups with numbers for parameters."""
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        start = 0
        for group in self.param_groups:
            for number, parameter in enumerate(group["params"], start):
                numbers.setdefault(id(parameter), number)
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[id(parameter)] for parameter in group["params"]]
            start += len(group["params"])
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            other = hook(self, result)
            result = result if other is None else other
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from what `state_dict` returned, which is copied.

        Raises ValueError if its groups do not have as many parameters as those here.
        """
        state_dict = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            other = hook(self, state_dict)
            state_dict = state_dict if other is None else other
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if [len(group["params"]) for group in groups] != [len(group["params"]) for group in saved]:
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of "
                "optimizer's group"
            )
        by_number = dict(zip(_all_params(saved), _all_params(groups), strict=True))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for number, value in state_dict["state"].items():
            if number in by_number:
                parameter = by_number[number]
                state[parameter] = _fitted(value, parameter, _is_fused(number, saved))
            else:
                state[number] = value
        for group, new in zip(groups, saved, strict=True):
            new["params"] = group["params"]
            if "param_names" in group:
                new.setdefault("param_names", group["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)


def _full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _read_params(group: Group) -> None:
    """Make the parameters of a group a list, and of pairs of names and parameters two."""
    params = group["params"]
    if isinstance(params, Tensor):
        params = [params]
    elif isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of "
            "tensors in sets will change between runs. Please use a list instead."
        )
    params = list(params)
    names = [param[0] for param in params if isinstance(param, tuple)]
    group["params"] = [param[1] if isinstance(param, tuple) else param for param in params]
    if names:
        if len(names) != len(params):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        group["param_names"] = names


def _all_params(groups: Iterable[Group]) -> Iterator[Any]:
    return chain.from_iterable(group["params"] for group in groups)


def _is_fused(number: int, groups: Iterable[Group]) -> bool:
    """Whether the parameter of a number is in a group that keeps its steps beside it."""
    group = next((group for group in groups if number in group["params"]), {})
    return bool(group.get("fused") or group.get("capturable"))


def _fitted(value: Any, parameter: Tensor, fused: bool, key: object = None) -> Any:
    """A copy of a state for a parameter: tensors get its dtype and device."""
    if isinstance(value, Tensor):
        if key == "step":
            return value.to(device=parameter.device, dtype=dtypes.float32) if fused else value
        if parameter.is_floating_point():
            return value.to(device=parameter.device, dtype=parameter.dtype)
        return value.to(device=parameter.device)
    if isinstance(value, dict):
        return {key: _fitted(inner, parameter, fused, key) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_fitted(inner, parameter, fused) for inner in value)  # type: ignore[call-arg]
    return value


# -- optimizers that treat each parameter by itself --------------------------------------------


class ByParameter(Optimizer):
    """An optimizer whose step does the same with each parameter that has a gradient."""

    options: ClassVar[dict[str, Any]] = {}
    """The options that old state dicts may lack, with their defaults."""
    counts: ClassVar[bool] = True
    """Whether the state of a parameter counts its steps."""
    splits: ClassVar[bool] = True
    """Whether complex numbers are learned as pairs of real ones."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, default in self.options.items():
                group.setdefault(name, default)
            for parameter in group["params"]:
                kept = self.state.get(parameter)
                if self.counts and kept and not isinstance(kept["step"], Tensor):
                    kept["step"] = step_count(float(kept["step"]), bool(group.get("fused")))

    def step(self, closure: Closure | None = None) -> Any:
        """Change the parameters by their gradients; returns the loss that `closure` computes."""
        with set_grad_enabled(bool(self.defaults.get("differentiable"))):
            loss = None
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        self._step_of(parameter, group)
        return loss

    def _step_of(self, parameter: Any, group: Group) -> None:
        gradient = parameter.grad
        if gradient.is_sparse:
            self._refuse_sparse()
        if group.get("fused") and not parameter.is_floating_point():
            raise RuntimeError(
                "`fused=True` requires all the params to be floating point Tensors of supported "
                f"devices: {['mps', 'cuda', 'xpu', 'hpu', 'cpu', 'mtia', 'privateuseone']} but "
                f"{parameter.dtype} and {parameter.device.type}"
            )
        if group.get("capturable"):
            raise AssertionError(
                "If capturable=True, params and state_steps must be on supported devices: "
                f"{['cuda', 'xpu', 'hpu', 'privateuseone', 'xla']}."
            )
        state = self.state[parameter]
        if not state:
            if self.counts:
                state["step"] = step_count(0.0, bool(group.get("fused")))
            self._begin(parameter, state, group)
        if self.counts:
            state["step"] += 1
        if group["maximize"]:
            gradient = -gradient
        if self.splits and parameter.is_complex():
            state = {
                key: nt.view_as_real(value)
                if isinstance(value, Tensor) and value.is_complex()
                else value
                for key, value in state.items()
            }
            parameter = nt.view_as_real(parameter)
            gradient = nt.view_as_real(gradient)
        self._change(parameter, gradient, state, group)

    def _refuse_sparse(self) -> None:
        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")

    def _begin(self, parameter: Any, state: dict[str, Any], group: Group) -> None:
        """Fill the state of a parameter before its first step."""

    def _change(self, parameter: Any, gradient: Any, state: dict[str, Any], group: Group) -> None:
        """Change a parameter by its gradient."""
        raise NotImplementedError


def step_count(value: float, fused: bool) -> Tensor:
    """A number of steps: float32, or float64 if that is the default dtype."""
    default = dtypes.get_default_dtype()
    wide = default is dtypes.float64 and not fused
    dtype = dtypes.float64 if wide else dtypes.float32
    return nt.full((), value, dtype=dtype)


def zeros_like(parameter: Any) -> Any:
    """Zeros with the dims, the names, the dtype and the device of a parameter."""
    return nt.zeros_like(parameter)


def decayed(gradient: Any, parameter: Any, weight_decay: Any) -> Any:
    """The gradient of the loss and a penalty on large elements."""
    if not isinstance(weight_decay, Tensor):
        return gradient if weight_decay == 0 else gradient.add(parameter, alpha=weight_decay)
    return gradient.addcmul(parameter.clone(), weight_decay)


def number(option: Any) -> Any:
    """An option as a number; a tensor of one element stays one if its gradient is wanted."""
    if not isinstance(option, Tensor):
        return option
    if option.requires_grad:
        return option.squeeze() if option.ndim else option
    return option.item()


def require_one_element(lr: Any, name: str = "lr") -> None:
    """Raise ValueError for an option that is a tensor of more than one element."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError(f"Tensor {name} must be 1-element")


def require_not_negative(what: str, value: Any) -> None:
    """Raise ValueError for an option below zero: `Invalid learning rate: -1`."""
    if not value >= 0.0:
        raise ValueError(f"Invalid {what}: {value}")


def require_one_way(fused: bool | None, differentiable: bool, foreach: bool | None) -> None:
    """Raise RuntimeError for ways to compute that exclude each other."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
