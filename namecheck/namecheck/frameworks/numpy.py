"""NumPy: its keywords and its dtypes.

Its ops are in `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

from namecheck_runtime.readers import keyword_names

PACKAGE: Final = "numpy"
PACKAGES: Final = frozenset({PACKAGE})

ARRAY: Final = f"{PACKAGE}.asarray"

TENSOR: Final = "ndarray"
TENSOR_TYPE: Final = "numpy.ndarray"

MAKES_ARRAYS: Final = ("numpy.",)

ALIASES: Final = (("numpy.ndarray.", "ndarray."), ("numpy.core.", "numpy."))

SHARED: Final = (
    ("numpy.random.Generator.", "numpy.random."),
    ("numpy.random.RandomState.", "numpy.random."),
)
"""Prefixes under which the rulebook has an op if it has one of the other prefix."""

GENERATORS: Final = {
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
}
"""Functions that make a source of random numbers, and the path of its methods."""

WORDS: Final = keyword_names.NUMPY

DTYPES: Final[dict[str, str]] = {
    f"numpy.{name}": kind
    for kind, names in {
        "bool": ("bool", "bool_"),
        "int": (
            *("uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
            *("int_", "intp", "uint"),
        ),
        "float": ("float16", "float32", "float64", "float_", "half", "single", "double"),
        "complex": ("complex64", "complex128"),
    }.items()
    for name in names
}

OBJECT_DTYPE: Final = f"{PACKAGE}.object_"
OBJECT_DTYPES: Final = frozenset({"object", "object_", "O", "|O"})
"""How a text names the dtype of Python's objects."""

SCALARS_OF: Final = {"float": ("float",)}
"""Python's own classes, and the kinds of dtype whose scalars may be instances of them: `float64` is
a float, and `float32` is not.
"""

WITH_LIMITS: Final = frozenset(
    f"{module}.{name}" for module in ("numpy", "torch", "jax.numpy") for name in ("finfo", "iinfo")
)
"""Functions that give the limits of a dtype."""

LIMITS: Final = {
    "bits": "int",
    "eps": "float",
    "max": "number",
    "min": "number",
    "resolution": "float",
    "smallest_normal": "float",
    "tiny": "float",
}
"""The attributes of `finfo` and `iinfo`, also PyTorch's, and the kind of number of each."""

OF_NUMBERS: Final = {
    f"{PACKAGE}.{name}": f"math.{name}"
    for name in ("ceil", "floor", "trunc", "sqrt", "log", "log2", "log10", "log1p", "exp")
}
"""Functions that give a number for a number, and Python's own function that gives the same."""

RANK: Final = frozenset({"ndim"})
SAME_TENSOR: Final = frozenset({"data", "real"})
"""Attributes of a tensor, also PyTorch's: the number of its dims, and the tensor itself."""

REREAD_BY: Final = {"dtype": f"{TENSOR}.view"}
"""Attributes of an array that let it read its memory otherwise when they are assigned, and the
method that gives an array which does the same.
"""

RELAID_BY: Final = frozenset({"strides"})
"""Attributes of an array that keep its dims and change where its elements lie."""

EXPECTING: Final = ("assert_raises",)
"""How the names of context managers begin that catch an exception of their body."""

TENSOR_TYPES: Final = frozenset({TENSOR_TYPE, "numpy.typing.NDArray", "numpy.typing.ArrayLike"})
