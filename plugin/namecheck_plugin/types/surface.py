"""The op behind a full name of mypy: `torch._C._VariableFunctions.sum`, `__radd__` of our tensors.

The registry knows ops by their spellings in torch, NumPy and JAX; this module names none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from mypy.nodes import TypeInfo
from mypy.types import AnyType, Instance, Type, TypeOfAny, get_proper_type

from namecheck_plugin.types.dims import TENSOR
from namecheck_runtime.declare import REGISTRY, Spelling
from namecheck_runtime.layers import LAYERS, Layer
from namecheck_runtime.light.records import NamedTuple
from namecheck_runtime.readers import keyword_names
from namecheck_runtime.readers.parameters import asks_sizes

OURS: Final = "namecheck_runtime"

_CLASSES: Final = {
    TENSOR: "Tensor",
    "namecheck_runtime._surface.Methods": "Tensor",
    "torch._tensor.Tensor": "Tensor",
    "torch._C.TensorBase": "Tensor",
    "torch.Tensor": "Tensor",
    "numpy.ndarray": "ndarray",
    "numpy._ArrayOrScalarCommon": "ndarray",
    "jax.Array": "ndarray",
    "jax._src.basearray.Array": "ndarray",
    "jaxlib._jax.Array": "ndarray",
}
"""Classes of tensors, and the prefix of their members in the registry."""

_PLAIN: Final = frozenset({"torch._tensor.Tensor", "torch.Tensor", "numpy.ndarray"})
"""Classes whose methods sometimes return `Any` in the stubs of their libraries."""

_MODULES: Final = {
    OURS: ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special"),
    "torch": ("torch", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special"),
    "numpy": ("numpy", "numpy.linalg", "numpy.fft", "numpy.random"),
    "jax": (
        *("jax.numpy", "jax.nn", "jax.lax", "jax.numpy.linalg", "jax.numpy.fft", "jax.random"),
        "jax.scipy.special",
    ),
    "einops": ("einops",),
}
"""Packages, and their public modules of functions."""

_WRAPPERS: Final = frozenset({"functools._lru_cache_wrapper", "jaxlib._jax.PjitFunction"})
"""Classes of other packages whose instances are functions of the program."""

_LAYERS: Final = {
    "torch": ("torch.nn",),
    "flax": ("flax.linen", "flax.nnx"),
    "equinox": ("equinox.nn",),
    "einops": ("einops.layers.torch",),
}
"""The same for classes of layers."""

PACKAGES: Final = frozenset(_MODULES) | frozenset(_LAYERS)
"""All packages that have ops or layers."""

_NUMBERS: Final = frozenset({"numpy.number", "numpy.bool"})

_ROWS: Final = frozenset(
    {
        "torch.nn.modules.container.Sequential",
        "equinox.nn._sequential.Sequential",
        "flax.linen.combinators.Sequential",
        "flax.nnx.helpers.Sequential",
    }
)

_RETURN_TYPES: Final = "torch.return_types"
"""torch's module of classes for several results, each named after its op."""

_WORDS: Final = {"Tensor": keyword_names.TORCH, "torch": keyword_names.TORCH}


class Method(NamedTuple):
    """A method of a tensor, or an operator as one."""

    name: str
    """Its name in Python: `__radd__`."""
    spelling: Spelling
    reflected: bool = False
    """Whether its argument is the left operand: `2 - x`."""


def owner_of(info: TypeInfo) -> str | None:
    """The registry's prefix for a class or one of its bases; None for other classes."""
    owner = _CLASSES.get(info.fullname)
    if owner is not None:
        return owner
    for base in info.mro:
        owner = _CLASSES.get(base.fullname)
        if owner is not None:
            return owner
    return None


def may_hold_anything(type_: Type | None) -> bool:
    """Whether an element of an array may be something other than a number: in a NumPy array, unless
    its type shows a dtype of numbers.
    """
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance) or proper.type.fullname != "numpy.ndarray":
        return False
    dtype = get_proper_type(proper.args[-1]) if proper.args else None
    scalar = get_proper_type(dtype.args[0]) if isinstance(dtype, Instance) and dtype.args else None
    if not isinstance(scalar, Instance):
        return True
    return not any(base.fullname in _NUMBERS for base in scalar.type.mro)


def plain_array(type_: Type | None) -> Instance | None:
    """The library's class of arrays that a type inherits from, with unknown arguments; or None."""
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance):
        return None
    for base in proper.type.mro:
        if base.fullname in _PLAIN:
            anything = AnyType(TypeOfAny.special_form)
            return Instance(base, [anything] * len(base.type_vars))
    return None


