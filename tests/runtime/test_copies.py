"""Copies and pickles of tensors, with names: which memory they share, and what they keep."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import namecheck_runtime as nt


def kept(x: nt.Tensor) -> tuple[Any, ...]:
    """What a copy has to keep."""
    return (
        x.names,
        tuple(x.shape),
        x.stride(),
        x.storage_offset(),
        x.dtype,
        x.device,
        x.layout,
        x.requires_grad,
        None if x.device.type == "meta" else x.tolist(),
    )


TENSORS = [
    nt.tensor(3),
    nt.zeros(0, 3, names=("N", None)),
    nt.arange(6.0).reshape(2, 3).rename("N", "C").t(),
    nt.arange(6.0)[2:5].rename("N"),
    nt.zeros(1, 3, names=("N", "C")).expand(4, 3),
    nt.tensor([1 + 2j]),
    nt.tensor([True]),
    nt.ones(2, names=("N",), requires_grad=True),
    nt.zeros(2, 3, names=("N", "C"), device="meta"),
]


@pytest.mark.parametrize("x", TENSORS, ids=repr)
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_keeps_all(x: nt.Tensor, protocol: int) -> None:
    assert kept(pickle.loads(pickle.dumps(x, protocol))) == kept(x)


@pytest.mark.parametrize("x", TENSORS, ids=repr)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy])
def test_a_copy_keeps_all(x: nt.Tensor, again: Any) -> None:
    made = again(x)
    assert made is not x
    assert kept(made) == kept(x)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda xs: pickle.loads(pickle.dumps(xs))])
def test_views_copied_together_share_memory_again(again: Any) -> None:
    x = nt.arange(6.0).reshape(2, 3)
    whole, row, same = again([x, x[1], x])
    row.fill_(-1)
    assert whole.tolist() == [[0, 1, 2], [-1, -1, -1]]
    assert same is whole
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert whole._version == row._version == 1


def test_a_plain_copy_shares_memory_and_not_names() -> None:
    x = nt.zeros(2, names=("N",))
    y = copy.copy(x)
    y[0] = 1.0
    y.rename_("C")
    assert x.tolist() == [1.0, 0.0]
    assert x.names == ("N",)


def test_gradients_are_wanted_of_one_and_not_of_its_copy() -> None:
    x = nt.ones(2, requires_grad=True)
    copy.copy(x).requires_grad_(False)
    copy.deepcopy(x).requires_grad_(False)
    assert x.requires_grad


def test_saving_waits_for_its_format() -> None:
    with pytest.raises(NotImplementedError, match="pickle keeps names"):
        nt.save(nt.zeros(1), "file")
    with pytest.raises(NotImplementedError, match="pickle keeps names"):
        nt.load("file")
