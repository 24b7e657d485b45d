"""Named arrays of other libraries with tensors: they align by name or are refused, in both orders.

The expected result is xarray's own: that of the same call on two of its arrays.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import pytest
import xarray

import namecheck_runtime as nt

A = np.array([[1.0, 2.0], [3.0, 4.0]])
B = np.array([[5.0, 6.0], [7.0, 9.0]])


def tensor(*names: str | None) -> nt.Tensor:
    return nt.tensor(A, names=names)


def array(*dims: str) -> xarray.DataArray:
    return xarray.DataArray(B.copy(), dims=dims)


OPERATORS: list[Callable[[Any, Any], Any]] = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv),
    *(operator.mod, operator.pow, operator.eq, operator.ne, operator.lt, operator.le),
    *(operator.gt, operator.ge, np.add, np.maximum, np.less, np.hypot),
]


@pytest.mark.parametrize(
    "other", [array("N", "C"), array("C", "N"), array("N", "T"), array("N", "C")[0]]
)
@pytest.mark.parametrize("do", OPERATORS)
def test_xarray_aligns_by_name(do: Callable[[Any, Any], Any], other: xarray.DataArray) -> None:
    ours = nt.to_xarray(tensor("N", "C"))
    xarray.testing.assert_identical(do(other, tensor("N", "C")), do(other, ours))
    got, expected = do(tensor("N", "C"), other), do(ours, other)
    xarray.testing.assert_identical(got.transpose(*expected.dims), expected)


@pytest.mark.parametrize("do", OPERATORS)
@pytest.mark.parametrize("names", [(None, None), ("N", None)])
def test_a_dim_without_a_name_aligns_with_nothing(
    do: Callable[[Any, Any], Any], names: tuple[str | None, ...]
) -> None:
    for left, right in [(tensor(*names), array("N", "C")), (array("N", "C"), tensor(*names))]:
        with pytest.raises(TypeError, match="cannot be aligned with xarray's arrays by name"):
            do(left, right)


def test_variables_and_datasets_align_too() -> None:
    x, turned = tensor("N", "C"), array("C", "N")
    for result in (turned.variable + x, x + turned.variable):
        assert result.dims == ("C", "N")
        assert result.values.tolist() == (B + A.T).tolist()
    with pytest.raises(TypeError, match="cannot be aligned"):
        turned.variable + tensor(None, None)
    both = xarray.Dataset({"a": turned})
    assert (both + x)["a"].values.tolist() == (B + A.T).tolist()
    assert (x + both)["a"].transpose("C", "N").values.tolist() == (B + A.T).tolist()


def test_in_place() -> None:
    x = tensor("N", "C")
    for other in (array("N", "C"), pandas.DataFrame(B)):
        with pytest.raises(TypeError, match="`iadd` does not align"):
            x += other
    assert x.tolist() == A.tolist()
    assert x._version == 0
    turned = array("C", "N")
    turned += x
    assert turned.values.tolist() == (B + A.T).tolist()
    with pytest.raises(TypeError, match="cannot be aligned"):
        turned += tensor(None, None)


def test_where_fillna_and_clip_align() -> None:
    x, turned = tensor("N", "C"), array("C", "N")
    assert turned.where(turned > 6, x).values.tolist() == [[1, 3], [7, 9]]
    assert turned.where(x > 2).fillna(x).values.tolist() == [[1, 6], [2, 9]]
    with pytest.raises(TypeError, match="cannot be aligned"):
        turned.where(turned > 6, tensor(None, None))


@pytest.mark.parametrize(
    "call",
    [
        lambda x, other: np.concatenate([x, other]),
        lambda x, other: np.where(x > 2, other, x),
        lambda x, other: np.dot(x, other),
        lambda x, other: np.add.outer(x, other),
        lambda x, other: np.add(x, other, out=x),
        lambda x, other: np.copyto(x, other),
        lambda x, other: np.put(x, [0], other),
        lambda x, other: nt.add(x, other),
        lambda x, other: nt.where(x > 2, x, other),
        lambda x, other: nt.cat([x, other]),
        lambda x, other: nt.full((2, 2), other),
        lambda x, other: nt.full_like(x, other),
        lambda x, other: x.copy_(other),
        lambda x, other: x.fill_(other),
        lambda x, other: x.masked_fill(other, 0),
        lambda x, other: x.__setitem__(0, other),
        lambda x, other: x.matmul(other),
        lambda x, other: nt.tensor([other, other]),
    ],
)
@pytest.mark.parametrize(
    "other", [array("C", "N"), pandas.DataFrame(B, columns=pandas.Index(["a", "b"], name="C"))]
)
def test_all_other_calls_are_refused(call: Callable[[Any, Any], Any], other: Any) -> None:
    x = tensor("N", "C")
    with pytest.raises(TypeError):
        call(x, other)
    assert x.tolist() == A.tolist()
    assert x._version == 0


@pytest.mark.parametrize(
    "index", [array("C", "N") > 6, array("C", "N"), pandas.Series([True, False])]
)
def test_named_arrays_are_not_indices(index: Any) -> None:
    with pytest.raises(IndexError, match="valid indices"):
        tensor("N", "C")[index]
    with pytest.raises(IndexError, match="valid indices"):
        tensor("N", "C").index_put((index,), nt.ones(1))


def test_nothing_changes_the_names_of_a_destination() -> None:
    target = nt.zeros(2, 2, names=("N", "C"))
    with pytest.raises(TypeError, match="elements without names"):
        np.add(array("C", "N"), array("C", "N").values, out=target)
    assert target.names == ("N", "C")
    assert target.tolist() == [[0, 0], [0, 0]]


class Named:
    """A named tensor of torch 2.12, as far as the tests use it."""

    names = ("C", "N")
    shape = (2, 2)
    dtype = np.float64

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return B.copy()

    def __dlpack__(self, **options: Any) -> Any:
        return B.copy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


INDEX = pandas.Index([7, 8], name="N")
NAMED: list[tuple[Any, tuple[str | None, ...]]] = [
    (array("C", "N"), ("C", "N")),
    (array("C", "N").variable, ("C", "N")),
    (array("C", "N").T[::-1], ("N", "C")),
    (Named(), ("C", "N")),
    (pandas.Series([1.0, 2.0], index=INDEX), ("N",)),
    (pandas.Series([1.0, 2.0]), (None,)),
    (pandas.DataFrame(B, index=INDEX), ("N", None)),
    (pandas.DataFrame(B, columns=INDEX), (None, "N")),
    (INDEX, ("N",)),
]


@pytest.mark.parametrize(("value", "names"), NAMED, ids=lambda value: type(value).__name__)
def test_names_are_kept(value: Any, names: tuple[str | None, ...]) -> None:
    elements = np.asarray(value)
    for make in (nt.tensor, nt.as_tensor, nt.asarray, nt.Tensor, nt.ones(1).new_tensor):
        tensor_ = make(value)
        assert tensor_.names == names, make
        assert tensor_.tolist() == elements.tolist()
        assert (
            make not in (nt.tensor, nt.as_tensor, nt.asarray)
            or str(tensor_.dtype) == f"torch.{elements.dtype}"
        )
    copied = nt.tensor(value)
    copied += 1
    assert np.asarray(value).tolist() == elements.tolist()


def test_memory_is_shared_if_possible() -> None:
    labelled = array("N", "C")
    nt.as_tensor(labelled)[0, 0] = 50
    assert labelled.values[0, 0] == 50
    nt.tensor(labelled)[0, 0] = 1
    nt.Tensor(labelled)[0, 0] = 1  # another dtype
    assert labelled.values[0, 0] == 50
    assert nt.from_dlpack(Named()).names == ("C", "N")
    assert nt.from_dlpack(tensor("N", "C")).names == ("N", "C")


def test_names_that_a_tensor_cannot_have_are_refused() -> None:
    odd = xarray.DataArray(B, dims=("my dim", "C"))
    with pytest.raises(nt.NamesError, match="valid identifier") as caught:
        nt.tensor(odd)
    assert "rename them" in caught.value.__notes__[-1]
    numbered = pandas.Series([1.0], index=pandas.Index([0], name=3))
    with pytest.raises(TypeError, match="the dim 3 of a Series has no name"):
        nt.as_tensor(numbered)
    levels = pandas.MultiIndex.from_product([[1], [2, 3]], names=["a", "b"])
    with pytest.raises(TypeError, match="the levels 'a', 'b'"):
        nt.tensor(pandas.Series([1.0, 2.0], index=levels))
    with pytest.raises(RuntimeError, match="Name mismatch"):
        nt.tensor(array("N", "C"), names=("A", "B"))
    with pytest.raises(TypeError, match="expected a DataArray, not ndarray"):
        nt.from_xarray(B)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other", [pandas.Series([1.0, 2.0], index=INDEX), pandas.Series([1.0, 2.0])]
)
def test_pandas_is_refused_since_it_aligns_by_labels(other: Any) -> None:
    x = nt.ones(2, names=("C",))
    for do in (operator.add, operator.mul, operator.eq, operator.lt, np.add, np.multiply):
        for left, right in ((x, other), (other, x)):
            with pytest.raises(TypeError, match="does not align a tensor with a Series by name"):
                do(left, right)


def test_xarrays_of_tensors_have_their_names() -> None:
    assert xarray.DataArray(tensor("N", "C")).dims == ("N", "C")
    assert xarray.DataArray(tensor("N", None)).dims == ("N", "dim_1")


def test_lists() -> None:
    with pytest.raises(ValueError, match="only one element tensors"):
        nt.tensor([tensor("N", "C"), tensor("N", "C")])
    points = array("N", "C")
    assert nt.tensor([points[0, 0], points[1, 1]]).tolist() == [5, 9]
    assert nt.tensor([pandas.Series([1.0]), pandas.Series([2.0])]).tolist() == [[1], [2]]


def test_a_copy_answers_xarray() -> None:
    assert copy.deepcopy(tensor("N", "C")).dims == ("N", "C")
