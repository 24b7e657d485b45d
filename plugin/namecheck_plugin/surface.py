"""Which op a full name of mypy's means: `namecheck_runtime.nn.functional.softmax`, `__radd__` of our
tensors.

The registry knows ops by their spellings in torch, NumPy and JAX; nothing here names one.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo

from namecheck_plugin.dims import TENSOR
from namecheck_runtime.declare import REGISTRY, Spelling

PACKAGE: Final = "namecheck_runtime."

_CLASSES: Final = {TENSOR: "Tensor"}
"""Classes of tensors, and how the registry spells what belongs to them."""


class Method(NamedTuple):
    """A method of a tensor, or an operator as one."""

    spelling: Spelling
    reflected: bool = False
    """Whether what it is given stands on the left: `2 - x`."""


def owner_of(info: TypeInfo) -> str | None:
    """How the registry spells the class that a type is, or inherits from."""
    for base in info.mro:
        owner = _CLASSES.get(base.fullname)
        if owner is not None:
            return owner
    return None


@cache
def method_of(owner: str, name: str) -> Method | None:
    """The op that a method or operator of a class of tensors is."""
    spelling = REGISTRY.get(f"{owner}.{name}")
    if spelling is not None:
        return Method(spelling)
    if not (name.startswith("__") and name.endswith("__")):
        return None
    plain = name[2:-2]
    direct = _operator(plain)
    if direct is not None:
        return Method(direct)
    if plain.startswith("r"):
        reflected = _operator(plain[1:])
        if reflected is not None:
            return Method(reflected, reflected=True)
    return None


def _operator(name: str) -> Spelling | None:
    # Python's module has `and_`, and the methods are `__and__`.
    return REGISTRY.get(f"operator.{name}") or REGISTRY.get(f"operator.{name}_")


@cache
def function_of(fullname: str) -> Spelling | None:
    """The op that a function is.  Modules whose names begin with `_` only hold what is public
    elsewhere.
    """
    if not fullname.startswith(PACKAGE):
        return None
    parts = [part for part in fullname.removeprefix(PACKAGE).split(".") if not part.startswith("_")]
    if not parts:
        return None
    return REGISTRY.get("torch." + ".".join(parts)) or REGISTRY.get(f"torch.{parts[-1]}")


@cache
def attribute_of(owner: str, name: str) -> Spelling | None:
    """The op that reading an attribute is: `x.T`."""
    spelling = REGISTRY.get(f"{owner}.{name}")
    return spelling if spelling is not None and spelling.attribute else None