@cache
def method_of(owner: str, name: str) -> Method | None:
    """The op of a method or operator of a class of tensors; None if it is not one."""
    spelling = REGISTRY.get(f"{owner}.{name}")
    if spelling is not None:
        return Method(name, spelling)
    if not (name.startswith("__") and name.endswith("__")):
        return None
    plain = name[2:-2]
    direct = _operator(plain)
    if direct is not None:
        return Method(name, direct)
    if plain.startswith("r"):
        reflected = _operator(plain[1:])
        if reflected is not None:
            return Method(name, reflected, reflected=True)
    return None


def _operator(name: str) -> Spelling | None:
    # Python's module has `and_`, and the methods are `__and__`.
    return REGISTRY.get(f"operator.{name}") or REGISTRY.get(f"operator.{name}_")


class Libraries:
    """The ops and layers of libraries, by mypy's full names.

    Libraries define in private modules what they offer in public ones, and mypy names the former.
    """

    def __init__(self, home_of: Callable[[str], str | None]) -> None:
        """`home_of` returns the full name of the object that a public name stands for."""
        self.home_of: Final = home_of
        self._layers: Final[dict[str, Layer]] = {}

    def spelling_of(self, fullname: str) -> Spelling | None:
        """The op of a function; None if it is not one."""
        modules = _MODULES.get(fullname.partition(".")[0])
        if modules is None:
            return None
        direct = REGISTRY.get(fullname)
        if direct is not None:
            return direct
        name = fullname.rpartition(".")[2]
        ours = fullname.startswith(OURS)
        for module in modules:
            spelling = REGISTRY.get(f"{module}.{name}")
            if spelling is not None:
                public = f"{OURS}{module.removeprefix('torch')}" if ours else module
                if self.home_of(f"{public}.{name}") == fullname:
                    return spelling
        return None

    def layer_of(self, fullname: str) -> Layer | None:
        """The layer of a class; None if it is not one."""
        modules = _LAYERS.get(fullname.partition(".")[0])
        if modules is None:
            return None
        known = self._layers.get(fullname) or LAYERS.get(fullname)
        if known is None:
            name = fullname.rpartition(".")[2]
            for module in modules:
                layer = LAYERS.get(f"{module}.{name}")
                # mypy may read a library's own files before the public module.
                if layer is not None and self.home_of(f"{module}.{name}") == fullname:
                    known = self._layers[fullname] = layer
        return known


def may_be_layer(fullname: str) -> bool:
    """Whether a library has a layer of this name in any module."""
    name = fullname.rpartition(".")[2]
    modules = _LAYERS.get(fullname.partition(".")[0], ())
    return any(f"{module}.{name}" in LAYERS for module in modules)


def may_be_function(fullname: str) -> bool:
    """Whether a library has an op of this name in any module."""
    modules = _MODULES.get(fullname.partition(".")[0], ())
    name = fullname.rpartition(".")[2]
    return any(f"{module}.{name}" in REGISTRY for module in modules)


def is_row(info: TypeInfo) -> bool:
    """Whether instances of a class call layers one after another."""
    return info.fullname in _ROWS


def may_wrap_functions(owner: str) -> bool:
    """Whether functions may be instances of a class: NumPy's ufuncs, JAX's compiled functions."""
    return owner.partition(".")[0] in _MODULES or owner in _WRAPPERS


@cache
def attribute_of(owner: str, name: str) -> Spelling | None:
    """The op of reading an attribute, as in `x.T`; None if there is none."""
    spelling = REGISTRY.get(f"{owner}.{name}")
    return spelling if spelling is not None and spelling.attribute else None


@cache
def reshapes(method: str) -> bool:
    """Whether a method changes the dims of the tensor that it is called on: `x.t_()`."""
    spelling = REGISTRY.get(f"Tensor.{method}") if method.endswith("_") else None
    return spelling is not None and spelling.op.reshapes


@cache
def answers_sizes(name: str) -> bool:
    """Whether an attribute or a method of tensors answers their sizes: `x.shape`, `x.size(0)`."""
    spelling = REGISTRY.get(f"Tensor.{name}")
    return spelling is not None and asks_sizes(spelling.op.rules)


def fields_of(info: TypeInfo) -> Sequence[str]:
    """The names of several results, by a library's class for them; () for other classes."""
    if info.fullname.partition(".")[0] not in _MODULES:
        return ()
    if info.is_named_tuple:
        return tuple(info.metadata["namedtuple"]["fields"])
    if info.module_name == _RETURN_TYPES:
        spelling = REGISTRY.get(f"torch.{info.name}")
        return () if spelling is None else spelling.op.fields
    return ()


def rule_keyword(spelling: Spelling, name: str) -> str:
    """The parameter of the rules that a library's keyword stands for."""
    parameters = spelling.op.parameters
    words = _WORDS.get(spelling.path.partition(".")[0], keyword_names.NUMPY)
    return keyword_names.translated(words, name, parameters)
