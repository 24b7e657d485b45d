"""Derivatives of functions, and ops that a program differentiates itself: values known by hand."""

from __future__ import annotations

from typing import Any

import pytest

import namecheck_runtime as nt
from namecheck_runtime.autograd import functional

X = nt.tensor([1.0, 2.0], dtype=nt.float64, names=("N",))
ONES = nt.ones(2, dtype=nt.float64, names=("N",))


def cubes(x: Any) -> Any:
    return (x**3).sum()


def test_products_with_the_jacobian() -> None:
    outputs, product = functional.vjp(lambda x: x * x, X, ONES)
    assert (outputs.tolist(), product.tolist(), product.names) == ([1, 4], [2, 4], ("N",))
    outputs, product = functional.jvp(lambda x: x * x, X, ONES)
    assert (outputs.tolist(), product.tolist(), product.names) == ([1, 4], [2, 4], ("N",))
    with pytest.raises(RuntimeError, match="can only be None"):
        functional.vjp(lambda x: x * x, X)


def test_jacobians() -> None:
    assert functional.jacobian(lambda x: x * x, X).tolist() == [[2, 0], [0, 4]]
    of_both = functional.jacobian(lambda x, y: (x * y, x + y), (X, X * 3))
    assert [[part.tolist() for part in row] for row in of_both] == [
        [[[3, 0], [0, 6]], [[1, 0], [0, 2]]],
        [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
    ]
    with pytest.raises(RuntimeError, match="independent of the input"):
        functional.jacobian(lambda x: x.detach(), X, strict=True)


def test_hessians() -> None:
    assert functional.hessian(cubes, X).tolist() == [[6, 0], [0, 12]]
    value, product = functional.vhp(cubes, X, ONES)
    assert (value.item(), product.tolist()) == (9, [6, 12])
    for function in (functional.hessian, functional.vhp):
        with pytest.raises(RuntimeError, match="single element"):
            function(lambda x: x * x, X, *([ONES] if function is functional.vhp else []))


class Square(nt.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class WrongSquare(Square):
    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x * grad


def test_a_function_of_a_program() -> None:
    x = nt.tensor([1.0, 3.0], dtype=nt.float64, requires_grad=True)
    Square.apply(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2, 6]
    assert nt.autograd.gradcheck(Square.apply, (x,))
    assert nt.autograd.gradgradcheck(Square.apply, (x,))
    with pytest.raises(nt.autograd.GradcheckError, match="Jacobian mismatch"):
        nt.autograd.gradcheck(WrongSquare.apply, (x,))
    assert not nt.autograd.gradcheck(WrongSquare.apply, (x,), raise_exception=False)


def test_a_derivative_that_has_none_itself() -> None:
    class Once(Square):
        backward = staticmethod(nt.autograd.once_differentiable(Square.backward))

    x = nt.tensor([2.0], requires_grad=True)
    weight = nt.ones(1, requires_grad=True)
    (first,) = nt.autograd.grad(Once.apply(x), x, weight, create_graph=True)
    assert first.tolist() == [4]
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.backward()


def test_what_a_function_writes_to() -> None:
    class Doubled(nt.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2

    x = nt.tensor([1.0], requires_grad=True)
    y = x * 1
    Doubled.apply(y)
    y.sum().backward()
    assert (y.tolist(), x.grad is not None and x.grad.tolist()) == ([2], [2])
    with pytest.raises(RuntimeError, match="leaf Variable"):
        Doubled.apply(x)


def test_hooks() -> None:
    x = nt.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y.retain_grad()
    handle = y.register_hook(lambda grad: grad * 10)
    seen: list[Any] = []
    x.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
    y.sum().backward(retain_graph=True)
    assert seen == [[30, 30]]
    assert y.grad is not None
    assert y.grad.tolist() == [10, 10]
    handle.remove()
    y.sum().backward()
    assert seen == [[30, 30], [33, 33]]


def test_modes() -> None:
    x = nt.tensor([1.0], requires_grad=True)
    with nt.no_grad():
        assert not (x * 2).requires_grad
        with nt.enable_grad():
            assert (x * 2).requires_grad
    with nt.inference_mode():
        made = x * 2
    assert nt.is_grad_enabled()
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved"):
        _ = x * made

    @nt.no_grad()
    def plain(value: Any) -> Any:
        return value * 2

    assert not plain(x).requires_grad
