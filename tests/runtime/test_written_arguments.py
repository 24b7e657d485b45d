"""Operands that an op writes to beside its result: running statistics; and storages that grow."""

from __future__ import annotations

import pytest

import namecheck_runtime as nt

F = nt.nn.functional
X = nt.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize("norm", [F.batch_norm, F.instance_norm])
def test_running_statistics_are_written_and_counted(norm: object) -> None:
    mean, variance = nt.zeros(3), nt.ones(3)
    norm(X, mean, variance, None, None, True, 0.5)  # type: ignore[operator]
    assert mean.tolist() == [3.75, 5.75, 7.75]
    assert (mean._version, variance._version) == (1, 1)
    norm(X, mean, variance, None, None, False)  # type: ignore[operator]
    assert (mean._version, variance._version) == (1, 1)


def test_a_view_of_statistics_reaches_its_base() -> None:
    both = nt.zeros(2, 3)
    F.batch_norm(X, both[0], both[1], training=True, momentum=1.0)
    assert both[0].tolist() == [7.5, 11.5, 15.5]
    assert both._version == 2


def test_statistics_that_share_their_elements_are_refused_before_a_write() -> None:
    mean, variance = nt.zeros(3), nt.ones(1).expand(3)
    with pytest.raises(RuntimeError, match="single memory location"):
        F.instance_norm(X, mean, variance)
    assert mean.tolist() == [0, 0, 0]
    assert mean._version == 0


def test_running_statistics_cannot_be_integers() -> None:
    with pytest.raises(RuntimeError, match="can't be cast"):
        F.batch_norm(X, nt.zeros(3, dtype=nt.int32), nt.ones(3), training=True)


def test_inplace_true_writes_to_the_operand() -> None:
    x = nt.tensor([-1.0, 2.0], names=("N",))
    row = x.view(2)
    assert F.relu(x, inplace=True) is x
    assert (row.tolist(), x._version, x.names) == ([0, 2], 1, ("N",))


def test_views_see_a_storage_that_grew() -> None:
    x = nt.arange(4)
    tail, turned = x[1:], x.view(2, 2).t()
    x.resize_(10)
    x[1] = 99
    assert tail.tolist() == [99, 2, 3]
    assert turned.tolist() == [[0, 2], [99, 3]]
    assert tail.untyped_storage() is x.untyped_storage()
    assert x.untyped_storage().nbytes() == 80
    tail.resize_(20)
    tail[3] = 7
    assert x[4].item() == 7


def test_a_tensor_with_its_own_counter_sees_a_storage_that_grew() -> None:
    x = nt.arange(4)
    data = x.data
    x.resize_(6)
    x[0] = 5
    assert data.tolist() == [5, 1, 2, 3]


def test_memory_that_numpy_shares_does_not_grow() -> None:
    x = nt.arange(4)
    shown = x.numpy()
    with pytest.raises(RuntimeError, match="not resizable"):
        x.resize_(5)
    x.resize_(2)
    x[0] = 9
    assert shown[0] == 9


def test_memory_that_was_only_printed_grows() -> None:
    x = nt.arange(4)
    repr(x), x.tolist(), x[0].item()
    assert x.resize_(5).shape == (5,)
