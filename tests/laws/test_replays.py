"""What is kept of recorded calls changes no gradient: replays and routes compute what it computes.

For every measured call of an op with a derivative the gradients are computed again and again, and
with other elements: once with all recipes, replays and routes kept, and once with all forgotten
before.  The results are equal to the last bit, and so are names, strides and refusals.
"""

from __future__ import annotations

import warnings
from gc import collect
from typing import Any
from weakref import ref

import numpy as np
import pytest

import namecheck_runtime as nt
from gradient_calls import Program, rows, weights
from namecheck_runtime.autograd import recipes, routes, tracing
from namecheck_runtime.tensors.values.plan_caches import forget

PARTS = 8
"""A quarter of all calls is divided into so many tests."""
QUARTERS = [pytest.param(first, marks=pytest.mark.deep if first else ()) for first in range(4)]
WARM = 7
"""After so many calls replays serve the next one, and a route its run backwards."""
WAYS = ("backward", "grad", "from one")
"""How a program asks for gradients."""


def variants(arrays: list[Any]) -> list[list[Any]]:
    """Operands of the same kinds with other elements: zeros, ties and signs, on which some look."""
    changes = (
        lambda a: np.where(np.arange(a.size).reshape(a.shape) % 3 == 1, 0 * a, a),
        lambda a: -a,
        lambda a: np.round(a) * 0.5,
        lambda a: np.full_like(a, 0.25),
    )
    made = [arrays] * WARM
    for change in changes:
        made.append([change(a) if a.dtype.kind in "fc" else a for a in arrays])
    return [*made, arrays]


def outcome(made: Program, arrays: list[Any], way: str) -> Any:
    """The gradients of a call, or how it is refused."""
    nt.manual_seed(0)
    try:
        leaves, outputs = made.run(arrays, True)
        pairs = [(o, w) for o, w in zip(outputs, weights(outputs), strict=True) if o.requires_grad]
        taken = [leaf for leaf in leaves if leaf.requires_grad]
        if not pairs:
            return []
        results = [o for o, _ in pairs]
        begin = [nt.from_numpy(np.asarray(w)) for _, w in pairs]
        if way == "from one" and not any(o.dtype.is_complex for o in results):
            total = sum((o * w).sum() for o, w in zip(results, begin, strict=True))
            total.backward()  # type: ignore[union-attr]
            grads = [leaf.grad for leaf in taken]
        elif way != "grad":
            nt.autograd.backward(results, begin)
            grads = [leaf.grad for leaf in taken]
        else:
            grads = nt.autograd.grad(results, taken, begin, allow_unused=True)
    except Exception as error:
        return type(error), str(error)
    return [
        None if g is None else (g.names, tuple(g.shape), g.dtype, g.detach().numpy().tobytes())
        for g in grads
    ]


@pytest.mark.parametrize("first", QUARTERS)
@pytest.mark.parametrize("part", range(PARTS))
def test_replays_compute_what_derivatives_do(part: int, first: int) -> None:
    wrong: list[str] = []
    served = routed = 0
    for place, row in enumerate(rows()[first::4][part::PARTS]):
        made = Program(row, nt, nt.from_numpy)
        way = WAYS[place % len(WAYS)]
        try:
            calls = variants(made.arrays())
        except (RuntimeError, IndexError):
            continue  # the op refuses these elements
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            forget()
            kept = [outcome(made, arrays, way) for arrays in calls]
            served += sum(type(r) is tracing.Replay for r in recipes._REPLAYS.values())
            routed += sum(type(r) is routes.Route for r in routes._ROUTES.values())
            answers: dict[int, Any] = {}
            for arrays, answer in zip(calls, kept, strict=True):
                if id(arrays) not in answers:
                    forget()
                    answers[id(arrays)] = outcome(made, arrays, way)
                if answers[id(arrays)] != answer:
                    wrong.append(f"{row['op']} {row['args']} {row.get('kw', {})}"[:200])
                    break
    assert not wrong, "\n".join(wrong)
    assert served > 10
    assert routed > 2


