"""Tensors in other libraries: NumPy's functions, DLPack, xarray, jaxtyping and copies."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from typing import Literal as L

import numpy as np
import pytest
import xarray
from jaxtyping import Float

import namecheck_runtime as nt


def table() -> nt.Tensor:
    return nt.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], names=("N", "C"))


@pytest.mark.parametrize(
    ("call", "names"),
    [
        (lambda x: np.sum(x, axis="N"), ("C",)),
        (lambda x: np.sum(x, axis=1), ("N",)),
        (lambda x: np.mean(x, axis=1, keepdims=True), ("N", "C")),
        (lambda x: np.exp(x), ("N", "C")),
        (lambda x: np.add(x, 1), ("N", "C")),
        (lambda x: np.add(np.ones(3), x), ("N", "C")),
        (lambda x: np.ones(3) + x, ("N", "C")),
        (lambda x: np.float64(2) * x, ("N", "C")),
        (lambda x: np.add.reduce(x, axis=1), ("N",)),
        (lambda x: np.concatenate([x, x], axis=0), ("N", "C")),
        (lambda x: np.stack([x, x]), (None, "N", "C")),
        (lambda x: np.transpose(x), ("C", "N")),
        (lambda x: np.max(x, axis="C"), ("N",)),
        (lambda x: np.matmul(x, x.T.rename("C", "M")), ("N", "M")),
        (lambda x: np.where(x > 2, x, 0), ("N", "C")),
        (lambda x: np.cumsum(x, axis=1), ("N", "C")),
        (lambda x: np.clip(x, 0, 1), ("N", "C")),
    ],
)
def test_numpy_keeps_names(call: Any, names: tuple[str | None, ...]) -> None:
    x = table()
    result = call(x)
    assert isinstance(result, nt.Tensor)
    assert result.names == names
    try:
        expected = call(x.numpy())
    except (TypeError, AttributeError):
        return  # the call passes names, which NumPy does not know
    assert np.allclose(result.numpy(), expected)


def test_numpy_functions_refuse_by_the_same_rules() -> None:
    with pytest.raises(nt.NamesError, match="do not match"):
        np.add(table(), nt.ones(3, names=("D",)))
    with pytest.raises(nt.NamesError, match="not found"):
        np.sum(table(), axis="Q")


def test_a_function_without_a_rule_says_so() -> None:
    with pytest.raises(TypeError, match=r"no rule says what numpy\.\w+ does to names"):
        np.busday_count(table(), table())


def test_numpy_out() -> None:
    target = nt.zeros(2, 3)
    assert np.add(table(), 1, out=target) is target
    assert target.names == ("N", "C")


def test_memory_is_shared() -> None:
    x = table()
    x.numpy()[0, 0] = 9
    assert x[0, 0].item() == 9
    assert np.asarray(x) is x.numpy() or np.shares_memory(np.asarray(x), x.numpy())
    assert not np.shares_memory(np.array(x), x.numpy())
    assert np.asarray(x, np.float64).dtype == np.float64
    y = nt.from_numpy(np.arange(3.0))
    y += 1
    assert y.numpy().tolist() == [1, 2, 3]


def test_from_numpy_refuses_negative_strides() -> None:
    with pytest.raises(ValueError, match="negative"):
        nt.from_numpy(np.arange(3)[::-1])


def test_dlpack_goes_both_ways() -> None:
    x = table()
    array = np.from_dlpack(x)
    assert np.shares_memory(array, x.numpy())
    back = nt.from_dlpack(array)
    assert back.names == (None, None)
    assert back.tolist() == x.tolist()
    assert x.__dlpack_device__() == (1, 0)


def test_xarray_dims_are_names() -> None:
    array = nt.to_xarray(table())
    assert isinstance(array, xarray.DataArray)
    assert array.dims == ("N", "C")
    assert nt.from_xarray(array).names == ("N", "C")
    assert nt.to_xarray(nt.ones(2, 3, names=("N", None))).dims == ("N", "dim_1")


def test_jaxtyping_checks_sizes() -> None:
    assert isinstance(table(), Float[nt.Tensor, "n c"])
    assert isinstance(table(), Float[nt.Tensor, "2 3"])
    assert not isinstance(table(), Float[nt.Tensor, "n"])
    assert not isinstance(nt.arange(3), Float[nt.Tensor, "n"])


def test_an_annotation() -> None:
    assert nt.Tensor[L["N"], L["C"]].__args__ == (L["N"], L["C"])


def test_copies_keep_names() -> None:
    x = table()
    for copied in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert copied.names == ("N", "C")
        assert copied.tolist() == x.tolist()
        assert not np.shares_memory(copied.numpy(), x.numpy())
    shallow = copy.copy(x)
    assert shallow.names == ("N", "C")
    assert np.shares_memory(shallow.numpy(), x.numpy())


def test_a_deep_copy_of_views_shares_memory_like_them() -> None:
    x = table()
    first, second = copy.deepcopy((x, x[0]))
    first[0, 0] = 7
    assert second[0].item() == 7


def test_two_tensors_are_two_keys() -> None:
    x, y = table(), table()
    assert len({x, y, x}) == 2


def test_assert_and_reveal(capsys: pytest.CaptureFixture[str]) -> None:
    x = table()
    assert nt.assert_names(x, "N", "C") is x
    assert nt.reveal_names(x) is x
    assert capsys.readouterr().out == "names=('N', 'C')\n"
    with pytest.raises(AssertionError, match=r"the names are \('N', 'C'\), not \('N',\)"):
        nt.assert_names(x, "N")
    assert nt.assert_names(x, "N", ...) is x
    with pytest.raises(nt.NamesError) as caught:
        nt.assert_names(x, ..., "T")
    assert caught.value.code == "NC107"


def test_assert_and_reveal_return_their_argument(
    capsys: pytest.CaptureFixture[str],
) -> None:
    array = np.zeros((2, 3))
    assert nt.reveal_names(array) is array
    assert capsys.readouterr().out == "names=(None, None)\n"
    assert nt.assert_names(array, None, None) is array
    with pytest.raises(AssertionError):
        nt.assert_names(array, None)

    class Foreign:
        """An array of another library."""

        shape = (2, 3)

    foreign = Foreign()
    assert nt.reveal_names(foreign) is foreign
    assert nt.assert_names(foreign, "N", "C") is foreign
    with pytest.raises(TypeError, match="must be Tensor, not str"):
        nt.reveal_names("N")
