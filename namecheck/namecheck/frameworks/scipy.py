"""SciPy: its sparse matrices. Its ops on arrays are in `namecheck_runtime.rules`."""

from __future__ import annotations

from typing import Final

PACKAGE: Final = "scipy"

SPARSE: Final = ("scipy.sparse.",)
"""Sparse matrices: `m.sum(axis=1)` keeps the dim, and `m * n` is a product of matrices."""

NO_SPARSE: Final = ("scipy.sparse.linalg.", "scipy.sparse.csgraph.")
"""Modules for sparse matrices whose functions give arrays."""

AS_ARRAY: Final = frozenset(
    {"A", "data", "indices", "indptr", "ndim", "nnz", "shape", "size", "toarray"}
)
"""What a sparse matrix has as plain arrays and numbers."""
