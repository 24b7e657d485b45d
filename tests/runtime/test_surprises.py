"""Calls that users of PyTorch or NumPy expect to work, and calls that were missing once.

Expected values and texts were measured on torch 2.13 where names do not matter.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import namecheck_runtime as nt
from namecheck_runtime.declare import OPS

F: Any = nt.nn.functional


def test_results_of_several_tensors_have_fields() -> None:
    x: Any = nt.tensor([[1.0, 3.0, 2.0]], names=("N", "C"))
    result = x.max("C")
    assert result.values.tolist() == [3.0]
    assert result.indices.names == ("N",)
    values, _ = result
    assert values is result.values is result[0]
    assert repr(x.rename(None).max(1)) == (
        "torch.return_types.max(\nvalues=tensor([3.]),\nindices=tensor([1]))"
    )
    assert pickle.loads(pickle.dumps(result)).values.names == ("N",)
    assert copy.deepcopy(result).indices.tolist() == [1]
    match result:
        case (best, place):
            assert (best.item(), place.item()) == (3.0, 1)
    out: Any = (nt.empty(0), nt.empty(0, dtype=nt.int64))
    assert nt.max(x, "C", out=out).values is out[0]


def test_the_declared_fields_are_those_of_the_results() -> None:
    square: Any = nt.eye(3) + nt.ones(3, 3)
    results = {
        "torch.aminmax": nt.aminmax(square),
        "torch.frexp": nt.frexp(square),
        "torch.linalg.eigh": nt.linalg.eigh(square),
        "torch.linalg.ldl_factor_ex": nt.linalg.ldl_factor_ex(square),
        "torch.linalg.lstsq": nt.linalg.lstsq(square, square),
        "torch.linalg.svd": nt.linalg.svd(square),
        "torch.topk": nt.topk(square, 2),
    }
    for name, result in results.items():
        assert result._fields == OPS[name].fields, name
        assert [getattr(result, field) for field in result._fields] == list(result)


CHANNELS = nt.channels_last
IMAGES: Any = nt.ones(2, 3, 4, 5)


@pytest.mark.parametrize(
    "call",
    [
        lambda: IMAGES.contiguous(memory_format=CHANNELS),
        lambda: IMAGES.clone(memory_format=CHANNELS),
        lambda: IMAGES.to(memory_format=CHANNELS),
        lambda: IMAGES.to(nt.float64, memory_format=CHANNELS),
        lambda: IMAGES.double(memory_format=CHANNELS),
        lambda: nt.empty(2, 3, 4, 5, memory_format=CHANNELS),
        lambda: nt.zeros_like(IMAGES, memory_format=CHANNELS),
        lambda: IMAGES.to(memory_format=CHANNELS) + 1,
    ],
)
def test_memory_formats(call: Callable[[], Any]) -> None:
    result = call()
    assert result.stride() == (60, 1, 15, 3)
    assert result.is_contiguous(memory_format=CHANNELS)
    assert result.contiguous().stride() == (60, 20, 5, 1)


def test_memory_formats_of_other_ranks() -> None:
    deep: Any = nt.ones(2, 3, 4, 5, 6)
    assert deep.contiguous(memory_format=nt.channels_last_3d).stride() == (360, 1, 90, 18, 3)
    with pytest.raises(RuntimeError, match=r"^required rank 4 tensor to use channels_last format"):
        deep.contiguous(memory_format=CHANNELS)
    same: Any = IMAGES.permute(1, 0, 2, 3).clone(memory_format=nt.contiguous_format)
    assert same.stride() == (40, 20, 5, 1)


def test_where_with_a_condition_alone() -> None:
    rows, columns = nt.where(nt.tensor([[True, False], [True, True]]))
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 1], [0, 0, 1])


def test_arrays_are_operands() -> None:
    x: Any = nt.ones(2, names=("N",))
    assert (x + np.ones(2)).dtype is nt.float64
    assert (np.ones(2) + x).names == ("N",)
    result: Any = nt.exp(np.zeros((1, 2)))
    assert result.tolist() == [[1.0, 1.0]]
    assert nt.cat([x, x])[np.array([0, 3])].shape == (2,)


def test_limits() -> None:
    assert repr(nt.iinfo(nt.int8)) == "iinfo(min=-128, max=127, dtype=int8)"
    assert nt.finfo(nt.float32).eps == 1.1920928955078125e-07
    assert nt.finfo(nt.complex128).dtype == "float64"
    with pytest.raises(TypeError, match="requires an integer input type"):
        nt.iinfo(nt.float32)
    with pytest.raises(TypeError, match="bool is not supported"):
        nt.iinfo(nt.bool)


X: Any = nt.ones(2)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: nt.add(X), 'add() missing 1 required positional arguments: "other"'),
        (lambda: X.softmax(), 'softmax() missing 1 required positional arguments: "dim"'),
        (lambda: nt.add(X, X, foo=1), "add() got an unexpected keyword argument 'foo'"),
        (lambda: nt.exp(2.0), "exp(): argument 'input' (position 1) must be Tensor, not float"),
        (lambda: nt.sum(1), "sum(): argument 'input' (position 1) must be Tensor, not int"),
        (lambda: nt.mean([1.0]), "mean(): argument 'input' (position 1) must be Tensor, not list"),
        (lambda: nt.add(X, "a"), "add(): argument 'other' (position 2) must be Tensor, not str"),
        (
            lambda: F.linear(X, 3),
            "linear(): argument 'weight' (position 2) must be Tensor, not int",
        ),
        (
            lambda: nt.gather(X, 0, [0]),
            "gather(): argument 'index' (position 3) must be Tensor, not list",
        ),
        (
            lambda: nt.cat(X),
            "cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor",
        ),
    ],
)
def test_arguments_that_do_not_fit(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == text


def test_an_invalid_combination_lists_the_forms() -> None:
    with pytest.raises(TypeError, match=r"^arange\(\) received an invalid combination") as caught:
        nt.arange()
    assert "\n * (start, end, step = 1" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: nt.tensor([[1, 2], [3]]),
            ValueError,
            "expected sequence of length 2 at dim 1 (got 1)",
        ),
        (
            lambda: nt.tensor([[[1], [2]], [[3], [4, 5]]]),
            ValueError,
            "expected sequence of length 1 at dim 2 (got 2)",
        ),
        (
            lambda: nt.where(X, 1, 2),
            RuntimeError,
            "where expected condition to be a boolean tensor, but got a tensor with dtype Float",
        ),
        (
            lambda: F.embedding(nt.tensor([9]), nt.ones(3, 2)),
            IndexError,
            "index out of range in self",
        ),
        (
            lambda: F.cross_entropy(nt.ones(2, 3), nt.tensor([0, 5])),
            IndexError,
            "Target 5 is out of bounds.",
        ),
        (
            lambda: nt.ones(1, device="meta").item(),
            RuntimeError,
            "Tensor.item() cannot be called on meta tensors",
        ),
        (
            lambda: X.masked_fill(X, 1),
            RuntimeError,
            "masked_fill only supports boolean masks, but got mask with dtype Float",
        ),
    ],
)
def test_elements_that_do_not_fit(
    call: Callable[[], Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == text


def test_singular_matrices_have_their_own_error() -> None:
    with pytest.raises(nt.linalg.LinAlgError):
        nt.linalg.inv(nt.zeros(2, 2))
    assert issubclass(nt.linalg.LinAlgError, RuntimeError)


def test_losses_compare_the_names_of_scores_and_targets() -> None:
    scores: Any = nt.zeros(2, 3, names=("N", "C"))
    target = nt.tensor([0, 2], names=("M",))
    with pytest.raises(nt.NamesError):
        F.cross_entropy(scores, target)
    with pytest.raises(nt.NamesError):
        F.nll_loss(scores, target)
    with pytest.raises(nt.NamesError):
        F.binary_cross_entropy_with_logits(scores, nt.zeros(2, 3, names=("N", "D")))
    # A dim without a name takes the other's name.
    assert F.cross_entropy(scores.rename(None), target, reduction="none").names == ("M",)
    assert F.cross_entropy(scores, target.rename(None), reduction="none").names == ("N",)


def test_tensordot_takes_names() -> None:
    x: Any = nt.arange(24.0).reshape(2, 3, 4).rename("B", "T", "E")
    w: Any = nt.arange(24.0).reshape(4, 3, 2).rename("E", "T", "D")
    result = nt.tensordot(x, w, dims=(["E", "T"], ["E", "T"]))
    assert result.names == ("B", "D")
    assert nt.equal(result, nt.tensordot(x, w, dims=([2, 1], [0, 1])))
    with pytest.raises(nt.NamesError, match="'Q' not found"):
        nt.tensordot(x, w, dims=(["E"], ["Q"]))


@pytest.mark.parametrize("operands", [((), (3, 4)), ((3, 4), ())])
def test_tensordot_has_nothing_to_sum_over_without_dims(operands: Any) -> None:
    left, right = map(nt.zeros, operands)
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        nt.tensordot(left, right, dims=([0], [0]))


def test_dtypes_that_an_op_does_not_take_are_named() -> None:
    with pytest.raises(NotImplementedError) as caught:
        X & 1
    assert str(caught.value) == "\"bitwise_and\" not implemented for 'Float'"
    with pytest.raises(NotImplementedError, match="not implemented for 'ComplexFloat'"):
        nt.ones(1, dtype=nt.complex64).floor()
