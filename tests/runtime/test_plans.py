"""The runtime keeps the plan of a call for calls like it, and for no others."""

from __future__ import annotations

import gc
import math
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.tensors import dispatch
from namecheck_runtime.tensors.values import plan_caches
from namecheck_runtime.tensors.values.errstate import quietly
from namecheck_runtime.tensors.values.plan_caches import forget

F = nt.nn.functional


@pytest.fixture(autouse=True)
def nothing_is_known() -> Iterator[None]:
    forget()
    yield
    forget()


def draw(seed: int) -> tuple[Any, ...]:
    """Named tensors, matrices without names, a mask, indices and a number, by the seed."""
    rng = np.random.default_rng(seed)
    x, y = (nt.tensor(rng.normal(size=(3, 3)), names=("N", "C")) for _ in range(2))
    u, v = (nt.tensor(rng.normal(size=(3, 3))) for _ in range(2))
    mask = nt.tensor(rng.random((3, 3)) > 0.3)
    index = nt.tensor(rng.integers(0, 3, (3, 3)))
    return x, y, u, v, mask, index, float(rng.normal())


PROGRAMS: dict[str, Callable[..., Any]] = {
    "add": lambda x, y, u, v, m, i, k: nt.add(x, y, alpha=2),
    "a number": lambda x, y, u, v, m, i, k: nt.add(x, k),
    "number first": lambda x, y, u, v, m, i, k: k - x,
    "a 0-d tensor": lambda x, y, u, v, m, i, k: x * nt.tensor(k),
    "itself": lambda x, y, u, v, m, i, k: nt.mul(x, y),
    "pow": lambda x, y, u, v, m, i, k: x.abs() ** k,
    "exp": lambda x, y, u, v, m, i, k: x.exp(),
    "not in a row": lambda x, y, u, v, m, i, k: x.T.exp(),
    "clamp": lambda x, y, u, v, m, i, k: x.clamp(min=k),
    "where": lambda x, y, u, v, m, i, k: nt.where(m, u, k),
    "mean": lambda x, y, u, v, m, i, k: x.mean("C"),
    "keepdim": lambda x, y, u, v, m, i, k: x.sum(["N", "C"], keepdim=True),
    "softmax": lambda x, y, u, v, m, i, k: x.softmax("C"),
    "max": lambda x, y, u, v, m, i, k: x.max("N"),
    "cat": lambda x, y, u, v, m, i, k: nt.cat([x, y, x], "N"),
    "stack": lambda x, y, u, v, m, i, k: nt.stack((u, v), 1),
    "tensors": lambda x, y, u, v, m, i, k: nt.broadcast_tensors(u, v[0]),
    "einsum": lambda x, y, u, v, m, i, k: nt.einsum("ij,kj->ik", u, v),
    "einsum of a list": lambda x, y, u, v, m, i, k: nt.einsum("ij,kj->ik", [u, v]),
    "linear": lambda x, y, u, v, m, i, k: F.linear(u, v, v[0]),
    "view": lambda x, y, u, v, m, i, k: x.view(9),
    "view of a part": lambda x, y, u, v, m, i, k: x[1:].reshape(-1),
    "a copy": lambda x, y, u, v, m, i, k: x.T.reshape(9),
    "permute": lambda x, y, u, v, m, i, k: x.T.permute("N", "C"),
    "squares": lambda x, y, u, v, m, i, k: x.unflatten("C", [("H", 3), ("W", 1)]),
    "rename": lambda x, y, u, v, m, i, k: x.rename(N="M"),
    "align": lambda x, y, u, v, m, i, k: x.align_to("C", ..., "N"),
    "diagonal": lambda x, y, u, v, m, i, k: x.diagonal(),
    "split": lambda x, y, u, v, m, i, k: x.split(2, "N"),
    "expand": lambda x, y, u, v, m, i, k: u[0].expand(2, 3),
    "None": lambda x, y, u, v, m, i, k: x[..., None],
    "a list of indices": lambda x, y, u, v, m, i, k: u[[0, 2]],
    "a mask": lambda x, y, u, v, m, i, k: u[m],
    "an index": lambda x, y, u, v, m, i, k: u[i[0]],
    "an index of no dims": lambda x, y, u, v, m, i, k: u[i[0, 0]],
    "a slice from a tensor on": lambda x, y, u, v, m, i, k: u[i[0, 0] :],
    "narrow from a tensor on": lambda x, y, u, v, m, i, k: u.narrow(0, i[0, 0].clamp(max=2), 1),
    "gather": lambda x, y, u, v, m, i, k: u.gather(1, i),
    "nonzero": lambda x, y, u, v, m, i, k: m.nonzero(),
    "equal": lambda x, y, u, v, m, i, k: nt.equal(u, v) or nt.equal(u, u),
    "add_": lambda x, y, u, v, m, i, k: x.add_(y).mul_(k).sub_(y, alpha=2).div_(3),
    "fill_": lambda x, y, u, v, m, i, k: x.fill_(k),
    "copy_": lambda x, y, u, v, m, i, k: u.copy_(y),
    "zero_": lambda x, y, u, v, m, i, k: x.T.zero_(),
    "t_": lambda x, y, u, v, m, i, k: x.t_().add_(k),
    "augmented": lambda x, y, u, v, m, i, k: x.__itruediv__(k),
    "in place, ints": lambda x, y, u, v, m, i, k: i.add_(2).mul_(i).div_(2, rounding_mode="trunc"),
    "in place, rounded": lambda x, y, u, v, m, i, k: u.div_(v, rounding_mode="trunc"),
    "in place, by rows": lambda x, y, u, v, m, i, k: u.T.mul_(v[0]).sub_(v),
    "in place, other dtype": lambda x, y, u, v, m, i, k: u.add_(i).copy_(i),
    "in place, a part": lambda x, y, u, v, m, i, k: (u[:, 1].fill_(k), u.exp_()),
    "fill of whole numbers": lambda x, y, u, v, m, i, k: i.fill_(abs(k) + 2.5),
    "fill of a tensor": lambda x, y, u, v, m, i, k: u.fill_(v[0, 0]),
    "assigned number": lambda x, y, u, v, m, i, k: u.__setitem__((slice(None), 1), k),
    "assigned row": lambda x, y, u, v, m, i, k: u.__setitem__(1, v[0]),
    "assigned where": lambda x, y, u, v, m, i, k: u.__setitem__(m, k),
    "assigned at": lambda x, y, u, v, m, i, k: u.__setitem__(i[0, 0], v[0]),
    "out": lambda x, y, u, v, m, i, k: nt.mul(x, y, out=u),
    "full": lambda x, y, u, v, m, i, k: nt.full((2, 3), k, names=("N", "C")),
    "dtype": lambda x, y, u, v, m, i, k: x.sum("C", dtype=nt.float64),
    "NumPy": lambda x, y, u, v, m, i, k: np.add(x, y),
    "size": lambda x, y, u, v, m, i, k: (x.size(), x.size("C")),
}


