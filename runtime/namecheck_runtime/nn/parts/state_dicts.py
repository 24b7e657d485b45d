"""State dicts: the tensors of a module and of those inside it, by their dotted names.

`Module` has the methods; these functions do the work for one module.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn.parameter import Parameter, is_lazy
from namecheck_runtime.tensors.object import Tensor

EXTRA: Final = "_extra_state"
"""The end of the key under which a module keeps what `get_extra_state` returns."""


class IncompatibleKeys(NamedTuple):
    """The keys that `load_state_dict` looked for in vain, and those that no module wanted."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return (
            f"_IncompatibleKeys(missing_keys={self.missing_keys}, "
            f"unexpected_keys={self.unexpected_keys})"
        )


IncompatibleKeys.__name__ = IncompatibleKeys.__qualname__ = "_IncompatibleKeys"


def persistent_tensors(module: Any) -> dict[str, Any]:
    """The parameters and buffers of a module that its state dict has."""
    skipped = module._non_persistent_buffers_set
    buffers = ((name, t) for name, t in module._buffers.items() if name not in skipped)
    every = chain(module._parameters.items(), buffers)
    return {name: tensor for name, tensor in every if tensor is not None}


def save_own(module: Any, destination: dict[str, Any], prefix: str, keep_vars: bool) -> None:
    """Add the tensors of one module, without those inside it."""
    for name, tensor in persistent_tensors(module).items():
        lazy = is_lazy(tensor)
        destination[prefix + name] = tensor if keep_vars or lazy else tensor.detach()
    if hasattr(module, "get_extra_state"):
        destination[f"{prefix}{EXTRA}"] = module.get_extra_state()


def save(module: Any, destination: Any, prefix: str, keep_vars: bool) -> Any:
    """Add the tensors of a module and of those inside it; run the hooks."""
    if destination is None:
        destination = OrderedDict()
        destination._metadata = OrderedDict()
    metadata = {"version": module._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = metadata
    for hook in module._state_dict_pre_hooks.values():
        hook(module, prefix, keep_vars)
    module._save_to_state_dict(destination, prefix, keep_vars)
    for name, inner in module._modules.items():
        if inner is not None:
            inner.state_dict(
                destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars
            )
    for hook in module._state_dict_hooks.values():
        changed = hook(module, destination, prefix, metadata)
        if changed is not None:
            destination = changed
    return destination


class Loading(NamedTuple):
    """What `load_state_dict` finds out on the way."""

    missing: list[str]
    unexpected: list[str]
    errors: list[str]


def load(module: Any, state_dict: Any, strict: bool, assign: bool) -> IncompatibleKeys:
    """Load the tensors of a module and of those inside it.

    Raises TypeError for what is no mapping, RuntimeError with a line for each thing that is wrong.
    """
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    loading = Loading([], [], [])
    copy: Any = OrderedDict(state_dict)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is not None:
        copy._metadata = metadata
    _load(module, copy, "", metadata, assign, loading)
    messages = []
    if strict:
        for what, keys in (("Missing", loading.missing), ("Unexpected", loading.unexpected)):
            if keys:
                listed = ", ".join(f'"{key}"' for key in keys)
                messages.append(f"{what} key(s) in state_dict: {listed}. ")
    messages += loading.errors
    if messages:
        lines = "\n\t".join(messages)
        kind = type(module).__name__
        raise RuntimeError(f"Error(s) in loading state_dict for {kind}:\n\t{lines}")
    return IncompatibleKeys(loading.missing, loading.unexpected)


def _load(
    module: Any, state: Any, prefix: str, metadata: Any, assign: bool, loading: Loading
) -> None:
    known = {} if metadata is None else metadata.get(prefix[:-1], {})
    if assign:
        known = {**known, "assign_to_params_buffers": True}
    module._load_from_state_dict(
        state, prefix, known, True, loading.missing, loading.unexpected, loading.errors
    )
    for name, inner in module._modules.items():
        if inner is not None:
            below = f"{prefix}{name}."
            part = {key: value for key, value in state.items() if key.startswith(below)}
            _load(inner, part, below, metadata, assign, loading)
    keys = IncompatibleKeys(loading.missing, loading.unexpected)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, keys) is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to "
                "return new values, if incompatible_keys need to be modified, it should be done "
                "inplace."
            )


def load_own(
    module: Any, state: Mapping[str, Any], prefix: str, assign: bool, strict: bool, into: Loading
) -> None:
    """Load the tensors of one module, and add to the lists what is wrong."""
    own = persistent_tensors(module)
    for name, tensor in own.items():
        key = prefix + name
        if key in state:
            error = _load_tensor(module, name, tensor, state[key], key, assign)
            if error:
                into.errors.append(error)
        elif strict:
            into.missing.append(key)
    extra = f"{prefix}{EXTRA}"
    if hasattr(module, "set_extra_state"):
        if extra in state:
            module.set_extra_state(state[extra])
        elif strict:
            into.missing.append(extra)
    elif strict and extra in state:
        into.unexpected.append(extra)
    if strict:
        for key in state:
            if key.startswith(prefix) and key != extra:
                first, dot, _ = key[len(prefix) :].partition(".")
                if first not in (module._modules if dot else own):
                    into.unexpected.append(key)


def _load_tensor(
    module: Any, name: str, tensor: Any, value: Any, key: str, assign: bool
) -> str | None:
    """Give a parameter or buffer the elements of another tensor; what is wrong if it cannot."""
    if not isinstance(value, Tensor):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like '
            f"object from checkpoint but received {type(value)}"
        )
    lazy = is_lazy(tensor)
    if not lazy and tensor.ndim == 0 and tuple(value.shape) == (1,):
        value = value[0]
    if not lazy and (is_lazy(value) or value.shape != tensor.shape):
        return (
            f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
            f"the shape in current model is {tensor.shape}."
        )
    if not lazy and tensor.device.type == "meta" != value.device.type and not assign:
        warnings.warn(
            f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter "
            "in the current model, which is a no-op. (Did you mean to pass `assign=True` to assign "
            "items in the state dictionary to their corresponding key in the module instead of "
            "copying them in place?)",
            stacklevel=6,
        )
        return None
    try:
        with no_grad():
            if assign:
                if isinstance(tensor, Parameter):
                    if not isinstance(value, Parameter):
                        value = Parameter(value, requires_grad=tensor.requires_grad)
                    else:
                        value.requires_grad_(tensor.requires_grad)
                setattr(module, name, value)
            else:
                tensor.copy_(value)
    except Exception as error:
        return (
            f'While copying the parameter named "{key}", whose dimensions in the model are '
            f"{tensor.size()} and whose dimensions in the checkpoint are {value.size()}, an "
            f"exception occurred : {error.args}."
        )
    return None
