"""Gradients that leaves keep: their memory is their own, and they have the names of the leaf."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime as nt
from namecheck_runtime.autograd import attributes
from namecheck_runtime.tensors import methods


def test_a_gradient_shares_no_memory() -> None:
    x = nt.ones(2, 3, names=("N", "C"), requires_grad=True)
    y = nt.ones(2, 3, names=("N", "C"), requires_grad=True)
    first = nt.ones(2, 3)
    (x + y).backward(first)
    assert x.grad is not None
    assert y.grad is not None
    x.grad.zero_()
    assert y.grad.sum().item() == first.sum().item() == 6


def test_a_gradient_has_the_names_of_its_tensor() -> None:
    x = nt.ones(2, 3, names=("N", "C"), requires_grad=True)
    w = nt.ones(3, 4, names=("D", "O"), requires_grad=True)
    (x @ w).sum().backward()
    assert x.grad is not None
    assert w.grad is not None
    assert (x.grad.names, w.grad.names) == (("N", "C"), ("D", "O"))
    assert nt.autograd.grad((x * x).sum("C"), x, nt.ones(2, names=("N",)))[0].names == ("N", "C")


def test_a_gradient_of_other_names_is_refused() -> None:
    x = nt.ones(2, names=("N",), requires_grad=True)
    with pytest.raises(nt.NamesError):
        (x * 2).backward(nt.ones(2, names=("C",)))


def test_gradients_are_added_in_place() -> None:
    x = nt.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    kept = x.grad
    (x * 3).sum().backward()
    assert kept is x.grad
    assert x.grad is not None
    assert x.grad.tolist() == [5, 5]


def test_views_of_a_tensor_that_enters_a_graph_follow_it() -> None:
    base, w = nt.zeros(2, 3), nt.ones(3, requires_grad=True)
    row = base[0]
    row.add_(w)
    assert base.requires_grad
    assert type(base.grad_fn).__name__ == "CopySlices"
    (base[0] * 2).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [2, 2, 2]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_moved_elements_keep_their_places_in_any_precision(dtype: str) -> None:
    """Half precision holds no place above 2048."""
    x = nt.zeros(3000, dtype=getattr(nt, dtype), requires_grad=True)
    weights = nt.arange(3000) % 7
    (nt.roll(x, 1, 0) * weights).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == nt.roll(weights, -1, 0).tolist()


def test_the_class_gets_all_attributes_of_gradients() -> None:
    """`methods` names them without importing what computes them."""
    assert set(methods._OF_GRADIENTS) == attributes.ATTRIBUTES.keys()


@pytest.mark.parametrize("op", [nt.sgn, nt.abs, nt.angle])
@pytest.mark.parametrize("dtype", [nt.complex64, nt.complex128])
def test_the_gradient_of_a_complex_zero(op: Any, dtype: Any) -> None:
    """Measured on torch 2.13: 0, where the direction of a number has no derivative."""
    x = nt.tensor([0j, 1 + 1j], dtype=dtype, requires_grad=True)
    op(x).real.sum().backward()
    assert x.grad is not None
    first, second = x.grad.tolist()
    assert first == 0
    assert second != 0


def test_moving_to_another_device_again() -> None:
    for _ in range(4):
        leaf = nt.ones(2, 3, names=("N", "C"), requires_grad=True)
        ghost = leaf.to("meta")
        assert tuple(ghost.shape) == (2, 3)
        assert ghost.names == ("N", "C")
        assert ghost.requires_grad


def test_other_data_and_other_names() -> None:
    x = nt.ones(2, 3, requires_grad=True)
    (x * 2).sum().backward()
    x.names = ("N", "C")
    x.grad = None
    (x * 2).sum("C").sum().backward()
    assert x.grad is not None
    assert x.grad.names == ("N", "C")
    other = nt.zeros(4, dtype=nt.float64, names=("L",))
    x.grad = None
    x.data = other
    assert (x.names, x.dtype, tuple(x.shape)) == (("L",), nt.float64, (4,))
    with nt.no_grad():
        x.add_(1)
    assert other.tolist() == [1] * 4
    (x * 3).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3] * 4
    plain = nt.ones(2)
    plain.data = nt.zeros(3)
    assert plain.tolist() == [0] * 3
    assert not plain.requires_grad
    with pytest.raises(RuntimeError, match="incompatible tensor type"):
        x.data = nt.zeros(4, device="meta")
