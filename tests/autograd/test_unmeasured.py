"""Derivatives whose measured calls leave something out: phases, refusals, and names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt

Function = Callable[..., Any]


def matrix(*sizes: int, is_complex: bool) -> Any:
    random = np.random.default_rng(3)
    elements = random.normal(size=sizes)
    if is_complex:
        elements = elements + 1j * random.normal(size=sizes)
    return nt.tensor(elements, requires_grad=True)


def of_svd(a: Any) -> Any:
    left, values, right = nt.linalg.svd(a, False)
    return (left * values.sin().unsqueeze(-2)) @ right, left.abs(), right.abs(), values


def of_eigh(a: Any) -> Any:
    values, vectors = nt.linalg.eigh(a + a.mH)
    return (vectors * values.exp().unsqueeze(-2)) @ vectors.mH, vectors.abs(), values


def of_eig(a: Any) -> Any:
    values, vectors = nt.linalg.eig(a)
    return vectors.abs(), values.abs()


# Functions of vectors that do not depend on their signs and phases, which are free.
@pytest.mark.parametrize("is_complex", [False, True])
@pytest.mark.parametrize(
    ("function", "sizes"),
    [
        *((of_svd, sizes) for sizes in ((2, 2), (3, 2), (2, 3), (2, 2, 1))),
        *((of_eigh, sizes) for sizes in ((2, 2), (2, 2, 2))),
        *((of_eig, sizes) for sizes in ((2, 2), (2, 2, 2))),
    ],
)
def test_vectors(function: Function, sizes: tuple[int, ...], is_complex: bool) -> None:
    assert nt.autograd.gradcheck(function, matrix(*sizes, is_complex=is_complex))
    assert nt.autograd.gradgradcheck(function, matrix(*sizes, is_complex=is_complex))


@pytest.mark.parametrize("function", [nt.linalg.eigh, nt.linalg.eig, nt.linalg.svd])
def test_a_loss_of_phases_has_no_gradient(function: Function) -> None:
    a = matrix(3, 3, is_complex=True)
    parts = function(a + a.mH)
    with pytest.raises(RuntimeError, match="free up to a phase"):
        (parts[0].real.sum() + parts[1].real.sum()).backward()


def test_equal_values_have_gradients_and_no_vectors() -> None:
    a = nt.eye(3, dtype=nt.float64, requires_grad=True)
    for values in (nt.linalg.svdvals, nt.linalg.eigvalsh):
        (grad,) = nt.autograd.grad(values(a).sum(), a)
        np.testing.assert_allclose(grad.numpy(), np.eye(3), atol=1e-12)


def test_the_determinant_of_a_singular_matrix() -> None:
    a = nt.tensor([[1.0, 2, 3], [2, 4, 6], [1, 0, 1]], dtype=nt.float64, requires_grad=True)
    assert nt.det(a).item() == 0
    assert nt.autograd.gradcheck(nt.det, (a,))
    assert nt.autograd.gradgradcheck(nt.det, (a,))


def test_ctc_loss_behind_log_softmax_has_the_gradient_of_torch() -> None:
    elements = np.arange(24.0).reshape(4, 2, 3) * 7 % 5 / 4 - 0.5
    x = nt.tensor(elements, requires_grad=True)
    targets = nt.tensor([[1, 2], [2, 2]])
    loss = nt.nn.functional.ctc_loss(x.log_softmax(2), targets, (4, 4), (2, 2), reduction="sum")
    loss.backward()
    # Measured with torch 2.13.
    assert loss.item() == pytest.approx(5.321479640103148)
    assert x.grad is not None
    expected = [-0.06525171, -0.44122868, 0.50648039, 0.1804894, 0.48102426, -0.66151366]
    np.testing.assert_allclose(x.grad.numpy().reshape(-1)[:6], expected, 1e-6)


@pytest.mark.parametrize("mode", ["complete", "r"])
def test_qr_of_tall_matrices_refuses_what_has_no_derivative(mode: str) -> None:
    parts = nt.linalg.qr(nt.ones(3, 2, requires_grad=True), mode)
    with pytest.raises(NotImplementedError, match="use mode='reduced'"):
        parts[1].sum().backward()


def test_logaddexp_far_apart_has_a_second_derivative() -> None:
    x = nt.tensor([0.0, 800.0], dtype=nt.float64, requires_grad=True)
    (grad,) = nt.autograd.grad(nt.logaddexp(x, x.flip(0)).sum(), x, create_graph=True)
    (second,) = nt.autograd.grad(grad.sum(), x)
    assert second.tolist() == [0, 0]


INDEX = nt.tensor([[0, 2], [1, 1]])
CALLS: dict[str, tuple[tuple[int, ...], tuple[str, ...], Function]] = {
    "embedding_bag": ((3, 4), ("V", "E"), lambda x: nt.nn.functional.embedding_bag(INDEX, x)),
    "grid_sample": (
        (1, 2, 3, 3),
        ("N", "C", "H", "W"),
        lambda x: nt.nn.functional.grid_sample(x, nt.zeros(1, 2, 2, 2)),
    ),
    "stft": ((2, 20), ("N", "T"), lambda x: nt.stft(x, 4, return_complex=False)),
    "gradient": ((4, 5), ("A", "B"), lambda x: nt.gradient(x)[1]),
    "frexp": ((4, 5), ("A", "B"), lambda x: nt.frexp(x)[0]),
    "lu": ((3, 3), ("A", "B"), lambda x: nt.linalg.lu(x)[2]),
    "qr": ((3, 5), ("A", "B"), lambda x: nt.linalg.qr(x)[1]),
    "householder_product": (
        (4, 2),
        ("A", "B"),
        lambda x: nt.linalg.householder_product(x, nt.ones(2)),
    ),
    "align_tensors": (
        (4, 2),
        ("A", "B"),
        lambda x: nt.align_tensors(x, nt.ones(2, 4, names=("B", "A")))[0],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_gradient_has_the_names_of_its_operand(name: str) -> None:
    sizes, names, function = CALLS[name]
    x = nt.rand(*sizes, names=names, requires_grad=True)
    result = function(x)
    result.sum().backward()
    assert x.grad is not None
    assert (x.grad.shape, x.grad.names) == (x.shape, names)
    # The recorded result has the names of the plain one.
    assert result.names == function(x.detach()).names


def test_a_singular_matrix_of_solve_ex_has_nan() -> None:
    matrix = nt.ones(3, 3, requires_grad=True)
    solution, _ = nt.linalg.solve_ex(matrix, nt.ones(3, 2))
    solution.sum().backward()
    assert solution.isnan().all()
    assert matrix.grad.isnan().all()


def test_segments_of_no_rows() -> None:
    data = nt.zeros(0, 6, requires_grad=True)
    lengths = nt.zeros(0, 3, dtype=nt.int64)
    result = nt.segment_reduce(data, "sum", lengths=lengths, axis=1, unsafe=True)
    result.sum().backward()
    assert result.shape == (0, 3)
    assert data.grad.shape == (0, 6)


def along_rows(x: Any, index: Any) -> Any:
    return nt.take_along_dim(x, index, 0)


def power(x: Any, index: Any) -> Any:
    return nt.float_power(x, 2)


def normal(x: Any, index: Any) -> Any:
    return nt.special.ndtr(x)


@pytest.mark.parametrize(
    ("function", "dtype", "place", "raises"),
    [
        (along_rows, "float32", 0, True),
        (along_rows, "float32", 1, False),
        (nt.take_along_dim, "float32", 1, True),
        (power, "float32", 0, False),
        (power, "float64", 0, True),
        (normal, "float64", 0, False),
    ],
)
def test_writes_to_what_torch_saves(
    function: Function, dtype: str, place: int, raises: bool
) -> None:
    """Measured with torch 2.13: parts and casts keep what the call itself does not."""
    leaf = nt.ones(3, 4, dtype=getattr(nt, dtype), requires_grad=True)
    operands = leaf * 1, nt.zeros(3, 4, dtype=nt.int64)
    result = function(*operands).sum()
    with nt.no_grad():
        operands[place].add_(0)
    if raises:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            result.backward()
    else:
        result.backward()


def test_what_is_written_may_have_more_dims() -> None:
    target, value = nt.ones(5, 7, requires_grad=True), nt.ones(1, 7, requires_grad=True)
    written = target * 1
    written[0] = value
    written.sum().backward()
    assert (value.grad == 1).all()
    assert target.grad[:, 0].tolist() == [0, 1, 1, 1, 1]


def test_a_number_is_gathered_several_times() -> None:
    number = nt.tensor(2.0, requires_grad=True)
    number.gather(0, nt.tensor([0, 0])).sum().backward()
    assert number.grad.item() == 2