def leaf(*sizes: int, names: Any = None) -> Any:
    """Elements that differ, which want a gradient."""
    count = int(np.prod(sizes))
    array = np.linspace(-1, 2, count, dtype=np.float32).reshape(sizes)
    return nt.tensor(array, names=names, requires_grad=True)


def test_numbers_are_those_of_each_call() -> None:
    w = leaf(2, 3, names=("N", "C"))
    for _ in range(4):
        for number in (2.5, 3.5, 0.0, -0.0, 2, True):
            w.grad = None
            (w * number).sum().backward()
            expected = np.full((2, 3), float(number), np.float32)
            assert w.grad.names == ("N", "C")
            assert w.grad.numpy().tobytes() == expected.tobytes()


def test_a_write_to_what_was_saved_is_noticed() -> None:
    for _ in range(6):
        x = leaf(3, 3) * 1
        y = x.exp()
        (y * x).sum().backward()
    x = leaf(3, 3) * 1
    y = x.exp()
    loss = (y * x).sum()
    y.detach().add_(1)
    with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
        loss.backward()


def test_a_second_run_is_refused_and_a_kept_graph_runs_again() -> None:
    for _ in range(6):
        w = leaf(3)
        loss = (w * w).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        np.testing.assert_array_equal(w.grad.numpy(), 4 * w.detach().numpy())
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            loss.backward()


def test_gradients_of_gradients_are_in_a_graph_whatever_is_kept() -> None:
    for _ in range(6):
        w = leaf(3)
        (slope,) = nt.autograd.grad((w * w * w).sum(), [w])
        assert not slope.requires_grad
        (slope,) = nt.autograd.grad((w * w * w).sum(), [w], create_graph=True)
        assert slope.requires_grad
        (curve,) = nt.autograd.grad(slope.sum(), [w])
        np.testing.assert_allclose(curve.numpy(), 6 * w.detach().numpy(), rtol=1e-6)


def test_hooks_see_and_change_gradients_whatever_is_kept() -> None:
    for time in range(6):
        w = leaf(3, names=("C",))
        hidden = w * 2
        seen = []
        if time % 2:
            hidden.register_hook(lambda grad, seen=seen: (seen.append(grad.names), grad * 3)[1])
        (hidden * hidden).sum().backward()
        factor = 3 if time % 2 else 1
        np.testing.assert_allclose(w.grad.numpy(), 8 * factor * w.detach().numpy(), rtol=1e-6)
        assert seen == [("C",)] * (time % 2)


def test_nothing_is_recorded_without_grad_mode_whatever_is_kept() -> None:
    for _ in range(6):
        w = leaf(3, 3)
        assert w.exp().requires_grad
        with nt.no_grad():
            assert not w.exp().requires_grad
        with nt.inference_mode():
            assert w.exp().is_inference()
        assert w.exp().grad_fn is not None
        assert not w.detach().exp().requires_grad


def test_a_replay_keeps_no_tensor_alive() -> None:
    forget()
    arrays = []
    for _ in range(6):
        w = leaf(4, 5)
        hidden = nt.nn.functional.softmax(w, dim=1)
        hidden.transpose(0, 1).unfold(0, 2, 1).sum().backward()
        arrays += [ref(hidden._array), ref(w._array)]
        del w, hidden
    assert recipes._REPLAYS
    collect()
    assert all(array() is None for array in arrays)


def test_gradients_of_two_leaves_are_two() -> None:
    for _ in range(6):
        a, b = leaf(2, 2), leaf(2, 2)
        (a + b).sum().backward()
        a.grad.add_(1)
        np.testing.assert_array_equal(b.grad.numpy(), np.ones((2, 2), np.float32))
        np.testing.assert_array_equal(a.grad.numpy(), np.full((2, 2), 2, np.float32))


def test_what_is_saved_is_what_the_derivative_needs() -> None:
    w = leaf(3)
    for _ in range(6):
        node = (w * 2 + 1).grad_fn
        product = (w * w).grad_fn
        w.exp()
    assert not getattr(node, "tensors", ())
    assert len(product.tensors) == 2
    assert product._saved_other is not None
    result = w.exp()
    saved = result.grad_fn._saved_result.detach()  # type: ignore[union-attr]
    np.testing.assert_array_equal(saved.numpy(), result.detach().numpy())
