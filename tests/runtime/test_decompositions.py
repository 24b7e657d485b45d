"""The factors of a matrix multiply to it, are orthogonal or triangular as their name says, and are
sorted.  This holds for all signs that a library may give to vectors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt

L = nt.linalg


def matrix(rows: int, columns: int, dtype: str) -> Any:
    numbers = np.random.default_rng(rows * 10 + columns)
    array = numbers.standard_normal((2, rows, columns))
    if dtype == "complex128":
        array = array + 1j * numbers.standard_normal((2, rows, columns))
    return nt.from_numpy(array)


SIZES = [(4, 4), (5, 3), (3, 5)]
DTYPES = ["float64", "complex128"]


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-9, atol=1e-9)


def orthogonal(q: Any) -> None:
    close(q.mH @ q, nt.eye(q.shape[-1], dtype=q.dtype).expand(2, -1, -1))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_svd(size: tuple[int, int], dtype: str) -> None:
    a = matrix(*size, dtype)
    u, s, vh = L.svd(a, False)
    low_u, low_s, low_v = nt.svd_lowrank(a, q=min(size))
    for left, values, right in ((u, s, vh), (low_u, low_s, low_v.mH)):
        close(left * values.unsqueeze(-2) @ right, a)
        orthogonal(left)
        assert (np.diff(values.numpy()) <= 0).all()


def test_low_rank_is_the_best_of_its_rank() -> None:
    a = matrix(7, 5, "float64")
    u, s, v = nt.svd_lowrank(a, q=2)
    left = L.matrix_norm(a - u * s.unsqueeze(-2) @ v.mT, 2)
    close(left, L.svdvals(a)[:, 2])
    u, s, v = nt.pca_lowrank(a, q=5)
    close(u * s.unsqueeze(-2) @ v.mT, a - a.mean(-2, keepdim=True))


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvectors(dtype: str) -> None:
    a = matrix(4, 4, dtype)
    values, vectors = L.eig(a)
    close(a.cdouble() @ vectors, vectors * values.unsqueeze(-2))
    a = a + a.mH
    values, vectors = L.eigh(a)
    close(a @ vectors, vectors * values.unsqueeze(-2))
    orthogonal(vectors)
    assert (np.diff(values.numpy()) >= 0).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", SIZES)
def test_qr_and_lu(size: tuple[int, int], dtype: str) -> None:
    a = matrix(*size, dtype)
    q, r = L.qr(a)
    close(q @ r, a)
    orthogonal(q)
    close(r.triu(), r)
    p, low, high = L.lu(a)
    close(p @ low @ high, a)
    close(low.tril(), low)
    close(high.triu(), high)
