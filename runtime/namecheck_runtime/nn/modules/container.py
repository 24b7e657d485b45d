"""Containers: modules and parameters in an order or under keys.

Source: torch.nn.Sequential, ModuleList, ModuleDict, ParameterList and ParameterDict.
"""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self, SupportsIndex

from namecheck_runtime.nn.modules.module import Module
from namecheck_runtime.nn.parameter import Parameter
from namecheck_runtime.nn.parts.module_text import list_text
from namecheck_runtime.tensors.object import Tensor


def _place(index: SupportsIndex, length: int) -> int:
    """The place that an index means.  Raises IndexError outside the list."""
    place = operator.index(index)
    if not -length <= place < length:
        raise IndexError(f"index {place} is out of range")
    return place % length


class _InOrder(Module):
    """Modules under the keys `"0"`, `"1"`, ..."""

    def _items(self) -> list[Any]:
        return list(self._modules.values())

    def _set_items(self, modules: Iterable[Any]) -> None:
        self._modules.clear()
        self._modules.update({str(place): module for place, module in enumerate(modules)})

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __setitem__(self, index: SupportsIndex, module: Any) -> None:
        key = list(self._modules)[_place(index, len(self))]
        setattr(self, key, module)

    def __delitem__(self, index: SupportsIndex | slice) -> None:
        items = self._items()
        del items[index if isinstance(index, slice) else _place(index, len(items))]
        self._set_items(items)

    def append(self, module: Module) -> Self:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module at a place; those after it move on by one."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        items = self._items()
        if not -len(items) <= index <= len(items):
            raise IndexError(f"Index out of range: {index}")
        items.insert(index, module)
        self._set_items(items)
        return self

    def extend(self, modules: Iterable[Any]) -> Self:
        """Add several modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got "
                f"{type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, index: int | slice) -> Any:
        """Remove a module and return it."""
        module = self[index]
        del self[index]
        return module

    def __getitem__(self, index: Any) -> Any:
        items = self._items()
        if isinstance(index, slice):
            return self._of(items[index], list(self._modules)[index])
        return items[_place(index, len(items))]

    def _of(self, modules: list[Any], keys: list[str]) -> Any:
        return type(self)(modules)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]


class Sequential(_InOrder):
    """Modules that are called one after the other, each with the result of the one before.

    Built from modules, or from an `OrderedDict` of them by name.
    """

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], OrderedDict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            for place, module in enumerate(modules):
                self.add_module(str(place), module)

    def forward(self, input: Any) -> Any:
        """The result of the last module."""
        for module in self:
            input = module(input)
        return input

    def _of(self, modules: list[Any], keys: list[str]) -> Any:
        return type(self)(OrderedDict(zip(keys, modules, strict=True)))

    def __delitem__(self, index: SupportsIndex | slice) -> None:
        keys = list(self._modules)
        chosen = keys[index] if isinstance(index, slice) else [keys[_place(index, len(keys))]]
        for key in chosen:
            delattr(self, key)
        self._set_items(self._items())

    def insert(self, index: int, module: Module) -> Self:
        """Add a module at a place; those after it move on by one."""
        super().insert(index, module)
        return self

    def __add__(self, other: Sequential) -> Sequential:
        self._require_sequential(other, "add")
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential) -> Self:
        self._require_sequential(other, "add")
        return self.extend(other)

    def _require_sequential(self, other: object, verb: str) -> None:
        if not isinstance(other, Sequential):
            raise ValueError(
                f"{verb} operator supports only objects of Sequential class, but {type(other)} is "
                "given."
            )

    def __mul__(self, other: int) -> Sequential:
        self._require_times(other)
        return Sequential(*(list(self) * other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Self:
        self._require_times(other)
        return self.extend(list(self) * (other - 1))

    def _require_times(self, other: object) -> None:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")


class ModuleList(_InOrder):
    """Modules in a list, which a program calls itself."""

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        """Add a module at a place; those after it move on by one."""
        super().insert(index, module)

    def __iadd__(self, modules: Iterable[Any]) -> Self:
        return self.extend(modules)

    def __add__(self, other: Iterable[Any]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        return list_text(self)


class ModuleDict(Module):
    """Modules under keys, in the order in which they were added."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module | None) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove a module and return it."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """The keys."""
        return self._modules.keys()

    def items(self) -> Any:
        """Pairs of keys and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add the modules of a mapping, or of pairs of keys and modules."""
        for key, module in _pairs(modules, type(self).__name__, "Modules"):
            self[key] = module


