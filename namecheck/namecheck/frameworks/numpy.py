"""NumPy's calling habits: its words for arguments and its dtypes.

No op stands here; see `namecheck_runtime.rules`.
"""

from __future__ import annotations

from typing import Final

TENSOR: Final = "ndarray"

ALIASES: Final = (("numpy.ndarray.", "ndarray."), ("numpy.core.", "numpy."))

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "axis": ("dim",),
    "axes": ("dim", "dims"),
    "axis1": ("dim1", "dim0"),
    "axis2": ("dim2", "dim1"),
    "keepdims": ("keepdim",),
    "a": ("input", "A"),
    "x": ("input", "A"),
    "arr": ("input",),
    "ary": ("input",),
    "array": ("input",),
    "m": ("input",),
    "v": ("input",),
    "x1": ("input", "x"),
    "x2": ("other", "y", "exponent", "values", "vec2"),
    "b": ("other", "B"),
    "newshape": ("shape",),
    "shape": ("size",),
    "N": ("n",),
    "M": ("m", "window_length"),
    "stop": ("end",),
    "a_min": ("min",),
    "a_max": ("max",),
    "arrays": ("tensors",),
    "arys": ("tensors",),
    "element": ("elements",),
    "indices_or_sections": ("sections", "indices"),
}
"""What NumPy calls an argument: what rules call it, the first that a rule has."""

DTYPES: Final = {
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

TRANSPARENT: Final = frozenset({"numpy.errstate"})
