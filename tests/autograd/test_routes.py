"""Whole runs backwards that are repeated: what a route computes, what it leaves to the engine."""

from __future__ import annotations

from collections.abc import Callable
from gc import collect
from typing import Any
from weakref import ref

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.autograd import routes
from namecheck_runtime.tensors.values.plan_caches import forget

RUNS = 9
"""After so many runs a route serves the next one."""

functional = nt.nn.functional


def leaf(*sizes: int, names: Any = None) -> Any:
    """Elements that differ, which want a gradient."""
    array = np.linspace(-1, 2, int(np.prod(sizes)), dtype=np.float32).reshape(sizes)
    return nt.tensor(array, names=names, requires_grad=True)


def routed() -> int:
    """How many routes there are."""
    return sum(type(known) is routes.Route for known in routes._ROUTES.values())


def residual(w: Any, b: Any) -> Any:
    hidden = (w @ w).exp()
    return (hidden + w * b + hidden.tanh()).sum()


def layer(w: Any, b: Any) -> Any:
    return functional.relu(functional.linear(w, w, b)).mean()


def parts(w: Any, b: Any) -> Any:
    left, right = w.chunk(2, 0)
    return (left.sum(0) * right[0]).sum() + b.max()


def turned(w: Any, b: Any) -> Any:
    return (w.transpose(0, 1).reshape(2, -1).sum(0).square().sum() + b.norm()).sqrt()


@pytest.mark.parametrize("program", [residual, layer, parts, turned])
def test_a_route_computes_what_the_engine_computes(program: Callable[[Any, Any], Any]) -> None:
    forget()
    expected = None
    for _ in range(RUNS):
        w, b = leaf(4, 4), leaf(4)
        program(w, b).backward()
        grads = (w.grad.numpy().tobytes(), b.grad.numpy().tobytes())
        expected = expected or grads
        assert grads == expected
    assert routed()


def test_gradients_are_added_up_and_named() -> None:
    forget()
    w, b = leaf(3, 3, names=("N", "C")), leaf(3, names=("C",))
    for count in range(1, RUNS):
        (w * b).sum().backward()
        assert w.grad.names == ("N", "C")
        np.testing.assert_allclose(w.grad.numpy()[0], count * b.detach().numpy(), rtol=1e-6)
    assert routed()


def test_leaves_share_no_gradient() -> None:
    for _ in range(RUNS):
        a, b, c = leaf(2, 2), leaf(2, 2), leaf(2, 2)
        (a + b + c + a).sum().backward()
        a.grad.add_(1)
        np.testing.assert_array_equal(b.grad.numpy(), np.ones((2, 2), np.float32))
        np.testing.assert_array_equal(c.grad.numpy(), np.ones((2, 2), np.float32))


def test_the_first_gradient_stays_ones() -> None:
    for _ in range(RUNS):
        a, b = leaf(), leaf()
        (a + b).backward()
        a.grad.mul_(5)
        assert b.grad.item() == 1


def test_hooks_and_kept_gradients_are_run() -> None:
    seen: list[float] = []
    for run in range(2 * RUNS):
        w = leaf(3)
        hidden = w.exp()
        if run % 2 and run > RUNS:
            hidden.register_hook(lambda grad: seen.append(grad.sum().item()))
            hidden.retain_grad()
        hidden.sum().backward()
        if run % 2 and run > RUNS:
            assert hidden.grad.tolist() == [1, 1, 1]
    assert seen == [3] * len(range(RUNS + 1 + RUNS % 2, 2 * RUNS, 2))


def test_hooks_after_a_leaf_is_added_to_are_run() -> None:
    seen: list[Any] = []
    for run in range(RUNS):
        w = leaf(3)
        w.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.tolist()))
        (w * 2).sum().backward()
        assert seen == [[2, 2, 2]] * (run + 1)


def test_a_write_to_what_was_saved_is_noticed() -> None:
    for _ in range(RUNS):
        w = leaf(3)
        w.exp().sum().backward()
    w = leaf(3)
    hidden = w.exp()
    total = hidden.sum()
    hidden.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()
    assert w.grad is None


def test_a_second_run_is_refused_unless_the_graph_is_kept() -> None:
    for _ in range(RUNS):
        w = leaf(3)
        total = w.exp().sum()
        total.backward(retain_graph=True)
        total.backward()
        np.testing.assert_allclose(w.grad.numpy(), 2 * np.exp(w.detach().numpy()), rtol=1e-6)
        with pytest.raises(RuntimeError, match="second time"):
            total.backward()


def test_a_root_of_several_elements_is_refused() -> None:
    for _ in range(RUNS):
        w = leaf(3)
        with pytest.raises(RuntimeError, match="scalar"):
            w.exp().backward()


def test_a_program_whose_arrays_are_large_runs_node_by_node() -> None:
    forget()
    side = int(routes.LARGEST**0.5)
    for _ in range(RUNS):
        w = leaf(side, side)
        w.exp().sum().backward()
    assert not routed()


def test_a_graph_with_a_graph_of_gradients_is_the_engine_s() -> None:
    for _ in range(RUNS):
        w = leaf(3)
        (w * w * w).sum().backward(create_graph=True)
        assert w.grad.requires_grad


def test_a_route_keeps_no_tensor_alive() -> None:
    forget()
    arrays = []
    for _ in range(RUNS):
        w = leaf(4, 5)
        hidden = w.softmax(1)
        hidden.square().sum().backward()
        arrays += [ref(hidden._array), ref(w._array), ref(w.grad._array)]
        del w, hidden
    assert routed()
    collect()
    assert all(array() is None for array in arrays)
