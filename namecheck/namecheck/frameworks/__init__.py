"""What is special about each library: its import paths, its keywords, its functions without an op.

The rulebook alone says which op a spelling means and what the op does. The names that libraries
use for the same thing are here, one module per library.
"""

from __future__ import annotations

import math
import os
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Any, Final

import namecheck_runtime
from namecheck.frameworks import (
    einops,
    equinox,
    flax,
    huggingface_hub,
    jax,
    numpy,
    pytest,
    python,
    rich,
    scipy,
    sklearn,
    torch,
    tqdm,
    transformers,
)
from namecheck.frameworks.transforms import MAP
from namecheck_runtime.declare import REGISTRY
from namecheck_runtime.readers.keyword_names import translated

LIBRARIES: Final[dict[str, Any]] = {
    "torch": torch,
    "namecheck_runtime": torch,
    "numpy": numpy,
    "jax": jax,
    "flax": flax,
    "equinox": equinox,
    "einops": einops,
}
"""By the first part of a dotted path."""

FOLLOWED_IF_REQUIRED: Final = tuple(sorted(LIBRARIES.keys() - {numpy.PACKAGE}))
"""The installed packages that require one of these are followed (`files/installed.py`)."""

ARRAY_PACKAGES: Final = (torch.PACKAGE, numpy.PACKAGE, jax.PACKAGE)

MAKES_ARRAYS: Final = numpy.MAKES_ARRAYS
"""How the paths of functions begin that make an array of a list that they take for one."""

OF_NUMBERS: Final = torch.OF_NUMBERS
"""The functions for which a tensor in a list is a number, whatever its rank."""

PACKAGE_OF_MODULES: Final = torch.PACKAGE
"""The library whose modules a summary shows."""

TENSORS: Final = (torch.TENSOR, numpy.TENSOR)
"""The classes of tensors, as methods are named after them."""

TENSOR_TYPES: Final[dict[str, str]] = {
    path: library.TENSOR for library in LIBRARIES.values() for path in library.TENSOR_TYPES
}
"""The types of tensors by their dotted paths, and the class of each."""

OWN_TYPES: Final = {torch.TENSOR_TYPE: torch.TENSOR, numpy.TENSOR_TYPE: numpy.TENSOR}
"""The types that all tensors of their class have."""

WITH_NAMES: Final = ("namecheck_runtime", "tensordict", "TensorDict", "import pandas")
"""Words in files whose tensors, or tables, have names that are not PyTorch's."""

DTYPE_KINDS: Final[dict[str, str]] = {**numpy.DTYPES, **torch.DTYPES, **jax.DTYPES}
"""The kind of each dtype by its dotted path: bool, int, float, complex."""

MODULES: Final = torch.MODULES | flax.MODULES | equinox.MODULES
"""Base classes of layers: their instances are called, and they have no tensors of their own."""

DATACLASSES: Final = flax.DATACLASSES | equinox.DATACLASSES
"""Base classes that make a dataclass of every subclass without a constructor."""

REPLACING: Final = flax.STRUCTS | {"chex.dataclass"}
"""Decorators and base classes that make a dataclass with a method `replace`."""

REPLACE: Final = "replace"
"""That method."""

DATACLASS_DECORATORS: Final = python.DATACLASS_DECORATORS | REPLACING
"""Decorators that make a dataclass."""

PYTREES: Final = jax.PYTREES | flax.PYTREES | equinox.PYTREES | {"chex.dataclass"}
"""Decorators, functions and base classes that make a tree of each instance of a class."""

HARMLESS: Final = (
    MODULES | python.HARMLESS | flax.STRUCTS | sklearn.HARMLESS | huggingface_hub.HARMLESS
)
"""Base classes without an attribute that tensor code computes with."""

CONTAINERS: Final = torch.CONTAINERS | flax.CONTAINERS | equinox.CONTAINERS
"""Classes that hold layers, and the kind of container that each is."""

TRANSFORMS: Final = jax.TRANSFORMS | equinox.TRANSFORMS
"""Functions that make a function of another one."""

MAPPING: Final = torch.CHANGING | {path for path, one in TRANSFORMS.items() if one.does == MAP}
"""Decorators that call a function for each index along a dim of its arguments."""

CHANGING: Final = python.CHANGING | torch.CHANGING
"""Decorators that change what a function takes or gives."""

CALLING: Final = torch.CALLING | transformers.CALLING
"""Functions that call their first argument, with their arguments from this place on."""