def _pairs(given: Any, name: str, what: str) -> Iterator[tuple[Any, Any]]:
    """The items of a mapping or of a sequence of pairs, as `update` takes them."""
    if isinstance(given, (Mapping, ModuleDict, ParameterDict)):
        yield from given.items()
        return
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{name}.update should be called with an iterable of key/value pairs, but got "
            f"{type(given).__name__}"
        )
    for place, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(
                f"{name} update sequence element #{place} should be Iterable; is "
                f"{type(pair).__name__}"
            )
        both = tuple(pair)
        if len(both) != 2:
            raise ValueError(
                f"{name} update sequence element #{place} has length {len(both)}; 2 is required"
            )
        yield both


def _as_parameter(value: Any) -> Any:
    """A tensor as a parameter; everything else, and a parameter, as it is."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return Parameter(value)
    return value


def _line(value: Any, by_class: bool = False) -> str:
    """How a container of parameters shows a value: with its dtype, or with PyTorch's class."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    where = "" if value.device.type == "cpu" else f" ({value.device})"
    of = value.type() if by_class else value.dtype
    return f"{kind} containing: [{of} of size {'x'.join(map(str, value.shape))}{where}]"


class ParameterList(Module):
    """Parameters in a list; a tensor becomes a parameter."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            places = range(len(self))[index]
            return type(self)([getattr(self, str(place)) for place in places])
        return getattr(self, str(_place(index, len(self))))

    def __setitem__(self, index: SupportsIndex, value: Any) -> None:
        setattr(self, str(_place(index, len(self))), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[place] for place in range(len(self))])

    def append(self, value: Any) -> Self:
        """Add a value at the end."""
        place = self._size
        self._size = place + 1
        setattr(self, str(place), _as_parameter(value))
        return self

    def extend(self, values: Iterable[Any]) -> Self:
        """Add several values at the end."""
        if not isinstance(values, Iterable):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                f"{type(values).__name__}"
            )
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> Self:
        return self.extend(values)

    def extra_repr(self) -> str:
        """A line for each value."""
        return "\n".join(f"  ({place}): {_line(value)}" for place, value in enumerate(self))

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """Parameters under keys; a tensor becomes a parameter."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._attribute(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, self._attribute(key), _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._attribute(key))

    def _attribute(self, key: str) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string "
                f"(type is '{type(key).__name__}'). Open an issue on github if you need non-string "
                "keys."
            )
        return key

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def keys(self) -> Any:
        """The keys."""
        return self._keys.keys()

    def values(self) -> Any:
        """The values."""
        return [self[key] for key in self._keys]

    def items(self) -> Any:
        """Pairs of keys and values."""
        return [(key, self[key]) for key in self._keys]

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or another one if there is none."""
        return self[key] if key in self._keys else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value of a key, which is added if it is not there."""
        if key not in self._keys:
            self[key] = default
        return self[key]

    def pop(self, key: str) -> Any:
        """Remove a value and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove the last value and return it with its key."""
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        """Remove all values."""
        for key in list(self._keys):
            del self[key]

    def copy(self) -> ParameterDict:
        """Another container of the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A container with one value under all keys."""
        return ParameterDict(dict.fromkeys(keys, default))

    def update(self, parameters: Any) -> None:
        """Add the values of a mapping, or of pairs of keys and values."""
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            parameters = sorted(parameters.items())  # as PyTorch does
        for key, value in _pairs(parameters, type(self).__name__, "Parameters"):
            self[key] = value

    def __or__(self, other: ParameterDict) -> ParameterDict:
        copy = self.copy()
        copy.update(other)
        return copy

    def __ior__(self, other: ParameterDict) -> Self:
        self.update(other)
        return self

    def extra_repr(self) -> str:
        """A line for each value."""
        return "\n".join(f"  ({key}): {_line(value, True)}" for key, value in self.items())

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
