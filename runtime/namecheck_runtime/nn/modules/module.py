"""`Module`: the base of all layers and models.

Its attributes hold parameters, buffers and other modules, which it finds by their names.  Hooks,
state dicts and texts are in `nn.parts`.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self

from namecheck_runtime.autograd.modes import no_grad
from namecheck_runtime.nn.parameter import Buffer, Parameter, UninitializedTensor
from namecheck_runtime.nn.parts import module_hooks, state_dicts
from namecheck_runtime.nn.parts.module_hooks import Hooked
from namecheck_runtime.nn.parts.module_hooks import (
    register_module_forward_hook as register_module_forward_hook,
)
from namecheck_runtime.nn.parts.module_hooks import (
    register_module_forward_pre_hook as register_module_forward_pre_hook,
)
from namecheck_runtime.nn.parts.module_hooks import (
    register_module_full_backward_hook as register_module_full_backward_hook,
)
from namecheck_runtime.nn.parts.module_hooks import (
    register_module_full_backward_pre_hook as register_module_full_backward_pre_hook,
)
from namecheck_runtime.nn.parts.module_text import text_of
from namecheck_runtime.nn.parts.state_dicts import IncompatibleKeys as _IncompatibleKeys  # noqa: F401
from namecheck_runtime.tensors.object import Tensor
from namecheck_runtime.tensors.values.dtypes import device as Device
from namecheck_runtime.tensors.values.dtypes import dtype as DType


class Module(Hooked):
    """The base class of layers and models.  Source: torch.nn.Module.

    A subclass calls `super().__init__()`, assigns parameters and modules to attributes, and defines
    `forward`.  A call of the instance runs `forward` and the hooks.
    """

    training: bool
    _version: ClassVar[int] = 1
    call_super_init: ClassVar[bool] = False

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        if not self.call_super_init and (arguments or keywords):
            name = f"{type(self).__name__}.__init__()"
            if keywords:
                raise TypeError(
                    f"{name} got an unexpected keyword argument '{next(iter(keywords))}'"
                )
            raise TypeError(
                f"{name} takes 1 positional argument but {len(arguments) + 1} were given"
            )
        state = self.__dict__
        state["training"] = True
        state["_parameters"] = {}
        state["_buffers"] = {}
        state["_non_persistent_buffers_set"] = set()
        state["_modules"] = {}
        for table in module_hooks.TABLES:
            state[table] = OrderedDict()
        if self.call_super_init:
            super().__init__(*arguments, **keywords)

    def forward(self, *arguments: Any, **keywords: Any) -> Any:
        """The result of a call; each subclass defines its own."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if not module_hooks.is_hooked(self):
            return self.forward(*arguments, **keywords)
        return module_hooks.call_with_hooks(self, arguments, keywords)

    # -- attributes --------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        for table in ("_parameters", "_buffers", "_modules"):
            members = self.__dict__.get(table)
            if members is not None and name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter):
            self._require_init("parameters")
            self._forget(name, "_parameters")
            self.register_parameter(name, value)
        elif isinstance(value, Module) and name not in self.__dict__.get("_parameters", ()):
            self._require_init("module")
            self._forget(name, "_modules")
            self._modules[name] = value
        elif not self._assign_registered(name, value):
            object.__setattr__(self, name, value)

    def _assign_registered(self, name: str, value: Any) -> bool:
        """Assign to a name that is registered already, or a buffer; False for all other names."""
        state = self.__dict__
        if name in state.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_of(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, None)
        elif name in state.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_type_of(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            self._modules[name] = None
        elif isinstance(value, Buffer) or name in state.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{_type_of(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            known = name not in state.get("_non_persistent_buffers_set", ())
            persistent = value.persistent if isinstance(value, Buffer) else known
            self._require_init("buffer")
            if name not in self._buffers:
                self._forget(name, "_buffers")
            self.register_buffer(name, value, persistent)
        else:
            return False
        return True

    def _require_init(self, what: str) -> None:
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {what} before Module.__init__() call")

    def _forget(self, name: str, keeping: str) -> None:
        """Remove a name from everywhere but the table that it is to be in."""
        self.__dict__.pop(name, None)
        for table in ("_parameters", "_buffers", "_modules"):
            if table != keeping:
                self.__dict__[table].pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        for table in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__.get(table, ()):
                del self.__dict__[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__}
        names.update(self._parameters, self._modules, self._buffers)
        return sorted(name for name in names if not name[0].isdigit())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for table in module_hooks.TABLES:
            self.__dict__.setdefault(table, OrderedDict())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_checked"}

    # -- registering -------------------------------------------------------------------------------

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name.  None keeps the name, without a tensor."""
        self._require_init("parameter")
        self._require_free(name, "parameter", self._parameters)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{_type_of(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must "
                    f"be created explicitly. To express '{name}' as a function of another Tensor, "
                    "compute the value in the forward() method."
                )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is not learned.  One that is not `persistent` is not saved."""
        self._require_init("buffer")
        self._require_free(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{_type_of(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a module under a name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_type_of(module)} is not a Module subclass")
        self._require_free(name, "module", self._modules)
        self._modules[name] = module

    def register_module(self, name: str, module: Module | None) -> None:
        """The same as `add_module`."""
        self.add_module(name, module)

    def _require_free(self, name: str, what: str, table: Mapping[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {_type_of(name)}")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            more = f", got: {name}" if what == "module" else ""
            raise KeyError(f"""{what} name can't contain "."{more}""")
        if not name:
            raise KeyError(f"""{what} name can't be empty string \"\"""")

    # -- finding -----------------------------------------------------------------------------------

    def get_submodule(self, target: str) -> Module:
        """The module at a path such as `"encoder.layers.0"`; itself for `""`."""
        module: Module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a path; with `strict` only where there is one."""
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path such as `"encoder.weight"`."""
        return self._at(target, "_parameters", "an nn.Parameter")  # type: ignore[no-any-return]

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path."""
        return self._at(target, "_buffers", "a buffer")  # type: ignore[no-any-return]

    def _at(self, target: str, table: str, what: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if name not in module.__dict__[table]:
            raise AttributeError(f"`{name}` is not {what}")
        return module.__dict__[table][name]

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """It and all modules inside it, with their paths; each once."""
        seen = set() if memo is None else memo
        if self in seen:
            return
        if remove_duplicate:
            seen.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(seen, path, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """It and all modules inside it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules that its attributes hold, each once."""
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The modules that its attributes hold."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self,
        get_members_fn: Callable[[Any], Iterable[tuple[str, Any]]],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules: Iterable[tuple[str, Module]] = [(prefix, self)]
        if recurse:
            modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        for path, module in modules:
            for name, member in get_members_fn(module):
                if member is None or id(member) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(member))
                yield f"{path}.{name}" if path else name, member

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Its parameters and those of the modules inside it, with their paths; each once."""
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Its parameters and those of the modules inside it."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Its buffers and those of the modules inside it, with their paths; each once."""
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Its buffers and those of the modules inside it."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def compile(self, *arguments: Any, **keywords: Any) -> None:
        """Nothing: there is no compiler."""

    # -- changing ----------------------------------------------------------------------------------

    def apply(self, fn: Callable[[Any], Any]) -> Self:
        """Call a function with each module inside it, and then with itself."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode: bool = True) -> Self:
        """Set `training` of it and of all modules inside it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """The same as `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say of all parameters whether they want gradients."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or make them zeros."""
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                with no_grad():
                    parameter.grad = parameter.grad.detach().zero_()

    def _apply(self, fn: Callable[[Any], Tensor], recurse: bool = True) -> Self:
        """Put the results of a function in the place of all parameters, gradients and buffers."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, parameter in self._parameters.items():
            if parameter is not None:
                self._parameters[name] = _converted(parameter, fn)
        for name, buffer in self._buffers.items():
            if isinstance(buffer, UninitializedTensor):
                buffer.like(fn(buffer.empty()))
            elif buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *arguments: Any, **keywords: Any) -> Self:
        """Move all parameters and buffers to a device, or cast those of floats to a dtype.

        The arguments are a device, a dtype, or a tensor that has both.
        """
        device, dtype = _target(arguments, keywords)
        order = keywords.get("memory_format")
        if dtype is not None and dtype.kind not in ("float", "complex"):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={dtype}"
            )
        if dtype is not None and dtype.kind == "complex":
            warnings.warn(
                "Complex modules are a new feature under active development whose design may "
                "change, and some modules might not work as expected when using complex tensors as "
                "parameters or buffers.",
                stacklevel=2,
            )

        def convert(tensor: Tensor) -> Tensor:
            wanted = dtype if tensor.dtype.kind in ("float", "complex") else None
            options: dict[str, Any] = {"dtype": wanted} if wanted is not None else {}
            if device is not None:
                options["device"] = device
            if order is not None and order.rank in (None, tensor.ndim):
                options["memory_format"] = order
            return tensor.to(**options) if options else tensor

        return self._apply(convert)

    def to_empty(self, *, device: Device | str | None, recurse: bool = True) -> Self:
        """Make all parameters and buffers anew on a device, with undefined elements."""
        from namecheck_runtime.tensors.dispatch import call_path

        def emptied(tensor: Tensor) -> Tensor:
            options = {"device": device, "dtype": tensor.dtype, "names": tensor.names}
            return call_path("torch.empty", (tuple(tensor.shape),), options)  # type: ignore[no-any-return]

        return self._apply(emptied, recurse)

    def type(self, dst_type: DType | str) -> Self:
        """Cast all parameters and buffers to a dtype."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def _of_floats(self, method: str) -> Self:
        def convert(tensor: Any) -> Any:
            return getattr(tensor, method)() if tensor.dtype.kind == "float" else tensor

        return self._apply(convert)

    def float(self) -> Self:
        """Cast all parameters and buffers of floats to float32."""
        return self._of_floats("float")

    def double(self) -> Self:
        """Cast all parameters and buffers of floats to float64."""
        return self._of_floats("double")

    def half(self) -> Self:
        """Cast all parameters and buffers of floats to float16."""
        return self._of_floats("half")

    def bfloat16(self) -> Self:
        """Cast all parameters and buffers of floats to bfloat16."""
        return self._of_floats("bfloat16")

    def cpu(self) -> Self:
        """Move all parameters and buffers to the CPU."""
        return self._apply(lambda tensor: tensor.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Raises what `Tensor.cuda` raises: there is no such device."""
        return self._apply(lambda tensor: tensor.cuda(device))

    def share_memory(self) -> Self:
        """Move all parameters and buffers to memory that processes share."""
        return self._apply(lambda tensor: tensor.share_memory_())

    # -- state dicts -------------------------------------------------------------------------------

    def state_dict(
        self, *arguments: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> Any:
        """Its parameters and persistent buffers and those inside it, by their paths.

        The tensors share memory with the module and are outside graphs unless `keep_vars` is set.
        """
        if arguments:
            given = (*arguments, *(destination, prefix, keep_vars)[len(arguments) :])
            destination, prefix, keep_vars = given
        return state_dicts.save(self, destination, prefix, keep_vars)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        state_dicts.save_own(self, destination, prefix, keep_vars)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> state_dicts.IncompatibleKeys:
        """Copy the elements of a state dict into its parameters and buffers.

        With `assign` the tensors of the state dict take their places.  Raises RuntimeError for
        sizes that differ, and, if `strict`, for keys that are missing or that no module wants.
        """
        return state_dicts.load(self, state_dict, strict, assign)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        into = state_dicts.Loading(missing_keys, unexpected_keys, error_msgs)
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, *into)
        assign = local_metadata.get("assign_to_params_buffers", False)
        state_dicts.load_own(self, state_dict, prefix, assign, strict, into)

    # -- texts -------------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What its text has beside its name: the arguments that it was built with."""
        return ""

    def __repr__(self) -> str:
        return text_of(self)


def _type_of(value: Any) -> str:
    """The type of a value, as PyTorch's messages have it."""
    kind = type(value)
    if isinstance(value, Tensor) and kind is Tensor:
        return "torch.FloatTensor" if value.dtype.kind == "float" else "torch.Tensor"
    module = kind.__module__
    return kind.__qualname__ if module == "builtins" else f"{module}.{kind.__qualname__}"


def _converted(parameter: Any, fn: Callable[[Any], Tensor]) -> Any:
    """A parameter after a function: itself, or another one if that is on another device."""
    if isinstance(parameter, UninitializedTensor):
        parameter.like(fn(parameter.empty()))
        return parameter
    with no_grad():
        applied = fn(parameter)
        grad = parameter.grad
        new_grad = None if grad is None else fn(grad)
    if applied is parameter:
        result = parameter
    elif applied.device == parameter.device:
        parameter.grad = None
        parameter.data = applied
        result = parameter
    else:
        result = Parameter(applied, parameter.requires_grad)
    if new_grad is not None:
        result.grad = new_grad
    return result


def _target(
    arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[Device | None, DType | None]:
    """The device and the dtype that the arguments of `to` say."""
    keywords = dict(keywords)
    device, dtype = keywords.pop("device", None), keywords.pop("dtype", None)
    other = keywords.pop("tensor", None)
    for ignored in ("non_blocking", "memory_format"):
        keywords.pop(ignored, None)
    if keywords:
        raise TypeError(f"to() got an unexpected keyword argument '{next(iter(keywords))}'")
    for argument in (*arguments, *(() if other is None else (other,))):
        if isinstance(argument, Tensor):
            device, dtype = argument.device, argument.dtype
        elif isinstance(argument, DType):
            dtype = argument
        elif isinstance(argument, (str, Device)):
            device = argument
        elif argument is not None and not isinstance(argument, bool):
            raise TypeError(f"to() takes a device, a dtype or a tensor, not {_type_of(argument)}")
    return None if device is None else Device(device), dtype