def described(value: Any) -> Any:
    """Everything visible of an answer."""
    if isinstance(value, nt.Tensor):
        where = value.stride(), value.storage_offset(), value._version
        return value.names, tuple(value.shape), value.dtype, where, value.tolist()
    return tuple(map(described, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_kept_plan_answers_as_the_rule_does(program: Callable[..., Any]) -> None:
    answers = []
    for seed in range(4):
        arguments = draw(seed)
        answers.append((described(program(*arguments)), described(arguments[:-1])))
    for seed, answer in enumerate(answers):
        forget()
        arguments = draw(seed)
        assert (described(program(*arguments)), described(arguments[:-1])) == answer
    assert answers[0] != answers[1] or program is PROGRAMS["size"]


def plans_of(path: str) -> int:
    """The number of plans that are kept for a spelling."""
    plans = dispatch._PLANS.get(path)
    return 0 if plans is None else len(plans._made)


def test_a_rule_is_asked_once() -> None:
    x, y = nt.ones(2, 3, names=("N", "C")), nt.zeros(2, 3, names=("N", "C"))
    for number in range(5):
        nt.add(x, y)
        nt.add(x, float(number))
        x.add_(y)
    assert plans_of("torch.add") == 2
    assert plans_of("Tensor.add_") == 1


def test_the_plan_for_one_tensor_twice_is_right_for_two() -> None:
    x, y = nt.tensor([1.0, 2.0]), nt.tensor([3.0, 5.0])
    assert nt.add(x, x).tolist() == [2.0, 4.0]
    assert nt.add(x, y).tolist() == [4.0, 7.0]
    assert plans_of("torch.add") == 1


def test_a_list_may_change_after_the_call() -> None:
    x = nt.arange(6.0).reshape(2, 3)
    sizes = [3, 2]
    assert x.reshape(sizes).shape == (3, 2)
    sizes[:] = [6, 1]
    assert x.reshape(sizes).shape == (6, 1)
    assert x.reshape([3, 2]).shape == (3, 2)


def test_equal_numbers_of_different_types_are_different() -> None:
    x = nt.tensor([1, 2])
    assert [nt.add(x, number).dtype for number in (1, 1.0, True, 1 + 0j)] == [
        *(nt.int64, nt.float32, nt.int64, nt.complex64),
    ]
    for zero in (0.0, -0.0):
        assert math.copysign(1.0, nt.full((1,), zero).item()) == math.copysign(1.0, zero)


def test_the_default_dtype_counts() -> None:
    x = nt.tensor([1, 2])
    assert nt.true_divide(x, 2).dtype is nt.float32
    nt.set_default_dtype(nt.float64)
    try:
        assert nt.true_divide(x, 2).dtype is nt.float64
    finally:
        nt.set_default_dtype(nt.float32)
    assert nt.true_divide(x, 2).dtype is nt.float32


def test_strictness_counts() -> None:
    x, y = nt.ones(2, 3), nt.ones(3)
    nt.add(x, y)
    with nt.strict_broadcasting(), pytest.raises(nt.SizesError):
        nt.add(x, y)
    assert nt.add(x, y).shape == (2, 3)


def test_a_destination_may_not_overlap_an_operand() -> None:
    x = nt.arange(6.0)
    x[:5].add_(nt.ones(6)[1:])
    assert plans_of("Tensor.add_") == 1
    before = x.tolist()
    with pytest.raises(RuntimeError):
        x[:5].add_(x[1:])
    assert x.tolist() == before


def test_an_assignment_is_checked_each_time() -> None:
    x = nt.zeros(2, 3, names=("N", "C"))
    row = nt.ones(3, names=("C",))
    for _ in range(2):
        x[0] = row
        with pytest.raises(nt.NamesError):
            x[0] = row.rename("K")
        with pytest.raises(nt.SizesError):
            x[0] = nt.ones(2)
        with pytest.raises(IndexError):
            x[nt.tensor([0, 2])] = row
        with pytest.raises(TypeError):
            x[0] = "1"  # type: ignore[call-overload, assignment]
        x[nt.tensor([0, 1])] = 3.0
    assert x.tolist() == [[3.0] * 3] * 2


def test_a_refused_write_in_place_writes_nothing() -> None:
    """The runtime refuses an op that computes in place before it writes."""
    x = nt.ones(3, dtype=nt.int64)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="can't be cast"):
            x.add_(0.5)
        with pytest.raises(RuntimeError, match="can't be cast"):
            x.div_(2)
        assert x.tolist() == [1, 1, 1]
    flags = nt.ones(2, dtype=nt.bool)
    with pytest.raises(RuntimeError, match="Subtraction"):
        flags.sub_(flags)
    spread = nt.ones(1).expand(3)
    with pytest.raises(RuntimeError):
        spread.add_(1)
    assert spread.zero_().tolist() == [0, 0, 0]


def test_no_tensor_is_kept() -> None:
    x = nt.ones(2, 3, names=("N", "C"))
    references = [weakref.ref(x)]
    for result in (nt.cat([x, x]), x.softmax("C"), x.view(6), nt.add(x, x), x.mean("C")):
        references.append(weakref.ref(result))
    del x, result
    gc.collect()
    assert [reference() for reference in references] == [None] * 6


def test_a_new_kernel_counts() -> None:
    from namecheck_runtime.tensors.backends import BACKENDS
    from namecheck_runtime.tensors.calls.call import Kernel

    x = nt.ones(2)
    assert nt.sinc(x).tolist() == pytest.approx([0, 0], abs=1e-6)
    kernels = BACKENDS["cpu", nt.strided].kernels
    kernels["torch.sinc"] = Kernel(lambda array: array + 6)
    try:
        assert nt.sinc(x).tolist() == [7, 7]
    finally:
        del kernels["torch.sinc"]
    assert nt.sinc(x).tolist() == pytest.approx([0, 0], abs=1e-6)


def test_the_number_of_plans_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_caches, "FULL", 8)
    for size in range(1, 40):
        assert nt.ones(size).softmax(0).shape == (size,)
    assert 0 < plans_of("Tensor.softmax") <= 8


