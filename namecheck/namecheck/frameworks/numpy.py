"""NumPy's calling habits: its words for arguments and its dtypes.

No op stands here; see `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

from namecheck_runtime import keyword_names

TENSOR: Final = "ndarray"

ALIASES: Final = (("numpy.ndarray.", "ndarray."), ("numpy.core.", "numpy."))

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

TENSOR_TYPES: Final = frozenset({"numpy.ndarray", "numpy.typing.NDArray", "numpy.typing.ArrayLike"})
