"""jaxtyping: its types of arrays, and the dtypes that they stand for."""

from __future__ import annotations

from typing import Final

TYPES: Final = "jaxtyping."
"""How the paths of its types begin."""

ARRAY: Final = "jaxtyping.Array"
"""JAX's class of arrays, which jaxtyping exports too."""

KINDS: Final = {
    "Float": "float",
    "Float16": "float",
    "Float32": "float",
    "Float64": "float",
    "BFloat16": "float",
    "Int": "int",
    "Int8": "int",
    "Int16": "int",
    "Int32": "int",
    "Int64": "int",
    "UInt": "int",
    "UInt8": "int",
    "UInt16": "int",
    "UInt32": "int",
    "UInt64": "int",
    "Integer": "int",
    "Bool": "bool",
    "Complex": "complex",
    "Complex64": "complex",
    "Complex128": "complex",
}
"""The types that stand for one kind of dtype."""

DTYPES: Final = frozenset({*KINDS, "Shaped", "Num", "Real", "Inexact", "Key"})
"""All its types of arrays."""