TRACKERS: Final = rich.TRACKERS | tqdm.TRACKERS
"""Functions that give the elements of their first argument and show how many are done."""

EXPECTING: Final = (*numpy.EXPECTING, *pytest.EXPECTING, *python.EXPECTING)
"""How the names of context managers begin that catch an exception of their body."""

ENDING: Final = pytest.ENDING | python.ENDING
"""Functions that do not return."""

LABELLED: Final = ("haliax.", "xarray.")
"""Libraries whose arrays have dims without positions: they are found by name."""

OTHER_ARRAYS: Final = (*LABELLED, *scipy.SPARSE, "pandas.")
"""Libraries whose objects have the methods of arrays, and rules of their own."""

AS_ARRAY: Final = scipy.AS_ARRAY | {"values", "to_numpy", "tolist", "to_list", "item"}
"""What such an object has as a plain array, a list or a number, and its sizes."""

NONES: Final = frozenset({"numpy.newaxis", "jax.numpy.newaxis"})
"""Other names of None."""

FLOATS: Final = {
    f"{module}.{name}": value
    for module in ("math", "numpy", "jax.numpy", "torch")
    for name, value in (
        ("pi", math.pi),
        ("e", math.e),
        ("tau", math.tau),
        ("inf", math.inf),
        ("nan", math.nan),
    )
}
"""The numbers that modules define: a tensor multiplied by one keeps its shape."""


@lru_cache(maxsize=4096)
def canonical(path: str) -> str:
    """The path under which the rulebook may have the op of `path`."""
    if path in REGISTRY:
        return path
    first = path.partition(".")[0]
    library = LIBRARIES.get(first)
    if library is None:
        return path
    for prefix, replacement in getattr(library, "SHARED", ()):
        if path.startswith(prefix) and f"{replacement}{path[len(prefix) :]}" in REGISTRY:
            return f"{replacement}{path[len(prefix) :]}"
    for prefix, replacement in library.ALIASES:
        if path.startswith(prefix):
            return f"{replacement}{path[len(prefix) :]}"
    return path


def source_of(path: str) -> tuple[str, str] | None:
    """The module with what an object of a library does with dims in Python, and our file with it.

    None of an object of other packages.
    """
    for package in _PYTHON:
        if path.startswith(f"{package}."):
            module = path.rpartition(".")[0]
            return module_source(module) or module_source(package)
    return None


def module_source(path: str) -> tuple[str, str] | None:
    """As `source_of`, for a module."""
    path = canonical(path)
    if not path.startswith(_PYTHON):
        return None
    file = _sources().get(path)
    return None if file is None else (path, file)


def is_source(path: str) -> bool:
    """Whether a file is one of those."""
    return path.startswith(_FOLDERS) and path in _sources().values()


def read_source(path: str) -> str | None:
    """The text of one of those files; None of other files."""
    if not is_source(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


_PYTHON: Final = (*torch.SOURCES, *torch.OWN_SOURCES)
_HERE: Final = os.path.join(os.path.dirname(os.path.realpath(__file__)), "sources")
_RUNTIME: Final = os.path.dirname(os.path.realpath(namecheck_runtime.__file__))
_FOLDERS: Final = (_HERE, *(os.path.join(_RUNTIME, name) for name in torch.OWN_SOURCES.values()))


@cache
def _sources() -> dict[str, str]:
    """Our files, by the paths of the modules that they stand for."""
    files = {path: os.path.join(_HERE, f"{name}.py") for path, name in torch.SOURCES.items()}
    for package, folder in torch.OWN_SOURCES.items():
        for name in os.listdir(os.path.join(_RUNTIME, folder)):
            stem, suffix = os.path.splitext(name)
            if suffix == ".py":
                path = package if stem == "__init__" else f"{package}.{stem}"
                files[path] = os.path.join(_RUNTIME, folder, name)
    return files


def in_our_words(path: str, name: str, parameters: Collection[str]) -> str:
    """The parameter, among those of a rule, that the keyword `name` means in a call of `path`."""
    first = path.partition(".")[0]
    library = LIBRARIES.get(_LIBRARY_OF.get(first, first))
    return name if library is None else translated(library.WORDS, name, parameters)


_LIBRARY_OF: Final = {"Tensor": "torch", "ndarray": "numpy"}


def owner_of(path: str) -> str:
    """The class of the results of this function: "Tensor", "ndarray" or ""."""
    library = LIBRARIES.get(path.partition(".")[0])
    return str(library.TENSOR) if library is not None else ""
