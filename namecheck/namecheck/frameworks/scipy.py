"""SciPy: its sparse matrices. Its ops on arrays are in `namecheck_runtime.rules`."""

from __future__ import annotations

from typing import Final

from namecheck_runtime.light.regexes import regex

PACKAGE: Final = "scipy"

SPARSE: Final = ("scipy.sparse.",)
"""Sparse matrices: `m.sum(axis=1)` keeps the dim, and `m * n` is a product of matrices."""

NO_SPARSE: Final = ("scipy.sparse.linalg.", "scipy.sparse.csgraph.")
"""Modules for sparse matrices whose functions give arrays."""

FORMATS: Final = frozenset({"bsr", "coo", "csc", "csr", "dia", "dok", "lil"})
"""The formats of sparse matrices, as functions that give one are asked for them."""

GIVING: Final = frozenset(
    {"tobsr", "tocoo", "tocsc", "tocsr", "todense", "todia", "todok", "tolil"}
)
"""Methods that only sparse matrices have. They give sparse matrices, `todense` a numpy.matrix: that
keeps both dims, too.
"""

ONLY: Final = GIVING | {
    *("A1", "eliminate_zeros", "getA", "getA1", "getnnz", "has_sorted_indices", "indptr", "nnz"),
    *("sort_indices", "sum_duplicates"),
}
"""Attributes that only sparse matrices have, or a numpy.matrix, which their sums are."""

_OF_MATRICES: Final = ("sparse", *sorted(ONLY | FORMATS))
WORDS: Final = regex(rf"\b(?:{'|'.join(_OF_MATRICES)})\b", words=_OF_MATRICES)
"""The words of a text in which something shows that a value is a sparse matrix."""

AS_ARRAY: Final = frozenset(
    {"A", "data", "indices", "indptr", "ndim", "nnz", "shape", "size", "toarray"}
)
"""What a sparse matrix has as plain arrays and numbers."""