def test_arithmetic_gives_no_warnings(recwarn: pytest.WarningsRecorder) -> None:
    """PyTorch divides by 0 without a warning, on every path of a call and in every thread."""

    def compute() -> None:
        x = nt.tensor([1.0, 0.0], names=("N",))
        computed.append((x / 0.0).tolist()[0])
        for y in (x / x, nt.true_divide(x, x), x.log(), 1 / x, x * 3e38, x.clone().div_(0)):
            computed.append(((y * 3e38) * 3e38).sum("N").item())

    computed: list[float] = []
    compute()
    thread = threading.Thread(target=compute)
    thread.start()
    thread.join()
    assert computed[0] == math.inf
    assert len(computed) == 14
    assert not recwarn
    assert np.geterr()["divide"] == "warn"


def test_a_finalizer_may_compute_during_a_computation() -> None:
    def computing() -> Any:
        return quietly(nt.div, nt.ones(2), 0.0) + quietly(np.add, 1, 1)

    assert quietly(computing).tolist() == [math.inf, math.inf]


# -- calls that compute or show at once ------------------------------------------------------------


def test_a_view_by_name_at_once_is_a_view_for_every_layout() -> None:
    for _ in range(2):
        x = nt.arange(6.0).reshape(2, 3).rename("N", "C")
        turned = x.transpose("N", "C")
        assert x.ravel().storage is not None
        assert x.ravel().data_ptr() == x.data_ptr()
        assert turned.ravel().data_ptr() != x.data_ptr()
        assert turned.ravel().tolist() == [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
        assert turned.align_to("N", "C").stride() == (3, 1)
        assert x.rename(N="M").names == ("M", "C")
        assert turned.rename(N="M").stride() == (1, 3)


def test_a_view_at_once_is_of_one_dtype() -> None:
    x = nt.tensor([[1.0, 2.0]], names=("N", "C"))
    z = nt.tensor([[1 + 1j, 2.0]], names=("N", "C"))
    for _ in range(2):
        assert nt.adjoint(x).tolist() == [[1.0], [2.0]]
        assert nt.adjoint(z).tolist() == [[1 - 1j], [2 + 0j]]


def test_a_mistake_of_a_view_by_name_is_raised_each_time() -> None:
    x = nt.ones(2, 3, names=("N", "C"))
    for _ in range(3):
        with pytest.raises(nt.NamesError):
            x.rename(Q="M")
        with pytest.raises(nt.NamesError):
            x.align_to("N")


def test_elements_are_picked_at_once_only_where_they_are() -> None:
    x = nt.ones(3, 2, names=("N", "C"))
    mask, short = nt.tensor([True, False, True]), nt.tensor([True, False])
    for _ in range(2):
        assert x[mask].shape == (2, 2)
        with pytest.raises(IndexError):
            x[short]
        with pytest.raises(IndexError):
            x[nt.tensor([0, 3])]
        assert x[nt.tensor([[0, -1]])].shape == (1, 2, 2)


def test_an_assignment_at_once_counts_and_checks() -> None:
    x = nt.zeros(3, 2, names=("N", "C"))
    for place in range(3):
        x[place] = float(place)
        x[place, 1] = 5.0
        x[place : place + 1] = nt.ones(1, 2) * place
    assert x._version == 9
    assert x.tolist() == [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    with pytest.raises(IndexError):
        x[3] = 1.0
    with pytest.raises(RuntimeError):
        x[0] = nt.ones(3)
    with pytest.raises(nt.NamesError):
        x[0] = nt.ones(2, names=("D",))
    wide = nt.zeros(1, 2).expand(3, 2)
    with pytest.raises(RuntimeError, match="more than one element"):
        wide[0:2] = 1.0


def test_out_at_once_is_refused_as_ever() -> None:
    x, out = nt.ones(2, 3, names=("N", "C")), nt.zeros(2, 3, names=("N", "D"))
    for _ in range(2):
        with pytest.raises(nt.NamesError):
            nt.add(x, x, out=out)
        assert out.sum().item() == 0.0
    square = nt.arange(4.0).reshape(2, 2)
    for _ in range(2):
        memory = square.clone()
        with pytest.raises(RuntimeError):
            nt.add(memory[0], 1.0, out=memory.reshape(-1)[1:3])
        product = nt.matmul(memory, memory, out=memory)
        assert product is memory
        assert memory.tolist() == (square @ square).tolist()


TIMES = 8
"""After so many equal calls all that is left of one is a function of its own."""


def test_a_destination_is_known_by_its_keyword() -> None:
    x, y, z = nt.ones(3, 3), nt.ones(3, 3), nt.zeros(3, 3)
    for _ in range(TIMES):
        nt.add(x, out=y, other=y)  # the other operand is the destination in these calls alone
    before = y.tolist()
    assert nt.add(x, out=z, other=y) is z
    assert y.tolist() == before
    assert z.tolist() == (x + y).tolist()


def test_a_sum_by_keyword_writes_to_its_destination() -> None:
    x, total = nt.ones(2, 3, names=("N", "C")), nt.zeros(2)
    for count in range(TIMES):
        nt.sum(x, out=total, dim="C")
        assert total.tolist() == [3.0, 3.0]
        assert total._version == count + 1
    assert total.names == ("N",)


def test_memory_that_is_shared_is_seen_in_each_call() -> None:
    memory = nt.arange(8.0)
    part, other = memory[:4], nt.ones(4)
    for _ in range(TIMES):
        part.add_(other)
    before = memory.tolist()
    with pytest.raises(RuntimeError, match="single memory location"):
        part.add_(memory[2:6])
    assert memory.tolist() == before
    part.add_(part)
    assert memory.tolist() == [2 * element for element in before[:4]] + before[4:]


def test_a_kernel_that_refuses_elements_does_so_in_each_call() -> None:
    regular, singular = nt.eye(2), nt.zeros(2, 2)
    for _ in range(TIMES):
        nt.linalg.inv(regular)
    with pytest.raises(nt.linalg.LinAlgError):
        nt.linalg.inv(singular)
    assert nt.linalg.inv(regular).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_equal_entries_of_different_types_are_different_subscripts() -> None:
    x = nt.arange(6.0).reshape(3, 2)
    for _ in range(TIMES):
        assert x[1, None].shape == (1, 2)
        assert x[1:2, None].shape == (1, 1, 2)
    assert x[True, None].shape == (1, 1, 3, 2)
    with pytest.raises(TypeError):
        x[1.0:2, None]
    assert x[0, None].tolist() == [[0.0, 1.0]]


def test_the_strides_of_new_dims_are_those_of_pytorch() -> None:
    x = nt.ones(3, 2)
    for _ in range(TIMES):
        assert x[:, None].stride() == (2, 2, 1)
        assert x[..., None].stride() == (2, 1, 1)
        assert x.T[:, None].stride() == (1, 6, 2)
        assert x[None].storage_offset() == 0
    view = x[:, None]
    view.add_(1.0)
    assert x.tolist() == [[2.0, 2.0]] * 3
    assert x._version == 1


def test_views_by_name_that_take_turns() -> None:
    x = nt.ones(2, 3, names=("N", "C"))
    for _ in range(TIMES):
        assert x.rename(N="M").names == ("M", "C")
        assert x.rename(C="D").names == ("N", "D")
        assert x.rename(N="M").rename(C="D").names == ("M", "D")
        assert x.align_to("C", "N").shape == (3, 2)
        assert x.align_to("N", "C").shape == (2, 3)
